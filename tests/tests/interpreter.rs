//! The PTX interpreter on the corpus: kernels by two compilers against references on the CPU,
//! snippets.

use raddle_sim::interp;
use raddle_tests::exceptions::{Case, settle};
use raddle_tests::snippet::reference::Reference;
use raddle_tests::snippet::{self, Own, Snippet};
use raddle_tests::{kernel, run};

#[test]
fn kernels_equal_their_references() {
    let mut results = Vec::new();
    for kernel in kernel::all().unwrap() {
        for producer in &kernel.producers {
            let ptx = kernel.ptx(producer).unwrap();
            let all_launches = || -> anyhow::Result<()> {
                for launch in &kernel.launches {
                    let mut setup = run::setup(&kernel.entry, launch);
                    interp::run(&ptx, &setup.launch, &mut setup.memory)?;
                    setup.results(launch)?.compare(&kernel.reference(launch)?)?;
                }
                Ok(())
            };
            results.push((Case::new(&kernel.name, producer, ""), all_launches()));
        }
    }
    let outcome = settle("interpreter", &results).unwrap();
    assert!(outcome.passed >= 84, "only {} kernels", outcome.passed);
}

fn run_snippet(snippet: &Snippet, owns: &[Own]) -> anyhow::Result<()> {
    let own = owns.iter().find(|own| own.name == snippet.name());
    let text = snippet.per_thread(&snippet.entry.target).unwrap_or_else(|| snippet.text.clone());
    Reference::of(snippet, own, &text).map(drop)
}

#[test]
fn snippets_run() {
    let owns = Own::all().unwrap();
    let judge = |s: &Snippet| (Case::new(s.name(), "", ""), run_snippet(s, &owns));
    let results: Vec<_> = snippet::all().unwrap().iter().map(judge).collect();
    let outcome = settle("interpreter snippets", &results).unwrap();
    assert!(outcome.passed >= 310, "only {} snippets", outcome.passed);
}

/// What stands around an instruction shows what it does: without it the run fails, or leaves
/// something else.
#[test]
fn setups_show_the_effect() {
    let owns = Own::all().unwrap();
    let mut blind = Vec::new();
    for snippet in snippet::all().unwrap().iter().filter(|snippet| snippet.is_set_up()) {
        let own = owns.iter().find(|own| own.name == snippet.name());
        let run = |s: &Snippet| Reference::of(s, own, &s.per_thread(&s.entry.target).unwrap());
        let want = run(snippet).unwrap();
        if run(&snippet.without_tested()).is_ok_and(|found| found == want) {
            blind.push(snippet.name().to_owned());
        }
    }
    // A prefetch has no effect.
    blind.retain(|name| !name.contains("prefetch"));
    assert!(blind.is_empty(), "{blind:?}");
}
