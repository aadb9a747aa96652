//! The boundary of the front end: no type of LLVM leaves `crates/frontend`, and what is unsafe there
//! stays in the modules of the two libraries.
//!
//! Its own integration tests run the steps with a loaded library, so those functions are public;
//! other crates see bitcode, text, settings and summaries.

use regex::Regex;
use std::collections::BTreeSet;

use super::source::{code, rust_files};
use super::tree::{report, text};

/// The module of LLVM's C API, and the file that declares its types.
const LLVM: &str = "crates/frontend/src/llvm/";
const API: &str = "crates/frontend/src/llvm/api.rs";
/// The crate.
const FRONTEND: &str = "crates/frontend/";
/// Its files that may have unsafe code.
const UNSAFE: [&str; 2] = [LLVM, "crates/frontend/src/nvjitlink.rs"];
/// What other crates may name of the module: a number.
const ALLOWED: &str = "raddle_frontend::llvm::OLDEST";

/// The names of the pointer types that the API declares.
fn raw_types(api: &str) -> BTreeSet<&str> {
    let list = api.split_once("opaque! {").and_then(|(_, rest)| rest.split_once('}')).map_or("", |(list, _)| list);
    list.split_whitespace().collect()
}

/// What breaks a rule in these files, given by path and text.
fn violations(files: &[(String, String)]) -> Vec<String> {
    let api = files.iter().find(|file| file.0 == API).map_or("", |file| file.1.as_str());
    let raw = raw_types(api);
    let words = Regex::new(r"\b\w+\b").expect("a pattern");
    let function = Regex::new(r"\bLLVM[A-Z]\w+\b").expect("a pattern");
    let public =
        Regex::new(r"^\s*pub (?:const |unsafe )*(?:fn|struct|enum|type|use|const|static|mod|\w+:)").expect("a pattern");
    let step = Regex::new(r"pub fn (\w+)\([^)]*&'static Llvm").expect("a pattern");
    let is_unsafe = Regex::new(r"\bunsafe\s*(\{|fn|impl|extern)|allow\(unsafe_code").expect("a pattern");
    let steps: BTreeSet<&str> = files
        .iter()
        .filter(|(path, _)| path.starts_with("crates/frontend/src/steps/"))
        .flat_map(|(_, text)| step.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str())))
        .collect();
    let mut complaints = Vec::new();
    if raw.len() < 10 || steps.len() < 5 {
        complaints.push(format!(
            "{API}: {} types and {} steps were found: the patterns are old",
            raw.len(),
            steps.len()
        ));
    }
    for (path, text) in files.iter().filter(|(path, _)| path != API && !path.starts_with("tests/tests/tidy/")) {
        let within = path.starts_with(LLVM);
        let lines = || code(text).lines().filter(|line| !line.trim_start().starts_with("//"));
        let mut complain = |line: &str, what: &str| complaints.push(format!("{path}: {what}: {}", line.trim()));
        for line in lines() {
            let ours = path.starts_with(FRONTEND);
            let names_raw = ours && words.find_iter(line).any(|word| raw.contains(word.as_str()));
            if within && names_raw && public.is_match(line) {
                complain(line, "a type of the C API in what is public");
            }
            if !ours {
                if !line.contains("raddle_frontend::") {
                    continue;
                }
                let rest = line.replace(ALLOWED, "");
                let names_step = line.contains("raddle_frontend::steps") && {
                    words.find_iter(line).any(|word| steps.contains(word.as_str()))
                };
                if rest.contains("raddle_frontend::llvm") || names_step {
                    complain(line, "LLVM outside the front end");
                }
            } else if path.starts_with("crates/frontend/src/") && !within {
                if names_raw || function.is_match(line) {
                    complain(line, "the C API outside its module");
                }
                if is_unsafe.is_match(line) && !UNSAFE.contains(&path.as_str()) {
                    complain(line, "unsafe code outside the modules of libraries");
                }
            }
        }
        if path == "crates/frontend/src/llvm/mod.rs" {
            for line in lines().filter(|line| line.starts_with("pub mod ")) {
                complain(line, "a module of the C API that is not private");
            }
        }
    }
    complaints
}

fn sources() -> Vec<(String, String)> {
    let with_text = |path: String| {
        let text = text(&path).unwrap_or_default();
        (path, text)
    };
    rust_files().into_iter().map(with_text).collect()
}

#[test]
fn no_type_of_llvm_leaves_the_front_end() {
    report(&violations(&sources()));
}

/// Each rule complains about what breaks it.
#[test]
fn what_crosses_the_boundary_is_found() {
    let all = sources();
    for (path, line) in [
        ("crates/frontend/src/plan/mod.rs", "pub fn planned(module: ModuleRef) {}"),
        ("crates/frontend/src/steps/link.rs", "    let value = (api.LLVMGetFirstFunction)(module);"),
        ("crates/frontend/src/merge.rs", "    unsafe { merge() }"),
        ("crates/frontend/src/llvm/value.rs", "    pub fn raw(self) -> ValueRef {"),
        ("crates/frontend/src/llvm/mod.rs", "pub use api::ModuleRef;"),
        ("crates/frontend/src/llvm/mod.rs", "pub mod api;"),
        ("crates/driver/src/ir/mod.rs", "use raddle_frontend::llvm::Llvm;"),
        ("crates/driver/src/ir/mod.rs", "use raddle_frontend::steps::{Treatment, simplify};"),
        ("campaigns/src/bench_ir.rs", "fn run() { raddle_frontend::steps::inspect(llvm, name, bytes) }"),
    ] {
        let near = |file: &&(String, String)| file.0.starts_with(FRONTEND) || file.0 == path;
        let mut files: Vec<(String, String)> = all.iter().filter(near).cloned().collect();
        let file = files.iter_mut().find(|file| file.0 == path).unwrap_or_else(|| panic!("{path} is gone"));
        file.1 = format!("{line}\n{}", file.1);
        let found = violations(&files);
        assert!(found.len() == 1 && found[0].starts_with(path), "{path}, {line}: {found:?}");
    }
}
