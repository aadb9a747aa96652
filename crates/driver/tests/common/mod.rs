//! What tests of the driver share.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::path::{Path, PathBuf};

/// All PTX files below these folders of the repository's corpus, sorted.
pub fn modules(folders: &[&str]) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut open: Vec<PathBuf> = folders.iter().map(|name| corpus.join(name)).collect();
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ptx") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
