//! 64-bit arithmetic that wraps.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let x: Vec<u64> = args.buffer("x");
    let mut y: Vec<u64> = args.buffer("y");
    for i in 0..n {
        let (v, w) = (x[i], x[n - 1 - i]);
        let mut r = v.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(w);
        r ^= ((u128::from(v) * u128::from(w)) >> 64) as u64;
        r = r.rotate_left(23);
        r = r.wrapping_add(((v as i64) >> (w & 63)) as u64);
        r ^= w << (v & 31);
        if (v as i64) < (w as i64) {
            r = r.wrapping_sub(w);
        }
        if v < w {
            r = !r;
        }
        y[i] = (r % 1_000_003).wrapping_add(r >> 20);
    }
    args.set_buffer("y", &y);
}
