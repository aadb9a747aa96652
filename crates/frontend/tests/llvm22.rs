//! The steps of the front end with LLVM 22.

mod steps;

steps::tests!(22);
