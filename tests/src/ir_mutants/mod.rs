//! Damaged inputs of LLVM IR: bitcode, text, offload packages, archives and host objects.
//!
//! Problem: whatever an input contains, the compiler must neither crash nor hang, and a refusal must
//! name the input. Strategy: [`seeds()`] are small valid files made with clang; [`mutate()`] damages
//! one; [`Judge`] compiles many mutants in one run, up to the step that treats every input on its
//! own, and some of those that pass to the end.
//!
//! Invariant: mutant `n` of the same seeds is the same bytes on every machine.

mod containers;
mod judge;
mod linked;
mod mutate;
mod seeds;

pub use judge::{Judge, Tally};
pub use mutate::{Mutant, mutate};
pub use seeds::{Kind, Seed, seeds};
