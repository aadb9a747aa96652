//! `cargo campaign chaos [SEEDS]`: every kernel of the corpus under seeded disorder, the same bytes each time (D20).
//!
//! A seed brings random delays, another order of tasks, and a budget of memory that lets one kernel run or several. Compared with
//! one worker without disorder, for every module of `tests/corpus/kernels` and `tests/corpus/modules`.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use raddle_driver::compile::compile;
use raddle_driver::host::Chaos;
use raddle_driver::host::memory::Limit;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{RunOptions, Selection};
use raddle_driver::request::Request;
use raddle_target::Target;

use xtask::figures::{self, root};

/// Seeds when nobody says otherwise.
const SEEDS: u64 = 200;

#[derive(clap::Args)]
pub struct Options {
    /// Seeds
    #[arg(value_name = "SEEDS", default_value_t = SEEDS)]
    seeds: u64,
}

/// Runs the command.
///
/// # Errors
/// A module that cannot be read or compiled, and trouble with files.
pub fn run(Options { seeds }: Options) -> Result<()> {
    let modules = modules()?;
    let target = Target::by_name("sm_90").context("sm_90")?;
    let bytes = |text: &Arc<str>, run: RunOptions| {
        let request = Request {
            inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(text.to_string()) }],
            selection: Selection { arch: Some(target), ..Selection::default() },
            run,
            ..Request::default()
        };
        compile(request, &mut ()).cubin
    };
    let mut compared = 0_u32;
    let mut differences = 0_u32;
    let mut left_out = 0_u32;
    for (path, text) in &modules {
        let Some(plain) = bytes(text, RunOptions { jobs: 1, ..RunOptions::default() }) else {
            left_out += 1;
            continue;
        };
        for seed in 0..seeds {
            let max_memory = if seed % 2 == 0 { Limit::Off } else { Limit::Bytes((seed % 7) << 20) };
            let run = RunOptions { jobs: 4, chaos: Some(Chaos::new(seed)), max_memory, ..RunOptions::default() };
            compared += 1;
            if bytes(text, run).as_deref() != Some(&plain[..]) {
                differences += 1;
                println!("{}: other bytes with RADDLE_CHAOS={seed}", path.display());
            }
        }
    }
    ensure!(compared > 0, "no module compiles");
    println!("{compared} compilations of {} modules, {left_out} left out, {differences} differ", modules.len());
    let note = format!(
        "{compared} compilations: {seeds} seeds of every module of kernels/ and modules/ that compiles for sm_90"
    );
    figures::record("jobs.chaos", differences.into(), "cargo campaign chaos", &note)
}

/// The modules of the corpus, by path.
fn modules() -> Result<Vec<(PathBuf, Arc<str>)>> {
    let mut found = Vec::new();
    for folder in ["kernels", "modules"] {
        for entry in fs::read_dir(root().join("tests/corpus").join(folder))? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                continue;
            }
            for file in fs::read_dir(entry.path())? {
                let path = file?.path();
                if path.extension().is_some_and(|extension| extension == "ptx") {
                    let text = fs::read_to_string(&path)?.into();
                    found.push((path, text));
                }
            }
        }
    }
    found.sort();
    Ok(found)
}
