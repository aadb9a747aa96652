//! Modules of real producers: kernels that compile and can be run give the same in the simulator as
//! in the interpreter.

use raddle_tests::exceptions::settle;
use raddle_tests::kernel::corpus;
use raddle_tests::level::Level;
use raddle_tests::parallel;
use raddle_tests::producers::{self, Ran};

/// The number of kernels that could be run when this was written: fewer would mean that the test
/// has lost coverage.
const RUNNABLE: usize = 90;

#[test]
fn kernels_of_producers_run_as_the_interpreter_says() {
    let wanted = |name: &str| std::env::var("ONLY").map_or(true, |only| name.contains(&only));
    let mut modules = producers::modules(&corpus().join("producers")).unwrap();
    modules.retain(|module| wanted(&module.name));
    let judged = parallel::map(&modules, |module| {
        let level = Level::ALL[module.number() % Level::ALL.len()];
        module.judge(&[level]).unwrap()
    });
    let mut results = Vec::new();
    for kernel in judged.into_iter().flatten() {
        match kernel.ran {
            Ran::Judged { verdict, .. } => results.push((kernel.case, verdict)),
            Ran::Not(why) => println!("not run: {} {}: {why}", kernel.case.name, kernel.case.producer),
        }
    }
    let outcome = settle("producers", &results).unwrap();
    assert!(!wanted("") || outcome.passed >= RUNNABLE, "only {} kernels ran", outcome.passed);
}
