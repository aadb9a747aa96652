//! Probes of lookups with derivatives of three coordinates, or with derivatives and a comparison: what
//! a quad of lanes computes on sm_80 to sm_89, and the driver's function on sm_90.

use super::{Array, INPUTS, Probe, float_texels};
use crate::rng::Rng;

const EXACT: Array = Array { gather: false, depth: false, seamless: false, exact_levels: true };
const LOOKUP_3D: &str = "tex.grad.3d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1, %f2, %f2}], \
                         {%f3, %f4, %f5, %f5}, {%f6, %f7, %f8, %f8};";

/// Eight texels in every direction and four levels, each of one value: 256 times its number.
fn cubes_of_levels() -> Vec<u8> {
    float_texels((0..4usize).flat_map(|level| std::iter::repeat_n((level * 256) as f32, 512 >> (3 * level))))
}

fn header() -> &'static str {
    "format r32_float\nsize 8 8 8\nlevels 4\nnormalized\nfilter linear\nbetween-levels"
}

/// Places and derivatives, equal in the four lanes of a quad or not.
fn rows(equal: bool, far: f32, seed: u64) -> Vec<Vec<f32>> {
    let mut rng = Rng::new(seed, 53);
    let mut row = Vec::new();
    let mut next = |n: usize| {
        if !equal || n.is_multiple_of(4) {
            let scale = 0.9 * rng.unit();
            row = (0..9)
                .map(|n| if n < 3 { rng.unit() as f32 + far } else { ((rng.unit() - 0.5) * scale) as f32 })
                .collect();
            // Small numbers, which are added exactly, in every second quad.
            if n % 8 < 4 {
                row.iter_mut().for_each(|part| *part = (*part * 256.0).round() / 256.0);
            }
        }
        row.clone()
    };
    (0..256).map(&mut next).collect()
}

/// The last word of a row says that its lane is elsewhere.
fn some_elsewhere(rows: Vec<Vec<f32>>) -> Vec<Vec<u32>> {
    let mut rng = Rng::new(19, 59);
    rows.into_iter()
        .map(|row| {
            let mut words: Vec<u32> = row.into_iter().map(f32::to_bits).collect();
            words.resize(INPUTS, 0);
            words[INPUTS - 1] = u32::from(rng.below(3) == 0);
            words
        })
        .collect()
}

fn compared(name: &str, fact: &'static str, filter: &str) -> Probe {
    let header = format!("format r32_float\nsize 8 8\nlevels 4\nnormalized\nfilter {filter}");
    let texels = float_texels((0..85).map(|n| (n * 7 % 32) as f32 / 32.0));
    let code = "tex.grad.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}], {%f3, %f4}, {%f6, %f7}, %f8;";
    let array = Array { depth: true, ..EXACT };
    Probe::new(name, fact, &header, texels, code).array(array).floats(rows(true, 0.0, 20))
}

/// The probes of this family.
pub(super) fn probes() -> Vec<Probe> {
    let three = |name, fact, code: &str| Probe::new(name, fact, header(), cubes_of_levels(), code).array(EXACT);
    let mut out = Vec::new();
    let fact = "which level of detail derivatives of three coordinates give (sm_90: by the driver's function)";
    out.push(three("quad-3d", fact, LOOKUP_3D).floats(rows(true, 0.0, 1)));
    let fact = "whether each lane has its own derivatives, or those of other lanes of its quad";
    out.push(three("quad-3d-lanes", fact, LOOKUP_3D).floats(rows(false, 0.0, 2)));
    let fact = "whether derivatives are differences of rounded places, which lose bits far from zero";
    out.push(three("quad-3d-far", fact, LOOKUP_3D).floats(rows(true, 1000.0, 3)));
    let fact = "whether lanes of a quad that have exited run along for the derivatives of the others";
    let exited = format!("setp.ne.u32 %p, %i15, 0; @%p ret;\n{LOOKUP_3D}");
    let mut probe = three("quad-3d-exited", fact, &exited).words(some_elsewhere(rows(false, 0.0, 4)));
    // ptxas 13.0.88 does not pass a handle in a register to the lanes that run along (docs/ptxas.md).
    probe.ours_only = true;
    out.push(probe);
    let fact = "whether lanes of a quad that are elsewhere run along, and keep their own registers";
    let elsewhere = format!(
        "setp.ne.u32 %p, %i15, 0; @%p bra OTHERS;\n{LOOKUP_3D}\nbra JOIN;\nOTHERS: mov.b32 %r0, %i0; mov.b32 %r1, %i3;\n\
         mov.b32 %r2, %x;\nJOIN:"
    );
    let mut probe = three("quad-3d-elsewhere", fact, &elsewhere).words(some_elsewhere(rows(false, 0.0, 5)));
    probe.ours_only = true;
    out.push(probe);
    let fact = "whether a sum in a quad (FSWZADD) keeps the bits of a NaN: at -O0 ptxas passes offsets through one";
    let offsets = LOOKUP_3D.replace("%f8};", "%f8}, {%i9, %i10, %i11, %i11};");
    let numbers = (0..64u32).map(|n| [n % 16, n / 4 % 16, n * 7 % 16].map(|part| part.wrapping_sub(8)));
    let moved = rows(true, 0.0, 8)
        .into_iter()
        .zip(numbers)
        .map(|(row, offsets)| row.into_iter().map(f32::to_bits).chain(offsets).collect());
    let texels = float_texels((0..512 + 64 + 8 + 1).map(|n| n as f32));
    let mut probe = Probe::new("quad-3d-offsets", fact, header(), texels, &offsets).array(EXACT).words(moved);
    (probe.level, probe.ours_only) = ("-O0", true);
    out.push(probe);
    let fact = "which derivatives a lookup in a cube with given ones uses, and in which unit";
    let code = "tex.grad.cube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1, %f2, %f2}], {%f3, %f4, %f5, %f5}, \
                {%f6, %f7, %f8, %f8};";
    let texels = || {
        float_texels((0..4usize).flat_map(|level| std::iter::repeat_n((level * 256) as f32, 6 * (64 >> (2 * level)))))
    };
    let header = "format r32_float\nsize 8 8\ncube\nlevels 4\nnormalized\nfilter linear\nbetween-levels";
    out.push(Probe::new("quad-cube", fact, header, texels(), code).array(EXACT).floats(rows(true, -0.5, 6)));
    out.push(Probe::new("quad-cube-lanes", fact, header, texels(), code).array(EXACT).floats(rows(false, -0.5, 7)));
    let fact = "what derivatives with a comparison do: choose the level, as without one";
    out.push(compared("quad-compare-nearest", fact, "nearest"));
    out.push(compared("quad-compare-linear", fact, "linear"));
    out
}
