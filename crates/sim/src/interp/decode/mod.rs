//! Decodes the body of a function to steps: operands, control flow and the dispatch by operation.
//!
//! Each family has a file. An instruction without a row there is unsupported, and all such
//! instructions of a kernel are reported before anything runs.

mod arith;
mod asynchrony;
mod cvt;
mod matrix;
mod memory;
mod multimem;
mod stack;
mod sync;
mod tensor;
mod texture;
mod vmad;
mod wgmma;

use super::alu::Alu;
use super::bits::mask;
use super::code::*;
use super::layout::{Function, Layout, Slot};
use crate::float::{BF16, F16, F32, F64, Format, IntType, Mode, Rounding};
use raddle_ptx::{
    Body, Imm, ImmKind, InstId, Mod, Op, Operand, Part, Referent, Reg, SpecialReg, SymId, Ty, TyClass, VarId,
};
use rustc_hash::FxHashMap;

/// State of decoding one body.
pub struct Decoder<'a> {
    pub(super) body: &'a Body,
    pub(super) layout: &'a Layout<'a>,
    /// Whether the function is a kernel, whose parameters are global; those of others are in the
    /// frame.
    pub(super) entry: bool,
    pub(super) function: Function,
    pub(super) code: &'a mut Vec<Ins>,
    constants: FxHashMap<u64, Row>,
    specials: FxHashMap<(SpecialReg, u8), Row>,
    /// Offsets of variables in the frame.
    frame_vars: FxHashMap<VarId, u32>,
    /// First step of each instruction, to resolve labels.
    starts: Vec<u32>,
    /// Numbers of operations at which threads meet.
    meetings: &'a mut FxHashMap<String, u32>,
    guard: PredSrc,
    inst: InstId,
}

/// An unsupported instruction, with the reason.
pub struct Refused {
    pub inst: InstId,
    pub reason: Reason,
}

impl<'a> Decoder<'a> {
    pub fn new(
        body: &'a Body,
        layout: &'a Layout<'a>,
        entry: bool,
        function: Function,
        code: &'a mut Vec<Ins>,
        meetings: &'a mut FxHashMap<String, u32>,
    ) -> Self {
        Decoder {
            body,
            layout,
            entry,
            function,
            code,
            constants: FxHashMap::default(),
            specials: FxHashMap::default(),
            frame_vars: FxHashMap::default(),
            starts: Vec::new(),
            meetings,
            guard: ALWAYS,
            inst: InstId::from_u32(0),
        }
    }

    /// Decodes the whole body after the existing code.
    pub fn run(mut self) -> (Function, Vec<Refused>) {
        let mut refused = Vec::new();
        self.function.start = self.code.len() as u32;
        self.number_registers();
        self.place_variables();
        for (inst, _) in self.body.insts.iter() {
            self.starts.push(self.code.len() as u32);
            self.inst = inst;
            let from = self.code.len();
            match self.guard_of(inst).and_then(|guard| {
                self.guard = guard;
                self.instruction(inst)
            }) {
                Ok(()) => {}
                Err(reason) => refused.push(Refused { inst, reason }),
            }
            match self.code.get_mut(from) {
                Some(step) => step.first = true,
                None => self.push(Kind::Nothing),
            }
        }
        self.inst = InstId::from_u32(self.body.insts.len().saturating_sub(1) as u32);
        self.guard = ALWAYS;
        self.starts.push(self.code.len() as u32);
        // The end of the body returns (PTX ISA 9.0, 9.7.13.6: `ret` is implied).
        self.push(if self.entry { Kind::Exit } else { Kind::Ret });
        self.resolve_labels();
        self.watch_products();
        (self.function, refused)
    }

    /// Assigns rows to registers, and predicates to predicate registers.
    fn number_registers(&mut self) {
        let Function { rows, preds, slots, .. } = &mut self.function;
        for group in self.body.groups.values() {
            let (bits, width) = (group.ty.bits(), group.width);
            for _ in 0..group.len() {
                if group.ty == Ty::Pred {
                    slots.push(Slot { at: *preds, bits: 1, width });
                    *preds += 1;
                    continue;
                }
                slots.push(Slot { at: rows.len() as u32, bits: bits as u8, width });
                // A 128-bit register is a pair of rows.
                let count = u32::from(width) * bits.div_ceil(64);
                rows.extend((0..count).map(|_| bits.min(64) as u8));
            }
        }
    }

    /// Lays out the frame in local memory: parameters of functions, call parameters, `.local`
    /// variables.
    fn place_variables(&mut self) {
        let (mut end, mut most) = (0u32, self.function.frame_align);
        let mut place = |size: u64, align: u32| {
            let align = align.clamp(1, 256);
            most = most.max(align);
            let offset = end.next_multiple_of(align);
            end = offset + size.min(1 << 24) as u32;
            offset
        };
        if !self.entry {
            let func = self.layout.func(self.function.id);
            let mut formal = |var: &raddle_ptx::Variable| {
                let bytes = var.size().unwrap_or(0);
                ArgPlace::Frame { offset: place(bytes, var.alignment()), bytes: bytes as u32 }
            };
            self.function.params = func.params.iter().map(&mut formal).collect();
            self.function.rets = func.rets.iter().map(&mut formal).collect();
        }
        for (id, var) in self.body.vars.iter() {
            if matches!(var.space, raddle_ptx::Space::Local | raddle_ptx::Space::Param) {
                self.frame_vars.insert(id, place(var.size().unwrap_or(0), var.alignment()));
            }
        }
        self.function.frame_bytes = end.next_multiple_of(16);
        self.function.frame_align = most;
    }

    fn resolve_labels(&mut self) {
        let start = self.function.start as usize;
        let starts = &self.starts;
        let fix = |label: &mut u32| *label = starts[*label as usize];
        for step in &mut self.code[start..] {
            match &mut step.kind {
                Kind::Bra { target } => fix(target),
                Kind::Brx { targets, .. } => targets.iter_mut().for_each(fix),
                _ => {}
            }
        }
    }

    fn guard_of(&self, inst: InstId) -> Decoded<PredSrc> {
        match self.body.insts[inst].guard() {
            None => Ok(ALWAYS),
            Some(guard) => Ok(PredSrc { pred: self.pred(guard.reg)?, negated: guard.negated }),
        }
    }

    /// Appends a step of the current instruction.
    pub(super) fn push(&mut self, kind: Kind) {
        self.code.push(Ins { guard: self.guard, kind, inst: self.inst, first: false });
    }

    /// Appends a computation step.
    pub(super) fn alu(&mut self, op: Alu, dst: Row, src: &[Row]) {
        let mut rows = [ZERO; 4];
        rows[..src.len()].copy_from_slice(src);
        let bits = self.row_bits(dst);
        self.push(Kind::Alu { op, dst, src: rows, bits });
    }

    /// Returns the width of a row in bits.
    pub(super) fn row_bits(&self, row: Row) -> u8 {
        self.function.rows[row.0 as usize]
    }

    /// Returns a new row that is not a register.
    pub(super) fn scratch(&mut self, bits: u8) -> Row {
        self.function.rows.push(bits);
        Row(self.function.rows.len() as u32 - 1)
    }

    /// Returns the row of a constant.
    pub(super) fn constant(&mut self, word: u64) -> Row {
        if word == 0 {
            return ZERO;
        }
        if let Some(&row) = self.constants.get(&word) {
            return row;
        }
        let row = self.scratch(64);
        self.constants.insert(word, row);
        self.function.inits.push((row, RowInit::Const(word)));
        row
    }

    fn special(&mut self, reg: SpecialReg, component: u8) -> Decoded<Row> {
        use SpecialReg::*;
        let (high, bits) = match reg {
            Clock | GlobaltimerLo | Pm(_) => (false, 32),
            ClockHi | GlobaltimerHi => (true, 32),
            Clock64 | Globaltimer | Pm64(_) => (false, 64),
            _ => {
                if let Some(&row) = self.specials.get(&(reg, component)) {
                    return Ok(row);
                }
                if !super::specials::supported(reg) {
                    return Err(format!("special register {}", reg.name()));
                }
                let row = self.scratch(64);
                self.specials.insert((reg, component), row);
                self.function.inits.push((row, RowInit::Special(reg, component)));
                return Ok(row);
            }
        };
        let dst = self.scratch(bits);
        self.push(Kind::Clock { dst, high, bits });
        Ok(dst)
    }

    /// Returns the row of a register that is not a predicate.
    pub(super) fn row(&self, reg: Reg) -> Decoded<Row> {
        if self.body.reg_ty(reg) == Ty::Pred {
            return Err("a predicate where a register is needed".into());
        }
        self.function.slots.get(reg.as_u32() as usize).map(|slot| Row(slot.at)).ok_or_else(|| "unknown register".into())
    }

    /// Returns the predicate of a predicate register.
    pub(super) fn pred(&self, reg: Reg) -> Decoded<Pred> {
        if self.body.reg_ty(reg) != Ty::Pred {
            return Err("a register where a predicate is needed".into());
        }
        self.function
            .slots
            .get(reg.as_u32() as usize)
            .map(|slot| Pred(slot.at))
            .ok_or_else(|| "unknown register".into())
    }

    /// Returns a source of up to 64 bits, of the instruction's type `ty`.
    pub(super) fn source(&mut self, operand: Operand, ty: Ty) -> Decoded<Row> {
        match operand {
            Operand::Reg(reg) => self.row(reg),
            Operand::RegPart(reg, Part::Component(c), false) => Ok(Row(self.row(reg)?.0 + u32::from(c))),
            Operand::Imm(imm) => Ok(self.constant(immediate(imm, ty))),
            Operand::Special(reg, component) => self.special(reg, component.unwrap_or(0)),
            Operand::Symbol(sym, offset) => self.symbol(sym, offset),
            Operand::Func(sym) => self.symbol(sym, 0),
            other => Err(format!("operand {other:?}")),
        }
    }

    /// Returns the row with the address of a symbol in its own state space.
    pub(super) fn symbol(&mut self, sym: SymId, offset: i64) -> Decoded<Row> {
        let address = match self.body.syms[sym].referent {
            Referent::Var(var) => match self.frame_vars.get(&var) {
                Some(&at) => return Ok(self.frame_address(at, offset)),
                None => self.layout.body_var(self.function.id, var)?,
            },
            Referent::Param(n) if self.entry => self.layout.kernel_param(n)?,
            Referent::Param(n) => {
                let at = formal(&self.function.params, n).ok_or("parameter out of range")?;
                return Ok(self.frame_address(at, offset));
            }
            Referent::Ret(n) => {
                let at = formal(&self.function.rets, n).ok_or("return parameter out of range")?;
                return Ok(self.frame_address(at, offset));
            }
            Referent::Global(global) => self.layout.global(global)?,
            Referent::Func(func) => self.layout.code_address(func)?,
        };
        Ok(self.variable_address(sym, address.wrapping_add(offset as u64)))
    }

    fn frame_address(&mut self, at: u32, offset: i64) -> Row {
        let row = self.scratch(64);
        self.function.inits.push((row, RowInit::Local(u64::from(at).wrapping_add(offset as u64))));
        row
    }

    /// Returns the frame offset of a variable, parameter or return parameter, if it is in the
    /// frame.
    pub(super) fn frame_offset(&self, sym: SymId) -> Option<u32> {
        match self.body.syms[sym].referent {
            Referent::Var(var) => self.frame_vars.get(&var).copied(),
            Referent::Param(n) if !self.entry => formal(&self.function.params, n),
            Referent::Ret(n) => formal(&self.function.rets, n),
            _ => None,
        }
    }

    /// Returns a predicate source.
    pub(super) fn pred_source(&mut self, operand: Operand) -> Decoded<PredSrc> {
        match operand {
            Operand::Reg(reg) => Ok(PredSrc { pred: self.pred(reg)?, negated: false }),
            Operand::NotPred(reg) => Ok(PredSrc { pred: self.pred(reg)?, negated: true }),
            Operand::Imm(imm) => Ok(PredSrc { pred: TRUE, negated: imm.bits == 0 }),
            Operand::Special(SpecialReg::IsExplicitCluster, _) => Ok(self.explicit_cluster()),
            other => Err(format!("predicate operand {other:?}")),
        }
    }

    /// Returns a destination register.
    pub(super) fn target(&mut self, operand: Operand) -> Decoded<Row> {
        match operand {
            Operand::Reg(reg) => self.row(reg),
            Operand::RegPart(reg, Part::Component(c), false) => Ok(Row(self.row(reg)?.0 + u32::from(c))),
            Operand::Sink => Ok(self.scratch(64)),
            other => Err(format!("destination {other:?}")),
        }
    }

    /// Returns the operands of the instruction, which must be `N`.
    pub(super) fn exactly<const N: usize>(&self) -> Decoded<[Operand; N]> {
        let operands = self.body.operands(self.inst);
        <[Operand; N]>::try_from(operands.as_slice()).map_err(|_| format!("{} operands", operands.len()))
    }

    /// Returns the operands of the instruction.
    pub(super) fn operands(&self) -> smallvec::SmallVec<[Operand; 6]> {
        self.body.operands(self.inst)
    }

    /// Returns type number `n` of the instruction.
    pub(super) fn ty(&self, n: usize) -> Decoded<Ty> {
        self.body.types(self.inst).get(n).copied().ok_or_else(|| "a type is missing".into())
    }

    /// Returns the current instruction.
    pub(super) fn inst(&self) -> InstId {
        self.inst
    }

    pub(super) fn has(&self, m: Mod) -> bool {
        self.body.has(self.inst, m)
    }

    /// Returns rounding, `.ftz`, `.sat`.
    pub(super) fn mode(&self) -> Mode {
        let mut rounding = Rounding::Nearest;
        for &m in self.body.mods(self.inst) {
            rounding = match m {
                Mod::Rn | Mod::Rni => Rounding::Nearest,
                Mod::Rz | Mod::Rzi => Rounding::Zero,
                Mod::Rm | Mod::Rmi => Rounding::Down,
                Mod::Rp | Mod::Rpi => Rounding::Up,
                Mod::Rna => Rounding::NearestAway,
                _ => rounding,
            };
        }
        Mode { rounding, ftz: self.has(Mod::Ftz), sat: self.has(Mod::Sat) }
    }

    /// Returns a number that is the same for operations with the same name.
    pub(super) fn meeting(&mut self) -> u32 {
        let next = self.meetings.len() as u32;
        *self.meetings.entry(self.body.dotted(self.inst).to_owned()).or_insert(next)
    }

    fn instruction(&mut self, inst: InstId) -> Decoded<()> {
        let op = self.body.op(inst);
        match op {
            Op::Bra => {
                let [Operand::Label(label)] = self.exactly()? else { return Err("target".into()) };
                let target = self.body.label_at(label) as u32;
                self.push(Kind::Bra { target });
            }
            Op::Brx => {
                let [index, Operand::Targets(targets)] = self.exactly()? else { return Err("targets".into()) };
                let index = self.source(index, Ty::U32)?;
                let labels = &self.body.targets[targets].labels;
                let targets = labels.iter().map(|&label| self.body.label_at(label) as u32).collect();
                self.push(Kind::Brx { index, targets });
            }
            Op::Call => self.call()?,
            Op::Exit => self.push(Kind::Exit),
            Op::Ret => self.push(if self.entry { Kind::Exit } else { Kind::Ret }),
            Op::Trap | Op::Brkpt => self.push(Kind::Trap),
            _ if self.matrix(op)? || self.texture(op)? || self.multimem(op)? => {}
            _ if self.arithmetic(op)? || self.memory(op)? || self.synchronization(op)? || self.stack(op)? => {}
            _ => return Err("no semantics".into()),
        }
        Ok(())
    }

    fn call(&mut self) -> Decoded<()> {
        let (mut callee, mut before, mut after) = (None, Vec::new(), Vec::new());
        let mut system = None;
        for operand in self.operands() {
            match operand {
                Operand::Args(list) => {
                    for member in self.body.list(list) {
                        let place = self.place(member)?;
                        if callee.is_none() { before.push(place) } else { after.push(place) }
                    }
                }
                Operand::Func(sym) | Operand::Symbol(sym, 0) if callee.is_none() => {
                    let Referent::Func(func) = self.body.syms[sym].referent else {
                        return Err("callee is not a function".into());
                    };
                    system = self.layout.system(func);
                    callee = Some(Ok(if system.is_some() { 0 } else { self.layout.callee(func)? }));
                }
                Operand::Reg(reg) if callee.is_none() => callee = Some(Err(self.row(reg)?)),
                _ => {}
            }
        }
        let callee = callee.ok_or("no callee")?;
        if let Some(system) = system {
            self.push(Kind::System(Box::new(SystemCall { system, args: after, rets: before })));
            return Ok(());
        }
        self.push(Kind::Call(Box::new(Call { callee, args: after, rets: before })));
        Ok(())
    }

    fn place(&mut self, operand: Operand) -> Decoded<ArgPlace> {
        Ok(match operand {
            Operand::Symbol(sym, 0) => {
                let offset = self.frame_offset(sym).ok_or("argument is not a parameter variable")?;
                let Some(var) = self.body.var_of(sym) else { return Err("argument is not a variable".into()) };
                ArgPlace::Frame { offset, bytes: self.body.vars[var].size().unwrap_or(0) as u32 }
            }
            Operand::Reg(reg) => {
                let row = self.row(reg)?;
                ArgPlace::Row { row, bits: u32::from(self.row_bits(row)) }
            }
            Operand::Imm(imm) => ArgPlace::Row { row: self.constant(imm.bits), bits: 64 },
            Operand::Sink => ArgPlace::Nowhere,
            other => return Err(format!("argument {other:?}")),
        })
    }
}

/// Returns the frame offset of a formal parameter.
fn formal(places: &[ArgPlace], n: u32) -> Option<u32> {
    match places.get(n as usize)? {
        ArgPlace::Frame { offset, .. } => Some(*offset),
        _ => None,
    }
}

/// Returns the word of a literal for the instruction's type `ty`.
fn immediate(imm: Imm, ty: Ty) -> u64 {
    let bits = match (imm.kind, ty.bits()) {
        (ImmKind::F64, 32) => u64::from((f64::from_bits(imm.bits) as f32).to_bits()),
        (ImmKind::F32, 64) if ty == Ty::F64 => f64::from(f32::from_bits(imm.bits as u32)).to_bits(),
        (_, _) => imm.bits,
    };
    bits & mask(ty.bits().clamp(1, 64))
}

/// Returns the integer type of a type; untyped bits count as unsigned.
pub fn int(ty: Ty) -> Decoded<IntType> {
    match ty.class() {
        TyClass::Bits | TyClass::Unsigned | TyClass::Signed if ty.bits() <= 64 && ty.bits() >= 8 => {
            Ok(IntType { bits: ty.bits(), signed: ty.is_signed() })
        }
        _ => Err(format!("type .{}", ty.name())),
    }
}

/// Returns the format of a floating-point type, and the number of values in a word.
pub fn float(ty: Ty) -> Decoded<(&'static Format, u32)> {
    Ok(match ty {
        Ty::F16 => (&F16, 1),
        Ty::F16x2 => (&F16, 2),
        Ty::Bf16 => (&BF16, 1),
        Ty::Bf16x2 => (&BF16, 2),
        Ty::F32 => (&F32, 1),
        Ty::F32x2 => (&F32, 2),
        Ty::F64 => (&F64, 1),
        _ => return Err(format!("type .{}", ty.name())),
    })
}
