//! The calling convention: registers of arguments and results, callee-saved registers, and the
//! frames of functions.
//!
//! Facts ("ptxas 13.0.88 output", objects made with `-c`, the same on sm_80, 86, 89 and 90):
//! - argument and result words are in R4 to R15, the return address in R20 and R21, the stack
//!   pointer in R1;
//! - R2, R16 to R31, and from R32 on the upper four of every eight registers are callee-saved, and
//!   so are convergence barriers from B6 on; all else, predicates too, is lost across a call. A
//!   function writes uniform registers below UR16 only; our callers rely on none;
//! - a function that calls counts at least 24 registers.
//!
//! Strategy: arguments, results and the return address are moves to and from physical registers,
//! which no virtual register gets ([`crate::alloc::Reserved`]). A call clobbers all registers that
//! are not callee-saved at the point where it writes, so a value that is live across it is placed
//! in the others, or spilled as usual. The callee-saved registers that a function uses are known
//! after allocation: the prologue stores them above the frame, and they are reloaded before each
//! return.

use raddle_ir::{SourcePos, Stop};
use raddle_sass::row::{File, SlotRole};

use crate::alloc::Assignment;
use crate::convention::{FRAME, RETURN, STACK, WORDS, calls, is_kept};
use crate::mir::{MFunction, MInst, MKind, MOp, Regs};
use crate::sass::tokens::Size;
use crate::sass::{self, Mnemonic};

/// Returns the registers that a called function has to save, ascending; the return address is among
/// them if it calls.
pub fn saved(f: &MFunction, assignment: &Assignment) -> Vec<u8> {
    if !f.called || f.is_leaf {
        return Vec::new();
    }
    let mut used = [false; 256];
    for (v, &file) in f.vregs.iter() {
        if let Some(n) = assignment.number[v].filter(|_| file == File::Gpr) {
            used[usize::from(n)] = true;
        }
    }
    used[usize::from(STACK)] = false;
    used[usize::from(FRAME)] |= f.grows;
    if calls(f) {
        used[usize::from(RETURN)] = true;
        used[usize::from(RETURN) + 1] = true;
    }
    (0..255u8).filter(|&n| used[usize::from(n)] && is_kept(File::Gpr, usize::from(n))).collect()
}

/// Creates frame instructions.
pub type Make<'a> = &'a dyn Fn(Mnemonic, &[(SlotRole, MOp)], SourcePos) -> Result<MInst, Stop>;

/// Returns memory at an offset from the stack pointer, or from [`crate::convention::INCOMING`].
pub fn memory(phys: u8, at: u32) -> MOp {
    MOp::new(MKind::Addr { base: Regs::new(), phys: Some(phys), desc: None, offset: at as i32 })
}

/// Returns the largest size in bytes of a call's arguments in memory.
pub fn outgoing(f: &raddle_ir::Function) -> u32 {
    let insts = f.layout.iter().flat_map(|&b| &f.blocks[b].insts).map(|&i| &f.insts[i]);
    let words = insts.filter_map(|i| match i.op {
        raddle_ir::Op::Call(_) => Some(i.args.len()),
        raddle_ir::Op::CallAt => Some(i.args.len() - 1),
        _ => None,
    });
    4 * words.map(|n| n.saturating_sub(WORDS)).max().unwrap_or(0) as u32
}

/// Stores the saved registers, from byte `at` of the frame on.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks the instruction.
pub fn store(make: Make<'_>, saved: &[u8], at: u32) -> Result<Vec<MInst>, Stop> {
    let one = |(n, &r): (u32, &u8)| {
        let given = [(SlotRole::Addr, memory(STACK, at + 4 * n)), (SlotRole::Rb, MOp::new(MKind::Phys(r)))];
        make(sass::stl(Size::None), &given, SourcePos::default())
    };
    (0..).zip(saved).map(one).collect()
}

/// Reloads the saved registers.
///
/// # Errors
/// Those of [`store`].
pub fn fetch(make: Make<'_>, saved: &[u8], at: u32, place: SourcePos) -> Result<Vec<MInst>, Stop> {
    let one = |(n, &r): (u32, &u8)| {
        let given = [(SlotRole::Rd, MOp::new(MKind::Phys(r))), (SlotRole::Addr, memory(STACK, at + 4 * n))];
        make(sass::ldl(Size::None), &given, place)
    };
    (0..).zip(saved).map(one).collect()
}

impl MFunction {
    /// Returns the register that addresses variables and spill slots.
    pub fn frame_register(&self) -> u8 {
        if self.grows { FRAME } else { STACK }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_registers_are_those_that_ptxas_stores() {
        // The registers below R64 that a function with 120 live values saves (ptxas 13.0.88
        // output).
        let kept: Vec<usize> = (2..64).filter(|&n| is_kept(File::Gpr, n)).collect();
        let ptxas: Vec<usize> =
            [2].into_iter().chain(16..32).chain(36..40).chain(44..48).chain(52..56).chain(60..64).collect();
        assert_eq!(kept, ptxas);
        assert!(!(0..8).any(|n| is_kept(File::Pred, n) || is_kept(File::Ugpr, n)));
    }
}
