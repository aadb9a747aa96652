//! Cubins made by ptxas: code that is independent of our compiler, to test simulator and
//! interpreter.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use raddle_filetest::oracle::Oracle;

/// ptxas and a folder for the files of one test, removed when dropped. Several threads may assemble
/// at once.
pub struct Assembler<'a> {
    ptxas: &'a Oracle,
    folder: tempfile::TempDir,
    calls: AtomicUsize,
}

impl<'a> Assembler<'a> {
    /// Creates the folder.
    ///
    /// # Errors
    /// A temporary folder that cannot be made.
    pub fn new(ptxas: &'a Oracle) -> Result<Self> {
        Ok(Self { ptxas, folder: tempfile::tempdir()?, calls: AtomicUsize::new(0) })
    }

    /// Assembles a module for `arch`, without contracting multiplications and additions, with line
    /// information.
    ///
    /// # Errors
    /// The errors of ptxas.
    pub fn assemble(&self, text: &str, arch: &str) -> Result<Vec<u8>> {
        self.assemble_at(text, arch, "-O3")
    }

    /// Like [`Assembler::assemble`], at an optimisation level such as `-O0`.
    ///
    /// # Errors
    /// The errors of ptxas, and a crash of it.
    pub fn assemble_at(&self, text: &str, arch: &str, level: &str) -> Result<Vec<u8>> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.path().join(call.to_string());
        fs::create_dir(&folder)?;
        let (source, cubin) = (folder.join("k.ptx"), folder.join("k.cubin"));
        fs::write(&source, text)?;
        let shown = |path: &Path| path.display().to_string();
        let (arch, fmad) = (format!("-arch={arch}"), "--fmad=false".into());
        let args = [arch, level.to_owned(), fmad, "-o".into(), shown(&cubin), shown(&source)];
        let bytes = self.ptxas.run(&args).context("ptxas").and_then(|_| Ok(fs::read(cubin)?));
        fs::remove_dir_all(folder)?;
        bytes
    }
}
