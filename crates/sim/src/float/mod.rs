//! Exact binary floating point for all formats of PTX, shared by interpreter and simulator.
//!
//! Problem: both machines need correctly rounded results in four rounding modes, with and without
//! flushing of subnormals, in formats the host does not have, and the same bits on every host.
//! Strategy: [`Unpacked`] holds a number as sign, 128-bit significand and exponent; operations are
//! exact or keep a sticky bit, and [`Unpacked::pack`] rounds once. Where the host's own arithmetic
//! is exact by IEEE 754 (round-to-nearest-even in binary32 and binary64), it is used instead;
//! binary32 has fast paths for the other roundings and for conversions (`lanes`).
//! Invariants: no operation returns a NaN other than the format's canonical one (PTX ISA 9.0,
//! 9.7.3; decision D19); nothing here depends on the host's floating-point environment.

mod arith;
mod convert;
mod format;
mod lanes;
mod unpacked;

#[cfg(test)]
mod oracle_tests;

pub use arith::{MinMax, Mode, add, div, fma, mul, rcp, saturate, sqrt, sub};
pub use arith::{compare, min_max, relu};
pub use convert::{IntType, from_int, round_to_integral, short_to_int, tf32_rna, to_float, to_int};
pub use format::{BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, F32, F64, Format, Specials, TF32};
pub use unpacked::{Rounding, Unpacked};
