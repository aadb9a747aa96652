//! gpuocelot: PTX 1.4 to 3.1 of old compilers, from an emulator's tests.
//!
//! The modules have no host code that can be run here; launches are found by trial. Other folders
//! of PTX (`real`) are read in the same way.

use anyhow::Result;

use super::program::{Program, Runs};
use super::sources::Files;

/// Whether a file of the checkout is read.
pub fn wanted(path: &str) -> bool {
    path.ends_with(".ptx")
}

/// Returns the programs.
///
/// # Errors
/// None yet.
pub fn programs(files: &Files) -> Result<Vec<Program>> {
    let one = |path: &String| {
        Ok(Program { name: path.trim_end_matches(".ptx").to_owned(), text: files.text(path)?, runs: Runs::Tried })
    };
    files.0.keys().map(one).collect()
}
