//! Adds to what the bins held before.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let x: Vec<u32> = args.buffer("x");
    let mut bins: Vec<u32> = args.buffer("bins");
    for value in &x[..n] {
        bins[(value.wrapping_mul(2_654_435_769) >> 26) as usize] += 1;
    }
    args.set_buffer("bins", &bins);
}
