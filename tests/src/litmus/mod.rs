//! Litmus tests of the PTX memory model, decided by its axioms.
//!
//! Problem: whether a compiler may let two memory operations of a thread change places is a question about what other threads can
//! see, and no run of a program answers it. Strategy: [`decide`] lists all outcomes of a small program by the axioms of
//! the manual ([`model`]); a change to a program is right if it has no outcome that the program lacks.
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
