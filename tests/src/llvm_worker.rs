//! The worker process of programs that compile LLVM IR as a library.

use raddle_driver::ir::Library;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// Runs `raddle __llvm` with these arguments, which follow the name of the program.
///
/// # Errors
/// Wrong arguments, a library that cannot be used, a pipe that fails.
pub fn serve(arguments: impl Iterator<Item = String>) -> Result<()> {
    let (mut library, mut options, mut parent) = (None, Vec::new(), None);
    for argument in arguments.skip(1) {
        if let Some(option) = argument.strip_prefix("--option=") {
            options.push(option.to_owned());
        } else if let Some(number) = argument.strip_prefix("--parent=") {
            parent = Some(number.parse()?);
        } else {
            library = Some(PathBuf::from(argument));
        }
    }
    Ok(raddle_driver::ir::serve(Library::Llvm, &library.context("no library")?, &options, parent)?)
}
