//! The tests of this crate in one program: it is linked once, and its tests share the threads. One
//! that limits the memory of its process is a program of its own.
#![forbid(unsafe_code)]

mod abi;
mod approximations;
mod asynchrony;
mod attributes;
mod device_runtime;
mod dwarf;
mod exhaustive;
mod fallback_calls;
mod fallback_textures;
mod forms;
mod forms_sm_90;
mod interpreter;
mod ir_chaos;
mod ir_mutants;
mod lineinfo;
mod lineinfo_objects;
mod link;
mod link_corners;
mod litmus;
mod malformed;
mod many_params;
mod matrix;
mod memory_order;
mod native;
mod native_snippets;
mod producers;
mod random;
mod random_ir;
mod register_budgets;
mod register_places;
mod registers;
mod regressions;
mod resources;
mod simulator;
mod snippet_references;
mod snippets;
mod suites;
mod texture;
mod texture_probes;
mod tidy;
mod unwind;
mod wgmma;
mod witnesses;
