//! Every error code of a link: each has an input that causes it, an exit code, a text, and an
//! explanation (SPLIT-7).

use crate::common::{Bench, raddle};
use raddle_fatbin::{Kind, NewMember, write};
use std::path::Path;

/// An object of the corpus.
fn object(program: &str, sm: &str, name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/link");
    folder.join(program).join(sm).join(name).display().to_string()
}

const HEADER: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// A module with a constant of 40,000 bytes.
fn large(name: &str) -> String {
    format!(
        "{HEADER}.visible .const .align 4 .b8 big{name}[40000];\n.visible .entry k{name}(.param .u64 p) {{ .reg .b64 %d; .reg .b32 %r; \
         ld.param.u64 %d, [p]; ld.const.u32 %r, [big{name}]; st.global.u32 [%d], %r; ret; }}\n"
    )
}

const POINTER: &str = "\
.visible .entry k(.param .u64 p) { .reg .b64 %d, %t; ld.param.u64 %d, [p]; ld.global.u64 %t, [%d];
 { P: .callprototype _ (.param .b64 _); .param .b64 x; st.param.b64 [x], %d; call %t, (x), P; } ret; }
";

/// A kernel that calls a function of another module.
fn kernel_with(callee: &str, bounds: &str) -> String {
    format!(
        ".extern .func (.param .b32 r) {callee}(.param .b32 a);\n.visible .entry k(.param .u64 p) {bounds} {{ .reg .b64 %d; .reg .b32 %r; \
         ld.param.u64 %d, [p]; {{ .param .b32 a; .param .b32 r; st.param.b32 [a], 4; call (r), {callee}, (a); ld.param.b32 %r, [r]; }} \
         st.global.b32 [%d], %r; ret; }}\n"
    )
}

/// An archive in the common format.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let name = format!("{name}/");
        out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, bytes.len()).bytes());
        out.extend(*bytes);
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
    out
}

/// A fatbin with a kernel as PTX that carries options.
fn with_options(kernel: &str, options: &str) -> Vec<u8> {
    let text = format!("{HEADER}.visible .entry {kernel}() {{ ret; }}\n");
    let member = NewMember::new(Kind::Ptx, 90, (8, 0), text.as_bytes());
    let mut bytes = write(&[member]);
    let mut options = options.as_bytes().to_vec();
    options.resize((options.len() + 1).next_multiple_of(8), 0);
    // The header of the fatbin has 16 bytes, that of PTX 80: 64, then offset and length of the
    // options.
    let length = options.len() as u32;
    let mut put = |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    let [size, header] =
        [8, 16 + 4].map(|at: usize| u32::from_le_bytes(write(&[member])[at..at + 4].try_into().unwrap()));
    put(8, size + length);
    put(16 + 4, header + length);
    put(16 + 64, header);
    put(16 + 68, length);
    bytes.splice(16 + header as usize..16 + header as usize, options);
    bytes
}

/// Links, checks the exit code, the code of a diagnostic and words in its message, then requests
/// the explanation.
fn expect(args: &[&str], exit: i32, code: &str, words: &[&str]) {
    let ran = raddle(&[&["link", "-o", "/dev/null"], args].concat());
    assert_eq!(ran.code, Some(exit), "{code}: {}", ran.stderr);
    for word in words.iter().chain([&code]) {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
    let explained = raddle(&["explain", code]);
    assert!(explained.code == Some(0) && explained.stdout.len() > 80, "{code}");
}

#[test]
fn objects_that_are_none() {
    let bench = Bench::new();
    let mut bytes = std::fs::read(object("calls", "sm_90", "a.cubin")).unwrap();
    let cut = bench.file("cut.cubin", &bytes[..300]);
    expect(&[&cut], 1, "E0060", &["cut.cubin"]);
    let (ptx, executable) =
        (bench.file("k.ptx", format!("{HEADER}.visible .entry k() {{ ret; }}\n")), bench.path("k.cubin"));
    assert_eq!(raddle(&["compile", &ptx, "-o", &executable]).code, Some(0));
    expect(&[&executable], 1, "E0061", &["k.cubin", "is an executable"]);
    let (old, new) = (object("calls", "sm_80", "a.cubin"), object("calls", "sm_90", "b.cubin"));
    expect(&[&old, &new], 1, "E0062", &[&old, &new, "sm_80", "sm_90"]);
    expect(&[&new, "--arch", "sm_80"], 1, "E0062", &[&new, "the architecture is that of --arch"]);
    // The containers of CUDA 12 and 13 can be linked: the byte after EI_OSABI is the version.
    for version in [6, 9] {
        let mut other = bytes.clone();
        other[8] = version;
        let other = bench.file("other.cubin", &other);
        expect(&[&other], 1, "E0061", &["other.cubin", &format!("ABI version {version}"), "CUDA 12 or 13"]);
    }
    // The number of the architecture is in the second byte of the flags.
    (bytes[48], bytes[49]) = (2, 100);
    let newer = bench.file("newer.cubin", &bytes);
    expect(&[&newer], 3, "E0063", &["newer.cubin", "sm_100"]);
    bytes[49] = 75;
    let older = bench.file("older.cubin", &bytes);
    expect(&[&older], 3, "E0063", &["older.cubin", "sm_75"]);
    // The ELF type of extensible whole programs.
    (bytes[16], bytes[17]) = (0x00, 0xff);
    let extensible = bench.file("extensible.cubin", &bytes);
    expect(&[&extensible], 3, "E0063", &["extensible.cubin", "extensible whole program"]);
    let lto = bench.file("lto.fatbin", write(&[NewMember::new(Kind::LtoIr, 90, (8, 0), b"1234")]));
    expect(&[&lto], 3, "E0069", &["lto.fatbin", "LTO-IR"]);
    let both = [80, 90].map(|sm| NewMember::new(Kind::Ptx, sm, (8, 0), b"x"));
    let both = bench.file("both.fatbin", write(&both));
    expect(&[&both], 2, "E0024", &["both.fatbin", "sm_80, sm_90", "--arch"]);
}

#[test]
fn symbols_that_do_not_fit() {
    let [a, b] = ["a.cubin", "b.cubin"].map(|name| object("duplicate", "sm_90", name));
    expect(&[&a, &b], 1, "E0064", &["f is defined in", &a, &b]);
    let missing = object("missing", "sm_90", "a.cubin");
    expect(&[&missing], 1, "E0065", &["nobody(int)", &missing]);
    expect(&[&a, "--trace-symbol", "nothing"], 2, "E0071", &["nothing"]);
    expect(&[&a, "-l", "none"], 1, "E0070", &["libnone.a"]);
}

#[test]
fn programs_that_do_not_fit_the_machine() {
    let bench = Bench::new();
    let [a, b] = ["a.cubin", "b.cubin"].map(|name| object("registers-limit", "sm_90", name));
    // The register budget of a kernel applies to all functions that it calls (DRV-24).
    expect(&[&a, &b], 1, "E0066", &["kbound", "64 registers", "131"]);
    // Launch bounds are a budget too: 65,536 registers for 1,024 threads, in objects of ours and of
    // ptxas.
    let bound = bench.file("bound.ptx", format!("{HEADER}{}", kernel_with("heavy", ".maxntid 1024")));
    let callee = object("registers", "sm_90", "b.cubin");
    expect(&[&bound, &callee], 1, "E0066", &["kernel k is limited to 64 registers but calls heavy, which needs"]);
    let free = bench.file("free.ptx", format!("{HEADER}{}", kernel_with("heavy", ".maxntid 256")));
    assert_eq!(raddle(&["link", &free, &callee, "-o", "/dev/null"]).code, Some(0));
    let [a, b] = ["a", "b"].map(|name| bench.file(name, large(name)));
    expect(&[&a, &b], 1, "E0067", &["constant memory", "0x13880", "0x10000"]);
    let objects = ["a.cubin", "b.cubin", "c.cubin"].map(|name| object("recursion", "sm_90", name));
    expect(&objects.each_ref().map(String::as_str), 0, "E0068", &["is recursive"]);
    let pointer = bench.file("p.ptx", format!("{HEADER}{POINTER}"));
    expect(&[&pointer], 0, "E0072", &["k has an indirect call"]);
}

#[test]
fn ptx_that_cannot_be_compiled_together() {
    let bench = Bench::new();
    let [a, b, c] = [("a", "-maxrregcount 32"), ("b", ""), ("c", "-maxrregcount=64")]
        .map(|(name, options)| bench.file(&format!("{name}.fatbin"), with_options(name, options)));
    expect(&[&a, &b, &c], 1, "E0074", &["a.fatbin", "c.fatbin", "32", "64"]);
    let [d, e] = [("d", "-dlcm=cg"), ("e", "--force-load-cache cs")]
        .map(|(name, options)| bench.file(&format!("{name}.fatbin"), with_options(name, options)));
    expect(&[&d, &e], 1, "E0074", &["d.fatbin", "-def-load-cache=cg", "e.fatbin", "-force-load-cache=cs"]);
    // A single value, given by some inputs or on the command line, is used.
    for args in [&[&a[..], &b][..], &[&a, &b, &c, "--maxrregcount", "40"], &[&d, &e, "--flcm=cv"]] {
        let ran = raddle(&[&["link", "-o", "/dev/null"], args].concat());
        assert!(ran.code == Some(0) && ran.stderr.is_empty(), "{}", ran.stderr);
    }
    let other = bench.file("o.fatbin", with_options("o", "--warn-on-spills"));
    expect(&[&other], 0, "E0075", &["o.fatbin", "--warn-on-spills"]);
    // Options that a link implies are not reported, such as those in objects of `nvcc -dc`.
    let made = ["p", "q"].map(|name| bench.file(&format!("{name}.fatbin"), with_options(name, "--compile-only  ")));
    let ran = raddle(&["link", "-o", "/dev/null", &made[0], &made[1]]);
    assert_eq!((ran.code, &ran.stderr[..]), (Some(0), ""));
    let wrong = bench.file("wrong.ptx", format!("{HEADER}.visible .entry k() {{ mov.u32 %r, 1; ret; }}\n"));
    expect(&[&wrong], 1, "E0111", &["wrong.ptx", "unknown symbol"]);
    let newer = bench.file("n.ptx", format!("{}.visible .entry k() {{ ret; }}\n", HEADER.replace("sm_90", "sm_90a")));
    expect(&[&object("calls", "sm_80", "a.cubin"), &newer], 1, "E0022", &["n.ptx", "sm_90a"]);
}

#[test]
fn options_that_contradict_each_other_or_do_nothing_are_told() {
    let bench = Bench::new();
    let [a, b] = ["a.cubin", "b.cubin"].map(|name| object("calls", "sm_90", name));
    expect(&[&a, &b, "-O1", "--lineinfo"], 0, "E0019", &["no input is PTX: -O, --lineinfo has no effect"]);
    expect(&[&a, &b, "-r", "--verify-split"], 2, "E0019", &["compares executables"]);
    let kernel = bench.file("k.ptx", format!("{HEADER}.visible .entry k() {{ ret; }}\n"));
    expect(&[&kernel, "--split-compile=2", "--split-compile-extended=2"], 0, "E0085", &["--split-compile is not used"]);
    let ran = raddle(&["compile", &kernel, "-c", "--verify-split", "-o", &bench.path("o")]);
    assert!(ran.code == Some(2) && ran.stderr.contains("E0019"), "{}", ran.stderr);
}

#[test]
fn members_of_the_device_runtime_that_cannot_be_compiled_are_left_out() {
    let bench = Bench::new();
    let callee = format!(
        "{HEADER}.visible .func (.param .b32 r) useful(.param .b32 a) {{ .reg .b32 %r; ld.param.b32 %r, [a]; st.param.b32 [r], %r; ret; }}\n"
    );
    let wrong = format!("{HEADER}.visible .func missed() {{ frob.b32 %r; ret; }}\n");
    let lto = write(&[NewMember::new(Kind::LtoIr, 90, (8, 0), b"1234")]);
    let members = archive(&[("lto.o", &lto), ("wrong.ptx", wrong.as_bytes()), ("useful.ptx", callee.as_bytes())]);
    let folder = bench.path("");
    for name in ["libcudadevrt.a", "libother.a"] {
        bench.file(name, &members);
    }
    let kernel = |callee| bench.file(callee, format!("{HEADER}{}", kernel_with(callee, "")));
    let (useful, missed) = (kernel("useful"), kernel("missed"));
    expect(
        &[&useful, "-L", &folder, "-l", "cudadevrt"],
        0,
        "E0080",
        &["(lto.o)", "LTO-IR", "(wrong.ptx)", "unknown symbol"],
    );
    expect(&[&missed, "-L", &folder, "-l", "cudadevrt"], 1, "E0065", &["E0080", "undefined symbol missed"]);
    expect(&[&useful, "-L", &folder, "-l", "other"], 3, "E0069", &["(lto.o)"]);
}

#[test]
fn whole_programs_among_objects_are_left_out() {
    let bench = Bench::new();
    let ptx = bench.file("k.ptx", format!("{HEADER}.visible .entry k() {{ ret; }}\n"));
    let executable = bench.path("k.cubin");
    assert_eq!(raddle(&["compile", &ptx, "-o", &executable]).code, Some(0));
    let mut bytes = std::fs::read(&executable).unwrap();
    // The architecture of a whole program is ignored if there are other inputs, and so is that in
    // its file.
    bytes[49] = 120;
    let newer = bench.file("newer.cubin", &bytes);
    (bytes[16], bytes[17]) = (0x00, 0xff);
    let extensible = bench.file("extensible.cubin", &bytes);
    let [a, b] = ["a.cubin", "b.cubin"].map(|name| object("calls", "sm_90", name));
    let alone = bench.path("alone.cubin");
    assert_eq!(raddle(&["link", &a, &b, "-o", &alone]).code, Some(0));
    let inside = write(&[NewMember::new(Kind::Cubin, 90, (8, 0), &std::fs::read(&executable).unwrap())]);
    let inside = bench.file("host.fatbin", inside);
    let library = bench.file("libk.a", archive(&[("k.cubin", &std::fs::read(&executable).unwrap())]));
    let all = bench.path("all.cubin");
    let ran = raddle(&["link", &executable, &a, &newer, &inside, &extensible, &b, &library, "-o", &all]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for (file, what) in
        [(&executable, "is an executable"), (&newer, "is an executable"), (&extensible, "is an extensible whole")]
    {
        assert!(ran.stderr.contains(&format!("warning[E0089]: '{file}' {what}")), "{file}: {}", ran.stderr);
    }
    for file in [&inside, &format!("{library}(k.cubin)")] {
        assert!(ran.stderr.contains(&format!("info[E0089]: '{file}' is an executable")), "{file}: {}", ran.stderr);
    }
    assert!(std::fs::read(&all).unwrap() == std::fs::read(&alone).unwrap(), "what is left out leaves its traces");
    // Symbols of a whole program define nothing for others, and it cannot be linked alone.
    expect(&[&a, &executable], 1, "E0065", &["E0089", "undefined symbol"]);
    expect(&[&inside], 1, "E0061", &["is an executable"]);
}

#[test]
fn objects_link_for_later_architectures_of_their_generation() {
    let bench = Bench::new();
    let [a, b] = ["a.cubin", "b.cubin"].map(|name| object("calls", "sm_80", name));
    let out = bench.path("out.cubin");
    for arch in ["sm_86", "sm_89"] {
        let ran = raddle(&["link", &a, &b, "--arch", arch, "-o", &out]);
        assert_eq!(ran.code, Some(0), "{arch}: {}", ran.stderr);
        let said = String::from_utf8(raddle(&["info", &out]).stdout).unwrap();
        assert!(said.contains(arch), "{arch}: {said}");
    }
    expect(&[&a, &b, "--arch", "sm_90"], 1, "E0062", &["sm_80", "sm_90"]);
    // Of a fatbin the newest member that links is chosen, also if it has PTX.
    let cubin = std::fs::read(&a).unwrap();
    let members = [80, 90].map(|sm| NewMember::new(Kind::Cubin, sm, (8, 0), &cubin));
    let fatbin = bench.file("a.fatbin", write(&members));
    let ran = raddle(&["link", &fatbin, &b, "--arch", "sm_86", "-o", &out]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    expect(&[&fatbin, &b, "--arch", "sm_75"], 3, "E0069", &["no cubin for sm_75"]);
}
