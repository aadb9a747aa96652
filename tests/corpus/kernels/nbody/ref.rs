//! Accelerations in double precision.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (n, soft) = (args.get::<i32>("n") as usize, f64::from(args.get::<f32>("soft")));
    let bodies: Vec<f32> = args.buffer("bodies");
    let body = |i: usize| -> [f64; 4] { std::array::from_fn(|k| bodies[4 * i + k].into()) };
    let mut acc: Vec<f32> = args.buffer("acc");
    for i in 0..n {
        let (me, mut sum) = (body(i), [0.0; 3]);
        for j in 0..n {
            let other = body(j);
            let d: [f64; 3] = std::array::from_fn(|k| other[k] - me[k]);
            let square = d.iter().map(|v| v * v).sum::<f64>() + soft;
            (0..3).for_each(|k| sum[k] += d[k] * other[3] / (square * square.sqrt()));
        }
        (0..3).for_each(|k| acc[4 * i + k] = sum[k] as f32);
    }
    args.set_buffer("acc", &acc);
}
