//! The steps of the front end with LLVM 19.

mod steps;

steps::tests!(19);
