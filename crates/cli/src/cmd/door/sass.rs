//! Machine code in the columns of cuobjdump and nvdisasm (13.4 output), which callers take apart by
//! regular expressions.
//!
//! ```text
//!         /*0070*/              @!P0 IMAD.WIDE R4, R0, R3, c[0x0][0x210] ;  /* 0x0000840000048625 */
//!                                                                           /* 0x000fe200078e0203 */
//! ```

use crate::cmd::disasm::{isa, text};
use raddle_cubin::Cubin;
use raddle_cubin::view::Kernel;
use regex_lite::Regex;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The columns of guards, after the address.
const GUARD: usize = 19;

/// How instructions are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Print the words.
    pub words: bool,
    /// Print labels instead of the addresses that branches name.
    pub labels: bool,
    /// The fewest columns of instructions before the words.
    pub width: usize,
}

/// Labels in a file, which are numbered through.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Labels(usize);

impl Labels {
    /// A new one.
    pub(super) fn next(&mut self) -> String {
        self.0 += 1;
        format!(".L_x_{}", self.0 - 1)
    }
}

/// The columns of the widest instruction of a function; `None` for an architecture without tables.
pub(super) fn width(cubin: &Cubin, function: &Kernel<'_>) -> Option<usize> {
    let isa = isa(cubin.header.sm())?;
    let texts = (0..).zip(function.code.chunks(16)).map(|(i, word)| text(isa, word, i * 16));
    Some(texts.map(|text| guard(&text).1.len()).max().unwrap_or(0))
}

/// The instructions of a function; `None` for an architecture without tables.
pub(super) fn code(cubin: &Cubin, function: &Kernel<'_>, style: Style, labels: &mut Labels) -> Option<String> {
    let isa = isa(cubin.header.sm())?;
    let mut texts: Vec<String> = (0..).zip(function.code.chunks(16)).map(|(i, word)| text(isa, word, i * 16)).collect();
    close_up(&mut texts);
    let named = if style.labels { name_targets(&mut texts, labels) } else { BTreeMap::new() };
    let guarded: Vec<(&str, &str)> = texts.iter().map(|text| guard(text)).collect();
    let width = guarded.iter().map(|(_, text)| text.len()).max().unwrap_or(0).max(style.width);
    let mut out = String::new();
    for ((i, word), (guard, text)) in (0_u64..).zip(function.code.chunks(16)).zip(guarded) {
        if let Some(label) = named.get(&(i * 16)) {
            let _ = writeln!(out, "{label}:");
        }
        let _ = write!(out, "        /*{:04x}*/{guard:>GUARD$}", i * 16);
        let halves: Vec<u64> =
            word.chunks_exact(8).filter_map(|half| Some(u64::from_le_bytes(half.try_into().ok()?))).collect();
        match &halves[..] {
            [low, high] if style.words => {
                let column = 8 + format!("/*{:04x}*/", i * 16).len() + GUARD + width + 2;
                let _ = writeln!(out, "{text:<width$}  /* {low:#018x} */\n{:column$}/* {high:#018x} */", "");
            }
            _ => out += &format!("{text}\n"),
        }
    }
    Some(out)
}

/// Takes the blank before the semicolon from what fills a function up: a branch to itself, and what
/// follows it.
fn close_up(texts: &mut [String]) {
    let own = |at: usize| format!("BRA {:#x} ;", at * 16);
    let filling = texts.iter().rev().take_while(|text| *text == "NOP ;").count();
    let Some(first) = (texts.len() - filling).checked_sub(1).filter(|&at| texts[at] == own(at)) else { return };
    for text in &mut texts[first..] {
        *text = text.replace(" ;", ";");
    }
}

/// The guard of an instruction with its blank, and the rest.
fn guard(text: &str) -> (&str, &str) {
    if text.starts_with('@') { text.split_at(text.find(' ').map_or(0, |at| at + 1)) } else { ("", text) }
}

/// Replaces the addresses that branches name by labels; returns these by address.
fn name_targets(texts: &mut [String], labels: &mut Labels) -> BTreeMap<u64, String> {
    // Constant and checked by a test: without it addresses stay.
    let pattern = r"^((?:@\S+ )?(?:BRA|BSSY|CALL\.REL|BRX|JMP)(?:\.\S+)? (?:.*, |.* )?)(0x[0-9a-f]+)( ?;)$";
    let Ok(branch) = Regex::new(pattern) else { return BTreeMap::new() };
    let target = |text: &str| {
        let found = branch.captures(text)?;
        u64::from_str_radix(found[2].strip_prefix("0x")?, 16).ok()
    };
    let within = texts.len() as u64 * 16;
    let mut places: Vec<u64> = texts.iter().filter_map(|text| target(text)).filter(|&at| at < within).collect();
    places.sort_unstable();
    places.dedup();
    let named: BTreeMap<u64, String> = places.into_iter().map(|at| (at, labels.next())).collect();
    for text in texts.iter_mut() {
        if let Some(label) = target(text).and_then(|at| named.get(&at)) {
            *text = branch.replace(text, format!("$1`({label})$3")).into_owned();
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_name_labels() {
        let mut texts: Vec<String> =
            ["@!P0 BRA 0x20 ;", "BSSY B0, 0x30 ;", "EXIT ;", "BRA 0x20 ;", "MOV R1, 0x20 ;", "BRA 0xfff0 ;"]
                .map(String::from)
                .to_vec();
        let named = name_targets(&mut texts, &mut Labels::default());
        assert_eq!(named.into_iter().collect::<Vec<_>>(), [(0x20, ".L_x_0".to_owned()), (0x30, ".L_x_1".to_owned())]);
        let want = [
            "@!P0 BRA `(.L_x_0) ;",
            "BSSY B0, `(.L_x_1) ;",
            "EXIT ;",
            "BRA `(.L_x_0) ;",
            "MOV R1, 0x20 ;",
            "BRA 0xfff0 ;",
        ];
        assert_eq!(texts, want);
        let mut filled = ["EXIT ;", "BRA 0x10 ;", "NOP ;", "NOP ;"].map(String::from);
        close_up(&mut filled);
        assert_eq!(filled, ["EXIT ;", "BRA 0x10;", "NOP;", "NOP;"]);
        let mut other = ["BRA 0x10 ;", "NOP ;"].map(String::from);
        close_up(&mut other);
        assert_eq!(other, ["BRA 0x10 ;", "NOP ;"]);
        assert_eq!(guard("@!UP0 BRA x"), ("@!UP0 ", "BRA x"));
    }
}
