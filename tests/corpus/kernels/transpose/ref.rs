//! Element (c, r) is element (r, c) of the input.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (rows, cols) = (args.get::<i32>("rows") as usize, args.get::<i32>("cols") as usize);
    let input: Vec<u32> = args.buffer("in");
    let mut out: Vec<u32> = args.buffer("out");
    for r in 0..rows {
        for c in 0..cols {
            out[c * rows + r] = input[r * cols + c];
        }
    }
    args.set_buffer("out", &out);
}
