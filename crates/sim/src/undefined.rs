//! Propagation of undefined bits through sums and products, for both machines.
//!
//! Problem: compilers assemble values with additions, multiplications by powers of two and
//! shift-adds, so that "any undefined bit makes the result undefined" would reject correct code
//! (C++ bit-fields on the stack, bytes packed by `IMAD`). Strategy: an undefined bit reaches its
//! own position and, by carries, the positions above; if no position can be set in two operands
//! there are no carries, and a factor shifts positions by its trailing zeros. Invariant: every bit
//! that can differ is undefined in the result.

/// Sets all bits from the lowest set bit upwards: those that carries of an undefined bit can reach.
fn upwards(bits: u64) -> u64 {
    bits | bits.wrapping_neg()
}

fn lowest(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}

/// Returns the undefined bits of `a + b + c + ones`, for operands with values `v` and undefined
/// bits `u`.
pub fn sum(v: [u64; 3], u: [u64; 3], ones: u8) -> u64 {
    let [a, b, c] = [v[0] | u[0], v[1] | u[1], v[2] | u[2]];
    let all = u[0] | u[1] | u[2];
    if ones == 0 && (a & b) | (a & c) | (b & c) == 0 { all } else { upwards(all) }
}

/// Returns the undefined bits of `a * b`.
pub fn product((a, ua): (u64, u64), (b, ub): (u64, u64)) -> u64 {
    let zero = |v: u64, u: u64| v | u == 0;
    if ua | ub == 0 || zero(a, ua) || zero(b, ub) {
        return 0;
    }
    let scaled = |u: u64, factor: u64| {
        let moved = u.wrapping_mul(lowest(factor));
        if factor.is_power_of_two() { moved } else { upwards(moved) }
    };
    match (ua, ub) {
        (_, 0) => scaled(ua, b),
        (0, _) => scaled(ub, a),
        _ => upwards(lowest(ua).wrapping_mul(lowest(b | ub)) | lowest(ub).wrapping_mul(lowest(a | ua))),
    }
}

/// [`sum`] of 32-bit operands.
pub fn sum32(v: &[u32; 3], u: &[u32; 3], ones: u8) -> u32 {
    sum(v.map(u64::from), u.map(u64::from), ones) as u32
}

/// Returns the undefined bits of the low word of `a * b + c`.
pub fn mad32(v: &[u32; 3], u: &[u32; 3]) -> u32 {
    let [a, b, c] = v.map(u64::from);
    let [ua, ub, uc] = u.map(u64::from);
    mad(((a, ua), (b, ub)), (c, uc)) as u32
}

/// Returns the undefined bits of `a * b + c` modulo 2^64, for a pair of factors and an addend.
pub fn mad((a, b): ((u64, u64), (u64, u64)), (c, uc): (u64, u64)) -> u64 {
    let undefined = product(a, b);
    // Undefined bits may have any value: no value is known at these positions.
    sum([a.0.wrapping_mul(b.0) & !undefined, c, 0], [undefined, uc, 0], 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits in which results differ, over all values of the undefined bits.
    fn differing(v: [u64; 3], u: [u64; 3], f: impl Fn([u64; 3]) -> u64) -> u64 {
        let choices = |i: usize| (0..64u64).filter(move |x| x & !u[i] == 0).map(move |x| v[i] & !u[i] | x);
        let mut seen = None;
        let mut differ = 0;
        for a in choices(0) {
            for b in choices(1) {
                for c in choices(2) {
                    let r = f([a, b, c]);
                    differ |= r ^ *seen.get_or_insert(r);
                }
            }
        }
        differ
    }

    #[test]
    fn nothing_that_can_differ_is_called_defined() {
        let mut x = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = |mask: u64| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x >> 20 & mask
        };
        for _ in 0..3000 {
            let u = [next(0x15), next(0x2a), next(0x0c)].map(|u| if next(1) == 0 { 0 } else { u });
            let v = [next(0x3f), next(0x3f), next(0x3f)];
            let ones = next(1) as u8;
            let added = differing(v, u, |[a, b, c]| a + b + c + u64::from(ones));
            assert_eq!(added & !sum(v, u, ones), 0, "{v:x?} {u:x?} {ones}");
            let multiplied = differing(v, u, |[a, b, c]| a * b + c);
            assert_eq!(multiplied & !mad(((v[0], u[0]), (v[1], u[1])), (v[2], u[2])), 0, "{v:x?} {u:x?}");
        }
    }

    #[test]
    fn places_that_stay_apart_stay_defined() {
        assert_eq!(sum([8, 1, 0], [0x10, 0, 0], 0), 0x10, "no carry");
        assert_eq!(sum([8, 8, 0], [0x10, 0, 0], 0), !0xf, "a carry");
        assert_eq!(sum([0, 0, 7], [0, 0, 0x30], 0), 0x30, "a move");
        assert_eq!(sum([0, !7, 0], [0, 0x30, 0], 1), !0xf, "a negation");
        assert_eq!(mad(((0, 0), (9, !0)), (4, 0)), 0, "times zero");
        assert_eq!(mad(((0x55, 0xff00), (1 << 10, 0)), (3, 0)), 0x3fc_0000, "times a power of two, and bits below");
        assert_eq!(mad32(&[0x55, 1 << 27, 0], &[0xffff_ff00, 0, 0]), 0, "what is shifted out");
    }
}
