//! Damaged inputs of LLVM IR: nothing crashes or hangs, and every refusal names its input
//! (`cargo campaign mutate-ir` tries many).

use std::time::Duration;

use raddle_filetest::{llvm, oracle};
use raddle_tests::ir_mutants::{Judge, Kind, Mutant, Tally, mutate, seeds};

/// Mutants of a run.
const BATCH: u64 = 200;

#[test]
fn damaged_inputs_are_refused_by_name() {
    let Some(clang) = oracle::require("clang-19") else { return };
    let folder = tempfile::tempdir().unwrap();
    let seeds = seeds(&clang, folder.path()).unwrap();
    for (turn, &major) in (0..).zip(llvm::VERSIONS) {
        let Some(llvm) = llvm::require(major) else { continue };
        let judge = Judge { llvm, worker: env!("CARGO_BIN_EXE_llvm_worker").into(), limit: Duration::from_secs(20) };
        // The seeds themselves are valid.
        let valid = seeds.iter().enumerate().filter(|(n, _)| n % 5 == turn as usize);
        let valid = valid.map(|(n, seed)| Mutant { number: n as u64, kind: seed.kind, bytes: seed.bytes.clone() });
        let valid: Vec<Mutant> = valid.collect();
        let mut tally = Tally::default();
        assert_eq!(judge.batch(&valid, &mut tally).len(), valid.len(), "{tally:#?}");
        for kind in Kind::ALL {
            let one = valid.iter().find(|seed| seed.kind == kind).unwrap();
            judge.alone(one, &mut tally);
            judge.link(one, &mut tally).unwrap();
        }
        assert!(
            tally.compiled == (5, 5) && tally.linked == (5, 5) && tally.faults.is_empty(),
            "LLVM {major}: {tally:#?}"
        );
        let mut tally = Tally::default();
        for batch in 0..2 {
            let from = 10_000 * turn + BATCH * batch;
            let mutants: Vec<Mutant> = (from..from + BATCH).map(|number| mutate(&seeds, number)).collect();
            let taken = judge.batch(&mutants, &mut tally);
            mutants.iter().for_each(|mutant| judge.load(mutant, &mut tally).unwrap());
            for mutant in taken.into_iter().step_by(9).map(|n| &mutants[n]) {
                judge.alone(mutant, &mut tally);
                judge.link(mutant, &mut tally).unwrap();
            }
        }
        assert!(tally.faults.is_empty(), "LLVM {major}: {tally:#?}");
        assert!(tally.refused["E0092"] > 40 && tally.refused["E0005"] > 20 && tally.accepted > 40, "{tally:#?}");
    }
}

#[test]
fn mutants_are_damaged() {
    let Some(clang) = oracle::require("clang-19") else { return };
    let folder = tempfile::tempdir().unwrap();
    let seeds = seeds(&clang, folder.path()).unwrap();
    let mutants = (0..2000).map(|number| mutate(&seeds, number));
    let same: Vec<u64> = mutants.filter(|m| seeds.iter().any(|seed| seed.bytes == m.bytes)).map(|m| m.number).collect();
    assert!(same.len() < 10, "{} are not: {same:?}", same.len());
}
