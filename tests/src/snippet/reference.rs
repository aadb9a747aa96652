//! What the text of a snippet leaves in memory, by the interpreter, and a comparison with that.

use anyhow::{Context, Result, bail, ensure};
use raddle_sim::failure::FailureKind;
use raddle_sim::interp;
use raddle_sim::machine::Setup;

use super::{Like, OUT_ROW, Own, PLACE, Snippet};
use crate::simulator;

/// Most steps of a run.
const STEPS: u64 = 1 << 20;

/// Bytes and their undefined bits, of the output rows and of the slots.
type Left = [(Vec<u8>, Vec<u8>); 2];

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// A trap.
    Trap,
    /// The end of all threads, with what they left.
    Left(Left),
}

impl Reference {
    /// Runs the text in the interpreter, in all orders, which must give the same; `own` is the row of
    /// a result that depends on the machine.
    ///
    /// # Errors
    /// A failure that is not the trap that is expected, undefined results where nothing was discarded,
    /// and results that depend on the order.
    pub fn of(snippet: &Snippet, own: Option<&Own>, text: &str) -> Result<Self> {
        let mut first = None;
        for (seed, _) in snippet.orders() {
            let mut run = snippet.prepare(1);
            (run.launch.max_steps, run.launch.seed) = (STEPS, seed);
            let found = match interp::run(text, &run.launch, &mut run.memory) {
                Ok(_) => Self::Left(defined(snippet, own, run.left()).context("interpreter")?),
                Err(failure) if *failure.kind == FailureKind::Trap => Self::Trap,
                Err(failure) => return Err(failure).context("interpreter"),
            };
            let same = first.get_or_insert_with(|| found.clone()) == &found;
            ensure!(same, "interpreter: results depend on the order: seed {seed}");
        }
        let first = first.context("no order")?;
        let trap = first == Self::Trap;
        ensure!(trap == snippet.traps(), "interpreter: {}", if trap { "a trap" } else { "no trap" });
        Ok(first)
    }

    /// Runs code in the simulator, in all orders, and compares it with the reference.
    ///
    /// # Errors
    /// A failure, or the first byte that differs.
    pub fn judge(&self, snippet: &Snippet, own: Option<&Own>, cubin: &[u8]) -> Result<()> {
        for (seed, completion) in snippet.orders() {
            let mut run = snippet.prepare(1);
            (run.launch.max_steps, run.launch.seed) = (STEPS, seed);
            let setup = Setup { completion, ..Setup::default() };
            let ran = simulator::run_with(cubin, &run.launch, &mut run.memory, setup);
            let order = || format!("simulator, seed {seed}, {completion:?}");
            match (ran, self) {
                (Err(failure), Self::Trap) if *failure.kind == FailureKind::Trap => {}
                (Err(failure), _) => return Err(failure).with_context(order),
                (Ok(_), Self::Trap) => bail!("no trap: {}", order()),
                (Ok(_), Self::Left(want)) => {
                    let got = defined(snippet, own, run.left()).with_context(order)?;
                    compare(snippet, &got, want).with_context(order)?;
                }
            }
        }
        Ok(())
    }
}

/// Memory in which nothing is undefined but what was discarded. A result that depends on the machine
/// has the form that its row says, and counts as zero.
fn defined(snippet: &Snippet, own: Option<&Own>, mut left: Left) -> Result<Left> {
    if let Some(own) = own {
        let (rows, undefined) = &mut left[0];
        own.check(rows)?;
        for at in (0..rows.len()).step_by(OUT_ROW) {
            let range = at..at + own.bytes;
            if own.like == Like::Token {
                undefined[range.clone()].fill(0);
            }
            ensure!(undefined[range.clone()].iter().all(|bits| *bits == 0), "a result is undefined");
            rows[range].fill(0);
        }
    }
    let [(_, output), (_, places)] = &left;
    ensure!(output.iter().all(|bits| *bits == 0), "the output is undefined");
    ensure!(snippet.discards() == places.iter().any(|bits| *bits != 0), "what is undefined is not what is discarded");
    Ok(left)
}

fn compare(snippet: &Snippet, got: &Left, want: &Left) -> Result<()> {
    if got == want {
        return Ok(());
    }
    // The slow paths of f64 keep a NaN's payload, which the manual leaves open.
    let double = snippet.entry.file.contains("f64");
    for (i, (what, row)) in [("output", OUT_ROW), ("place", PLACE)].into_iter().enumerate() {
        let ((a, a_undefined), (b, b_undefined)) = (&got[i], &want[i]);
        let word = |v: &[u8], at: usize| u64::from_le_bytes(v[at & !7..][..8].try_into().unwrap_or_default());
        let nan = |v: &[u8], at: usize| f64::from_bits(word(v, at)).is_nan();
        for at in 0..a.len() {
            let place = || format!("{what} of thread {}, byte {}", at / row, at % row);
            ensure!(a_undefined[at] == b_undefined[at], "{}: undefined in one of them", place());
            // What is undefined in both was discarded.
            let same = a[at] == b[at] || a_undefined[at] != 0 || double && nan(a, at) && nan(b, at);
            ensure!(same, "{}: {:#018x}, interpreter {:#018x}", place(), word(a, at), word(b, at));
        }
    }
    Ok(())
}
