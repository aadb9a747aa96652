//! Passes on functions as text: each case in `tests/cases` names passes and gives a function and
//! the expected result.
//!
//! ```text
//! # simplify_cfg dce
//! # A sentence that says what is shown.
//! kernel k
//! ...
//! end
//! ====
//! kernel k
//! ...
//! end
//! ```
//!
//! A file may hold several cases, separated by lines of dashes. `UPDATE_CASES=1` rewrites the
//! expected results.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

use raddle_ir::{CodegenOptions, Cx, OptLevel, text, verify};
use raddle_target::Target;

/// Runs the passes of one case; returns the case with their result.
fn run(case: &str) -> Result<String, String> {
    let head = case.trim_start();
    let names = head.strip_prefix("# ").and_then(|h| h.lines().next()).ok_or("no line of passes")?;
    let before = case.split("\n====\n").next().unwrap_or_default();
    let body: Vec<&str> = before.lines().filter(|l| !l.starts_with('#')).collect();
    let mut f = text::parse(&body.join("\n")).map_err(|e| e.to_string())?.pop().ok_or("no function")?;
    verify::verify(&f).map_err(|e| format!("before: {}", e.join("; ")))?;
    let options = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
    let cx = Cx::new(Target::by_name("sm_90").ok_or("no sm_90")?, &options);
    for name in names.split_whitespace() {
        let pass = raddle_opt::PASSES.iter().find(|p| p.name == name).ok_or(format!("no pass `{name}`"))?;
        (pass.run)(&cx, &mut f).map_err(|e| e.to_string())?;
        verify::verify(&f).map_err(|e| format!("after {name}: {}", e.join("; ")))?;
    }
    let after = text::print(&f);
    if after.trim() == body.join("\n").trim() {
        return Err("the passes change nothing".into());
    }
    Ok(format!("{}\n====\n{}\n", before.trim(), after.trim()))
}

#[test]
fn every_case_becomes_what_it_says() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<_> = fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    let mut cases = 0;
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let mut now = Vec::new();
        for (n, case) in text.split("\n----\n").enumerate() {
            cases += 1;
            match run(case) {
                Ok(out) => {
                    if out.trim() != case.trim() {
                        wrong.push(format!("{name}, case {}:\n{}", n + 1, out));
                    }
                    now.push(out);
                }
                Err(e) => {
                    wrong.push(format!("{name}, case {}: {e}", n + 1));
                    now.push(case.to_owned());
                }
            }
        }
        if std::env::var_os("UPDATE_CASES").is_some() {
            let all: Vec<&str> = now.iter().map(|c| c.trim()).collect();
            fs::write(&file, all.join("\n\n----\n") + "\n").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases > 0);
}
