//! Warp by warp.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (n, limit) = (args.get::<i32>("n") as usize, args.get::<i32>("limit"));
    let x: Vec<i32> = args.buffer("x");
    let mut kept: Vec<i32> = args.buffer("kept");
    let mut counts: Vec<i32> = args.buffer("counts");
    for (warp, count) in counts.iter_mut().enumerate() {
        let own = &x[(warp * 32).min(n)..(warp * 32 + 32).min(n)];
        let above: Vec<i32> = own.iter().copied().filter(|v| *v > limit).collect();
        kept[warp * 32..warp * 32 + above.len()].copy_from_slice(&above);
        *count = above.len() as i32;
    }
    args.set_buffer("kept", &kept);
    args.set_buffer("counts", &counts);
}
