//! A switch of eight ways in a loop, one of which leaves it.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let x: Vec<u32> = args.buffer("x");
    let steps = args.get::<i32>("steps");
    let y: Vec<u32> = x.iter().zip(0u32..).map(|(&x, i)| walk(x, i, steps)).collect();
    args.set_buffer("y", &y);
}

fn walk(mut v: u32, i: u32, steps: i32) -> u32 {
    let mut step = 0u32;
    while (step as i32) < steps {
        step += 1;
        v = match v & 7 {
            0 | 7 => v.wrapping_add(1_640_531_527),
            1 => v ^ v >> 3,
            2 => v,
            3 => !v,
            4 if v as i32 >= 0 => v << 1 | 1,
            5 => break,
            _ => (v >> 1).wrapping_mul(3).wrapping_add(step),
        };
        v = v.wrapping_mul(69_069).wrapping_add(i);
    }
    v.wrapping_add(step)
}
