//! Whole-project tests and the corpus they share.
//!
//! `corpus/kernels/<name>/` holds one kernel: `k.cu` (CUDA source of our own), `nvcc.ptx` and
//! `clang.ptx` (the output of the two compilers, `cargo campaign corpus`), `args.toml` (launches) and
//! `ref.rs` (the same computation on the CPU). [`kernel`] reads them; the tests in `tests/` run
//! them through interpreter, simulator and our own compiler.
#![forbid(unsafe_code)]

pub mod buffers;
pub mod compile;
pub mod dwarf;
pub mod exceptions;
pub mod exhaustive;
pub mod folds;
pub mod foreign;
pub mod ir_chaos;
pub mod ir_mutants;
pub mod judge;
pub mod kernel;
pub mod level;
pub mod lineinfo;
pub mod link;
pub mod litmus;
pub mod llvm_worker;
pub mod matrix_forms;
pub mod memory_flow;
pub mod memory_order;
pub mod native;
pub mod parallel;
pub mod producers;
pub mod ptxas;
pub mod random;
pub mod random_c;
pub mod read;
pub mod record;
pub mod refs;
pub mod register_places;
pub mod regression;
pub mod rng;
pub mod run;
pub mod scalar;
pub mod simulate;
pub mod simulator;
pub mod smoke;
pub mod snippet;
pub mod stored;
pub mod suites;
pub mod tensor;
pub mod texture_forms;
pub mod texture_probes;
pub mod texture_runs;
pub mod unwind;
pub mod wgmma_forms;
