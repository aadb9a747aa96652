//! `raddle check`: lists all errors and unsupported instructions without compiling.

use super::request::{read, run_options, selection};
use crate::args::{Check, MessageFormat};
use crate::progress::Show;
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_diag::render::json;
use raddle_driver::compile::compile;
use raddle_driver::options::{CodegenOptions, RunOptions};
use raddle_driver::request::{Output, Request};

pub(crate) fn run(args: &Check, ui: &Ui) -> Done {
    let request = Request {
        inputs: read(&args.files, args.select.arch.into())?,
        selection: selection(&args.select),
        codegen: CodegenOptions::default(),
        run: RunOptions { keep_going: true, ..run_options(&args.jobs, ui)? },
        output: Output::Check,
        policy: ui.policy(),
        ir: args.ir.options(),
        ..Request::default()
    };
    let mut show = Show::new(ui, &args.jobs, &request.run);
    let report = compile(request, &mut show);
    show.clear();
    ui.show(&report.diags, &report.sources);
    if let Some(class) = report.diags.worst() {
        return Err(Failure::from(class));
    }
    let instructions: usize = report.kernels.iter().map(|kernel| kernel.instructions).sum();
    if ui.format() == MessageFormat::Json {
        let names: Vec<&str> = report.kernels.iter().map(|kernel| &*kernel.name).collect();
        let object = serde_json::json!({
            "schema": json::SCHEMA, "kind": "check", "kernels": names, "instructions": instructions,
        });
        return print(&format!("{object}\n"));
    }
    if !ui.human() {
        return Ok(());
    }
    print(&format!("{} kernels, {instructions} instructions: all supported\n", report.kernels.len()))
}
