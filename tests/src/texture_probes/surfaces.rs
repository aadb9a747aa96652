//! Probes of surfaces and queries.

use super::{Probe, float_texels};

const HEADER: &str = "format r32_uint\nsize 16 8";

fn numbered(count: u32) -> Vec<u8> {
    (0..count).flat_map(|n| (0x1000 + n).to_le_bytes()).collect()
}

/// Places in bytes and rows, outside in every direction, too; a place that is outside is asked once.
fn around() -> Vec<Vec<u32>> {
    let xs = [-8, -4, 0, 4, 28, 56, 60, 64, 68, i32::MAX & !3, i32::MIN];
    let ys = [-2, -1, 0, 3, 7, 8, 9, i32::MAX];
    let row = |x: i32, y: i32| vec![x as u32, y as u32, 0xabc0_0000 + (x as u32 & 0xff) * 16 + (y as u32 & 15)];
    xs.iter().flat_map(|&x| ys.iter().map(move |&y| row(x, y))).collect()
}

/// Rows whose places are all different after clamping, so that stores do not meet.
fn apart() -> Vec<Vec<u32>> {
    let inside = (0..32u32).map(|n| vec![4 * (n % 8) + 4, 1 + n / 8, 0x5000 + n]);
    let outside = (0..8i32).map(|n| vec![(4 * n + 400) as u32, (n - 8) as u32, 0x6000 + n as u32]);
    let one = outside.take(1).map(|row| vec![row[0], 3, row[2]]);
    let negative = [vec![-4i32 as u32, 6, 0x7000]];
    inside.chain(one).chain(negative).collect()
}

fn accesses() -> Vec<Probe> {
    let mut out = Vec::new();
    let probe = |name: &str, fact, code: &str| Probe::new(name, fact, HEADER, numbered(128), code).surface();
    for mode in ["clamp", "zero"] {
        let fact = "what a load outside of a surface gives: the nearest place, or zero";
        let code = format!("suld.b.2d.b32.{mode} %r0, [%t, {{%i0, %i1}}];");
        out.push(probe(&format!("load-{mode}"), fact, &code).words(around()));
        let fact = "where an access of several words at the last place goes";
        let code = format!("suld.b.2d.v2.b32.{mode} {{%r0, %r1}}, [%t, {{%i0, %i1}}];");
        let wide = around().into_iter().map(|mut row| {
            row[0] &= !7;
            row
        });
        out.push(probe(&format!("load-wide-{mode}"), fact, &code).words(wide));
        let fact = "where a store outside of a surface goes: to the nearest place, or nowhere";
        let code = format!("sust.b.2d.b32.{mode} [%t, {{%i0, %i1}}], %i2;");
        out.push(probe(&format!("store-{mode}"), fact, &code).words(apart()));
        let fact = "where a reduction outside of a surface goes: to the nearest place, or nowhere";
        let code = format!("sured.b.2d.add.u32.{mode} [%t, {{%i0, %i1}}], %i2;");
        out.push(probe(&format!("reduce-{mode}"), fact, &code).words(around()));
        let fact = "which layer of a surface an index outside means: the last with .clamp, none with .zero";
        let code = format!("suld.b.a2d.b32.{mode} %r0, [%t, {{%i0, %i1, %i2, %i2}}];");
        let layers = [0u32, 1, 2, 3, 65535, 65536, u32::MAX].map(|layer| vec![layer, 4, 1]);
        let header = "format r32_uint\nsize 8 4\nlayers 3";
        let layered = Probe::new(&format!("load-layers-{mode}"), fact, header, numbered(96), &code);
        out.push(layered.surface().words(layers));
    }
    for (name, x, y) in [("x", 64u32, 0), ("y", 0u32, 8), ("before", -4i32 as u32, 0)] {
        let fact = "whether an access outside of a surface with .trap ends the kernel";
        let mut load = probe(&format!("load-trap-{name}"), fact, "suld.b.2d.b32.trap %r0, [%t, {%i0, %i1}];");
        load.faults = true;
        out.push(load.words([vec![x, y]]));
        let mut store = probe(&format!("store-trap-{name}"), fact, "sust.b.2d.b32.trap [%t, {%i0, %i1}], %i2;");
        store.faults = true;
        out.push(store.words([vec![x, y, 1]]));
    }
    let fact = "whether a place that is no multiple of the bytes accessed ends the kernel";
    let mut odd = probe("load-misaligned", fact, "suld.b.2d.b32.clamp %r0, [%t, {%i0, %i1}];");
    odd.faults = true;
    out.push(odd.words([vec![2, 0]]));
    out
}

fn conversions() -> Vec<Probe> {
    let fact = "how numbers become texels: clamped, rounded to nearest with ties to even";
    let mut out = Vec::new();
    for (format, bytes, top) in [("rgba8_unorm", 4, 255.0f32), ("rgba8_snorm", 4, 127.0), ("rgba16_unorm", 8, 65535.0)]
    {
        let header = format!("format {format}\nsize 256 2");
        let rows = (0..256u32).map(|n| {
            // Halves between texels, and places beside them.
            let value = (n as f32 + 0.5) / top;
            let beside = f32::from_bits(value.to_bits() + 1);
            let numbers = [value, -value, beside, n as f32 / 100.0 - 1.0];
            let mut row = vec![n, 0];
            row.extend(numbers.map(f32::to_bits));
            row
        });
        let code = "sust.p.2d.v4.b32.zero [%t, {%i0, %i1}], {%f2, %f3, %f4, %f5};";
        let texels = vec![0; 512 * bytes];
        out.push(Probe::new(&format!("convert-{format}"), fact, &header, texels, code).surface().words(rows));
    }
    let header = "format rgba8_sint\nsize 64 1";
    let numbers = [0i32, 1, -1, 127, 128, -128, -129, 255, 256, i32::MAX, i32::MIN, 1000];
    let rows = (0..64u32).map(|n| {
        let at = |by: usize| numbers[(n as usize + by) % numbers.len()] as u32;
        vec![n, 0, at(0), at(1), at(2), at(3)]
    });
    let code = "sust.p.2d.v4.b32.zero [%t, {%i0, %i1}], {%i2, %i3, %i4, %i5};";
    out.push(Probe::new("convert-rgba8_sint", fact, header, vec![0; 256], code).surface().words(rows));
    out
}

fn queries() -> Vec<Probe> {
    let mut out = Vec::new();
    let ask = |of: &str, names: [&str; 4]| -> String {
        let line = |(n, name): (usize, &&str)| format!("{of}.{name}.b32 %r{n}, [%t];\n");
        names.iter().enumerate().filter(|(_, name)| !name.is_empty()).map(line).collect()
    };
    let header = "format rg16_float\nsize 13 7 5\nlevels 3\nnormalized\nfilter linear\nwrap mirror border clamp";
    let count = 13 * 7 * 5 + 6 * 3 * 2 + 3;
    let texels = || vec![0; 4 * count];
    let fact = "what queries of a texture return";
    for (name, words) in [
        ("size", ["width", "height", "depth", ""]),
        ("format", ["channel_data_type", "channel_order", "normalized_coords", ""]),
        ("counts", ["num_mipmap_levels", "num_samples", "array_size", ""]),
        ("sampler", ["filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2"]),
    ] {
        out.push(Probe::new(&format!("txq-{name}"), fact, header, texels(), &ask("txq", words)).floats([vec![]]));
    }
    let fact = "what queries of a level return, of one outside, too: the nearest";
    let code = "txq.level.width.b32 %r0, [%t], %i0; txq.level.height.b32 %r1, [%t], %i0; \
                txq.level.depth.b32 %r2, [%t], %i0;";
    let levels = (0..64u32).map(|n| vec![n % 6]);
    out.push(Probe::new("txq-level", fact, header, texels(), code).words(levels));
    let fact = "what queries of a surface return";
    let header = "format rgba8_unorm\nsize 13 7\nlayers 3";
    for (name, words) in [
        ("size", ["width", "height", "array_size", ""]),
        ("format", ["channel_data_type", "channel_order", "memory_layout", ""]),
    ] {
        let texels = vec![0; 4 * 13 * 7 * 3];
        let probe = Probe::new(&format!("suq-{name}"), fact, header, texels, &ask("suq", words));
        out.push(probe.surface().floats([vec![]]));
    }
    let fact = "which bits of a handle say that it is a texture's, a surface's, a sampler's";
    let code = "istypep.texref %p, %t; selp.b32 %r0, 1, 2, %p; istypep.surfref %p, %t; selp.b32 %r1, 1, 2, %p;\n\
                istypep.samplerref %p, %t; selp.b32 %r2, 1, 2, %p;";
    let header = "format r32_float\nsize 4";
    out.push(Probe::new("type-texture", fact, header, float_texels([0.0; 4]), code).floats([vec![]]));
    out.push(Probe::new("type-surface", fact, header, float_texels([0.0; 4]), code).surface().floats([vec![]]));
    out
}

/// The probes of this family.
pub(super) fn probes() -> Vec<Probe> {
    [accesses(), conversions(), queries()].concat()
}
