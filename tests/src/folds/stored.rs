//! Small programs of our own for which the code of a ptxas differs from PTX:
//! `corpus/ptxas/NAME.ptx`.
//!
//! Each is a module with one kernel with the interface of [`super::tree`] (`in`, `out`, `n`). The
//! first line is a comment that describes the wrong fold or other defect; the results of each side
//! are not stored but measured, for `docs/ptxas.md`.

use std::fs;

use anyhow::{Context, Result, ensure};

use super::judge::launches;
use crate::kernel::corpus;
use crate::suites::program::{Program, Runs};

/// A stored program.
#[derive(Clone, Debug)]
pub struct StoredProgram {
    /// Name of its file.
    pub name: String,
    /// The description in its first line.
    pub about: String,
    /// The program with its launches.
    pub program: Program,
}

/// Returns all programs, sorted by name.
///
/// # Errors
/// Unreadable files, or one without a comment or a kernel.
pub fn all() -> Result<Vec<StoredProgram>> {
    let mut programs = Vec::new();
    for entry in fs::read_dir(corpus().join("ptxas"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|e| e != "ptx") {
            continue;
        }
        let name = path.file_stem().context("a name")?.to_string_lossy().into_owned();
        let text = fs::read_to_string(&path)?;
        let about = text.lines().next().and_then(|line| line.strip_prefix("// ")).context("no comment")?.to_owned();
        let kernel = text.split_once(".entry ").and_then(|(_, rest)| rest.split_once('(')).context("no kernel")?.0;
        ensure!(text.matches(".entry ").count() == 1, "{name}: several kernels");
        let runs = Runs::Specified(launches(kernel.trim()));
        programs.push(StoredProgram { about, program: Program { name: name.clone(), text, runs }, name });
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}
