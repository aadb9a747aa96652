//! Optimisation passes over the SSA form, one pass a file.
#![forbid(unsafe_code)]
