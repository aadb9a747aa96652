//! Options for caching, remote execution, failures and reports.

use super::{Caching, Remote};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Options for caching, failures and reports.
#[derive(Debug, Args)]
pub struct Record {
    /// Continue with the other kernels after one has failed, and list all failures.
    #[arg(short = 'k', long)]
    pub keep_going: bool,
    /// Write each kernel that cannot be compiled (unsupported, over a limit, or an internal error
    /// of Raddle) as a separate module to this folder, and print the command that repeats the
    /// failure.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub reproduce: Option<PathBuf>,
    /// Options for a cache of compiled kernels.
    #[command(flatten)]
    pub caching: Caching,
    /// Options for remote execution.
    #[command(flatten)]
    pub remote: Remote,
    /// File that records the time and memory of each kernel, used to order kernels and to plan
    /// memory in the next build; `off` disables it. By default a file in the folder of --cache, or
    /// in the user's cache folder.
    #[arg(long, value_name = "FILE|off", value_hint = ValueHint::FilePath)]
    pub history: Option<PathBuf>,
    /// After the build, print its duration, a lower bound for any schedule, what delayed it, and
    /// the reason for the number of workers.
    #[arg(long)]
    pub explain: bool,
    /// Write an HTML page about the build: kernels per worker, job tokens and memory over time, and
    /// a table of kernels.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Write a timeline in the Trace Event Format (for Perfetto or chrome://tracing): kernels and
    /// their steps, job tokens, memory.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub timings: Option<PathBuf>,
}

impl Record {
    /// Whether something is told of how the build went.
    pub fn tells(&self) -> bool {
        self.explain || self.report.is_some() || self.timings.is_some()
    }
}
