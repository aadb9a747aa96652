//! Random C programs of several translation units, through clang's bitcode, our link of LLVM IR and
//! our code, against gcc (`cargo campaign random-ir` runs many).

use raddle_filetest::{llvm, oracle};
use raddle_tests::parallel;
use raddle_tests::random_c::linked::{Tools, variants};
use raddle_tests::random_c::links::linked;

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
        let programs: Vec<_> = (0..2).map(|n| linked(7000 + 2 * turn + n)).collect();
        tools.judge(&programs, &variants(turn as usize)).unwrap()
    });
    for (right, wrong) in judged {
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert_eq!(right, 2 * 20);
    }
}
