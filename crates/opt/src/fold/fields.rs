//! Rules for bit fields and rotations.

use raddle_ir::{Op, Sign, Value, ValueDef, Width};

use super::{Becomes, Folder, constant, op, same};

/// The table of [`Op::Lop3`] that takes bits of the first operand where the mask, the second, is
/// one, else of the third.
pub(super) const CHOOSE: u8 = 0xe2;

impl Folder<'_> {
    pub(super) fn bfe(&mut self, sign: Sign, args: &[Value], w: Width) -> Option<Becomes> {
        let (pos, len) = (self.known(args[1])? & 0xff, self.known(args[2])? & 0xff);
        let bits = u64::from(w.bits());
        if len == 0 {
            // rule: bfe.empty
            return constant(0);
        }
        // A signed field at or beyond the end consists of copies of the sign: it is left to the
        // machine.
        if pos >= bits {
            return None;
        }
        if pos + len >= bits {
            let by = self.constant(pos, Width::B32);
            // rule: bfe.rest
            return op(Op::Shr(sign), &[args[0], by]);
        }
        if sign == Sign::U {
            let (by, mask) = (self.constant(pos, Width::B32), self.constant((1 << len) - 1, w));
            let low = self.make(Op::Shr(Sign::U), &[args[0], by], w);
            // rule: bfe.mask
            return op(Op::And, &[low, mask]);
        }
        if w == Width::B32 && pos == 0 {
            // rule: bfe.low
            return op(Op::ExtLow(Sign::S, len as u8), &args[..1]);
        }
        let (up, down) = (self.constant(bits - pos - len, Width::B32), self.constant(bits - len, Width::B32));
        let high = self.make(Op::Shl, &[args[0], up], w);
        // rule: bfe.shifts
        op(Op::Shr(Sign::S), &[high, down])
    }

    /// Bit field insertion at a constant position.
    pub(super) fn bfi(&mut self, args: &[Value], w: Width) -> Option<Becomes> {
        let (x, y) = (args[0], args[1]);
        let (pos, len) = (self.known(args[2])? & 0xff, self.known(args[3])? & 0xff);
        let bits = u64::from(w.bits());
        if len == 0 || pos >= bits {
            // rule: bfi.none
            return same(y);
        }
        let len = len.min(bits - pos);
        if len == bits {
            // rule: bfi.all
            return same(x);
        }
        if w == Width::B64 && pos / 32 == (pos + len - 1) / 32 {
            // The field is in one half.
            let (field, low, high) = (self.low(x, Width::B32), self.low(y, Width::B32), self.high(y));
            let (at, len) = (self.constant(pos % 32, Width::B32), self.constant(len, Width::B32));
            let (low, high) = if pos < 32 {
                (self.make(Op::Bfi, &[field, low, at, len], Width::B32), high)
            } else {
                (low, self.make(Op::Bfi, &[field, high, at, len], Width::B32))
            };
            // rule: bfi.half
            return op(Op::Pack, &[low, high]);
        }
        let field = ((1 << len) - 1) << pos;
        let by = self.constant(pos, Width::B32);
        let x = self.make(Op::Shl, &[x, by], w);
        let mask = self.constant(field, w);
        if w == Width::B32 {
            // rule: bfi.choose
            return op(Op::Lop3(CHOOSE), &[x, mask, y]);
        }
        let (x, rest) = (self.make(Op::And, &[x, mask], w), self.constant(!field, w));
        let y = self.make(Op::And, &[y, rest], w);
        // rule: bfi.masks
        op(Op::Or, &[x, y])
    }

    /// Rewrites left and right shifts of one 64-bit value that are combined as two funnel shifts,
    /// where shifts by 32 or more have become shifts of halves.
    pub(super) fn rotation(&mut self, left: Value, right: Value, w: Width) -> Option<Becomes> {
        if w != Width::B64 || !self.once(left) || !self.once(right) {
            return None;
        }
        let by = |v: Option<Value>| v.and_then(|v| self.known(v));
        let (x, n) = match self.def(left)? {
            (Op::Shl, a) => (a[0], by(a.get(1).copied())?),
            (Op::Pack, parts) if parts.len() == 2 && self.known(parts[0]) == Some(0) => {
                let inner = self.is(parts[1], Op::Shl)?;
                (self.whole(inner[0], 0)?, 32 + by(inner.get(1).copied())?)
            }
            _ => return None,
        };
        let (y, m) = match self.def(right)? {
            (Op::Shr(Sign::U), a) => (a[0], by(a.get(1).copied())?),
            (Op::Zext, a) => {
                let inner = self.is(a[0], Op::Shr(Sign::U))?;
                (self.whole(inner[0], 1)?, 32 + by(inner.get(1).copied())?)
            }
            _ => return None,
        };
        if x != y || n == 0 || m == 0 || n + m != 64 {
            return None;
        }
        let (low, high) = (self.low(x, Width::B32), self.high(x));
        let (low, high) = if n < 32 { (low, high) } else { (high, low) };
        let n = self.constant(n % 32, Width::B32);
        let new_low = self.make(Op::ShfL, &[high, low, n], Width::B32);
        let new_high = self.make(Op::ShfL, &[low, high, n], Width::B32);
        // rule: rotation
        op(Op::Pack, &[new_low, new_high])
    }

    /// Returns the 64-bit value of which `v` is the given half.
    fn whole(&self, v: Value, half: u32) -> Option<Value> {
        let ValueDef::Result(i, n) = self.f.values[v].def else { return None };
        let d = &self.f.insts[i];
        let x = *d.args.first()?;
        let is = match d.op {
            Op::Trunc => half == 0,
            Op::Unpack => n == half && d.results.len() == 2,
            _ => false,
        };
        (is && self.f.width(x) == Width::B64 && self.f.width(v) == Width::B32).then_some(x)
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn folded(body: &str) -> String {
        let head = "kernel k\n params 0:8\nb0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.0 v0\n v2: b32 = special.tid_x\n \
            v3: b64 = zext v2\n";
        let mut f = parse(&format!("{head}{body} store.global.b64.1.0 v1, v20\n exit\nend\n")).unwrap().remove(0);
        raddle_ir::verify::verify(&f).unwrap();
        crate::tests::apply(super::super::run, &mut f);
        crate::tests::apply(crate::gvn::run, &mut f);
        crate::tests::apply(crate::dce::run, &mut f);
        print(&f)
    }

    #[test]
    fn rotations_are_two_funnel_shifts() {
        for (left, right) in [(23, 41), (41, 23)] {
            let text = folded(&format!(
                " v4: b32 = const.{left}\n v5: b32 = const.{right}\n v6: b64 = shl v1, v4\n v7: b64 = shr.u v1, v5\n \
                 v20: b64 = or v6, v7\n"
            ));
            assert_eq!(text.matches("shfl_wrap").count(), 2, "{text}");
            assert_eq!(text.matches(" shl ").count() + text.matches(" shr.u ").count(), 0, "{text}");
        }
    }

    #[test]
    fn insertions_at_known_places_are_masks_and_halves() {
        let text = folded(" v4: b32 = const.32\n v20: b64 = bfi v3, v1, v4, v4\n");
        assert!(text.contains("pack ") && !text.contains("bfi") && !text.contains("lop3"), "{text}");
        let text = folded(" v4: b32 = const.40\n v5: b32 = const.8\n v20: b64 = bfi v3, v1, v4, v5\n");
        assert!(text.contains("lop3.226 ") && !text.contains("bfi"), "{text}");
        let text = folded(" v4: b32 = const.28\n v5: b32 = const.8\n v20: b64 = bfi v3, v1, v4, v5\n");
        assert!(!text.contains("bfi"), "{text}");
    }
}
