//! Probes of coordinates, weights, formats, faces of cubes, comparisons.

use super::{Array, Probe, float_texels};
use crate::rng::Rng;

const TEX_1D: &str = "tex.1d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0}];";
const TEX_2D: &str = "tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}];";
const TEX_3D: &str = "tex.3d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1, %f2, %f2}];";
const CUBE: &str = "tex.cube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1, %f2, %f2}];";
const GATHERED: Array = Array { gather: true, depth: false, seamless: false, exact_levels: false };

/// Alternating 0 and 256, so that a result is a weight.
fn stripes(count: usize) -> Vec<u8> {
    float_texels((0..count).map(|n| (n % 2 * 256) as f32))
}

/// Texels that are their numbers.
fn counted(count: usize) -> Vec<u8> {
    float_texels((0..count).map(|n| n as f32))
}

fn random_floats(count: usize, seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed, 23);
    float_texels((0..count).map(|_| ((rng.unit() - 0.5) * f64::from(1u32 << rng.below(20))) as f32))
}

fn random_bytes(count: usize, seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed, 29);
    (0..count).map(|_| rng.next() as u8).collect()
}

/// Places from below 0 to above the extent, and odd ones.
fn places(extent: f32, seed: u64) -> Vec<Vec<f32>> {
    let mut rng = Rng::new(seed, 31);
    let mut out: Vec<Vec<f32>> =
        (0..200).map(|_| (0..3).map(|_| ((rng.unit() * 2.0 - 0.5) * f64::from(extent)) as f32).collect()).collect();
    for odd in [0.0, -0.0, 1.0, -1.0, extent, 1e9, -1e9, 1e30, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-40] {
        out.push(vec![odd, extent / 2.0, extent / 2.0]);
        out.push(vec![extent / 2.0, odd, odd]);
    }
    out
}

fn weights() -> Vec<Probe> {
    let mut out = Vec::new();
    let fact = "how the place between two texels is rounded to 8 bits of fraction: ties upwards";
    let steps = (0..1024).map(|n| vec![1.5 + n as f32 / 1024.0]);
    let header = "format r32_float\nsize 8\nfilter linear";
    out.push(Probe::new("weights-1d", fact, header, stripes(8), TEX_1D).floats(steps));
    let fact = "whether a normalised coordinate is multiplied with the extent exactly before it is rounded";
    for size in [5, 7, 8, 1000] {
        let header = format!("format r32_float\nsize {size}\nfilter linear\nnormalized");
        let rows = (0..512).map(|n| vec![(n as f32 * 1.37 + 0.011) / 700.0]);
        out.push(Probe::new(&format!("weights-{size}"), fact, &header, stripes(size), TEX_1D).floats(rows));
        let fact = "to which side of an edge between texels a coordinate beside it falls";
        let header = format!("format r32_float\nsize {size}\nnormalized");
        let edges = (0..=32u32).flat_map(|n| {
            let edge = (n as f32 / size as f32).to_bits();
            (0..8).map(move |by: u32| vec![f32::from_bits((edge + by).saturating_sub(4))])
        });
        out.push(Probe::new(&format!("edges-{size}"), fact, &header, counted(size), TEX_1D).floats(edges));
    }
    out
}

fn sums() -> Vec<Probe> {
    let fact = "how weighted texels are summed: exactly, rounded to binary32 once";
    let mut out = Vec::new();
    for (name, format, bytes) in [
        ("unorm8", "rgba8_unorm", 4),
        ("snorm8", "rgba8_snorm", 4),
        ("srgb8", "rgba8_srgb", 4),
        ("unorm16", "rg16_unorm", 4),
        ("snorm16", "rg16_snorm", 4),
    ] {
        let header = format!("format {format}\nsize 9 6\nfilter linear");
        let texels = random_bytes(54 * bytes, 1);
        out.push(Probe::new(&format!("sum-{name}"), fact, &header, texels, TEX_2D).floats(places(7.0, 2)));
    }
    let halves: Vec<u8> =
        (0..108).flat_map(|n| half::f16::from_f32(1.37f32.powi(n % 30) - 3.0).to_le_bytes()).collect();
    let header = "format rg16_float\nsize 9 6\nfilter linear";
    out.push(Probe::new("sum-half", fact, header, halves, TEX_2D).floats(places(7.0, 3)));
    let header = "format r32_float\nsize 9 6\nfilter linear";
    out.push(Probe::new("sum-2d", fact, header, random_floats(54, 3), TEX_2D).floats(places(7.0, 4)));
    let header = "format rg32_float\nsize 5 6 4\nfilter linear";
    out.push(Probe::new("sum-3d", fact, header, random_floats(240, 5), TEX_3D).floats(places(5.0, 6)));
    let fact = "whether a texel of weight zero is read: an infinite one would make a NaN";
    let texels = float_texels([1.0, f32::INFINITY, 2.0, f32::NAN, 3.0, f32::NEG_INFINITY, 4.0, 5.0]);
    let rows = (0..64).map(|n| vec![n as f32 / 8.0]);
    out.push(Probe::new("sum-infinite", fact, "format r32_float\nsize 8\nfilter linear", texels, TEX_1D).floats(rows));
    out
}

fn wrapping() -> Vec<Probe> {
    let mut out = Vec::new();
    for mode in ["wrap", "mirror", "clamp", "border"] {
        for (filter, normalized) in [("nearest", true), ("linear", true), ("nearest", false), ("linear", false)] {
            let fact = "which texels a place outside of the texture means; without normalised coordinates \
                        nothing wraps";
            let (line, extent, unit) = if normalized { ("\nnormalized", 1.0, "fraction") } else { ("", 6.0, "texel") };
            let header =
                format!("format r32_float\nsize 6 5\nfilter {filter}\nwrap {mode}\nborder 1000 1001 1002 1003{line}");
            let name = format!("{mode}-{filter}-{unit}");
            let texels = float_texels((0..30).map(|n| n as f32));
            out.push(Probe::new(&name, fact, &header, texels, TEX_2D).floats(places(extent, 8)));
        }
    }
    for format in ["rgba8_uint", "rg16_sint", "r32_uint"] {
        let fact = "what the border of a texture of integers is: the colour's numbers, converted";
        let header = format!("format {format}\nsize 4 4\nwrap border\nborder 7.75 100 -2 3");
        let code = "tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}];";
        let texels = random_bytes(64, 9);
        out.push(Probe::new(&format!("border-{format}"), fact, &header, texels, code).floats(places(4.0, 10)));
    }
    out
}

fn numbers() -> Vec<Probe> {
    let signed = |rows: Vec<[i32; 4]>| rows.into_iter().map(|row| row.map(|n| n as u32).to_vec());
    let around: Vec<[i32; 4]> = (-3..8).flat_map(|y| (-3..8).map(move |x| [x, y, 1 - (x & 1), y & 1])).collect();
    let header = "format r32_sint\nsize 5 4\nwrap clamp";
    let texels: Vec<u8> = (100..120).flat_map(|n: i32| n.to_le_bytes()).collect();
    let code = "tex.2d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%t, {%i0, %i1}];";
    let fact = "what a lookup by integers outside of the texture gives: zeros, whatever the address mode";
    let mut out = vec![Probe::new("numbers-outside", fact, header, texels, code).words(signed(around))];
    let fact = "which level a lookup by integers outside of the levels reads: the nearest";
    let header = "format r32_float\nsize 8 8\nlevels 4";
    let texels = float_texels((0..85).map(|n| n as f32));
    let code = "tex.level.2d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%t, {%i0, %i1}], %i2;";
    let levels = (-3..9).flat_map(|level| (-1..6).map(move |x| [x, 1, level, 0])).collect();
    out.push(Probe::new("numbers-levels", fact, header, texels, code).words(signed(levels)));
    let fact = "how offsets outside of -8 to 7 are read: four bits each";
    let header = "format r32_float\nsize 32 32\nfilter linear";
    let texels = float_texels((0..1024).map(|n| n as f32));
    let code = "tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}], {%i2, %i3};";
    let float = |x: f32| x.to_bits() as i32;
    let offsets = (-20..20).map(|n| [float(16.25), float(15.5), n, 3 - n]).collect();
    out.push(Probe::new("offsets", fact, header, texels, code).words(signed(offsets)));
    let fact = "which layer an index outside of the array means: the last; a negative one is large";
    let header = "format r32_float\nsize 4 4\nlayers 3";
    let texels = float_texels((0..48).map(|n| n as f32));
    let code = "tex.a2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%i0, %f1, %f2, %f2}];";
    let layers = [0, 1, 2, 3, 4, 65534, 65535, 65536, 65537, -1, -2, i32::MIN, i32::MAX];
    let layers = layers.map(|n| [n, float(1.5), float(2.5), 0]).to_vec();
    out.push(Probe::new("layers", fact, header, texels, code).words(signed(layers)));
    out
}

fn formats() -> Vec<Probe> {
    let mut out = Vec::new();
    let fact = "the values of all texels of a format, and of channels that it lacks: 0, 0, 1";
    for format in ["r8_unorm", "r8_snorm", "rgba8_srgb", "r8_uint", "rg8_sint", "rg8_unorm"] {
        let integer = format.ends_with("int");
        let ty = if integer { "u32" } else { "f32" };
        let channels = format.find('8').unwrap_or(1);
        let texels = (0..256usize).flat_map(|n| std::iter::repeat_n(n as u8, channels)).collect();
        let header = format!("format {format}\nsize 256");
        let code = format!("tex.1d.v4.{ty}.s32 {{%r0, %r1, %r2, %r3}}, [%t, {{%i0}}];");
        out.push(
            Probe::new(&format!("values-{format}"), fact, &header, texels, &code).words((0..256).map(|n| vec![n])),
        );
    }
    for format in ["r16_unorm", "r16_snorm", "r16_float"] {
        let texels = (0..1024u32).flat_map(|n| ((n * 64 + n / 16) as u16).to_le_bytes()).collect();
        let header = format!("format {format}\nsize 1024");
        let code = "tex.1d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%t, {%i0}];";
        // A NaN of binary16 has its own probe: its bits are the question.
        out.push(
            Probe::new(&format!("values-{format}"), fact, &header, texels, code).words((0..1024).map(|n| vec![n])),
        );
    }
    out
}

fn gathers() -> Vec<Probe> {
    let mut out = Vec::new();
    let header = "format rgba32_float\nsize 6 5\nwrap mirror border\nborder 900 901 902 903\nnormalized";
    for channel in ["r", "g", "b", "a"] {
        let fact = "which four texels a gather gives, in which order, at edges, too";
        let code = format!("tld4.{channel}.2d.v4.f32.f32 {{%r0, %r1, %r2, %r3}}, [%t, {{%f0, %f1}}];");
        let texels = float_texels((0..120).map(|n| n as f32));
        let probe = Probe::new(&format!("gather-{channel}"), fact, header, texels, &code);
        out.push(probe.array(GATHERED).floats(places(1.0, 12)));
    }
    let fact = "between which texels a gather at the middle of one, or just beside it, takes its four";
    let rows = (0..64).map(|n| vec![2.5 + (n as f32 - 32.0) / 4096.0, 2.0 + n as f32 / 64.0]);
    let code = "tld4.r.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}];";
    let texels = float_texels((0..30).map(|n| n as f32));
    let probe = Probe::new("gather-middle", fact, "format r32_float\nsize 6 5", texels, code);
    out.push(probe.array(GATHERED).floats(rows));
    out
}

fn comparisons() -> Vec<Probe> {
    let mut out = Vec::new();
    let texels = || float_texels((0..30).map(|n| (n * 7 % 30) as f32 / 30.0));
    let rows = || {
        let mut rng = Rng::new(14, 37);
        let mut row = move || vec![(rng.unit() * 7.0) as f32, (rng.unit() * 6.0) as f32, rng.below(31) as f32 / 30.0];
        (0..192).map(move |_| row()).collect::<Vec<_>>()
    };
    let depth = Array { depth: true, ..Array::default() };
    for (name, filter, array) in
        [("nearest", "nearest", depth), ("linear", "linear", depth), ("colour", "linear", Array::default())]
    {
        let fact = "what a depth comparison does (the driver names no function: less or equal is taken): results \
                    of the four texels are weighted; red is the result, alpha 1";
        let header = format!("format r32_float\nsize 6 5\nfilter {filter}");
        let code = "tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}], %f2;";
        out.push(Probe::new(&format!("compare-{name}"), fact, &header, texels(), code).array(array).floats(rows()));
    }
    let fact = "what a gather with a comparison gives: a result of each texel";
    let code = "tld4.r.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}], %f2;";
    let array = Array { gather: true, depth: true, ..Array::default() };
    let probe = Probe::new("compare-gather", fact, "format r32_float\nsize 6 5", texels(), code);
    out.push(probe.array(array).floats(rows()));
    out
}

fn cubes() -> Vec<Probe> {
    let texels = || float_texels((0..96).map(|n| n as f32));
    let parts = [-1.0, -0.5, 0.0, 0.5, 1.0f32];
    let ties: Vec<Vec<f32>> = (0..125)
        .map(|n| vec![parts[n % 5], parts[n / 5 % 5], parts[n / 25]])
        .filter(|at| at.iter().any(|part| *part != 0.0))
        .collect();
    let fact = "which face of a cube a direction with equal magnitudes hits: z, then y, then x";
    let header = "format r32_float\nsize 4 4\ncube\nnormalized";
    let mut out = vec![Probe::new("cube-ties", fact, header, texels(), CUBE).floats(ties)];
    let mut rng = Rng::new(15, 41);
    let mut directions = || {
        let mut near = |_| {
            let mut at: Vec<f32> = (0..3).map(|_| (rng.unit() * 2.0 - 1.0) as f32).collect();
            at[rng.below(3)] = *rng.pick(&[1.0, -1.0, 0.999, 0.9]);
            at
        };
        (0..256).map(&mut near).collect::<Vec<_>>()
    };
    let header = "format r32_float\nsize 4 4\ncube\nnormalized\nfilter linear";
    let fact = "whether a face of a cube is filtered by itself, near edges, too";
    out.push(Probe::new("cube-edges", fact, header, texels(), CUBE).floats(directions()));
    let fact = "what filtering across faces gives, where the driver is asked for it (the model has none: rows differ)";
    let seamless = Array { seamless: true, ..Array::default() };
    out.push(Probe::new("cube-seamless", fact, header, texels(), CUBE).array(seamless).floats(directions()));
    out
}

/// The probes of this family.
pub(super) fn probes() -> Vec<Probe> {
    [weights(), sums(), wrapping(), numbers(), formats(), gathers(), comparisons(), cubes()].concat()
}
