//! Dependencies between crates, licences of dependencies, lints that apply to every crate.

use regex::Regex;
use std::collections::BTreeSet;
use std::process::Command;

use super::tree::{files, report, root, text};

/// What each crate may depend on: the arrows of ARCHITECTURE.md. Crates that are not here may
/// depend on everything.
const ALLOWED: &[(&str, &[&str])] = &[
    ("entity", &[]),
    ("target", &[]),
    ("diag", &[]),
    ("jobs", &[]),
    ("ptx", &["entity", "target", "diag"]),
    ("ir", &["entity", "target"]),
    ("sass", &["target"]),
    ("cubin", &["entity", "target"]),
    ("lower", &["entity", "target", "diag", "ptx", "ir"]),
    ("opt", &["entity", "target", "ir"]),
    ("codegen", &["entity", "target", "ir", "sass", "cubin"]),
    ("link", &["entity", "target", "cubin"]),
    ("fatbin", &[]),
    ("dropin", &[]),
    ("frontend", &["entity"]),
    (
        "driver",
        &[
            "entity", "target", "diag", "jobs", "ptx", "ir", "lower", "opt", "codegen", "cubin", "link", "fatbin",
            "frontend", "sass",
        ],
    ),
    ("remote", &["driver"]),
    ("cli", &["driver", "remote", "diag", "sim", "target", "ptx", "cubin", "sass", "link", "fatbin", "dropin"]),
    ("raddle", &["driver", "diag", "target", "link", "sim", "cubin"]),
    ("capi", &["driver", "dropin", "diag", "target", "ptx", "cubin", "link", "fatbin"]),
    ("sim", &["entity", "target", "ptx", "sass", "cubin", "diag"]),
    ("filetest", &[]),
    ("prove", &["entity", "target", "diag", "ptx", "ir", "lower", "opt", "codegen"]),
];

/// Licences allowed for linked code (each package names one of them, alone or as an alternative).
const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "ISC",
    "0BSD",
    "BSL-1.0",
    "MIT-0",
];

/// Dependencies that no source uses.
const UNUSED: &[(&str, &str, &str)] = &[
    ("python/Cargo.toml", "anstyle", "has the features of the workspace with it"),
    ("python/Cargo.toml", "syn", "has the features of the workspace with it"),
];

/// The `raddle-*` names in one table of a manifest.
fn raddle_dependencies(manifest: &toml::Table, table: &str) -> BTreeSet<String> {
    let names = manifest.get(table).and_then(|t| t.as_table()).into_iter().flat_map(|t| t.keys());
    names.filter_map(|name| name.strip_prefix("raddle-")).map(str::to_owned).collect()
}

#[test]
fn crates_depend_only_along_the_arrows() {
    let mut complaints = Vec::new();
    for path in files("crates", &["toml"]).iter().filter(|path| path.ends_with("Cargo.toml")) {
        let name = path.split('/').nth(1).unwrap_or_default();
        let manifest: toml::Table = toml::from_str(&text(path).unwrap_or_default()).expect("a manifest");
        let Some((_, allowed)) = ALLOWED.iter().find(|row| row.0 == name) else {
            complaints.push(format!("{path}: the crate has no row in {}", file!()));
            continue;
        };
        for table in ["dependencies", "build-dependencies"] {
            for used in raddle_dependencies(&manifest, table) {
                if !allowed.contains(&used.as_str()) {
                    complaints.push(format!("{path}: {name} must not depend on {used}"));
                }
            }
        }
        if raddle_dependencies(&manifest, "dev-dependencies").contains("cli") {
            complaints.push(format!("{path}: tests of a library must not need the command line"));
        }
        if manifest.get("lints").and_then(|l| l.get("workspace")) != Some(&toml::Value::Boolean(true)) {
            complaints.push(format!("{path}: [lints] workspace = true is missing"));
        }
        if manifest.contains_key("build-dependencies") || root().join(path).with_file_name("build.rs").exists() {
            complaints.push(format!("{path}: no build scripts (D15)"));
        }
    }
    report(&complaints);
}

#[test]
fn every_dependency_has_a_licence_of_the_list() {
    // Only packages that are built here were downloaded: a test needs no network.
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let args = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", &platform];
    let output = Command::new(env!("CARGO")).args(args).current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 20, "cargo metadata lists the workspace at least");
    let mut complaints = Vec::new();
    for package in packages {
        let licence = package["license"].as_str().unwrap_or_default();
        // "A OR B", older "A/B"; each alternative may be "(C AND D)".
        let alternatives = licence.split(" OR ").flat_map(|part| part.split('/'));
        let fine = alternatives.map(|part| part.trim_matches(['(', ')', ' '])).any(|part| {
            part.split(" AND ").map(|each| each.trim_matches(['(', ')', ' '])).all(|each| LICENCES.contains(&each))
        });
        if !fine {
            complaints.push(format!("{}: licence {licence:?}", package["name"]));
        }
    }
    report(&complaints);
}

/// The dependencies of all kinds that a manifest names.
fn named(manifest: &toml::Table) -> BTreeSet<String> {
    let targets = manifest.get("target").and_then(|t| t.as_table()).into_iter().flat_map(|t| t.values());
    let tables = targets.filter_map(|t| t.as_table()).chain([manifest]);
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    tables
        .flat_map(|table| kinds.iter().filter_map(|kind| table.get(*kind)?.as_table()))
        .flat_map(|t| t.keys().cloned())
        .collect()
}

#[test]
fn every_dependency_is_used() {
    let table = |path: &str| -> toml::Table { text(path).expect(path).parse().expect(path) };
    let workspace = table("Cargo.toml");
    let offered = workspace["workspace"]["dependencies"].as_table().expect("dependencies");
    let sources: Vec<(String, String)> =
        files("", &["rs"]).into_iter().filter_map(|path| Some((path.clone(), text(&path)?))).collect();
    let (mut used, mut complaints) = (BTreeSet::new(), Vec::new());
    for manifest in files("", &["toml"]).into_iter().filter(|path| path.ends_with("/Cargo.toml")) {
        let folder = manifest.trim_end_matches("Cargo.toml");
        for name in named(&table(&manifest)) {
            let word = Regex::new(&format!(r"\b{}\b", name.replace('-', "_"))).expect("a pattern");
            let listed = UNUSED.iter().any(|row| (row.0, row.1) == (&manifest, &name));
            if listed == sources.iter().any(|(path, code)| path.starts_with(folder) && word.is_match(code)) {
                complaints.push(format!("{manifest}: no source file uses {name}, or one does and it is in UNUSED"));
            }
            used.insert(name);
        }
    }
    let unused = offered.keys().filter(|name| !used.contains(*name));
    complaints.extend(unused.map(|name| format!("Cargo.toml: no package uses {name}")));
    report(&complaints);
}

#[test]
fn every_file_of_tests_is_compiled() {
    let mut complaints = Vec::new();
    for manifest in files("", &["toml"]).into_iter().filter(|path| path.ends_with("Cargo.toml")) {
        let table: toml::Table = text(&manifest).expect("a manifest").parse().expect("a manifest");
        let package = table.get("package").and_then(|package| package.get("autotests"));
        if package.and_then(toml::Value::as_bool) != Some(false) {
            continue;
        }
        let folder = manifest.trim_end_matches("Cargo.toml");
        let programs: Vec<&str> =
            table["test"].as_array().expect("tests").iter().filter_map(|t| t["path"].as_str()).collect();
        let all = text(&format!("{folder}tests/all.rs")).expect("tests/all.rs");
        for path in files(&format!("{folder}tests"), &["rs"]) {
            let inside = path.strip_prefix(folder).expect("in the folder");
            let module = match inside.split('/').collect::<Vec<_>>()[..] {
                [_, file] => file.trim_end_matches(".rs"),
                [_, name, "mod.rs"] => name,
                _ => continue,
            };
            let declared = all.lines().any(|line| line == format!("mod {module};"));
            if declared == programs.contains(&inside) {
                complaints.push(format!("{path}: it is in none of the programs of {manifest}, or in two"));
            }
        }
    }
    report(&complaints);
}

/// Whether a text has an example that rustdoc compiles: a fence in a doc comment without a name of
/// another language.
fn has_examples(text: &str) -> bool {
    let mut inside = false;
    for line in text.lines().map(str::trim_start) {
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).unwrap_or_default();
        let Some(language) = comment.trim().strip_prefix("```") else { continue };
        inside = !inside;
        let rust = ["rust", "no_run", "should_panic", "compile_fail", "ignore"];
        if inside && (language.is_empty() || rust.iter().any(|word| language.starts_with(word))) {
            return true;
        }
    }
    false
}

/// rustdoc reads a whole crate even if it has no examples: the others are left out of the tests.
#[test]
fn crates_say_whether_they_have_examples() {
    let mut complaints = Vec::new();
    for library in files("", &["rs"]).into_iter().filter(|path| path.ends_with("src/lib.rs")) {
        let folder = library.trim_end_matches("src/lib.rs");
        let manifest: toml::Table =
            text(&format!("{folder}Cargo.toml")).expect("a manifest").parse().expect("a manifest");
        let says = |key: &str| manifest.get("lib").and_then(|lib| lib.get(key)).and_then(toml::Value::as_bool);
        let sources = files(&format!("{folder}src"), &["rs"]);
        let examples = sources.iter().any(|path| has_examples(&text(path).unwrap_or_default()));
        if examples == (says("doctest") == Some(false)) {
            let what = if examples { "its examples are not tested" } else { "it has no examples" };
            complaints.push(format!("{folder}Cargo.toml: doctest: {what}"));
        }
    }
    report(&complaints);
    assert!(has_examples("/// ```\n/// x\n/// ```") && !has_examples("/// ```text\n/// x\n/// ```"));
}

#[test]
fn targets_without_tests_have_none() {
    let mut complaints = Vec::new();
    for manifest in files("", &["toml"]).into_iter().filter(|path| path.ends_with("Cargo.toml")) {
        let table: toml::Table = text(&manifest).expect("a manifest").parse().expect("a manifest");
        let folder = manifest.trim_end_matches("Cargo.toml");
        let untested = |target: &toml::Value| target.get("test").and_then(toml::Value::as_bool) == Some(false);
        let programs = table.get("bin").and_then(toml::Value::as_array).into_iter().flatten();
        let mut sources: Vec<String> = programs
            .filter(|program| untested(program))
            .filter_map(|program| Some(format!("{folder}{}", program["path"].as_str()?)))
            .collect();
        if table.get("lib").is_some_and(untested) {
            sources.extend(files(&format!("{folder}src"), &["rs"]));
        }
        let tested = sources.into_iter().filter(|path| text(path).unwrap_or_default().contains("#[test]"));
        complaints.extend(tested.map(|path| format!("{path}: its tests do not run: test = false in {manifest}")));
    }
    report(&complaints);
}
