//! Sine and cosine in double precision, exact enough for every f32.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let x: Vec<f32> = args.buffer("x");
    let of = |f: fn(f64) -> f64| -> Vec<f32> { x.iter().map(|&x| f(f64::from(x)) as f32).collect() };
    let (s, c) = (of(f64::sin), of(f64::cos));
    args.set_buffer("s", &s);
    args.set_buffer("c", &c);
}
