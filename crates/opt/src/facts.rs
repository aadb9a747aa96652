//! Known bits, unsigned ranges and sign copies of values.
//!
//! Problem: PTX says little about its integers, but indices come from registers with known bounds
//! (`%tid`, `%laneid`), from loads of bytes and from masks. Strategy: one forward transfer function
//! per operation ([`Facts::of_inst`]), called by a pass that walks in reverse postorder. A
//! parameter joins the facts of the values passed to it; it has no facts while one of its
//! predecessors has not been visited. A fact holds in every run that does not depend on undefined
//! bits.

use raddle_entity::SecondaryMap;
use raddle_ir::{Bounds, Function, Inst, Mty, Op, Sign, Special, Value, Width};

use smallvec::SmallVec;

use crate::eval::eval;

/// Facts about a value of at most 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Bits known to be zero, those beyond the width included.
    pub zeros: u64,
    /// Bits known to be one.
    pub ones: u64,
    /// Least value, unsigned.
    pub lo: u64,
    /// Greatest value, unsigned.
    pub hi: u64,
    /// How many of the highest bits are equal; at least 1.
    pub signs: u32,
}

impl Fact {
    /// No knowledge beyond the width.
    pub fn any(w: Width) -> Self {
        Self { zeros: !w.mask(), ones: 0, lo: 0, hi: w.mask(), signs: 1 }
    }

    /// The fact of a constant.
    pub fn constant(bits: u64, w: Width) -> Self {
        Self::range(bits, bits, w)
    }

    /// The fact of a value from `lo` to `hi`, unsigned.
    pub fn range(lo: u64, hi: u64, w: Width) -> Self {
        Self { lo, hi, ..Self::any(w) }.closed(w)
    }

    /// The fact of known bits.
    fn bits(zeros: u64, ones: u64, w: Width) -> Self {
        Self { zeros: zeros | !w.mask(), ones: ones & w.mask(), ..Self::any(w) }.closed(w)
    }

    /// Derives each kind of fact from the others.
    // rule: closed
    fn closed(mut self, w: Width) -> Self {
        self.lo = self.lo.max(self.ones);
        self.hi = self.hi.min(!self.zeros & w.mask());
        if self.lo > self.hi {
            // Contradictory, hence unreachable.
            self.lo = 0;
            self.hi = w.mask();
        }
        // Above the highest bit in which the bounds differ, all values are equal.
        let same = !u64::MAX.checked_shr((self.lo ^ self.hi).leading_zeros()).unwrap_or(0);
        self.ones |= self.lo & same & w.mask();
        self.zeros |= (!self.lo & same) | !w.mask();
        self.zeros &= !self.ones;
        let above = 64 - w.bits();
        let alike = |bits: u64| ((bits << above).leading_ones()).min(w.bits());
        self.signs = self.signs.max(alike(self.zeros)).max(alike(self.ones)).max(1);
        self
    }

    /// Returns the value, if it is known.
    pub fn known(&self, w: Width) -> Option<u64> {
        (self.zeros | self.ones == u64::MAX).then_some(self.ones & w.mask())
    }

    /// Whether the sign bit is known to be zero.
    pub fn nonnegative(&self, w: Width) -> bool {
        self.zeros >> (w.bits() - 1) & 1 == 1
    }

    /// Returns the signed bounds.
    pub fn signed_range(&self, w: Width) -> (i64, i64) {
        let (least, most) = (-(1i64 << (w.bits() - 1).min(62)), (w.mask() >> 1) as i64);
        let least = if w == Width::B64 { i64::MIN } else { least };
        let top = 1u64 << (w.bits() - 1);
        let (least, most) = if self.signs > 1 {
            let shift = self.signs - 1;
            (least >> shift, most >> shift)
        } else {
            (least, most)
        };
        if self.hi < top {
            (self.lo as i64, (self.hi as i64).min(most))
        } else if self.lo >= top {
            let s = |x| crate::eval::signed(x, w);
            (s(self.lo).max(least), s(self.hi))
        } else {
            (least, most)
        }
    }

    /// Returns the facts that hold of both.
    fn join(&self, other: &Self) -> Self {
        Self {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            signs: self.signs.min(other.signs),
        }
    }

    fn with_signs(mut self, signs: u32, w: Width) -> Self {
        self.signs = self.signs.max(signs.clamp(1, w.bits()));
        self
    }
}

/// The facts of a function's values, as far as they have been computed.
pub struct Facts {
    of: SecondaryMap<Value, Option<Fact>>,
}

impl Default for Facts {
    fn default() -> Self {
        Self { of: SecondaryMap::new() }
    }
}

impl Facts {
    /// Creates an empty table with room for the values of a function.
    pub fn of(f: &Function) -> Self {
        let mut facts = Facts::default();
        facts.of.resize(f.values.len());
        facts
    }

    /// Returns the facts of `v`.
    pub fn get(&self, f: &Function, v: Value) -> Fact {
        self.of[v].unwrap_or_else(|| match f.constant(v) {
            Some(bits) => Fact::constant(bits, f.width(v)),
            None => Fact::any(f.width(v)),
        })
    }

    /// Sets the facts of `v`.
    pub fn set(&mut self, v: Value, fact: Fact) {
        self.of[v] = Some(fact);
    }

    /// Sets the facts of a parameter from all values passed to it, whose facts must be computed.
    pub fn join(&mut self, f: &Function, param: Value, values: impl Iterator<Item = Value>) {
        let joined = values.map(|v| self.get(f, v)).reduce(|a, b| a.join(&b));
        if let Some(fact) = joined {
            self.of[param] = Some(fact.closed(f.width(param)));
        }
    }

    /// Computes the facts of an instruction's results from those of its operands.
    pub fn of_inst(&mut self, f: &Function, i: Inst) {
        let d = &f.insts[i];
        match (d.op, d.results.as_slice()) {
            (Op::Unpack, results) if f.width(d.args[0]) <= Width::B64 => {
                let a = self.get(f, d.args[0]);
                for (n, &r) in results.iter().enumerate() {
                    let w = f.width(r);
                    let shift = n as u32 * w.bits();
                    self.of[r] = Some(Fact::bits(a.zeros >> shift, a.ones >> shift, w));
                }
            }
            (Op::Load(m), results) => {
                let fact = match m.ty {
                    Mty::U8 => Fact::range(0, 0xff, Width::B32),
                    Mty::U16 => Fact::range(0, 0xffff, Width::B32),
                    Mty::S8 => Fact::any(Width::B32).with_signs(25, Width::B32),
                    Mty::S16 => Fact::any(Width::B32).with_signs(17, Width::B32),
                    _ => return,
                };
                results.iter().for_each(|&r| self.of[r] = Some(fact));
            }
            (_, &[r]) if f.width(r) <= Width::B64 => {
                let fact = self.step(f, i, f.width(r));
                self.of[r] = Some(fact);
            }
            _ => {}
        }
    }

    /// The fact of an instruction's only result, of width `w`.
    fn step(&self, f: &Function, i: Inst, w: Width) -> Fact {
        let d = &f.insts[i];
        match d.op {
            Op::Const(bits) => return Fact::constant(bits, w),
            Op::Special(s) => return special(s, &f.bounds),
            _ if d.args.is_empty() || d.args.iter().any(|&v| f.width(v) > Width::B64) => return Fact::any(w),
            _ => {}
        }
        let a: SmallVec<[Fact; 4]> = d.args.iter().map(|&v| self.get(f, v)).collect();
        let from = f.width(d.args[0]);
        let known: Option<SmallVec<[u64; 4]>> = a.iter().zip(&d.args).map(|(a, &v)| a.known(f.width(v))).collect();
        match known.and_then(|k| eval(&d.op, &k, from, w)) {
            Some(bits) => Fact::constant(bits, w),
            None => transfer(d.op, &a, from, w),
        }
    }
}

/// The fact of the result of an operation, of width `w`, from those of its operands, the first of
/// width `from`. `// rule: NAME` names the statements of an arm in `crates/prove/src/rules/facts.txt`,
/// which are proven there.
fn transfer(op: Op, a: &[Fact], from: Width, w: Width) -> Fact {
    let any = Fact::any(w);
    let amount = |n: usize| a[n].known(Width::B32).map(|n| n.min(64) as u32);
    match op {
        // rule: zext
        Op::Zext => Fact { signs: 1, ..a[0] }.closed(w),
        // rule: sext.sign
        Op::Sext if a[0].nonnegative(from) => Fact { signs: 1, ..a[0] }.closed(w),
        // rule: sext
        Op::Sext => any.with_signs(a[0].signs + w.bits() - from.bits(), w),
        // rule: trunc
        Op::Trunc => trunc(&a[0], from, w),
        // rule: extlow.u
        Op::ExtLow(Sign::U, n) => {
            let low = (1u64 << n) - 1;
            if a[0].hi <= low { a[0] } else { Fact::bits(a[0].zeros | !low, a[0].ones & low, w) }
        }
        // rule: extlow.s
        Op::ExtLow(Sign::S, n) => any.with_signs(w.bits() - u32::from(n) + 1, w),
        // rule: and
        Op::And => and(&a[0], &a[1], w),
        // rule: or
        Op::Or => or(&a[0], &a[1], w),
        // rule: xor
        Op::Xor => xor(&a[0], &a[1], w),
        // rule: not
        Op::Not => Fact::bits(a[0].ones, a[0].zeros & w.mask(), w).with_signs(a[0].signs, w),
        // rule: add
        Op::Add => add(&a[0], &a[1], w),
        // rule: sub.range
        Op::Sub if a[0].lo >= a[1].hi => Fact::range(a[0].lo - a[1].hi, a[0].hi - a[1].lo, w),
        // rule: sub
        Op::Sub => any.with_signs(a[0].signs.min(a[1].signs) - 1, w),
        // rule: mul
        Op::Mul => mul(&a[0], &a[1], w),
        // rule: mad
        Op::Mad => add(&mul(&a[0], &a[1], w), &a[2], w),
        // rule: mulwide
        Op::MulWide(s) => mul_wide(s, &a[0], &a[1], from, w),
        // rule: madwide
        Op::MadWide(s) => add(&mul_wide(s, &a[0], &a[1], from, w), &a[2], w),
        // rule: mulhi
        Op::MulHi(Sign::U) => {
            let high = |x: u64, y: u64| ((u128::from(x) * u128::from(y)) >> w.bits()) as u64;
            Fact::range(high(a[0].lo, a[1].lo), high(a[0].hi, a[1].hi), w)
        }
        // rule: shl
        Op::Shl => shl(&a[0], amount(1), w),
        // rule: shr.u
        Op::Shr(Sign::U) => shr(&a[0], amount(1), w),
        // rule: shr.sign
        Op::Shr(Sign::S) if a[0].nonnegative(w) => match amount(1) {
            Some(n) => Fact::range(a[0].lo >> n.min(63), a[0].hi >> n.min(63), w),
            None => Fact::range(0, a[0].hi, w),
        },
        // rule: shr.s
        Op::Shr(Sign::S) => any.with_signs(a[0].signs + amount(1).unwrap_or(0), w),
        // rule: min.u
        Op::Min(Sign::U) => Fact::range(a[0].lo.min(a[1].lo), a[0].hi.min(a[1].hi), w),
        // rule: max.u
        Op::Max(Sign::U) => Fact::range(a[0].lo.max(a[1].lo), a[0].hi.max(a[1].hi), w),
        // rule: max.sign
        Op::Max(Sign::S) if a[0].nonnegative(w) || a[1].nonnegative(w) => nonnegative_max(&a[0], &a[1], w),
        // rule: min.sign
        Op::Min(Sign::S) if a[0].nonnegative(w) && a[1].nonnegative(w) => {
            Fact::range(a[0].lo.min(a[1].lo), a[0].hi.min(a[1].hi), w)
        }
        // rule: least
        Op::Min(Sign::S) | Op::Max(Sign::S) => any.with_signs(a[0].signs.min(a[1].signs), w),
        // rule: div
        Op::Div(Sign::U) if a[1].lo > 0 => Fact::range(a[0].lo / a[1].hi, a[0].hi / a[1].lo, w),
        // rule: rem
        Op::Rem(Sign::U) if a[1].lo > 0 => Fact::range(0, a[0].hi.min(a[1].hi - 1), w),
        // rule: div.sign
        Op::Div(Sign::S) if a[0].nonnegative(w) && a[1].nonnegative(w) && a[1].lo > 0 => {
            Fact::range(a[0].lo / a[1].hi, a[0].hi / a[1].lo, w)
        }
        // rule: rem.sign
        Op::Rem(Sign::S) if a[0].nonnegative(w) && a[1].nonnegative(w) && a[1].lo > 0 => {
            Fact::range(0, a[0].hi.min(a[1].hi - 1), w)
        }
        // rule: count
        Op::Popc | Op::Clz => Fact::range(0, u64::from(from.bits()), w),
        // rule: bfe
        Op::Bfe(Sign::U) => match amount(2) {
            Some(n) if n < w.bits() => Fact::range(0, low_mask(n), w),
            _ => any,
        },
        // rule: select
        Op::Select => a[1].join(&a[2]).closed(w),
        // rule: pack
        Op::Pack if w <= Width::B64 => pack(a, from, w),
        _ => any,
    }
}

/// The lowest n bits.
fn low_mask(n: u32) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

fn trunc(a: &Fact, from: Width, w: Width) -> Fact {
    let lost = from.bits() - w.bits();
    let fact = Fact::bits(a.zeros, a.ones, w).with_signs(a.signs.saturating_sub(lost), w);
    if a.hi <= w.mask() { Fact { lo: a.lo, hi: a.hi, ..fact }.closed(w) } else { fact }
}

fn and(a: &Fact, b: &Fact, w: Width) -> Fact {
    let bits = Fact::bits(a.zeros | b.zeros, a.ones & b.ones, w);
    Fact { hi: a.hi.min(b.hi), ..bits }.with_signs(a.signs.min(b.signs), w).closed(w)
}

fn or(a: &Fact, b: &Fact, w: Width) -> Fact {
    let bits = Fact::bits(a.zeros & b.zeros, a.ones | b.ones, w);
    Fact { lo: a.lo.max(b.lo), ..bits }.with_signs(a.signs.min(b.signs), w).closed(w)
}

fn xor(a: &Fact, b: &Fact, w: Width) -> Fact {
    let zeros = (a.zeros & b.zeros) | (a.ones & b.ones);
    let ones = (a.zeros & b.ones) | (a.ones & b.zeros);
    Fact::bits(zeros, ones, w).with_signs(a.signs.min(b.signs), w)
}

/// A shift to the left by a number of bits, at most 64, if it is known.
fn shl(a: &Fact, amount: Option<u32>, w: Width) -> Fact {
    let Some(n) = amount else { return Fact::bits(low_mask(a.zeros.trailing_ones()), 0, w) };
    if n >= w.bits() {
        return Fact::constant(0, w);
    }
    let fact = Fact::bits(a.zeros << n | low_mask(n), a.ones << n, w).with_signs(a.signs.saturating_sub(n), w);
    if a.hi <= w.mask() >> n { Fact { lo: a.lo << n, hi: a.hi << n, ..fact }.closed(w) } else { fact }
}

/// An unsigned shift to the right by a number of bits, at most 64, if it is known.
fn shr(a: &Fact, amount: Option<u32>, w: Width) -> Fact {
    let Some(n) = amount else { return Fact::range(0, a.hi, w) };
    if n >= w.bits() {
        return Fact::constant(0, w);
    }
    let zeros = (a.zeros & w.mask()) >> n | !(w.mask() >> n);
    Fact { lo: a.lo >> n, hi: a.hi >> n, ..Fact::bits(zeros, a.ones >> n, w) }.closed(w)
}

/// The greater of two signed values, one of which is not negative.
fn nonnegative_max(a: &Fact, b: &Fact, w: Width) -> Fact {
    let ((a_least, a_most), (b_least, b_most)) = (a.signed_range(w), b.signed_range(w));
    Fact::range(a_least.max(b_least).max(0) as u64, a_most.max(b_most).max(0) as u64, w)
}

/// Parts of width `from`, the lowest first.
fn pack(parts: &[Fact], from: Width, w: Width) -> Fact {
    let join = |bits: fn(&Fact) -> u64| {
        parts.iter().zip(0..).fold(0, |acc, (part, n)| acc | (bits(part) & from.mask()) << (n * from.bits()))
    };
    Fact::bits(join(|a| a.zeros), join(|a| a.ones), w)
}

fn add(a: &Fact, b: &Fact, w: Width) -> Fact {
    let low = low_mask(a.zeros.trailing_ones().min(b.zeros.trailing_ones()));
    let fact = match (a.lo.checked_add(b.lo), a.hi.checked_add(b.hi)) {
        (Some(lo), Some(hi)) if hi <= w.mask() => Fact { lo, hi, ..Fact::bits(low, 0, w) }.closed(w),
        _ => Fact::bits(low, 0, w),
    };
    fact.with_signs(a.signs.min(b.signs) - 1, w)
}

fn mul(a: &Fact, b: &Fact, w: Width) -> Fact {
    let low = low_mask(a.zeros.trailing_ones().saturating_add(b.zeros.trailing_ones()).min(64)) & w.mask();
    match (a.lo.checked_mul(b.lo), a.hi.checked_mul(b.hi)) {
        (Some(lo), Some(hi)) if hi <= w.mask() => Fact { lo, hi, ..Fact::bits(low, 0, w) }.closed(w),
        _ => Fact::bits(low, 0, w),
    }
}

/// A product of operands of width `from`, in full.
fn mul_wide(sign: Sign, a: &Fact, b: &Fact, from: Width, w: Width) -> Fact {
    if sign == Sign::U || (a.nonnegative(from) && b.nonnegative(from)) {
        return mul(a, b, w);
    }
    let low = a.zeros.trailing_ones() + b.zeros.trailing_ones();
    Fact::bits(low_mask(low), 0, w).with_signs((a.signs + b.signs).saturating_sub(1), w)
}

/// Bounds of special registers (PTX ISA 9.0, 10; limits of launches: CUDA C++ Programming Guide,
/// "Technical Specifications").
fn special(s: Special, bounds: &Bounds) -> Fact {
    let threads = bounds.reqntid.or(bounds.maxntid);
    // A launch bound limits each dimension as well only if it is exact (`.reqntid`); `.maxntid`
    // bounds the product.
    let most = threads.map_or(1024, |t| t.iter().fold(1u64, |a, &b| a.saturating_mul(u64::from(b.max(1)))).min(1024));
    let dimension = |n: usize, limit: u64| match bounds.reqntid {
        Some(t) => u64::from(t[n].max(1)).min(limit),
        None => limit.min(most),
    };
    let size = |n: usize, limit: u64| {
        let hi = dimension(n, limit);
        Fact::range(if bounds.reqntid.is_some() { hi } else { 1 }, hi, Width::B32)
    };
    let up_to = |hi: u64| Fact::range(0, hi, Width::B32);
    match s {
        Special::TidX => up_to(dimension(0, 1024) - 1),
        Special::TidY => up_to(dimension(1, 1024) - 1),
        Special::TidZ => up_to(dimension(2, 64) - 1),
        Special::NtidX => size(0, 1024),
        Special::NtidY => size(1, 1024),
        Special::NtidZ => size(2, 64),
        Special::CtaidX => up_to(0x7fff_fffe),
        Special::CtaidY | Special::CtaidZ => up_to(0xfffe),
        Special::NctaidX => Fact::range(1, 0x7fff_ffff, Width::B32),
        Special::NctaidY | Special::NctaidZ => Fact::range(1, 0xffff, Width::B32),
        Special::LaneId => up_to(31),
        Special::WarpId => up_to(63),
        Special::DynamicSmem | Special::TotalSmem => up_to(0xff_ffff),
        s => Fact::any(s.width()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const W: Width = Width::B32;

    #[test]
    fn ranges_and_bits_imply_each_other() {
        let tid = Fact::range(0, 1023, W);
        assert_eq!((tid.zeros, tid.signs), (!1023, 22));
        assert!(tid.nonnegative(W) && tid.signed_range(W) == (0, 1023));
        let odd = Fact::bits(0, 1, W);
        assert_eq!((odd.lo, odd.known(W)), (1, None));
        assert_eq!(Fact::constant(7, W).known(W), Some(7));
        assert_eq!(Fact::range(0x8000_0000, 0xffff_ffff, W).signed_range(W), (i64::from(i32::MIN), -1));
        assert_eq!(Fact::any(W).with_signs(25, W).signed_range(W), (-128, 127));
        assert_eq!(Fact::any(Width::B64).signed_range(Width::B64), (i64::MIN, i64::MAX));
    }

    #[test]
    fn steps_cover_all_values_of_small_operands() {
        // Every operation on pairs of facts from ranges of four bits, against all values in them.
        let ranges: Vec<(u64, u64)> = (0..16).flat_map(|lo| (lo..16).map(move |hi| (lo, hi))).step_by(3).collect();
        let ops = [
            Op::Add,
            Op::Mul,
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Sub,
            Op::Min(Sign::S),
            Op::Max(Sign::S),
            Op::Max(Sign::U),
            Op::Shl,
            Op::Shr(Sign::U),
            Op::Shr(Sign::S),
            Op::Rem(Sign::U),
            Op::MulHi(Sign::U),
        ];
        // Small numbers, and the same as negative ones.
        for base in [0u64, 0xffff_fff0] {
            for op in &ops {
                let mut f = Function::new("k");
                let b = f.add_block();
                let (x, y) = (f.add_param(b, W), f.add_param(b, W));
                let i = f.append(b, *op, &[x, y], &[W], Default::default());
                let r = f.insts[i].results[0];
                for &(a, b) in &ranges {
                    for &(c, d) in &ranges {
                        let mut facts = Facts::default();
                        facts.set(x, Fact::range(base + a, base + b, W));
                        facts.set(y, Fact::range(c, d, W));
                        facts.of_inst(&f, i);
                        let fact = facts.get(&f, r);
                        for p in [a, b, (a + b) / 2] {
                            for q in [c, d, (c + d) / 2] {
                                let Some(v) = eval(op, &[base + p, q], W, W) else { continue };
                                let s = crate::eval::signed(v, W);
                                let fits =
                                    v & fact.zeros == 0 && !v & fact.ones == 0 && (fact.lo..=fact.hi).contains(&v);
                                let (least, most) = fact.signed_range(W);
                                assert!(fits && (least..=most).contains(&s), "{op} {p} {q} {fact:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}
