//! `raddle` under the name `ptxas`: every line of `as_ptxas.txt` does what ptxas does, character for
//! character; and what only a replacement has to do.

use crate::common::tools::{cases, outcome};
use crate::common::{Bench, Ran, command, finish, raddle};
use raddle_filetest::oracle;
use regex_lite::Regex;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

const CASES: &str = include_str!("as_ptxas.txt");

/// A folder with the inputs of the cases.
fn bench() -> Bench {
    let bench = Bench::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/as_ptxas")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, bench.dir.path().join(path.file_name().unwrap())).unwrap();
    }
    bench
}

/// Our command under the name ptxas, without another ptxas.
fn ptxas(bench: &Bench, words: &[&str]) -> Command {
    let mut command = command(words);
    command.arg0("/any/where/ptxas").current_dir(bench.dir.path()).env("RADDLE_PTXAS", "off");
    for name in ["RADDLE_CACHE", "RADDLE_REPORT", "RADDLE_WITHIN"] {
        command.env_remove(name);
    }
    command
}

#[test]
fn every_line_does_what_ptxas_does() {
    let bench = bench();
    let cases = cases(CASES);
    assert!(cases.len() > 100);
    for case in cases {
        let words: Vec<&str> = case.words.iter().map(String::as_str).collect();
        let done = outcome(ptxas(&bench, &words), &self::bench());
        assert_eq!(done, (Some(case.code), case.files, case.says), "{words:?}");
    }
}

#[test]
fn the_list_is_what_ptxas_does() {
    let Some(tool) = oracle::require("ptxas") else { return };
    for case in cases(CASES) {
        let mut command = tool.command();
        command.args(&case.words);
        assert_eq!(outcome(command, &bench()), (Some(case.code), case.files, case.says), "{:?}", case.words);
    }
}

#[test]
fn the_options_are_those_of_the_help_of_ptxas() {
    let Some(tool) = oracle::require("ptxas") else { return };
    crate::common::tools::help_agrees(&tool, &raddle_dropin::ptxas::PTXAS);
}

#[test]
fn without_inputs_there_is_help() {
    let bench = bench();
    for words in [&[][..], &["-h"], &["--help", "k.ptx"], &["-v", "-arch", "sm_90"]] {
        let ran = finish(ptxas(&bench, words));
        assert_eq!(ran.code, Some(0), "{words:?}");
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.starts_with("\nUsage  : ptxas [options] <ptx file>,...\n\nOptions\n=======\n"), "{text}");
        assert!(text.contains("--gpu-name") && text.contains("(-arch)"), "{text}");
    }
}

/// The regular expressions of Triton and XLA find the release, and the text names the build.
#[test]
fn the_version_is_that_of_the_release_and_of_the_build() {
    let bench = bench();
    let text = |words: &[&str]| String::from_utf8(finish(ptxas(&bench, words)).stdout).unwrap();
    let version = text(&["--version"]);
    assert_eq!(version, text(&["-V", "k.ptx"]));
    assert_eq!(Regex::new(r"release (\d+\.\d+)").unwrap().captures(&version).unwrap().get(1).unwrap().as_str(), "13.0");
    let number = Regex::new(r"\bV(\d+)\.(\d+)\.(\d+)\b").unwrap();
    assert_eq!(number.captures(&version).unwrap().get(0).unwrap().as_str(), "V13.0.88");
    assert!(Regex::new(r"Build raddle_\d+\.\d+\.\d+/[0-9a-f]{64}\n").unwrap().is_match(&version), "{version}");
    // The same line is in the note of a cubin, so that it tells who made it.
    let build = version.lines().find(|line| line.starts_with("Build ")).unwrap();
    let said = format!("\0raddle\0Raddle {}\0{build}\0", env!("CARGO_PKG_VERSION"));
    for (name, arch) in [("k.ptx", "sm_80"), ("k.ptx", "sm_90"), ("stack.ptx", "sm_90")] {
        for option in ["-O3", "-c", "-g"] {
            assert_eq!(finish(ptxas(&bench, &["-arch", arch, option, name, "-o", "note"])).code, Some(0));
            let cubin = fs::read(bench.path("note")).unwrap();
            assert!(cubin.windows(said.len()).any(|part| part == said.as_bytes()), "{name} {arch} {option}");
        }
    }
    // Another ptxas behind it is another tool: callers use the text as the key of a cache.
    let other = script(&bench, "other", "exit 0");
    let mut command = ptxas(&bench, &["--version"]);
    command.env("RADDLE_PTXAS", &other);
    let behind = String::from_utf8(finish(command).stdout).unwrap();
    assert!(behind.contains(&other) && behind != version, "{behind}");
}

fn script(bench: &Bench, name: &str, text: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = bench.file(name, format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// The cubin that `raddle compile` makes.
fn ours(bench: &Bench, module: &str, options: &[&str]) -> Vec<u8> {
    let (module, out) = (bench.path(module), bench.path("ours.cubin"));
    let ran = raddle(&[&["compile", &module, "-o", &out], options].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    fs::read(out).unwrap()
}

#[test]
fn the_cubin_is_that_of_raddle_compile_by_every_way_in() {
    let bench = bench();
    let want = ours(&bench, "k.ptx", &["--arch", "sm_90"]);
    let text = fs::read_to_string(bench.path("k.ptx")).unwrap();
    bench.file("nul.ptx", format!("{text}\0"));
    bench.file("nuls.ptx", format!("{text}\0\0\0"));
    let check = |name: &str, mut command: Command| {
        let _ = fs::remove_file(bench.path("elf.o"));
        command.env("RADDLE_PTXAS", "off").current_dir(bench.dir.path());
        let ran = finish(command);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{name}");
        assert!(fs::read(bench.path("elf.o")).unwrap() == want, "{name}");
    };
    let arch = ["-arch", "sm_90"];
    for input in [&["k.ptx"][..], &["nul.ptx"], &["nuls.ptx"], &["-ias", &text], &["--input-as-string", &text]] {
        check(input[0], ptxas(&bench, &[&arch, input].concat()));
    }
    for input in ["-", "/dev/stdin"] {
        let mut command = ptxas(&bench, &[&arch[..], &[input]].concat());
        command.stdin(fs::File::open(bench.path("k.ptx")).unwrap());
        check(input, command);
    }
    // A pipe cannot be read twice.
    let mut cat = Command::new("cat").arg(bench.path("k.ptx")).stdout(Stdio::piped()).spawn().unwrap();
    let mut piped = ptxas(&bench, &[&arch[..], &["-"]].concat());
    piped.stdin(cat.stdout.take().unwrap());
    check("pipe", piped);
    assert!(cat.wait().unwrap().success());
    check("raddle as", command(&[&["as", "ptxas"], &arch[..], &["k.ptx"]].concat()));
    bench.file("response", "-arch sm_90");
    check("@file", ptxas(&bench, &["@response", "k.ptx"]));
    // As clang, MLIR, Julia, tinygrad and GCC call it.
    for words in [
        "-m64 -O3 --gpu-name sm_90 --output-file elf.o k.ptx",
        "-arch sm_90 k.ptx -o elf.o --opt-level 3",
        "--gpu-name sm_90 --output-file elf.o k.ptx",
        "k.ptx -o elf.o -arch=sm_90 --warn-on-spills",
    ] {
        check(words, ptxas(&bench, &words.split(' ').collect::<Vec<_>>()));
    }
}

#[test]
fn the_output_may_be_the_input_a_device_or_a_file_called_dash() {
    let bench = bench();
    let want = ours(&bench, "k.ptx", &["--arch", "sm_90"]);
    fs::copy(bench.path("k.ptx"), bench.path("same")).unwrap();
    for (words, file) in [("-arch=sm_90 -o same same", "same"), ("-arch=sm_90 -o - k.ptx", "-")] {
        let ran = finish(ptxas(&bench, &words.split(' ').collect::<Vec<_>>()));
        assert_eq!((ran.code, &*ran.stderr, ran.stdout.len()), (Some(0), "", 0), "{words}");
        assert!(fs::read(bench.path(file)).unwrap() == want, "{words}");
    }
    // GCC only asks whether the text is sound.
    let ran = finish(ptxas(&bench, &["-c", "-o", "/dev/null", "k.ptx", "--gpu-name", "sm_90", "-O0"]));
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    // tinygrad tries it with a cubin, which is no text, and goes on with what is in the file.
    fs::copy(bench.path("same"), bench.path("cubin")).unwrap();
    let ran = finish(ptxas(&bench, &["-arch=sm_90", "-o", "cubin", "cubin"]));
    assert!(ran.code == Some(255) && ran.stderr.starts_with("ptxas fatal   : Unexpected EOF"), "{}", ran.stderr);
    assert!(fs::read(bench.path("cubin")).unwrap() == want);
    // After an error the old file is as it was.
    bench.file("elf.o", "old");
    assert_eq!(finish(ptxas(&bench, &["-arch", "sm_90", "bad.ptx"])).code, Some(255));
    assert_eq!(fs::read(bench.path("elf.o")).unwrap(), b"old");
}

/// A program started by a name, a link, or a descriptor.
fn start(bench: &Bench, program: &str, words: &[&str]) -> Ran {
    let mut command = Command::new(program);
    command.args(words).current_dir(bench.dir.path()).stdin(Stdio::null()).env("RADDLE_PTXAS", "off");
    finish(command)
}

#[test]
fn the_name_decides_what_the_program_is() {
    let bench = bench();
    let program = env!("CARGO_BIN_EXE_raddle");
    let words = ["-arch", "sm_90", "k.ptx"];
    for name in ["ptxas", "ptxas-13.0", "ptxas13", "ptxas-blackwell"] {
        let link = bench.path(name);
        symlink(program, &link).unwrap();
        assert_eq!(start(&bench, &link, &words).code, Some(0), "{name}");
    }
    let link = bench.path("ptxasx");
    symlink(program, &link).unwrap();
    assert_eq!(start(&bench, &link, &words).code, Some(2), "raddle itself");
    // A caller that holds the file open starts a path that has no name.
    fs::create_dir(bench.path("copy")).unwrap();
    let copy = bench.path("copy/ptxas");
    fs::copy(program, &copy).unwrap();
    // So does one that opens a link: what it leads to is called otherwise.
    assert_eq!(raddle(&["install", "--into", &bench.path("links")]).code, Some(0));
    for path in [&copy, &bench.path("links/ptxas")] {
        let file = fs::File::open(path).unwrap();
        rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
        let number = rustix::fd::AsRawFd::as_raw_fd(&file);
        for open in ["/proc/self/fd".to_owned(), format!("/proc/{}/fd", std::process::id()), "/dev/fd".to_owned()] {
            let ran = start(&bench, &format!("{open}/{number}"), &words);
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{path} by {open}");
            let ran = start(&bench, &format!("{open}/{number}"), &["--version"]);
            assert!(ran.stdout.starts_with(b"ptxas: Raddle "), "{path} by {open}");
        }
    }
    let ran = raddle(&["as", "gcc"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("'gcc' is none of: ptxas"), "{}", ran.stderr);
}

/// XLA asks for the newest version of PTX in this way: exactly two apostrophes, a minor below 10.
#[test]
fn the_probe_of_versions_is_answered_as_xla_reads_it() {
    let bench = bench();
    for arch in [&[][..], &["-arch=sm_90"], &["-arch=sm_100"]] {
        let ran = finish(ptxas(&bench, &[&["--input-as-string", ".version 99.99"], arch].concat()));
        assert_eq!(ran.code, Some(255));
        assert_eq!(ran.stderr.matches('\'').count(), 2, "{}", ran.stderr);
        let version = ran.stderr.split('\'').nth(1).unwrap();
        assert!(Regex::new(r"^\d+\.\d$").unwrap().is_match(version), "{version}");
    }
    // What XLA looks for when there is no code for an architecture.
    let ran = finish(ptxas(&bench, &["kk.ptx", "-o", "x", "-arch=sm_100a"]));
    let wanted = "ptxas fatal   : Value 'sm_100a' is not defined for option 'gpu-name'";
    assert!(ran.code == Some(255) && ran.stderr.starts_with(wanted), "{}", ran.stderr);
    assert!(ran.stderr.contains("RADDLE_PTXAS is 'off'"), "{}", ran.stderr);
}

#[test]
fn spills_are_told_as_xla_reads_them() {
    let bench = bench();
    let lines = |line: &dyn Fn(usize) -> String| (0..60).map(line).collect::<String>();
    let loads = lines(&|i| format!("ld.volatile.global.u32 %r{i}, [%p+{}];\n", 4 * i));
    let stores = lines(&|i| format!("st.volatile.global.u32 [%p+{}], %r{};\n", 4 * i, 59 - i));
    let head = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n";
    bench.file(
        "s.ptx",
        format!("{head}.reg .b64 %p; .reg .b32 %r<60>;\nld.param.u64 %p, [p];\n{loads}{stores}ret;\n}}\n"),
    );
    let words = ["s.ptx", "-o", "o", "-arch=sm_90", "--warn-on-spills", "-v", "-maxrregcount=24"];
    let line = Regex::new(
        "(?m)^ptxas warning : Registers are spilled to local memory in function 'k', (\\d+) bytes spill stores, \
         (\\d+) bytes spill loads$",
    )
    .unwrap();
    let also =
        Regex::new(r"(?m)^    (\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads$").unwrap();
    let mut tools = vec![finish(ptxas(&bench, &words))];
    if let Some(tool) = oracle::require("ptxas") {
        let mut command = tool.command();
        command.args(words).current_dir(bench.dir.path());
        tools.push(finish(command));
    }
    for ran in tools {
        assert_eq!(ran.code, Some(0));
        let spilled = line.captures(&ran.stderr).unwrap_or_else(|| panic!("{}", ran.stderr));
        let frame = also.captures(&ran.stderr).unwrap();
        assert!(spilled[1] == frame[2] && spilled[2] == frame[3] && &spilled[1] != "0", "{}", ran.stderr);
    }
    let ran = finish(ptxas(&bench, &[&words[..], &["-Werror"]].concat()));
    assert!(ran.code == Some(255) && ran.stderr.contains("ptxas error   : Registers are spilled"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("aborted"), "{}", ran.stderr);
    // Double precision is an error like any other.
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n.reg .f64 %d;\nmov.f64 %d, 0d0000000000000000;\nret;\n}\n";
    bench.file("d.ptx", text);
    let words = ["-arch=sm_90", "--warn-on-double-precision-use", "-Werror", "d.ptx", "-o", "o"];
    let mut tools = vec![finish(ptxas(&bench, &words))];
    if let Some(tool) = oracle::require("ptxas") {
        let mut command = tool.command();
        command.args(words).current_dir(bench.dir.path());
        tools.push(finish(command));
    }
    for ran in tools {
        let [first, last] = ran.stderr.lines().collect::<Vec<_>>()[..] else { panic!("{}", ran.stderr) };
        assert!(first.ends_with("; error   : Program is doing double precision computations."), "{first}");
        assert_eq!((ran.code, last), (Some(255), "ptxas fatal   : Ptx assembly aborted due to errors"));
    }
}

/// XLA drops the variant of a kernel for which it finds these words, and fails at other errors.
#[test]
fn too_few_registers_are_told_as_xla_reads_them() {
    let bench = bench();
    let lines = |line: &dyn Fn(usize) -> String| (0..128).map(line).collect::<String>();
    let loads = lines(&|i| format!("ld.global.f32 %f{i}, [%p+{}];\n", 4 * i));
    let stores = lines(&|i| format!("st.global.f32 [%p+{}], %f{i};\n", 4 * i));
    let sums: Vec<String> = (0..128).map(|i| format!("%f{i}")).collect();
    let text = format!(
        ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n.maxnreg 64\n{{\n\
         .reg .b64 %p, %a, %b; .reg .f32 %f<128>; .reg .pred %q;\nld.param.u64 %p, [p];\n{loads}\
         ld.global.u64 %a, [%p];\nld.global.u64 %b, [%p+8];\nsetp.ne.b64 %q, %a, 0;\nwgmma.fence.sync.aligned;\n\
         wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{{}}}, %a, %b, %q, 1, 1, 0, 0;\n\
         wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n{stores}ret;\n}}\n",
        sums.join(", ")
    );
    let bare = text.replace(".maxnreg 64\n", "");
    bench.file("wide.ptx", text);
    bench.file("bare.ptx", bare);
    for words in [&["wide.ptx"][..], &["-O0", "-v", "wide.ptx"], &["-c", "wide.ptx"], &["-maxrregcount=64", "bare.ptx"]]
    {
        let words = [&["-arch=sm_90a", "-o", "o"], words].concat();
        let mut tools = vec![finish(ptxas(&bench, &words))];
        if let Some(tool) = oracle::require("ptxas") {
            let mut command = tool.command();
            command.args(&words).current_dir(bench.dir.path());
            tools.push(finish(command));
        }
        for ran in tools {
            let [first, last] = ran.stderr.lines().collect::<Vec<_>>()[..] else { panic!("{}", ran.stderr) };
            assert!(first.starts_with("ptxas fatal   : (C7602) Insufficient registers (64) to compile"), "{first}");
            assert!(first.contains(" instruction at line ") && first.contains(" in function k. Try to"), "{first}");
            assert!(first.ends_with("register target of 154 or higher."), "{first}");
            assert_eq!((ran.code, last), (Some(255), "ptxas fatal   : Ptx assembly aborted due to errors"));
        }
    }
}

#[test]
fn options_change_the_code_as_those_of_raddle_compile_do() {
    let bench = bench();
    for name in ["matmul", "histogram", "softmax"] {
        fs::copy(crate::common::kernel(name), bench.path("m.ptx")).unwrap();
        for (words, options) in [
            (&["-O1"][..], &["-O1"][..]),
            (&["-c", "-lineinfo"], &["-c", "--lineinfo"]),
            (&["-maxrregcount=32", "-fmad=false"], &["--maxrregcount=32", "--fmad=false"]),
            (&["-g"], &["-g"]),
        ] {
            let want = ours(&bench, "m.ptx", &[&["--arch", "sm_80"], options].concat());
            let ran = finish(ptxas(&bench, &[&["-arch=sm_80", "m.ptx", "-o", "theirs"], words].concat()));
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert!(fs::read(bench.path("theirs")).unwrap() == want, "{name} {words:?}");
        }
    }
}

/// With line tables, too, equal text gives equal bytes, whatever the time of the source file.
#[test]
fn no_time_of_a_source_file_is_in_the_cubin() {
    let bench = bench();
    let source = bench.file("k.cu", "kernel\n");
    let text = fs::read_to_string(bench.path("kk.ptx")).unwrap();
    let text = text.replace("{ ret; }", "{ .loc 1 1 0\n ret; }") + &format!("\n.file 1 \"{source}\"\n");
    bench.file("lines.ptx", text);
    let compiled = |seconds: u64| {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        fs::File::options().write(true).open(&source).unwrap().set_modified(time).unwrap();
        let ran = finish(ptxas(&bench, &["-arch=sm_90", "-lineinfo", "lines.ptx"]));
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
        fs::read(bench.path("elf.o")).unwrap()
    };
    let first = compiled(1_000_000_000);
    assert!(first == compiled(1_700_000_000));
    assert!(first.windows(4).any(|part| part == b"k.cu"), "the line table names the file");
}
