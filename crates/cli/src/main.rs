//! The `raddle` command: argv to driver to exit code.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    raddle_cli::main()
}
