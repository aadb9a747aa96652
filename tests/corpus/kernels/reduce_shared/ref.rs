//! Sums along the kernel's tree: element t takes element t + half.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let x: Vec<f32> = args.buffer("x");
    let mut sums: Vec<f32> = args.buffer("sums");
    for (block, sum) in sums.iter_mut().enumerate() {
        let mut part: Vec<f32> = (block * 128..(block + 1) * 128).map(|i| if i < n { x[i] } else { 0.0 }).collect();
        let mut half = 64;
        while half > 0 {
            for t in 0..half {
                part[t] += part[t + half];
            }
            half /= 2;
        }
        *sum = part[0];
    }
    args.set_buffer("sums", &sums);
}
