//! The instruction table: names, forms, and what each form accepts.
//!
//! Generated data lives in the submodules; everything is static.

mod names;

pub use names::{ALL_MODS, ALL_OPS, Mod, Op};
use names::{MOD_NAMES, OP_NAMES};

use std::fmt;

/// A row of the instruction table: one form of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FormId(pub u16);

impl Op {
    /// The dotted opcode: `cp.async.bulk`.
    pub fn name(self) -> &'static str {
        OP_NAMES[self as usize]
    }

    /// Finds an instruction by its dotted opcode.
    pub fn by_name(name: &str) -> Option<Op> {
        OP_NAMES.binary_search(&name).ok().map(|i| ALL_OPS[i])
    }
}

impl Mod {
    /// The modifier without its dot: `shared::cta`.
    pub fn name(self) -> &'static str {
        MOD_NAMES[self as usize]
    }

    /// Finds a modifier by its spelling without dot.
    pub fn by_name(name: &str) -> Option<Mod> {
        MOD_NAMES.binary_search(&name).ok().map(|i| ALL_MODS[i])
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Mod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_found() {
        assert!(OP_NAMES.is_sorted() && MOD_NAMES.is_sorted());
        for op in ALL_OPS {
            assert_eq!(Op::by_name(op.name()), Some(op));
        }
        for m in ALL_MODS {
            assert_eq!(Mod::by_name(m.name()), Some(m));
        }
    }
}
