//! The SASS simulator on cubins made by ptxas: code that nobody here generated runs with the reference's results and
//! without a hazard. That judges simulator, interpreter and tables at once.
#![forbid(unsafe_code)]

use raddle_filetest::oracle;
use raddle_tests::exceptions::settle;
use raddle_tests::ptxas::Assembler;
use raddle_tests::{simulate, stored};

/// Only cases whose name has this text run; for work on one of them.
fn wanted(name: &str) -> bool {
    std::env::var("ONLY").map_or(true, |only| name.contains(&only))
}

#[test]
fn ptxas_kernels_equal_their_references_without_hazards() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    settle("simulator", &simulate::kernels(&assembler, &wanted).unwrap()).unwrap();
}

#[test]
fn ptxas_snippets_equal_the_interpreter_without_hazards() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    settle("simulator snippets", &simulate::snippets(&assembler, &wanted).unwrap()).unwrap();
}

#[test]
fn stored_cubins_equal_their_references_without_hazards() {
    let results = stored::judge().unwrap();
    assert!(results.len() >= 20, "only {}", results.len());
    settle("stored cubins", &results).unwrap();
}
