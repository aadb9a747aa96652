//! `cargo xtask loom`: every interleaving of the task queue's accounting.

use anyhow::{Context, Result, ensure};
use std::process::Command;

/// Builds `raddle-jobs` with `--cfg loom` into a target folder of its own and runs its model tests.
pub fn run(_: &[String]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--release", "--package", "raddle-jobs", "--test", "loom", "--target-dir", "target/loom"])
        .env("RUSTFLAGS", "--cfg loom")
        .status()
        .context("cannot start cargo")?;
    ensure!(status.success(), "the model tests failed");
    Ok(())
}

/// `cargo xtask shuttle`: queue, tokens, panics and cancellation together under random schedules.
pub fn shuttle(_: &[String]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--package", "raddle-jobs", "--features", "shuttle", "--lib", "random_schedules"])
        .status()
        .context("cannot start cargo")?;
    ensure!(status.success(), "the model tests failed");
    Ok(())
}
