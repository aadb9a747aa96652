//! `cargo campaign simulate-schedule [TRACE]...`: how good is the order in which units are started?
//!
//! Replays the times of units for 1 to 256 workers in the pool's order (costliest first by the cost model, tiny ones in
//! batches) and compares the makespan with a lower bound for any schedule. Corpora: every kernel of `tests/corpus` as one module
//! and the module of eight, compiled here one after another; log-normal times, skewed ones and mild ones, with a cost that is
//! wrong by up to a factor of two either way; and the traces given (`compile --timings`).
//!
//! A corpus is *skewed* if its longest unit takes more than ten times the mean.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use raddle_driver::compile::compile;
use raddle_driver::host::bounds::{longest_first, lower};
use raddle_driver::input::{Content, Input};
use raddle_driver::options::RunOptions;
use raddle_driver::program::BATCH;
use raddle_driver::request::Request;
use raddle_tests::rng::Rng;

use crate::files;
use xtask::figures::{self, root};

/// Workers tried.
const WORKERS: usize = 256;

/// Times of units, with the costs that the model gives them.
struct Corpus {
    name: String,
    costs: Vec<u64>,
    times: Vec<Duration>,
}

impl Corpus {
    fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), costs: Vec::new(), times: Vec::new() }
    }

    fn add(&mut self, cost: u64, time: Duration) {
        self.costs.push(cost);
        self.times.push(time);
    }

    fn is_skewed(&self) -> bool {
        let sum: Duration = self.times.iter().sum();
        let longest = self.times.iter().max().copied().unwrap_or_default();
        longest.as_secs_f64() * self.times.len() as f64 > 10.0 * sum.as_secs_f64()
    }

    /// The worst ratio of makespan and bound, and for how many workers.
    fn worst(&self) -> (f64, usize) {
        let ratio = |workers: usize| {
            let bound = lower(&self.times, workers).time.as_secs_f64();
            longest_first(&self.costs, &self.times, BATCH, workers).as_secs_f64() / bound.max(f64::MIN_POSITIVE)
        };
        (1..=WORKERS).map(|workers| (ratio(workers), workers)).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((1.0, 1))
    }
}

#[derive(clap::Args)]
pub struct Options {
    /// Timings of `raddle compile --timings`, beside those measured here
    #[arg(value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// Unreadable files, and corpora without units.
pub fn run(Options { traces }: Options) -> Result<()> {
    let corpus = root().join("tests/corpus");
    let mut corpora = vec![
        measured("every kernel of the corpus", &modules(&corpus)?)?,
        measured("the module of eight", &[corpus.join("modules/eight/nvcc.ptx")])?,
    ];
    for (seed, (name, sigma)) in [("skewed", 2.5), ("mild", 0.5), ("even", 0.05)].into_iter().enumerate() {
        corpora.push(log_normal(name, sigma, seed as u64));
    }
    for path in &traces {
        corpora.push(traced(Path::new(path))?);
    }
    let mut worst = [0.0_f64; 2];
    for corpus in &corpora {
        ensure!(!corpus.times.is_empty(), "{} has no units", corpus.name);
        let (ratio, workers) = corpus.worst();
        let kind = if corpus.is_skewed() { "skewed" } else { "not skewed" };
        println!("{}: {} units, {kind}: {ratio:.3} with {workers} workers", corpus.name, corpus.times.len());
        let slot = &mut worst[usize::from(corpus.is_skewed())];
        *slot = slot.max(ratio);
    }
    let note = format!("{} corpora, cost model off by up to 2 in the made-up ones", corpora.len());
    figures::record("schedule.skewed", worst[1], "cargo campaign simulate-schedule", &note)?;
    figures::record("schedule.other", worst[0], "cargo campaign simulate-schedule", &note)
}

/// All PTX modules of the corpus.
pub(crate) fn modules(corpus: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    ["kernels", "producers"].iter().try_for_each(|name| files::ptx(&corpus.join(name), &mut found))?;
    Ok(found)
}

/// The kernels of these modules as one corpus, with their CPU times: other processes do not count.
fn measured(name: &str, paths: &[PathBuf]) -> Result<Corpus> {
    let mut corpus = Corpus::new(name);
    for path in paths {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        // Once for the tables that all kernels share.
        for round in 0..2 {
            let request = Request {
                inputs: vec![Input { name: path.display().to_string(), content: Content::Text(text.clone()) }],
                run: RunOptions { jobs: 1, keep_going: true, ..RunOptions::default() },
                ..Request::default()
            };
            let report = compile(request, &mut ());
            if round == 1 {
                report.kernels.iter().filter(|k| k.compiled).for_each(|k| corpus.add(k.cost, k.cpu));
            }
        }
    }
    Ok(corpus)
}

/// 1,000 units with log-normal times around 10 ms, and costs wrong by up to 2.
fn log_normal(name: &str, sigma: f64, seed: u64) -> Corpus {
    let mut rng = Rng::new(seed, 0);
    let mut corpus = Corpus::new(format!("log-normal, {name}"));
    for _ in 0..1000 {
        // Box and Muller's pair, of which one is used.
        let normal = (-2.0 * rng.unit().max(1e-300).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos();
        let seconds = 0.01 * (sigma * normal).exp();
        let wrong = 4.0_f64.powf(rng.unit() - 0.5);
        corpus.add((seconds * wrong * 1e6) as u64 + BATCH, Duration::from_secs_f64(seconds));
    }
    corpus
}

/// The kernels of a trace.
fn traced(path: &Path) -> Result<Corpus> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let trace: serde_json::Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let mut corpus = Corpus::new(path.display().to_string());
    for event in trace["traceEvents"].as_array().into_iter().flatten().filter(|event| event["cat"] == "kernel") {
        if let (Some(cost), Some(micros)) = (event["args"]["cost"].as_u64(), event["dur"].as_u64()) {
            corpus.add(cost, Duration::from_micros(micros));
        }
    }
    Ok(corpus)
}
