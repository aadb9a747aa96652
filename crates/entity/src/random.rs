//! Reproducible pseudo-random numbers.

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): the same
/// stream for a seed on every machine. For tests, generated inputs and simulated orders; not for
/// secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// Returns the next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "the stream has no end, an iterator's next may have one")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, 0 where that is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 { 0 } else { self.next() % n }
    }

    /// Returns a number from 0 to 1, without 1, of 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix;

    /// The first numbers of seed 1234567 as the reference implementation gives them.
    #[test]
    fn the_stream_is_that_of_the_reference() {
        let mut random = SplitMix(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
