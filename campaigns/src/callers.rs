//! `cargo campaign callers [KERNEL]...`: nvcc compiles the corpus kernels, and Triton, Numba, cuda.core, JAX, tinygrad, MLIR, clang
//! and PyTorch their own, also through sccache, with Raddle in the place of NVIDIA's tools and libraries.
//!
//! Each object of nvcc has to hold, for each architecture, the cubin that `raddle compile` makes of nvcc's PTX, byte for byte; nothing is
//! passed on to another tool. The scripts of `tests/callers` compare what kernels compute in the simulator with numpy. `--record` writes
//! the rows of the table in `docs/drop-in.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use raddle_fatbin::Kind;
use raddle_filetest::{llvm, oracle};
use raddle_tests::parallel;

use xtask::figures::root;

use crate::callers_times::{Recorder, Times};

/// Architectures of the objects.
const TARGETS: [u32; 2] = [80, 90];

#[derive(clap::Args)]
pub struct Options {
    /// Kernels of the corpus; all unless given
    kernels: Vec<String>,
    /// The raddle to run; target/release/raddle unless given
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// The folder of the C libraries; target/libs/lib (make libs) unless given
    #[arg(long, value_name = "DIR")]
    libraries: Option<PathBuf>,
    /// Write the rows of the table in docs/drop-in.md
    #[arg(long)]
    record: bool,
}

/// A script of `tests/callers`; its lines are `KERNEL ARCHITECTURE: ours, right, CALLER VERSION`.
struct Script {
    file: &'static str,
    /// Its Python, by the name of the oracle.
    python: &'static str,
    /// How that is installed.
    install: &'static str,
    /// The caller of each of its lines, and what it compiles.
    callers: &'static [(&'static str, &'static str)],
}

const SCRIPTS: &[Script] = &[
    Script {
        file: "with_triton.py",
        python: oracle::TRITON,
        install: "make callers",
        callers: &[(
            "Triton",
            "vector add, softmax, layer norm, matmul, flash attention and its gradients, convolution; also from LLVM IR",
        )],
    },
    Script {
        file: "with_numba.py",
        python: oracle::MORE_CALLERS,
        install: "scripts/callers.sh more",
        callers: &[
            (
                "numba-cuda",
                "axpy, a sum by atomics, matmul in shared memory, functions of libdevice; through libnvJitLink",
            ),
            ("cuda-core", "two modules of C++ by NVRTC, linked; through libnvJitLink"),
        ],
    },
    Script {
        file: "with_jax.py",
        python: oracle::MORE_CALLERS,
        install: "scripts/callers.sh more",
        callers: &[(
            "JAX",
            "elementwise, sum, transpose, softmax, matmul, ahead of time; by ptxas, and by the calls of XLA to libnvJitLink",
        )],
    },
    Script {
        file: "with_tinygrad.py",
        python: oracle::MORE_CALLERS,
        install: "scripts/callers.sh more",
        callers: &[("tinygrad", "elementwise, sum, matmul with and without tensor cores; through libnvJitLink")],
    },
    Script {
        file: "with_mlir.py",
        python: oracle::TRITON,
        install: "make callers",
        callers: &[("mlir-opt", "elementwise, sums by `gpu.all_reduce`, matmul, by `gpu-module-to-binary`")],
    },
    Script {
        file: "with_clang.py",
        python: oracle::TRITON,
        install: "make callers",
        callers: &[(
            "clang",
            "CUDA C++ in two parts by the new driver for offloading, linked in seven ways, four by link-time optimisation",
        )],
    },
    Script {
        file: "with_torch.py",
        python: oracle::TORCH,
        install: "scripts/callers.sh torch",
        callers: &[("PyTorch", "layer norm, log softmax, half precision and a scan by inductor, ahead of time")],
    },
    Script {
        file: "with_sccache.py",
        python: oracle::MORE_CALLERS,
        install: "scripts/callers.sh more",
        callers: &[("sccache", "what nvcc and clang compile, kept: hits, and no false ones")],
    },
];

/// A row of the table.
struct Row {
    caller: String,
    what: String,
    /// Kernels, counted once for each architecture.
    native: usize,
    /// Of a release build.
    seconds: Option<f64>,
    /// What its calls of ptxas take, by a release build.
    times: Option<Times>,
    how: String,
}

/// What the runs have in common.
struct Callers {
    raddle: PathBuf,
    nvcc: PathBuf,
    /// Links to raddle under the names of the tools.
    links: PathBuf,
    /// The folder of the C libraries.
    libraries: PathBuf,
    /// Keeps the calls of ptxas.
    recorder: Recorder,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, and kernels that are not ours or not right.
pub fn run(options: Options) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let raddle = options.raddle.clone().unwrap_or_else(|| root().join("target/release/raddle"));
    let raddle = fs::canonicalize(&raddle).with_context(|| format!("{}: cargo build --release", raddle.display()))?;
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?.path().to_owned();
    let measured = options.raddle.is_none();
    let libraries = options.libraries.unwrap_or_else(|| root().join("target/libs/lib"));
    let libraries = fs::canonicalize(&libraries).with_context(|| format!("{}: make libs", libraries.display()))?;
    let links = folder.path().join("links");
    succeeds(Command::new(&raddle).arg("install").arg("--into").arg(&links))?;
    let ptxas = oracle::find("ptxas").context("ptxas is missing: make oracles")?.path().to_owned();
    let recorder = Recorder::new(&raddle, &ptxas, &links, folder.path().join("calls"))?;
    let callers = Callers { raddle, nvcc, links, libraries, recorder };
    let mut kernels = options.kernels;
    if kernels.is_empty() {
        for entry in fs::read_dir(root().join("tests/corpus/kernels"))? {
            let entry = entry?;
            // Some kernels are PTX alone.
            kernels.extend(entry.file_name().into_string().ok().filter(|_| entry.path().join("k.cu").is_file()));
        }
        kernels.sort();
    }
    let begun = Instant::now();
    let outcomes = parallel::map(&kernels, |kernel| callers.kernel(kernel, &folder.path().join(kernel)));
    let mut wrong = 0;
    for (kernel, outcome) in kernels.iter().zip(outcomes) {
        if let Err(why) = outcome {
            wrong += 1;
            println!("{kernel}: {why:#}");
        }
    }
    println!("nvcc: {} of {} kernels are ours for sm_{TARGETS:?}", kernels.len() - wrong, kernels.len());
    let seconds = begun.elapsed().as_secs_f64();
    ensure!(wrong == 0, "{wrong} kernels are wrong");
    let mut rows = vec![Row {
        caller: format!("nvcc {}", callers.version_of_nvcc()?),
        what: "the modules of the corpus, into host objects".to_owned(),
        native: kernels.len() * TARGETS.len(),
        seconds: measured.then_some(seconds),
        times: callers.recorder.times("nvcc")?.filter(|_| measured),
        how: "the same bytes as `raddle compile` makes of nvcc's PTX".to_owned(),
    }];
    for script in SCRIPTS {
        rows.extend(callers.script(script, measured)?);
    }
    callers.wheel(&folder.path().join("wheel"))?;
    if options.record {
        fs::write(root().join("crates/dropin/src/callers.md"), table(&rows))?;
        println!("`cargo xtask drop-in` writes the page");
    }
    Ok(())
}

/// The table of the page.
fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| caller | what is compiled | native | by a fallback | script, s | calls of ptxas | by Raddle, s | by ptxas, s | checked \
         |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for Row { caller, what, native, seconds, times, how } in rows {
        let seconds = seconds.map_or(String::new(), |seconds| format!("{seconds:.0}"));
        let times = times
            .map_or("| |".to_owned(), |Times { calls, ours, theirs }| format!("{calls} | {ours:.2} | {theirs:.2}"));
        // The callers fail where there is a fallback: it is forbidden, and every cubin has the note of Raddle.
        out += &format!("| {caller} | {what} | {native} | 0 | {seconds} | {times} | {how} |\n");
    }
    out
}

/// Runs a command that has to succeed; returns what it printed.
fn succeeds(command: &mut Command) -> Result<String> {
    for tool in ["PTXAS", "NVLINK", "FATBINARY"] {
        command.env(format!("RADDLE_{tool}"), "off");
    }
    let output = command.output().with_context(|| format!("{command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}

impl Callers {
    /// The version of nvcc, such as 13.0.88.
    fn version_of_nvcc(&self) -> Result<String> {
        let text = succeeds(Command::new(&self.nvcc).arg("--version"))?;
        let version = text.split_whitespace().find_map(|word| word.strip_prefix('V'));
        Ok(version.context("nvcc has no version")?.to_owned())
    }

    /// Runs a script; a row per caller.
    fn script(&self, script: &Script, measured: bool) -> Result<Vec<Row>> {
        let python = oracle::find(script.python).with_context(|| format!("{}: {}", script.file, script.install))?;
        let toolkit = oracle::toolkit().context("the toolkit is missing: make oracles")?;
        let mut command = python.command();
        command.arg(root().join("tests/callers").join(script.file)).arg(&self.raddle);
        match script.file {
            "with_numba.py" | "with_tinygrad.py" => {
                command.arg(&self.libraries).env("LD_LIBRARY_PATH", &self.libraries)
            }
            "with_sccache.py" => command.arg(toolkit),
            "with_jax.py" => command.arg(&self.links).arg(toolkit).arg(&self.libraries),
            "with_clang.py" => command.arg(&self.links).arg(toolkit),
            _ => command.arg(&self.links),
        };
        if script.file == "with_triton.py" {
            let library = |&major: &u32| Some(format!("{major}={}", llvm::find(major)?.display()));
            let libraries: Vec<String> = llvm::VERSIONS.iter().filter_map(library).collect();
            command.env("LLVM_LIBRARIES", libraries.join(":"));
        }
        self.recorder.tell(&mut command);
        let begun = Instant::now();
        let text = succeeds(&mut command)?;
        let seconds = begun.elapsed().as_secs_f64();
        print!("{text}");
        let callers = script.callers.iter().map(|&(caller, what)| {
            let mark = format!(": ours, right, {caller} ");
            let versions: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once(&mark)?.1)).collect();
            let version = versions.first().with_context(|| format!("{}: no kernel of {caller}", script.file))?;
            Ok(Row {
                caller: format!("{caller} {version}"),
                what: what.to_owned(),
                native: versions.len(),
                seconds: Some(seconds).filter(|_| measured && script.callers.len() == 1),
                times: self.recorder.times(caller)?.filter(|_| measured),
                how: format!("`tests/callers/{}`: run in the simulator, compared with numpy", script.file),
            })
        });
        callers.collect()
    }

    /// Makes the Python wheel with the program and the libraries, runs the commands of README.md with it, and tests kernels of
    /// Numba.
    fn wheel(&self, folder: &Path) -> Result<()> {
        let python = oracle::find(oracle::MORE_CALLERS).context("scripts/callers.sh more")?;
        let [programs, wheels, packages] = ["programs", "wheels", "packages"].map(|name| folder.join(name));
        fs::create_dir_all(programs.join("bin"))?;
        fs::create_dir_all(programs.join("lib"))?;
        fs::copy(&self.raddle, programs.join("bin/raddle"))?;
        for name in ["libnvptxcompiler.so.13", "libnvJitLink.so.13", "libnvfatbin.so.13"] {
            fs::copy(self.libraries.join(name), programs.join("lib").join(name))?;
        }
        let mut make = Command::new(root().join("scripts/wheel.sh"));
        succeeds(make.args(["--profile", "dev", "--programs"]).arg(&programs).arg(&wheels))?;
        // The two commands of README.md, in a clean environment.
        print!("{}", succeeds(Command::new(root().join("scripts/try-wheel.sh")).arg(&wheels))?);
        let wheel = fs::read_dir(&wheels)?.next().context("there is no wheel")??.path();
        println!("wheel: {} KiB", wheel.metadata()?.len() / 1024);
        let pip =
            ["-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-index", "--no-deps", "--target"];
        succeeds(python.command().args(pip).arg(&packages).arg(wheel))?;
        let run = || {
            let mut command = python.command();
            command.env("PYTHONPATH", &packages).env("PYTHONDONTWRITEBYTECODE", "1");
            command
        };
        succeeds(run().arg(root().join("python/tests/test_numba.py")))?;
        print!("{}", succeeds(run().args(["-m", "raddle.examples.saxpy"]))?);
        Ok(())
    }

    /// Compiles one kernel of the corpus with nvcc and by itself.
    fn kernel(&self, kernel: &str, folder: &Path) -> Result<()> {
        fs::create_dir(folder)?;
        let source = root().join("tests/corpus/kernels").join(kernel).join("k.cu");
        let mut nvcc = Command::new("bash");
        nvcc.arg(root().join("tests/callers/nvcc.sh")).arg(&self.nvcc).arg(&self.links).current_dir(folder);
        nvcc.args(["-O3", "-c", "-o", "k.o"]).arg(&source);
        for sm in TARGETS {
            nvcc.args(["-gencode", &format!("arch=compute_{sm},code=sm_{sm}")]);
        }
        succeeds(&mut nvcc)?;
        let object = fs::read(folder.join("k.o"))?;
        let members = raddle_fatbin::members(&object)?;
        ensure!(members.len() == TARGETS.len(), "{} members", members.len());
        for sm in TARGETS {
            let member = members.iter().find(|member| member.sm == sm && member.kind == Kind::Cubin);
            let have = member.with_context(|| format!("no cubin for sm_{sm}"))?.contents()?;
            let mut nvcc = Command::new(&self.nvcc);
            nvcc.args(["-O3", "-ptx", "-o", "k.ptx"])
                .arg(format!("-arch=compute_{sm}"))
                .arg(&source)
                .current_dir(folder);
            succeeds(&mut nvcc)?;
            let mut ours = Command::new(&self.raddle);
            ours.args(["compile", "k.ptx", "-o", "k.cubin", "--history", "off", "--arch", &format!("sm_{sm}")]);
            succeeds(ours.current_dir(folder))?;
            let want = fs::read(folder.join("k.cubin"))?;
            // A member is padded to eight bytes.
            let padding =
                have.get(want.len()..).with_context(|| format!("the cubin for sm_{sm} is shorter than ours"))?;
            ensure!(have.starts_with(&want) && padding.len() < 8, "the cubin for sm_{sm} is not ours");
        }
        Ok(())
    }
}
