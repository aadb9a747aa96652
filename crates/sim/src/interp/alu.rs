//! Integer, logic and data-movement operations, for one thread.
//!
//! Each operation maps up to four 64-bit words to one. A word holds a register's bits, zero above
//! its width; results keep that invariant. Sections are those of PTX ISA 9.0.

use super::bits::mask;
use super::fpu::Fpu;
use super::video::Video;
use super::vmad::Vmad;
use crate::float::IntType;
use crate::mufu::Mufu;
use crate::undefined;

/// An operation on source words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alu {
    /// `mov` and other copies.
    Mov,
    /// 9.7.1.1, 2: sum and difference, wrapping.
    Add(IntType),
    Sub(IntType),
    /// `.sat` of `.s32`.
    AddSat(IntType),
    SubSat(IntType),
    /// 9.7.1.3, 4: product, its lower half, upper half, or all of it.
    MulLo(IntType),
    MulHi(IntType),
    MulWide(IntType),
    MadLo(IntType),
    MadHi(IntType),
    MadWide(IntType),
    /// `mad.hi.sat.s32`.
    MadHiSat,
    /// 9.7.1.5, 6: product of the low 24 bits; bits 0..32 or 16..48.
    Mul24 {
        signed: bool,
        hi: bool,
    },
    Mad24 {
        signed: bool,
        hi: bool,
        sat: bool,
    },
    /// 9.7.1.7: `c + |a - b|`.
    Sad(IntType),
    /// 9.7.1.8, 9. Division by zero is machine-specific; ptxas's expansions give all ones, for the
    /// remainder too.
    Div(IntType),
    Rem(IntType),
    Abs(IntType),
    Neg(IntType),
    Min {
        ty: IntType,
        relu: bool,
    },
    Max {
        ty: IntType,
        relu: bool,
    },
    /// An operation on each half of a word.
    Halves(HalfOp),
    Popc,
    Clz {
        bits: u32,
    },
    Bfind {
        ty: IntType,
        shiftamt: bool,
    },
    Fns,
    Brev {
        bits: u32,
    },
    Bfe(IntType),
    Bfi {
        bits: u32,
    },
    Bmsk {
        clamp: bool,
    },
    Szext {
        signed: bool,
        clamp: bool,
    },
    Dp4a {
        a_signed: bool,
        b_signed: bool,
    },
    Dp2a {
        a_signed: bool,
        b_signed: bool,
        hi: bool,
    },
    And,
    Or,
    Xor,
    Not {
        bits: u32,
    },
    Cnot {
        bits: u32,
    },
    Lop3(u8),
    Shl {
        bits: u32,
    },
    Shr(IntType),
    /// 9.7.8.6: funnel shift of `b:a` by `c`.
    Shf {
        right: bool,
        clamp: bool,
    },
    Prmt(PrmtMode),
    /// `slct`: `a` if `c >= 0`, else `b`.
    SlctInt,
    SlctFloat {
        ftz: bool,
    },
    /// Joins up to four parts of `bits` bits each, lowest first.
    Pack {
        bits: u32,
    },
    /// Extracts `bits` bits from `shift` on.
    Unpack {
        bits: u32,
        shift: u32,
    },
    /// Sign-extends from `from` bits to `to`, or zero-extends.
    Extend {
        from: IntType,
        to: u32,
    },
    /// Clamps a value of one integer type to the range of another, then extends it to `bits`.
    ClampInt {
        from: IntType,
        to: IntType,
        bits: u32,
    },
    /// `cvt.pack`: two saturated parts, and `c` shifted above them.
    CvtPack {
        from: IntType,
        to: IntType,
        shift: u32,
    },
    /// Floating point and conversions.
    Fpu(Fpu),
    /// Video instructions.
    Video(Video),
    Vmad(Vmad),
}

/// Operations of `.u16x2` and `.s16x2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfOp {
    Add,
    Min { signed: bool, relu: bool },
    Max { signed: bool, relu: bool },
}

/// Modes of `prmt` (9.7.9.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrmtMode {
    Default,
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

/// How undefined bits of the sources propagate to the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Each result bit depends on at most one bit of each source, once the sources in this mask
    /// (shift amounts, selectors) are known.
    Bits(u8),
    /// From the lowest undefined bit upwards.
    Upwards,
    /// All bits.
    All,
}

/// Sign- or zero-extends the low bits to a machine word.
fn extend(ty: IntType, x: u64) -> i64 {
    let unused = 64 - ty.bits;
    if ty.signed { ((x << unused) as i64) >> unused } else { ((x << unused) >> unused) as i64 }
}

fn product(ty: IntType, a: u64, b: u64) -> i128 {
    ty.value(a) * ty.value(b)
}

impl Alu {
    /// Returns the result word.
    #[inline]
    pub fn eval(&self, x: [u64; 4], mufu: Mufu) -> u64 {
        let [a, b, c, _] = x;
        match *self {
            Alu::Mov => a,
            Alu::Add(ty) => a.wrapping_add(b) & mask(ty.bits),
            Alu::Sub(ty) => a.wrapping_sub(b) & mask(ty.bits),
            Alu::AddSat(ty) => ty.clamp(ty.value(a) + ty.value(b)),
            Alu::SubSat(ty) => ty.clamp(ty.value(a) - ty.value(b)),
            Alu::MulLo(ty) => a.wrapping_mul(b) & mask(ty.bits),
            Alu::MulHi(ty) => high(ty, a, b),
            Alu::MulWide(ty) => product(ty, a, b) as u64 & mask(2 * ty.bits),
            Alu::MadLo(ty) => a.wrapping_mul(b).wrapping_add(c) & mask(ty.bits),
            Alu::MadHi(ty) => high(ty, a, b).wrapping_add(c) & mask(ty.bits),
            Alu::MadWide(ty) => (product(ty, a, b) as u64).wrapping_add(c) & mask(2 * ty.bits),
            Alu::MadHiSat => {
                let ty = IntType { bits: 32, signed: true };
                ty.clamp((product(ty, a, b) >> 32) + ty.value(c))
            }
            Alu::Mul24 { signed, hi } => mul24(signed, hi, a, b),
            Alu::Mad24 { signed, hi, sat } => {
                let ty = IntType { bits: 32, signed: true };
                let product = mul24(signed, hi, a, b);
                if sat { ty.clamp(ty.value(product) + ty.value(c)) } else { product.wrapping_add(c) & mask(32) }
            }
            Alu::Sad(ty) => {
                let (p, q) = (ty.value(a), ty.value(b));
                ty.wrap(i128::from(c) + (p - q).abs())
            }
            Alu::Div(ty) => match ty.value(b) {
                0 => mask(ty.bits),
                divisor => ty.wrap(ty.value(a) / divisor),
            },
            Alu::Rem(ty) => match ty.value(b) {
                0 => mask(ty.bits),
                divisor => ty.wrap(ty.value(a) % divisor),
            },
            Alu::Abs(ty) => extend(ty, a).unsigned_abs() & mask(ty.bits),
            Alu::Neg(ty) => a.wrapping_neg() & mask(ty.bits),
            Alu::Min { ty, relu } => least(ty, relu, false, a, b),
            Alu::Max { ty, relu } => least(ty, relu, true, a, b),
            Alu::Halves(op) => halves(op, a, b),
            Alu::Popc => u64::from(a.count_ones()),
            Alu::Clz { bits } => u64::from(a.leading_zeros() - (64 - bits)),
            Alu::Bfind { ty, shiftamt } => bfind(ty, shiftamt, a),
            Alu::Fns => find_nth_set(a as u32, b as u32, c as u32 as i32),
            Alu::Brev { bits } => a.reverse_bits() >> (64 - bits),
            Alu::Bfe(ty) => bfe(ty, a, b as u32 & 0xff, c as u32 & 0xff),
            Alu::Bfi { bits } => bfi(bits, a, b, c as u32 & 0xff, x[3] as u32 & 0xff),
            Alu::Bmsk { clamp } => bmsk(clamp, a as u32, b as u32),
            Alu::Szext { signed, clamp } => szext(signed, clamp, a as u32, b as u32),
            Alu::Dp4a { a_signed, b_signed } => {
                let (s, t) = (byte_type(a_signed), byte_type(b_signed));
                let sum: i128 = (0..4).map(|i| s.value(a >> (8 * i)) * t.value(b >> (8 * i))).sum();
                (sum as u64).wrapping_add(c) & mask(32)
            }
            Alu::Dp2a { a_signed, b_signed, hi } => {
                let (s, t) = (IntType { bits: 16, signed: a_signed }, byte_type(b_signed));
                let b = if hi { b >> 16 } else { b };
                let sum: i128 = (0..2).map(|i| s.value(a >> (16 * i)) * t.value(b >> (8 * i))).sum();
                (sum as u64).wrapping_add(c) & mask(32)
            }
            Alu::And => a & b,
            Alu::Or => a | b,
            Alu::Xor => a ^ b,
            Alu::Not { bits } => !a & mask(bits),
            Alu::Cnot { bits } => u64::from(a & mask(bits) == 0),
            Alu::Lop3(table) => lop3(table, a as u32, b as u32, c as u32),
            Alu::Shl { bits } => match b as u32 {
                by if by < bits => (a << by) & mask(bits),
                _ => 0,
            },
            Alu::Shr(ty) => {
                let by = (b as u32).min(ty.bits);
                let wide = extend(ty, a);
                let shifted = if ty.signed {
                    (wide >> by.min(63)) as u64
                } else if by >= ty.bits {
                    0
                } else {
                    wide as u64 >> by
                };
                shifted & mask(ty.bits)
            }
            Alu::Shf { right, clamp } => {
                let by = if clamp { (c as u32).min(32) } else { c as u32 & 31 };
                let both = b << 32 | a;
                if right { (both >> by) & mask(32) } else { both << by >> 32 }
            }
            Alu::Prmt(mode) => prmt(mode, a, b, c as u32),
            Alu::SlctInt => {
                if (c as u32 as i32) >= 0 {
                    a
                } else {
                    b
                }
            }
            Alu::SlctFloat { ftz } => {
                let selector = if ftz { crate::float::F32.flush(c) } else { c };
                if f32::from_bits(selector as u32) >= 0.0 { a } else { b }
            }
            Alu::Pack { bits } => {
                let part = |i: u32, v: u64| v.checked_shl(i * bits).unwrap_or(0);
                part(0, a) | part(1, b) | part(2, c) | part(3, x[3])
            }
            Alu::Unpack { bits, shift } => (a >> shift) & mask(bits),
            Alu::Extend { from, to } => extend(from, a) as u64 & mask(to),
            Alu::ClampInt { from, to, bits } => extend(to, to.clamp(from.value(a))) as u64 & mask(bits),
            Alu::CvtPack { from, to, shift } => {
                let upper = to.clamp(from.value(a)) << to.bits;
                (c.checked_shl(shift).unwrap_or(0) & mask(32)) | upper | to.clamp(from.value(b))
            }
            Alu::Fpu(op) => op.eval(x, mufu),
            Alu::Video(op) => op.eval(a, b, c),
            Alu::Vmad(op) => op.eval(a, b, c),
        }
    }

    /// Returns how undefined source bits propagate.
    pub fn spread(&self) -> Spread {
        match self {
            Alu::Mov
            | Alu::And
            | Alu::Or
            | Alu::Xor
            | Alu::Not { .. }
            | Alu::Lop3(_)
            | Alu::Brev { .. }
            | Alu::Pack { .. }
            | Alu::Unpack { .. }
            | Alu::Extend { .. } => Spread::Bits(0),
            Alu::Shl { .. } | Alu::Shr(_) | Alu::Szext { .. } => Spread::Bits(0b0010),
            Alu::Shf { .. } | Alu::Prmt(_) | Alu::SlctInt | Alu::SlctFloat { .. } => Spread::Bits(0b0100),
            Alu::Bfe(_) => Spread::Bits(0b0110),
            Alu::Bfi { .. } => Spread::Bits(0b1100),
            Alu::Add(_) | Alu::Sub(_) | Alu::MulLo(_) | Alu::MadLo(_) | Alu::MulWide(_) | Alu::MadWide(_) => {
                Spread::Upwards
            }
            Alu::Neg(_) => Spread::Upwards,
            _ => Spread::All,
        }
    }

    /// Returns the undefined bits of a result of `bits` bits.
    pub fn undefined(&self, x: [u64; 4], undef: [u64; 4], bits: u32, mufu: Mufu) -> u64 {
        if undef == [0; 4] {
            return 0;
        }
        let all = mask(bits);
        match self.spread() {
            Spread::All => all,
            Spread::Upwards => {
                let (factors, addend) = (((x[0], undef[0]), (x[1], undef[1])), (x[2], undef[2]));
                match self {
                    Alu::Add(_) => return undefined::sum([x[0], x[1], 0], [undef[0], undef[1], 0], 0) & all,
                    Alu::MulLo(_) => return undefined::product(factors.0, factors.1) & all,
                    Alu::MadLo(_) => return undefined::mad(factors, addend) & all,
                    _ => {}
                }
                let lowest = undef.iter().map(|u| u.trailing_zeros()).min().unwrap_or(0);
                u64::MAX.checked_shl(lowest).unwrap_or(0) & all
            }
            Spread::Bits(control) => {
                if (0..4).any(|i| control >> i & 1 != 0 && undef[i] != 0) {
                    return all;
                }
                // All combinations of flipping whole sources: a result bit that can change is
                // undefined.
                let result = self.eval(x, mufu);
                let flipped = |subset: u32| {
                    let mut y = x;
                    for (i, word) in y.iter_mut().enumerate() {
                        *word ^= if subset >> i & 1 != 0 { undef[i] } else { 0 };
                    }
                    self.eval(y, mufu) ^ result
                };
                (1..16).map(flipped).fold(0, |sum, changed| sum | changed) & all
            }
        }
    }
}

fn byte_type(signed: bool) -> IntType {
    IntType { bits: 8, signed }
}

fn high(ty: IntType, a: u64, b: u64) -> u64 {
    let bits = if ty.bits == 64 && !ty.signed {
        (u128::from(a) * u128::from(b)) >> 64
    } else {
        (product(ty, a, b) >> ty.bits) as u128
    };
    bits as u64 & mask(ty.bits)
}

fn mul24(signed: bool, hi: bool, a: u64, b: u64) -> u64 {
    let product = product(IntType { bits: 24, signed }, a, b);
    (product >> if hi { 16 } else { 0 }) as u64 & mask(32)
}

fn least(ty: IntType, relu: bool, max: bool, a: u64, b: u64) -> u64 {
    let (p, q) = (ty.value(a), ty.value(b));
    let chosen = if max { p.max(q) } else { p.min(q) };
    ty.wrap(if relu { chosen.max(0) } else { chosen })
}

fn halves(op: HalfOp, a: u64, b: u64) -> u64 {
    let one = |shift: u32| {
        let (p, q) = (a >> shift & 0xffff, b >> shift & 0xffff);
        let result = match op {
            HalfOp::Add => (p + q) & 0xffff,
            HalfOp::Min { signed, relu } => least(IntType { bits: 16, signed }, relu, false, p, q),
            HalfOp::Max { signed, relu } => least(IntType { bits: 16, signed }, relu, true, p, q),
        };
        result << shift
    };
    one(0) | one(16)
}

/// 9.7.1.16: position of the highest bit that differs from the sign, or the shift that brings it to
/// the top.
fn bfind(ty: IntType, shiftamt: bool, a: u64) -> u64 {
    let wide = extend(ty, a);
    let significant = if ty.signed && wide < 0 { !wide } else { wide } as u64 & mask(ty.bits);
    match significant.checked_ilog2() {
        None => 0xffff_ffff,
        Some(position) if shiftamt => u64::from(ty.bits - 1 - position),
        Some(position) => u64::from(position),
    }
}

/// 9.7.1.17: the n-th set bit of `value` counted from `base`, upwards for positive `n`, downwards
/// for negative.
fn find_nth_set(value: u32, base: u32, n: i32) -> u64 {
    const NONE: u64 = 0xffff_ffff;
    if base > 31 {
        return NONE;
    }
    let set = |i: u32| value >> i & 1 != 0;
    let found = match n {
        0 => set(base).then_some(base),
        1.. => (base..32).filter(|&i| set(i)).nth(n as usize - 1),
        _ => (0..=base).rev().filter(|&i| set(i)).nth(n.unsigned_abs() as usize - 1),
    };
    found.map_or(NONE, u64::from)
}

/// 9.7.1.19: `len` bits from `pos` on; bits beyond the top are copies of the sign (of the field for
/// signed types).
fn bfe(ty: IntType, a: u64, pos: u32, len: u32) -> u64 {
    let msb = ty.bits - 1;
    let bit = |i: u32| a >> i & 1;
    let sign = if !ty.signed || len == 0 { 0 } else { bit((pos + len - 1).min(msb)) };
    let mut d = 0;
    for i in 0..=msb {
        d |= (if i < len && pos + i <= msb { bit(pos + i) } else { sign }) << i;
    }
    d
}

/// 9.7.1.20: inserts the low `len` bits of `a` into `b` at `pos`.
fn bfi(bits: u32, a: u64, b: u64, pos: u32, len: u32) -> u64 {
    if pos >= bits || len == 0 {
        return b;
    }
    let field = mask(len.min(bits - pos)) << pos;
    (b & !field) | (a << pos & field)
}

/// 9.7.1.21 and 22: position and width are clamped or taken modulo 32.
fn bmsk(clamp: bool, a: u32, b: u32) -> u64 {
    let (a, b) = if clamp { (a.min(32), b.min(32)) } else { (a & 31, b & 31) };
    let end = (a + b).min(32);
    ((1u64 << end) - 1) & !((1u64 << a) - 1) & mask(32)
}

fn szext(signed: bool, clamp: bool, a: u32, b: u32) -> u64 {
    if clamp && b >= 32 {
        return u64::from(a);
    }
    match b & 31 {
        0 => 0,
        n => extend(IntType { bits: n, signed }, u64::from(a)) as u64 & mask(32),
    }
}

/// 9.7.8.4.
fn lop3(table: u8, a: u32, b: u32, c: u32) -> u64 {
    let mut result = 0;
    for row in 0..8 {
        if table >> row & 1 != 0 {
            let pick = |x: u32, bit: u32| if row >> bit & 1 != 0 { x } else { !x };
            result |= pick(a, 2) & pick(b, 1) & pick(c, 0);
        }
    }
    u64::from(result)
}

/// 9.7.9.7.
fn prmt(mode: PrmtMode, a: u64, b: u64, c: u32) -> u64 {
    let pool = (b << 32 | a).to_le_bytes();
    let first = c & 3;
    let select = |i: u32| -> (u32, bool) {
        match mode {
            PrmtMode::Default => (c >> (4 * i) & 7, c >> (4 * i) & 8 != 0),
            PrmtMode::F4e => (first + i, false),
            PrmtMode::B4e => ((first + 8 - i) & 7, false),
            PrmtMode::Rc8 => (first, false),
            PrmtMode::Ecl => (i.max(first), false),
            PrmtMode::Ecr => (i.min(first), false),
            PrmtMode::Rc16 => ((c & 1) * 2 + (i & 1), false),
        }
    };
    (0..4).fold(0, |d, i| {
        let (byte, replicate_sign) = select(i);
        let byte = pool[byte as usize];
        let byte = if replicate_sign { ((byte as i8) >> 7) as u8 } else { byte };
        d | u64::from(byte) << (8 * i)
    })
}

/// The carry chain (9.7.2): result and carry out of `a + b + carry`.
pub fn add_carry(bits: u32, a: u64, b: u64, carry: bool) -> (u64, bool) {
    let sum = u128::from(a) + u128::from(b) + u128::from(carry);
    (sum as u64 & mask(bits), sum >> bits != 0)
}

/// A subtraction in the carry chain: `a + !b + carry`. The flag is the same one, set if there was
/// *no* borrow, so that `addc` after `sub.cc` and `subc` after `add.cc` see the carry of the adder
/// ("ptxas 13.0.88 output" at every level; the manual's "borrow-out is written to CC.CF" leaves the
/// sense open).
pub fn sub_carry(bits: u32, a: u64, b: u64, carry: bool) -> (u64, bool) {
    add_carry(bits, a, !b & mask(bits), carry)
}

#[cfg(test)]
mod tests {
    use super::*;

    const S32: IntType = IntType { bits: 32, signed: true };
    const U32: IntType = IntType { bits: 32, signed: false };
    const S64: IntType = IntType { bits: 64, signed: true };
    const U64: IntType = IntType { bits: 64, signed: false };
    const S16: IntType = IntType { bits: 16, signed: true };

    fn run(op: Alu, a: u64, b: u64, c: u64, d: u64) -> u64 {
        op.eval([a, b, c, d], Mufu::default())
    }

    fn s(x: i32) -> u64 {
        u64::from(x as u32)
    }

    #[test]
    fn products() {
        assert_eq!(run(Alu::MulHi(S32), s(-2), 3, 0, 0), s(-1));
        assert_eq!(run(Alu::MulHi(U32), s(-1), s(-1), 0, 0), 0xffff_fffe);
        assert_eq!(run(Alu::MulHi(U64), u64::MAX, u64::MAX, 0, 0), u64::MAX - 1);
        assert_eq!(run(Alu::MulHi(S64), u64::MAX, 5, 0, 0), u64::MAX);
        assert_eq!(run(Alu::MulWide(S32), s(-2), 3, 0, 0), -6i64 as u64);
        assert_eq!(run(Alu::MulWide(S16), 0xffff, 2, 0, 0), s(-2));
        assert_eq!(run(Alu::MadWide(U32), s(-1), s(-1), 7, 0), 0xffff_fffe_0000_0008);
        assert_eq!(run(Alu::MadHiSat, s(i32::MIN), s(i32::MIN), s(i32::MAX), 0), s(i32::MAX));
        assert_eq!(run(Alu::Mul24 { signed: true, hi: false }, 0xff_ffff, 5, 0, 0), s(-5));
        assert_eq!(run(Alu::Mul24 { signed: false, hi: true }, 0xff_ffff, 0xff_ffff, 0, 0), 0xffff_fe00);
    }

    #[test]
    fn division_truncates_and_does_not_trap() {
        assert_eq!(run(Alu::Div(S32), s(-7), 2, 0, 0), s(-3));
        assert_eq!(run(Alu::Rem(S32), s(-7), 2, 0, 0), s(-1));
        assert_eq!(run(Alu::Div(S32), s(i32::MIN), s(-1), 0, 0), s(i32::MIN));
        assert_eq!(run(Alu::Div(U64), 5, 0, 0, 0), u64::MAX);
        assert_eq!(run(Alu::Rem(U64), 5, 0, 0, 0), u64::MAX);
    }

    #[test]
    fn bit_fields() {
        assert_eq!(run(Alu::Bfe(S32), 0xf0, 4, 4, 0), s(-1));
        assert_eq!(run(Alu::Bfe(U32), 0xabcd_1234, 28, 16, 0), 0xa);
        assert_eq!(run(Alu::Bfe(S32), 0x8000_0000, 40, 3, 0), s(-1));
        assert_eq!(run(Alu::Bfe(U32), 0xffff_ffff, 0, 0, 0), 0);
        assert_eq!(run(Alu::Bfi { bits: 32 }, 0xff, 0, 28, 8), 0xf000_0000);
        assert_eq!(run(Alu::Bfi { bits: 32 }, 0xff, 7, 32, 8), 7);
        assert_eq!(run(Alu::Bmsk { clamp: true }, 30, 9, 0, 0), 0xc000_0000);
        assert_eq!(run(Alu::Bmsk { clamp: false }, 33, 2, 0, 0), 6);
        assert_eq!(run(Alu::Szext { signed: true, clamp: true }, 0x80, 8, 0, 0), s(-128));
        assert_eq!(run(Alu::Szext { signed: false, clamp: false }, 0x1ff, 40, 0, 0), 0xff);
        assert_eq!(run(Alu::Bfind { ty: S32, shiftamt: false }, s(-5), 0, 0, 0), 2);
        assert_eq!(run(Alu::Bfind { ty: U32, shiftamt: true }, 1, 0, 0, 0), 31);
        assert_eq!(run(Alu::Bfind { ty: S64, shiftamt: false }, u64::MAX, 0, 0, 0), 0xffff_ffff);
        assert_eq!(run(Alu::Fns, 0b1010_1000, 4, 1, 0), 5);
        assert_eq!(run(Alu::Fns, 0b1010_1000, 4, s(-1), 0), 3);
        assert_eq!(run(Alu::Fns, 0b1010_1000, 4, 0, 0), 0xffff_ffff);
    }

    #[test]
    fn shifts_clamp() {
        assert_eq!(run(Alu::Shl { bits: 32 }, 1, 32, 0, 0), 0);
        assert_eq!(run(Alu::Shl { bits: 64 }, 1, 63, 0, 0), 1 << 63);
        assert_eq!(run(Alu::Shr(S32), s(-8), 99, 0, 0), s(-1));
        assert_eq!(run(Alu::Shr(U32), s(-8), 32, 0, 0), 0);
        assert_eq!(run(Alu::Shr(S64), 1 << 63, 70, 0, 0), u64::MAX);
        let wrap = Alu::Shf { right: false, clamp: false };
        assert_eq!(run(wrap, 0x8000_0001, 0x1, 33, 0), 3);
        let clamp = Alu::Shf { right: true, clamp: true };
        assert_eq!(run(clamp, 0x1234, 0xabcd, 40, 0), 0xabcd);
    }

    #[test]
    fn permutations() {
        let (a, b) = (0x3322_1100, 0x7766_5544);
        assert_eq!(run(Alu::Prmt(PrmtMode::Default), a, b, 0x7430, 0), 0x7744_3300);
        assert_eq!(run(Alu::Prmt(PrmtMode::Default), 0x80, 0, 0x8888, 0), 0xffff_ffff);
        assert_eq!(run(Alu::Prmt(PrmtMode::F4e), a, b, 2, 0), 0x5544_3322);
        assert_eq!(run(Alu::Prmt(PrmtMode::B4e), a, b, 1, 0), 0x6677_0011);
        assert_eq!(run(Alu::Prmt(PrmtMode::Ecl), a, b, 2, 0), 0x3322_2222);
        assert_eq!(run(Alu::Prmt(PrmtMode::Ecr), a, b, 2, 0), 0x2222_1100);
        assert_eq!(run(Alu::Prmt(PrmtMode::Rc16), a, b, 1, 0), 0x3322_3322);
    }

    #[test]
    fn logic_tables() {
        let (a, b, c) = (0xf0f0_1234u32, 0xcccc_5678, 0xaaaa_9abc);
        let run = |table| run(Alu::Lop3(table), a.into(), b.into(), c.into(), 0) as u32;
        assert_eq!(run(0x80), a & b & c);
        assert_eq!(run(0x96), a ^ b ^ c);
        assert_eq!(run(0xe8), (a & b) | (a & c) | (b & c));
    }

    #[test]
    fn carries() {
        assert_eq!(add_carry(32, 0xffff_ffff, 0, true), (0, true));
        assert_eq!(sub_carry(64, 0, 0, false), (u64::MAX, false));
        assert_eq!(sub_carry(32, 5, 5, true), (0, true));
    }

    #[test]
    fn undefined_bits_go_where_they_matter() {
        let m = Mufu::default();
        assert_eq!(Alu::And.undefined([0, 0x0f, 0, 0], [0xff, 0, 0, 0], 32, m), 0x0f);
        assert_eq!(Alu::Xor.undefined([0, 0, 0, 0], [1, 1, 0, 0], 32, m), 1);
        assert_eq!(Alu::Shl { bits: 32 }.undefined([0, 4, 0, 0], [0xf, 0, 0, 0], 32, m), 0xf0);
        assert_eq!(Alu::Shl { bits: 32 }.undefined([0, 4, 0, 0], [0, 1, 0, 0], 32, m), 0xffff_ffff);
        assert_eq!(Alu::Add(U32).undefined([0, 0x300, 0, 0], [0x100, 0, 0, 0], 32, m), 0xffff_ff00);
        assert_eq!(Alu::Add(U32).undefined([0, 7, 0, 0], [0x100, 0, 0, 0], 32, m), 0x100);
        assert_eq!(Alu::Div(U32).undefined([0, 0, 0, 0], [0x100, 0, 0, 0], 32, m), 0xffff_ffff);
    }

    #[test]
    fn narrowing_and_packing() {
        let clamp = Alu::ClampInt { from: S32, to: IntType { bits: 8, signed: false }, bits: 32 };
        assert_eq!(run(clamp, s(-3), 0, 0, 0), 0);
        assert_eq!(run(clamp, 300, 0, 0, 0), 255);
        assert_eq!(run(Alu::Extend { from: S16, to: 32 }, 0xffff, 0, 0, 0), s(-1));
        assert_eq!(run(Alu::Pack { bits: 16 }, 1, 2, 0, 0), 0x2_0001);
        assert_eq!(run(Alu::Unpack { bits: 16, shift: 48 }, 0xabcd << 48, 0, 0, 0), 0xabcd);
    }
}
