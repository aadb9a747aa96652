//! The files of the checkout that the rules apply to.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of the root without source files: build output, version control.
const LEFT_OUT: &[&str] = &["target", ".git"];

/// Root of the checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ has a parent").to_owned()
}

/// Files below `folder` (relative to the root) with one of the extensions, as paths relative to the
/// root, sorted. Without extensions: all files.
pub fn files(folder: &str, extensions: &[&str]) -> Vec<String> {
    let root = root();
    let (mut found, mut open) = (Vec::new(), vec![root.join(folder)]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                if !LEFT_OUT.iter().any(|name| path == root.join(name)) {
                    open.push(path);
                }
            } else if extensions.is_empty() || extensions.iter().any(|ext| path.extension().is_some_and(|e| e == *ext))
            {
                let relative = path.strip_prefix(&root).expect("below the root");
                found.push(relative.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// Text of a file, `None` where it is not UTF-8.
pub fn text(path: &str) -> Option<String> {
    fs::read(root().join(path)).ok().and_then(|bytes| String::from_utf8(bytes).ok())
}

/// Fails with all complaints at once, one per line.
pub fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}
