//! Sums, extremes and bits; the compare-and-swap loop adds 7 once per thread.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let x: Vec<i32> = args.buffer("x");
    let mut c: Vec<u32> = args.buffer("c");
    let mut wide: Vec<u64> = args.buffer("wide");
    for &v in &x[..n] {
        c[0] = c[0].wrapping_add(v as u32);
        c[1] = (c[1] as i32).max(v) as u32;
        c[2] = (c[2] as i32).min(v) as u32;
        c[3] = c[3].max(v as u32);
        c[4] |= 1 << (v & 31);
        c[5] ^= v as u32;
        c[6] += 7;
        c[7] = 42;
        wide[0] = wide[0].wrapping_add((i64::from(v) * i64::from(v)) as u64);
    }
    args.set_buffer("c", &c);
    args.set_buffer("wide", &wide);
}
