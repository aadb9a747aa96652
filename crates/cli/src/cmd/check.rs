//! `raddle check`: all errors and unsupported instructions, nothing compiled.

use super::compile::{Bar, read, run_options, selection};
use crate::args::Check;
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_driver::compile::{self, Request};
use raddle_driver::options::{CodegenOptions, RunOptions};
use raddle_driver::unit::Dump;

pub(crate) fn run(args: &Check, ui: &Ui) -> Done {
    let request = Request {
        inputs: read(&args.files)?,
        selection: selection(&args.select),
        codegen: CodegenOptions::default(),
        run: RunOptions { keep_going: true, ..run_options(&args.jobs, ui)? },
        dump: Dump::None,
        policy: ui.policy(),
    };
    let mut bar = Bar::new(ui);
    let report = compile::check(request, &mut bar);
    bar.clear();
    ui.show(&report.diags, &report.sources);
    if let Some(class) = report.diags.worst() {
        return Err(Failure::from(class));
    }
    if !ui.human() {
        return Ok(());
    }
    let instructions: usize = report.kernels.iter().map(|kernel| kernel.instructions).sum();
    print(&format!("{} kernels, {instructions} instructions: all supported\n", report.kernels.len()))
}
