//! The page `docs/drop-in.md`.

use crate::Meaning::{self, AlreadySo, ByValue, FallbackOnly, Here, InPart, NoEffect, NotSupported, Same};
use crate::{Row, TOOLS, Tool};
use std::fmt::Write as _;

const HEAD: &str = include_str!("page.md");

/// The table of callers, which `cargo campaign callers --record` writes, and its place in the page.
const CALLERS: &str = include_str!("callers.md");
const PLACE: &str = "<!-- callers -->\n";

/// The class of a meaning and its reason, which may be empty.
pub fn class(meaning: Meaning) -> (&'static str, String) {
    match meaning {
        Same(_) | Here => ("the same", String::new()),
        InPart(why) => ("in part", why.to_owned()),
        AlreadySo(why) => ("harmless", format!("always so, {why}")),
        NoEffect(why) | FallbackOnly(why) => ("harmless", format!("no effect, {why}")),
        NotSupported(why) => ("refused", why.to_owned()),
        ByValue(values) => {
            // Neighbours of one meaning are one part: `0 to 4`.
            let mut parts: Vec<(&str, &str, Meaning)> = Vec::new();
            for &(value, meaning) in values {
                match parts.last_mut().filter(|part| part.2 == meaning) {
                    Some(part) => part.1 = value,
                    None => parts.push((value, value, meaning)),
                }
            }
            let part = |&(first, last, meaning): &(&str, &str, Meaning)| {
                let (class, why) = class(meaning);
                let values = if first == last { first.to_owned() } else { format!("{first} to {last}") };
                format!("{values} is {class} ({why})")
            };
            ("by value", parts.iter().map(part).collect::<Vec<_>>().join("; "))
        }
    }
}

fn line(row: &Row) -> String {
    let (class, why) = class(row.under_name());
    let short = if row.short.is_empty() { String::new() } else { format!("`-{}`", row.short) };
    format!("| `--{}` | {short} | {class} | {} |\n", row.long, why.replace('|', "\\|"))
}

fn table(tool: &Tool) -> String {
    let mut out = format!("\n### {}\n\n| option | short | | why |\n|---|---|---|---|\n", tool.name);
    out.extend(tool.options.iter().map(line));
    out
}

/// The whole page.
pub fn page() -> String {
    let mut out = HEAD.replace(PLACE, CALLERS);
    for tool in TOOLS {
        let _ = write!(out, "{}", table(tool));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_line_and_a_class() {
        let page = page();
        for row in TOOLS.iter().flat_map(|tool| tool.options) {
            let line = page.lines().find(|line| line.starts_with(&format!("| `--{}` ", row.long))).unwrap();
            let classes = ["the same", "in part", "harmless", "refused", "by value"];
            assert!(classes.iter().any(|class| line.contains(&format!("| {class} |"))), "{line}");
            assert!(line.contains("the same") || !line.ends_with("|  |"), "{line}");
        }
    }

    #[test]
    fn the_page_in_the_tree_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/drop-in.md");
        assert!(std::fs::read_to_string(path).unwrap() == page(), "run `cargo xtask drop-in`");
    }

    #[test]
    fn values_of_one_meaning_are_one_part() {
        let levels = &[("0", NoEffect("a")), ("1", NoEffect("a")), ("2", NotSupported("b"))];
        let want = "0 to 1 is harmless (no effect, a); 2 is refused (b)";
        assert_eq!(class(ByValue(levels)), ("by value", want.to_owned()));
    }
}
