//! The worker process of tests that compile LLVM IR.
#![forbid(unsafe_code)]

fn main() -> anyhow::Result<()> {
    raddle_tests::llvm_worker::serve(std::env::args().skip(1))
}
