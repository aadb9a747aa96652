//! PTX text to tree and back: outline, lazy bodies, instruction table, checks.
#![forbid(unsafe_code)]
