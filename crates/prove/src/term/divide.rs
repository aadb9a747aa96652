//! Quotients by constants, and the products that compute them.
//!
//! No solver shows in useful time that the upper half of a product by a reciprocal is a quotient.
//! Arithmetic does (T. Granlund and P. L. Montgomery, "Division by Invariant Integers using
//! Multiplication", PLDI 1994): the constructors turn such products into the quotients that they
//! are, after checking the condition for the constants at hand.
//!
//! **Unsigned.** Let x = q d + r with r < d, m d = 2^p + e with e >= 0 and e x < 2^p. Then x m / 2^p =
//! q + r / d + (e x / 2^p) / d < q + (d - 1) / d + 1 / d = q + 1: rounded down, it is q.
//!
//! **Signed**, n bits, 0 < e <= 2^(p - n + 1). For x >= 0 as above. For x = -y < 0, y = q d + r: y m /
//! 2^p = q + r / d + (e y / 2^p) / d is greater than q and, as e y <= 2^p, at most q + 1: rounded
//! down, x m / 2^p is -q - 1, one less than the quotient towards zero.

use super::{Bank, Kind, Node, Term, ones};

impl Bank {
    /// Bits from `low` on of a term times a factor, if they are those of a quotient.
    pub(super) fn quotient_of_product(&mut self, t: Term, factor: u128, low: u16, bits: u16) -> Option<Term> {
        let width = self.bits(t);
        let power = 1u128.checked_shl(low.into())?;
        // For signed products only the top, which has the sign.
        match self.node(t).clone() {
            Node::Op(Kind::SignExt, x) if low + bits == width => {
                let n = self.bits(x[0]);
                let d = power / factor + 1;
                let error = factor.checked_mul(d)? - power;
                let fits = width >= 2 * n && factor < 1 << (n - 1) && d > 1 && d <= ones(n) >> 1;
                if !fits || low < n || error > 1 << (low - n + 1) {
                    return None;
                }
                let divisor = self.int(d, n);
                let quotient = self.quotient(Kind::SDiv, x[0], divisor);
                let sign = self.extract(x[0], n - 1, 1);
                let minus = self.sext(sign, n);
                let rounded = self.add(quotient, minus);
                Some(if bits <= n { self.extract(rounded, 0, bits) } else { self.sext(rounded, bits) })
            }
            _ => {
                let most = self.most(t);
                let d = power.div_ceil(factor);
                let error = factor.checked_mul(d)? - power;
                let exact = factor.checked_mul(most)? <= ones(width) && error.checked_mul(most)? < power;
                if d < 2 || !exact || d > ones(width) {
                    return None;
                }
                // In as many bits as the dividend has.
                let n = (128 - most.leading_zeros() as u16).max(1);
                let n = match self.node(t) {
                    Node::Op(Kind::Concat, x) if self.constant(x[0]) == Some(0) => self.bits(x[1]),
                    _ => n.min(width),
                };
                if d > ones(n) {
                    return Some(self.int(0, bits));
                }
                let (x, divisor) = (self.extract(t, 0, n), self.int(d, n));
                let quotient = self.quotient(Kind::UDiv, x, divisor);
                Some(if bits <= n { self.extract(quotient, 0, bits) } else { self.zext(quotient, bits) })
            }
        }
    }

    /// A quotient or remainder by a constant in its normal form.
    pub(super) fn by_constant(&mut self, kind: Kind, a: Term, d: u128) -> Option<Term> {
        let bits = self.bits(a);
        if d == 0 {
            return None;
        }
        match kind {
            Kind::UDiv if d.is_power_of_two() => {
                let n = self.int(d.trailing_zeros().into(), bits);
                Some(self.lshr(a, n))
            }
            Kind::URem if d.is_power_of_two() => {
                let mask = self.int(d - 1, bits);
                Some(self.and(a, mask))
            }
            Kind::URem | Kind::SRem => {
                let divisor = self.int(d, bits);
                let kind = if kind == Kind::URem { Kind::UDiv } else { Kind::SDiv };
                let quotient = self.quotient(kind, a, divisor);
                Some(self.sum(&[(a, 1), (quotient, d.wrapping_neg())], 0, bits))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Sort, signed};
    use super::*;

    #[test]
    fn products_that_become_quotients_are_quotients() {
        let mut found = 0;
        for factor in 1..512u128 {
            for low in 1..16u16 {
                let mut bank = Bank::default();
                let x = bank.var("x", Sort::Bits(8));
                for signs in [false, true] {
                    let wide = if signs { bank.sext(x, 16) } else { bank.zext(x, 16) };
                    let Some(t) = bank.quotient_of_product(wide, factor, low, 16 - low) else { continue };
                    found += 1;
                    for value in 0..256u128 {
                        let constant = bank.int(value, 8);
                        let map = [(x, constant)].into_iter().collect();
                        let now = bank.replace(t, &map, &mut Default::default());
                        let wide = if signs { signed(value, 8) as u128 } else { value };
                        let expected = wide.wrapping_mul(factor) & ones(16);
                        assert_eq!(bank.constant(now), Some(expected >> low), "{value} * {factor} >> {low}");
                    }
                }
            }
        }
        assert!(found > 500, "{found}");
    }
}
