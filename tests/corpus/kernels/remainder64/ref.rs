//! Remainders and greatest common divisors.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (a, b): (Vec<u64>, Vec<u64>) = (args.buffer("a"), args.buffer("b"));
    let (mut u, mut s, mut g) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (&a, &b)) in a.iter().zip(&b).enumerate() {
        let (mut x, mut y) = (a, (b >> (i & 63)).max(1));
        u.push(x % y);
        s.push((x as i64).wrapping_rem(if y == u64::MAX { 3 } else { y as i64 }));
        while y != 0 {
            (x, y) = (y, x % y);
        }
        g.push(x);
    }
    args.set_buffer("u", &u);
    args.set_buffer("s", &s);
    args.set_buffer("g", &g);
}
