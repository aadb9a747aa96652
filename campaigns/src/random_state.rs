//! What a campaign of random kernels keeps between its pieces.
//!
//! Problem: a campaign takes longer than a machine stays free, and it should not begin anew when it is interrupted or when a fault
//! that it found was mended. Strategy: every minute, and at the end, everything is written into `campaign.json` of its folder: which
//! kernels are done, what was counted, which kernels fail, which program did how many kernels and of which commit it was. The next run
//! with the same seed and sizes goes on behind that. If it is another program, it judges the kernels that failed once more, first.
//!
//! Invariants: a kernel is counted once; a kernel that failed and passes now stays in the list of what was mended; the file is
//! replaced as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Result;
use raddle_tests::random::tally::Tally;
use serde::{Deserialize, Serialize};

use xtask::figures;

/// The file of a campaign in its folder.
const FILE: &str = "campaign.json";

/// A kernel that fails.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failed {
    /// Architecture.
    pub arch: String,
    /// In which way.
    pub fault: String,
    /// What was seen.
    pub what: String,
}

/// What one program did of a campaign.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// Hash of the program.
    program: String,
    /// The commit when it ran for the first time.
    pub commit: String,
    /// Kernels.
    pub kernels: usize,
}

/// A campaign.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// What was asked for; with something else it begins anew.
    identity: String,
    /// What each program did, the latest last.
    pub pieces: Vec<Piece>,
    /// All kernels with numbers below are done,
    done: usize,
    /// and these.
    ahead: BTreeSet<usize>,
    /// Seconds that took.
    pub seconds: f64,
    /// What was generated.
    pub tally: Tally,
    /// Kernels that fail, by seed.
    pub failing: BTreeMap<u64, Failed>,
    /// Kernels that failed with an earlier program and pass with the latest that judged them, by seed.
    pub mended: BTreeMap<u64, Failed>,
    /// Kernels that went through ptxas, too.
    pub witnessed: usize,
    /// Kernels that were compiled again in disorder.
    pub recompiled: usize,
}

impl State {
    /// What lies in a folder for this identity, or an empty campaign; and the seeds to judge once more. `again` begins anew.
    ///
    /// # Errors
    /// A program file that cannot be read; git that does not say the commit.
    pub fn load(folder: &Path, identity: String, again: bool) -> Result<(Self, Vec<u64>)> {
        let old = fs::read(folder.join(FILE)).ok().and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        let mut state = match old {
            Some(old) if old.identity == identity && !again => old,
            _ => Self { identity, ..Self::default() },
        };
        let program = blake3::hash(&fs::read(std::env::current_exe()?)?).to_hex().to_string();
        if state.pieces.last().is_some_and(|piece| piece.program == program) {
            return Ok((state, Vec::new()));
        }
        state.pieces.push(Piece { program, commit: figures::commit()?, kernels: 0 });
        let seeds = state.failing.keys().copied().collect();
        Ok((state, seeds))
    }

    /// Writes it into its folder.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let new = folder.join(format!("{FILE}.new"));
        fs::write(&new, serde_json::to_vec(self)?)?;
        Ok(fs::rename(new, folder.join(FILE))?)
    }

    /// Kernels done.
    pub fn count(&self) -> usize {
        self.done + self.ahead.len()
    }

    /// Whether kernel number `n` is done.
    pub fn has(&self, n: usize) -> bool {
        n < self.done || self.ahead.contains(&n)
    }

    /// Kernel number `n` is done.
    pub fn finish(&mut self, n: usize) {
        self.ahead.insert(n);
        while self.ahead.remove(&self.done) {
            self.done += 1;
        }
        if let Some(piece) = self.pieces.last_mut() {
            piece.kernels += 1;
        }
    }

    /// What was found for a seed: a failure, or nothing.
    pub fn found(&mut self, seed: u64, failed: Option<Failed>) {
        let before = match failed {
            Some(failed) => {
                self.mended.remove(&seed);
                self.failing.insert(seed, failed);
                return;
            }
            None => self.failing.remove(&seed),
        };
        if let Some(before) = before {
            self.mended.insert(seed, before);
        }
    }

    /// How many fail in which way.
    pub fn by_fault(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for failed in self.failing.values() {
            *counts.entry(failed.fault.as_str()).or_default() += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_goes_on_where_it_was() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let identity = || "seed 1".to_owned();
        let (mut state, _) = State::load(folder.path(), identity(), false)?;
        [0, 1, 3].into_iter().for_each(|n| state.finish(n));
        let failed = |what: &str| Failed { arch: "sm_80".into(), fault: "Different".into(), what: what.into() };
        state.found(4, Some(failed("one")));
        state.save(folder.path())?;
        let (mut state, once_more) = State::load(folder.path(), identity(), false)?;
        assert!(once_more.is_empty(), "the same program found it");
        assert_eq!((state.count(), state.has(1), state.has(2), state.has(3)), (3, true, false, true));
        state.finish(2);
        assert_eq!((state.done, state.pieces[0].kernels), (4, 4));
        // Another program.
        state.pieces[0].program.clear();
        state.save(folder.path())?;
        let (mut state, once_more) = State::load(folder.path(), identity(), false)?;
        assert_eq!((once_more, state.pieces.len()), (vec![4], 2));
        state.found(4, None);
        assert!(state.failing.is_empty() && state.mended.contains_key(&4));
        let (state, _) = State::load(folder.path(), "seed 2".to_owned(), false)?;
        assert_eq!(state.count(), 0);
        Ok(())
    }
}
