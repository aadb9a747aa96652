//! Known differences, with reasons: `corpus/suites.toml`.
//!
//! A row has `suite`, `program`, `side` (`ptxas`, `reference` or `program`) and `reason`. Our own
//! code has no rows: its differences fail the run. A row whose program no longer differs fails it
//! too. Rows about ptxas apply to the version named in the file; with another one they are reported
//! but not enforced.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::compare::{Seen, Side, Verdict};
use crate::kernel::corpus;

/// The side that a row excuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Excused {
    /// The code of ptxas, or a crash of ptxas.
    Ptxas,
    /// The expected results of the suite.
    Reference,
    /// A program that PTX leaves undefined.
    Program,
}

impl Excused {
    /// The excused side; `None` for our own.
    pub fn of(side: Side) -> Option<Self> {
        match side {
            Side::Ptxas(_) => Some(Self::Ptxas),
            Side::Reference => Some(Self::Reference),
            Side::Program => Some(Self::Program),
            Side::Ours(_) => None,
        }
    }

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ptxas => "ptxas",
            Self::Reference => "reference",
            Self::Program => "program",
        }
    }
}

/// A known difference.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The suite.
    pub suite: String,
    /// The program.
    pub program: String,
    /// The side.
    pub side: Excused,
    /// The reason.
    pub reason: String,
}

/// The file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// The version of ptxas that its rows apply to, such as `13.0.88`.
    pub ptxas: String,
    /// The rows.
    #[serde(default)]
    pub row: Vec<Row>,
}

impl Rows {
    /// Reads the file.
    ///
    /// # Errors
    /// An unreadable file, a row without a reason, two rows for one program and side.
    pub fn read() -> Result<Self> {
        let path = corpus().join("suites.toml");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let rows: Self = toml::from_str(&text).with_context(|| path.display().to_string())?;
        for (n, row) in rows.row.iter().enumerate() {
            ensure!(!row.reason.is_empty(), "the row of {} has no reason", row.program);
            let same = |other: &Row| other.suite == row.suite && other.program == row.program && other.side == row.side;
            ensure!(!rows.row[..n].iter().any(same), "two rows of {} ({})", row.program, row.side.name());
        }
        Ok(rows)
    }

    /// Whether a row counts: those about ptxas are about one version. `ptxas` is the version that was
    /// used, `None` for none.
    fn enforced(&self, side: Excused, ptxas: Option<&str>) -> bool {
        side != Excused::Ptxas || ptxas == Some(&self.ptxas)
    }

    /// The differences that have no row, one line each.
    pub fn without_row(&self, suite: &str, seen: &[Seen], ptxas: Option<&str>) -> Vec<String> {
        let enforced = |side: Excused| self.enforced(side, ptxas);
        let of_suite = || self.row.iter().filter(|row| row.suite == suite);
        let mut complaints = Vec::new();
        // One line for a program and a side: the first observation, and their number.
        let mut wrong: BTreeMap<(&str, Option<Excused>), (&Seen, &str, usize)> = BTreeMap::new();
        for one in seen {
            let Verdict::Wrong(what) = &one.verdict else { continue };
            let side = Excused::of(one.side);
            let row = of_suite().any(|row| row.program == one.program && Some(row.side) == side);
            if !row && side.is_none_or(enforced) {
                wrong.entry((&one.program, side)).or_insert((one, what, 0)).2 += 1;
            }
        }
        for (one, what, times) in wrong.into_values() {
            complaints.push(format!("{}: {what} ({times} such verdicts)", label(one)));
        }
        complaints
    }

    /// The rows whose programs do not differ, one line each. The verdicts must be those of all
    /// architectures: a program may differ on one only.
    pub fn stale(&self, suite: &str, seen: &[Seen], ptxas: Option<&str>) -> Vec<String> {
        let of_suite = self.row.iter().filter(|row| row.suite == suite && self.enforced(row.side, ptxas));
        let agrees = |row: &&Row| {
            let of = |one: &&Seen| one.program == row.program && Excused::of(one.side) == Some(row.side);
            let mut about = seen.iter().filter(of).peekable();
            about.peek().is_some() && !about.any(|one| matches!(one.verdict, Verdict::Wrong(_)))
        };
        let line = |row: &Row| format!("{} ({}) differs no longer: take its row away", row.program, row.side.name());
        of_suite.filter(agrees).map(line).collect()
    }
}

/// Program, kernel, side, architecture.
pub fn label(seen: &Seen) -> String {
    let kernel =
        if seen.kernel.is_empty() || seen.kernel == seen.program { String::new() } else { format!(" {}", seen.kernel) };
    let side = match seen.side {
        Side::Program => "interpreter".to_owned(),
        Side::Reference => "reference".to_owned(),
        Side::Ours(level) => format!("raddle -{level} {}", seen.arch),
        Side::Ptxas(level) => format!("ptxas {level} {}", seen.arch),
    };
    let run = if seen.run.is_empty() { String::new() } else { format!(", {}", seen.run) };
    format!("{}{kernel}: {side}{run}", seen.program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;

    fn seen(program: &str, side: Side, wrong: bool) -> Seen {
        let verdict = if wrong { Verdict::Wrong("7, not 8".into()) } else { Verdict::Same };
        Seen { program: program.into(), kernel: String::new(), side, arch: "sm_90", run: String::new(), verdict }
    }

    fn rows(program: &str, side: Excused) -> Rows {
        let row = Row { suite: "s".into(), program: program.into(), side, reason: "known".into() };
        Rows { ptxas: "13".into(), row: vec![row] }
    }

    #[test]
    fn a_difference_needs_a_row_and_a_row_a_difference() {
        let rows = rows("a", Excused::Ptxas);
        let complain = |seen: &[Seen]| rows.without_row("s", seen, Some("13"));
        let stale = |seen: &[Seen]| rows.stale("s", seen, Some("13"));
        let known = [seen("a", Side::Ptxas("-O3"), true), seen("a", Side::Ptxas("-O0"), false)];
        assert!(complain(&known).is_empty() && stale(&known).is_empty());
        assert!(complain(&[seen("b", Side::Ptxas("-O3"), true)])[0].contains("b: ptxas -O3 sm_90: 7, not 8"));
        let gone = [seen("a", Side::Ptxas("-O3"), false)];
        assert!(complain(&gone).is_empty() && stale(&gone)[0].contains("take its row away"));
        assert!(rows.stale("s", &gone, Some("12")).is_empty() && stale(&[]).is_empty());
        assert!(rows.without_row("other", &[seen("a", Side::Ptxas("-O3"), true)], Some("13")).len() == 1);
    }

    #[test]
    fn our_own_code_has_no_excuse() {
        for side in [Excused::Ptxas, Excused::Reference, Excused::Program] {
            let ours = [seen("a", Side::Ours(Level::O3), true)];
            assert_eq!(rows("a", side).without_row("s", &ours, None).len(), 1);
        }
    }

    #[test]
    fn the_file_is_sound() {
        Rows::read().unwrap();
    }
}
