//! What was proven, pass by pass.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use raddle_ir::{Cx, Function, Stop};

use crate::corpus;
use crate::solver::{Solver, SolverError};
use crate::validate::{Limits, Reason, Verdict, validate};

/// The verdicts on the runs of a pass that changed something.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Runs that changed a function.
    pub changed: usize,
    /// Of these: proven to keep its meaning.
    pub proven: usize,
    /// Proven not to.
    pub refuted: usize,
    /// Why others are not known.
    pub open: BTreeMap<Reason, usize>,
}

/// A refuted run.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The pass.
    pub pass: &'static str,
    /// The kernel, with its module.
    pub kernel: String,
    /// Values for which the functions differ.
    pub values: Vec<(String, String)>,
    /// The function before, as text.
    pub before: String,
    /// The function after.
    pub after: String,
}

/// The rows of passes, and what was refuted.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// By name of the pass.
    pub rows: BTreeMap<&'static str, Row>,
    /// In the order of the corpus.
    pub refuted: Vec<Refuted>,
    /// The questions asked of the solver.
    pub asked: usize,
}

/// Why a kernel was not judged to the end.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A pass stopped.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// The solver cannot be asked.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// What is judged.
pub struct Wanted<'a> {
    /// Only runs of this pass.
    pub only: Option<&'a str>,
    /// When a change is given up.
    pub limits: Limits,
    /// Called with each verdict: pass, time, verdict.
    pub seen: &'a dyn Fn(&'static str, Duration, &Verdict, &Function, &Function),
}

impl Table {
    /// Runs the passes on a lowered kernel and judges each change.
    ///
    /// # Errors
    /// See [`TableError`].
    pub fn judge(
        &mut self,
        cx: &Cx<'_>,
        name: &str,
        f: &mut Function,
        mut solver: Option<&mut Solver>,
        wanted: &Wanted<'_>,
    ) -> Result<(), TableError> {
        let mut failed = None;
        let before_asked = solver.as_ref().map_or(0, |s| s.asked);
        corpus::steps(cx, f, &mut |pass, before, after| {
            if failed.is_some() || wanted.only.is_some_and(|only| only != pass) {
                return;
            }
            let start = Instant::now();
            let verdict = match validate(before, after, solver.as_deref_mut(), wanted.limits) {
                Ok(verdict) => verdict,
                Err(error) => return failed = Some(error),
            };
            (wanted.seen)(pass, start.elapsed(), &verdict, before, after);
            self.add(pass, name, verdict, before, after);
        })?;
        self.asked += solver.as_ref().map_or(0, |s| s.asked) - before_asked;
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    fn add(&mut self, pass: &'static str, name: &str, verdict: Verdict, before: &Function, after: &Function) {
        let row = self.rows.entry(pass).or_default();
        row.changed += 1;
        match verdict {
            Verdict::Proven => row.proven += 1,
            Verdict::Refuted(values) => {
                row.refuted += 1;
                let [before, after] = [before, after].map(raddle_ir::text::print);
                self.refuted.push(Refuted {
                    pass,
                    kernel: format!("{name}: {}", f_name(&before)),
                    values,
                    before,
                    after,
                });
            }
            Verdict::Open(reason) => *row.open.entry(reason).or_default() += 1,
        }
    }

    /// Adds the rows of another table, which was judged after this one.
    pub fn join(&mut self, other: Table) {
        for (pass, row) in other.rows {
            let mine = self.rows.entry(pass).or_default();
            mine.changed += row.changed;
            mine.proven += row.proven;
            mine.refuted += row.refuted;
            for (reason, n) in row.open {
                *mine.open.entry(reason).or_default() += n;
            }
        }
        self.refuted.extend(other.refuted);
        self.asked += other.asked;
    }

    /// The sums of all rows.
    pub fn total(&self) -> Row {
        let mut all = Table::default();
        for row in self.rows.values() {
            all.join(Table { rows: BTreeMap::from([("all", row.clone())]), ..Table::default() });
        }
        all.rows.remove("all").unwrap_or_default()
    }
}

fn f_name(text: &str) -> &str {
    text.lines().next().and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default()
}
