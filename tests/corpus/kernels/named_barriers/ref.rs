//! Pairs of warps that exchange words and vote at separate barriers.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let x: Vec<u32> = args.buffer("x");
    let mut y = Vec::with_capacity(x.len());
    for block in x.chunks(128) {
        let mix = |v: u32, w: u32| v.wrapping_mul(31).wrapping_add(w);
        let once: Vec<u32> = (0..128).map(|t| mix(block[t ^ 63], block[t])).collect();
        let twice: Vec<u32> = (0..128).map(|t| mix(once[t], once[t ^ 63])).collect();
        let any_zero = block.contains(&0);
        let votes = |t: usize| {
            let pair = &block[t & 64..(t & 64) + 64];
            let even = pair.iter().filter(|v| *v % 2 == 0).count() as u32;
            let none_zero = pair.iter().all(|&v| v != 0);
            even + if none_zero { 100 } else { 0 } + if any_zero { 11_000 } else { 0 }
        };
        let all: Vec<u32> = (0..128).map(|t| mix(twice[t], votes(t))).collect();
        y.extend((0..128).map(|t| if t < 64 { all[t] } else { all[t] ^ all[t - 64] }));
    }
    args.set_buffer("y", &y);
}
