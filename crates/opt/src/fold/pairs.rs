//! Pairs of halves: one operation on a word takes the place of two on its halves.
//!
//! Problem: front ends compute on f16 and bf16 one by one and pack the results, though the same
//! instruction computes two at once, and each half takes a register of its own. Rule: the pack of
//! two results of one operation is that operation on the packs of its operands, if at most one of
//! these costs an instruction.

use raddle_ir::{Fty, Op, Value, ValueDef, Width};
use smallvec::SmallVec;

use super::{Becomes, Folder, op};

/// Deepest nesting of operations that become pairs at once.
const DEPTH: u32 = 3;

/// Low and high half of each operand.
type Halves = SmallVec<[(Value, Value); 4]>;

impl Folder<'_> {
    /// The pack of two halves as an operation on pairs.
    pub(super) fn pair(&mut self, args: &[Value]) -> Option<Becomes> {
        let (both, operands) = self.paired(args[0], args[1], DEPTH)?;
        // The operations on halves have no other uses: theirs end with them.
        for v in operands.iter().flat_map(|&(a, b)| [a, b]) {
            self.uses[v] = self.uses[v].saturating_sub(1);
        }
        let words: SmallVec<[Value; 4]> =
            operands.iter().map(|&(a, b)| self.make(Op::Pack, &[a, b], Width::B32)).collect();
        // rule: pairs
        op(both, &words)
    }

    /// The operation on pairs that computes both halves, and the halves of its operands.
    fn paired(&self, low: Value, high: Value, depth: u32) -> Option<(Op, Halves)> {
        let ((x, a), (y, b)) = (self.def(low)?, self.def(high)?);
        if depth == 0 || x != y || low == high || !self.once(low) || !self.once(high) {
            return None;
        }
        let two = |ty| match ty {
            Fty::F16 => Some(Fty::F16x2),
            Fty::Bf16 => Some(Fty::Bf16x2),
            _ => None,
        };
        let both = match x {
            Op::Fadd(ty, rnd, ftz, sat) => Op::Fadd(two(ty)?, rnd, ftz, sat),
            Op::Fmul(ty, rnd, ftz, sat) => Op::Fmul(two(ty)?, rnd, ftz, sat),
            Op::Ffma(ty, rnd, ftz, sat) => Op::Ffma(two(ty)?, rnd, ftz, sat),
            _ => return None,
        };
        let operands: Halves = a.into_iter().zip(b).collect();
        let dear = operands.iter().filter(|&&(a, b)| !self.costs_nothing(a, b, depth - 1)).count();
        (dear <= 1).then_some((both, operands))
    }

    /// Whether the pack of two halves takes no instruction.
    fn costs_nothing(&self, low: Value, high: Value, depth: u32) -> bool {
        let parts = |v: Value| match self.f.values[v].def {
            ValueDef::Result(i, n) if self.f.insts[i].op == Op::Unpack => Some((i, n)),
            _ => None,
        };
        let whole = parts(low)
            .zip(parts(high))
            .is_some_and(|((i, n), (j, m))| i == j && (n, m) == (0, 1) && self.f.insts[i].results.len() == 2);
        let constants = self.known(low).is_some() && self.known(high).is_some();
        whole || constants || self.paired(low, high, depth).is_some()
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn folded(body: &str) -> String {
        let mut f = parse(&format!("kernel k\n{body}end\n")).unwrap().remove(0);
        crate::tests::apply(super::super::run, &mut f);
        crate::tests::apply(crate::dce::run, &mut f);
        print(&f)
    }

    const HEAD: &str = "b0:\n v0: b32 = special.tid_x\n v1: b16, v2: b16 = unpack v0\n v3: b32 = special.laneid\n\
                        v4: b16, v5: b16 = unpack v3\n v6: b16 = const.16256\n";

    #[test]
    fn operations_on_halves_are_one_on_the_word() {
        let text = folded(&format!(
            "{HEAD} v7: b16 = fmul.bf16.rn v1, v4\n v8: b16 = fmul.bf16.rn v2, v4\n v9: b16 = ffma.bf16.rn v7, v5, v6\n \
             v10: b16 = ffma.bf16.rn v8, v5, v6\n v11: b32 = pack v9, v10\n warpsync v11\n exit\n"
        ));
        assert!(text.contains("fmul.bf16x2") && text.contains("ffma.bf16x2") && !text.contains("bf16.rn"), "{text}");
    }

    #[test]
    fn halves_that_must_be_packed_first_stay() {
        let crossed = "v7: b16 = fmul.bf16.rn v1, v4\n v8: b16 = fmul.bf16.rn v5, v2\n v9: b32 = pack v7, v8\n warpsync v9\n exit\n";
        assert!(folded(&format!("{HEAD} {crossed}")).contains("fmul.bf16.rn"));
        let mixed = "v7: b16 = fmul.bf16.rn v1, v4\n v8: b16 = fmul.f16.rn v2, v5\n v9: b32 = pack v7, v8\n warpsync v9\n exit\n";
        assert!(!folded(&format!("{HEAD} {mixed}")).contains("x2"));
    }
}
