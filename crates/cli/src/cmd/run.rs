//! `raddle run`: runs a kernel without a GPU.

use super::{disasm, parse_cubin};
use crate::args::{CheckMode, MessageFormat, Run, Switch};
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_diag::render::json;
use raddle_diag::{Diagnostic, Diags, FileId, SourceMap, Span};
use raddle_driver::codes;
use raddle_driver::input::{self, Content};
use raddle_driver::output::Dest;
use raddle_driver::program::no_kernel;
use raddle_sim::failure::{self, FailureKind, Location};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch, LaunchError, OnFinding, Output, TextureFile};
use raddle_sim::machine::{self, Event, Setup};
use raddle_sim::mem::Memory;
use raddle_sim::stats::Stats;
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &Run, ui: &Ui) -> Done {
    let input = input::read(&args.file)?;
    let mut launch = describe(args)?;
    let mut memory = Memory::new();
    let outputs = launch.bind(&mut memory, &mut |path: &Path| std::fs::read(path)).map_err(unfit)?;
    let stats = match input.content {
        Content::Elf(bytes) => on_machine(&input.name, &bytes, &mut launch, &mut memory, args.trace),
        Content::Bitcode(_) | Content::Ir(_) | Content::LtoIr(_) => {
            return Err(super::is_ir(&input, "neither a cubin nor PTX"));
        }
        Content::Text(text) => interpreted(&input.name, text, &mut launch, &mut memory, args.trace, ui),
    };
    // The output of a kernel is shown even if it fails later.
    show_printed(&memory.traces.printed, ui)?;
    let stats = stats?;
    for Output { path, header, buffer } in outputs {
        let name = path.display().to_string();
        let failed = |kind| Failure::Say(Box::new(failed(&failure::Failure::of_launch(&launch.kernel, kind))));
        let bytes = memory.read_back(buffer).map_err(failed)?;
        let whole = [&header, bytes].concat();
        Dest::new(path).write(&whole).map_err(|e| Failure::new(codes::E0010, format!("cannot write '{name}': {e}")))?;
    }
    match ui.format() {
        _ if !args.stats => Ok(()),
        MessageFormat::Json => print(&object(&stats)),
        MessageFormat::Human | MessageFormat::Ptxas => print(&stats.to_string()),
    }
}

/// Shows the `printf` output of the kernel: unchanged, or as one line of JSON.
fn show_printed(printed: &[u8], ui: &Ui) -> Done {
    match ui.format() {
        _ if printed.is_empty() => Ok(()),
        MessageFormat::Json => {
            let text = String::from_utf8_lossy(printed);
            print(&format!("{}\n", serde_json::json!({ "schema": json::SCHEMA, "kind": "printed", "text": text })))
        }
        MessageFormat::Human | MessageFormat::Ptxas => print(&String::from_utf8_lossy(printed)),
    }
}

/// The counters as one line of JSON.
fn object(stats: &Stats) -> String {
    let Stats {
        warp_insts,
        thread_insts,
        ctas,
        warps,
        barriers,
        divergent_branches,
        global_read,
        global_written,
        cycles,
    } = stats;
    let object = serde_json::json!({
        "schema": json::SCHEMA, "kind": "stats", "warp_instructions": warp_insts, "thread_instructions": thread_insts,
        "ctas": ctas, "warps": warps, "barriers": barriers, "divergent_branches": divergent_branches,
        "global_read": global_read, "global_written": global_written, "cycles": cycles,
    });
    format!("{object}\n")
}

/// The launch given on the command line; the kernel's name may still be missing.
fn describe(args: &Run) -> Result<Launch, Failure> {
    let mut launch = Launch::new(args.kernel.as_deref().unwrap_or_default());
    launch.grid = Dim3::parse(&args.grid).map_err(unfit)?;
    launch.block = Dim3::parse(&args.block).map_err(unfit)?;
    launch.dyn_shared = args.shared;
    launch.stack = args.stack;
    launch.args = args.args.iter().map(|text| Arg::parse(text)).collect::<Result<_, _>>().map_err(unfit)?;
    let given = |files: &[String], writable| {
        files.iter().map(|text| TextureFile::parse(text, writable)).collect::<Result<Vec<_>, _>>().map_err(unfit)
    };
    launch.textures = [given(&args.textures, false)?, given(&args.surfaces, true)?].concat();
    launch.seed = args.seed;
    launch.max_steps = args.max_steps.unwrap_or(launch.max_steps);
    launch.hazards = match args.hazards {
        Switch::Error => OnFinding::Error,
        Switch::Off => OnFinding::Off,
    };
    launch.races = match args.races {
        CheckMode::Error => OnFinding::Error,
        CheckMode::Warn => OnFinding::Warn,
        CheckMode::Off => OnFinding::Off,
    };
    Ok(launch)
}

fn unfit(error: LaunchError) -> Failure {
    let code = if matches!(error, LaunchError::Read { .. }) { codes::E0001 } else { codes::E0028 };
    Failure::new(code, error.to_string())
}

/// Selects the only kernel if none was named.
fn choose(launch: &mut Launch, kernels: &[&str]) -> Done {
    match kernels {
        _ if kernels.contains(&launch.kernel.as_str()) => Ok(()),
        [only] if launch.kernel.is_empty() => {
            launch.kernel = (*only).to_string();
            Ok(())
        }
        [] => Err(Failure::new(codes::E0020, "the file has no kernels")),
        _ if launch.kernel.is_empty() => {
            let list: Vec<&str> = kernels.iter().take(10).copied().collect();
            let more = if kernels.len() > 10 { ", ..." } else { "" };
            let message = format!("the file has {} kernels: select one with --kernel", kernels.len());
            let diagnostic = Diagnostic::fatal(codes::E0020, message).note(format!("{}{more}", list.join(", ")));
            Err(Failure::Say(Box::new(diagnostic)))
        }
        _ => Err(Failure::Say(Box::new(no_kernel(&launch.kernel, kernels.iter().copied())))),
    }
}

/// Runs a cubin in the simulator.
fn on_machine(
    name: &str,
    bytes: &[u8],
    launch: &mut Launch,
    memory: &mut Memory,
    trace: bool,
) -> Result<Stats, Failure> {
    let cubin = parse_cubin(name, bytes)?;
    let kernels: Vec<&str> = cubin.kernels().iter().map(|kernel| kernel.name).collect();
    choose(launch, &kernels)?;
    let kernel = cubin.kernel(&launch.kernel);
    let isa = disasm::isa(cubin.header.sm());
    let mut out = std::io::stderr().lock();
    let mut line = |event: &Event<'_>| {
        let word = kernel.as_ref().and_then(|kernel| kernel.code.get(event.pc as usize..event.pc as usize + 16));
        let text = word.zip(isa).map(|(word, isa)| disasm::text(isa, word, event.pc.into())).unwrap_or_default();
        let Event { block, warp, cycle, mask, pc, .. } = event;
        // A trace that is no longer read is no reason to fail.
        let _ = writeln!(out, "{block:5} {warp:3} {cycle:8} {mask:08x} {pc:06x}  {text}");
    };
    let setup = Setup { trace: trace.then_some(&mut line), ..Setup::default() };
    match machine::run_with(bytes, launch, memory, setup) {
        Ok(outcome) => {
            for warning in &outcome.warnings {
                let _ = writeln!(std::io::stderr(), "warning: {warning}");
            }
            Ok(outcome.stats)
        }
        Err(failure) => Err(Failure::Say(Box::new(failed(&failure)))),
    }
}

/// Runs a PTX module in the interpreter.
fn interpreted(
    name: &str,
    text: String,
    launch: &mut Launch,
    memory: &mut Memory,
    trace: bool,
    ui: &Ui,
) -> Result<Stats, Failure> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text).map_err(|e| Failure::new(codes::E0004, e.to_string()))?;
    let text = sources.get(file).map_or("", |file| file.text());
    let mut diags = Diags::with_policy(ui.policy());
    let outline = raddle_ptx::outline(text, file, &mut diags);
    if let Some(class) = diags.worst() {
        ui.show(&diags, &sources);
        return Err(Failure::from(class));
    }
    let kernels: Vec<&str> = outline.kernels().map(|(_, kernel)| &*kernel.name).collect();
    choose(launch, &kernels)?;
    let mut out = std::io::stderr().lock();
    let mut line = |event: &interp::Event<'_>| {
        let interp::Event { block, warp, mask, place, .. } = event;
        // A trace that is no longer read is no reason to fail.
        let _ = writeln!(out, "{block:5} {warp:3} {mask:08x}  {place}");
    };
    let setup = interp::Setup { trace: trace.then_some(&mut line), ..interp::Setup::default() };
    let result = interp::run_with(text, launch, memory, setup);
    drop(out);
    if let Ok(outcome) = &result {
        for warning in &outcome.warnings {
            let _ = writeln!(std::io::stderr(), "warning: {warning}");
        }
    }
    result.map(|outcome| outcome.stats).map_err(|failure| {
        interp::check(text, file, &outline, &launch.kernel, &mut diags);
        if let Some(class) = diags.worst() {
            ui.show(&diags, &sources);
            return Failure::from(class);
        }
        let mut diagnostic = failed(&failure);
        if let Location::Ptx { line, .. } = *failure.place {
            diagnostic = diagnostic.at(line_span(text, file, line), "");
        }
        ui.show_one(&diagnostic, &sources);
        Failure::from(diagnostic.class())
    })
}

/// Converts a failed run to a diagnostic: message, place, thread.
fn failed(failure: &failure::Failure) -> Diagnostic {
    let code = match *failure.kind {
        FailureKind::Unsupported(_) => codes::E0051,
        FailureKind::Launch(_) => codes::E0028,
        FailureKind::Load(_) => codes::E0052,
        _ => codes::E0050,
    };
    let mut diagnostic = Diagnostic::error(code, failure.kind.to_string()).in_function(&failure.kernel);
    if let Location::Sass { .. } = *failure.place {
        diagnostic = diagnostic.note(format!("at {}", failure.place));
    }
    match failure.who {
        Some(who) => diagnostic.note(format!("{who}")),
        None => diagnostic,
    }
}

/// The line of the module that a failure refers to, without leading blanks.
fn line_span(text: &str, file: FileId, line: u32) -> Span {
    let newline = |n: usize| text.bytes().enumerate().filter(|&(_, b)| b == b'\n').nth(n).map(|(at, _)| at);
    let start = (line as usize).checked_sub(2).map_or(Some(0), |n| newline(n).map(|at| at + 1)).unwrap_or(text.len());
    let rest = &text[start..];
    let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let indent = rest.len() - rest.trim_start().len();
    Span::new(file, (start + indent) as u32, (start + rest.trim_end().len()) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_number() {
        let text = "a\n  b c \n\nd";
        let at = |line| line_span(text, FileId::FIRST, line).range();
        assert_eq!([1, 2, 3, 4].map(|line| &text[at(line)]), ["a", "b c", "", "d"]);
        assert!(at(0).start == 0 && at(99).is_empty());
    }
}
