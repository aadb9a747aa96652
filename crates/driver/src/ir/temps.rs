//! `--save-temps`: keeps what passes from step to step.

use crate::codes;
use crate::report::Report;
use raddle_diag::Diagnostic;
use std::path::{Path, PathBuf};

/// The folder, if there is one.
pub(super) struct Temps(Option<PathBuf>);

impl Temps {
    pub(super) fn new(folder: Option<PathBuf>) -> Temps {
        Temps(folder)
    }

    /// Whether there is a folder.
    pub(super) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Writes a file; an error goes to the report.
    pub(super) fn keep(&self, name: &str, bytes: &[u8], report: &mut Report) {
        let Some(folder) = &self.0 else { return };
        let path = folder.join(name);
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, bytes));
        if let Err(error) = written {
            let message = format!("cannot write '{}': {error}", path.display());
            report.diags.push(Diagnostic::error(codes::E0010, message));
        }
    }
}

/// The name of an input as part of a file's name; of `all` inputs no other has it.
pub(super) fn stem<'n>(name: &str, all: impl Iterator<Item = &'n str>) -> String {
    let plain = plain(name);
    let mut others = all.filter(|other| *other != name);
    if others.any(|other| self::plain(other) == plain) {
        return format!("{}-{plain}", &blake3::hash(name.as_bytes()).to_hex()[..8]);
    }
    plain
}

/// The last component of a name, in characters that every system allows.
fn plain(name: &str) -> String {
    let stem = Path::new(name).file_name().map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned());
    stem.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect()
}
