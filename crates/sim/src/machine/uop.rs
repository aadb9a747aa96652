//! The executable form of a machine instruction.
//!
//! Problem: the decoded [`raddle_sass::Inst`] is made for printing and encoding, not for running
//! millions of times a second. Strategy: before a launch every instruction becomes a [`Uop`]:
//! constants folded into immediates, source modifiers reduced to and/xor/add ([`super::operand`]),
//! fields converted to a [`Kind`] with its options ([`super::options`]), and the registers it
//! touches listed for the hazard tracker. Invariant: a `Uop` needs no table to be executed.

pub use super::kind::*;
pub use super::operand::*;
pub use super::options::*;
pub use super::unit::*;
use raddle_sass::{Class, Queue, SlotRole};

/// A register in the hazard tracker: general registers 0..=254, then uniform registers, predicates,
/// uniform predicates.
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
    /// The register.
    pub res: Res,
    /// Operand slot; `None` is the guard.
    pub slot: Option<SlotRole>,
    /// Whether it is not the first register of the operand.
    pub high: bool,
    /// Reuse-cache position, 255 for none.
    pub reuse: u8,
    /// Whether it is read when the instruction reaches its unit, not at issue.
    pub late: bool,
    /// Its index in the hazard tracker.
    pub cell: u16,
    /// Its index in the latency table.
    pub key: u16,
}

/// A register written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Def {
    /// The register.
    pub res: Res,
    /// Index of the register in a multi-register result, for the latency table.
    pub half: u8,
    /// Its index in the hazard tracker.
    pub cell: u16,
    /// Its index in the latency table.
    pub key: u16,
}

/// An executable instruction.
#[derive(Clone, Debug)]
pub struct Uop {
    /// The unit that runs it.
    pub unit: Unit,
    /// The operation.
    pub kind: Kind,
    /// Guard.
    pub guard: PSrc,
    /// Whether the result is uniform: one scalar, computed once.
    pub uniform: bool,
    /// Whether a result is a uniform register or predicate.
    pub writes_uniform: bool,
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
    /// Those of them that a `DEPBAR` names, which it checks when it runs.
    pub named: u8,
    /// A scoreboard of which a `DEPBAR.LE` lets this many instructions remain pending, at least one.
    pub counted: Option<(u8, u8)>,
    /// Scoreboard held until the result arrives, 7 for none.
    pub wr: u8,
    /// Scoreboard held until the sources are read, 7 for none.
    pub rd: u8,
    /// Reuse bits.
    pub reuse: u8,
    /// Positions of the reuse cache filled with registers that the instruction itself overwrites.
    pub spoils: u8,
    /// Whether the result has a variable latency.
    pub variable: bool,
    /// Whether predicate results arrive when the sources have been read (`ATOM`).
    pub early_pred: bool,
    /// Whether the warp waits at it for a barrier.
    pub syncs: bool,
    /// Latency class.
    pub class: Class,
    /// One more than the highest general register named.
    pub top: u16,
    /// Queue in which the results arrive in the order of issue.
    pub results: Option<Queue>,
    /// Queue in which the sources are read in the order of issue.
    pub sources: Option<Queue>,
    /// Registers read: a range of [`Program::uses`].
    pub uses: (u32, u32),
    /// Registers written: a range of [`Program::defs`].
    pub defs: (u32, u32),
    /// Reads that the hazard tracker checks: a range of [`Tracked::tracked_reads`].
    pub tracked_reads: (u32, u32),
    /// Writes that the hazard tracker checks: a range of [`Tracked::tracked_writes`].
    pub tracked_writes: (u32, u32),
}

/// Executable code.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Instructions; those of all functions of the image, one after another.
    pub code: Vec<Uop>,
    /// Registers read, by [`Uop::uses`].
    pub uses: Vec<Use>,
    /// Registers written, by [`Uop::defs`].
    pub defs: Vec<Def>,
    /// Registers that the hazard tracker checks.
    pub watching: Tracked,
    /// Whether there are products of warpgroups.
    pub has_products: bool,
    /// Why instructions are [`Kind::Unsupported`], sorted by index.
    pub unsupported: Vec<(u32, String)>,
}

impl Program {
    /// Returns the number of general registers that a warp needs: the highest named and its partner
    /// in a pair.
    pub fn registers(&self) -> usize {
        let named = self.uses.iter().map(|u| u.res).chain(self.defs.iter().map(|d| d.res));
        named.filter(|&r| r < RES_UREG).max().map_or(0, |r| usize::from(r) + 2)
    }

    /// Returns the registers that an instruction reads.
    #[inline(always)]
    pub fn uses_of(&self, u: &Uop) -> &[Use] {
        &self.uses[u.uses.0 as usize..u.uses.1 as usize]
    }

    /// Returns the registers that an instruction writes.
    #[inline(always)]
    pub fn defs_of(&self, u: &Uop) -> &[Def] {
        &self.defs[u.defs.0 as usize..u.defs.1 as usize]
    }

    /// Returns the reads of an instruction that the hazard tracker checks.
    #[inline(always)]
    pub fn watches_of(&self, u: &Uop) -> &[TrackedRead] {
        &self.watching.tracked_reads[u.tracked_reads.0 as usize..u.tracked_reads.1 as usize]
    }

    /// Returns the writes of an instruction that the hazard tracker checks.
    #[inline(always)]
    pub fn marks_of(&self, u: &Uop) -> &[TrackedWrite] {
        &self.watching.tracked_writes[u.tracked_writes.0 as usize..u.tracked_writes.1 as usize]
    }
}

/// A register read that the tracker checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackedRead {
    /// The register.
    pub res: Res,
    /// Its index in the tracker.
    pub cell: u16,
    /// The reader's row in the latency table.
    pub key: u16,
    /// Whether it is the guard: read in all running lanes.
    pub guard: bool,
    /// Whether a fixed-latency result may arrive too late.
    pub fixed: bool,
}

/// A register write that the tracker checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackedWrite {
    /// The register.
    pub res: Res,
    /// Its index in the tracker.
    pub cell: u16,
    /// The writer's column in the latency table.
    pub key: u16,
    /// Whether a fixed-latency result of an earlier instruction may arrive after this one's.
    pub fixed: bool,
}

/// Dense indices of a program's registers, and its latencies.
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    /// Reads, by [`Uop::tracked_reads`].
    pub tracked_reads: Vec<TrackedRead>,
    /// Writes, by [`Uop::tracked_writes`].
    pub tracked_writes: Vec<TrackedWrite>,
    /// Number of registers that the program names.
    pub cells: usize,
    /// Cycles from a producer to a consumer: `needs[reader * writers + writer]`.
    pub needs: Vec<u8>,
    pub writers: usize,
    /// The largest distance over all writers, by reader.
    pub longest: Vec<u8>,
    /// Cycles from a writer to a later one of the same register: `overtaking[later * writers +
    /// earlier]`.
    pub overtaking: Vec<u8>,
    /// The largest distance over all earlier writers, by later writer.
    pub longest_overtaking: Vec<u8>,
}

impl Tracked {
    /// Returns the least cycles between the issue of a writer and of a reader.
    #[inline(always)]
    pub fn need(&self, reader: u16, writer: u16) -> u32 {
        self.needs[usize::from(reader) * self.writers + usize::from(writer)].into()
    }

    /// Returns the least cycles between the issue of a fixed-latency writer and of a later one, so
    /// that the first one's result does not arrive last.
    #[inline(always)]
    pub fn overtaking(&self, later: u16, earlier: u16) -> u32 {
        self.overtaking[usize::from(later) * self.writers + usize::from(earlier)].into()
    }
}
