//! Snippets through our compiler: the requirements of issue 3 on them, and a check that they are
//! met.
//!
//! Every snippet whose code must run ([`Snippet::must_run`]) is compiled at the given levels for every
//! architecture that has it, checked by the static hazard checker, run in the simulator on many rows
//! of values, and compared with the interpreter's bits.
//!
//! [`Snippet::must_run`]: crate::snippet::Snippet::must_run

use anyhow::{Context, Result};

use crate::compile::cubin_at;
use crate::exceptions::Case;
use crate::judge::static_hazards;
use crate::level::Level;
use crate::parallel;
use crate::simulate::Judged;
use crate::snippet::reference::Reference;
use crate::snippet::{self, Own};

/// Tests every required snippet, on every architecture, at the levels for those whose turn it is and those whose it
/// is not ([`snippet::Snippet::arches_in_turn`]); `wanted` selects by name.
///
/// # Errors
/// Unreadable corpus files. The failure of a case is in its result.
pub fn snippets(wanted: &dyn Fn(&str) -> bool, levels: &(dyn Fn(bool) -> Vec<Level> + Sync)) -> Result<Vec<Judged>> {
    let owns = Own::all()?;
    let mut all = snippet::all()?;
    all.retain(|snippet| wanted(snippet.name()));
    let numbered: Vec<(usize, _)> = all.iter().enumerate().collect();
    let judged = parallel::map(&numbered, |&(number, snippet)| {
        let mut results = Vec::new();
        let own = owns.iter().find(|own| own.name == snippet.name());
        for (arch, its_turn) in snippet.arches_in_turn(number) {
            let case = |level: &str| Case::new(snippet.name(), "raddle", &format!("{arch}{level}"));
            let text = snippet.per_thread(arch).context("the snippet does not load its buffers the common way");
            let known = text.and_then(|text| Ok((Reference::of(snippet, own, &text)?, text)));
            let (reference, text) = match known {
                Ok(known) => known,
                Err(error) => {
                    results.push((case(""), Err(error)));
                    continue;
                }
            };
            for level in levels(its_turn) {
                let judged = || -> Result<()> {
                    let file = cubin_at(&text, arch, level)?;
                    static_hazards(&file, arch)?;
                    reference.judge(snippet, own, &file)
                };
                results.push((case(&format!("-{level}")), judged()));
            }
        }
        results
    });
    Ok(judged.into_iter().flatten().collect())
}
