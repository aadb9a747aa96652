//! Architectures.

use raddle_target::{TARGETS, Target};
use std::fmt;
use std::str::FromStr;

/// An architecture for which machine code is made.
///
/// ```
/// use raddle::Arch;
/// assert_eq!("sm_90a".parse(), Ok(Arch::SM_90A));
/// assert_eq!(Arch::SM_86.to_string(), "sm_86");
/// assert!("sm_20".parse::<Arch>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Arch(&'static Target);

/// A name that is not one of an architecture for which machine code is made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownArch {
    /// The name.
    pub name: String,
}

/// The row of an architecture.
const fn row(name: &str) -> Arch {
    let mut index = 0;
    while index < TARGETS.len() {
        if equal(TARGETS[index].name.as_bytes(), name.as_bytes()) {
            return Arch(&TARGETS[index]);
        }
        index += 1;
    }
    panic!("no such architecture")
}

const fn equal(left: &[u8], right: &[u8]) -> bool {
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}

impl Arch {
    /// sm_80, as of A100.
    pub const SM_80: Arch = row("sm_80");
    /// sm_86, as of RTX 30.
    pub const SM_86: Arch = row("sm_86");
    /// sm_89, as of RTX 40 and L4.
    pub const SM_89: Arch = row("sm_89");
    /// sm_90, as of H100, without what is specific to it.
    pub const SM_90: Arch = row("sm_90");
    /// sm_90a, H100 and H200 alone.
    pub const SM_90A: Arch = row("sm_90a");

    /// All of them, from the oldest on.
    pub fn all() -> impl Iterator<Item = Arch> {
        TARGETS.iter().filter(|target| target.native.is_some()).map(Arch)
    }

    /// Its name, as in `.target` of PTX.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The number in its name: 90 for sm_90a.
    pub fn number(self) -> u32 {
        self.0.sm.into()
    }

    pub(crate) fn target(self) -> &'static Target {
        self.0
    }

    pub(crate) fn of(target: &'static Target) -> Arch {
        Arch(target)
    }
}

impl FromStr for Arch {
    type Err = UnknownArch;

    fn from_str(name: &str) -> Result<Arch, UnknownArch> {
        Arch::all().find(|arch| arch.name() == name).ok_or_else(|| UnknownArch { name: name.to_owned() })
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Arch({self})")
    }
}

impl fmt::Display for UnknownArch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Arch::all().map(Arch::name).collect();
        write!(f, "no machine code is made for '{}'; known are {}", self.name, known.join(", "))
    }
}

impl std::error::Error for UnknownArch {}
