//! `raddle check`: lists all errors and unsupported instructions without compiling.

use super::request::{read, run_options, selection};
use crate::args::{Check, MessageFormat};
use crate::progress::Show;
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_diag::render::json;
use raddle_diag::{Diagnostic, Diags};
use raddle_driver::codes;
use raddle_driver::compile::compile;
use raddle_driver::options::{CodegenOptions, RunOptions};
use raddle_driver::request::{Output, Request};
use raddle_driver::unverified::words;

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
    let unverified: Vec<_> = report.kernels.iter().filter(|kernel| !kernel.unverified.is_empty()).collect();
    let mut notices = Diags::with_policy(ui.policy());
    for kernel in &unverified {
        let message = format!("'{}' is unverified: the interpreter or the simulator cannot run all of it", kernel.name);
        let found = words(&kernel.unverified);
        notices.push(Diagnostic::info(codes::E0088, message).note(found).in_function(&*kernel.name));
    }
    ui.show(&notices, &report.sources);
    if let Some(class) = report.diags.worst() {
        return Err(Failure::from(class));
    }
    let instructions: usize = report.kernels.iter().map(|kernel| kernel.instructions).sum();
    if ui.format() == MessageFormat::Json {
        let names: Vec<&str> = report.kernels.iter().map(|kernel| &*kernel.name).collect();
        let object = serde_json::json!({
            "schema": json::SCHEMA, "kind": "check", "kernels": names, "instructions": instructions,
            "unverified": unverified.iter().map(|kernel| &*kernel.name).collect::<Vec<_>>(),
        });
        return print(&format!("{object}\n"));
    }
    if !ui.human() {
        return Ok(());
    }
    let but = match unverified.len() {
        0 => String::new(),
        1 => ", 1 kernel unverified".to_string(),
        n => format!(", {n} kernels unverified"),
    };
    print(&format!("{} kernels, {instructions} instructions: all supported{but}\n", report.kernels.len()))
}
