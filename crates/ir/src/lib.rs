//! The width-typed SSA form between PTX and machine code: data, text form, verifier, analyses.
#![forbid(unsafe_code)]
