//! `cargo campaign ir-storm [ROUNDS [RADDLE]]`: builds of LLVM IR under signals at random times, over every transport of tokens.
//!
//! SIGINT, SIGTERM, SIGHUP and SIGKILL of the build and SIGKILL of one of its LLVM workers, of `compile` and `link`, with both
//! libraries, in disorder, some with little memory, some restarted after a crash of the compiler. The rounds are those of the
//! test `ir_storm` of the command line, whose short version is a part of `make test`.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use xtask::figures;

const COMMAND: &str = "cargo campaign ir-storm";

/// What the test says at its end.
#[derive(Debug, Deserialize)]
struct Tally {
    rounds: u64,
    died: u64,
    workers: u64,
    lost: u64,
    restarted: u64,
    taken_along: u64,
    slowest_ms: f64,
    faults: u64,
}

#[derive(clap::Args)]
pub struct Options {
    /// Rounds [default: those of the test]
    #[arg(value_name = "ROUNDS")]
    rounds: Option<u32>,
    /// The raddle to interrupt [default: the build of the test]
    #[arg(value_name = "RADDLE")]
    raddle: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// A test that does not come to its end, faults, and trouble with files.
pub fn run(Options { rounds, raddle }: Options) -> Result<()> {
    // That of the test: the tree may go on.
    let commit = figures::commit()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut test = Command::new(cargo);
    let packages = ["--package", "raddle-cli", "--test", "ir_storm"];
    test.arg("test").args(packages).args(["--", "--ignored", "--nocapture", "a_long_storm"]);
    test.envs(rounds.map(|rounds| ("RADDLE_STORM_ROUNDS", rounds.to_string())));
    test.envs(raddle.map(|program| ("RADDLE_STORM_PROGRAM", program)));
    let mut child = test.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let output = child.stdout.take().context("no output")?;
    let mut last = None;
    for line in BufReader::new(output).lines() {
        let line = line?;
        println!("{line}");
        last = line.strip_prefix("storm ").map(str::to_owned).or(last);
    }
    ensure!(child.wait()?.success(), "the storm did not come to its end");
    let tally: Tally = serde_json::from_str(&last.context("the storm said nothing")?)?;
    let Tally { rounds, died, workers, lost, restarted, taken_along, slowest_ms, faults } = tally;
    let note = format!(
        "{died} builds died of their signal, the slowest in {slowest_ms:.0} ms, {workers} workers were killed, {lost} of them \
         at work, {restarted} builds went on after a crash, the others ended before; {taken_along} tokens went with a build \
         that SIGKILL ended"
    );
    figures::record_of("hardening.ir.storms", rounds as f64, COMMAND, &note, &commit)?;
    let note = "workers that stay, lost tokens, temporaries, partial outputs, wrong ends";
    figures::record_of("hardening.ir.storms.faults", faults as f64, COMMAND, note, &commit)?;
    ensure!(faults == 0, "{faults} faults");
    Ok(())
}
