//! Asynchronous operations that were issued and have not taken effect.

use super::async_op::Weight;
use super::object::{Place, Released};
use super::options::{AtomOp, AtomType};
use crate::mem::regions::Ground;
use std::rc::Rc;

/// An operation that has not taken effect.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Rank of the block, warp in it and lane that issued it.
    pub who: (usize, u32, usize),
    /// The instruction.
    pub place: u32,
    /// The objects that it signals, one for each destination.
    pub signals: Vec<Place>,
    /// What it does.
    pub effect: Effect,
}

/// What an operation does.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Copies by a thread arrive, which the object counts.
    Copies {
        /// Numbers of the copies.
        numbers: Vec<u64>,
        /// What is counted.
        weight: Weight,
        /// What the arrival releases.
        released: Released,
    },
    /// A copy or reduction, whose bytes the object counts.
    Transfer(Transfer),
}

/// Bytes of a memory.
#[derive(Clone, Debug)]
pub struct Span {
    /// The memory.
    pub ground: Ground,
    /// Their places.
    pub places: Places,
}

/// Places of units of bytes.
#[derive(Clone, Debug)]
pub enum Places {
    /// One after another.
    Row(usize),
    /// Each at an offset; those without one are outside of a tensor.
    Spread(Rc<[Option<usize>]>),
}

impl Places {
    /// Returns the offset of a unit of this many bytes.
    pub fn of(&self, unit: usize, bytes: usize) -> Option<usize> {
        match self {
            Places::Row(first) => Some(first + unit * bytes),
            Places::Spread(all) => all[unit],
        }
    }
}

/// A copy or reduction.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Its number, as in [`crate::mem::regions::Region`].
    pub number: u64,
    /// Source; without one the values are `taken`.
    pub from: Option<Span>,
    /// Destinations.
    pub to: Vec<Span>,
    /// Units of the transfer.
    pub units: usize,
    /// Bytes of a unit, at most 16.
    pub bytes: usize,
    /// The reduction of a unit.
    pub reduce: Option<(AtomOp, AtomType)>,
    /// The value of what is outside of a tensor.
    pub fill: u128,
    /// Values with their undefined bits, once they have been read.
    pub taken: Option<Vec<(u128, u128)>>,
}
