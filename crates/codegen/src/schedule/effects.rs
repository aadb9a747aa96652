//! Effects of instructions other than on registers that restrict their order.
//!
//! Facts come from the row ([`raddle_sass::row::Effects`]) and a few opcodes; the same code serves
//! before and after register allocation.

use raddle_ir::Strength;
use raddle_ir::order::{self, Event};
use raddle_sass::inst::MAX_FIELDS;
use raddle_sass::row::{Row, Slot, SlotKind, SlotRole, Space, Width};
use raddle_sass::{Class, Field, Mod, Op};

use crate::convention::UTEMP;
use crate::mir::{MInst, MKind};

/// How the order of an instruction is restricted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// By registers and memory only.
    Free,
    /// It depends on the active lanes, or on a resource that lanes share: it stays between fences.
    Convergent,
    /// It waits for other threads, orders memory, or changes the active lanes: memory accesses,
    /// convergent instructions and other fences do not cross it.
    Fence,
    /// Nothing crosses it: branches, clocks, sleep.
    Wall,
}

/// Whether a special register changes with time: clocks, timers and counters.
fn is_time(special: u8) -> bool {
    special == 1 || (80..=83).contains(&special) || (100..=115).contains(&special)
}

/// Returns the role of an instruction that reads `special`, if any. `passing`: it reads or writes
/// [`UTEMP`], which lanes that run next overwrite.
pub(super) fn role(row: &Row, special: Option<u8>, passing: bool) -> Role {
    let e = row.effects;
    match row.op {
        // Which lanes run before and after differs.
        Op::Bmov if names_lanes(row) => Role::Wall,
        Op::Bssy | Op::Warpsync | Op::B2r | Op::Bmov | Op::Pmtrig => Role::Fence,
        // Registers of products of a warpgroup are touched neither before the wait nor after the
        // arrival; products keep their order.
        Op::Nanosleep | Op::Yield | Op::Bpt | Op::Warpgroup => Role::Wall,
        op if crate::products::is_product_op(op) => Role::Fence,
        _ if e.branch || special.is_some_and(is_time) => Role::Wall,
        _ if e.barrier || row.class == Class::Br => Role::Fence,
        _ if e.convergent || passing => Role::Convergent,
        _ => Role::Free,
    }
}

/// Returns the role of an instruction in SSA form.
pub(super) fn ssa_role(i: &MInst) -> Role {
    let special = i.ops.iter().find_map(|o| if let MKind::Special(n) = o.kind { Some(n) } else { None });
    let passing = i.ops.iter().any(|o| matches!(o.kind, MKind::Uniform(UTEMP)));
    role(i.row(), special, passing)
}

/// Whether it keeps or changes the active lanes.
pub(crate) fn names_lanes(row: &Row) -> bool {
    row.op == Op::Bmov && row.slots.iter().any(|slot| matches!(slot.kind, SlotKind::Named(..)))
}

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// The space read.
    reads: Option<Space>,
    /// The space written.
    writes: Option<Space>,
    /// Its memory ordering beyond its bytes.
    strength: Strength,
    /// A number that is equal for equal base addresses; `None` if unknown.
    base: Option<u64>,
    /// First byte relative to the base, and the byte after the last.
    bytes: (i64, i64),
}

/// The number of registers that a slot names.
fn width(slot: &Slot, fields: &[u16; MAX_FIELDS]) -> u8 {
    match slot.width {
        Width::Fixed(n) => n,
        Width::Field(f, counts) => counts.get(usize::from(fields[usize::from(f)])).copied().unwrap_or(1),
        Width::Texture => 4,
    }
}

impl Access {
    /// The access of an instruction to `base` plus `offset`; `None` if it has none, or one that
    /// needs no order.
    pub(super) fn new(
        row: &Row,
        fields: &[u16; MAX_FIELDS],
        strength: Strength,
        base: Option<u64>,
        offset: i32,
    ) -> Option<Access> {
        let e = row.effects;
        if e.reads.is_none() && e.writes.is_none() || e.reads == Some(Space::Const) {
            return None;
        }
        let sem = row.field_index(Field::Sem).and_then(|i| row.fields[i].values.name(fields[i]));
        if sem == Some(Mod::Constant) && e.writes.is_none() {
            // Memory that does not change while the kernel runs (PTX ISA 9.0, 9.7.9.9,
            // ld.global.nc).
            return None;
        }
        let data = row.slots.iter().filter(|s| matches!(s.role, SlotRole::Rd | SlotRole::Rb | SlotRole::Rc));
        let bytes = data.map(|s| i64::from(width(s, fields)) * 4).max().unwrap_or(16).max(4);
        let scale = row.field_index(Field::Xs).map_or(0, |i| fields[i]);
        let exact = !e.atomic && row.op != Op::Ldgsts;
        let base = base.filter(|_| exact).map(|b| b << 2 | u64::from(scale & 3));
        let strength = if e.atomic && strength == Strength::Weak { Strength::Strong } else { strength };
        let offset = i64::from(offset);
        Some(Access { reads: e.reads, writes: e.writes, strength, base, bytes: (offset, offset + bytes) })
    }

    /// An access to unknown memory.
    pub(super) fn anywhere() -> Access {
        let any = Some(Space::Generic);
        Access { reads: any, writes: any, strength: Strength::Both, base: None, bytes: (0, 0) }
    }

    /// Whether it writes.
    pub(super) fn writes(&self) -> bool {
        self.writes.is_some()
    }

    /// Whether it is not weak.
    pub(super) fn is_strong(&self) -> bool {
        self.strength != Strength::Weak
    }

    /// Whether two accesses, this one first, must stay in order.
    pub(super) fn conflicts(&self, other: &Access) -> bool {
        let spaces = |a: &Access| [a.reads, a.writes].into_iter().flatten();
        let meet = spaces(self).any(|a| spaces(other).any(|b| may_meet(a, b)));
        let same = self.base.is_some() && self.base == other.base && self.space() == other.space();
        let disjoint = same && (self.bytes.1 <= other.bytes.0 || other.bytes.1 <= self.bytes.0);
        !order::may_swap(self.event(), other.event(), meet && !disjoint)
    }

    fn space(&self) -> Option<Space> {
        self.writes.or(self.reads)
    }

    fn event(&self) -> Event {
        let private = [self.reads, self.writes].into_iter().flatten().all(|space| space == Space::Local);
        Event { strength: self.strength, writes: self.writes(), private }
    }
}

/// Whether accesses to two spaces can touch the same byte.
fn may_meet(a: Space, b: Space) -> bool {
    use Space::{Global, Local, Shared};
    let own = |s| matches!(s, Global | Local | Shared);
    a == b || !own(a) || !own(b)
}
