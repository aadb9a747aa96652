//! A stable sort of every block of 256 keys.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    const BLOCK: usize = 256;
    let (keys, values): (Vec<u32>, Vec<i32>) = (args.buffer("keys"), args.buffer("values"));
    let mut pairs: Vec<(u32, i32)> = keys.into_iter().zip(values).collect();
    pairs.chunks_mut(BLOCK).for_each(|block| block.sort_by_key(|pair| pair.0));
    let (keys, values): (Vec<u32>, Vec<i32>) = pairs.into_iter().unzip();
    args.set_buffer("sorted_keys", &keys);
    args.set_buffer("sorted_values", &values);
}
