//! The convention of calls: registers and their owners. What follows from it is in [`crate::abi`], where its facts have their source.

use raddle_sass::Op;
use raddle_sass::row::File;

use crate::mir::{MFunction, MInst};

/// The uniform register pair that holds the descriptor of global memory in a function that needs it.
pub const DESC: u8 = 4;
/// A uniform register for results that exist in uniform registers only.
pub const UTEMP: u8 = 6;
/// The stack pointer.
pub const STACK: u8 = 1;
/// The register of the first word of arguments, and of results.
pub const FIRST_WORD: u8 = 4;
/// The first of the two registers with the return address.
pub const RETURN: u8 = 20;
/// Words of arguments in registers; the others lie in memory, from where the stack pointer points to when the callee begins.
pub const WORDS: usize = 12;
/// Stands for the stack pointer of the caller in addresses, until the frame is known.
pub const INCOMING: u8 = 254;
/// Holds it in functions that align their frames ([`MFunction::aligns`]).
pub const ENTRY_STACK: u8 = 3;
/// Holds the stack pointer as the function's beginning left it, in functions that move it later ([`MFunction::grows`]); kept across calls. ptxas uses
/// the first kept register that is free ("ptxas 13.0.88 output").
pub const FRAME: u8 = 2;
/// What frames are aligned to without that ("ptxas 13.0.88 output": frames are multiples of 8, and functions with variables of a larger
/// alignment align the stack pointer themselves).
pub const STACK_ALIGN: u32 = 8;
/// Registers that a function counts at least where it calls or is called.
pub const REGISTERS: u16 = 24;
/// Uniform registers from this one on are not written by functions: callers of ptxas keep values in some of them (in UR36 and UR37
/// as a rule).
pub const LOST_UNIFORM: u8 = 16;
/// Convergence barriers from this one on are kept by functions.
pub const KEPT_BARRIER: u8 = 6;

/// Does a function keep register `n` of a file for its caller?
pub fn is_kept(file: File, n: usize) -> bool {
    file == File::Gpr && (matches!(n, 1 | 2 | 16..=31) || (n >= 32 && n & 4 != 0))
}

/// Is it a call?
pub fn is_call(i: &MInst) -> bool {
    i.row().op == Op::Call
}

/// Does the function call any?
pub fn calls(f: &MFunction) -> bool {
    f.layout.iter().any(|&b| f.blocks[b].insts.iter().any(is_call))
}
