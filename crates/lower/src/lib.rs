//! PTX tree to SSA: coverage check first, then lowering.
#![forbid(unsafe_code)]
