//! The number of elements below each key.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let sorted: Vec<u32> = args.buffer("sorted");
    let keys: Vec<u32> = args.buffer("keys");
    let places: Vec<i32> = keys.iter().map(|key| sorted.partition_point(|v| v < key) as i32).collect();
    args.set_buffer("places", &places);
}
