//! The padding at the end of every section of code.

use raddle_target::Isa;

/// `BRA` to itself, which ends every text section, and the NOP after it (ptxas 13.0.88 output).
const SELF_BRANCH_AMPERE: u128 = 0x000f_c000_0383_ffff_ffff_fff0_0000_7947;
const SELF_BRANCH_HOPPER: u128 = 0x000f_c000_0383_ffff_ffff_fffc_00fc_7947;
const NOP: u128 = 0x000f_c000_0000_0000_0000_0000_0000_7918;
/// The bytes of a line: text sections are whole lines, plus one that instruction fetch may read.
const LINE: usize = 128;

/// The most bytes of padding.
pub(super) const MOST: usize = 16 + 2 * LINE;

/// Adds the padding to code.
pub(super) fn pad(code: &mut Vec<u8>, isa: Isa) {
    let branch = if isa >= Isa::Sm90 { SELF_BRANCH_HOPPER } else { SELF_BRANCH_AMPERE };
    code.extend(branch.to_le_bytes());
    let end = code.len().next_multiple_of(LINE) + LINE;
    while code.len() < end {
        code.extend(NOP.to_le_bytes());
    }
}
