//! Litmus tests of the PTX memory model, decided by its axioms.
//!
//! Problem: whether a compiler may reorder two memory operations of a thread depends on what other
//! threads can observe, and no run of a program shows that. Strategy: [`decide`] enumerates all
//! outcomes of a small program by the axioms of the manual ([`model`]); a transformation is correct
//! if it adds no outcome.
#![forbid(unsafe_code)]

pub mod compiled;
pub mod decide;
pub mod model;
pub mod parse;
pub mod program;
pub mod public;
pub mod relation;
pub mod shapes;
pub mod swap;
pub mod trace;
