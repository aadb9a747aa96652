//! The C interfaces of NVIDIA's compiler libraries, over the driver: nvPTXCompiler, nvJitLink,
//! nvFatbin; and one of our own, over the Rust library.
//!
//! ```text
//! C ─► c/nvptxcompiler ─────────────► options ─► ptx ─► driver
//!   ─► c/nvjitlink ─► jitlink (add) ────┘         │
//!                        └─ (complete) ───────────┴───► linker
//!   ─► c/nvfatbin ─► fatbin
//!   ─► c/raddle ─► own ─► crate raddle
//! ```
//!
//! **Problem.** Compilers in a process call NVIDIA's libraries through their C interfaces, and
//! cannot be changed. **Strategy.** The same symbols with the same behaviour: [`c`] has the C
//! functions, which only convert pointers; everything else is safe code. `scripts/libs.sh` makes
//! the shared and static libraries, in which these symbols alone are visible; `include` has their
//! headers.
//!
//! **Invariants.** What a host can observe of a process stays as it was: no signal handler is
//! installed, no directory, locale or environment changed, nothing printed, no process ended or
//! replaced. A defect of the compiler is an error code, and a crash is one where a program `raddle` is
//! found in whose processes kernels are compiled. All compilations of a process share its job
//! slots ([`raddle_driver::host::shared`]).
#![deny(unsafe_code)]
#![allow(non_snake_case, reason = "the functions have the names of NVIDIA's libraries")]

pub mod c;
mod fatbin;
mod jitlink;
mod log;
mod options;
mod own;
mod programs;
mod ptx;
