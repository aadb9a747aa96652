//! Random kernels: our code in the simulator gives the bits of the interpreter, at -O0, -O3 and one
//! of the other levels in turn.

use raddle_tests::judge::ARCHS;
use raddle_tests::level::Level;
use raddle_tests::random::forms::Forms;
use raddle_tests::random::generate::{Size, generate};
use raddle_tests::random::judge::judge;
use raddle_tests::random::tally::Tally;

/// Kernels of each architecture.
const KERNELS: usize = 200;
/// The number of failures after which the rest is not tried.
const ENOUGH: usize = 5;
/// The most statements of a kernel here; the campaign generates longer ones.
const SIZE: Size = Size { few: 24, many: 24 };

/// Seeds of one architecture.
fn kernels(number: usize) {
    let arch = ARCHS[number];
    let forms = Forms::of(arch);
    let mut tally = Tally::default();
    let mut failing = Vec::new();
    // The seeds of `cargo campaign random-ptx --seed 1000 --count 1200 --statements 24`.
    for (n, seed) in (1000 + number as u64..).step_by(ARCHS.len()).take(KERNELS).enumerate() {
        let program = generate(&forms, seed, SIZE);
        tally.add(&program, &forms);
        if let Err(why) = judge(&program, arch, &Level::some(n, number)) {
            failing.push(format!("seed {seed}: {why}"));
        }
        if failing.len() == ENOUGH {
            break;
        }
    }
    assert!(failing.is_empty(), "{} of {} kernels fail:\n{}", failing.len(), tally.kernels, failing.join("\n"));
    let (pairs, seen) = (forms.keys().len(), tally.keys.len());
    eprintln!("{arch}: {} kernels, {seen} of {pairs} pairs of operation and type, {:?}", tally.kernels, tally.shapes);
    // 300 kernels do not cover everything; a check that they cover most keeps this test meaningful.
    assert!(seen * 10 >= pairs * 9 && pairs >= 400, "{seen} of {pairs} pairs");
    assert!(tally.shapes.len() >= 18, "{:?}", tally.shapes);
}

#[test]
fn random_kernels_sm_80() {
    kernels(0);
}

#[test]
fn random_kernels_sm_86() {
    kernels(1);
}

#[test]
fn random_kernels_sm_89() {
    kernels(2);
}

#[test]
fn random_kernels_sm_90() {
    kernels(3);
}
