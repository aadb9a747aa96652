//! Issue distances on silicon: `cargo campaign gpu-latency` builds a folder, `gpu-latency-collect` reads what came back.
//!
//! Problem: the distances of [`mod@raddle_sass::latency`] are published numbers and what ptxas keeps; no GPU has checked
//! them. Strategy: a kernel for each pair of instructions ([`kernel`]) that tries distances from one cycle to a few more than the
//! table demands and counts how often the second instruction saw the new value. Three kinds of pairs: `raw` a result is read,
//! `waw` a result is written again, `war` a source is overwritten. A number in the table that is too small shows as wrong results
//! at that distance; one that is too large as right results at smaller ones. What is right in the measured cases need not be so in
//! all: the table should follow only where every form of a class agrees.
//!
//! Every kernel is run in the simulator first: results must be right at every distance, and right and wrong must differ.

mod forms;
mod kernel;
mod predicates;
mod uniform;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, anyhow, ensure};
use raddle_codegen::schedule::rewrite_distance;
use raddle_cubin::unit::{Entry, Function, Linkage, Param, UnitObject};
use raddle_entity::Serial;
use raddle_link::FinalizeOptions;
use raddle_sass::latency::{Consumer, Producer, latency};
use raddle_sass::row::File;
use raddle_sass::{Inst, Isa, Op};
use raddle_sim::launch::{Arg, Dim3, Launch, OnFinding};
use raddle_sim::machine;
use raddle_sim::mem::Memory;
use raddle_target::Target;

use forms::{Reader, Value, Writer};
use kernel::{Pair, Passed, Wrong};

const ISA: Isa = Isa::Sm90;
/// Kernels of one cubin.
const KERNELS: usize = 120;
/// Offset and size of the parameters: results, rounds, zero, a buffer, the upper half of a large one, words for `LDC`.
const PARAMS: [(u16, u16); 6] = [(0, 8), (8, 4), (12, 4), (16, 8), (24, 8), (32, 32)];
/// The words for `LDC`, some of which `ULDC` reads.
const WORDS: [u32; 8] = [5, 82, 0, 0, 313, 390, 467, 544];
/// Distances tried beyond what the table demands.
const BEYOND: u8 = 3;

#[derive(clap::Args)]
pub struct Folder {
    /// The folder [default: target/gpu-latency]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct Results {
    /// latency.jsonl of a run
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print every pair, not only those that differ from the table
    #[arg(long)]
    all: bool,
}

/// The parts of a name, which the reader of results takes apart again.
fn name(kind: &str, file: File, from: &str, to: &str, first: &Inst, second: &Inst, variant: u8) -> String {
    let file = match file {
        File::Gpr => "R",
        File::Pred => "P",
        File::Ugpr => "UR",
        _ => "UP",
    };
    format!("{kind} {file}|{from}|{to}|{first} > {second}|v{variant}")
}

/// What the table demands between two instructions that pass registers.
fn demanded(first: &Inst, second: &Inst) -> u8 {
    let (a, b) = (first.accesses(), second.accesses());
    let pairs = kernel::shared(first, second, true).into_iter().filter_map(|(x, y, n)| {
        let (from, to) = (Producer::new(ISA, first, &a[x], n)?, Consumer::new(second, &b[y], n)?);
        Some(latency(ISA, from, to).schedule)
    });
    pairs.max().unwrap_or(0)
}

/// What the table demands between two instructions that write a register.
fn rewritten(first: &Inst, second: &Inst) -> u8 {
    let (a, b) = (first.accesses(), second.accesses());
    let pairs = kernel::shared(first, second, false).into_iter().filter_map(|(x, y, n)| {
        let from = Producer::new(ISA, first, &a[x], n)?;
        Some(rewrite_distance(ISA, from, Producer::new(ISA, second, &b[y], n)) as u8)
    });
    pairs.max().unwrap_or(0)
}

fn is_variable(i: &Inst) -> bool {
    i.row().effects.variable.contains(ISA)
}

/// The first register that is passed in each file.
fn base(file: File) -> u8 {
    match file {
        File::Gpr => 16,
        File::Ugpr => 8,
        _ => 0,
    }
}

/// A writer's instruction for its first register; what it writes is the new value of the reader.
fn written(w: &Writer, at: u8, new: bool, high: u8) -> Inst {
    match w.file {
        File::Gpr => (w.make)(at, if new { 24 } else { 28 } + if w.width == 1 { high } else { 0 }),
        File::Ugpr => (w.make)(at, if new { 12 } else { 16 } + if w.width == 1 { high } else { 0 }),
        _ => (w.make)(at, u8::from(new)),
    }
}

/// Whether a writer can give a reader what it needs.
fn fits(w: &Writer, to: &Reader) -> bool {
    let exact = matches!(to.value, Value::Low | Value::High);
    w.file == to.file && (w.copies || !exact) && (w.main || to.value == Value::Plain)
}

/// The pairs in which `w` writes what `to` reads, then the pairs in which it overwrites that too early.
fn pairs_of(w: &Writer, to: &Reader, variant: u8, out: &mut Vec<Pair>) {
    // 0: sources in different banks; 1: all in one; 2: the passed register has an odd number.
    let others = if variant == 0 { [33, 34] } else { [34, 36] };
    let wide = (to.make)(base(to.file), [34, 36]).accesses().iter().any(|a| a.file == File::Gpr && a.count == 2);
    let others = if wide { [34, 36] } else { others };
    let (at, from, count) = kernel::placed(w, to, base(to.file) + u8::from(variant == 2));
    let (first, second) = (written(w, at, true, u8::from(to.high)), (to.make)(from, others));
    let n = from + u8::from(to.high);
    let (writer, reader) = (kernel::role(&first, n, w.file, true), kernel::role(&second, n, w.file, false));
    let passed = Passed { file: w.file, first: at.min(from), count, before: false };
    let table = demanded(&first, &second);
    let read = Pair {
        name: name("raw", w.file, &writer, &reader, &first, &second, variant),
        seen: Some(to.seen),
        passed,
        value: to.value,
        wrong: Wrong::SecondAlone,
        distances: (table + BEYOND).min(kernel::MOST as u8),
        table,
        first: first.clone(),
        second: second.clone(),
    };
    // A false predicate first, then a true one.
    if matches!(w.file, File::Pred | File::Upred) && variant == 1 {
        let first = written(w, at, false, 0);
        let passed = Passed { before: true, ..passed };
        let name = name("raw", w.file, &writer, &reader, &first, &second, variant);
        out.push(Pair { name, passed, first, ..read });
        return;
    }
    out.push(read);
    let overwrites = w.main
        && w.width == 1
        && matches!(first.op(), Op::Mov | Op::Imad | Op::Viadd | Op::Isetp | Op::Umov | Op::Uisetp);
    if overwrites && variant == 0 {
        let late = is_variable(&second);
        out.push(Pair {
            name: name("war", w.file, &reader, &writer, &second, &first, variant),
            seen: Some(to.seen),
            passed,
            value: to.value,
            wrong: Wrong::Swapped,
            distances: if late { kernel::MOST as u8 } else { 8 },
            table: u8::from(!late),
            first: second,
            second: first,
        });
    }
}

/// The pairs that write one register one after the other.
fn rewrites(x: &Writer, y: &Writer, out: &mut Vec<Pair>) {
    let at = base(x.file);
    for high in 0..x.width.min(2) {
        if high == 1 && y.width > 1 {
            continue;
        }
        let (first, second) = (written(x, at, true, 0), written(y, at + high, false, 0));
        let n = at + high;
        let (from, to) = (kernel::role(&first, n, x.file, true), kernel::role(&second, n, x.file, true));
        let table = rewritten(&first, &second);
        let count = x.width.max(y.width + high);
        out.push(Pair {
            name: name("waw", x.file, &from, &to, &first, &second, 0),
            seen: None,
            passed: Passed { file: x.file, first: n, count: count - high, before: false },
            value: Value::Plain,
            wrong: Wrong::FirstAlone,
            distances: (table + BEYOND).min(kernel::MOST as u8),
            table,
            first,
            second,
        });
    }
}

/// All pairs.
fn pairs() -> Vec<Pair> {
    let mut out = Vec::new();
    let sets = [
        (forms::writers(), forms::readers()),
        (predicates::writers(), predicates::readers()),
        (uniform::writers(), uniform::readers()),
    ];
    for (writers, readers) in &sets {
        for to in readers {
            for w in writers.iter().filter(|w| fits(w, to)) {
                let op = (to.make)(base(to.file), [34, 36]).op();
                // A form beside the first of its class: with common readers.
                let common = matches!(
                    op,
                    Op::Iadd3
                        | Op::Imad
                        | Op::Ffma
                        | Op::Stg
                        | Op::Mufu
                        | Op::Bra
                        | Op::Sel
                        | Op::Mov
                        | Op::Uiadd3
                        | Op::Plop3
                );
                if w.main || common {
                    pairs_of(w, to, 0, &mut out);
                }
                let first = written(w, base(to.file), true, 0);
                let usual = matches!(first.op(), Op::Mov | Op::Imad | Op::Viadd) && w.width == 1 && w.main;
                if matches!(to.file, File::Pred | File::Upred) && w.main || usual && to.value == Value::Plain {
                    pairs_of(w, to, 1, &mut out);
                }
                if usual && to.width == 1 && to.value == Value::Plain {
                    pairs_of(w, to, 2, &mut out);
                }
            }
        }
        for x in writers.iter().filter(|w| w.main) {
            for y in writers.iter().filter(|y| y.main && y.file == x.file) {
                rewrites(x, y, &mut out);
            }
        }
    }
    out
}

fn kernel_name(n: usize) -> String {
    format!("k{n}")
}

/// A cubin with the kernels of some pairs, numbered from `start`.
fn cubin(pairs: &[Pair], start: usize, from: impl Fn(&Pair) -> u8) -> Result<Vec<u8>> {
    let target = Target::by_name("sm_90").context("sm_90")?;
    let mut unit = UnitObject::default();
    for (n, pair) in pairs.iter().enumerate() {
        let name = unit.symbols.intern(&kernel_name(start + n));
        let params = PARAMS.iter().map(|&(offset, size)| Param::new(offset, size)).collect();
        let mut function = Function::new(
            name,
            Linkage::Visible,
            Some(Entry { params, ..Entry::default() }),
            kernel::code(pair, from(pair)),
        );
        // The hardware keeps two for itself.
        function.registers = 128;
        function.shared.size = kernel::SHARED_BYTES;
        function.shared.align = 16;
        function.marks.exits.push(function.code.len() as u32 - 16);
        unit.functions.push(function);
    }
    unit.verify().map_err(|e| anyhow!("{e}"))?;
    raddle_link::finalize(&[unit], &FinalizeOptions::new(target), &Serial).map_err(|e| anyhow!("{e}"))
}

/// Runs a kernel in the simulator, where no hazard shows; returns its results.
fn simulate(cubin: &[u8], n: usize, hazards: OnFinding) -> Result<Vec<u32>> {
    let mut memory = Memory::new();
    let out = memory.add("out", vec![0; 512], true);
    let words: Vec<u8> =
        (0..16384u32).flat_map(|n| n.wrapping_mul(0x0101_0107).wrapping_add(0x1357).to_le_bytes()).collect();
    let buffer = memory.add("buffer", words, true);
    let mut launch = Launch::new(kernel_name(n));
    launch.block = Dim3::from(32);
    launch.hazards = hazards;
    launch.races = OnFinding::Off;
    let words = WORDS.iter().flat_map(|n| n.to_le_bytes()).collect();
    launch.args = vec![Arg::Buffer(out), Arg::u32(2), Arg::u32(0), Arg::Buffer(buffer), Arg::u64(0), Arg::Value(words)];
    machine::run(cubin, &launch, &mut memory).map_err(|e| anyhow!("{e}"))?;
    let bytes = memory.alloc(out).seg.bytes();
    Ok(bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect())
}

/// Whether the results are those of a machine without hazards, and would show one.
/// (two constants written one after the other do not).
fn sound(pair: &Pair, results: &[u32]) -> Result<bool> {
    let most = kernel::MOST;
    let right = results[..usize::from(pair.distances)].iter().all(|&n| n == 64);
    ensure!(right, "counts are {:?}", &results[..most]);
    Ok(results[2 * most] != results[2 * most + 1])
}

/// Runs a kernel in the simulator: without its tracker of hazards, then with it and distances that the table allows, so that
/// nothing but the pair is ever too early. Returns whether it would show a hazard.
fn tried(pair: &Pair, [all, safe]: [&[u8]; 2], n: usize) -> Result<bool> {
    // The simulator has no memory of more than 4 GiB.
    if pair.value == Value::High {
        return Ok(true);
    }
    if pair.table != 0 {
        simulate(safe, n, OnFinding::Error)?;
    }
    sound(pair, &simulate(all, n, OnFinding::Off)?)
}

/// `cargo campaign gpu-latency [DIR]`: builds the folder.
///
/// # Errors
/// No C compiler, files that cannot be written, a kernel that does not do in the simulator what it should.
pub fn build(Folder { folder }: Folder) -> Result<()> {
    let folder = folder.unwrap_or_else(|| xtask::figures::root().join("target/gpu-latency"));
    fs::create_dir_all(&folder)?;
    let status = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(folder.join("latency"))
        .arg(xtask::figures::root().join("gpu/latency.c"))
        .arg("-ldl")
        .status();
    ensure!(status.context("cc")?.success(), "cc could not compile gpu/latency.c");
    let (all, mut list, mut unsound) = (pairs(), String::new(), Vec::new());
    let mut blind = 0;
    for (number, part) in all.chunks(KERNELS).enumerate() {
        let start = number * KERNELS;
        let file = cubin(part, start, |_| 1)?;
        let safe = cubin(part, start, |p| p.table)?;
        let cubin = format!("latency{number}.cubin");
        for (n, pair) in part.iter().enumerate() {
            match tried(pair, [&file, &safe], start + n) {
                Ok(false) => blind += 1,
                Ok(true) => {
                    let kernel = kernel_name(start + n);
                    writeln!(list, "{cubin} {kernel} {} {} {}", pair.distances, pair.table, pair.name)?;
                }
                Err(error) => unsound.push(format!("{}: {error}", pair.name)),
            }
        }
        fs::write(folder.join(cubin), file)?;
    }
    fs::write(folder.join("latency.txt"), &list)?;
    println!(
        "{}: {} pairs, {blind} that would not show a hazard left out; there: ./latency latency.txt latency.jsonl",
        folder.display(),
        list.lines().count()
    );
    ensure!(unsound.is_empty(), "{} kernels are left out:\n{}", unsound.len(), unsound.join("\n"));
    Ok(())
}

/// What was measured of one pair.
#[derive(Default)]
struct Measured {
    table: u64,
    /// By distance: whether every result was right.
    right: BTreeMap<u64, bool>,
    /// Whether anything but the right and the expected wrong result was seen.
    strange: bool,
    blind: bool,
}

impl Measured {
    /// The least distance from which on every result was right.
    fn least(&self) -> Option<u64> {
        let mut least = None;
        for (&d, &right) in self.right.iter().rev() {
            if !right {
                break;
            }
            least = Some(d);
        }
        least
    }
}

fn read(text: &str) -> Result<BTreeMap<String, Measured>> {
    let mut out: BTreeMap<String, Measured> = BTreeMap::new();
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
        let Some(name) = value["pair"].as_str() else {
            println!("{line}");
            continue;
        };
        if value["lone"].is_null() {
            println!("{line}");
            continue;
        }
        let measured = out.entry(name.to_owned()).or_default();
        measured.table = value["table"].as_u64().unwrap_or_default();
        measured.blind = value["refs"][0] == value["refs"][1];
        for launch in ["lone", "many"] {
            let samples = &value[launch]["samples"];
            let counts = |what: &str| value[launch][what].as_array().cloned().unwrap_or_default();
            for (n, (right, wrong)) in counts("right").iter().zip(counts("wrong")).enumerate() {
                *measured.right.entry(n as u64 + 1).or_insert(true) &= right == samples;
                let seen = right.as_u64().unwrap_or_default() + wrong.as_u64().unwrap_or_default();
                measured.strange |= samples.as_u64() != Some(seen);
            }
        }
    }
    Ok(out)
}

/// `cargo campaign gpu-latency-collect FILE`: prints what the table says beside what the silicon did.
///
/// # Errors
/// No file, lines that are not of a run, and distances in the table that are too small.
pub fn collect(Results { file, all }: Results) -> Result<()> {
    let measured = read(&fs::read_to_string(&file).with_context(|| file.display().to_string())?)?;
    let mut classes: BTreeMap<String, (u64, u64, usize)> = BTreeMap::new();
    let (mut small, mut pairs) = (Vec::new(), 0);
    for (name, m) in &measured {
        let least = m.least();
        let enough = least.unwrap_or(u64::MAX);
        let parts: Vec<&str> = name.split('|').collect();
        let verdict = match (m.table, least) {
            _ if m.blind => "BLIND: right and wrong are the same here",
            (0, _) => "by scoreboard",
            (table, _) if enough > table => "TOO SMALL",
            (table, _) if enough < table => "larger than needed",
            _ => "exact",
        };
        if verdict == "TOO SMALL" {
            small.push(name.clone());
        }
        if !m.blind {
            pairs += 1;
            let class = classes.entry(parts[..parts.len().min(3)].join(" -> ")).or_insert((m.table, 0, 0));
            *class = (class.0.max(m.table), class.1.max(enough.min(99)), class.2 + 1);
        }
        if all || m.blind || verdict == "TOO SMALL" {
            let strange = if m.strange { ", other values seen" } else { "" };
            let least = least.map_or("never".to_owned(), |d| d.to_string());
            println!("{least:>5} table {:>2} {verdict}{strange}: {name}", m.table);
        }
    }
    println!("class pairs: what the table says, what every pair of it needs (99: more than was tried), pairs");
    for (class, (table, needs, count)) in &classes {
        let mark = if *table != 0 && needs > table {
            " TOO SMALL"
        } else if needs < table {
            " larger"
        } else {
            ""
        };
        println!("{table:>5} {needs:>5} {count:>4} {class}{mark}");
    }
    ensure!(small.is_empty(), "{} of {pairs} pairs need more than the table says:\n{}", small.len(), small.join("\n"));
    Ok(())
}
