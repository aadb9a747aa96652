//! Runs cubins made by ptxas in the simulator, for the tests and the figures.
//!
//! A kernel runs each of its launches and is compared with its reference; a snippet runs many rows
//! of values in the simulator and, as PTX, in the interpreter. Every hazard, race, stray access or
//! undefined output is an error.

use crate::simulator;
use anyhow::{Context, Result};
use raddle_sim::machine::{self, Completion};

use crate::exceptions::Case;
use crate::ptxas::Assembler;
use crate::snippet::reference::Reference;
use crate::snippet::{self, Own};
use crate::{kernel, parallel, run};

/// Architectures, by the names for ptxas.
pub const ARCHES: &[&str] = &["sm_80", "sm_86", "sm_89", "sm_90"];

/// A case with its result.
pub type Judged = (Case, Result<()>);

/// Replaces the target of a module.
pub fn retarget(ptx: &str, arch: &str) -> String {
    let one = |l: &str| if l.trim_start().starts_with(".target ") { format!(".target {arch}") } else { l.to_owned() };
    ptx.lines().map(one).collect::<Vec<_>>().join("\n")
}

/// Every corpus kernel by both compilers for every architecture, with early and with late
/// completion; `wanted` selects by name.
///
/// # Errors
/// Unreadable corpus files. The failure of a case is in its result.
pub fn kernels(assembler: &Assembler<'_>, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Judged>> {
    let mut all = kernel::all()?;
    all.retain(|kernel| wanted(&kernel.name));
    let judged = parallel::map(&all, |kernel| -> Result<Vec<Judged>> {
        let mut results = Vec::new();
        for producer in &kernel.producers {
            let ptx = kernel.ptx(producer)?;
            for arch in ARCHES {
                let all_launches = || -> Result<()> {
                    let cubin = assembler.assemble(&retarget(&ptx, arch), arch)?;
                    for launch in &kernel.launches {
                        let reference = kernel.reference(launch)?;
                        for completion in [Completion::Early, Completion::Late] {
                            let mut setup = run::setup(&kernel.entry, launch);
                            setup.launch.seed = 1;
                            let how = machine::Setup { completion, ..machine::Setup::default() };
                            simulator::run_with(&cubin, &setup.launch, &mut setup.memory, how)?;
                            setup.results(launch)?.compare(&reference)?;
                        }
                    }
                    Ok(())
                };
                results.push((Case::new(&kernel.name, producer, arch), all_launches()));
            }
        }
        Ok(results)
    });
    Ok(judged.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Every snippet whose code must run, for every architecture that has it, or with `in_turn` for one of them.
///
/// # Errors
/// Unreadable corpus files. The failure of a case is in its result.
pub fn snippets(assembler: &Assembler<'_>, wanted: &dyn Fn(&str) -> bool, in_turn: bool) -> Result<Vec<Judged>> {
    let owns = Own::all()?;
    let mut all = snippet::all()?;
    all.retain(|snippet| wanted(snippet.name()));
    let numbered: Vec<(usize, _)> = all.iter().enumerate().collect();
    let judged = parallel::map(&numbered, |&(number, snippet)| {
        let own = owns.iter().find(|own| own.name == snippet.name());
        let judge = |arch| {
            let judged = || -> Result<()> {
                let text = snippet.per_thread(arch).context("no common loads")?;
                let cubin = assembler.assemble(&text, arch)?;
                Reference::of(snippet, own, &text)?.judge(snippet, own, &cubin)
            };
            (Case::new(snippet.name(), "ptxas", arch), judged())
        };
        let arches = snippet.arches_in_turn(number).filter(|&(_, its_turn)| its_turn || !in_turn);
        arches.map(|(arch, _)| judge(arch)).collect::<Vec<Judged>>()
    });
    Ok(judged.into_iter().flatten().collect())
}
