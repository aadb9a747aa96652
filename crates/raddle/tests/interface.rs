//! The public interface is the one that is recorded, in `interface.txt`: a change of it is seen, and is
//! a decision. `UPDATE_CASES=1` records it.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

/// What is public in a source file, line by line: items with their attributes, fields and variants,
/// without comments and bodies of functions.
fn public(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut out: Vec<String> = Vec::new();
    let mut attributes: Vec<&str> = Vec::new();
    let mut lines = text.lines().filter(|line| !line.trim().starts_with("//"));
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if start.starts_with("#[") {
            attributes.push(start);
            continue;
        }
        let is_item = start.starts_with("pub ") || line.starts_with("impl");
        if !is_item {
            attributes.clear();
            continue;
        }
        let mut item = line.trim_end().to_owned();
        // Only a field ends in a comma.
        let is_function = start.starts_with("pub fn");
        while !item.ends_with(['{', '}', ';']) && (is_function || !item.ends_with(',')) {
            let Some(next) = lines.next() else { break };
            item += " ";
            item += next.trim();
        }
        let indent = &line[..line.len() - start.len()];
        out.extend(
            attributes.drain(..).filter(|line| !line.contains("must_use")).map(|line| format!("{indent}{line}")),
        );
        if start.starts_with("pub enum") {
            // Variants and their fields are public.
            out.push(item);
            for line in lines.by_ref().take_while(|line| *line != "}") {
                out.push(line.to_owned());
            }
            continue;
        }
        if start.starts_with("pub trait") {
            // So are functions of traits.
            out.push(item);
            out.extend(lines.by_ref().take_while(|line| *line != "}").map(str::to_owned));
            continue;
        }
        let end = if start.starts_with("pub const") { " =" } else { " {" };
        out.push(item.split_once(end).map_or(item.as_str(), |(head, _)| head).to_owned());
    }
    // A block of functions of which none is public says nothing.
    let own = |line: &str| line.starts_with("impl") && !line.contains(" for ");
    let heads: Vec<bool> = out.iter().map(|line| own(line)).collect();
    let used = |at: usize| out.get(at + 1).is_some_and(|next| next.starts_with(' '));
    let keep: Vec<bool> = heads.iter().enumerate().map(|(at, &is_head)| !is_head || used(at)).collect();
    out.into_iter().zip(keep).filter_map(|(line, keep)| keep.then_some(line)).collect()
}

fn interface() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut out = String::new();
    for file in files {
        out += &format!("// {}\n", file.file_name().unwrap().to_str().unwrap());
        public(&fs::read_to_string(&file).unwrap()).iter().for_each(|line| out += &format!("{line}\n"));
    }
    out
}

#[test]
fn the_public_interface_is_the_one_that_is_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interface.txt");
    let (have, want) = (interface(), fs::read_to_string(&path).unwrap_or_default());
    if std::env::var_os("UPDATE_CASES").is_some() {
        return fs::write(path, have).unwrap();
    }
    let gone: Vec<&str> = want.lines().filter(|line| !have.lines().any(|other| other == *line)).collect();
    let new: Vec<&str> = have.lines().filter(|line| !want.lines().any(|other| other == *line)).collect();
    // What goes needs a new minor version (CONTRIBUTING.md).
    assert!(have == want, "gone: {gone:#?}\nnew: {new:#?}\nif it is meant, UPDATE_CASES=1 records it");
}

#[test]
fn what_is_public_is_found() {
    let text = "/// A.\n#[derive(Clone)]\n#[non_exhaustive]\npub struct A {\n    /// F.\n    pub f: u32,\n    g: u8,\n}\n\n\
                impl A {\n    /// B.\n    #[must_use]\n    pub fn b(\n        self,\n    ) -> u8 {\n        1\n    }\n\n    fn c() {}\n}\n\
                impl A {\n    fn d() {}\n}\n\nimpl Copy for A {}\n\npub(crate) fn e() {}\n\npub enum E {\n    /// X.\n    X(u8),\n}\n\
                pub const K: u8 = 3;\npub use a::B;\n#[cfg(test)]\npub fn t() {}\n";
    let want = ["#[derive(Clone)]", "#[non_exhaustive]", "pub struct A", "    pub f: u32,", "impl A"];
    let more = [
        "    pub fn b( self, ) -> u8",
        "impl Copy for A",
        "pub enum E {",
        "    X(u8),",
        "pub const K: u8",
        "pub use a::B;",
    ];
    // The head of the block without public functions is followed by one of a trait.
    assert_eq!(public(text), [&want[..], &more[..]].concat());
}
