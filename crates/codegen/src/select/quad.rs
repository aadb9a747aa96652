//! Lookups of a quad: derivatives of three coordinates, or with a comparison, before sm_90.
//!
//! Problem: the machine has no instruction that takes such derivatives, but a lookup takes them
//! between the lanes of a quad. Strategy ("ptxas 13.0.88 output", sm_80 to sm_89): one turn for each
//! lane of the quad. In a turn all four lanes hold the operands of that lane, three of them add its
//! derivatives to the place ([`SWAPPED`]), and the lookup of lane 0 is the result. Lanes that are not
//! active run along (`BMOV.32.PQUAD MACTIVE`), with a part of their registers that nothing else in the
//! function uses: all operands are moved to such numbers before the lanes change, and results from
//! them when they have changed back.
//!
//! Differences from ptxas: where a lane of the quad is not active, its turn has the operands of one
//! that is, so that handles are always ones of the program, where ptxas branches around the turn; the
//! results of the turns are merged by masks, where ptxas moves them in one lane (`MOV R0, R2, 0x1`);
//! the lanes change once, not once for each turn.
//!
//! Invariant: between the changes of the active lanes no instruction names a virtual register
//! ([`is_closed`]), and no other lane can be in code that uses these numbers otherwise: functions that
//! are called, that call, or that have leaves have no such lookups.

use raddle_ir::{Kind, Op, Tex, TexCompare, TexDim, TexMissing, TexOffset, Value};
use raddle_sass::row::SlotRole;
use smallvec::SmallVec;

use super::special::sr;
use super::texture::dimension;
use super::{Imm, Imm2, Part, Pd, Pp, Ra, Rb, Rc, Rd, Select, imm};
use crate::convention::{QUAD_BARRIER, QUAD_FIRST, QUAD_PREDICATE};
use crate::mir::{MBlock, MInst, MKind, MOp, V};
use crate::sass::{self, Mnemonic, tokens as t};
use crate::schedule::names_lanes;

/// Number of the active lanes among the registers of barriers.
const ACTIVE: u32 = 26;
/// Both sources of `FSWZADD` by lane: lanes 1 and 3 add, lanes 2 and 3 add.
const SWAPPED: [u32; 2] = [0xcc, 0xf0];
/// `SHFL` within a quad.
const IN_QUAD: u32 = 0x1c03;
/// Truth tables of `a & b`, `a | b` and `(a & c) | (b & ~c)`.
const AND: u32 = 0xc0;
const OR: u32 = 0xfc;
const MERGE: u32 = 0xe4;
/// Lanes of a quad.
const LANES: u32 = 4;

/// For a turn: the lane whose operands it has, for each set of active lanes in two bits: its own, or
/// the first that is active.
const fn sources(turn: u32) -> u32 {
    let (mut table, mut set) = (0, 1);
    while set < 1u32 << LANES {
        let from = if set >> turn & 1 != 0 { turn } else { set.trailing_zeros() };
        table |= from << (2 * set);
        set += 1;
    }
    table
}

/// Consecutive registers.
#[derive(Clone, Copy)]
struct Range {
    first: u8,
    count: u8,
}

impl Range {
    fn at(self, n: usize) -> MOp {
        MOp::new(MKind::Phys(self.first + n as u8))
    }

    fn all(self) -> impl Iterator<Item = MOp> {
        (0..usize::from(self.count)).map(move |n| self.at(n))
    }
}

/// Gives out registers.
struct Registers(u8);

impl Registers {
    fn take(&mut self, count: usize) -> Range {
        let align = match count {
            0 | 1 => 1,
            2 => 2,
            _ => 4,
        };
        let first = self.0.next_multiple_of(align);
        self.0 = first + count as u8;
        Range { first, count: count as u8 }
    }
}

/// The registers of a lookup.
struct Places {
    /// Operands: layer, coordinates; derivatives by coordinate; handle, offsets, reference.
    place: Range,
    derivatives: Range,
    others: Range,
    /// The lists that the lookup reads.
    first: Range,
    second: Range,
    /// Its results, and sums before.
    found: Range,
    /// The results of all turns, and whether memory is missing.
    merged: Range,
    /// Where the lane's byte is in a word, and the shift to what a turn reads.
    select: MOp,
    shift: MOp,
    /// The lane that a turn reads, and the mask of its lane.
    from: MOp,
    mask: MOp,
}

impl Places {
    /// Returns the places of a lookup with this many operands and results, and the number of
    /// registers up to their end.
    fn new(place: usize, coordinates: usize, others: usize, results: usize, missing: usize) -> (Places, u8) {
        let mut free = Registers(QUAD_FIRST);
        let first = free.take(place);
        let found = free.take(4);
        let second = free.take(others);
        let places = Places {
            first,
            found,
            second,
            place: free.take_each(place),
            derivatives: free.take_each(2 * coordinates),
            others: free.take_each(others),
            merged: free.take_each(results + missing),
            select: free.take(1).at(0),
            shift: free.take(1).at(0),
            from: free.take(1).at(0),
            mask: free.take(1).at(0),
        };
        (places, free.0)
    }
}

impl Registers {
    /// Registers that are no list.
    fn take_each(&mut self, count: usize) -> Range {
        let range = Range { first: self.0, count: count as u8 };
        self.0 += count as u8;
        range
    }
}

/// Whether the instructions of a block from `from` on name virtual registers only outside of code that
/// lanes run along with.
fn is_closed(insts: &[MInst]) -> bool {
    let (mut along, mut closed) = (false, true);
    for i in insts {
        if names_lanes(i.row()) {
            along = !i.row().fields.is_empty() && i.fields[0] != 0;
            continue;
        }
        let mut names = false;
        i.for_each_use(|_| names = true);
        i.for_each_def(|_| names = true);
        closed &= !(along && names);
    }
    closed && !along
}

impl Select<'_> {
    /// Whether another lane of a quad may be in code that uses any number: a function's caller or
    /// callee.
    fn shares_registers(&self) -> bool {
        self.f.kind == Kind::Called || self.f.insts.values().any(|i| matches!(i.op, Op::Call(_) | Op::CallAt))
    }

    /// A lookup of a quad.
    pub(super) fn quad_lookup(&mut self, tex: Tex, args: &[Value], results: &[Value]) {
        if self.hopper() || self.shares_registers() {
            return self.refuse();
        }
        let (handles, rest) = args.split_at(tex.handles());
        let handle = self.joined_handle(handles);
        let parts: SmallVec<[Part; 12]> = rest.iter().map(|&v| self.part(v)).collect();
        let (coordinates, _) = tex.dim.coordinates();
        let (place, behind) = parts.split_at(tex.arguments().0);
        let (derivatives, others) = behind.split_at(2 * coordinates);
        let missing = tex.missing == TexMissing::Yes;
        let channels = tex.mask.count_ones() as usize;
        let (at, end) = Places::new(place.len(), coordinates, 1 + others.len(), channels, missing.into());
        self.m.quad_registers = self.m.quad_registers.max(end.into());
        let given = place.iter().chain(derivatives).copied().chain([handle]).chain(others.iter().copied());
        let to: Vec<MOp> = at.place.all().chain(at.derivatives.all()).chain(at.others.all()).collect();
        for (to, part) in to.into_iter().zip(given) {
            let from = self.op(part);
            self.emit(sass::mov(), &[(Rd, to), (Rb, from)]);
        }
        let (block, begin) = (self.cur, self.insts_of(self.cur));
        self.lend_lanes(&at);
        for turn in 0..LANES {
            self.turn(tex, turn, &at);
        }
        self.change_lanes(sass::bmov_active());
        if self.cur != block || !is_closed(&self.m.blocks[block].insts[begin..]) {
            return self.refuse();
        }
        let out: SmallVec<[V; 4]> = at.merged.all().map(|from| self.emit1(sass::mov(), &[(Rb, from)])).collect();
        for (&r, v) in results.iter().zip(&out[..channels]) {
            self.set_regs(r, &[*v]);
        }
        if let (true, Some(&r)) = (missing, results.last()) {
            let given = [(Ra, MOp::reg(out[channels])), (Rb, MOp::zero())];
            let p = self.emit_pred(sass::isetp(t::IntCmp::Ne, t::Unsigned::U32), &given);
            self.set_pred(r, p);
        }
    }

    fn insts_of(&self, b: MBlock) -> usize {
        self.m.blocks[b].insts.len()
    }

    fn change_lanes(&mut self, name: Mnemonic) {
        let barrier = MOp::new(MKind::Barrier(QUAD_BARRIER));
        self.emit(name, &[(SlotRole::Misc, imm(ACTIVE)), (SlotRole::Bar, barrier)]);
    }

    /// Keeps the active lanes, lets their quads run along, and computes what a lane needs in all
    /// turns.
    fn lend_lanes(&mut self, at: &Places) {
        let barrier = || MOp::new(MKind::Barrier(QUAD_BARRIER));
        self.emit(sass::bmov_active(), &[(SlotRole::Bar, barrier()), (Imm, imm(ACTIVE))]);
        self.change_lanes(sass::bmov_quads());
        let (lane, kept, set) = (&at.select, &at.mask, &at.shift);
        let lanes = [(Rd, lane.clone()), (SlotRole::Misc, MOp::new(MKind::Special(sr::LANEID)))];
        self.emit(sass::s2r(), &lanes);
        self.emit(sass::bmov(t::Clear::None), &[(Rd, kept.clone()), (SlotRole::Bar, barrier())]);
        let low = |a: &MOp, mask: u32| [(Rd, a.clone()), (Ra, a.clone()), (Rb, imm(mask)), (Imm, imm(AND))];
        // The active lanes of the quad, from bit 1 on.
        let quad = [(Rd, set.clone()), (Ra, lane.clone()), (Rb, imm(28)), (Imm, imm(AND))];
        self.emit(sass::lop3(), &quad);
        let shifted = [(Rd, set.clone()), (Ra, MOp::zero()), (Rb, set.clone()), (Rc, kept.clone())];
        self.emit(sass::shf_r_hi(t::Int32::U32), &shifted);
        let doubled = [(Rd, set.clone()), (Ra, set.clone()), (Rb, imm(1)), (Rc, MOp::zero())];
        self.emit(sass::shf_l(), &doubled);
        self.emit(sass::lop3(), &low(set, 30));
        // Four times the sign of byte 4 and the lane.
        self.emit(sass::lop3(), &low(lane, 3));
        let spread = [(Rd, lane.clone()), (Ra, lane.clone()), (Rb, imm(0x1111)), (Rc, MOp::zero())];
        self.emit(sass::imad(), &spread);
        let signs = [(Rd, lane.clone()), (Ra, lane.clone()), (Rb, imm(0xcccc)), (Imm, imm(OR))];
        self.emit(sass::lop3(), &signs);
    }

    /// Moves a register from the lane that a turn reads.
    fn take_from_lane(&mut self, to: MOp, from: MOp, at: &Places) {
        let given = [(Rd, to), (Ra, from), (Rb, at.from.clone()), (Imm, imm(IN_QUAD))];
        self.emit(sass::shfl(t::Shuffle::Idx), &given);
    }

    fn turn(&mut self, tex: Tex, turn: u32, at: &Places) {
        let table = [(Rd, at.from.clone()), (Ra, MOp::zero()), (Rb, at.shift.clone()), (Rc, imm(sources(turn)))];
        self.emit(sass::shf_r_hi(t::Int32::U32), &table);
        let (coordinates, layer) = tex.dim.coordinates();
        for n in 0..usize::from(at.first.count) {
            self.take_from_lane(at.first.at(n), at.place.at(n), at);
        }
        for n in 0..usize::from(at.second.count) {
            self.take_from_lane(at.second.at(n), at.others.at(n), at);
        }
        let place = |n: usize| at.first.at(n + usize::from(layer));
        for (axis, signs) in SWAPPED.into_iter().enumerate() {
            for n in 0..coordinates {
                self.take_from_lane(at.found.at(n), at.derivatives.at(2 * n + axis), at);
                let sum = [(Rd, place(n)), (Ra, at.found.at(n)), (Rc, place(n)), (SlotRole::Misc, imm(signs))];
                self.emit(sass::fswzadd(), &sum);
            }
        }
        if matches!(tex.dim, TexDim::Cube | TexDim::ACube) {
            self.divide([0, 1, 2].map(place), at);
        }
        self.lookup_in_quad(tex, at);
        self.merge(tex, turn, at);
    }

    /// Divides a direction by its largest magnitude.
    fn divide(&mut self, place: [MOp; 3], at: &Places) {
        let magnitude = |o: &MOp| MOp { abs: true, ..o.clone() };
        let [x, y, z] = &place;
        let largest = || at.found.at(3);
        for (a, b) in [(magnitude(x), magnitude(y)), (largest(), magnitude(z))] {
            let given = [(Rd, largest()), (Ra, a), (Rb, b), (Pp, MOp::never())];
            self.emit(sass::fmnmx(t::Ftz::None, t::Nan::None, t::Xorsign::None), &given);
        }
        self.emit(sass::mufu(t::Function::Rcp), &[(Rd, largest()), (Rb, largest())]);
        for part in place {
            let given = [(Rd, part.clone()), (Ra, part), (Rb, largest())];
            self.emit(sass::fmul(t::Ftz::None, t::Round::None, t::Sat::None), &given);
        }
    }

    fn lookup_in_quad(&mut self, tex: Tex, at: &Places) {
        let offset = if tex.offset == TexOffset::Yes { t::Aoffi::Aoffi } else { t::Aoffi::None };
        let compare = if tex.compare == TexCompare::Yes { t::Dc::Dc } else { t::Dc::None };
        let mut given: SmallVec<[(SlotRole, MOp); 8]> = SmallVec::new();
        given.extend([(Ra, at.first.at(0)), (Rb, at.second.at(0)), (Rd, at.found.at(0))]);
        given.extend([(SlotRole::Misc, imm(dimension(tex.dim).0)), (Imm, imm(tex.mask.into()))]);
        if tex.mask.count_ones() > 2 {
            given.push((SlotRole::Re, at.found.at(2)));
        }
        if tex.missing == TexMissing::Yes {
            given.push((Pd, MOp::new(MKind::Phys(QUAD_PREDICATE))));
        }
        self.emit(sass::tex_quad(t::InRegister::B, offset, compare), &given);
        if tex.missing == TexMissing::Yes {
            let there = MOp { not: true, ..MOp::new(MKind::Phys(QUAD_PREDICATE)) };
            self.emit(sass::sel(), &[(Rd, at.first.at(0)), (Ra, MOp::zero()), (Rb, imm(1)), (Pp, there)]);
        }
    }

    /// Adds the results of lane 0 to those of a turn's lane.
    fn merge(&mut self, tex: Tex, turn: u32, at: &Places) {
        let channels = tex.mask.count_ones() as usize;
        let mask = [(Rd, at.mask.clone()), (Ra, MOp::zero()), (Rb, at.select.clone()), (Rc, imm(0x80 << (8 * turn)))];
        if turn > 0 {
            self.emit(sass::prmt(t::Permute::None), &mask);
        }
        for n in 0..usize::from(at.merged.count) {
            let found = if n < channels { at.found.at(n) } else { at.first.at(0) };
            // Every lane has the results of the first turn until its own.
            let to = if turn == 0 { at.merged.at(n) } else { found.clone() };
            let given = [(Rd, to), (Ra, found.clone()), (Imm, imm(0)), (Imm2, imm(IN_QUAD))];
            self.emit(sass::shfl(t::Shuffle::Idx), &given);
            if turn > 0 {
                let (old, mask) = (at.merged.at(n), at.mask.clone());
                let given = [(Rd, old.clone()), (Ra, found), (Rb, old), (Rc, mask), (Imm, imm(MERGE))];
                self.emit(sass::lop3(), &given);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_reads_its_lane_or_the_first_that_is_active() {
        let from = |turn, set: u32| sources(turn) >> (2 * set) & 3;
        assert_eq!([0, 1, 2, 3].map(|turn| from(turn, 15)), [0, 1, 2, 3]);
        assert_eq!([0, 1, 2, 3].map(|turn| from(turn, 0b1010)), [1, 1, 1, 3]);
        assert_eq!([0, 1, 2, 3].map(|turn| from(turn, 0b0100)), [2; 4]);
    }

    #[test]
    fn lists_are_aligned_and_nothing_is_given_twice() {
        let (at, end) = Places::new(4, 3, 3, 4, 1);
        assert_eq!((at.first.first % 4, at.second.first % 4, at.found.first % 4), (0, 0, 0));
        let all = [at.place, at.derivatives, at.others, at.first, at.second, at.found, at.merged];
        let mut used: Vec<u8> = all.iter().flat_map(|r| r.first..r.first + r.count).collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used.len(), 4 + 6 + 3 + 4 + 3 + 4 + 5);
        assert!(used.iter().all(|&n| n >= QUAD_FIRST && n < end));
    }
}
