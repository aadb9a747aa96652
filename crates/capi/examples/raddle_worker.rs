//! The `raddle` command, for tests of libraries that start it: cargo builds it with them.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    raddle_cli::main()
}
