//! `cargo campaign bench-compile [ROUNDS]`: a module of 320 kernels through `raddle compile -O3` and `ptxas -O3`, side by side in one run.
//! `cargo campaign bench-compile --write FOLDER` writes the modules (`mixed.ptx`, `skewed.ptx`) for a profiler and measures nothing.
//!
//! Speed-ups are compared with what the machine gives two copies of a run (decision D24): single-thread run, two of them at once, our `-j2`
//! and `ptxas --split-compile=2` alternate; medians count. The compiler is the release build of this tree. Records, for issue 3: wall time
//! against ptxas, own speed-up against what the machine gives, peak memory against ptxas on one thread, serial part; and prints
//! the same for modules with one large kernel at several places.

use crate::arguments::at_least_one;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_driver::host::bounds::{longest_first, lower};
use raddle_filetest::oracle::{self, Oracle};
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;

use crate::bench_module::{self, Shape};
use crate::peak::{Run, finish};
use xtask::figures::{self, root};

/// Kernels of the module.
const KERNELS: usize = 320;
/// Places of the large kernel among the 32 of a skewed module.
const PLACES: [usize; 4] = [0, 10, 21, 31];
/// Numbers of workers that are simulated.
const WORKERS: [usize; 3] = [8, 16, 64];
/// Below this speed-up of two copies at once the machine is busy, and there is no verdict (D24).
const MACHINE: f64 = 1.6;
const COMMAND: &str = "cargo campaign bench-compile";

/// The compilers and the files between them.
struct Bench {
    raddle: PathBuf,
    ptxas: Oracle,
    folder: tempfile::TempDir,
}

#[derive(clap::Args)]
pub struct Options {
    /// Rounds; medians count
    #[arg(value_name = "ROUNDS", default_value = "7", value_parser = at_least_one)]
    rounds: usize,
    /// Write the modules (mixed.ptx, skewed.ptx) to this folder for a profiler, and measure nothing
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, a module that one of the compilers rejects, and trouble with files.
pub fn run(options: Options) -> Result<()> {
    if let Some(folder) = &options.write {
        return write(folder);
    }
    let rounds = options.rounds;
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    let ptxas = oracle::find("ptxas").context("ptxas is missing: make oracles")?;
    let built = Command::new(env!("CARGO")).args(["build", "--release", "--package", "raddle-cli"]).status()?;
    ensure!(built.success(), "the release build failed");
    let bench = Bench { raddle: root().join("target/release/raddle"), ptxas, folder: tempfile::tempdir()? };
    let text = bench_module::ptx(&nvcc, Shape::Mixed(KERNELS))?;
    let sizes = bench_module::check(&text)?;
    println!("{sizes}, {:.2} MB of PTX", text.len() as f64 / 1e6);
    let mixed = bench.path("mixed.ptx");
    fs::write(&mixed, text)?;
    bench.mixed(&mixed, rounds, &sizes)?;
    for place in PLACES {
        let skewed = bench.path("skewed.ptx");
        fs::write(&skewed, bench_module::ptx(&nvcc, Shape::Skewed(32, place))?)?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..rounds.div_ceil(2) {
            ours.push(bench.ours(&skewed, 2)?);
            theirs.push(bench.theirs(&skewed, 2)?);
        }
        let (ours, theirs) = (median(&ours), median(&theirs));
        println!("large kernel at {place} of 32: {ours:.3} s, ptxas {theirs:.3} s, ratio {:.3}", ours / theirs);
    }
    Ok(())
}

/// Writes the modules, those with a large kernel with it in one place.
fn write(folder: &Path) -> Result<()> {
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    fs::write(folder.join("mixed.ptx"), bench_module::ptx(&nvcc, Shape::Mixed(KERNELS))?)?;
    fs::write(folder.join("skewed.ptx"), bench_module::ptx(&nvcc, Shape::Skewed(32, PLACES[1]))?)?;
    Ok(())
}

impl Bench {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Alternates the five runs over the mixed module, prints and records.
    fn mixed(&self, module: &Path, rounds: usize, sizes: &str) -> Result<()> {
        let (mut one, mut both, mut two, mut theirs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for round in 0..rounds {
            one.push(self.ours(module, 1)?);
            both.push(self.copies(module)?);
            two.push(self.ours(module, 2)?);
            theirs.push(self.theirs(module, 2)?);
            let last = [&one, &both, &two, &theirs].map(|runs| format!("{:.3}", runs[round].seconds));
            println!(
                "-j1 {} s, two of them {} s, -j2 {} s, ptxas --split-compile=2 {} s",
                last[0], last[1], last[2], last[3]
            );
        }
        let alone = self.theirs(module, 1)?;
        let machine = 2.0 * median(&one) / median(&both);
        let speedup = median(&one) / median(&two);
        let wall = median(&two) / median(&theirs);
        let peak = |runs: &[Run]| runs.iter().map(|run| run.peak).fold(0.0, f64::max);
        let memory = peak(&two) / alone.peak;
        let times = (0..rounds).map(|_| self.timed(module)).collect::<Result<Vec<_>>>()?;
        let times = Times::median(times).context("no rounds")?;
        let all = times.serial + times.shared_on(1) + times.work();
        let serial = 100.0 * times.serial / all;
        println!("wall: {wall:.3} of ptxas; speed-up {speedup:.2} where the machine gives {machine:.2}");
        println!("memory: {:.1} MB of {:.1} MB; serial {serial:.2} %", peak(&two) / 1e6, alone.peak / 1e6);
        for workers in WORKERS {
            let (time, least) = times.on(workers);
            println!(
                "{workers} workers, simulated: {:.1} times as fast as one; {:.3} s where no schedule takes less than {least:.3} s",
                all / time,
                time
            );
        }
        let note = |text: String| format!("{sizes}; {text}");
        figures::record("speed.wall", round(wall, 3), COMMAND, &note(format!("{:.2} s", median(&two))))?;
        if machine >= MACHINE {
            let text = note(format!("{speedup:.2} where two copies give {machine:.2}"));
            figures::record("speed.scaling", round(speedup / machine, 2), COMMAND, &text)?;
        } else {
            println!("the machine is too busy for a verdict on the speed-up (D24)");
        }
        figures::record("speed.memory", round(memory, 2), COMMAND, &note(format!("{:.0} MB", peak(&two) / 1e6)))?;
        let text = note(format!(
            "of -j1: all that is outside of kernels, {:.1} ms; {:.1} ms more are shared with workers",
            times.serial * 1e3,
            times.shared_on(1) * 1e3
        ));
        figures::record("speed.serial", round(serial, 2), COMMAND, &text)?;
        figures::record("build.serial", round(serial, 2), COMMAND, &text)?;
        let (time, least) = times.on(64);
        let text = note(format!(
            "{:.1} times as fast as one worker; {:.0} ms, the kernels alone {:.0} ms",
            all / time,
            time * 1e3,
            least * 1e3
        ));
        figures::record("build.workers64", round(least / time, 2), COMMAND, &text)
    }

    fn raddle(&self, module: &Path, jobs: usize, out: &str) -> Command {
        let mut command = Command::new(&self.raddle);
        command.args(["compile", "--arch", "sm_90", "-O3", "-j", &jobs.to_string(), "-o"]);
        command.arg(self.path(out)).arg(module);
        command
    }

    fn ours(&self, module: &Path, jobs: usize) -> Result<Run> {
        finish(&mut self.raddle(module, jobs, "ours.cubin"))
    }

    fn theirs(&self, module: &Path, threads: usize) -> Result<Run> {
        let mut command = self.ptxas.command();
        command.args(["-arch=sm_90", "-O3", &format!("--split-compile={threads}"), "-o"]);
        finish(command.arg(self.path("theirs.cubin")).arg(module))
    }

    /// Two single-thread compilations at once, until both are done.
    fn copies(&self, module: &Path) -> Result<Run> {
        let begun = Instant::now();
        let mut other = start(&mut self.raddle(module, 1, "copy.cubin"))?;
        let run = self.ours(module, 1)?;
        ensure!(other.wait()?.success(), "raddle failed");
        Ok(Run { seconds: begun.elapsed().as_secs_f64(), ..run })
    }

    /// The times of a single-thread compilation, by the compiler's own timeline. It goes to a pipe, so
    /// that the time to write it is known, which is no part of a build.
    fn timed(&self, module: &Path) -> Result<Times> {
        let mut command = self.raddle(module, 1, "ours.cubin");
        command.args(["--timings", "/dev/stdout"]).stdout(Stdio::piped());
        let begun = monotonic();
        let mut child = command.spawn()?;
        let mut pipe = child.stdout.take().context("no pipe")?;
        let (mut bytes, mut piece, mut written) = (Vec::new(), vec![0; 1 << 16], begun);
        loop {
            let count = pipe.read(&mut piece)?;
            if count == 0 {
                break;
            }
            bytes.extend_from_slice(&piece[..count]);
            written = monotonic();
        }
        ensure!(child.wait()?.success(), "{command:?} failed");
        let ended = monotonic();
        Times::of(&serde_json::from_slice(&bytes)?, begun, written, ended)
    }
}

/// The machine's monotonic clock, in microseconds: that of `origin_us` in a timeline.
fn monotonic() -> f64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// Where the time of a compilation on one thread goes, in seconds.
struct Times {
    /// What no other worker can do: before the first kernel, after the last one, and steps of the
    /// coordinator in between.
    serial: f64,
    /// What the coordinator shares with idle workers.
    shared: Vec<SharedTime>,
    /// Estimated cost and time of each kernel.
    kernels: Vec<(u64, Duration)>,
}

/// Work that threads share, in seconds.
struct SharedTime {
    all: f64,
    /// Its longest piece.
    longest: f64,
    /// The most threads that it is shared among.
    threads: usize,
}

impl Times {
    /// The times by a timeline of a process: its start, the end of the timeline's writing and the end of the process, on the machine's
    /// monotonic clock in microseconds.
    fn of(trace: &Trace, begun: f64, written: f64, ended: f64) -> Result<Times> {
        let of = |category: &'static str| {
            trace.events.iter().filter(move |event| event.category.as_deref() == Some(category))
        };
        let span = of("kernel").fold((f64::INFINITY, 0f64), |(from, to), event| {
            (from.min(event.begin), to.max(event.begin + event.duration))
        });
        ensure!(span.1 > span.0, "no kernel in the timeline");
        let between = of("main").filter(|step| step.begin > span.0 && step.begin < span.1);
        let between: f64 = between.map(|step| step.duration).sum();
        let shared: Vec<SharedTime> = of("shared").map(SharedTime::of).collect();
        let kernels = of("kernel").map(|event| (event.args.cost, Duration::from_secs_f64(event.duration / 1e6)));
        let timeline = written - (trace.other.origin + trace.other.written);
        ensure!(timeline > 0.0, "the clocks of the timeline and of this process differ");
        let outside = ended - begun - timeline - (span.1 - span.0 - between);
        let serial = outside / 1e6 - shared.iter().map(|work| work.all).sum::<f64>();
        Ok(Times { serial, shared, kernels: kernels.collect() })
    }

    /// The median of several runs, by their serial time.
    fn median(mut runs: Vec<Times>) -> Option<Times> {
        runs.sort_by(|a, b| a.serial.total_cmp(&b.serial));
        let middle = runs.len() / 2;
        (middle < runs.len()).then(|| runs.swap_remove(middle))
    }

    /// Seconds of all kernels, one after another.
    fn work(&self) -> f64 {
        self.kernels.iter().map(|kernel| kernel.1.as_secs_f64()).sum()
    }

    /// Seconds of all shared work on this many workers.
    fn shared_on(&self, workers: usize) -> f64 {
        self.shared.iter().map(|work| work.longest.max(work.all / workers.min(work.threads).max(1) as f64)).sum()
    }

    /// The simulated time of the same compilation on this many workers, and a lower bound for any
    /// schedule of its kernels alone.
    fn on(&self, workers: usize) -> (f64, f64) {
        let (costs, times): (Vec<u64>, Vec<Duration>) = self.kernels.iter().copied().unzip();
        let kernels = longest_first(&costs, &times, raddle_driver::program::BATCH, workers).as_secs_f64();
        (self.serial + self.shared_on(workers) + kernels, lower(&times, workers).time.as_secs_f64())
    }
}

impl SharedTime {
    fn of(event: &Event) -> SharedTime {
        SharedTime { all: event.duration / 1e6, longest: event.args.longest / 1e9, threads: event.args.threads }
    }
}

/// What is read of a timeline (Trace Event Format).
#[derive(Deserialize)]
struct Trace {
    #[serde(rename = "traceEvents")]
    events: Vec<Event>,
    #[serde(rename = "otherData")]
    other: Other,
}

#[derive(Deserialize)]
struct Other {
    /// The start of the times of events on the machine's monotonic clock, in microseconds.
    #[serde(rename = "origin_us")]
    origin: f64,
    /// When the timeline was about to be written.
    #[serde(rename = "written_us")]
    written: f64,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "cat")]
    category: Option<String>,
    /// Microseconds.
    #[serde(rename = "ts", default)]
    begin: f64,
    #[serde(rename = "dur", default)]
    duration: f64,
    #[serde(default)]
    args: Args,
}

#[derive(Default, Deserialize)]
struct Args {
    #[serde(default)]
    cost: u64,
    /// Nanoseconds of the longest piece of shared work, and the most threads that share it.
    #[serde(default, rename = "longest_ns")]
    longest: f64,
    #[serde(default)]
    threads: usize,
}

fn start(command: &mut Command) -> Result<Child> {
    Ok(command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn()?)
}

fn median(runs: &[Run]) -> f64 {
    let mut seconds: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn round(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}
