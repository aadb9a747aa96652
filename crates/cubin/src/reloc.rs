//! Relocation numbers: names, fields, and the number of each [`RelocKind`] on an architecture.
//!
//! The name of a CUDA relocation describes it: `R_CUDA_ABS32_HI_32` puts the upper 32 bits of an
//! address at bit 32 of the instruction, `R_CUDA_ABS55_16_34` puts 55 bits of a word address at
//! bits 16 and 34. The table has every number that `cuobjdump -elf` 13.4.92 has a name for; fields
//! are given for those that ptxas 13.0.88 emits for 128-bit instructions and for data. The others
//! are known by name only, and [`RelocType::apply`] refuses them.
//!
//! `FUNC_DESC` is the address of the driver's descriptor of a kernel, which is not the address of
//! its code: a pointer to a kernel, as used by a launch from device code. It has the same bits as
//! an address (ptxas 13.0.88 output, `fun@fdesc` in nvdisasm's listing), and only the driver knows
//! the value.

use crate::unit::RelocKind;

/// The effect of a relocation on its field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Writes bits of address (or bank offset, shared offset, slot) + addend.
    Address,
    /// Clears the field if the symbol's section was dropped, else leaves it.
    UnusedClear,
    /// Unknown.
    Unknown,
}

/// A run of bits of the value and its destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// First bit of the value.
    pub from: u8,
    /// Number of bits, 1..=64.
    pub count: u8,
    /// First bit of the field, little endian.
    pub to: u8,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct RelocType {
    /// ELF relocation number.
    pub number: u32,
    /// Name as cuobjdump prints it.
    pub name: &'static str,
    /// Bytes of the field: 16 for instructions, 1 to 8 for data, 0 if only the name is known.
    pub width: u8,
    /// Its effect.
    pub action: Action,
    /// The bits of the value.
    pub bits: &'static [Bits],
}

use Action::{Address, UnusedClear};

const fn row(number: u32, name: &'static str, width: u8, action: Action, bits: &'static [Bits]) -> RelocType {
    RelocType { number, name, width, action, bits }
}

const fn named(number: u32, name: &'static str) -> RelocType {
    RelocType { number, name, width: 0, action: Action::Unknown, bits: &[] }
}

const fn bits(from: u8, count: u8, to: u8) -> Bits {
    Bits { from, count, to }
}

/// Every relocation number with a name; entry `i` has number `i + 1`.
#[rustfmt::skip]
pub static RELOCS: &[RelocType] = &[
    row(1, "R_CUDA_32", 4, Address, &[bits(0, 32, 0)]),
    row(2, "R_CUDA_64", 8, Address, &[bits(0, 64, 0)]),
    row(3, "R_CUDA_G32", 4, Address, &[bits(0, 32, 0)]),
    row(4, "R_CUDA_G64", 8, Address, &[bits(0, 64, 0)]),
    named(5, "R_CUDA_ABS32_26"),
    named(6, "R_CUDA_TEX_HEADER_INDEX"),
    named(7, "R_CUDA_SAMP_HEADER_INDEX"),
    named(8, "R_CUDA_SURF_HW_DESC"),
    named(9, "R_CUDA_SURF_HW_SW_DESC"),
    named(10, "R_CUDA_ABS32_LO_26"),
    named(11, "R_CUDA_ABS32_HI_26"),
    named(12, "R_CUDA_ABS32_23"),
    named(13, "R_CUDA_ABS32_LO_23"),
    named(14, "R_CUDA_ABS32_HI_23"),
    named(15, "R_CUDA_ABS24_26"),
    named(16, "R_CUDA_ABS24_23"),
    named(17, "R_CUDA_ABS16_26"),
    named(18, "R_CUDA_ABS16_23"),
    named(19, "R_CUDA_TEX_SLOT"),
    named(20, "R_CUDA_SAMP_SLOT"),
    named(21, "R_CUDA_SURF_SLOT"),
    named(22, "R_CUDA_TEX_BINDLESSOFF13_32"),
    named(23, "R_CUDA_TEX_BINDLESSOFF13_47"),
    named(24, "R_CUDA_CONST_FIELD19_28"),
    named(25, "R_CUDA_CONST_FIELD19_23"),
    named(26, "R_CUDA_TEX_SLOT9_49"),
    named(27, "R_CUDA_6_31"),
    named(28, "R_CUDA_2_47"),
    named(29, "R_CUDA_TEX_BINDLESSOFF13_41"),
    named(30, "R_CUDA_TEX_BINDLESSOFF13_45"),
    named(31, "R_CUDA_FUNC_DESC32_23"),
    named(32, "R_CUDA_FUNC_DESC32_LO_23"),
    named(33, "R_CUDA_FUNC_DESC32_HI_23"),
    row(34, "R_CUDA_FUNC_DESC_32", 4, Address, &[bits(0, 32, 0)]),
    row(35, "R_CUDA_FUNC_DESC_64", 8, Address, &[bits(0, 64, 0)]),
    named(36, "R_CUDA_CONST_FIELD21_26"),
    named(37, "R_CUDA_QUERY_DESC21_37"),
    named(38, "R_CUDA_CONST_FIELD19_26"),
    named(39, "R_CUDA_CONST_FIELD21_23"),
    named(40, "R_CUDA_PCREL_IMM24_26"),
    named(41, "R_CUDA_PCREL_IMM24_23"),
    named(42, "R_CUDA_ABS32_20"),
    named(43, "R_CUDA_ABS32_LO_20"),
    named(44, "R_CUDA_ABS32_HI_20"),
    named(45, "R_CUDA_ABS24_20"),
    named(46, "R_CUDA_ABS16_20"),
    named(47, "R_CUDA_FUNC_DESC32_20"),
    named(48, "R_CUDA_FUNC_DESC32_LO_20"),
    named(49, "R_CUDA_FUNC_DESC32_HI_20"),
    named(50, "R_CUDA_CONST_FIELD19_20"),
    named(51, "R_CUDA_BINDLESSOFF13_36"),
    named(52, "R_CUDA_SURF_HEADER_INDEX"),
    named(53, "R_CUDA_INSTRUCTION64"),
    named(54, "R_CUDA_CONST_FIELD21_20"),
    row(55, "R_CUDA_ABS32_32", 16, Address, &[bits(0, 32, 32)]),
    row(56, "R_CUDA_ABS32_LO_32", 16, Address, &[bits(0, 32, 32)]),
    row(57, "R_CUDA_ABS32_HI_32", 16, Address, &[bits(32, 32, 32)]),
    row(58, "R_CUDA_ABS47_34", 16, Address, &[bits(2, 47, 34)]),
    row(59, "R_CUDA_ABS16_32", 16, Address, &[bits(0, 16, 32)]),
    row(60, "R_CUDA_ABS24_32", 16, Address, &[bits(0, 24, 32)]),
    row(61, "R_CUDA_FUNC_DESC32_32", 16, Address, &[bits(0, 32, 32)]),
    row(62, "R_CUDA_FUNC_DESC32_LO_32", 16, Address, &[bits(0, 32, 32)]),
    row(63, "R_CUDA_FUNC_DESC32_HI_32", 16, Address, &[bits(32, 32, 32)]),
    row(64, "R_CUDA_CONST_FIELD19_40", 16, Address, &[bits(2, 14, 40)]),
    row(65, "R_CUDA_BINDLESSOFF14_40", 16, Address, &[bits(2, 14, 40)]),
    row(66, "R_CUDA_CONST_FIELD21_38", 16, Address, &[bits(0, 16, 38)]),
    named(67, "R_CUDA_INSTRUCTION128"),
    named(68, "R_CUDA_YIELD_OPCODE9_0"),
    named(69, "R_CUDA_YIELD_CLEAR_PRED4_87"),
    row(70, "R_CUDA_32_LO", 4, Address, &[bits(0, 32, 0)]),
    row(71, "R_CUDA_32_HI", 4, Address, &[bits(32, 32, 0)]),
    row(72, "R_CUDA_UNUSED_CLEAR32", 4, UnusedClear, &[]),
    row(73, "R_CUDA_UNUSED_CLEAR64", 8, UnusedClear, &[]),
    row(74, "R_CUDA_ABS24_40", 16, Address, &[bits(0, 24, 40)]),
    row(75, "R_CUDA_ABS55_16_34", 16, Address, &[bits(2, 8, 16), bits(10, 47, 34)]),
    row(76, "R_CUDA_8_0", 1, Address, &[bits(0, 8, 0)]),
    row(77, "R_CUDA_8_8", 1, Address, &[bits(8, 8, 0)]),
    row(78, "R_CUDA_8_16", 1, Address, &[bits(16, 8, 0)]),
    row(79, "R_CUDA_8_24", 1, Address, &[bits(24, 8, 0)]),
    row(80, "R_CUDA_8_32", 1, Address, &[bits(32, 8, 0)]),
    row(81, "R_CUDA_8_40", 1, Address, &[bits(40, 8, 0)]),
    row(82, "R_CUDA_8_48", 1, Address, &[bits(48, 8, 0)]),
    row(83, "R_CUDA_8_56", 1, Address, &[bits(56, 8, 0)]),
    row(84, "R_CUDA_G8_0", 1, Address, &[bits(0, 8, 0)]),
    row(85, "R_CUDA_G8_8", 1, Address, &[bits(8, 8, 0)]),
    row(86, "R_CUDA_G8_16", 1, Address, &[bits(16, 8, 0)]),
    row(87, "R_CUDA_G8_24", 1, Address, &[bits(24, 8, 0)]),
    row(88, "R_CUDA_G8_32", 1, Address, &[bits(32, 8, 0)]),
    row(89, "R_CUDA_G8_40", 1, Address, &[bits(40, 8, 0)]),
    row(90, "R_CUDA_G8_48", 1, Address, &[bits(48, 8, 0)]),
    row(91, "R_CUDA_G8_56", 1, Address, &[bits(56, 8, 0)]),
    row(92, "R_CUDA_FUNC_DESC_8_0", 1, Address, &[bits(0, 8, 0)]),
    row(93, "R_CUDA_FUNC_DESC_8_8", 1, Address, &[bits(8, 8, 0)]),
    row(94, "R_CUDA_FUNC_DESC_8_16", 1, Address, &[bits(16, 8, 0)]),
    row(95, "R_CUDA_FUNC_DESC_8_24", 1, Address, &[bits(24, 8, 0)]),
    row(96, "R_CUDA_FUNC_DESC_8_32", 1, Address, &[bits(32, 8, 0)]),
    row(97, "R_CUDA_FUNC_DESC_8_40", 1, Address, &[bits(40, 8, 0)]),
    row(98, "R_CUDA_FUNC_DESC_8_48", 1, Address, &[bits(48, 8, 0)]),
    row(99, "R_CUDA_FUNC_DESC_8_56", 1, Address, &[bits(56, 8, 0)]),
    row(100, "R_CUDA_ABS20_44", 16, Address, &[bits(0, 20, 44)]),
    named(101, "R_CUDA_SAMP_HEADER_INDEX_0"),
    row(102, "R_CUDA_UNIFIED", 8, Address, &[bits(0, 64, 0)]),
    row(103, "R_CUDA_UNIFIED_32", 4, Address, &[bits(0, 32, 0)]),
    row(104, "R_CUDA_UNIFIED_8_0", 1, Address, &[bits(0, 8, 0)]),
    row(105, "R_CUDA_UNIFIED_8_8", 1, Address, &[bits(8, 8, 0)]),
    row(106, "R_CUDA_UNIFIED_8_16", 1, Address, &[bits(16, 8, 0)]),
    row(107, "R_CUDA_UNIFIED_8_24", 1, Address, &[bits(24, 8, 0)]),
    row(108, "R_CUDA_UNIFIED_8_32", 1, Address, &[bits(32, 8, 0)]),
    row(109, "R_CUDA_UNIFIED_8_40", 1, Address, &[bits(40, 8, 0)]),
    row(110, "R_CUDA_UNIFIED_8_48", 1, Address, &[bits(48, 8, 0)]),
    row(111, "R_CUDA_UNIFIED_8_56", 1, Address, &[bits(56, 8, 0)]),
    row(112, "R_CUDA_UNIFIED32_LO_32", 16, Address, &[bits(0, 32, 32)]),
    row(113, "R_CUDA_UNIFIED32_HI_32", 16, Address, &[bits(32, 32, 32)]),
    named(114, "R_CUDA_ABS56_16_34"),
    named(115, "R_CUDA_CONST_FIELD22_37"),
];

/// The reason why a relocation cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// The number has no row, or one without fields.
    #[error("relocation type {0} is not supported")]
    Unsupported(u32),
    /// The field is outside the section.
    #[error("relocation {name} at {offset:#x} is outside {size} bytes")]
    Outside {
        /// Relocation name.
        name: &'static str,
        /// Byte offset.
        offset: u64,
        /// Size of the section in bytes.
        size: usize,
    },
}

impl RelocType {
    /// The row for `number`.
    pub fn by_number(number: u32) -> Option<&'static RelocType> {
        RELOCS.get(number.checked_sub(1)? as usize)
    }

    /// Writes `value` (address + addend) at `offset` of `bytes`.
    pub fn apply(&self, bytes: &mut [u8], offset: u64, value: u64) -> Result<(), ApplyError> {
        if self.action == Action::UnusedClear {
            return Ok(());
        }
        if self.action == Action::Unknown {
            return Err(ApplyError::Unsupported(self.number));
        }
        let size = bytes.len();
        let outside = ApplyError::Outside { name: self.name, offset, size };
        let start = usize::try_from(offset).map_err(|_| outside.clone())?;
        let place = start.checked_add(self.width.into()).and_then(|end| bytes.get_mut(start..end)).ok_or(outside)?;
        let mut word = 0u128;
        for (i, &b) in place.iter().enumerate() {
            word |= u128::from(b) << (8 * i);
        }
        for b in self.bits {
            let mask = (1u128 << b.count) - 1;
            word = word & !(mask << b.to) | (u128::from(value) >> b.from & mask) << b.to;
        }
        for (i, b) in place.iter_mut().enumerate() {
            *b = (word >> (8 * i)) as u8;
        }
        Ok(())
    }
}

/// R_CUDA_8_0, the byte 0 of an address; the other seven follow.
pub const ABS_BYTE: u32 = 76;
/// R_CUDA_G8_0, that of a generic address.
pub const GENERIC_BYTE: u32 = 84;
/// R_CUDA_FUNC_DESC_8_0, that of the descriptor of a kernel.
pub const DESCRIPTOR_BYTE: u32 = 92;
/// R_CUDA_UNIFIED_8_0, that of a function.
pub const UNIFIED_BYTE: u32 = 104;

/// The ELF number of a [`RelocKind`] for one ISA generation.
pub fn number(kind: RelocKind, sm: u16) -> u32 {
    let byte = kind.byte().map_or(0, |(byte, _)| byte);
    match kind {
        RelocKind::Abs64 => 2,
        RelocKind::Generic64 => 4,
        RelocKind::Abs32Lo => 56,
        RelocKind::Abs32Hi => 57,
        RelocKind::AddressSlot | RelocKind::ConstOffset | RelocKind::PoolOffset => 66,
        RelocKind::TextureWord | RelocKind::SamplerWord | RelocKind::SurfaceWord => 66,
        RelocKind::TextureIndex | RelocKind::SurfaceIndex => 65,
        RelocKind::RowSize => 55,
        RelocKind::TextureWordImm | RelocKind::SamplerWordImm | RelocKind::SurfaceWordImm => 59,
        RelocKind::AddressSlotImm | RelocKind::ConstOffsetImm | RelocKind::SharedImm => 55,
        RelocKind::SharedOffset => 74,
        RelocKind::CallRel | RelocKind::CallAbs if sm >= 90 => 75,
        RelocKind::CallRel | RelocKind::CallAbs => 58,
        RelocKind::CodeOffset32 => 1,
        RelocKind::AbsByte0
        | RelocKind::AbsByte1
        | RelocKind::AbsByte2
        | RelocKind::AbsByte3
        | RelocKind::AbsByte4
        | RelocKind::AbsByte5
        | RelocKind::AbsByte6
        | RelocKind::AbsByte7 => ABS_BYTE + byte,
        RelocKind::GenericByte0
        | RelocKind::GenericByte1
        | RelocKind::GenericByte2
        | RelocKind::GenericByte3
        | RelocKind::GenericByte4
        | RelocKind::GenericByte5
        | RelocKind::GenericByte6
        | RelocKind::GenericByte7 => GENERIC_BYTE + byte,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_addresses_have_the_numbers_of_their_names() {
        let name = |number: u32| RelocType::by_number(number).unwrap().name;
        for n in 0..8 {
            let bits = 8 * n;
            let number = |kinds: [RelocKind; 8]| number(kinds[n], 90);
            assert_eq!(name(number(RelocKind::ABS_BYTES)), format!("R_CUDA_8_{bits}"));
            assert_eq!(name(number(RelocKind::GENERIC_BYTES)), format!("R_CUDA_G8_{bits}"));
            assert_eq!(name(DESCRIPTOR_BYTE + n as u32), format!("R_CUDA_FUNC_DESC_8_{bits}"));
            assert_eq!(name(UNIFIED_BYTE + n as u32), format!("R_CUDA_UNIFIED_8_{bits}"));
        }
    }

    #[test]
    fn rows_are_indexed_by_number() {
        for (i, r) in RELOCS.iter().enumerate() {
            assert_eq!(r.number as usize, i + 1);
            for b in r.bits {
                assert!(u32::from(b.to) + u32::from(b.count) <= 8 * u32::from(r.width), "{}", r.name);
            }
        }
        assert_eq!(RelocType::by_number(115).map(|r| r.name), Some("R_CUDA_CONST_FIELD22_37"));
        assert!(RelocType::by_number(0).is_none() && RelocType::by_number(116).is_none());
    }

    #[test]
    fn values_land_where_ptxas_has_them() {
        // sm_90's self-branch `BRA -0x10`: 8 bits of the word offset at bit 16, the rest at 34
        // (ptxas 13.0.88 output).
        let mut word = 0x0003_8000_0000_0000_0000_7947u128.to_le_bytes();
        RelocType::by_number(75).unwrap().apply(&mut word, 0, -16i64 as u64).unwrap();
        assert_eq!(word[..8], [0x47, 0x79, 0xfc, 0, 0xfc, 0xff, 0xff, 0xff]);
        // On sm_80 they are contiguous.
        let mut word = [0u8; 16];
        RelocType::by_number(58).unwrap().apply(&mut word, 0, -16i64 as u64).unwrap();
        assert_eq!(word[..8], [0, 0, 0, 0, 0xf0, 0xff, 0xff, 0xff]);
        // `c[0x3][0x4]`: byte offset at bit 38, the bank at 54 is kept.
        let mut word = 0x00c0_0000_0000_0000u128.to_le_bytes();
        RelocType::by_number(66).unwrap().apply(&mut word, 0, 4).unwrap();
        assert_eq!(u128::from_le_bytes(word), 0x00c0_0100_0000_0000);
    }

    #[test]
    fn places_outside_and_unknown_types_are_errors() {
        let r = RelocType::by_number(2).unwrap();
        assert!(matches!(r.apply(&mut [0; 8], 1, 0), Err(ApplyError::Outside { .. })));
        assert!(matches!(r.apply(&mut [0; 8], u64::MAX, 0), Err(ApplyError::Outside { .. })));
        assert_eq!(RelocType::by_number(19).unwrap().apply(&mut [0; 8], 0, 0), Err(ApplyError::Unsupported(19)));
    }
}
