//! Raddle as a library: compiles PTX to cubins, links them, and runs them without a GPU.
//!
//! ```
//! let ptx = "
//! .version 8.0
//! .target sm_80
//! .address_size 64
//! .visible .entry answer(.param .u64 out)
//! {
//!     .reg .b64 %rd<2>;
//!     .reg .b32 %r<2>;
//!     ld.param.u64 %rd1, [out];
//!     mov.u32 %r1, 42;
//!     st.global.u32 [%rd1], %r1;
//!     ret;
//! }";
//! let cubin = raddle::compile(ptx, &raddle::Options::new(raddle::Arch::SM_90))?;
//! assert_eq!(cubin.kernels()[0].name(), "answer");
//! assert!(cubin.bytes().starts_with(b"\x7fELF"));
//! # Ok::<(), raddle::Error>(())
//! ```
//!
//! Errors are values with places: [`Error::diagnostics`] has one for each thing that is wrong, in the
//! order of the input.
//!
//! ```
//! let wrong = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n    frob.u32;\n}\n";
//! let error = raddle::compile(wrong, &raddle::Options::default()).unwrap_err();
//! let first = &error.diagnostics()[0];
//! assert_eq!((first.line(), error.kind()), (Some(6), raddle::ErrorKind::Input));
//! assert!(first.message().contains("frob"));
//! ```
//!
//! # What a program can rely on
//! - The same input and options give the same bytes, on any number of threads.
//! - Kernels of a module are compiled at once. All calls of a process together use its job slots: as
//!   many as there are CPUs, or `RADDLE_JOBS`, or those of the make that started it.
//! - No signal handler is installed, nothing is printed, the process is never ended or replaced. A
//!   panic of the compiler is an error of kind [`ErrorKind::Internal`].
//! - What is `#[non_exhaustive]` may grow in a compatible version; nothing else does.
#![forbid(unsafe_code)]

mod arch;
mod compile;
mod cubin;
mod diagnostic;
mod link;
mod observer;
mod options;
mod run;

pub use arch::{Arch, UnknownArch};
pub use compile::{check, compile};
pub use cubin::{Cubin, Kernel};
pub use diagnostic::{Diagnostic, Error, ErrorKind, Severity};
pub use link::Linker;
pub use observer::Observer;
pub use options::{Cancel, OptLevel, Options};
pub use run::{Arg, Launch, Races, RunError, parameter_sizes, run, run_with_races};
