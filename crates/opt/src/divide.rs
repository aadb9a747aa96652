//! Replaces division and remainder by constants with multiplications and shifts.
//!
//! Strategy: the quotient is the upper half of a product with a rounded reciprocal, shifted (T.
//! Granlund and P. L. Montgomery, "Division by Invariant Integers using Multiplication", PLDI
//! 1994); for powers of two, shifts. The remainder is computed from the quotient. 16-bit operations
//! are done in 32 bits.
//!
//! Invariants: exact for every dividend; division by zero stays as it is. Unsigned powers of two
//! are handled by [`crate::fold`].

use raddle_ir::{Block, Cx, Function, Inst, Op, Sign, SourcePos, Stop, Value, Width};

use crate::edit::Renames;
use crate::eval::signed;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let mut names = Renames::default();
    for n in 0..f.layout.len() {
        let b = f.layout[n];
        cx.step(f.blocks[b].insts.len() as u64)?;
        if !f.blocks[b].insts.iter().any(|&i| wanted(f, i).is_some()) {
            continue;
        }
        for i in std::mem::take(&mut f.blocks[b].insts) {
            let Some((quotient, sign, d)) = wanted(f, i) else {
                f.blocks[b].insts.push(i);
                continue;
            };
            let (x, r) = (f.insts[i].args[0], f.insts[i].results[0]);
            let mut e = Emit { w: f.width(r), place: f.insts[i].place, f, block: b };
            let v = e.divide(quotient, sign, x, d);
            names.set(r, v);
        }
    }
    names.apply(f);
    Ok(())
}

/// Matches a division (true) or remainder (false) by a constant other than zero and one.
fn wanted(f: &Function, i: Inst) -> Option<(bool, Sign, u64)> {
    let data = &f.insts[i];
    let (quotient, sign) = match data.op {
        Op::Div(s) => (true, s),
        Op::Rem(s) => (false, s),
        _ => return None,
    };
    f.constant(data.args[1]).filter(|&d| d > 1).map(|d| (quotient, sign, d))
}

struct Emit<'a> {
    f: &'a mut Function,
    block: Block,
    place: SourcePos,
    w: Width,
}

impl Emit<'_> {
    fn op(&mut self, op: Op, args: &[Value]) -> Value {
        self.f.append1(self.block, op, args, self.w, self.place)
    }

    fn constant(&mut self, bits: u64) -> Value {
        self.op(Op::Const(bits & self.w.mask()), &[])
    }

    fn shift(&mut self, sign: Sign, x: Value, by: u32) -> Value {
        if by == 0 {
            return x;
        }
        let n = self.f.append1(self.block, Op::Const(by.into()), &[], Width::B32, self.place);
        self.op(Op::Shr(sign), &[x, n])
    }

    fn divide(&mut self, quotient: bool, sign: Sign, x: Value, d: u64) -> Value {
        if self.w == Width::B16 {
            let (extend, d) = match sign {
                Sign::U => (Op::Zext, d),
                Sign::S => (Op::Sext, signed(d, Width::B16) as u64),
            };
            self.w = Width::B32;
            let wide = self.op(extend, &[x]);
            let v = self.divide(quotient, sign, wide, d & Width::B32.mask());
            self.w = Width::B16;
            return self.op(Op::Trunc, &[v]);
        }
        let q = match sign {
            Sign::U => self.unsigned(x, d),
            Sign::S => self.signed(x, signed(d, self.w)),
        };
        if quotient {
            return q;
        }
        let d = self.constant(d);
        let product = self.op(Op::Mul, &[q, d]);
        self.op(Op::Sub, &[x, product])
    }

    fn unsigned(&mut self, x: Value, d: u64) -> Value {
        let n = self.w.bits();
        if d.is_power_of_two() {
            return self.shift(Sign::U, x, d.trailing_zeros());
        }
        let (factor, shift, exact) = reciprocal(n, d);
        if exact {
            let m = self.constant(factor);
            let high = self.op(Op::MulHi(Sign::U), &[x, m]);
            return self.shift(Sign::U, high, shift);
        }
        let even = d.trailing_zeros();
        if even > 0 {
            // The shifted dividend is small enough for any reciprocal to fit.
            let (factor, shift, _) = reciprocal(n, d >> even);
            let x = self.shift(Sign::U, x, even);
            let m = self.constant(factor);
            let high = self.op(Op::MulHi(Sign::U), &[x, m]);
            return self.shift(Sign::U, high, shift);
        }
        // The factor has one bit more than the width: its top bit is added separately, without a
        // carry.
        let log = u64::BITS - (d - 1).leading_zeros();
        let full = ceil_div(n + log, d);
        let m = self.constant(full as u64);
        let high = self.op(Op::MulHi(Sign::U), &[x, m]);
        let rest = self.op(Op::Sub, &[x, high]);
        let half = self.shift(Sign::U, rest, 1);
        let sum = self.op(Op::Add, &[half, high]);
        self.shift(Sign::U, sum, log - 1)
    }

    fn signed(&mut self, x: Value, d: i64) -> Value {
        let n = self.w.bits();
        let size = d.unsigned_abs();
        let q = if size == 1 {
            x
        } else if size.is_power_of_two() {
            // Quotients round towards zero: a bias is added to negative dividends before the shift.
            let k = size.trailing_zeros();
            let sign = self.shift(Sign::S, x, k - 1);
            let bias = self.shift(Sign::U, sign, n - k);
            let sum = self.op(Op::Add, &[x, bias]);
            self.shift(Sign::S, sum, k)
        } else {
            let log = u64::BITS - (size - 1).leading_zeros();
            let (mut factor, mut shift) = ((1u128 << (n + log - 1)) / u128::from(size) + 1, log - 1);
            // A factor of fewer bits needs no addition; it must remain precise enough.
            while shift > 0 && precise(n, factor.div_ceil(2), n + shift - 1, size) {
                factor = factor.div_ceil(2);
                shift -= 1;
            }
            let m = self.constant(factor as u64);
            let mut high = self.op(Op::MulHi(Sign::S), &[x, m]);
            if factor >> (n - 1) != 0 {
                high = self.op(Op::Add, &[high, x]);
            }
            let q = self.shift(Sign::S, high, shift);
            let negative = self.shift(Sign::S, x, n - 1);
            self.op(Op::Sub, &[q, negative])
        };
        if d < 0 { self.op(Op::Neg, &[q]) } else { q }
    }
}

/// 2^p / d, rounded up.
fn ceil_div(p: u32, d: u64) -> u128 {
    // 2^128 does not fit u128, and occurs only for d > 2^63.
    let power = if p >= 128 { u128::MAX } else { 1 << p };
    let d = u128::from(d);
    let q = power / d;
    if p >= 128 {
        // The quotient of 2^128 - 1 equals that of 2^128 unless d divides 2^128; d is no power of
        // two here.
        q + 1
    } else if q * d == power {
        q
    } else {
        q + 1
    }
}

/// Returns a factor of n bits, a shift, and whether they give the exact quotient by `d` of every
/// n-bit dividend.
fn reciprocal(n: u32, d: u64) -> (u64, u32, bool) {
    let shift = d.ilog2();
    let power = 1u128 << (n + shift);
    let factor = ceil_div(n + shift, d);
    let error = factor * u128::from(d) - power;
    (factor as u64, shift, error <= 1 << shift)
}

/// Whether `factor` / 2^p gives the exact quotient by `d` of every signed n-bit dividend (rounded
/// down, plus 1 for negative ones).
fn precise(n: u32, factor: u128, p: u32, d: u64) -> bool {
    // 2^p < factor * d <= 2^p + 2^(p - n + 1) (Granlund and Montgomery, theorem 5.1).
    let power = 1u128 << p;
    factor.checked_mul(u128::from(d)).is_some_and(|x| x > power && x - power <= 1 << (p + 1 - n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::eval;
    use smallvec::SmallVec;

    /// The value of the last operation of a function of one parameter.
    fn value(f: &Function, x: u64) -> u64 {
        let b = f.entry();
        let mut values = vec![0; f.values.len()];
        values[0] = x;
        let mut last = x;
        for &i in &f.blocks[b].insts {
            let d = &f.insts[i];
            let args: SmallVec<[u64; 4]> = d.args.iter().map(|v| values[v.as_u32() as usize]).collect();
            let from = d.args.first().map_or(Width::B32, |&v| f.width(v));
            let w = f.width(d.results[0]);
            last = if let Op::Const(bits) = d.op { bits } else { eval(&d.op, &args, from, w).unwrap() };
            values[d.results[0].as_u32() as usize] = last;
        }
        last
    }

    #[test]
    fn quotients_and_remainders_are_exact() {
        let small: Vec<u64> = (2..70).collect();
        for w in [Width::B16, Width::B32, Width::B64] {
            let mask = w.mask();
            let mut numbers: Vec<u64> = vec![0, 1, 3, 5, 7, 9, 10, 100, 641, 1000, 1_000_000_007];
            for k in 0..w.bits() {
                for d in [-3i64, -2, -1, 0, 1, 2, 3] {
                    numbers.push((1u64 << k).wrapping_add(d as u64));
                    numbers.push((mask >> k).wrapping_add(d as u64));
                    numbers.push((1u64 << k).wrapping_neg().wrapping_add(d as u64));
                }
            }
            numbers.iter_mut().for_each(|n| *n &= mask);
            numbers.sort_unstable();
            numbers.dedup();
            for &d in small.iter().chain(&numbers).filter(|&&d| d > 1) {
                for (o, quotient, sign) in [
                    (Op::Div(Sign::U), true, Sign::U),
                    (Op::Rem(Sign::U), false, Sign::U),
                    (Op::Div(Sign::S), true, Sign::S),
                    (Op::Rem(Sign::S), false, Sign::S),
                ] {
                    let mut f = Function::new("k");
                    let block = f.add_block();
                    let x = f.add_param(block, w);
                    Emit { f: &mut f, block, place: SourcePos::default(), w }.divide(quotient, sign, x, d);
                    // Errors of quotients show next to multiples.
                    let near = [1u64, 2, 3, 1000, mask / d, mask / d / 2].map(|k| k.wrapping_mul(d));
                    let near = near.iter().flat_map(|&m| [m.wrapping_sub(1), m, m.wrapping_add(1), m.wrapping_neg()]);
                    for x in numbers.iter().step_by(3).copied().chain(near.map(|x| x & mask)) {
                        assert_eq!(Some(value(&f, x)), eval(&o, &[x, d], w, w), "{o} {w:?} {x:#x} by {d:#x}");
                    }
                }
            }
        }
    }
}
