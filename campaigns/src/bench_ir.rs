//! `cargo campaign bench-ir`: a program of 64 kernels in 9 units, from LLVM IR to a cubin on two
//! threads, beside `nvlink -lto` and beside clang's own link followed by ptxas, in one run.
//!
//! All start from what their front end made of the same sources: bitcode of clang, LTO-IR of nvcc.
//! Runs alternate, and medians count. `--write DIR` writes the inputs for a profiler and measures
//! nothing.
//!
//! | figure | |
//! |---|---|
//! | `ir.wall`, `ir.wall.clang` | our time at `-j2` over that of nvlink, of clang |
//! | `ir.scaling` | speed-up on two threads after phase I, over what two copies at once give (D24) |
//! | `ir.phase1` | share of phase I in the work of all processes |
//! | `ir.split` | processor time split, over that of one part |
//! | `ir.memory` | memory of all our processes at `-j2` over that of nvlink |
//! | `ir.instructions`, `ir.registers` | of the code, split over unsplit |
//! | `ir.serial64` | share of a simulated build on 64 workers in which one works |

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use raddle_driver::host::bounds::longest_first;
use raddle_filetest::oracle::{self, Oracle};
use serde::Deserialize;

use crate::arguments::at_least_one;
use crate::bench_module;
use crate::process_tree::{self, Run};
use xtask::figures::{self, root};

const KERNELS: usize = 64;
const UNITS: usize = 9;
/// Below this speed-up of two copies at once the machine is busy, and there is no verdict (D24).
const MACHINE: f64 = 1.6;
const COMMAND: &str = "cargo campaign bench-ir";

#[derive(clap::Args)]
pub struct Options {
    /// Rounds; medians count
    #[arg(value_name = "ROUNDS", default_value = "5", value_parser = at_least_one)]
    rounds: usize,
    /// Write the inputs to this folder for a profiler, and measure nothing
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// The raddle to measure [default: the release build of this tree]
    #[arg(long, value_name = "PATH")]
    raddle: Option<PathBuf>,
    /// The LLVM library that raddle uses [default: the one that raddle takes by itself]
    #[arg(long, value_name = "PATH")]
    llvm: Option<PathBuf>,
    /// Record no figures
    #[arg(long)]
    no_record: bool,
}

/// The tools, and the inputs for each.
struct Bench {
    raddle: PathBuf,
    llvm: Option<PathBuf>,
    nvlink: Oracle,
    /// clang's linker of device code, with the folder of ptxas.
    clang: Option<(Oracle, PathBuf)>,
    bitcode: Vec<PathBuf>,
    lto_ir: Vec<PathBuf>,
    folder: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, inputs that one of the compilers rejects, and trouble with files.
pub fn run(options: Options) -> Result<()> {
    let temporary = tempfile::tempdir()?;
    let folder = options.write.clone().unwrap_or_else(|| temporary.path().to_owned());
    let (bitcode, lto_ir) = inputs(&folder)?;
    if options.write.is_some() {
        return Ok(());
    }
    if options.raddle.is_none() {
        let built = Command::new(env!("CARGO")).args(["build", "--release", "--package", "raddle-cli"]).status()?;
        ensure!(built.success(), "the release build failed");
    }
    let ptxas = oracle::find("ptxas").context("ptxas is missing: make oracles")?;
    let tools = ptxas.path().parent().and_then(Path::parent).context("the folder of ptxas")?.to_owned();
    // nvlink wants a folder like that of a toolkit.
    let library = tools.join("lib/libnvvm.so.4");
    ensure!(library.exists(), "libnvvm is missing: make oracles");
    fs::create_dir_all(folder.join("nvvm/lib64"))?;
    std::os::unix::fs::symlink(library, folder.join("nvvm/lib64/libnvvm.so"))?;
    let bench = Bench {
        raddle: options.raddle.clone().unwrap_or_else(|| root().join("target/release/raddle")),
        llvm: options.llvm.clone(),
        nvlink: oracle::find("nvlink").context("nvlink is missing: make oracles")?,
        clang: oracle::find("clang-nvlink-wrapper-19").map(|wrapper| (wrapper, tools)),
        bitcode,
        lto_ir,
        folder,
    };
    bench.measure(&options)
}

/// Writes the units, and makes their bitcode and LTO-IR.
fn inputs(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    let clang = oracle::find("clang-19").context("clang-19 is missing")?;
    let libdevice = oracle::libdevice().context("libdevice is missing: make oracles")?.display().to_string();
    let shim = root().join("tests/corpus/shim.h").display().to_string();
    let (mut bitcode, mut lto_ir) = (Vec::new(), Vec::new());
    for (n, text) in bench_module::units(KERNELS, UNITS)?.into_iter().enumerate() {
        let path = |extension: &str| folder.join(format!("unit{n}.{extension}"));
        fs::write(path("cu"), text)?;
        let shown = |extension: &str| path(extension).display().to_string();
        let fixed = "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Xclang -target-feature \
                     -Xclang +ptx83 -fdeclspec -Wno-unknown-cuda-version -w -O3 -fgpu-rdc -emit-llvm -c";
        let mut args: Vec<String> = fixed.split_whitespace().map(str::to_owned).collect();
        args.extend(["-Xclang", "-mlink-builtin-bitcode", "-Xclang", &libdevice, "-include", &shim].map(str::to_owned));
        args.extend(["-o".to_owned(), shown("bc"), shown("cu")]);
        clang.run(&args)?;
        let args = ["-O3", "-dc", "-dlto", "-arch=sm_90", "-w", "-o", &shown("o"), &shown("cu")];
        nvcc.run(&args)?;
        bitcode.push(path("bc"));
        lto_ir.push(path("o"));
    }
    Ok((bitcode, lto_ir))
}

impl Bench {
    fn raddle(&self, out: &str, more: &[&str]) -> Command {
        let mut command = Command::new(&self.raddle);
        command.args(["compile", "--arch", "sm_90", "-O3", "--history", "off"]);
        command.args(self.llvm.iter().map(|path| format!("--llvm={}", path.display())));
        command.args(more).arg("-o").arg(self.folder.join(out)).args(&self.bitcode);
        command
    }

    fn nvlink(&self) -> Command {
        let mut command = self.nvlink.command();
        let nvvm = format!("-nvvmpath={}", self.folder.join("nvvm").display());
        command.args(["-arch=sm_90", "-lto", &nvvm, "--split-compile-extended=2", "-o"]);
        command.arg(self.folder.join("theirs.cubin")).args(&self.lto_ir);
        command
    }

    fn clang(&self) -> Option<Command> {
        let (wrapper, tools) = self.clang.as_ref()?;
        let mut command = wrapper.command();
        command.args(["--arch", "sm_90", "--plugin-opt=O3", "--plugin-opt=lto-partitions=2", "--feature", "+ptx83"]);
        command.arg(format!("--cuda-path={}", tools.display()));
        command.arg("-o").arg(self.folder.join("clang.cubin")).args(&self.bitcode);
        Some(command)
    }

    /// A run with its timeline.
    fn timed(&self, jobs: &str) -> Result<(Run, Phases)> {
        let timings = self.folder.join("timings.json");
        let shown = timings.display().to_string();
        let run = process_tree::finish(&mut self.raddle("ours.cubin", &["-j", jobs, "--timings", &shown]))?;
        Ok((run, Phases::read(&timings)?))
    }

    fn measure(&self, options: &Options) -> Result<()> {
        let (mut one, mut two, mut both, mut whole) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut nvlink, mut clang) = (Vec::new(), Vec::new());
        for _ in 0..options.rounds {
            one.push(self.timed("1")?);
            two.push(self.timed("2")?);
            let mut copy = self.raddle("copy.cubin", &["-j1"]).spawn()?;
            both.push(self.timed("1")?);
            ensure!(copy.wait()?.success(), "raddle failed");
            whole.push(process_tree::finish(&mut self.raddle("whole.cubin", &["-j1", "--lto-partitions", "1"]))?);
            nvlink.push(process_tree::finish(&mut self.nvlink())?);
            clang.extend(self.clang().map(|mut command| process_tree::finish(&mut command)).transpose()?);
            let last = |runs: &[Run]| runs.last().map_or(0.0, |run| run.seconds);
            let ours = |runs: &[(Run, Phases)]| runs.last().map_or(0.0, |(run, _)| run.seconds);
            println!(
                "-j1 {:.2} s, -j2 {:.2} s, beside a copy {:.2} s, one part {:.2} s; nvlink {:.2} s, clang {:.2} s",
                ours(&one),
                ours(&two),
                ours(&both),
                last(&whole),
                last(&nvlink),
                last(&clang)
            );
        }
        let median = |values: Vec<f64>| {
            let mut values = values;
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
        };
        let of = |runs: &[Run], get: fn(&Run) -> f64| median(runs.iter().map(get).collect());
        let ours =
            |runs: &[(Run, Phases)], get: fn(&Run) -> f64| median(runs.iter().map(|(run, _)| get(run)).collect());
        let after = |runs: &[(Run, Phases)]| median(runs.iter().map(|(_, phases)| phases.after).collect());
        let seconds = ours(&two, |run| run.seconds);
        let record = |id: &str, value: f64, digits: i32, note: &str| -> Result<()> {
            let scale = 10f64.powi(digits);
            let value = (value * scale).round() / scale;
            println!("{id}: {value} {note}");
            if options.no_record { Ok(()) } else { figures::record(id, value, COMMAND, note) }
        };
        let theirs = of(&nvlink, |run| run.seconds);
        record("ir.wall", seconds / theirs, 3, &format!("{seconds:.2} s, nvlink -lto {theirs:.2} s"))?;
        if !clang.is_empty() {
            let theirs = of(&clang, |run| run.seconds);
            record("ir.wall.clang", seconds / theirs, 3, &format!("{seconds:.2} s, clang and ptxas {theirs:.2} s"))?;
        }
        let machine = 2.0 * after(&one) / after(&both);
        let speedup = after(&one) / after(&two);
        if machine >= MACHINE {
            let note = format!("{speedup:.2} where two copies give {machine:.2}");
            record("ir.scaling", speedup / machine, 2, &note)?;
        } else {
            println!("speed-up {speedup:.2}; two copies give {machine:.2}: too busy for a verdict (D24)");
        }
        let phases = &one[one.len() - 1].1;
        record("ir.phase1", 100.0 * phases.link / phases.sum(), 1, &phases.text())?;
        let (split, unsplit) = (ours(&one, |run| run.cpu), of(&whole, |run| run.cpu));
        record("ir.split", split / unsplit, 3, &format!("{split:.2} s, one part {unsplit:.2} s"))?;
        let (memory, theirs) = (ours(&two, |run| run.memory), of(&nvlink, |run| run.memory));
        record("ir.memory", memory / theirs, 2, &format!("{:.0} MB, nvlink {:.0} MB", memory / 1e6, theirs / 1e6))?;
        self.code(&record)?;
        let (makespan, alone) = phases.on(64);
        let note = format!("{:.2} s in all, of {:.2} s of work", makespan, phases.sum());
        record("ir.serial64", 100.0 * alone / makespan, 1, &note)
    }

    /// Instructions and registers of the code, split and unsplit, and beside nvlink's.
    fn code(&self, record: &dyn Fn(&str, f64, i32, &str) -> Result<()>) -> Result<()> {
        let read = |name: &str| -> Result<(f64, f64)> {
            let cubin = raddle_cubin::Cubin::parse(&fs::read(self.folder.join(name))?)?;
            let code = cubin.sections.iter().filter(|s| s.name.starts_with(".text."));
            let words: usize = code.map(|s| s.bytes().len() / 16).sum();
            let registers: u64 = cubin.kernels().iter().map(|kernel| u64::from(kernel.registers)).sum();
            Ok((words as f64, registers as f64))
        };
        let (split, whole, theirs) = (read("ours.cubin")?, read("whole.cubin")?, read("theirs.cubin")?);
        let note = format!("{} split, {} in one part, nvlink {}", split.0, whole.0, theirs.0);
        record("ir.instructions", split.0 / whole.0, 3, &note)?;
        let note = format!("{} split, {} in one part, nvlink {}", split.1, whole.1, theirs.1);
        record("ir.registers", split.1 / whole.1, 3, &note)
    }
}

/// The times of a build's steps, in seconds.
struct Phases {
    /// Phase 0, per input.
    simplify: Vec<f64>,
    /// Phase I.
    link: f64,
    /// Phase II with code generation: per part, and what is left of each kernel.
    parts: Vec<f64>,
    /// The number of parts.
    split: usize,
    /// What only the coordinator does, after all of it.
    serial: f64,
    /// From the end of phase I to the end of the build.
    after: f64,
}

impl Phases {
    fn read(timings: &Path) -> Result<Phases> {
        #[derive(Deserialize)]
        struct Trace {
            #[serde(rename = "traceEvents")]
            events: Vec<Event>,
        }
        #[derive(Deserialize)]
        struct Event {
            name: String,
            #[serde(rename = "cat", default)]
            category: String,
            #[serde(rename = "ts", default)]
            begin: f64,
            #[serde(rename = "dur", default)]
            duration: f64,
        }
        let trace: Trace = serde_json::from_slice(&fs::read(timings)?)?;
        let mut phases =
            Phases { simplify: Vec::new(), link: 0.0, parts: Vec::new(), split: 0, serial: 0.0, after: 0.0 };
        let (mut linked, mut last) = (0.0, 0f64);
        // A kernel of the program that was compiled with its part has a task of its own, with nothing to do.
        let mut tasks: BTreeMap<&str, f64> = BTreeMap::new();
        for event in &trace.events {
            let seconds = event.duration / 1e6;
            match event.category.as_str() {
                "kernel" if event.name.starts_with("simplify ") => phases.simplify.push(seconds),
                "kernel" if event.name == "link" => {
                    phases.link = seconds;
                    linked = event.begin + event.duration;
                }
                "kernel" => *tasks.entry(&event.name).or_default() += seconds,
                "main" => phases.serial += seconds,
                "phase" if event.name == "extract" => {
                    phases.split += 1;
                    continue;
                }
                _ => continue,
            }
            last = last.max(event.begin + event.duration);
        }
        phases.parts = tasks.into_values().collect();
        phases.after = (last - linked) / 1e6;
        ensure!(phases.link > 0.0 && phases.parts.len() > 1, "no phases in the timeline");
        Ok(phases)
    }

    fn sum(&self) -> f64 {
        self.simplify.iter().chain(&self.parts).sum::<f64>() + self.link + self.serial
    }

    fn text(&self) -> String {
        format!(
            "phase 0 {:.2} s, phase I {:.2} s, phase II and code {:.2} s in {} parts, the rest {:.2} s",
            self.simplify.iter().sum::<f64>(),
            self.link,
            self.parts.iter().sum::<f64>(),
            self.split,
            self.serial
        )
    }

    /// The length of the build on this many workers, simulated, and the time of it in which one works.
    fn on(&self, workers: usize) -> (f64, f64) {
        let span = |times: &[f64]| {
            let times: Vec<Duration> = times.iter().map(|&seconds| Duration::from_secs_f64(seconds)).collect();
            let costs: Vec<u64> = times.iter().map(|time| time.as_micros() as u64).collect();
            longest_first(&costs, &times, raddle_driver::program::BATCH, workers).as_secs_f64()
        };
        let alone = self.link + self.serial;
        (span(&self.simplify) + alone + span(&self.parts), alone)
    }
}
