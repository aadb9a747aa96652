//! Modules that were compiled wrongly once, or refused, run as the interpreter says at every level.
#![forbid(unsafe_code)]

use std::fs;

use raddle_tests::kernel::corpus;
use raddle_tests::regression::Regression;

#[test]
fn regressions_stay_mended() {
    let mut files: Vec<_> = fs::read_dir(corpus().join("regressions")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 6, "only {}", files.len());
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut failing = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !name.contains(&only) {
            continue;
        }
        let regression = Regression { name, text: fs::read_to_string(&path).unwrap() };
        if let Err(why) = regression.judge() {
            failing.push(format!("{}: {why:#}", regression.name));
        }
    }
    assert!(failing.is_empty(), "{}", failing.join("\n"));
}
