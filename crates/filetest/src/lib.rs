//! Shared by the tests of every crate: outside tools, counted skips, the corpus, limits of memory
//! and work.
//!
//! Problem: a test that compares with an outside tool must run on machines without that tool, but a
//! test that silently does nothing is worse than none. Strategy: every such test calls
//! [`oracle::require`]. If it returns `None`, the skip has been written to a log that the test
//! command prints and counts; with `REQUIRE_ALL=1` it is a failure.
//!
//! Invariant: this crate does not depend on the compiler, so that any crate's tests may depend on
//! it.
#![forbid(unsafe_code)]

pub mod corpus;
pub mod engine;
pub mod llvm;
pub mod memory;
pub mod oracle;
pub mod skip;
pub mod work;
