//! Follows the values that a function's caller had through its code, on all paths, and compares
//! them with the rules for unwinding.
//!
//! Only what matters is followed: the registers of the caller, the stack pointer with constants
//! added, and words stored to the frame. Everything else is unknown, and what is unknown meets no
//! rule.

use std::collections::BTreeMap;

use anyhow::{Result, bail, ensure};
use raddle_sass::row::File;
use raddle_sass::{Guard, Inst, Isa, Kind, Mod, Op, SlotRole, decode};

use super::{Frame, Place, Rules, Unwind};

/// Bytes of an instruction.
const WORD: usize = 16;
const STACK: u8 = 1;
const RETURN: u64 = 0x0500_0014;

/// What a register or a word of the frame holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    /// What the register held for the caller.
    Caller(u8),
    /// The address of a base plus an offset. Base 0 is R1 at the entry; another one is the result
    /// of the instruction at that offset, which aligns the stack pointer or moves it by a value.
    Stack(usize, i64),
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    registers: Vec<Value>,
    memory: BTreeMap<(usize, i64), Value>,
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Instructions.
    pub instructions: usize,
    /// Registers found in memory, over all instructions.
    pub saved: usize,
    /// Frame addresses found in memory.
    pub aligned: usize,
}

/// Whether a function preserves a register (docs/calls.md).
fn is_kept(n: u8) -> bool {
    matches!(n, 1 | 2 | 16..=31) || (32..255).contains(&n) && n & 4 != 0
}

/// Compares the rules of a function with its code.
///
/// # Errors
/// The first instruction at which they do not give the caller's values.
pub fn compare(isa: Isa, code: &[u8], unwind: &Unwind) -> Result<Seen> {
    ensure!(unwind.returns == RETURN, "the return address is in {:#x}", unwind.returns);
    let words = code.chunks_exact(WORD).map(|w| u128::from_le_bytes(w.try_into().unwrap_or_default()));
    let insts: Vec<Inst> = words.map(|word| decode(isa, word)).collect::<Result<_, _>>()?;
    let states = follow(&insts)?;
    let mut seen = Seen::default();
    for (n, state) in states.iter().enumerate() {
        let Some(state) = state else { continue };
        let at = (n * WORD) as u64;
        let Some(rules) = unwind.at(at) else { bail!("no rules at {at:#x}") };
        if let Err(error) = check(state, rules, &mut seen) {
            bail!("{at:#x} {}: {error:#}", raddle_sass::print(&insts[n], at));
        }
        seen.instructions += 1;
    }
    Ok(seen)
}

fn check(state: &State, rules: &Rules, seen: &mut Seen) -> Result<()> {
    let Some(frame) = rules.frame else { bail!("no frame address") };
    let found = match frame {
        Frame::Register(base, offset) => state.address(base, offset),
        Frame::Memory(base, offset) => {
            seen.aligned += 1;
            state.word(base, offset)
        }
    };
    ensure!(found == Value::Stack(0, 0), "{frame:?} is {found:?} and no frame address");
    for n in (0..255).filter(|&n| n != STACK && is_kept(n)) {
        let place = rules.registers.get(&n).copied().unwrap_or(Place::Same);
        let found = match place {
            Place::Same => state.registers[usize::from(n)],
            Place::Frame(offset) => state.at(Value::Stack(0, 0), offset),
            Place::Memory(base, offset) => state.word(base, offset),
            Place::Lost | Place::Register(_) => bail!("R{n} is {place:?}"),
        };
        seen.saved += usize::from(place != Place::Same);
        ensure!(found == Value::Caller(n), "R{n} is {place:?}, which is {found:?}");
    }
    Ok(())
}

impl State {
    fn entry() -> State {
        let mut registers: Vec<Value> = (0..=255).map(Value::Caller).collect();
        registers[usize::from(STACK)] = Value::Stack(0, 0);
        registers[255] = Value::Unknown;
        State { registers, memory: BTreeMap::new() }
    }

    fn address(&self, base: u8, offset: i64) -> Value {
        match self.registers[usize::from(base)] {
            Value::Stack(id, at) => Value::Stack(id, at + offset),
            _ => Value::Unknown,
        }
    }

    fn at(&self, base: Value, offset: i64) -> Value {
        let Value::Stack(id, at) = base else { return Value::Unknown };
        self.memory.get(&(id, at + offset)).copied().unwrap_or(Value::Unknown)
    }

    /// The word at a register plus an offset.
    fn word(&self, base: u8, offset: i64) -> Value {
        self.at(self.registers[usize::from(base)], offset)
    }

    /// What is known on both paths. Returns whether that is less than was known here.
    fn meet(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (here, there) in self.registers.iter_mut().zip(&other.registers) {
            if *here != *there {
                *here = Value::Unknown;
            }
        }
        self.memory.retain(|at, value| other.memory.get(at) == Some(value));
        *self != before
    }

    /// The state after an instruction whose guard holds.
    fn step(&mut self, n: usize, i: &Inst) {
        let register = |role| match i.slot(role).map(|o| o.kind) {
            Some(Kind::Reg(r)) => Some(r),
            _ => None,
        };
        let constant = |role| match i.slot(role).map(|o| o.kind) {
            Some(Kind::Imm(value)) => Some(i64::from(value as u32 as i32)),
            _ => None,
        };
        let memory = match i.slot(SlotRole::Addr).map(|o| o.kind) {
            Some(Kind::Addr { base, offset, .. }) => Some((base, i64::from(offset))),
            _ => None,
        };
        let whole = ![Mod::U8, Mod::S8, Mod::U16, Mod::S16].iter().any(|&m| i.has(m));
        let result = match (i.op(), memory) {
            (Op::Mov, _) => register(SlotRole::Rb).map(|r| self.registers[usize::from(r)]),
            (Op::Iadd3, _) if register(SlotRole::Rc) == Some(255) => {
                register(SlotRole::Ra).zip(constant(SlotRole::Rb)).map(|(r, by)| self.address(r, by))
            }
            (Op::Ldl, Some((base, offset))) if whole => {
                let words = i.defs().first().map_or(1, |d| d.count);
                let loaded: Vec<Value> = (0..words).map(|k| self.word(base, offset + 4 * i64::from(k))).collect();
                let first = register(SlotRole::Rd).unwrap_or(255);
                loaded.iter().zip(first..255).for_each(|(&value, r)| self.registers[usize::from(r)] = value);
                return;
            }
            (Op::Stl, Some((base, offset))) => return self.store(i, base, offset, whole),
            (Op::Call, _) => {
                for n in (0..255).filter(|&n| !is_kept(n)) {
                    self.registers[usize::from(n)] = Value::Unknown;
                }
                return;
            }
            _ => None,
        };
        for d in i.defs().iter().filter(|d| d.file == File::Gpr) {
            for r in d.first..d.first.saturating_add(d.count) {
                let moved = if r == STACK { Value::Stack(n * WORD + 1, 0) } else { Value::Unknown };
                self.registers[usize::from(r)] = result.filter(|&v| v != Value::Unknown).unwrap_or(moved);
            }
        }
    }

    fn store(&mut self, i: &Inst, base: u8, offset: i64, whole: bool) {
        let Value::Stack(id, at) = self.registers[usize::from(base)] else { return };
        let stored = i
            .uses()
            .into_iter()
            .find(|u| u.file == File::Gpr && i.row().slots[usize::from(u.slot)].role == SlotRole::Rb);
        let (first, count) = stored.map_or((255, 1), |u| (u.first, u.count));
        for k in 0..count {
            let value = if whole { self.registers[usize::from(first.saturating_add(k))] } else { Value::Unknown };
            let place = (at + offset + 4 * i64::from(k)) & !3;
            self.memory.insert((id, place), value);
        }
    }
}

/// The states before each instruction; `None` for those that no path reaches.
fn follow(insts: &[Inst]) -> Result<Vec<Option<State>>> {
    let mut states: Vec<Option<State>> = vec![None; insts.len()];
    let mut open = vec![(0, State::entry())];
    while let Some((n, state)) = open.pop() {
        let Some(place) = states.get_mut(n) else { bail!("the code is left at its end") };
        match place {
            Some(known) => {
                if !known.meet(&state) {
                    continue;
                }
            }
            None => *place = Some(state),
        }
        let Some(before) = states[n].clone() else { continue };
        let i = &insts[n];
        let mut after = before.clone();
        after.step(n, i);
        let always = i.guard == Guard::ALWAYS;
        if !always {
            after.meet(&before);
        }
        let target = i.operands.iter().find_map(|o| match o.kind {
            Kind::Rel(by) => usize::try_from((n as i64 + 1) * WORD as i64 + by).ok().map(|at| at / WORD),
            _ => None,
        });
        match (i.op(), target) {
            (Op::Bra, Some(to)) => {
                open.push((to, after.clone()));
                if always {
                    continue;
                }
            }
            (Op::Exit | Op::Ret, _) if always => continue,
            (Op::Brx, _) => bail!("a branch through a table"),
            _ => {}
        }
        open.push((n + 1, after));
    }
    Ok(states)
}
