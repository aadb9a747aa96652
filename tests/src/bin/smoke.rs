//! `cargo run -p raddle-tests --bin smoke [ARCH]...`: prints the first defect of our compiler on
//! each architecture, or on the given ones. Exits with 1 if there is any.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use anyhow::{Context, Result};
use raddle_tests::judge::ARCHS;
use raddle_tests::smoke::first_failure;

fn main() -> Result<ExitCode> {
    let mut rows: Vec<usize> = std::env::args()
        .skip(1)
        .map(|name| ARCHS.iter().position(|arch| *arch == name).with_context(|| format!("no architecture {name}")))
        .collect::<Result<_>>()?;
    if rows.is_empty() {
        rows.extend(0..ARCHS.len());
    }
    for row in rows {
        if let Some((finder, what)) = first_failure(row)? {
            println!("{finder:?}: {what}");
            return Ok(ExitCode::FAILURE);
        }
        println!("{}: nothing", ARCHS[row]);
    }
    Ok(ExitCode::SUCCESS)
}
