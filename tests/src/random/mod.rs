//! Random well-typed PTX: generator, judges, minimiser.
//!
//! Problem: kernels that people wrote exercise few of the ways in which instructions, types and control flow meet. Strategy: the
//! rows of the PTX table are the grammar. [`forms`] makes every spelling of every row, asks compiler and interpreter which of
//! them they can do, and leaves out the others, counted; [`generate`] draws a [`tree`] of statements over them from a seed;
//! [`judge`] compiles it and holds the code in the simulator against the interpreter, bit for bit; [`minimise`] cuts
//! a tree that fails down to what still fails in the same way.
//!
//! Invariants: a kernel depends on its seed and the list of forms only; every register is initialised, every address is inside its
//! buffer, lane-crossing instructions stand where all lanes of the warp come by: a kernel has one meaning. All registers that its
//! statements name, in some kernels all there are, are live at the end, where they are stored.

pub mod forms;
pub mod frame;
pub mod generate;
pub mod judge;
pub mod minimise;
pub mod patterns;
pub mod registers;
pub mod tally;
pub mod tree;
