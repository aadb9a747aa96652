//! Video instructions (PTX ISA 9.0, 9.7.17 and 9.7.18): scalar with byte and half-word selectors,
//! and SIMD.

use super::bits::mask;
use super::compare::Relation;
use crate::float::IntType;

/// The first operation of a video instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoOp {
    Add,
    Sub,
    AbsDiff,
    Min,
    Max,
    Average,
    Shl,
    Shr,
    Set(Relation),
}

/// The second operation, on the first result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// Nothing.
    None,
    /// Added to `c`; SIMD forms add the sum of their lanes.
    Add,
    /// Minimum and maximum with `c` (scalar forms).
    Min,
    Max,
    /// Merge into `c`: lanes that the destination does not name come from `c`.
    Merge,
}

/// A part of a source word: `count` units of `bits` bits, unit numbers in nibbles, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Select {
    /// Unit numbers; for SIMD forms 0 to 3 (0 to 1) select from `a`, the rest from `b`.
    pub units: u16,
    /// Width of a unit.
    pub bits: u32,
    /// Whether a unit is signed.
    pub signed: bool,
}

/// A video instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Video {
    pub op: VideoOp,
    /// Number of lanes: 1 for scalar forms, 2 or 4.
    pub lanes: u32,
    /// Type of the result (of a lane).
    pub d: IntType,
    pub a: Select,
    pub b: Select,
    /// Lanes written, one bit each; for a scalar merge: units of `d.bits` bits.
    pub write: u8,
    pub sat: bool,
    pub second: Second,
    /// Whether `vshl` and `vshr` take amounts modulo the width instead of clamping them.
    pub wrap: bool,
}

impl Video {
    /// Returns the result word.
    pub fn eval(&self, a: u64, b: u64, c: u64) -> u64 {
        if self.lanes == 1 {
            return self.scalar(a, b, c);
        }
        let pool = b << 32 | a;
        let lane_bits = 32 / self.lanes;
        let lane = IntType { bits: lane_bits, signed: self.d.signed };
        let mut merged = c;
        let mut sum = 0;
        for i in 0..self.lanes {
            if self.write >> i & 1 == 0 {
                continue;
            }
            let p = part(pool, self.a, self.a.units >> (4 * i) & 7);
            let q = part(pool, self.b, self.b.units >> (4 * i) & 7);
            let result = self.first(p, q);
            let result = if self.sat { lane.clamp(result) } else { lane.wrap(result) };
            sum += lane.value(result);
            let shift = i * lane_bits;
            merged = (merged & !(mask(lane_bits) << shift)) | result << shift;
        }
        match self.second {
            Second::Add => (c as i128 + sum) as u64 & mask(32),
            _ => merged & mask(32),
        }
    }

    fn scalar(&self, a: u64, b: u64, c: u64) -> u64 {
        let p = part(a, self.a, self.a.units & 7);
        let q = part(b, self.b, self.b.units & 7);
        let result = self.first(p, q);
        let unit = IntType { bits: self.d.bits, signed: self.d.signed };
        let whole = IntType { bits: 32, signed: self.d.signed };
        let result = match self.second {
            Second::Merge => {
                let shift = self.write.trailing_zeros() * unit.bits;
                let bits = if self.sat { unit.clamp(result) } else { unit.wrap(result) };
                return (c & !(mask(unit.bits) << shift) | bits << shift) & mask(32);
            }
            _ if self.sat => whole.value(whole.clamp(result)),
            _ => whole.value(whole.wrap(result)),
        };
        whole.wrap(match self.second {
            Second::Add => result + whole.value(c),
            Second::Min => result.min(whole.value(c)),
            Second::Max => result.max(whole.value(c)),
            _ => result,
        })
    }

    fn first(&self, p: i128, q: i128) -> i128 {
        let amount = if self.wrap { q as u32 & 31 } else { (q.clamp(0, 32)) as u32 };
        match self.op {
            VideoOp::Add => p + q,
            VideoOp::Sub => p - q,
            VideoOp::AbsDiff => (p - q).abs(),
            VideoOp::Min => p.min(q),
            VideoOp::Max => p.max(q),
            // Halves are rounded away from zero: (a + b + (a + b >= 0)) >> 1.
            VideoOp::Average => (p + q + i128::from(p + q >= 0)) >> 1,
            VideoOp::Shl => p << amount,
            VideoOp::Shr => p >> amount,
            VideoOp::Set(relation) => i128::from(relation.of(Some(p.cmp(&q)))),
        }
    }
}

/// Returns a unit of the source words as a number.
pub fn part(pool: u64, select: Select, unit: u16) -> i128 {
    let ty = IntType { bits: select.bits, signed: select.signed };
    ty.value(pool >> (u32::from(unit) * select.bits).min(63))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simd(op: VideoOp, lanes: u32, second: Second) -> Video {
        let bits = 32 / lanes;
        let (low, high) = if lanes == 4 { (0x3210, 0x7654) } else { (0x10, 0x32) };
        let select = |units| Select { units, bits, signed: false };
        let d = IntType { bits, signed: false };
        Video { op, lanes, d, a: select(low), b: select(high), write: 0xf, sat: false, second, wrap: false }
    }

    #[test]
    fn lanes_do_not_carry() {
        let add = simd(VideoOp::Add, 4, Second::None);
        assert_eq!(add.eval(0xff01_80ff, 0x0101_8001, 0), 0x0002_0000);
        let saturated = Video { sat: true, ..add };
        assert_eq!(saturated.eval(0xff01_80ff, 0x0101_8001, 0), 0xff02_ffff);
    }

    #[test]
    fn accumulation_sums_lanes() {
        let sad = simd(VideoOp::AbsDiff, 4, Second::Add);
        assert_eq!(sad.eval(0x0102_0304, 0x0400_0304, 10), 10 + 3 + 2);
    }

    #[test]
    fn scalar_selectors_extend() {
        let select = |units, bits| Select { units, bits, signed: true };
        let add = Video {
            lanes: 1,
            d: IntType { bits: 32, signed: false },
            a: select(0, 8),
            b: select(1, 16),
            ..simd(VideoOp::Add, 1, Second::None)
        };
        assert_eq!(add.eval(0x80, 0x0003_0000, 0), (-125i32) as u32 as u64);
    }
}
