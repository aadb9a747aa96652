//! Random instructions that the tables call legal, each with a property that was asked for.
//!
//! Problem: the campaign against nvdisasm must see every row with every kind of operand and every modifier, not only what
//! happens to come up. Strategy: [`wants`] lists the properties of a row ([`Want`]), [`sample`] makes an instruction that
//! has one of them and is random otherwise, and [`Want::holds`] judges a decoded instruction, so that what is counted
//! does not rest on what was asked for. Deterministic for a seed.

use raddle_entity::SplitMix;
use raddle_sass::inst::MAX_FIELDS;
use raddle_sass::row::{Cond, NO_BIT, Part, Slot, SlotKind, mask};
use raddle_sass::{Ctrl, Guard, Inst, Kind, Operand, PT, RZ, Row, RowId, URZ};
use smallvec::SmallVec;

/// The same words on every machine.
pub struct Random(SplitMix);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(SplitMix(seed))
    }

    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// True one time in `n`.
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// A property of an instruction: a kind of operand, a modifier, a value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Guard: none, a predicate, its complement.
    Guard(bool, bool),
    /// Field number with this raw value.
    Field(usize, u16),
    /// This entry of the mnemonic's alias (`IMAD.MOV`) is the first that holds; past the last entry: none holds.
    Alias(usize),
    /// Operand number negated or not.
    Neg(usize, bool),
    /// Operand number with an absolute value or not.
    Abs(usize, bool),
    /// Operand number complemented or not.
    Not(usize, bool),
    /// Operand number is, or is not, the register that stands for nothing (`RZ`, `URZ`, `PT`, `UPT`).
    Zero(usize, bool),
    /// Operand number is this special register, named value, barrier or scoreboard.
    Value(usize, u16),
    /// Operand number with this selector.
    Selector(usize, u8),
    /// Immediate, offset or distance of operand number: zero (0), positive (1), negative (-1).
    Sign(usize, i8),
    /// Base of address or constant operand number: present or not.
    Base(usize, bool),
    /// Uniform register of address or constant operand number: present or not.
    Uniform(usize, bool),
}

/// The register that stands for nothing.
fn is_zero(kind: Kind) -> Option<bool> {
    match kind {
        Kind::Reg(n) => Some(n == RZ),
        Kind::UReg(n) => Some(n == URZ),
        Kind::Pred(n) | Kind::UPred(n) => Some(n == PT),
        _ => None,
    }
}

impl Want {
    /// Whether the instruction has the property.
    pub fn holds(self, inst: &Inst) -> bool {
        let operand = |n: usize| inst.operands.get(n);
        let is = |n: usize, f: &dyn Fn(&Operand) -> bool| operand(n).is_some_and(f);
        match self {
            Want::Guard(present, negated) => {
                (inst.guard.pred != PT) == present && (inst.guard.pred == PT || inst.guard.neg == negated)
            }
            Want::Field(i, v) => inst.fields[i] == v,
            Want::Alias(i) => {
                let list = alias(inst.row());
                list.iter().position(|(conds, _)| conds.iter().all(|c| cond_holds(inst, *c))).unwrap_or(list.len()) == i
            }
            Want::Neg(n, on) => is(n, &|o| o.neg == on),
            Want::Abs(n, on) => is(n, &|o| o.abs == on),
            Want::Not(n, on) => is(n, &|o| o.not == on),
            Want::Zero(n, on) => is(n, &|o| is_zero(o.kind) == Some(on)),
            Want::Value(n, v) => is(n, &|o| match o.kind {
                Kind::Special(x) | Kind::Barrier(x) | Kind::Scoreboard(x) => u16::from(x) == v,
                Kind::Named(x) => x == v,
                _ => false,
            }),
            Want::Selector(n, v) => is(n, &|o| o.sel == v),
            Want::Sign(n, sign) => is(n, &|o| match o.kind {
                Kind::Imm(v) | Kind::Rel(v) => v.signum() == i64::from(sign),
                Kind::Addr { offset, .. } | Kind::CBank { offset, .. } => offset.signum() == i32::from(sign),
                _ => false,
            }),
            Want::Base(n, on) => is(n, &|o| match o.kind {
                Kind::Addr { base, .. } | Kind::CBank { base, .. } => (base != RZ) == on,
                _ => false,
            }),
            Want::Uniform(n, on) => is(n, &|o| match o.kind {
                Kind::Addr { ubase, .. } => (ubase != URZ) == on,
                Kind::CBank { handle, .. } => (handle != URZ) == on,
                _ => false,
            }),
        }
    }
}

/// The alias list of a row's mnemonic; empty if it has none.
fn alias(row: &Row) -> &'static [(&'static [Cond], raddle_sass::Mod)] {
    row.mnemonic.iter().find_map(|part| if let Part::Alias(list) = part { Some(*list) } else { None }).unwrap_or(&[])
}

fn cond_holds(inst: &Inst, cond: Cond) -> bool {
    let kind = |n: u8| inst.operands[usize::from(n)].kind;
    match cond {
        Cond::IsZero(n) => matches!(kind(n), Kind::Reg(RZ) | Kind::UReg(URZ) | Kind::Imm(0)),
        Cond::IsOne(n) => kind(n) == Kind::Imm(1),
        Cond::IsPowerOfTwo(n) => {
            matches!(kind(n), Kind::Imm(v) if (2..=1 << 30).contains(&v) && v & (v - 1) == 0 && v != 1 << 16)
        }
        Cond::Field(f, v) => inst.fields[usize::from(f)] == v,
    }
}

/// Makes a condition on an operand true.
fn make_hold(r: &mut Random, inst: &mut Inst, cond: Cond) {
    let set = |inst: &mut Inst, n: u8, imm: i64| {
        let o = &mut inst.operands[usize::from(n)];
        o.kind = match o.kind {
            Kind::Reg(_) => Kind::Reg(RZ),
            Kind::UReg(_) => Kind::UReg(URZ),
            Kind::Imm(_) => Kind::Imm(imm),
            other => other,
        };
    };
    match cond {
        Cond::IsZero(n) => set(inst, n, 0),
        Cond::IsOne(n) => set(inst, n, 1),
        Cond::IsPowerOfTwo(n) => set(inst, n, 1 << (1 + r.below(15))),
        Cond::Field(..) => {}
    }
    inst.ctrl.reuse = 0;
}

fn register(r: &mut Random, none: u8) -> u8 {
    if r.one_in(8) { none } else { r.below(u64::from(none)) as u8 }
}

fn random_operand(r: &mut Random, slot: &Slot, zero: Option<bool>) -> Operand {
    let zero = if slot.nonzero { Some(false) } else { zero };
    let mut reg = |none: u8| match zero {
        Some(true) => none,
        Some(false) => r.below(u64::from(none)) as u8,
        None => register(r, none),
    };
    let kind = match slot.kind {
        SlotKind::Reg(_) => Kind::Reg(reg(RZ)),
        SlotKind::UReg(_) | SlotKind::GDesc(_) | SlotKind::Desc(_) => Kind::UReg(reg(URZ)),
        SlotKind::Pred(_) | SlotKind::PredInv(_) => Kind::Pred(reg(PT)),
        SlotKind::UPred(_) | SlotKind::UPredInv(_) => Kind::UPred(reg(PT)),
        SlotKind::Barrier(_) => Kind::Barrier(r.below(16) as u8),
        SlotKind::UImm(b, s) => Kind::Imm(((immediate(r, b.width())) << s) as i64),
        SlotKind::SImm(b, s) => {
            let shift = 64 - u32::from(b.width());
            Kind::Imm((((immediate(r, b.width()) << shift) as i64) >> shift) << s)
        }
        SlotKind::F32(_) => Kind::F32(r.next() as u32),
        SlotKind::F64(_) => Kind::F64(r.next() as u32),
        SlotKind::F16(_) | SlotKind::F16x2(..) | SlotKind::Bf16x2(_) => Kind::F16x2(r.next() as u32),
        SlotKind::CBank(off, bank, s, _) => {
            let shift = 64 - u32::from(off.width());
            let offset = (((immediate(r, off.width()) << shift) as i64 >> shift) << s) as i32;
            Kind::CBank { bank: (r.next() & mask(bank.width())) as u8, base: RZ, handle: URZ, offset }
        }
        SlotKind::CBankIndexed(_, bank, _) => Kind::CBank {
            bank: (r.next() & mask(bank.width())) as u8,
            base: register(r, RZ),
            handle: URZ,
            offset: i32::from(immediate(r, 16) as u16 as i16),
        },
        SlotKind::CBankUniform(_, bank, _) => Kind::CBank {
            bank: (r.next() & mask(bank.width())) as u8,
            base: RZ,
            handle: register(r, URZ),
            offset: i32::from(immediate(r, 16) as u16 as i16),
        },
        SlotKind::CBankBindless(off, _, s) => Kind::CBank {
            bank: 0,
            base: RZ,
            handle: register(r, URZ),
            offset: ((r.next() & mask(off.width())) << s) as i32,
        },
        SlotKind::Addr { offset, base, ubase, desc, .. } => {
            let mut part = |w: u8, none: u8| if w == 0 { none } else { register(r, none) };
            let base = if slot.nonzero { part(base.width(), RZ).min(RZ - 1) } else { part(base.width(), RZ) };
            let (ubase, desc) = (part(ubase.width(), URZ), part(desc.width(), URZ));
            let shift = 64 - u32::from(offset.width().max(1));
            let value = if r.one_in(4) { 0 } else { immediate(r, offset.width().max(1)) };
            let offset = if offset.width() == 0 { 0 } else { (((value << shift) as i64) >> shift) as i32 };
            Kind::Addr { base, ubase, desc, offset }
        }
        SlotKind::Special(_, old) => loop {
            let n = r.below(256) as u8;
            if !(old && raddle_sass::code::is_new_special(n)) {
                break Kind::Special(n);
            }
        },
        SlotKind::Rel(b, s, _) => {
            // Within 2^31 bytes; nvdisasm's text is exact there.
            let w = b.width().min(28);
            let shift = 64 - u32::from(w);
            Kind::Rel(((((r.next() & mask(w)) << shift) as i64) >> shift) << s)
        }
        SlotKind::Scoreboard(_) => Kind::Scoreboard(r.below(6) as u8),
        SlotKind::Named(_, values) => Kind::Named(values.list[r.below(values.list.len() as u64) as usize].0),
        SlotKind::Set(b) => Kind::Set((r.next() & mask(b.width())) as u32),
        SlotKind::PredFile => Kind::PredFile,
        SlotKind::UPredFile => Kind::UPredFile,
    };
    Operand::new(kind)
}

/// Small and large values alike.
fn immediate(r: &mut Random, width: u8) -> u64 {
    let bits = 1 + r.below(u64::from(width)) as u8;
    let v = r.next() & mask(bits);
    if r.one_in(4) { !v & mask(width) } else { v & mask(width) }
}

/// A random instruction of a row. What `want` names is made so where that takes more than luck; the rest is the caller's
/// to check with [`Want::holds`].
pub fn sample(r: &mut Random, id: RowId, want: Want) -> Inst {
    let row = id.row();
    let mut fields = [0u16; MAX_FIELDS];
    for (i, f) in row.fields.iter().enumerate() {
        fields[i] = match want {
            Want::Field(n, v) if n == i => v,
            _ => f.values.list[r.below(f.values.list.len() as u64) as usize].0,
        };
    }
    let conds = match want {
        Want::Alias(n) => alias(row).get(n).map_or(&[][..], |(conds, _)| *conds),
        _ => &[],
    };
    for cond in conds {
        if let Cond::Field(f, v) = *cond {
            fields[usize::from(f)] = v;
        }
    }
    let operands: SmallVec<[Operand; 6]> =
        row.slots.iter().enumerate().map(|(i, slot)| sample_operand(r, i, slot, &fields, want)).collect();
    let mut ctrl = Ctrl { stall: 1 + r.below(11) as u8, yield_: false, ..Ctrl::default() };
    ctrl.wr_bar = if !row.effects.write_barrier || r.one_in(2) { None } else { Some(r.below(6) as u8) };
    ctrl.rd_bar = if !row.effects.read_barrier || r.one_in(2) { None } else { Some(r.below(6) as u8) };
    ctrl.wait_mask = if row.effects.waits { r.below(64) as u8 } else { 0 };
    if r.one_in(8) {
        for (slot, o) in row.slots.iter().zip(&operands) {
            if slot.reuse != NO_BIT && matches!(o.kind, Kind::Reg(n) if n != RZ) && r.one_in(2) {
                ctrl.reuse |= 1 << slot.reuse;
            }
        }
    }
    let guard = if r.one_in(3) { Guard { pred: r.below(8) as u8, neg: r.one_in(2) } } else { Guard::ALWAYS };
    let guard = if guard.pred == PT { Guard::ALWAYS } else { guard };
    let mut inst = Inst { row: id, guard, ctrl, operands, fields };
    for cond in conds {
        make_hold(r, &mut inst, *cond);
    }
    inst
}

fn sample_operand(r: &mut Random, i: usize, slot: &Slot, fields: &[u16; MAX_FIELDS], want: Want) -> Operand {
    let zero = match want {
        Want::Zero(n, on) if n == i => Some(on),
        _ => None,
    };
    let mut o = random_operand(r, slot, zero);
    match (&mut o.kind, want) {
        (Kind::Special(x) | Kind::Barrier(x) | Kind::Scoreboard(x), Want::Value(n, v)) if n == i => *x = v as u8,
        (Kind::Named(x), Want::Value(n, v)) if n == i => *x = v,
        (Kind::Imm(v) | Kind::Rel(v), Want::Sign(n, 0)) if n == i => *v = 0,
        (Kind::Addr { offset, .. } | Kind::CBank { offset, .. }, Want::Sign(n, 0)) if n == i => *offset = 0,
        _ => {}
    }
    o.neg = slot.neg != NO_BIT && r.one_in(4);
    o.abs = slot.abs != NO_BIT && r.one_in(4);
    o.not = slot.not != NO_BIT && r.one_in(4);
    if slot.tilde.is_some_and(|f| fields[usize::from(f)] != 0) && slot.not == NO_BIT {
        (o.not, o.neg) = (o.neg, false);
    }
    if let Some(sel) = &slot.sel {
        o.sel = match want {
            Want::Selector(n, v) if n == i => v,
            _ => sel.values.list[r.below(sel.values.list.len() as u64) as usize].0 as u8,
        };
    }
    o
}

/// The properties that a row's instructions can have: what the campaign must see of it.
pub fn wants(row: &Row) -> Vec<Want> {
    let mut out = vec![Want::Guard(false, false), Want::Guard(true, false), Want::Guard(true, true)];
    for (i, f) in row.fields.iter().enumerate() {
        out.extend(f.values.list.iter().map(|v| Want::Field(i, v.0)));
    }
    let list = alias(row);
    out.extend((0..=list.len()).filter(|_| !list.is_empty()).map(Want::Alias));
    for (i, slot) in row.slots.iter().enumerate() {
        if slot.neg != NO_BIT {
            out.extend([Want::Neg(i, false), Want::Neg(i, true)]);
        }
        if slot.abs != NO_BIT {
            out.extend([Want::Abs(i, false), Want::Abs(i, true)]);
        }
        if slot.not != NO_BIT || slot.tilde.is_some() {
            out.extend([Want::Not(i, false), Want::Not(i, true)]);
        }
        if let Some(sel) = &slot.sel {
            out.extend(sel.values.list.iter().map(|v| Want::Selector(i, v.0 as u8)));
        }
        out.extend(wants_of_kind(i, slot));
    }
    out
}

fn wants_of_kind(i: usize, slot: &Slot) -> Vec<Want> {
    let both = |f: fn(usize, bool) -> Want| vec![f(i, false), f(i, true)];
    let signs = |signs: &[i8]| signs.iter().map(|s| Want::Sign(i, *s)).collect::<Vec<_>>();
    match slot.kind {
        SlotKind::Reg(_)
        | SlotKind::UReg(_)
        | SlotKind::GDesc(_)
        | SlotKind::Desc(_)
        | SlotKind::Pred(_)
        | SlotKind::PredInv(_)
        | SlotKind::UPred(_)
        | SlotKind::UPredInv(_) => {
            if slot.nonzero {
                vec![Want::Zero(i, false)]
            } else {
                both(Want::Zero)
            }
        }
        SlotKind::Barrier(b) | SlotKind::Special(b, false) => (0..1 << b.width()).map(|v| Want::Value(i, v)).collect(),
        SlotKind::Special(_, true) => {
            (0..=255).filter(|v| !raddle_sass::code::is_new_special(*v)).map(|v| Want::Value(i, v.into())).collect()
        }
        SlotKind::Scoreboard(_) => (0..6).map(|v| Want::Value(i, v)).collect(),
        SlotKind::Named(_, values) => values.list.iter().map(|v| Want::Value(i, v.0)).collect(),
        SlotKind::UImm(..) => signs(&[0, 1]),
        SlotKind::SImm(..) | SlotKind::Rel(..) => signs(&[-1, 0, 1]),
        SlotKind::CBank(..) => signs(&[-1, 0, 1]),
        SlotKind::CBankBindless(..) => [both(Want::Uniform), signs(&[0, 1])].concat(),
        SlotKind::CBankIndexed(..) => [both(Want::Base), signs(&[-1, 0, 1])].concat(),
        SlotKind::CBankUniform(..) => [both(Want::Uniform), signs(&[-1, 0, 1])].concat(),
        SlotKind::Addr { offset, base, ubase, .. } => {
            let mut out = Vec::new();
            if base.width() != 0 {
                out.extend(if slot.nonzero { vec![Want::Base(i, true)] } else { both(Want::Base) });
            }
            if ubase.width() != 0 {
                out.extend(both(Want::Uniform));
            }
            if offset.width() != 0 {
                out.extend(signs(&[-1, 0, 1]));
            }
            out
        }
        SlotKind::F32(_)
        | SlotKind::F64(_)
        | SlotKind::F16(_)
        | SlotKind::F16x2(..)
        | SlotKind::Bf16x2(_)
        | SlotKind::Set(_)
        | SlotKind::PredFile
        | SlotKind::UPredFile => Vec::new(),
    }
}
