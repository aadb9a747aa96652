//! The texts of inputs that are modules of PTX.

use crate::codes;
use crate::input::{Content, Input};
use crate::report::Report;
use raddle_diag::Diagnostic;

/// Adds the texts of the inputs to the source map.
pub(crate) fn register(inputs: Vec<Input>, report: &mut Report) {
    for input in inputs {
        match input.content {
            Content::Text(text) => {
                if let Err(error) = report.sources.add(input.name, text) {
                    report.diags.push(Diagnostic::fatal(codes::E0004, error.to_string()));
                }
            }
            Content::Elf(_) | Content::Bitcode(_) | Content::Ir(_) | Content::LtoIr(_) => {
                let message = format!("'{}' is not a PTX module", input.name);
                report.diags.push(Diagnostic::fatal(codes::E0005, message));
            }
        }
    }
}
