//! Types of the tokens behind a mnemonic: a constructor of [`super`] takes those that its instruction can have there.
//!
//! `None` is a token that is not printed.

use raddle_sass::Mod;

/// A token that a constructor takes: one of a closed list.
pub trait Token: Copy + 'static {
    /// All of the list.
    #[cfg(test)]
    const ALL: &'static [Self];

    /// As the table of instructions has it.
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
    /// Amounts are taken modulo the width.
    Wrap { None W }
    /// The upper half.
    Half { None Hi }
    /// How `PRMT` takes its selector.
    Permute { None F4e B4e Rc8 Ecl Ecr Rc16 }
    /// `FLO` gives the distance from the top.
    Distance { None Sh }
    /// Which products `IDP` adds, and the type of the first factors.
    Dot { N4aU8 N4aS8 N2aLoU16 N2aLoS16 N2aHiU16 N2aHiS16 }
    /// A byte.
    Byte { U8 S8 }

    // Floating point.

    /// Comparison of floats.
    FloatCmp { Lt Eq Le Gt Ne Ge Num Nan Ltu Equ Leu Gtu Neu Geu }
    /// Subnormal numbers are zero.
    Ftz { None Ftz }
    /// Rounding; to the nearest is not printed.
    Round { None Rm Rp Rz }
    /// Rounding of a conversion that only rounds to the nearest or to zero.
    RoundZero { None Rz }
    /// Rounding to an integer; to the nearest is not printed.
    RoundInt { None Floor Ceil Trunc }
    /// Results are brought into 0 to 1.
    Sat { None Sat }
    /// Negative results are zero.
    Relu { None Relu }
    /// NaN where one operand is.
    Nan { None Nan }
    /// The sign is that of the product.
    Xorsign { None Xorsign }
    /// bf16 in an instruction of f16.
    Bf16V2 { None Bf16V2 }
    /// Formats of 16 bits.
    Float16 { F16 Bf16 }
    /// bf16; f16 is not printed.
    Brain { None Bf16 }
    /// Formats of 8 bits.
    Float8 { E4m3 E5m2 }
    /// Functions of 32 bits.
    Function { Cos Sin Ex2 Lg2 Rcp Rsq Rcp64h Rsq64h Sqrt Tanh }
    /// Functions of 16 bits.
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

    /// Bytes of an access, and how small ones are extended; 32 bits are not printed.
    Size { None U8 S8 U16 S16 N64 N128 }
    /// Bytes of a load from a constant bank.
    BankSize { None U8 S8 U16 S16 N64 }
    /// Eviction.
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
    /// The same of one without a result.
    RedInt { Add Min Max Inc Dec And Or Xor }
    /// Operation of an atomic on floats.
    AtomFloat { Add Min Max }
    /// Integers of an atomic.
    AtomIntTy { None S32 N64 S64 N128 }
    /// Integers of one without a result.
    RedIntTy { None S32 N64 S64 }
    /// Integers of one in shared memory.
    SharedTy { None S32 N64 }
    /// Floats of an atomic.
    AtomFloatTy { F16x2Rn F16x4Rn F16x8Rn Bf16x2Rn Bf16x4Rn Bf16x8Rn F32FtzRn F32x2FtzRn F32x4FtzRn F64Rn }
    /// The same on machines below sm_90, where nothing more can be added without a result.
    RedFloatTy { F16x2Rn F32FtzRn F64Rn }
    /// Words of a comparison and exchange.
    CasTy { None N64 N128 }
    /// The same in shared memory.
    SharedCasTy { None N64 }
    /// Orders more than releases and acquires.
    Fence { Sc All }
    /// Scope of a fence.
    Level { Cta Gpu Sys }
    /// What is done to a line of a cache.
    Line { Pf1 Pf2 Rml2 Dml2 }
    /// A window of the generic address space.
    Window { G L S }
    /// A space whose asynchronous accesses are ordered.
    AsyncSpace { S G }
    /// Transposed or not.
    Matrix { M88 Mt88 }
    /// Matrices moved at once; one is not printed.
    Matrices { None N2 N4 }
    /// L1 is passed by.
    Bypass { None Bypass }
    /// Words of an asynchronous copy.
    CopySize { None N64 N128 }
    /// Zeros behind what is read.
    Zfill { None Zfill }

    // Warps.

    /// What a vote tells.
    Vote { All Any Eq }
    /// How a shuffle finds the other lane.
    Shuffle { Idx Up Down Bfly }
    /// Values of 64 bits.
    Wide { None U64 }
    /// What a reduction of a warp computes; AND is not printed.
    Reduction { None Or Xor Sum Min Max }
    /// Signed is printed.
    Signed { None S32 }
    /// What a barrier reduces.
    BarReduction { Popc And Or }
    /// Shape of products of 16-bit floats.
    Shape16 { N16816 N1688 }
    /// Shape of products of TF32.
    ShapeTf32 { N1688 N1684 }
    /// Shape of products of bytes.
    Shape8 { N16816 N16832 }
    /// Bits of a counter.
    CounterSize { None N32 }
    /// The barrier is emptied.
    Clear { None Clear }
}
