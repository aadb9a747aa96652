//! The compact form that the interpreter runs: registers are rows, operands are resolved, labels
//! are indices.
//!
//! One PTX instruction becomes one or a few [`Ins`]. Every source is a row of the frame: constants
//! and special registers are rows that are filled when the frame is entered, so there is only one
//! kind of operand.

use super::alu::Alu;
use super::asynchrony::Operation;
pub use super::atomic::AtomOp;
use super::compare::{Domain, Join, Relation};
use super::matrix::MatrixOp;
pub use super::place::{ALWAYS, Address, Pred, PredSrc, Row, TRUE, Window, ZERO};
use super::texture::TextureOp;
use crate::float::{Format, IntType};
use crate::system::System;
use raddle_ptx::{InstId, SpecialReg};

/// The initial contents of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowInit {
    /// The same word in every lane.
    Const(u64),
    /// A special register that does not change during a run.
    Special(SpecialReg, u8),
    /// An address in the shared memory of the block, with its rank.
    Shared(u64),
    /// An address in the local memory of the thread, from the frame's base.
    Local(u64),
}

/// One step.
#[derive(Clone, Debug)]
pub struct Ins {
    /// Lanes in which it runs.
    pub guard: PredSrc,
    /// Its operation.
    pub kind: Kind,
    /// The PTX instruction.
    pub inst: InstId,
    /// Whether it is the first step of its PTX instruction, which is counted.
    pub first: bool,
}

/// The operation of a step.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A word from words. `bits` is the width of the result.
    Alu {
        op: Alu,
        dst: Row,
        src: [Row; 4],
        bits: u8,
    },
    /// Addition or subtraction in the carry chain; with `product`, of that product and `c`.
    Carry {
        sub: bool,
        bits: u8,
        dst: Row,
        product: Option<Alu>,
        src: [Row; 3],
        carry_in: bool,
        carry_out: bool,
    },
    /// Comparison to predicates.
    Setp(Box<Setp>),
    /// Comparison to a register.
    Set(Box<Set>),
    /// Classification of a number.
    Testp {
        format: &'static Format,
        test: Test,
        dst: Pred,
        a: Row,
    },
    /// Logic on predicates.
    PredLogic {
        op: PredOp,
        dst: Pred,
        a: PredSrc,
        b: PredSrc,
    },
    /// Selection by a predicate.
    Selp {
        dst: Row,
        a: Row,
        b: Row,
        by: PredSrc,
    },
    /// A special register that changes: a count of steps.
    Clock {
        dst: Row,
        high: bool,
        bits: u8,
    },
    /// Whether a generic address is in this window.
    IsSpace {
        space: Window,
        dst: Pred,
        a: Row,
    },
    /// Memory accesses.
    Load(Box<Load>),
    Store(Box<Store>),
    /// Zeros in shared memory (`st.bulk`): this many bytes.
    Clear {
        at: Address,
        size: Row,
    },
    Atomic(Box<Atomic>),
    Multimem(Box<Multimem>),
    /// Copy from global to shared memory (`cp.async`), done at once.
    Copy(Box<Copy>),
    /// Commits a group of copies.
    CommitCopies,
    /// Waits until at most this many groups are pending.
    WaitCopies {
        left: usize,
    },
    /// Control flow.
    Bra {
        target: u32,
    },
    Brx {
        index: Row,
        targets: Box<[u32]>,
    },
    Call(Box<Call>),
    System(Box<SystemCall>),
    Ret,
    Exit,
    /// Stack memory.
    Stack(StackOp),
    Trap,
    /// Synchronisation.
    Barrier(Box<Barrier>),
    Warp(Box<WarpSync>),
    Asynchronous(Box<Operation>),
    /// Textures and surfaces.
    Texture(Box<TextureOp>),
    Fence,
    ActiveMask {
        dst: Row,
    },
    /// `griddepcontrol`, `prefetch` and others without effect on results.
    Nothing,
}

/// `setp`.
#[derive(Clone, Debug)]
pub struct Setp {
    pub domain: Domain,
    pub relation: Relation,
    pub join: Option<(Join, PredSrc)>,
    /// `p|q`: result and the result with the comparison negated; for packed types lower and upper
    /// half.
    pub p: Option<Pred>,
    pub q: Option<Pred>,
    pub a: Row,
    pub b: Row,
    /// Whether the source is a packed pair.
    pub packed: bool,
}

/// `set`.
#[derive(Clone, Debug)]
pub struct Set {
    pub domain: Domain,
    pub relation: Relation,
    pub join: Option<(Join, PredSrc)>,
    pub dst: Row,
    pub a: Row,
    pub b: Row,
    /// The word for "true" in one result.
    pub yes: u64,
    /// Width of one result.
    pub bits: u32,
    /// Whether the source is a packed pair, with two results.
    pub packed: bool,
}

/// `testp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// Logic on predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PredOp {
    And,
    Or,
    Xor,
}

/// The memory order of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Whether it is volatile, relaxed, acquire, release or atomic.
    pub strong: bool,
    pub acquire: bool,
    pub release: bool,
}

/// `ld`: `dst.len()` elements.
#[derive(Clone, Debug)]
pub struct Load {
    pub address: Address,
    /// Bytes of an element: 1 to 16; 16 takes two rows.
    pub bytes: u32,
    /// Elements; `None` is `_`. A 128-bit element has a pair of rows, the second following the
    /// first.
    pub dst: Vec<Option<Row>>,
    /// Extends each element to the width of its register.
    pub extend: Option<(IntType, u32)>,
    pub order: Order,
    /// Whether it is read-only by contract (`.nc`, parameters): not checked for races.
    pub constant: bool,
}

/// `st`.
#[derive(Clone, Debug)]
pub struct Store {
    pub address: Address,
    pub bytes: u32,
    pub src: Vec<Row>,
    pub order: Order,
    /// Whether it is a parameter of a call, which only the callee sees: not checked for races.
    pub private: bool,
}

/// `atom` and `red`.
#[derive(Clone, Debug)]
pub struct Atomic {
    pub op: AtomOp,
    pub address: Address,
    pub bytes: u32,
    /// Old values; empty for `red`.
    pub dst: Vec<Option<Row>>,
    /// Operands, one per element.
    pub b: Vec<Row>,
    /// New value of `cas`.
    pub c: Row,
    pub order: Order,
}

/// What an access to multicast memory does.
#[derive(Clone, Copy, Debug)]
pub enum Multicast {
    /// Stores the values in every replica.
    Store,
    /// Changes every replica.
    Reduce(AtomOp),
    /// Combines the values of all replicas; sums of these formats, with this many values in a word,
    /// are computed in binary32.
    LoadReduce(AtomOp, Option<(&'static Format, u32)>),
}

/// `multimem.st`, `multimem.red`, `multimem.ld_reduce`.
#[derive(Clone, Debug)]
pub struct Multimem {
    pub how: Multicast,
    pub address: Address,
    /// Bytes of an element.
    pub bytes: u32,
    /// Values of the elements, or where they are put; `None` is `_`.
    pub rows: Vec<Option<Row>>,
    pub order: Order,
}

/// `cp.async`.
#[derive(Clone, Debug)]
pub struct Copy {
    pub to: Address,
    pub from: Address,
    pub bytes: u32,
    /// Bytes read; the rest is zero.
    pub source_bytes: Option<Row>,
    /// If true, nothing is read and everything is zero.
    pub ignore: Option<PredSrc>,
}

/// The place of an argument or result of a call.
#[derive(Clone, Copy, Debug)]
pub enum ArgPlace {
    /// At an offset of the frame in local memory.
    Frame { offset: u32, bytes: u32 },
    /// In a row.
    Row { row: Row, bits: u32 },
    /// Discarded (`_`).
    Nowhere,
}

/// `call`.
#[derive(Clone, Debug)]
pub struct Call {
    /// A function, or the row that holds its address.
    pub callee: Result<u32, Row>,
    pub args: Vec<ArgPlace>,
    pub rets: Vec<ArgPlace>,
}

/// A call of a driver function.
#[derive(Clone, Debug)]
pub struct SystemCall {
    pub system: System,
    pub args: Vec<ArgPlace>,
    pub rets: Vec<ArgPlace>,
}

/// `bar` and `barrier`.
#[derive(Clone, Debug)]
pub struct Barrier {
    pub number: Row,
    /// Number of participating threads.
    pub threads: Option<Row>,
    /// Whether threads wait; `bar.arrive` does not.
    pub wait: bool,
    /// Whether all threads of a warp arrive together.
    pub aligned: bool,
    /// Reduction of a predicate.
    pub reduce: Option<(Reduce, PredSrc)>,
}

/// Result of `barrier.red`.
#[derive(Clone, Copy, Debug)]
pub enum Reduce {
    And(Pred),
    Or(Pred),
    Popc(Row),
}

/// An operation at which the threads of a mask meet.
#[derive(Clone, Debug)]
pub struct WarpSync {
    pub op: SyncOp,
    /// The mask of participating threads.
    pub members: Row,
    /// Number of operation and qualifiers, which must be the same for threads to meet.
    pub meeting: u32,
}

/// The operation of the threads of a mask.
#[derive(Clone, Debug)]
pub enum SyncOp {
    /// `bar.warp.sync`.
    Wait,
    Shfl {
        mode: ShflMode,
        dst: Option<Row>,
        valid: Option<Pred>,
        value: Row,
        lane: Row,
        clamp: Row,
    },
    Vote {
        op: VoteOp,
        source: PredSrc,
    },
    /// `match.any`, or `match.all` with the predicate that is true if all are equal.
    Match {
        all: bool,
        dst: Option<Row>,
        same: Option<Pred>,
        value: Row,
    },
    /// `redux`: a reduction of values.
    Redux {
        op: Alu,
        dst: Row,
        value: Row,
    },
    Elect {
        dst: Option<Row>,
        leader: Option<Pred>,
    },
    /// A matrix instruction of all lanes.
    Matrix(Box<MatrixOp>),
}

/// Modes of `shfl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShflMode {
    Up,
    Down,
    Bfly,
    Idx,
}

/// Results of `vote`.
#[derive(Clone, Copy, Debug)]
pub enum VoteOp {
    All(Pred),
    Any(Pred),
    Uni(Pred),
    Ballot(Row),
}

/// A stack operation.
#[derive(Clone, Copy, Debug)]
pub enum StackOp {
    /// Allocates memory.
    Alloca {
        /// The row for its address.
        dst: Row,
        /// Size in bytes.
        size: Row,
        /// Alignment, a power of two.
        align: u32,
    },
    /// Saves the end of the stack.
    Save {
        /// The row for it.
        dst: Row,
    },
    /// Restores the end of the stack.
    Restore {
        /// The result of `stacksave`.
        src: Row,
    },
}

/// Why an instruction is unsupported.
pub type Reason = String;
/// A decoding result, or the reason why there is none.
pub type Decoded<T> = Result<T, Reason>;
