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

/// Latencies for the slowest reader.
struct Table {
    /// Cycles after which every reader can read a result, by producer.
    slowest: Vec<u8>,
    /// Cycles from a writer to a later one of the same register, by both; the register file is the
    /// later one's.
    overtaking: Vec<u8>,
}

const READERS: [Option<SlotRole>; 7] = {
    use SlotRole::{Addr, Pp, Pq, Ra, Rb, Rc};
    [Some(Ra), Some(Rb), Some(Rc), Some(Pp), Some(Pq), Some(Addr), None]
};

impl Table {
    fn of(isa: Isa) -> &'static Table {
        static TABLES: [OnceLock<Table>; 5] = [const { OnceLock::new() }; 5];
        TABLES[isa as usize].get_or_init(|| Table::new(isa))
    }

    fn new(isa: Isa) -> Table {
        let files = [File::Gpr, File::Ugpr, File::Pred, File::Upred];
        let producers = files.into_iter().flat_map(|file| {
            Class::ALL.iter().flat_map(move |&class| [false, true].map(|high| Producer { file, class, high }))
        });
        let consumers: Vec<Consumer> = READERS
            .into_iter()
            .flat_map(|slot| Class::ALL.iter().map(move |&class| Consumer { class, slot, high: false }))
            .collect();
        let needs: Vec<Vec<u8>> =
            producers.map(|p| consumers.iter().map(|&c| latency(isa, p, c).schedule).collect()).collect();
        let slowest: Vec<u8> = needs.iter().map(|row| row.iter().copied().max().unwrap_or(LONGEST as u8)).collect();
        let mut overtaking = Vec::with_capacity(PRODUCERS * CLASSES * 2);
        for (n, earlier) in needs.iter().enumerate() {
            // Only producers of the same file write the same register.
            let file = n / (CLASSES * 2);
            for later in &needs[file * CLASSES * 2..(file + 1) * CLASSES * 2] {
                let read = |c: &Consumer| matches!(c.slot, Some(SlotRole::Pp | SlotRole::Pq) | None) == (file > 1);
                let pairs = consumers.iter().zip(earlier).zip(later).filter(|((c, _), _)| read(c));
                let slower = pairs.map(|((_, e), l)| e.saturating_sub(*l)).max();
                overtaking.push(slower.unwrap_or(0) + 1);
            }
        }
        Table { slowest, overtaking }
    }
}

/// Returns the cycles after which every reader can read a fixed-latency result.
pub(super) fn slowest(isa: Isa, p: Producer) -> u32 {
    u32::from(Table::of(isa).slowest[producer_index(p)])
}

/// Returns the cycles from a fixed-latency writer to a later one of the same register, such that
/// the later result arrives later for every reader. A variable-latency writer (`None`) takes at
/// least two cycles.
pub(super) fn overtaking(isa: Isa, earlier: Producer, later: Option<Producer>) -> u32 {
    match later {
        Some(later) => {
            let n = producer_index(later) % (CLASSES * 2);
            u32::from(Table::of(isa).overtaking[producer_index(earlier) * CLASSES * 2 + n])
        }
        None => slowest(isa, earlier).saturating_sub(2).max(1),
    }
}

/// Returns the typical cycles until the results of a variable-latency instruction arrive.
pub(super) fn typical(row: &Row) -> u32 {
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
