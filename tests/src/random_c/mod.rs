//! Random C programs without undefined behaviour: truth from outside PTX.
//!
//! Problem: interpreter and compiler may misread the same sentence of the PTX manual. Strategy: a program in C is compiled by gcc for the host and by
//! nvcc to PTX; what the host computes is the truth, and interpreter, our code and that of ptxas are held against it.
//!
//! - [`tree`]: a program as a tree of statements, each of which may be deleted without making the rest invalid.
//! - [`expr`]: expressions of ten types in which every operation is defined (C17): signed arithmetic through unsigned, shifts by masked
//!   amounts, divisions through guarded helpers, floats by IEEE 754 operations whose NaN are replaced at once (payloads differ between machines).
//! - [`generate`]: functions, phases, and what threads exchange between phases ([`cross`]).
//! - [`text`]: the two sources. The functions and phases are the same text; the driver of the device has threads, barriers and collectives, that of the
//!   host loops over lanes.
//! - [`make`]: gcc, nvcc, and the launch; [`minimise`]: smaller programs with the same difference.
//!
//! Invariant: a program is a function of its seed.

pub mod cross;
pub mod expr;
pub mod generate;
pub mod make;
pub mod minimise;
pub mod stored;
pub mod text;
pub mod tree;
