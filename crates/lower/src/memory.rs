//! Loads, stores, atomics, prefetches and copies (PTX ISA 9.0, 9.7.9 and 9.7.13).
//!
//! L2 eviction priorities and cache policies do not affect results; they are dropped until the code
//! generator has forms for them.

use crate::build::{Lower, Named};
use crate::param_accesses;
use crate::reason::{Reason, not_yet, sign_of, unsupported};
use raddle_ir::{Cache, Mem, Mty, Op as I, Order, Prefetch, Scope, Sign, Space, Value, Width};
use raddle_ptx::{InstId, Mod, Op, Operand, Ty};

impl Lower<'_> {
    /// Lowers the instructions with an address.
    pub(crate) fn memory(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let kernel = self.input.outline.funcs[self.input.func].entry;
        if let Some(cells) = self.cells.touched(body, kernel, inst) {
            return self.move_cells(inst, &cells?);
        }
        match body.op(inst) {
            // Uniform loads are ordinary ones (ptxas 13.0.88 output).
            Op::Ld | Op::Ldu => self.load(inst),
            Op::St => self.store(inst),
            Op::Atom | Op::Red => self.atomic(inst),
            Op::MultimemLdReduce | Op::MultimemRed | Op::MultimemSt => self.multimem(inst),
            Op::Prefetch | Op::Prefetchu => self.prefetch(inst),
            Op::CpAsync => self.cp_async(inst),
            Op::CpAsyncCommitGroup => {
                self.emit_many(I::CpAsyncCommit, &[], &[]);
                Ok(())
            }
            Op::CpAsyncWaitGroup | Op::CpAsyncWaitAll => {
                let pending = match body.operand(inst, 0) {
                    Some(Operand::Imm(imm)) => imm.bits,
                    None => 0,
                    _ => return unsupported("a count that is not a literal"),
                };
                if body.op(inst) == Op::CpAsyncWaitAll {
                    // Copies that are in no group yet are waited for, too.
                    self.emit_many(I::CpAsyncCommit, &[], &[]);
                }
                self.emit_many(I::CpAsyncWait(crate::asynchrony::pending_groups(pending)), &[], &[]);
                Ok(())
            }
            Op::Ldmatrix | Op::Stmatrix => self.matrix(inst),
            _ => not_yet(),
        }
    }

    /// Returns the space, the address value and the offset of an address operand.
    pub(crate) fn address(&mut self, inst: InstId, index: usize) -> Result<(Space, Value, i32), Reason> {
        if !self.input.body.has(inst, Mod::SharedCluster) {
            return self.address_in(inst, index, self.space_of(inst));
        }
        // The cluster window is that of the CTA's own shared memory, with the rank in the upper
        // bits: accessible by generic addresses only ("ptxas 13.0.88 output").
        let (space, base, offset) = self.address_in(inst, index, Some(Space::Shared))?;
        Ok((Space::Generic, self.generic_address(space, base), offset))
    }

    /// The same in the space that the instruction names.
    pub(crate) fn address_in(
        &mut self,
        inst: InstId,
        index: usize,
        named: Option<Space>,
    ) -> Result<(Space, Value, i32), Reason> {
        let Some(operand) = self.input.body.operand(inst, index) else { return unsupported("a missing address") };
        let (base, sym, offset) = self.address_parts(operand)?;
        let (space, base, mut offset) = match (base, sym) {
            (_, Some(sym)) => {
                let (space, what) = self.base_of(sym)?;
                let same = match (named, what) {
                    (Some(Space::Param), Named::Frame(..)) => true,
                    // A generic access to a name uses the space of the name ("ptxas 13.0.88
                    // output").
                    (None, _) => matches!(space, Space::Generic | Space::Global | Space::Shared | Space::Local),
                    (Some(named), _) => named == space,
                };
                if !same {
                    return unsupported("a symbol in another state space than that of the instruction");
                }
                match what {
                    Named::Offset(at) => {
                        let zero = self.constant(0, Width::B32);
                        (space, zero, offset + i64::from(at))
                    }
                    _ => (space, self.address_of(sym, 0)?, offset),
                }
            }
            (Some(base), None) => (named.unwrap_or(Space::Generic), base, offset),
            (None, None) => {
                let space = named.unwrap_or(Space::Generic);
                let width = address_width(space);
                let bits = self.constant(offset as u64, width);
                return Ok((space, bits, 0));
            }
        };
        let width = address_width(space);
        if self.f.width(base) < width {
            return unsupported("a 32-bit address");
        }
        let mut base = self.resize(base, width, Sign::U);
        if i32::try_from(offset).is_err() {
            let by = self.constant(offset as u64, width);
            base = self.emit(I::Add, &[base, by], width);
            offset = 0;
        }
        Ok((space, base, offset as i32))
    }

    /// Returns the cache operator of an access: that of the text, or the one that the options
    /// replace it by.
    fn cache(&self, inst: InstId, space: Space, order: Order) -> Cache {
        let written = cache_of(self.input.body.mods(inst));
        if !matches!(space, Space::Global | Space::Generic) || order != Order::Weak {
            return written;
        }
        let [loads, stores] = self.caches;
        if self.input.body.op(inst) == Op::St { stores.apply(written) } else { loads.apply(written) }
    }

    fn access(&mut self, inst: InstId) -> Result<(Mem, Value), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        if has(Mod::Unified) {
            self.unified()?;
        }
        let ty = element(body.types(inst)[0])?;
        let (space, base, offset) = self.address(inst, usize::from(matches!(body.op(inst), Op::Ld | Op::Ldu)))?;
        let count = match body.one_of(inst, &[Mod::V2, Mod::V4, Mod::V8]) {
            Some(Mod::V2) => 2,
            Some(Mod::V4) => 4,
            Some(_) => 8,
            None => 1,
        };
        if u32::from(count) * ty.bytes() > 16 {
            return unsupported("more than 128 bits");
        }
        let (order, scope) = order_of(body.mods(inst), Order::Weak);
        let cache = self.cache(inst, space, order);
        let prefetch = match body.one_of(inst, &[Mod::L2_64B, Mod::L2_128B, Mod::L2_256B]) {
            Some(Mod::L2_64B) => Prefetch::L64,
            Some(Mod::L2_128B) => Prefetch::L128,
            Some(_) => Prefetch::L256,
            None => Prefetch::None,
        };
        Ok((Mem { space, ty, count, order, scope, cache, prefetch, offset }, base))
    }

    /// Checks that `.unified` changes no address: it adds the distance between the table of unified
    /// variables and its canonical place, which the linker writes, and which is 0 in a program
    /// without such variables ("ptxas 13.0.88 output").
    fn unified(&self) -> Result<(), Reason> {
        if self.relocatable {
            return unsupported("unified addresses in an object: the linker places the table of unified variables");
        }
        if self.input.outline.globals.values().any(|global| global.unified.is_some()) {
            return unsupported("unified variables");
        }
        Ok(())
    }

    /// Lowers loads and stores of parameter memory to moves between registers and cells.
    fn move_cells(&mut self, inst: InstId, cells: &[usize]) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst)[0];
        let loads = body.op(inst) == Op::Ld;
        let parts = self.parts(body.operand(inst, usize::from(!loads)));
        if parts.len() != cells.len() {
            return unsupported("another number of registers");
        }
        for (part, &cell) in parts.into_iter().zip(cells) {
            let register = param_accesses::register(body, cell);
            if loads {
                let v = self.read(register)?;
                let v = self.extend_low(v, ty, self.f.width(v));
                self.set_resized(Some(part), v, sign_of(ty))?;
            } else {
                let v = self.value(part, ty)?;
                self.assign(register, v);
            }
        }
        Ok(())
    }

    fn load(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst)[0];
        let (mem, base) = self.access(inst)?;
        let values = self.emit_many(I::Load(mem), &[base], &vec![mem.ty.width(); usize::from(mem.count)]);
        let dst = body.operand(inst, 0);
        if let (Some(Operand::Vec(list)), true) = (dst, mem.count > 1) {
            for (part, v) in body.list(list).into_iter().zip(values) {
                self.set_resized(Some(part), v, sign_of(ty))?;
            }
            return Ok(());
        }
        self.set_resized(dst, values[0], sign_of(ty))
    }

    fn store(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst)[0];
        let (mem, base) = self.access(inst)?;
        let mut args = vec![base];
        match body.operand(inst, 1) {
            Some(Operand::Vec(list)) if mem.count > 1 => {
                for part in body.list(list) {
                    args.push(self.stored(part, ty, mem.ty)?);
                }
            }
            Some(operand) => args.push(self.stored(operand, ty, mem.ty)?),
            None => return unsupported("a missing value"),
        }
        self.emit_many(I::Store(mem), &args, &[]);
        Ok(())
    }

    /// Returns a stored operand in the width of the store.
    pub(crate) fn stored(&mut self, operand: Operand, ty: Ty, mty: Mty) -> Result<Value, Reason> {
        let v = self.value(operand, ty)?;
        Ok(self.resize(v, mty.width(), Sign::U))
    }

    fn prefetch(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        if body.has(inst, Mod::Tensormap) {
            return self.prefetch_map(inst);
        }
        let level = match body.one_of(inst, &[Mod::L1, Mod::L2, Mod::L2EvictLast, Mod::L2EvictNormal]) {
            Some(Mod::L1) => 1,
            Some(_) => 2,
            None => return not_yet(),
        };
        let (space, base, offset) = self.address(inst, 0)?;
        if space == Space::Local {
            // A hint about lines that no other thread touches: dropped.
            return Ok(());
        }
        if !matches!(space, Space::Global | Space::Generic) {
            return not_yet();
        }
        let by = self.constant(offset as i64 as u64, Width::B64);
        let at = if offset == 0 { base } else { self.emit(I::Add, &[base, by], Width::B64) };
        self.emit_many(I::PrefetchLine(level), &[at], &[]);
        Ok(())
    }

    /// Lowers `cp.async` (PTX ISA 9.0, 9.7.9.25.3.1).
    fn cp_async(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let size = match body.operand(inst, 2) {
            Some(Operand::Imm(imm)) => imm.bits as u8,
            _ => return not_yet(),
        };
        let cache = if body.has(inst, Mod::Cg) { Cache::Cg } else { Cache::Ca };
        let prefetch = match body.one_of(inst, &[Mod::L2_64B, Mod::L2_128B, Mod::L2_256B]) {
            Some(Mod::L2_64B) => Prefetch::L64,
            Some(Mod::L2_128B) => Prefetch::L128,
            Some(_) => Prefetch::L256,
            None => Prefetch::None,
        };
        let mut args = vec![self.flat(inst, 0, Space::Shared)?, self.flat(inst, 1, Space::Global)?];
        // The last operand may be a cache policy: a hint.
        let policy = usize::from(body.has(inst, Mod::L2CacheHint));
        if body.operand(inst, 3 + policy).is_some() {
            let source = self.input.body.operand(inst, 3);
            let ignored = match source {
                Some(Operand::Reg(r)) => self.reg_width(r.as_u32())? == Width::P,
                Some(Operand::NotPred(_)) => true,
                _ => false,
            };
            args.push(self.operand(inst, 3, if ignored { Ty::Pred } else { Ty::U32 })?);
        }
        self.emit_many(I::CpAsync(size, cache, prefetch), &args, &[]);
        Ok(())
    }

    /// Returns an address as one value, in the space required by the operand.
    pub(crate) fn flat(&mut self, inst: InstId, index: usize, space: Space) -> Result<Value, Reason> {
        let Some(operand) = self.input.body.operand(inst, index) else { return unsupported("a missing address") };
        let width = address_width(space);
        let (base, sym, offset) = self.address_parts(operand)?;
        let base = match (base, sym) {
            (Some(base), _) => base,
            (None, Some(sym)) => self.address_of(sym, 0)?,
            (None, None) => self.constant(0, width),
        };
        if self.f.width(base) < width {
            return unsupported("a 32-bit address");
        }
        let base = self.resize(base, width, Sign::U);
        if offset == 0 {
            return Ok(base);
        }
        let by = self.constant(offset as u64, width);
        Ok(self.emit(I::Add, &[base, by], width))
    }

    /// Lowers `ldmatrix` and `stmatrix` of 8x8 matrices of 16-bit elements.
    fn matrix(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let loads = body.op(inst) == Op::Ldmatrix;
        if !body.has(inst, Mod::M8n8) || body.types(inst).last() != Some(&Ty::B16) || body.has(inst, Mod::SharedCluster)
        {
            return not_yet();
        }
        let n = match body.one_of(inst, &[Mod::X1, Mod::X2, Mod::X4]) {
            Some(Mod::X4) => 4u8,
            Some(Mod::X2) => 2,
            _ => 1,
        };
        let trans = u8::from(body.has(inst, Mod::Trans));
        let address = self.flat(inst, usize::from(loads), Space::Shared)?;
        let parts = self.parts(body.operand(inst, usize::from(!loads)));
        if parts.len() != usize::from(n) {
            return unsupported("another number of registers");
        }
        if loads {
            let values = self.emit_many(I::LdMatrix(n, trans), &[address], &vec![Width::B32; parts.len()]);
            for (part, v) in parts.into_iter().zip(values) {
                self.set_operand(Some(part), v)?;
            }
            return Ok(());
        }
        let mut args = vec![address];
        for part in parts {
            args.push(self.value(part, Ty::B32)?);
        }
        self.emit_many(I::StMatrix(n, trans), &args, &[]);
        Ok(())
    }
}

fn address_width(space: Space) -> Width {
    match space {
        Space::Generic | Space::Global => Width::B64,
        _ => Width::B32,
    }
}

pub(crate) fn element(ty: Ty) -> Result<Mty, Reason> {
    Ok(match (ty.bits(), ty.is_signed()) {
        (8, true) => Mty::S8,
        (8, false) => Mty::U8,
        (16, true) => Mty::S16,
        (16, false) => Mty::U16,
        (32, _) => Mty::B32,
        (64, _) => Mty::B64,
        (128, _) => Mty::B128,
        _ => return unsupported(format!("type .{}", ty.name())),
    })
}

/// Returns memory order and scope (PTX ISA 9.0, 8.5 and 8.6).
pub(crate) fn order_of(mods: &[Mod], default: Order) -> (Order, Scope) {
    let mut order = default;
    let mut scope = Scope::None;
    for m in mods {
        match m {
            Mod::Volatile => (order, scope) = (Order::Volatile, Scope::Sys),
            Mod::Mmio => order = Order::Mmio,
            Mod::Relaxed if order != Order::Mmio => order = Order::Relaxed,
            Mod::Acquire => order = Order::Acquire,
            Mod::Release => order = Order::Release,
            Mod::AcqRel => order = Order::AcqRel,
            Mod::Sc => order = Order::Sc,
            Mod::Cta => scope = Scope::Cta,
            Mod::Cluster => scope = Scope::Cluster,
            Mod::Gpu | Mod::Gl => scope = Scope::Gpu,
            Mod::Sys => scope = Scope::Sys,
            _ => {}
        }
    }
    (order, scope)
}

fn cache_of(mods: &[Mod]) -> Cache {
    let nc = mods.contains(&Mod::Nc);
    for m in mods {
        return match m {
            Mod::Ca => Cache::Ca,
            Mod::Cg => Cache::Cg,
            Mod::Cs => Cache::Cs,
            Mod::Lu => Cache::Lu,
            Mod::Cv => Cache::Cv,
            Mod::Wb => Cache::Wb,
            Mod::Wt => Cache::Wt,
            Mod::L1EvictFirst if nc => Cache::NcEvictFirst,
            Mod::L1EvictLast if nc => Cache::NcEvictLast,
            Mod::L1NoAllocate if nc => Cache::NcNoAllocate,
            Mod::L1EvictFirst => Cache::EvictFirst,
            Mod::L1EvictLast => Cache::EvictLast,
            Mod::L1NoAllocate => Cache::NoAllocate,
            Mod::L1EvictUnchanged => Cache::EvictUnchanged,
            _ => continue,
        };
    }
    if nc { Cache::Nc } else { Cache::None }
}
