//! Decodes loads, stores, atomics and address conversions.

use super::super::alu::{Alu, HalfOp};
use super::super::asynchrony::Operation;
use super::super::code::*;
use super::super::fpu::{Fpu, FpuOp};
use super::super::place::RANK_SHIFT;
use super::{Decoded, Decoder, float, int};
use crate::float::{IntType, MinMax, Mode};
use crate::mem::{LOCAL_WINDOW_HI, SHARED_WINDOW_HI};
use raddle_ptx::{Base, Mod, Op, Operand, Referent, Ty};

impl Decoder<'_> {
    /// Decodes an instruction of these families; returns false for others.
    pub(super) fn memory(&mut self, op: Op) -> Decoded<bool> {
        match op {
            Op::Ld | Op::Ldu => self.load()?,
            Op::St => self.store()?,
            Op::Atom | Op::Red => self.atomic(op == Op::Atom)?,
            Op::Cvta => self.cvta()?,
            Op::Isspacep => {
                let [Operand::Reg(d), a] = self.exactly()? else { return Err("destination".into()) };
                let space = match self.window()? {
                    (_, true) => Window::Param,
                    (space, false) => space,
                };
                let (dst, a) = (self.pred(d)?, self.source(a, Ty::U64)?);
                self.push(Kind::IsSpace { space, dst, a });
            }
            Op::CpAsync => self.cp_async()?,
            Op::Mapa => {
                let ty = self.ty(0)?;
                let [d, a, rank] = self.exactly()?;
                let (dst, a, rank) = (self.target(d)?, self.source(a, ty)?, self.source(rank, Ty::U32)?);
                self.push(Kind::Asynchronous(Box::new(Operation::Map { dst, a, rank })));
            }
            Op::Getctarank => {
                let ty = self.ty(0)?;
                let [d, a] = self.exactly()?;
                let (dst, a) = (self.target(d)?, self.source(a, ty)?);
                self.alu(Alu::Unpack { bits: 32 - RANK_SHIFT, shift: RANK_SHIFT }, dst, &[a]);
            }
            // Cache policies are opaque; they have no effect on results.
            Op::Createpolicy | Op::CreatepolicyCvt => {
                let operands = self.operands();
                let Some(&d) = operands.first() else { return Err("operands".into()) };
                let dst = self.target(d)?;
                self.alu(Alu::Mov, dst, &[ZERO]);
            }
            // The bytes become undefined: stores of undefined values.
            Op::Discard => {
                let [a, Operand::Imm(size)] = self.exactly()? else { return Err("size".into()) };
                let address = self.address(a)?;
                self.undefine(address, size.bits as usize / 8);
            }
            Op::StBulk => {
                let [a, size, _zero] = self.exactly()?;
                let (at, size) = (self.address(a)?, self.source(size, Ty::U64)?);
                self.push(Kind::Clear { at, size });
            }
            Op::TensormapCpFenceproxy => self.copy_tensormap()?,
            Op::Prefetch | Op::Prefetchu | Op::Applypriority => self.push(Kind::Nothing),
            Op::CpAsyncCommitGroup => self.push(Kind::CommitCopies),
            Op::CpAsyncWaitGroup => match self.operands().as_slice() {
                [Operand::Imm(left)] => self.push(Kind::WaitCopies { left: left.bits as u32 as usize }),
                _ => return Err("operands".into()),
            },
            Op::CpAsyncWaitAll => {
                self.push(Kind::CommitCopies);
                self.push(Kind::WaitCopies { left: 0 });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the state space named by the instruction, and whether it is `.param`.
    fn window(&self) -> Decoded<(Window, bool)> {
        for &m in self.body.mods(self.inst()) {
            let window = match m {
                Mod::Global => Window::Global,
                Mod::Shared | Mod::SharedCta => Window::Shared,
                Mod::SharedCluster => Window::Cluster,
                Mod::Local => Window::Local,
                Mod::Const => Window::Const,
                Mod::Param | Mod::ParamEntry | Mod::ParamFunc => return Ok((Window::Global, true)),
                _ => continue,
            };
            return Ok((window, false));
        }
        Ok((Window::Generic, false))
    }

    /// Returns the address operand of an access.
    pub(super) fn address(&mut self, operand: Operand) -> Decoded<Address> {
        let (window, param) = self.window()?;
        self.address_in(operand, window, param)
    }

    pub(super) fn address_in(&mut self, operand: Operand, window: Window, param: bool) -> Decoded<Address> {
        let Operand::Addr(base, offset) = operand else { return Err(format!("address {operand:?}")) };
        let mut window = window;
        let (base, narrow) = match base {
            Base::Reg(reg) => {
                // With a register address, `.param` means the kernel's parameters, or a copy in the
                // frame.
                if param && !self.entry {
                    window = Window::Local;
                }
                let row = self.row(reg)?;
                (row, self.row_bits(row) <= 32)
            }
            Base::None => (ZERO, false),
            Base::Sym(sym) => {
                if self.frame_offset(sym).is_some() {
                    window = Window::Local;
                } else if window == Window::Generic {
                    window = self.symbol_window(sym);
                }
                (self.symbol(sym, 0)?, false)
            }
        };
        let narrow = narrow && matches!(window, Window::Shared | Window::Cluster | Window::Local);
        Ok(Address { window, base, offset, narrow })
    }

    /// Returns the window of a symbol, for generic accesses that name one.
    fn symbol_window(&self, sym: raddle_ptx::SymId) -> Window {
        let space = match self.body.syms[sym].referent {
            Referent::Var(var) => self.body.vars[var].space,
            Referent::Global(global) => self.layout.space(global),
            _ => return Window::Global,
        };
        match space {
            raddle_ptx::Space::Shared => Window::Shared,
            raddle_ptx::Space::Local => Window::Local,
            _ => Window::Global,
        }
    }

    /// Stores undefined values to this many words of 8 bytes, as strong accesses: concurrent ones
    /// are no race.
    fn undefine(&mut self, address: Address, words: usize) {
        let src = vec![self.scratch(64); words];
        let order = Order { strong: true, ..Order::default() };
        self.push(Kind::Store(Box::new(Store { address, bytes: 8, src, order, private: false })));
    }

    /// `tensormap.cp_fenceproxy`: a copy of 128 bytes from shared to global memory, then a fence.
    /// All lanes of the warp name the same places (PTX ISA 9.0, 9.7.14.11), so each lane does all
    /// of it; as the copy is the warp's, no lane is past it before it is made.
    fn copy_tensormap(&mut self) -> Decoded<()> {
        let [to, from, Operand::Imm(size)] = self.exactly()? else { return Err("size".into()) };
        let to = self.address_in(to, Window::Global, false)?;
        let from = self.address_in(from, Window::Shared, false)?;
        let rows: Vec<Row> = (0..size.bits / 8).map(|_| self.scratch(64)).collect();
        let dst = rows.iter().copied().map(Some).collect();
        let order = Order::default();
        self.push(Kind::Load(Box::new(Load { address: from, bytes: 8, dst, extend: None, order, constant: false })));
        let order = Order { strong: true, ..Order::default() };
        self.push(Kind::Store(Box::new(Store { address: to, bytes: 8, src: rows, order, private: false })));
        self.push(Kind::Fence);
        self.aligned();
        Ok(())
    }

    pub(super) fn order(&self) -> Order {
        let any = |mods: &[Mod]| mods.iter().any(|&m| self.has(m));
        Order {
            strong: any(&[Mod::Volatile, Mod::Relaxed, Mod::Acquire, Mod::Release, Mod::AcqRel, Mod::Mmio]),
            acquire: any(&[Mod::Acquire, Mod::AcqRel]),
            release: any(&[Mod::Release, Mod::AcqRel]),
        }
    }

    /// Returns the operand as a list: members of a vector or itself.
    pub(super) fn elements(&self, operand: Operand) -> Vec<Operand> {
        match operand {
            Operand::Vec(list) => self.body.list(list).to_vec(),
            other => vec![other],
        }
    }

    fn load(&mut self) -> Decoded<()> {
        let ty = self.ty(0)?;
        let operands = self.operands();
        let [d, a, ..] = *operands.as_slice() else { return Err("operands".into()) };
        let address = self.address(a)?;
        let mut extend = None;
        let mut dst = Vec::new();
        for element in self.elements(d) {
            if element == Operand::Sink {
                dst.push(None);
                continue;
            }
            let row = self.target(element)?;
            let width = u32::from(self.row_bits(row));
            if ty.bits() < width {
                extend = Some((IntType { bits: ty.bits(), signed: ty.is_signed() }, width));
            }
            dst.push(Some(row));
        }
        let param = self.window()?.1;
        let constant = self.has(Mod::Nc) || self.has(Mod::Const) || param;
        let (bytes, order) = (ty.bytes(), self.order());
        self.push(Kind::Load(Box::new(Load { address, bytes, dst, extend, order, constant })));
        Ok(())
    }

    fn store(&mut self) -> Decoded<()> {
        let ty = self.ty(0)?;
        let operands = self.operands();
        let [a, b, ..] = *operands.as_slice() else { return Err("operands".into()) };
        let address = self.address(a)?;
        let src = self.elements(b).into_iter().map(|x| self.source(x, ty)).collect::<Decoded<Vec<_>>>()?;
        let (bytes, order) = (ty.bytes(), self.order());
        let private = self.window()?.1;
        self.push(Kind::Store(Box::new(Store { address, bytes, src, order, private })));
        Ok(())
    }

    fn atomic(&mut self, returns: bool) -> Decoded<()> {
        let ty = self.ty(0)?;
        let operands = self.operands();
        let (d, rest) = match operands.split_first() {
            Some((&d, rest)) if returns => (Some(d), rest),
            _ => (None, &operands[..]),
        };
        let (Some(&a), Some(&b)) = (rest.first(), rest.get(1)) else { return Err("operands".into()) };
        let address = self.address(a)?;
        let dst = match d {
            None => Vec::new(),
            Some(d) => self
                .elements(d)
                .into_iter()
                .map(|x| if x == Operand::Sink { Ok(None) } else { self.target(x).map(Some) })
                .collect::<Decoded<Vec<_>>>()?,
        };
        let op = self.atom_op(ty)?;
        let b = self.elements(b).into_iter().map(|x| self.source(x, ty)).collect::<Decoded<Vec<_>>>()?;
        let c = match (op, rest.get(2)) {
            (AtomOp::Cas, Some(&c)) => self.source(c, ty)?,
            (AtomOp::Cas, None) => return Err("operands".into()),
            _ => ZERO,
        };
        let order = Order { strong: true, ..self.order() };
        let bytes = ty.bytes();
        self.push(Kind::Atomic(Box::new(Atomic { op, address, bytes, dst, b, c, order })));
        Ok(())
    }

    pub(super) fn atom_op(&self, ty: Ty) -> Decoded<AtomOp> {
        for &m in self.body.mods(self.inst()) {
            let max = m == Mod::Max;
            let op = match m {
                Mod::Exch => return Ok(AtomOp::Exch),
                Mod::Cas => return Ok(AtomOp::Cas),
                Mod::Inc => return Ok(AtomOp::Inc),
                Mod::Dec => return Ok(AtomOp::Dec),
                Mod::And => Alu::And,
                Mod::Or => Alu::Or,
                Mod::Xor => Alu::Xor,
                Mod::Add | Mod::Min | Mod::Max if ty.is_float() => {
                    let (format, lanes) = float(ty)?;
                    let how = MinMax { max, nan: false, ..MinMax::default() };
                    let op = if m == Mod::Add { FpuOp::Add } else { FpuOp::MinMax(how) };
                    Alu::Fpu(Fpu { op, format, mode: Mode::RN, lanes })
                }
                Mod::Add if matches!(ty, Ty::U16x2 | Ty::S16x2) => Alu::Halves(HalfOp::Add),
                Mod::Add => Alu::Add(int(ty)?),
                Mod::Min => Alu::Min { ty: int(ty)?, relu: false },
                Mod::Max => Alu::Max { ty: int(ty)?, relu: false },
                _ => continue,
            };
            return Ok(AtomOp::Alu(op));
        }
        Err("atomic operation".into())
    }

    fn cvta(&mut self) -> Decoded<()> {
        let [d, a] = self.exactly()?;
        let ty = self.ty(0)?;
        let (mut window, param) = self.window()?;
        if let Operand::Symbol(sym, _) = a
            && self.frame_offset(sym).is_some()
        {
            window = Window::Local;
        }
        let (dst, a) = (self.target(d)?, self.source(a, ty)?);
        let high = match window {
            Window::Shared | Window::Cluster => SHARED_WINDOW_HI,
            Window::Local => LOCAL_WINDOW_HI,
            _ => {
                match self.layout.params.first().copied() {
                    Some(base) if param && self.entry && ty.bits() == 64 && !self.has(Mod::To) => {
                        self.whole_parameter(dst, a, base);
                    }
                    _ => self.alu(Alu::Mov, dst, &[a]),
                }
                return Ok(());
            }
        };
        if self.has(Mod::To) {
            self.alu(Alu::Unpack { bits: 32, shift: 0 }, dst, &[a]);
        } else {
            // The window's upper half, whatever the address has above its 32 bits.
            let high = self.constant(u64::from(high));
            let low = self.scratch(32);
            self.alu(Alu::Unpack { bits: 32, shift: 0 }, low, &[a]);
            self.alu(Alu::Pack { bits: 32 }, dst, &[low, high]);
        }
        Ok(())
    }

    /// The address of a parameter, of which only the lower 32 bits may be known (Triton takes it with
    /// `mov.b32`).
    fn whole_parameter(&mut self, dst: Row, a: Row, base: u64) {
        let (first, low) = (self.constant(base), self.constant(base & 0xffff_ffff));
        let offset = self.scratch(32);
        self.alu(Alu::Sub(IntType { bits: 32, signed: false }), offset, &[a, low]);
        self.alu(Alu::Add(IntType { bits: 64, signed: false }), dst, &[first, offset]);
    }

    fn cp_async(&mut self) -> Decoded<()> {
        let operands = self.operands();
        let [to, from, Operand::Imm(size), rest @ ..] = operands.as_slice() else { return Err("operands".into()) };
        let to = self.address_in(*to, Window::Shared, false)?;
        let from = self.address_in(*from, Window::Global, false)?;
        // The last operand may be the cache policy.
        let rest = &rest[..rest.len() - usize::from(self.has(Mod::L2CacheHint)).min(rest.len())];
        let (mut source_bytes, mut ignore) = (None, None);
        match rest {
            [] => {}
            [Operand::NotPred(_)] => ignore = Some(self.pred_source(rest[0])?),
            [Operand::Reg(reg)] if self.body.reg_ty(*reg) == Ty::Pred => ignore = Some(self.pred_source(rest[0])?),
            [source] => source_bytes = Some(self.source(*source, Ty::U32)?),
            _ => return Err("form of cp.async".into()),
        }
        let bytes = size.bits as u32;
        self.push(Kind::Copy(Box::new(Copy { to, from, bytes, source_bytes, ignore })));
        Ok(())
    }
}
