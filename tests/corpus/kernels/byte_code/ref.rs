//! The same byte-code.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (n, length) = (args.get::<i32>("n") as usize, args.get::<i32>("length") as usize);
    let code: Vec<u8> = args.buffer("code");
    let x: Vec<u32> = args.buffer("x");
    let mut y: Vec<u32> = args.buffer("y");
    for i in 0..n {
        let (mut v, mut pc) = (x[i], 0);
        while pc < length {
            match code[i * length + pc] {
                0 => v = v.wrapping_add(0x9e37_79b9),
                1 => v ^= v << 13,
                2 => v ^= v >> 17,
                3 => v = v.wrapping_mul(0x85eb_ca6b),
                4 => v = v.rotate_left(7),
                5 => v = !v,
                6 => v = v.wrapping_sub(x[n - 1 - i]),
                7 => pc += (v & 1) as usize,
                8 => v /= 3,
                9 => v = if v > 1000 { v - 1000 } else { v },
                _ => v = v.wrapping_add(pc as u32),
            }
            pc += 1;
        }
        y[i] = v;
    }
    args.set_buffer("y", &y);
}
