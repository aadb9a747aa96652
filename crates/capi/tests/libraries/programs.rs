//! Programs that the libraries start: `raddle`, in whose processes kernels are compiled, so that a crash
//! of the compiler is an error of one call, and another ptxas.

use super::*;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// Modules with these kernels; one with an instruction that counts as unsupported.
fn module(kernels: &[&str], statement: &str) -> String {
    let kernel = |name: &&str| {
        format!(
            ".visible .entry {name}(.param .u64 p)\n{{\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n{statement}\n\
             st.global.u32 [%rd1], 7;\nret;\n}}\n"
        )
    };
    HEAD.to_owned() + &kernels.iter().map(kernel).collect::<String>()
}

/// What stands for `raddle`: it has its part that compiles a kernel, and its mark.
fn raddle() -> &'static str {
    env!("CARGO_BIN_EXE_raddle-capi-worker")
}

/// The host, with the library of PTX or with the one that links.
fn host(library: &str) -> &'static Path {
    static HOSTS: OnceLock<[(tempfile::TempDir, PathBuf); 2]> = OnceLock::new();
    let hosts = HOSTS.get_or_init(|| {
        let linker = Build { with: [&["-DJITLINK".to_owned()][..], &ours(LINK).with].concat(), ..ours(LINK) };
        [program("compile.c", &ours(PTX)), program("compile.c", &linker)]
    });
    &hosts[usize::from(library == LINK)].1
}

const PTX: &str = "libnvptxcompiler.so.13";
const LINK: &str = "libnvJitLink.so.13";

/// Runs the host; returns its code and the logs, or the signal that ended it.
fn compiled(library: &str, words: &[&str], ptx: &str, variables: &[(&str, &str)]) -> Result<(i32, String), i32> {
    let mut command = Command::new(host(library));
    for name in ["MAKEFLAGS", "RADDLE_JOBS", "RADDLE_CACHE", "RADDLE_FAULT", "RADDLE_PTXAS", "RADDLE_FALLBACK"] {
        command.env_remove(name);
    }
    command.env("RADDLE_PROGRAM", "off").envs(variables.iter().copied()).args(words);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(ptx.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    if let Some(signal) = output.status.signal() {
        return Err(signal);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{words:?} {variables:?}: {said}");
    let text = String::from_utf8(output.stdout).unwrap();
    let (code, logs) = text.split_once('\n').unwrap();
    Ok((code.parse().unwrap(), logs.to_owned()))
}

/// What the libraries return for an internal error.
const INTERNAL: [(&str, i32); 2] = [(PTX, 4), (LINK, 6)];

#[test]
fn a_crash_is_an_error_of_its_call() {
    let (raddle, ptx) = (raddle(), module(&["good", "k"], ""));
    for (library, internal) in INTERNAL {
        for (kind, signal) in [("segv", "SIGSEGV"), ("stack-overflow", "SIGABRT"), ("abort", "SIGABRT")] {
            let fault = format!("{kind}:k");
            for children in ["default", "ignored", "handled"] {
                let variables = [("RADDLE_FAULT", &*fault), ("RADDLE_PROGRAM", raddle)];
                let words = [children, "/dev/null", "-arch=sm_80"];
                let (code, logs) = compiled(library, &words, &ptx, &variables).unwrap();
                assert_eq!(code, internal, "{logs}");
                // Where the host waits for our process, its end is not known.
                let how = if children == "default" { signal } else { "" };
                assert!(
                    logs.contains("the compiler crashed (") && logs.contains(how) && logs.contains(" in "),
                    "{logs}"
                );
                assert!(logs.contains("line 12") && !logs.contains("good"), "{logs}");
            }
            // The fault is one: without the program the host does not survive it.
            let words = ["bare", "/dev/null", "-arch=sm_80"];
            assert!(compiled(library, &words, &ptx, &[("RADDLE_FAULT", &fault)]).is_err(), "{fault}");
        }
    }
}

#[test]
fn the_code_is_the_same_in_processes() {
    let (raddle, folder) = (raddle(), tempfile::tempdir().unwrap());
    let ptx = module(&["a", "b", "c"], ".reg .f32 %f<3>;\nld.global.f32 %f1, [%rd1];\ndiv.rn.f32 %f2, %f1, %f1;");
    for library in [PTX, LINK] {
        for options in [&["-arch=sm_80"][..], &["-arch=sm_90", "-lineinfo"], &["-arch=sm_86", "-O0"]] {
            let options = if library == LINK { &options[..1] } else { options };
            let made = |name: &str, variables: &[(&str, &str)]| {
                let path = shown(folder.path(), name);
                let words = [&["default", &path][..], options].concat();
                assert_eq!(compiled(library, &words, &ptx, variables), Ok((0, String::new())));
                std::fs::read(path).unwrap()
            };
            // A program that is none of ours has no effect, whether it reads or not.
            let here = made("here", &[]);
            for program in [raddle, "/bin/true", "/bin/cat", "/bin/false", "/nonexistent"] {
                assert!(made("there", &[("RADDLE_PROGRAM", program)]) == here, "{program}");
            }
        }
    }
    // Errors have their places.
    let wrong = module(&["k"], "frob.u32;");
    let words = ["default", "/dev/null", "-arch=sm_80"];
    let here = compiled(PTX, &words, &wrong, &[]).unwrap();
    assert!(here.0 == 3 && here.1.contains("line 8"), "{}", here.1);
    assert_eq!(compiled(PTX, &words, &wrong, &[("RADDLE_PROGRAM", raddle)]).unwrap(), here);
}

/// Beside the library, or in the folder of programs beside that.
#[test]
fn the_program_is_found_beside_the_library() {
    let ptx = module(&["k"], "");
    for place in ["lib/raddle/raddle", "lib/bin/raddle", "bin/raddle"] {
        let folder = tempfile::tempdir().unwrap();
        for name in ["lib/raddle", "lib/bin", "bin"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        std::fs::copy(libraries().join("lib").join(PTX), folder.path().join("lib/raddle").join(PTX)).unwrap();
        symlink(raddle(), folder.path().join(place)).unwrap();
        let variables = [
            ("LD_LIBRARY_PATH", &*shown(folder.path(), "lib/raddle")),
            ("RADDLE_PROGRAM", ""),
            ("RADDLE_FAULT", "segv:k"),
        ];
        let (code, logs) = compiled(PTX, &["default", "/dev/null", "-arch=sm_80"], &ptx, &variables).unwrap();
        assert!(code == 4 && logs.contains("crashed (SIGSEGV)"), "{place}: {code} {logs}");
    }
}

/// Objects that a process made are kept as its own: another program makes its own.
#[test]
fn a_cache_tells_the_programs_apart() {
    let (raddle, folder) = (raddle(), tempfile::tempdir().unwrap());
    let cache = shown(folder.path(), "cache");
    let kept = || {
        let mut open = vec![PathBuf::from(&cache)];
        let mut count = 0;
        while let Some(path) = open.pop() {
            for entry in std::fs::read_dir(path).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { open.push(path) } else { count += 1 }
            }
        }
        count
    };
    let words = ["default", "/dev/null", "-arch=sm_80"];
    let run = |program: &str, fault: &str| {
        let variables = [("RADDLE_CACHE", &*cache), ("RADDLE_PROGRAM", program), ("RADDLE_FAULT", fault)];
        compiled(PTX, &words, &module(&["k"], ""), &variables).unwrap().0
    };
    assert_eq!(run("off", ""), 0);
    let first = kept();
    assert_eq!(run(raddle, ""), 0);
    let both = kept();
    assert!(both > first, "{both} {first}");
    assert_eq!((run(raddle, ""), run("off", ""), kept()), (0, 0, both));
}

/// PTX that counts as unsupported, and the variable that makes it so.
fn unsupported() -> (String, (&'static str, &'static str)) {
    (module(&["k"], "pmevent 7;"), ("RADDLE_FAULT", "unsupported:pmevent"))
}

#[test]
fn what_is_not_supported_goes_to_the_ptxas_that_is_named() {
    let Some(tool) = oracle::require("ptxas") else { return };
    let (path, raddle) = (tool.path().to_str().unwrap(), raddle());
    let (ptx, fault) = unsupported();
    let folder = tempfile::tempdir().unwrap();
    let output = shown(folder.path(), "k.cubin");
    let words = ["default", &*output, "-arch=sm_80"];
    let named = format!("ptxas:{path}");
    for variable in [("RADDLE_PTXAS", path), ("RADDLE_FALLBACK", &*named)] {
        for program in ["off", raddle] {
            for library in [PTX, LINK] {
                let variables = [fault, variable, ("RADDLE_PROGRAM", program)];
                assert_eq!(compiled(library, &words, &ptx, &variables), Ok((0, String::new())));
                assert!(std::fs::read(&output).unwrap().starts_with(b"\x7fELF"));
                std::fs::remove_file(&output).unwrap();
            }
            let told = compiled(PTX, &[&words[..], &["-v"]].concat(), &ptx, &[fault, variable]).unwrap();
            assert!(told.1.contains(&format!("'k' was passed to '{path}'")), "{}", told.1);
        }
        // An architecture without code generation here.
        let words = ["default", &*output, "-arch=sm_100"];
        assert_eq!(compiled(PTX, &words, &module(&["k"], ""), &[variable]), Ok((0, String::new())));
        assert!(std::fs::read(&output).unwrap().windows(6).any(|part| part == b"\0ptxas"));
        // What it says of its own errors is in the log.
        let broken = shown(folder.path(), "broken");
        std::fs::write(&broken, "#!/bin/sh\necho mine >&2\nexit 3\n").unwrap();
        std::fs::set_permissions(&broken, std::fs::Permissions::from_mode(0o755)).unwrap();
        let (code, logs) = compiled(PTX, &words, &module(&["k"], ""), &[("RADDLE_PTXAS", &broken)]).unwrap();
        assert!(code != 0 && logs.contains("mine") && logs.contains("exit status: 3"), "{code} {logs}");
    }
}

#[test]
fn raddle_is_never_the_ptxas_behind_the_library() {
    let (raddle, folder) = (raddle(), tempfile::tempdir().unwrap());
    let (ptx, fault) = unsupported();
    let words = ["default", "/dev/null", "-arch=sm_80"];
    let link = shown(folder.path(), "ptxas");
    symlink(raddle, &link).unwrap();
    let copy = shown(folder.path(), "copy");
    std::fs::copy(raddle, &copy).unwrap();
    for path in [raddle, &*link, &*copy] {
        let (code, logs) = compiled(PTX, &words, &ptx, &[fault, ("RADDLE_PTXAS", path)]).unwrap();
        assert!(code == 3 && logs.contains("pmevent"), "{code} {logs}");
        assert!(logs.contains(&format!("RADDLE_PTXAS={path} is Raddle itself")), "{logs}");
    }
    let (code, logs) = compiled(PTX, &words, &ptx, &[fault, ("RADDLE_PTXAS", "/nonexistent")]).unwrap();
    assert!(code == 3 && logs.contains("RADDLE_PTXAS=/nonexistent is not a program"), "{code} {logs}");
    // Without a name none is looked for.
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    for variables in [&[fault, ("PATH", &*path)][..], &[fault, ("RADDLE_PTXAS", "off")]] {
        let (code, logs) = compiled(PTX, &words, &ptx, variables).unwrap();
        assert!(code == 3 && !logs.contains("RADDLE_PTXAS"), "{code} {logs}");
    }
    // What is supported needs none.
    assert_eq!(compiled(PTX, &words, &ptx, &[("RADDLE_PTXAS", raddle)]), Ok((0, String::new())));
}

/// A kernel without end cannot be cancelled on a thread.
#[test]
fn a_callback_cancels_a_kernel_without_end() {
    let (_folder, path) = program("host.c", &ours(PTX));
    let raddle = raddle();
    printed(&path, &["cancel"], &[("RADDLE_FAULT", "hang:k"), ("RADDLE_PROGRAM", raddle)]);
    for what in ["state", "threads", "fork", "panic"] {
        let fault = if what == "panic" { "segv:k" } else { "" };
        printed(&path, &[what], &[("RADDLE_FAULT", fault), ("RADDLE_PROGRAM", raddle)]);
    }
}
