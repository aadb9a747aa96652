//! Issue distances for scheduling.
//!
//! Fixed latencies come from the table of [`mod@raddle_sass::latency`]. Variable latencies are
//! unknown; the typical values here only steer the order of instructions and the choice of
//! scoreboards, and correctness does not depend on them.

use std::sync::OnceLock;

use raddle_sass::latency::{Consumer, Producer, latency};
use raddle_sass::row::{File, Row, SlotRole, Space};
use raddle_sass::{Class, Isa, Op};

use super::LONGEST;

const CLASSES: usize = Class::ALL.len();
const FILES: usize = 4;
const PRODUCERS: usize = FILES * CLASSES * 2;

fn producer_index(p: Producer) -> usize {
    ((p.file as usize).min(FILES - 1) * CLASSES + p.class as usize) * 2 + usize::from(p.high)
}

/// Cycles after which readers can read the result of one producer.
struct Needs {
    /// The slowest reader.
    slowest: u8,
    /// By consumer, in the order of [`consumers`].
    by_consumer: Vec<u8>,
}

/// The slots by which results are read.
const READERS: [Option<SlotRole>; 7] = {
    use SlotRole::{Addr, Pp, Pq, Ra, Rb, Rc};
    [Some(Ra), Some(Rb), Some(Rc), Some(Pp), Some(Pq), Some(Addr), None]
};

fn consumers() -> impl Iterator<Item = Consumer> {
    let by_slot = |slot| Class::ALL.iter().map(move |&class| Consumer { class, slot, high: false });
    READERS.into_iter().flat_map(by_slot)
}

/// Returns the needs of a producer's readers. They are computed once, when first asked for.
fn needs(isa: Isa, p: Producer) -> &'static Needs {
    static NEEDS: [[OnceLock<Needs>; PRODUCERS]; 5] = [const { [const { OnceLock::new() }; PRODUCERS] }; 5];
    NEEDS[isa as usize][producer_index(p)].get_or_init(|| {
        let by_consumer: Vec<u8> = consumers().map(|c| latency(isa, p, c).schedule).collect();
        let slowest = by_consumer.iter().copied().max().unwrap_or(LONGEST as u8);
        Needs { slowest, by_consumer }
    })
}

/// Returns the cycles after which every reader can read a fixed-latency result.
pub(super) fn slowest(isa: Isa, p: Producer) -> u32 {
    u32::from(needs(isa, p).slowest)
}

/// Returns the cycles from a fixed-latency writer to a later one of the same register, such that
/// the later result arrives later for every reader. Both write the register file of `earlier`;
/// `None` is a variable-latency writer.
///
/// The published number counts where there is one and it is lower than the sum of the distances
/// to readers, of which rare ones are only known to be sufficient.
pub(super) fn overtaking(isa: Isa, earlier: Producer, later: Option<Producer>) -> u32 {
    let sufficient = by_readers(isa, earlier, later);
    published(isa, earlier, later).map_or(sufficient, |cycles| cycles.min(sufficient))
}

/// Returns the cycles from an instruction of fixed latency to one that overwrites a source of it.
///
/// The uniform data path reads its operands later than `UMOV` writes its result (measured on an H100
/// by `cargo campaign gpu-latency`: after two cycles `UIADD3` and `UIMAD` get the new value).
pub(super) fn overwriting(reader: Class, writer: Option<Class>) -> u32 {
    if reader == Class::Udp && writer != Some(Class::Udp) { 3 } else { 1 }
}

/// Published cycles from the writer of a general register to a later writer of it, guarded ones
/// included ("NAK sm80_instr_latencies", write after write). On sm_90 they count for the units that
/// sm_80 has too; its matrix units and f64 are others.
fn published(isa: Isa, earlier: Producer, later: Option<Producer>) -> Option<u32> {
    use Class::{Alu, Disp64, Dmma, Fma, Fp16, Fp64, Hfma2mma, Hmma, Hmma1, Imadhi, Imadwide, Imma1, Viadd, Vote};
    let new_unit = matches!(earlier.class, Fp64 | Imma1 | Hmma1 | Hmma | Dmma);
    if earlier.file != File::Gpr || isa >= Isa::Sm90 && new_unit {
        return None;
    }
    let column = match later.map(|p| (p.class, p.high)) {
        None => 9,
        Some((Alu | Viadd | Vote | Fp16, _)) => 0,
        Some((Fma, _)) => 1,
        Some((Disp64, _)) => 2,
        Some((Imadwide, false)) => 3,
        Some((Imadwide | Imadhi, _)) => 4,
        Some((Hfma2mma, _)) => 5,
        Some((Fp64, _)) => 6,
        Some((Hmma1 | Imma1, _)) => 7,
        Some((Hmma | Dmma, _)) => 8,
        Some(_) => return None,
    };
    let row: [u8; 10] = match earlier.class {
        Alu | Viadd | Vote | Fma | Imadwide | Imadhi | Fp16 => [1, 2, 1, 3, 1, 1, 1, 2, 2, 6],
        Disp64 => [2, 2, 1, 4, 2, 1, 1, 2, 2, 6],
        Hfma2mma => [6, 6, 4, 8, 6, 2, 2, 2, 2, 10],
        Fp64 => [6, 6, 4, 8, 6, 3, 2, 2, 2, 10],
        Imma1 => [9, 9, 8, 11, 9, 8, 7, 4, 4, 13],
        Hmma1 => [12, 12, 11, 14, 12, 11, 10, 8, 8, 15],
        Hmma => [20, 20, 19, 22, 20, 19, 18, 16, 16, 23],
        Dmma => [21, 21, 20, 23, 21, 20, 19, 17, 16, 25],
        _ => return None,
    };
    Some(row[column].into())
}

/// Returns those cycles by the distances to all readers. A variable-latency writer takes at least
/// two cycles.
fn by_readers(isa: Isa, earlier: Producer, later: Option<Producer>) -> u32 {
    /// By earlier producer: the cycles to the later ones of its file. A small kernel has few pairs,
    /// and the readers of all producers take milliseconds.
    static CYCLES: [[OnceLock<Vec<OnceLock<u8>>>; PRODUCERS]; 5] =
        [const { [const { OnceLock::new() }; PRODUCERS] }; 5];
    let Some(later) = later else { return slowest(isa, earlier).saturating_sub(2).max(1) };
    let row = CYCLES[isa as usize][producer_index(earlier)].get_or_init(|| vec![OnceLock::new(); CLASSES * 2]);
    let later = Producer { file: earlier.file, ..later };
    let cycles = row[producer_index(later) % (CLASSES * 2)].get_or_init(|| cycles_between(isa, earlier, later));
    (*cycles).into()
}

fn cycles_between(isa: Isa, earlier: Producer, later: Producer) -> u8 {
    let predicates = matches!(earlier.file, File::Pred | File::Upred);
    let read = |c: &Consumer| matches!(c.slot, Some(SlotRole::Pp | SlotRole::Pq) | None) == predicates;
    let both = needs(isa, earlier).by_consumer.iter().zip(&needs(isa, later).by_consumer);
    let slower = consumers().zip(both).filter(|(c, _)| read(c)).map(|(_, (e, l))| e.saturating_sub(*l)).max();
    slower.unwrap_or(0) + 1
}

/// Returns the typical cycles until the results of a variable-latency instruction arrive.
pub(crate) fn typical(row: &Row) -> u32 {
    match (row.effects.reads, row.effects.atomic) {
        (Some(Space::Shared), true) => 60,
        (Some(Space::Shared), false) => 28,
        (_, true) => 500,
        (Some(Space::Const), _) => 40,
        (Some(Space::Local), _) => 60,
        (Some(_), _) => 400,
        _ => match row.op {
            Op::Shfl => 24,
            Op::S2r | Op::S2ur => 30,
            Op::Dadd | Op::Dmul | Op::Dfma | Op::Dsetp => 40,
            _ => 20,
        },
    }
}

/// Typical cycles until a variable-latency instruction has read its sources.
pub(super) const SOURCES_READ: u32 = 14;
