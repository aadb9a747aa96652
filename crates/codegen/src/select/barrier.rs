//! Named barriers of a CTA: `BAR` and the result of its reductions.
//!
//! Number and thread count are both immediates, or one of them in a register, or both in one
//! register: the number in its lowest four bits, the count from bit 16 on ("ptxas 13.0.88 output").
//! A count of zero means the whole CTA.

use raddle_ir::{BarOp, Value};
use smallvec::SmallVec;

use super::{Imm, Imm2, Part, Pp, Ra, Rb, Rc, Rd, Select, imm};
use crate::mir::{Given, MOp};
use crate::sass::{self, tokens as t};

/// Count of named barriers of a CTA.
const BARRIERS: u32 = 16;
/// The largest thread count.
const THREADS: u32 = 1024;

impl Select<'_> {
    pub(super) fn bar(&mut self, op: BarOp, args: &[Value], results: &[Value]) {
        // An undefined number or count may be any.
        let given = |part| if part == Part::Undef { Part::Imm(0) } else { part };
        let (id, count) = (given(self.part(args[0])), given(self.part(args[1])));
        let Some(mut given) = self.barrier_operands(id, count) else { return self.refuse() };
        self.m.barriers = match id {
            Part::Imm(id) => self.m.barriers.max(id as u8 + 1),
            _ => BARRIERS as u8,
        };
        let both = given.iter().all(|(role, _)| *role == Rb);
        let reduction = match op {
            BarOp::Sync if both => return self.emit(sass::bar_sync_of_one_register(), &given),
            BarOp::Sync => return self.emit(sass::bar_sync(), &given),
            BarOp::Arrive => return self.emit(sass::bar_arv(), &given),
            BarOp::Popc => t::BarReduction::Popc,
            BarOp::And => t::BarReduction::And,
            BarOp::Or => t::BarReduction::Or,
        };
        given.push((Pp, self.pred(args[2]).op()));
        self.emit(sass::bar_red(reduction), &given);
        if op == BarOp::Popc {
            let v = self.emit1(sass::b2r_result(), &[]);
            self.set_regs(results[0], &[v]);
        } else {
            let p = self.emit_pred(sass::b2r_result(), &[(Rd, MOp::zero())]);
            self.set_pred(results[0], p);
        }
    }

    /// Returns `None` for an invalid number or count.
    fn barrier_operands(&mut self, id: Part, count: Part) -> Option<Given> {
        let operands = match (id, count) {
            (Part::Imm(id), Part::Imm(count)) if id < BARRIERS && count <= THREADS => {
                [(Imm, imm(id)), (Imm2, imm(count))].into_iter().collect()
            }
            (Part::Imm(id), Part::Reg(count)) if id < BARRIERS => {
                [(Imm, imm(id)), (Rb, MOp::reg(count))].into_iter().collect()
            }
            (Part::Reg(id), Part::Imm(count)) if count <= THREADS => {
                [(Rb, MOp::reg(id)), (Imm2, imm(count))].into_iter().collect()
            }
            (Part::Reg(id), Part::Reg(count)) => {
                let count = self.emit1(sass::shf_l(), &[(Ra, MOp::reg(count)), (Rb, imm(16)), (Rc, MOp::zero())]);
                // count | id & 15.
                let table = (Imm, imm(0xf8));
                let both = self.emit1(sass::lop3(), &[(Ra, MOp::reg(count)), (Rb, imm(15)), (Rc, MOp::reg(id)), table]);
                SmallVec::from_iter([(Rb, MOp::reg(both))])
            }
            _ => return None,
        };
        Some(operands)
    }
}
