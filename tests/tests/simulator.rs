//! The SASS simulator on cubins made by ptxas: code that is independent of our compiler gives the
//! reference's results without a hazard. That tests simulator, interpreter and tables at once.

use raddle_filetest::corpus::retargeted;
use raddle_filetest::oracle;
use raddle_tests::exceptions::settle;
use raddle_tests::judge::Expected;
use raddle_tests::ptxas::Assembler;
use raddle_tests::{foreign, kernel, simulate, stored};

/// Runs only cases whose name contains this text, for debugging.
fn wanted(name: &str) -> bool {
    std::env::var("ONLY").map_or(true, |only| name.contains(&only))
}

#[test]
fn ptxas_kernels_equal_their_references_without_hazards() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    settle("simulator", &simulate::kernels(&assembler, &wanted).unwrap()).unwrap();
}

/// Each on one architecture, which takes turns; `cargo campaign sim-figures` runs all.
#[test]
fn ptxas_snippets_equal_the_interpreter_without_hazards() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    settle("simulator snippets", &simulate::snippets(&assembler, &wanted, true).unwrap()).unwrap();
}

#[test]
fn stored_cubins_equal_their_references_without_hazards() {
    let results = stored::judge().unwrap();
    assert!(results.len() >= 20, "only {}", results.len());
    settle("stored cubins", &results).unwrap();
}

#[test]
fn code_that_was_run_wrongly_once_runs_in_every_order() {
    let modules = foreign::all().unwrap();
    assert!(modules.len() >= 10, "only {}", modules.len());
    let run = |module: &raddle_tests::regression::Regression| {
        foreign::judge(module).err().map(|e| format!("{}: {e:#}", module.name))
    };
    let wrong: Vec<String> = modules.iter().filter(|m| wanted(&m.name)).filter_map(run).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn executables_of_cuda_12_in_the_older_container_run() {
    let Some(ptxas) = oracle::require(oracle::PTXAS12) else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    for (number, kernel) in kernel::all().unwrap().iter().step_by(4).enumerate() {
        let arch = simulate::ARCHES[number % simulate::ARCHES.len()];
        let ptx = retargeted(&kernel.ptx(&kernel.producers[0]).unwrap(), arch, &ptxas).unwrap();
        let cubin = assembler.assemble(&ptx, arch).unwrap();
        assert_eq!(cubin[8], 7, "{} is in the newer container", kernel.name);
        let judged = Expected::of(kernel, &ptx).and_then(|expected| expected.run(kernel, &cubin));
        judged.unwrap_or_else(|e| panic!("{} for {arch}: {e:#}", kernel.name));
    }
}
