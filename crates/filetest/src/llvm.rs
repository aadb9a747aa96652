//! LLVM libraries for tests: Debian's and the one of the Rust toolchain.

use crate::skip;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The major versions that tests run with.
pub const VERSIONS: &[u32] = &[19, 22];

/// Finds the library of a major version. Records nothing.
pub fn find(major: u32) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> =
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"].map(PathBuf::from).to_vec();
    folders.push(format!("/usr/lib/llvm-{major}/lib").into());
    folders.extend(toolchain());
    folders.iter().find_map(|folder| library(folder, major))
}

/// The library folder of the Rust toolchain.
fn toolchain() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(Path::new(text.trim()).join("lib"))
}

fn library(folder: &Path, major: u32) -> Option<PathBuf> {
    let start = format!("libLLVM.so.{major}.");
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    found.into_iter().find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&start)))
}

/// Finds a library that the calling test requires, like [`crate::oracle::require`].
///
/// # Panics
/// If it is missing and `REQUIRE_ALL=1` is set.
pub fn require(major: u32) -> Option<PathBuf> {
    let found = find(major);
    if found.is_none() {
        skip::record(&format!("LLVM {major} is not installed (libllvm{major}, or a Rust toolchain with it)"));
    }
    found
}
