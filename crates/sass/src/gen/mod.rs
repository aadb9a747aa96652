// Written by `cargo xtask gen` from `isa/*.txt`. Do not edit.

//! Tables written by `cargo xtask gen` from `isa/*.txt`.

pub(crate) mod latency;
mod names;
mod rows;
mod values;

pub use names::{Class, Field, Mod, Op, SPECIAL};
pub use rows::ROWS;
pub(crate) use rows::{INDEX, OP_ROWS, ORDER};
