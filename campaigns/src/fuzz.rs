//! `cargo campaign fuzz [SECONDS]`: mutates the corpus and gives it to every reader, for so long each (60 unless given).
//!
//! An input that makes a reader panic is kept in `fuzz/regressions/<target>/`, where tests replay it for ever.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use raddle_fuzz::TARGETS;

use xtask::figures::{self, root};

/// Mutations between two looks at the clock.
const BATCH: u64 = 500;

#[derive(clap::Args)]
pub struct Options {
    /// Seconds for each reader
    #[arg(value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,
}

/// Runs the command.
///
/// # Errors
/// Readers that panicked.
pub fn run(Options { seconds }: Options) -> Result<()> {
    let (mut inputs, mut panics) = (0, 0);
    for target in TARGETS {
        let started = Instant::now();
        let mut number = 0;
        while started.elapsed() < Duration::from_secs(seconds) {
            if let Err(found) = target.replay(number, number + BATCH) {
                let folder = root().join("fuzz/regressions").join(target.name);
                fs::create_dir_all(&folder)?;
                let path = folder.join(format!("{}.bin", found.origin.replace(' ', "-")));
                fs::write(&path, &found.bytes)?;
                eprintln!("{}: {}: {}", target.name, path.display(), found.message);
                panics += 1;
                break;
            }
            number += BATCH;
        }
        inputs += number;
        println!("{}: {number} mutations of {} seeds", target.name, target.seeds().len());
    }
    let note = format!("{inputs} mutations over {} readers", TARGETS.len());
    figures::record("input.panics", f64::from(panics), &format!("cargo campaign fuzz {seconds}"), &note)?;
    ensure!(panics == 0, "{panics} readers panicked");
    Ok(())
}
