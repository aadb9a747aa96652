//! Random PTX in which optimisers fold: short chains of dependent integer operations, boundary constants, guards, small loops.
//!
//! Problem: public fuzzers of ptxas show that short kernels find its wrong folds; the kernels of [`crate::random`] meet every form of PTX but are long, and
//! few of their operations depend on each other. Strategy: a kernel of a few lines over few registers, each operand mostly what was just computed, or a
//! constant at a boundary; conditions over the same values; loops whose trip count is computed (also by `mul.hi`), loops with empty bodies, two loops
//! one after another, threads that enter a loop at different turns. Every operation is defined for all operands.
//!
//! [`tree`] is a kernel and its text, [`generate`] draws one, [`judge`] runs many at once. The programs of `corpus/ptxas` were found like this and are the
//! source of `docs/ptxas.md` ([`kept`]).

pub mod generate;
pub mod judge;
pub mod kept;
pub mod ops;
pub mod tree;
