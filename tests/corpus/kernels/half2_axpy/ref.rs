//! Halves: every operation in single precision is exact or innocuous before it is rounded to half.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    use half::f16;
    let n = args.get::<i32>("n") as usize;
    let (a, x): (Vec<f16>, Vec<f16>) = (args.buffer("a"), args.buffer("x"));
    let mut y: Vec<f16> = args.buffer("y");
    for i in 0..2 * n {
        let product = a[i % 2].to_f64() * x[i].to_f64();
        y[i] = if i / 2 < n / 2 {
            f16::from_f32(f16::from_f32(product as f32).to_f32() + y[i].to_f32())
        } else {
            f16::from_f64(product + y[i].to_f64())
        };
    }
    args.set_buffer("y", &y);
}
