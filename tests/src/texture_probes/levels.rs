//! Probes of levels of detail: their fractions, bias, limits, and how derivatives become one.

use super::{Array, Probe, float_texels};
use crate::rng::Rng;

/// 16 by 16 texels with five levels, each of one value: 256 times its number. A result is the level of
/// detail in units of 1/256.
fn header(rest: &str) -> String {
    format!("format r32_float\nsize 16 16\nlevels 5\nnormalized\n{rest}")
}

fn texels() -> Vec<u8> {
    float_texels((0..5usize).flat_map(|level| std::iter::repeat_n((level * 256) as f32, 256 >> (2 * level))))
}

const LEVEL: &str = "tex.level.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}], %f2;";
const GRADIENT: &str = "tex.grad.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}], {%f2, %f3}, {%f4, %f5};";
const EXACT: Array = Array { gather: false, depth: false, seamless: false, exact_levels: true };

fn given() -> Vec<Probe> {
    let steps = || (0..1024).map(|n| vec![0.5, 0.5, n as f32 * 5.5 / 1024.0 - 0.7]);
    let fine = || (0..512).map(|n| vec![0.5, 0.5, 1.0 + n as f32 / 8192.0]);
    let mut out = Vec::new();
    let fact = "how a level of detail between two levels is rounded: to 8 bits of fraction, ties upwards";
    for (name, array) in [("exact", EXACT), ("optimised", Array::default())] {
        let header = header("filter linear\nbetween-levels");
        out.push(Probe::new(&format!("lod-{name}"), fact, &header, texels(), LEVEL).array(array).floats(steps()));
        out.push(Probe::new(&format!("lod-fine-{name}"), fact, &header, texels(), LEVEL).array(array).floats(fine()));
    }
    let fact = "which level is the nearest, at halves, too";
    out.push(Probe::new("lod-nearest", fact, &header(""), texels(), LEVEL).floats(steps()));
    let fact = "in which order bias and limits act on a level of detail: bias first";
    let header_of = header("filter linear\nbetween-levels\nbias 0.3\nlod 0.7 2.6");
    out.push(Probe::new("lod-limits", fact, &header_of, texels(), LEVEL).array(EXACT).floats(steps()));
    let fact = "what odd levels of detail do: a NaN is 0";
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e-40, 1e30, -1e30, f32::from_bits(0xffc0_0001)];
    let header_of = header("filter linear\nbetween-levels");
    out.push(Probe::new("lod-odd", fact, &header_of, texels(), LEVEL).floats(odd.map(|lod| vec![0.5, 0.5, lod])));
    let fact = "which level a lookup without one reads, with a bias and a least level of detail";
    let code = "tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}];";
    for (name, rest) in [("bias", "bias 2.5"), ("least", "lod 1.25 3"), ("both", "bias 3.5\nlod 1.25 3")] {
        let header = header(&format!("filter linear\nbetween-levels\n{rest}"));
        let probe = Probe::new(&format!("lod-base-{name}"), fact, &header, texels(), code).array(EXACT);
        out.push(probe.floats([vec![0.5, 0.5]]));
    }
    let fact = "where the texels of the smaller levels are, of a size that is no power of two";
    let header = "format r32_float\nsize 13 7\nlevels 4\nnormalized\nfilter linear\nbetween-levels\nwrap clamp";
    let sizes = [13 * 7, 6 * 3, 3, 1];
    let texels = float_texels((0..sizes.iter().sum::<usize>()).map(|n| n as f32));
    let mut rng = Rng::new(16, 43);
    let rows = (0..256).map(|_| vec![rng.unit() as f32, rng.unit() as f32, (rng.unit() * 3.2) as f32]);
    out.push(Probe::new("lod-odd-sizes", fact, header, texels, LEVEL).array(EXACT).floats(rows));
    out
}

fn of_derivatives() -> Vec<Probe> {
    let fact = "how two derivatives become a level of detail: the logarithm of the longer one in texels";
    let mut rng = Rng::new(17, 47);
    let mut vector = |scale: f64| ((rng.unit() * 2.0 - 1.0) * scale) as f32;
    let mut random = |scale: f64| -> Vec<Vec<f32>> {
        let row = |_| {
            let small = scale * f64::from(vector(1.0).abs());
            vec![0.5, 0.5, vector(scale), vector(small), vector(small), vector(scale)]
        };
        (0..512).map(row).collect()
    };
    let mut out = Vec::new();
    for (name, array) in [("exact", EXACT), ("optimised", Array::default())] {
        let header = header("filter linear\nbetween-levels");
        let probe = Probe::new(&format!("gradient-2d-{name}"), fact, &header, texels(), GRADIENT);
        out.push(probe.array(array).floats(random(0.7)));
    }
    let along = |n: usize| {
        let length = (1 + n) as f32 / 512.0;
        [[length, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, length], [length, length, 0.0, 0.0], [length, 0.0, 0.0, length]]
    };
    let rows = (0..256).flat_map(|n| along(n).map(|d| [&[0.5, 0.5][..], &d[..]].concat()));
    let probe = Probe::new("gradient-2d-axes", fact, &header("filter linear\nbetween-levels"), texels(), GRADIENT);
    out.push(probe.array(EXACT).floats(rows));
    let header_of = "format r32_float\nsize 16 16\nlevels 5\nfilter linear\nbetween-levels";
    let probe = Probe::new("gradient-2d-texels", fact, header_of, texels(), GRADIENT);
    out.push(probe.array(EXACT).floats(random(11.0)));
    let fact = "what odd derivatives do: zero is far below level 0, infinity far above the last, a NaN level 0";
    let odd = [0.0, -0.0, 1e-40, 1e-30, 1e30, f32::INFINITY, f32::NAN];
    let rows = odd.iter().flat_map(|x| odd.map(|y| vec![0.5, 0.5, *x, 0.0, 0.0, y]));
    let probe = Probe::new("gradient-2d-odd", fact, &header("filter linear\nbetween-levels"), texels(), GRADIENT);
    out.push(probe.array(EXACT).floats(rows));
    let fact = "how a derivative of one coordinate becomes a level of detail";
    let code = "tex.grad.1d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0}], {%f1}, {%f2};";
    let header = "format r32_float\nsize 16\nlevels 5\nnormalized\nfilter linear\nbetween-levels";
    let texels = float_texels((0..5usize).flat_map(|level| std::iter::repeat_n((level * 256) as f32, 16 >> level)));
    let rows = (0..256).map(|n| vec![0.5, n as f32 / 256.0, (255 - n) as f32 / 777.0]);
    out.push(Probe::new("gradient-1d", fact, header, texels, code).array(EXACT).floats(rows));
    out
}

/// The probes of this family.
pub(super) fn probes() -> Vec<Probe> {
    [given(), of_derivatives()].concat()
}
