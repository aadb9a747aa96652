//! Upper bounds of terms, as unsigned numbers: what makes an extension by the sign one by zeros,
//! and a sum one that can be extended part by part.

use super::{Bank, Kind, Node, Term, ones};

/// Deepest nesting that a bound looks through.
const DEPTH: u32 = 12;

impl Bank {
    /// A bound that the term never exceeds.
    pub fn most(&mut self, t: Term) -> u128 {
        self.bound(t, DEPTH)
    }

    fn bound(&mut self, t: Term, depth: u32) -> u128 {
        if let Some(&most) = self.bounds.get(&t) {
            return most;
        }
        let all = ones(self.bits(t));
        if depth == 0 {
            return all;
        }
        let most = self.computed_bound(t, depth - 1).map_or(all, |most| most.min(all));
        self.bounds.insert(t, most);
        most
    }

    fn computed_bound(&mut self, t: Term, depth: u32) -> Option<u128> {
        Some(match self.node(t).clone() {
            Node::Const(c) => c,
            Node::Sum(parts, c) => self.exact_sum(&parts, c, self.bits(t), depth)?,
            Node::Op(kind, x) => match kind {
                Kind::Concat => {
                    let low = self.bits(x[1]);
                    self.bound(x[0], depth) << low | self.bound(x[1], depth)
                }
                Kind::Mul => self.bound(x[0], depth).checked_mul(self.bound(x[1], depth))?,
                Kind::UDiv if self.constant(x[1]).is_some_and(|c| c > 0) => {
                    self.bound(x[0], depth) / self.constant(x[1])?
                }
                Kind::URem if self.constant(x[1]).is_some_and(|c| c > 0) => {
                    self.bound(x[0], depth).min(self.constant(x[1])? - 1)
                }
                Kind::And => self.bound(x[0], depth).min(self.bound(x[1], depth)),
                Kind::Or | Kind::Xor => {
                    let most = self.bound(x[0], depth).max(self.bound(x[1], depth));
                    ones(128 - most.leading_zeros() as u16)
                }
                Kind::LShr => self.bound(x[0], depth),
                Kind::Extract(low) => {
                    let most = self.bound(x[0], depth) >> low;
                    if most > ones(self.bits(t)) {
                        return None;
                    }
                    most
                }
                Kind::Ite => self.bound(x[1], depth).max(self.bound(x[2], depth)),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The bound of a sum that never exceeds its width.
    fn exact_sum(&mut self, parts: &[(Term, u128)], c: u128, bits: u16, depth: u32) -> Option<u128> {
        let mut sum = c;
        for &(t, factor) in parts {
            sum = sum.checked_add(self.bound(t, depth).checked_mul(factor)?)?;
        }
        (sum <= ones(bits)).then_some(sum)
    }

    /// Whether a sum or product is exact, so that it may be extended part by part.
    pub(super) fn is_exact(&mut self, t: Term) -> bool {
        let bits = self.bits(t);
        match self.node(t).clone() {
            Node::Sum(parts, c) => self.exact_sum(&parts, c, bits, DEPTH).is_some(),
            Node::Op(Kind::Mul, x) => {
                let (a, b) = (self.most(x[0]), self.most(x[1]));
                a.checked_mul(b).is_some_and(|most| most <= ones(bits))
            }
            _ => false,
        }
    }
}
