//! `raddle run`: a kernel without a GPU.

use super::parse_cubin;
use crate::args::{CheckMode, Run, Switch};
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_diag::{Diagnostic, Diags, SourceMap};
use raddle_driver::codes;
use raddle_driver::input::{self, Content};
use raddle_driver::output::Dest;
use raddle_sim::failure::{self, FailureKind, Place};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Check, Dim3, Launch, LaunchError};
use raddle_sim::mem::Memory;
use raddle_sim::stats::Stats;
use std::path::Path;

pub(crate) fn run(args: &Run, ui: &Ui) -> Done {
    let input = input::read(&args.file)?;
    let mut launch = describe(args)?;
    let mut memory = Memory::new();
    let outputs = launch.bind(&mut memory, &mut |path: &Path| std::fs::read(path)).map_err(unfit)?;
    let stats = match input.content {
        Content::Elf(bytes) => on_machine(&input.name, &bytes, &mut launch, &mut memory)?,
        Content::Text(text) => interpreted(&input.name, text, &mut launch, &mut memory, ui)?,
    };
    for (path, buffer) in outputs {
        let name = path.display().to_string();
        let failed = |kind| failed(&failure::Failure::of_launch(&launch.kernel, kind), None);
        let bytes = memory.read_back(buffer).map_err(failed)?;
        Dest::new(path).write(bytes).map_err(|e| Failure::new(codes::E0010, format!("cannot write '{name}': {e}")))?;
    }
    if args.stats { print(&stats.to_string()) } else { Ok(()) }
}

/// The launch as the command line gives it; the kernel's name may still be missing.
fn describe(args: &Run) -> Result<Launch, Failure> {
    let mut launch = Launch::new(args.kernel.as_deref().unwrap_or_default());
    launch.grid = Dim3::parse(&args.grid).map_err(unfit)?;
    launch.block = Dim3::parse(&args.block).map_err(unfit)?;
    launch.dyn_shared = args.shared;
    launch.args = args.args.iter().map(|text| Arg::parse(text)).collect::<Result<_, _>>().map_err(unfit)?;
    launch.seed = args.seed;
    launch.max_steps = args.max_steps.unwrap_or(launch.max_steps);
    launch.hazards = match args.hazards {
        Switch::Error => Check::Error,
        Switch::Off => Check::Off,
    };
    launch.races = match args.races {
        CheckMode::Error => Check::Error,
        CheckMode::Warn => Check::Warn,
        CheckMode::Off => Check::Off,
    };
    Ok(launch)
}

fn unfit(error: LaunchError) -> Failure {
    let code = if matches!(error, LaunchError::Read { .. }) { codes::E0001 } else { codes::E0028 };
    Failure::new(code, error.to_string())
}

/// Names the only kernel if none was asked for.
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
            let message = format!("the file has {} kernels: say which with --kernel", kernels.len());
            let diagnostic = Diagnostic::fatal(codes::E0020, message).note(format!("{}{more}", list.join(", ")));
            Err(Failure::Say(Box::new(diagnostic)))
        }
        _ => Err(Failure::new(codes::E0020, format!("no kernel {}", raddle_diag::quote(&launch.kernel)))),
    }
}

/// Runs a cubin in the simulator.
fn on_machine(name: &str, bytes: &[u8], launch: &mut Launch, memory: &mut Memory) -> Result<Stats, Failure> {
    let cubin = parse_cubin(name, bytes)?;
    let kernels: Vec<&str> = cubin.kernels().iter().map(|kernel| kernel.name).collect();
    choose(launch, &kernels)?;
    let _ = memory;
    Err(Failure::new(codes::E0051, "cubins cannot be run yet"))
}

/// Runs a PTX module in the interpreter.
fn interpreted(name: &str, text: String, launch: &mut Launch, memory: &mut Memory, ui: &Ui) -> Result<Stats, Failure> {
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
    interp::run(text, launch, memory).map_err(|failure| failed(&failure, Some(name)))
}

/// A failed run as a diagnostic: what, then where, then which thread.
fn failed(failure: &failure::Failure, ptx: Option<&str>) -> Failure {
    let code = match *failure.kind {
        FailureKind::Unsupported(_) => codes::E0051,
        FailureKind::Launch(_) => codes::E0028,
        FailureKind::Load(_) => codes::E0052,
        _ => codes::E0050,
    };
    let mut diagnostic = Diagnostic::error(code, failure.kind.to_string()).in_function(&failure.kernel);
    match (&failure.place, ptx) {
        (Place::None, _) => {}
        (Place::Ptx { line, text, .. }, Some(file)) => diagnostic = diagnostic.note(format!("{file}:{line}: {text}")),
        (place, _) => diagnostic = diagnostic.note(format!("at {place}")),
    }
    if let Some(who) = failure.who {
        diagnostic = diagnostic.note(format!("{who}"));
    }
    Failure::Say(Box::new(diagnostic))
}
