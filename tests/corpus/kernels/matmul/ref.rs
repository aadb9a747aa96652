//! C = A * B, summed in the kernel's order: along k, with zeros up to the end of the last tile.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let (a, b): (Vec<f32>, Vec<f32>) = (args.buffer("a"), args.buffer("b"));
    let mut c: Vec<f32> = args.buffer("c");
    for row in 0..n {
        for col in 0..n {
            c[row * n + col] = (0..n).fold(0.0, |sum, k| sum + a[row * n + k] * b[k * n + col]);
        }
    }
    args.set_buffer("c", &c);
}
