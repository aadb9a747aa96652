//! Machine instructions with allocated registers, in blocks: the input of scheduling and layout.
//!
//! Terminators become branches here, the entry gets its prologue (stack pointer, global-memory
//! descriptor), and moves of a register to itself are removed.

use raddle_cubin::unit::RelocKind;
use raddle_entity::SecondaryMap;
use raddle_ir::{SourcePos, Stop, Strength};
use raddle_sass::form::find;
use raddle_sass::row::{File, SlotKind, SlotRole};
use raddle_sass::{Ctrl, Guard, Inst, Isa, Kind, Operand, PT, RZ, URZ};
use raddle_target::Native;

use crate::abi;
use crate::alloc::Assignment;
use crate::convention;
use crate::convention::{DESC, STACK};
use crate::leaf::{self, LeafCall};
use crate::leaf_places;
use crate::mir::{MBlock, MBlockData, MFunction, MGuard, MInst, MKind, MOp, MReloc, MTarget, MTerm, Stores, Table, V};
use crate::sass::tokens::{BankSize, Size};
use crate::sass::{self, Mnemonic};

/// Bytes of an instruction.
pub(crate) const WORD: u32 = 16;

/// What an instruction does to the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Lowers the stack pointer.
    Lower,
    /// Stores the caller's stack pointer, in a function that aligns its own.
    StoreEntry,
    /// Stores a register of the caller.
    Save(u8),
    /// Copies the lowered stack pointer to the register that keeps it.
    Keep,
    /// Copies it back, for a return.
    Unkeep,
    /// Loads a register of the caller, for a return.
    Fetch(u8),
    /// Gives the stack pointer the caller's value, for a return.
    Raise,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Item {
    /// The instruction; a branch target is filled in by layout.
    pub inst: Inst,
    /// Its branch target.
    pub target: Option<MBlock>,
    /// Its relocation.
    pub reloc: Option<MReloc>,
    /// Its source location.
    pub place: SourcePos,
    /// How it is ordered with the memory operations around it.
    pub strength: Strength,
    /// What it does to the frame.
    pub event: Option<Event>,
    /// With `-g`: the values of PTX registers from after it on.
    pub names: Vec<Named>,
}

/// A value of a PTX register in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Number of the PTX register.
    pub of: u32,
    /// Which 32 bits of it, low first.
    pub part: u8,
    /// File and number of the register that holds them; `None` if none does.
    pub at: Option<(File, u8)>,
    /// The PTX instruction that gave it the value.
    pub place: SourcePos,
}

impl Item {
    /// An instruction without relocation.
    fn new(inst: Inst, place: SourcePos) -> Item {
        let strength = Strength::Weak;
        Item { inst, target: None, reloc: None, place, strength, event: None, names: Vec::new() }
    }

    fn does(self, event: Event) -> Item {
        Item { event: Some(event), ..self }
    }
}

/// A block.
#[derive(Clone, Debug)]
pub struct CodeBlock {
    /// Its label.
    pub label: MBlock,
    /// Its instructions, branches included.
    pub items: Vec<Item>,
    /// The table of its final indirect jump.
    pub table: Option<Table>,
    /// With `-g`: the values of PTX registers at its start.
    pub names: Vec<Named>,
}

/// Assigns numbers to all registers.
///
/// # Errors
/// [`Stop::Internal`] if a register has no number or the table lacks an instruction.
pub fn number(f: &mut MFunction, assignment: &Assignment, native: &Native) -> Result<Vec<CodeBlock>, Stop> {
    let (saved, saved_at) = (abi::saved(f, assignment), f.frame.next_multiple_of(4));
    if !saved.is_empty() {
        f.frame = saved_at + 4 * saved.len() as u32;
    }
    let entry_at = f.frame.next_multiple_of(4);
    if f.aligns.is_some() {
        f.frame = entry_at + 4;
    }
    f.stores = Stores { entry_at: f.aligns.map(|_| entry_at), saved: saved.clone(), saved_at };
    let f = &*f;
    let mut out = Vec::with_capacity(f.layout.len());
    let mut at: SecondaryMap<MBlock, u32> = SecondaryMap::with_default(u32::MAX);
    f.layout.iter().zip(0..).for_each(|(&b, k)| at[b] = k);
    let incoming = f.aligns.map_or((f.frame_register(), f.frame_bytes() as i32), |_| (convention::ENTRY_STACK, 0));
    let kept = predicates(f, assignment).map(|mask| leaf_places::keep(native.isa, mask)).transpose()?;
    let n = Numbering { assignment, isa: native.isa, at, saved, saved_at, entry_at, incoming, kept };
    let alone = !f.called && !convention::calls(f);
    for (k, &b) in f.layout.iter().enumerate() {
        let mut items = Vec::new();
        if k == 0 {
            n.prologue(f, native, &mut items)?;
            items.extend(n.kept.iter().map(|[save, _]| Item::new(save.clone(), SourcePos::default())));
        }
        let data = &f.blocks[b];
        let mut loaded = alone || k == 0;
        let mut names = Vec::new();
        for i in &data.insts {
            if let Some(name) = i.name {
                let at = name.at.map(|v| Ok::<_, Stop>((f.vregs[v], n.of(v)?))).transpose()?;
                let last = items.last_mut().map_or(&mut names, |item: &mut Item| &mut item.names);
                last.push(Named { of: name.of, part: name.part, at, place: i.place });
                continue;
            }
            if !loaded && uses_descriptor(i) {
                n.descriptor(f, native, &mut items)?;
                loaded = true;
            }
            if let Some(call) = &i.leaf {
                n.leaf(f, call, i, &mut items)?;
                continue;
            }
            let item = n.item(i)?;
            if !is_null_move(&item.inst) {
                items.push(item);
            }
            loaded &= alone || !lets_others_run(i);
        }
        n.terminator(f, k, data, &mut items)?;
        let table = match &data.term {
            MTerm::Switch(table) => Some(table.clone()),
            _ => None,
        };
        out.push(CodeBlock { label: b, items, table, names });
    }
    Ok(out)
}

/// The predicates that a leaf writes.
fn predicates(f: &MFunction, assignment: &Assignment) -> Option<u8> {
    let own = f.vregs.iter().filter(|(_, file)| **file == File::Pred).filter_map(|(v, _)| assignment.number[v]);
    let mask = own.fold(0, |mask, n| mask | 1 << n);
    (f.is_leaf && mask != 0).then_some(mask)
}

/// Whether it reads the global-memory descriptor.
fn uses_descriptor(i: &MInst) -> bool {
    i.ops.iter().any(|o| matches!(o.kind, MKind::Addr { desc: Some(_), .. }))
}

/// Whether other lanes of the warp may run before the next instruction. In another function, they
/// may overwrite the descriptor's uniform register.
fn lets_others_run(i: &MInst) -> bool {
    use raddle_sass::Op;
    matches!(i.row().op, Op::Call | Op::Bsync | Op::Warpsync | Op::Bar | Op::Yield | Op::Nanosleep)
}

/// Whether it is a plain move of a register to itself.
fn is_null_move(i: &Inst) -> bool {
    if i.op() != raddle_sass::Op::Mov || !i.guard.is_always() {
        return false;
    }
    let d = i.slot(SlotRole::Rd).map(|o| o.kind);
    matches!(d, Some(Kind::Reg(_))) && d == i.slot(SlotRole::Rb).map(|o| o.kind)
}

struct Numbering<'a> {
    assignment: &'a Assignment,
    /// The layout index of each block.
    at: SecondaryMap<MBlock, u32>,
    isa: Isa,
    /// Callee-saved registers that the function stores.
    saved: Vec<u8>,
    saved_at: u32,
    /// Where the caller's stack pointer is saved, if the frame is aligned.
    entry_at: u32,
    /// The register and the addend that replace the caller's stack pointer in addresses.
    incoming: (u8, i32),
    /// What saves and restores the predicates that a leaf writes.
    kept: Option<[Inst; 2]>,
}

impl Numbering<'_> {
    fn make(&self, name: Mnemonic, given: &[(SlotRole, MOp)], place: SourcePos) -> Result<Item, Stop> {
        self.item(&self.form(name, given, place)?)
    }

    fn form(&self, name: Mnemonic, given: &[(SlotRole, MOp)], place: SourcePos) -> Result<MInst, Stop> {
        let form = find(self.isa, &name, given)
            .ok_or_else(|| Stop::Internal { pass: "number", what: format!("no row for {name}") })?;
        Ok(MInst::new(form, place))
    }

    fn prologue(&self, f: &MFunction, native: &Native, items: &mut Vec<Item>) -> Result<(), Stop> {
        let stack = MOp::new(MKind::Phys(STACK));
        let at = SourcePos::default();
        if !f.called {
            let init = MOp::cbank(0, i32::from(native.cbank.r1_init));
            items.push(self.make(sass::mov(), &[(SlotRole::Rd, stack), (SlotRole::Rb, init)], at)?);
        }
        let entry = MOp::new(MKind::Phys(convention::ENTRY_STACK));
        if f.aligns.is_some() {
            items.push(self.moved(convention::ENTRY_STACK, STACK, at)?);
        }
        if f.frame > 0 {
            items.push(self.stack_moves_by(f.frame_bytes().wrapping_neg(), at)?.does(Event::Lower));
        }
        if let Some(align) = f.aligns {
            let stack = || MOp::new(MKind::Phys(STACK));
            let mask = MOp::imm(align.wrapping_neg());
            let given = [
                (SlotRole::Rd, stack()),
                (SlotRole::Ra, stack()),
                (SlotRole::Rb, mask),
                (SlotRole::Imm, MOp::imm(0xc0)),
            ];
            items.push(self.make(sass::lop3(), &given, at)?);
            let given = [(SlotRole::Addr, abi::memory(STACK, self.entry_at)), (SlotRole::Rb, entry)];
            items.push(self.make(sass::stl(Size::None), &given, at)?.does(Event::StoreEntry));
        }
        let stores = abi::store(&|name, given, at| self.form(name, given, at), &self.saved, self.saved_at)?;
        for (i, &register) in stores.iter().zip(&self.saved) {
            items.push(self.item(i)?.does(Event::Save(register)));
        }
        if f.grows {
            items.push(self.moved(convention::FRAME, STACK, at)?.does(Event::Keep));
        }
        self.descriptor(f, native, items)
    }

    /// A move between physical registers.
    fn moved(&self, to: u8, from: u8, at: SourcePos) -> Result<Item, Stop> {
        let [to, from] = [to, from].map(|n| MOp::new(MKind::Phys(n)));
        self.make(sass::mov(), &[(SlotRole::Rd, to), (SlotRole::Rb, from)], at)
    }

    fn stack_moves_by(&self, bytes: u32, at: SourcePos) -> Result<Item, Stop> {
        let stack = MOp::new(MKind::Phys(STACK));
        let given = [
            (SlotRole::Rd, stack.clone()),
            (SlotRole::Ra, stack),
            (SlotRole::Rb, MOp::imm(bytes)),
            (SlotRole::Rc, MOp::zero()),
        ];
        self.make(sass::iadd3(), &given, at)
    }

    /// Loads the global-memory descriptor: in the entry, and in functions that call or are called
    /// again in each run of instructions that uses it.
    fn descriptor(&self, f: &MFunction, native: &Native, items: &mut Vec<Item>) -> Result<(), Stop> {
        if f.uses_desc {
            let from = MOp::cbank(0, i32::from(native.cbank.global_desc));
            let given = [(SlotRole::Rd, MOp::new(MKind::Uniform(DESC))), (SlotRole::Misc, from)];
            items.push(self.make(sass::uldc(BankSize::N64), &given, SourcePos::default())?);
        }
        Ok(())
    }

    /// Emits the call of a leaf, with the return address.
    fn leaf(&self, f: &MFunction, call: &LeafCall, i: &MInst, items: &mut Vec<Item>) -> Result<(), Stop> {
        let given = [(SlotRole::Rd, MOp::new(MKind::Phys(leaf::RETURN))), (SlotRole::Rb, MOp::imm(1))];
        let behind = MReloc { kind: RelocKind::Abs32Lo, of: MTarget::Offset, addend: 0 };
        items.push(Item { reloc: Some(behind), ..self.make(sass::mov(), &given, i.place)? });
        items.push(Item { target: Some(leaf_places::label(f, call.of)), ..self.item(i)? });
        Ok(())
    }

    /// Emits the return of a called function.
    fn returns(&self, f: &MFunction, place: SourcePos, items: &mut Vec<Item>) -> Result<(), Stop> {
        if f.is_leaf {
            items.extend(self.kept.iter().map(|[_, restore]| Item::new(restore.clone(), place)));
            let high = MOp::new(MKind::Phys(leaf::RETURN + 1));
            items.push(self.make(sass::mov(), &[(SlotRole::Rd, high), (SlotRole::Rb, MOp::zero())], place)?);
            let given = [
                (SlotRole::Ra, MOp::new(MKind::Phys(leaf::RETURN))),
                (SlotRole::Target, MOp::new(MKind::FunctionStart)),
            ];
            items.push(self.make(sass::ret_rel(), &given, place)?);
            return Ok(());
        }
        if f.grows {
            items.push(self.moved(STACK, convention::FRAME, place)?.does(Event::Unkeep));
        }
        let fetches = abi::fetch(&|name, given, at| self.form(name, given, at), &self.saved, self.saved_at, place)?;
        for (i, &register) in fetches.iter().zip(&self.saved) {
            items.push(self.item(i)?.does(Event::Fetch(register)));
        }
        if f.aligns.is_some() {
            let given =
                [(SlotRole::Rd, MOp::new(MKind::Phys(STACK))), (SlotRole::Addr, abi::memory(STACK, self.entry_at))];
            items.push(self.make(sass::ldl(Size::None), &given, place)?.does(Event::Raise));
        } else if f.frame > 0 {
            items.push(self.stack_moves_by(f.frame_bytes(), place)?.does(Event::Raise));
        }
        let given = [
            (SlotRole::Ra, MOp::new(MKind::Phys(convention::RETURN))),
            (SlotRole::Target, MOp::new(MKind::FunctionStart)),
        ];
        items.push(self.make(sass::ret_abs(), &given, place)?);
        Ok(())
    }

    fn terminator(&self, f: &MFunction, here: usize, data: &MBlockData, items: &mut Vec<Item>) -> Result<(), Stop> {
        let (place, next) = (data.place, f.layout.get(here + 1).copied());
        let branch = |to: MBlock| self.make(sass::bra(), &[(SlotRole::Target, MOp::new(MKind::Target(to)))], place);
        let is_exit = |b: MBlock| f.blocks[b].insts.is_empty() && f.blocks[b].term == MTerm::Exit;
        let exit = || self.make(sass::exit(), &[], place);
        match &data.term {
            MTerm::Return => self.returns(f, place, items)?,
            MTerm::Exit => items.push(exit()?),
            MTerm::Jump(e) if Some(e.to) == next => {}
            MTerm::Jump(e) => items.push(if is_exit(e.to) { exit()? } else { branch(e.to)? }),
            MTerm::Branch { guard, then, other } => {
                // Falling through is free; a back edge takes one branch, and the loop exit follows
                // it.
                let back = |b: MBlock| self.at[b] as usize <= here;
                let turn = Some(other.to) != next && back(other.to) && !back(then.to);
                let (guard, then, other) = if Some(then.to) == next || turn {
                    (negate(*guard), other.to, then.to)
                } else {
                    (*guard, then.to, other.to)
                };
                let mut i = if is_exit(then) { exit()? } else { branch(then)? };
                i.inst.guard = self.guard(guard)?;
                items.push(i);
                if Some(other) != next {
                    items.push(if is_exit(other) { exit()? } else { branch(other)? });
                }
            }
            // The block already contains its branch.
            MTerm::Switch(_) => {}
        }
        Ok(())
    }

    fn of(&self, v: V) -> Result<u8, Stop> {
        self.assignment.number[v].ok_or_else(|| Stop::Internal { pass: "number", what: format!("{v} has no number") })
    }

    fn guard(&self, g: MGuard) -> Result<Guard, Stop> {
        Ok(match g {
            MGuard::Always => Guard::ALWAYS,
            MGuard::Virtual(v, neg) => Guard { pred: self.of(v)?, neg },
            MGuard::Phys(pred, neg) => Guard { pred, neg },
        })
    }

    fn item(&self, i: &MInst) -> Result<Item, Stop> {
        let row = i.row();
        let mut target = None;
        let mut operands = smallvec::SmallVec::new();
        for (slot, o) in row.slots.iter().zip(&i.ops) {
            let kind = self.kind(&slot.kind, o, &mut target)?;
            operands.push(Operand { kind, neg: o.neg, abs: o.abs, not: o.not, sel: o.sel });
        }
        let inst = Inst { row: i.row, guard: self.guard(i.guard)?, ctrl: Ctrl::default(), operands, fields: i.fields };
        Ok(Item { target, reloc: i.reloc, strength: i.strength, ..Item::new(inst, i.place) })
    }

    fn kind(&self, slot: &SlotKind, o: &MOp, target: &mut Option<MBlock>) -> Result<Kind, Stop> {
        let register = |n: u8| match slot {
            SlotKind::UReg(_) | SlotKind::GDesc(_) | SlotKind::Desc(_) => Kind::UReg(n),
            SlotKind::Pred(_) | SlotKind::PredInv(_) => Kind::Pred(n),
            SlotKind::UPred(_) | SlotKind::UPredInv(_) => Kind::UPred(n),
            SlotKind::Addr { .. } => Kind::Addr { base: RZ, ubase: n, desc: URZ, offset: 0 },
            _ => Kind::Reg(n),
        };
        Ok(match &o.kind {
            MKind::Zero => match slot {
                SlotKind::UReg(_) | SlotKind::GDesc(_) | SlotKind::Desc(_) => Kind::UReg(URZ),
                SlotKind::Pred(_) | SlotKind::PredInv(_) => Kind::Pred(PT),
                SlotKind::UPred(_) | SlotKind::UPredInv(_) => Kind::UPred(PT),
                _ => Kind::Reg(RZ),
            },
            MKind::Regs(vs) => {
                let first = self.of(vs[0])?;
                for (n, &v) in vs.iter().enumerate() {
                    if self.of(v)? != first + n as u8 {
                        return Err(Stop::Internal { pass: "number", what: format!("{v} does not follow {}", vs[0]) });
                    }
                }
                register(first)
            }
            MKind::Phys(n) | MKind::Uniform(n) => register(*n),
            MKind::Imm(bits) => match slot {
                SlotKind::SImm(..) => Kind::Imm(i64::from(*bits as i32)),
                SlotKind::F32(_) => Kind::F32(*bits),
                SlotKind::F64(_) => Kind::F64(*bits),
                SlotKind::F16x2(..) | SlotKind::Bf16x2(_) => Kind::F16x2(*bits),
                SlotKind::Named(..) => Kind::Named(*bits as u16),
                _ => Kind::Imm(i64::from(*bits)),
            },
            MKind::CBank { bank, offset, index } => {
                let index = index.map(|v| self.of(v)).transpose()?;
                let (base, handle) = match (slot, index) {
                    (SlotKind::CBankUniform(..), index) => (RZ, index.unwrap_or(URZ)),
                    (_, index) => (index.unwrap_or(RZ), URZ),
                };
                let alone = matches!(slot, SlotKind::CBankIndexed(..)) && index.is_none();
                let offset = if alone { within_bank(*offset) } else { *offset };
                Kind::CBank { bank: *bank, base, handle, offset }
            }
            MKind::Addr { base, phys, desc, offset } => {
                let r = match (phys, base.first()) {
                    (Some(n), _) => *n,
                    (None, Some(&v)) => self.of(v)?,
                    (None, None) => RZ,
                };
                for (n, &v) in base.iter().enumerate() {
                    if self.of(v)? != r + n as u8 {
                        return Err(Stop::Internal {
                            pass: "number",
                            what: format!("{v} does not follow {}", base[0]),
                        });
                    }
                }
                let (r, more) = if *phys == Some(convention::INCOMING) { self.incoming } else { (r, 0) };
                Kind::Addr { base: r, ubase: URZ, desc: desc.unwrap_or(URZ), offset: *offset + more }
            }
            MKind::Special(n) => Kind::Special(*n),
            MKind::Target(b) => {
                *target = Some(*b);
                Kind::Rel(0)
            }
            MKind::FunctionStart => Kind::Rel(0),
            MKind::Barrier(n) => Kind::Barrier(*n),
            MKind::Scoreboard(n) => Kind::Scoreboard(*n),
            MKind::Set(n) => Kind::Set(*n),
            MKind::Named(n) => Kind::Named(*n),
        })
    }
}

fn negate(g: MGuard) -> MGuard {
    match g {
        MGuard::Virtual(v, n) => MGuard::Virtual(v, !n),
        MGuard::Phys(v, n) => MGuard::Phys(v, !n),
        MGuard::Always => MGuard::Always,
    }
}

/// An offset as `LDC` encodes it without an index: 16 signed bits, which cover all 64 KiB of a bank
/// (ptxas 13.0.88 output).
fn within_bank(offset: i32) -> i32 {
    if offset > i32::from(i16::MAX) { offset - (1 << 16) } else { offset }
}
