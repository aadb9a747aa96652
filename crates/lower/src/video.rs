//! Video instructions (PTX ISA 9.0, 9.7.17 and 9.7.18): scalar with byte and half-word selectors,
//! and on two or four lanes.
//!
//! Strategy: parts are extended to a width in which the first operation cannot overflow (64 bits
//! for scalars, 32 for lanes), clamped there, and inserted. `vmad` is in [`crate::vmad`].

use crate::build::Lower;
use crate::int::condition;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::{Cond, Op as I, Sign, Value, Width};
use raddle_ptx::{InstId, Mod, Op, Operand, Part, Ty};

/// The first operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Add,
    Sub,
    AbsDiff,
    Min,
    Max,
    Average,
    Shl,
    Shr,
    Set(Cond),
}

/// A source: its word, its units (numbers in nibbles, lowest first) and their signedness.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    word: Value,
    units: u16,
    bits: u32,
    sign: Sign,
}

impl Source {
    /// Returns the unit of a scalar form.
    pub(crate) fn first_unit(self) -> u16 {
        if self.bits == 32 { 0 } else { self.units & 7 }
    }
}

/// The destination: register, lanes or unit written, bits of a unit, and whether a unit is merged
/// into the third operand.
struct Target {
    operand: Operand,
    write: u8,
    bits: u32,
    merge: bool,
}

fn sign(signed: bool) -> Sign {
    if signed { Sign::S } else { Sign::U }
}

impl Lower<'_> {
    /// Lowers one video instruction.
    pub(crate) fn video(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let (first, lanes) = match body.op(inst) {
            Op::Vadd => (First::Add, 1),
            Op::Vsub => (First::Sub, 1),
            Op::Vabsdiff => (First::AbsDiff, 1),
            Op::Vmin => (First::Min, 1),
            Op::Vmax => (First::Max, 1),
            Op::Vshl => (First::Shl, 1),
            Op::Vshr => (First::Shr, 1),
            Op::Vadd2 => (First::Add, 2),
            Op::Vsub2 => (First::Sub, 2),
            Op::Vabsdiff2 => (First::AbsDiff, 2),
            Op::Vmin2 => (First::Min, 2),
            Op::Vmax2 => (First::Max, 2),
            Op::Vavrg2 => (First::Average, 2),
            Op::Vadd4 => (First::Add, 4),
            Op::Vsub4 => (First::Sub, 4),
            Op::Vabsdiff4 => (First::AbsDiff, 4),
            Op::Vmin4 => (First::Min, 4),
            Op::Vmax4 => (First::Max, 4),
            Op::Vavrg4 => (First::Average, 4),
            op @ (Op::Vset | Op::Vset2 | Op::Vset4) => {
                let cond = condition(body.mods(inst)).ok_or(Reason(String::new()))?;
                let lanes = match op {
                    Op::Vset => 1,
                    Op::Vset2 => 2,
                    _ => 4,
                };
                (First::Set(cond), lanes)
            }
            Op::Vmad => return self.vmad(inst),
            _ => return not_yet(),
        };
        // `vset` has source types only; its result is unsigned.
        let types = body.types(inst);
        let signed = |n: usize| types.get(n).is_some_and(|ty| ty.is_signed());
        let (d_sign, a_sign, b_sign) = match types.len() {
            2 if matches!(first, First::Set(_)) => (Sign::U, sign(signed(0)), sign(signed(1))),
            _ => (sign(signed(0)), sign(signed(1)), sign(signed(2))),
        };
        let unit = 32 / lanes;
        let a = self.selected(body.operand(inst, 1), unit, if lanes == 4 { 0x3210 } else { 0x10 }, a_sign)?;
        let b = match lanes {
            1 => self.selected(body.operand(inst, 2), unit, 0, b_sign)?,
            2 => self.selected(body.operand(inst, 2), unit, 0x32, b_sign)?,
            _ => self.selected(body.operand(inst, 2), unit, 0x7654, b_sign)?,
        };
        let target = self.video_target(inst, lanes)?;
        let c = match body.insts[inst].operand_count() {
            4 => self.operand(inst, 3, Ty::B32)?,
            _ => self.constant(0, Width::B32),
        };
        let v = if lanes == 1 {
            self.scalar_video(inst, first, &target, d_sign, [a, b], c)
        } else {
            self.lanes_video(inst, first, lanes, &target, d_sign, [a, b], c)
        };
        self.set_operand(Some(target.operand), v)
    }

    /// Returns a source with its selector; `all` is the implied selector.
    pub(crate) fn selected(
        &mut self,
        operand: Option<Operand>,
        unit: u32,
        all: u16,
        sign: Sign,
    ) -> Result<Source, Reason> {
        let Some(operand) = operand else { return unsupported("a missing operand") };
        let (reg, units, bits) = match operand {
            Operand::RegPart(reg, Part::Bytes(units, _), false) => (reg, units, 8),
            Operand::RegPart(reg, Part::Halves(units, _), false) => (reg, u16::from(units), 16),
            Operand::RegPart(..) => return unsupported("a negated part of a register"),
            other => {
                let word = self.value(other, Ty::B32)?;
                return Ok(Source { word, units: all, bits: unit, sign });
            }
        };
        let word = self.value(Operand::Reg(reg), Ty::B32)?;
        Ok(Source { word, units, bits, sign })
    }

    fn video_target(&self, inst: InstId, lanes: u32) -> Result<Target, Reason> {
        let Some(operand) = self.input.body.operand(inst, 0) else { return unsupported("a missing destination") };
        let set = |units: u16, count: u8| (0..count).fold(0u8, |all, i| all | 1 << (units >> (4 * i) & 7));
        Ok(match operand {
            Operand::RegPart(reg, Part::Bytes(units, count), false) => {
                Target { operand: Operand::Reg(reg), write: set(units, count), bits: 8, merge: lanes == 1 }
            }
            Operand::RegPart(reg, Part::Halves(units, count), false) => {
                let write = set(u16::from(units), count);
                Target { operand: Operand::Reg(reg), write, bits: 16, merge: lanes == 1 }
            }
            operand => Target { operand, write: 0xf, bits: 32 / lanes, merge: false },
        })
    }

    /// Returns unit `n` of a source in `width`.
    pub(crate) fn unit(&mut self, source: Source, n: u16, width: Width) -> Value {
        let mut v = source.word;
        if source.bits < 32 {
            let by = self.constant(u64::from(n) * u64::from(source.bits), Width::B32);
            v = self.emit(I::Shr(Sign::U), &[v, by], Width::B32);
            v = self.emit(I::ExtLow(source.sign, source.bits as u8), &[v], Width::B32);
        }
        self.resize(v, width, source.sign)
    }

    /// Emits the first operation in a width in which it does not overflow.
    fn first(&mut self, first: First, p: Value, q: Value, width: Width) -> Value {
        let binary = |l: &mut Self, op| l.emit(op, &[p, q], width);
        match first {
            First::Add => binary(self, I::Add),
            First::Sub => binary(self, I::Sub),
            First::AbsDiff => {
                let v = binary(self, I::Sub);
                self.emit(I::Abs, &[v], width)
            }
            First::Min => binary(self, I::Min(Sign::S)),
            First::Max => binary(self, I::Max(Sign::S)),
            First::Average => {
                // (a + b + (a + b >= 0)) >> 1.
                let sum = binary(self, I::Add);
                let (zero, one) = (self.constant(0, width), self.constant(1, width));
                let more = self.emit(I::Add, &[sum, one], width);
                let positive = self.icmp(Cond::Ge, Sign::S, sum, zero);
                let v = self.emit(I::Select, &[positive, more, sum], width);
                let by = self.constant(1, Width::B32);
                self.emit(I::Shr(Sign::S), &[v, by], width)
            }
            First::Shl | First::Shr => {
                let by = self.resize(q, Width::B32, Sign::U);
                self.emit(if first == First::Shl { I::Shl } else { I::Shr(Sign::S) }, &[p, by], width)
            }
            First::Set(cond) => {
                let holds = self.icmp(cond, Sign::S, p, q);
                let (zero, one) = (self.constant(0, width), self.constant(1, width));
                self.emit(I::Select, &[holds, one, zero], width)
            }
        }
    }

    /// Clamps to the range of an integer of `bits` bits.
    pub(crate) fn clamp(&mut self, v: Value, bits: u32, sign: Sign, width: Width) -> Value {
        let (low, high) = match sign {
            Sign::U => (0, (1i64 << bits) - 1),
            Sign::S => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
        };
        let (low, high) = (self.constant(low as u64, width), self.constant(high as u64, width));
        let v = self.emit(I::Max(Sign::S), &[v, low], width);
        self.emit(I::Min(Sign::S), &[v, high], width)
    }

    /// Replaces `bits` bits of `c` from `shift` on by the low ones of `v`; all are 32 bits wide.
    fn insert(&mut self, c: Value, v: Value, shift: u32, bits: u32) -> Value {
        let mask = ((1u64 << bits) - 1) << shift;
        let by = self.constant(u64::from(shift), Width::B32);
        let v = self.emit(I::Shl, &[v, by], Width::B32);
        let (keep, take) = (self.constant(!mask, Width::B32), self.constant(mask, Width::B32));
        let c = self.emit(I::And, &[c, keep], Width::B32);
        let v = self.emit(I::And, &[v, take], Width::B32);
        self.emit(I::Or, &[c, v], Width::B32)
    }

    fn scalar_video(
        &mut self,
        inst: InstId,
        first: First,
        target: &Target,
        sign: Sign,
        [a, b]: [Source; 2],
        c: Value,
    ) -> Value {
        let body = self.input.body;
        let saturate = body.has(inst, Mod::Sat);
        let wide = Width::B64;
        let mut p = self.unit(a, a.first_unit(), wide);
        let mut q = self.unit(b, b.first_unit(), wide);
        if matches!(first, First::Shl | First::Shr) {
            if body.has(inst, Mod::Wrap) {
                let mask = self.constant(31, wide);
                q = self.emit(I::And, &[q, mask], wide);
            } else {
                q = self.clamp(q, 6, Sign::U, wide);
                let most = self.constant(32, wide);
                q = self.emit(I::Min(Sign::S), &[q, most], wide);
            }
            if first == First::Shl && saturate {
                // Shifts by more than 63 bits shift everything out; such large numbers are clamped.
                let (most, all) = (self.constant(i32::MAX as u64, wide), self.constant(32, wide));
                let less = self.emit(I::Min(Sign::S), &[p, most], wide);
                let far = self.icmp(Cond::Eq, Sign::U, q, all);
                p = self.emit(I::Select, &[far, less, p], wide);
            }
        }
        let mut v = self.first(first, p, q, wide);
        if saturate {
            v = self.clamp(v, if target.merge { target.bits } else { 32 }, sign, wide);
        }
        let v = self.resize(v, Width::B32, sign);
        let second = |l: &mut Self, op| l.emit(op, &[v, c], Width::B32);
        if body.has(inst, Mod::Add) {
            second(self, I::Add)
        } else if body.has(inst, Mod::Min) {
            second(self, I::Min(sign))
        } else if body.has(inst, Mod::Max) {
            second(self, I::Max(sign))
        } else if target.merge {
            self.insert(c, v, target.write.trailing_zeros() * target.bits, target.bits)
        } else {
            v
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    fn lanes_video(
        &mut self,
        inst: InstId,
        first: First,
        lanes: u32,
        target: &Target,
        sign: Sign,
        [a, b]: [Source; 2],
        c: Value,
    ) -> Value {
        let body = self.input.body;
        let bits = 32 / lanes;
        let accumulate = body.has(inst, Mod::Add);
        let mut result = c;
        for lane in (0..lanes).filter(|lane| target.write >> lane & 1 == 1) {
            // Unit numbers below the lane count select from the first source, the others from the
            // second.
            let pick = |l: &mut Self, s: Source| {
                let n = s.units >> (4 * lane) & 7;
                let word = if u32::from(n) < lanes { a.word } else { b.word };
                l.unit(Source { word, ..s }, n % lanes as u16, Width::B32)
            };
            let (p, q) = (pick(self, a), pick(self, b));
            let mut v = self.first(first, p, q, Width::B32);
            if body.has(inst, Mod::Sat) {
                v = self.clamp(v, bits, sign, Width::B32);
            }
            result = if accumulate {
                let v = self.emit(I::ExtLow(sign, bits as u8), &[v], Width::B32);
                self.emit(I::Add, &[result, v], Width::B32)
            } else {
                self.insert(result, v, lane * bits, bits)
            };
        }
        result
    }
}
