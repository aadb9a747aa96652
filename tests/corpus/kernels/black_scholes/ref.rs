//! The same formulas in double precision: the bound of the launch covers what f32 loses.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (price, strike): (Vec<f32>, Vec<f32>) = (args.buffer("price"), args.buffer("strike"));
    let years: Vec<f32> = args.buffer("years");
    let (rate, volatility) = (f64::from(args.get::<f32>("rate")), f64::from(args.get::<f32>("volatility")));
    let mut call = Vec::new();
    let mut put = Vec::new();
    for ((&s, &x), &t) in price.iter().zip(&strike).zip(&years) {
        let (s, x, t) = (f64::from(s), f64::from(x), f64::from(t));
        let d1 = ((s / x).ln() + (rate + 0.5 * volatility * volatility) * t) / (volatility * t.sqrt());
        let d2 = d1 - volatility * t.sqrt();
        let (n1, n2) = (distribution(d1), distribution(d2));
        let discounted = x * (-rate * t).exp();
        call.push((s * n1 - discounted * n2) as f32);
        put.push((discounted * (1.0 - n2) - s * (1.0 - n1)) as f32);
    }
    args.set_buffer("call", &call);
    args.set_buffer("put", &put);
}

/// The normal distribution by the kernel's polynomial, whose own error is below 1e-7.
fn distribution(d: f64) -> f64 {
    let a = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
    let polynomial = a.iter().rev().fold(0.0, |sum, a| k * (a + sum));
    let tail = 0.398_942_28 * (-0.5 * d * d).exp() * polynomial;
    if d > 0.0 { 1.0 - tail } else { tail }
}
