//! Identifies another assembler by the hash of its file, computed once for all kernels.
//!
//! **Invariant.** Programs with equal hashes make equal objects of equal texts. So only an ELF
//! executable has a hash: a script may start any program, and its output is not cached.

use raddle_jobs::lock::lock;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The programs of a build, each with its hash.
#[derive(Debug, Default)]
pub(super) struct Tools(Mutex<Vec<(PathBuf, Option<blake3::Hash>)>>);

impl Tools {
    /// Returns the hash of a program. The first caller reads the file; the others wait.
    pub(super) fn identity(&self, program: &Path) -> Option<blake3::Hash> {
        let mut known = lock(&self.0);
        if let Some((_, hash)) = known.iter().find(|(path, _)| path == program) {
            return *hash;
        }
        let hash = find(program).and_then(|path| hash(&path));
        known.push((program.to_path_buf(), hash));
        hash
    }
}

/// The path of a program that is started by this name, as `execvp` finds it.
fn find(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 || program.is_absolute() {
        return Some(program.to_path_buf());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// The hash of an ELF file; `None` for any other file and for one that cannot be read.
fn hash(path: &Path) -> Option<blake3::Hash> {
    let mut file = File::open(path).ok()?;
    let mut magic = [0; 4];
    file.read_exact(&mut magic).ok()?;
    if magic != *b"\x7fELF" {
        return None;
    }
    file.rewind().ok()?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).ok()?;
    Some(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_by_their_bytes_and_scripts_are_not_known() {
        let dir = tempfile::tempdir().unwrap();
        let program = |name: &str, bytes: &[u8]| {
            let path = dir.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let identity = |path: &Path| Tools::default().identity(path);
        let one = identity(&program("a", b"\x7fELF 1"));
        assert!(one.is_some());
        assert_eq!(identity(&program("b", b"\x7fELF 1")), one, "the path does not matter");
        assert_ne!(identity(&program("a", b"\x7fELF 2")), one);
        assert_eq!(identity(&program("c", b"#!/bin/sh\n")), None);
        assert_eq!(identity(&program("d", b"")), None);
        assert_eq!(identity(&dir.path().join("none")), None);
        // The hash is computed once: changes to the file during a build have no effect.
        let tools = Tools::default();
        let path = program("e", b"\x7fELF 1");
        assert_eq!(tools.identity(&path), one);
        program("e", b"\x7fELF 2");
        assert_eq!(tools.identity(&path), one);
    }
}
