//! Sums in the kernel's order: a strided run per thread, then shuffles. A lane that shuffles down
//! from beyond the warp reads itself.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    const THREADS: usize = 128;
    let n = args.get::<i32>("n") as usize;
    let x: Vec<f32> = args.buffer("x");
    let mut sums: Vec<f32> = args.buffer("sums");
    let stride = sums.len() * THREADS;
    for (block, sum) in sums.iter_mut().enumerate() {
        let own = |t: usize| (block * THREADS + t..n).step_by(stride).fold(0.0f32, |sum, i| sum + x[i]);
        let mut warps = [0.0; 32];
        for (warp, total) in warps.iter_mut().take(THREADS / 32).enumerate() {
            let mut lanes: Vec<f32> = (0..32).map(|lane| own(warp * 32 + lane)).collect();
            for d in [16, 8, 4, 2, 1] {
                lanes = (0..32).map(|l| lanes[l] + lanes[if l + d < 32 { l + d } else { l }]).collect();
            }
            *total = lanes[0];
        }
        for d in [16, 8, 4, 2, 1] {
            warps = std::array::from_fn(|l| warps[l] + warps[l ^ d]);
        }
        *sum = warps[0];
    }
    args.set_buffer("sums", &sums);
}
