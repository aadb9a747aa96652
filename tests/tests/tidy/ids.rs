//! Ids of decisions and requirements: each cited id exists, and so do the files and tests named in
//! the rows of requirements.
//!
//! The pages are `docs/decisions.md`, a heading for each decision, and `docs/requirements.md`, a
//! table row for each requirement. A requirement is cited by its full id anywhere; a decision in a
//! Rust comment, and elsewhere after the word "decision" or in parentheses, since a letter with a
//! number also names modifiers of machine instructions.

use std::collections::BTreeSet;

use regex::Regex;

use super::tree::{files, report, root, text};

const DECISIONS: &str = "docs/decisions.md";
const REQUIREMENTS: &str = "docs/requirements.md";

/// Extensions of files that may contain citations.
const CITING: &[&str] = &["rs", "md", "toml", "ir", "sh", "c", "cu", "h", "ptx", "html", "lock"];

/// This file: its tests cite ids that do not exist.
const RULE: &str = "tests/tests/tidy/ids.rs";

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// The numbers of the decisions in a page, from its headings, in order.
fn decisions(page: &str) -> Vec<usize> {
    let heading = pattern(r"(?m)^## D([1-9]\d*): \S");
    heading.captures_iter(page).map(|found| found[1].parse().expect("a number")).collect()
}

/// The ids of the rows of a page's tables, in order.
fn requirements(page: &str) -> Vec<String> {
    let row = pattern(r"(?m)^\| ([A-Z]+-[1-9]\d*) \|");
    row.captures_iter(page).map(|found| found[1].to_owned()).collect()
}

/// The ids defined in both pages.
fn known() -> BTreeSet<String> {
    let [first, second] = [DECISIONS, REQUIREMENTS].map(|page| text(page).expect("a page"));
    decisions(&first).into_iter().map(|n| format!("D{n}")).chain(requirements(&second)).collect()
}

/// The patterns of citations.
struct Citations {
    requirement: Regex,
    rest: Regex,
    decision: Regex,
    marked: Regex,
}

impl Citations {
    fn new() -> Citations {
        Citations {
            requirement: pattern(r"\b(?:POOL|JOB|TOK|ISO|OPT|SPLIT|DRV|GEN|LNK|MEM|BEY)-\d+\b"),
            rest: pattern(r"\b(?:POOL|JOB|TOK|ISO|OPT|SPLIT|DRV|GEN|LNK|MEM|BEY)-\d+[,;] \d"),
            decision: pattern(r"\bD\d+\b"),
            marked: pattern(
                r"\((?:decisions? )?D\d+(?:(?:, | and | to )D\d+)*\)|\b[Dd]ecisions? D\d+(?:(?:, | and | to )D\d+)*",
            ),
        }
    }

    /// The ids cited in a line of a file.
    fn of<'a>(&self, line: &'a str, is_rust: bool) -> Vec<&'a str> {
        let mut out: Vec<&str> = self.requirement.find_iter(line).map(|found| found.as_str()).collect();
        let comment = line.find("//").filter(|_| is_rust);
        let code = &line[..comment.unwrap_or(line.len())];
        let marked = self.marked.find_iter(code).map(|found| found.as_str());
        let places = marked.chain(comment.map(|at| &line[at..]));
        out.extend(places.flat_map(|place| self.decision.find_iter(place)).map(|found| found.as_str()));
        out
    }

    /// The invalid citations in a text.
    fn wrong(&self, path: &str, text: &str, known: &BTreeSet<String>) -> Vec<String> {
        let mut complaints = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let unknown = self.of(line, path.ends_with(".rs")).into_iter().filter(|id| !known.contains(*id));
            complaints.extend(unknown.map(|id| format!("{path}:{number}: no page has {id}")));
            if self.rest.is_match(line) {
                complaints.push(format!("{path}:{number}: each id is written whole"));
            }
        }
        complaints
    }
}

/// Errors in the rows of requirements: `read` returns the text of a file that exists.
fn wrong_rows(page: &str, read: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let quoted = pattern(r"`([^`]+)`");
    let name = pattern(r"^[a-z][a-z0-9_]*$");
    let mut complaints = Vec::new();
    for line in page.lines().filter(|line| !requirements(line).is_empty()) {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [id, _, done, tests] = cells[..] else {
            complaints.push(format!("{line}: four cells are wanted"));
            continue;
        };
        let paths = quoted.captures_iter(done).map(|found| found.get(1).map_or("", |text| text.as_str()));
        complaints.extend(paths.filter(|path| read(path).is_none()).map(|path| format!("{id}: {path} does not exist")));
        let (mut file, mut named) = (None, 0);
        for found in quoted.captures_iter(tests) {
            let word = &found[1];
            if word.contains('/') {
                file = read(word);
                if file.is_none() {
                    complaints.push(format!("{id}: {word} does not exist"));
                }
            } else if name.is_match(word) {
                named += 1;
                let test = pattern(&format!(r"#\[test\]\s*(?:#\[[^\]]*\]\s*)*fn {word}\("));
                if !file.as_ref().is_some_and(|text| test.is_match(text)) {
                    complaints.push(format!("{id}: its file has no test {word}"));
                }
            }
        }
        if named == 0 && !tests.contains("not yet") && !tests.contains("no test") {
            complaints.push(format!("{id}: neither a test nor what is missing"));
        }
        if named > 0 && !done.contains('`') {
            complaints.push(format!("{id}: a test, and no file that it tests"));
        }
    }
    complaints
}

#[test]
fn every_cited_id_exists() {
    let (citations, known) = (Citations::new(), known());
    let mut complaints = Vec::new();
    let mut paths = files(".", CITING);
    paths.push("Makefile".to_owned());
    for path in paths.iter().map(|path| path.trim_start_matches("./")).filter(|path| *path != RULE) {
        complaints.extend(citations.wrong(path, &text(path).unwrap_or_default(), &known));
    }
    report(&complaints);
}

#[test]
fn the_pages_have_each_id_once() {
    let found = decisions(&text(DECISIONS).expect("a page"));
    assert_eq!(found, (1..=found.len()).collect::<Vec<_>>());
    let rows = requirements(&text(REQUIREMENTS).expect("a page"));
    let mut seen = BTreeSet::new();
    report(&rows.iter().filter(|id| !seen.insert(*id)).map(|id| format!("{id} has two rows")).collect::<Vec<_>>());
    assert!(found.len() >= 34 && rows.len() >= 78, "{} decisions, {} requirements", found.len(), rows.len());
}

#[test]
fn rows_of_requirements_name_what_exists() {
    let page = text(REQUIREMENTS).expect("a page");
    report(&wrong_rows(&page, &|path| text(path).filter(|_| root().join(path).is_file())));
}

#[test]
fn decisions_name_paths_that_exist() {
    let page = text(DECISIONS).expect("a page");
    let path = pattern(r"`((?:campaigns|crates|docs|isa|tests|xtask)/[\w./-]+)`");
    let paths = path.captures_iter(&page).map(|found| found[1].to_owned());
    report(&paths.filter(|path| !root().join(path).exists()).collect::<Vec<_>>());
}

#[test]
fn an_unknown_id_is_refused() {
    let known: BTreeSet<String> = ["D1", "D9", "DRV-14", "DRV-23", "POOL-1", "POOL-5"].map(str::to_owned).into();
    let wrong = |path: &str, text: &str| Citations::new().wrong(path, text, &known).len();
    for (path, text, count) in [
        ("a.rs", "//! The unit (D9), and options (DRV-14, DRV-23).", 0),
        ("a.rs", "    let a = Mod::D2; // as D9 has it", 0),
        ("a.rs", "//! POOL-1 to POOL-5 through the public interface.", 0),
        ("a.rs", "//! The loop (DRV-14, DRV-99).", 1),
        ("a.rs", "/// Which may not be (D40).", 1),
        ("a.rs", "/// What the scan of D2 finds.", 1),
        ("a.rs", "#[allow(dead_code, reason = \"as decision D77 says\")]", 1),
        ("a.rs", "complaints.push(format!(\"{path}: no build scripts (D15)\"));", 1),
        ("a.rs", "//! The loop (DRV-14, 23).", 1),
        ("a.toml", "reason = \"its threads hold no token (D17)\"", 1),
        ("a.toml", "text = \"D2\" # a modifier", 0),
        ("a.md", "See decisions D1 and D8; TOK-1 is none.\nNor is MEM-3.", 3),
        ("a.ir", "# a vote stays (D9), a load too (D3)", 1),
    ] {
        assert_eq!(wrong(path, text), count, "{path}: {text}");
    }
}

#[test]
fn a_row_that_names_what_is_not_there_is_refused() {
    let read = |path: &str| (path == "a/b.rs").then(|| "#[test]\nfn right() {}\nfn helper() {}\n".to_owned());
    let wrong = |row: &str| wrong_rows(row, &read).len();
    for (row, count) in [
        ("| DRV-1 | What. | `a/b.rs` | `a/b.rs`: `right` |", 0),
        ("| DRV-1 | What. | - | LLVM: not yet |", 0),
        ("| DRV-1 | What. | `a/b.rs` | no test |", 0),
        ("| DRV-1 | What. | `a/c.rs` | `a/b.rs`: `right` |", 1),
        ("| DRV-1 | What. | `a/b.rs` | `a/b.rs`: `right`, `helper` |", 1),
        ("| DRV-1 | What. | `a/b.rs` | `a/b.rs`: `missing` |", 1),
        ("| DRV-1 | What. | `a/b.rs` | `a/c.rs`: `right` |", 2),
        ("| DRV-1 | What. | `a/b.rs` | - |", 1),
        ("| DRV-1 | What. | - | `a/b.rs`: `right` |", 1),
        ("| DRV-1 | What. | `a/b.rs` |", 1),
    ] {
        assert_eq!(wrong(row), count, "{row}");
    }
}
