//! Matrix instructions, decoded.

use super::super::place::{Address, Row};
use super::layout::{Fragment, Sparse};
use super::product::Product;

/// An operand in registers.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Where its elements are.
    pub fragment: Fragment,
    /// Its registers.
    pub rows: Vec<Row>,
}

/// A multiplication.
#[derive(Clone, Debug)]
pub struct Multiply {
    pub product: Product,
    pub d: Operand,
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    /// Metadata and layout of a sparse A.
    pub sparse: Option<(Row, Sparse)>,
}

/// A transfer of an operand of `wmma`.
#[derive(Clone, Debug)]
pub struct Transfer {
    pub operand: Operand,
    pub address: Address,
    /// Elements from a row, or column, to the next.
    pub stride: Row,
    /// Whether rows are contiguous.
    pub by_rows: bool,
}

/// An instruction of the whole warp.
#[derive(Clone, Debug)]
pub enum MatrixOp {
    Multiply(Box<Multiply>),
    /// `ldmatrix`: 8 by 8 matrices of 16-bit elements.
    Load {
        address: Address,
        dst: Vec<Row>,
        transposed: bool,
    },
    /// `stmatrix`.
    Store {
        address: Address,
        src: Vec<Row>,
        transposed: bool,
    },
    /// `movmatrix`.
    Transpose {
        dst: Row,
        src: Row,
    },
    /// `wmma.load`.
    LoadFragment(Box<Transfer>),
    /// `wmma.store`.
    StoreFragment(Box<Transfer>),
}

impl MatrixOp {
    /// The name of the instruction, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            MatrixOp::Multiply(_) => "mma",
            MatrixOp::Load { .. } => "ldmatrix",
            MatrixOp::Store { .. } => "stmatrix",
            MatrixOp::Transpose { .. } => "movmatrix",
            MatrixOp::LoadFragment(_) => "wmma.load",
            MatrixOp::StoreFragment(_) => "wmma.store",
        }
    }
}
