//! `mbarrier` objects, bulk and tensor copies, and their groups (PTX ISA 9.0, 9.7.9.25 to 9.7.9.27
//! and 9.7.13.15).
//!
//! The time limit of `try_wait` is dropped: it bounds a time that the machine chooses.

use crate::build::Lower;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::{
    Bulk, BulkOp, BulkTy, BulkWay, Is, MapOp, Mbar, MbarOp, Op as I, Order, PrmtMode, Scope, Sign, Space, Tensor,
    TensorOp, Value, Width,
};
use raddle_ptx::{Base, InstId, Mod, Op, Operand, Ty};

impl Lower<'_> {
    /// Lowers an instruction of this family.
    pub(crate) fn asynchronous(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        match body.op(inst) {
            Op::MbarrierInit => self.on_object(inst, MbarOp::Init, 0),
            Op::MbarrierInval => self.on_object(inst, MbarOp::Inval, 0),
            Op::MbarrierExpectTx => self.on_object(inst, MbarOp::ExpectTx, 0),
            Op::MbarrierCompleteTx => self.on_object(inst, MbarOp::CompleteTx, 0),
            Op::MbarrierArrive | Op::MbarrierArriveDrop => self.arrive(inst),
            Op::MbarrierTestWait => self.wait(inst, MbarOp::TestWait),
            Op::MbarrierTryWait => self.wait(inst, MbarOp::TryWait),
            Op::MbarrierPendingCount => {
                let state = self.operand(inst, 1, Ty::B64)?;
                let count = self.emit(I::MbarPending, &[state], Width::B32);
                self.set(inst, count)
            }
            Op::CpAsyncMbarrierArrive if body.has(inst, Mod::Noinc) => {
                self.on_object(inst, MbarOp::ArriveCopiesNoinc, 0)
            }
            Op::CpAsyncMbarrierArrive => self.on_object(inst, MbarOp::ArriveCopies, 0),
            Op::CpAsyncBulk | Op::CpReduceAsyncBulk => self.bulk(inst),
            Op::CpAsyncBulkPrefetch => {
                let at = self.flat(inst, 0, Space::Global)?;
                let size = self.size(inst, 1, None)?;
                let mut args = vec![at, size];
                let policy = self.policy_after(inst, 1, &mut args)?;
                let bulk = Bulk { way: BulkWay::Prefetch, op: BulkOp::Copy, ty: BulkTy::Bytes, policy };
                self.emit_many(I::Bulk(bulk), &args, &[]);
                Ok(())
            }
            Op::CpAsyncBulkTensor | Op::CpReduceAsyncBulkTensor | Op::CpAsyncBulkPrefetchTensor => self.tensor(inst),
            Op::CpAsyncBulkCommitGroup => {
                self.emit_many(I::BulkCommit, &[], &[]);
                Ok(())
            }
            Op::CpAsyncBulkWaitGroup => {
                let Some(Operand::Imm(pending)) = body.operand(inst, 0) else {
                    return unsupported("a count that is not a literal");
                };
                self.emit_many(
                    I::BulkWait(pending_groups(pending.bits), u8::from(body.has(inst, Mod::Read))),
                    &[],
                    &[],
                );
                Ok(())
            }
            _ => not_yet(),
        }
    }

    /// An operation without results on the object at operand `at`, with the number that follows.
    fn on_object(&mut self, inst: InstId, op: MbarOp, at: usize) -> Result<(), Reason> {
        let object = self.flat(inst, at, Space::Shared)?;
        let mut args = vec![object];
        if self.input.body.operand(inst, at + 1).is_some() {
            args.push(self.operand(inst, at + 1, Ty::U32)?);
        }
        let cluster = self.input.body.has(inst, Mod::SharedCluster).into();
        let m = Mbar { op, drop: Is::No, cluster, acquire: Is::No };
        self.emit_many(I::Mbar(m), &args, &[]);
        Ok(())
    }

    /// Whether an operation on an object is ordered with memory of the whole cluster.
    fn cluster_scope(&self, inst: InstId) -> bool {
        self.input.body.has(inst, Mod::Cluster) && !self.input.body.has(inst, Mod::Relaxed)
    }

    fn arrive(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let object = self.flat(inst, 1, Space::Shared)?;
        let number = match body.operand(inst, 2) {
            Some(operand) => self.value(operand, Ty::U32)?,
            None => self.constant(1, Width::B32),
        };
        let op = match () {
            () if has(Mod::ExpectTx) => MbarOp::ArriveTx,
            () if has(Mod::NoComplete) => MbarOp::ArriveNoComplete,
            () => MbarOp::Arrive,
        };
        if self.cluster_scope(inst) {
            self.emit_many(I::Fence(Order::Release, Scope::Cluster), &[], &[]);
        }
        let m = Mbar {
            op,
            drop: (body.op(inst) == Op::MbarrierArriveDrop).into(),
            cluster: has(Mod::SharedCluster).into(),
            acquire: Is::No,
        };
        let sink = matches!(body.operand(inst, 0), Some(Operand::Sink) | None);
        if sink && op != MbarOp::ArriveNoComplete {
            self.emit_many(I::Mbar(m), &[object, number], &[]);
            return Ok(());
        }
        let state = self.emit(I::Mbar(m), &[object, number], Width::B64);
        self.set(inst, state)
    }

    fn wait(&mut self, inst: InstId, op: MbarOp) -> Result<(), Reason> {
        let body = self.input.body;
        let object = self.flat(inst, 1, Space::Shared)?;
        // Bit 31 is the phase: that of the upper word of a state.
        let phase = if body.has(inst, Mod::Parity) {
            let parity = self.operand(inst, 2, Ty::U32)?;
            let amount = self.constant(31, Width::B32);
            self.emit(I::Shl, &[parity, amount], Width::B32)
        } else {
            let state = self.operand(inst, 2, Ty::B64)?;
            self.emit_many(I::Unpack, &[state], &[Width::B32, Width::B32])[1]
        };
        let m = Mbar { op, drop: Is::No, cluster: Is::No, acquire: self.cluster_scope(inst).into() };
        let ended = self.emit(I::Mbar(m), &[object, phase], Width::P);
        self.set(inst, ended)
    }

    /// Returns the size operand of a bulk copy, with the mask of CTAs.
    fn size(&mut self, inst: InstId, index: usize, ctas: Option<Value>) -> Result<Value, Reason> {
        let bytes = self.operand(inst, index, Ty::U32)?;
        let four = self.constant(4, Width::B32);
        let units = self.emit(I::Shr(Sign::U), &[bytes, four], Width::B32);
        let ctas = match ctas {
            Some(ctas) => ctas,
            None => self.constant(0, Width::B32),
        };
        Ok(self.low_halves(units, ctas))
    }

    /// Joins the lower halves of two words.
    fn low_halves(&mut self, low: Value, high: Value) -> Value {
        let selector = self.constant(0x5410, Width::B32);
        self.emit(I::Prmt(PrmtMode::Index), &[low, high, selector], Width::B32)
    }

    /// Returns the mask of the CTAs that get the data of a multicast, at operand `index`.
    fn ctas(&mut self, inst: InstId, index: usize) -> Result<Option<Value>, Reason> {
        if !self.input.body.has(inst, Mod::MulticastCluster) {
            return Ok(None);
        }
        let mask = self.operand(inst, index, Ty::U16)?;
        Ok(Some(self.resize(mask, Width::B32, Sign::U)))
    }

    /// Adds the cache policy, the operand after this one, if the instruction has one.
    fn policy_after(&mut self, inst: InstId, index: usize, args: &mut Vec<Value>) -> Result<Is, Reason> {
        if !self.input.body.has(inst, Mod::L2CacheHint) {
            return Ok(Is::No);
        }
        args.push(self.operand(inst, index + 1, Ty::B64)?);
        Ok(Is::Yes)
    }

    /// Lowers `cp.async.bulk` and `cp.reduce.async.bulk`.
    fn bulk(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        if has(Mod::IgnoreOob) || has(Mod::CpMask) {
            return not_yet();
        }
        let (op, ty) = if body.op(inst) == Op::CpReduceAsyncBulk {
            (self.reduction(inst)?, element(body.types(inst)[0])?)
        } else {
            (BulkOp::Copy, BulkTy::Bytes)
        };
        let (way, to, from) = match (has(Mod::Global), has(Mod::BulkGroup)) {
            (true, true) => (BulkWay::SharedToGlobal, Space::Global, Space::Shared),
            (true, false) if has(Mod::MulticastCluster) => (BulkWay::Multicast, Space::Shared, Space::Global),
            (true, false) => (BulkWay::GlobalToShared, Space::Shared, Space::Global),
            (false, _) => (BulkWay::SharedToShared, Space::Shared, Space::Shared),
        };
        let ctas = self.ctas(inst, 4)?;
        let mut args = vec![self.flat(inst, 0, to)?, self.flat(inst, 1, from)?, self.size(inst, 2, ctas)?];
        if way != BulkWay::SharedToGlobal {
            args.push(self.flat(inst, 3, Space::Shared)?);
        }
        let before = 2 + usize::from(way != BulkWay::SharedToGlobal) + usize::from(ctas.is_some());
        let policy = self.policy_after(inst, before, &mut args)?;
        self.emit_many(I::Bulk(Bulk { way, op, ty, policy }), &args, &[]);
        Ok(())
    }

    fn reduction(&self, inst: InstId) -> Result<BulkOp, Reason> {
        let body = self.input.body;
        let names = [
            (Mod::Add, BulkOp::Add),
            (Mod::Min, BulkOp::Min),
            (Mod::Max, BulkOp::Max),
            (Mod::Inc, BulkOp::Inc),
            (Mod::Dec, BulkOp::Dec),
            (Mod::And, BulkOp::And),
            (Mod::Or, BulkOp::Or),
            (Mod::Xor, BulkOp::Xor),
        ];
        match names.iter().find(|(m, _)| body.has(inst, *m)) {
            Some(&(_, op)) => Ok(op),
            None => not_yet(),
        }
    }

    /// Lowers tensor copies, reductions and prefetches.
    fn tensor(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let odd = [Mod::TileGather4, Mod::TileScatter4, Mod::Im2colW, Mod::Im2colW128];
        if body.one_of(inst, &odd).is_some() || has(Mod::CtaGroup1) || has(Mod::CtaGroup2) {
            return not_yet();
        }
        let im2col = has(Mod::Im2col) || has(Mod::Im2colNoOffs);
        let op = match body.op(inst) {
            Op::CpAsyncBulkPrefetchTensor => TensorOp::Prefetch,
            Op::CpAsyncBulkTensor if !has(Mod::BulkGroup) => TensorOp::Load,
            _ => TensorOp::Store,
        };
        let reduce = if body.op(inst) == Op::CpReduceAsyncBulkTensor { self.reduction(inst)? } else { BulkOp::Copy };
        let boxed = usize::from(op == TensorOp::Load);
        let Some(Operand::Bracket(list)) = body.operand(inst, boxed) else { return unsupported("this tensor operand") };
        let parts = body.list(list);
        let [map, Operand::Vec(at)] = parts[..] else { return unsupported("this tensor operand") };
        let mut args = vec![self.map_address(map)?];
        match op {
            TensorOp::Load => args.extend([self.flat(inst, 0, Space::Shared)?, self.flat(inst, 2, Space::Shared)?]),
            TensorOp::Store => args.push(self.flat(inst, 1, Space::Shared)?),
            TensorOp::Prefetch => {}
        }
        let coordinates = body.list(at);
        let dims = coordinates.len() as u8;
        for coordinate in coordinates {
            args.push(self.value(coordinate, Ty::S32)?);
        }
        // The tensor, and for a load the destination and the mbarrier object, for a store the source.
        let before = match op {
            TensorOp::Load => 2,
            TensorOp::Store => 1,
            TensorOp::Prefetch => 0,
        };
        let offsets = im2col && op != TensorOp::Store;
        let before = before + usize::from(offsets);
        let ctas = self.ctas(inst, before + 1)?;
        if offsets || ctas.is_some() {
            let zero = self.constant(0, Width::B32);
            let low = if offsets { self.im2col_offsets(inst, before, dims)? } else { zero };
            let extra = self.low_halves(low, ctas.unwrap_or(zero));
            args.push(extra);
        }
        let policy = self.policy_after(inst, before + usize::from(ctas.is_some()), &mut args)?;
        let tensor = Tensor { op, dims, multicast: ctas.is_some().into(), im2col: im2col.into(), reduce, policy };
        self.emit_many(I::Tensor(tensor), &args, &[]);
        Ok(())
    }

    /// Returns the offsets of im2col mode, operand `index`, in one word: one of 16 bits, two of 8, three of 5 (ptxas 13.0.88
    /// output).
    fn im2col_offsets(&mut self, inst: InstId, index: usize, dims: u8) -> Result<Value, Reason> {
        let body = self.input.body;
        let list = match body.operand(inst, index) {
            Some(Operand::Vec(list)) => body.list(list),
            _ => return unsupported("these offsets"),
        };
        let bits = match (dims, list.len()) {
            (3, 1) => 16,
            (4, 2) => 8,
            (5, 3) => 5,
            _ => return unsupported("offsets that are not two less than the coordinates"),
        };
        let mut word = self.constant(0, Width::B32);
        for &offset in list.iter().rev() {
            let by = self.constant(bits, Width::B32);
            let above = self.emit(I::Shl, &[word, by], Width::B32);
            let offset = self.value(offset, Ty::U16)?;
            let offset = self.resize(offset, Width::B32, Sign::U);
            word = self.emit(I::Or, &[above, offset], Width::B32);
        }
        Ok(word)
    }

    /// Returns the generic address of a tensor map.
    fn map_address(&mut self, map: Operand) -> Result<Value, Reason> {
        let (base, sym, offset) = match map {
            Operand::Reg(reg) => (Some(self.read(reg.as_u32())?), None, 0),
            Operand::Symbol(sym, offset) => (None, Some(sym), offset),
            Operand::Addr(Base::Sym(sym), offset) => (None, Some(sym), offset),
            other => self.address_parts(other)?,
        };
        let base = match (base, sym) {
            (Some(base), _) => base,
            (None, Some(sym)) => {
                let (space, _) = self.base_of(sym)?;
                let at = self.address_of(sym, 0)?;
                if space == Space::Global { at } else { self.generic_address(space, at) }
            }
            (None, None) => return unsupported("an absolute address of a tensor map"),
        };
        // The upper half of a 32-bit address is zero (ptxas 13.0.88 output for prefetch.tensormap).
        let base = self.resize(base, Width::B64, Sign::U);
        if offset == 0 {
            return Ok(base);
        }
        let by = self.constant(offset as u64, Width::B64);
        Ok(self.emit(I::Add, &[base, by], Width::B64))
    }

    /// Lowers `fence.proxy.tensormap::generic.acquire`: the map is read from memory when it is used
    /// next.
    pub(crate) fn acquire_map(&mut self, inst: InstId) -> Result<(), Reason> {
        let Some(map) = self.input.body.operand(inst, 0) else { return unsupported("a missing address") };
        let at = self.map_address(map)?;
        self.emit_many(I::TensorMap(MapOp::Invalidate), &[at], &[]);
        Ok(())
    }

    /// Lowers `prefetch.tensormap`.
    pub(crate) fn prefetch_map(&mut self, inst: InstId) -> Result<(), Reason> {
        let Some(map) = self.input.body.operand(inst, 0) else { return unsupported("a missing address") };
        let mut at = self.map_address(map)?;
        if self.input.body.has(inst, Mod::Param) && matches!(map, Operand::Addr(Base::Reg(_), _)) {
            let low = self.resize(at, Width::B32, Sign::U);
            at = self.generic_address(Space::Param, low);
        }
        self.emit_many(I::TensorMap(MapOp::Prefetch), &[at], &[]);
        Ok(())
    }
}

/// The most groups that a wait may leave pending: the machine counts no farther, and ptxas 13.0.88
/// makes this number of a greater one, of which it reads 32 bits.
const MOST_PENDING: u32 = 63;

/// The groups that a wait leaves pending.
pub(crate) fn pending_groups(written: u64) -> u8 {
    (written as u32).min(MOST_PENDING) as u8
}

fn element(ty: Ty) -> Result<BulkTy, Reason> {
    Ok(match ty {
        Ty::U32 | Ty::B32 => BulkTy::U32,
        Ty::S32 => BulkTy::S32,
        Ty::U64 | Ty::B64 => BulkTy::U64,
        Ty::S64 => BulkTy::S64,
        Ty::F16 => BulkTy::F16,
        Ty::Bf16 => BulkTy::Bf16,
        Ty::F32 => BulkTy::F32,
        Ty::F64 => BulkTy::F64,
        _ => return unsupported(format!("type .{}", ty.name())),
    })
}
