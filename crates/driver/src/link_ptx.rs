//! Compiles the PTX inputs of a link: one value for each option that inputs carry (SPLIT-2), the
//! architecture, and objects, whole or through units (SPLIT-4), in the order of the inputs
//! (SPLIT-6).
//!
//! Strategy: all PTX inputs are compiled at once by the pool of a compilation, each to its own
//! object, or through units with extended splitting. The objects replace their inputs. The linker
//! then checks them like objects of other compilers.

use crate::codes;
use crate::compile::compile_after;
use crate::consensus::{CarriedOptions, Consensus, parse_carried};
use crate::input::{Content, Input};
use crate::link::{self, Loaded};
use crate::link_ir;
pub use crate::link_options::CommandLineOptions;
use crate::options::{CacheRule, CodegenOptions, JobsSource, OptLevel, RunOptions, Selection};
use crate::progress::Progress;
use crate::report::Report;
use crate::request::{Functions, Output, Request};
use crate::split;
use raddle_diag::{Diagnostic, Diags, FileId, Policy, Severity, SourceMap};
use raddle_target::Target;

/// The options that all PTX inputs are compiled with.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedOptions {
    /// Options that affect the generated code.
    pub codegen: CodegenOptions,
    /// Kernels compiled at once, if specified; 0 is the number of CPUs.
    pub jobs: Option<usize>,
    /// Whether to compile through units.
    pub extended: bool,
}

/// Determines the options for all inputs. Conflicts and unused options are reported to `diags`.
pub fn resolve_options(
    given: &CommandLineOptions,
    inputs: &[(&str, CarriedOptions)],
    diags: &mut Diags,
) -> ResolvedOptions {
    without_effect(inputs, diags);
    let ask = Ask { inputs };
    let opt = ask.one(given.options.opt, |options| options.opt, |opt| format!("-O {}", *opt as u8), diags);
    let maxrregcount =
        ask.one(given.options.maxrregcount, |options| options.maxrregcount, |n| format!("-maxrregcount {n}"), diags);
    let fmad = ask.one(given.options.fmad, |options| options.fmad, |fmad| format!("-fmad {fmad}"), diags);
    let lineinfo = ask.one(given.options.lineinfo, |options| options.lineinfo, |on| format!("-lineinfo {on}"), diags);
    let cache = |rule: &CacheRule, access| rule.words(access).map_or_else(String::new, |words| format!("-{words}"));
    let loads = ask.one(given.options.loads, |options| options.loads, |rule| cache(rule, "load"), diags);
    let stores = ask.one(given.options.stores, |options| options.stores, |rule| cache(rule, "store"), diags);
    let split = ask.one(given.options.split, |options| options.split, |n| format!("-split-compile {n}"), diags);
    let extended =
        ask.one(given.options.extended, |options| options.extended, |n| format!("-split-compile-extended {n}"), diags);
    let codegen = CodegenOptions {
        opt: opt.unwrap_or(OptLevel::O3),
        fmad: fmad.unwrap_or(true),
        maxrregcount,
        lineinfo: lineinfo.unwrap_or(false),
        loads: loads.unwrap_or_default(),
        stores: stores.unwrap_or_default(),
        ..CodegenOptions::default()
    };
    let (jobs, extended) = threads(split, extended, diags);
    ResolvedOptions { codegen, jobs, extended }
}

/// Reports unused options of inputs, once for all inputs with the same options.
fn without_effect(inputs: &[(&str, CarriedOptions)], diags: &mut Diags) {
    let mut found: Vec<(String, &str, usize)> = Vec::new();
    for (name, said) in inputs.iter().filter(|(_, said)| !said.others.is_empty()) {
        let options = said.others.join(" ");
        match found.iter_mut().find(|row| row.0 == options) {
            Some(row) => row.2 += 1,
            None => found.push((options, name, 0)),
        }
    }
    for (options, name, more) in found {
        let who = match more {
            0 => format!("'{name}'"),
            1 => format!("'{name}' and 1 other input"),
            n => format!("'{name}' and {n} other inputs"),
        };
        let message = format!("options of {who} have no effect here: {options}");
        diags.push(Diagnostic::info(codes::E0075, message));
    }
}

/// The number of kernels compiled at once, and whether to compile through units. If both options
/// are given, the extended one counts (SPLIT-1).
pub fn threads(split: Option<usize>, extended: Option<usize>, diags: &mut Diags) -> (Option<usize>, bool) {
    if let (Some(_), Some(_)) = (split, extended) {
        // nvlink reports it as info too: "Incompatible options ..., using
        // '-split-compile-extended'" (nvlink 13.0.88 output).
        let message = "--split-compile is not used: --split-compile-extended takes precedence";
        diags.push(Diagnostic::info(codes::E0085, message));
    }
    (extended.or(split), extended.is_some_and(|n| n != 1))
}

struct Ask<'a> {
    inputs: &'a [(&'a str, CarriedOptions)],
}

impl Ask<'_> {
    fn one<T: PartialEq>(
        &self,
        given: Option<T>,
        read: impl Fn(&CarriedOptions) -> Option<T>,
        show: impl Fn(&T) -> String,
        diags: &mut Diags,
    ) -> Option<T> {
        if given.is_some() {
            return given;
        }
        match Consensus::of(self.inputs.iter().map(|(name, options)| (*name, read(options)))) {
            Consensus::None | Consensus::Absent => None,
            Consensus::Present(value) | Consensus::Mixed(value) => Some(value),
            Consensus::Conflict { first, second } => {
                let [a, b] = [(&first.0, show(&first.1)), (&second.0, show(&second.1))];
                let message = format!("'{}' has {} but '{}' has {}", a.0, a.1, b.0, b.1);
                diags.push(Diagnostic::error(codes::E0074, message).help("give this option on the command line"));
                None
            }
        }
    }
}

/// The architecture for PTX that is linked with cubins for `sm`: the one that the PTX names, if it
/// has that number.
fn target<'a>(inputs: impl Iterator<Item = &'a Input>, sm: Option<u32>) -> Option<&'static Target> {
    let sm = sm?;
    let declared = inputs.filter_map(|input| match &input.content {
        Content::Text(text) => raddle_ptx::outline(text, FileId::FIRST, &mut Diags::new()).target,
        _ => None,
    });
    let declared = declared.filter(|target| u32::from(target.sm) == sm).max_by_key(|target| target.name);
    declared.or_else(|| Target::by_name(&format!("sm_{sm}")))
}

/// Compiles the PTX inputs of a link and puts the objects in their places. Returns the report of
/// the compilation, `None` if there was nothing to compile. If it has errors, the inputs are
/// unchanged.
pub fn assemble(
    loaded: &mut Vec<Loaded>,
    given: &CommandLineOptions,
    sm: Option<u32>,
    run: RunOptions,
    policy: Policy,
    progress: &mut dyn Progress,
) -> Option<Report> {
    if loaded.iter().all(|file| file.ptx.is_none() && !file.ir) {
        return None;
    }
    let mut report = Report::new(policy);
    let carried = |file: &Loaded| Some(parse_carried(file.ptx.as_deref()?));
    let options: Vec<(&str, CarriedOptions)> =
        loaded.iter().filter_map(|file| Some((&*file.name, carried(file)?))).collect();
    let resolved = resolve_options(given, &options, &mut report.diags);
    let mut run = run.at_most(resolved.jobs.unwrap_or(0), JobsSource::Split);
    if !link_ir::to_ptx(loaded, given, sm, (&resolved.codegen, &mut run), &mut report, progress) {
        return Some(report);
    }
    let ptx: Vec<usize> = (0..loaded.len()).filter(|&index| loaded[index].ptx.is_some()).collect();
    let mut inputs = Vec::new();
    for &at in &ptx {
        match String::from_utf8(loaded[at].bytes.to_vec()) {
            Ok(text) => inputs.push((at, Input { name: loaded[at].name.clone(), content: Content::Text(text) })),
            Err(_) => {
                let message = format!("'{}': the PTX is not text", loaded[at].name);
                report.diags.push(Diagnostic::fatal(codes::E0002, message));
            }
        }
    }
    if report.diags.has_errors() {
        return Some(report);
    }
    let arch = given.target.or_else(|| target(inputs.iter().map(|(_, input)| input), sm));
    let selection = Selection { arch, ..Selection::default() };
    let (fallback, reproduce) = (given.fallback.clone(), given.reproduce.clone());
    let (codegen, output) = (resolved.codegen, Output::Objects(Functions::Exported));
    let request = Request { selection, codegen, run, policy, fallback, reproduce, output, ..Request::default() };
    let (runtime, program): (Vec<_>, Vec<_>) = inputs.into_iter().partition(|(at, _)| loaded[*at].runtime);
    let mut objects: Vec<Option<Made>> = loaded.iter().map(|_| None).collect();
    if !program.is_empty() {
        report = compile_all(&request, program, resolved.extended, report, &mut objects, progress);
        if report.diags.has_errors() {
            return Some(report);
        }
    }
    for (at, input) in runtime {
        let done = compile_all(&request, vec![(at, input)], false, Report::new(policy), &mut objects, &mut ());
        let wrong =
            done.diags.iter().find(|found| found.severity >= Severity::Error).map(|found| found.message.clone());
        if let Some(message) = wrong {
            report.diags.push(link::left_out(&loaded[at].name, &message));
            objects[at] = Some(Vec::new());
        }
    }
    *loaded = std::mem::take(loaded)
        .into_iter()
        .zip(objects)
        .flat_map(|(file, made)| match made {
            None => vec![file],
            Some(made) => {
                let Loaded { library, runtime, .. } = file;
                let object = |(name, bytes): (String, Vec<u8>)| Loaded {
                    name,
                    bytes: bytes.into(),
                    library,
                    inside: false,
                    runtime,
                    ptx: None,
                    ir: false,
                };
                made.into_iter().map(object).collect()
            }
        })
        .collect();
    Some(report)
}

/// Objects of an input, with their names.
type Made = Vec<(String, Vec<u8>)>;

/// Compiles inputs, each with its number, at once, and puts the objects of each in its place.
/// Earlier diagnostics precede those of this compilation.
fn compile_all(
    request: &Request,
    inputs: Vec<(usize, Input)>,
    extended: bool,
    mut report: Report,
    objects: &mut [Option<Made>],
    progress: &mut dyn Progress,
) -> Report {
    let (places, mut inputs): (Vec<usize>, Vec<Input>) = inputs.into_iter().unzip();
    // The number of units that each input gives.
    let mut counts = vec![1; inputs.len()];
    if extended {
        let mut all = Vec::new();
        for (input, count) in inputs.iter().zip(&mut counts) {
            let Some(units) = split::units(std::slice::from_ref(input), &mut report) else { return report };
            *count = units.len();
            all.extend(units);
        }
        inputs = all;
    }
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    report.sources = SourceMap::new();
    let (mut done, _) = compile_after(report, Request { inputs, ..request.clone() }, progress);
    if !done.diags.has_errors() {
        let mut made = names.into_iter().zip(std::mem::take(&mut done.objects));
        for (at, count) in places.into_iter().zip(counts) {
            objects[at] = Some(made.by_ref().take(count).collect());
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::CacheOperator;

    fn resolved(given: &CommandLineOptions, inputs: &[(&str, &str)]) -> (ResolvedOptions, Vec<String>) {
        let inputs: Vec<(&str, CarriedOptions)> =
            inputs.iter().map(|(name, text)| (*name, parse_carried(text))).collect();
        let mut diags = Diags::new();
        let resolved = resolve_options(given, &inputs, &mut diags);
        (resolved, diags.iter().map(|d| format!("{} {}", d.code, d.message)).collect())
    }

    #[test]
    fn the_command_line_goes_before_inputs_and_those_that_say_something_before_defaults() {
        let (none, said) = resolved(&CommandLineOptions::default(), &[("a", ""), ("b", "")]);
        assert_eq!((none.codegen.opt, none.codegen.fmad, none.jobs, none.extended), (OptLevel::O3, true, None, false));
        assert!(said.is_empty());
        let (some, said) =
            resolved(&CommandLineOptions::default(), &[("a", ""), ("b", "-O1 -fmad=false -lineinfo -split-compile 2")]);
        assert_eq!((some.codegen.opt, some.codegen.fmad, some.codegen.lineinfo), (OptLevel::O1, false, true));
        assert_eq!((some.jobs, some.extended, said), (Some(2), false, vec![]));
        let (caches, said) = resolved(&CommandLineOptions::default(), &[("a", "-dlcm=cg"), ("b", "-fscm wt")]);
        let rules = (CacheRule::Default(CacheOperator::Cg), CacheRule::Forced(CacheOperator::Wt));
        assert_eq!((caches.codegen.loads, caches.codegen.stores, said), (rules.0, rules.1, vec![]));
        let given = CommandLineOptions {
            options: CarriedOptions { opt: Some(OptLevel::O0), ..CarriedOptions::default() },
            ..CommandLineOptions::default()
        };
        let (ours, said) = resolved(&given, &[("a", "-O1"), ("b", "-O2")]);
        assert_eq!((ours.codegen.opt, said.len()), (OptLevel::O0, 0));
    }

    #[test]
    fn contradictions_name_both_inputs_and_what_is_not_used_is_told() {
        let (_, said) = resolved(
            &CommandLineOptions::default(),
            &[("a", "-maxrregcount 32"), ("b", ""), ("c", "-maxrregcount=64")],
        );
        assert_eq!(said, ["E0074 'a' has -maxrregcount 32 but 'c' has -maxrregcount 64"]);
        let (_, said) = resolved(&CommandLineOptions::default(), &[("a", "-dlcm=cg"), ("b", "-dlcm=cg -flcm=cs")]);
        assert_eq!(said, ["E0074 'a' has -def-load-cache=cg but 'b' has -force-load-cache=cs"]);
        let (_, said) = resolved(&CommandLineOptions::default(), &[("a", "--warn-on-spills")]);
        assert!(said[0].starts_with("E0075 options of 'a' have ") && said[0].contains("--warn-on-spills"), "{said:?}");
        let same = "--compile-only --warn-on-spills";
        let (_, said) = resolved(
            &CommandLineOptions::default(),
            &[("a", same), ("b", "-c"), ("c", same), ("d", "--preserve-relocs")],
        );
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("options of 'a' and 1 other input have no effect here: --warn-on-spills"), "{said:?}");
        assert!(said[1].contains("options of 'd' have no effect here: --preserve-relocs"), "{said:?}");
    }

    #[test]
    fn the_extended_option_counts_and_one_is_off() {
        let mut diags = Diags::new();
        assert_eq!(threads(Some(4), None, &mut diags), (Some(4), false));
        assert_eq!(threads(None, Some(1), &mut diags), (Some(1), false));
        assert_eq!(threads(None, Some(0), &mut diags), (Some(0), true));
        assert!(diags.is_empty());
        assert_eq!(threads(Some(4), Some(2), &mut diags), (Some(2), true));
        let said: Vec<_> = diags.iter().map(|d| (d.severity, d.code)).collect();
        assert_eq!(said, [(Severity::Info, codes::E0085)]);
    }
}
