//! `cargo campaign gpu-replay DIR`: runs the launches of a folder of `gpu-check` in the simulator of today, and compares with what
//! a GPU left there.
//!
//! A GPU is seldom at hand, and the simulator changes: the folder, `results.jsonl` and the bytes in `outputs` of one run tell for
//! every later simulator where it computes what silicon did. Textures have vectors of their own (`tests/corpus/gpu/textures`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use raddle_cubin::Cubin;
use raddle_sim::launch::{Arg, Dim3, Launch, OnFinding};
use raddle_sim::mem::{AllocId, Memory};
use raddle_target::Target;
use raddle_tests::simulator;
use serde::Deserialize;

/// Instructions whose launches are counted together, in the order of preference.
const CLASSES: &[&str] = &[
    "HGMMA", "IGMMA", "BGMMA", "QGMMA", "UTMALDG", "UTMASTG", "UTMAREDG", "UBLKRED", "DMMA", "HMMA", "IMMA", "BMMA",
    "MUFU", "DFMA", "DADD", "DMUL", "DSETP", "LEPC",
];
/// Differences that are shown of each launch.
const SHOWN: usize = 3;

#[derive(clap::Args)]
pub struct Options {
    /// The folder: cases.txt and its data, results.jsonl, outputs
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Only cases whose name contains this
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    /// Show every launch that differs, not one of each class
    #[arg(long)]
    all: bool,
}

/// An argument, or a buffer that another one points to.
#[derive(Debug)]
struct Given {
    bytes: Vec<u8>,
    /// The bytes that a buffer has after the launch; none for a value, or where they are not compared.
    after: Option<Vec<u8>>,
    buffer: bool,
    hidden: bool,
}

/// The word at an offset of one argument is the address of another.
#[derive(Debug)]
struct Patch {
    arg: usize,
    at: usize,
    to: usize,
    plus: u64,
    after: bool,
}

/// A case of the folder.
#[derive(Debug, Default)]
struct Case {
    name: String,
    cubin: Vec<u8>,
    kernel: String,
    shape: [[u32; 3]; 3],
    shared: u32,
    stack: u32,
    given: Vec<Given>,
    patches: Vec<Patch>,
    textures: bool,
}

#[derive(Deserialize)]
struct Line {
    case: Option<String>,
    status: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// A folder without results, malformed cases.
pub fn run(options: Options) -> Result<()> {
    let folder = &options.folder;
    let mut status = BTreeMap::new();
    let results = fs::read_to_string(folder.join("results.jsonl")).context("results.jsonl")?;
    for line in results.lines() {
        let line: Line = serde_json::from_str(line)?;
        if let (Some(case), Some(found)) = (line.case, line.status) {
            status.insert(case, found);
        }
    }
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut skipped = [0usize; 2];
    for case in cases(folder)? {
        let ran = status.get(&case.name).is_some_and(|status| status == "ok" || status == "different");
        if options.only.as_ref().is_some_and(|part| !case.name.contains(part)) {
            continue;
        }
        if !ran || case.textures {
            skipped[usize::from(ran)] += 1;
            continue;
        }
        let class = class(&case.cubin)?;
        let verdict = match replay(&case, folder) {
            Ok(None) => "same",
            Ok(Some(what)) => {
                if options.all || !counts.contains_key(&(class.clone(), "differs")) {
                    println!("{} {} [{class}]: {what}", case.name, case.kernel);
                }
                "differs"
            }
            Err(failure) => {
                if options.all || !counts.contains_key(&(class.clone(), "fails")) {
                    println!("{} {} [{class}]: {failure:#}", case.name, case.kernel);
                }
                "fails"
            }
        };
        *counts.entry((class, verdict)).or_default() += 1;
    }
    for ((class, verdict), count) in counts {
        println!("{class:10} {verdict:8} {count}");
    }
    println!("left out: {} that the GPU did not run to the end, {} with textures", skipped[0], skipped[1]);
    Ok(())
}

/// Reads the cases of a folder.
fn cases(folder: &Path) -> Result<Vec<Case>> {
    let blobs = fs::read(folder.join("blobs.bin")).unwrap_or_default();
    let data = |word: &str| -> Result<Vec<u8>> {
        match word.strip_prefix('@').and_then(|place| place.split_once('+')) {
            Some((at, size)) => {
                let at: usize = at.parse()?;
                Ok(blobs.get(at..at + size.parse::<usize>()?).context("a blob out of bounds")?.to_vec())
            }
            None => fs::read(folder.join(word)).with_context(|| word.to_owned()),
        }
    };
    let (mut all, mut case) = (Vec::new(), Case::default());
    for line in fs::read_to_string(folder.join("cases.txt"))?.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |n: usize| words.get(n).and_then(|word| word.parse::<u32>().ok()).context("a number");
        let three = || -> Result<[u32; 3]> { Ok([number(1)?, number(2)?, number(3)?]) };
        match words[..] {
            ["case", name] => case.name = name.to_owned(),
            ["cubin", place] => case.cubin = data(place)?,
            ["kernel", name] => case.kernel = name.to_owned(),
            ["arch", _] => {}
            ["grid", ..] => case.shape[0] = three()?,
            ["block", ..] => case.shape[1] = three()?,
            ["cluster", ..] => case.shape[2] = three()?,
            ["shared", _] => case.shared = number(1)?,
            ["stack", _] => case.stack = number(1)?,
            ["value", hex] => {
                let byte = |n: usize| u8::from_str_radix(&hex[n..n + 2], 16);
                let bytes = (0..hex.len()).step_by(2).map(byte).collect::<Result<_, _>>()?;
                case.given.push(Given { bytes, after: None, buffer: false, hidden: false });
            }
            ["in", before] => {
                case.given.push(Given { bytes: data(before)?, after: None, buffer: true, hidden: false });
            }
            ["out", before, after] => {
                let after = if after == "-" { None } else { Some(data(after)?) };
                case.given.push(Given { bytes: data(before)?, after, buffer: true, hidden: false });
            }
            ["hidden"] => case.given.last_mut().context("nothing to hide")?.hidden = true,
            [word @ ("patch" | "patched"), ..] => {
                let (arg, at, to) = (number(1)? as usize, number(2)? as usize, number(3)? as usize);
                case.patches.push(Patch { arg, at, to, plus: words[4].parse()?, after: word == "patched" });
            }
            ["texture" | "surface", ..] => case.textures = true,
            ["end"] => all.push(std::mem::take(&mut case)),
            _ => bail!("a line of cases.txt: {line}"),
        }
    }
    Ok(all)
}

/// The first of [`CLASSES`] that a cubin has.
fn class(cubin: &[u8]) -> Result<String> {
    let isa = Target::by_name("sm_90").and_then(|target| target.native.as_ref()).context("sm_90")?.isa;
    let mut found = CLASSES.len();
    for function in Cubin::parse(cubin)?.functions() {
        for word in function.code.chunks_exact(16) {
            let inst = raddle_sass::decode(isa, u128::from_le_bytes(word.try_into()?));
            let Ok(inst) = inst else { continue };
            let text = raddle_sass::print(&inst, 0);
            let op =
                text.split_whitespace().find(|word| !word.starts_with('@')).and_then(|word| word.split('.').next());
            found = CLASSES.iter().position(|class| Some(*class) == op).unwrap_or(found).min(found);
        }
    }
    Ok(CLASSES.get(found).map_or("others", |class| class).to_owned())
}

/// Runs a case; returns what differs from the bytes of the GPU.
fn replay(case: &Case, folder: &Path) -> Result<Option<String>> {
    let set_up = |bases: &[u64]| {
        let mut memory = Memory::new();
        let mut bytes: Vec<Vec<u8>> = case.given.iter().map(|given| given.bytes.clone()).collect();
        for patch in case.patches.iter().filter(|patch| !patch.after) {
            let address = bases.get(patch.to).map_or(0, |base| base.wrapping_add(patch.plus));
            bytes[patch.arg][patch.at..patch.at + 8].copy_from_slice(&address.to_le_bytes());
        }
        let add =
            |(n, given): (usize, &Given)| given.buffer.then(|| memory.add(format!("b{n}"), bytes[n].clone(), true));
        let ids: Vec<Option<AllocId>> = case.given.iter().enumerate().map(add).collect();
        (memory, ids, bytes)
    };
    let (memory, ids, _) = set_up(&[]);
    let bases: Vec<u64> = ids.iter().map(|id| id.map_or(0, |id| memory.base(id))).collect();
    let (mut memory, ids, bytes) = set_up(&bases);
    let sides = |[x, y, z]: [u32; 3]| Dim3::new(x, y, z);
    let mut launch = Launch::new(case.kernel.clone());
    (launch.grid, launch.block) = (sides(case.shape[0]), sides(case.shape[1]));
    launch.cluster = (case.shape[2][0] > 0).then(|| sides(case.shape[2]));
    (launch.dyn_shared, launch.stack) = (case.shared, case.stack.max(1024));
    (launch.races, launch.hazards) = (OnFinding::Off, OnFinding::Off);
    launch.max_steps = 1 << 24;
    for ((given, id), bytes) in case.given.iter().zip(&ids).zip(bytes).filter(|((given, _), _)| !given.hidden) {
        launch.args.push(match id {
            Some(id) if given.buffer => Arg::Buffer(*id),
            _ => Arg::Value(bytes),
        });
    }
    simulator::run(&case.cubin, &launch, &mut memory)?;
    for (n, (given, id)) in case.given.iter().zip(&ids).enumerate() {
        let (Some(after), Some(id)) = (&given.after, id) else { continue };
        let kept = fs::read(folder.join(format!("outputs/{}.{n}.bin", case.name))).ok();
        let mut wanted = kept.unwrap_or_else(|| after.clone());
        let mut found = memory.read_back(*id).map_err(|e| anyhow::anyhow!("{e}"))?.to_vec();
        // Addresses are others.
        for patch in case.patches.iter().filter(|patch| patch.arg == n) {
            [&mut wanted, &mut found].into_iter().for_each(|bytes| bytes[patch.at..patch.at + 8].fill(0));
        }
        let words = wanted.chunks(4).zip(found.chunks(4)).enumerate();
        let differ: Vec<_> = words.filter(|(_, (wanted, found))| wanted != found).collect();
        if !differ.is_empty() {
            let hex = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
            let first = differ
                .iter()
                .take(SHOWN)
                .map(|(at, (wanted, found))| format!("at {:#x} {} for the GPU's {}", 4 * at, hex(found), hex(wanted)));
            return Ok(Some(format!(
                "{} words of argument {n}: {}",
                differ.len(),
                first.collect::<Vec<_>>().join(", ")
            )));
        }
    }
    Ok(None)
}
