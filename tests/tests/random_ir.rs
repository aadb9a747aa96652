//! Random C programs of several translation units, through clang's bitcode, our link of LLVM IR and
//! our code, against gcc (`cargo campaign random-ir` runs many).

use raddle_filetest::{llvm, oracle};
use raddle_sim::failure::FailureKind;
use raddle_sim::machine::Setup;
use raddle_tests::folds::stored;
use raddle_tests::parallel;
use raddle_tests::ptxas::Assembler;
use raddle_tests::random_c::linked::{Tools, expected, variants};
use raddle_tests::random_c::links::linked;
use raddle_tests::random_c::witness::{Counts, Kind, Witness};
use raddle_tests::suites::program::Runs;

#[test]
fn linked_programs_compute_what_the_host_computes() {
    let Some(clang) = oracle::require("clang-19") else { return };
    let libraries: Vec<_> = llvm::VERSIONS.iter().filter_map(|&major| llvm::require(major)).collect();
    let Some(libdevice) = oracle::require_libdevice() else { return };
    if libraries.is_empty() {
        return;
    }
    let worker = env!("CARGO_BIN_EXE_llvm_worker").into();
    let tools = Tools { clang, llvm: libraries, libdevice, worker };
    let judged = parallel::map(&[0, 1], |&turn| {
        let programs = [linked(7000 + 2 * turn)];
        tools.judge(&programs, &expected(&programs).unwrap(), &variants(turn as usize)).unwrap()
    });
    for (right, wrong) in judged {
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert_eq!(right, 20);
    }
}

/// clang, ptxas and nvlink on units of these programs agree with the host, too.
#[test]
fn another_tool_chain_agrees_with_the_host() {
    let tools = ["clang-19", "ptxas", "nvlink"].map(oracle::require);
    let ([Some(clang), Some(ptxas), Some(nvlink)], Some(libdevice)) = (tools, oracle::require_libdevice()) else {
        return;
    };
    let witness = Witness { clang, ptxas, nvlink, libdevice };
    let mut counts = Counts::default();
    for (seed, arch) in [(7000, "sm_80"), (7001, "sm_90")] {
        let programs = [linked(seed)];
        let verdicts = witness.judge(&programs, &expected(&programs).unwrap(), 3, arch).unwrap();
        verdicts.iter().for_each(|verdict| counts.add(verdict));
    }
    assert!(counts.of(Kind::Agrees) > 0, "{:?}", counts.examples());
    assert!(!counts.kinds().any(Kind::is_unexplained), "{:?}", counts.examples());
    // The host's result of another program is noticed.
    let programs = [linked(7000)];
    let other = expected(&[linked(7001)]).unwrap();
    let verdicts = witness.judge(&programs, &other, 3, "sm_90").unwrap();
    assert_eq!(verdicts[0].kind, Kind::DiffersInPtx, "{verdicts:?}");
}

/// What ptxas makes of calls by address is right if the lanes of a call come back together, and not
/// else; what it makes of a tree of comparisons, if lanes leave the regions that they are out of.
#[test]
fn two_faults_of_another_compiler_are_told_from_others() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let ptxas = Assembler::new(&ptxas).unwrap();
    let none = Setup::default;
    let calls = || Setup { calls_converge: true, ..Setup::default() };
    let regions = || Setup { regions_are_left: true, ..Setup::default() };
    // Whether the results are right, `None` for a deadlock: without an assumption, and with each.
    let expected =
        [("call-apart", [Some(false), Some(true), Some(false)]), ("switch-deadlock", [None, None, Some(true)])];
    for (name, expected) in expected {
        let kept = stored::all().unwrap().into_iter().find(|kept| kept.name == name).unwrap();
        let Runs::Specified(runs) = &kept.program.runs else { panic!("no launches") };
        let text = &kept.program.text;
        let cubin = ptxas.assemble(text, "sm_80").unwrap();
        let want = runs[0].interpret(text).unwrap();
        let run = |setup| match runs[0].simulate_with(&cubin, setup) {
            Ok(left) => Some(left.bytes(1) == want.bytes(1)),
            Err(failure) => {
                assert!(matches!(*failure.kind, FailureKind::Deadlock(_)), "{name}: {failure}");
                None
            }
        };
        assert_eq!([run(none()), run(calls()), run(regions())], expected, "{name}");
    }
}
