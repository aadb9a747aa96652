//! Suites of programs of other projects, compared in interpreter and simulator.
//!
//! Problem: our own corpus only covers what we thought of. Strategy: a suite is read from a
//! checkout of its project, none of whose files is stored here ([`sources`] pins its contents).
//! Each of its programs becomes a [`program::Program`] with launches, from the project's own test
//! table or generated. [`compare`] runs the interpreter, our cubins at -O0 to -O3 and those of
//! ptxas at -O0 and -O3 on every architecture, and records every verdict. The reference is the
//! expected result of the project's test, or else the interpreter. [`rows`] lists known
//! differences, with reasons.
//!
//! Invariant: no row excuses our own code.

pub mod compare;
pub mod fuzzx;
pub mod literal;
pub mod ocelot;
pub mod ocelot_cases;
pub mod program;
pub mod rows;
pub mod smaller;
pub mod sources;
pub mod summary;
pub mod zluda;
