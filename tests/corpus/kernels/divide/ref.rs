//! Quotients and remainders; divisors have bit 1 set, and are not -1.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let (x, by): (Vec<u64>, Vec<u64>) = (args.buffer("x"), args.buffer("by"));
    let mut y: Vec<u64> = args.buffer("y");
    for i in 0..n {
        let (v, d) = (x[i], by[i] >> (i % 60) | 2);
        let (sv, sd) = (v as i64, d as i64);
        let (v32, d32) = (v as u32, d as u32);
        let (sv32, sd32) = (v32 as i32, d32 as i32);
        y[i] = [
            v / d,
            v % d,
            sv.wrapping_div(sd) as u64,
            sv.wrapping_rem(sd) as u64,
            (v32 / d32).into(),
            (v32 % d32).into(),
            u64::from(sv32.wrapping_div(sd32) as u32),
            u64::from(sv32.wrapping_rem(sd32) as u32),
        ]
        .iter()
        .fold(0, |r: u64, part| r.wrapping_mul(31).wrapping_add(*part));
    }
    args.set_buffer("y", &y);
}
