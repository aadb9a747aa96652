//! `cargo xtask words [--isa sm_90]... [--levels O3,O1] [FILE...]`: decodes words, encodes them again and compares the text.
//!
//! Without files it compiles the corpus with ptxas and takes every distinct word. A file has lines `HEX PC TEXT`: the 128-bit word, the byte address at which nvdisasm saw it, nvdisasm's text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use raddle_sass::{Isa, decode, encode, print};

use crate::machine_code::{self, Code};

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
fn distinct(code: &[Code]) -> Vec<u128> {
    let mut seen = BTreeSet::new();
    code.iter().flat_map(|c| &c.words).copied().filter(|w| seen.insert(*w)).collect()
}

/// Runs the command: with files it checks their lines, without it compiles the corpus with ptxas first.
pub fn run(args: &[String]) -> Result<()> {
    let mut isas = Vec::new();
    let mut levels = vec!["O3".to_owned()];
    let mut cubins = None;
    let mut files = Vec::new();
    let mut it = args.iter();
    while let Some(a) = it.next() {
        match a.as_str() {
            "--isa" => {
                let name = it.next().context("--isa NAME")?;
                isas.push(Isa::by_name(name).with_context(|| format!("unknown machine {name}"))?);
            }
            "--levels" => levels = it.next().context("--levels O3,O1")?.split(',').map(str::to_owned).collect(),
            "--cubins" => cubins = Some(PathBuf::from(it.next().context("--cubins FOLDER")?)),
            _ => files.push(a),
        }
    }
    if isas.is_empty() {
        isas = Isa::ALL.to_vec();
    }
    let mut failed = false;
    for isa in isas {
        let mut tally = Tally::default();
        if files.is_empty() {
            let dir = match &cubins {
                Some(dir) => dir.clone(),
                None => machine_code::compile(isa, &levels)?,
            };
            let filter = if cubins.is_some() { format!(".{}.", isa.name()) } else { String::new() };
            let words = distinct(&machine_code::sections(&dir, &filter)?);
            for chunk in words.chunks(1 << 16) {
                for (i, (word, text)) in chunk.iter().zip(machine_code::disassemble(isa, chunk)?).enumerate() {
                    check(isa, *word, i as u64 * 16, text.as_deref().unwrap_or("(illegal)"), &mut tally);
                }
            }
        }
        for file in &files {
            let text = std::fs::read_to_string(file).with_context(|| (*file).clone())?;
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
    }
    ensure!(!failed, "the table does not cover the corpus");
    Ok(())
}
