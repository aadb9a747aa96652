//! Modules of real producers: kernels that compile and can be run give the same in the simulator as
//! in the interpreter. Launches are those that `cargo campaign producers` found; for every
//! [`SEARCHED`]th module they are searched again.

use raddle_tests::exceptions::settle;
use raddle_tests::kernel::corpus;
use raddle_tests::level::Level;
use raddle_tests::parallel;
use raddle_tests::producers::launches::Launches;
use raddle_tests::producers::{self, Module, Ran};

/// The number of kernels that could be run when this was written: fewer would mean that the test
/// has lost coverage.
const RUNNABLE: usize = 90;

/// Every how manieth module is searched for launches.
const SEARCHED: usize = 10;

#[test]
fn kernels_of_producers_run_as_the_interpreter_says() {
    let wanted = |name: &str| std::env::var("ONLY").map_or(true, |only| name.contains(&only));
    let mut modules = producers::modules(&corpus().join("producers")).unwrap();
    modules.retain(|module| wanted(&module.name));
    let known = Launches::read().unwrap();
    let numbered: Vec<(usize, Module)> = modules.into_iter().enumerate().collect();
    let judged = parallel::map(&numbered, |(n, module)| {
        let level = Level::ALL[module.number() % Level::ALL.len()];
        module.judge(&[level], (n % SEARCHED != 0).then_some(&known)).unwrap()
    });
    let mut results = Vec::new();
    for kernel in judged.into_iter().flatten() {
        let row = known.row(&kernel.case.name, &kernel.case.producer).unwrap();
        match kernel.ran {
            Ran::Judged { verdict, launch, .. } => {
                assert_eq!(row, Some(launch.as_str()), "{} {}", kernel.case.name, kernel.case.producer);
                results.push((kernel.case, verdict));
            }
            Ran::Not(why) => {
                assert_eq!(row, None, "{} {}", kernel.case.name, kernel.case.producer);
                println!("not run: {} {}: {why}", kernel.case.name, kernel.case.producer);
            }
        }
    }
    let outcome = settle("producers", &results).unwrap();
    assert!(!wanted("") || outcome.passed >= RUNNABLE, "only {} kernels ran", outcome.passed);
}
