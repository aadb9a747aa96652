//! `cargo campaign sass-campaign [--isa sm_90]... [--per-want N] [--words N] [--seed N] [--show N]`: generated words against
//! nvdisasm.
//!
//! Every row of every machine gets 20 distinct words for each of its properties ([`crate::sass_sample::wants`]: kinds of
//! operands, modifiers, field values), everything else random but legal by the table, and then more until there are a
//! million. Each must be legal to nvdisasm, decode to its row, encode to the same word, and print the same text. How
//! often each row showed each property is counted over the words whose text is equal, on what they decode to.
//! Deterministic for a seed. Over all machines it records the figures `sass.text.*` and `sass.illegal`.

use crate::arguments::isa;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use raddle_sass::{Isa, Row, RowId, decode, encode, print};

use crate::machine_code;
use crate::sass_sample::{Random, Want, sample, wants};
use xtask::figures;

/// Words that every row must have of each of its properties.
const ENOUGH: usize = 20;

/// Tries for each word that is wanted, before the row is given up as one that cannot have so many.
const TRIES: usize = 200;

/// A row's name for people.
fn name(row: &Row) -> String {
    let fixed: Vec<&str> = row.fixed.iter().map(|m| m.text()).collect();
    format!("{:03x} {} {}", row.bits & 0xfff, row.op.text(), fixed.join("."))
}

/// What one machine has of one property of one row.
struct Seen {
    row: RowId,
    want: Want,
    count: usize,
}

/// All properties of all rows of a machine, by row.
fn properties(isa: Isa) -> BTreeMap<RowId, Vec<Seen>> {
    let rows = raddle_sass::r#gen::ROWS.iter().enumerate().filter(|(_, row)| row.isas.contains(isa));
    rows.map(|(n, row)| {
        let id = RowId(n as u16);
        (id, wants(row).into_iter().map(|want| Seen { row: id, want, count: 0 }).collect())
    })
    .collect()
}

/// Words of one machine, distinct, in the order of their making: `per_want` for every property, and more up to `total`.
///
/// # Errors
/// A sample that does not encode, or decodes to another row.
pub fn generate(isa: Isa, per_want: usize, total: usize, seed: u64) -> Result<Vec<u128>> {
    let mut r = Random::new(seed ^ (isa as u64) << 32);
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    let mut one = |r: &mut Random, id: RowId, want: Want| -> Result<bool> {
        let inst = sample(r, id, want);
        if !want.holds(&inst) {
            return Ok(false);
        }
        let word = encode(isa, &inst).with_context(|| format!("{inst}"))?;
        let fresh = seen.insert(word);
        if fresh {
            let row = decode(isa, word).with_context(|| format!("{word:032x} {inst}"))?.row;
            // An earlier row of the instruction may be the special case that the word has become.
            if row.0 < id.0 && row.row().op == id.row().op {
                return Ok(false);
            }
            ensure!(row == id, "{word:032x} {inst}: made for row {}, decodes to row {}", id.0, row.0);
            out.push(word);
        }
        Ok(fresh)
    };
    let properties = properties(isa);
    let mut count = 0;
    for seen in properties.values().flatten() {
        let mut made = 0;
        for _ in 0..per_want * TRIES {
            if made == per_want {
                break;
            }
            made += usize::from(one(&mut r, seen.row, seen.want)?);
        }
        count += made;
    }
    let mut rest = properties.values().flatten().cycle();
    for _ in 0..total * 4 {
        if count >= total {
            break;
        }
        let Some(seen) = rest.next() else { break };
        count += usize::from(one(&mut r, seen.row, seen.want)?);
    }
    Ok(out)
}

/// What came of the words of all machines.
#[derive(Default)]
struct Sums {
    /// Words whose text is equal, each once however many machines have it.
    equal: BTreeSet<u128>,
    illegal: usize,
    texts: usize,
    properties: usize,
    /// Properties seen less often than [`ENOUGH`], in words.
    rare: Vec<String>,
}

impl Sums {
    fn record(&self) -> Result<()> {
        let command = "cargo campaign sass-campaign";
        let rows = raddle_sass::r#gen::ROWS.len();
        let note = format!("generated, each legal by the table; five machines, {rows} rows");
        figures::record("sass.text.words", self.equal.len() as f64, command, &note)?;
        figures::record("sass.text.wrong", self.texts as f64, command, "of the generated words")?;
        figures::record("sass.illegal", self.illegal as f64, command, "of the generated words")?;
        let enough = self.properties - self.rare.len();
        let share = (1e4 * enough as f64 / self.properties.max(1) as f64).floor() / 100.0;
        let note = format!(
            "{enough} of {} (machine, row, kind of operand or modifier or field value) among words of equal text; fewer: {}",
            self.properties,
            if self.rare.is_empty() { "none".to_owned() } else { self.rare.join(", ") }
        );
        figures::record("sass.text.coverage", share, command, &note)
    }
}

/// Holds the words of one machine against nvdisasm.
fn compare(isa: Isa, words: &[u128], show: usize, sums: &mut Sums) -> Result<()> {
    let mut properties = properties(isa);
    let mut bad: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    let (mut illegal, mut text_differs) = (0usize, 0usize);
    for chunk in words.chunks(1 << 16) {
        let texts = machine_code::disassemble(isa, chunk)?;
        for (i, (word, text)) in chunk.iter().zip(texts).enumerate() {
            let inst = decode(isa, *word).with_context(|| format!("{word:032x}"))?;
            ensure!(encode(isa, &inst) == Ok(*word), "{word:032x} {inst} does not encode to itself");
            let ours = print(&inst, i as u64 * 16);
            let legal = text.as_ref().is_some_and(|t| !t.contains("???") && !t.contains("INVALID"));
            if legal && text.as_ref().is_some_and(|t| t.trim_end() == ours.trim_end()) {
                sums.equal.insert(*word);
                for seen in properties.get_mut(&inst.row).into_iter().flatten() {
                    seen.count += usize::from(seen.want.holds(&inst));
                }
                continue;
            }
            let kind = if legal { "text" } else { "illegal" };
            *(if legal { &mut text_differs } else { &mut illegal }) += 1;
            let e = bad.entry(format!("{kind:7} {}", name(inst.row()))).or_default();
            e.0 += 1;
            if e.1.len() < show {
                e.1.push(format!("{word:032x} {ours} <> {}", text.unwrap_or_else(|| "(illegal)".to_owned())));
            }
        }
    }
    for (key, (n, examples)) in &bad {
        println!("{} {key}: {n}", isa.name());
        for e in examples {
            println!("    {e}");
        }
    }
    let all = properties.values().flatten();
    let rare: Vec<String> = all
        .clone()
        .filter(|seen| seen.count < ENOUGH)
        .map(|seen| format!("{} {} {:?} {}", isa.name(), name(seen.row.row()), seen.want, seen.count))
        .collect();
    for line in &rare {
        println!("seen too seldom: {line}");
    }
    let (n, count) = (words.len(), all.count());
    println!(
        "{}: {n} distinct words, {illegal} illegal, {text_differs} texts differ, {} of {count} properties seen less than \
         {ENOUGH} times",
        isa.name(),
        rare.len()
    );
    sums.illegal += illegal;
    sums.texts += text_differs;
    sums.properties += count;
    sums.rare.extend(rare);
    Ok(())
}

#[derive(clap::Args)]
pub struct Options {
    /// Only this machine (sm_90 ...); may be repeated
    #[arg(long = "isa", value_name = "SM", value_parser = isa)]
    isas: Vec<Isa>,
    /// Words for each property of a row
    #[arg(long, value_name = "N", default_value_t = ENOUGH)]
    per_want: usize,
    /// Words in all
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    words: usize,
    /// Seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Differences of each kind that are printed
    #[arg(long, value_name = "N", default_value_t = 3)]
    show: usize,
}

/// Runs the command.
///
/// # Errors
/// No nvdisasm, and every word on which the table and nvdisasm differ.
pub fn run(Options { mut isas, per_want, words: total, seed, show }: Options) -> Result<()> {
    let whole = isas.is_empty();
    if whole {
        isas = Isa::ALL.to_vec();
    }
    let mut sums = Sums::default();
    // A few more than asked for, as some words are words of two machines.
    let share = total / isas.len() + total / 1000;
    for isa in isas {
        let words = generate(isa, per_want, share, seed)?;
        compare(isa, &words, show, &mut sums)?;
    }
    let failures = sums.illegal + sums.texts + sums.rare.len();
    println!("{} distinct words with equal text, {failures} failures", sums.equal.len());
    if whole {
        sums.record()?;
    }
    ensure!(failures == 0, "the table is not nvdisasm's");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without nvdisasm the skip is counted; `cargo campaign sass-campaign` is the long version.
    #[test]
    fn one_word_per_property_agrees_with_nvdisasm() {
        if raddle_filetest::oracle::require("nvdisasm").is_none() {
            return;
        }
        for isa in Isa::ALL {
            let words = generate(isa, 1, 0, 7).unwrap();
            assert!(words.len() > 5_000, "{} words for {}", words.len(), isa.name());
            let texts = machine_code::disassemble(isa, &words).unwrap();
            for (i, (word, text)) in words.iter().zip(texts).enumerate() {
                let ours = print(&decode(isa, *word).unwrap(), i as u64 * 16);
                assert_eq!(text.as_deref().map(str::trim_end), Some(ours.trim_end()), "{} {word:032x}", isa.name());
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_words() {
        assert_eq!(generate(Isa::Sm90, 1, 0, 3).unwrap(), generate(Isa::Sm90, 1, 0, 3).unwrap());
    }
}
