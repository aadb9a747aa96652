//! Random PTX for constant folding: short chains of dependent integer operations, boundary
//! constants, guards, small loops.
//!
//! Problem: public fuzzers of ptxas show that short kernels find its wrong folds; the kernels of
//! [`crate::random`] cover every form of PTX but are long, and few of their operations depend on
//! each other. Strategy: a kernel of a few lines over few registers, where each operand is mostly a
//! recent result or a boundary constant; conditions over the same values; loops with a computed
//! trip count (also by `mul.hi`), loops with empty bodies, two loops in sequence, threads that
//! enter a loop at different iterations. Every operation is defined for all operands.
//!
//! [`tree`] is a kernel and its text, [`generate`] makes one, [`judge`] runs many at once. The
//! programs of `corpus/ptxas` were found in this way and are the source of `docs/ptxas.md`
//! ([`stored`]).

pub mod generate;
pub mod judge;
pub mod ops;
pub mod stored;
pub mod tree;
