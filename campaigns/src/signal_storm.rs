//! `cargo campaign signal-storm [ROUNDS [RADDLE]]`: builds struck by signals at random moments, over every transport of tokens.
//!
//! SIGINT, SIGTERM, SIGHUP and SIGKILL of the build and SIGKILL of a process it has started, over a pipe, a pipe whose read end
//! does not block (make 4.3's), a fifo, and a fifo with a space in its path. The rounds are those of the test
//! `storm` of the command line, whose short version is a part of `make test`. Records both figures of issue 4.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use xtask::figures;

const COMMAND: &str = "cargo campaign signal-storm";

/// What the test says at its end.
#[derive(Debug, Deserialize)]
struct Tally {
    rounds: u64,
    died: u64,
    children: u64,
    taken_along: u64,
    slowest_ms: f64,
    faults: u64,
}

#[derive(clap::Args)]
pub struct Options {
    /// Rounds [default: those of the test]
    #[arg(value_name = "ROUNDS")]
    rounds: Option<u32>,
    /// The raddle to strike [default: the build of the test]
    #[arg(value_name = "RADDLE")]
    raddle: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// A test that does not come to its end, and trouble with files.
pub fn run(Options { rounds, raddle }: Options) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut test = Command::new(cargo);
    test.args(["test", "--package", "raddle-cli", "--test", "storm", "--", "--ignored", "--nocapture", "a_long_storm"]);
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
    let Tally { rounds, died, children, taken_along, slowest_ms, faults } = tally;
    let note = format!(
        "{rounds} rounds over pipe, non-blocking pipe, fifo, fifo with a space in its path: {died} builds died of SIGINT, SIGTERM, \
         SIGHUP or SIGKILL, {children} processes of one kernel were killed, the others ended before; {taken_along} tokens went \
         with a build that SIGKILL ended, none otherwise"
    );
    figures::record("jobs.storm.lost", faults as f64, COMMAND, &note)?;
    let note = format!("the longest of {died} ends, on a machine that others used too");
    figures::record("jobs.storm.end", slowest_ms.round(), COMMAND, &note)
}
