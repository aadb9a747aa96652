//! The probes of textures for a GPU: what can be held without one. Their expected results are the
//! interpreter's, and machine code gives them in the simulator; the host program runs them against a
//! driver of our own; its structures are laid out as the driver's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_filetest::oracle;
use raddle_tests::compile;
use raddle_tests::judge::ARCHS;
use raddle_tests::kernel::corpus;
use raddle_tests::level::Level;
use raddle_tests::parallel;
use raddle_tests::ptxas::Assembler;
use raddle_tests::texture_probes::{self, Probe};
use serde::Deserialize;

#[test]
fn code_gives_what_the_probes_expect() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let probes: Vec<(usize, Probe)> = texture_probes::all().into_iter().enumerate().collect();
    let judged = parallel::map(&probes, |(n, probe)| {
        let arch = ARCHS[n % ARCHS.len()];
        let quad = probe.name.starts_with("quad-");
        // Lookups of quads are other code from sm_90 on.
        let archs = if quad { vec!["sm_80", "sm_90"] } else { vec![arch] };
        let mut wrong = Vec::new();
        for arch in archs {
            let text = probe.module(arch);
            let expected = probe.expected(arch).unwrap();
            let ours = compile::cubin_at(&text, arch, Level::O3).unwrap();
            let theirs = (!probe.ours_only).then(|| assembler.assemble_at(&text, arch, probe.level).unwrap());
            for (maker, cubin) in [("ours", Some(ours)), ("ptxas", theirs)] {
                match cubin.map(|cubin| probe.simulated(&cubin)) {
                    None => {}
                    Some(Ok(found)) if found == expected => {}
                    Some(Ok(_)) => wrong.push(format!("{} {arch} {maker}: other results", probe.name)),
                    Some(Err(why)) => wrong.push(format!("{} {arch} {maker}: {why:#}", probe.name)),
                }
            }
        }
        wrong
    });
    let wrong: Vec<String> = judged.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), probes.len(), wrong.join("\n"));
}

#[test]
fn probes_have_names_of_their_own_and_answers_that_differ() {
    let probes = texture_probes::all();
    let mut names: Vec<&str> = probes.iter().map(|p| p.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), probes.len());
    assert!(probes.len() > 80, "{}", probes.len());
    for probe in &probes {
        texture_probes::line(probe).unwrap();
        let Some(outcome) = probe.expected("sm_80").unwrap() else { continue };
        // A question whose rows all have one answer asks nothing of its inputs.
        let rows: std::collections::BTreeSet<_> = outcome.results.chunks(16).collect();
        let one = ["txq-", "suq-", "type-", "lod-base-"].iter().any(|family| probe.name.starts_with(family));
        let stores = outcome.texels != raddle_sim::texture::file::read(&probe.texture).unwrap().texels.unwrap();
        assert!(one || stores || rows.len() > 1, "{}: {} answers", probe.name, rows.len());
    }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../gpu")
}

fn cc(args: &[&str], folder: &Path) {
    let output = Command::new("cc").args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_host_program_makes_textures_as_they_are_described() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let source = |name: &str| sources().join(name).display().to_string();
    cc(&["-Wall", "-Wextra", "-Werror", "-o", "check", &source("check.c"), "-ldl"], folder);
    cc(&["-w", "-shared", "-fPIC", "-o", "libcuda.so.1", &source("driver.c")], folder);
    let probes = texture_probes::all();
    let mut cases = String::new();
    let asked = ["lod-limits", "border-rg16_sint", "layers", "quad-cube", "store-zero", "load-layers-clamp"];
    for name in asked {
        let probe = probes.iter().find(|probe| probe.name == name).unwrap();
        let expected = probe.expected("sm_90").unwrap().unwrap();
        let texels = raddle_sim::texture::file::read(&probe.texture).unwrap().texels.unwrap();
        fs::write(folder.join(format!("{name}.texels")), &texels).unwrap();
        fs::write(folder.join(format!("{name}.after")), &expected.texels).unwrap();
        fs::write(folder.join("zeros"), [0; 16]).unwrap();
        let surface = probe.kind == raddle_sim::mem::Handle::Surface;
        let (word, after) = if surface { ("surface", format!("{name}.after")) } else { ("texture", "-".into()) };
        let line = texture_probes::line(probe).unwrap();
        cases += &format!("case {name}\ncubin zeros\nkernel k\narch 90\ngrid 2 1 1\nblock 64 1 1\nshared 0\n");
        cases += &format!("in zeros\nout zeros zeros\n{word} {name}.texels {after} {line}\nend\n");
    }
    fs::write(folder.join("cases.txt"), cases).unwrap();
    let run = Command::new("./check").current_dir(folder).env("LD_LIBRARY_PATH", folder).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let results = fs::read_to_string(folder.join("results.jsonl")).unwrap();
    let verdict = |name: &str| results.lines().find(|line| line.contains(&format!("\"{name}\""))).unwrap();
    // Nothing ran: what a store would change is found, and kept as it was.
    assert!(verdict("store-zero").contains("bytes differ"), "{results}");
    let kept = fs::read(folder.join("outputs/store-zero.2.bin")).unwrap();
    assert_eq!(kept, fs::read(folder.join("store-zero.texels")).unwrap());
    for name in asked.iter().filter(|name| **name != "store-zero") {
        assert!(verdict(name).contains("\"status\":\"ok\""), "{results}");
    }
    let log = fs::read_to_string(folder.join("driver.log")).unwrap();
    let launch = |handle| format!("launch 2 1 1, 64 1 1, 0, handle {handle}");
    let mut wanted: Vec<String> = Vec::new();
    let mut add = |lines: &[&str]| wanted.extend(lines.iter().map(|line| (*line).to_owned()));
    for level in [16, 8, 4, 2, 1] {
        add(&[&format!("array {level} {level} 0, format 32, channels 1, flags 0")]);
    }
    for bytes in [1024, 256, 64, 16, 4] {
        add(&[&format!("copy there {bytes} bytes")]);
    }
    add(&["texture 1, modes 1 1 1, filters 1 1, flags 34, levels 0.3 0.7 2.6, border 0 0 0 0", &launch(77)]);
    add(&["array 4 4 0, format 9, channels 2, flags 0", "copy there 64 bytes"]);
    add(&["texture 0, modes 3 3 3, filters 0 0, flags 1, levels 0 0 1000, border 7.75 100 -2 3", &launch(77)]);
    add(&["array 4 4 3, format 32, channels 1, flags 1", "copy there 192 bytes"]);
    add(&["texture 0, modes 1 1 1, filters 0 0, flags 0, levels 0 0 1000, border 0 0 0 0", &launch(77)]);
    for level in [8, 4, 2, 1] {
        add(&[&format!("array {level} {level} 6, format 32, channels 1, flags 4")]);
    }
    for bytes in [1536, 384, 96, 24] {
        add(&[&format!("copy there {bytes} bytes")]);
    }
    add(&["texture 1, modes 1 1 1, filters 1 1, flags 34, levels 0 0 1000, border 0 0 0 0", &launch(77)]);
    add(&["array 16 8 0, format 3, channels 1, flags 2", "copy there 512 bytes", "surface", &launch(78)]);
    add(&["copy back 512 bytes"]);
    // Where results differ, the launch is repeated: they may not always be the same.
    for _ in 0..4 {
        add(&["copy there 512 bytes", &launch(78)]);
    }
    add(&["array 8 4 3, format 3, channels 1, flags 3", "copy there 384 bytes", "surface"]);
    add(&[&launch(78), "copy back 384 bytes"]);
    assert_eq!(log.lines().collect::<Vec<_>>(), wanted);
}

/// A name of ours and one of the driver's.
type Names = (&'static str, &'static str);

/// Structures and fields of `gpu/textures.h` with those of `cuda.h`.
const FIELDS: &[(&str, &str, &[Names])] = &[
    (
        "struct array_description",
        "CUDA_ARRAY3D_DESCRIPTOR",
        &[
            ("width", "Width"),
            ("height", "Height"),
            ("depth", "Depth"),
            ("format", "Format"),
            ("channels", "NumChannels"),
            ("flags", "Flags"),
        ],
    ),
    (
        "struct copy",
        "CUDA_MEMCPY3D",
        &[
            ("src_lod", "srcLOD"),
            ("src_type", "srcMemoryType"),
            ("src_host", "srcHost"),
            ("src_array", "srcArray"),
            ("src_pitch", "srcPitch"),
            ("src_height", "srcHeight"),
            ("dst_x", "dstXInBytes"),
            ("dst_type", "dstMemoryType"),
            ("dst_host", "dstHost"),
            ("dst_array", "dstArray"),
            ("dst_pitch", "dstPitch"),
            ("dst_height", "dstHeight"),
            ("width_in_bytes", "WidthInBytes"),
            ("height", "Height"),
            ("depth", "Depth"),
        ],
    ),
    (
        "struct resource_description",
        "CUDA_RESOURCE_DESC",
        &[("type", "resType"), ("resource", "res"), ("flags", "flags")],
    ),
    (
        "struct texture_description",
        "CUDA_TEXTURE_DESC",
        &[
            ("address_mode", "addressMode"),
            ("filter_mode", "filterMode"),
            ("flags", "flags"),
            ("max_anisotropy", "maxAnisotropy"),
            ("mipmap_filter_mode", "mipmapFilterMode"),
            ("mipmap_level_bias", "mipmapLevelBias"),
            ("min_mipmap_level_clamp", "minMipmapLevelClamp"),
            ("max_mipmap_level_clamp", "maxMipmapLevelClamp"),
            ("border_color", "borderColor"),
            ("reserved", "reserved"),
        ],
    ),
];

#[test]
fn layouts_are_those_of_the_driver() {
    let Some(python) = oracle::require(oracle::TRITON) else { return };
    let folders = python.path().parent().unwrap().parent().unwrap().join("lib");
    let header = |version: fs::DirEntry| version.path().join("site-packages/triton/backends/nvidia/include/cuda.h");
    let header =
        fs::read_dir(folders).unwrap().map(|found| header(found.unwrap())).find(|path| path.is_file()).unwrap();
    let mut text = "#include <cuda.h>\n#include <stddef.h>\n".to_owned();
    // The functions of ours are pointers of the same names: in a file of their own.
    let mut ours = "#include <stdio.h>\ntypedef int CUresult; typedef unsigned long long CUdeviceptr;\n".to_owned();
    ours += &format!("#include \"{}\"\n", sources().join("textures.h").display());
    let mut table = [String::new(), String::new()];
    for (mine, theirs, fields) in FIELDS {
        for (n, name) in [mine, theirs].into_iter().enumerate() {
            table[n] += &format!("sizeof({name}),");
            for (first, second) in *fields {
                let field = [first, second][n];
                table[n] += &format!("offsetof({name},{field}),sizeof((({name}*)0)->{field}),");
            }
        }
    }
    ours += &format!("size_t mine[] = {{{}}}, mine_count = sizeof mine / sizeof *mine;\n", table[0]);
    text += &format!("extern size_t mine[], mine_count; size_t theirs[] = {{{}}};\n", table[1]);
    text += "int main(void) { if (mine_count != sizeof theirs / sizeof *theirs) return 1;\n\
             for (size_t n = 0; n < mine_count; n++) if (mine[n] != theirs[n]) return 2 + (int)n; return 0; }\n";
    // Numbers that the tables use.
    for (name, value) in [
        ("CU_AD_FORMAT_HALF", 0x10),
        ("CU_AD_FORMAT_SIGNED_INT16", 9),
        ("CUDA_ARRAY3D_DEPTH_TEXTURE", 0x10),
        ("CUDA_ARRAY3D_TEXTURE_GATHER", 8),
        ("CUDA_ARRAY3D_CUBEMAP", 4),
        ("CUDA_ARRAY3D_SURFACE_LDST", 2),
        ("CUDA_ARRAY3D_LAYERED", 1),
        ("CU_TR_ADDRESS_MODE_WRAP", 0),
        ("CU_TR_ADDRESS_MODE_CLAMP", 1),
        ("CU_TR_ADDRESS_MODE_MIRROR", 2),
        ("CU_TR_ADDRESS_MODE_BORDER", 3),
        ("CU_TRSF_READ_AS_INTEGER", 1),
        ("CU_TRSF_NORMALIZED_COORDINATES", 2),
        ("CU_TRSF_SRGB", 0x10),
        ("CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION", 0x20),
        ("CU_TRSF_SEAMLESS_CUBEMAP", 0x40),
        ("CU_MEMORYTYPE_ARRAY", 3),
        ("CU_RESOURCE_TYPE_MIPMAPPED_ARRAY", 1),
    ] {
        text += &format!("_Static_assert({name} == {value}, \"{name}\");\n");
    }
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    fs::write(folder.join("theirs.c"), text).unwrap();
    fs::write(folder.join("ours.c"), ours).unwrap();
    let include = format!("-I{}", header.parent().unwrap().display());
    cc(&["-w", &include, "-o", "compare", "theirs.c", "ours.c"], folder);
    let status = Command::new(folder.join("compare")).status().unwrap();
    assert!(status.success(), "{status:?}: the entry of this number in the list of sizes and offsets, less 2, differs");
}

/// Probes whose results on an H100 the model does not have.
#[derive(Deserialize)]
struct Differences {
    probe: Vec<Difference>,
}

#[derive(Deserialize)]
struct Difference {
    name: String,
    rows: usize,
    why: String,
}

#[test]
fn the_model_computes_what_an_h100_did() {
    let folder = corpus().join("gpu/textures");
    let text = fs::read_to_string(folder.join("differences.toml")).unwrap();
    let known: Differences = toml::from_str(&text).unwrap();
    assert!(known.probe.iter().all(|one| one.rows > 0 && !one.why.is_empty()));
    let (mut compared, mut wrong) = (0, Vec::new());
    for probe in texture_probes::all() {
        let Ok(theirs) = fs::read(folder.join(format!("{}.bin", probe.name))) else { continue };
        let ours = probe.expected("sm_90").unwrap().unwrap().results;
        assert_eq!(ours.len(), theirs.len(), "{}: other rows than on the GPU", probe.name);
        let differ = ours.chunks(16).zip(theirs.chunks(16)).filter(|(ours, theirs)| ours != theirs).count();
        let allowed = known.probe.iter().find(|one| one.name == probe.name).map_or(0, |one| one.rows);
        if differ != allowed {
            wrong.push(format!("{}: {differ} rows differ, {allowed} are known to", probe.name));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let files = fs::read_dir(&folder).unwrap().count() - 1;
    assert_eq!(compared, files, "results without a probe");
    assert!(
        known.probe.iter().all(|one| folder.join(format!("{}.bin", one.name)).exists()),
        "a difference without results"
    );
}
