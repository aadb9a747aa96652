//! `cargo campaign bench-remote`: remote execution on a BuildGrid that is started on this machine, from its package.
//!
//! The measurements are ignored tests of `crates/cli` (`tests/remote/measured.rs`), which have the client: a thousand units on workers
//! that fail in 30 of a hundred actions, what a unit that is made elsewhere costs the client, and the time of a build. Each prints lines
//! `figure ID VALUE NOTE`, which are recorded here.

use anyhow::{Context, Result, ensure};
use std::process::{Command, Stdio};

use xtask::figures;

const COMMAND: &str = "cargo campaign bench-remote";

/// What the tests must print, and nothing else.
pub const FIGURES: [&str; 6] =
    ["remote.client", "remote.differ", "remote.finished", "remote.lost", "remote.tokens", "remote.wall"];

/// Runs the command.
///
/// # Errors
/// A test that fails, an engine that is not installed, and trouble with files.
pub fn run() -> Result<()> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Not the release's profile: it takes twice as long to build, and its code is as fast within a tenth.
    command.args([
        "test",
        "--profile",
        "campaign",
        "--package",
        "raddle-cli",
        "--features",
        "remote",
        "--test",
        "remote",
    ]);
    command.args(["--", "measure_", "--ignored", "--nocapture", "--test-threads=1"]);
    let output = command.env("REQUIRE_ALL", "1").stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    ensure!(output.status.success(), "a measurement failed");
    let found = figures_of(&text)?;
    for (id, value, note) in found {
        figures::record(id, value, COMMAND, note)?;
    }
    Ok(())
}

/// The figures in what the tests print: each of [`FIGURES`] once.
fn figures_of(text: &str) -> Result<Vec<(&str, f64, &str)>> {
    let mut found = Vec::new();
    // The name of a test may stand before it in the line.
    for line in text.lines().filter_map(|line| Some(line.split_once("figure ")?.1)) {
        let (id, rest) = line.split_once(' ').context("a figure without a value")?;
        let (value, note) = rest.split_once(' ').unwrap_or((rest, ""));
        found.push((id, value.parse().with_context(|| format!("{id}: '{value}' is no number"))?, note));
    }
    found.sort_by_key(|figure| figure.0);
    let ids: Vec<&str> = found.iter().map(|figure| figure.0).collect();
    ensure!(ids == FIGURES, "figures of {ids:?}");
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_read_once() {
        let line = |id: &&str| format!("test x ... figure {id} 1.5 a note\nother\n");
        let all: String = FIGURES.iter().rev().map(line).collect();
        let found = figures_of(&all).unwrap();
        assert_eq!((found.len(), found[0]), (6, ("remote.client", 1.5, "a note")));
        assert!(figures_of(&all.replacen("figure", "no", 1)).is_err());
        assert!(figures_of(&format!("{all}figure remote.wall 1 twice")).is_err());
        assert!(figures_of(&all.replacen("1.5", "x", 1)).is_err());
    }
}
