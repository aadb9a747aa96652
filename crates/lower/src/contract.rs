//! Contraction: a product and its sum become one `fma`, rounded once, where `--fmad` allows it.
//!
//! Problem: in PTX `.rn` requires a product or sum to be rounded separately, and no rounding
//! modifier leaves it open (PTX ISA 9.0, 9.7.3.3: "mul/add sequences with no rounding modifiers may
//! be optimized to use fused-multiply-add"); `ir` has rounding modes only. Strategy: lowering,
//! which still sees the modifier, marks the products that may be contracted and checks the operands
//! of every open sum. As in "ptxas 13.0.88 output": not at -O0, in every format, only with equal
//! `.ftz`, never a clamped product, and a product with several uses is contracted into each.
//!
//! Invariant: an instruction with a rounding modifier is never part of a contraction.

use raddle_ir::{Fty, Ftz, Op as I, Rnd, Sat, Value};

use crate::build::Lower;

impl Lower<'_> {
    /// Marks an unclamped product without rounding modifier.
    pub(crate) fn open_product(&mut self, product: Value) {
        if self.contraction.on {
            self.contraction.products[product] = true;
        }
    }

    /// Returns `a + b`, or `a - b`, as one `fma` if one of them is a marked product, else `None`.
    pub(crate) fn contracted(
        &mut self,
        fty: Fty,
        ftz: Ftz,
        sat: Sat,
        [a, b]: [Value; 2],
        minus: bool,
    ) -> Option<Value> {
        let factors = |l: &Self, v: Value| {
            let (inst, op) = l.f.def(v)?;
            (l.contraction.products[v] && op == I::Fmul(fty, Rnd::Rn, ftz, Sat::No))
                .then(|| [l.f.insts[inst].args[0], l.f.insts[inst].args[1]])
        };
        let negated = |l: &mut Self, v: Value| {
            if minus { l.emit(I::Fneg(fty, Ftz::No), &[v], fty.width()) } else { v }
        };
        let args = if let Some([x, y]) = factors(self, a) {
            [x, y, negated(self, b)]
        } else {
            let [x, y] = factors(self, b)?;
            [negated(self, x), y, a]
        };
        Some(self.emit(I::Ffma(fty, Rnd::Rn, ftz, sat), &args, fty.width()))
    }
}
