//! Instruction selection: from `ir` to rows of the SASS table.
//!
//! Problem: one IR value is one to four machine registers, one IR operation one to a dozen
//! instructions, and the operand forms of a row (immediate, constant bank, modifiers) differ.
//! Strategy: each IR value is a list of 32-bit [`Part`]s; constants stay constants until an
//! instruction needs them; [`Select::emit`] looks up the form as written and moves operands into
//! registers where the table has none. All operations without machine code are collected as
//! [`Stop::Unsupported`].
//!
//! Invariants: a 16-bit value is in the lower half of a register whose upper half is undefined; a
//! predicate value is a virtual predicate or a constant, possibly negated.

mod asynchrony;
mod atom;
mod barrier;
mod call;
mod choice;
mod convert;
mod copy;
mod float;
mod int;
mod int64;
mod matrix;
mod memory;
mod multimem;
mod names;
mod quad;
mod special;
mod stack;
mod switch;
mod texture;
mod warp;
mod wgmma;

use raddle_entity::SecondaryMap;
use raddle_ir::{
    Block, Cx, Function, Inst, Op, SourcePos, Space, Stop, Strength, Terminator, Unsupported, Value, ValueDef, Width,
    order,
};
use raddle_sass::Isa;
use raddle_sass::form::find;
use raddle_sass::row::{File, Row, SlotRole, Space as RowSpace};
use raddle_target::Native;
use smallvec::SmallVec;
use std::collections::BTreeMap;

use crate::expand;
use crate::mir::{Given, MArg, MBlock, MBlockData, MEdge, MFunction, MGuard, MInst, MKind, MOp, MReloc, MTerm, V};
use crate::sass::{self, Mnemonic, tokens as t};

pub(crate) use SlotRole::{Imm, Imm2, Pd, Pp, Pq, Pr, Ra, Rb, Rc, Rd};

/// The location of 32 bits of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// In a register.
    Reg(V),
    /// A known constant.
    Imm(u32),
    /// Undefined.
    Undef,
}

/// The location of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Loc {
    None,
    Parts(SmallVec<[Part; 2]>),
    Pred(Pred),
}

/// The location of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pred {
    /// In a predicate register, negated if the flag is set.
    Reg(V, bool),
    /// A known constant.
    Known(bool),
}

impl Pred {
    /// Returns the negation.
    pub fn inverse(self) -> Self {
        match self {
            Pred::Reg(v, n) => Pred::Reg(v, !n),
            Pred::Known(b) => Pred::Known(!b),
        }
    }

    /// Returns the predicate as an operand.
    pub fn op(self) -> MOp {
        match self {
            Pred::Reg(v, not) => MOp { not, ..MOp::reg(v) },
            Pred::Known(true) => MOp::zero(),
            Pred::Known(false) => MOp::never(),
        }
    }
}

/// Size in bytes of a constant bank.
pub const BANK: u32 = 0x1_0000;

/// State of the selection of one function.
pub struct Select<'a> {
    pub(crate) cx: &'a Cx<'a>,
    pub(crate) f: &'a Function,
    pub(crate) native: &'static Native,
    pub(crate) m: MFunction,
    pub(crate) cur: MBlock,
    place: SourcePos,
    /// The strength of the operation being selected to its neighbours.
    strength: Strength,
    locs: SecondaryMap<Value, LocSlot>,
    blocks: SecondaryMap<Block, Option<MBlock>>,
    /// The offset of each variable in its window.
    slots: SecondaryMap<raddle_ir::Slot, i32>,
    /// The constant-bank word that a register holds.
    pub(crate) bank: SecondaryMap<V, Option<(u8, i32)>>,
    /// Constants that the entry block loads.
    constants: BTreeMap<u32, V>,
    unsupported: Vec<Unsupported>,
    failed: bool,
    /// Barriers may not make all lanes converge: operations of the whole warp synchronise first.
    pub(crate) unjoined: bool,
    /// Whether the function copies from global to shared memory (`cp.async`).
    copies: bool,
    only_floats: Option<choice::OnlyFloats>,
}

#[derive(Clone, Debug)]
struct LocSlot(Loc);

impl Default for LocSlot {
    fn default() -> Self {
        LocSlot(Loc::None)
    }
}

/// Selects a function. `unjoined` says that lanes may diverge without a barrier that joins them
/// again ([`crate::converge`]).
///
/// # Errors
/// [`Stop::Unsupported`] with all operations without machine code; [`Stop::Fuel`],
/// [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, native: &'static Native, f: &Function, unjoined: bool) -> Result<MFunction, Stop> {
    let mut m = MFunction::default();
    let mut blocks: SecondaryMap<Block, Option<MBlock>> = SecondaryMap::new();
    for &b in &f.layout {
        let data =
            MBlockData { params: SmallVec::new(), insts: Vec::new(), term: MTerm::Exit, place: f.term_places[b] };
        let mb = m.blocks.push(data);
        m.layout.push(mb);
        blocks[b] = Some(mb);
    }
    m.called = f.kind == raddle_ir::Kind::Called;
    m.grows = stack::grows(f);
    (m.foreign, m.foreign_addresses) = (f.foreign.clone(), f.foreign_addresses);
    let slots = lay_out(f, &mut m, native);
    m.slots = slots.clone();
    if cx.options.relocatable {
        m.shared = (0, 1);
    }
    let mut s = Select {
        cx,
        f,
        native,
        cur: m.layout[0],
        m,
        place: SourcePos::default(),
        strength: Strength::Weak,
        locs: SecondaryMap::new(),
        blocks,
        slots,
        bank: SecondaryMap::new(),
        constants: BTreeMap::new(),
        unsupported: Vec::new(),
        failed: false,
        unjoined,
        copies: f.insts.values().any(|i| matches!(i.op, Op::CpAsync(..))),
        only_floats: None,
    };
    for &b in &f.layout {
        s.params(b);
    }
    // Definitions before uses, in reverse postorder.
    for b in raddle_ir::cfg::Cfg::of(f).rpo {
        let Some(mb) = s.blocks[b] else { continue };
        s.cur = mb;
        for &i in &f.blocks[b].insts {
            cx.step(1)?;
            s.inst(i);
        }
        s.place = f.term_places[b];
        let term = s.terminator(b);
        s.m.blocks[s.cur].term = term;
    }
    if s.unsupported.is_empty() { Ok(s.m) } else { Err(Stop::Unsupported(s.unsupported)) }
}

/// Assigns offsets to variables: static shared ones in order, then dynamic ones, local ones above
/// the stack pointer and the outgoing arguments.
fn lay_out(f: &Function, m: &mut MFunction, native: &Native) -> SecondaryMap<raddle_ir::Slot, i32> {
    let mut slots = SecondaryMap::new();
    let mut local = crate::abi::outgoing(f);
    if m.grows {
        // Memory allocated later ends where the first variable may begin.
        local = local.next_multiple_of(crate::convention::STACK_ALIGN);
    }
    let (mut shared, mut align) = (0u32, 1u32);
    for (s, d) in f.slots.iter().filter(|(_, d)| !d.dynamic) {
        let next = if d.space == Space::Shared { &mut shared } else { &mut local };
        *next = next.next_multiple_of(d.align);
        slots[s] = *next as i32;
        *next = next.saturating_add(d.size);
        if d.space == Space::Shared {
            align = align.max(d.align);
            slots[s] += native.shared_base as i32;
        }
    }
    for (s, d) in f.slots.iter().filter(|(_, d)| d.dynamic) {
        align = align.max(d.align);
        slots[s] = (shared.next_multiple_of(d.align) + native.shared_base) as i32;
    }
    let dynamic = f.slots.values().filter(|d| d.dynamic).map(|d| d.align).max();
    m.shared = (dynamic.map_or(shared, |a| shared.next_multiple_of(a)), align);
    m.frame = local.next_multiple_of(16);
    m.frame_align = if local > 0 { 16 } else { 8 };
    if m.called {
        let most = f.slots.values().filter(|d| d.space == Space::Local).map(|d| d.align).max();
        m.aligns = most.filter(|&align| align > crate::convention::STACK_ALIGN);
        m.frame_align = m.aligns.unwrap_or(crate::convention::STACK_ALIGN);
    }
    slots
}

impl Select<'_> {
    pub(crate) fn isa(&self) -> Isa {
        self.native.isa
    }

    /// Whether the target is sm_90 or later.
    pub(crate) fn hopper(&self) -> bool {
        self.isa() >= Isa::Sm90
    }

    fn params(&mut self, b: Block) {
        let Some(mb) = self.blocks[b] else { return };
        for &v in &self.f.blocks[b].params {
            let loc = match self.f.width(v) {
                Width::P => {
                    let p = self.m.vreg(File::Pred);
                    self.m.blocks[mb].params.push(p);
                    Loc::Pred(Pred::Reg(p, false))
                }
                w => {
                    let parts = (0..words(w))
                        .map(|_| {
                            let r = self.m.vreg(File::Gpr);
                            self.m.blocks[mb].params.push(r);
                            Part::Reg(r)
                        })
                        .collect();
                    Loc::Parts(parts)
                }
            };
            self.locs[v] = LocSlot(loc);
        }
    }

    fn inst(&mut self, i: Inst) {
        self.place = self.f.insts[i].place;
        self.strength = match &self.f.insts[i].op {
            op @ (Op::Load(_)
            | Op::Store(_)
            | Op::Atom(_)
            | Op::Red(_)
            | Op::LoadReduce(..)
            | Op::Mbar(_)
            | Op::Bulk(_)
            | Op::Tensor(_)
            | Op::StoreAsync(_)
            | Op::RedAsync(..)) => order::strength(op).unwrap_or_default(),
            _ => Strength::Weak,
        };
        self.failed = false;
        self.select(i);
        if self.failed {
            let place = self.f.places[self.f.insts[i].place];
            self.unsupported.push(Unsupported {
                kernel: self.f.name.clone(),
                line: place.line,
                offset: place.offset,
                what: self.f.insts[i].op.to_string(),
                why: format!("not supported on {}", self.cx.target.name),
            });
            // Results are left undefined so that their uses are still checked.
            for &r in &self.f.insts[i].results.clone() {
                match self.f.width(r) {
                    Width::P => self.set_pred(r, Pred::Known(false)),
                    w => self.set(r, &vec![Part::Undef; words(w)]),
                }
            }
        }
    }

    fn select(&mut self, i: Inst) {
        use Op::*;
        let d = self.f.insts[i].clone();
        let (args, results) = (&d.args[..], &d.results[..]);
        match d.op {
            Const(bits) => self.constant(results[0], bits),
            Undef => match self.f.width(results[0]) {
                Width::P => self.set_pred(results[0], Pred::Known(false)),
                w => self.set(results[0], &vec![Part::Undef; words(w)]),
            },
            Special(s) => self.special(s, results[0]),
            SymbolAddr(sym, offset) => self.symbol_addr(sym, offset, results[0]),
            SlotAddr(slot, offset) => self.slot_addr(slot, offset, results[0]),
            Load(mem) => self.load(mem, args[0], results),
            Store(mem) => self.store(mem, args),
            Atom(a) => self.atom(a, args, Some(results[0])),
            Red(a) => self.atom(a, args, None),
            LoadReduce(a, how) => self.load_reduce(a, how, args[0], results[0]),
            Fence(order, scope) => self.fence(order, scope),
            CpAsync(size, cache, prefetch) => self.cp_async(size, cache, prefetch, args),
            CpAsyncCommit => self.emit(sass::ldgdepbar(), &[]),
            CpAsyncWait(n) => self.cp_async_wait(n),
            LdMatrix(n, t) => self.ldmatrix(n, t, args[0], results),
            StMatrix(n, t) => self.stmatrix(n, t, args),
            Mbar(_) | Bulk(_) | Tensor(_) | BulkCommit | BulkWait(..) | TensorMap(_) | StoreAsync(_) | RedAsync(..)
            | ClusterBar(_) | Leads | Leader => self.asynchronous(&d.op, args, results),
            Tex(_) | TexExtent(_) | TexHandle(..) | TexRow(..) | SurfLoad(_) | SurfStore(_) | SurfRed(_) => {
                self.texture(&d.op, args, results);
            }
            Wgmma(m) => self.wgmma(m, args, results),
            WgmmaCommit => self.wgmma_commit(),
            WgmmaWait(n, _) => self.wgmma_wait(n, args, results),
            EnvReg(n) => self.env_reg(n, results[0]),
            PrefetchLine(1) => self.cache_line(t::Line::Pf1, args[0]),
            PrefetchLine(_) => self.cache_line(t::Line::Pf2, args[0]),
            DiscardLine => self.cache_line(t::Line::Rml2, args[0]),
            DemoteLine => self.cache_line(t::Line::Dml2, args[0]),
            FenceAsync(space) => {
                let window = if space == Space::Global { t::AsyncSpace::G } else { t::AsyncSpace::S };
                self.emit(sass::fence_view_async(window), &[]);
            }
            IsSpace(space) => self.is_space(space, args[0], results[0]),
            IsClusterShared if self.hopper() => self.is_in_window(t::Window::D, args[0], results[0]),
            Bar(_) | Shfl(_) | Vote(_) | MatchAny | MatchAll | Redux(..) | ActiveMask | Elect | WarpSync
            | Nanosleep | GridDepWait | GridDepLaunch | MovMatrix | Mma(_) | Trap | Brkpt | Pmevent(_)
            | GiveRegisters(_) | TryRegisters(_) => self.warp(&d.op, args, results),
            Fdiv(..) | Fsqrt(..) | Div(_) | Rem(_) if expand::leaf(d.op, self.f.width(results[0])) == Some(d.op) => {
                self.leaf(d.op, args, results[0])
            }
            Fadd(..) | Fmul(..) | Ffma(..) | Fneg(..) | Fabs(..) | Fmin(..) | Fmax(..) | Fdiv(..) | Frcp(..)
            | Fsqrt(..) | Fchk | Fcmp(..) | Mufu(_) | MufuHalf(..) | Rro(_) | Cvt(..) | CvtPack(..) => {
                self.float(&d.op, args, results[0])
            }
            Call(name) => self.call(Some(name), args, results),
            CallAt => self.call(None, args, results),
            Argument(n) => self.take_word(n.into(), results[0]),
            Return => self.give_words(args),
            StackAlloc(align) => self.stack_alloc(args[0], align, results[0]),
            StackSave => self.stack_save(results[0]),
            StackRestore => self.stack_restore(args[0]),
            Names(of) => self.names(of, args[0]),
            _ => self.int(&d.op, args, results),
        }
    }

    fn constant(&mut self, v: Value, bits: u64) {
        match self.f.width(v) {
            Width::P => self.set_pred(v, Pred::Known(bits != 0)),
            Width::B64 => self.set(v, &[Part::Imm(bits as u32), Part::Imm((bits >> 32) as u32)]),
            _ => self.set(v, &[Part::Imm(bits as u32)]),
        }
    }

    fn terminator(&mut self, b: Block) -> MTerm {
        match self.f.term(b) {
            Terminator::Exit => match self.f.blocks[b].insts.last().map(|&i| self.f.insts[i].op) {
                Some(Op::Return) => MTerm::Return,
                _ => MTerm::Exit,
            },
            Terminator::Jump(t) => MTerm::Jump(self.edge(t)),
            Terminator::Branch { cond, then, other, .. } => {
                let (then, other) = (self.edge(then), self.edge(other));
                match self.pred(*cond) {
                    Pred::Known(true) => MTerm::Jump(then),
                    Pred::Known(false) => MTerm::Jump(other),
                    Pred::Reg(p, neg) => MTerm::Branch { guard: MGuard::Virtual(p, neg), then, other },
                }
            }
            Terminator::Switch { index, targets } => self.switch(*index, targets),
        }
    }

    /// Returns a new block after the current one.
    pub(crate) fn new_block(&mut self) -> MBlock {
        let data = MBlockData { params: SmallVec::new(), insts: Vec::new(), term: MTerm::Exit, place: self.place };
        let b = self.m.blocks.push(data);
        let at = self.m.layout.iter().position(|&x| x == self.cur).map_or(self.m.layout.len(), |n| n + 1);
        self.m.layout.insert(at, b);
        b
    }

    fn edge(&mut self, t: &raddle_ir::Target) -> MEdge {
        let mut args = SmallVec::new();
        for &v in &t.args {
            match self.locs[v].0.clone() {
                Loc::Parts(parts) => args.extend(parts.iter().map(|p| match *p {
                    Part::Reg(v) => MArg::Reg(v),
                    Part::Imm(n) => MArg::Imm(n),
                    Part::Undef => MArg::Undef,
                })),
                Loc::Pred(Pred::Known(b)) => args.push(MArg::Imm(u32::from(b))),
                Loc::Pred(Pred::Reg(v, false)) => args.push(MArg::Reg(v)),
                Loc::Pred(p @ Pred::Reg(_, true)) => {
                    let v = self.copy_pred(p);
                    args.push(MArg::Reg(v));
                }
                Loc::None => self.failed = true,
            }
        }
        let to = self.blocks[t.block].unwrap_or(self.cur);
        MEdge { to, args }
    }

    /// Copies a predicate, not negated, into a register of its own.
    pub(crate) fn copy_pred(&mut self, p: Pred) -> V {
        let d = self.m.vreg(File::Pred);
        self.emit(
            sass::plop3(),
            &[(Pd, MOp::reg(d)), (Pp, p.op()), (Pq, MOp::zero()), (Pr, MOp::zero()), (Imm, imm(0x80)), (Imm2, imm(0))],
        );
        d
    }

    // Values.

    /// Returns the parts of a value.
    pub(crate) fn parts(&mut self, v: Value) -> SmallVec<[Part; 2]> {
        match &self.locs[v].0 {
            Loc::Parts(p) => p.clone(),
            _ => {
                self.failed = true;
                SmallVec::from_elem(Part::Undef, words(self.f.width(v)))
            }
        }
    }

    /// Returns the only part of a value of up to 32 bits.
    pub(crate) fn part(&mut self, v: Value) -> Part {
        self.parts(v)[0]
    }

    /// Returns the location of a predicate.
    pub(crate) fn pred(&mut self, v: Value) -> Pred {
        match self.locs[v].0 {
            Loc::Pred(p) => p,
            _ => {
                self.failed = true;
                Pred::Known(false)
            }
        }
    }

    /// Sets the parts of a value.
    pub(crate) fn set(&mut self, v: Value, parts: &[Part]) {
        self.locs[v] = LocSlot(Loc::Parts(SmallVec::from_slice(parts)));
    }

    /// Sets the location of a predicate.
    pub(crate) fn set_pred(&mut self, v: Value, p: Pred) {
        self.locs[v] = LocSlot(Loc::Pred(p));
    }

    /// Places a value in these registers.
    pub(crate) fn set_regs(&mut self, v: Value, regs: &[V]) {
        let parts: SmallVec<[Part; 2]> = regs.iter().map(|&r| Part::Reg(r)).collect();
        self.set(v, &parts);
    }

    /// Returns the operation that defines a value, with its operands.
    pub(crate) fn def(&self, v: Value) -> Option<(Op, &[Value])> {
        match self.f.values[v].def {
            ValueDef::Result(i, _) => Some((self.f.insts[i].op, &self.f.insts[i].args)),
            ValueDef::Param(..) => None,
        }
    }

    /// Reports the current operation as unsupported.
    pub(crate) fn refuse(&mut self) {
        self.failed = true;
    }

    // Operands.

    /// Returns a part as an operand: register, immediate, or zero.
    pub(crate) fn op(&self, p: Part) -> MOp {
        match p {
            Part::Reg(v) => MOp::reg(v),
            Part::Imm(0) | Part::Undef => MOp::zero(),
            Part::Imm(n) => MOp::imm(n),
        }
    }

    /// Returns a register that holds a part.
    pub(crate) fn reg(&mut self, p: Part) -> V {
        match p {
            Part::Reg(v) => v,
            p => {
                let d = self.m.vreg(File::Gpr);
                let o = self.op(p);
                self.emit(sass::mov(), &[(Rd, MOp::reg(d)), (Rb, o)]);
                d
            }
        }
    }

    /// Returns registers that hold all parts, as one operand.
    pub(crate) fn regs(&mut self, parts: &[Part]) -> MOp {
        let vs: SmallVec<[V; 4]> = parts.iter().map(|&p| self.reg(p)).collect();
        MOp::regs(&vs)
    }

    /// Returns a register pair, or `RZ` if both words are zero.
    pub(crate) fn pair(&mut self, parts: &[Part]) -> MOp {
        if parts.iter().all(|p| matches!(p, Part::Imm(0))) { MOp::zero() } else { self.regs(parts) }
    }

    /// Whether these are the two words of an aligned pair in a constant bank.
    pub(crate) fn in_bank(&self, parts: &[Part]) -> bool {
        let [Part::Reg(lo), Part::Reg(hi)] = parts else { return false };
        match (self.bank[*lo], self.bank[*hi]) {
            (Some((b, at)), Some((c, next))) => b == c && at % 8 == 0 && next == at + 4,
            _ => false,
        }
    }

    /// Returns the register that holds a constant from the entry on, shared by all users.
    pub(crate) fn shared_constant(&mut self, n: u32) -> V {
        if let Some(&v) = self.constants.get(&n) {
            return v;
        }
        let (here, entry) = (self.cur, self.m.entry());
        let before = self.m.blocks[entry].insts.len();
        self.cur = entry;
        let v = self.emit1(sass::mov(), &[(Rb, imm(n))]);
        self.m.blocks[entry].insts[..=before].rotate_right(1);
        self.cur = here;
        self.constants.insert(n, v);
        v
    }

    // Instructions.

    /// Emits an instruction whose result is a new register in `Rd`.
    pub(crate) fn emit1(&mut self, mnemonic: Mnemonic, given: &[(SlotRole, MOp)]) -> V {
        let d = self.m.vreg(File::Gpr);
        let mut all: Given = SmallVec::from_iter([(Rd, MOp::reg(d))]);
        all.extend(given.iter().cloned());
        self.emit_given(mnemonic, all, None);
        d
    }

    /// The same with several registers in `Rd`.
    pub(crate) fn emit_wide(&mut self, n: usize, mnemonic: Mnemonic, given: &[(SlotRole, MOp)]) -> SmallVec<[V; 4]> {
        let d: SmallVec<[V; 4]> = (0..n).map(|_| self.m.vreg(File::Gpr)).collect();
        let mut all: Given = SmallVec::from_iter([(Rd, MOp::regs(&d))]);
        all.extend(given.iter().cloned());
        self.emit_given(mnemonic, all, None);
        d
    }

    /// Emits an instruction whose result is a new predicate in `Pd`.
    pub(crate) fn emit_pred(&mut self, mnemonic: Mnemonic, given: &[(SlotRole, MOp)]) -> Pred {
        let d = self.m.vreg(File::Pred);
        let mut all: Given = SmallVec::from_iter([(Pd, MOp::reg(d))]);
        all.extend(given.iter().cloned());
        self.emit_given(mnemonic, all, None);
        Pred::Reg(d, false)
    }

    /// Emits an instruction; moves operands into registers where the table has no form that takes
    /// them.
    pub(crate) fn emit(&mut self, mnemonic: Mnemonic, given: &[(SlotRole, MOp)]) {
        self.emit_full(mnemonic, given, None);
    }

    /// The same with a relocation.
    pub(crate) fn emit_full(&mut self, mnemonic: Mnemonic, given: &[(SlotRole, MOp)], reloc: Option<MReloc>) {
        self.emit_given(mnemonic, given.iter().cloned().collect(), reloc);
    }

    fn emit_given(&mut self, mnemonic: Mnemonic, mut given: Given, reloc: Option<MReloc>) {
        let isa = self.isa();
        let mut found = find(isa, &mnemonic, &given);
        if found.is_none() && mnemonic.op() != raddle_sass::Op::Mov {
            // Most forms allow an immediate second; move the others into registers first.
            for role in [Ra, Rc, Rb] {
                let Some(n) = given.iter().position(|(r, _)| *r == role) else { continue };
                let bits = match given[n].1.kind {
                    MKind::Imm(bits) => bits,
                    _ => continue,
                };
                let v = self.reg(Part::Imm(bits));
                given[n].1.kind = MKind::Regs(SmallVec::from_slice(&[v]));
                found = find(isa, &mnemonic, &given);
                if found.is_some() {
                    break;
                }
            }
        }
        let Some(form) = found else {
            self.failed = true;
            return;
        };
        let strength = if accesses(form.row.row()) { self.strength } else { Strength::Weak };
        let inst = MInst { reloc, strength, ..MInst::new(form, self.place) };
        self.m.blocks[self.cur].insts.push(inst);
    }
}

/// An immediate, or `RZ` for zero where a register is allowed.
pub(crate) fn imm(bits: u32) -> MOp {
    MOp::imm(bits)
}

/// Whether an instruction of this form accesses memory that may change.
fn accesses(row: &Row) -> bool {
    let e = row.effects;
    [e.reads, e.writes].into_iter().flatten().any(|space| space != RowSpace::Const)
}

/// The number of 32-bit registers of a value.
pub(crate) fn words(w: Width) -> usize {
    match w {
        Width::P => 0,
        Width::B16 | Width::B32 => 1,
        Width::B64 => 2,
        Width::B128 => 4,
    }
}
