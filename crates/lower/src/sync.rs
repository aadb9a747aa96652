//! Barriers, fences, warp operations, and other instructions with an effect (PTX ISA 9.0, 9.7.13
//! and 9.7.14).

use crate::build::Lower;
use crate::memory::order_of;
use crate::reason::{Reason, not_yet, sign_of, unsupported};
use raddle_ir::{BarOp, Cond, Op as I, Order, ReduxOp, Scope, ShflMode, Sign, Space, Special, Value, VoteMode, Width};
use raddle_ptx::{InstId, Mod, Op, Operand, Ty};

impl Lower<'_> {
    /// Lowers the instructions of these families.
    pub(crate) fn sync(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let effect = |l: &mut Self, op, args: &[Value]| {
            l.emit_many(op, args, &[]);
            Ok(())
        };
        match body.op(inst) {
            Op::Bar | Op::Barrier => self.bar(inst),
            Op::BarWarpSync => {
                let mask = self.operand(inst, 0, Ty::B32)?;
                effect(self, I::WarpSync, &[mask])
            }
            Op::Membar => {
                let (_, scope) = order_of(body.mods(inst), Order::Sc);
                effect(self, I::Fence(Order::Sc, scope), &[])
            }
            Op::Fence => {
                let (order, scope) = order_of(body.mods(inst), Order::AcqRel);
                if scope == Scope::None {
                    return not_yet();
                }
                // One-sided fences become two-sided ones.
                let order = if order == Order::Sc { order } else { Order::AcqRel };
                effect(self, I::Fence(order, scope), &[])
            }
            // The barrier that publishes the initialised object orders it already (ptxas 13.0.88
            // emits nothing either).
            Op::FenceMbarrierInit => Ok(()),
            Op::FenceProxy => self.fence_proxy(inst),
            Op::Pmevent => match body.operand(inst, 0) {
                Some(Operand::Imm(event)) if has(Mod::Mask) && event.bits < 1 << 16 => {
                    effect(self, I::Pmevent(event.bits as u16), &[])
                }
                Some(Operand::Imm(event)) if !has(Mod::Mask) && event.bits < 16 => {
                    effect(self, I::Pmevent(1 << event.bits), &[])
                }
                _ => not_yet(),
            },
            Op::Shfl => self.shfl(inst),
            Op::Vote => self.vote(inst),
            Op::Match => self.match_(inst),
            Op::Redux => self.redux(inst),
            Op::Activemask => {
                let v = self.emit(I::ActiveMask, &[], Width::B32);
                self.set(inst, v)
            }
            Op::Elect => {
                let mask = self.operand(inst, 1, Ty::B32)?;
                if self.f.constant(mask) == Some(u64::from(u32::MAX)) {
                    let v = self.emit_many(I::Elect, &[mask], &[Width::B32, Width::P]);
                    return self.set_pair(inst, v[0], v[1]);
                }
                // Any lane is allowed, as long as it is the same for each mask: the lowest.
                self.emit_many(I::WarpSync, &[mask], &[]);
                let reversed = self.emit(I::Brev, &[mask], Width::B32);
                let lowest = self.emit(I::Clz, &[reversed], Width::B32);
                let lane = self.emit(I::Special(Special::LaneId), &[], Width::B32);
                let mine = self.icmp(Cond::Eq, Sign::U, lane, lowest);
                self.set_pair(inst, lowest, mine)
            }
            Op::Nanosleep => {
                let t = self.operand(inst, 0, Ty::U32)?;
                effect(self, I::Nanosleep, &[t])
            }
            Op::Griddepcontrol if has(Mod::Wait) => effect(self, I::GridDepWait, &[]),
            Op::Griddepcontrol => effect(self, I::GridDepLaunch, &[]),
            Op::Trap => effect(self, I::Trap, &[]),
            Op::Brkpt => effect(self, I::Brkpt, &[]),
            _ => not_yet(),
        }
    }

    /// Lowers `fence.proxy` (PTX ISA 9.0, 9.7.13.4; "ptxas 13.0.88 output").
    fn fence_proxy(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let (_, scope) = order_of(body.mods(inst), Order::AcqRel);
        if has(Mod::TensormapGeneric) && has(Mod::Acquire) {
            return self.acquire_map(inst);
        }
        let fences: &[I] = if has(Mod::Alias) {
            &[I::Fence(Order::Sc, Scope::Sys)]
        } else if has(Mod::Async) && has(Mod::Global) {
            &[I::FenceAsync(Space::Global)]
        } else if has(Mod::Async) && has(Mod::SharedCta) {
            &[I::Fence(Order::AcqRel, Scope::Cta), I::FenceAsync(Space::Shared)]
        } else if has(Mod::Async) {
            &[I::Fence(Order::AcqRel, Scope::Gpu), I::FenceAsync(Space::Shared)]
        } else if has(Mod::AsyncGeneric) {
            &[I::Fence(Order::AcqRel, Scope::Cluster)]
        } else if has(Mod::TensormapGeneric) && has(Mod::Release) && scope != Scope::None {
            &[I::Fence(Order::AcqRel, scope)]
        } else {
            return not_yet();
        };
        for &fence in fences {
            self.emit_many(fence, &[], &[]);
        }
        Ok(())
    }

    /// Lowers `bar` and `barrier` (PTX ISA 9.0, 9.7.13.1).
    fn bar(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let count = body.insts[inst].operand_count();
        let optional = |l: &mut Self, index: usize, there: bool| {
            if there { l.operand(inst, index, Ty::U32) } else { Ok(l.constant(0, Width::B32)) }
        };
        if !has(Mod::Red) {
            let id = optional(self, 0, true)?;
            let threads = optional(self, 1, count > 1)?;
            let op = if has(Mod::Arrive) { BarOp::Arrive } else { BarOp::Sync };
            self.emit_many(I::Bar(op), &[id, threads], &[]);
            return Ok(());
        }
        let id = optional(self, 1, true)?;
        let threads = optional(self, 2, count > 3)?;
        let p = self.operand(inst, count - 1, Ty::Pred)?;
        let (op, width) = match body.one_of(inst, &[Mod::Popc, Mod::And, Mod::Or]) {
            Some(Mod::Popc) => (BarOp::Popc, Width::B32),
            Some(Mod::And) => (BarOp::And, Width::P),
            _ => (BarOp::Or, Width::P),
        };
        let v = self.emit(I::Bar(op), &[id, threads, p], width);
        self.set(inst, v)
    }

    /// Lowers `shfl.sync d|p, a, b, c, mask` (PTX ISA 9.0, 9.7.9.6).
    fn shfl(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let mode = match body.one_of(inst, &[Mod::Up, Mod::Down, Mod::Bfly, Mod::Idx]) {
            Some(Mod::Up) => ShflMode::Up,
            Some(Mod::Down) => ShflMode::Down,
            Some(Mod::Bfly) => ShflMode::Bfly,
            Some(_) => ShflMode::Idx,
            None => return not_yet(),
        };
        if body.insts[inst].operand_count() != 5 {
            return unsupported("without a member mask");
        }
        let args = self.operands_from(inst, 1, 4, Ty::B32)?;
        let v = self.emit_many(I::Shfl(mode), &args, &[Width::B32, Width::P]);
        self.set_pair(inst, v[0], v[1])
    }

    /// Lowers `vote.sync d, p, mask` (PTX ISA 9.0, 9.7.13.10).
    fn vote(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let (mode, width) = match body.one_of(inst, &[Mod::All, Mod::Any, Mod::Uni, Mod::Ballot]) {
            Some(Mod::All) => (VoteMode::All, Width::P),
            Some(Mod::Any) => (VoteMode::Any, Width::P),
            Some(Mod::Uni) => (VoteMode::Uni, Width::P),
            Some(_) => (VoteMode::Ballot, Width::B32),
            None => return not_yet(),
        };
        if body.insts[inst].operand_count() != 3 {
            return unsupported("without a member mask");
        }
        let p = self.operand(inst, 1, Ty::Pred)?;
        let mask = self.operand(inst, 2, Ty::B32)?;
        let v = self.emit(I::Vote(mode), &[p, mask], width);
        self.set(inst, v)
    }

    /// Lowers `match.any.sync` and `match.all.sync` (PTX ISA 9.0, 9.7.13.11).
    fn match_(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst)[0];
        let a = self.operand(inst, 1, ty)?;
        let mask = self.operand(inst, 2, Ty::B32)?;
        if body.has(inst, Mod::Any) {
            let v = self.emit(I::MatchAny, &[a, mask], Width::B32);
            return self.set(inst, v);
        }
        let v = self.emit_many(I::MatchAll, &[a, mask], &[Width::B32, Width::P]);
        self.set_pair(inst, v[0], v[1])
    }

    /// Lowers `redux.sync` (PTX ISA 9.0, 9.7.13.13).
    fn redux(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst)[0];
        if ty.is_float() {
            return unsupported(format!("type .{}", ty.name()));
        }
        let op = match body.one_of(inst, &[Mod::Add, Mod::Min, Mod::Max, Mod::And, Mod::Or, Mod::Xor]) {
            Some(Mod::Add) => ReduxOp::Add,
            Some(Mod::Min) => ReduxOp::Min,
            Some(Mod::Max) => ReduxOp::Max,
            Some(Mod::And) => ReduxOp::And,
            Some(Mod::Or) => ReduxOp::Or,
            Some(_) => ReduxOp::Xor,
            None => return not_yet(),
        };
        let args = [self.operand(inst, 1, ty)?, self.operand(inst, 2, Ty::B32)?];
        let v = self.emit(I::Redux(op, sign_of(ty)), &args, Width::B32);
        self.set(inst, v)
    }
}
