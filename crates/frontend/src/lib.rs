//! LLVM IR to PTX in two phases: inputs are linked and optimised as a whole, then parts of the
//! result are optimised and written as PTX, each independently of the others.
//!
//! ```text
//! inputs ─ simplify, each in parallel ─► link, phase I ─► summary ─ plan ─► parts ─ phase II,
//! PTX, each in parallel
//! ```
//!
//! [`summary`] describes a linked module without any LLVM type; [`plan`] decides from it which
//! symbols are in which part.

pub mod canonical;
pub mod flags;
pub mod llvm;
pub mod merge;
pub mod nvjitlink;
pub mod plan;
pub mod protocol;
pub mod settings;
pub mod steps;
pub mod summary;
pub mod worker;
