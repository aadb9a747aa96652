//! Packed 16-bit operations and others that are split into parts: `min.s16x2` etc., comparisons of
//! pairs of halves, functions of halves, `cvt.pack`, `fns`.

use crate::build::Lower;
use crate::int::condition;
use crate::reason::{Reason, not_yet, sign_of, unsupported, width_of};
use raddle_ir::{Cond, Fty, Ftz, Mufu, Op as I, Sign, Value, Width};
use raddle_ptx::{InstId, Mod, Op, Ty};

impl Lower<'_> {
    fn halves(&mut self, v: Value) -> [Value; 2] {
        let parts = self.emit_many(I::Unpack, &[v], &[Width::B16, Width::B16]);
        [parts[0], parts[1]]
    }

    fn pair(&mut self, [low, high]: [Value; 2]) -> Value {
        self.emit(I::Pack, &[low, high], Width::B32)
    }

    /// Lowers `add`, `min` and `max` of `.u16x2` and `.s16x2` (PTX ISA 9.0, 9.7.1).
    pub(crate) fn integer_pairs(&mut self, inst: InstId, ty: Ty) -> Result<(), Reason> {
        let body = self.input.body;
        let sign = sign_of(ty);
        let op = match body.op(inst) {
            Op::Add => I::Add,
            Op::Min => I::Min(sign),
            Op::Max => I::Max(sign),
            _ => return unsupported(format!("type .{}", ty.name())),
        };
        if body.has(inst, Mod::Sat) {
            return not_yet();
        }
        let args = self.operands_from(inst, 1, 2, Ty::B32)?;
        let (a, b) = (self.halves(args[0]), self.halves(args[1]));
        let zero = self.constant(0, Width::B16);
        let mut both = |n: usize| {
            let v = self.emit(op, &[a[n], b[n]], Width::B16);
            let relu = body.has(inst, Mod::Relu);
            if relu { self.emit(I::Max(Sign::S), &[v, zero], Width::B16) } else { v }
        };
        let parts = [both(0), both(1)];
        let v = self.pair(parts);
        self.set(inst, v)
    }

    /// Lowers `set` and `setp` on pairs of halves: each half separately (PTX ISA 9.0, 9.7.7).
    pub(crate) fn compare_pairs(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let types = body.types(inst);
        let ty = types[types.len() - 1];
        let half = if ty == Ty::F16x2 { Fty::F16 } else { Fty::Bf16 };
        let cond = condition(body.mods(inst)).ok_or(Reason(String::new()))?;
        let ftz = if body.has(inst, Mod::Ftz) { Ftz::Yes } else { Ftz::No };
        let combine = match body.one_of(inst, &[Mod::And, Mod::Or, Mod::Xor]) {
            Some(Mod::And) => Some(I::And),
            Some(Mod::Or) => Some(I::Or),
            Some(_) => Some(I::Xor),
            None => None,
        };
        let args = self.operands_from(inst, 1, 2, ty)?;
        let c = match combine {
            Some(op) => Some((op, self.operand(inst, 3, Ty::Pred)?)),
            None => None,
        };
        let (a, b) = (self.halves(args[0]), self.halves(args[1]));
        let holds = [0, 1].map(|n| {
            let p = self.emit(I::Fcmp(half, cond, ftz), &[a[n], b[n]], Width::P);
            c.map_or(p, |(op, c)| self.emit(op, &[p, c], Width::P))
        });
        if body.op(inst) == Op::Setp {
            return self.set_pair(inst, holds[0], holds[1]);
        }
        let one = match types[0] {
            Ty::F16x2 => 0x3c00,
            Ty::Bf16x2 => 0x3f80,
            Ty::U32 | Ty::S32 => 0xffff,
            other => return unsupported(format!("type .{}", other.name())),
        };
        let (one, zero) = (self.constant(one, Width::B16), self.constant(0, Width::B16));
        let parts = holds.map(|p| self.emit(I::Select, &[p, one, zero], Width::B16));
        let v = self.pair(parts);
        self.set(inst, v)
    }

    /// Lowers `ex2.approx` and `tanh.approx` of halves and pairs of them (PTX ISA 9.0, 9.7.4).
    pub(crate) fn half_function(&mut self, op: Op, fty: Fty, a: Value) -> Result<Value, Reason> {
        let function = match op {
            Op::Ex2 => Mufu::Ex2,
            Op::Tanh => Mufu::Tanh,
            _ => return not_yet(),
        };
        Ok(match fty {
            Fty::F16 | Fty::Bf16 => self.emit(I::MufuHalf(function, fty), &[a], Width::B16),
            _ => {
                let half = if fty == Fty::F16x2 { Fty::F16 } else { Fty::Bf16 };
                let parts = self.halves(a).map(|x| self.emit(I::MufuHalf(function, half), &[x], Width::B16));
                self.pair(parts)
            }
        })
    }

    /// Lowers `cvt.pack.sat` (PTX ISA 9.0, 9.7.9.22): `a` and `b` clamped, `b` lowest, `c` shifted
    /// above them.
    pub(crate) fn cvt_pack(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst)[0];
        let bits = ty.bits();
        let args = self.operands_from(inst, 1, 2, Ty::S32)?;
        let parts = [0, 1].map(|n| {
            let v = self.clamp(args[n], bits, sign_of(ty), Width::B32);
            let mask = self.constant((1 << bits) - 1, Width::B32);
            self.emit(I::And, &[v, mask], Width::B32)
        });
        let by = self.constant(u64::from(bits), Width::B32);
        let upper = self.emit(I::Shl, &[parts[0], by], Width::B32);
        let mut v = self.emit(I::Or, &[upper, parts[1]], Width::B32);
        if body.insts[inst].operand_count() == 4 {
            let c = self.operand(inst, 3, Ty::B32)?;
            let by = self.constant(u64::from(2 * bits), Width::B32);
            let c = self.emit(I::Shl, &[c, by], Width::B32);
            v = self.emit(I::Or, &[v, c], Width::B32);
        }
        self.set(inst, v)
    }

    /// Lowers `fns d, mask, base, offset` (PTX ISA 9.0, 9.7.1.17): the position of the n-th set bit
    /// from `base` on, upwards for positive `offset` n, downwards for negative, `base` itself for
    /// zero; all ones if there is none.
    pub(crate) fn find_nth_set(&mut self, inst: InstId) -> Result<(), Reason> {
        let width = Width::B32;
        let args = [self.operand(inst, 1, Ty::B32)?, self.operand(inst, 2, Ty::B32)?, self.operand(inst, 3, Ty::S32)?];
        let [mask, base, offset] = args;
        let (zero, one, last, ones) =
            (self.constant(0, width), self.constant(1, width), self.constant(31, width), self.constant(!0, width));
        let select = |l: &mut Self, p, a, b| l.emit(I::Select, &[p, a, b], width);
        // Downwards equals upwards in the reversed mask.
        let down = self.icmp(Cond::Lt, Sign::S, offset, zero);
        let reversed = self.emit(I::Brev, &[mask], width);
        let mirrored = self.emit(I::Sub, &[last, base], width);
        let (from, at) = (select(self, down, reversed, mask), select(self, down, mirrored, base));
        let above = self.emit(I::Shl, &[ones, at], width);
        let only = self.emit(I::Shl, &[one, at], width);
        let here = self.icmp(Cond::Eq, Sign::U, offset, zero);
        let kept = select(self, here, only, above);
        let bits = self.emit(I::And, &[from, kept], width);
        let count = self.emit(I::Abs, &[offset], width);
        let count = select(self, here, one, count);
        let all = self.emit(I::Popc, &[bits], width);
        let exists = self.icmp(Cond::Ge, Sign::U, all, count);
        // Binary search: continue in the upper half if the lower one has too few.
        let (mut rest, mut left, mut position) = (bits, count, zero);
        for half in [16u64, 8, 4, 2, 1] {
            let low = self.constant((1 << half) - 1, width);
            let low = self.emit(I::And, &[rest, low], width);
            let there = self.emit(I::Popc, &[low], width);
            let beyond = self.icmp(Cond::Lt, Sign::U, there, left);
            let by = self.constant(half, width);
            let shifted = self.emit(I::Shr(Sign::U), &[rest, by], width);
            let fewer = self.emit(I::Sub, &[left, there], width);
            let further = self.emit(I::Add, &[position, by], width);
            rest = select(self, beyond, shifted, rest);
            left = select(self, beyond, fewer, left);
            position = select(self, beyond, further, position);
        }
        let mirrored = self.emit(I::Sub, &[last, position], width);
        let position = select(self, down, mirrored, position);
        let v = select(self, exists, position, ones);
        self.set(inst, v)
    }

    /// Lowers `cvt` to `.tf32`, nearest with ties away: the upper 19 bits. Infinities and NaN are
    /// only truncated.
    pub(crate) fn round_to_tf32(&mut self, a: Value) -> Value {
        let width = Width::B32;
        let (magnitude, infinity) = (self.constant(0x7fff_ffff, width), self.constant(0x7f80_0000, width));
        let (half, upper) = (self.constant(0x1000, width), self.constant(0xffff_e000, width));
        let abs = self.emit(I::And, &[a, magnitude], width);
        let finite = self.icmp(Cond::Lt, Sign::U, abs, infinity);
        let more = self.emit(I::Add, &[a, half], width);
        let v = self.emit(I::Select, &[finite, more, a], width);
        self.emit(I::And, &[v, upper], width)
    }

    /// Lowers `cvt.sat` between integers: clamped in the source's type.
    pub(crate) fn clamp_integer(&mut self, a: Value, to: Ty, from: Ty) -> Result<Value, Reason> {
        // Sources below 32 bits are extended; then every bound that is needed fits the source's
        // type.
        let width = width_of(from)?.max(Width::B32);
        let v = self.extend_low(a, from, width_of(from)?);
        let mut v = self.resize(v, width, sign_of(from));
        let (bits, sign) = (to.bits(), sign_of(from));
        let most = if to.is_signed() { u64::MAX >> (65 - bits) } else { u64::MAX >> (64 - bits) };
        let source_most = width.mask() >> u32::from(from.is_signed());
        if from.is_signed() {
            let least = if to.is_signed() { (i64::MIN >> (64 - bits)) as u64 } else { 0 };
            if !to.is_signed() || bits < width.bits() {
                let least = self.constant(least, width);
                v = self.emit(I::Max(sign), &[v, least], width);
            }
        }
        if most < source_most {
            let most = self.constant(most, width);
            v = self.emit(I::Min(sign), &[v, most], width);
        }
        Ok(v)
    }
}
