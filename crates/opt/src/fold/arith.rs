//! Rules for sums, products and quotients.

use raddle_ir::{Op, Sign, Value, Width};

use super::{Becomes, Folder, constant, op, same};

impl Folder<'_> {
    /// Does 16-bit operations on the 32-bit values that contain their operands: the machine has no
    /// others, and the facts of the 32-bit values are useful.
    pub(super) fn as_words(&mut self, o: Op, args: &[Value], w: Width) -> Option<Becomes> {
        if w != Width::B16 {
            return None;
        }
        let words = self.words_of(args)?;
        let r = self.make(o, &words, Width::B32);
        // rule: words
        op(Op::Trunc, &[r])
    }

    /// Returns the 32-bit values whose lower halves the operands are; at least one is no constant.
    pub(super) fn words_of(&mut self, args: &[Value]) -> Option<Vec<Value>> {
        let mut found = false;
        let mut words = Vec::with_capacity(args.len());
        for &v in args {
            match self.def(v) {
                Some((Op::Trunc, inner)) if self.f.width(inner[0]) == Width::B32 => {
                    found = true;
                    words.push(Ok(inner[0]));
                }
                Some((Op::Const(bits), _)) => words.push(Err(bits)),
                _ => return None,
            }
        }
        found.then(|| words.into_iter().map(|x| x.unwrap_or_else(|bits| self.constant(bits, Width::B32))).collect())
    }

    /// Moves a constant to the right operand.
    pub(super) fn constant_right(&self, o: Op, args: &[Value]) -> Option<Becomes> {
        // rule: constant.right
        if self.known(args[0]).is_some() && self.known(args[1]).is_none() { op(o, &[args[1], args[0]]) } else { None }
    }

    pub(super) fn add(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        if let Some(b) = self.constant_right(Op::Add, args) {
            return Some(b);
        }
        let (x, y) = (args[0], args[1]);
        if let Some(c) = self.known(y) {
            if c == 0 {
                // rule: add.zero
                return same(x);
            }
            match self.def(x) {
                Some((Op::Add, inner)) => {
                    if let Some(d) = self.known(inner[1]) {
                        let sum = self.constant(c.wrapping_add(d), w);
                        // rule: add.add
                        return op(Op::Add, &[inner[0], sum]);
                    }
                }
                Some((Op::Sub, inner)) => {
                    if let Some(d) = self.known(inner[0]) {
                        let sum = self.constant(c.wrapping_add(d), w);
                        // rule: add.sub
                        return op(Op::Sub, &[sum, inner[1]]);
                    }
                }
                Some((Op::SlotAddr(slot, offset), _)) => {
                    if let Some(to) = offset.checked_add(c as i32) {
                        // rule: add.add
                        return op(Op::SlotAddr(slot, to), &[]);
                    }
                }
                _ => {}
            }
        }
        if let Some(inner) = self.is(y, Op::Neg) {
            // rule: add.neg
            return op(Op::Sub, &[x, inner[0]]);
        }
        if let Some(inner) = self.is(x, Op::Neg) {
            // rule: add.neg
            return op(Op::Sub, &[y, inner[0]]);
        }
        for (a, b) in [(x, y), (y, x)] {
            if let Some(inner) = self.is(a, Op::Sub)
                && inner[1] == b
            {
                // rule: add.back
                return same(inner[0]);
            }
        }
        if let Some(b) = self.join_halves(x, y, w) {
            return Some(b);
        }
        // A 64-bit product can add for free; 32-bit ones are left to instruction selection.
        if w == Width::B64 {
            for (a, b) in [(x, y), (y, x)] {
                if let Some(inner) = self.is(a, Op::Mul).filter(|_| self.once(a)) {
                    // rule: add.mad
                    return op(Op::Mad, &[inner[0], inner[1], b]);
                }
            }
        }
        self.as_words(Op::Add, args, w)
    }

    pub(super) fn sub(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        let (x, y) = (args[0], args[1]);
        if x == y {
            // rule: sub.same
            return constant(0);
        }
        if let Some(c) = self.known(y) {
            let c = self.constant(c.wrapping_neg(), w);
            // rule: sub.constant
            return op(Op::Add, &[x, c]);
        }
        if let Some(c) = self.known(x) {
            if c == 0 {
                // rule: sub.zero
                return op(Op::Neg, &[y]);
            }
            if let Some(inner) = self.is(y, Op::Add)
                && let Some(d) = self.known(inner[1])
            {
                let c = self.constant(c.wrapping_sub(d), w);
                // rule: sub.add
                return op(Op::Sub, &[c, inner[0]]);
            }
        }
        if let Some(inner) = self.is(y, Op::Neg) {
            // rule: sub.neg
            return op(Op::Add, &[x, inner[0]]);
        }
        if let Some(inner) = self.is(x, Op::Add) {
            if inner[1] == y {
                // rule: sub.back
                return same(inner[0]);
            }
            if inner[0] == y {
                // rule: sub.back
                return same(inner[1]);
            }
        }
        if let Some(inner) = self.is(y, Op::Sub)
            && inner[0] == x
        {
            // rule: sub.back
            return same(inner[1]);
        }
        // The remainder of a division by a constant: one operation instead of a product and a
        // difference.
        if matches!(w, Width::B32 | Width::B64)
            && self.once(y)
            && let Some(inner) = self.is(y, Op::Mul)
            && let Some(c) = self.known(inner[1])
        {
            let c = self.constant(c.wrapping_neg(), w);
            // rule: sub.mad
            return op(Op::Mad, &[inner[0], c, x]);
        }
        self.as_words(Op::Sub, args, w)
    }

    pub(super) fn neg(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        match self.def(args[0]) {
            // rule: neg.neg
            Some((Op::Neg, inner)) => same(inner[0]),
            // rule: neg.sub
            Some((Op::Sub, inner)) if self.once(args[0]) => op(Op::Sub, &[inner[1], inner[0]]),
            _ => self.as_words(Op::Neg, args, w),
        }
    }

    pub(super) fn mul(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        if let Some(b) = self.constant_right(Op::Mul, args) {
            return Some(b);
        }
        let (x, y) = (args[0], args[1]);
        if let Some(c) = self.known(y) {
            if c == 1 {
                // rule: mul.one
                return same(x);
            }
            if c == w.mask() {
                // rule: mul.minus
                return op(Op::Neg, &[x]);
            }
            if c.is_power_of_two() {
                let n = self.constant(u64::from(c.trailing_zeros()), Width::B32);
                // rule: mul.power
                return op(Op::Shl, &[x, n]);
            }
            match self.def(x) {
                Some((Op::Mul, inner)) => {
                    if let Some(d) = self.known(inner[1]) {
                        let c = self.constant(c.wrapping_mul(d), w);
                        // rule: mul.mul
                        return op(Op::Mul, &[inner[0], c]);
                    }
                }
                Some((Op::Shl, inner)) => {
                    if let Some(n) = self.known(inner[1]).filter(|&n| n < u64::from(w.bits())) {
                        let c = self.constant(c << n, w);
                        // rule: mul.shl
                        return op(Op::Mul, &[inner[0], c]);
                    }
                }
                _ => {}
            }
        }
        if w == Width::B64
            && let Some(sign) = self.word_factors(x, y)
        {
            let (x, y) = (self.low(x, Width::B32), self.low(y, Width::B32));
            // rule: mul.wide
            return op(Op::MulWide(sign), &[x, y]);
        }
        self.as_words(Op::Mul, args, w)
    }

    /// Returns how both factors of a 64-bit product are extended from 32 bits, if in the same way.
    fn word_factors(&self, x: Value, y: Value) -> Option<Sign> {
        let (a, b) = (self.fact(x), self.fact(y));
        let word = u64::from(u32::MAX);
        if a.hi <= word && b.hi <= word {
            Some(Sign::U)
        } else if a.signs > 32 && b.signs > 32 {
            Some(Sign::S)
        } else {
            None
        }
    }

    pub(super) fn mad(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        let (x, y, z) = (args[0], args[1], args[2]);
        if self.known(x).is_some() && self.known(y).is_none() {
            // rule: mad.swap
            return op(Op::Mad, &[y, x, z]);
        }
        if self.known(z) == Some(0) {
            // rule: mad.zero
            return op(Op::Mul, &[x, y]);
        }
        if let Some(c) = self.known(y) {
            match c {
                // rule: mad.none
                0 => return same(z),
                // rule: mad.one
                1 => return op(Op::Add, &[x, z]),
                _ => {}
            }
            if let Some(d) = self.known(x) {
                let c = self.constant(c.wrapping_mul(d), w);
                // rule: mad.constants
                return op(Op::Add, &[z, c]);
            }
        }
        if w == Width::B64 {
            if let Some(sign) = self.word_factors(x, y) {
                let (x, y) = (self.low(x, Width::B32), self.low(y, Width::B32));
                // rule: mad.wide
                return op(Op::MadWide(sign), &[x, y, z]);
            }
            if let Some(c) = self.known(y).filter(|c| c.is_power_of_two()) {
                let n = self.constant(u64::from(c.trailing_zeros()), Width::B32);
                let product = self.make(Op::Shl, &[x, n], w);
                // rule: mad.power
                return op(Op::Add, &[product, z]);
            }
        }
        self.as_words(Op::Mad, args, w)
    }

    pub(super) fn mul_wide(&mut self, sign: Sign, args: &[Value], w: Width) -> Option<Becomes> {
        let (x, y) = (args[0], args[1]);
        if let Some(b) = self.constant_right(Op::MulWide(sign), args) {
            return Some(b);
        }
        let from = self.f.width(x);
        if self.known(y) == Some(1) && (sign == Sign::U || from.bits() > 1) {
            // rule: mulwide.one
            return op(if sign == Sign::S { Op::Sext } else { Op::Zext }, &[x]);
        }
        let (a, b) = (self.fact(x), self.fact(y));
        if sign == Sign::S && a.nonnegative(from) && b.nonnegative(from) {
            // rule: mulwide.sign
            return op(Op::MulWide(Sign::U), args);
        }
        // A product that fits 32 bits becomes one of 32 bits.
        if w == Width::B64
            && sign == Sign::U
            && let Some(most) = a.hi.checked_mul(b.hi)
            && most <= u64::from(u32::MAX)
        {
            let product = self.make(Op::Mul, args, Width::B32);
            // rule: mulwide.narrow
            return op(Op::Zext, &[product]);
        }
        None
    }

    pub(super) fn mul_hi(&mut self, o: Op, args: &[Value], w: Width) -> Option<Becomes> {
        if let Some(b) = self.constant_right(o, args) {
            return Some(b);
        }
        let c = self.known(args[1]).filter(|c| o == Op::MulHi(Sign::U) && *c > 1 && c.is_power_of_two())?;
        let n = self.constant(u64::from(w.bits() - c.trailing_zeros()), Width::B32);
        // rule: mulhi.power
        op(Op::Shr(Sign::U), &[args[0], n])
    }

    pub(super) fn divide(&mut self, o: Op, sign: Sign, args: &[Value], w: Width) -> Option<Becomes> {
        let (x, y) = (args[0], args[1]);
        let quotient = matches!(o, Op::Div(_));
        let (a, b) = (self.fact(x), self.fact(y));
        if sign == Sign::S && a.nonnegative(w) && b.nonnegative(w) && b.lo > 0 {
            // rule: div.sign
            return op(if quotient { Op::Div(Sign::U) } else { Op::Rem(Sign::U) }, args);
        }
        if self.known(y) == Some(1) {
            // rule: div.one
            return if quotient { same(x) } else { constant(0) };
        }
        if sign == Sign::U && b.lo > 0 {
            if a.hi < b.lo {
                // rule: div.less
                return if quotient { constant(0) } else { same(x) };
            }
            if w == Width::B64 && a.hi <= u64::from(u32::MAX) && b.hi <= u64::from(u32::MAX) {
                let (x, y) = (self.low(x, Width::B32), self.low(y, Width::B32));
                let r = self.make(o, &[x, y], Width::B32);
                // rule: div.narrow
                return op(Op::Zext, &[r]);
            }
        }
        let c = self.known(y).filter(|c| sign == Sign::U && c.is_power_of_two())?;
        if quotient {
            let n = self.constant(u64::from(c.trailing_zeros()), Width::B32);
            // rule: div.power
            op(Op::Shr(Sign::U), &[x, n])
        } else {
            let mask = self.constant(c - 1, w);
            // rule: rem.power
            op(Op::And, &[x, mask])
        }
    }
}
