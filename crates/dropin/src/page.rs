//! The page `docs/drop-in.md`.

use crate::Meaning::{self, AlreadySo, ByValue, FallbackOnly, Here, InPart, NoEffect, NotSupported, Same};
use crate::asked::TOGETHER;
use crate::ptxas::PTXAS;
use crate::{Place, Row, TOOLS, Tool};
use std::fmt::Write as _;

const HEAD: &str = include_str!("page.md");

/// The table of callers, which `cargo campaign callers --record` writes, and its place in the page.
const CALLERS: &str = include_str!("callers.md");
const PLACE: &str = "<!-- callers -->\n";

/// The place of the list of what is refused.
const REFUSED: &str = "<!-- refused -->\n";

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

/// What a meaning refuses: values, empty for all of them, with the reason.
fn refusals(meaning: Meaning) -> Vec<(&'static str, &'static str)> {
    let why = |meaning| if let NotSupported(why) = meaning { Some(why) } else { None };
    match meaning {
        ByValue(values) => values.iter().filter_map(|&(value, meaning)| Some((value, why(meaning)?))).collect(),
        meaning => why(meaning).map(|why| ("", why)).into_iter().collect(),
    }
}

/// Everything that is refused: by all tools, then by the library alone, then together with others.
fn refused() -> String {
    let mut out = String::from("| tool | option | why |\n|---|---|---|\n");
    let mut add = |tool: &str, option: &str, why: &str| {
        let _ = writeln!(out, "| {tool} | `{option}` | {} |", why.replace('|', "\\|"));
    };
    let option = |row: &Row, value: &str| {
        if value.is_empty() { format!("--{}", row.long) } else { format!("--{}={value}", row.long) }
    };
    for tool in TOOLS {
        for row in tool.options {
            for (value, why) in refusals(row.under_name()) {
                add(tool.name, &option(row, value), why);
            }
        }
    }
    for &(options, why) in TOGETHER {
        add("ptxas", options, why);
    }
    for row in PTXAS.options {
        let named = refusals(row.under_name());
        for (value, why) in refusals(row.meaning_in(Place::Library)) {
            if !named.contains(&(value, why)) {
                add("nvPTXCompiler", &option(row, value), why);
            }
        }
    }
    out
}

/// The whole page.
pub fn page() -> String {
    let mut out = HEAD.replace(PLACE, CALLERS).replace(REFUSED, &refused());
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

    /// Wherever a table refuses something, the list of the page says what and why.
    #[test]
    fn everything_that_is_refused_is_listed_with_its_reason() {
        let page = page();
        let (_, list) = page.split_once("## Refused").unwrap();
        let list: Vec<&str> = list.split("\n## ").next().unwrap().lines().collect();
        let has = |tool: &str, option: &str, why: &str| {
            let line = format!("| {tool} | `--{option}` | {} |", why.replace('|', "\\|"));
            assert!(!why.is_empty() && list.contains(&&*line), "{line}");
        };
        let mut count = 0;
        for tool in TOOLS {
            for row in tool.options {
                let mut of = |tool: &str, meaning: Meaning| match meaning {
                    NotSupported(why) => {
                        count += 1;
                        has(tool, row.long, why);
                    }
                    ByValue(values) => {
                        for (value, meaning) in values {
                            if let NotSupported(why) = meaning {
                                count += 1;
                                has(tool, &format!("{}={value}", row.long), why);
                            }
                        }
                    }
                    _ => {}
                };
                of(tool.name, row.under_name());
                if let Some(meaning) = row.in_library {
                    of("nvPTXCompiler", meaning);
                }
            }
        }
        assert!(count > 30, "{count}");
        let lines = list.iter().filter(|line| line.contains("| `--")).count();
        assert_eq!(lines, count + TOGETHER.len());
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
