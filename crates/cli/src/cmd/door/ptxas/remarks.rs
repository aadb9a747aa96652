//! What ptxas says of options that a module or the machine makes void (ptxas 13.0.88 output).

use super::super::say;
use super::plan::Plan;
use super::{ABORTED, End, TOOL};
use crate::Failure;
use crate::ui::Ui;
use raddle_diag::{Diagnostic, Diags, FileId, Policy, SourceMap};
use raddle_driver::codes;
use raddle_driver::host::jobserver::{self, Found};
use raddle_driver::input::{Content, Input};
use raddle_driver::report::Report;
use raddle_target::Target;

/// The first architecture with tensor memory.
const TENSOR_MEMORY: u16 = 100;

/// Says which options are void for the modules of a compilation.
///
/// # Errors
/// What ptxas refuses: functions with several results have no convention that a caller in another
/// object, or a debugger, could know.
pub(super) fn show(plan: &Plan, report: &Report, policy: Policy, ui: &Ui) -> Result<(), End> {
    let without_abi = report.without_abi();
    if without_abi.is_some() && plan.args.mode.device_debug {
        say(TOOL, "error", "Function with multiple return values is not allowed with ABI");
        return Err(End::Fatal(ABORTED.to_owned()));
    }
    if let Some(function) = without_abi {
        let ignored = |option: &str, where_| {
            format!("Command line option '{option}' not supported for '{where_} without ABI', will be ignored")
        };
        let void = [
            (plan.fast_compile, ignored("'--fast-compile'", "calls")),
            (plan.args.mode.extensible_whole_program, ignored("--extensible-whole-program", "compilation")),
        ];
        let void = void.into_iter().filter(|(given, _)| *given).map(|(_, text)| text);
        let disabled = format!("Function '{function}' with multiple return values found, disabling ABI");
        warn(void.chain([disabled]), policy, ui)?;
    }
    let target = report.module_target().filter(|_| plan.tensor_check);
    if let Some(target) = target.filter(|name| Target::by_name(name).is_none_or(|t| t.sm < TENSOR_MEMORY)) {
        let option = "'--g-tensor-memory-access-check / --gno-tensor-memory-access-check'";
        let text = format!("Command line option {option} not supported for '.target {target}', will be ignored");
        say(TOOL, "info", &text);
    }
    if without_abi.is_some() && plan.args.mode.relocatable {
        return Err(End::Fatal("'Compile only(-c)' requires ABI".to_owned()));
    }
    Ok(())
}

/// Shows warnings without a place; fails where warnings are errors.
pub(super) fn warn(texts: impl Iterator<Item = String>, policy: Policy, ui: &Ui) -> Result<(), End> {
    let mut diags = Diags::with_policy(policy);
    texts.for_each(|text| diags.push(Diagnostic::warning(codes::E0019, text)));
    ui.show(&diags, &SourceMap::new());
    if diags.has_errors() { Err(End::Fatal(ABORTED.to_owned())) } else { Ok(()) }
}

/// Whether a function has several results: some options are void then.
pub(super) fn are_without_abi(inputs: &[Input]) -> bool {
    inputs.iter().any(|input| match &input.content {
        Content::Text(text) => {
            let outline = raddle_ptx::outline(text, FileId::FIRST, &mut Diags::new());
            outline.funcs.values().any(|function| function.rets.len() > 1)
        }
        _ => false,
    })
}

/// Says that there is no jobserver that `--jobserver` could use.
///
/// # Errors
/// One that cannot be used.
pub(super) fn no_jobserver(ui: &Ui) -> Result<(), Failure> {
    let makeflags = std::env::var_os("MAKEFLAGS");
    if let Found::Broken(_) = jobserver::connect(makeflags.as_deref()) {
        return Err(Failure::new(codes::E0047, "Jobserver requested, but an error occurred"));
    }
    let text = "GNU Jobserver support requested, but no compatible jobserver found. Ignoring '--jobserver'";
    ui.show_one(&Diagnostic::warning(codes::E0019, text), &SourceMap::new());
    Ok(())
}
