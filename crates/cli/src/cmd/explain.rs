//! `raddle explain`: what a code means and what to do about it.

use crate::args::Explain;
use crate::{Done, Failure, print};
use raddle_driver::codes;
use std::fmt::Write as _;

pub(crate) fn run(args: &Explain) -> Done {
    let registry = codes::registry()
        .map_err(|code| Failure::new(codes::E0041, format!("the code {code} is declared by two crates")))?;
    let Some(wanted) = &args.code else {
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
