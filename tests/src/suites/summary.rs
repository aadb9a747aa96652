//! Counts over the verdicts of a suite.

use std::collections::BTreeSet;

use super::compare::{Seen, Side, Verdict};

/// Counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Programs.
    pub programs: usize,
    /// Kernels that ran in the interpreter (programs, if launches were generated).
    pub ran: usize,
    /// Kernels that it does not support, or without a launch.
    pub not_run: usize,
    /// Expected results that the interpreter gives.
    pub met: usize,
    /// Programs with expected results, all of which it gives.
    pub met_all: BTreeSet<String>,
    /// Runs of our code that agree.
    pub right: usize,
    /// Verdicts against our code.
    pub wrong: usize,
    /// Programs that our compiler refuses for an architecture although ptxas accepts them.
    pub refused: BTreeSet<String>,
    /// Programs whose code of our compiler the simulator cannot run.
    pub unverified: BTreeSet<String>,
    /// Runs of the code of ptxas that agree.
    pub ptxas_right: usize,
    /// Programs on which the code of ptxas differs, or ptxas crashes.
    pub ptxas_wrong: BTreeSet<String>,
    /// Programs whose code of ptxas the simulator cannot run.
    pub ptxas_unread: BTreeSet<String>,
}

impl Summary {
    /// Counts the verdicts on a number of programs.
    pub fn of(programs: usize, seen: &[Seen]) -> Self {
        let mut sum = Self { programs, ..Self::default() };
        let neither: BTreeSet<(&str, &str)> = seen
            .iter()
            .filter(|s| matches!((s.side, &s.verdict), (Side::Ptxas(_), Verdict::Refused(_))))
            .map(|s| (s.program.as_str(), s.arch))
            .collect();
        let unmet: BTreeSet<&str> = seen
            .iter()
            .filter(|s| matches!(s.side, Side::Reference | Side::Program) && s.verdict != Verdict::Same)
            .map(|s| s.program.as_str())
            .collect();
        for one in seen {
            let name = || one.program.clone();
            match (one.side, &one.verdict) {
                (Side::Program, Verdict::Same) => sum.ran += 1,
                (Side::Program, _) => sum.not_run += 1,
                (Side::Reference, Verdict::Same) => {
                    sum.met += 1;
                    if !unmet.contains(one.program.as_str()) {
                        sum.met_all.insert(name());
                    }
                }
                (Side::Reference, _) => {}
                (Side::Ours(_), Verdict::Same) => sum.right += 1,
                (Side::Ours(_), Verdict::Wrong(_)) => sum.wrong += 1,
                (Side::Ours(_), Verdict::Refused(_)) => {
                    if !neither.contains(&(one.program.as_str(), one.arch)) {
                        sum.refused.insert(name());
                    }
                }
                (Side::Ours(_), Verdict::Unread(_)) => _ = sum.unverified.insert(name()),
                (Side::Ptxas(_), Verdict::Same) => sum.ptxas_right += 1,
                (Side::Ptxas(_), Verdict::Wrong(_)) => _ = sum.ptxas_wrong.insert(name()),
                (Side::Ptxas(_), Verdict::Unread(_)) => _ = sum.ptxas_unread.insert(name()),
                (Side::Ptxas(_), Verdict::Refused(_)) => {}
            }
        }
        sum
    }

    /// One sentence in human format.
    pub fn text(&self) -> String {
        format!(
            "{} programs; {} kernels ran, {} did not; our code: {} runs agree, {} do not; {} programs refused that ptxas takes, {} not \
             verified; ptxas' code: {} runs agree, {} programs differ, {} that the simulator cannot run",
            self.programs,
            self.ran,
            self.not_run,
            self.right,
            self.wrong,
            self.refused.len(),
            self.unverified.len(),
            self.ptxas_right,
            self.ptxas_wrong.len(),
            self.ptxas_unread.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;

    #[test]
    fn what_neither_takes_is_not_refused() {
        let one = |program: &str, side, verdict| Seen {
            program: program.into(),
            kernel: String::new(),
            side,
            arch: "sm_80",
            run: String::new(),
            verdict,
        };
        let no = || Verdict::Refused("no".into());
        let seen = [
            one("both", Side::Ours(Level::O3), no()),
            one("both", Side::Ptxas("-O3"), no()),
            one("ours", Side::Ours(Level::O3), no()),
            one("ours", Side::Ptxas("-O3"), Verdict::Same),
            one("half", Side::Reference, Verdict::Same),
            one("half", Side::Reference, Verdict::Wrong("no".into())),
            one("ours", Side::Reference, Verdict::Same),
        ];
        let sum = Summary::of(2, &seen);
        assert_eq!((sum.met, sum.met_all.iter().map(String::as_str).collect::<Vec<_>>()), (2, vec!["ours"]));
        assert_eq!(sum.refused.into_iter().collect::<Vec<_>>(), ["ours"]);
        assert_eq!((sum.ptxas_right, sum.programs), (1, 2));
    }
}
