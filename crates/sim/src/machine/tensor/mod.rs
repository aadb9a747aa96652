//! Tensor cores: what their instructions ask for, and the arithmetic of their sums.
//!
//! Problem: the sums of matrix products are rounded as no other instruction rounds. Strategy:
//! [`sum`](fn@sum) computes them in integers, with a table of parameters for each machine. Nothing is
//! shared with the interpreter's model of the same machines, so that each is a witness for the
//! other; published results of hardware judge both.

mod gmma;
mod number;
mod op;
mod shared;
mod sum;

pub use gmma::{GmmaOp, warpgroup_rule};
pub use number::{Layout, Number};
pub use op::{Arithmetic, Element, MatrixOp, Rows, TransferOp};
pub use shared::SharedMatrix;
pub use sum::{Output, Rule, dot, rule, sum};
