//! Bits of machine words.

/// Returns a mask of the low `bits` bits; `bits` is 1 to 64.
pub fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}
