//! Token types of mnemonics: each constructor of [`super`] takes the tokens that its instruction
//! allows.
//!
//! `None` is a token without text.

use raddle_sass::Mod;

/// A token type: a closed list of values.
pub trait Token: Copy + 'static {
    /// All values.
    #[cfg(test)]
    const ALL: &'static [Self];

    /// Returns the token of the instruction table.
    fn token(self) -> Mod;
}

macro_rules! tokens {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names, reason = "the tokens have these names")]
        pub enum $name {
            $($variant,)*
        }

        impl Token for $name {
            #[cfg(test)]
            const ALL: &'static [Self] = &[$($name::$variant),*];

            #[inline]
            fn token(self) -> Mod {
                match self {
                    $($name::$variant => Mod::$variant,)*
                }
            }
        }
    )*};
}

tokens! {
    // Integers.

    /// Comparison of integers.
    IntCmp { F Lt Eq Le Gt Ne Ge T }
    /// Signed is not printed.
    Unsigned { None U32 }
    /// Type of a right shift of 32 bits.
    Int32 { S32 U32 }
    /// Type of 64 bits.
    Int64 { S64 U64 }
    /// Direction of a shift.
    Direction { L R }
    /// Shift amounts are taken modulo the width.
    Wrap { None W }
    /// The upper half.
    Half { None Hi }
    /// Selector mode of `PRMT`.
    Permute { None F4e B4e Rc8 Ecl Ecr Rc16 }
    /// `FLO` returns the distance from the top.
    Distance { None Sh }
    /// Products that `IDP` adds, and the type of the first factors.
    Dot { N4aU8 N4aS8 N2aLoU16 N2aLoS16 N2aHiU16 N2aHiS16 }
    /// A byte.
    Byte { U8 S8 }

    // Asynchronous operations.

    /// The check of a phase may wait.
    TryWait { None Trywait }
    /// An operation on an mbarrier object without a result.
    SyncsRed { None Red }
    /// The arrivals are not expected again.
    Optout { None Optout }
    /// What arrives: one and expected bytes, one, a count of transactions, expected bytes, bytes, a
    /// number.
    SyncsCount { None A1t0 A0t1 A0tr A0tx Art0 }
    /// How an mbarrier object counts the arrival of copies.
    CopiesCounted { Arvcnt Transcnt }
    /// Several CTAs of the cluster get the data.
    Multicast { None Multicast }
    /// The destination of a bulk reduction: global memory, or shared memory of the cluster.
    BulkTo { G S }
    /// Element type of a bulk reduction; unsigned 32 bits are not printed.
    BulkTy { None S32 U64 S64 F16Rn F32Rn F64Rn Bf16Rn }
    /// Dimensions of a tensor.
    Dims { N1d N2d N3d N4d N5d }
    /// Element type of a reduction in another CTA; unsigned 32 bits are not printed.
    RedasTy { None S32 N64 }

    // Floating point.

    /// Comparison of floats.
    FloatCmp { Lt Eq Le Gt Ne Ge Num Nan Ltu Equ Leu Gtu Neu Geu }
    /// Flushing of subnormal numbers to zero.
    Ftz { None Ftz }
    /// Rounding; to the nearest is not printed.
    Round { None Rm Rp Rz }
    /// Rounding of a conversion that only rounds to the nearest or to zero.
    RoundZero { None Rz }
    /// Rounding to an integer; to the nearest is not printed.
    RoundInt { None Floor Ceil Trunc }
    /// Saturation to the range 0 to 1.
    Sat { None Sat }
    /// Negative results become zero.
    Relu { None Relu }
    /// NaN if one operand is NaN.
    Nan { None Nan }
    /// The sign is that of the product of the operands' signs.
    Xorsign { None Xorsign }
    /// bf16 in an instruction of f16.
    Bf16V2 { None Bf16V2 }
    /// 16-bit floating-point formats.
    Float16 { F16 Bf16 }
    /// bf16; f16 is not printed.
    Brain { None Bf16 }
    /// 8-bit floating-point formats.
    Float8 { E4m3 E5m2 }
    /// 32-bit functions.
    Function { Cos Sin Ex2 Lg2 Rcp Rsq Rcp64h Rsq64h Sqrt Tanh }
    /// 16-bit functions.
    Function16 {
        CosF16 CosBf16 SinF16 SinBf16 Ex2F16 Ex2Bf16 Lg2F16 Lg2Bf16 RcpF16 RcpBf16 RsqF16 RsqBf16 SqrtF16 SqrtBf16 TanhF16 TanhBf16
    }
    /// Source of a conversion from an integer.
    IntSource { None U32 S64 U64 }
    /// Result of up to 32 bits of a conversion to an integer.
    IntResult { None U8 S8 U16 S16 U32 }
    /// Any result of a conversion to an integer.
    IntResultAny { None U8 S8 U16 S16 U32 U64 S64 }

    // Memory.

    /// Access size, with the extension of small ones; 32 bits are not printed.
    Size { None U8 S8 U16 S16 N64 N128 }
    /// Access size of a load from a constant bank.
    BankSize { None U8 S8 U16 S16 N64 }
    /// Eviction priority.
    Cache { None Ef El Lu Eu Na }
    /// Bytes prefetched into L2.
    Prefetch { None Ltc64b Ltc128b Ltc256b }
    /// Ordering and scope of a load.
    LoadOrder { None Constant StrongSm StrongGpu StrongSys MmioSys }
    /// Ordering and scope of a store.
    StoreOrder { None StrongSm StrongGpu StrongSys MmioSys }
    /// Scope of an atomic operation.
    AtomScope { StrongSm StrongGpu StrongSys }
    /// Operation of an atomic on integers.
    AtomInt { Add Min Max Inc Dec And Or Xor Exch }
    /// The same for a reduction.
    RedInt { Add Min Max Inc Dec And Or Xor }
    /// Operation of an atomic on floats.
    AtomFloat { Add Min Max }
    /// How integers of multicast memory are combined.
    CombineInt { Add Min Max And Or Xor }
    /// Integer types of that.
    CombineIntTy { N32 S32 N64 S64 }
    /// How floats of multicast memory are combined; `F32ADD` adds them in binary32.
    CombineFloat { Add Min Max F32add }
    /// Floating-point types of that.
    CombineFloatTy { F16x2Rn F16x4Rn F16x8Rn Bf16x2Rn Bf16x4Rn Bf16x8Rn F32Rn F32x2Rn F32x4Rn F64Rn }
    /// Integer types of an atomic.
    AtomIntTy { None S32 N64 S64 N128 }
    /// Integer types of a reduction.
    RedIntTy { None S32 N64 S64 }
    /// Integer types of an atomic in shared memory.
    SharedTy { None S32 N64 N128 }
    /// Floating-point types of an atomic.
    AtomFloatTy { F16x2Rn F16x4Rn F16x8Rn Bf16x2Rn Bf16x4Rn Bf16x8Rn F32FtzRn F32x2FtzRn F32x4FtzRn F64Rn }
    /// Floating-point types of a reduction below sm_90.
    RedFloatTy { F16x2Rn F32FtzRn F64Rn }
    /// Sizes of a compare-and-swap.
    CasTy { None N64 N128 }
    /// The same in shared memory.
    SharedCasTy { None N64 N128 }
    /// Sequentially consistent, or acquire-release.
    Fence { Sc All }
    /// Scope of a fence.
    Level { Cta Gpu Sys }
    /// Operation on a cache line.
    Line { Pf1 Pf2 Rml2 Dml2 }
    /// A window of the generic address space.
    Window { G L S D }
    /// A space whose asynchronous accesses are fenced.
    AsyncSpace { S G }
    /// Whether matrices are transposed.
    Matrix { M88 Mt88 }
    /// Number of matrices moved; one is not printed.
    Matrices { None N2 N4 }
    /// Bypassing of L1.
    Bypass { None Bypass }
    /// Size of an asynchronous copy.
    CopySize { None N64 N128 }
    /// Filling with zeros after the bytes read.
    Zfill { None Zfill }

    // Warps.

    /// Result of a vote.
    Vote { All Any Eq }
    /// How a shuffle selects the source lane.
    Shuffle { Idx Up Down Bfly }
    /// 64-bit values.
    Wide { None U64 }
    /// Operation of a warp reduction; AND is not printed.
    Reduction { None Or Xor Sum Min Max }
    /// Signed, printed.
    Signed { None S32 }
    /// Operation of a barrier reduction.
    BarReduction { Popc And Or }
    /// Shape of 16-bit floating-point matrix products.
    Shape16 { N16816 N1688 }
    /// Shape of TF32 matrix products.
    ShapeTf32 { N1688 N1684 }
    /// Shape of 8-bit integer matrix products.
    Shape8 { N8816 N16816 N16832 }
    /// Shape of 4-bit integer matrix products.
    Shape4 { N8832 N16832 N16864 }
    /// Four bits.
    Nibble { U4 S4 }
    /// Shape of 16-bit floating-point matrix products with a sparse A.
    ShapeSparse { N16816 N16832 }
    /// Shape of 8-bit floating-point matrix products.
    ShapeQuarter { N16816 N16832 }
    /// Shape of 8-bit integer matrix products with a sparse A.
    ShapeSparse8 { N16832 N16864 }
    /// Shape of 4-bit integer matrix products with a sparse A.
    ShapeSparse4 { N16864 N168128 }
    /// Combination of two words of single bits.
    BitOp { Xor And }
    /// Shape of matrix products of single bits.
    Shape1 { N88128 N168128 N168256 }
    /// Shape of binary64 matrix products.
    Shape64 { N8x8x4 N16x8x4 N16x8x8 N16x8x16 }
    /// Size of a counter.
    CounterSize { None N32 }
    /// Clearing of the barrier.
    Clear { None Clear }

    // Textures and surfaces.

    /// The handle is in a register.
    InRegister { None B }
    /// Level of detail of a filtered lookup.
    TexLevel { Ll }
    /// Level of a lookup by numbers.
    TldLevel { Lz Ll }
    /// Offsets.
    Aoffi { None Aoffi }
    /// Depth comparison.
    Dc { None Dc }
    /// Multisampling.
    Ms { None Ms }
    /// Clamped level.
    Cl { None Cl }
    /// The channel of a gather.
    Gathered { R G B A }
    /// Dimensions of a surface.
    SurfDim { N1d N2d N3d N1dArray N2dArray }
    /// Likely used once.
    SurfEf { None Ef }
    /// Bytes of a surface access.
    SurfSize { U8 U16 None N64 N128 }
    /// Order of a surface access.
    SurfOrder { StrongSm StrongSys }
    /// Accesses outside of a surface.
    SurfOutside { None Ign Trap }
    /// Channels of a surface store.
    SurfChannels { R Rg None }
    /// What x counts.
    SurfBytes { None Ba }
    /// Operation of a surface reduction.
    SurfOp { Add Min Max And Or }
    /// Type of a surface reduction.
    SurfType { None S32 U64 S64 Sd32 Sd64 }
}
