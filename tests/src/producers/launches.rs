//! The launches of the producers' kernels that were found by trial, in
//! `corpus/producers/launches.txt`: a test repeats them, and the search takes many times as long.
//!
//! `cargo campaign producers` searches for all of them and writes the file. A line has module,
//! kernel and the launch ([`Recipe::row`]), or `-` if none was found.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::recipe::Recipe;
use crate::kernel::corpus;

/// Why a kernel with `-` in its line is not run.
pub const NONE: &str = "no launch was found for it";

/// Lines by module and kernel.
#[derive(Debug, Default)]
pub struct Launches(BTreeMap<(String, String), String>);

fn path() -> PathBuf {
    corpus().join("producers/launches.txt")
}

impl Launches {
    /// Reads the file.
    ///
    /// # Errors
    /// An unreadable file, and lines without three parts.
    pub fn read() -> Result<Self> {
        let text = fs::read_to_string(path()).with_context(|| path().display().to_string())?;
        let mut launches = Self::default();
        for line in text.lines() {
            let mut parts = line.splitn(3, ' ').map(str::to_owned);
            let (Some(module), Some(kernel), Some(row)) = (parts.next(), parts.next(), parts.next()) else {
                bail!("{}: {line}", path().display());
            };
            launches.0.insert((module, kernel), row);
        }
        Ok(launches)
    }

    /// Adds a line.
    pub fn add(&mut self, module: &str, kernel: &str, row: Option<String>) {
        self.0.insert((module.to_owned(), kernel.to_owned()), row.unwrap_or_else(|| "-".to_owned()));
    }

    /// Writes the file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self) -> Result<()> {
        let text: String = self.0.iter().map(|((module, kernel), row)| format!("{module} {kernel} {row}\n")).collect();
        fs::write(path(), text).with_context(|| path().display().to_string())
    }

    /// The line of a kernel; `None` if no launch was found.
    ///
    /// # Errors
    /// A kernel without a line.
    pub fn row(&self, module: &str, kernel: &str) -> Result<Option<&str>> {
        let row = self.0.get(&(module.to_owned(), kernel.to_owned()));
        let row = row.with_context(|| format!("{module} {kernel} has no line in {}", path().display()))?;
        Ok((row != "-").then_some(row))
    }

    /// Gives a recipe the launch of its kernel; whether there is one.
    ///
    /// # Errors
    /// A kernel without a line, or with a line that is not one of [`Recipe::row`].
    pub(super) fn apply(&self, module: &str, recipe: &mut Recipe) -> Result<bool> {
        let Some(row) = self.row(module, &recipe.kernel)? else { return Ok(false) };
        recipe.read_row(row).with_context(|| format!("{module} {}: {row}", recipe.kernel))?;
        Ok(true)
    }
}
