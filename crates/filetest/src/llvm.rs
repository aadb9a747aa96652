//! LLVM libraries for tests: Debian's and the one of the Rust toolchain.

use crate::skip;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The major versions that tests run with.
pub const VERSIONS: &[u32] = &[19, 22];

/// Those between, which no test requires: Rust 1.88 has 20, Rust 1.91 has 21.
const OTHERS: &[u32] = &[20, 21];

/// Whether case number `case` of a test is for this version: the versions take cases in turn, where what is
/// tested is our own part of the work.
pub fn takes(major: u32, case: usize) -> bool {
    VERSIONS[case % VERSIONS.len()] == major
}

/// The libraries of [`VERSIONS`] as [`require`] finds them, and those of versions between that are
/// installed.
pub fn all() -> Vec<(u32, PathBuf)> {
    let required = VERSIONS.iter().filter_map(|&major| Some((major, require(major)?)));
    required.chain(OTHERS.iter().filter_map(|&major| Some((major, find(major)?)))).collect()
}

/// Finds the library of a major version, also in the folders of `RADDLE_TEST_LLVM`, a list like
/// `PATH`. Records nothing.
pub fn find(major: u32) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> =
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"].map(PathBuf::from).to_vec();
    folders.push(format!("/usr/lib/llvm-{major}/lib").into());
    folders.extend(toolchains());
    if let Some(more) = std::env::var_os("RADDLE_TEST_LLVM") {
        folders.extend(std::env::split_paths(&more));
    }
    folders.iter().find_map(|folder| library(folder, major))
}

/// The library folders of the Rust toolchain and of those beside it.
fn toolchains() -> Vec<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let Some(text) = output.ok().and_then(|output| String::from_utf8(output.stdout).ok()) else { return Vec::new() };
    let own = PathBuf::from(text.trim());
    let beside = own.parent().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
    let mut beside: Vec<PathBuf> = beside.filter_map(|entry| Some(entry.ok()?.path())).collect();
    beside.sort();
    std::iter::once(own).chain(beside).map(|toolchain| toolchain.join("lib")).collect()
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
