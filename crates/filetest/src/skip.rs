//! Counted skips: each is one line in a log that the test command prints at its end.
//!
//! The log is `$RADDLE_SKIP_LOG`, else `target/skips.log` of this checkout. A line is `test
//! binary<TAB>test<TAB>reason`. Lines are appended by one write each, so that tests running at the
//! same time do not mix them.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

/// The path of the log.
pub fn log_path() -> PathBuf {
    match env::var_os("RADDLE_SKIP_LOG").filter(|v| !v.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/skips.log"),
    }
}

/// Whether `REQUIRE_ALL=1` is set, so that nothing may be skipped.
pub fn all_required() -> bool {
    env::var_os("REQUIRE_ALL").is_some_and(|v| v == "1")
}

/// Records that the calling test, or a part of it, did not run, and why.
///
/// # Panics
/// With `REQUIRE_ALL=1`, where a skip is a failure; and if the log cannot be written, since an
/// uncounted skip must not pass either.
pub fn record(reason: &str) {
    assert!(!all_required(), "REQUIRE_ALL=1, but {reason}");
    let path = log_path();
    let line = line(reason);
    let written = append(&path, &line);
    assert!(written.is_ok(), "a skip could not be recorded in {}: {written:?}", path.display());
    eprintln!("skipped: {reason}");
}

fn line(reason: &str) -> String {
    let binary = env::current_exe().ok().and_then(|p| Some(p.file_stem()?.to_string_lossy().into_owned()));
    let binary = binary.unwrap_or_else(|| "?".into());
    // Cargo appends a hash to the names of test binaries.
    let binary = binary.rsplit_once('-').map_or(binary.as_str(), |(name, _)| name);
    let thread = thread::current();
    format!("{binary}\t{}\t{}\n", thread.name().unwrap_or("?"), reason.replace(['\n', '\t'], " "))
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_binary_test_and_reason() {
        let line = line("because\nof two lines");
        let fields: Vec<&str> = line.trim_end().split('\t').collect();
        assert_eq!(fields[0], "raddle_filetest");
        assert!(fields[1].ends_with("a_line_names_binary_test_and_reason"), "{line}");
        assert_eq!(fields[2], "because of two lines");
    }

    #[test]
    fn lines_are_appended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/skips.log");
        append(&path, "one\n").unwrap();
        append(&path, "two\n").unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "one\ntwo\n");
    }
}
