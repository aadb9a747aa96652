//! `cargo xtask words --isa sm_90 FILE...`: decodes words, encodes them again and compares the text.
//!
//! A file has lines `HEX PC TEXT`: the 128-bit word, the byte address at which nvdisasm saw it, nvdisasm's text.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use raddle_sass::{Isa, decode, encode, print};

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

/// Runs the command.
pub fn run(args: &[String]) -> Result<()> {
    let mut isa = Isa::Sm90;
    let mut tally = Tally::default();
    let mut it = args.iter();
    while let Some(a) = it.next() {
        if a == "--isa" {
            let name = it.next().context("--isa NAME")?;
            isa = Isa::by_name(name).with_context(|| format!("unknown machine {name}"))?;
            continue;
        }
        let text = std::fs::read_to_string(a).with_context(|| a.clone())?;
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
        "{} words, {} unknown, {} encode, {} text",
        tally.words,
        tally.count("unknown"),
        tally.count("encode"),
        tally.count("text")
    );
    if tally.words == 0 {
        bail!("no words");
    }
    Ok(())
}
