//! Random well-typed PTX: generator, checks, minimiser.
//!
//! Problem: hand-written kernels exercise few of the combinations of instructions, types and
//! control flow. Strategy: the rows of the PTX table are the grammar. [`forms`] makes every
//! spelling of every row, tests which of them compiler and interpreter support, and counts the
//! others; [`generate`] generates a [`tree`] of statements over them from a seed; [`judge`]
//! compiles it and compares the code in the simulator with the interpreter, bit by bit;
//! [`minimise`] reduces a failing tree to one that still fails in the same way.
//!
//! Invariants: a kernel depends only on its seed and the list of forms; every register is
//! initialised, every address is inside its buffer, and lane-crossing instructions are executed by
//! all lanes of the warp: a kernel has one meaning. All registers that its statements use, and in
//! some kernels all registers, are live at the end, where they are stored.

mod accesses;
pub mod forms;
pub mod frame;
pub mod generate;
pub mod judge;
pub mod minimise;
pub mod patterns;
pub mod registers;
pub mod tally;
pub mod tree;
