//! Raddle's own interface, and the example for it.

use super::*;

const SHARED: &str = "libraddle.so.0";
const STATIC: &str = "libraddle_static.a";

#[test]
fn every_function_does_what_the_header_says() {
    for library in [SHARED, STATIC] {
        let (_folder, path) = program("raddle.c", &ours(library));
        assert_eq!(printed(&path, &[], &[]), "done\n", "{library}");
    }
}

#[test]
fn only_the_functions_are_visible() {
    let names = exported("raddle.map");
    assert_eq!(names.len(), 17);
    let lib = libraries().join("lib");
    assert_eq!(defined(&lib.join(SHARED), &["-D"]), names);
    assert_eq!(defined(&lib.join(STATIC), &["-g"]), names);
    // The header declares them, also for C++.
    let header = std::fs::read_to_string(libraries().join("include/raddle.h")).unwrap();
    names.iter().for_each(|name| assert!(header.contains(&format!("{name}(")), "{name}"));
    let folder = tempfile::tempdir().unwrap();
    let source = shown(folder.path(), "x.cc");
    std::fs::write(&source, "#include \"raddle.h\"\nint main() { return raddle_version() == nullptr; }\n").unwrap();
    let Some(cxx) = oracle::require("g++") else { return };
    let mut command = cxx.command();
    command.args(["-fsyntax-only", "-Wall", "-Werror", "-I"]).arg(libraries().join("include")).arg(&source);
    assert!(command.status().unwrap().success());
}

/// A cubin without the build that made it.
fn without_build(cubin: &[u8]) -> Vec<u8> {
    let mark = b"\0Build raddle_";
    let at = cubin.windows(mark.len()).position(|part| part == mark).expect("a build in the note") + mark.len();
    let end = at + cubin[at..].iter().position(|&byte| byte == 0).expect("the end of a text");
    [&cubin[..at], &cubin[end..]].concat()
}

#[test]
fn the_example_compiles_links_and_gives_up() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/compile.c");
    let (_folder, path) = program(example.to_str().unwrap(), &ours(SHARED));
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = shown(folder.path(), name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let head = ".version 8.0\n.target sm_80\n.address_size 64\n";
    let function = "(.param .b32 r) f(.param .b32 a)";
    let defines = format!(
        "{head}.visible .func {function}\n{{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [a];\nadd.s32 %r2, %r1, 5;\n\
         st.param.b32 [r], %r2;\nret;\n}}\n"
    );
    let uses = format!(
        "{head}.extern .func {function};\n.visible .entry k(.param .u64 p, .param .u32 n)\n{{\n.reg .b64 %rd<2>;\n\
         .reg .b32 %r<3>;\nld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n{{\n.param .b32 a;\n.param .b32 r;\n\
         st.param.b32 [a], %r1;\ncall (r), f, (a);\nld.param.b32 %r2, [r];\n}}\nst.global.u32 [%rd1], %r2;\nret;\n}}\n"
    );
    let (output, uses, defines) = (shown(folder.path(), "out"), file("u.ptx", &uses), file("d.ptx", &defines));
    let told = printed(&path, &["sm_90", "60", &output, &uses, &defines], &[]);
    assert!(told.starts_with("k: ") && told.contains(" registers"), "{told}");
    // The program computes what it should.
    let launch = raddle::Launch::new("k").arg(raddle::Arg::Buffer(vec![0; 4])).arg(37u32);
    let results = raddle::run(&std::fs::read(&output).unwrap(), &launch).unwrap();
    assert_eq!(results, [[42, 0, 0, 0]]);
    // One module is the executable that the Rust library makes: another build, as its note says.
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/kernels/saxpy/nvcc.ptx");
    let ptx = std::fs::read_to_string(&corpus).unwrap();
    printed(&path, &["sm_80", "60", &output, corpus.to_str().unwrap()], &[]);
    let want = raddle::compile(&ptx, &raddle::Options::new(raddle::Arch::SM_80)).unwrap();
    let of_library = std::fs::read(&output).unwrap();
    assert!(of_library != want.bytes() && without_build(&of_library) == without_build(want.bytes()));
    for (words, code, text) in [
        (
            &["sm_80", "60", &output, &file("bad.ptx", &format!("{head}.visible .entry k()\n{{\nfrob;\n}}\n"))][..],
            1,
            "bad.ptx:6",
        ),
        (&["sm_20", "60", &output, &uses], 2, "no architecture"),
        (&["sm_80", "60", &output, &uses, &uses], 1, "k"),
        (&["sm_80", "0", &output, &defines], 5, "cancelled"),
    ] {
        let output = run(&path, words, &[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && said.contains(text), "{words:?} {} {said}", output.status);
    }
}
