//! The products that a warp has issued as part of a warpgroup, and the registers that they use.
//!
//! Problem: the tensor cores read and write registers long after an instruction has issued, without
//! scoreboards; only `WARPGROUP.DEPBAR` tells when. Strategy: each issued product is a flight; its
//! registers must not be touched until a wait covers its group, and must not have been written
//! since the last `WARPGROUP.ARRIVE` (ptxas 13.0.88 output: it precedes every product whose
//! registers were written). Accumulators are kept apart and undefined in the register file
//! meanwhile.

use super::lanes::Lanes;
use super::tensor::{GmmaOp, SharedMatrix};
use super::uop::{Program, RES_UREG, Uop};
use crate::failure::{Hazard, Resource};
use std::collections::{BTreeMap, VecDeque};

/// A set of general registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet([u64; 4]);

impl RegisterSet {
    /// All registers.
    pub const ALL: RegisterSet = RegisterSet([!0; 4]);

    /// Adds a register.
    pub fn insert(&mut self, n: u8) {
        self.0[usize::from(n >> 6)] |= 1 << (n & 63);
    }

    /// Whether a register is in it.
    pub fn contains(&self, n: u8) -> bool {
        self.0[usize::from(n >> 6)] >> (n & 63) & 1 != 0
    }
}

/// An issued product.
#[derive(Clone, Debug)]
pub struct Product {
    /// The instruction.
    pub pc: u32,
    /// What it computes.
    pub op: GmmaOp,
    /// The register of A, if it is in registers, and of metadata.
    pub registers: [u8; 2],
    /// The matrices in shared memory.
    pub matrices: [Option<SharedMatrix>; 2],
    /// Its number among operations of the asynchronous proxy.
    pub number: u64,
    /// A, if its registers are those of D: values and undefined bits.
    pub a: Option<Box<[(Lanes, Lanes); 4]>>,
    /// Whether D is added to.
    pub adds: bool,
    /// Its place in the sequence of the warpgroup.
    pub serial: usize,
    /// Its group.
    pub group: u32,
    /// Whether it has been computed.
    pub done: bool,
}

impl Product {
    /// The registers of D.
    pub fn result(&self) -> std::ops::Range<u8> {
        if self.op.d == 255 { 0..0 } else { self.op.d..self.op.d + self.op.count() }
    }

    /// The registers of A and of metadata.
    pub fn reads(&self, n: u8) -> bool {
        self.op.registers && (self.registers[0]..self.registers[0].saturating_add(4)).contains(&n)
            || self.op.selector.is_some() && self.registers[1] == n
    }
}

/// The products of a warp.
#[derive(Clone, Debug)]
pub struct Products {
    /// Those that are not waited for, the oldest first.
    pub flights: VecDeque<Product>,
    /// Number of issued ones.
    pub issued: usize,
    /// Number of groups that have ended.
    pub groups: u32,
    /// Accumulators in flight: values and undefined bits.
    pub held: BTreeMap<u8, (Lanes, Lanes)>,
    /// Registers that were written since the last `WARPGROUP.ARRIVE`.
    pub written: RegisterSet,
}

impl Default for Products {
    fn default() -> Products {
        Products { flights: VecDeque::new(), issued: 0, groups: 0, held: BTreeMap::new(), written: RegisterSet::ALL }
    }
}

impl Products {
    /// Notes the registers of an instruction that is no product, and checks them.
    pub fn touch(&mut self, program: &Program, u: &Uop) -> Result<(), (Hazard, Option<u32>)> {
        let general = |res: u16| (res < RES_UREG).then_some(res as u8);
        let hazard = |n: u8, used: &'static str, flight: &Product| {
            Err((Hazard::InFlight { what: Resource::Reg(n), used, producer: String::new() }, Some(flight.pc)))
        };
        for n in program.uses_of(u).iter().filter_map(|s| general(s.res)) {
            if let Some(flight) = self.flights.iter().find(|f| f.result().contains(&n)) {
                return hazard(n, "read", flight);
            }
        }
        for n in program.defs_of(u).iter().filter_map(|d| general(d.res)) {
            if let Some(flight) = self.flights.iter().find(|f| f.result().contains(&n) || f.reads(n)) {
                return hazard(n, "written", flight);
            }
            self.written.insert(n);
        }
        Ok(())
    }

    /// Checks the registers of a product that issues.
    pub fn check(&self, next: &Product) -> Result<(), (Hazard, Option<u32>)> {
        let accumulator = next.op.c..next.op.c.saturating_add(next.op.count());
        let sources = |n: u8| next.reads(n) || next.adds && accumulator.contains(&n);
        if let Some(n) = (0..255).find(|&n| sources(n) && self.written.contains(n)) {
            return Err((Hazard::NotArrived { what: Resource::Reg(n) }, None));
        }
        for flight in &self.flights {
            let in_place = next.op.c == 255 || next.op.c == next.op.d;
            let same = in_place && flight.result() == next.result() && flight.op.is_half() == next.op.is_half();
            let uses = |n: u8| next.result().contains(&n) || next.adds && accumulator.contains(&n);
            let clash = |&n: &u8| {
                let overlap = !same && flight.result().contains(&n) && uses(n);
                overlap
                    || flight.reads(n) && next.result().contains(&n)
                    || flight.result().contains(&n) && next.reads(n)
            };
            if let Some(n) = (0..255).find(clash) {
                let used = if next.reads(n) { "read" } else { "written" };
                return Err((
                    Hazard::InFlight { what: Resource::Reg(n), used, producer: String::new() },
                    Some(flight.pc),
                ));
            }
        }
        Ok(())
    }
}

/// What the four warps of a warpgroup have issued as the same number of their sequences.
#[derive(Clone, Debug)]
pub struct Issued {
    /// The instruction.
    pub pc: u32,
    /// Its matrices.
    pub matrices: [Option<SharedMatrix>; 2],
    /// Whether D is added to.
    pub adds: bool,
    /// The warps that have issued it.
    pub warps: u32,
}
