//! Reports pragmas that have no effect or are misplaced (PTX ISA 9.0, 11.4 and 12; behaviour of
//! ptxas 13.0.88).
//!
//! Problem: a misspelled pragma silently does nothing. Strategy: the strings are searched in the
//! texts, since the trees of bodies do not store them. Every place in the module and in compiled
//! functions is reported.
//!
//! | pragma | in a body | after a kernel's parameters | at module scope |
//! |---|---|---|---|
//! | `nounroll` | applied | applied | applied |
//! | `used_bytes_mask N`, `frequency N`, `enable_smem_spilling` | accepted | an error | an error |
//! | any other | a warning | a warning | an error |

use super::names::Reach;
use super::{Module, Program};
use crate::codes;
use raddle_diag::{Diagnostic, Diags, Span};
use raddle_ptx::Func;
use std::ops::Range;

/// The place of a pragma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    Module,
    Header,
    Body,
}

/// The argument of a pragma of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wants {
    Nothing,
    Number,
    Positive,
}

/// Pragmas of bodies, identified by prefix.
const OF_BODIES: &[(&str, Wants)] =
    &[("used_bytes_mask", Wants::Number), ("enable_smem_spilling", Wants::Nothing), ("frequency", Wants::Positive)];

/// A problem with a pragma: the message, and whether it is an error.
fn fault(text: &str, scope: Scope) -> Option<(String, bool)> {
    if text == "nounroll" {
        return None;
    }
    let Some(&(name, wants)) = OF_BODIES.iter().find(|(name, _)| text.starts_with(name)) else {
        return Some(match scope {
            Scope::Module => (format!("pragma '{text}' is not supported at module scope"), true),
            _ => (format!("pragma '{text}' is not supported and has no effect"), false),
        });
    };
    if scope != Scope::Body {
        return Some((format!("pragma '{text}' is outside a function body"), true));
    }
    // One character of any kind separates name and argument.
    let rest = text.get(name.len()..).unwrap_or_default();
    let argument = rest.char_indices().nth(1).map_or("", |(at, _)| &rest[at..]);
    let message = match (wants, argument, number(argument)) {
        (Wants::Nothing, ..) => return None,
        (_, "", _) => format!("pragma '{name}' lacks its argument"),
        (Wants::Number, _, Some(_)) => return None,
        (Wants::Positive, _, Some(value)) if value > 0 => return None,
        _ => format!("'{argument}' is not a valid argument of pragma '{name}'"),
    };
    Some((message, true))
}

/// Parses a number like C's `strtoll` with base 0; the whole text must be one.
fn number(text: &str) -> Option<i128> {
    let text = text.trim_ascii_start();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (base, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(rest) => (16, rest),
        None if digits.starts_with('0') => (8, digits),
        None => (10, digits),
    };
    let plain = digits.chars().all(|c| c.is_digit(base)) && !digits.is_empty();
    let value = if plain { i128::from_str_radix(digits, base).ok()? } else { return None };
    Some(if negative { -value } else { value })
}

/// The strings of the pragmas in a text, as ranges that include the quotes.
fn strings(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut inside) = (0, false);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let skipped = |end: &[u8]| memchr::memmem::find(rest, end).map_or(rest.len(), |found| found + end.len());
        at += match rest {
            [b'/', b'/', ..] => skipped(b"\n"),
            [b'/', b'*', ..] => skipped(b"*/"),
            [b'"', tail @ ..] => {
                let length = memchr::memchr(b'"', tail).map_or(rest.len(), |end| end + 2);
                if inside {
                    out.push(at..at + length);
                }
                length
            }
            _ if rest.starts_with(b".pragma")
                && !rest.get(7).is_some_and(|&c| c.is_ascii_alphanumeric() || c == b'_') =>
            {
                inside = true;
                7
            }
            [b';', ..] => {
                inside = false;
                1
            }
            _ => 1,
        };
    }
    out
}

/// Whether a text has pragmas besides the one that compilers write. Saves reading most texts byte by
/// byte.
pub(super) fn has_rare(text: &str) -> bool {
    let mut places = memchr::memmem::find_iter(text.as_bytes(), b".pragma");
    places.any(|at| !text[at + 7..].trim_ascii_start().starts_with("\"nounroll\";"))
}

/// The same for a module, the texts of whose functions have been surveyed; `functions` in the order
/// of the text.
fn module_has_rare(module: &Module, functions: &[&Func]) -> bool {
    let starts = functions.iter().map(|function| function.text.start).chain([module.text.len()]);
    let ends = [0].into_iter().chain(functions.iter().map(|function| function.text.end));
    let between = |(end, start): (usize, usize)| module.text.get(end..start).is_some_and(has_rare);
    module.surveys.has_rare_pragmas() || ends.zip(starts).any(between)
}

/// Reports useless and wrong pragmas of a program: in the module, and in functions that are
/// compiled or inlined; in all functions for an object.
pub(crate) fn check(program: &Program, all: bool, diags: &mut Diags) {
    for (index, module) in program.modules.iter().enumerate() {
        let mut functions: Vec<&Func> = module.outline.funcs.values().collect();
        functions.sort_by_key(|f| f.text.start);
        if !module_has_rare(module, &functions) {
            continue;
        }
        let mut reach = Reach::new(&module.outline, &module.text);
        for unit in program.units.iter().filter(|unit| unit.makes_object() && unit.module == index) {
            reach.add(&unit.name);
        }
        for place in strings(&module.text) {
            let before = functions.partition_point(|f| f.text.start <= place.start);
            let around = functions[..before].last().copied().filter(|f| f.text.contains(&place.start));
            // A function that no compiled kernel reaches is reported only if the object contains
            // it.
            if around.is_some_and(|f| !reach.has(&f.name) && (!all || f.entry)) {
                continue;
            }
            if let Some((message, is_error)) = found(module, &place, around) {
                let new = if is_error { Diagnostic::error } else { Diagnostic::warning };
                let at = Span::new(module.file, place.start as u32, place.end as u32);
                let said = new(codes::E0090, message).at(at, "");
                diags.push(match around {
                    Some(function) => said.in_function(&*function.name),
                    None => said,
                });
            }
        }
    }
}

/// The finding about a pragma's string in the function that contains it.
fn found(module: &Module, place: &Range<usize>, around: Option<&Func>) -> Option<(String, bool)> {
    let text = module.text.get(place.start + 1..place.end - 1)?;
    let scope = match around {
        None => Scope::Module,
        Some(f) if f.body.as_ref().is_some_and(|body| body.contains(&place.start)) => Scope::Body,
        Some(_) => Scope::Header,
    };
    fault(text, scope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_pragmas_are_found_behind_comments_and_other_strings() {
        let text = ".file 1 \"a;.pragma.c\" // .pragma \"no\";\n.pragma \"a\", /* \"no\" */ \"b;\"; .section \"c\" .pragmas \"d\"; .pragma\"e\";.pragma \"";
        let found: Vec<&str> = strings(text).into_iter().map(|place| &text[place]).collect();
        assert_eq!(found, ["\"a\"", "\"b;\"", "\"e\"", "\""]);
    }

    #[test]
    fn rare_pragmas_are_seen_within_functions_and_between_them() {
        let head = ".version 8.0\n.target sm_80\n.address_size 64\n";
        let common = ".pragma \"nounroll\";";
        for rare in [".pragma \"a\";", ".pragma \"nounroll\", \"a\";", ".pragma\n\"frequency 3\";"] {
            for at in 0..7 {
                let p = |n: usize| if n == at { rare } else { common };
                let text = format!(
                    "{head}{} .entry a() {} {{ {} }}\n{} .func b() {{ {} }} {}",
                    p(0),
                    p(1),
                    p(2),
                    p(3),
                    p(4),
                    p(5)
                );
                let outline = raddle_ptx::outline(&text, raddle_diag::FileId::FIRST, &mut raddle_diag::Diags::new());
                let text = std::sync::Arc::new(text);
                let module = Module::new(raddle_diag::FileId::FIRST, text, outline, &raddle_entity::Serial);
                let functions: Vec<&Func> = module.outline.funcs.values().collect();
                assert_eq!(functions.len(), 2);
                assert_eq!(module_has_rare(&module, &functions), at < 6, "{}", module.text);
            }
        }
    }

    #[test]
    fn arguments_are_read_as_ptxas_reads_them() {
        // ptxas 13.0.88 output: the character after the name is skipped, whatever it is.
        let good = [
            "used_bytes_mask 15",
            "used_bytes_mask -1",
            "used_bytes_mask 0",
            "used_bytes_maskx 3",
            "used_bytes_mask 017",
        ];
        let also =
            ["frequency 0x10", "frequency  10", "frequency=10", "frequency +10", "frequency 99999999999", "nounroll"];
        for text in
            good.iter().chain(&also).chain(&["enable_smem_spilling", "enable_smem_spilling 3", "enable_smem_spillingx"])
        {
            assert_eq!(fault(text, Scope::Body), None, "{text}");
        }
        let bad =
            ["used_bytes_mask", "used_bytes_mask 0xg", "used_bytes_mask 1 2", "used_bytes_mask 0b11", "frequency"];
        for text in bad.iter().chain(&[
            "frequency 0",
            "frequency -1",
            "frequency 10 ",
            "frequency10",
            "frequency 1.5",
            "frequency 08",
        ]) {
            assert!(fault(text, Scope::Body).is_some_and(|(_, is_error)| is_error), "{text}");
        }
        for text in ["foo", "", "nounroll ", "NOUNROLL", "unroll 1", "Frequency 10"] {
            assert!(fault(text, Scope::Body).is_some_and(|(_, is_error)| !is_error), "{text}");
            assert!(fault(text, Scope::Header).is_some_and(|(_, is_error)| !is_error), "{text}");
            assert!(fault(text, Scope::Module).is_some_and(|(_, is_error)| is_error), "{text}");
        }
        for scope in [Scope::Module, Scope::Header] {
            assert!(fault("frequency 10", scope).is_some_and(|(_, is_error)| is_error));
            assert_eq!(fault("nounroll", scope), None);
        }
    }
}
