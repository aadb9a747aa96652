//! The `raddle` command: argv to driver to exit code.
fn main() {}
