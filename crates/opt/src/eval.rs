//! Evaluates integer operations on constants.

use raddle_ir::{Cond, Op, Sign, Width};

/// Returns the bits of a value of this width as a signed number.
pub fn signed(bits: u64, w: Width) -> i64 {
    let shift = 64 - w.bits();
    ((bits << shift) as i64) >> shift
}

/// Evaluates a comparison.
pub fn compare(c: Cond, sign: Sign, x: u64, y: u64, w: Width) -> Option<bool> {
    let order = match sign {
        Sign::U => x.cmp(&y),
        Sign::S => signed(x, w).cmp(&signed(y, w)),
    };
    Some(match c {
        Cond::Eq => order.is_eq(),
        Cond::Ne => order.is_ne(),
        Cond::Lt => order.is_lt(),
        Cond::Le => order.is_le(),
        Cond::Gt => order.is_gt(),
        Cond::Ge => order.is_ge(),
        _ => return None,
    })
}

/// Evaluates a pure integer operation with one result, in `result`'s width; returns `None` for what
/// is not folded. `width` is that of the first operand. Operands are within their widths.
pub fn eval(op: &Op, args: &[u64], width: Width, result: Width) -> Option<u64> {
    let bits = u64::from(result.bits());
    let wide = |sign: Sign, x: u64| if sign == Sign::S { signed(x, width) as i128 } else { i128::from(x) };
    let v = match (*op, args) {
        (Op::Add, &[x, y]) => x.wrapping_add(y),
        (Op::Sub, &[x, y]) => x.wrapping_sub(y),
        (Op::Mul, &[x, y]) => x.wrapping_mul(y),
        (Op::Mad, &[x, y, z]) => x.wrapping_mul(y).wrapping_add(z),
        (Op::And, &[x, y]) => x & y,
        (Op::Or, &[x, y]) => x | y,
        (Op::Xor, &[x, y]) => x ^ y,
        (Op::Not, &[x]) => !x,
        (Op::Neg, &[x]) => x.wrapping_neg(),
        (Op::Abs, &[x]) => signed(x, width).unsigned_abs(),
        (Op::Shl, &[x, n]) => {
            if n >= bits {
                0
            } else {
                x << n
            }
        }
        (Op::Shr(Sign::U), &[x, n]) => {
            if n >= bits {
                0
            } else {
                x >> n
            }
        }
        (Op::Shr(Sign::S), &[x, n]) => (signed(x, width) >> n.min(63)) as u64,
        (Op::MulWide(s), &[x, y]) => (wide(s, x) * wide(s, y)) as u64,
        (Op::MadWide(s), &[x, y, z]) => ((wide(s, x) * wide(s, y)) as u64).wrapping_add(z),
        (Op::MulHi(s), &[x, y]) => mul_hi(s, x, y, width),
        (Op::MadHi(s), &[x, y, z]) => mul_hi(s, x, y, width).wrapping_add(z),
        (Op::Trunc | Op::Zext, &[x]) => x,
        (Op::Sext, &[x]) => signed(x, width) as u64,
        (Op::ExtLow(Sign::U, n), &[x]) => x & ((1 << n) - 1),
        (Op::ExtLow(Sign::S, n), &[x]) => ((x << (64 - u32::from(n))) as i64 >> (64 - u32::from(n))) as u64,
        // Division by zero has unspecified bits: the operation stays.
        (Op::Div(Sign::U), &[x, y]) if y != 0 => x / y,
        (Op::Rem(Sign::U), &[x, y]) if y != 0 => x % y,
        (Op::Div(Sign::S), &[x, y]) if y != 0 => signed(x, width).wrapping_div(signed(y, width)) as u64,
        (Op::Rem(Sign::S), &[x, y]) if y != 0 => signed(x, width).wrapping_rem(signed(y, width)) as u64,
        (Op::Min(Sign::U), &[x, y]) => x.min(y),
        (Op::Max(Sign::U), &[x, y]) => x.max(y),
        (Op::Min(Sign::S), &[x, y]) => signed(x, width).min(signed(y, width)) as u64,
        (Op::Max(Sign::S), &[x, y]) => signed(x, width).max(signed(y, width)) as u64,
        (Op::Popc, &[x]) => u64::from(x.count_ones()),
        (Op::Clz, &[x]) => u64::from(x.leading_zeros() - (64 - width.bits())),
        (Op::Brev, &[x]) => x.reverse_bits() >> (64 - width.bits()),
        (Op::Icmp(c, s), &[x, y]) => u64::from(compare(c, s, x, y, width)?),
        (Op::Select, &[p, x, y]) => {
            if p != 0 {
                x
            } else {
                y
            }
        }
        (Op::Lop3(table), &[x, y, z]) => (0..8).filter(|n| table >> n & 1 == 1).fold(0, |acc, n| {
            let pick = |v: u64, bit: u32| if n >> bit & 1 == 1 { v } else { !v };
            acc | (pick(x, 2) & pick(y, 1) & pick(z, 0))
        }),
        (Op::Pack, &[x, y]) if result <= Width::B64 => x | y << width.bits(),
        (Op::Pack, &[a, b, c, d]) if result == Width::B64 => a | b << 16 | c << 32 | d << 48,
        _ => return None,
    };
    (result <= Width::B64).then_some(v & result.mask())
}

/// The upper half of a product.
fn mul_hi(sign: Sign, x: u64, y: u64, w: Width) -> u64 {
    let product = match sign {
        Sign::U => (u128::from(x) * u128::from(y)) as i128,
        Sign::S => i128::from(signed(x, w)) * i128::from(signed(y, w)),
    };
    (product >> w.bits()) as u64 & w.mask()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stay_in_their_width() {
        let e = |op, args: &[u64], w, r| eval(&op, args, w, r);
        let (h, s, d) = (Width::B16, Width::B32, Width::B64);
        assert_eq!(e(Op::Add, &[0xffff, 2], h, h), Some(1));
        assert_eq!(e(Op::Sext, &[0x8000], h, s), Some(0xffff_8000));
        assert_eq!(e(Op::MulWide(Sign::S), &[0xffff_ffff, 5], s, d), Some(5u64.wrapping_neg()));
        assert_eq!(e(Op::MulHi(Sign::S), &[0xffff_ffff, 5], s, s), Some(0xffff_ffff));
        assert_eq!(e(Op::MulHi(Sign::U), &[u64::MAX, 5], d, d), Some(4));
        assert_eq!(e(Op::Shr(Sign::S), &[0x8000_0000, 99], s, s), Some(0xffff_ffff));
        assert_eq!(e(Op::Shl, &[1, 32], s, s), Some(0));
        assert_eq!(e(Op::Div(Sign::S), &[0x8000_0000, 0xffff_ffff], s, s), Some(0x8000_0000));
        assert_eq!(e(Op::Div(Sign::U), &[1, 0], s, s), None);
        assert_eq!(e(Op::ExtLow(Sign::S, 8), &[0x1280], s, s), Some(0xffff_ff80));
        assert_eq!(e(Op::Clz, &[1], s, s), Some(31));
        assert_eq!(e(Op::Brev, &[1], s, s), Some(0x8000_0000));
        assert_eq!(e(Op::Lop3(0x96), &[0b1100, 0b1010, 0b0110], s, s), Some(0b1100 ^ 0b1010 ^ 0b0110));
        assert_eq!(e(Op::Pack, &[1, 2], s, d), Some(2 << 32 | 1));
    }
}
