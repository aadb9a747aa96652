//! Latencies in the form the hazard tracker asks for them: cycles from a producer's issue to the first issue of a
//! consumer that may read the result.
//!
//! Values are the smallest issue distances met in ptxas 13.0.88 output (D16): an upper bound of what the hardware
//! needs, as ptxas relied on them. A pair nobody met counts as the smallest value of its producer's row.

use super::operands::GUARD_SLOT;
use raddle_sass::Class;

/// Number of latency classes.
const CLASSES: usize = Class::ALL.len();

/// Latencies of one machine.
#[derive(Clone, Debug)]
pub struct Latencies {
    /// Registers, by producer and consumer class.
    values: [[u8; CLASSES]; CLASSES],
    /// Predicates that guard, by producer class.
    guards: [u8; CLASSES],
}

/// `(producer, consumers, cycles)`; later rows override earlier ones, an empty list means every consumer.
const VALUES: &[(Class, &[Class], u8)] = &[
    (Class::Alu, &[], 4),
    (Class::Alu, &[Class::Agu], 5),
    (Class::Alu, &[Class::Fp64], 6),
    (Class::Alu, &[Class::Hmma, Class::Imma], 7),
    (Class::Alu, &[Class::Imadwide], 3),
    (Class::Fma, &[], 4),
    (Class::Fma, &[Class::Agu], 5),
    (Class::Fma, &[Class::Fp64], 6),
    (Class::Fma, &[Class::Imadwide], 2),
    (Class::Imadwide, &[], 3),
    (Class::Imadwide, &[Class::Agu], 5),
    (Class::Imadwide, &[Class::Fma], 4),
    (Class::Imadwide, &[Class::Imadwide], 2),
    (Class::Disp64, &[], 4),
    (Class::Fp16, &[], 5),
    (Class::Fp64, &[], 10),
    (Class::Fp64, &[Class::Agu], 7),
    (Class::Fp64, &[Class::Dec], 6),
    (Class::Fp64, &[Class::Fp64], 8),
    (Class::Hfma2mma, &[], 8),
    (Class::Hfma2mma, &[Class::Agu], 7),
    (Class::Vote, &[], 4),
    (Class::Hmma, &[], 15),
    (Class::Imma, &[], 23),
    (Class::R2ur, &[], 8),
    (Class::Udp, &[], 2),
    (Class::Uldc, &[], 2),
];

const GUARDS: &[(Class, u8)] = &[
    (Class::Alu, 13),
    (Class::Fma, 13),
    (Class::Imadwide, 13),
    (Class::Fp64, 14),
    (Class::Fp16, 13),
    (Class::Vote, 13),
    (Class::Udp, 9),
];

impl Default for Latencies {
    fn default() -> Latencies {
        let mut l = Latencies { values: [[1; CLASSES]; CLASSES], guards: [1; CLASSES] };
        for &(producer, consumers, cycles) in VALUES {
            let row = &mut l.values[producer as usize];
            if consumers.is_empty() {
                row.fill(cycles);
            }
            for &c in consumers {
                row[c as usize] = cycles;
            }
        }
        for &(producer, cycles) in GUARDS {
            l.guards[producer as usize] = cycles;
        }
        l
    }
}

impl Latencies {
    /// Cycles between the issue of a producer and of a consumer that reads register `half` of its result in operand
    /// slot `slot`.
    #[inline]
    pub fn get(&self, producer: u16, half: u8, consumer: u16, slot: u8) -> u32 {
        let _ = half;
        if slot == GUARD_SLOT {
            return self.guards[usize::from(producer)].into();
        }
        self.values[usize::from(producer)][usize::from(consumer)].into()
    }

    /// Cycles between two writers of one register, so that the later one's value stays.
    #[inline]
    pub fn write_after_write(&self, first: u16, second: u16) -> u32 {
        let _ = (first, second);
        1
    }
}
