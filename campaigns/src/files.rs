//! Files of the corpus.

use std::path::{Path, PathBuf};

use anyhow::Result;

/// All PTX files below a path, sorted.
///
/// # Errors
/// Unreadable folders.
pub(crate) fn ptx(path: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(path)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
        entries.sort();
        return entries.iter().try_for_each(|p| ptx(p, out));
    }
    if path.extension().is_some_and(|e| e == "ptx") {
        out.push(path.to_owned());
    }
    Ok(())
}
