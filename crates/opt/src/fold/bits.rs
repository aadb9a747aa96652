//! Rules for logic, shifts and changes of width.

use raddle_ir::{Op, Sign, Value, Width};

use super::fields::CHOOSE;
use super::{Becomes, Folder, constant, op, same};

const WORD: u64 = u32::MAX as u64;

impl Folder<'_> {
    pub(super) fn and(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        if let Some(b) = self.constant_right(Op::And, args) {
            return Some(b);
        }
        let (x, y) = (args[0], args[1]);
        if x == y {
            // rule: and.same
            return same(x);
        }
        if self.is_not(x, y) {
            // rule: and.not
            return constant(0);
        }
        if let Some(c) = self.known(y) {
            // The mask clears nothing.
            if !c & !self.fact(x).zeros & w.mask() == 0 {
                // rule: and.covers
                return same(x);
            }
            if let Some(inner) = self.is(x, Op::And)
                && let Some(d) = self.known(inner[1])
            {
                let c = self.constant(c & d, w);
                // rule: and.and
                return op(Op::And, &[inner[0], c]);
            }
            if w == Width::B64 && c <= WORD {
                let (x, c) = (self.low(x, Width::B32), self.constant(c, Width::B32));
                let low = self.make(Op::And, &[x, c], Width::B32);
                // rule: and.narrow
                return op(Op::Zext, &[low]);
            }
        }
        self.as_words(Op::And, args, w)
    }

    /// Whether one is the complement of the other.
    fn is_not(&self, x: Value, y: Value) -> bool {
        self.is(x, Op::Not).is_some_and(|i| i[0] == y) || self.is(y, Op::Not).is_some_and(|i| i[0] == x)
    }

    pub(super) fn or(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        if let Some(b) = self.constant_right(Op::Or, args) {
            return Some(b);
        }
        let (x, y) = (args[0], args[1]);
        if x == y {
            // rule: or.same
            return same(x);
        }
        if self.is_not(x, y) {
            // rule: or.not
            return constant(w.mask());
        }
        if let Some(c) = self.known(y)
            && c & !self.fact(x).ones == 0
        {
            // rule: or.covers
            return same(x);
        }
        if let Some(b) = self.join_halves(x, y, w).or_else(|| self.choice_of_bits(x, y, w)) {
            return Some(b);
        }
        self.as_words(Op::Or, args, w)
    }

    /// Rewrites the bits of one value where a mask is one, joined to those of another where it is zero: a
    /// copied sign, a replaced field.
    fn choice_of_bits(&mut self, x: Value, y: Value, w: Width) -> Option<Becomes> {
        let masked = |v: Value| {
            let inner = self.is(v, Op::And).filter(|_| self.once(v))?;
            Some((inner[0], self.known(inner[1])?))
        };
        let ((x, mask), (y, rest)) = (masked(x)?, masked(y)?);
        if w != Width::B32 || mask != !rest & w.mask() {
            return None;
        }
        let mask = self.constant(mask, w);
        // rule: or.choose
        op(Op::Lop3(CHOOSE), &[x, mask, y])
    }

    /// Rewrites the sum of a low and a high half as a pack, and shifts of two values that meet as a
    /// funnel shift.
    pub(super) fn join_halves(&mut self, x: Value, y: Value, w: Width) -> Option<Becomes> {
        for (x, y) in [(x, y), (y, x)] {
            if w == Width::B64
                && let Some(parts) = self.is(y, Op::Pack)
                && parts.len() == 2
                && self.known(parts[0]) == Some(0)
                && self.fact(x).hi <= WORD
            {
                let low = self.low(x, Width::B32);
                // rule: join.pack
                return op(Op::Pack, &[low, parts[1]]);
            }
            if let Some(b) = self.rotation(x, y, w) {
                return Some(b);
            }
            let (Some((Op::Shl, a)), Some((Op::Shr(Sign::U), b))) = (self.def(x), self.def(y)) else { continue };
            let (Some(n), Some(m)) = (self.known(a[1]), self.known(b[1])) else { continue };
            if n == 0 || m == 0 || n + m != u64::from(w.bits()) {
                continue;
            }
            if w == Width::B32 {
                // rule: join.funnel
                return op(Op::ShfL, &[b[0], a[0], a[1]]);
            }
        }
        None
    }

    pub(super) fn xor(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        if let Some(b) = self.constant_right(Op::Xor, args) {
            return Some(b);
        }
        let (x, y) = (args[0], args[1]);
        if x == y {
            // rule: xor.same
            return constant(0);
        }
        match self.known(y) {
            // rule: xor.zero
            Some(0) => return same(x),
            // rule: xor.ones
            Some(c) if c == w.mask() => return op(Op::Not, &[x]),
            Some(c) => {
                if let Some(inner) = self.is(x, Op::Xor)
                    && let Some(d) = self.known(inner[1])
                {
                    let c = self.constant(c ^ d, w);
                    // rule: xor.xor
                    return op(Op::Xor, &[inner[0], c]);
                }
            }
            None => {}
        }
        for (x, y) in [(x, y), (y, x)] {
            if let Some(inner) = self.is(x, Op::Xor) {
                if inner[0] == y {
                    // rule: xor.back
                    return same(inner[1]);
                }
                if inner[1] == y {
                    // rule: xor.back
                    return same(inner[0]);
                }
            }
        }
        if let Some(b) = self.join_halves(x, y, w) {
            return Some(b);
        }
        self.as_words(Op::Xor, args, w)
    }

    pub(super) fn not(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        match self.def(args[0]) {
            // rule: not.not
            Some((Op::Not, inner)) => same(inner[0]),
            // rule: not.icmp
            Some((Op::Icmp(cond, sign), inner)) if self.once(args[0]) => op(Op::Icmp(cond.inverse()?, sign), &inner),
            _ => self.as_words(Op::Not, args, w),
        }
    }

    pub(super) fn shl(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        let (x, n) = (args[0], self.known(args[1])?);
        let bits = u64::from(w.bits());
        if n == 0 {
            // rule: shl.none
            return same(x);
        }
        if n >= bits {
            // rule: shl.all
            return constant(0);
        }
        match self.def(x) {
            Some((Op::Shl, inner)) => {
                if let Some(m) = self.known(inner[1]) {
                    let by = self.constant((n + m).min(bits), Width::B32);
                    // rule: shl.shl
                    return op(Op::Shl, &[inner[0], by]);
                }
            }
            Some((Op::Shr(_), inner)) if self.known(inner[1]) == Some(n) => {
                let mask = self.constant(w.mask() << n, w);
                // rule: shl.mask
                return op(Op::And, &[inner[0], mask]);
            }
            _ => {}
        }
        if w == Width::B64 {
            if n >= 32 {
                let low = self.low(x, Width::B32);
                let by = self.constant(n - 32, Width::B32);
                let high = self.make(Op::Shl, &[low, by], Width::B32);
                let zero = self.constant(0, Width::B32);
                // rule: shl.high
                return op(Op::Pack, &[zero, high]);
            }
            let fact = self.fact(x);
            if fact.hi <= WORD >> n {
                let low = self.low(x, Width::B32);
                let low = self.make(Op::Shl, &[low, args[1]], Width::B32);
                // rule: shl.narrow
                return op(Op::Zext, &[low]);
            }
            let sign = if fact.hi <= WORD {
                Sign::U
            } else if fact.signs > 32 && n < 31 {
                Sign::S
            } else {
                return None;
            };
            let (low, factor) = (self.low(x, Width::B32), self.constant(1 << n, Width::B32));
            // rule: shl.wide
            return op(Op::MulWide(sign), &[low, factor]);
        }
        if w == Width::B16
            && let Some(words) = self.words_of(&[x])
        {
            let r = self.make(Op::Shl, &[words[0], args[1]], Width::B32);
            // rule: shl.words
            return op(Op::Trunc, &[r]);
        }
        None
    }

    pub(super) fn shr(&mut self, sign: Sign, args: &[Value], w: Width) -> Option<Becomes> {
        let x = args[0];
        let fact = self.fact(x);
        if sign == Sign::S && fact.nonnegative(w) {
            // rule: shr.sign
            return op(Op::Shr(Sign::U), args);
        }
        let n = self.known(args[1])?;
        let bits = u64::from(w.bits());
        if n == 0 {
            // rule: shr.none
            return same(x);
        }
        if n >= bits {
            let most = self.constant(bits - 1, Width::B32);
            // rule: shr.all
            return if sign == Sign::U { constant(0) } else { op(Op::Shr(Sign::S), &[x, most]) };
        }
        match self.def(x) {
            Some((Op::Shr(s), inner)) if s == sign => {
                if let Some(m) = self.known(inner[1]) {
                    let by = self.constant((n + m).min(bits), Width::B32);
                    // rule: shr.shr
                    return op(Op::Shr(sign), &[inner[0], by]);
                }
            }
            Some((Op::Shl, inner)) if self.known(inner[1]) == Some(n) => {
                if sign == Sign::U {
                    let mask = self.constant(w.mask() >> n, w);
                    // rule: shr.mask
                    return op(Op::And, &[inner[0], mask]);
                }
                if w == Width::B32 {
                    // rule: shr.extlow
                    return op(Op::ExtLow(Sign::S, (bits - n) as u8), &inner[..1]);
                }
                if w == Width::B64 && n == 32 {
                    let low = self.low(inner[0], Width::B32);
                    // rule: shr.sext
                    return op(Op::Sext, &[low]);
                }
            }
            _ => {}
        }
        let extend = if sign == Sign::S { Op::Sext } else { Op::Zext };
        if w == Width::B64 {
            if n >= 32 {
                let (high, by) = (self.high(x), self.constant(n - 32, Width::B32));
                let r = self.make(Op::Shr(sign), &[high, by], Width::B32);
                // rule: shr.high
                return op(extend, &[r]);
            }
            if (sign == Sign::U && fact.hi <= WORD) || (sign == Sign::S && fact.signs > 32) {
                let low = self.low(x, Width::B32);
                let r = self.make(Op::Shr(sign), &[low, args[1]], Width::B32);
                // rule: shr.narrow
                return op(extend, &[r]);
            }
        }
        if w == Width::B16
            && let Some(words) = self.words_of(&[x])
        {
            let word = self.fact(words[0]);
            if (sign == Sign::U && word.hi <= 0xffff) || (sign == Sign::S && word.signs > 16) {
                let r = self.make(Op::Shr(sign), &[words[0], args[1]], Width::B32);
                // rule: shr.words
                return op(Op::Trunc, &[r]);
            }
        }
        None
    }

    pub(super) fn trunc(&mut self, x: Value, w: Width) -> Option<Becomes> {
        let (o, inner) = self.def(x)?;
        let first = inner.first().map(|&v| self.f.width(v));
        match o {
            // rule: trunc.trunc
            Op::Trunc => return op(Op::Trunc, &inner),
            Op::Zext | Op::Sext => {
                return match first?.cmp(&w) {
                    // rule: trunc.same
                    std::cmp::Ordering::Equal => same(inner[0]),
                    // rule: trunc.extend
                    std::cmp::Ordering::Less => op(o, &inner),
                    // rule: trunc.cut
                    std::cmp::Ordering::Greater => op(Op::Trunc, &inner),
                };
            }
            // rule: trunc.pack
            Op::Pack if first? == w => return same(inner[0]),
            // rule: trunc.part
            Op::Pack if first? > w => return op(Op::Trunc, &inner[..1]),
            _ => {}
        }
        if w != Width::B32 || self.f.width(x) != Width::B64 {
            return None;
        }
        // 64-bit operations of which only the lower half is used.
        match o {
            Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Not | Op::Neg | Op::Mad if self.once(x) => {
                let args: Vec<Value> = inner.iter().map(|&v| self.low(v, w)).collect();
                // rule: trunc.low
                op(o, &args)
            }
            // rule: trunc.mulwide
            Op::MulWide(_) if self.once(x) => op(Op::Mul, &inner),
            Op::MadWide(_) if self.once(x) => {
                let c = self.low(inner[2], w);
                // rule: trunc.madwide
                op(Op::Mad, &[inner[0], inner[1], c])
            }
            Op::Shl if self.once(x) && self.known(inner[1]).is_some() => {
                let low = self.low(inner[0], w);
                // rule: trunc.shl
                op(Op::Shl, &[low, inner[1]])
            }
            Op::Select if self.once(x) => {
                let (a, b) = (self.low(inner[1], w), self.low(inner[2], w));
                // rule: trunc.select
                op(Op::Select, &[inner[0], a, b])
            }
            _ => None,
        }
    }

    pub(super) fn zext(&mut self, x: Value, w: Width) -> Option<Becomes> {
        let from = self.f.width(x);
        match self.def(x) {
            // rule: zext.zext
            Some((Op::Zext, inner)) => return op(Op::Zext, &inner),
            Some((Op::Trunc, inner)) => {
                let wide = self.f.width(inner[0]);
                if self.fact(inner[0]).hi <= from.mask() && wide <= Width::B64 {
                    return match wide.cmp(&w) {
                        // rule: zext.trunc
                        std::cmp::Ordering::Equal => same(inner[0]),
                        // rule: zext.trunc
                        std::cmp::Ordering::Less => op(Op::Zext, &inner),
                        // rule: zext.trunc
                        std::cmp::Ordering::Greater => op(Op::Trunc, &inner),
                    };
                }
                if w == Width::B32 && wide <= Width::B64 {
                    let (word, mask) = (self.low(inner[0], w), self.constant(from.mask(), w));
                    // rule: zext.mask
                    return op(Op::And, &[word, mask]);
                }
            }
            _ => {}
        }
        if from == Width::B16 && w == Width::B64 {
            let word = self.make(Op::Zext, &[x], Width::B32);
            // rule: zext.steps
            return op(Op::Zext, &[word]);
        }
        None
    }

    pub(super) fn sext(&mut self, x: Value, w: Width) -> Option<Becomes> {
        let from = self.f.width(x);
        if self.fact(x).nonnegative(from) {
            // rule: sext.sign
            return op(Op::Zext, &[x]);
        }
        match self.def(x) {
            // rule: sext.sext
            Some((Op::Sext, inner)) => return op(Op::Sext, &inner),
            Some((Op::Trunc, inner)) => {
                let wide = self.f.width(inner[0]);
                if wide <= Width::B64 && self.fact(inner[0]).signs > wide.bits() - from.bits() {
                    return match wide.cmp(&w) {
                        // rule: sext.trunc
                        std::cmp::Ordering::Equal => same(inner[0]),
                        // rule: sext.trunc
                        std::cmp::Ordering::Less => op(Op::Sext, &inner),
                        // rule: sext.trunc
                        std::cmp::Ordering::Greater => op(Op::Trunc, &inner),
                    };
                }
                if w == Width::B32 && from == Width::B16 && wide <= Width::B64 {
                    let word = self.low(inner[0], w);
                    // rule: sext.extlow
                    return op(Op::ExtLow(Sign::S, 16), &[word]);
                }
            }
            _ => {}
        }
        if from == Width::B16 && w == Width::B64 {
            let word = self.make(Op::Sext, &[x], Width::B32);
            // rule: sext.steps
            return op(Op::Sext, &[word]);
        }
        None
    }

    pub(super) fn ext_low(&mut self, sign: Sign, n: u8, x: Value, w: Width) -> Option<Becomes> {
        if sign == Sign::U {
            let mask = self.constant((1 << n) - 1, w);
            // rule: extlow.mask
            return op(Op::And, &[x, mask]);
        }
        if self.fact(x).signs > w.bits() - u32::from(n) {
            // rule: extlow.none
            return same(x);
        }
        match self.def(x) {
            // A mask that keeps the bits in question has no effect.
            Some((Op::And, inner)) if self.known(inner[1]).is_some_and(|c| c & ((1 << n) - 1) == (1 << n) - 1) => {
                // rule: extlow.and
                op(Op::ExtLow(sign, n), &inner[..1])
            }
            _ => None,
        }
    }

    pub(super) fn pack(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        // All parts of one value in order are that value.
        if let raddle_ir::ValueDef::Result(u, _) = self.f.values[args[0]].def
            && self.f.insts[u].op == Op::Unpack
            && self.f.insts[u].results.as_slice() == args
        {
            // rule: pack.parts
            return same(self.f.insts[u].args[0]);
        }
        if args.len() != 2 || w > Width::B64 {
            return None;
        }
        if let Some(low) = self.is(args[0], Op::Trunc)
            && self.f.width(low[0]) == w
            && let raddle_ir::ValueDef::Result(u, 1) = self.f.values[args[1]].def
            && self.f.insts[u].op == Op::Unpack
            && self.f.insts[u].args[0] == low[0]
        {
            // rule: pack.parts
            return same(low[0]);
        }
        if w == Width::B64 {
            if self.known(args[1]) == Some(0) {
                // rule: pack.zext
                return op(Op::Zext, &args[..1]);
            }
            if let Some(inner) = self.is(args[1], Op::Shr(Sign::S))
                && inner[0] == args[0]
                && self.known(inner[1]) == Some(31)
            {
                // rule: pack.sext
                return op(Op::Sext, &args[..1]);
            }
        }
        if self.f.width(args[0]) == Width::B16 { self.pair(args) } else { None }
    }
}
