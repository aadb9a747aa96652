//! Runs cubins made by ptxas in the simulator, for the tests and the figures.
//!
//! A kernel runs each of its launches and is compared with its reference; a snippet runs many rows
//! of values in the simulator and, as PTX, in the interpreter. Every hazard, race, stray access or
//! undefined output is an error.

use crate::simulator;
use anyhow::{Context, Result, ensure};
use raddle_sim::machine::Completion;
use raddle_sim::{interp, machine};

use crate::exceptions::Case;
use crate::ptxas::Assembler;
use crate::snippet::{OUT_ROW, Own, PLACE, Snippet};
use crate::{kernel, parallel, run, snippet};

/// Architectures, by the names for ptxas.
pub const ARCHES: &[&str] = &["sm_80", "sm_86", "sm_89", "sm_90"];

/// Snippets of class c that are included: atomics, shuffles, votes and other lane-crossing
/// instructions.
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

/// A case with its result.
pub type Judged = (Case, Result<()>);

/// Replaces the target of a module.
pub fn retarget(ptx: &str, arch: &str) -> String {
    let one = |l: &str| if l.trim_start().starts_with(".target ") { format!(".target {arch}") } else { l.to_owned() };
    ptx.lines().map(one).collect::<Vec<_>>().join("\n")
}

/// Every corpus kernel by both compilers for every architecture, with early and with late
/// completion; `wanted` selects by name.
///
/// # Errors
/// Unreadable corpus files. The failure of a case is in its result.
pub fn kernels(assembler: &Assembler<'_>, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Judged>> {
    let mut all = kernel::all()?;
    all.retain(|kernel| wanted(&kernel.name));
    let judged = parallel::map(&all, |kernel| -> Result<Vec<Judged>> {
        let mut results = Vec::new();
        for producer in &kernel.producers {
            let ptx = kernel.ptx(producer)?;
            for arch in ARCHES {
                let all_launches = || -> Result<()> {
                    let cubin = assembler.assemble(&retarget(&ptx, arch), arch)?;
                    for launch in &kernel.launches {
                        let reference = kernel.reference(launch)?;
                        for completion in [Completion::Early, Completion::Late] {
                            let mut setup = run::setup(&kernel.entry, launch);
                            setup.launch.seed = 1;
                            let how = machine::Setup { completion, ..machine::Setup::default() };
                            simulator::run_with(&cubin, &setup.launch, &mut setup.memory, how)?;
                            setup.results(launch)?.compare(&reference)?;
                        }
                    }
                    Ok(())
                };
                results.push((Case::new(&kernel.name, producer, arch), all_launches()));
            }
        }
        Ok(results)
    });
    Ok(judged.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Every snippet of classes a and b, and lane-crossing ones of class c, for every architecture that
/// has it.
///
/// # Errors
/// Unreadable corpus files. The failure of a case is in its result.
pub fn snippets(assembler: &Assembler<'_>, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Judged>> {
    let owns = Own::all()?;
    let mut all = snippet::all()?;
    all.retain(|snippet| {
        let crossing = CROSSING.iter().any(|part| snippet.entry.file.contains(part));
        (snippet.entry.class != "c" || crossing) && wanted(snippet.name())
    });
    let judged = parallel::map(&all, |snippet| {
        let own = owns.iter().find(|own| own.name == snippet.name());
        let accepted = |arch: &&&str| snippet.entry.accepted.iter().any(|a| a == **arch);
        let judge = |arch: &&str| (Case::new(snippet.name(), "ptxas", arch), agree(snippet, own, arch, assembler));
        ARCHES.iter().filter(accepted).map(judge).collect::<Vec<Judged>>()
    });
    Ok(judged.into_iter().flatten().collect())
}

/// Compares a snippet in simulator and interpreter on many rows of values.
fn agree(snippet: &Snippet, own: Option<&Own>, arch: &str, assembler: &Assembler<'_>) -> Result<()> {
    let text = snippet.per_thread(arch).context("no common loads")?;
    let cubin = assembler.assemble(&text, arch)?;
    let run = |simulate: bool| -> Result<[(Vec<u8>, Vec<u8>); 2]> {
        let mut run = snippet.prepare(1);
        run.launch.max_steps = 1 << 20;
        if simulate {
            simulator::run(&cubin, &run.launch, &mut run.memory).context("simulator")?;
        } else {
            interp::run(&text, &run.launch, &mut run.memory).context("interpreter")?;
        }
        Ok(run.left())
    };
    let (mut got, mut want) = (run(true)?, run(false)?);
    if let Some(own) = own {
        for (rows, undefined) in [&mut got[0], &mut want[0]] {
            own.check(rows)?;
            for at in (0..rows.len()).step_by(OUT_ROW) {
                ensure!(undefined[at..at + own.bytes].iter().all(|bits| *bits == 0), "a result is undefined");
                rows[at..at + own.bytes].fill(0);
            }
        }
    }
    // The slow paths of f64 keep a NaN's payload, which the manual leaves open.
    let double = snippet.entry.file.contains("f64");
    // The purpose of the form is to discard memory, which must be undefined in both.
    let discard = snippet.discards();
    for (i, (what, row)) in [("output", OUT_ROW), ("place", PLACE)].into_iter().enumerate() {
        let ((a, a_undefined), (b, b_undefined)) = (&got[i], &want[i]);
        let word = |v: &[u8], at: usize| u64::from_le_bytes(v[at & !7..][..8].try_into().unwrap_or_default());
        let nan = |v: &[u8], at: usize| f64::from_bits(word(v, at)).is_nan();
        for at in 0..a.len() {
            let thread = at / row;
            if a_undefined[at] | b_undefined[at] != 0 {
                let same = discard && a_undefined[at] == b_undefined[at];
                ensure!(same, "{what} of thread {thread}, byte {}: undefined", at % row);
                continue;
            }
            let same = a[at] == b[at] || double && nan(a, at) && nan(b, at);
            let (a, b) = (word(a, at), word(b, at));
            let at = at % row;
            ensure!(same, "{what} of thread {thread}, byte {at}: simulator {a:#018x}, interpreter {b:#018x}");
        }
    }
    Ok(())
}
