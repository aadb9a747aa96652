//! Typed indices of a function's entities.

use std::fmt;

use raddle_entity::entity_impl;

use crate::tok::{Tok, Tokens};

/// An SSA value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);
entity_impl!(Value, "v");

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inst(u32);
entity_impl!(Inst, "i");

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(u32);
entity_impl!(Block, "b");

/// A shared or local variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);
entity_impl!(Slot, "s");

/// A symbol outside the function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(u32);
entity_impl!(Sym, "g");

/// A source location: index into [`crate::Function::places`], 0 = none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SourcePos(u32);
entity_impl!(SourcePos, "at");

macro_rules! entity_tok {
    ($t:ident, $prefix:literal) => {
        impl Tok for $t {
            fn put(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, ".{self}")
            }
            fn take(tokens: &mut Tokens<'_>) -> Option<Self> {
                Some($t::from_u32(tokens.bump()?.strip_prefix($prefix)?.parse().ok()?))
            }
        }
    };
}
entity_tok!(Slot, "s");
entity_tok!(Sym, "g");
