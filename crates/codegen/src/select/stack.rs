//! Dynamic stack allocation: the stack pointer moves down, and variables are addressed by another
//! register.
//!
//! Outgoing arguments are at the stack pointer, so allocated memory begins above them ("ptxas
//! 13.0.88 output").

use raddle_ir::{Function, Op, Value};
use raddle_sass::row::SlotRole;

use super::{Part, Ra, Rb, Rc, Rd, Select, imm};
use crate::convention::STACK;
use crate::convention::STACK_ALIGN;
use crate::mir::{MKind, MOp};
use crate::sass;

/// Whether the function moves its stack pointer after the prologue.
pub(super) fn grows(f: &Function) -> bool {
    let moves = |op: &Op| matches!(op, Op::StackAlloc(_) | Op::StackSave | Op::StackRestore);
    f.layout.iter().flat_map(|&b| &f.blocks[b].insts).any(|&i| moves(&f.insts[i].op))
}

fn stack() -> MOp {
    MOp::new(MKind::Phys(STACK))
}

impl Select<'_> {
    /// Allocates `bytes` bytes of the stack, aligned to 2^`align`.
    pub(super) fn stack_alloc(&mut self, bytes: Value, align: u8, r: Value) {
        let arguments = crate::abi::outgoing(self.f).next_multiple_of(STACK_ALIGN);
        let align = (1 << align).max(STACK_ALIGN);
        let least = |n: u32| n.checked_next_multiple_of(STACK_ALIGN).unwrap_or(n);
        let (bytes, known) = match self.part(bytes) {
            Part::Imm(n) => (imm(least(n).wrapping_neg()), true),
            part => (MOp::reg(self.reg(part)).negated(), false),
        };
        let masked = !known || align > STACK_ALIGN;
        let mask = imm(align.wrapping_neg());
        if arguments.is_multiple_of(align) {
            let sum = if known { [(Ra, stack()), (Rb, bytes)] } else { [(Ra, bytes), (Rb, stack())] };
            self.emit(sass::iadd3(), &[(Rd, stack()), sum[0].clone(), sum[1].clone(), (Rc, MOp::zero())]);
            if masked {
                self.emit(sass::lop3(), &[(Rd, stack()), (Ra, stack()), (Rb, mask), (SlotRole::Imm, imm(0xc0))]);
            }
            let at = self.emit1(sass::mov(), &[(Rb, stack())]);
            let at = self.add32(Part::Reg(at), Part::Imm(arguments));
            return self.set(r, &[at]);
        }
        // The outgoing arguments may be smaller than the alignment: the address first, then the
        // stack pointer.
        let top = self.emit1(sass::mov(), &[(Rb, stack())]);
        let sum = if known { [(Ra, MOp::reg(top)), (Rb, bytes)] } else { [(Ra, bytes), (Rb, MOp::reg(top))] };
        let at = self.emit1(sass::iadd3(), &[sum[0].clone(), sum[1].clone(), (Rc, MOp::zero())]);
        let at = self.add32(Part::Reg(at), Part::Imm(arguments));
        let at = self.op(at);
        let at = self.emit1(sass::lop3(), &[(Ra, at), (Rb, mask), (SlotRole::Imm, imm(0xc0))]);
        self.emit(
            sass::iadd3(),
            &[(Rd, stack()), (Ra, MOp::reg(at)), (Rb, imm(arguments.wrapping_neg())), (Rc, MOp::zero())],
        );
        self.set_regs(r, &[at]);
    }

    /// Returns the stack pointer as a value.
    pub(super) fn stack_save(&mut self, r: Value) {
        let v = self.emit1(sass::mov(), &[(Rb, stack())]);
        self.set_regs(r, &[v]);
    }

    /// Sets the stack pointer.
    pub(super) fn stack_restore(&mut self, to: Value) {
        let part = self.part(to);
        let from = self.op(part);
        self.emit(sass::mov(), &[(Rd, stack()), (Rb, from)]);
    }
}
