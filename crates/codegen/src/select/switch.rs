//! Jumps by an index: a table of code offsets in the constant pool, or comparisons for few targets.
//!
//! The shape is that of "ptxas 13.0.88 output": a table entry is the target's offset from the start
//! of the function, and the branch adds it to that start, encoded as a distance from the branch
//! ([`crate::emit::resolve`]).

use raddle_cubin::unit::RelocKind;
use raddle_ir::{Block, Value};
use raddle_sass::row::{File, SlotRole};
use smallvec::SmallVec;

use super::{BANK, Part, Pd, Ra, Rb, Rc, Rd, Select, imm};
use crate::mir::{MBlock, MEdge, MGuard, MKind, MOp, MReloc, MTarget, MTerm, Table};
use crate::sass::{self, tokens as t};

/// Least number of targets for a table: loading an entry takes about as long as this many
/// comparisons and branches.
const TABLE_FROM: usize = 4;
/// Size in bytes of an entry.
const ENTRY: u32 = 4;

impl Select<'_> {
    /// Selects `brx.idx`: an index beyond the last target is undefined (PTX ISA 9.0, 9.7.12.4).
    pub(super) fn switch(&mut self, index: Value, targets: &[Block]) -> MTerm {
        let x = self.part(index);
        let targets: Vec<MBlock> = targets.iter().filter_map(|t| self.blocks[*t]).collect();
        let size = targets.len() as u32 * ENTRY;
        // Offsets with an index are signed.
        let fits = self.m.pool < BANK / 2 && self.m.pool.saturating_add(size) <= BANK;
        match x {
            Part::Reg(index) if targets.len() >= TABLE_FROM && fits => {
                let at = self.m.pool;
                self.m.pool += size;
                self.table_jump(index, at);
                MTerm::Switch(Table { at, targets })
            }
            _ => self.comparisons(x, &targets),
        }
    }

    fn table_jump(&mut self, index: crate::mir::V, at: u32) {
        let byte = self.emit1(sass::shf_l(), &[(Ra, MOp::reg(index)), (Rb, imm(2)), (Rc, MOp::zero())]);
        let low = self.m.vreg(File::Gpr);
        let entry = |offset| MOp::new(MKind::CBank { bank: 2, offset, index: Some(byte) });
        let to = (Rd, MOp::reg(low));
        match self.cx.options.relocatable {
            // Linkers of objects put the tables of several functions into one bank.
            true => {
                let reloc = MReloc { kind: RelocKind::PoolOffset, of: MTarget::Pool, addend: at.into() };
                self.emit_full(sass::ldc(t::BankSize::None), &[to, (SlotRole::Misc, entry(0))], Some(reloc));
            }
            false => self.emit(sass::ldc(t::BankSize::None), &[to, (SlotRole::Misc, entry(at as i32))]),
        }
        let high = self.emit1(sass::shf_r_hi(t::Int32::S32), &[(Ra, MOp::zero()), (Rb, imm(31)), (Rc, MOp::reg(low))]);
        let start = MOp::new(MKind::FunctionStart);
        self.emit(sass::brx(), &[(Ra, MOp::regs(&[low, high])), (SlotRole::Target, start)]);
    }

    /// A chain of comparisons; the last target needs none.
    fn comparisons(&mut self, x: Part, targets: &[MBlock]) -> MTerm {
        let to = |to| MEdge { to, args: SmallVec::new() };
        if let Part::Imm(n) = x {
            return targets.get(n as usize).map_or(MTerm::Exit, |&t| MTerm::Jump(to(t)));
        }
        let Some((&last, rest)) = targets.split_last() else { return MTerm::Exit };
        for (n, &t) in rest.iter().enumerate() {
            let p = self.m.vreg(File::Pred);
            let a = self.op(x);
            self.emit(sass::isetp(t::IntCmp::Eq, t::Unsigned::U32), &[(Pd, MOp::reg(p)), (Ra, a), (Rb, imm(n as u32))]);
            if n + 1 == rest.len() {
                return MTerm::Branch { guard: MGuard::Virtual(p, false), then: to(t), other: to(last) };
            }
            let next = self.new_block();
            self.m.blocks[self.cur].term =
                MTerm::Branch { guard: MGuard::Virtual(p, false), then: to(t), other: to(next) };
            self.cur = next;
        }
        MTerm::Jump(to(last))
    }
}
