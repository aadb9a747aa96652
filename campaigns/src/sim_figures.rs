//! Figures of the simulator: ptxas-made cubins that run as they should, and speed.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle;
use raddle_sim::launch::OnFinding;
use raddle_sim::machine::{self, Image, Setup};
use raddle_tests::ptxas::Assembler;
use raddle_tests::{kernel, run, simulate};

/// Time given to each kernel.
const SLICE: Duration = Duration::from_millis(200);

/// `cargo campaign sim-figures`: runs every kernel and snippet of the corpus as ptxas assembles it and
/// records how many agree with reference and interpreter, without a hazard.
///
/// # Errors
/// No ptxas, unreadable files.
pub fn run() -> Result<()> {
    let ptxas = oracle::require("ptxas").context("the figures need ptxas (make oracles)")?;
    let assembler = Assembler::new(&ptxas)?;
    let command = "cargo campaign sim-figures";
    let all = |_: &str| true;
    let judge = |id: &str, what: &str, results: &[simulate::Judged]| -> Result<()> {
        for (case, error) in results.iter().filter_map(|(case, r)| r.as_ref().err().map(|e| (case, e))) {
            println!("{case:?}: {error:#}");
        }
        let passed = results.iter().filter(|r| r.1.is_ok()).count();
        let value = (1000.0 * passed as f64 / results.len().max(1) as f64).floor() / 10.0;
        let mut failed: Vec<&str> = results.iter().filter(|r| r.1.is_err()).map(|r| r.0.name.as_str()).collect();
        failed.dedup();
        let note = format!("{passed} of {} {what}; not: {}", results.len(), failed.join(", "));
        xtask::figures::record(id, value, command, &note)
    };
    judge("sim.kernels", "cubins", &simulate::kernels(&assembler, &all)?)?;
    judge("sim.snippets", "cubins", &simulate::snippets(&assembler, &all, false)?)?;
    let count = kernel::all()?.len();
    xtask::figures::record("sim.kernels.count", count as f64, command, "each as nvcc and as clang write it")
}

/// `cargo campaign sim-speed`: runs the corpus kernels as ptxas assembles nvcc's PTX for sm_90 again and
/// again on one thread, hazard tracking on, and records warp instructions per second over all of them.
///
/// # Errors
/// No ptxas, a build without optimization, trouble with files.
pub fn speed() -> Result<()> {
    ensure!(!cfg!(debug_assertions), "measure a release build: cargo campaign sim-speed");
    let ptxas = oracle::require("ptxas").context("the figure needs ptxas (make oracles)")?;
    let assembler = Assembler::new(&ptxas)?;
    let (mut instructions, mut seconds, mut rates) = (0u64, 0.0, Vec::new());
    for kernel in kernel::all()? {
        let file = assembler.assemble(&simulate::retarget(&kernel.ptx(&kernel.producers[0])?, "sm_90"), "sm_90")?;
        let (mut done, mut spent) = (0u64, 0.0);
        for launch in &kernel.launches {
            let mut setup = run::setup(&kernel.entry, launch);
            setup.launch.races = OnFinding::Off;
            let Ok(image) = Image::load(&file, &setup.launch, &mut setup.memory) else { continue };
            // Again and again in the same memory: what it holds does not change how fast it is.
            let (started, from) = (Instant::now(), processor_seconds()?);
            while started.elapsed() < SLICE {
                let Ok(o) = machine::run_image(&image, &setup.launch, &mut setup.memory, Setup::default()) else {
                    break;
                };
                done += o.stats.warp_insts;
            }
            spent += processor_seconds()? - from;
        }
        if done == 0 {
            println!("{:20} does not run", kernel.name);
            continue;
        }
        let rate = done as f64 / spent / 1e6;
        println!("{:20} {rate:8.2} M warp instructions/s", kernel.name);
        rates.push(rate);
        instructions += done;
        seconds += spent;
    }
    ensure!(!rates.is_empty(), "no kernel ran");
    rates.sort_by(f64::total_cmp);
    let note = format!(
        "{} corpus kernels (nvcc, sm_90) over all, races off, processor time of a busy machine; slowest {:.1}, median {:.1}",
        rates.len(),
        rates[0],
        rates[rates.len() / 2]
    );
    let value = (instructions as f64 / seconds / 1e5).round() / 10.0;
    xtask::figures::record("sim.speed", value, "cargo campaign sim-speed", &note)
}

/// Seconds this thread has had a processor: on a busy machine the wall clock says little.
fn processor_seconds() -> Result<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").context("processor time needs Linux")?;
    let nanoseconds: f64 = text.split_whitespace().next().context("schedstat")?.parse()?;
    Ok(nanoseconds / 1e9)
}
