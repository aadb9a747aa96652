//! Index of the first element above the limit, -1 if there is none.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (cols, limit) = (args.get::<i32>("cols") as usize, args.get::<i32>("limit"));
    let x: Vec<i32> = args.buffer("x");
    let place = |row: &[i32]| row.iter().position(|v| *v > limit).map_or(-1, |c| c as i32);
    let first: Vec<i32> = x.chunks(cols).map(place).collect();
    args.set_buffer("first", &first);
}
