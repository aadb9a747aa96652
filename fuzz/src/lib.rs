//! Fuzz entry points: plain functions, one per reader.
#![forbid(unsafe_code)]
pub mod cubin;
