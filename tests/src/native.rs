//! Snippets through our compiler: the requirements of issue 3 on them, and a check that they are
//! met.
//!
//! Every snippet of classes a and b that ptxas accepts for an architecture, and those of class c
//! outside the matrix, asynchronous copy, cluster and texture machinery ([`CROSSING`]), is compiled
//! at the given levels, checked by the static hazard checker, run in the simulator on many rows of
//! values, and compared with the interpreter's bits.

use crate::simulator;
use anyhow::{Result, bail};
use raddle_sim::failure::{Failure, FailureKind};
use raddle_sim::interp;

use crate::compile::cubin_at;
use crate::exceptions::Case;
use crate::judge::static_hazards;
use crate::level::Level;
use crate::parallel;
use crate::simulate::{ARCHES, Judged};
use crate::snippet::{self, OUT_ROW, PLACE, Snippet};

/// Class c: parts of the names of included snippets.
const CROSSING: &[&str] = &[
    "c_atom_",
    "c_red_",
    "c_membar",
    "c_fence",
    "c_bar_",
    "c_barrier_sync",
    "c_nanosleep",
    "c_griddepcontrol",
    "c_shfl",
    "c_vote",
    "c_match",
    "c_redux",
    "c_activemask",
    "c_elect",
    "c_divergent",
    "c_loop",
    "c_brx",
    "c_call_direct",
    "c_trap",
    "c_brkpt",
    "c_exit",
    "c_pmevent",
    "c_tex",
    "c_tld4",
    "c_txq",
    "c_suld",
    "c_sust",
    "c_sured",
    "c_suq",
];

/// Exceptions: function addresses, and parts of asynchronous copies and clusters.
const OUT: &[&str] = &["a_mov_addr_func", "c_red_async", "c_atom_shared_cluster"];

/// The expected result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// The interpreter's bits.
    Bits,
    /// It ends without a failure: the values depend on the machine (clocks, counters, sizes, cache
    /// policies), or the manual leaves them undefined (discarded memory).
    End,
    /// A trap, as in the interpreter.
    Trap,
}

/// Parts of the names of snippets that are not compared with the interpreter's bits.
const EXPECTED: &[(&str, Expected)] = &[
    ("a_clock", Expected::End),
    ("a_globaltimer", Expected::End),
    ("a_pm0", Expected::End),
    ("a_reserved_smem_offset", Expected::End),
    ("a_nwarpid", Expected::End),
    ("a_nsmid", Expected::End),
    ("a_createpolicy", Expected::End),
    ("a_discard", Expected::End),
    ("c_trap", Expected::Trap),
    ("c_brkpt", Expected::Trap),
];

/// Whether a snippet must compile and be right on an architecture.
pub fn asked(snippet: &Snippet, arch: &str) -> bool {
    let entry = &snippet.entry;
    let within = |parts: &[&str]| parts.iter().any(|part| entry.file.contains(part));
    (entry.class != "c" || within(CROSSING)) && !within(OUT) && entry.accepted.iter().any(|a| a == arch)
}

/// Tests every required snippet, on every architecture, at the given levels; `wanted` selects by
/// name.
///
/// # Errors
/// Unreadable corpus files. The failure of a case is in its result.
pub fn snippets(wanted: &dyn Fn(&str) -> bool, levels: &[Level]) -> Result<Vec<Judged>> {
    let mut all = snippet::all()?;
    all.retain(|snippet| wanted(snippet.name()));
    let judged = parallel::map(&all, |snippet| {
        let mut results = Vec::new();
        for arch in ARCHES.iter().filter(|arch| asked(snippet, arch)) {
            let Some(text) = snippet.per_thread(arch) else {
                let case = Case::new(snippet.name(), "raddle", arch);
                results.push((case, Err(anyhow::anyhow!("the snippet does not load its buffers the common way"))));
                continue;
            };
            let reference = reference(snippet, &text);
            for &level in levels {
                let case = Case::new(snippet.name(), "raddle", &format!("{arch}-{level}"));
                results.push((case, judge(snippet, &text, arch, level, &reference)));
            }
        }
        results
    });
    Ok(judged.into_iter().flatten().collect())
}

fn expected(snippet: &Snippet) -> Expected {
    EXPECTED.iter().find(|row| snippet.name().contains(row.0)).map_or(Expected::Bits, |row| row.1)
}

/// The result of a run, or its failure.
type Ran = Result<[Vec<u8>; 2], String>;

const TRAPPED: &str = "trap";

fn ran(run: Result<(), Failure>, results: impl FnOnce() -> Result<[Vec<u8>; 2]>) -> Ran {
    match run {
        Ok(()) => results().map_err(|error| format!("{error:#}")),
        Err(failure) if *failure.kind == FailureKind::Trap => Err(TRAPPED.to_owned()),
        Err(failure) => Err(failure.to_string()),
    }
}

/// The result of the interpreter; empty if nothing is compared.
fn reference(snippet: &Snippet, text: &str) -> Ran {
    if expected(snippet) == Expected::End {
        return Ok(Default::default());
    }
    let mut run = snippet.prepare(1);
    let outcome = interp::run(text, &run.launch, &mut run.memory).map(drop);
    ran(outcome, || snippet.results(&run))
}

fn judge(snippet: &Snippet, text: &str, arch: &str, level: Level, reference: &Ran) -> Result<()> {
    let file = cubin_at(text, arch, level)?;
    static_hazards(&file, arch)?;
    let mut run = snippet.prepare(1);
    let outcome = simulator::run(&file, &run.launch, &mut run.memory).map(drop);
    let got = ran(outcome, || snippet.results(&run));
    match (expected(snippet), &got, reference) {
        (Expected::End, Ok(_), _) => Ok(()),
        (Expected::Trap, Err(got), Err(want)) if got == TRAPPED && want == TRAPPED => Ok(()),
        (Expected::Trap, ..) => bail!("no trap: simulator {:?}, interpreter {:?}", got.err(), reference.clone().err()),
        (_, Err(error), _) => bail!("simulator: {error}"),
        (_, _, Err(error)) => bail!("interpreter: {error}"),
        (Expected::Bits, Ok(got), Ok(want)) => same(snippet, got, want),
    }
}

fn same(snippet: &Snippet, got: &[Vec<u8>; 2], want: &[Vec<u8>; 2]) -> Result<()> {
    // The slow paths of f64 keep a NaN's payload, which the manual leaves open.
    let double = snippet.entry.file.contains("f64");
    let word = |v: &[u8], at: usize| u64::from_le_bytes(v[at & !7..][..8].try_into().unwrap_or_default());
    let nan = |v: &[u8], at: usize| f64::from_bits(word(v, at)).is_nan();
    for (what, row, got, want) in [("output", OUT_ROW, &got[0], &want[0]), ("place", PLACE, &got[1], &want[1])] {
        if got == want {
            continue;
        }
        let differs = |i: &usize| got[*i] != want[*i] && !(double && nan(got, *i) && nan(want, *i));
        if let Some(i) = (0..got.len()).find(differs) {
            let (thread, at) = (i / row, i % row);
            let (got, want) = (word(got, i), word(want, i));
            bail!("{what} of thread {thread}, byte {at}: simulator {got:#018x}, interpreter {want:#018x}");
        }
    }
    Ok(())
}
