//! `raddle link`: outputs, exit codes, messages, and inputs inside other files.

use crate::common::{Bench, raddle};
use raddle_fatbin::{Kind, NewMember, write};
use std::path::Path;

fn object(program: &str, name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/link");
    folder.join(program).join("sm_90").join(name).display().to_string()
}

#[test]
fn objects_in_any_order_and_on_any_number_of_threads_give_the_same_file() {
    let bench = Bench::new();
    let (a, b) = (object("calls", "a.cubin"), object("calls", "b.cubin"));
    let mut all = Vec::new();
    for (number, (files, jobs)) in [([&a, &b], "1"), ([&b, &a], "1"), ([&b, &a], "2")].into_iter().enumerate() {
        let output = bench.file(&format!("{number}.cubin"), "old");
        let ran = raddle(&["link", files[0], files[1], "-o", &output, "-j", jobs]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        all.push(std::fs::read(&output).unwrap());
    }
    assert!(all[0] == all[1] && all[1] == all[2] && all[0].starts_with(b"\x7fELF"));
}

#[test]
fn an_undefined_symbol_is_named_as_people_wrote_it_and_nothing_is_written() {
    let bench = Bench::new();
    let output = bench.file("out.cubin", "old");
    let ran = raddle(&["link", &object("missing", "a.cubin"), "-o", &output]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("E0065") && ran.stderr.contains("nobody(int) (_Z6nobodyi)"), "{}", ran.stderr);
    assert_eq!(std::fs::read(&output).unwrap(), b"old");
    let ran = raddle(&["link", &object("missing", "a.cubin"), "-o", &output, "--message-format=json"]);
    let codes = ran.stderr.lines().filter(|line| line.contains("E0065")).count();
    assert_eq!(codes, 2, "{}", ran.stderr);
}

#[test]
fn fatbins_are_taken_apart_and_other_kinds_refused() {
    let bench = Bench::new();
    let (a, b) = (std::fs::read(object("calls", "a.cubin")).unwrap(), object("calls", "b.cubin"));
    let member = |kind, contents| NewMember::new(kind, 90, (8, 0), contents);
    let fatbin = bench.file("a.fatbin", write(&[member(Kind::Cubin, &a)]));
    let lto = bench.file("lto.fatbin", write(&[member(Kind::LtoIr, b"\x01\x02\x03\x04")]));
    let text = bench.file("k.ptx", b".version 9.0\n.target sm_90\n.address_size 64\n// \xff\n");
    let (linked, output) = (bench.file("linked.cubin", ""), bench.file("out.cubin", "old"));
    let ran = raddle(&["link", &fatbin, &b, "-o", &linked]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for (file, code, says) in [(&lto, 3, "LTO-IR"), (&text, 1, "is not text"), (&linked, 1, "is an executable")] {
        let ran = raddle(&["link", file, "-o", &output]);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
    let ran = raddle(&["link", &b, "-l", "none", "-o", &output]);
    assert!(ran.code == Some(1) && ran.stderr.contains("no libnone.a"), "{}", ran.stderr);
}

#[test]
fn questions_are_answered() {
    let bench = Bench::new();
    let (output, map) = (bench.file("out.cubin", "old"), bench.file("map", "old"));
    let files = [object("unused", "a.cubin"), object("unused", "b.cubin")];
    let args = ["link", &files[0], &files[1], "-o", &output, "--map", &map, "--why-live", "used", "--why-live", "deep"];
    let ran = raddle(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, b"used <- ka\ndeep: removed, no kernel reaches it\n");
    let map = std::fs::read_to_string(&map).unwrap();
    assert!(map.contains(".text.used") && map.contains("Removed\n") && map.contains("  deep  "), "{map}");
    let ran = raddle(&["link", &files[0], &files[1], "-o", &output, "--trace-symbol", "nothing"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

/// An archive in the common format.
fn archive(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let name = format!("{name}/");
        out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, bytes.len()).bytes());
        out.extend(bytes);
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
    out
}

#[test]
fn members_of_libraries_are_linked_where_something_needs_them() {
    let bench = Bench::new();
    let read = |name: &str| std::fs::read(object("unused", name)).unwrap();
    let members = archive(&[("b.o", read("b.cubin")), ("c.o", read("c.cubin")), ("notes", b"nothing".to_vec())]);
    // An archive inside an archive is ignored.
    let nested = archive(&[("inside.a", members.clone())]);
    let (first, second) = (bench.path("first"), bench.path("second"));
    for (folder, bytes) in [(&first, &nested), (&second, &members)] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(Path::new(folder).join("libdevice.a"), bytes).unwrap();
    }
    let (output, map) = (bench.path("out.cubin"), bench.path("map"));
    let a = object("unused", "a.cubin");
    let args = ["link", &a, "-L", &second, "-L", &first, "-l", "device", "-o", &output, "--map", &map];
    let ran = raddle(&[&args[..], &["--trace-symbol", "used"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(said.contains("libdevice.a(b.o): definition of used") && said.contains("a.cubin: use of used"), "{said}");
    let map = std::fs::read_to_string(&map).unwrap();
    assert!(map.contains(&format!("libdevice.a(b.o)  used  {a}")) && !map.contains("libdevice.a(c.o)"), "{map}");
    // The first folder that has the library counts.
    let ran = raddle(&["link", &a, "-L", &first, "-L", &second, "-l", "device", "-o", &output]);
    assert!(ran.code == Some(1) && ran.stderr.contains("undefined symbol used"), "{}", ran.stderr);
}

#[test]
fn an_object_made_of_objects_may_lack_names_and_links_on() {
    let bench = Bench::new();
    let (a, b) = (object("calls", "a.cubin"), object("calls", "b.cubin"));
    let (part, output, direct) = (bench.path("part.cubin"), bench.path("out.cubin"), bench.path("direct.cubin"));
    for args in [
        &["link", "-r", &a, "-o", &part][..],
        &["link", &part, &b, "-o", &output],
        &["link", &a, &b, "-o", &direct],
        &["info", &part],
    ] {
        let ran = raddle(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    }
    let size = |path: &str| std::fs::metadata(path).unwrap().len();
    assert!(size(&output).abs_diff(size(&direct)) < 1024, "{} and {}", size(&output), size(&direct));
}

#[test]
fn variables_and_shared_memory_are_accounted_for() {
    let bench = Bench::new();
    let (a, b, output, map) =
        (object("calls", "a.cubin"), object("calls", "b.cubin"), bench.path("out"), bench.path("map"));
    let mut args = vec!["link", &a, &b, "-o", &output, "--map", &map];
    for name in ["table", "unused", "inner", "nobody"] {
        args.extend(["--why-live", name]);
    }
    let ran = raddle(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let said = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(said, "table <- k\nunused\ninner <- callee <- k\nnobody: removed, no kernel reaches it\n");
    let map = std::fs::read_to_string(&map).unwrap();
    let after = |heading: &str| map.split(heading).nth(1).unwrap_or_default().split("\n\n").next().unwrap().to_owned();
    assert!(after("\nShared memory").contains("         0         80  $__sh__16  "), "{map}");
    for name in ["k", "callee", "inner", "counter", "ptr", "unused", "table"] {
        assert!(after("\nSymbols").contains(&format!("  {name}  ")), "no {name} in {map}");
    }
    assert!(after("\nRemoved").contains("  nobody  "), "{map}");
}

#[test]
fn an_error_names_both_objects_and_says_what_to_do() {
    let bench = Bench::new();
    let output = bench.path("out.cubin");
    let (a, b) = (object("duplicate", "a.cubin"), object("duplicate", "b.cubin"));
    let ran = raddle(&["link", &a, &b, "-o", &output]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for part in ["E0064", &a, &b, "make one of them weak or private"] {
        assert!(ran.stderr.contains(part), "no {part:?} in {}", ran.stderr);
    }
    assert!(bench.listing().is_empty(), "{:?}", bench.listing());
}

const PTX: &str = "\
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) other(.param .b32 a);
.visible .entry k(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p];
 { .param .b32 a; .param .b32 r; st.param.b32 [a], 4; call (r), other, (a); ld.param.b32 %r, [r]; } st.global.b32 [%d], %r; ret; }
";

const CALLEE: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 r) other(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; mul.lo.u32 %r, %r, 5; st.param.b32 [r], %r; ret; }
";

/// A host object with one section.
fn host_object(section: &str, contents: &[u8]) -> Vec<u8> {
    let names = format!("\0{section}\0");
    let start = 64 + names.len();
    let table = (start + contents.len()).next_multiple_of(8);
    // ELF, 64 bits, little endian; relocatable, for x86-64.
    let mut out = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0\x3e\0\x01\0\0\0".to_vec();
    out.extend([0; 16]);
    out.extend((table as u64).to_le_bytes());
    out.extend([0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 64, 0, 3, 0, 1, 0]);
    out.extend(names.as_bytes());
    out.extend(contents);
    out.resize(table, 0);
    for (name, kind, offset, size) in [(0u32, 0u32, 0, 0), (0, 3, 64, names.len()), (1, 1, start, contents.len())] {
        out.extend(name.to_le_bytes());
        out.extend(kind.to_le_bytes());
        for value in [0, 0, offset as u64, size as u64, 0, 1, 0] {
            out.extend(value.to_le_bytes());
        }
    }
    out
}

/// An offload package in the format of clang, with one image: kind 4 is a fatbin, 5 is PTX.
fn offload(kind: u8, arch: &str, image: &[u8]) -> Vec<u8> {
    let strings = format!("arch\0{arch}\0");
    let (entry, pairs) = (32, 72);
    let text = pairs + 16;
    let start = (text + strings.len()).next_multiple_of(8);
    let mut out = vec![0x10, 0xff, 0x10, 0xad, 1, 0, 0, 0];
    for value in [start + image.len(), entry, 40] {
        out.extend((value as u64).to_le_bytes());
    }
    // For CUDA.
    out.extend([kind, 0, 2, 0, 0, 0, 0, 0]);
    for value in [pairs, 1, start, image.len(), text, text + 5] {
        out.extend((value as u64).to_le_bytes());
    }
    out.extend(strings.as_bytes());
    out.resize(start, 0);
    out.extend(image);
    out
}

#[test]
fn device_code_inside_host_objects_is_linked() {
    let bench = Bench::new();
    let output = bench.path("out.cubin");
    let linked = |files: &[&str]| {
        let ran = raddle(&[&["link"], files, &["-o", &output, "--arch", "sm_90"]].concat());
        assert_eq!(ran.code, Some(0), "{files:?}: {}", ran.stderr);
        std::fs::read(&output).unwrap()
    };
    let (kernel, callee) = (bench.file("k.ptx", PTX), bench.file("f.ptx", CALLEE));
    let want = linked(&[&kernel, &callee]);
    let ptx = write(&[
        NewMember::new(Kind::Ptx, 80, (8, 0), CALLEE.as_bytes()),
        NewMember::new(Kind::Ptx, 100, (8, 0), b"not for sm_90"),
    ]);
    let hosts = [
        ("whole.o", host_object(".nv_fatbin", &ptx)),
        ("rdc.o", host_object("__nv_relfatbin", &ptx)),
        ("clang.o", host_object(".llvm.offloading", &offload(5, "sm_80", CALLEE.as_bytes()))),
        ("fat.o", host_object(".llvm.offloading", &offload(4, "sm_90", &ptx))),
    ];
    for (name, bytes) in &hosts {
        assert!(linked(&[&kernel, &bench.file(name, bytes)]) == want, "{name}");
        let library = bench.file(&format!("{name}.a"), archive(&[(name, bytes.clone())]));
        assert!(linked(&[&kernel, &library]) == want, "{name} in a library");
    }
    // Cubins in them, for the architecture of the link.
    let cubins = ["a.cubin", "b.cubin"].map(|name| object("calls", name));
    let want = linked(&[&cubins[0], &cubins[1]]);
    let b = std::fs::read(&cubins[1]).unwrap();
    let fatbin = write(&[
        NewMember::new(Kind::Ptx, 80, (8, 0), CALLEE.as_bytes()),
        NewMember::new(Kind::Cubin, 80, (1, 8), b"not for sm_90"),
        NewMember::new(Kind::Cubin, 90, (1, 8), &b),
    ]);
    for section in [".nv_fatbin", "__nv_relfatbin"] {
        let host = bench.file("b.o", host_object(section, &fatbin));
        assert!(linked(&[&cubins[0], &host]) == want, "{section}");
    }
    // One without device code.
    let ran = raddle(&["link", &kernel, &bench.file("text.o", host_object(".text", b"code")), "-o", &output]);
    assert!(ran.code == Some(1) && ran.stderr.contains("text.o' is not a cubin"), "{:?} {}", ran.code, ran.stderr);
}

#[test]
fn objects_of_nvcc_are_linked_as_nvlink_links_them() {
    let oracles = ["nvcc", "nvlink", "cuobjdump"].map(raddle_filetest::oracle::require);
    let [Some(nvcc), Some(nvlink), Some(cuobjdump)] = oracles else { return };
    let bench = Bench::new();
    let kernel =
        bench.file("k.cu", "__device__ int other(int);\nextern \"C\" __global__ void k(int *p) { *p = other(4); }\n");
    let callee = bench.file("f.cu", "__device__ __noinline__ int other(int a) { return a * 5; }\n");
    for (code, kind) in [("compute_90", "PTX"), ("sm_90", "cubin")] {
        let mut objects = Vec::new();
        for source in [&kernel, &callee] {
            objects.push(format!("{source}.{code}.o"));
            let generate = format!("arch=compute_90,code={code}");
            let mut command = nvcc.command();
            command.args(["-dc", "-gencode", &generate, source, "-o", objects.last().unwrap()]);
            assert!(command.output().unwrap().status.success(), "{code} {source}");
        }
        let output = bench.path(&format!("{code}.cubin"));
        let ran = raddle(&["link", &objects[0], &objects[1], "-o", &output, "--arch", "sm_90"]);
        assert_eq!(ran.code, Some(0), "{kind}: {}", ran.stderr);
        let listed = String::from_utf8(cuobjdump.run(&["-sass", &output]).unwrap()).unwrap();
        assert!(listed.contains("Function : k") && listed.contains("EXIT"), "{kind}: {listed}");
        if kind == "cubin" {
            let theirs = bench.path("theirs.cubin");
            nvlink.run(&["-arch=sm_90", &objects[0], &objects[1], "-o", &theirs]).unwrap();
            // nvlink has functions in another order.
            let sorted = |text: &str| {
                let mut functions: Vec<String> =
                    text.split("Function : ").skip(1).map(|f| f.trim().to_owned()).collect();
                functions.sort();
                functions
            };
            let theirs = String::from_utf8(cuobjdump.run(&["-sass", &theirs]).unwrap()).unwrap();
            assert_eq!(sorted(&listed), sorted(&theirs), "{kind}");
        }
    }
}

#[test]
fn ptx_is_compiled_wherever_it_lies_and_gives_what_its_objects_give() {
    let bench = Bench::new();
    let (kernel, callee) = (bench.file("k.ptx", PTX), bench.file("f.ptx", CALLEE));
    let mut objects = Vec::new();
    for file in [&kernel, &callee] {
        objects.push(format!("{file}.o"));
        let ran = raddle(&["compile", "-c", file, "--arch", "sm_90", "-o", objects.last().unwrap()]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let linked = |files: &[&str], more: &[&str]| {
        let output = bench.path("out.cubin");
        let ran = raddle(&[&["link"], files, &["-o", &output, "--arch", "sm_90"], more].concat());
        assert_eq!(ran.code, Some(0), "{files:?}: {}", ran.stderr);
        std::fs::read(&output).unwrap()
    };
    let want = linked(&[&objects[0], &objects[1]], &[]);
    let member = |kind, sm, contents| NewMember::new(kind, sm, (8, 0), contents);
    let fatbin =
        bench.file("f.fatbin", write(&[member(Kind::Ptx, 80, CALLEE.as_bytes()), member(Kind::Cubin, 86, b"x")]));
    let library = bench.file("libf.a", archive(&[("f.ptx", CALLEE.as_bytes().to_vec())]));
    for files in
        [[&kernel, &callee], [&objects[0], &callee], [&kernel, &objects[1]], [&kernel, &fatbin], [&kernel, &library]]
    {
        assert!(linked(&[files[0], files[1]], &["-j", "2"]) == want, "{files:?}");
    }
    assert!(linked(&[&callee, &kernel], &["--split-compile=1"]) == want);
    assert!(linked(&[&callee, &kernel], &["--split-compile-extended=0", "--verify-split"]) == want, "one unit each");
    assert!(linked(&[&callee, &kernel], &["-O0"]) != want);
    // A missing file is reported by name, as for objects.
    let ran = raddle(&["link", &kernel, "-o", &bench.path("none")]);
    assert!(ran.code == Some(1) && ran.stderr.contains("undefined symbol other"), "{}", ran.stderr);
}

#[test]
fn an_undefined_name_is_told_with_its_line_and_a_name_like_it() {
    let ran = raddle(&["link", &object("lines", "a.cubin"), "-o", "/dev/null"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("used at a.cu:5"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("similar name"), "one letter is like any other: {}", ran.stderr);
    let bench = Bench::new();
    let like = bench.file("f.ptx", CALLEE.replace("other", "otter").replace("sm_80", "sm_90"));
    let kernel = bench.file("k.ptx", PTX);
    let ran = raddle(&["link", &kernel, &like, "-o", "/dev/null", "--arch", "sm_90"]);
    assert!(
        ran.code == Some(1) && ran.stderr.contains("a symbol of a similar name is defined: otter"),
        "{}",
        ran.stderr
    );
}

#[test]
fn gc_off_keeps_what_no_kernel_reaches() {
    let bench = Bench::new();
    let files = [object("unused", "a.cubin"), object("unused", "b.cubin")];
    let mut sizes = Vec::new();
    for (gc, want) in [("functions", "deep: removed, no kernel reaches it\n"), ("off", "deep\n")] {
        let output = bench.path(gc);
        let ran = raddle(&["link", &files[0], &files[1], "-o", &output, "--gc", gc, "--why-live", "deep"]);
        assert_eq!((ran.code, String::from_utf8(ran.stdout).unwrap()), (Some(0), want.to_owned()), "{}", ran.stderr);
        sizes.push(std::fs::metadata(&output).unwrap().len());
    }
    assert!(sizes[0] < sizes[1], "{sizes:?}");
}

/// A program with unreachable variables of every kind.
const DATA: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 lost = 1;
.visible .global .align 8 .u64 list[2] = {9, 7};
.visible .global .align 4 .u32 used = 4;
.visible .global .align 16 .b8 space[4096];
.global .align 4 .u32 zero;
.visible .const .align 4 .u32 pad[100] = {1, 2, 3};
.visible .const .align 4 .u32 factor = 5;
.func (.param .b32 r) f(.param .b32 n) { .reg .b32 %r; ld.param.b32 %r, [n]; add.u32 %r, %r, 2; st.param.b32 [r], %r; ret; }
.func (.param .b32 r) g(.param .b32 n) { .reg .b32 %r; ld.param.b32 %r, [n]; add.u32 %r, %r, 3; st.param.b32 [r], %r; ret; }
.global .align 8 .u64 alive[1] = {f};
.visible .global .align 8 .u64 dead[2] = {g, lost};
.visible .global .align 8 .u64 far[1] = {alive};
.visible .entry k(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %d, %t; ld.param.u64 %d, [p];
 ld.global.u64 %t, [far]; ld.global.u64 %t, [%t];
 { .param .b32 x; .param .b32 r; P: .callprototype (.param .b32 _) _ (.param .b32 _); st.param.b32 [x], 1; call (r), %t, (x), P; ld.param.b32 %r0, [r]; }
 ld.const.u32 %r1, [factor]; ld.global.u32 %r2, [used]; ld.global.u32 %r3, [zero]; mad.lo.u32 %r0, %r0, %r1, %r2; add.u32 %r0, %r0, %r3;
 st.global.b32 [%d], %r0; ret; }
";

#[test]
fn gc_all_removes_unreferenced_variables() {
    let bench = Bench::new();
    let module = bench.file("m.ptx", DATA);
    let run = |arch: &str, options: &[&str]| {
        let (output, map, out) = (bench.path("out.cubin"), bench.path("map"), bench.path("bytes"));
        let ran = raddle(&[&["link", &module, "--arch", arch, "-o", &output, "--map", &map], options].concat());
        assert_eq!(ran.code, Some(0), "{options:?}: {}", ran.stderr);
        let arg = format!("out:{out}:4");
        let done = raddle(&["run", &output, "--kernel", "k", "--grid", "1", "--block", "1", "--arg", &arg]);
        assert_eq!(done.code, Some(0), "{options:?}: {}", done.stderr);
        assert_eq!(std::fs::read(&out).unwrap(), [19, 0, 0, 0], "{options:?}");
        let cubin = raddle_cubin::Cubin::parse(&std::fs::read(&output).unwrap()).unwrap();
        let mut names: Vec<String> = cubin.symbols.iter().filter(|s| s.size > 0).map(|s| s.name.clone()).collect();
        names.sort();
        let size = |name: &str| cubin.sections.iter().find(|s| s.name == name).map_or(0, |s| s.size());
        let sizes = [".nv.global", ".nv.global.init", ".nv.constant3"].map(size);
        (names, sizes, std::fs::read_to_string(&map).unwrap(), String::from_utf8(ran.stdout).unwrap())
    };
    for arch in ["sm_80", "sm_90"] {
        let (all, sizes, ..) = run(arch, &[]);
        assert!(
            ["lost", "list", "dead", "space", "pad", "g"].iter().all(|name| all.iter().any(|n| n == name)),
            "{all:?}"
        );
        assert!(sizes[0] >= 4096 && sizes[2] == 404, "{sizes:?}");
        let (names, less, map, said) = run(arch, &["--gc", "all", "--why-live", "dead", "--why-live", "used"]);
        assert_eq!(names, ["alive", "f", "factor", "far", "k", "used", "zero"], "{arch}");
        assert_eq!(less, [4, 20, 4], "{arch}");
        assert_eq!(said, "dead: removed, no kernel reaches it\nused <- k\n");
        let removed = map.split("\nRemoved").nth(1).unwrap();
        assert!(["lost", "pad", "space"].iter().all(|name| removed.contains(&format!("  {name}  "))), "{map}");
        let (names, ..) = run(arch, &["--gc", "all", "--keep", "dead"]);
        assert_eq!(names, ["alive", "dead", "f", "factor", "far", "g", "k", "lost", "used", "zero"], "{arch}");
    }
    for (options, code) in [(&["-r", "--gc", "all"][..], 2), (&["--keep", "lost"], 0)] {
        let ran = raddle(&[&["link", &module, "-o", "/dev/null"], options].concat());
        assert!(ran.code == Some(code) && ran.stderr.contains("E0019"), "{options:?}: {}", ran.stderr);
    }
}
