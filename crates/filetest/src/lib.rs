//! What tests of every crate share: outside tools, counted skips, blessed expectations.
//!
//! Problem: a test that compares with an outside tool must run on machines without that tool, and a test that silently
//! does nothing is worse than none. Strategy: every such test asks [`oracle::require`]; where the answer is `None`, the
//! skip has been written to a log that the test command prints and counts, and with `REQUIRE_ALL=1` it is a failure.
//!
//! Invariant: this crate knows nothing of compilers, so that any crate's tests may depend on it.
#![forbid(unsafe_code)]

pub mod corpus;
pub mod memory;
pub mod oracle;
pub mod skip;
pub mod work;
