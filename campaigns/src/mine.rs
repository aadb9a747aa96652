//! `cargo campaign mine [--isa sm_90]... [--cubins FOLDER]`: mines issue distances in ptxas output.
//!
//! For every value passed between two instructions of a basic block without a scoreboard, the sum of the stall counts
//! between them is a distance that ptxas relied on, and so an upper bound of what the hardware needs. The smallest per
//! (file, producer class, result half, consumer class, slot, source half) goes to `isa/latency_sm_*.txt`, with its
//! count and an example. `--count` only counts those lines and records `sass.latencies`. With `--stats` it prints instead which forms set a write scoreboard, to check `var=`.

use crate::arguments::isa;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use raddle_sass::latency::MIN_COUNT;
use raddle_sass::{Consumer, File, Inst, Isa, Kind, Producer, decode};

use crate::machine_code::{self, Code};

/// What is known of one key.
struct Seen {
    cycles: u32,
    count: u32,
    example: String,
}

type Key = (String, String, String, String);

/// The last write of a register in a block.
struct Write {
    at: u32,
    producer: Option<Producer>,
    text: String,
}

/// Addresses at which a block starts: branch targets.
fn targets(code: &[(u64, Inst)]) -> BTreeSet<u64> {
    let mut out = BTreeSet::new();
    for (pc, inst) in code {
        for o in &inst.operands {
            if let Kind::Rel(v) = o.kind {
                out.insert(pc.wrapping_add(16).wrapping_add_signed(v));
            }
        }
    }
    out
}

fn file_name(f: File) -> Option<&'static str> {
    Some(match f {
        File::Gpr => "R",
        File::Pred => "P",
        File::Ugpr => "UR",
        File::Upred => "UP",
        File::Barrier => return None,
    })
}

fn class_name(class: raddle_sass::Class) -> String {
    class.text().to_owned()
}

/// Mines one code section.
fn mine(isa: Isa, code: &Code, found: &mut BTreeMap<Key, Seen>) {
    let insts: Vec<(u64, Inst)> =
        code.words.iter().enumerate().filter_map(|(i, w)| decode(isa, *w).ok().map(|d| (i as u64 * 16, d))).collect();
    let starts = targets(&insts);
    let mut written: BTreeMap<(File, u8), Write> = BTreeMap::new();
    let mut now = 0u32;
    for (pc, inst) in &insts {
        if starts.contains(pc) {
            written.clear();
        }
        let accesses = inst.accesses();
        for a in accesses.iter().filter(|a| a.read) {
            for reg in a.first..a.first.saturating_add(a.count) {
                let Some(w) = written.get(&(a.file, reg)) else { continue };
                let (Some(p), Some(c)) = (w.producer, Consumer::new(inst, a, reg)) else { continue };
                let Some(file) = file_name(a.file) else { continue };
                let half = |h: bool| if h { ".h" } else { "" };
                let slot = c.slot.map_or("guard".to_owned(), |s| format!("{s:?}"));
                let key = (
                    file.to_owned(),
                    format!("{}{}", class_name(p.class), half(p.high)),
                    class_name(c.class),
                    format!("{slot}{}", half(c.high)),
                );
                let cycles = now - w.at;
                let e = found.entry(key).or_insert(Seen { cycles: u32::MAX, count: 0, example: String::new() });
                e.count += 1;
                if cycles < e.cycles {
                    e.cycles = cycles;
                    e.example = format!("{} -> {inst}", w.text);
                }
            }
        }
        for a in accesses.iter().filter(|a| a.written) {
            for reg in a.first..a.first.saturating_add(a.count) {
                let producer = if inst.ctrl.wr_bar.is_some() { None } else { Producer::new(isa, inst, a, reg) };
                written.insert((a.file, reg), Write { at: now, producer, text: inst.to_string() });
            }
        }
        now += u32::from(inst.ctrl.stall).max(1);
        if inst.row().effects.branch && inst.guard.is_always() {
            written.clear();
        }
    }
}

/// How often each form sets a write scoreboard while it writes registers.
fn stats(isa: Isa, code: &[Code]) {
    let mut by: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for w in code.iter().flat_map(|c| &c.words) {
        let Ok(inst) = decode(isa, *w) else { continue };
        if inst.defs().iter().all(|d| d.file == File::Barrier) {
            continue;
        }
        let row = inst.row();
        let text = inst.to_string();
        let name = text.split(' ').find(|t| !t.starts_with('@')).unwrap_or("").to_owned();
        let flag = if row.effects.variable.contains(isa) { "var" } else { "fixed" };
        by.entry(format!("{flag:5} {name}")).or_default()[usize::from(inst.ctrl.wr_bar.is_some())] += 1;
    }
    for (name, [without, with]) in by {
        let odd = if name.starts_with("fixed") { with > 0 } else { with == 0 };
        if odd {
            println!("{} {name}: {without} without, {with} with a write scoreboard", isa.name());
        }
    }
}

#[derive(clap::Args)]
pub struct Options {
    /// Only this machine (sm_90 ...); may be repeated
    #[arg(long = "isa", value_name = "SM", value_parser = isa)]
    isas: Vec<Isa>,
    /// Cubins of ptxas, NAME.SM.LEVEL.cubin, in place of those it makes
    #[arg(long, value_name = "DIR")]
    cubins: Option<PathBuf>,
    /// Only print which forms set a write scoreboard, to check `var=`
    #[arg(long)]
    stats: bool,
    /// Only count the lines of isa/latency_sm_*.txt and record the figure
    #[arg(long)]
    count: bool,
}

/// Runs the command.
pub fn run(Options { mut isas, cubins, stats: only_stats, count }: Options) -> Result<()> {
    if count {
        return record();
    }
    if isas.is_empty() {
        isas = Isa::ALL.to_vec();
    }
    for isa in isas {
        let dir = match &cubins {
            Some(dir) => dir.clone(),
            None => machine_code::compile(isa, &["O3".to_owned()])?,
        };
        let filter = if cubins.is_some() { format!(".{}.O3.", isa.name()) } else { ".O3.".to_owned() };
        let code = machine_code::sections(&dir, &filter)?;
        if only_stats {
            stats(isa, &code);
            continue;
        }
        let mut found = BTreeMap::new();
        for c in &code {
            mine(isa, c, &mut found);
        }
        let mut text = format!(
            "# Smallest issue distances in ptxas 13.0.88 -O3 output for {}: FILE PRODUCER[.h] CONSUMER SLOT[.h] CYCLES COUNT | EXAMPLE\n# Written by `cargo campaign mine` from {} code sections of the corpus (snippets, producers, kernels).\n",
            isa.name(),
            code.len()
        );
        for ((file, producer, consumer, slot), s) in &found {
            // Distances above any fixed latency say nothing.
            if s.cycles <= 64 {
                let _ = writeln!(text, "{file} {producer} {consumer} {slot} {} {} | {}", s.cycles, s.count, s.example);
            }
        }
        let path = machine_code::root().join(format!("isa/latency_{}.txt", isa.name()));
        std::fs::write(&path, text)?;
        println!("{}: {} keys from {} sections", isa.name(), found.len(), code.len());
    }
    if only_stats || cubins.is_some() { Ok(()) } else { record() }
}

/// Records how many of the mined distances were seen often enough to be trusted.
fn record() -> Result<()> {
    let (mut trusted, mut all) = (0u32, 0u32);
    for isa in Isa::ALL {
        let path = machine_code::root().join(format!("isa/latency_{}.txt", isa.name()));
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            all += 1;
            trusted += u32::from(sightings(line).with_context(|| line.to_owned())? >= MIN_COUNT);
        }
    }
    let note = format!("of {all} keys of five machines in isa/latency_sm_*.txt, each with its count and an example");
    xtask::figures::record("sass.latencies", f64::from(trusted), "cargo campaign mine --count", &note)
}

/// The count of a line `FILE PRODUCER CONSUMER SLOT CYCLES COUNT | EXAMPLE`.
fn sightings(line: &str) -> Result<u32> {
    Ok(line.split_whitespace().nth(5).context("no count")?.parse()?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_count_is_the_sixth_word() {
        assert_eq!(super::sightings("R alu alu Ra 4 1234 | IADD3 R1 -> MOV R2, R1").ok(), Some(1234));
        assert!(super::sightings("R alu alu Ra 4 | x").is_err());
    }
}
