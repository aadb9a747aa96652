//! The executable form of a machine instruction.
//!
//! Problem: the decoded [`raddle_sass::Inst`] is made for reading and writing, not for running five million times a
//! second. Strategy: before a launch every instruction becomes a [`Uop`]: constants folded into immediates, source
//! modifiers reduced to and/xor/add, fields turned into a [`Kind`] with the options that its semantics needs, and
//! the registers it touches listed for the hazard tracker. Invariant: a `Uop` needs no table to be executed.

use crate::float::{Format, Mode, Rounding};

/// Where a source value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum From {
    /// `Src::imm`, the same for all lanes.
    #[default]
    Imm,
    /// General register.
    Reg(u8),
    /// Uniform register.
    UReg(u8),
}

/// Which part of a 32-bit source counts (`.H0_H0`, `.B1`, `.SIGN`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Part {
    /// All of it.
    #[default]
    All,
    /// Lower half, in both halves.
    H0,
    /// Upper half, in both halves.
    H1,
    /// Byte n, zero-extended.
    Byte(u8),
    /// Both halves, exchanged.
    Swap,
}

/// A source operand: `((value & and) ^ xor) + add`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src {
    /// Origin.
    pub from: From,
    /// Selected part, applied first.
    pub part: Part,
    /// Immediate; 64-bit operands use all of it.
    pub imm: u64,
    /// Absolute value of floats.
    pub and: u32,
    /// Negation of floats, complement of integers. For 64-bit operands `and`, `xor` apply to the upper word.
    pub xor: u32,
    /// 1 for the negation of integers.
    pub add: u32,
}

impl Default for Src {
    fn default() -> Src {
        Src { from: From::Imm, part: Part::All, imm: 0, and: u32::MAX, xor: 0, add: 0 }
    }
}

impl Src {
    /// An immediate.
    pub fn imm(v: u64) -> Src {
        Src { imm: v, ..Src::default() }
    }

    /// A general register.
    pub fn reg(n: u8) -> Src {
        Src { from: From::Reg(n), ..Src::default() }
    }

    /// Whether no modifier changes the value.
    pub fn is_plain(&self) -> bool {
        self.part == Part::All && self.and == u32::MAX && self.xor == 0 && self.add == 0
    }

    /// Applies part and modifiers to a raw 32-bit value.
    #[inline(always)]
    pub fn apply(&self, raw: u32) -> u32 {
        ((self.select(raw) & self.and) ^ self.xor).wrapping_add(self.add)
    }

    /// The selected part of a raw value.
    #[inline(always)]
    pub fn select(&self, raw: u32) -> u32 {
        match self.part {
            Part::All => raw,
            Part::H0 => (raw & 0xffff) * 0x1_0001,
            Part::H1 => (raw >> 16) * 0x1_0001,
            Part::Byte(n) => raw >> (8 * n) & 0xff,
            Part::Swap => raw.rotate_left(16),
        }
    }
}

/// A predicate source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PSrc {
    /// Number, 7 is true.
    pub n: u8,
    /// Complemented.
    pub not: bool,
    /// A uniform predicate.
    pub uniform: bool,
}

impl PSrc {
    /// Always true.
    pub const TRUE: PSrc = PSrc { n: 7, not: false, uniform: false };
    /// Always false.
    pub const FALSE: PSrc = PSrc { n: 7, not: true, uniform: false };
}

/// Comparison of two values that may be unordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cmp {
    /// True if less.
    pub lt: bool,
    /// True if equal.
    pub eq: bool,
    /// True if greater.
    pub gt: bool,
    /// True if unordered.
    pub un: bool,
}

impl Cmp {
    /// The verdict on an ordering, `None` for unordered.
    #[inline(always)]
    pub fn test(self, o: Option<std::cmp::Ordering>) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match o {
            Some(Less) => self.lt,
            Some(Equal) => self.eq,
            Some(Greater) => self.gt,
            None => self.un,
        }
    }
}

/// How two predicates are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bool {
    /// Conjunction.
    #[default]
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
}

impl Bool {
    /// Applies it to lane masks.
    #[inline(always)]
    pub fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Bool::And => a & b,
            Bool::Or => a | b,
            Bool::Xor => a ^ b,
        }
    }
}

impl Bool {
    /// Lanes in which the combination of `a` and `b` is undefined, `ta` and `tb` being where they are: a defined false
    /// decides a conjunction, a defined true a disjunction.
    #[inline(always)]
    pub fn undefined(self, a: u32, ta: u32, b: u32, tb: u32) -> u32 {
        if ta | tb == 0 {
            return 0;
        }
        match self {
            Bool::And => ta & (b | tb) | tb & (a | ta),
            Bool::Or => ta & (!b | tb) | tb & (!a | ta),
            Bool::Xor => ta | tb,
        }
    }
}

/// Element type of packed or scalar integer operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntKind {
    /// 32-bit signed.
    S32,
    /// 32-bit unsigned.
    U32,
    /// Two 16-bit signed.
    S16x2,
    /// Two 16-bit unsigned.
    U16x2,
}

/// What an atomic operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomOp {
    /// Addition.
    Add,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Increment with wrap at the operand.
    Inc,
    /// Decrement with wrap to the operand.
    Dec,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
    /// Exchange.
    Exch,
    /// Compare (first data operand) and swap (second).
    Cas,
    /// Compare and swap that returns 1 for success, else 0 (`CAST`).
    Cast,
}

/// Element type of an atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomType {
    /// Unsigned or untyped integer of that many bytes (4, 8, 16).
    U(u8),
    /// Signed integer of that many bytes (4, 8).
    S(u8),
    /// Floats of a format, so many packed in one word (1 or 2), with flushing.
    F(&'static Format, u8, bool),
}

/// Memory an access goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemSpace {
    /// Decided by the address.
    Generic,
    /// Global memory.
    Global,
    /// Shared memory.
    Shared,
    /// Local memory.
    Local,
}

/// An address operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Addr {
    /// Base register, 255 for none.
    pub base: u8,
    /// The base is a register pair.
    pub wide: bool,
    /// Uniform register added, 63 for none.
    pub ubase: u8,
    /// The uniform register is a pair.
    pub uwide: bool,
    /// Byte offset.
    pub offset: i32,
    /// The base is scaled by 2 to this power.
    pub scale: u8,
}

/// A load, store or atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Where.
    pub space: MemSpace,
    /// Address.
    pub addr: Addr,
    /// Bytes: 1, 2, 4, 8, 16.
    pub size: u8,
    /// Sub-word values are sign-extended.
    pub signed: bool,
    /// Volatile, relaxed or stronger.
    pub strong: bool,
}

/// Shuffle modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShflMode {
    /// By index.
    Idx,
    /// From lower lanes.
    Up,
    /// From higher lanes.
    Down,
    /// Butterfly.
    Bfly,
}

/// Vote modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoteMode {
    /// All.
    All,
    /// Any.
    Any,
    /// All equal.
    Eq,
}

/// Warp reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReduxOp {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
    /// Sum.
    Sum,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
}

/// Barrier operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarMode {
    /// Arrive and wait.
    Sync,
    /// Arrive.
    Arrive,
    /// Arrive, wait and count true predicates.
    Popc,
    /// Arrive, wait and tell whether all predicates are true.
    And,
    /// Arrive, wait and tell whether any predicate is true.
    Or,
}

/// Branch-like operations with a direct target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BraCond {
    /// Guard (and predicate operand) only.
    Plain,
    /// Taken by all if any active lane has the predicate (`.ANY`).
    Any,
    /// Taken by all if all active lanes have it (`.ALL`).
    All,
    /// Taken if not all lanes of the uniform register's mask, or its complement, are active (`BRA.DIV`).
    Div(u8, bool),
    /// Taken if all lanes of the mask are active (`BRA.CONV`).
    Conv(u8, bool),
}

/// MUFU functions, by the interpreter's shared model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MufuOp {
    Cos,
    Sin,
    Ex2,
    Lg2,
    Rcp,
    Rsq,
    Sqrt,
    Tanh,
    Rcp64h,
    Rsq64h,
}

/// What a half-precision result or operand looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfKind {
    /// binary16.
    F16,
    /// bfloat16.
    Bf16,
    /// The result is one binary32 (`HADD2.F32`).
    F32,
}

impl HalfKind {
    /// The format of the operands.
    pub fn format(self) -> &'static Format {
        match self {
            HalfKind::Bf16 => &crate::float::BF16,
            _ => &crate::float::F16,
        }
    }
}

/// Modifiers of a half operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfMode {
    /// Operand and result format.
    pub kind: HalfKind,
    /// Flush, saturate.
    pub mode: Mode,
    /// Negative results become zero.
    pub relu: bool,
}

/// The operation and its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Nop,
    // Integer.
    Iadd3 {
        x: bool,
        ones: u8,
    },
    Imad {
        x: bool,
    },
    ImadWide {
        signed: bool,
        x: bool,
    },
    ImadHi {
        signed: bool,
        x: bool,
    },
    Lea {
        hi: bool,
        x: bool,
        sx32: bool,
        shift: u8,
        neg: bool,
    },
    Lop3 {
        lut: u8,
        pand: bool,
    },
    Shf {
        right: bool,
        wrap: bool,
        signed: bool,
        wide: bool,
        hi: bool,
    },
    Isetp {
        cmp: Cmp,
        signed: bool,
        boolean: Bool,
        ex: bool,
    },
    Sel,
    Mov,
    Prmt {
        mode: u8,
    },
    Viadd {
        packed: bool,
    },
    Iabs,
    MinMax {
        kind: IntKind,
        relu: bool,
    },
    AddMinMax {
        kind: IntKind,
        relu: bool,
    },
    Sgxt {
        signed: bool,
        wrap: bool,
    },
    Bmsk {
        wrap: bool,
    },
    Popc,
    Flo {
        signed: bool,
        sh: bool,
    },
    Brev,
    Idp {
        four: bool,
        hi: bool,
        a_signed: bool,
        b_signed: bool,
    },
    Vabsdiff {
        signed: bool,
    },
    Vabsdiff4 {
        signed: bool,
        acc: bool,
    },
    Plop3 {
        lut: u8,
        lut2: u8,
        sign: bool,
    },
    P2r {
        byte: u8,
        mask: u8,
    },
    R2p {
        byte: u8,
        mask: u8,
    },
    I2i {
        bits: u8,
        dst_signed: bool,
        src_signed: bool,
    },
    I2ip {
        bits: u8,
        dst_signed: bool,
        src_signed: bool,
    },
    // Float.
    Fadd(Mode),
    Fmul(Mode, i8),
    Ffma(Mode, bool),
    Fmnmx {
        ftz: bool,
        nan: bool,
        xorsign: bool,
    },
    Fsel {
        ftz: bool,
    },
    Fsetp {
        cmp: Cmp,
        ftz: bool,
        boolean: Bool,
    },
    Fset {
        cmp: Cmp,
        ftz: bool,
        boolean: Bool,
        bf: bool,
    },
    Fchk,
    Mufu {
        op: MufuOp,
        format: HalfKind32,
    },
    Dadd(Rounding),
    Dmul(Rounding),
    Dfma(Rounding),
    Dsetp {
        cmp: Cmp,
        boolean: Bool,
        minmax: Option<bool>,
    },
    Hadd2(HalfMode),
    Hmul2(HalfMode),
    Hfma2(HalfMode),
    Hmnmx2 {
        kind: HalfKind,
        ftz: bool,
        nan: bool,
        xorsign: bool,
    },
    Hset2 {
        kind: HalfKind,
        cmp: Cmp,
        ftz: bool,
        boolean: Bool,
        bf: bool,
    },
    Hsetp2 {
        kind: HalfKind,
        cmp: Cmp,
        ftz: bool,
        boolean: Bool,
        h_and: bool,
    },
    F2f {
        from: &'static Format,
        to: &'static Format,
        mode: Mode,
    },
    F2fpPack {
        to: &'static Format,
        rounding: Rounding,
        relu: bool,
        satfinite: bool,
        merge: bool,
    },
    F2fpUnpack {
        from: &'static Format,
        to: &'static Format,
    },
    F2i {
        from: &'static Format,
        bits: u8,
        signed: bool,
        rounding: Rounding,
        ftz: bool,
        ntz: bool,
    },
    F2ip {
        signed: bool,
        rounding: Rounding,
        ftz: bool,
        ntz: bool,
    },
    I2f {
        bits: u8,
        signed: bool,
        to: &'static Format,
        rounding: Rounding,
    },
    Frnd {
        format: &'static Format,
        mode: Mode,
    },
    // Memory.
    Load(Access),
    Store(Access),
    Atom {
        access: Access,
        op: AtomOp,
        ty: AtomType,
        vec: u8,
        returns: bool,
    },
    Ldc {
        size: u8,
        signed: bool,
        bank: u8,
    },
    Fence {
        gpu: bool,
    },
    Qspc(MemSpace),
    CacheHint,
    // Warp.
    S2r(u8),
    Cs2r {
        sr: u8,
        wide: bool,
    },
    Shfl(ShflMode),
    Vote(VoteMode),
    Match {
        all: bool,
        wide: bool,
    },
    Redux {
        op: ReduxOp,
        signed: bool,
    },
    R2ur,
    Elect,
    // Uniform datapath: the scalar twin of `0`, run once.
    Voteu(VoteMode),
    Uldc {
        size: u8,
    },
    S2ur(u8),
    Umov,
    Up2ur {
        byte: u8,
        mask: u8,
    },
    Ur2up {
        byte: u8,
        mask: u8,
    },
    // Control.
    Bar {
        mode: BarMode,
        count: bool,
    },
    B2rResult,
    Bra {
        target: u32,
        cond: BraCond,
    },
    Brx,
    Call {
        target: u32,
    },
    Ret {
        absolute: bool,
    },
    Exit,
    Bssy {
        bar: u8,
        target: u32,
    },
    Bsync {
        bar: u8,
    },
    Break {
        bar: u8,
    },
    BmovFrom {
        bar: u8,
        clear: bool,
    },
    BmovTo {
        bar: u8,
    },
    Warpsync {
        all: bool,
    },
    Yield,
    Nanosleep,
    Lepc,
    Trap,
    /// Decoded, but nothing here runs it: reported when it is reached.
    Unsupported,
}

/// Format of a MUFU operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfKind32 {
    /// binary32.
    F32,
    /// binary16 in the selected half.
    F16,
    /// bfloat16 in the selected half.
    Bf16,
}

/// A place the hazard tracker watches: general registers 0..=254, then uniform registers, predicates, uniform
/// predicates.
pub type Res = u16;
/// First uniform register as [`Res`].
pub const RES_UREG: Res = 256;
/// First predicate as [`Res`].
pub const RES_PRED: Res = RES_UREG + 64;
/// First uniform predicate as [`Res`].
pub const RES_UPRED: Res = RES_PRED + 8;
/// Number of [`Res`].
pub const RES_COUNT: usize = RES_UPRED as usize + 8;

/// A register read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Which.
    pub res: Res,
    /// Operand slot, the key of the latency table.
    pub slot: u8,
    /// Not the first register of the operand.
    pub high: bool,
    /// Reuse-cache position, 255 for none.
    pub reuse: u8,
}

/// A register written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Def {
    /// Which.
    pub res: Res,
    /// Which register of a multi-register result, the key of the latency table.
    pub half: u8,
}

/// Which part of the machine runs an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Integer, logic, moves.
    Int,
    /// Floating point and conversions.
    Float,
    /// Memory.
    Mem,
    /// Lanes, special registers, uniform bridge.
    Warp,
    /// Control flow.
    Flow,
    /// Named barriers.
    Bar,
    /// Nothing to do.
    Nop,
}

impl Kind {
    /// The unit that runs it.
    pub fn unit(&self) -> Unit {
        use Kind::*;
        match self {
            Nop | CacheHint => Unit::Nop,
            Iadd3 { .. }
            | Imad { .. }
            | ImadWide { .. }
            | ImadHi { .. }
            | Lea { .. }
            | Lop3 { .. }
            | Shf { .. }
            | Isetp { .. }
            | Sel
            | Mov
            | Prmt { .. }
            | Viadd { .. }
            | Iabs
            | MinMax { .. }
            | AddMinMax { .. }
            | Sgxt { .. }
            | Bmsk { .. }
            | Popc
            | Flo { .. }
            | Brev
            | Idp { .. }
            | Vabsdiff { .. }
            | Vabsdiff4 { .. }
            | Plop3 { .. }
            | P2r { .. }
            | R2p { .. }
            | I2i { .. }
            | I2ip { .. } => Unit::Int,
            Fadd(_)
            | Fmul(..)
            | Ffma(..)
            | Fmnmx { .. }
            | Fsel { .. }
            | Fsetp { .. }
            | Fset { .. }
            | Fchk
            | Mufu { .. }
            | Dadd(_)
            | Dmul(_)
            | Dfma(_)
            | Dsetp { .. }
            | Hadd2(_)
            | Hmul2(_)
            | Hfma2(_)
            | Hmnmx2 { .. }
            | Hset2 { .. }
            | Hsetp2 { .. }
            | F2f { .. }
            | F2fpPack { .. }
            | F2fpUnpack { .. }
            | F2i { .. }
            | F2ip { .. }
            | I2f { .. }
            | Frnd { .. } => Unit::Float,
            Load(_) | Store(_) | Atom { .. } | Ldc { .. } | Fence { .. } | Qspc(_) | Uldc { .. } => Unit::Mem,
            S2r(_)
            | Cs2r { .. }
            | Shfl(_)
            | Vote(_)
            | Match { .. }
            | Redux { .. }
            | R2ur
            | Elect
            | Voteu(_)
            | S2ur(_)
            | Umov
            | Up2ur { .. }
            | Ur2up { .. }
            | B2rResult => Unit::Warp,
            Bar { .. } => Unit::Bar,
            Bra { .. }
            | Brx
            | Call { .. }
            | Ret { .. }
            | Exit
            | Bssy { .. }
            | Bsync { .. }
            | Break { .. }
            | BmovFrom { .. }
            | BmovTo { .. }
            | Warpsync { .. }
            | Yield
            | Nanosleep
            | Lepc
            | Trap
            | Unsupported => Unit::Flow,
        }
    }
}

/// No order among the instructions of a unit or queue.
pub const NO_PIPE: u8 = 255;

/// An instruction ready to run.
#[derive(Clone, Debug)]
pub struct Uop {
    /// Which part of the machine runs it.
    pub unit: Unit,
    /// The operation.
    pub kind: Kind,
    /// Guard.
    pub guard: PSrc,
    /// The result is uniform: one scalar, computed once.
    pub uniform: bool,
    /// Destination register.
    pub d: u8,
    /// Second destination register.
    pub e: u8,
    /// Destination predicate (7 for none).
    pub pd: u8,
    /// Second destination predicate.
    pub pe: u8,
    /// Sources a, b, c (and a fourth).
    pub s: [Src; 4],
    /// Predicate sources p, q, r.
    pub p: [PSrc; 3],
    /// Cycles until the next instruction may issue.
    pub stall: u8,
    /// Scoreboards to wait for.
    pub wait: u8,
    /// Scoreboard set until the result is there, 7 for none.
    pub wr: u8,
    /// Scoreboard set until the sources are read, 7 for none.
    pub rd: u8,
    /// Reuse bits.
    pub reuse: u8,
    /// The result arrives at an unknown time.
    pub variable: bool,
    /// Predicate results are there when the sources have been read (`ATOM`).
    pub early_pred: bool,
    /// A barrier at which the warp waits.
    pub syncs: bool,
    /// Latency class.
    pub class: u16,
    /// Unit within which results come in order, [`NO_PIPE`] if there is no order.
    pub pipe: u8,
    /// Queue within which sources are read in order, [`NO_PIPE`] if there is no order.
    pub queue: u8,
    /// Registers read: a range of [`Program::uses`].
    pub uses: (u32, u32),
    /// Registers written: a range of [`Program::defs`].
    pub defs: (u32, u32),
}

/// Code ready to run.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Instructions; those of all functions of the image, one after another.
    pub code: Vec<Uop>,
    /// Registers read, by [`Uop::uses`].
    pub uses: Vec<Use>,
    /// Registers written, by [`Uop::defs`].
    pub defs: Vec<Def>,
    /// Why an instruction is [`Kind::Unsupported`], sorted by index.
    pub unsupported: Vec<(u32, String)>,
}

impl Program {
    /// Registers an instruction reads.
    #[inline(always)]
    pub fn uses_of(&self, u: &Uop) -> &[Use] {
        &self.uses[u.uses.0 as usize..u.uses.1 as usize]
    }

    /// Registers an instruction writes.
    #[inline(always)]
    pub fn defs_of(&self, u: &Uop) -> &[Def] {
        &self.defs[u.defs.0 as usize..u.defs.1 as usize]
    }
}
