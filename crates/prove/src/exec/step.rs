//! One instruction: what it computes, what it does to memory and to the world.
//!
//! Weak accesses are those of a program with one thread ([`raddle_ir::order`]). Every other effect
//! is an unknown function of what was done before, its operands and the memory that it makes
//! visible; memory that other threads may have changed since is an unknown function of it. So
//! effects stay in order, once each, with equal operands and equal memory.

use raddle_ir::order::{Strength, strength};
use raddle_ir::{Atom, Cache, Inst, Mem, Mty, Op, Space, Special};

use super::{Exec, Leaves, State, Stuck, part};
use crate::semantics;
use crate::term::{Bank, Class, Kind, Node, Sort, Term};

/// The memory that an access is to.
enum Place {
    /// One part of the state, at this address.
    Part(usize, Term),
    /// The address tells the space when the program runs: global, shared, or local.
    Unknown(Term),
}

/// What an effect may see and change.
const COMMON: &[usize] = &[part::GLOBAL, part::SHARED];
const ALL: &[usize] = &[part::GLOBAL, part::SHARED, part::LOCAL];

impl Exec<'_, '_> {
    /// Executes an instruction of the block at place `n`.
    pub(super) fn inst(
        &mut self,
        bank: &mut Bank,
        leaves: &mut dyn Leaves,
        n: usize,
        i: Inst,
        now: &mut State,
    ) -> Result<(), Stuck> {
        let d = self.frame.side.f.insts[i].clone();
        let mut args = Vec::with_capacity(d.args.len());
        for &v in &d.args {
            args.push(self.value(bank, leaves, n, v)?);
        }
        let results = match d.op {
            Op::Undef => vec![bank.var(&format!("undef {i}"), Sort::Bits(self.result_bits(i)[0]))],
            Op::Load(m) if m.is_weak() || matches!(m.space, Space::Param | Space::Const) => {
                self.stays_inside(bank, n, &m, args[0]);
                self.load(bank, &m, &args, now)
            }
            Op::Store(m) if m.is_weak() => {
                self.stays_inside(bank, n, &m, args[0]);
                self.store(bank, &m, &args, now);
                Vec::new()
            }
            Op::Load(m) | Op::Store(m) => self.strong(bank, i, &args, (m.space, m.offset), m.strength(), now),
            Op::Atom(Atom { space, offset, .. }) | Op::Red(Atom { space, offset, .. }) => {
                let strength = strength(&d.op).unwrap_or_default();
                self.strong(bank, i, &args, (space, offset), strength, now)
            }
            Op::SurfLoad(_) => {
                args.push(now[part::GLOBAL]);
                semantics::unknown(bank, &d.op, &args, &self.result_bits(i))
            }
            _ if d.op.has_effect() => self.effect(bank, i, &args, now),
            _ => self.pure(bank, i, &args),
        };
        for (&v, &t) in d.results.iter().zip(&results) {
            self.env.insert(v, t);
        }
        Ok(())
    }

    /// The results of an operation without effect.
    pub(super) fn pure(&mut self, bank: &mut Bank, i: Inst, args: &[Term]) -> Vec<Term> {
        let f = self.frame.side.f;
        let bits = self.result_bits(i);
        match f.insts[i].op {
            Op::Load(m) => {
                let (name, sort) = match m.space {
                    Space::Const => ("constants", Sort::Memory(32)),
                    _ => ("parameters", Sort::Memory(32)),
                };
                let memory = bank.var(name, sort);
                let at = bank.plus(args[0], m.offset as u128);
                elements(&m).map(|offset| loaded(bank, memory, at, offset, &m)).collect()
            }
            Op::SlotAddr(slot, offset) => {
                let class = if f.slots[slot].dynamic { Class::Dynamic } else { Class::Variable };
                let base = bank.address(&format!("slot{}", slot.as_u32()), 32, class);
                vec![bank.plus(base, offset as u128)]
            }
            Op::SymbolAddr(symbol, offset) => {
                let base = bank.address(&format!("symbol {} {}", f.symbols[symbol], bits[0]), bits[0], Class::Symbol);
                vec![bank.plus(base, offset as u128)]
            }
            Op::IsSpace(space) => vec![is_in(bank, space, args[0])],
            op => semantics::results(bank, &op, args, &bits),
        }
    }

    fn place(&mut self, bank: &mut Bank, space: Space, address: Term, reads: bool) -> Place {
        let (space, address) = match space {
            Space::Generic => match window(bank, address) {
                Some(found) => found,
                None => return Place::Unknown(address),
            },
            _ => (space, address),
        };
        if let (Space::Shared | Space::Local, Some((base, _))) = (space, bank.base(address)) {
            let private = self.frame.private;
            for (n, &slot) in private.iter().enumerate() {
                if base == bank.address(&format!("slot{}", slot.as_u32()), 32, Class::Variable) {
                    self.loaded[slot] |= reads;
                    return Place::Part(part::SLOTS + n, address);
                }
            }
        }
        Place::Part(
            match space {
                Space::Shared => part::SHARED,
                Space::Local => part::LOCAL,
                _ => part::GLOBAL,
            },
            address,
        )
    }

    /// Notes that an access of a variable whose address stays in the function, by an index, is inside
    /// the variable and aligned: PTX does not define others.
    fn stays_inside(&mut self, bank: &mut Bank, n: usize, m: &Mem, address: Term) {
        let at = bank.plus(address, m.offset as u128);
        let Some((slot, _, index)) = self.within(bank, at) else { return };
        let data = &self.frame.side.f.slots[slot];
        let size = m.ty.bytes() * u32::from(m.count);
        if bank.constant(index).is_some() || data.size < size || !size.is_power_of_two() {
            return;
        }
        let most = bank.int((data.size - size + 1).into(), 32);
        let inside = bank.ult(index, most);
        let low = bank.extract(index, 0, size.trailing_zeros() as u16 + u16::from(size == 1));
        let zero = bank.int(0, bank.bits(low));
        let aligned = if size == 1 || data.align < size { bank.bit(true) } else { bank.equal(low, zero) };
        let holds = bank.and(inside, aligned);
        self.inside.push((n, holds));
    }

    fn load(&mut self, bank: &mut Bank, m: &Mem, args: &[Term], now: &State) -> Vec<Term> {
        let at = bank.plus(args[0], m.offset as u128);
        if matches!(m.space, Space::Param | Space::Const) {
            let name = if m.space == Space::Const { "constants" } else { "parameters" };
            let memory = bank.var(name, Sort::Memory(32));
            return elements(m).map(|offset| loaded(bank, memory, at, offset, m)).collect();
        }
        if is_constant(m) {
            return elements(m).map(|offset| loaded(bank, now[part::GRID], at, offset, m)).collect();
        }
        match self.place(bank, m.space, at, true) {
            Place::Part(part, at) => {
                let mut all = Vec::new();
                for offset in elements(m) {
                    let to = bank.plus(at, offset);
                    all.push(match self.element(bank, to, m.ty.bytes()) {
                        Some(element) => element.read(bank, now),
                        None => loaded(bank, now[part], at, offset, m),
                    });
                }
                all
            }
            Place::Unknown(at) => {
                let low = bank.extract(at, 0, 32);
                let (shared, local) = (is_in(bank, Space::Shared, at), is_in(bank, Space::Local, at));
                let mut all = Vec::new();
                for offset in elements(m) {
                    let global = loaded(bank, now[part::GLOBAL], at, offset, m);
                    let of_shared = loaded(bank, now[part::SHARED], low, offset, m);
                    let of_local = loaded(bank, now[part::LOCAL], low, offset, m);
                    let other = bank.ite(local, of_local, global);
                    all.push(bank.ite(shared, of_shared, other));
                }
                all
            }
        }
    }

    fn store(&mut self, bank: &mut Bank, m: &Mem, args: &[Term], now: &mut State) {
        let at = bank.plus(args[0], m.offset as u128);
        let size = m.ty.bytes() as u16;
        let place = self.place(bank, m.space, at, false);
        for (n, &value) in args[1..].iter().enumerate() {
            let value = bank.extract(value, 0, size * 8);
            let offset = u128::from(size) * n as u128;
            if let Place::Part(_, at) = place {
                let to = bank.plus(at, offset);
                if let Some(element) = self.element(bank, to, m.ty.bytes()) {
                    element.write(bank, value, now);
                    continue;
                }
            }
            write(bank, &place, offset, value, now);
        }
    }

    /// An access that other threads may observe: it is ordered with others of its kind, and what
    /// its bytes are afterwards is unknown.
    fn strong(
        &mut self,
        bank: &mut Bank,
        i: Inst,
        args: &[Term],
        (space, offset): (Space, i32),
        strength: Strength,
        now: &mut State,
    ) -> Vec<Term> {
        let f = self.frame.side.f;
        let op = f.insts[i].op;
        let bytes = match op {
            Op::Atom(a) | Op::Red(a) => a.ty.width().bits() as u16 / 8,
            Op::Load(m) | Op::Store(m) => (m.ty.bytes() * u32::from(m.count)) as u16,
            _ => 4,
        };
        let at = bank.plus(args[0], offset as u128);
        let place = self.place(bank, space, at, true);
        // The address with its offset, then what is stored.
        let mut all = vec![at];
        all.extend(&args[1..]);
        match place {
            Place::Part(part, at) => all.push(bank.read(now[part], at, bytes.min(16))),
            Place::Unknown(_) => all.extend(ALL.iter().map(|&part| now[part])),
        }
        let full = !matches!(strength, Strength::Weak | Strength::Strong);
        if full {
            all.extend(COMMON.iter().map(|&part| now[part]));
        }
        act(bank, &name(&op), &all, now);
        if full {
            change(bank, COMMON, now);
        }
        let world = now[part::WORLD];
        if matches!(place, Place::Unknown(_)) {
            change(bank, ALL, now);
        } else {
            for at in (0..bytes).step_by(4) {
                let piece = (bytes - at).min(4);
                let value = bank.apply(&format!("bytes {at}"), &[world], Sort::Bits(piece * 8));
                write(bank, &place, at.into(), value, now);
            }
        }
        outcome(bank, &self.result_bits(i), world)
    }

    /// Every other effect.
    fn effect(&mut self, bank: &mut Bank, i: Inst, args: &[Term], now: &mut State) -> Vec<Term> {
        let op = self.frame.side.f.insts[i].op;
        let (sees, changes): (&[usize], &[usize]) = match op {
            Op::Call(_) | Op::CallAt => (ALL, ALL),
            Op::Return => (ALL, &[]),
            Op::GridDepWait => (COMMON, &[part::GLOBAL, part::SHARED, part::GRID]),
            Op::LdMatrix(..) => (&[part::SHARED], &[]),
            Op::StMatrix(..) => (&[part::SHARED], &[part::SHARED]),
            Op::SurfStore(_) | Op::SurfRed(_) | Op::DiscardLine => (&[part::GLOBAL], &[part::GLOBAL]),
            Op::Trap | Op::Brkpt => (COMMON, &[]),
            _ if strength(&op).is_some() => (COMMON, COMMON),
            _ => (&[], &[]),
        };
        let mut all = args.to_vec();
        if let Op::CpAsync(size, ..) = op {
            let read = bytes_read(bank, size, args.get(2).copied());
            all.truncate(2);
            all.push(read);
        }
        all.extend(sees.iter().map(|&part| now[part]));
        act(bank, &op.to_string(), &all, now);
        change(bank, changes, now);
        let world = now[part::WORLD];
        outcome(bank, &self.result_bits(i), world)
    }
}

/// The bytes that a copy reads: all, as many as its operand says, or none where that is a predicate
/// that disables reading (PTX ISA 9.0, 9.7.9.25.3.1).
fn bytes_read(bank: &mut Bank, size: u8, operand: Option<Term>) -> Term {
    let (all, none) = (bank.int(size.into(), 32), bank.int(0, 32));
    match operand {
        None => all,
        Some(t) if bank.bits(t) == 1 => bank.ite(t, none, all),
        Some(n) => {
            let fewer = bank.ult(n, all);
            bank.ite(fewer, n, all)
        }
    }
}

/// The name of an access without the offset, which is part of its address.
fn name(op: &Op) -> String {
    match *op {
        Op::Atom(a) => Op::Atom(Atom { offset: 0, ..a }).to_string(),
        // A reduction is an atomic operation whose result is not asked for (PTX ISA 9.0, 9.7.13.7).
        Op::Red(a) => Op::Atom(Atom { offset: 0, ..a }).to_string(),
        Op::Load(m) => Op::Load(Mem { offset: 0, ..m }).to_string(),
        Op::Store(m) => Op::Store(Mem { offset: 0, ..m }).to_string(),
        op => op.to_string(),
    }
}

/// Adds an effect to the world.
fn act(bank: &mut Bank, name: &str, args: &[Term], now: &mut State) {
    let mut all = vec![now[part::WORLD]];
    all.extend(args);
    now[part::WORLD] = bank.apply(name, &all, Sort::World);
}

/// Memory that others may have changed.
fn change(bank: &mut Bank, parts: &[usize], now: &mut State) {
    let world = now[part::WORLD];
    for &n in parts {
        let sort = bank.sort(now[n]);
        now[n] = bank.apply(&format!("memory {n}"), &[world], sort);
    }
}

/// What an effect returns.
fn outcome(bank: &mut Bank, bits: &[u16], world: Term) -> Vec<Term> {
    bits.iter().enumerate().map(|(n, &w)| bank.apply(&format!("outcome {n} {w}"), &[world], Sort::Bits(w))).collect()
}

fn write(bank: &mut Bank, place: &Place, offset: u128, value: Term, now: &mut State) {
    match *place {
        Place::Part(part, at) => {
            let at = bank.plus(at, offset);
            now[part] = bank.write(now[part], at, value);
        }
        Place::Unknown(at) => {
            let (shared, local) = (is_in(bank, Space::Shared, at), is_in(bank, Space::Local, at));
            let at = bank.plus(at, offset);
            let low = bank.extract(at, 0, 32);
            let elsewhere = bank.or(shared, local);
            let global = bank.write(now[part::GLOBAL], at, value);
            now[part::GLOBAL] = bank.ite(elsewhere, now[part::GLOBAL], global);
            for (is, part) in [(shared, part::SHARED), (local, part::LOCAL)] {
                let written = bank.write(now[part], low, value);
                now[part] = bank.ite(is, written, now[part]);
            }
        }
    }
}

/// The offsets of the elements of an access.
fn elements(m: &Mem) -> impl Iterator<Item = u128> {
    let (count, bytes) = (u128::from(m.count), u128::from(m.ty.bytes()));
    (0..count).map(move |n| n * bytes)
}

/// One element, extended as the type says.
fn loaded(bank: &mut Bank, memory: Term, at: Term, offset: u128, m: &Mem) -> Term {
    let at = bank.plus(at, offset);
    let value = bank.read(memory, at, m.ty.bytes() as u16);
    match m.ty {
        Mty::S8 | Mty::S16 => bank.sext(value, 32),
        Mty::U8 | Mty::U16 => bank.zext(value, 32),
        Mty::B32 | Mty::B64 | Mty::B128 => value,
    }
}

/// Whether the bytes stay the same while the grid runs.
fn is_constant(m: &Mem) -> bool {
    let read_only = matches!(m.cache, Cache::Nc | Cache::NcEvictFirst | Cache::NcEvictLast | Cache::NcNoAllocate);
    matches!(m.space, Space::Global | Space::Generic) && read_only
}

fn is_in(bank: &mut Bank, space: Space, address: Term) -> Term {
    if let Some((found, _)) = window(bank, address) {
        return bank.bit(found == space);
    }
    // An access stays in its space: constants added to an address do not matter.
    let (parts, _) = bank.parts(address);
    let bits = bank.bits(address);
    let base = bank.sum(&parts, 0, bits);
    bank.apply(&format!("in {space:?}"), &[base], Sort::Bits(1))
}

/// The space and the address in it, if a generic address is that of a window plus something.
fn window(bank: &mut Bank, address: Term) -> Option<(Space, Term)> {
    let special = |bank: &mut Bank, s: Special| bank.var(&format!("special.{s:?}"), Sort::Bits(32));
    let shared = special(bank, Special::SharedWindowHi);
    let (hi, lo) = (special(bank, Special::LocalWindowHi), special(bank, Special::LocalWindowLo));
    let (parts, _) = bank.parts(address);
    let local = bank.concat(hi, lo);
    for &(t, _) in parts.iter().filter(|p| p.1 == 1) {
        if t == local {
            let rest = bank.sub(address, local);
            return Some((Space::Local, bank.extract(rest, 0, 32)));
        }
        if let Node::Op(Kind::Concat, x) = bank.node(t)
            && x[0] == shared
        {
            return Some((Space::Shared, bank.extract(address, 0, 32)));
        }
    }
    None
}
