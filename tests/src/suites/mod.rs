//! Suites of programs that other projects wrote, held against every machine there is.
//!
//! Problem: a corpus of our own shows what we thought of. Strategy: a suite is read from a checkout of its project, of which no file lies
//! here ([`sources`] pins what was read); each of its programs becomes a [`program::Program`] with launches, from the project's own
//! test table or made here; [`hold`] runs the interpreter, our cubins at -O0 to -O3 and those of ptxas at -O0 and -O3 on every
//! architecture, and notes every verdict. Truth is what the project's test demands; without one it is the interpreter. [`rows`] lists what is known to
//! differ, with reasons.
//!
//! Invariant: no row excuses our own code.

pub mod fuzzx;
pub mod hold;
pub mod literal;
pub mod ocelot;
pub mod ocelot_cases;
pub mod program;
pub mod rows;
pub mod smaller;
pub mod sources;
pub mod summary;
pub mod zluda;
