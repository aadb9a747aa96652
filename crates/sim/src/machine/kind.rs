//! The operations of the machine.

use super::async_op::AsyncOp;
use super::operand::{Addr, Bool, Cmp};
use super::options::*;
use super::tensor::{GmmaOp, MatrixOp, TransferOp};
use crate::float::{Format, Mode, Rounding};

/// An operation with its options.
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
        /// Whether the shifted operand is negated.
        neg: bool,
        /// Whether one is added: the addend is the complement of one that is negated.
        one: bool,
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
    /// A move in these lanes of each quad.
    MovLanes(u8),
    Prmt {
        mode: u8,
    },
    Viadd {
        packed: bool,
        /// Whether the second packed operand is negated: its complement is read.
        neg: bool,
    },
    Iabs,
    MinMax {
        kind: IntKind,
        relu: bool,
    },
    MinMax3 {
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
    /// A sum with a sign or zero for each source and lane of a quad.
    Fswzadd(Mode, u8),
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
        relu: bool,
    },
    /// binary32 to TF32, whose low 13 bits are zero.
    F2fpTf32 {
        rounding: Rounding,
        relu: bool,
        satfinite: bool,
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
    /// `LDGSTS`: copies the bytes at `from` to shared memory, later. With `partial` the address
    /// encodes how many.
    CopyAsync {
        to: Addr,
        from: Addr,
        size: u8,
        partial: bool,
    },
    /// `LDGDEPBAR`: commits a group of copies.
    CommitCopies,
    /// `DEPBAR.LE`: waits until at most this many groups of a scoreboard are pending.
    WaitCopies {
        scoreboard: u8,
        left: u8,
    },
    Load(Access),
    Store(Access),
    Atom {
        access: Access,
        op: AtomOp,
        ty: AtomType,
        vec: u8,
        returns: bool,
    },
    /// `LDGMC`: combines the replicas of multicast memory.
    LoadReduce {
        access: Access,
        op: AtomOp,
        ty: AtomType,
        vec: u8,
        /// `F32ADD`: sums are computed in binary32.
        wide: bool,
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
    /// `CCTL.RML2`: the contents of 128 bytes become undefined (`discard`).
    Discard(Access),
    /// Asynchronous operations, objects that count them, clusters.
    Async(AsyncOp),
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
    /// Copies one lane's value to a uniform register; the predicate result marks other values.
    R2ur {
        /// Whether marks are added to the predicate (`.OR`).
        or: bool,
    },
    Elect,
    Matrix(MatrixOp),
    /// A product of a warpgroup.
    Gmma(GmmaOp),
    /// `WARPGROUP.ARRIVE`.
    GmmaArrive,
    /// `WARPGROUP.DEPBAR`: groups that may be pending.
    GmmaWait(u8),
    Transfer(TransferOp),
    Texture(super::texture::TextureOp),
    // Uniform datapath: the scalar version of an operation, run once.
    Voteu(VoteMode),
    Uldc {
        size: u8,
    },
    /// `ULDC` with an index register: one value of a constant bank for the warp.
    UldcAt {
        /// Bytes read.
        size: u8,
        /// Whether sub-word values are sign-extended.
        signed: bool,
        /// Bank.
        bank: u8,
    },
    S2ur(u8),
    Umov,
    /// `UIADD3.64`: a sum of register pairs.
    Uiadd64,
    Up2ur {
        byte: u8,
        mask: u8,
    },
    Ur2up {
        byte: u8,
        mask: u8,
    },
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
    /// A call by address.
    CallBy {
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
    /// Keeps the active lanes in a barrier.
    ActiveFrom {
        bar: u8,
    },
    /// Makes the lanes of a barrier active, or all of their quads.
    ActiveTo {
        bar: u8,
        quads: bool,
    },
    Warpsync {
        all: bool,
    },
    Yield,
    Nanosleep,
    /// Writes the address in the first source.
    Lepc,
    Trap,
    /// Decoded but not implemented: reported when executed.
    Unsupported,
}
