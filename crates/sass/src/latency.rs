//! Least issue distances between an instruction that produces a value and one that reads it.
//!
//! Problem: fixed-latency results are not protected by scoreboards, so the scheduler must know the
//! distance, and the simulator must know when a reader is too early. Strategy: facts keyed by
//! register file, the producer's class and result half, the consumer's class, operand slot and half
//! (the distance differs by slot: `IMAD.WIDE` reads its addend later than its factors). Two
//! sources: NVIDIA's published numbers for Ampere and Ada as given by Mesa NAK, and the smallest
//! distance in ptxas 13.0.88 output (`cargo campaign mine`).
//!
//! There are two results. [`Latency::schedule`] is for code generation: a mined value counts only
//! with [`MIN_COUNT`] occurrences; otherwise the published number is used, or, if there is none and
//! on sm_90 or after matrix products, the producer's largest value towards this class of consumers,
//! then towards any; matrix products, which wait longest, count only among themselves. It is never
//! below the published number.
//! [`Latency::check`] is for finding errors in code: the smallest known value.

use std::sync::OnceLock;

use crate::effects::{GUARD_SLOT, RegAccess};
use crate::r#gen::{Class, latency as facts};
use crate::inst::Inst;
use crate::row::{File, Isa, SlotRole};

/// Occurrences from which a mined distance is trusted for code generation (decision D16).
pub const MIN_COUNT: u32 = 20;

/// A line of `isa/latency_*.txt`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    /// The register file of the value.
    pub file: File,
    /// Producer class; `None` is any.
    pub producer: Option<Class>,
    /// Upper half of the result.
    pub high: bool,
    /// Consumer class; `None` is any.
    pub consumer: Option<Class>,
    /// Slot number: 0 any, 1 guard, then [`SlotRole`]s.
    pub slot: u8,
    /// Upper half of a wide source.
    pub slot_high: bool,
    /// Cycles from issue to issue.
    pub cycles: u8,
    /// Occurrences; 0 for published numbers.
    pub count: u32,
}

/// A value and its producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Producer {
    /// Register file.
    pub file: File,
    /// Class of the writing row.
    pub class: Class,
    /// Whether it is not the first register of the result.
    pub high: bool,
}

/// A read of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Consumer {
    /// Class of the reading row.
    pub class: Class,
    /// Slot; `None` is the guard.
    pub slot: Option<SlotRole>,
    /// Whether it is not the first register of the source.
    pub high: bool,
}

/// Least cycles between the issue of the producer and the issue of the consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// Sufficient, as far as known: for scheduling.
    pub schedule: u8,
    /// The smallest known value, published or from ptxas output: fewer is an error.
    pub check: u8,
}

impl Producer {
    /// Returns the value that `inst` writes to `reg` by this access; `None` if the access does not
    /// write, if the file has no latency (barriers), or if a scoreboard guards the result on this
    /// architecture.
    #[must_use]
    pub fn new(isa: Isa, inst: &Inst, access: &RegAccess, reg: u8) -> Option<Self> {
        let row = inst.row();
        if !access.written || access.file == File::Barrier || row.effects.variable.contains(isa) {
            return None;
        }
        Some(Self { file: access.file, class: row.class, high: reg > access.first })
    }
}

impl Consumer {
    /// Returns the read of `reg` by this access of `inst`; `None` if the access does not read.
    #[must_use]
    pub fn new(inst: &Inst, access: &RegAccess, reg: u8) -> Option<Self> {
        if !access.read {
            return None;
        }
        let row = inst.row();
        let slot = if access.slot == GUARD_SLOT { None } else { Some(row.slots.get(usize::from(access.slot))?.role) };
        Some(Self { class: row.class, slot, high: reg > access.first })
    }
}

const CLASSES: usize = Class::ALL.len();
/// Slot keys: any operand, the guard, then the roles.
const SLOTS: usize = SlotRole::ALL.len() + 2;
const FILES: usize = 4;
const PRODUCERS: usize = FILES * CLASSES * 2;

impl SlotRole {
    /// All roles, each at the index of its number; latency tables are indexed by it.
    pub const ALL: [SlotRole; 19] = {
        use SlotRole::*;
        let all = [Rd, Re, Pd, Pe, Ra, Rb, Rc, Rx, Pp, Pq, Pr, Addr, Addr2, Imm, Imm2, Imm3, Bar, Target, Misc];
        let mut i = 0;
        while i < all.len() {
            assert!(all[i] as usize == i, "a role is missing or out of order");
            i += 1;
        }
        all
    };
}

/// Distances from one producer to every consumer, at [`cell`].
type Row = Box<[Latency]>;

fn producer_index(p: Producer) -> usize {
    ((p.file as usize).min(FILES - 1) * CLASSES + p.class as usize) * 2 + usize::from(p.high)
}

fn cell(c: Consumer) -> usize {
    let slot = c.slot.map_or(1, |s| s as usize + 2);
    (c.class as usize * SLOTS + slot) * 2 + usize::from(c.high)
}

/// Returns the distance that this architecture needs between two instructions.
///
/// The facts are merged into rows, one for each producer, when the first distance from it is asked
/// for: a small kernel has few producers, and all rows take milliseconds.
#[must_use]
pub fn latency(isa: Isa, producer: Producer, consumer: Consumer) -> Latency {
    static ROWS: [[OnceLock<Row>; PRODUCERS]; 5] = [const { [const { OnceLock::new() }; PRODUCERS] }; 5];
    ROWS[isa as usize][producer_index(producer)].get_or_init(|| row(isa, producer))[cell(consumer)]
}

fn row(isa: Isa, producer: Producer) -> Row {
    let mined: &[Fact] = match isa {
        Isa::Sm80 => &facts::SM80,
        Isa::Sm86 => &facts::SM86,
        Isa::Sm89 => &facts::SM89,
        Isa::Sm90 => &facts::SM90,
        Isa::Sm90a => &facts::SM90A,
    };
    // The published numbers are those of sm_80 to sm_89; on sm_90 they are only a lower bound.
    let published = isa < Isa::Sm90;
    let mut cells = vec![Latency { schedule: 0, check: 0 }; CLASSES * SLOTS * 2].into_boxed_slice();
    let file = [File::Gpr, File::Ugpr, File::Pred, File::Upred][(producer.file as usize).min(FILES - 1)];
    fill(&mut cells, mined, published, Producer { file, ..producer });
    cells
}

/// Whether results are those of the matrix pipe. The published numbers for them are lower than the
/// distances that ptxas 13.0.88 keeps after every form, on all machines: they count as lower bounds
/// only.
fn is_matrix(class: Class) -> bool {
    matches!(class, Class::Hmma | Class::Hmma1 | Class::Imma | Class::Imma1)
}

/// Whether a fact is about this producer.
fn speaks_of(f: &Fact, p: Producer) -> bool {
    f.file == p.file && f.producer.is_none_or(|c| c == p.class) && f.high == p.high
}

fn fill(cells: &mut [Latency], mined: &[Fact], published: bool, p: Producer) {
    let low = Producer { high: false, ..p };
    let own = |list: &'static [Fact]| -> Vec<&'static Fact> {
        let own: Vec<_> = list.iter().filter(|f| speaks_of(f, p)).collect();
        if own.is_empty() { list.iter().filter(|f| speaks_of(f, low)).collect() } else { own }
    };
    let matrix = is_matrix(p.class);
    let published = published && !matrix;
    let floor = own(&facts::FLOOR);
    let seen: Vec<&Fact> = mined.iter().filter(|f| speaks_of(f, p)).collect();
    let trusted = || seen.iter().filter(|f| f.count >= MIN_COUNT);
    let trusted_max = trusted().map(|f| f.cycles).max();
    let scalar_max = trusted().filter(|f| !f.consumer.is_some_and(is_matrix)).map(|f| f.cycles).max();
    let floor_max = floor.iter().map(|f| f.cycles).max();
    // A class without facts: the largest published number of the file.
    let file_max = facts::FLOOR.iter().filter(|f| f.file == p.file).map(|f| f.cycles).max().unwrap_or(15);
    let unknown = trusted_max.max(floor_max).unwrap_or(file_max);
    let least = seen.iter().map(|f| f.cycles).chain(floor.iter().map(|f| f.cycles)).min().unwrap_or(1);
    for &class in Class::ALL {
        let largest = match trusted().filter(|f| f.consumer == Some(class)).map(|f| f.cycles).max() {
            Some(cycles) => cycles,
            None if is_matrix(class) => unknown,
            None => scalar_max.max(floor_max).unwrap_or(unknown),
        };
        // Facts about a class are few of all, and are asked for every slot of it.
        let floor: Vec<&Fact> =
            floor.iter().copied().filter(|f| f.consumer.is_none_or(|consumer| consumer == class)).collect();
        let seen: Vec<&Fact> = seen.iter().copied().filter(|f| f.consumer == Some(class)).collect();
        for slot in 1..SLOTS {
            for high in [false, true] {
                let role = slot.checked_sub(2).map(|i| SlotRole::ALL[i]);
                let c = Consumer { class, slot: role, high };
                let floor = best(&floor, c).map(|f| f.cycles);
                let mined = seen.iter().find(|f| usize::from(f.slot) == slot && f.slot_high == high);
                let schedule = match mined {
                    Some(f) if f.count >= MIN_COUNT => f.cycles.max(floor.unwrap_or(0)),
                    _ if published => floor.unwrap_or(unknown),
                    _ => largest.max(floor.unwrap_or(0)),
                };
                let check = match (mined, floor) {
                    (Some(f), _) if matrix && f.count >= MIN_COUNT => f.cycles,
                    (Some(f), floor) => f.cycles.min(floor.unwrap_or(f.cycles)),
                    (None, Some(n)) => n,
                    (None, None) => least,
                };
                cells[cell(c)] = Latency { schedule, check: check.min(schedule) };
            }
        }
    }
}

/// Returns the most specific published number for a consumer: the same half and slot, the slot, any
/// slot of the class, any class.
fn best<'a>(floor: &[&'a Fact], c: Consumer) -> Option<&'a Fact> {
    let slot = c.slot.map_or(1, |s| s as usize + 2);
    let score = |f: &Fact| -> Option<u8> {
        let by_class = match f.consumer {
            Some(k) if k == c.class => 4,
            None => 0,
            Some(_) => return None,
        };
        let by_slot = match usize::from(f.slot) {
            s if s == slot => 8,
            0 if slot != 1 || by_class == 4 => 0,
            _ => return None,
        };
        let by_half = match f.slot_high {
            true if !c.high => return None,
            h => u8::from(h),
        };
        Some(by_class + by_slot + by_half)
    };
    floor.iter().filter_map(|f| score(f).map(|s| (s, *f))).max_by_key(|e| e.0).map(|e| e.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(
        isa: Isa,
        file: File,
        class: Class,
        high: bool,
        to: Class,
        slot: Option<SlotRole>,
        slot_high: bool,
    ) -> u8 {
        latency(isa, Producer { file, class, high }, Consumer { class: to, slot, high: slot_high }).schedule
    }

    #[test]
    fn published_numbers_of_ampere() {
        let ra = Some(SlotRole::Ra);
        assert_eq!(cycles(Isa::Sm80, File::Gpr, Class::Alu, false, Class::Alu, ra, false), 4);
        assert_eq!(cycles(Isa::Sm80, File::Gpr, Class::Imadwide, true, Class::Imadwide, ra, false), 6);
        assert_eq!(cycles(Isa::Sm80, File::Pred, Class::Alu, false, Class::Agu, None, false), 13);
    }

    #[test]
    fn no_value_is_below_the_published_one() {
        for isa in Isa::ALL {
            for f in &facts::FLOOR {
                let (Some(producer), Some(consumer)) = (f.producer, f.consumer) else { continue };
                let slot = match f.slot {
                    0 => Some(SlotRole::Ra),
                    1 => None,
                    n => Some(SlotRole::ALL[usize::from(n) - 2]),
                };
                if f.slot == 0 && f.consumer == Some(Class::Imadwide) && f.file == File::Gpr {
                    continue;
                }
                let got = cycles(isa, f.file, producer, f.high, consumer, slot, f.slot_high);
                assert!(got >= f.cycles, "{} {f:?}: {got}", isa.name());
            }
        }
    }
}
