//! Values of options that several campaigns take.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use raddle_sass::Isa;
use raddle_tests::judge::ARCHS;

/// An architecture of the corpus.
pub fn arch(text: &str) -> Result<&'static str> {
    ARCHS.iter().copied().find(|&arch| arch == text).with_context(|| format!("no code for {text}"))
}

/// A machine of the instruction table.
pub fn isa(text: &str) -> Result<Isa> {
    Isa::by_name(text).with_context(|| format!("unknown machine {text}"))
}

/// A number that is not 0.
pub fn at_least_one(text: &str) -> Result<usize> {
    let number = text.parse()?;
    ensure!(number > 0, "at least 1");
    Ok(number)
}

/// A folder that exists.
pub fn folder(text: &str) -> Result<PathBuf> {
    let path = PathBuf::from(text);
    ensure!(path.is_dir(), "{text} is not a folder");
    Ok(path)
}
