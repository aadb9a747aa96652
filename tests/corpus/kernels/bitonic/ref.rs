//! Sorted runs of 256.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let mut data: Vec<u32> = args.buffer("data");
    data.chunks_mut(256).for_each(<[u32]>::sort_unstable);
    args.set_buffer("data", &data);
}
