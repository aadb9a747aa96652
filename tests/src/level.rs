//! The tested ways of generating code: the four optimisation levels, and the highest one with a
//! serial schedule.
//!
//! Problem: five levels by four architectures by all cases take longer than `make test` allows.
//! Strategy: -O0 and -O3 are tested everywhere, the other levels alternate by a fixed function of
//! case and architecture, so that over four architectures every case is tested at every level;
//! campaigns test all combinations.

use std::fmt;

use raddle_driver::options::{CodegenOptions, OptLevel};

use crate::judge::ARCHS;

/// A way of generating code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// -O0.
    O0,
    /// -O1.
    O1,
    /// -O2.
    O2,
    /// -O3.
    O3,
    /// -O3 with `--sched=serial`.
    Serial,
}

/// The levels that alternate.
const TURNS: [Level; 3] = [Level::O1, Level::O2, Level::Serial];

impl Level {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::O0, Self::O1, Self::O2, Self::O3, Self::Serial];

    /// Level of optimisation.
    pub fn opt(self) -> OptLevel {
        match self {
            Self::O0 => OptLevel::O0,
            Self::O1 => OptLevel::O1,
            Self::O2 => OptLevel::O2,
            Self::O3 | Self::Serial => OptLevel::O3,
        }
    }

    /// The options of a compilation, without contraction of multiplications and additions.
    pub fn options(self) -> CodegenOptions {
        let serial = self == Self::Serial;
        CodegenOptions { opt: self.opt(), fmad: false, serial, ..CodegenOptions::default() }
    }

    /// Parses the level of a flag: `-O0` to `-O3`, `-Oserial`.
    pub fn of_flag(flag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| flag.strip_prefix('-') == Some(&level.to_string()))
    }

    /// The alternating level for case number `case` on a row of [`ARCHS`].
    pub fn turn(case: usize, arch: usize) -> Self {
        TURNS[(case + arch) % TURNS.len()]
    }

    /// -O0, -O3, and the alternating level.
    pub fn some(case: usize, arch: usize) -> [Self; 3] {
        [Self::O0, Self::turn(case, arch), Self::O3]
    }
}

/// A number derived from a name, for [`Level::turn`].
pub fn number(name: &str) -> usize {
    name.bytes().map(usize::from).sum()
}

/// The row of an architecture in [`ARCHS`].
pub fn row(arch: &str) -> usize {
    ARCHS.iter().position(|a| *a == arch).unwrap_or_default()
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::O0 => "O0",
            Self::O1 => "O1",
            Self::O2 => "O2",
            Self::O3 => "O3",
            Self::Serial => "Oserial",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_case_meets_every_level() {
        for case in 0..7 {
            let met: BTreeSet<Level> = (0..ARCHS.len()).flat_map(|arch| Level::some(case, arch)).collect();
            assert_eq!(met, Level::ALL.into_iter().collect(), "case {case}");
        }
    }

    #[test]
    fn flags_name_levels() {
        assert!(Level::ALL.into_iter().all(|level| Level::of_flag(&format!("-{level}")) == Some(level)));
        assert_eq!(Level::of_flag("-O4"), None);
    }
}
