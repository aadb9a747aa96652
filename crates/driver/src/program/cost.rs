//! Estimates the compile time of a function from its text, for the order of a first build.
//!
//! **Problem.** The costliest kernels are started first, before any body is read. **Strategy.** One
//! scan over the bytes of the body counts statements and basic blocks; the estimate is a product of
//! powers of both. The next build uses the measured cost instead ([`crate::program::history`]).
//! Longest-first scheduling needs little precision.
//!
//! **Invariants.** A pure function of the text, linear in it. A comment with semicolons in it only
//! makes the estimate worse.

use memchr::{memchr_iter, memchr2_iter};

/// The size of a function, counted in its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Statements, including declarations of registers.
    pub statements: usize,
    /// Basic blocks: the first one, one for each label, and one after each branch under a guard.
    pub blocks: usize,
}

impl Size {
    /// Counts in the text of a body, including braces.
    pub fn of(body: &str) -> Size {
        let bytes = body.as_bytes();
        let mut blocks = 1;
        for at in memchr2_iter(b':', b'@', bytes) {
            blocks += usize::from(match bytes[at] {
                b':' => ends_label(bytes, at),
                _ => guards_branch(&bytes[at + 1..]),
            });
        }
        // Counted apart: there are many more of them.
        Size { statements: memchr_iter(b';', bytes).count(), blocks }
    }

    /// The estimated cost in microseconds of CPU time on the machine that [`FIT`] was measured on;
    /// at least 1.
    pub fn cost(self) -> u64 {
        (FIT.guess(self) as u64).max(1)
    }
}

/// A model: `scale * (statements + start)^p * blocks^q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Microseconds.
    pub scale: f64,
    /// Statements that even an empty kernel counts for.
    pub start: usize,
    /// The exponent of statements.
    pub statements: f64,
    /// The exponent of basic blocks.
    pub blocks: f64,
}

impl Fit {
    /// The estimate for this size, in microseconds.
    pub fn guess(&self, size: Size) -> f64 {
        let power = |n: usize, exponent: f64| (n.max(1) as f64).powf(exponent);
        self.scale * power(size.statements + self.start, self.statements) * power(size.blocks, self.blocks)
    }
}

/// Least squares of the logarithms of CPU times (release build, -O3, least of three rounds, all
/// tables made before) of 222 kernels of the corpus, ours and those of producers, that compile and
/// call nothing; measured by `cargo campaign fit-costs`. Once scaled, the estimate is wrong by a
/// factor of 1.26 in the median and above 2.46 for one kernel in ten; for statements^1.3 these are
/// 1.39 and 2.67.
pub const FIT: Fit = Fit { scale: 9.2, start: 20, statements: 1.105, blocks: 0.076 };

/// The longest name that is scanned: PTX names are shorter, and the limit keeps the count linear
/// for any text.
const NAME: usize = 1024;

/// Whether the colon at `at` ends a label: only a name precedes it in its line, and a blank or the
/// end follows it.
fn ends_label(bytes: &[u8], at: usize) -> bool {
    if bytes.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace()) {
        return false;
    }
    let before = &bytes[at.saturating_sub(NAME)..at];
    let named = |b: &&u8| b.is_ascii_alphanumeric() || matches!(**b, b'_' | b'$' | b'%');
    let name = before.iter().rev().take_while(named).count();
    let rest = &before[..before.len() - name];
    let indent = rest.iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
    name > 0 && indent.is_none_or(|b| matches!(b, b'\n' | b'\r' | b';' | b':' | b'{' | b'}'))
}

/// Whether the text after an `@` is a predicate and a branch.
fn guards_branch(bytes: &[u8]) -> bool {
    let word = bytes.iter().take(NAME).take_while(|b| !b.is_ascii_whitespace()).count();
    let rest = &bytes[word..];
    let gap = rest.iter().take(NAME).take_while(|b| b.is_ascii_whitespace()).count();
    rest[gap..].starts_with(b"bra")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(body: &str) -> (usize, usize) {
        let Size { statements, blocks } = Size::of(body);
        (statements, blocks)
    }

    #[test]
    fn statements_labels_and_guarded_branches_are_counted() {
        assert_eq!((size(""), size("{ ret; }")), ((0, 1), (1, 1)));
        let nvcc = "{\n\t.reg .pred \t%p<2>;\n\t@%p1 bra \t$L__BB0_2;\n\tbra.uni $L__BB0_3;\n$L__BB0_2:\n\tret;\n\n$L__BB0_3: // end\n\tret;\n}";
        assert_eq!(size(nvcc), (5, 4));
        assert_eq!(size("{ @!p bra.uni L; a: b: L:\n{c:}\n@p ret; }"), (2, 5), "labels may stand in one line");
        // These are no blocks: qualified names, colons in comments, other guarded instructions.
        let none =
            "{ ld.shared::cta.u32 %r1, [%rd1]; // f.py:12:34 what: else\n// inputs: a\n@%p1 st.global::x [a], %r1;@";
        assert_eq!(size(none), (2, 1));
        // The count is linear even in a text without the end of a name.
        let long = format!("{}:", "a".repeat(1 << 20)).repeat(2);
        assert_eq!(size(&long).0, 0);
    }

    #[test]
    fn more_text_and_more_blocks_cost_more() {
        let cost = |statements, blocks| Size { statements, blocks }.cost();
        assert!(cost(0, 1) >= 1);
        let bodies = [(0, 1), (20, 1), (200, 1), (200, 9), (2000, 9), (2000, 300)];
        let costs = bodies.map(|(statements, blocks)| cost(statements, blocks));
        assert!(costs.is_sorted_by(|a, b| a < b), "{costs:?}");
        assert!(cost(usize::MAX / 2, usize::MAX / 2) > 1 << 40, "no overflow");
    }
}
