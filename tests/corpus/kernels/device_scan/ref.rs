//! Running sums, and the descriptors that the tiles leave.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    const TILE: usize = 256;
    const PADDING: usize = 32;
    const INCLUSIVE: u64 = 101;
    let input: Vec<i32> = args.buffer("in");
    let mut sum = 0i32;
    let running = input.iter().map(|x| {
        sum = sum.wrapping_add(*x);
        sum
    });
    let out: Vec<i32> = running.collect();
    args.set_buffer("out", &out);
    // A descriptor holds a status and the sum up to its tile; the last tile is filled up with its
    // first element.
    let mut descriptors = vec![0; PADDING];
    let mut sum = 0i32;
    for tile in input.chunks(TILE) {
        let filled = tile.iter().chain(std::iter::repeat_n(&tile[0], TILE - tile.len()));
        sum = filled.fold(sum, |sum, x| sum.wrapping_add(*x));
        descriptors.push(INCLUSIVE | u64::from(sum as u32) << 32);
    }
    args.set_buffer("descriptors", &descriptors);
}
