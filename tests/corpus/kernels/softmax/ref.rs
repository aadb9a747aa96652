//! Softmax of each row, in double precision.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let cols = args.get::<i32>("cols") as usize;
    let x: Vec<f32> = args.buffer("x");
    let mut y: Vec<f32> = args.buffer("y");
    for (row, out) in x.chunks(cols).zip(y.chunks_mut(cols)) {
        let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = row.iter().map(|v| f64::from(v - top).exp()).sum();
        for (value, out) in row.iter().zip(out) {
            *out = (f64::from(value - top).exp() / sum) as f32;
        }
    }
    args.set_buffer("y", &y);
}
