//! Bit tricks from the CUDA programming guide's definitions.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let x: Vec<u32> = args.buffer("x");
    let mut y: Vec<u32> = args.buffer("y");
    for i in 0..n {
        let (v, w) = (x[i], x[(i + 1) % n]);
        let first = if w == 0 { 0 } else { w.trailing_zeros() + 1 };
        let mut r = v.count_ones() + 33 * v.leading_zeros() + 1089 * first;
        r ^= v.reverse_bits();
        let selector = 0x5140 ^ (w & 0x2222);
        let bytes = (u64::from(w) << 32 | u64::from(v)).to_le_bytes();
        let permuted: [u8; 4] = std::array::from_fn(|k| bytes[(selector >> (4 * k) & 7) as usize]);
        r = r.wrapping_add(u32::from_le_bytes(permuted));
        r ^= ((u64::from(w) << 32 | u64::from(v)) << (v & 31) >> 32) as u32;
        r = r.wrapping_add(v.count_ones() + w.count_ones() + (u64::from(w) << (v & 15)).leading_zeros());
        y[i] = r.wrapping_add(((u64::from(v) * u64::from(w)) >> 32) as u32);
    }
    args.set_buffer("y", &y);
}
