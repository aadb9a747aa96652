//! Scalar and packed types, state spaces, and special registers of PTX (PTX ISA 9.0, sections 5 and
//! 10).

use raddle_target::PtxVersion;

/// A type as written after a dot in PTX text: fundamental types, packed types and the alternate
/// formats of some instructions (PTX ISA 9.0, 5.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants are the type names themselves")]
pub enum Ty {
    Pred,
    B1,
    B4,
    B8,
    B16,
    B32,
    B64,
    B128,
    U2,
    U4,
    U8,
    U16,
    U32,
    U64,
    S2,
    S4,
    S8,
    S16,
    S32,
    S64,
    U16x2,
    S16x2,
    U8x4,
    S8x4,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    Tf32,
    F32,
    F32x2,
    F64,
    E4m3,
    E5m2,
    E2m3,
    E3m2,
    E2m1,
    E4m3x2,
    E5m2x2,
    E2m3x2,
    E3m2x2,
    E2m1x2,
    E4m3x4,
    E5m2x4,
    E2m3x4,
    E3m2x4,
    E2m1x4,
    Ue8m0,
    Ue8m0x2,
    Ue4m3,
    Ue5m3,
    S2f6x2,
    B8x16,
    B6x16P32,
    B4x16P64,
    B4x16,
    Texref,
    Samplerref,
    Surfref,
}

/// The interpretation of a type's bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TyClass {
    /// `.pred`
    Pred,
    /// `.bN`: no interpretation
    Bits,
    /// unsigned integer
    Unsigned,
    /// signed integer
    Signed,
    /// floating point, packed floating point, alternate formats
    Float,
    /// `.texref`, `.samplerref`, `.surfref`
    Opaque,
}

/// Name, size in bits and class of every [`Ty`], in the order of the enum.
const TYPES: [(&str, u16, TyClass); 59] = {
    use TyClass::{Bits, Float, Opaque, Pred, Signed, Unsigned};
    [
        ("pred", 1, Pred),
        ("b1", 1, Bits),
        ("b4", 4, Bits),
        ("b8", 8, Bits),
        ("b16", 16, Bits),
        ("b32", 32, Bits),
        ("b64", 64, Bits),
        ("b128", 128, Bits),
        ("u2", 2, Unsigned),
        ("u4", 4, Unsigned),
        ("u8", 8, Unsigned),
        ("u16", 16, Unsigned),
        ("u32", 32, Unsigned),
        ("u64", 64, Unsigned),
        ("s2", 2, Signed),
        ("s4", 4, Signed),
        ("s8", 8, Signed),
        ("s16", 16, Signed),
        ("s32", 32, Signed),
        ("s64", 64, Signed),
        ("u16x2", 32, Unsigned),
        ("s16x2", 32, Signed),
        ("u8x4", 32, Unsigned),
        ("s8x4", 32, Signed),
        ("f16", 16, Float),
        ("f16x2", 32, Float),
        ("bf16", 16, Float),
        ("bf16x2", 32, Float),
        ("tf32", 32, Float),
        ("f32", 32, Float),
        ("f32x2", 64, Float),
        ("f64", 64, Float),
        ("e4m3", 8, Float),
        ("e5m2", 8, Float),
        ("e2m3", 8, Float),
        ("e3m2", 8, Float),
        ("e2m1", 4, Float),
        ("e4m3x2", 16, Float),
        ("e5m2x2", 16, Float),
        ("e2m3x2", 16, Float),
        ("e3m2x2", 16, Float),
        ("e2m1x2", 8, Float),
        ("e4m3x4", 32, Float),
        ("e5m2x4", 32, Float),
        ("e2m3x4", 32, Float),
        ("e3m2x4", 32, Float),
        ("e2m1x4", 16, Float),
        ("ue8m0", 8, Float),
        ("ue8m0x2", 16, Float),
        ("ue4m3", 8, Float),
        ("ue5m3", 8, Float),
        ("s2f6x2", 16, Float),
        ("b8x16", 128, Bits),
        ("b6x16_p32", 128, Bits),
        ("b4x16_p64", 128, Bits),
        ("b4x16", 64, Bits),
        ("texref", 64, Opaque),
        ("samplerref", 64, Opaque),
        ("surfref", 64, Opaque),
    ]
};

/// Every type, in the order of the enum.
pub const ALL_TYPES: [Ty; 59] = {
    use Ty::*;
    [
        Pred, B1, B4, B8, B16, B32, B64, B128, U2, U4, U8, U16, U32, U64, S2, S4, S8, S16, S32, S64, U16x2, S16x2,
        U8x4, S8x4, F16, F16x2, Bf16, Bf16x2, Tf32, F32, F32x2, F64, E4m3, E5m2, E2m3, E3m2, E2m1, E4m3x2, E5m2x2,
        E2m3x2, E3m2x2, E2m1x2, E4m3x4, E5m2x4, E2m3x4, E3m2x4, E2m1x4, Ue8m0, Ue8m0x2, Ue4m3, Ue5m3, S2f6x2, B8x16,
        B6x16P32, B4x16P64, B4x16, Texref, Samplerref, Surfref,
    ]
};

impl Ty {
    /// The name without its dot, as PTX spells it: `f32`, `b6x16_p32`.
    pub fn name(self) -> &'static str {
        TYPES[self as usize].0
    }

    /// Size in bits of one value (1 for `.pred`).
    pub fn bits(self) -> u32 {
        u32::from(TYPES[self as usize].1)
    }

    /// Size in bytes in memory, rounded up (1 for `.pred` and sub-byte types).
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// The class of the type.
    pub fn class(self) -> TyClass {
        TYPES[self as usize].2
    }

    /// True for floating-point types, including packed and alternate ones.
    pub fn is_float(self) -> bool {
        self.class() == TyClass::Float
    }

    /// True for signed integer types.
    pub fn is_signed(self) -> bool {
        self.class() == TyClass::Signed
    }

    /// True for signed and unsigned integer types (not for `.bN`).
    pub fn is_int(self) -> bool {
        matches!(self.class(), TyClass::Signed | TyClass::Unsigned)
    }

    /// True for the untyped `.bN`.
    pub fn is_bits(self) -> bool {
        self.class() == TyClass::Bits
    }

    /// Finds a type by its name without dot.
    pub fn by_name(name: &str) -> Option<Ty> {
        // 59 short names: a length filter makes the linear search cheap, and callers memoise.
        TYPES.iter().position(|t| t.0 == name).map(|i| ALL_TYPES[i])
    }
}

/// The state space of a variable or an address (PTX ISA 9.0, 5.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Space {
    /// No state space written: a generic address.
    Generic,
    /// `.reg`
    Reg,
    /// `.sreg`
    Sreg,
    /// `.const`, with the bank of the obsolete `.const[n]`
    Const,
    /// `.global`
    Global,
    /// `.local`
    Local,
    /// `.param`
    Param,
    /// `.shared`
    Shared,
    /// `.tex` (obsolete)
    Tex,
}

impl Space {
    /// The name without its dot; empty for the generic space.
    pub fn name(self) -> &'static str {
        match self {
            Space::Generic => "",
            Space::Reg => "reg",
            Space::Sreg => "sreg",
            Space::Const => "const",
            Space::Global => "global",
            Space::Local => "local",
            Space::Param => "param",
            Space::Shared => "shared",
            Space::Tex => "tex",
        }
    }
}

/// A special register without its vector component (PTX ISA 9.0, section 10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the variants are the register names themselves")]
pub enum SpecialReg {
    Tid,
    Ntid,
    Ctaid,
    Nctaid,
    Clusterid,
    Nclusterid,
    ClusterCtaid,
    ClusterNctaid,
    Laneid,
    Warpid,
    Nwarpid,
    Smid,
    Nsmid,
    Gridid,
    IsExplicitCluster,
    ClusterCtarank,
    ClusterNctarank,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    Clock,
    ClockHi,
    Clock64,
    Globaltimer,
    GlobaltimerLo,
    GlobaltimerHi,
    ReservedSmemOffsetBegin,
    ReservedSmemOffsetEnd,
    ReservedSmemOffsetCap,
    ReservedSmemOffset0,
    ReservedSmemOffset1,
    TotalSmemSize,
    AggrSmemSize,
    DynamicSmemSize,
    CurrentGraphExec,
    /// `%pm0` to `%pm7`
    Pm(u8),
    /// `%pm0_64` to `%pm7_64`
    Pm64(u8),
    /// `%envreg0` to `%envreg31`
    Envreg(u8),
}

/// Name, type and vector width of each plain special register.
const SPECIALS: [(SpecialReg, &str, Ty, u8); 37] = {
    use SpecialReg::*;
    [
        (Tid, "%tid", Ty::U32, 4),
        (Ntid, "%ntid", Ty::U32, 4),
        (Ctaid, "%ctaid", Ty::U32, 4),
        (Nctaid, "%nctaid", Ty::U32, 4),
        (Clusterid, "%clusterid", Ty::U32, 4),
        (Nclusterid, "%nclusterid", Ty::U32, 4),
        (ClusterCtaid, "%cluster_ctaid", Ty::U32, 4),
        (ClusterNctaid, "%cluster_nctaid", Ty::U32, 4),
        (Laneid, "%laneid", Ty::U32, 1),
        (Warpid, "%warpid", Ty::U32, 1),
        (Nwarpid, "%nwarpid", Ty::U32, 1),
        (Smid, "%smid", Ty::U32, 1),
        (Nsmid, "%nsmid", Ty::U32, 1),
        (Gridid, "%gridid", Ty::U64, 1),
        (IsExplicitCluster, "%is_explicit_cluster", Ty::Pred, 1),
        (ClusterCtarank, "%cluster_ctarank", Ty::U32, 1),
        (ClusterNctarank, "%cluster_nctarank", Ty::U32, 1),
        (LanemaskEq, "%lanemask_eq", Ty::U32, 1),
        (LanemaskLe, "%lanemask_le", Ty::U32, 1),
        (LanemaskLt, "%lanemask_lt", Ty::U32, 1),
        (LanemaskGe, "%lanemask_ge", Ty::U32, 1),
        (LanemaskGt, "%lanemask_gt", Ty::U32, 1),
        (Clock, "%clock", Ty::U32, 1),
        (ClockHi, "%clock_hi", Ty::U32, 1),
        (Clock64, "%clock64", Ty::U64, 1),
        (Globaltimer, "%globaltimer", Ty::U64, 1),
        (GlobaltimerLo, "%globaltimer_lo", Ty::U32, 1),
        (GlobaltimerHi, "%globaltimer_hi", Ty::U32, 1),
        (ReservedSmemOffsetBegin, "%reserved_smem_offset_begin", Ty::B32, 1),
        (ReservedSmemOffsetEnd, "%reserved_smem_offset_end", Ty::B32, 1),
        (ReservedSmemOffsetCap, "%reserved_smem_offset_cap", Ty::B32, 1),
        (ReservedSmemOffset0, "%reserved_smem_offset_0", Ty::B32, 1),
        (ReservedSmemOffset1, "%reserved_smem_offset_1", Ty::B32, 1),
        (TotalSmemSize, "%total_smem_size", Ty::U32, 1),
        (AggrSmemSize, "%aggr_smem_size", Ty::U32, 1),
        (DynamicSmemSize, "%dynamic_smem_size", Ty::U32, 1),
        (CurrentGraphExec, "%current_graph_exec", Ty::U64, 1),
    ]
};

impl SpecialReg {
    /// Finds a special register by its name with `%` and without component.
    pub fn by_name(name: &str) -> Option<SpecialReg> {
        if let Some(row) = SPECIALS.iter().find(|row| row.1 == name) {
            return Some(row.0);
        }
        let number = |digits: &str, limit: u8| -> Option<u8> {
            let plain = digits.len() == 1 || (digits.len() == 2 && !digits.starts_with('0'));
            let n: u8 = digits.parse().ok()?;
            (plain && n < limit).then_some(n)
        };
        if let Some(n) = name.strip_prefix("%envreg") {
            return number(n, 32).map(SpecialReg::Envreg);
        }
        let pm = name.strip_prefix("%pm")?;
        match pm.strip_suffix("_64") {
            Some(n) => number(n, 8).map(SpecialReg::Pm64),
            None => number(pm, 8).map(SpecialReg::Pm),
        }
    }

    /// The name with `%`, without component.
    pub fn name(self) -> String {
        match self {
            SpecialReg::Pm(n) => format!("%pm{n}"),
            SpecialReg::Pm64(n) => format!("%pm{n}_64"),
            SpecialReg::Envreg(n) => format!("%envreg{n}"),
            plain => SPECIALS[plain.row()].1.to_owned(),
        }
    }

    /// The type of one component.
    pub fn ty(self) -> Ty {
        match self {
            SpecialReg::Pm(_) => Ty::U32,
            SpecialReg::Pm64(_) => Ty::U64,
            SpecialReg::Envreg(_) => Ty::B32,
            plain => SPECIALS[plain.row()].2,
        }
    }

    /// 4 for the vectors (`%tid` and the like, read as `.x .y .z`), else 1.
    pub fn width(self) -> u8 {
        match self {
            SpecialReg::Pm(_) | SpecialReg::Pm64(_) | SpecialReg::Envreg(_) => 1,
            plain => SPECIALS[plain.row()].3,
        }
    }

    /// Smaller sizes in bits that it may also be read with (ptxas 13.0.88; before PTX 2.0 these
    /// were 16 bits wide).
    pub(crate) fn narrow(self) -> &'static [u32] {
        match self {
            SpecialReg::Tid | SpecialReg::Ntid | SpecialReg::Ctaid | SpecialReg::Nctaid => &[16],
            SpecialReg::Gridid => &[16, 32],
            _ => &[],
        }
    }

    /// The first PTX version that has it and the oldest architecture (its SM number, 0 for any), if
    /// ptxas 13.0.88 checks them: `None` for those in all versions from 6.3 on.
    pub(crate) fn needs(self) -> Option<(PtxVersion, u16)> {
        use SpecialReg::*;
        match self {
            Clusterid | Nclusterid | ClusterCtaid | ClusterNctaid | IsExplicitCluster | ClusterCtarank
            | ClusterNctarank => Some((PtxVersion::new(7, 8), 90)),
            ReservedSmemOffsetBegin
            | ReservedSmemOffsetEnd
            | ReservedSmemOffsetCap
            | ReservedSmemOffset0
            | ReservedSmemOffset1 => Some((PtxVersion::new(7, 6), 80)),
            AggrSmemSize => Some((PtxVersion::new(8, 1), 90)),
            CurrentGraphExec => Some((PtxVersion::new(8, 0), 0)),
            _ => None,
        }
    }

    /// Its row in the table; the inverse of `from_row`.
    pub(crate) fn row(self) -> usize {
        SPECIALS.iter().position(|row| row.0 == self).unwrap_or(0)
    }

    /// The plain special register of a row of the table.
    pub(crate) fn from_row(row: usize) -> SpecialReg {
        SPECIALS[row].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_enum_agree() {
        for (i, ty) in ALL_TYPES.iter().enumerate() {
            assert_eq!(*ty as usize, i);
            assert_eq!(Ty::by_name(ty.name()), Some(*ty));
        }
        assert_eq!(Ty::B6x16P32.name(), "b6x16_p32");
        assert_eq!((Ty::F32.bits(), Ty::F16x2.bits(), Ty::Bf16.bits()), (32, 32, 16));
        for row in &SPECIALS {
            assert_eq!(SpecialReg::by_name(row.1), Some(row.0));
            assert_eq!(row.0.name(), row.1);
        }
        assert_eq!(SpecialReg::by_name("%envreg31"), Some(SpecialReg::Envreg(31)));
        assert_eq!(SpecialReg::by_name("%envreg32"), None);
        assert_eq!(SpecialReg::by_name("%pm3_64"), Some(SpecialReg::Pm64(3)));
    }
}
