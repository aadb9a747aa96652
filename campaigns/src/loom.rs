//! Models of the task queue under schedules that a tool chooses: `cargo campaign loom` and `cargo campaign shuttle`.

use anyhow::{Context, Result, ensure};
use std::process::{Command, Stdio};

use xtask::figures;

/// Every interleaving with at most two preemptions of the queue's accounting. Builds `raddle-jobs` with `--cfg loom` into a target
/// folder of its own; records how many there were.
///
/// # Errors
/// A model that fails, and trouble with files.
pub fn run() -> Result<()> {
    let mut command = cargo();
    command.args(["test", "--release", "--package", "raddle-jobs", "--test", "loom", "--target-dir", "target/loom"]);
    let explored = explore(command.env("RUSTFLAGS", "--cfg loom"))?;
    figures::record("jobs.loom", explored as f64, "cargo campaign loom", "of two workers, with two preemptions at most")
}

/// Queue, tokens, panics and cancellation together under random schedules; records how many there were.
///
/// # Errors
/// As [`run`].
pub fn shuttle() -> Result<()> {
    let mut command = cargo();
    let explored = explore(command.args([
        "test",
        "--package",
        "raddle-jobs",
        "--features",
        "shuttle",
        "--lib",
        "random_schedules",
    ]))?;
    let note =
        "four models, one with a cancellation at each of three moments, one with an engine; random and by priority";
    figures::record("jobs.shuttle", explored as f64, "cargo campaign shuttle", note)
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs the models; gives how many schedules they say they were run under.
fn explore(command: &mut Command) -> Result<u64> {
    let output = command.args(["--", "--nocapture"]).stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    ensure!(output.status.success(), "the model tests failed");
    // The name of a test may stand before it in the line.
    let counts = text.lines().filter_map(|line| line.rsplit_once("explored ")?.1.trim().parse::<u64>().ok());
    Ok(counts.sum())
}
