//! Constants of the calling convention. What follows from them is in [`crate::abi`], with the
//! sources of its facts.

use raddle_sass::Op;
use raddle_sass::row::File;

use crate::mir::{MFunction, MInst};

/// The uniform register pair with the global-memory descriptor, in a function that needs it.
pub const DESC: u8 = 4;
/// A scratch uniform register, for results that exist in uniform registers only.
pub const UTEMP: u8 = 6;
/// The stack pointer.
pub const STACK: u8 = 1;
/// The register of the first argument or result word.
pub const FIRST_WORD: u8 = 4;
/// The first of the two registers with the return address.
pub const RETURN: u8 = 20;
/// Argument words in registers; the others are in memory, from the stack pointer at entry on.
pub const WORDS: usize = 12;
/// Placeholder for the caller's stack pointer in addresses, until the frame size is known.
pub const INCOMING: u8 = 254;
/// Holds the caller's stack pointer in functions that align their frames ([`MFunction::aligns`]).
pub const ENTRY_STACK: u8 = 3;
/// Holds the stack pointer set by the prologue in functions that move it later
/// ([`MFunction::grows`]); callee-saved. ptxas uses the first free callee-saved register ("ptxas
/// 13.0.88 output").
pub const FRAME: u8 = 2;
/// The alignment of the stack pointer at calls ("ptxas 13.0.88 output": frames are multiples of 8,
/// and functions with variables of a larger alignment align the stack pointer themselves).
pub const STACK_ALIGN: u32 = 8;
/// Least register count of a function that calls or is called.
pub const REGISTERS: u16 = 24;
/// Functions do not write uniform registers from this one on: callers compiled by ptxas keep values
/// in some of them (usually UR36 and UR37).
pub const LOST_UNIFORM: u8 = 16;
/// Convergence barriers from this one on are callee-saved.
pub const KEPT_BARRIER: u8 = 6;

/// The first register of code that lanes which are not active run along with (`select::quad`): of a
/// kernel without calls.
pub const QUAD_FIRST: u8 = 4;
/// The predicate of such code.
pub const QUAD_PREDICATE: u8 = 6;
/// The convergence barrier with the active lanes meanwhile ("ptxas 13.0.88 output").
pub const QUAD_BARRIER: u8 = 15;

/// Whether register `n` of a file is callee-saved.
pub fn is_kept(file: File, n: usize) -> bool {
    file == File::Gpr && (matches!(n, 1 | 2 | 16..=31) || (n >= 32 && n & 4 != 0))
}

/// Whether it is a call by this convention; those of leaves ([`crate::leaf`]) are not.
pub fn is_call(i: &MInst) -> bool {
    i.row().op == Op::Call && i.leaf.is_none()
}

/// Whether the function contains a call.
pub fn calls(f: &MFunction) -> bool {
    f.layout.iter().any(|&b| f.blocks[b].insts.iter().any(is_call))
}
