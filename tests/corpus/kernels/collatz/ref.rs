//! Counts the steps; no number of the inputs overflows on its way.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let x: Vec<u32> = args.buffer("x");
    let mut steps: Vec<u32> = args.buffer("steps");
    for (count, &start) in steps.iter_mut().zip(&x[..n]) {
        let mut value = start;
        *count = 0;
        while value > 1 {
            value = if value % 2 == 1 { 3 * value + 1 } else { value / 2 };
            *count += 1;
        }
    }
    args.set_buffer("steps", &steps);
}
