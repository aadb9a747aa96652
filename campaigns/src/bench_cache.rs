//! `cargo campaign bench-cache [ROUNDS]`: the module of 320 kernels of `bench-compile` with `-j2`: built whole without a cache, and with
//! one where nothing has changed since, and where one kernel has.
//!
//! Each round begins with an empty cache and edits another kernel; the three builds alternate, and medians count. An output that is not
//! that of a build without a cache is an error.

use crate::arguments::at_least_one;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle;

use crate::bench_module::{self, Shape};
use xtask::figures::{self, root};

/// Kernels of the module.
const KERNELS: usize = 320;
/// Builds of each kind with a cache in a round: they are short, so one alone says little.
const REPEATS: usize = 5;
const COMMAND: &str = "cargo campaign bench-cache";

#[derive(clap::Args)]
pub struct Options {
    /// Rounds; medians count
    #[arg(value_name = "ROUNDS", default_value = "7", value_parser = at_least_one)]
    rounds: usize,
}

/// The compiler and its files.
struct Bench {
    raddle: PathBuf,
    folder: tempfile::TempDir,
}

/// Seconds of the builds.
#[derive(Default)]
struct Times {
    whole: Vec<f64>,
    unchanged: Vec<f64>,
    edited: Vec<f64>,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, a build that fails or gives other bytes than one without a cache, and trouble with files.
pub fn run(options: &Options) -> Result<()> {
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    let build = ["build", "--profile", "campaign", "--package", "raddle-cli"];
    ensure!(Command::new(env!("CARGO")).args(build).status()?.success(), "the build failed");
    let bench = Bench { raddle: root().join("target/campaign/raddle"), folder: tempfile::tempdir()? };
    let text = bench_module::ptx(&nvcc, Shape::Mixed(KERNELS))?;
    let sizes = bench_module::check(&text)?;
    println!("{sizes}, {:.2} MB of PTX", text.len() as f64 / 1e6);
    let mut times = Times::default();
    for round in 0..options.rounds {
        bench.round(&text, (2 * round + 1) * KERNELS / (2 * options.rounds), &mut times)?;
        let last =
            [&times.whole, &times.unchanged, &times.edited].map(|times| times.last().copied().unwrap_or_default());
        println!("whole {:.3} s, nothing changed {:.4} s, a kernel edited {:.4} s", last[0], last[1], last[2]);
    }
    let [whole, unchanged, edited] = [times.whole, times.unchanged, times.edited].map(median);
    let note =
        |what: &str, seconds: f64| format!("{sizes}, -j2: {what} {:.1} ms of {:.0} ms", seconds * 1e3, whole * 1e3);
    let percent = |seconds: f64| (seconds / whole * 1e4).round() / 100.0;
    figures::record("cache.unchanged", percent(unchanged), COMMAND, &note("the build takes", unchanged))?;
    figures::record("cache.edited", percent(edited - unchanged), COMMAND, &note("the build takes", edited))
}

impl Bench {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Times the builds; the kernel with this number is edited.
    fn round(&self, text: &str, number: usize, times: &mut Times) -> Result<()> {
        let (module, cache) = (self.path("module.ptx"), self.path("cache"));
        if cache.exists() {
            fs::remove_dir_all(&cache)?;
        }
        fs::write(&module, text)?;
        let (seconds, expected) = self.build(&module, None)?;
        times.whole.push(seconds);
        ensure!(self.build(&module, Some(&cache))?.1 == expected, "the build that fills the cache gives other bytes");
        for _ in 0..REPEATS {
            let (seconds, bytes) = self.build(&module, Some(&cache))?;
            ensure!(bytes == expected, "the unchanged build gives other bytes");
            times.unchanged.push(seconds);
        }
        for repeat in 0..REPEATS {
            fs::write(&module, edited(text, number, repeat)?)?;
            let (seconds, bytes) = self.build(&module, Some(&cache))?;
            times.edited.push(seconds);
            ensure!(bytes == self.build(&module, None)?.1, "the edited build gives other bytes");
        }
        Ok(())
    }

    /// Builds; returns seconds and output.
    fn build(&self, module: &Path, cache: Option<&Path>) -> Result<(f64, Vec<u8>)> {
        let out = self.path("out.cubin");
        let mut command = Command::new(&self.raddle);
        command.args(["compile", "--arch", "sm_90", "-O3", "-j2", "--no-jobserver", "-o"]).arg(&out).arg(module);
        match cache {
            Some(cache) => command.arg("--cache").arg(cache),
            // Records of costs shorten a build, too.
            None => command.args(["--history", "off"]),
        };
        let begun = Instant::now();
        let status = command.status().with_context(|| format!("{command:?}"))?;
        let seconds = begun.elapsed().as_secs_f64();
        ensure!(status.success(), "{command:?}: {status}");
        Ok((seconds, fs::read(out)?))
    }
}

/// The text with an edit of the kernel with this number, another one for each repeat.
fn edited(text: &str, number: usize, repeat: usize) -> Result<String> {
    let (at, _) = text.match_indices(".entry ").nth(number).context("too few kernels")?;
    let (head, tail) = text.split_at(at);
    ensure!(tail.contains("ret;"), "kernel {number} does not end");
    let fences = "membar.gl;\n\t".repeat(repeat + 1);
    Ok(format!("{head}{}", tail.replacen("ret;", &format!("{fences}ret;"), 1)))
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_in_one_kernel() {
        let text = ".entry a() { ret; }\n.entry b() { ret; }\n";
        assert_eq!(edited(text, 1, 0).unwrap(), ".entry a() { ret; }\n.entry b() { membar.gl;\n\tret; }\n");
        assert_ne!(edited(text, 1, 0).unwrap(), edited(text, 1, 1).unwrap());
        assert!(edited(text, 2, 0).is_err());
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
    }
}
