//! Options of a link that concern the compilation of its inputs: those of the command line, and
//! those that inputs carry, reduced to one value each (SPLIT-2).

use crate::codes;
use crate::consensus::{CarriedOptions, Consensus};
use crate::options::{CacheRule, CodegenOptions, IrOptions, OptLevel};
use crate::ptxas::Fallback;
use raddle_diag::{Diagnostic, Diags};
use raddle_target::Target;
use std::path::PathBuf;

/// The options of the command line, which take precedence over those of inputs.
#[derive(Clone, Debug, Default)]
pub struct CommandLineOptions {
    /// The architecture.
    pub target: Option<&'static Target>,
    /// Options that inputs may carry as well.
    pub options: CarriedOptions,
    /// The assembler for kernels that cannot be compiled here.
    pub fallback: Option<Fallback>,
    /// The folder for kernels that failed, each as a separate module.
    pub reproduce: Option<PathBuf>,
    /// Options for LLVM IR.
    pub ir: IrOptions,
    /// Whether the output of the link is relocatable.
    pub relocatable: bool,
}

/// The options that all inputs of PTX and IR are compiled with.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedOptions {
    /// Options that affect the generated code.
    pub codegen: CodegenOptions,
    /// Options for IR.
    pub ir: IrOptions,
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
    let float = |given: Option<bool>, name: &str, read: fn(&CarriedOptions) -> Option<bool>, diags: &mut Diags| {
        ask.one(given, read, |on| format!("-{name} {on}"), diags)
    };
    let ir = IrOptions {
        ftz: float(given.ir.ftz, "ftz", |options| options.ftz, diags),
        prec_div: float(given.ir.prec_div, "prec-div", |options| options.prec_div, diags),
        prec_sqrt: float(given.ir.prec_sqrt, "prec-sqrt", |options| options.prec_sqrt, diags),
        ..given.ir.clone()
    };
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
    ResolvedOptions { codegen, ir, jobs, extended }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consensus::parse_carried;
    use crate::options::CacheOperator;
    use raddle_diag::Severity;

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

    #[test]
    fn options_of_the_optimiser_are_reduced_to_one_value_too() {
        let defaults = "-ftz=0 -prec_div=1 -prec_sqrt=1 -fmad=1";
        let of = |options: &ResolvedOptions| (options.ir.ftz, options.ir.prec_div, options.codegen.fmad);
        let (same, said) = resolved(&CommandLineOptions::default(), &[("a", defaults), ("b", ""), ("c", defaults)]);
        assert_eq!((of(&same), said), ((Some(false), Some(true), true), vec![]));
        let fast = "-ftz=1 -prec_div=0 -prec_sqrt=1 -fmad=1";
        let (_, said) = resolved(&CommandLineOptions::default(), &[("a", defaults), ("b", fast)]);
        let wrong = ["ftz false", "prec-div true"].into_iter().zip(["ftz true", "prec-div false"]);
        let wrong: Vec<String> = wrong.map(|(a, b)| format!("E0074 'a' has -{a} but 'b' has -{b}")).collect();
        assert_eq!(said, wrong);
        let ir = IrOptions { ftz: Some(true), prec_div: Some(true), ..IrOptions::default() };
        let given = CommandLineOptions { ir, ..CommandLineOptions::default() };
        let (ours, said) = resolved(&given, &[("a", defaults), ("b", fast)]);
        assert_eq!((of(&ours), said), ((Some(true), Some(true), true), vec![]));
    }
}
