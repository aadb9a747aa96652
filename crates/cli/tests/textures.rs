//! `raddle run` with textures and surfaces in files: results, and files that are malformed.

use crate::common::{Bench, raddle};

/// Each thread looks up the middle between two texels and adds it to a texel of the surface.
const MODULE: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.global .texref colors;\n\
    .visible .entry k(.param .u64 s)\n{\n.reg .f32 %f<9>; .reg .b32 %r<5>; .reg .b64 %s;\nld.param.u64 %s, [s];\n\
    mov.u32 %r0, %tid.x;\ncvt.rn.f32.u32 %f0, %r0;\nadd.f32 %f0, %f0, 0f3F800000;\nmov.f32 %f1, 0f3F000000;\n\
    tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [colors, {%f0, %f1}];\nshl.b32 %r1, %r0, 2;\n\
    suld.b.1d.b32.trap %r2, [%s, {%r1}];\nmov.b32 %f6, %r2;\nadd.f32 %f6, %f6, %f2;\nmov.b32 %r2, %f6;\n\
    sust.b.1d.b32.trap [%s, {%r1}], %r2;\nret;\n}\n";

fn file(head: &str, texels: &[f32]) -> Vec<u8> {
    let mut bytes = format!("raddle-texture 1\n{head}\ndata\n").into_bytes();
    bytes.extend(texels.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

#[test]
fn a_surface_is_written_back() {
    let bench = Bench::new();
    let module = bench.file("k.ptx", MODULE);
    let cubin = bench.path("cubin");
    let colors = format!(
        "colors={}",
        bench.file("colors", file("format r32_float\nsize 4 1\nfilter linear", &[1.0, 2.0, 4.0, 8.0]))
    );
    let old = file("format r32_float\nsize 3", &[10.0, 20.0, 30.0]);
    for arch in ["sm_80", "sm_90"] {
        assert_eq!(raddle(&["compile", &module, "-o", &cubin, "--arch", arch]).code, Some(0));
        for program in [&module, &cubin] {
            let sums = format!("sums={}", bench.file("sums", &old));
            let args = ["run", program, "--block", "3", "--arg", "surf:sums", "--texture", &colors, "--surface", &sums];
            let ran = raddle(&args);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let new = std::fs::read(bench.path("sums")).unwrap();
            assert_eq!(new, file("format r32_float\nsize 3", &[11.5, 23.0, 36.0]), "{program} {arch}");
        }
    }
}

#[test]
fn textures_of_old_modules_are_variables_in_their_own_space() {
    let text = ".version 1.4\n.target sm_13\n.tex .u64 colors;\n.entry k(.param .u64 o)\n{\n\
        .reg .f32 %f<6>; .reg .u32 %r; .reg .u64 %d<3>;\nld.param.u64 %d1, [o];\ncvt.u32.u16 %r, %tid.x;\n\
        cvt.rn.f32.u32 %f0, %r;\nadd.f32 %f0, %f0, 0f3F000000;\nmov.f32 %f1, 0f3F000000;\n\
        tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [colors, {%f0, %f1, %f1, %f1}];\n\
        mul.wide.u32 %d2, %r, 4;\nadd.u64 %d1, %d1, %d2;\nst.global.f32 [%d1], %f2;\nexit;\n}\n";
    let bench = Bench::new();
    let (module, cubin, out) = (bench.file("k.ptx", text), bench.path("cubin"), bench.path("out"));
    let texels = [3.0, 5.0, 7.0, 9.0];
    let colors = format!("colors={}", bench.file("colors", file("format r32_float\nsize 4 1", &texels)));
    for arch in ["sm_80", "sm_90"] {
        assert_eq!(raddle(&["compile", &module, "-o", &cubin, "--arch", arch]).code, Some(0));
        for program in [&module, &cubin] {
            let buffer = format!("out:{out}:16");
            let ran = raddle(&["run", program, "--block", "4", "--arg", &buffer, "--texture", &colors]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let want: Vec<u8> = texels.iter().flat_map(|x| x.to_le_bytes()).collect();
            assert_eq!(std::fs::read(&out).unwrap(), want, "{program} {arch}");
        }
    }
}

#[test]
fn malformed_textures_are_refused_by_name() {
    let bench = Bench::new();
    let module = bench.file("k.ptx", MODULE);
    let good = file("format r32_float\nsize 2", &[1.0, 2.0]);
    for (bytes, why) in [
        (b"P6 2 2 255\n".to_vec(), "first line"),
        (good[..good.len() - 1].to_vec(), "byte(s) of texels"),
        (file("format r32_float\nsize 2\nsize 2", &[1.0, 2.0]), "size"),
        (file("format r7_float\nsize 2", &[1.0, 2.0]), "format"),
    ] {
        let colors = format!("colors={}", bench.file("colors", bytes));
        let ran = raddle(&["run", &module, "--arg", "surf:sums", "--texture", &colors]);
        assert!(ran.code != Some(0) && ran.stderr.contains("colors") && ran.stderr.contains(why), "{}", ran.stderr);
    }
}
