//! ptxas-made cubins in the simulator: what the tests and the figures both run.
//!
//! A kernel runs each of its launches and is compared with its reference; a snippet runs many rows of values in the
//! simulator and, as PTX, in the interpreter. Every hazard, race, stray access or undefined output is an error.

use anyhow::{Context, Result, bail, ensure};
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;
use raddle_sim::{interp, machine};

use crate::exceptions::Case;
use crate::ptxas::Assembler;
use crate::snippet::{OUT_ROW, PLACE, SHARED_PLACE, Snippet};
use crate::{kernel, run, snippet};

/// Architectures, each with the name ptxas takes.
pub const ARCHES: &[&str] = &["sm_80", "sm_86", "sm_89", "sm_90"];

/// Snippets of class c that are in: atomics, shuffles, votes and what else crosses lanes.
const CROSSING: &[&str] = &[
    "atom",
    "red_",
    "redux",
    "shfl",
    "vote",
    "match",
    "activemask",
    "elect",
    "bar_",
    "barrier_sync",
    "divergent",
    "loop",
    "brx",
    "call_direct",
    "membar",
    "fence",
];

/// One case with what came of it.
pub type Judged = (Case, Result<()>);

/// The module with its target replaced.
pub fn retarget(ptx: &str, arch: &str) -> String {
    let one = |l: &str| if l.trim_start().starts_with(".target ") { format!(".target {arch}") } else { l.to_owned() };
    ptx.lines().map(one).collect::<Vec<_>>().join("\n")
}

/// Every corpus kernel by both compilers for every architecture; `wanted` chooses by name.
///
/// # Errors
/// Unreadable corpus files. What a case has against it is in its result.
pub fn kernels(assembler: &Assembler<'_>, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Judged>> {
    let mut results = Vec::new();
    for kernel in kernel::all()?.iter().filter(|k| wanted(&k.name)) {
        for producer in kernel::PRODUCERS {
            let ptx = kernel.ptx(producer)?;
            for arch in ARCHES {
                let all_launches = || -> Result<()> {
                    let cubin = assembler.assemble(&retarget(&ptx, arch), arch)?;
                    for launch in &kernel.launches {
                        let mut setup = run::setup(&kernel.entry, launch);
                        setup.launch.seed = 1;
                        machine::run(&cubin, &setup.launch, &mut setup.memory)?;
                        setup.results(launch)?.compare(&kernel.reference(launch)?)?;
                    }
                    Ok(())
                };
                results.push((Case::new(&kernel.name, producer, arch), all_launches()));
            }
        }
    }
    Ok(results)
}

/// Every snippet of classes a and b, and those of class c that cross lanes, for every architecture that has it.
///
/// # Errors
/// Unreadable corpus files. What a case has against it is in its result.
pub fn snippets(assembler: &Assembler<'_>, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Judged>> {
    let mut results = Vec::new();
    for snippet in snippet::all()? {
        let entry = &snippet.entry;
        let name = entry.file.trim_end_matches(".ptx");
        let crossing = CROSSING.iter().any(|part| entry.file.contains(part));
        if (entry.class == "c" && !crossing) || !wanted(name) {
            continue;
        }
        for arch in ARCHES.iter().filter(|arch| entry.accepted.iter().any(|a| a == *arch)) {
            results.push((Case::new(name, "ptxas", arch), agree(&snippet, arch, assembler)));
        }
    }
    Ok(results)
}

/// One snippet, many rows of values, both machines.
fn agree(snippet: &Snippet, arch: &str, assembler: &Assembler<'_>) -> Result<()> {
    let text = snippet.per_thread(arch).context("no common loads")?;
    let cubin = assembler.assemble(&text, arch)?;
    let threads = 64;
    let run = |simulate: bool| -> Result<Vec<Vec<u8>>> {
        let mut mem = Memory::new();
        let places = mem.add("places", (0..threads * PLACE).map(|i| (i * 7) as u8).collect(), true);
        let input = mem.add("in", snippet.inputs(threads, 1, mem.base(places)), true);
        let output = mem.add("out", vec![0; threads * OUT_ROW], true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(threads as u32);
        launch.dyn_shared = (threads * SHARED_PLACE) as u32;
        launch.max_steps = 1 << 20;
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(output), Arg::Value(vec![0; 128])];
        if simulate {
            machine::run(&cubin, &launch, &mut mem).context("simulator")?;
        } else {
            interp::run(&text, &launch, &mut mem).context("interpreter")?;
        }
        let read = |id| -> Result<Vec<u8>> { Ok(mem.read_back(id).map_err(|e| anyhow::anyhow!("{e}"))?.to_vec()) };
        Ok(vec![read(output)?, read(places)?])
    };
    let (ours, theirs) = (run(true)?, run(false)?);
    for (what, (a, b)) in ["out", "places"].iter().zip(ours.iter().zip(&theirs)) {
        ensure!(a.len() == b.len(), "sizes differ");
        // The slow paths of f64 keep a NaN's payload, which the manual leaves open.
        let double = snippet.entry.file.contains("f64");
        let nan = |v: &[u8], at: usize| f64::from_le_bytes(v[at..at + 8].try_into().unwrap_or_default()).is_nan();
        let same = |i: usize| a[i] == b[i] || double && nan(a, i & !7) && nan(b, i & !7);
        if let Some(i) = (0..a.len()).find(|&i| !same(i)) {
            let (row, at) = (i / if *what == "out" { OUT_ROW } else { PLACE }, i & !7);
            let word = |v: &[u8]| u64::from_le_bytes(v[at..at + 8].try_into().unwrap_or_default());
            bail!(
                "{what}: thread {row} byte {}: simulator {:#018x}, interpreter {:#018x}",
                i % OUT_ROW,
                word(a),
                word(b)
            );
        }
    }
    Ok(())
}
