//! `cargo campaign remote-faults` and `cargo campaign bench-remote`: remote execution on a BuildGrid that is started on this machine,
//! from its package.
//!
//! The measurements are ignored tests of `crates/cli` (`tests/remote/measured.rs`), which have the client: a thousand units on workers
//! that fail in 30 of a hundred actions; what a unit that is made elsewhere costs the client, and the time of a build. Each prints lines
//! `figure ID VALUE NOTE`, which are recorded here.

use anyhow::{Context, Result, ensure};
use std::process::{Command, Stdio};

use xtask::figures;

/// What the thousand units must give, and nothing else.
pub const FAULTS: [&str; 4] = ["remote.differ", "remote.finished", "remote.lost", "remote.tokens"];
/// The same of the other measurements.
pub const TIMES: [&str; 2] = ["remote.client", "remote.wall"];

/// Gives a thousand units to an engine whose workers fail. The compiler is built as for tests: times do not count.
///
/// # Errors
/// A test that fails, an engine that is not installed, and trouble with files.
pub fn faults() -> Result<()> {
    run("dev", &["measure_a_thousand"], &FAULTS, "cargo campaign remote-faults")
}

/// Measures builds with an engine, on a quiet machine.
///
/// # Errors
/// As [`faults`].
pub fn times() -> Result<()> {
    run("campaign", &["measure_what", "measure_a_build"], &TIMES, "cargo campaign bench-remote")
}

fn run(profile: &str, tests: &[&str], ids: &[&str], command: &str) -> Result<()> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([
        "test",
        "--profile",
        profile,
        "--package",
        "raddle-cli",
        "--features",
        "remote",
        "--test",
        "remote",
        "--",
    ]);
    cargo.args(tests).args(["--ignored", "--nocapture", "--test-threads=1"]);
    let output = cargo.env("REQUIRE_ALL", "1").stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    ensure!(output.status.success(), "a measurement failed");
    for (id, value, note) in figures_of(&text, ids)? {
        figures::record(id, value, command, note)?;
    }
    Ok(())
}

/// The figures in what the tests print: each of `ids`, which are sorted, once.
fn figures_of<'t>(text: &'t str, ids: &[&str]) -> Result<Vec<(&'t str, f64, &'t str)>> {
    let mut found = Vec::new();
    // The name of a test may stand before it in the line.
    for line in text.lines().filter_map(|line| Some(line.split_once("figure ")?.1)) {
        let (id, rest) = line.split_once(' ').context("a figure without a value")?;
        let (value, note) = rest.split_once(' ').unwrap_or((rest, ""));
        found.push((id, value.parse().with_context(|| format!("{id}: '{value}' is no number"))?, note));
    }
    found.sort_by_key(|figure| figure.0);
    let printed: Vec<&str> = found.iter().map(|figure| figure.0).collect();
    ensure!(printed == ids, "figures of {printed:?}");
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_read_once() {
        let line = |id: &&str| format!("test x ... figure {id} 1.5 a note\nother\n");
        let all: String = FAULTS.iter().rev().map(line).collect();
        let found = figures_of(&all, &FAULTS).unwrap();
        assert_eq!((found.len(), found[0]), (4, ("remote.differ", 1.5, "a note")));
        assert!(figures_of(&all, &TIMES).is_err() && figures_of(&all.replacen("figure", "no", 1), &FAULTS).is_err());
        assert!(figures_of(&format!("{all}figure remote.lost 1 twice"), &FAULTS).is_err());
        assert!(figures_of(&all.replacen("1.5", "x", 1), &FAULTS).is_err());
    }
}
