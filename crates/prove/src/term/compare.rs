//! Constructors of comparisons and choices.

use smallvec::SmallVec;

use super::{Bank, Kind, Node, Sort, Term, ones, signed};

impl Bank {
    /// a < b, unsigned.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let most = ones(self.bits(a));
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => return self.bit(x < y),
            (_, Some(0)) => return self.bit(false),
            (_, Some(1)) => {
                let zero = self.int(0, self.bits(a));
                return self.equal(a, zero);
            }
            (Some(x), _) if x == most => return self.bit(false),
            (Some(x), _) => {
                let next = self.int(x + 1, self.bits(a));
                let not = self.ult(b, next);
                return self.not(not);
            }
            _ if a == b => return self.bit(false),
            (_, Some(y)) if self.most(a) < y => return self.bit(true),
            // A sum that does not wrap around is no less than a part of it.
            _ if self.is_exact(a) && self.has_parts(a, b) => return self.bit(false),
            _ => {}
        }
        self.make(Kind::Ult, &[a, b], 1)
    }

    /// Whether a sum has every term of another as often, and as great a constant.
    fn has_parts(&self, a: Term, b: Term) -> bool {
        let ((x, c), (y, d)) = (self.parts(a), self.parts(b));
        c >= d && y.iter().all(|p| x.iter().any(|q| q.0 == p.0 && q.1 >= p.1))
    }

    /// a < b, signed.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let bits = self.bits(a);
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => return self.bit(signed(x, bits) < signed(y, bits)),
            (_, Some(y)) if y == 1 << (bits - 1) => return self.bit(false),
            (Some(x), _) if x == ones(bits) >> 1 => return self.bit(false),
            (Some(x), _) => {
                let next = self.int(x.wrapping_add(1), bits);
                let not = self.slt(b, next);
                return self.not(not);
            }
            _ if a == b => return self.bit(false),
            _ => {}
        }
        let half = ones(bits) >> 1;
        if self.most(a) <= half && self.most(b) <= half {
            return self.ult(a, b);
        }
        self.make(Kind::Slt, &[a, b], 1)
    }

    /// a = b; of any sort.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bit(true);
        }
        let Sort::Bits(bits) = self.sort(a) else { return self.make(Kind::Eq, &[a.min(b), a.max(b)], 1) };
        let (a, b) = if self.constant(a).is_some() { (b, a) } else { (a, b) };
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => return self.bit(x == y),
            (None, Some(y)) if bits == 1 => return if y == 1 { a } else { self.not(a) },
            _ => {}
        }
        if !matches!(self.node(a), Node::Sum(..)) && !matches!(self.node(b), Node::Sum(..)) {
            if self.constant(b).is_some() {
                return self.make(Kind::Eq, &[a, b], 1);
            }
            return self.make(Kind::Eq, &[a.min(b), a.max(b)], 1);
        }
        // The terms to the left, the constant to the right, and of both signs the one whose first
        // factor is smaller.
        let left = self.sub(a, b);
        let (parts, c) = self.parts(left);
        let Some(&(_, first)) = parts.first() else { return self.bit(c == 0) };
        let flip = first > first.wrapping_neg() & ones(bits);
        let sign = if flip { u128::MAX } else { 1 };
        let parts: Vec<(Term, u128)> = parts.iter().map(|&(t, n)| (t, n.wrapping_mul(sign))).collect();
        let right = self.int(c.wrapping_mul(sign).wrapping_neg(), bits);
        if let &[(x, 1), (y, minus)] = parts.as_slice()
            && minus & ones(bits) == ones(bits)
            && self.constant(right) == Some(0)
        {
            return self.make(Kind::Eq, &[x.min(y), x.max(y)], 1);
        }
        let left = self.sum(&parts, 0, bits);
        self.make(Kind::Eq, &[left, right], 1)
    }

    /// The second if the bit is one, else the third; of any sort.
    pub fn ite(&mut self, c: Term, yes: Term, no: Term) -> Term {
        if yes == no {
            return yes;
        }
        match self.node(c).clone() {
            Node::Const(value) => return if value == 1 { yes } else { no },
            Node::Op(Kind::Not, inner) => return self.ite(inner[0], no, yes),
            _ => {}
        }
        // An arm that asks the same again has its answer.
        let yes = self.under(c, yes, 1);
        let no = self.under(c, no, 2);
        if yes == no {
            return yes;
        }
        let sort = self.sort(yes);
        if sort == Sort::Bits(1) {
            match (self.constant(yes), self.constant(no)) {
                (Some(1), Some(0)) => return c,
                (Some(0), Some(1)) => return self.not(c),
                (Some(1), None) if no == c => return c,
                _ => {}
            }
            if yes == c && self.constant(no) == Some(0) {
                return c;
            }
            // Conjunctions and disjunctions of conditions have one form.
            match (self.constant(yes), self.constant(no)) {
                (Some(1), None) => return self.or(c, no),
                (None, Some(0)) => return self.and(c, yes),
                (Some(0), None) => {
                    let not = self.not(c);
                    return self.and(not, no);
                }
                (None, Some(1)) => {
                    let not = self.not(c);
                    return self.or(not, yes);
                }
                _ => {}
            }
        }
        self.intern(Node::Op(Kind::Ite, SmallVec::from_slice(&[c, yes, no])), sort)
    }

    fn under(&self, c: Term, arm: Term, side: usize) -> Term {
        match self.node(arm) {
            Node::Op(Kind::Ite, inner) if inner[0] == c => inner[side],
            _ => arm,
        }
    }
}
