//! Values of the 32 lanes of a warp.

/// One value per lane.
pub type Lanes = [u32; 32];

/// Computes `f` for every lane, in a plain loop over arrays, which is vectorised.
#[inline(always)]
pub fn each<T: Copy + Default>(f: impl Fn(usize) -> T) -> [T; 32] {
    let mut v = [T::default(); 32];
    for (l, x) in v.iter_mut().enumerate() {
        *x = f(l);
    }
    v
}

/// Converts a lane mask to words that are 0 or all ones.
#[inline(always)]
pub fn spread(mask: u32) -> Lanes {
    each(|l| if mask & 1 << l != 0 { !0 } else { 0 })
}

/// Returns the mask of lanes for which `f` is true.
#[inline(always)]
pub fn mask_of(f: impl Fn(usize) -> bool) -> u32 {
    let truth: [u8; 32] = each(|l| u8::from(f(l)));
    // Eight bytes that are 0 or 1 become eight adjacent bits: the product's upper byte collects bit
    // 8i at 56+i.
    truth.as_chunks::<8>().0.iter().enumerate().fold(0, |m, (i, bytes)| {
        let word = u64::from_le_bytes(*bytes);
        m | ((word.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32) << (8 * i)
    })
}
