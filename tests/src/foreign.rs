//! Code of ptxas that the simulator once ran wrongly or not at all: PTX of our own with the cubins
//! of ptxas.
//!
//! A file `corpus/foreign/NAME.ptx` begins like those of `corpus/regressions`
//! ([`crate::regression`]), with one more line, `// cubins: sm_90 -O3, sm_80 -O0`: for each of
//! these, `NAME.ARCH.LEVEL.txt` is the cubin as text ([`crate::stored`]), so that the simulator is
//! tested without ptxas. `cargo campaign cubins` writes them.

use std::path::PathBuf;

use crate::simulator;
use anyhow::{Context, Result, anyhow, ensure};
use raddle_sim::interp;
use raddle_sim::machine::{Completion, Setup};

use crate::kernel::corpus;
use crate::regression::{self, Regression};
use crate::simulate::retarget;
use crate::stored;

/// The seeds of runs: one for every order in which the subsets of a diverged warp may run.
const SEEDS: [u64; 4] = [0, 1, 2, 3];

/// A stored cubin.
#[derive(Clone, Debug)]
pub struct StoredCubin {
    /// Architecture, as given to ptxas.
    pub arch: String,
    /// Level, as given to ptxas: `O3`.
    pub level: String,
    /// Its file.
    pub path: PathBuf,
}

/// Returns all modules, sorted by name.
///
/// # Errors
/// An unreadable corpus.
pub fn all() -> Result<Vec<Regression>> {
    regression::of_folder("foreign")
}

/// Returns the cubins of a module.
///
/// # Errors
/// A module without a list of cubins.
pub fn stored_cubins(module: &Regression) -> Result<Vec<StoredCubin>> {
    let line = module.lines("cubins").next().with_context(|| format!("{}: no line of cubins", module.name))?;
    let one = |word: &str| {
        let (arch, level) = word.trim().split_once(" -").context("ARCH -LEVEL")?;
        let path = corpus().join(format!("foreign/{}.{arch}.{level}.txt", module.name));
        Ok(StoredCubin { arch: arch.to_owned(), level: level.to_owned(), path })
    };
    line.split(',').map(one).collect()
}

/// The input of ptxas for a cubin.
#[must_use]
pub fn source(module: &Regression, kept: &StoredCubin) -> String {
    retarget(&module.text, &kept.arch)
}

/// Runs the cubins of a module in the simulator, in every order, and compares them with the
/// interpreter.
///
/// # Errors
/// The first difference, hazard, race or refusal.
pub fn judge(module: &Regression) -> Result<()> {
    let runs: Vec<&str> = module.lines("args").collect();
    ensure!(!runs.is_empty(), "no line of arguments");
    let cubins = stored_cubins(module)?;
    for args in runs {
        let interpret = |l: &_, m: &mut _| interp::run(&module.text, l, m).map(drop);
        let want = module.run(args, interpret).context("interpreter")?;
        ensure!(want.iter().all(|out| out.iter().any(|byte| *byte != 0)), "an output is empty");
        for kept in &cubins {
            let cubin =
                stored::from_text(&std::fs::read_to_string(&kept.path).context("`cargo campaign cubins` writes it")?)?;
            for seed in SEEDS {
                let at = || format!("{} -{}, seed {seed}", kept.arch, kept.level);
                let completion = if seed % 2 == 0 { Completion::Early } else { Completion::Late };
                let simulate = |launch: &raddle_sim::launch::Launch, memory: &mut _| {
                    let launch = raddle_sim::launch::Launch { seed, ..launch.clone() };
                    simulator::run_with(&cubin, &launch, memory, Setup { completion, ..Setup::default() }).map(drop)
                };
                let got = module.run(args, simulate).with_context(at)?;
                for (n, (got, want)) in got.iter().zip(&want).enumerate() {
                    let differs = got.iter().zip(want).position(|(g, w)| g != w);
                    if let Some(byte) = differs {
                        return Err(anyhow!("{}: byte {byte} of output {n} with \"{args}\"", at()));
                    }
                }
            }
        }
    }
    Ok(())
}
