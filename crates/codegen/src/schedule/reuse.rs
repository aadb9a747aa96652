//! Reuse flags: operands that the warp's next instruction reads again in the same slot.
//!
//! An arithmetic instruction can leave a source in the operand cache of its slot; if the next
//! instruction reads the same register in the same slot, it need not be read from its bank again,
//! which two other sources may need at the same time. Writes do not update the cache: a register
//! that the instruction itself overwrites must not be cached (the simulator reports a hazard). The
//! row says which operand has which bit; ptxas 13.0.88 sets the bit on the instruction directly
//! before the one that reads again, within a block.

use raddle_sass::row::{Access, File, NO_BIT};
use raddle_sass::{Class, Ctrl, Inst, Kind, RZ};

use crate::code::CodeBlock;

/// Sets the flags of all blocks.
pub(super) fn run(blocks: &mut [CodeBlock]) {
    for block in blocks {
        for n in 1..block.items.len() {
            let (before, behind) = block.items.split_at_mut(n);
            let Some(i) = before.last_mut().map(|i| &mut i.inst) else { continue };
            // An instruction whose guard fails caches nothing.
            let runs = i.guard.is_always() || i.guard == behind[0].inst.guard;
            let reuse = if runs { again(i, &behind[0].inst) } else { 0 };
            let ctrl = Ctrl { reuse, ..i.ctrl };
            if ctrl.is_legal() {
                i.ctrl = ctrl;
            }
        }
    }
}

/// Whether it has an operand cache.
fn is_arithmetic(i: &Inst) -> bool {
    use Class::{Alu, Fma, Fp16, Fp64, Hfma2mma, Imadhi, Imadwide, Viadd};
    matches!(i.row().class, Alu | Fma | Fp16 | Fp64 | Hfma2mma | Imadhi | Imadwide | Viadd)
}

/// Registers in slots with a reuse bit: bit, first register, count.
fn cached(i: &Inst) -> impl Iterator<Item = (u8, u8, u8)> + '_ {
    i.row().slots.iter().zip(&i.operands).filter_map(|(slot, o)| match o.kind {
        Kind::Reg(r) if r != RZ && slot.reuse != NO_BIT && slot.access == Access::Use => {
            Some((slot.reuse, r, i.slot_width(slot)))
        }
        _ => None,
    })
}

/// The reuse bits of an instruction before `next`.
fn again(i: &Inst, next: &Inst) -> u8 {
    if !is_arithmetic(i) || !is_arithmetic(next) {
        return 0;
    }
    let written = |first: u8, count: u8| {
        i.accesses().iter().any(|a| {
            a.written
                && a.file == File::Gpr
                && a.first < first.saturating_add(count)
                && first < a.first.saturating_add(a.count)
        })
    };
    let shared = cached(i).filter(|c| cached(next).any(|d| d == *c) && !written(c.1, c.2));
    shared.fold(0, |bits, (bit, ..)| bits | 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_sass::{Isa, Op, Operand};

    fn fma(d: u8, a: u8, b: u8, c: u8) -> Inst {
        use raddle_sass::SlotRole::{Ra, Rb, Rc, Rd};
        let given = [(Rd, d), (Ra, a), (Rb, b), (Rc, c)].map(|(role, n)| (role, Operand::reg(n)));
        raddle_sass::build(Isa::Sm90, Op::Ffma, &[], &given).expect("FFMA of registers")
    }

    #[test]
    fn a_source_read_again_in_its_slot_is_kept() {
        assert_eq!(again(&fma(9, 1, 2, 3), &fma(10, 1, 4, 3)), 0b101);
        assert_eq!(again(&fma(9, 1, 2, 3), &fma(10, 2, 1, 4)), 0, "in other slots");
        assert_eq!(again(&fma(3, 1, 2, 3), &fma(10, 1, 4, 3)), 0b001, "R3 is overwritten");
    }
}
