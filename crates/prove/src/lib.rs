//! Proves that passes keep the meaning of functions.
//!
//! Problem: a wrong rule of an optimisation gives wrong code for operands that no test tries.
//! Strategy: a function before and after a pass becomes terms of bit vectors ([`term`],
//! [`semantics`], [`exec`]); [`validate()`] shows that both do the same for all inputs, by the form of
//! the terms and, where that is not enough, by an SMT solver ([`solver`]).
//!
//! **Trust.** A proof rests on the semantics here, which are written apart from the compiler's own,
//! and on the solver. [`corpus`] lowers kernels and runs the passes.
#![forbid(unsafe_code)]

pub mod corpus;
pub mod exec;
mod ranges;
pub mod rules;
pub mod semantics;
pub mod side;
mod smt;
pub mod solver;
pub mod table;
pub mod term;
mod validate;

pub use validate::{Limits, Reason, Verdict, validate};
