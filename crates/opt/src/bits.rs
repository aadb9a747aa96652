//! Dense sets of small numbers, for data flow.

/// A set of numbers below a bound that is fixed at construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// Returns the empty set of numbers below `n`.
    pub fn none(n: usize) -> Bits {
        Bits(vec![0; n.div_ceil(64)])
    }

    /// Returns the set of all numbers below `n` (and perhaps some above, which are never queried).
    pub fn all(n: usize) -> Bits {
        Bits(vec![u64::MAX; n.div_ceil(64)])
    }

    /// Whether `n` is in the set.
    pub fn has(&self, n: u32) -> bool {
        self.0[n as usize / 64] >> (n % 64) & 1 == 1
    }

    /// Adds `n`.
    pub fn insert(&mut self, n: u32) {
        self.0[n as usize / 64] |= 1 << (n % 64);
    }

    /// Removes `n`.
    pub fn remove(&mut self, n: u32) {
        self.0[n as usize / 64] &= !(1 << (n % 64));
    }

    /// Adds the members of the other set.
    pub fn unite(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// Removes what is not in the other set.
    pub fn intersect(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }

    /// Removes the members of the other set.
    pub fn subtract(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Returns the members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let n = (bits != 0).then(|| word as u32 * 64 + bits.trailing_zeros())?;
                bits &= bits - 1;
                Some(n)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn sets_are_sets() {
        let mut a = Bits::none(130);
        [0, 63, 64, 129].into_iter().for_each(|n| a.insert(n));
        let mut b = Bits::all(130);
        b.remove(64);
        b.intersect(&a);
        assert_eq!(b.iter().collect::<Vec<_>>(), [0, 63, 129]);
        a.subtract(&b);
        assert!(a.has(64) && a.iter().eq([64]));
        a.unite(&b);
        a.clear();
        assert_eq!(a, Bits::none(130));
    }
}
