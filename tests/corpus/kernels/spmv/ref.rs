//! Row by row, in the order of the entries.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let rows = args.get::<i32>("rows") as usize;
    let (start, cols): (Vec<u32>, Vec<u32>) = (args.buffer("start"), args.buffer("cols"));
    let (values, x): (Vec<f32>, Vec<f32>) = (args.buffer("values"), args.buffer("x"));
    let mut y: Vec<f32> = args.buffer("y");
    for row in 0..rows {
        let entries = start[row] as usize..start[row + 1] as usize;
        y[row] = entries.fold(0.0, |sum, k| sum + values[k] * x[cols[k] as usize]);
    }
    args.set_buffer("y", &y);
}
