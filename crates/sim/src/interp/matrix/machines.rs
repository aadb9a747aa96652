//! The parameters of the tensor cores, by machine.

use super::number::Element;
use super::sum::{Rounding, Rule};

/// A generation of tensor cores with the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machine {
    /// sm_70, sm_72.
    Volta,
    /// sm_75.
    Turing,
    /// sm_80, sm_86, sm_87, sm_88.
    Ampere,
    /// sm_89.
    Ada,
    /// sm_90, sm_90a.
    Hopper,
    /// sm_100 and its family.
    Blackwell,
}

impl Machine {
    /// Returns the generation of an SM, if its tensor cores are known.
    pub const fn of_sm(sm: u32) -> Option<Machine> {
        Some(match sm {
            70..=74 => Machine::Volta,
            75..=79 => Machine::Turing,
            80..=88 => Machine::Ampere,
            89 => Machine::Ada,
            90..=99 => Machine::Hopper,
            100..=109 => Machine::Blackwell,
            _ => return None,
        })
    }
}

/// The instructions that use a tensor core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `mma` and `wmma`.
    Warp,
    /// `wgmma`.
    Warpgroup,
}

/// Types of elements with the same parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// f16 and bf16.
    Half,
    /// tf32.
    Tf32,
    /// e4m3 and e5m2.
    Byte,
}

impl Input {
    /// Returns the class of a type of elements; binary32 is none.
    pub const fn of(element: Element) -> Option<Input> {
        Some(match element {
            Element::F16 | Element::Bf16 => Input::Half,
            Element::Tf32 => Input::Tf32,
            Element::E4m3 | Element::E5m2 => Input::Byte,
            Element::F32 => return None,
        })
    }
}

/// What the parameters of a row are known from. `zero` rests on MMA-Sim alone in every row: the
/// published results have no term that small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Block, fraction and rounding reproduce published results of the hardware, and other values
    /// do not.
    Measured,
    /// They reproduce them; a larger block would, too, because no published sum is longer than one.
    /// The length of the block is MMA-Sim's.
    BlockOpen,
    /// They reproduce them, and shorter blocks do not. Another fraction fails at most two of 5,000
    /// sums, a longer block none: both are MMA-Sim's.
    RoundingOnly,
    /// MMA-Sim alone (arXiv 2511.10909).
    OneSource,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The machine.
    pub machine: Machine,
    /// Its instructions.
    pub unit: Unit,
    /// The type of A and B.
    pub input: Input,
    /// The parameters; their rounding gives the type of C and D.
    pub rule: Rule,
    /// Where they are from.
    pub evidence: Evidence,
}

const fn r(
    machine: Machine,
    unit: Unit,
    input: Input,
    rounding: Rounding,
    (block, fraction, zero): (usize, i32, i32),
    evidence: Evidence,
) -> Row {
    Row { machine, unit, input, rule: Rule { block, fraction, rounding, zero }, evidence }
}

use Evidence::{BlockOpen, Measured, OneSource, RoundingOnly};
use Input::{Byte, Half, Tf32};
use Machine::{Ada, Ampere, Blackwell, Hopper, Turing, Volta};
use Unit::{Warp, Warpgroup};

/// The table. 8-bit elements of `mma` on Hopper and Blackwell have no row: ptxas composes them of
/// f16 products.
pub const TABLE: &[Row] = &[
    r(Volta, Warp, Half, Rounding::Single, (4, 23, -131), BlockOpen),
    r(Volta, Warp, Half, Rounding::Half, (4, 23, -20), RoundingOnly),
    r(Turing, Warp, Half, Rounding::Single, (8, 24, -132), OneSource),
    r(Turing, Warp, Half, Rounding::Half, (8, 24, -21), OneSource),
    r(Ampere, Warp, Tf32, Rounding::Single, (4, 24, -132), BlockOpen),
    r(Ampere, Warp, Half, Rounding::Single, (8, 24, -132), BlockOpen),
    r(Ampere, Warp, Half, Rounding::Half, (8, 24, -21), RoundingOnly),
    r(Ada, Warp, Tf32, Rounding::Single, (4, 24, -132), BlockOpen),
    r(Ada, Warp, Half, Rounding::Single, (8, 24, -132), BlockOpen),
    r(Ada, Warp, Half, Rounding::Half, (8, 24, -21), RoundingOnly),
    r(Ada, Warp, Byte, Rounding::Short, (16, 13, -132), Measured),
    r(Ada, Warp, Byte, Rounding::Half, (16, 13, -21), Measured),
    r(Hopper, Warp, Tf32, Rounding::Single, (8, 25, -133), BlockOpen),
    r(Hopper, Warp, Half, Rounding::Single, (16, 25, -133), BlockOpen),
    r(Hopper, Warp, Half, Rounding::Half, (16, 25, -22), RoundingOnly),
    r(Hopper, Warpgroup, Tf32, Rounding::Single, (8, 25, -133), OneSource),
    r(Hopper, Warpgroup, Half, Rounding::Single, (16, 25, -133), OneSource),
    r(Hopper, Warpgroup, Half, Rounding::Half, (16, 25, -133), OneSource),
    r(Hopper, Warpgroup, Byte, Rounding::Short, (32, 13, -133), BlockOpen),
    r(Hopper, Warpgroup, Byte, Rounding::Half, (32, 13, -133), OneSource),
    r(Blackwell, Warp, Tf32, Rounding::Single, (8, 25, -133), BlockOpen),
    r(Blackwell, Warp, Half, Rounding::Single, (16, 25, -133), BlockOpen),
    r(Blackwell, Warp, Half, Rounding::Half, (16, 25, -22), RoundingOnly),
];

/// Returns the parameters for elements of a class, with C and D of binary16 or not.
pub fn row(machine: Machine, unit: Unit, input: Input, half: bool) -> Option<&'static Row> {
    TABLE.iter().find(|row| {
        (row.machine, row.unit, row.input) == (machine, unit, input) && (row.rule.rounding == Rounding::Half) == half
    })
}
