//! Horner's rule with fused operations.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let x: Vec<f64> = args.buffer("x");
    let y: Vec<f64> = x
        .iter()
        .map(|&v| {
            let p = [-0.1, 0.333_333_333_333_333_3, -1.0, std::f64::consts::E]
                .iter()
                .fold(0.015625f64, |p, c| p.mul_add(v, *c));
            if p < 0.0 { p.abs() } else { p * v }
        })
        .collect();
    args.set_buffer("y", &y);
}
