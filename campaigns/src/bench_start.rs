//! `cargo campaign bench-start`: how long the release executable takes to start, to say its version and to compile an
//! empty kernel, beside ptxas, each many times in turn.
//!
//! Programs that compile at run time (Triton, JAX) start an assembler for every kernel. A value is the median of all starts:
//! the time from before the process is made until its end is known. The figure is the slowest of ours.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle;
use xtask::figures;

/// The kernel that does nothing.
const EMPTY: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n";

#[derive(clap::Args)]
pub struct Options {
    /// Starts of each command
    #[arg(long, default_value_t = 300)]
    starts: usize,
    /// The raddle to start; target/release/raddle unless given
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Record the figure
    #[arg(long)]
    record: bool,
}

/// A command that is started again and again.
struct Start {
    what: &'static str,
    /// Whether it is ours.
    ours: bool,
    command: Command,
    milliseconds: Vec<f64>,
}

impl Start {
    fn new(what: &'static str, ours: bool, program: &Path, words: &[&str]) -> Start {
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null());
        // The tables of a user's caches are no part of a start.
        for name in ["RADDLE_CACHE", "RADDLE_REPORT", "RADDLE_JOBS", "MAKEFLAGS"] {
            command.env_remove(name);
        }
        Start { what, ours, command, milliseconds: Vec::new() }
    }

    fn run(&mut self) -> Result<()> {
        let before = Instant::now();
        let status = self.command.status().with_context(|| format!("{:?}", self.command))?;
        self.milliseconds.push(before.elapsed().as_secs_f64() * 1000.0);
        ensure!(status.success(), "{:?}: {status}", self.command);
        Ok(())
    }

    fn median(&self) -> f64 {
        let mut sorted = self.milliseconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

/// Runs the command.
///
/// # Errors
/// Missing tools, a missing release build, a command that fails.
pub fn run(options: &Options) -> Result<()> {
    let theirs = oracle::find("ptxas").context("ptxas is needed: make oracles")?;
    let raddle = options.raddle.clone().unwrap_or_else(|| figures::root().join("target/release/raddle"));
    let raddle = fs::canonicalize(&raddle).with_context(|| format!("{}: cargo build --release", raddle.display()))?;
    let folder = tempfile::tempdir()?;
    let [source, output, ours] = ["k.ptx", "k.cubin", "ptxas"].map(|name| folder.path().join(name));
    fs::write(&source, EMPTY)?;
    symlink(&raddle, &ours)?;
    let text = |path: &PathBuf| path.display().to_string();
    let compile = ["-arch=sm_90", &text(&source), "-o", &text(&output)];
    let command = ["compile", &text(&source), "--arch", "sm_90", "--history", "off", "-o", &text(&output)];
    let mut starts = [
        Start::new("raddle --version", true, &raddle, &["--version"]),
        Start::new("ptxas --version (Raddle)", true, &ours, &["--version"]),
        Start::new("ptxas --version", false, theirs.path(), &["--version"]),
        Start::new("raddle compile, an empty kernel", true, &raddle, &command),
        Start::new("ptxas (Raddle), an empty kernel", true, &ours, &compile),
        Start::new("ptxas, an empty kernel", false, theirs.path(), &compile),
    ];
    for _ in 0..options.starts {
        for start in &mut starts {
            // A program that compiles at run time names a new file each time.
            if output.exists() {
                fs::remove_file(&output)?;
            }
            start.run()?;
        }
    }
    for start in &starts {
        println!("{:34} {:6.2} ms", start.what, start.median());
    }
    let slowest = starts.iter().filter(|start| start.ours).map(Start::median).fold(0.0, f64::max);
    println!("slowest of ours: {slowest:.2} ms");
    if options.record {
        let values: Vec<String> = starts.iter().map(|s| format!("{} {:.1}", s.what, s.median())).collect();
        let note = format!("medians of {} starts in ms: {}", options.starts, values.join("; "));
        let command = "cargo campaign bench-start --record";
        figures::record("start.milliseconds", (slowest * 100.0).round() / 100.0, command, &note)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_not_moved_by_one_slow_start_and_a_failure_is_an_error() {
        let mut start = Start::new("true", true, Path::new("true"), &[]);
        start.milliseconds = vec![3.0, 1.0, 900.0, 2.0, 4.0];
        assert!((start.median() - 3.0).abs() < f64::EPSILON);
        assert!(start.run().is_ok() && start.milliseconds.len() == 6);
        assert!(Start::new("false", true, Path::new("false"), &[]).run().is_err());
    }
}
