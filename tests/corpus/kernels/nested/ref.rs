//! The same loops.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (rows, cols) = (args.get::<i32>("rows") as usize, args.get::<i32>("cols") as usize);
    let x: Vec<i32> = args.buffer("x");
    let mut sums: Vec<i32> = args.buffer("sums");
    for (sum, matrix) in sums.iter_mut().zip(x.chunks(rows * cols)) {
        *sum = 0;
        for (r, row) in matrix.chunks(cols).enumerate().filter(|(_, row)| row[0] >= 0) {
            if *sum > 300 {
                break;
            }
            for (c, v) in row.iter().take_while(|v| **v != 0).enumerate().filter(|(_, v)| **v > 0) {
                *sum += v * (c as i32 + 1);
            }
            *sum ^= r as i32;
        }
    }
    args.set_buffer("sums", &sums);
}
