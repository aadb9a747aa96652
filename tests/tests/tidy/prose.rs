//! Text of every kind: no machine paths, no package hosts, no recovered names; paths in documents
//! exist.

use regex::Regex;

use super::tree::{files, report, root, text};

/// Extensions of files that are written by hand.
const WRITTEN: &[&str] = &["rs", "md", "toml", "txt", "sh", "lock", "yml", "cu", "h", "cpp", "json", "sass", "ptx"];

/// Files that contain such words as part of a rule.
const RULES: &str = "tests/tests/tidy/";

fn written() -> Vec<String> {
    let mut paths = files(".", WRITTEN);
    for path in ["Makefile", ".ci/run", "LICENSE-MIT", "LICENSE-APACHE"] {
        if root().join(path).exists() {
            paths.push(path.to_owned());
        }
    }
    paths.retain(|path| !path.starts_with(RULES) && path != "Cargo.lock");
    paths
}

fn complain_about(pattern: &str, what: &str, look_at: impl Fn(&str) -> bool) {
    let pattern = Regex::new(pattern).expect("a pattern");
    let mut complaints = Vec::new();
    for path in written().iter().filter(|path| look_at(path)) {
        let text = text(path).unwrap_or_default();
        for (number, line) in text.lines().enumerate() {
            if let Some(found) = pattern.find(line) {
                complaints.push(format!("{path}:{}: {what}: {}", number + 1, found.as_str()));
            }
        }
    }
    report(&complaints);
}

#[test]
fn no_recovered_addresses_or_names() {
    complain_about(r"\b(sub|loc|off|unk|byte|word|dword|qword|nullsub)_[0-9A-F]{4,}\b", "a recovered name", |_| true);
}

#[test]
fn no_paths_of_a_machine() {
    complain_about(r"(^|[^\w./~-])/(root|home|work|Users)/[\w.]", "a path of one machine", |_| true);
}

#[test]
fn no_package_hosts() {
    let hosts = r"pypi\.org|pythonhosted|index\.crates|static\.crates|--index-url|--extra-index-url|crates\.io/api";
    complain_about(hosts, "a package host", |_| true);
}

#[test]
fn documents_name_paths_that_exist() {
    let documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "PROVENANCE.md", "tests/corpus/README.md"];
    let quoted = Regex::new(r"`([\w.-]+(?:/[\w.<>*-]+)+/?)`").expect("a pattern");
    let mut complaints = Vec::new();
    for document in documents {
        let Some(text) = text(document) else {
            complaints.push(format!("{document} is missing"));
            continue;
        };
        for found in quoted.captures_iter(&text) {
            let path = &found[1];
            let is_pattern = path.contains(['<', '*']);
            let start = path.split('/').next().unwrap_or_default();
            // Only paths that start at an entry of the root; others are examples in commands.
            let ours = root().join(start).exists() && start != "target";
            if ours && !is_pattern && !root().join(path).exists() {
                complaints.push(format!("{document}: {path} does not exist"));
            }
        }
    }
    report(&complaints);
}

#[test]
fn architecture_fits_and_names_every_crate() {
    let text = text("ARCHITECTURE.md").expect("ARCHITECTURE.md");
    let lines = text.lines().count();
    let mut complaints = Vec::new();
    if lines >= 200 {
        complaints.push(format!("ARCHITECTURE.md has {lines} lines, 200 are the limit"));
    }
    for path in files("crates", &["toml"]).iter().filter(|path| path.ends_with("Cargo.toml")) {
        let folder = path.trim_end_matches("/Cargo.toml");
        if !text.contains(&format!("`{folder}`")) {
            complaints.push(format!("ARCHITECTURE.md: `{folder}` is not on the map"));
        }
    }
    report(&complaints);
}

/// Generated pages: their table cells may be long.
const GENERATED: &[&str] =
    &["docs/drop-in.md", "docs/figures.md", "docs/jobserver.md", "docs/link.md", "docs/ptxas.md", "docs/status.md"];

#[test]
fn lines_of_documents_are_short() {
    let mut complaints = Vec::new();
    let mut seen = 0;
    for path in files("", &["md"]).iter().filter(|path| !GENERATED.contains(&&***path)) {
        let text = text(path).unwrap_or_default();
        let mut code = false;
        for (number, line) in text.lines().enumerate() {
            code ^= line.trim_start().starts_with("```");
            seen += 1;
            // Tables and code cannot be wrapped.
            if !code && !line.trim_start().starts_with('|') && !line.starts_with("    ") && line.chars().count() >= 100
            {
                complaints.push(format!("{path}:{}: {} characters", number + 1, line.chars().count()));
            }
        }
    }
    assert!(seen > 500, "only {seen} lines");
    report(&complaints);
}
