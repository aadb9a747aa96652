//! The tests of this crate in one program: it is linked once, and its tests share the threads. Those
//! that let every process inherit their descriptors are programs of their own.
#![forbid(unsafe_code)]

mod addresses;
mod as_cuobjdump;
mod as_fatbinary;
mod as_nvlink;
mod as_ptxas;
mod as_ptxas_builds;
mod as_ptxas_table;
mod bad_input;
mod cache;
mod cache_operators;
mod callers;
mod callers_nvcc;
mod common;
mod compile;
mod conventions;
mod crashes;
mod cubins;
mod functions;
mod install;
mod ir;
mod ir_builds;
mod ir_containers;
mod ir_debug;
mod ir_producers;
mod ir_steps;
mod ir_thin;
mod isolation;
mod jobserver;
mod link;
mod link_errors;
mod link_record;
mod lto_ir;
mod make;
mod messages;
mod modes;
mod pragmas;
mod ptxas_options;
mod report;
mod run;
mod split;
mod textures;
mod three_modules;
mod wheel;
mod words;
