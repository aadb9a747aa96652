//! LLVM IR in seeded disorder gives the same bytes (`cargo campaign ir-chaos` tries many seeds).

use raddle_filetest::{llvm, oracle};
use raddle_tests::ir_chaos::compare;
use raddle_tests::random_c::generate::generate;
use raddle_tests::random_c::linked::Tools;

#[test]
fn disorder_does_not_change_the_bytes_of_a_program_of_ir() {
    let Some(clang) = oracle::require("clang-19") else { return };
    let Some(libdevice) = oracle::require_libdevice() else { return };
    let libraries: Vec<_> = llvm::VERSIONS.iter().filter_map(|&major| llvm::require(major)).collect();
    if libraries.is_empty() {
        return;
    }
    let worker = env!("CARGO_BIN_EXE_llvm_worker").into();
    let tools = Tools { clang, llvm: libraries, libdevice, worker };
    let programs: Vec<_> = (8000..8002).map(generate).collect();
    let compared = compare(&tools, &programs, 2).unwrap();
    assert_eq!(compared.compilations, 3 * 2 * tools.llvm.len());
    assert!(compared.differences.is_empty(), "{:#?}", compared.differences);
}
