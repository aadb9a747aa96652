//! What of the suites needs no checkout: random C programs against the host, and the small programs on which ptxas differs.
#![forbid(unsafe_code)]

use raddle_filetest::oracle;
use raddle_tests::folds::kept;
use raddle_tests::random_c::generate::generate;
use raddle_tests::random_c::make::Compilers;
use raddle_tests::random_c::stored;
use raddle_tests::suites::hold::{Seen, Tools, Verdict, hold};
use raddle_tests::suites::program::Program;

/// Programs that are stored; fewer would mean that the test has become blind.
const STORED: usize = 10;
/// Seed and number of the programs that are made on the spot.
const MADE: std::ops::Range<u64> = 500_000..500_004;

/// Interpreter, demand and our code at all levels on all architectures agree; so many verdicts there must be.
fn agree(program: &Program, verdicts: usize) {
    let seen = hold(program, Tools::NONE, None);
    let wrong: Vec<&Seen> = seen.iter().filter(|s| s.verdict != Verdict::Same).collect();
    assert!(wrong.is_empty(), "{}: {} of {} verdicts: {:?}", program.name, wrong.len(), seen.len(), wrong[0]);
    assert_eq!(seen.len(), verdicts, "{}", program.name);
}

#[test]
fn stored_c_programs_do_what_the_host_computed() {
    let programs = stored::all().unwrap();
    assert!(programs.len() >= STORED, "{} programs", programs.len());
    // The interpreter, the demand, four levels on four architectures.
    programs.iter().for_each(|program| agree(program, 2 + 16));
}

#[test]
fn new_c_programs_do_what_the_host_computes() {
    let Some(nvcc) = oracle::require("nvcc") else { return };
    let compilers = Compilers::with(nvcc).expect("gcc beside nvcc");
    let programs: Vec<_> = MADE.map(generate).collect();
    let count = programs.len();
    agree(&compilers.make(&programs).unwrap(), count * (2 + 16));
}

#[test]
fn our_code_is_right_where_that_of_ptxas_is_not() {
    let kept = kept::all().unwrap();
    assert!(!kept.is_empty());
    // Three launches each.
    kept.iter().for_each(|one| agree(&one.program, 3 * (1 + 16)));
}
