//! The generator of test inputs: the same numbers on every machine.

use raddle_entity::SplitMix;

/// A stream of numbers that depends only on its seed.
pub struct Rng(SplitMix);

impl Rng {
    /// Creates a separate stream for each pair of seed and stream number.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut rng = Self(SplitMix(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95)));
        rng.next();
        rng
    }

    /// 64 uniform bits.
    #[expect(clippy::should_implement_trait, reason = "the stream has no end, an iterator's next may have one")]
    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// Uniform in 0..1, 53 bits.
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// Uniform below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True in `n` of `of` cases.
    pub fn chance(&mut self, n: usize, of: usize) -> bool {
        self.below(of) < n
    }

    /// One element of a non-empty list.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
