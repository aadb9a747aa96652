//! IEEE 754 operations; all NaNs compare equal.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (x, by): (Vec<f32>, Vec<f32>) = (args.buffer("x"), args.buffer("by"));
    let quotients: Vec<f32> = x.iter().zip(&by).map(|(x, by)| x / by).collect();
    let reciprocals: Vec<f32> = by.iter().map(|by| 1.0 / by).collect();
    let roots: Vec<f32> = x.iter().map(|x| x.abs().sqrt()).collect();
    args.set_buffer("q", &quotients);
    args.set_buffer("r", &reciprocals);
    args.set_buffer("s", &roots);
}
