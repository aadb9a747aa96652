//! Masks of equal lanes and counts.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let x: Vec<u32> = args.buffer("x");
    let mut counts: Vec<u32> = args.buffer("counts");
    let mut masks: Vec<u32> = args.buffer("masks");
    let values: Vec<u32> = (0..masks.len()).map(|i| if i < n { x[i] } else { 15 }).collect();
    for (i, mask) in masks.iter_mut().enumerate() {
        counts[values[i] as usize] += 1;
        *mask = (0..32).filter(|lane| values[i / 32 * 32 + lane] == values[i]).fold(0, |mask, lane| mask | 1 << lane);
    }
    counts[16] = 1;
    args.set_buffer("counts", &counts);
    args.set_buffer("masks", &masks);
}
