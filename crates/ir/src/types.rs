//! Widths, and the small enumerations that operations carry.

use crate::{token_struct, tokens};

tokens! {
    /// The only type a value has: its width (D1). What the bits mean is part of the operation.
    Width {
        /// One bit: a predicate.
        P = "p",
        /// 16 bits: PTX's 8- and 16-bit registers.
        B16 = "b16",
        /// 32 bits.
        B32 = "b32",
        /// 64 bits.
        B64 = "b64",
        /// 128 bits.
        B128 = "b128",
    }
}

impl Width {
    /// Returns the size in bits; a predicate has one.
    pub const fn bits(self) -> u32 {
        match self {
            Width::P => 1,
            Width::B16 => 16,
            Width::B32 => 32,
            Width::B64 => 64,
            Width::B128 => 128,
        }
    }

    /// Returns the width with this many bits (1, 16, 32, 64, 128); 8-bit values are 16 bits wide.
    pub const fn of_bits(bits: u32) -> Option<Width> {
        Some(match bits {
            1 => Width::P,
            8 | 16 => Width::B16,
            32 => Width::B32,
            64 => Width::B64,
            128 => Width::B128,
            _ => return None,
        })
    }

    /// Returns all ones in this width, for widths up to 64 bits.
    pub const fn mask(self) -> u64 {
        match self.bits() {
            b if b >= 64 => u64::MAX,
            b => (1 << b) - 1,
        }
    }
}

tokens! {
    /// Signedness of an integer operation.
    Sign { /// Unsigned.
        U = "u", /// Two's complement.
        S = "s" }
}
tokens! {
    /// Comparison condition. `Equ` and other `u` forms are true if an operand is NaN (PTX ISA 9.0,
    /// 9.3 "Unordered").
    Cond {
        /// Equal.
        Eq = "eq", /// Not equal.
        Ne = "ne", /// Less.
        Lt = "lt", /// Less or equal.
        Le = "le", /// Greater.
        Gt = "gt", /// Greater or equal.
        Ge = "ge", /// Equal or unordered.
        Equ = "equ", /// Not equal or unordered.
        Neu = "neu", /// Less or unordered.
        Ltu = "ltu", /// Less, equal or unordered.
        Leu = "leu", /// Greater or unordered.
        Gtu = "gtu", /// Greater, equal or unordered.
        Geu = "geu", /// Neither is NaN.
        Num = "num", /// One is NaN.
        Nan = "nan",
    }
}
tokens! {
    /// Floating-point format of an operation.
    Fty {
        /// IEEE half.
        F16 = "f16", /// A pair of f16.
        F16x2 = "f16x2", /// bfloat16.
        Bf16 = "bf16", /// A pair of bfloat16.
        Bf16x2 = "bf16x2", /// IEEE single.
        F32 = "f32", /// IEEE double.
        F64 = "f64",
    }
}

impl Fty {
    /// Returns the width of a value in this format.
    pub const fn width(self) -> Width {
        match self {
            Fty::F16 | Fty::Bf16 => Width::B16,
            Fty::F16x2 | Fty::Bf16x2 | Fty::F32 => Width::B32,
            Fty::F64 => Width::B64,
        }
    }
}

tokens! {
    /// Rounding of a floating-point result.
    Rnd { /// To nearest, ties to even.
        Rn = "rn", /// To zero.
        Rz = "rz", /// To minus infinity.
        Rm = "rm", /// To plus infinity.
        Rp = "rp", /// To nearest, ties away from zero (tf32 conversion).
        Rna = "rna" }
}
tokens! {
    /// Flushing of subnormal inputs and results to zero.
    Ftz { /// Not flushed.
        No = "", /// Flushed to zero.
        Yes = "ftz" }
}
tokens! {
    /// Clamping of a result.
    Sat { /// None.
        No = "", /// To [0, 1] for floats, to the range of the type for integers.
        Yes = "sat", /// To finite values (8-bit floats).
        Finite = "satfinite", /// Negative to zero.
        Relu = "relu" }
}
tokens! {
    /// NaN and sign handling of a minimum or maximum.
    MinMode { /// A number is preferred to NaN.
        Num = "", /// NaN is propagated.
        Nan = "nan", /// `Num` on magnitudes, with the exclusive or of the signs.
        XorSign = "xorsign", /// Both.
        NanXorSign = "nanxorsign" }
}
tokens! {
    /// Element types of conversions.
    Cty {
        /// Signed 8 bits.
        S8 = "s8", /// Unsigned 8 bits.
        U8 = "u8", /// Signed 16 bits.
        S16 = "s16", /// Unsigned 16 bits.
        U16 = "u16", /// Signed 32 bits.
        S32 = "s32", /// Unsigned 32 bits.
        U32 = "u32", /// Signed 64 bits.
        S64 = "s64", /// Unsigned 64 bits.
        U64 = "u64", /// IEEE half.
        F16 = "f16", /// bfloat16.
        Bf16 = "bf16", /// TensorFloat-32 in 32 bits.
        Tf32 = "tf32", /// IEEE single.
        F32 = "f32", /// IEEE double.
        F64 = "f64", /// A pair of f16.
        F16x2 = "f16x2", /// A pair of bfloat16.
        Bf16x2 = "bf16x2", /// A pair of e4m3 in 16 bits.
        E4m3x2 = "e4m3x2", /// A pair of e5m2 in 16 bits.
        E5m2x2 = "e5m2x2",
    }
}

impl Cty {
    /// Returns the width of a value that holds this type.
    pub const fn width(self) -> Width {
        use Cty::*;
        match self {
            S8 | U8 | S16 | U16 | F16 | Bf16 | E4m3x2 | E5m2x2 => Width::B16,
            S32 | U32 | Tf32 | F32 | F16x2 | Bf16x2 => Width::B32,
            S64 | U64 | F64 => Width::B64,
        }
    }

    /// Returns the signedness of an integer type; `None` for others.
    pub const fn int(self) -> Option<Sign> {
        use Cty::*;
        match self {
            S8 | S16 | S32 | S64 => Some(Sign::S),
            U8 | U16 | U32 | U64 => Some(Sign::U),
            _ => None,
        }
    }

    /// Returns the size in bits of the type itself (8 for `S8`).
    pub const fn bits(self) -> u32 {
        match self {
            Cty::S8 | Cty::U8 => 8,
            _ => self.width().bits(),
        }
    }
}

tokens! {
    /// Rounding of a conversion.
    CvtRnd { /// None: the conversion is exact or between integers.
        None = "", /// Nearest even.
        Rn = "rn", /// To zero.
        Rz = "rz", /// Down.
        Rm = "rm", /// Up.
        Rp = "rp", /// Nearest, ties away.
        Rna = "rna", /// To an integer, nearest even.
        Rni = "rni", /// To an integer, to zero.
        Rzi = "rzi", /// To an integer, down.
        Rmi = "rmi", /// To an integer, up.
        Rpi = "rpi" }
}
tokens! {
    /// Functions of the multi-function unit, which flushes subnormal inputs and results.
    Mufu {
        /// 1/x.
        Rcp = "rcp", /// 1/sqrt(x).
        Rsq = "rsq", /// sqrt(x).
        Sqrt = "sqrt", /// 2^x.
        Ex2 = "ex2", /// log2(x).
        Lg2 = "lg2", /// sin(x) for reduced x.
        Sin = "sin", /// cos(x).
        Cos = "cos", /// tanh(x).
        Tanh = "tanh", /// Upper half of 1/x for f64.
        Rcp64h = "rcp64h", /// Upper half of 1/sqrt(x) for f64.
        Rsq64h = "rsq64h",
    }
}
tokens! {
    /// State spaces.
    Space {
        /// Generic: the address selects the space.
        Generic = "generic", /// Device memory.
        Global = "global", /// Memory of the CTA.
        Shared = "shared", /// Memory of the thread.
        Local = "local", /// Constant bank 3.
        Const = "const", /// Kernel parameters.
        Param = "param",
    }
}
tokens! {
    /// Element type of a memory access. Sub-word loads extend to 32 bits, sub-word stores take the
    /// low bits of 32.
    Mty { /// Unsigned byte.
        U8 = "u8", /// Signed byte.
        S8 = "s8", /// Unsigned 16 bits.
        U16 = "u16", /// Signed 16 bits.
        S16 = "s16", /// 32 bits.
        B32 = "b32", /// 64 bits.
        B64 = "b64", /// 128 bits.
        B128 = "b128" }
}

impl Mty {
    /// Returns the size in memory, in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Mty::U8 | Mty::S8 => 1,
            Mty::U16 | Mty::S16 => 2,
            Mty::B32 => 4,
            Mty::B64 => 8,
            Mty::B128 => 16,
        }
    }

    /// Returns the width of the value loaded or stored.
    pub const fn width(self) -> Width {
        match self {
            Mty::B64 => Width::B64,
            Mty::B128 => Width::B128,
            _ => Width::B32,
        }
    }
}

tokens! {
    /// Memory order (PTX ISA 9.0, 8.5).
    Order { /// Weak.
        Weak = "", /// Volatile: relaxed at system scope, never removed.
        Volatile = "volatile", /// Relaxed.
        Relaxed = "relaxed", /// Acquire.
        Acquire = "acquire", /// Release.
        Release = "release", /// Acquire and release.
        AcqRel = "acqrel", /// Sequentially consistent (fences only).
        Sc = "sc", /// Memory-mapped input and output.
        Mmio = "mmio" }
}
tokens! {
    /// Scope of an ordered access; `None` for weak ones.
    Scope { /// Weak access.
        None = "", /// CTA.
        Cta = "cta", /// Cluster.
        Cluster = "cluster", /// Device.
        Gpu = "gpu", /// System.
        Sys = "sys" }
}
tokens! {
    /// Caching hint of a weak access.
    Cache { /// None.
        None = "", /// All levels.
        Ca = "ca", /// L2.
        Cg = "cg", /// Streaming.
        Cs = "cs", /// Last use.
        Lu = "lu", /// Not cached.
        Cv = "cv", /// Write back.
        Wb = "wb", /// Write through.
        Wt = "wt", /// Read-only data path.
        Nc = "nc", /// L1 evict first.
        EvictFirst = "evictfirst", /// L1 evict last.
        EvictLast = "evictlast", /// L1 no allocation.
        NoAllocate = "noallocate", /// L1 unchanged.
        EvictUnchanged = "evictunchanged", /// Read-only data, evict first.
        NcEvictFirst = "ncevictfirst", /// Read-only data, evict last.
        NcEvictLast = "ncevictlast", /// Read-only data, no allocation.
        NcNoAllocate = "ncnoallocate" }
}
tokens! {
    /// Size of the L2 prefetch hint.
    Prefetch { /// None.
        None = "", /// 64 bytes.
        L64 = "l64", /// 128 bytes.
        L128 = "l128", /// 256 bytes.
        L256 = "l256" }
}
token_struct! {
    /// A memory access: operands are an address (64 bits in generic and global space, else 32) and
    /// the values stored.
    Mem {
        /// State space.
        space: Space,
        /// Element type.
        ty: Mty,
        /// Elements: 1, 2, 4 or 8; as many results (loads) or operands (stores).
        count: u8,
        /// Memory order.
        order: Order,
        /// Scope.
        scope: Scope,
        /// Cache operator.
        cache: Cache,
        /// L2 prefetch.
        prefetch: Prefetch,
        /// Bytes added to the address.
        offset: i32,
    }
}
tokens! {
    /// Atomic operations.
    AtomOp { /// a + b.
        Add = "add", /// Minimum.
        Min = "min", /// Maximum.
        Max = "max", /// Wrap-around increment (PTX ISA 9.0, 9.7.13.5).
        Inc = "inc", /// Wrap-around decrement.
        Dec = "dec", /// And.
        And = "and", /// Or.
        Or = "or", /// Exclusive or.
        Xor = "xor", /// Exchange.
        Exch = "exch", /// Compare and swap: operands address, compare, new.
        Cas = "cas" }
}
tokens! {
    /// Element type of an atomic.
    Aty { /// Unsigned 32.
        U32 = "u32", /// Signed 32.
        S32 = "s32", /// Unsigned 64.
        U64 = "u64", /// Signed 64.
        S64 = "s64", /// Single.
        F32 = "f32", /// Double.
        F64 = "f64", /// A pair of f16.
        F16x2 = "f16x2", /// A pair of bfloat16.
        Bf16x2 = "bf16x2", /// Half.
        F16 = "f16", /// bfloat16.
        Bf16 = "bf16", /// 16 bits.
        B16 = "b16", /// Four halves.
        F16x4 = "f16x4", /// Eight halves.
        F16x8 = "f16x8", /// Four bfloat16.
        Bf16x4 = "bf16x4", /// Eight bfloat16.
        Bf16x8 = "bf16x8", /// Two singles.
        F32x2 = "f32x2", /// Four singles.
        F32x4 = "f32x4", /// 128 bits.
        B128 = "b128" }
}

impl Aty {
    /// Returns the width of operand and result.
    pub const fn width(self) -> Width {
        match self {
            Aty::F16 | Aty::Bf16 | Aty::B16 => Width::B16,
            Aty::U64 | Aty::S64 | Aty::F64 | Aty::F16x4 | Aty::Bf16x4 | Aty::F32x2 => Width::B64,
            Aty::F16x8 | Aty::Bf16x8 | Aty::F32x4 | Aty::B128 => Width::B128,
            _ => Width::B32,
        }
    }
}

token_struct! {
    /// An atomic access: operands address, value (for `Cas`: compare, new).
    Atom {
        /// Operation.
        op: AtomOp,
        /// Element type.
        ty: Aty,
        /// State space.
        space: Space,
        /// Memory order.
        order: Order,
        /// Scope.
        scope: Scope,
        /// Bytes added to the address.
        offset: i32,
    }
}
tokens! {
    /// How values of multicast memory are summed.
    Accum { /// In their own format.
        Own = "own", /// In binary32, rounded at the end.
        F32 = "f32" }
}
tokens! {
    /// Operations on a named barrier; operands: barrier, thread count (0 for all), and a predicate
    /// for reductions.
    BarOp { /// Arrive and wait.
        Sync = "sync", /// Arrive only.
        Arrive = "arrive", /// Wait and count true predicates.
        Popc = "popc", /// Wait and reduce predicates by `and`.
        And = "and", /// Wait and reduce predicates by `or`.
        Or = "or" }
}
tokens! {
    /// Shuffle modes.
    ShflMode { /// From lane - b.
        Up = "up", /// From lane + b.
        Down = "down", /// From lane ^ b.
        Bfly = "bfly", /// From lane b.
        Idx = "idx" }
}
tokens! {
    /// Votes.
    VoteMode { /// Whether all are true.
        All = "all", /// Whether any is true.
        Any = "any", /// Whether all are equal.
        Uni = "uni", /// A 32-bit mask of those that are true.
        Ballot = "ballot" }
}
tokens! {
    /// Warp-wide reductions.
    ReduxOp { /// Sum.
        Add = "add", /// Minimum.
        Min = "min", /// Maximum.
        Max = "max", /// And.
        And = "and", /// Or.
        Or = "or", /// Exclusive or.
        Xor = "xor" }
}
tokens! {
    /// Byte permutation modes (PTX ISA 9.0, 9.7.9.7 `prmt`).
    PrmtMode { /// Selectors per byte.
        Index = "", /// Forward 4 extract.
        F4e = "f4e", /// Backward 4 extract.
        B4e = "b4e", /// Replicate 8.
        Rc8 = "rc8", /// Edge clamp left.
        Ecl = "ecl", /// Edge clamp right.
        Ecr = "ecr", /// Replicate 16.
        Rc16 = "rc16" }
}
tokens! {
    /// Special registers (PTX ISA 9.0, 10).
    Special {
        /// Thread index in the CTA, x.
        TidX = "tid_x", /// y.
        TidY = "tid_y", /// z.
        TidZ = "tid_z", /// CTA size, x.
        NtidX = "ntid_x", /// y.
        NtidY = "ntid_y", /// z.
        NtidZ = "ntid_z", /// CTA index in the grid, x.
        CtaidX = "ctaid_x", /// y.
        CtaidY = "ctaid_y", /// z.
        CtaidZ = "ctaid_z", /// Grid size, x.
        NctaidX = "nctaid_x", /// y.
        NctaidY = "nctaid_y", /// z.
        NctaidZ = "nctaid_z", /// Lane.
        LaneId = "laneid", /// Warp, in the hardware's numbering.
        WarpId = "warpid", /// Most warps of a multiprocessor.
        NwarpId = "nwarpid", /// Multiprocessor.
        SmId = "smid", /// Number of multiprocessors.
        NsmId = "nsmid", /// Mask of this lane.
        LanemaskEq = "lanemask_eq", /// Lanes up to this one.
        LanemaskLe = "lanemask_le", /// Lanes below.
        LanemaskLt = "lanemask_lt", /// Lanes from this one on.
        LanemaskGe = "lanemask_ge", /// Lanes above.
        LanemaskGt = "lanemask_gt", /// Low half of the cycle counter.
        Clock = "clock", /// High half.
        ClockHi = "clock_hi", /// The cycle counter, 64 bits.
        Clock64 = "clock64", /// Nanoseconds, 64 bits.
        GlobalTimer = "globaltimer", /// Low half.
        GlobalTimerLo = "globaltimer_lo", /// High half.
        GlobalTimerHi = "globaltimer_hi", /// Grid number, 64 bits.
        GridId = "gridid", /// Dynamic shared memory in bytes.
        DynamicSmem = "dynamic_smem", /// Shared memory of the CTA, in bytes.
        TotalSmem = "total_smem", /// With that reserved by the system.
        AggrSmem = "aggr_smem", /// Start of the memory reserved by the system.
        ReservedSmem = "reserved_smem", /// End of the memory reserved by the system.
        ReservedSmemEnd = "reserved_smem_end", /// Limit of the reserved memory.
        ReservedSmemCap = "reserved_smem_cap", /// Start of its second part.
        ReservedSmemPart = "reserved_smem_part", /// The graph that launched the grid, 64 bits.
        GraphExec = "graph_exec", /// Cluster index in the grid, x.
        ClusterIdX = "clusterid_x", /// y.
        ClusterIdY = "clusterid_y", /// z.
        ClusterIdZ = "clusterid_z", /// Clusters of the grid, x.
        NclusterIdX = "nclusterid_x", /// y.
        NclusterIdY = "nclusterid_y", /// z.
        NclusterIdZ = "nclusterid_z", /// CTA index in the cluster, x.
        ClusterCtaidX = "cluster_ctaid_x", /// y.
        ClusterCtaidY = "cluster_ctaid_y", /// z.
        ClusterCtaidZ = "cluster_ctaid_z", /// CTAs of the cluster, x.
        ClusterNctaidX = "cluster_nctaid_x", /// y.
        ClusterNctaidY = "cluster_nctaid_y", /// z.
        ClusterNctaidZ = "cluster_nctaid_z", /// Rank of the CTA in the cluster.
        ClusterCtaRank = "cluster_ctarank", /// CTAs of the cluster.
        ClusterNctaRank = "cluster_nctarank", /// One if the grid was launched with clusters, else zero.
        ExplicitCluster = "explicit_cluster", /// Generic address of constant bank 3, 64 bits.
        ConstWindow = "const_window", /// Generic address of the first kernel parameter, 64 bits.
        ParamWindow = "param_window", /// Performance counter 0, low half; 1 to 7 follow.
        Pm0 = "pm0", /// 1.
        Pm1 = "pm1", /// 2.
        Pm2 = "pm2", /// 3.
        Pm3 = "pm3", /// 4.
        Pm4 = "pm4", /// 5.
        Pm5 = "pm5", /// 6.
        Pm6 = "pm6", /// 7.
        Pm7 = "pm7", /// Upper 32 bits of a generic address in the shared window.
        SharedWindowHi = "shared_window_hi", /// Low half of the generic address of the local window.
        LocalWindowLo = "local_window_lo", /// High half.
        LocalWindowHi = "local_window_hi",
    }
}

impl Special {
    /// Returns the width of its value.
    pub const fn width(self) -> Width {
        match self {
            Special::Clock64
            | Special::GlobalTimer
            | Special::GridId
            | Special::GraphExec
            | Special::ConstWindow
            | Special::ParamWindow => Width::B64,
            _ => Width::B32,
        }
    }

    /// Whether two reads may differ.
    pub const fn changes(self) -> bool {
        use Special::*;
        matches!(self, Clock | ClockHi | Clock64 | GlobalTimer | GlobalTimerLo | GlobalTimerHi | SmId | WarpId)
            || matches!(self, Pm0 | Pm1 | Pm2 | Pm3 | Pm4 | Pm5 | Pm6 | Pm7)
    }
}

tokens! {
    /// Matrix shapes of `mma.sync`.
    MmaShape { /// 16x8x4.
        M16n8k4 = "m16n8k4", /// 16x8x8.
        M16n8k8 = "m16n8k8", /// 16x8x16.
        M16n8k16 = "m16n8k16", /// 16x8x32.
        M16n8k32 = "m16n8k32", /// 16x8x64.
        M16n8k64 = "m16n8k64", /// 16x8x128.
        M16n8k128 = "m16n8k128", /// 16x8x256.
        M16n8k256 = "m16n8k256", /// 8x8x4.
        M8n8k4 = "m8n8k4", /// 8x8x16.
        M8n8k16 = "m8n8k16", /// 8x8x32.
        M8n8k32 = "m8n8k32", /// 8x8x128.
        M8n8k128 = "m8n8k128" }
}

impl MmaShape {
    /// Rows of A and columns of A; B has eight columns.
    pub const fn size(self) -> (usize, usize) {
        match self {
            MmaShape::M16n8k4 => (16, 4),
            MmaShape::M16n8k8 => (16, 8),
            MmaShape::M16n8k16 => (16, 16),
            MmaShape::M16n8k32 => (16, 32),
            MmaShape::M16n8k64 => (16, 64),
            MmaShape::M16n8k128 => (16, 128),
            MmaShape::M16n8k256 => (16, 256),
            MmaShape::M8n8k4 => (8, 4),
            MmaShape::M8n8k16 => (8, 16),
            MmaShape::M8n8k32 => (8, 32),
            MmaShape::M8n8k128 => (8, 128),
        }
    }
}

tokens! {
    /// Element types of `mma.sync`.
    MmaTy { /// Half.
        F16 = "f16", /// bfloat16.
        Bf16 = "bf16", /// tf32.
        Tf32 = "tf32", /// Single.
        F32 = "f32", /// Double.
        F64 = "f64", /// Signed byte.
        S8 = "s8", /// Unsigned byte.
        U8 = "u8", /// Signed, four bits.
        S4 = "s4", /// Unsigned, four bits.
        U4 = "u4", /// Four bits of exponent, three of fraction.
        E4m3 = "e4m3", /// Five bits of exponent, two of fraction.
        E5m2 = "e5m2", /// A single bit.
        B1 = "b1", /// Signed 32.
        S32 = "s32" }
}

impl MmaTy {
    /// Size of an element in bits.
    pub const fn bits(self) -> usize {
        match self {
            MmaTy::F64 => 64,
            MmaTy::Tf32 | MmaTy::F32 | MmaTy::S32 => 32,
            MmaTy::F16 | MmaTy::Bf16 => 16,
            MmaTy::S8 | MmaTy::U8 | MmaTy::E4m3 | MmaTy::E5m2 => 8,
            MmaTy::S4 | MmaTy::U4 => 4,
            MmaTy::B1 => 1,
        }
    }
}
tokens! {
    /// How `mma.sync` combines elements.
    MmaKind { /// Multiplies them.
        Dense = "dense", /// Counts the ones of their exclusive or.
        Xor = "xor", /// Counts the ones of their conjunction.
        And = "and", /// Multiplies those that a sparse A has; selector 0.
        Sparse0 = "sp0", /// Selector 1.
        Sparse1 = "sp1", /// Selector 2.
        Sparse2 = "sp2", /// Selector 3.
        Sparse3 = "sp3" }
}

impl MmaKind {
    /// The kinds of a sparse A, by selector of the metadata.
    pub const SPARSE: [MmaKind; 4] = [MmaKind::Sparse0, MmaKind::Sparse1, MmaKind::Sparse2, MmaKind::Sparse3];

    /// The selector of the metadata of a sparse A.
    pub fn selector(self) -> Option<u8> {
        MmaKind::SPARSE.iter().position(|&kind| kind == self).map(|n| n as u8)
    }
}
token_struct! {
    /// `mma.sync`: operands are the 32-bit pieces of A, then B, then C, then the metadata of a
    /// sparse A; results those of D.
    Mma {
        /// Shape.
        shape: MmaShape,
        /// Element type of C and D.
        d: MmaTy,
        /// Element type of A.
        a: MmaTy,
        /// Element type of B.
        b: MmaTy,
        /// Whether integer results are clamped.
        sat: Sat,
        /// Rounding of f64.
        rnd: Rnd,
        /// What is combined how.
        kind: MmaKind,
    }
}
