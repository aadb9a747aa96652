//! Modules do not depend on each other in circles: dependencies between sibling modules of a folder
//! go one way only.
//!
//! Strategy: the paths in the code of each file (`crate::`, `super::`, `self::`, in `use` and
//! elsewhere) are resolved to files, through re-exports; an edge counts between the two
//! sub-folders, or files, at which the paths of the two modules diverge. A module and its
//! sub-modules may use each other. Tests in a file do not count.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use super::source::code;
use super::tree::{files, text};

/// Names of a path, from the crate's root on.
type Path = Vec<String>;

/// The modules of a crate: path in the module tree, and the code.
fn modules(folder: &str) -> BTreeMap<Path, String> {
    let sources =
        files("crates", &["rs"]).into_iter().filter_map(|file| Some((file.strip_prefix(folder)?.to_owned(), file)));
    let sources = sources.filter(|(name, _)| !name.ends_with("tests.rs") && !name.starts_with("bin/"));
    let module = |(name, file): (String, String)| {
        let mut path: Path = name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if path.last().is_some_and(|last| last == "mod" || last == "lib" || last == "main") {
            path.pop();
        }
        (path, plain(&text(&file).unwrap_or_default()))
    };
    sources.map(module).collect()
}

/// Code without comments, strings and tests.
fn plain(text: &str) -> String {
    let noise = Regex::new(r#"//[^\n]*|"(?:\\.|[^"\\])*""#).expect("a pattern");
    noise.replace_all(code(text), "").into_owned()
}

/// Expands a `use` tree to single paths.
fn expand(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, body)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![path.trim().to_owned()];
    };
    let body = body.trim_end().strip_suffix('}').unwrap_or(body);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in body.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match (c, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().expect("a part").push(c),
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expand(part)).map(|part| format!("{}{part}", before.trim())).collect()
}

/// Resolves a path as written in a module: the module of the crate that it leads to, and the
/// remaining names.
fn resolve(all: &BTreeMap<Path, String>, from: &Path, written: &str) -> (Path, Vec<String>) {
    let names: Vec<&str> = written.split("::").map(str::trim).filter(|name| !name.is_empty()).collect();
    let mut names = names.into_iter().peekable();
    let mut at = from.clone();
    if names.next_if_eq(&"crate").is_some() {
        at.clear();
    }
    names.next_if_eq(&"self");
    while names.next_if_eq(&"super").is_some() {
        at.pop();
    }
    while let Some(name) = names.peek() {
        let mut next = at.clone();
        next.push((*name).to_owned());
        if !all.contains_key(&next) {
            break;
        }
        at = next;
        names.next();
    }
    (at, names.map(str::to_owned).collect())
}

/// Edges between sibling modules: folder, from, to.
fn edges(all: &BTreeMap<Path, String>) -> BTreeSet<(Path, String, String)> {
    let uses = Regex::new(r"\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]*);").expect("a pattern");
    let inline = Regex::new(r"\b(?:crate|super)(?:::\w+)+").expect("a pattern");
    let mut reexports: BTreeMap<(Path, String), Path> = BTreeMap::new();
    for (from, code) in all {
        for found in uses.captures_iter(code).filter(|found| found.get(1).is_some()) {
            for path in expand(&found[2]) {
                let (to, names) = resolve(all, from, &path);
                if let (Some(name), true) = (names.first(), to != *from) {
                    reexports.insert((from.clone(), name.clone()), to);
                }
            }
        }
    }
    let mut edges = BTreeSet::new();
    for (from, code) in all {
        let named = uses.captures_iter(code).flat_map(|found| expand(&found[2]));
        let named = named.filter(|path| ["crate", "super", "self"].iter().any(|root| path.starts_with(root)));
        let rest = uses.replace_all(code, "");
        let inline = inline.find_iter(&rest).map(|found| found.as_str().to_owned());
        for path in named.chain(inline.collect::<Vec<_>>()) {
            let (mut to, names) = resolve(all, from, &path);
            while let Some(real) = names.first().and_then(|name| reexports.get(&(to.clone(), name.clone()))) {
                to.clone_from(real);
            }
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if let (Some(a), Some(b)) = (from.get(shared), to.get(shared)) {
                edges.insert((from[..shared].to_vec(), a.clone(), b.clone()));
            }
        }
    }
    edges
}

/// Sets of modules that reach each other: folder and names.
fn circles(all: &BTreeMap<Path, String>) -> BTreeSet<(Path, Vec<String>)> {
    let mut out = BTreeSet::new();
    let mut folders: BTreeMap<Path, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (folder, a, b) in edges(all) {
        folders.entry(folder).or_default().entry(a).or_default().insert(b);
    }
    for (folder, uses) in folders {
        let reach = |start: &String| {
            let (mut seen, mut work) = (BTreeSet::new(), vec![start]);
            while let Some(name) = work.pop() {
                work.extend(uses.get(name).into_iter().flatten().filter(|&next| seen.insert(next.clone())));
            }
            seen
        };
        let reached: BTreeMap<&String, BTreeSet<String>> = uses.keys().map(|name| (name, reach(name))).collect();
        for (name, seen) in reached.iter().filter(|(name, seen)| seen.contains(**name)) {
            let back = |other: &&String| reached.get(other).is_some_and(|seen| seen.contains(*name));
            out.insert((folder.clone(), seen.iter().filter(back).cloned().collect()));
        }
    }
    out
}

#[test]
fn arrows_between_modules_go_one_way() {
    let crates: BTreeSet<String> = files("crates", &["rs"])
        .iter()
        .filter_map(|file| Some(file.strip_prefix("crates/")?.split_once("/src/")?.0.to_owned()))
        .collect();
    let mut found = BTreeSet::new();
    for name in crates {
        let all = modules(&format!("crates/{name}/src/"));
        assert!(!all.is_empty(), "{name} has no modules");
        for (folder, names) in circles(&all) {
            found.insert((std::iter::once(name.clone()).chain(folder).collect::<Vec<_>>().join("/"), names));
        }
    }
    assert!(found.is_empty(), "modules that use each other: {found:#?}");
}

#[test]
fn a_circle_is_found_through_use_trees_paths_and_reexports() {
    let of = |files: &[(&str, &str)]| -> BTreeMap<Path, String> {
        let path = |name: &str| name.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        files.iter().map(|(name, text)| (path(name), plain(text))).collect()
    };
    let two = of(&[
        ("", "pub use a::Thing;"),
        ("a", "use crate::{b::{self, Other}, c};"),
        ("b", "fn f(x: crate::Thing) {} // crate::c::g"),
        ("c", "\n#[cfg(test)]\nmod tests { use crate::a::Thing; }"),
    ]);
    assert_eq!(circles(&two), BTreeSet::from([(vec![], vec!["a".to_owned(), "b".to_owned()])]));
    let inside = of(&[("", ""), ("x", ""), ("x/a", "use super::b;"), ("x/b", "use super::super::x::a::T;")]);
    assert_eq!(circles(&inside), BTreeSet::from([(vec!["x".to_owned()], vec!["a".to_owned(), "b".to_owned()])]));
    let rooms =
        of(&[("", ""), ("x", "use crate::y::a;"), ("x/k", "use super::T;"), ("y", ""), ("y/a", "use super::U;")]);
    assert!(circles(&rooms).is_empty());
}
