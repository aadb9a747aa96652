//! The state that a run passes to the next one in the same process after a crash
//! ([`raddle_jobs::restart`]).
//!
//! The environment variable [`VARIABLE`] holds words: `runs=2` is the number of earlier runs;
//! `unit=7:11` is a unit and the signal that ended it (0 for a hang); `unit=*` is all units;
//! `input=0:5` is an input that cannot be read twice, and the descriptor of its copy.

use raddle_jobs::restart::Crash;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// The units that are compiled in separate processes, by number in the program, with the signal
/// that ended an earlier run (0 for a hang).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Isolated {
    /// The units.
    pub units: BTreeMap<u32, i32>,
    /// Whether all units are.
    pub all: bool,
}

impl Isolated {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        !self.all && self.units.is_empty()
    }

    /// Whether a unit is compiled in a separate process.
    pub fn contains(&self, index: usize) -> bool {
        self.all || self.has_crashed(index)
    }

    /// Whether a unit has ended an earlier run.
    pub fn has_crashed(&self, index: usize) -> bool {
        u32::try_from(index).is_ok_and(|index| self.units.contains_key(&index))
    }

    /// The signal that ended an earlier run of a unit.
    pub fn signal(&self, index: usize) -> Option<i32> {
        u32::try_from(index).ok().and_then(|index| self.units.get(&index)).copied().filter(|&signal| signal != 0)
    }
}

/// The name of the variable.
pub const VARIABLE: &str = "RADDLE_RESUME";

/// Runs after which all units are isolated: for a module with hundreds of crashing kernels that
/// costs processes instead of runs.
const TRUSTING: u32 = 3;

/// The number of restarts after which a crash is final: isolated units cannot end this process.
const LAST: u32 = 6;

/// The state from earlier runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    /// The number of earlier runs.
    pub runs: u32,
    /// Units that crashed.
    pub isolated: Isolated,
    /// Inputs by number, with descriptors of their copies.
    pub inputs: BTreeMap<u32, i32>,
}

impl Resume {
    /// Adds a crash and returns the state for the next run; `None` if there should be none.
    pub fn after(&mut self, crash: Crash) -> Option<String> {
        self.runs += 1;
        if self.runs > LAST {
            return None;
        }
        self.isolated.units.insert(crash.work, crash.signal.unwrap_or(0));
        self.isolated.all = self.runs >= TRUSTING;
        Some(self.to_string())
    }
}

impl fmt::Display for Resume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "runs={}", self.runs)?;
        self.isolated.units.iter().try_for_each(|(unit, signal)| write!(f, " unit={unit}:{signal}"))?;
        if self.isolated.all {
            f.write_str(" unit=*")?;
        }
        self.inputs.iter().try_for_each(|(input, fd)| write!(f, " input={input}:{fd}"))
    }
}

impl FromStr for Resume {
    type Err = String;

    fn from_str(text: &str) -> Result<Resume, String> {
        let mut resume = Resume::default();
        for word in text.split_whitespace() {
            let wrong = || format!("{} is not understood", raddle_diag::quote(word));
            let (name, value) = word.split_once('=').ok_or_else(wrong)?;
            let pair = || {
                let (left, right) = value.split_once(':')?;
                Some((left.parse::<u32>().ok()?, right.parse::<i32>().ok()?))
            };
            match name {
                "runs" => resume.runs = value.parse().map_err(|_| wrong())?,
                "unit" if value == "*" => resume.isolated.all = true,
                "unit" => resume.isolated.units.extend([pair().ok_or_else(wrong)?]),
                "input" => resume.inputs.extend([pair().ok_or_else(wrong)?]),
                _ => return Err(wrong()),
            }
        }
        Ok(resume)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood() {
        let mut resume = Resume { inputs: BTreeMap::from([(1, 5)]), ..Resume::default() };
        let text = resume.after(Crash { work: 7, signal: Some(11) }).unwrap();
        assert_eq!(text, "runs=1 unit=7:11 input=1:5");
        let mut again: Resume = text.parse().unwrap();
        assert_eq!(again, resume);
        assert!(again.isolated.contains(7) && !again.isolated.contains(8));
        let _ = again.after(Crash { work: 8, signal: None }).unwrap();
        let text = again.after(Crash { work: 9, signal: Some(6) }).unwrap();
        assert_eq!(text, "runs=3 unit=7:11 unit=8:0 unit=9:6 unit=* input=1:5");
        assert!(text.parse::<Resume>().unwrap().isolated.contains(1000));
        let more = std::iter::from_fn(|| again.after(Crash { work: 1, signal: Some(6) })).count();
        assert_eq!(more, 3, "no endless loop");
        assert_eq!("".parse(), Ok(Resume::default()));
        for wrong in ["x", "runs=", "unit=1", "unit=a:1", "input=1:b", "frob=1"] {
            assert!(wrong.parse::<Resume>().is_err(), "{wrong}");
        }
    }
}
