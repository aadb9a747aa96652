//! `cargo campaign words [--isa sm_90]... [--levels O3,O1] [FILE...]`: decodes words, encodes them again and compares the text.
//!
//! Without files it compiles the corpus with ptxas and takes every distinct word; over all machines it records the figures
//! `sass.reencode`, `sass.reencode.wrong` and `sass.missing.ab`. A file has lines `HEX PC TEXT`: the 128-bit word, the byte address at which nvdisasm saw it, nvdisasm's text.

use crate::arguments::isa;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use raddle_sass::{Isa, decode, encode, print};

use crate::machine_code::{self, Code};
use xtask::figures;

/// Outcome of a comparison, by mnemonic.
#[derive(Default)]
pub struct Tally {
    /// Words seen.
    pub words: usize,
    /// Problem kind and mnemonic: count and first example.
    pub bad: BTreeMap<(String, String), (usize, String)>,
}

impl Tally {
    fn note(&mut self, kind: &str, op: &str, example: impl FnOnce() -> String) {
        let e = self.bad.entry((kind.to_owned(), op.to_owned())).or_insert_with(|| (0, example()));
        e.0 += 1;
    }

    /// Number of words with this kind of problem.
    pub fn count(&self, kind: &str) -> usize {
        self.bad.iter().filter(|e| e.0.0 == kind).map(|e| e.1.0).sum()
    }
}

/// Mnemonic and opcode for grouping.
fn group(text: &str, word: u128) -> String {
    let t = if text.starts_with('@') { text.split_once(' ').map_or(text, |x| x.1) } else { text };
    let base = t.split([' ', '.']).next().unwrap_or("");
    format!("{base} {:03x}", word & 0xfff)
}

/// Checks one word.
pub fn check(isa: Isa, word: u128, pc: u64, text: &str, tally: &mut Tally) {
    tally.words += 1;
    match decode(isa, word) {
        Err(e) => tally.note("unknown", &group(text, word), || format!("{word:032x} {text} ({e})")),
        Ok(inst) => {
            match encode(isa, &inst) {
                Err(e) => tally.note("encode", &group(text, word), || format!("{word:032x} {text} ({e})")),
                Ok(w) if w != word => {
                    tally.note("encode", &group(text, word), || format!("{word:032x} {w:032x} {text}"))
                }
                Ok(_) => {}
            }
            let ours = print(&inst, pc);
            if ours.trim_end() != text.trim_end() {
                tally.note("text", &group(text, word), || format!("{word:032x} {text} <> {ours}"));
            }
        }
    }
}

/// Distinct words of a machine's code, in order of first appearance.
fn distinct<'a>(code: impl Iterator<Item = &'a Code>) -> Vec<u128> {
    let mut seen = BTreeSet::new();
    code.flat_map(|c| &c.words).copied().filter(|w| seen.insert(*w)).collect()
}

/// Whether the code is of a snippet of class (a) or (b), by the name of its file: `snippets+008_a_mul_lo_s32.O3.cubin`.
fn is_plain_snippet(code: &Code) -> bool {
    let name = code.cubin.strip_prefix("snippets+").or_else(|| code.cubin.strip_prefix("rows+"));
    name.and_then(|name| name.split('_').nth(1)).is_some_and(|class| class == "a" || class == "b")
}

/// Sums over machines for the figures.
#[derive(Default)]
struct Sums {
    words: usize,
    unknown: usize,
    wrong: usize,
    texts: usize,
    /// Low 12 bits of words of class (a) and (b) snippets without a row.
    missing_ab: BTreeSet<u16>,
}

impl Sums {
    fn record(&self) -> Result<()> {
        let command = "cargo campaign words";
        let Sums { words, unknown, wrong, texts, missing_ab } = self;
        let exact = (1e4 * (words - unknown - wrong) as f64 / (*words).max(1) as f64).floor() / 100.0;
        let note = format!(
            "{words} distinct words of ptxas 13.0.88 -O3 for snippets, producers and kernels, counted for each of the \
             five machines; {unknown} without a row, {texts} with another text than nvdisasm's"
        );
        figures::record("sass.reencode", exact, command, &note)?;
        figures::record("sass.reencode.wrong", *wrong as f64, command, "")?;
        let opcodes: Vec<String> = missing_ab.iter().map(|op| format!("{op:#05x}")).collect();
        figures::record("sass.missing.ab", missing_ab.len() as f64, command, &opcodes.join(", "))
    }
}

#[derive(clap::Args)]
pub struct Options {
    /// Only this machine (sm_90 ...); may be repeated
    #[arg(long = "isa", value_name = "SM", value_parser = isa)]
    isas: Vec<Isa>,
    /// Levels of ptxas
    #[arg(long, value_name = "O3,O1", value_delimiter = ',', default_value = "O3")]
    levels: Vec<String>,
    /// Cubins of ptxas, in place of those it makes
    #[arg(long, value_name = "DIR")]
    cubins: Option<PathBuf>,
    /// Files of lines `HEX PC TEXT`: the 128-bit word, its byte address, the text of nvdisasm
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the command: with files it checks their lines, without it compiles the corpus with ptxas.
///
/// # Errors
/// Missing tools, unreadable files, and words that differ.
pub fn run(Options { mut isas, levels, cubins, files }: Options) -> Result<()> {
    if isas.is_empty() {
        isas = Isa::ALL.to_vec();
    }
    let whole = files.is_empty() && cubins.is_none() && isas == Isa::ALL;
    let mut sums = Sums::default();
    let mut failed = false;
    for isa in isas {
        let mut tally = Tally::default();
        if files.is_empty() {
            let dir = match &cubins {
                Some(dir) => dir.clone(),
                None => machine_code::compile(isa, &levels)?,
            };
            let filter = if cubins.is_some() { format!(".{}.", isa.name()) } else { String::new() };
            let code = machine_code::sections(&dir, &filter)?;
            let words = distinct(code.iter());
            let plain = distinct(code.iter().filter(|c| is_plain_snippet(c)));
            sums.missing_ab.extend(plain.iter().filter(|w| decode(isa, **w).is_err()).map(|w| (w & 0xfff) as u16));
            for chunk in words.chunks(1 << 16) {
                for (i, (word, text)) in chunk.iter().zip(machine_code::disassemble(isa, chunk)?).enumerate() {
                    check(isa, *word, i as u64 * 16, text.as_deref().unwrap_or("(illegal)"), &mut tally);
                }
            }
        }
        for file in &files {
            let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
            for line in text.lines() {
                let (hex, rest) = line.split_once(' ').context("HEX PC TEXT")?;
                let (pc, text) = rest.split_once(' ').context("HEX PC TEXT")?;
                check(isa, u128::from_str_radix(hex, 16)?, u64::from_str_radix(pc, 16)?, text, &mut tally);
            }
        }
        for ((kind, op), (n, example)) in &tally.bad {
            println!("{kind:8} {op:16} {n:6}  {example}");
        }
        println!(
            "{}: {} distinct words, {} unknown, {} not byte-exact, {} texts differ",
            isa.name(),
            tally.words,
            tally.count("unknown"),
            tally.count("encode"),
            tally.count("text")
        );
        failed |= tally.words == 0 || !tally.bad.is_empty();
        sums.words += tally.words;
        sums.unknown += tally.count("unknown");
        sums.wrong += tally.count("encode");
        sums.texts += tally.count("text");
    }
    if whole {
        sums.record()?;
    }
    ensure!(!failed, "the table does not cover the corpus");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_a_and_b_snippets_are_known_by_their_names() {
        let code = |cubin: &str| Code { cubin: cubin.to_owned(), words: Vec::new() };
        assert!(is_plain_snippet(&code("snippets+008_a_mul_lo_s32.O3.cubin")));
        assert!(is_plain_snippet(&code("rows+008_a_mul_lo_s32.O3.cubin")));
        assert!(is_plain_snippet(&code("snippets+120_b_div_rn_f64.O3.cubin")));
        assert!(!is_plain_snippet(&code("snippets+234_c_red_async.O3.cubin")));
        assert!(!is_plain_snippet(&code("kernels+a_b+nvcc.O3.cubin")));
    }
}
