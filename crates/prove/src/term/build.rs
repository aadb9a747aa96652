//! Constructors of operations on bits, each with its normal form.

use smallvec::SmallVec;

use super::{Bank, Kind, Node, Sort, Term, ones, signed};

/// A mask of ones in one run: its lowest bit and its length.
fn run_of_ones(mask: u128) -> Option<(u16, u16)> {
    let low = mask.trailing_zeros() as u16;
    let length = (mask >> low).trailing_ones() as u16;
    (mask >> low == ones(length)).then_some((low, length))
}

impl Bank {
    pub(super) fn make(&mut self, kind: Kind, args: &[Term], bits: u16) -> Term {
        self.intern(Node::Op(kind, SmallVec::from_slice(args)), Sort::Bits(bits))
    }

    /// A constant.
    pub fn int(&mut self, value: u128, bits: u16) -> Term {
        self.intern(Node::Const(value & ones(bits)), Sort::Bits(bits))
    }

    /// The bit that says yes or no.
    pub fn bit(&mut self, is: bool) -> Term {
        self.int(u128::from(is), 1)
    }

    /// The parts of a term as a sum.
    pub fn parts(&self, t: Term) -> (SmallVec<[(Term, u128); 2]>, u128) {
        match self.node(t) {
            Node::Const(c) => (SmallVec::new(), *c),
            Node::Sum(parts, c) => (parts.clone(), *c),
            _ => (SmallVec::from_slice(&[(t, 1)]), 0),
        }
    }

    /// The sum of terms times factors, and a constant.
    pub fn sum(&mut self, parts: &[(Term, u128)], c: u128, bits: u16) -> Term {
        let (mut out, mut total): (Vec<(Term, u128)>, u128) = (Vec::new(), c);
        for &(t, factor) in parts {
            let (inner, inner_c) = self.parts(t);
            total = total.wrapping_add(inner_c.wrapping_mul(factor));
            out.extend(inner.iter().map(|&(t, n)| (t, n.wrapping_mul(factor))));
        }
        out.sort_unstable_by_key(|p| p.0);
        let mut merged: SmallVec<[(Term, u128); 2]> = SmallVec::new();
        for (t, factor) in out {
            match merged.last_mut() {
                Some(last) if last.0 == t => last.1 = last.1.wrapping_add(factor),
                _ => merged.push((t, factor)),
            }
        }
        let mask = ones(bits);
        merged.iter_mut().for_each(|p| p.1 &= mask);
        merged.retain(|p| p.1 != 0);
        match (merged.as_slice(), total & mask) {
            ([], c) => self.int(c, bits),
            (&[(t, 1)], 0) => t,
            (_, c) => self.intern(Node::Sum(merged, c), Sort::Bits(bits)),
        }
    }

    /// a + b.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.sum(&[(a, 1), (b, 1)], 0, self.bits(a))
    }

    /// a - b.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.sum(&[(a, 1), (b, u128::MAX)], 0, self.bits(a))
    }

    /// -a.
    pub fn neg(&mut self, a: Term) -> Term {
        self.sum(&[(a, u128::MAX)], 0, self.bits(a))
    }

    /// a + a constant.
    pub fn plus(&mut self, a: Term, c: u128) -> Term {
        self.sum(&[(a, 1)], c, self.bits(a))
    }

    /// a * b.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let bits = self.bits(a);
        match (self.constant(a), self.constant(b)) {
            (Some(x), _) => self.sum(&[(b, x)], 0, bits),
            (_, Some(y)) => self.sum(&[(a, y)], 0, bits),
            _ => self.make(Kind::Mul, &[a.min(b), a.max(b)], bits),
        }
    }

    /// A quotient or remainder, as SMT-LIB defines it.
    pub fn quotient(&mut self, kind: Kind, a: Term, b: Term) -> Term {
        let bits = self.bits(a);
        if let (Some(x), Some(y)) = (self.constant(a), self.constant(b))
            && y != 0
        {
            let (sx, sy) = (signed(x, bits), signed(y, bits));
            let value = match kind {
                Kind::UDiv => x / y,
                Kind::URem => x % y,
                Kind::SDiv => sx.wrapping_div(sy) as u128,
                _ => sx.wrapping_rem(sy) as u128,
            };
            return self.int(value, bits);
        }
        if let Some(t) = self.constant(b).and_then(|d| self.by_constant(kind, a, d)) {
            return t;
        }
        self.make(kind, &[a, b], bits)
    }

    /// a & b.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let bits = self.bits(a);
        let (a, b) = if self.constant(a).is_some() { (b, a) } else { (a, b) };
        if a == b {
            return a;
        }
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => return self.int(x & y, bits),
            (None, Some(0)) => return b,
            (None, Some(mask)) => {
                if let Some((low, length)) = run_of_ones(mask) {
                    let middle = self.extract(a, low, length);
                    let below = if low > 0 { Some(self.int(0, low)) } else { None };
                    let t = below.map_or(middle, |zero| self.concat(middle, zero));
                    return self.zext(t, bits);
                }
                if let Node::Op(Kind::And, inner) = self.node(a)
                    && let Some(other) = self.constant(inner[1])
                {
                    let (x, mask) = (inner[0], self.int(mask & other, bits));
                    return self.and(x, mask);
                }
                return self.make(Kind::And, &[a, b], bits);
            }
            _ => {}
        }
        if self.is_complement(a, b) {
            return self.int(0, bits);
        }
        self.make(Kind::And, &[a.min(b), a.max(b)], bits)
    }

    fn is_complement(&self, a: Term, b: Term) -> bool {
        let not = |x: Term, y: Term| matches!(self.node(x), Node::Op(Kind::Not, inner) if inner[0] == y);
        not(a, b) || not(b, a)
    }

    /// a | b.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let bits = self.bits(a);
        let (a, b) = if self.constant(a).is_some() { (b, a) } else { (a, b) };
        if a == b {
            return a;
        }
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => return self.int(x | y, bits),
            (None, Some(0)) => return a,
            (None, Some(c)) if c == ones(bits) => return b,
            (None, Some(_)) => return self.make(Kind::Or, &[a, b], bits),
            _ => {}
        }
        if self.is_complement(a, b) {
            return self.int(ones(bits), bits);
        }
        // Pieces that do not meet are put one above the other.
        for (x, y) in [(a, b), (b, a)] {
            if let Some((high, low)) = self.ends_in_zeros(x)
                && let Some(below) = self.starts_in_zeros(y, low)
            {
                return self.concat(high, below);
            }
        }
        self.make(Kind::Or, &[a.min(b), a.max(b)], bits)
    }

    /// The upper part of a term whose lower bits are zero, and how many these are.
    fn ends_in_zeros(&mut self, t: Term) -> Option<(Term, u16)> {
        match self.node(t).clone() {
            Node::Op(Kind::Concat, args) if self.constant(args[1]) == Some(0) => Some((args[0], self.bits(args[1]))),
            Node::Sum(parts, c) => {
                let zeros = parts.iter().map(|p| p.1.trailing_zeros()).min()?.min(c.trailing_zeros());
                let low = zeros.min(u32::from(self.bits(t))) as u16;
                (low > 0).then(|| {
                    let bits = self.bits(t) - low;
                    let parts: Vec<(Term, u128)> =
                        parts.iter().map(|&(t, n)| (self.extract(t, 0, bits), n >> low)).collect();
                    (self.sum(&parts, c >> low, bits), low)
                })
            }
            _ => None,
        }
    }

    /// The lower bits of a term whose other bits are zero.
    fn starts_in_zeros(&mut self, t: Term, low: u16) -> Option<Term> {
        let Node::Op(Kind::Concat, args) = self.node(t).clone() else { return None };
        let zero = self.constant(args[0]) == Some(0);
        (zero && self.bits(args[1]) <= low).then(|| self.extract(t, 0, low))
    }

    /// a ^ b.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let bits = self.bits(a);
        let (a, b) = if self.constant(a).is_some() { (b, a) } else { (a, b) };
        if a == b {
            return self.int(0, bits);
        }
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => return self.int(x ^ y, bits),
            (None, Some(0)) => return a,
            (None, Some(c)) if c == ones(bits) => return self.not(a),
            (None, Some(_)) => return self.make(Kind::Xor, &[a, b], bits),
            _ => {}
        }
        self.make(Kind::Xor, &[a.min(b), a.max(b)], bits)
    }

    /// ~a.
    pub fn not(&mut self, a: Term) -> Term {
        let bits = self.bits(a);
        match self.node(a).clone() {
            Node::Const(c) => self.int(!c, bits),
            Node::Op(Kind::Not, inner) => inner[0],
            // A choice is never written with its condition or its arms complemented.
            Node::Op(Kind::Ite, x) if bits == 1 && x[1..].iter().any(|&arm| self.constant(arm).is_some()) => {
                let (yes, no) = (self.not(x[1]), self.not(x[2]));
                self.ite(x[0], yes, no)
            }
            _ => self.make(Kind::Not, &[a], bits),
        }
    }

    /// a << b, for any b.
    pub fn shl(&mut self, a: Term, b: Term) -> Term {
        let bits = self.bits(a);
        match self.constant(b) {
            Some(n) if n >= u128::from(bits) => self.int(0, bits),
            Some(n) => self.sum(&[(a, 1 << n)], 0, bits),
            None => self.make(Kind::Shl, &[a, b], bits),
        }
    }

    /// a >> b with zeros, for any b.
    pub fn lshr(&mut self, a: Term, b: Term) -> Term {
        let bits = self.bits(a);
        match self.constant(b) {
            Some(n) if n >= u128::from(bits) => self.int(0, bits),
            Some(n) => {
                let high = self.extract(a, n as u16, bits - n as u16);
                self.zext(high, bits)
            }
            None => self.make(Kind::LShr, &[a, b], bits),
        }
    }

    /// a >> b with the sign, for any b.
    pub fn ashr(&mut self, a: Term, b: Term) -> Term {
        let bits = self.bits(a);
        match self.constant(b) {
            Some(n) => {
                let n = n.min(u128::from(bits) - 1) as u16;
                let high = self.extract(a, n, bits - n);
                self.sext(high, bits)
            }
            None => self.make(Kind::AShr, &[a, b], bits),
        }
    }

    /// a above b.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        let (upper, lower) = (self.bits(a), self.bits(b));
        // The right operand is the rest of the pieces: nested to the right.
        if let Node::Op(Kind::Concat, inner) = self.node(a).clone() {
            let rest = self.concat(inner[1], b);
            return self.concat(inner[0], rest);
        }
        let (head, rest) = match self.node(b).clone() {
            Node::Op(Kind::Concat, inner) => (inner[0], Some(inner[1])),
            _ => (b, None),
        };
        let joined = match (self.node(a).clone(), self.node(head).clone()) {
            (Node::Const(x), Node::Const(y)) => {
                let bits = self.bits(head);
                Some(self.int(x << bits | y, upper + bits))
            }
            (Node::Op(Kind::Extract(at), x), Node::Op(Kind::Extract(low), y))
                if x[0] == y[0] && low + self.bits(head) == at =>
            {
                Some(self.extract(x[0], low, upper + self.bits(head)))
            }
            _ => None,
        };
        match (joined, rest) {
            (Some(joined), Some(rest)) => self.concat(joined, rest),
            (Some(joined), None) => joined,
            (None, _) => self.make(Kind::Concat, &[a, b], upper + lower),
        }
    }

    /// Extends by zeros to this many bits.
    pub fn zext(&mut self, a: Term, bits: u16) -> Term {
        let more = bits - self.bits(a);
        if more == 0 {
            return a;
        }
        // What does not exceed its width is extended part by part.
        if self.is_exact(a) {
            return match self.node(a).clone() {
                Node::Op(_, x) => {
                    let (x, y) = (self.zext(x[0], bits), self.zext(x[1], bits));
                    self.mul(x, y)
                }
                _ => {
                    let (parts, c) = self.parts(a);
                    let parts: Vec<(Term, u128)> = parts.iter().map(|&(t, n)| (self.zext(t, bits), n)).collect();
                    self.sum(&parts, c, bits)
                }
            };
        }
        let zero = self.int(0, more);
        self.concat(zero, a)
    }

    /// Extends by the sign to this many bits.
    pub fn sext(&mut self, a: Term, bits: u16) -> Term {
        let from = self.bits(a);
        if from == bits {
            return a;
        }
        match self.node(a).clone() {
            Node::Const(c) => self.int(signed(c, from) as u128, bits),
            Node::Op(Kind::SignExt, inner) => self.sext(inner[0], bits),
            _ if self.most(a) <= ones(from) >> 1 => self.zext(a, bits),
            _ => self.make(Kind::SignExt, &[a], bits),
        }
    }

    /// `bits` bits from bit `low` on.
    pub fn extract(&mut self, a: Term, low: u16, bits: u16) -> Term {
        if bits == self.bits(a) {
            return a;
        }
        if let Some(&t) = self.extracts.get(&(a, low, bits)) {
            return t;
        }
        let t = if self.most(a) >> low == 0 { self.int(0, bits) } else { self.cut(a, low, bits) };
        self.extracts.insert((a, low, bits), t);
        t
    }

    fn cut(&mut self, a: Term, low: u16, bits: u16) -> Term {
        match self.node(a).clone() {
            Node::Const(c) => return self.int(c >> low, bits),
            Node::Sum(parts, c) if low == 0 => {
                let parts: Vec<(Term, u128)> = parts.iter().map(|&(t, n)| (self.extract(t, 0, bits), n)).collect();
                return self.sum(&parts, c, bits);
            }
            Node::Sum(parts, 0) if parts.len() == 1 => {
                if let Some(t) = self.quotient_of_product(parts[0].0, parts[0].1, low, bits) {
                    return t;
                }
            }
            Node::Op(Kind::Concat, x) => {
                let split = self.bits(x[1]);
                if low >= split {
                    return self.extract(x[0], low - split, bits);
                }
                if low + bits <= split {
                    return self.extract(x[1], low, bits);
                }
                let (upper, lower) = (self.extract(x[0], 0, low + bits - split), self.extract(x[1], low, split - low));
                return self.concat(upper, lower);
            }
            Node::Op(Kind::Extract(at), x) => return self.extract(x[0], at + low, bits),
            Node::Op(Kind::SignExt, x) => {
                let inner = self.bits(x[0]);
                if low + bits <= inner {
                    return self.extract(x[0], low, bits);
                }
                let from = low.min(inner - 1);
                let top = self.extract(x[0], from, inner - from);
                return self.sext(top, bits);
            }
            Node::Op(kind @ (Kind::And | Kind::Or | Kind::Xor | Kind::Not), x) => {
                let x: Vec<Term> = x.iter().map(|&t| self.extract(t, low, bits)).collect();
                return self.op(kind, &x, bits);
            }
            Node::Op(Kind::Ite, x) => {
                let (yes, no) = (self.extract(x[1], low, bits), self.extract(x[2], low, bits));
                return self.ite(x[0], yes, no);
            }
            Node::Op(Kind::Mul, x) if low == 0 => {
                let (x, y) = (self.extract(x[0], 0, bits), self.extract(x[1], 0, bits));
                return self.mul(x, y);
            }
            _ => {}
        }
        self.make(Kind::Extract(low), &[a], bits)
    }
}
