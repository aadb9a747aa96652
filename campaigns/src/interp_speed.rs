//! Speed of the PTX interpreter on the corpus kernels, race checks on.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use raddle_tests::{kernel, run};

/// Time given to each kernel.
const SLICE: Duration = Duration::from_millis(300);

/// `cargo campaign interp-speed`: runs every corpus kernel as nvcc writes it again and again, parsing
/// included, and records executed thread instructions per second over all of them.
///
/// # Errors
/// A build without optimization, a kernel that fails, trouble with files.
pub fn run() -> Result<()> {
    ensure!(!cfg!(debug_assertions), "measure a release build: cargo campaign interp-speed");
    let (mut instructions, mut seconds, mut rates) = (0u64, 0.0, Vec::new());
    for kernel in kernel::all()? {
        let ptx = kernel.ptx(&kernel.producers[0])?;
        let (mut done, started) = (0u64, Instant::now());
        let mut spent = Duration::ZERO;
        'slice: loop {
            for launch in &kernel.launches {
                let mut setup = run::setup(&kernel.entry, launch);
                let from = Instant::now();
                let Ok(stats) = raddle_sim::interp::run(&ptx, &setup.launch, &mut setup.memory) else { break 'slice };
                spent += from.elapsed();
                done += stats.thread_insts;
            }
            if started.elapsed() > SLICE {
                break;
            }
        }
        if done == 0 {
            continue;
        }
        let rate = done as f64 / spent.as_secs_f64() / 1e6;
        println!("{:20} {rate:8.1} M thread instructions/s", kernel.name);
        rates.push(rate);
        instructions += done;
        seconds += spent.as_secs_f64();
    }
    ensure!(!rates.is_empty(), "no kernel ran");
    rates.sort_by(f64::total_cmp);
    let note = format!(
        "{} corpus kernels as nvcc writes them, parsing included, races checked; slowest {:.0}, median {:.0}",
        rates.len(),
        rates[0],
        rates[rates.len() / 2]
    );
    let value = (instructions as f64 / seconds / 1e5).round() / 10.0;
    xtask::figures::record("interp.speed", value, "cargo campaign interp-speed", &note)
}
