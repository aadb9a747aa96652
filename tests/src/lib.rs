//! Whole-project tests and the corpus they share.
#![forbid(unsafe_code)]
