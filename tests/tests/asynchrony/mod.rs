//! Mbarrier objects, asynchronous copies and clusters: what they compute in the PTX interpreter, and
//! in the simulator as the code of ptxas and as ours, under several seeds, and every finding.

mod bulk;
mod cluster;
mod code;
mod common;
mod im2col;
mod mbarrier;
mod programs;
mod remote_atomics;
mod tensor;
mod warps;
