//! Euclid's algorithm.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let x: Vec<u32> = args.buffer("x");
    let gcd = |mut a: u32, mut b: u32| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let y: Vec<u32> = (0..x.len()).map(|i| gcd(x[i], x[(i + 1) % x.len()]) + 1000 * gcd(x[i], 360)).collect();
    args.set_buffer("y", &y);
}
