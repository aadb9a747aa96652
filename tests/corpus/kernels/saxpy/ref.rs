//! y = a * x + y.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (n, a) = (args.get::<i32>("n") as usize, args.get::<f32>("a"));
    let x: Vec<f32> = args.buffer("x");
    let mut y: Vec<f32> = args.buffer("y");
    for i in 0..n {
        y[i] += a * x[i];
    }
    args.set_buffer("y", &y);
}
