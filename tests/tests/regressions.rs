//! Modules that were once compiled wrongly, or refused, run as in the interpreter at every level.

use raddle_filetest::oracle;
use raddle_tests::ptxas::Assembler;
use raddle_tests::regression;

#[test]
fn regressions_stay_mended() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let all = regression::all().unwrap();
    assert!(all.len() >= 30, "only {}", all.len());
    let judged = all.iter().filter(|r| r.name.contains(&only)).map(|r| (&r.name, r.judge()));
    let failing: Vec<String> = judged.filter_map(|(name, r)| r.err().map(|why| format!("{name}: {why:#}"))).collect();
    assert!(failing.is_empty(), "{}", failing.join("\n"));
}

#[test]
fn code_of_ptxas_computes_what_ours_does() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let only = std::env::var("ONLY").unwrap_or_default();
    let all: Vec<_> = regression::all().unwrap().into_iter().filter(|r| r.is_for_ptxas()).collect();
    assert!(all.len() >= 3, "only {}", all.len());
    let ptxas = Assembler::new(&ptxas).unwrap();
    let judged = all.iter().filter(|r| r.name.contains(&only)).map(|r| (&r.name, r.judge_ptxas(&ptxas)));
    let failing: Vec<String> = judged.filter_map(|(name, r)| r.err().map(|why| format!("{name}: {why:#}"))).collect();
    assert!(failing.is_empty(), "{}", failing.join("\n"));
}
