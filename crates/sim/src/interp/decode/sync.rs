//! Decodes barriers, fences, and operations at which the threads of a warp meet.

use super::super::alu::Alu;
use super::super::code::*;
use super::super::fpu::{Fpu, FpuOp};
use super::{Decoded, Decoder, float, int};
use crate::float::{MinMax, Mode};
use raddle_ptx::{Mod, Op, Operand, Ty};

impl Decoder<'_> {
    /// Decodes an instruction of these families; returns false for others.
    pub(super) fn synchronization(&mut self, op: Op) -> Decoded<bool> {
        match op {
            Op::Bar => self.barrier(true)?,
            Op::Barrier => self.barrier(self.has(Mod::Aligned))?,
            Op::BarWarpSync => {
                let [members] = self.exactly()?;
                self.meet(members, SyncOp::Wait)?;
            }
            Op::Shfl => self.shfl()?,
            Op::Vote => self.vote()?,
            Op::Match => {
                let ty = self.ty(0)?;
                let [d, value, members] = self.exactly()?;
                let (dst, same) = self.row_and_pred(d)?;
                let value = self.source(value, ty)?;
                let all = self.has(Mod::All);
                self.meet(members, SyncOp::Match { all, dst, same, value })?;
            }
            Op::Redux => {
                let ty = self.ty(0)?;
                let [d, value, members] = self.exactly()?;
                let (dst, value) = (self.target(d)?, self.source(value, ty)?);
                let op = self.redux(ty)?;
                self.meet(members, SyncOp::Redux { op, dst, value })?;
            }
            Op::Elect => {
                let [d, members] = self.exactly()?;
                let (dst, leader) = self.row_and_pred(d)?;
                self.meet(members, SyncOp::Elect { dst, leader })?;
            }
            Op::Activemask => {
                let [d] = self.exactly()?;
                let dst = self.target(d)?;
                self.push(Kind::ActiveMask { dst });
            }
            Op::FenceProxy if self.has(Mod::Async) => self.fence_proxy(),
            Op::FenceProxy if self.has(Mod::AsyncGeneric) => {
                self.fence_proxy();
                self.push(Kind::Fence);
            }
            Op::FenceProxy if self.has(Mod::TensormapGeneric) && self.has(Mod::Acquire) => self.map_fence()?,
            Op::Membar | Op::Fence | Op::FenceProxy | Op::FenceMbarrierInit => self.push(Kind::Fence),
            // There is one grid: a dependency on another one is met.
            Op::Nanosleep | Op::Griddepcontrol | Op::Pmevent => self.push(Kind::Nothing),
            _ => return self.asynchronous(op),
        }
        Ok(true)
    }

    fn barrier(&mut self, aligned: bool) -> Decoded<()> {
        let operands = self.operands();
        let wait = !self.has(Mod::Arrive);
        let (number, threads, reduce) = if self.has(Mod::Red) {
            let (d, number, threads, by) = match *operands.as_slice() {
                [d, number, by] => (d, number, None, by),
                [d, number, threads, by] => (d, number, Some(threads), by),
                _ => return Err("operands".into()),
            };
            let result = if self.has(Mod::Popc) {
                Reduce::Popc(self.target(d)?)
            } else {
                let Operand::Reg(d) = d else { return Err("destination".into()) };
                let d = self.pred(d)?;
                if self.has(Mod::Or) { Reduce::Or(d) } else { Reduce::And(d) }
            };
            (number, threads, Some((result, self.pred_source(by)?)))
        } else {
            match *operands.as_slice() {
                [number] => (number, None, None),
                [number, threads] => (number, Some(threads), None),
                _ => return Err("operands".into()),
            }
        };
        let number = self.source(number, Ty::U32)?;
        let threads = threads.map(|t| self.source(t, Ty::U32)).transpose()?;
        self.push(Kind::Barrier(Box::new(Barrier { number, threads, wait, aligned, reduce })));
        Ok(())
    }

    fn meet(&mut self, members: Operand, op: SyncOp) -> Decoded<()> {
        let members = self.source(members, Ty::B32)?;
        let meeting = self.meeting();
        self.push(Kind::Warp(Box::new(WarpSync { op, members, meeting })));
        Ok(())
    }

    /// Returns the rows of `d|p` or `d`.
    fn row_and_pred(&mut self, operand: Operand) -> Decoded<(Option<Row>, Option<Pred>)> {
        Ok(match operand {
            Operand::Pair(d, p) => (d.map(|d| self.row(d)).transpose()?, p.map(|p| self.pred(p)).transpose()?),
            Operand::Sink => (None, None),
            other => (Some(self.target(other)?), None),
        })
    }

    fn shfl(&mut self) -> Decoded<()> {
        if !self.has(Mod::Sync) {
            return Err("shfl without .sync".into());
        }
        let [d, value, lane, clamp, members] = self.exactly()?;
        let modes = [
            (Mod::Up, ShflMode::Up),
            (Mod::Down, ShflMode::Down),
            (Mod::Bfly, ShflMode::Bfly),
            (Mod::Idx, ShflMode::Idx),
        ];
        let mode = modes.iter().find(|(m, _)| self.has(*m)).ok_or("mode")?.1;
        let (dst, valid) = self.row_and_pred(d)?;
        let value = self.source(value, Ty::B32)?;
        let (lane, clamp) = (self.source(lane, Ty::B32)?, self.source(clamp, Ty::B32)?);
        self.meet(members, SyncOp::Shfl { mode, dst, valid, value, lane, clamp })
    }

    fn vote(&mut self) -> Decoded<()> {
        if !self.has(Mod::Sync) {
            return Err("vote without .sync".into());
        }
        let [d, source, members] = self.exactly()?;
        let source = self.pred_source(source)?;
        let op = if self.has(Mod::Ballot) {
            VoteOp::Ballot(self.target(d)?)
        } else {
            let Operand::Reg(d) = d else { return Err("destination".into()) };
            let d = self.pred(d)?;
            if self.has(Mod::Any) {
                VoteOp::Any(d)
            } else if self.has(Mod::Uni) {
                VoteOp::Uni(d)
            } else {
                VoteOp::All(d)
            }
        };
        self.meet(members, SyncOp::Vote { op, source })
    }

    fn redux(&self, ty: Ty) -> Decoded<Alu> {
        let max = self.has(Mod::Max);
        if ty.is_float() {
            let (format, lanes) = float(ty)?;
            if self.has(Mod::Abs) {
                return Err("redux.abs".into());
            }
            let how = MinMax { max, nan: self.has(Mod::NaN), ..MinMax::default() };
            return Ok(Alu::Fpu(Fpu { op: FpuOp::MinMax(how), format, mode: Mode::RN, lanes }));
        }
        let known = [
            (Mod::Add, Alu::Add(int(ty)?)),
            (Mod::Min, Alu::Min { ty: int(ty)?, relu: false }),
            (Mod::Max, Alu::Max { ty: int(ty)?, relu: false }),
            (Mod::And, Alu::And),
            (Mod::Or, Alu::Or),
            (Mod::Xor, Alu::Xor),
        ];
        known.into_iter().find(|(m, _)| self.has(*m)).map(|(_, op)| op).ok_or_else(|| "operation".into())
    }
}
