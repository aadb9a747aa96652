//! Mbarrier objects, asynchronous copies and clusters in the PTX interpreter: what they compute,
//! under several seeds, and every finding.
#![forbid(unsafe_code)]

#[path = "asynchrony/bulk.rs"]
mod bulk;
#[path = "asynchrony/cluster.rs"]
mod cluster;
#[path = "asynchrony/code.rs"]
mod code;
#[path = "asynchrony/common.rs"]
mod common;
#[path = "asynchrony/mbarrier.rs"]
mod mbarrier;
#[path = "asynchrony/programs.rs"]
mod programs;
#[path = "asynchrony/tensor.rs"]
mod tensor;
#[path = "asynchrony/warps.rs"]
mod warps;
