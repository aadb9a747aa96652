//! Matrix products of a warpgroup (`wgmma`, PTX ISA 9.0, 9.7.15): decoded instructions, and the
//! state of a warp that has issued some.
//!
//! Four warps issue a product together. Each computes its 16 rows of D, in the order of issue, at
//! some moment between the issue by the last of the four and its own wait for the product's group.
//! Until then the registers of D, and of A if it is in registers, belong to the tensor core; the
//! matrices in shared memory are read through the async proxy.

mod descriptor;

use super::matrix::{Product, Shape, Sparse};
use super::place::{PredSrc, Row};
use crate::float::Format;
pub use descriptor::{Descriptor, Major, Matrix};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Warps of a warpgroup.
pub const WARPS: u32 = 4;

/// An instruction of this family.
#[derive(Clone, Debug)]
pub enum WgmmaOp {
    /// `wgmma.fence`.
    Fence,
    /// `wgmma.mma_async`.
    Multiply(Rc<Wgmma>),
    /// `wgmma.commit_group`.
    Commit,
    /// `wgmma.wait_group`: groups that may be pending.
    Wait(usize),
}

/// The left matrix.
#[derive(Clone, Debug)]
pub enum Left {
    /// In shared memory: the row of its descriptor.
    Shared(Row, Major),
    /// In registers, as A of `mma` with 16 rows.
    Registers(Vec<Row>),
}

/// `wgmma.mma_async`.
#[derive(Clone, Debug)]
pub struct Wgmma {
    /// Its shape: m is 64, the rows of all four warps.
    pub shape: Shape,
    /// What is computed.
    pub product: Product,
    /// Bits of an element of A and B.
    pub element: u32,
    /// Bits of an element of D.
    pub result: u32,
    /// The registers of D.
    pub d: Vec<Row>,
    /// A.
    pub a: Left,
    /// The row of the descriptor of B.
    pub b: Row,
    /// How B is stored.
    pub b_major: Major,
    /// Metadata of a sparse A.
    pub sparse: Option<(Row, Sparse)>,
    /// Whether D is added to.
    pub scale_d: PredSrc,
    /// Whether A and B are negated; the format of their elements, if they are floating-point.
    pub negated: [bool; 2],
    /// Mask of the sign of an element.
    pub sign: u64,
}

impl Wgmma {
    /// Returns the registers of A.
    pub fn a_rows(&self) -> &[Row] {
        match &self.a {
            Left::Registers(rows) => rows,
            Left::Shared(..) => &[],
        }
    }

    /// Columns of A as it is stored: half of k if it is sparse.
    pub fn stored_k(&self) -> u32 {
        self.shape.k >> u32::from(self.sparse.is_some())
    }
}

/// The sign bit of a format.
pub fn sign(format: &Format) -> u64 {
    format.sign_mask()
}

/// An issued product of a warp.
#[derive(Clone, Debug)]
pub struct Flight {
    /// The number of its region of shared memory.
    pub number: u64,
    /// Its place in the sequence of the warpgroup.
    pub serial: usize,
    /// The step that issued it.
    pub place: u32,
    /// The frame of its registers.
    pub frame: usize,
    /// The instruction.
    pub op: Rc<Wgmma>,
    /// Where A is, if it is in shared memory.
    pub a: Option<Matrix>,
    /// Where B is.
    pub b: Matrix,
    /// Whether D is added to.
    pub scale_d: bool,
    /// Whether it has been computed.
    pub done: bool,
}

/// A register of a frame.
pub type Register = (usize, Row);

/// The products of a warp.
#[derive(Clone, Debug, Default)]
pub struct Products {
    /// Number of issued products.
    pub issued: usize,
    /// Whether the warp has executed `wgmma.fence`.
    pub fenced: bool,
    /// Products that are in no group yet.
    pub open: Vec<u64>,
    /// Pending groups, the oldest first.
    pub groups: VecDeque<Vec<u64>>,
    /// Products that are not waited for, the oldest first.
    pub flights: VecDeque<Flight>,
    /// The contents of accumulators, which only the tensor core sees: word and undefined bits.
    pub held: BTreeMap<Register, [(u64, u64); 32]>,
    /// The last step that accessed a register since the last fence.
    pub touched: FxHashMap<Register, u32>,
}

/// What the warps of a warpgroup have issued as number n of their sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The step.
    pub place: u32,
    /// The matrices.
    pub a: Option<Matrix>,
    /// The right one.
    pub b: Matrix,
    /// Whether D is added to.
    pub scale_d: bool,
    /// The warps that have issued it.
    pub warps: u32,
}
