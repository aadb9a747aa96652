//! The SASS simulator on cubins made by ptxas: code that nobody here generated runs with the reference's results and
//! without a hazard. That judges simulator, interpreter and tables at once.
#![forbid(unsafe_code)]

use anyhow::{Context, Result, bail, ensure};
use raddle_filetest::oracle;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;
use raddle_sim::{interp, machine};
use raddle_tests::exceptions::{Case, settle};
use raddle_tests::ptxas::Assembler;
use raddle_tests::snippet::{OUT_ROW, PLACE, SHARED_PLACE, Snippet};
use raddle_tests::{kernel, run, snippet};

/// Architectures, each with the name ptxas takes.
const ARCHES: &[&str] = &["sm_80", "sm_86", "sm_89", "sm_90"];

/// Only cases whose name has this text run; for work on one of them.
fn wanted(name: &str) -> bool {
    std::env::var("ONLY").map_or(true, |only| name.contains(&only))
}

#[test]
fn ptxas_kernels_equal_their_references_without_hazards() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let mut results = Vec::new();
    for kernel in kernel::all().unwrap() {
        for producer in kernel::PRODUCERS {
            let ptx = kernel.ptx(producer).unwrap();
            for arch in ARCHES {
                if !wanted(&kernel.name) {
                    continue;
                }
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
    settle("simulator", &results).unwrap();
}

/// The module with its target replaced: ptxas takes older targets only for its own architecture or a later one.
fn retarget(ptx: &str, arch: &str) -> String {
    let lines = ptx
        .lines()
        .map(|l| if l.trim_start().starts_with(".target ") { format!(".target {arch}") } else { l.to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}

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

#[test]
fn ptxas_snippets_equal_the_interpreter_without_hazards() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let mut results = Vec::new();
    for snippet in snippet::all().unwrap() {
        let entry = &snippet.entry;
        let name = entry.file.trim_end_matches(".ptx");
        let crossing = CROSSING.iter().any(|part| entry.file.contains(part));
        if (entry.class == "c" && !crossing) || !wanted(name) {
            continue;
        }
        for arch in ARCHES {
            if !entry.accepted.iter().any(|a| a == arch) {
                continue;
            }
            results.push((Case::new(name, "ptxas", arch), agree(&snippet, arch, &assembler)));
        }
    }
    settle("simulator snippets", &results).unwrap();
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
