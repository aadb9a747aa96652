//! Casts of the same widths; every number is in the range of its target.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let x: Vec<f32> = args.buffer("x");
    let v: Vec<i64> = args.buffer("v");
    let ints: Vec<i32> = x.iter().map(|x| *x as i32).collect();
    let longs: Vec<i64> = x.iter().map(|x| (f64::from(*x) * 1e8) as i64).collect();
    let shorts: Vec<u16> = v.iter().map(|v| (v >> 7) as u16).collect();
    let floats: Vec<f32> = v.iter().map(|v| *v as f32 + *v as u64 as f32 + f64::from(*v as i32) as f32).collect();
    let double = |(v, x): (&i64, &f32)| *v as f64 + f64::from(*v as u32) + f64::from(*v as i8) + f64::from(*x);
    let doubles: Vec<f64> = v.iter().zip(&x).map(double).collect();
    args.set_buffer("ints", &ints);
    args.set_buffer("shorts", &shorts);
    args.set_buffer("longs", &longs);
    args.set_buffer("floats", &floats);
    args.set_buffer("doubles", &doubles);
}
