//! What the relocations of a unit put into their fields.

use crate::elf::st;

/// The value of a relocation and its field. Positions are bit offsets in the 128-bit instruction
/// word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RelocKind {
    /// Data: the 64-bit address of a global or function (R_CUDA_64).
    Abs64,
    /// Data: the 64-bit *generic* address (R_CUDA_G64), the value of PTX `generic(x)` and plain `x`
    /// in a `.u64` initialiser.
    Generic64,
    /// Data: byte 0 of the address (R_CUDA_8_0), as PTX `0xFF(x)`.
    AbsByte0,
    /// Byte 1, as `0xFF00(x)`; the others follow.
    AbsByte1,
    /// Byte 2.
    AbsByte2,
    /// Byte 3.
    AbsByte3,
    /// Byte 4.
    AbsByte4,
    /// Byte 5.
    AbsByte5,
    /// Byte 6.
    AbsByte6,
    /// Byte 7.
    AbsByte7,
    /// Data: byte 0 of the generic address (R_CUDA_G8_0), as PTX `0xFF(generic(x))`.
    GenericByte0,
    /// Byte 1; the others follow.
    GenericByte1,
    /// Byte 2.
    GenericByte2,
    /// Byte 3.
    GenericByte3,
    /// Byte 4.
    GenericByte4,
    /// Byte 5.
    GenericByte5,
    /// Byte 6.
    GenericByte6,
    /// Byte 7.
    GenericByte7,
    /// Instruction: lower half of the address into the 32-bit immediate, bits 32-63
    /// (R_CUDA_ABS32_LO_32). The driver fills it in at load time for globals.
    Abs32Lo,
    /// Instruction: upper half of the address into the 32-bit immediate (R_CUDA_ABS32_HI_32).
    Abs32Hi,
    /// Instruction: the symbol's address through constant bank 4. The linker gives the symbol an
    /// 8-byte slot there that the driver fills, and puts the slot's offset + addend (0 low word, 4
    /// high word) into the constant-offset field of a `c[0x4][..]` operand. This is how ptxas
    /// addresses globals in executables on every architecture.
    AddressSlot,
    /// Instruction: the same slot offset + addend into the 32-bit immediate (for `MOV R, slot;
    /// LDC.64 R, c[0x4][R]`).
    AddressSlotImm,
    /// Instruction: offset of a `.const` variable + addend in bank 3 into the constant-offset field
    /// of a `c[0x3][..]` operand.
    ConstOffset,
    /// Instruction: the same offset into the 32-bit immediate (R_CUDA_ABS16_32: the lower 16 bits
    /// are written).
    ConstOffsetImm,
    /// Instruction: shared-window address of a shared variable + addend into the 32-bit immediate
    /// (R_CUDA_ABS32_32). Includes the target's window base.
    SharedImm,
    /// Instruction: the same into the 24-bit address offset, bits 40-63 (R_CUDA_ABS24_40).
    SharedOffset,
    /// Instruction: relative call or branch to a function in the same text section or another one;
    /// the distance from the next instruction into the branch's offset field.
    CallRel,
    /// Instruction: absolute call, target address into the branch's field (R_CUDA_ABS47_34, on
    /// sm_90 R_CUDA_ABS55_16_34).
    CallAbs,
    /// Instruction: offset of the function's constant pool in bank 2, plus addend, into the
    /// constant-offset field of a `c[0x2][..]` operand (R_CUDA_CONST_FIELD21_38); the symbol is the
    /// function's. Only in objects: in executables the pool is at the start of the bank.
    PoolOffset,
    /// Instruction: offset in constant bank 0 of the word of a bound texture, into the
    /// constant-offset field of a `c[0x0][..]` operand. The linker gives each texture a word behind
    /// the kernel's parameters, which the driver fills in (R_CUDA_TEX_HEADER_INDEX).
    TextureWord,
    /// The same of a sampler (R_CUDA_SAMP_HEADER_INDEX_0; before sm_90 R_CUDA_SAMP_HEADER_INDEX, the
    /// number of the sampler above 20 bits).
    SamplerWord,
    /// The same of a surface (R_CUDA_SURF_HEADER_INDEX).
    SurfaceWord,
    /// Instruction of sm_8x: the index in bank 0 of the word of a bound texture, in words, into bits
    /// 40-53 (R_CUDA_BINDLESSOFF14_40). Only code of ptxas has it.
    TextureIndex,
    /// The same of a surface.
    SurfaceIndex,
    /// Instruction: the offset in bank 0 of the word of a bound texture into the 32-bit immediate
    /// (R_CUDA_ABS16_32). Only code of ptxas has it, at -O0.
    TextureWordImm,
    /// The same of a sampler.
    SamplerWordImm,
    /// The same of a surface.
    SurfaceWordImm,
    /// Instruction: a size that the driver knows into the 32-bit immediate (R_CUDA_ABS32_32): that of a
    /// row in one of its tables.
    RowSize,
    /// Data: low 32 bits of the code offset of a label within the function itself (jump tables):
    /// the value is the addend.
    CodeOffset32,
}

impl RelocKind {
    /// The bytes of an address in data, from the lowest on.
    pub const ABS_BYTES: [RelocKind; 8] = [
        RelocKind::AbsByte0,
        RelocKind::AbsByte1,
        RelocKind::AbsByte2,
        RelocKind::AbsByte3,
        RelocKind::AbsByte4,
        RelocKind::AbsByte5,
        RelocKind::AbsByte6,
        RelocKind::AbsByte7,
    ];
    /// The bytes of a generic address in data, from the lowest on.
    pub const GENERIC_BYTES: [RelocKind; 8] = [
        RelocKind::GenericByte0,
        RelocKind::GenericByte1,
        RelocKind::GenericByte2,
        RelocKind::GenericByte3,
        RelocKind::GenericByte4,
        RelocKind::GenericByte5,
        RelocKind::GenericByte6,
        RelocKind::GenericByte7,
    ];

    /// The number of the byte of an address that is stored in data, and whether the address is a
    /// generic one; `None` for other kinds.
    pub fn byte(self) -> Option<(u32, bool)> {
        let within = |bytes: &[RelocKind]| (0..).zip(bytes).find(|(_, kind)| **kind == self).map(|(n, _)| n);
        let abs = within(&RelocKind::ABS_BYTES).map(|n| (n, false));
        abs.or_else(|| within(&RelocKind::GENERIC_BYTES).map(|n| (n, true)))
    }

    /// Whether an address, or a byte of one, is stored in data.
    pub fn is_address_in_data(self) -> bool {
        matches!(self, RelocKind::Abs64 | RelocKind::Generic64) || self.byte().is_some()
    }

    /// Returns the ELF type of the symbol of a bound texture, sampler or surface, and the number of
    /// the relocation of its word; `None` for other kinds.
    pub fn bound(self) -> Option<(u8, u32)> {
        match self {
            RelocKind::TextureWord | RelocKind::TextureIndex | RelocKind::TextureWordImm => Some((st::CUDA_TEXTURE, 6)),
            RelocKind::SamplerWord | RelocKind::SamplerWordImm => Some((st::CUDA_SAMPLER, 101)),
            RelocKind::SurfaceWord | RelocKind::SurfaceIndex | RelocKind::SurfaceWordImm => {
                Some((st::CUDA_SURFACE, 52))
            }
            _ => None,
        }
    }
}
