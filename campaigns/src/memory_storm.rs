//! `cargo campaign memory-storm [BUILDS [RADDLE]]`: many builds at once under a limit of memory, ours and ptxas', and the peak of one.
//!
//! A harness samples RssAnon + RssShmem of the whole tree of processes every 20 ms and kills it above 2 GiB, as the kernel would
//! in a control group of that size. 48 builds of 128 kernels each are started at once, two kernels of each at once: by
//! `raddle compile --max-memory` with a ledger of their own, and by `ptxas --split-compile=2`. Then 512 kernels on two threads
//! of ours against one of ptxas'. Records both figures of issue 4. Without RADDLE the release build of this tree is measured.
//!
//! With `--ir` the builds are of LLVM IR, whose worker processes count too; nothing is recorded, and
//! a build that does not end well, or a kill, is an error.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle::{self, Oracle};

use crate::bench_module::{self, Shape};
use crate::ir_scale;
use xtask::figures::{self, root};

/// Builds at once.
const BUILDS: usize = 48;
/// Kernels of each.
const KERNELS: usize = 128;
/// What all may hold together, in bytes.
const LIMIT: u64 = 2 << 30;
/// What ours are told: some room is left for what no unit takes.
const TOLD: &str = "1536M";
/// Kernels of the module whose peak is measured.
const MANY: usize = 512;
/// Kernels of the program of LLVM IR; each brings a hundred functions, and all share 2,000.
const IR_KERNELS: usize = 8;
const SAMPLE: Duration = Duration::from_millis(20);
const COMMAND: &str = "cargo campaign memory-storm";

/// What became of a tree of processes.
#[derive(Debug)]
struct Outcome {
    /// Builds that ended well.
    finished: usize,
    killed: bool,
    /// The most memory seen, in bytes.
    peak: u64,
    seconds: f64,
}

#[derive(clap::Args)]
pub struct Options {
    /// Builds at once
    #[arg(value_name = "BUILDS", default_value_t = BUILDS)]
    builds: usize,
    /// The raddle to measure [default: the release build of this tree]
    #[arg(value_name = "RADDLE")]
    raddle: Option<PathBuf>,
    /// Build LLVM IR, only with ours; record nothing
    #[arg(long)]
    ir: bool,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, and trouble with files.
pub fn run(Options { builds, raddle, ir }: Options) -> Result<()> {
    let raddle = match raddle {
        Some(path) => path,
        None => {
            let built = Command::new(env!("CARGO")).args(["build", "--release", "--package", "raddle-cli"]).status()?;
            ensure!(built.success(), "the release build failed");
            root().join("target/release/raddle")
        }
    };
    let folder = tempfile::tempdir()?;
    if ir {
        return storm_of_ir(builds, &raddle, folder.path());
    }
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    let ptxas = oracle::find("ptxas").context("ptxas is missing: make oracles")?;
    let module = write(&nvcc, KERNELS, folder.path())?;
    let ours = storm(builds, |number| {
        let mut command = raddle_command(&raddle, &module, &folder.path().join(format!("ours{number}")));
        command.args(["--max-memory", TOLD]).env("XDG_RUNTIME_DIR", folder.path());
        command
    })?;
    let theirs =
        storm(builds, |number| ptxas_command(&ptxas, &module, 2, &folder.path().join(format!("theirs{number}"))))?;
    for (name, outcome) in [("raddle", &ours), ("ptxas", &theirs)] {
        let Outcome { finished, killed, peak, seconds } = outcome;
        let end = if *killed { "killed" } else { "to the end" };
        println!("{name:6}  {finished} of {builds} builds finished, {} MiB at most, {seconds:.1} s, {end}", peak >> 20);
    }
    let said = format!(
        "of {builds} builds of {KERNELS} kernels, ours with {} MiB at most in {:.0} s; of ptxas' {} finished, {} MiB, {}",
        ours.peak >> 20,
        ours.seconds,
        theirs.finished,
        theirs.peak >> 20,
        if theirs.killed { "killed" } else { "not killed" }
    );
    figures::record("jobs.memory.48", ours.finished as f64, COMMAND, &said)?;

    let module = write(&nvcc, MANY, folder.path())?;
    let out = folder.path().join("many");
    let one = |command: Command| -> Result<u64> { watch(vec![command], u64::MAX).map(|outcome| outcome.peak) };
    let (ours, theirs) = (one(raddle_command(&raddle, &module, &out))?, one(ptxas_command(&ptxas, &module, 1, &out))?);
    let said =
        format!("ours on two threads {} MiB, ptxas on one {} MiB (RssAnon + RssShmem)", ours >> 20, theirs >> 20);
    figures::record("jobs.memory.512", (ours as f64 / theirs as f64 * 100.0).round() / 100.0, COMMAND, &said)
}

/// Builds of LLVM IR at once, under the same limit.
fn storm_of_ir(builds: usize, raddle: &Path, folder: &Path) -> Result<()> {
    let modules = ir_scale::write(folder, IR_KERNELS)?;
    let Outcome { finished, killed, peak, seconds } = storm(builds, |number| {
        let mut command = Command::new(raddle);
        command.args(["compile", "--arch", "sm_90", "-j2", "--history", "off", "--max-memory", TOLD, "-o"]);
        command.arg(folder.join(format!("{number}.cubin"))).args(&modules);
        command.env_remove("MAKEFLAGS").env("XDG_RUNTIME_DIR", folder);
        command
    })?;
    let memory = peak >> 20;
    println!("LLVM IR: {finished} of {builds} builds finished, {memory} MiB at most, {seconds:.1} s");
    ensure!(finished == builds && !killed, "builds of LLVM IR took more than they were told, or failed");
    Ok(())
}

fn write(nvcc: &Oracle, kernels: usize, folder: &Path) -> Result<PathBuf> {
    let path = folder.join(format!("{kernels}.ptx"));
    fs::write(&path, bench_module::ptx(nvcc, Shape::Mixed(kernels))?)?;
    Ok(path)
}

fn raddle_command(raddle: &Path, module: &Path, out: &Path) -> Command {
    let mut command = Command::new(raddle);
    command.args(["compile", "--arch", "sm_90", "-O3", "-j2", "--history", "off", "-o"]).arg(out).arg(module);
    command.env_remove("MAKEFLAGS");
    command
}

fn ptxas_command(ptxas: &Oracle, module: &Path, threads: usize, out: &Path) -> Command {
    let mut command = ptxas.command();
    command.args(["-arch=sm_90", "-O3", &format!("--split-compile={threads}"), "-o"]).arg(out).arg(module);
    command
}

fn storm(builds: usize, command: impl Fn(usize) -> Command) -> Result<Outcome> {
    watch((0..builds).map(command).collect(), LIMIT)
}

/// Starts all commands and samples their memory until all have ended, or kills them above the limit.
fn watch(commands: Vec<Command>, limit: u64) -> Result<Outcome> {
    let begun = Instant::now();
    let mut running: Vec<Child> = Vec::new();
    for mut command in commands {
        running.push(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    }
    let mut outcome = Outcome { finished: 0, killed: false, peak: 0, seconds: 0.0 };
    while !running.is_empty() {
        let roots: Vec<u32> = running.iter().map(Child::id).collect();
        let memory = tree_memory(&roots)?;
        outcome.peak = outcome.peak.max(memory);
        if memory > limit && !outcome.killed {
            outcome.killed = true;
            for child in &mut running {
                // One that has ended meanwhile is none to kill.
                let _ = child.kill();
            }
        }
        let mut left = Vec::new();
        for mut child in running {
            match child.try_wait()? {
                Some(status) => outcome.finished += usize::from(status.success()),
                None => left.push(child),
            }
        }
        running = left;
        thread::sleep(SAMPLE);
    }
    outcome.seconds = begun.elapsed().as_secs_f64();
    Ok(outcome)
}

/// RssAnon + RssShmem of these processes and all below them, in bytes.
fn tree_memory(roots: &[u32]) -> Result<u64> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut memory: BTreeMap<u32, u64> = BTreeMap::new();
    for entry in fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        // It may be gone by now.
        let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) else { continue };
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        if let Some(parent) = field("PPid:").and_then(|pid| u32::try_from(pid).ok()) {
            children.entry(parent).or_default().push(pid);
        }
        memory.insert(pid, (field("RssAnon:").unwrap_or(0) + field("RssShmem:").unwrap_or(0)) << 10);
    }
    let mut open = roots.to_vec();
    let mut sum = 0;
    while let Some(pid) = open.pop() {
        sum += memory.get(&pid).copied().unwrap_or(0);
        open.extend(children.get(&pid).into_iter().flatten());
    }
    Ok(sum)
}
