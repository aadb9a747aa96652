//! Matrix instructions: what tensor cores compute, and where the registers of a warp hold it.
//!
//! Problem: the results of `mma` depend on the machine: products are summed in blocks, cut below
//! the largest exponent and rounded once per block, which PTX leaves open. Strategy: one rule with
//! a row of parameters for each machine ([`machines`]), computed on integers ([`sum`]). Invariants:
//! no arithmetic of the host's floating point is used here; the simulator has its own model, so
//! that neither can repeat an error of the other; where a value of the table rests on one source,
//! its row says so.

mod layout;
mod machines;
mod number;
mod op;
mod product;
mod sum;

#[cfg(test)]
mod sum_tests;

pub(super) use layout::{Fragment, Role, Scheme, Shape, Sparse};
pub use machines::{Evidence, Input, Machine, Row, TABLE, Unit, row};
pub use number::{Element, Number};
pub(super) use op::{MatrixOp, Multiply, Operand, Transfer};
pub use product::{Arithmetic, Pair, Product};
pub use sum::{Rounding, Rule};
