//! `raddle explain`: the meaning of an error code, and what to do about it.

use crate::args::{Explain, MessageFormat};
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_diag::CodeInfo;
use raddle_diag::render::json;
use raddle_driver::codes;
use std::fmt::Write as _;

pub(crate) fn run(args: &Explain, ui: &Ui) -> Done {
    let registry = codes::registry()
        .map_err(|code| Failure::new(codes::E0041, format!("the code {code} is declared by two crates")))?;
    let wanted = args.code.as_deref();
    let rows: Vec<&CodeInfo> = match wanted {
        None => registry.rows().to_vec(),
        Some(wanted) => registry.find(wanted).into_iter().collect(),
    };
    if ui.format() == MessageFormat::Json && !rows.is_empty() {
        return print(&rows.into_iter().map(object).collect::<String>());
    }
    let Some(wanted) = wanted else {
        let mut list = String::new();
        for row in registry.rows() {
            let _ = writeln!(list, "{}  {:11}  {}", row.code, row.code.class().name(), row.title);
        }
        return print(&list);
    };
    match registry.find(wanted) {
        Some(row) => {
            let class = row.code.class();
            print(&format!(
                "{}: {} (class {}, exit code {})\n\n{}\n",
                row.code,
                row.title,
                class.name(),
                class.exit_code(),
                row.explanation
            ))
        }
        None => Err(Failure::new(codes::E0027, format!("there is no code {}", raddle_diag::quote(wanted)))),
    }
}

/// A code as one line of JSON.
fn object(row: &CodeInfo) -> String {
    let class = row.code.class();
    let object = serde_json::json!({
        "schema": json::SCHEMA, "kind": "code", "code": row.code.to_string(), "class": class.name(),
        "exit_code": class.exit_code(), "title": row.title, "explanation": row.explanation,
    });
    format!("{object}\n")
}
