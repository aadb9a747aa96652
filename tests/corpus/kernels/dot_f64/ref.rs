//! Dot products in the kernel's order.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let (x, y): (Vec<f64>, Vec<f64>) = (args.buffer("x"), args.buffer("y"));
    let mut sums: Vec<f64> = args.buffer("sums");
    let stride = sums.len() * 64;
    for (block, sum) in sums.iter_mut().enumerate() {
        let run = |t: usize| (block * 64 + t..n).step_by(stride).fold(0.0, |sum, i| sum + x[i] * y[i]);
        let mut part: Vec<f64> = (0..64).map(run).collect();
        for half in [32, 16, 8, 4, 2, 1] {
            for t in 0..half {
                part[t] += part[t + half];
            }
        }
        *sum = part[0];
    }
    args.set_buffer("sums", &sums);
}
