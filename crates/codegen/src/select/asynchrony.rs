//! Asynchronous operations: mbarrier objects, bulk and tensor copies, the barrier of a cluster
//! ("ptxas 13.0.88 output").
//!
//! Bulk and tensor copies take their operands from uniform registers and run once per warp;
//! [`crate::expand`] has arranged that the active lanes agree on them.

use raddle_ir::{
    AtomOp, Aty, Bulk, BulkOp, BulkTy, BulkWay, ClusterOp, Is, MapOp, Mbar, MbarOp, Mty, Op, Space, Tensor, TensorOp,
    Value,
};
use raddle_sass::row::{File, SlotRole};

use super::{Imm, Part, Pd, Pp, Pred, Ra, Rb, Rc, Rd, Select, imm};
use crate::mir::{MGuard, MKind, MOp, Regs};
use crate::sass::{self, Mnemonic, tokens as t};

/// All scoreboards.
const EVERY: u32 = 0x3f;
/// Lanes of a warp and no bound, as `SHFL` encodes them.
const WHOLE_WARP: u32 = 31;

impl Select<'_> {
    pub(super) fn asynchronous(&mut self, op: &Op, args: &[Value], results: &[Value]) {
        match *op {
            Op::Mbar(m) => self.mbar(m, args, results),
            Op::Bulk(bulk) => self.bulk(bulk, args),
            Op::Tensor(tensor) => self.tensor(tensor, args),
            Op::BulkCommit => self.emit(sass::utmacmdflush(), &[]),
            Op::BulkWait(pending, read) => {
                self.cp_async_wait(pending);
                if read == 0 {
                    self.emit(sass::cctl_ivall(), &[]);
                }
            }
            Op::TensorMap(op) => {
                let map = self.uniform(&args[..1]);
                let row = match op {
                    MapOp::Prefetch => sass::utmacctl_pf(),
                    MapOp::Invalidate => {
                        let unused = [(SlotRole::Misc, MOp::new(MKind::Scoreboard(0))), (Imm, imm(0))];
                        let [scoreboard, count] = unused;
                        self.emit(sass::depbar(), &[scoreboard, count, (SlotRole::Misc, MOp::new(MKind::Set(EVERY)))]);
                        sass::utmacctl_iv()
                    }
                };
                self.emit(row, &[(SlotRole::Addr, map)]);
            }
            Op::StoreAsync(ty) => self.store_async(ty, args),
            Op::RedAsync(op, ty) => self.red_async(op, ty, args),
            Op::ClusterBar(ClusterOp::Arrive | ClusterOp::ArriveRelaxed) => self.emit(sass::ucgabar_arv(), &[]),
            Op::ClusterBar(ClusterOp::Wait) => self.emit(sass::ucgabar_wait(), &[]),
            Op::Leads => {
                let p = self.emit_pred(sass::elect(), &[(Pp, MOp::zero())]);
                self.set_pred(results[0], p);
            }
            Op::Leader => self.leader(args[0], results[0]),
            _ => self.refuse(),
        }
    }

    /// The value of one of the active lanes, the highest.
    fn leader(&mut self, v: Value, r: Value) {
        let lanes = self.emit1(sass::vote(t::Vote::Any), &[(Pp, MOp::zero())]);
        let lane = self.emit1(sass::flo(t::Unsigned::U32, t::Distance::None), &[(Rb, MOp::reg(lanes))]);
        let part = self.part(v);
        let v = MOp::reg(self.reg(part));
        let unused = self.m.vreg(File::Pred);
        let given = [(Pd, MOp::reg(unused)), (Ra, v), (Rb, MOp::reg(lane)), (Imm, imm(WHOLE_WARP))];
        let v = self.emit1(sass::shfl(t::Shuffle::Idx), &given);
        self.set_regs(r, &[v]);
    }

    /// Moves the words of values to consecutive uniform registers.
    pub(super) fn uniform(&mut self, values: &[Value]) -> MOp {
        let parts: Vec<Part> = values.iter().flat_map(|&v| self.parts(v)).collect();
        let registers: Regs = parts
            .into_iter()
            .map(|part| {
                let u = self.m.vreg(File::Ugpr);
                match part {
                    Part::Reg(v) => self.emit(sass::r2ur(), &[(Rd, MOp::reg(u)), (Ra, MOp::reg(v))]),
                    Part::Imm(n) => self.emit(sass::umov(), &[(Rd, MOp::reg(u)), (Imm, imm(n))]),
                    Part::Undef => self.emit(sass::umov(), &[(Rd, MOp::reg(u)), (Imm, imm(0))]),
                }
                u
            })
            .collect();
        MOp::new(MKind::Regs(registers))
    }

    fn mbar(&mut self, m: Mbar, args: &[Value], results: &[Value]) {
        let optout = if m.drop == Is::Yes { t::Optout::Optout } else { t::Optout::None };
        let red = if m.cluster == Is::Yes { t::SyncsRed::Red } else { t::SyncsRed::None };
        match m.op {
            MbarOp::Init => self.init(args),
            MbarOp::Inval => {
                let at = self.addr(args[0], Space::Shared, 0);
                self.emit(sass::syncs_inval(), &[(SlotRole::Addr, at)]);
            }
            MbarOp::Arrive if !self.hopper() => self.arrive_in_words(args, results),
            MbarOp::Arrive | MbarOp::ArriveNoComplete => {
                let (count, number) = match self.part(args[1]) {
                    Part::Imm(1) => (t::SyncsCount::A1t0, MOp::zero()),
                    n => (t::SyncsCount::Art0, MOp::reg(self.reg(n))),
                };
                self.arrive((red, optout, count), number, args[0], results);
            }
            MbarOp::ArriveTx => {
                let bytes = self.register(args[1]);
                self.arrive((red, optout, t::SyncsCount::None), bytes, args[0], results);
            }
            MbarOp::ExpectTx => {
                let bytes = self.register(args[1]);
                self.arrive((t::SyncsRed::Red, optout, t::SyncsCount::A0tr), bytes, args[0], results);
            }
            MbarOp::CompleteTx => {
                let bytes = self.register(args[1]);
                self.arrive((t::SyncsRed::Red, optout, t::SyncsCount::A0tx), bytes, args[0], results);
            }
            MbarOp::ArriveCopies | MbarOp::ArriveCopiesNoinc => self.arrive_copies(m.op, args[0]),
            MbarOp::TestWait | MbarOp::TryWait => {
                let wait = if m.op == MbarOp::TryWait { t::TryWait::Trywait } else { t::TryWait::None };
                let at = self.addr(args[0], Space::Shared, 0);
                let phase = self.register(args[1]);
                let p = self.emit_pred(sass::syncs_phasechk(wait), &[(SlotRole::Addr, at), (Rb, phase)]);
                self.set_pred(results[0], p);
                if m.acquire == Is::Yes {
                    self.emit(sass::cctl_ivall(), &[]);
                    if let (Pred::Reg(p, not), Some(last)) = (p, self.m.blocks[self.cur].insts.last_mut()) {
                        last.guard = MGuard::Virtual(p, not);
                    }
                }
            }
        }
    }

    /// A value of 32 bits in a register, or `RZ`.
    fn register(&mut self, v: Value) -> MOp {
        match self.part(v) {
            Part::Imm(0) => MOp::zero(),
            part => MOp::reg(self.reg(part)),
        }
    }

    /// The object's word counts up: 2^20 less what is expected, from bit 1 and from bit 43 on.
    fn init(&mut self, args: &[Value]) {
        let count = self.part(args[1]);
        let words = match self.sub32(Part::Imm(1 << 20), count) {
            Part::Imm(n) => [Part::Imm(n << 1), Part::Imm(n << 11)],
            n => [1, 11].map(|by| self.shift_left(n, Part::Imm(by))),
        };
        let at = self.uniform(&args[..1]);
        let words: Regs = words
            .into_iter()
            .map(|part| {
                let u = self.m.vreg(File::Ugpr);
                match part {
                    Part::Imm(n) => self.emit(sass::umov(), &[(Rd, MOp::reg(u)), (Imm, imm(n))]),
                    part => {
                        let v = self.reg(part);
                        self.emit(sass::r2ur(), &[(Rd, MOp::reg(u)), (Ra, MOp::reg(v))]);
                    }
                }
                u
            })
            .collect();
        self.emit(sass::fence_view_async(t::AsyncSpace::S), &[]);
        let given = [(SlotRole::Addr, at), (Rb, MOp::new(MKind::Regs(words)))];
        self.emit(sass::syncs_exch(), &given);
    }

    fn arrive(
        &mut self,
        (red, optout, count): (t::SyncsRed, t::Optout, t::SyncsCount),
        number: MOp,
        object: Value,
        results: &[Value],
    ) {
        let at = self.addr(object, Space::Shared, 0);
        let row = sass::syncs_arrive(red, optout, count);
        match results {
            [] => self.emit(row, &[(SlotRole::Addr, at), (Rb, number)]),
            [state, ..] => {
                let v = self.emit_wide(2, row, &[(SlotRole::Addr, at), (Rb, number)]);
                self.set_regs(*state, &v);
            }
        }
    }

    /// One arrival before sm_90.
    fn arrive_in_words(&mut self, args: &[Value], results: &[Value]) {
        if self.part(args[1]) != Part::Imm(1) {
            return self.refuse();
        }
        let at = self.addr(args[0], Space::Shared, 0);
        let v = self.emit_wide(2, sass::atoms_arrive(), &[(SlotRole::Addr, at)]);
        if let [state, ..] = results {
            self.set_regs(*state, &v);
        }
    }

    fn arrive_copies(&mut self, op: MbarOp, object: Value) {
        let at = self.uniform(&[object]);
        if !self.hopper() {
            return self.emit(sass::arrives(), &[(SlotRole::Addr, at)]);
        }
        let how = if op == MbarOp::ArriveCopies {
            let row = sass::syncs_arrive(t::SyncsRed::Red, t::Optout::None, t::SyncsCount::A0t1);
            self.emit(row, &[(SlotRole::Addr, at.clone()), (Rb, MOp::zero())]);
            t::CopiesCounted::Transcnt
        } else {
            t::CopiesCounted::Arvcnt
        };
        self.emit(sass::arrives_counted(how), &[(SlotRole::Addr, at)]);
    }

    fn bulk(&mut self, bulk: Bulk, args: &[Value]) {
        let row = match (bulk.way, bulk.op) {
            (BulkWay::GlobalToShared, BulkOp::Copy) => sass::ublkcp_sg(t::Multicast::None),
            (BulkWay::Multicast, BulkOp::Copy) => sass::ublkcp_sg(t::Multicast::Multicast),
            (BulkWay::SharedToGlobal, BulkOp::Copy) => sass::ublkcp_gs(),
            (BulkWay::SharedToShared, BulkOp::Copy) => sass::ublkcp_ss(),
            (BulkWay::Prefetch, BulkOp::Copy) => sass::ublkpf(),
            (way @ (BulkWay::SharedToGlobal | BulkWay::SharedToShared), op) => {
                let to = if way == BulkWay::SharedToGlobal { t::BulkTo::G } else { t::BulkTo::S };
                match reduction(op) {
                    Some(op) => sass::ublkred(to, op, bulk_ty(bulk.ty)),
                    None => return self.refuse(),
                }
            }
            _ => return self.refuse(),
        };
        let (args, policy) = args.split_at(args.len() - usize::from(bulk.policy == Is::Yes));
        if bulk.way == BulkWay::Prefetch {
            let (from, size) = (self.uniform(&args[..1]), self.uniform(&args[1..]));
            return self.emit_with_policy(row, vec![(SlotRole::Addr, from), (Rc, size)], policy);
        }
        // To shared memory, its address and that of the mbarrier object are one operand.
        let to = match args.get(3) {
            Some(&object) => self.uniform(&[args[0], object]),
            None => self.uniform(&args[..1]),
        };
        let (from, size) = (self.uniform(&args[1..2]), self.uniform(&args[2..3]));
        self.emit_with_policy(row, vec![(SlotRole::Addr, to), (SlotRole::Addr2, from), (Rc, size)], policy);
    }

    /// Emits a copy with its cache policy, if there is one, in two uniform registers.
    fn emit_with_policy(&mut self, row: Mnemonic, mut given: Vec<(SlotRole, MOp)>, policy: &[Value]) {
        if !policy.is_empty() {
            given.push((SlotRole::Rx, self.uniform(policy)));
        }
        self.emit(row, &given);
    }

    fn tensor(&mut self, tensor: Tensor, args: &[Value]) {
        let dims = match tensor.dims {
            1 => t::Dims::N1d,
            2 => t::Dims::N2d,
            3 => t::Dims::N3d,
            4 => t::Dims::N4d,
            _ => t::Dims::N5d,
        };
        let (args, policy) = args.split_at(args.len() - usize::from(tensor.policy == Is::Yes));
        // Offsets of im2col mode and the CTAs of a multicast are one operand.
        let (list, more) = args[1..].split_at(args.len() - 1 - usize::from(tensor.has_offsets_or_ctas()));
        let multicast = if tensor.multicast == Is::Yes { t::Multicast::Multicast } else { t::Multicast::None };
        let im2col = tensor.im2col == Is::Yes;
        let row = match (tensor.op, reduction(tensor.reduce)) {
            (TensorOp::Load, _) if im2col => sass::utmaldg_im2col(dims, multicast),
            (TensorOp::Load, _) if more.is_empty() => sass::utmaldg(dims),
            (TensorOp::Load, _) => sass::utmaldg_multicast(dims),
            (TensorOp::Store, None) if im2col => sass::utmastg_im2col(dims),
            (TensorOp::Store, None) => sass::utmastg(dims),
            (TensorOp::Store, Some(op)) if im2col => sass::utmaredg_im2col(dims, op),
            (TensorOp::Store, Some(op)) => sass::utmaredg(dims, op),
            (TensorOp::Prefetch, _) if im2col => sass::utmapf_im2col(dims),
            (TensorOp::Prefetch, _) => sass::utmapf(dims),
        };
        let (list, map) = (self.uniform(list), self.uniform(&args[..1]));
        let mut given = vec![(SlotRole::Addr, list), (SlotRole::Addr2, map)];
        if !more.is_empty() {
            given.push((Rc, self.uniform(more)));
        }
        self.emit_with_policy(row, given, policy);
    }

    /// The operand with the two addresses of a store to another CTA.
    fn two_addresses(&mut self, args: &[Value]) -> MOp {
        let base: Regs = [args[0], args[1]].map(|v| self.part(v)).into_iter().map(|p| self.reg(p)).collect();
        MOp::new(MKind::Addr { base, phys: None, desc: None, offset: 0 })
    }

    fn store_async(&mut self, ty: Mty, args: &[Value]) {
        let at = self.two_addresses(args);
        let parts: Vec<Part> = args[2..].iter().flat_map(|&v| self.parts(v)).collect();
        let size = match (ty, parts.len()) {
            (Mty::B32 | Mty::B64, 1) => t::CopySize::None,
            (Mty::B32 | Mty::B64, 2) => t::CopySize::N64,
            (Mty::B32 | Mty::B64, 4) => t::CopySize::N128,
            _ => return self.refuse(),
        };
        let values = self.regs(&parts);
        self.emit(sass::stas(size), &[(SlotRole::Addr, at), (Rb, values)]);
    }

    fn red_async(&mut self, op: AtomOp, ty: Aty, args: &[Value]) {
        let op = match op {
            AtomOp::Add => t::RedInt::Add,
            AtomOp::Min => t::RedInt::Min,
            AtomOp::Max => t::RedInt::Max,
            AtomOp::Inc => t::RedInt::Inc,
            AtomOp::Dec => t::RedInt::Dec,
            AtomOp::And => t::RedInt::And,
            AtomOp::Or => t::RedInt::Or,
            AtomOp::Xor => t::RedInt::Xor,
            AtomOp::Exch | AtomOp::Cas => return self.refuse(),
        };
        let ty = match ty {
            Aty::U32 => t::RedasTy::None,
            Aty::S32 => t::RedasTy::S32,
            Aty::U64 => t::RedasTy::N64,
            _ => return self.refuse(),
        };
        let at = self.two_addresses(args);
        let parts = self.parts(args[2]);
        let value = self.regs(&parts);
        self.emit(sass::redas(op, ty), &[(SlotRole::Addr, at), (Rb, value)]);
    }
}

fn reduction(op: BulkOp) -> Option<t::RedInt> {
    Some(match op {
        BulkOp::Copy => return None,
        BulkOp::Add => t::RedInt::Add,
        BulkOp::Min => t::RedInt::Min,
        BulkOp::Max => t::RedInt::Max,
        BulkOp::Inc => t::RedInt::Inc,
        BulkOp::Dec => t::RedInt::Dec,
        BulkOp::And => t::RedInt::And,
        BulkOp::Or => t::RedInt::Or,
        BulkOp::Xor => t::RedInt::Xor,
    })
}

fn bulk_ty(ty: BulkTy) -> t::BulkTy {
    match ty {
        BulkTy::Bytes | BulkTy::U32 => t::BulkTy::None,
        BulkTy::S32 => t::BulkTy::S32,
        BulkTy::U64 => t::BulkTy::U64,
        BulkTy::S64 => t::BulkTy::S64,
        BulkTy::F16 => t::BulkTy::F16Rn,
        BulkTy::Bf16 => t::BulkTy::Bf16Rn,
        BulkTy::F32 => t::BulkTy::F32Rn,
        BulkTy::F64 => t::BulkTy::F64Rn,
    }
}
