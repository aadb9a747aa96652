//! Latencies in the form the hazard tracker asks for them.
//!
//! The numbers are [`mod@raddle_sass::latency`]'s `check`: the least issue distance anybody relied on. Here they lie in one
//! dense table per machine, because the tracker asks for every register of every instruction.

use super::operands::GUARD_SLOT;
use super::uop::{RES_PRED, RES_UPRED, RES_UREG, Res};
use raddle_sass::latency::{Consumer, Producer, latency};
use raddle_sass::row::File;
use raddle_sass::{Class, Isa, SlotRole};
use std::sync::OnceLock;

const CLASSES: usize = Class::ALL.len();
/// Slot keys: the roles by number, and [`GUARD_SLOT`].
const SLOTS: usize = GUARD_SLOT as usize + 1;
const FILES: [File; 4] = [File::Gpr, File::Ugpr, File::Pred, File::Upred];
/// Latencies of one machine.
#[derive(Clone, Copy, Debug)]
pub struct Latencies(&'static [u8]);

/// Which file a register belongs to, as an index.
#[inline(always)]
fn file(res: Res) -> usize {
    usize::from(res >= RES_UREG) + usize::from(res >= RES_PRED) + usize::from(res >= RES_UPRED)
}

#[inline(always)]
fn index(file: usize, producer: u16, high: bool, consumer: u16, slot: u8, slot_high: bool) -> usize {
    let i = (file * CLASSES + usize::from(producer)) * 2 + usize::from(high);
    ((i * CLASSES + usize::from(consumer)) * SLOTS + usize::from(slot)) * 2 + usize::from(slot_high)
}

impl Latencies {
    /// The table of a machine.
    pub fn of(isa: Isa) -> Latencies {
        static TABLES: [OnceLock<Vec<u8>>; Isa::ALL.len()] = [const { OnceLock::new() }; Isa::ALL.len()];
        Latencies(TABLES[isa as usize].get_or_init(|| build(isa)))
    }

    /// Cycles between the issue of a producer of `res` and of a consumer that reads it in operand slot `slot`. `half`
    /// counts the registers of the producer's result, `slot_high` tells the upper ones of the consumer's operand.
    #[inline(always)]
    pub fn get(&self, res: Res, producer: u16, half: u8, consumer: u16, slot: u8, slot_high: bool) -> u32 {
        self.0[index(file(res), producer, half != 0, consumer, slot, slot_high)].into()
    }
}

fn build(isa: Isa) -> Vec<u8> {
    let mut table = vec![1; FILES.len() * CLASSES * 2 * CLASSES * SLOTS * 2];
    for (f, &file) in FILES.iter().enumerate() {
        for (&producer, high) in Class::ALL.iter().flat_map(|c| [(c, false), (c, true)]) {
            for (&consumer, slot_high) in Class::ALL.iter().flat_map(|c| [(c, false), (c, true)]) {
                for slot in SlotRole::ALL.into_iter().map(Some).chain([None]) {
                    let key = slot.map_or(GUARD_SLOT, |s| s as u8);
                    let cycles = latency(
                        isa,
                        Producer { file, class: producer, high },
                        Consumer { class: consumer, slot, high: slot_high },
                    );
                    table[index(f, producer as u16, high, consumer as u16, key, slot_high)] = cycles.check;
                }
            }
        }
    }
    table
}
