//! Warp operations, and other operations with an effect.

use raddle_ir::{Cond, Op, ReduxOp, ShflMode, Sign, Value, VoteMode};
use raddle_sass::row::File;

use super::{Imm, Imm2, Part, Pd, Pp, Pr, Pred, Ra, Rb, Rc, Rd, Select, imm};
use crate::convention::UTEMP;
use crate::mir::{MInst, MKind, MOp};
use crate::sass::{self, Mnemonic, tokens as t};
use crate::siblings::with_uniform_predicate;

impl Select<'_> {
    pub(super) fn warp(&mut self, op: &Op, args: &[Value], results: &[Value]) {
        match *op {
            Op::Bar(b) => self.bar(b, args, results),
            Op::Shfl(mode) => self.shfl(mode, args, results),
            Op::Vote(mode) => self.vote(mode, args, results[0]),
            Op::MatchAny | Op::MatchAll => self.match_lanes(*op == Op::MatchAll, args, results),
            Op::Redux(op, sign) => self.redux(op, sign, args, results[0]),
            Op::ActiveMask => {
                let v = self.emit1(sass::vote(t::Vote::Any), &[(Pp, MOp::zero())]);
                self.set_regs(results[0], &[v]);
            }
            Op::WarpSync => self.warp_sync(args[0], true),
            Op::Nanosleep => {
                let t = self.part(args[0]);
                match t {
                    Part::Imm(n) => self.emit(sass::nanosleep(), &[(Imm, imm(n))]),
                    p => {
                        let o = MOp::reg(self.reg(p));
                        self.emit(sass::nanosleep(), &[(Rb, o)]);
                    }
                }
            }
            Op::GridDepWait => self.emit(sass::acqbulk(), &[]),
            Op::GridDepLaunch => self.emit(sass::preexit(), &[]),
            // A breakpoint without a debugger also ends the kernel (ptxas 13.0.88 output).
            Op::Trap | Op::Brkpt => self.emit(sass::bpt_trap(), &[(Imm, imm(1))]),
            Op::Pmevent(events) => self.emit(sass::pmtrig(), &[(Imm, imm(events.into()))]),
            Op::GiveRegisters(n) => self.emit(sass::usetmaxreg_dealloc(), &[(Imm, imm(n.into()))]),
            Op::TryRegisters(n) => {
                let there = self.m.vreg(File::Upred);
                self.emit(sass::usetmaxreg_try(), &[(Pd, MOp::reg(there)), (Imm, imm(n.into()))]);
                let p = self.copy_pred(Pred::Known(true));
                let copy = self.m.blocks[self.cur].insts.pop();
                let third = |i: &MInst| i.row().slots.iter().position(|slot| slot.role == Pr);
                let isa = self.native.isa;
                let copy = copy.and_then(|i| with_uniform_predicate(isa, &i, third(&i)?, there));
                let Some(copy) = copy else { return self.refuse() };
                self.m.blocks[self.cur].insts.push(copy);
                self.set_pred(results[0], Pred::Reg(p, false));
            }
            Op::Elect => self.elect(args[0], results),
            Op::MovMatrix => self.movmatrix(args[0], results[0]),
            Op::Mma(m) => self.mma(m, args, results),
            _ => self.refuse(),
        }
    }

    /// Synchronises the lanes of a mask. A full mask needs no instruction if all divergent regions
    /// have a barrier; an explicit `bar.warp.sync` gets one all the same.
    fn warp_sync(&mut self, mask: Value, explicit: bool) {
        match self.part(mask) {
            Part::Imm(u32::MAX) if !explicit && !self.unjoined => {}
            Part::Imm(u32::MAX) => self.all_lanes(),
            p => {
                let o = MOp::reg(self.reg(p));
                self.wait_for_lanes(sass::warpsync(), o);
            }
        }
    }

    fn all_lanes(&mut self) {
        if self.hopper() {
            self.emit(sass::warpsync_all(), &[]);
        } else {
            self.emit(sass::warpsync(), &[(Imm, imm(u32::MAX))]);
        }
    }

    /// Synchronises all lanes before an operation of the whole warp, if barriers may not do so.
    pub(super) fn whole_warp(&mut self) {
        if self.unjoined {
            self.all_lanes();
        }
    }

    fn wait_for_lanes(&mut self, name: Mnemonic, mask: MOp) {
        let role = if self.hopper() { Ra } else { Rb };
        self.emit(name, &[(role, mask)]);
    }

    /// Runs `f` with only the lanes of a mask active, for operations that include every active
    /// lane. Lanes that ran together before do so again afterwards.
    fn exclusively(&mut self, mask: Value, f: impl FnOnce(&mut Self)) {
        if self.part(mask) == Part::Imm(u32::MAX) {
            self.warp_sync(mask, false);
            return f(self);
        }
        let mask = self.part(mask);
        let together = self.emit1(sass::vote(t::Vote::Any), &[(Pp, MOp::zero())]);
        let o = MOp::reg(self.reg(mask));
        self.wait_for_lanes(sass::warpsync_exclusive(), o);
        f(self);
        self.wait_for_lanes(sass::warpsync(), MOp::reg(together));
    }

    fn elect(&mut self, mask: Value, results: &[Value]) {
        if self.part(mask) != Part::Imm(u32::MAX) {
            return self.refuse();
        }
        self.warp_sync(mask, false);
        let u = MOp::new(MKind::Uniform(UTEMP));
        let p = self.emit_pred(sass::elect(), &[(Rd, u.clone()), (Pp, MOp::zero())]);
        let v = self.emit1(sass::mov(), &[(Rb, u)]);
        self.set_regs(results[0], &[v]);
        self.set_pred(results[1], p);
    }

    fn shfl(&mut self, mode: ShflMode, args: &[Value], results: &[Value]) {
        let shuffle = match mode {
            ShflMode::Up => t::Shuffle::Up,
            ShflMode::Down => t::Shuffle::Down,
            ShflMode::Bfly => t::Shuffle::Bfly,
            ShflMode::Idx => t::Shuffle::Idx,
        };
        self.warp_sync(args[3], false);
        let (a, lane, clamp) = (self.part(args[0]), self.part(args[1]), self.part(args[2]));
        let a = MOp::reg(self.reg(a));
        let d = self.m.vreg(File::Gpr);
        let p = self.m.vreg(File::Pred);
        let mut given = vec![(Pd, MOp::reg(p)), (Rd, MOp::reg(d)), (Ra, a)];
        match (lane, clamp) {
            (Part::Imm(b), Part::Imm(c)) => given.extend([(Imm, imm(b & 31)), (Imm2, imm(c & 0x1fff))]),
            (Part::Imm(b), c) => {
                let c = MOp::reg(self.reg(c));
                given.extend([(Imm, imm(b & 31)), (Rc, c)]);
            }
            (b, Part::Imm(c)) => {
                let b = MOp::reg(self.reg(b));
                given.extend([(Rb, b), (Imm, imm(c & 0x1fff))]);
            }
            (b, c) => {
                let (b, c) = (MOp::reg(self.reg(b)), MOp::reg(self.reg(c)));
                given.extend([(Rb, b), (Rc, c)]);
            }
        }
        self.emit(sass::shfl(shuffle), &given);
        self.set_regs(results[0], &[d]);
        self.set_pred(results[1], Pred::Reg(p, false));
    }

    fn vote(&mut self, mode: VoteMode, args: &[Value], r: Value) {
        self.warp_sync(args[1], false);
        let p = self.pred(args[0]).op();
        let mask = self.part(args[1]);
        if mask != Part::Imm(u32::MAX) {
            return self.vote_of_some(mode, p, mask, r);
        }
        let name = match mode {
            VoteMode::All => sass::vote(t::Vote::All),
            VoteMode::Any | VoteMode::Ballot => sass::vote(t::Vote::Any),
            VoteMode::Uni => sass::vote(t::Vote::Eq),
        };
        if mode == VoteMode::Ballot {
            let v = self.emit1(name, &[(Pp, p)]);
            self.set_regs(r, &[v]);
        } else {
            let v = self.emit_pred(name, &[(Pp, p)]);
            self.set_pred(r, v);
        }
    }

    /// Lanes outside the mask may be active: only those of the mask count.
    fn vote_of_some(&mut self, mode: VoteMode, p: MOp, mask: Part, r: Value) {
        let all = Part::Reg(self.emit1(sass::vote(t::Vote::Any), &[(Pp, p)]));
        let votes = self.lop(all, mask, 0xc0);
        let (none, every) = (Part::Imm(0), mask);
        let holds = match mode {
            VoteMode::Ballot => return self.set(r, &[votes]),
            VoteMode::Any => self.icmp32(Cond::Ne, Sign::U, votes, none),
            VoteMode::All => self.icmp32(Cond::Eq, Sign::U, votes, every),
            VoteMode::Uni => {
                let all = self.icmp32(Cond::Eq, Sign::U, votes, every);
                let none = self.icmp32(Cond::Eq, Sign::U, votes, none);
                self.plop3(all, none, Pred::Known(true), 0xf0 | 0xcc)
            }
        };
        self.set_pred(r, holds);
    }

    fn match_lanes(&mut self, all: bool, args: &[Value], results: &[Value]) {
        let parts = self.parts(args[0]);
        let wide = if parts.len() == 2 { t::Wide::U64 } else { t::Wide::None };
        let a = self.regs(&parts);
        let d = self.m.vreg(File::Gpr);
        if all {
            let p = self.m.vreg(File::Pred);
            self.exclusively(args[1], |s| {
                s.emit(sass::match_all(wide), &[(Pd, MOp::reg(p)), (Rd, MOp::reg(d)), (Ra, a)]);
            });
            self.set_pred(results[1], Pred::Reg(p, false));
            return self.set_regs(results[0], &[d]);
        }
        self.warp_sync(args[1], false);
        self.emit(sass::match_any(wide), &[(Rd, MOp::reg(d)), (Ra, a)]);
        let lanes = match self.part(args[1]) {
            Part::Imm(u32::MAX) => Part::Reg(d),
            mask => self.lop(Part::Reg(d), mask, 0xc0),
        };
        self.set(results[0], &[lanes]);
    }

    fn redux(&mut self, op: ReduxOp, sign: Sign, args: &[Value], r: Value) {
        let a = self.part(args[0]);
        let a = MOp::reg(self.reg(a));
        let signed = if sign == Sign::S { t::Signed::S32 } else { t::Signed::None };
        let (reduction, signed) = match op {
            ReduxOp::Add => (t::Reduction::Sum, signed),
            ReduxOp::Min => (t::Reduction::Min, signed),
            ReduxOp::Max => (t::Reduction::Max, signed),
            ReduxOp::And => (t::Reduction::None, t::Signed::None),
            ReduxOp::Or => (t::Reduction::Or, t::Signed::None),
            ReduxOp::Xor => (t::Reduction::Xor, t::Signed::None),
        };
        let v = self.m.vreg(File::Gpr);
        self.exclusively(args[1], |s| {
            let u = MOp::new(MKind::Uniform(UTEMP));
            s.emit(sass::redux(reduction, signed), &[(Rd, u.clone()), (Ra, a)]);
            s.emit(sass::mov(), &[(Rd, MOp::reg(v)), (Rb, u)]);
        });
        self.set_regs(r, &[v]);
    }
}
