//! nvJitLink.

use super::*;
use raddle_filetest::llvm;
use std::fs;

const SHARED: &str = "libnvJitLink.so.13";

/// NVIDIA's library, and its headers.
fn theirs() -> Option<(PathBuf, Vec<String>)> {
    let library = oracle::require_nvjitlink()?;
    let rpath = format!("-Wl,-rpath,{}", library.parent()?.display());
    Some((headers(), vec![library.display().to_string(), rpath]))
}

#[test]
fn it_does_what_nvidias_does() {
    let theirs = theirs();
    let theirs = theirs.as_ref().map(|(headers, with)| Build { headers, with: with.clone() });
    same("nvjitlink.c", &ours(SHARED), theirs.as_ref(), 180);
    same("nvjitlink.c", &ours("libnvJitLink_static.a"), None, 180);
}

#[test]
fn programs_of_nvidias_header_use_it() {
    if oracle::require_file("include/nvJitLink.h").is_none() {
        return;
    }
    let headers = headers();
    let (_folder, path) = program("nvjitlink.c", &Build { headers: &headers, ..ours(SHARED) });
    let (_other, with_ours) = program("nvjitlink.c", &ours(SHARED));
    assert_eq!(without_times(&printed(&path, &[], &[])), without_times(&printed(&with_ours, &[], &[])));
    declared_alike("nvJitLink.h", &headers, &exported("nvJitLink.map"));
}

fn without_times(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.contains(" time ")).collect()
}

#[test]
fn only_the_functions_are_visible() {
    let names = exported("nvJitLink.map");
    assert_eq!(names.len(), 27);
    let lib = libraries().join("lib");
    let versions = defined(&lib.join(SHARED), &["-D"]);
    let plain: Vec<String> = versions.iter().map(|name| name.replace("@@libnvJitLink.so.13", "")).collect();
    assert_eq!(plain, names);
    assert!(versions.iter().all(|name| name.ends_with("@@libnvJitLink.so.13")), "{versions:?}");
    let Some(theirs) = oracle::require_nvjitlink() else { return };
    let mut wanted = defined(&theirs, &["-D"]);
    // It is in no header.
    wanted.retain(|name| !name.starts_with("__nvJitLinkAPI@"));
    assert_eq!(versions, wanted);
}

/// A program that was linked with NVIDIA's library runs with ours in its place.
#[test]
fn it_takes_the_place_of_nvidias() {
    let Some((headers, with)) = theirs() else { return };
    let with: Vec<String> = with.into_iter().take(1).collect();
    let (_folder, path) = program("nvjitlink.c", &Build { headers: &headers, with });
    let lib = libraries().join("lib").display().to_string();
    let (_other, with_ours) = program("nvjitlink.c", &ours(SHARED));
    let text = printed(&path, &[], &[("LD_LIBRARY_PATH", &lib)]);
    assert_eq!(without_times(&text), without_times(&printed(&with_ours, &[], &[])));
}

const USES: &str = "__device__ int f(int x);\nextern \"C\" __global__ void k(int *p) { *p = f(*p); }\n";
const DEFINES: &str = "__device__ int f(int x) { return x * 3 + 5; }\n";

/// A folder of objects of many kinds, made by nvcc, once.
pub(super) fn objects() -> Option<&'static Path> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let nvcc = oracle::require("nvcc")?;
    Some(FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("objects");
        fs::create_dir_all(&folder).unwrap();
        make_objects(&nvcc, &folder);
        folder
    }))
}

fn make_objects(nvcc: &oracle::Oracle, dir: &Path) {
    for (name, text) in [("a.cu", USES), ("b.cu", DEFINES), ("e.c", "int nothing;\n")] {
        fs::write(dir.join(name), text).unwrap();
    }
    let compile = |words: &[&str]| {
        let output = nvcc.command().current_dir(dir).args(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let of = |code: &str| format!("arch=compute_80,code={code}");
    for source in ["a", "b"] {
        let cu = format!("{source}.cu");
        let to = |suffix: &str| format!("{source}{suffix}");
        compile(&["-gencode", &of("sm_80"), "-rdc=true", "-cubin", &cu, "-o", &to(".cubin")]);
        compile(&["-gencode", &of("sm_80"), "-rdc=true", "-fatbin", &cu, "-o", &to(".fatbin")]);
        compile(&["-gencode", &of("sm_80"), "-dc", &cu, "-o", &to(".o")]);
        compile(&["-gencode", &of("compute_80"), "-dc", &cu, "-o", &to("ptx.o")]);
        compile(&["-gencode", &of("lto_80"), "-dc", &cu, "-o", &to("lto.o")]);
        compile(&["-gencode", &of("lto_80"), "-rdc=true", "-ltoir", &cu, "-o", &to(".ltoir")]);
    }
    compile(&["-arch=sm_90", "-rdc=true", "-cubin", "b.cu", "-o", "b90.cubin"]);
    compile(&["-arch=sm_90a", "-rdc=true", "-cubin", "b.cu", "-o", "b90a.cubin"]);
    compile(&["-arch=sm_90", "-rdc=true", "-fatbin", "b.cu", "-o", "b90.fatbin"]);
    compile(&["-arch=sm_80", "-cubin", "b.cu", "-o", "whole.cubin"]);
    for (program, words) in
        [("cc", &["-c", "e.c"][..]), ("ar", &["rcs", "lib.a", "e.o", "b.o"]), ("ar", &["rcs", "e.a", "e.o"])]
    {
        assert!(Command::new(program).current_dir(dir).args(words).status().unwrap().success());
    }
}

#[test]
fn a_hosts_process_stays_as_it_was() {
    let mut build = ours(SHARED);
    build.with.push("-DJITLINK".into());
    let (_folder, path) = program("host.c", &build);
    for words in [&["state"][..], &["threads"], &["stack"], &["fork"], &["crash"], &["memory", "5000"]] {
        let text = printed(&path, words, &[]);
        assert!(text.ends_with("done\n"), "{words:?}: {text}");
    }
    assert_eq!(printed(&path, &["panic"], &[("RADDLE_FAULT", "panic:k")]), "done\n");
    for (what, fault) in [("fail", ""), ("panic", "panic:k")] {
        let place = tempfile::tempdir().unwrap();
        let words = ["tokens", what, &shown(place.path(), "tokens")];
        assert_eq!(printed(&path, &words, &[("RADDLE_JOBS", "4"), ("RADDLE_FAULT", fault)]), "done\n", "{what}");
    }
}

/// The inputs of links.
const LINKS: &[&[&str]] = &[
    &["1:a.cubin", "1:b.cubin"],
    &["10:a.cubin", "10:b.cubin"],
    &["1:a.cubin", "1:b.cubin", "1:whole.cubin"],
    &["1:whole.cubin"],
    &["4:a.fatbin", "4:b.fatbin"],
    &["5:a.o", "5:b.o"],
    &["5:a.o", "5:bptx.o"],
    &["5:aptx.o", "5:bptx.o"],
    &["5:a.o", "5:e.o", "6:lib.a"],
    &["5:a.o", "6:e.a", "6:lib.a"],
    &["10:a.o", "10:lib.a"],
    &["105:a.o", "106:lib.a"],
    &["110:a.fatbin", "110:b.cubin"],
    &["106:a.o", "105:lib.a"],
    &["1:a.cubin"],
    &["1:a.cubin", "1:b90.cubin"],
    &["4:a.fatbin", "4:b90.fatbin"],
    &["3:a.ltoir"],
    &["5:alto.o"],
];

#[test]
fn objects_of_all_kinds_are_linked_as_nvidias_does() {
    let (Some(folder), Some((headers, with))) = (objects(), theirs()) else { return };
    let (_ours, our) = program("nvjitlink.c", &ours(SHARED));
    let (_theirs, their) = program("nvjitlink.c", &Build { headers: &headers, with });
    for inputs in LINKS {
        for options in ["-arch=sm_80", "-arch=sm_80,-verbose"] {
            let words: Vec<String> = inputs
                .iter()
                .map(|input| {
                    let (kind, name) = input.split_once(':').unwrap();
                    format!("{kind}:{}", shown(folder, name))
                })
                .collect();
            let mut all = vec!["-", options];
            all.extend(words.iter().map(String::as_str));
            // The remark about the reason is ours.
            let plain = |text: String| {
                let own = |line: &&str| !line.starts_with("ptxas         .") && !line.contains(" has no cubin for ");
                text.lines().filter(own).map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(plain(printed(&our, &all, &[])), plain(printed(&their, &all, &[])), "{inputs:?}");
        }
    }
}

const WORKER: &str = env!("CARGO_BIN_EXE_raddle-capi-worker");

/// Links files of a folder to `out` in another one.
fn link(folder: &Path, to: &Path, options: &str, inputs: &[&str], variables: &[(&str, &str)]) -> String {
    let (_program, path) = program("nvjitlink.c", &ours(SHARED));
    let out = shown(to, "out");
    let words: Vec<String> = inputs
        .iter()
        .map(|input| {
            let (kind, name) = input.split_once(':').unwrap();
            format!("{kind}:{}", shown(folder, name))
        })
        .collect();
    let mut all = vec![&*out, options];
    all.extend(words.iter().map(String::as_str));
    printed(&path, &all, variables)
}

/// What kernel `k` of the last link makes of a number, in the simulator.
fn computed(folder: &Path, number: u32) -> u32 {
    let cubin = fs::read(folder.join("out")).unwrap();
    let launch = raddle::Launch::new("k").arg(raddle::Arg::Buffer(number.to_le_bytes().to_vec()));
    let buffers = raddle::run(&cubin, &launch).unwrap();
    u32::from_le_bytes(buffers[0][..].try_into().unwrap())
}

#[test]
fn linked_programs_compute_what_they_should() {
    let Some(from) = objects() else { return };
    let to = tempfile::tempdir().unwrap();
    let to = to.path();
    for inputs in [
        &["1:a.cubin", "4:b.fatbin"][..],
        &["5:a.o", "6:lib.a"],
        &["5:aptx.o", "1:b.cubin"],
        &["105:aptx.o", "110:bptx.o"],
    ] {
        assert!(link(from, to, "-arch=sm_80", inputs, &[]).ends_with("complete 0\ntype 2\n"), "{inputs:?}");
        assert_eq!(computed(to, 7), 26, "{inputs:?}");
    }
}

#[test]
fn lto_ir_goes_to_nvidias_library_if_it_is_named() {
    let (Some(from), Some(library)) = (objects(), oracle::require_nvjitlink()) else { return };
    let to = tempfile::tempdir().unwrap();
    let to = to.path();
    let library = library.display().to_string();
    let inputs = ["5:alto.o", "3:b.ltoir"];
    let refused = link(from, to, "-arch=sm_80,-lto", &inputs, &[]);
    assert!(refused.starts_with("create 0 data 5 data 5 complete 5\n"), "{refused}");
    assert!(refused.contains("NVIDIA's LTO-IR, which only NVIDIA's libnvJitLink.so reads"), "{refused}");
    let own = shown(&libraries().join("lib"), SHARED);
    let named = |path: &str| {
        link(from, to, "-arch=sm_80,-lto", &inputs, &[("RADDLE_NVJITLINK", path), ("RADDLE_PROGRAM", WORKER)])
    };
    assert!(named(&own).contains("is Raddle's"), "it would call itself");
    assert_eq!(named(&library), "create 0 data 0 data 0 complete 0\ntype 2\n");
    assert_eq!(computed(to, 7), 26);
    let without =
        link(from, to, "-arch=sm_80,-lto", &inputs, &[("RADDLE_NVJITLINK", &library), ("PATH", "/nonexistent")]);
    assert!(without.contains("need the program raddle"), "{without}");
}

const IR: &str = "target triple = \"nvptx64-nvidia-cuda\"\n\
    define ptx_kernel void @k(ptr %p) {\n  %v = load i32, ptr %p\n  %w = call i32 @f(i32 %v)\n  store i32 %w, ptr %p\n  ret void\n}\n\
    declare i32 @f(i32)\n";

#[test]
fn llvm_ir_is_linked_with_ptx() {
    let Some(llvm) = llvm::require(22) else { return };
    let llvm = llvm.display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    fs::write(dir.join("k.ll"), IR).unwrap();
    fs::write(dir.join("f.ptx"), DEFINES_PTX).unwrap();
    let variables = [("RADDLE_LLVM", &*llvm), ("RADDLE_PROGRAM", WORKER)];
    let linked = link(dir, dir, "-arch=sm_80,-lto", &["3:k.ll", "2:f.ptx"], &variables);
    assert_eq!(linked, "create 0 data 0 data 0 complete 0\ntype 2\n");
    assert_eq!(computed(dir, 7), 12);
    let ptx = link(dir, dir, "-arch=sm_80,-lto,-ptx", &["10:k.ll"], &variables);
    assert_eq!(ptx, "create 0 data 0 complete 0\nptx, with its NUL\n");
    assert!(fs::read_to_string(dir.join("out")).unwrap().contains(".entry k"));
    fs::write(dir.join("bad.ll"), "define void @k() {\n").unwrap();
    let bad = link(dir, dir, "-arch=sm_80,-lto", &["3:bad.ll"], &variables);
    assert!(bad.starts_with("create 0 data 0 complete 5\n") && bad.contains("bad.ll"), "{bad}");
}

const DEFINES_PTX: &str = ".version 8.0\n.target sm_80\n.address_size 64\n\
    .visible .func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [a];\n\
    add.s32 %r2, %r1, 5;\nst.param.b32 [r], %r2;\nret;\n}\n";
