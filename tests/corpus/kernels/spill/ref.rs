//! Ninety values mixed with each other.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    const VALUES: usize = 90;
    let x: Vec<u32> = args.buffer("x");
    let (n, rounds) = (args.get::<i32>("n") as usize, args.get::<i32>("rounds"));
    let mut y = vec![0; x.len()];
    for i in 0..n {
        let mut v: Vec<u32> = (0..VALUES).map(|k| x[i + k * n]).collect();
        for _ in 0..rounds {
            for k in 0..VALUES {
                let mixed = v[(k + 31) % VALUES] ^ v[(k + 61) % VALUES];
                v[k] = v[k].wrapping_mul(0x9e37_79b1).wrapping_add(mixed);
            }
        }
        (0..VALUES).for_each(|k| y[i + k * n] = v[k]);
    }
    args.set_buffer("y", &y);
}
