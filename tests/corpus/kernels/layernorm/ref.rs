//! Layer normalisation of each row, in double precision.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (cols, eps) = (args.get::<i32>("cols") as usize, f64::from(args.get::<f32>("eps")));
    let (x, scale, shift): (Vec<f32>, Vec<f32>, Vec<f32>) =
        (args.buffer("x"), args.buffer("scale"), args.buffer("shift"));
    let mut y: Vec<f32> = args.buffer("y");
    for (row, out) in x.chunks(cols).zip(y.chunks_mut(cols)) {
        let mean = row.iter().copied().map(f64::from).sum::<f64>() / cols as f64;
        let variance = row.iter().map(|v| (f64::from(*v) - mean).powi(2)).sum::<f64>() / cols as f64;
        for i in 0..cols {
            let normal = (f64::from(row[i]) - mean) / (variance + eps).sqrt();
            out[i] = (normal * f64::from(scale[i]) + f64::from(shift[i])) as f32;
        }
    }
    args.set_buffer("y", &y);
}
