//! A fixed part of the fuzzing, at every test run: regressions, seeds, and some thousand mutations of each reader.
#![forbid(unsafe_code)]

use raddle_fuzz::TARGETS;

#[test]
fn no_reader_panics_of_one_half() {
    every_second(0);
}

#[test]
fn no_reader_panics_of_the_other() {
    every_second(1);
}

fn every_second(first: usize) {
    let mut failures = Vec::new();
    for target in TARGETS.iter().skip(first).step_by(2) {
        assert!(!target.seeds().is_empty(), "{} has no seeds", target.name);
        // Whatever sizes an input claims: the largest seeds have a few hundred kilobytes.
        raddle_filetest::memory::assert_below(1 << 30, target.name);
        if let Err(found) = target.replay(0, target.mutations) {
            failures.push(format!("{}: {} panicked: {}", found.target, found.origin, found.message));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
