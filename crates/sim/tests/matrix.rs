//! Matrix instructions in the interpreter: every form of sm_80 to sm_90a against plain products of
//! small integers, which are exact in every type; layouts element by element.
#![forbid(unsafe_code)]

#[path = "matrix/bench.rs"]
mod bench;
#[path = "matrix/forms.rs"]
mod forms;
#[path = "matrix/sparse.rs"]
mod sparse;
#[path = "matrix/transfers.rs"]
mod transfers;
#[path = "matrix/wmma.rs"]
mod wmma;
