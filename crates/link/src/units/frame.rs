//! `.debug_frame`, for unwinding: one CIE and one FDE per function (DWARF 3, 6.4, as ptxas 13.0.88
//! uses it).
//!
//! The canonical frame address is R1 plus the frame's size. ptxas marks the instruction at which R1
//! is decremented; here the frame is valid from the first instruction on.

use raddle_cubin::leb128;

/// The CIE: 64-bit DWARF, code alignment 4, data alignment -4, no return address register; the CFA
/// is R1 plus 0, and R255 and R1 keep their values. ULEB 81 80 80 28 is register 1 in ptxas'
/// numbering.
const CIE: [u8; 0x30] = [
    0xff, 0xff, 0xff, 0xff, 0x24, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x03, 0x00,
    0x04, 0x7c, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x0c, 0x81, 0x80, 0x80, 0x28, 0x00, 0x08, 0xff, 0x81, 0x80, 0x28, 0x08,
    0x81, 0x80, 0x80, 0x28, 0, 0, 0,
];

/// The section, with the offsets, per function, of its CIE pointer and of the field that a linker
/// fills in.
#[derive(Debug, Default)]
pub(super) struct Frames {
    pub bytes: Vec<u8>,
    /// Offset of the CIE, which the 8 bytes before the address contain.
    pub common: Vec<u64>,
    /// Offset of the address, 8 bytes; the size of the code follows it.
    pub addresses: Vec<u64>,
}

impl Frames {
    /// Bytes of each field.
    pub const FIELD: u64 = 8;

    /// Leaves the CIE pointers to a linker, which concatenates sections.
    pub fn unplaced(mut self) -> Frames {
        for &address in &self.addresses {
            self.bytes[(address - Self::FIELD) as usize..address as usize].fill(0);
        }
        self
    }
}

/// The section for functions with these sizes of code and frame, in bytes.
pub(super) fn run(functions: &[(u64, u32)]) -> Frames {
    let mut out = Vec::new();
    let (mut common, mut addresses) = (Vec::new(), Vec::new());
    for &(code_size, frame_size) in functions {
        let cie = out.len() as u64;
        out.extend(CIE);
        // DW_CFA_def_cfa R1, frame size.
        let mut rules = vec![0x0c, 0x81, 0x80, 0x80, 0x28];
        leb128::write_unsigned(&mut rules, u64::from(frame_size));
        rules.resize(rules.len().next_multiple_of(8) + 4, 0);
        let length = 8 + 8 + 8 + rules.len() as u64;
        out.extend(0xffff_ffffu32.to_le_bytes());
        out.extend(length.to_le_bytes());
        out.extend(cie.to_le_bytes());
        common.push(cie);
        addresses.push(out.len() as u64);
        out.extend(0u64.to_le_bytes());
        out.extend(code_size.to_le_bytes());
        out.extend(rules);
    }
    Frames { bytes: out, common, addresses }
}
