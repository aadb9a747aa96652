//! nvcc in a toolkit with our tools: whole programs, relocatable objects and mixtures of both become
//! programs of the host.

use crate::common::{Bench, command, finish, raddle};
use raddle_filetest::oracle;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that ends with 0, whether there is a GPU or not.
const MAIN: &str = "__global__ void k(int *p) { *p = 1; }\nint main() { k<<<1, 1>>>(nullptr); return 0; }\n";
/// The options of two architectures.
const TWO: [&str; 2] = ["-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90"];

/// A folder with the sources and the toolkit `cuda`.
struct Toolkit {
    bench: Bench,
    lib: PathBuf,
}

impl Toolkit {
    fn new(nvcc: &oracle::Oracle) -> Toolkit {
        let bench = Bench::new();
        let theirs = nvcc.path().ancestors().nth(2).unwrap();
        let ran = raddle(&["install", "--into", &bench.path("cuda"), "--toolkit", theirs.to_str().unwrap()]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
        for name in ["caller.cu", "callee.cu", "whole.cu"] {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/callers").join(name);
            // All of them in one program.
            let text = fs::read_to_string(source).unwrap();
            bench.file(name, text.replace("launch(", &format!("launch_{}(", name.replace(".cu", ""))));
        }
        bench.file("main.cu", MAIN);
        Toolkit { bench, lib: theirs.join("lib") }
    }

    /// Runs a program in the folder, with our tools alone; it must succeed.
    fn run(&self, mut command: Command) {
        command.current_dir(self.bench.dir.path()).stdin(Stdio::null());
        for tool in ["PTXAS", "NVLINK", "FATBINARY"] {
            command.env(format!("RADDLE_{tool}"), "off");
        }
        for name in ["RADDLE_WITHIN", "RADDLE_FAULT"] {
            command.env_remove(name);
        }
        let shown = format!("{command:?}");
        let ran = finish(command);
        assert_eq!(ran.code, Some(0), "{shown}: {}", ran.stderr);
    }

    fn nvcc(&self, words: &[&str]) {
        let mut command = Command::new(self.bench.path("cuda/bin/nvcc"));
        command.args(words).arg("-L").arg(&self.lib);
        self.run(command);
    }

    /// The names that a linker registers for an architecture.
    fn registered(&self, mut nvlink: Command, words: &str, arch: &str) -> String {
        nvlink.args([&format!("-arch={arch}"), "--register-link-binaries=names", "-L.", "-o", "linked"]);
        nvlink.args(words.split(' '));
        self.run(nvlink);
        fs::read_to_string(self.bench.path("names")).unwrap()
    }
}

/// Our program under the name nvlink.
fn nvlink() -> Command {
    let mut ours = command(&[]);
    ours.arg0("nvlink");
    ours
}

/// Three architectures, kept files and a named compiler of the host, with code that is ours alone.
#[test]
fn code_for_three_architectures_and_the_files_between_are_kept() {
    let tools = ["nvcc", "g++"].map(oracle::require);
    let [Some(nvcc), Some(_)] = tools else { return };
    let kit = Toolkit::new(&nvcc);
    let third = "-gencode=arch=compute_86,code=[sm_86,compute_86]";
    fs::create_dir(kit.bench.path("kept")).unwrap();
    let keep = ["--keep", "--keep-dir", "kept", "-ccbin", "g++"];
    kit.nvcc(&[&TWO[..], &[third, "-c", "whole.cu", "-o", "three.o"], &keep].concat());
    let kept = fs::read_dir(kit.bench.path("kept")).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<PathBuf> = kept.filter(|path| path.extension().is_some_and(|end| end == "cubin")).collect();
    assert_eq!(kept.len(), 3, "{kept:?}");
    for path in kept {
        let bytes = fs::read(path).unwrap();
        let has = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
        assert!(has(b"\0raddle\0") && !has(b"\0ptxas"));
    }
    let listed = raddle(&["info", &kit.bench.path("three.o")]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let text = String::from_utf8(listed.stdout).unwrap();
    assert!(["sm_80", "sm_86", "sm_90"].iter().all(|arch| text.contains(arch)), "{text}");
}

#[test]
fn whole_programs_and_mixtures_register_what_nvlink_registers_and_run() {
    let tools = ["nvcc", "nvlink", "g++"].map(oracle::require);
    let [Some(nvcc), Some(theirs), Some(_)] = tools else { return };
    let kit = Toolkit::new(&nvcc);
    kit.nvcc(&["-arch=sm_90", "main.cu", "-o", "alone"]);
    kit.run(Command::new(kit.bench.path("alone")));
    kit.nvcc(&[&TWO[..], &["-c", "main.cu", "whole.cu"]].concat());
    kit.nvcc(&[&TWO[..], &["-dc", "caller.cu", "callee.cu"]].concat());
    let mut archive = Command::new("ar");
    archive.args(["rc", "libcallee.a", "callee.o", "whole.o"]);
    kit.run(archive);
    for (inputs, count) in [
        ("main.o", 0),
        ("main.o whole.o", 0),
        ("caller.o callee.o", 2),
        ("main.o caller.o whole.o callee.o", 2),
        ("main.o caller.o libcallee.a libcallee.a", 2),
        ("main.o caller.o -lcallee -lcallee", 2),
    ] {
        for arch in ["sm_80", "sm_90"] {
            let names = kit.registered(nvlink(), inputs, arch);
            assert!(names.starts_with(&format!("#define NUM_PRELINKED_OBJECTS {count}\n")), "{inputs}: {names}");
            assert_eq!(names, kit.registered(theirs.command(), inputs, arch), "{inputs} for {arch}");
        }
        let whole = inputs.replace("-lcallee", "-L. -lcallee");
        if inputs.contains("main.o") {
            kit.nvcc(&TWO.into_iter().chain(whole.split(' ')).chain(["-o", "program"]).collect::<Vec<_>>());
            kit.run(Command::new(kit.bench.path("program")));
        }
    }
}
