//! Random C programs without undefined behaviour: a reference independent of PTX.
//!
//! Problem: interpreter and compiler may misread the manual of PTX in the same way. Strategy: a
//! program in C is compiled by gcc for the host and by nvcc to PTX; the results of the host are the
//! reference for interpreter, our code and that of ptxas.
//!
//! - [`tree`]: a program as a tree of statements, each of which may be deleted while the rest stays
//!   valid.
//! - [`expr`]: expressions of ten types in which every operation is defined (C17): signed
//!   arithmetic through unsigned, shifts by masked amounts, divisions through guarded helpers,
//!   floats by IEEE 754 operations whose NaNs are replaced at once (payloads differ between
//!   machines).
//! - [`generate`]: functions, phases, and the exchanges between threads between phases ([`cross`]).
//! - [`text`]: the two sources. The functions and phases are the same text; the driver of the
//!   device has threads, barriers and collectives, that of the host loops over lanes.
//! - [`units`]: the source for the device as several translation units for clang, to be linked as
//!   LLVM IR.
//! - [`links`]: what only programs of several translation units have.
//! - [`linked`]: links them as LLVM IR and judges the result; [`witness`]: clang, ptxas and nvlink on
//!   the same units; [`make`]: gcc, nvcc, and the launch; [`minimise`]: smaller programs with the same difference.
//!
//! Invariant: a program is a function of its seed.

pub mod cross;
pub mod expr;
pub mod generate;
pub mod linked;
pub mod links;
pub mod make;
pub mod minimise;
pub mod stored;
pub mod text;
pub mod tree;
pub mod units;
pub mod witness;
