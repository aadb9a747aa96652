//! Rules for comparisons, selects and minima and maxima.

use raddle_ir::{Cond, Op, Sign, Value, Width};

use super::{Becomes, Folder, constant, op, same};
use crate::eval::{compare, signed};

impl Folder<'_> {
    pub(super) fn icmp(&mut self, c: Cond, sign: Sign, args: &[Value]) -> Option<Becomes> {
        let (x, y) = (args[0], args[1]);
        let w = self.f.width(x);
        if self.known(x).is_some() && self.known(y).is_none() {
            // rule: icmp.swap
            return op(Op::Icmp(c.swapped()?, sign), &[y, x]);
        }
        if x == y {
            // rule: icmp.same
            return compare(c, sign, 0, 0, w).and_then(|holds| constant(u64::from(holds)));
        }
        if let Some(holds) = self.decided(c, sign, x, y, w) {
            // rule: icmp.decided
            return constant(u64::from(holds));
        }
        let equality = matches!(c, Cond::Eq | Cond::Ne);
        if let Some(k) = self.known(y)
            && let Some(b) = self.against_constant(c, sign, x, k, w, equality)
        {
            return Some(b);
        }
        self.narrower(c, sign, x, y, w)
    }

    /// Evaluates a comparison from the facts of both operands, if they decide it.
    fn decided(&self, c: Cond, sign: Sign, x: Value, y: Value, w: Width) -> Option<bool> {
        let (a, b) = (self.fact(x), self.fact(y));
        let differ = a.zeros & b.ones != 0 || a.ones & b.zeros & w.mask() != 0;
        // Mapped so that signed and unsigned bounds compare in the same way.
        let ((a_lo, a_hi), (b_lo, b_hi)) = match sign {
            Sign::U => ((i128::from(a.lo), i128::from(a.hi)), (i128::from(b.lo), i128::from(b.hi))),
            Sign::S => {
                let wide = |(lo, hi): (i64, i64)| (i128::from(lo), i128::from(hi));
                (wide(a.signed_range(w)), wide(b.signed_range(w)))
            }
        };
        let apart = differ || a_hi < b_lo || b_hi < a_lo || a.hi < b.lo || b.hi < a.lo;
        match c {
            Cond::Eq if apart => Some(false),
            Cond::Ne if apart => Some(true),
            Cond::Lt if a_hi < b_lo => Some(true),
            Cond::Lt if a_lo >= b_hi => Some(false),
            Cond::Le if a_hi <= b_lo => Some(true),
            Cond::Le if a_lo > b_hi => Some(false),
            Cond::Gt if a_lo > b_hi => Some(true),
            Cond::Gt if a_hi <= b_lo => Some(false),
            Cond::Ge if a_lo >= b_hi => Some(true),
            Cond::Ge if a_hi < b_lo => Some(false),
            _ => None,
        }
    }

    /// Rules for comparisons with a constant.
    fn against_constant(&mut self, c: Cond, sign: Sign, x: Value, k: u64, w: Width, equality: bool) -> Option<Becomes> {
        // A comparison of a select of constants becomes its condition.
        if let Some(inner) = self.is(x, Op::Select)
            && let (Some(a), Some(b)) = (self.known(inner[1]), self.known(inner[2]))
        {
            return match (compare(c, sign, a, k, w)?, compare(c, sign, b, k, w)?) {
                // rule: icmp.select
                (true, false) => same(inner[0]),
                // rule: icmp.select
                (false, true) => op(Op::Not, &inner[..1]),
                // rule: icmp.select
                (both, _) => constant(u64::from(both)),
            };
        }
        if let Some(b) = self.chosen_twice(c, sign, x, k, w) {
            return Some(b);
        }
        if equality {
            match self.def(x) {
                Some((Op::Add, inner)) => {
                    if let Some(d) = self.known(inner[1]) {
                        let k = self.constant(k.wrapping_sub(d), w);
                        // rule: icmp.add
                        return op(Op::Icmp(c, sign), &[inner[0], k]);
                    }
                }
                // rule: icmp.difference
                Some((Op::Xor | Op::Sub, inner)) if k == 0 && self.once(x) => return op(Op::Icmp(c, sign), &inner),
                // A value whose bits are all equal, masked, is zero or the mask.
                Some((Op::And, inner)) if self.fact(inner[0]).signs >= w.bits() => {
                    if let Some(mask) = self.known(inner[1]).filter(|&mask| mask != 0 && (k == 0 || k == mask)) {
                        let negative = (k == mask) == (c == Cond::Eq);
                        let zero = self.constant(0, w);
                        // rule: icmp.mask
                        return op(Op::Icmp(if negative { Cond::Lt } else { Cond::Ge }, Sign::S), &[inner[0], zero]);
                    }
                }
                _ => {}
            }
            return None;
        }
        // An arithmetic right shift keeps the sign.
        if let Some(inner) = self.is(x, Op::Shr(Sign::S))
            && sign == Sign::S
            && ((c == Cond::Lt && k == 0) || (c == Cond::Gt && k == w.mask()))
        {
            let k = self.constant(k, w);
            // rule: icmp.shr
            return op(Op::Icmp(c, sign), &[inner[0], k]);
        }
        // One canonical form: less than, greater than.
        let (least, most) = match sign {
            Sign::U => (0, w.mask()),
            Sign::S => (1 << (w.bits() - 1), w.mask() >> 1),
        };
        match c {
            Cond::Le if k != most => {
                let k = self.constant(k.wrapping_add(1), w);
                // rule: icmp.le
                op(Op::Icmp(Cond::Lt, sign), &[x, k])
            }
            Cond::Ge if k != least => {
                let k = self.constant(k.wrapping_sub(1), w);
                // rule: icmp.ge
                op(Op::Icmp(Cond::Gt, sign), &[x, k])
            }
            Cond::Lt if sign == Sign::U && k == 1 => {
                let zero = self.constant(0, w);
                // rule: icmp.below
                op(Op::Icmp(Cond::Eq, sign), &[x, zero])
            }
            Cond::Gt if sign == Sign::U && k == 0 => {
                let zero = self.constant(0, w);
                // rule: icmp.above
                op(Op::Icmp(Cond::Ne, sign), &[x, zero])
            }
            _ => None,
        }
    }

    /// A comparison of a select between a constant and a select of constants becomes a select of both
    /// comparisons, hence an operation of both conditions.
    fn chosen_twice(&mut self, c: Cond, sign: Sign, x: Value, k: u64, w: Width) -> Option<Becomes> {
        let outer = self.is(x, Op::Select)?;
        let other = match (self.known(outer[1]), self.known(outer[2])) {
            (Some(_), None) => outer[2],
            (None, Some(_)) => outer[1],
            _ => return None,
        };
        let inner = self.is(other, Op::Select)?;
        self.known(inner[1]).and(self.known(inner[2]))?;
        let k = self.constant(k, w);
        let held = [1, 2].map(|n| self.make(Op::Icmp(c, sign), &[outer[n], k], Width::P));
        // rule: icmp.chosen
        op(Op::Select, &[outer[0], held[0], held[1]])
    }

    /// A copy of which no part of its bytes can be cut off needs a predicate only: it copies all of
    /// them, or none if there are none to be read (PTX ISA 9.0, 9.7.9.25.3.1).
    pub(super) fn copied_bytes(&mut self, size: u8, args: &mut [Value]) {
        let Some(&bytes) = args.get(2).filter(|v| self.f.width(**v) == Width::B32) else { return };
        let below = u64::from(size) - 1;
        if self.known(bytes).is_none() && self.fact(bytes).zeros & below == below {
            let zero = self.constant(0, Width::B32);
            args[2] = self.make(Op::Icmp(Cond::Eq, Sign::U), &[bytes, zero], Width::P);
        }
    }

    /// A comparison of extended values becomes one of the values.
    fn narrower(&mut self, c: Cond, sign: Sign, x: Value, y: Value, w: Width) -> Option<Becomes> {
        let (a, b) = (self.fact(x), self.fact(y));
        if w == Width::B64 {
            let word = u64::from(u32::MAX);
            let sign = if a.hi <= word && b.hi <= word {
                Sign::U
            } else if a.signs > 32 && b.signs > 32 {
                // Extension keeps signed and unsigned order.
                sign
            } else {
                return None;
            };
            let (x, y) = (self.low(x, Width::B32), self.low(y, Width::B32));
            // rule: icmp.narrow
            return op(Op::Icmp(c, sign), &[x, y]);
        }
        if w == Width::B16 {
            let words = self.words_of(&[x, y])?;
            let (p, q) = (self.fact(words[0]), self.fact(words[1]));
            if p.hi <= 0xffff && q.hi <= 0xffff && (sign == Sign::U || matches!(c, Cond::Eq | Cond::Ne)) {
                // rule: icmp.words
                return op(Op::Icmp(c, Sign::U), &words);
            }
            let fits = |v: Value, f: &Self| match f.known(v) {
                Some(k) => signed(k, Width::B16) as u64 & u64::from(u32::MAX),
                None => u64::MAX,
            };
            if p.signs > 16 && q.signs > 16 {
                // rule: icmp.words
                return op(Op::Icmp(c, sign), &words);
            }
            // The constant is extended in the same way as the other side.
            if p.signs > 16 && fits(y, self) != u64::MAX {
                let k = self.constant(fits(y, self), Width::B32);
                // rule: icmp.words
                return op(Op::Icmp(c, sign), &[words[0], k]);
            }
        }
        None
    }

    pub(super) fn select(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        let (p, a, b) = (args[0], args[1], args[2]);
        if let Some(k) = self.known(p) {
            // rule: select.known
            return same(if k != 0 { a } else { b });
        }
        if a == b {
            // rule: select.same
            return same(a);
        }
        if let Some(inner) = self.is(p, Op::Not) {
            // rule: select.not
            return op(Op::Select, &[inner[0], b, a]);
        }
        if let Some(inner) = self.is(a, Op::Select)
            && inner[0] == p
        {
            // rule: select.then
            return op(Op::Select, &[p, inner[1], b]);
        }
        if let Some(inner) = self.is(b, Op::Select)
            && inner[0] == p
        {
            // rule: select.else
            return op(Op::Select, &[p, a, inner[2]]);
        }
        if w == Width::P {
            match (self.known(a), self.known(b)) {
                // rule: select.bit
                (Some(1), Some(_)) => return same(p),
                // rule: select.bit
                (Some(_), Some(_)) => return op(Op::Not, &[p]),
                // rule: select.bit
                (Some(1), None) => return op(Op::Or, &[p, b]),
                // rule: select.bit
                (None, Some(0)) => return op(Op::And, &[p, a]),
                _ => {}
            }
            return None;
        }
        // A select of constants with equal halves becomes one of 32 bits.
        if w == Width::B64
            && let (Some(x), Some(y)) = (self.known(a), self.known(b))
            && x >> 32 == x & 0xffff_ffff
            && y >> 32 == y & 0xffff_ffff
        {
            let (x, y) = (self.constant(x, Width::B32), self.constant(y, Width::B32));
            let half = self.make(Op::Select, &[p, x, y], Width::B32);
            // rule: select.halves
            return op(Op::Pack, &[half, half]);
        }
        if w == Width::B32
            && let Some((Op::Icmp(c, sign), inner)) = self.def(p)
        {
            let least = match c {
                Cond::Lt | Cond::Le => true,
                Cond::Gt | Cond::Ge => false,
                _ => return None,
            };
            let least = if inner.as_slice() == [a, b] {
                least
            } else if inner.as_slice() == [b, a] {
                !least
            } else {
                return None;
            };
            // rule: select.least
            return op(if least { Op::Min(sign) } else { Op::Max(sign) }, &[a, b]);
        }
        if w == Width::B16
            && let Some(words) = self.words_of(&[a, b])
        {
            let word = self.make(Op::Select, &[p, words[0], words[1]], Width::B32);
            // rule: select.words
            return op(Op::Trunc, &[word]);
        }
        None
    }

    pub(super) fn min_max(&mut self, o: Op, args: &[Value], w: Width) -> Option<Becomes> {
        if let Some(b) = self.constant_right(o, args) {
            return Some(b);
        }
        let (x, y) = (args[0], args[1]);
        if x == y {
            // rule: least.same
            return same(x);
        }
        let (least, sign) = match o {
            Op::Min(s) => (true, s),
            Op::Max(s) => (false, s),
            _ => return None,
        };
        if self.decided(Cond::Le, sign, x, y, w) == Some(true) {
            // rule: least.first
            return same(if least { x } else { y });
        }
        if self.decided(Cond::Le, sign, y, x, w) == Some(true) {
            // rule: least.second
            return same(if least { y } else { x });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    #[test]
    fn masks_of_signs_are_compared_by_the_sign() {
        let folded = |cond: &str, k: u32| {
            let text = format!(
                "kernel k\nb0:\n v0: b32 = special.clock\n v1: b32 = const.31\n v2: b32 = shr.s v0, v1\n v3: b32 = const.7\n \
                 v4: b32 = and v2, v3\n v5: b32 = const.{k}\n v6: p = icmp.{cond} v4, v5\n branch v6, b1, b2\nb1:\n warpsync v4\n \
                 exit\nb2:\n exit\nend\n"
            );
            let mut f = parse(&text).unwrap().remove(0);
            crate::tests::apply(crate::fold::run, &mut f);
            let text = print(&f);
            let line = text.lines().find(|l| l.contains("icmp") || l.contains("branch")).unwrap().to_owned();
            line.split(" = ").nth(1).unwrap_or("known").split(' ').next().unwrap().to_owned()
        };
        assert_eq!(folded("eq.s", 7), "icmp.lt.s");
        assert_eq!(folded("eq.u", 0), "icmp.gt.s");
        assert_eq!(folded("ne.u", 0), "icmp.lt.s");
        assert_eq!(folded("ne.s", 7), "icmp.gt.s");
        // The mask can be neither.
        assert_eq!(folded("eq.s", 3), "icmp.eq.s");
    }
}
