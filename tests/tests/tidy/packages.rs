//! Crates that are published: they can be packed, and what they are made of is published too.
//!
//! `scripts/package.sh` packs them and builds the command from what is packed.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use regex::Regex;

use super::source::code;
use super::tree::{files, report, root, text};

/// Crates of `crates` that are for tests, or are no crate for others.
const UNPUBLISHED: &[&str] = &["raddle-capi", "raddle-filetest", "raddle-prove"];

/// What each published crate takes from the workspace.
const INHERITED: &[&str] = &["version", "edition", "rust-version", "license", "keywords", "include"];

fn manifest(path: &str) -> toml::Table {
    text(path).expect(path).parse().expect(path)
}

fn name(manifest: &toml::Table) -> &str {
    manifest["package"]["name"].as_str().expect("a name")
}

/// The manifests of all packages, by path.
fn manifests() -> BTreeMap<String, toml::Table> {
    let all = files("", &["toml"]).into_iter().filter(|path| path.ends_with("/Cargo.toml"));
    all.map(|path| (path.clone(), manifest(&path))).collect()
}

fn is_published(manifest: &toml::Table) -> bool {
    manifest["package"].get("publish").and_then(toml::Value::as_bool) != Some(false)
}

#[test]
fn crates_are_published_or_say_that_they_are_not() {
    let mut complaints = Vec::new();
    for (path, manifest) in manifests() {
        let expected = path.starts_with("crates/") && !UNPUBLISHED.contains(&name(&manifest));
        if is_published(&manifest) != expected {
            complaints.push(format!("{path}: `publish = false` belongs to what no user builds, and to nothing else"));
        }
    }
    report(&complaints);
}

#[test]
fn published_crates_say_what_they_are() {
    let mut complaints = Vec::new();
    for (path, manifest) in manifests().iter().filter(|(_, manifest)| is_published(manifest)) {
        let package = &manifest["package"];
        for field in INHERITED {
            if package.get(field).and_then(|value| value.get("workspace")).is_none() {
                complaints.push(format!("{path}: {field}.workspace = true is missing"));
            }
        }
        for field in ["description", "categories"] {
            if package.get(field).is_none() {
                complaints.push(format!("{path}: {field} is missing"));
            }
        }
        let folder = path.trim_end_matches("Cargo.toml");
        let readme = text(&format!("{folder}README.md")).unwrap_or_default();
        if !readme.starts_with(&format!("# {}\n", name(manifest))) {
            complaints.push(format!("{folder}README.md is missing or has another title"));
        }
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            if text(&format!("{folder}{licence}")) != text(licence) {
                complaints.push(format!("{folder}{licence} is not the text of the repository"));
            }
        }
    }
    report(&complaints);
}

#[test]
fn published_crates_are_made_of_published_crates() {
    let workspace = manifest("Cargo.toml");
    let version = &workspace["workspace"]["package"]["version"];
    let offered = workspace["workspace"]["dependencies"].as_table().expect("dependencies");
    let all = manifests();
    let published: Vec<&str> = all.values().filter(|manifest| is_published(manifest)).map(name).collect();
    let mut complaints = Vec::new();
    for own in &published {
        if offered.get(*own).is_some_and(|row| row.get("version") != Some(version)) {
            complaints.push(format!("Cargo.toml: {own} needs the version of the workspace beside its path"));
        }
    }
    for (path, manifest) in all.iter().filter(|(_, manifest)| is_published(manifest)) {
        let used = manifest.get("dependencies").and_then(toml::Value::as_table).into_iter().flat_map(|t| t.keys());
        for used in used.filter(|used| offered[*used].get("path").is_some() && !published.contains(&used.as_str())) {
            complaints.push(format!("{path}: {used} is not published"));
        }
    }
    assert!(published.len() > 10, "{published:?}");
    report(&complaints);
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            out.pop();
        } else {
            out.push(part);
        }
    }
    out
}

/// Code that a build reads from outside the folder of its crate would be missing in a package.
#[test]
fn published_code_is_in_its_own_folder() {
    let include = Regex::new(r#"\b(?:include|include_str|include_bytes)!\(\s*(?:"([^"]*)")?"#).expect("a pattern");
    let attribute = Regex::new(r#"#\[path = "([^"]*)"\]"#).expect("a pattern");
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for (path, _) in manifests().iter().filter(|(_, manifest)| is_published(manifest)) {
        let source = path.replace("Cargo.toml", "src/");
        for file in files(&source, &["rs"]) {
            let text = text(&file).unwrap_or_default();
            let code = code(&text);
            for found in include.captures_iter(code).chain(attribute.captures_iter(code)) {
                seen += 1;
                let inside = found.get(1).is_some_and(|included| {
                    let place = root().join(&file).with_file_name("").join(included.as_str());
                    plain(&place).starts_with(root().join(&source)) && place.exists()
                });
                if !inside {
                    complaints.push(format!("{file}: {} is not below {source}", &found[0]));
                }
            }
        }
    }
    assert!(seen > 5, "only {seen} files are included");
    report(&complaints);
}

/// A build needs no compiler of protocols, no cmake, no library of the system, and remote execution with
/// its runtime is in no program that does not ask for it (issue 21).
#[test]
fn remote_execution_needs_nothing_to_build_and_is_a_feature() {
    let lock: toml::Table = text("Cargo.lock").expect("Cargo.lock").parse().expect("Cargo.lock");
    let names: Vec<&str> = lock["package"].as_array().expect("packages").iter().map(name_of).collect();
    assert!(names.contains(&"tonic") && names.contains(&"tokio"));
    let mut complaints = Vec::new();
    for builder in ["prost-build", "tonic-build", "protoc-bin-vendored", "protobuf-src", "cmake", "aws-lc-sys"] {
        if names.contains(&builder) {
            complaints.push(format!("Cargo.lock: {builder} runs in a build"));
        }
    }
    for system in ["openssl-sys", "native-tls", "libz-sys"] {
        if names.contains(&system) {
            complaints.push(format!("Cargo.lock: {system} needs a library of the system"));
        }
    }
    for (path, manifest) in manifests() {
        let features = manifest.get("features").and_then(toml::Value::as_table);
        if features.and_then(|features| features.get("default")).is_some() {
            complaints.push(format!("{path}: features by default"));
        }
        let Some(dependencies) = manifest.get("dependencies").and_then(toml::Value::as_table) else { continue };
        for runtime in ["raddle-remote", "tokio", "tonic", "opendal"] {
            let optional = |dependency: &toml::Value| dependency.get("optional").and_then(toml::Value::as_bool);
            if dependencies.get(runtime).is_some_and(|dependency| optional(dependency) != Some(true)) {
                complaints.push(format!("{path}: {runtime} is not optional"));
            }
            if dependencies.contains_key(runtime) && runtime != "raddle-remote" && name(&manifest) != "raddle-remote" {
                complaints.push(format!("{path}: {runtime} is for crates/remote alone"));
            }
        }
    }
    report(&complaints);
}

fn name_of(package: &toml::Value) -> &str {
    package["name"].as_str().expect("a name")
}
