//! The exponential and logarithm of the standard library.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (x, y): (Vec<f64>, Vec<f64>) = (args.buffer("x"), args.buffer("y"));
    let e: Vec<f64> = x.iter().map(|x| x.exp()).collect();
    let l: Vec<f64> = y.iter().map(|y| y.ln()).collect();
    args.set_buffer("e", &e);
    args.set_buffer("l", &l);
}
