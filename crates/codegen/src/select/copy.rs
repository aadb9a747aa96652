//! Asynchronous copies from global to shared memory: `LDGSTS`, commit groups and waits.
//!
//! Forms are "ptxas 13.0.88 output". `.ZFILL` encodes the number of bytes to read in the address:
//! it reads from the address rounded down to the size of the copy, as many bytes fewer as were cut
//! off, and fills the rest with zeros. The predicate disables reading. A group increments
//! scoreboard 0 (`LDGDEPBAR`); `DEPBAR.LE` waits for all but the last few.

use raddle_ir::{Cache, Cond, Prefetch, Sign, Space, Value, Width};
use raddle_sass::Op;
use raddle_sass::form::find;
use raddle_sass::row::{SlotRole, Space as Touched};

use super::memory::ltc;
use super::{Imm, Part, Pp, Pred, Rd, Select, imm};
use crate::mir::{MGuard, MInst, MKind, MOp, Regs};
use crate::sass::{self, tokens as t};

/// Loads that never execute before copies, on sm_90.
const BEFORE_COPIES: usize = 3;
/// And before memory barriers.
const BEFORE_FENCES: usize = 4;
/// The guard that never holds.
const NEVER: MGuard = MGuard::Phys(raddle_sass::PT, true);

impl Select<'_> {
    pub(super) fn cp_async(&mut self, size: u8, cache: Cache, prefetch: Prefetch, args: &[Value]) {
        let to = self.addr_within(args[0], Space::Shared, 0, 20);
        let from = self.addr_within(args[1], Space::Global, 0, 12);
        let bypass = if cache == Cache::Cg { t::Bypass::Bypass } else { t::Bypass::None };
        let width = match size {
            4 => t::CopySize::None,
            8 => t::CopySize::N64,
            16 => t::CopySize::N128,
            _ => return self.refuse(),
        };
        let whole = (from.clone(), Pred::Known(true), t::Zfill::None);
        let (from, reads, fill) = match args.get(2) {
            None => whole,
            Some(&ignored) if self.f.width(ignored) == Width::P => (from, self.pred(ignored).inverse(), t::Zfill::None),
            Some(&bytes) => match self.part(bytes) {
                Part::Imm(0) => (from, Pred::Known(false), t::Zfill::None),
                Part::Imm(n) if n >= u32::from(size) => whole,
                bytes => {
                    let reads = self.icmp32(Cond::Ne, Sign::U, bytes, Part::Imm(0));
                    let missing = self.sub32(Part::Imm(u32::from(size)), bytes);
                    let missing = self.lop(missing, Part::Imm(u32::from(size) - 1), 0xc0);
                    (self.moved(from, missing), reads, t::Zfill::Zfill)
                }
            },
        };
        self.read_nothing(BEFORE_COPIES);
        let name = sass::ldgsts(bypass, ltc(prefetch), width, fill);
        self.emit(name, &[(SlotRole::Addr, to), (SlotRole::Addr2, from), (Pp, reads.op())]);
    }

    /// Adds a byte offset to a global address.
    fn moved(&mut self, address: MOp, by: Part) -> MOp {
        let MKind::Addr { base, phys, desc, offset } = address.kind else { return address };
        let parts: Vec<Part> = if base.is_empty() {
            vec![Part::Imm(0), Part::Imm(0)]
        } else {
            base.iter().map(|&v| Part::Reg(v)).collect()
        };
        let sum = self.add64(&parts, &[by, Part::Imm(0)]);
        let base: Regs = sum.iter().map(|&p| self.reg(p)).collect();
        MOp::new(MKind::Addr { base, phys, desc, offset })
    }

    /// Emits what stands before a memory barrier in a function with copies.
    pub(super) fn before_fence(&mut self) {
        self.read_nothing(BEFORE_FENCES);
    }

    /// Emits loads that never execute until `least` of them stand since the last access or barrier:
    /// on sm_90 ptxas 13.0.88 has three before copies, and four before memory barriers in functions
    /// with copies. Its reason is not known.
    fn read_nothing(&mut self, least: usize) {
        if !self.hopper() || !self.copies {
            return;
        }
        let nowhere = MOp::new(MKind::Addr { base: Regs::new(), phys: None, desc: None, offset: 0 });
        for _ in self.nothing_read()..least {
            let given = [(Rd, MOp::zero()), (SlotRole::Addr, nowhere.clone())];
            let Some(form) = find(self.isa(), &sass::lds(t::Size::None), &given) else { return self.refuse() };
            let inst = MInst { guard: NEVER, ..MInst::new(form, self.place) };
            self.m.blocks[self.cur].insts.push(inst);
        }
    }

    /// How many such loads stand in the current block since the last access or barrier.
    fn nothing_read(&self) -> usize {
        let mut n = 0;
        for i in self.m.blocks[self.cur].insts.iter().rev() {
            let (op, effects) = (i.row().op, i.row().effects);
            let touches = |space: Option<Touched>| space.is_some_and(|s| s != Touched::Const);
            match op {
                Op::Lds if i.guard == NEVER => n += 1,
                Op::Ldgsts => return n + BEFORE_COPIES,
                Op::Ldgdepbar | Op::Depbar => {}
                _ if effects.barrier || effects.branch || touches(effects.reads) || touches(effects.writes) => break,
                _ => {}
            }
        }
        n
    }

    pub(super) fn cp_async_wait(&mut self, n: u8) {
        self.emit(sass::depbar_le(), &[(SlotRole::Misc, MOp::new(MKind::Scoreboard(0))), (Imm, imm(u32::from(n)))]);
    }
}
