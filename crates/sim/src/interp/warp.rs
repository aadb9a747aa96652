//! The state of a warp: frames of rows, and the position of each lane.

use super::code::{PredSrc, Row, RowInit};
use super::layout::Function;
use super::place::RANK_SHIFT;
use super::place::SharedPlace;
use super::specials::{self, Position};
use super::wgmma::Products;
use crate::mem::{Actor, Flight, Segment};
use std::collections::VecDeque;

/// Number of lanes of a warp.
pub const LANES: usize = 32;
/// A word for each lane.
pub type Words = [u64; LANES];

/// Returns the lanes of a mask.
pub fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

/// The registers of one function at one call depth, for all lanes there.
pub struct Frame {
    /// Index of the function.
    pub function: u32,
    /// Call depth; the kernel is 0.
    pub depth: u32,
    pub rows: Vec<Words>,
    /// Undefined bits of each row; all zero if `tainted` is false.
    pub undef: Vec<Words>,
    pub tainted: Vec<bool>,
    pub preds: Vec<u32>,
    pub pred_undef: Vec<u32>,
    /// The carry flag (9.7.2), and lanes in which it is undefined.
    pub carry: u32,
    pub carry_undef: u32,
}

impl Frame {
    pub fn new(function: &Function, index: u32, depth: u32) -> Frame {
        Frame {
            function: index,
            depth,
            rows: vec![[0; LANES]; function.rows.len()],
            undef: vec![[0; LANES]; function.rows.len()],
            tainted: vec![false; function.rows.len()],
            preds: vec![0; function.preds as usize],
            pred_undef: vec![0; function.preds as usize],
            carry: 0,
            carry_undef: 0,
        }
    }

    /// Initialises the registers of `mask` on entry: undefined, except constants.
    pub fn enter(&mut self, function: &Function, mask: u32, warp_base: &[u32; LANES], at: &[Position]) {
        for (i, &bits) in function.rows.iter().enumerate().skip(1) {
            for lane in lanes(mask) {
                self.undef[i][lane] = u64::MAX >> (64 - bits);
            }
            self.tainted[i] = true;
        }
        for pred in 1..self.preds.len() {
            self.pred_undef[pred] |= mask;
        }
        self.preds[0] |= mask;
        self.carry_undef |= mask;
        for &(Row(row), init) in &function.inits {
            let row = row as usize;
            for lane in lanes(mask) {
                self.rows[row][lane] = match init {
                    RowInit::Const(word) => word,
                    RowInit::Special(reg, component) => specials::value(reg, component, &at[lane]),
                    RowInit::Shared(address) => address | u64::from(at[lane].rank) << RANK_SHIFT,
                    RowInit::Local(offset) => u64::from(warp_base[lane]).wrapping_add(offset),
                };
            }
            self.define(row, mask);
        }
    }

    /// Marks a row as defined in the lanes of `mask`.
    #[inline]
    pub fn define(&mut self, row: usize, mask: u32) {
        if self.tainted[row] {
            for lane in lanes(mask) {
                self.undef[row][lane] = 0;
            }
            self.tainted[row] = self.undef[row].iter().any(|&u| u != 0);
        }
    }

    /// Writes one lane of a row, with its undefined bits.
    #[inline]
    pub fn set(&mut self, row: Row, lane: usize, word: u64, undef: u64) {
        let row = row.0 as usize;
        self.rows[row][lane] = word;
        if undef != 0 || self.tainted[row] {
            self.undef[row][lane] = undef;
            self.tainted[row] = true;
        }
    }

    /// Writes a predicate in the lanes of `mask`.
    #[inline]
    pub fn set_pred(&mut self, pred: u32, mask: u32, value: u32, undef: u32) {
        let p = pred as usize;
        self.preds[p] = (self.preds[p] & !mask) | (value & mask);
        self.pred_undef[p] = (self.pred_undef[p] & !mask) | (undef & mask);
    }

    #[inline]
    pub fn get(&self, row: Row, lane: usize) -> u64 {
        self.rows[row.0 as usize][lane]
    }

    #[inline]
    pub fn get_undef(&self, row: Row, lane: usize) -> u64 {
        self.undef[row.0 as usize][lane]
    }

    /// Returns the lanes in which a predicate source is true.
    #[inline]
    pub fn pred(&self, src: PredSrc) -> u32 {
        let bits = self.preds[src.pred.0 as usize];
        if src.negated { !bits } else { bits }
    }

    /// Returns the lanes in which a predicate source is undefined.
    #[inline]
    pub fn pred_undefined(&self, src: PredSrc) -> u32 {
        self.pred_undef[src.pred.0 as usize]
    }
}

/// What a lane waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The threads of a mask, at an operation with this number.
    Meeting { number: u32, members: u32 },
    /// A barrier of the block.
    Barrier(u32),
    /// The barrier of the cluster.
    Cluster,
    /// The phase of an mbarrier object.
    Mbarrier(SharedPlace),
    /// The other warps of the warpgroup.
    Warpgroup,
}

/// Return addresses of the calls of lanes at one depth.
#[derive(Clone, Copy, Default)]
pub struct Returns {
    /// Step of the call.
    pub pc: [u32; LANES],
    /// Base and end of the caller's frame.
    pub frame: [(u32, u32); LANES],
}

/// A warp.
pub struct Warp {
    /// The warp in its block.
    pub index: u32,
    /// The rank of its block in the cluster.
    pub block: usize,
    /// Lanes that can run.
    pub running: u32,
    /// Lanes that wait.
    pub waiting: u32,
    pub reason: [Option<Waiting>; LANES],
    pub pc: [u32; LANES],
    pub depth: [u32; LANES],
    pub frames: Vec<Frame>,
    /// Return addresses of calls, by depth.
    pub returns: Vec<Returns>,
    /// Base of the current frame in local memory.
    pub base: [u32; LANES],
    /// The end of that frame and of the memory allocated after it by `alloca`.
    pub top: [u32; LANES],
    pub local: Vec<Segment>,
    pub at: Vec<Position>,
    /// Lanes whose wait at an mbarrier object gives up.
    pub gives_up: u32,
    /// When each lane last ran, in steps of the run.
    pub ran: [u64; LANES],
    /// Ordering of accesses, for race checking.
    pub block_sync: [u32; LANES],
    pub warp_sync: [u32; LANES],
    pub acquired: [u32; LANES],
    /// Pending copies of each lane.
    pub copies: [Copies; LANES],
    /// Bulk groups of each lane: numbers of operations.
    pub bulk: [BulkGroups; LANES],
    /// Its products as part of a warpgroup.
    pub products: Products,
}

impl Warp {
    /// Returns the lanes that have not exited.
    pub fn live(&self) -> u32 {
        self.running | self.waiting
    }

    /// Returns the frame of a function at a depth, created if necessary.
    pub fn frame(&mut self, function: &Function, index: u32, depth: u32) -> usize {
        match self.frames.iter().position(|f| f.function == index && f.depth == depth) {
            Some(found) => found,
            None => {
                self.frames.push(Frame::new(function, index, depth));
                self.frames.len() - 1
            }
        }
    }

    /// Returns the actor of an access, with the times of accesses ordered before it.
    pub fn actor(&self, lane: usize, now: u32, place: u32, strong: bool) -> Actor {
        let thread = (self.at[lane].cta_index as u32) << 10 | self.index << 5 | lane as u32;
        Actor {
            thread,
            now,
            block_sync: self.block_sync[lane],
            warp_sync: self.warp_sync[lane],
            acquired: self.acquired[lane],
            place,
            strong,
        }
    }
}

/// Groups of bulk operations of a thread, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct BulkGroups {
    pub open: Vec<u64>,
    pub groups: VecDeque<Vec<u64>>,
}

/// Pending copies of a thread, each with its number.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    open: Vec<(u64, Flight)>,
    groups: VecDeque<Vec<(u64, Flight)>>,
    count: u64,
}

impl Copies {
    /// Adds a copy to the group that is open.
    pub fn add(&mut self, copy: Flight) {
        self.count += 1;
        self.open.push((self.count, copy));
    }

    /// Returns the number of the last copy.
    pub fn last(&self) -> u64 {
        self.count
    }

    /// Commits a group, possibly empty.
    pub fn commit(&mut self) {
        self.groups.push_back(std::mem::take(&mut self.open));
    }

    /// Completes groups, the oldest first, until `left` are pending.
    pub fn settle(&mut self, left: usize, shared: &mut Segment) {
        while self.groups.len() > left {
            self.groups.pop_front().into_iter().flatten().for_each(|(_, f)| f.arrive(shared));
        }
    }

    /// Completes all copies up to a number; their groups stay.
    pub fn settle_through(&mut self, last: u64, shared: &mut Segment) {
        for copies in self.groups.iter_mut().chain([&mut self.open]) {
            copies.retain(|(number, flight)| {
                let stays = *number > last;
                if !stays {
                    flight.arrive(shared);
                }
                stays
            });
        }
    }
}
