//! The same formula in double precision.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let x: Vec<f32> = args.buffer("x");
    let gelu = |v: f64| 0.5 * v * (1.0 + (0.7978845608 * (v + 0.044715 * v * v * v)).tanh());
    let y: Vec<f32> = x.iter().map(|v| gelu((*v).into()) as f32).collect();
    args.set_buffer("y", &y);
}
