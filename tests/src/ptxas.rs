//! Cubins made by ptxas: code that we did not generate, to judge simulator and interpreter by.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use raddle_filetest::oracle::Oracle;

/// A folder of its own for the files of one test; removed when dropped.
pub struct Assembler<'a> {
    ptxas: &'a Oracle,
    folder: tempfile::TempDir,
}

impl<'a> Assembler<'a> {
    /// Makes the folder.
    ///
    /// # Errors
    /// A temporary folder that cannot be made.
    pub fn new(ptxas: &'a Oracle) -> Result<Self> {
        Ok(Self { ptxas, folder: tempfile::tempdir()? })
    }

    /// Assembles a module for `arch`, without contracting multiplications and additions, with line information.
    ///
    /// # Errors
    /// What ptxas has against the module.
    pub fn assemble(&self, text: &str, arch: &str) -> Result<Vec<u8>> {
        self.assemble_at(text, arch, "-O3")
    }

    /// [`Assembler::assemble`] at a level of optimisation, such as `-O0`.
    ///
    /// # Errors
    /// What ptxas has against the module, and a ptxas that a signal ended.
    pub fn assemble_at(&self, text: &str, arch: &str, level: &str) -> Result<Vec<u8>> {
        let (source, cubin) = (self.path("k.ptx"), self.path("k.cubin"));
        fs::write(&source, text)?;
        let shown = |path: &Path| path.display().to_string();
        let (arch, fmad) = (format!("-arch={arch}"), "--fmad=false".into());
        let args = [arch, level.to_owned(), fmad, "-o".into(), shown(&cubin), shown(&source)];
        self.ptxas.run(&args).context("ptxas")?;
        Ok(fs::read(cubin)?)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}
