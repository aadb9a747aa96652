//! Options, and cancellation.

use crate::observer::Watched;
use crate::{Arch, Observer};
use raddle_driver::host::CancelToken;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How much is optimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptLevel {
    /// Nothing: every statement has its code.
    O0,
    /// What costs little time.
    O1,
    /// More.
    O2,
    /// Everything.
    #[default]
    O3,
}

/// Options of a compilation or of a link.
///
/// ```
/// use raddle::{Arch, OptLevel, Options};
/// let options = Options::new(Arch::SM_90).opt_level(OptLevel::O1).max_registers(64).line_info(true);
/// assert_eq!(options.arch(), Some(Arch::SM_90));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(crate) arch: Option<Arch>,
    pub(crate) opt: OptLevel,
    pub(crate) relocatable: bool,
    pub(crate) without_fma: bool,
    pub(crate) registers: Option<u32>,
    pub(crate) line_info: bool,
    pub(crate) debug: bool,
    pub(crate) kernels: Vec<String>,
    pub(crate) name: Option<String>,
    pub(crate) jobs: Option<usize>,
    pub(crate) cache: Option<PathBuf>,
    pub(crate) cancel: Option<Cancel>,
    pub(crate) observer: Watched,
    pub(crate) program: Option<PathBuf>,
    pub(crate) fallback: Option<PathBuf>,
}

impl Options {
    /// The defaults for an architecture: [`OptLevel::O3`], an executable cubin. By
    /// [`Options::default`] the architecture is that of the module.
    pub fn new(arch: Arch) -> Options {
        Options { arch: Some(arch), ..Options::default() }
    }

    /// Sets the architecture.
    #[must_use]
    pub fn with_arch(mut self, arch: Arch) -> Options {
        self.arch = Some(arch);
        self
    }

    /// The architecture, if one is set.
    pub fn arch(&self) -> Option<Arch> {
        self.arch
    }

    /// Sets how much is optimised.
    #[must_use]
    pub fn opt_level(mut self, level: OptLevel) -> Options {
        self.opt = level;
        self
    }

    /// Makes an object for [`Linker`](crate::Linker) instead of an executable.
    #[must_use]
    pub fn relocatable(mut self, relocatable: bool) -> Options {
        self.relocatable = relocatable;
        self
    }

    /// Whether `mul` and `add` may become `fma` where PTX allows it; by default they may.
    #[must_use]
    pub fn fma(mut self, contract: bool) -> Options {
        self.without_fma = !contract;
        self
    }

    /// Limits the registers of a thread: 16 to 255.
    #[must_use]
    pub fn max_registers(mut self, count: u32) -> Options {
        self.registers = Some(count.clamp(16, 255));
        self
    }

    /// Writes line tables.
    #[must_use]
    pub fn line_info(mut self, wanted: bool) -> Options {
        self.line_info = wanted;
        self
    }

    /// Makes code for debugging, without optimisation and with line tables.
    #[must_use]
    pub fn debug(mut self, wanted: bool) -> Options {
        self.debug = wanted;
        self
    }

    /// Compiles the kernels of these names only; each must exist.
    #[must_use]
    pub fn kernels<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Options {
        self.kernels = names.into_iter().map(Into::into).collect();
        self
    }

    /// The name of the module in messages; by default `<ptx>`.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Options {
        self.name = Some(name.into());
        self
    }

    /// The most kernels compiled at once; by default as many as the process has free slots.
    #[must_use]
    pub fn jobs(mut self, count: usize) -> Options {
        self.jobs = Some(count.max(1));
        self
    }

    /// A folder in which compiled kernels are kept, by what their code depends on. A folder that
    /// cannot be used is not.
    #[must_use]
    pub fn cache(mut self, folder: impl AsRef<Path>) -> Options {
        self.cache = Some(folder.as_ref().to_owned());
        self
    }

    /// The program `raddle` of this version: each kernel is compiled in a process of it, so that a
    /// crash of the compiler is an error of kind [`ErrorKind::Internal`](crate::ErrorKind::Internal).
    /// A program that cannot be used is not.
    #[must_use]
    pub fn program(mut self, raddle: impl AsRef<Path>) -> Options {
        self.program = Some(raddle.as_ref().to_owned());
        self
    }

    /// Another assembler, such as NVIDIA's ptxas, for kernels that have something for which there is
    /// no code yet.
    #[must_use]
    pub fn fallback(mut self, ptxas: impl AsRef<Path>) -> Options {
        self.fallback = Some(ptxas.as_ref().to_owned());
        self
    }

    /// Ends the call with an error of kind [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) once
    /// this is cancelled.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Options {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Tells this what happens during a call.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Options {
        self.observer = Watched::by(observer);
        self
    }
}

/// Cancels calls, from any thread. Clones are the same.
///
/// ```
/// use raddle::{Cancel, ErrorKind, Options};
/// let cancel = Cancel::new();
/// cancel.cancel();
/// let ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n    ret;\n}\n";
/// let error = raddle::compile(ptx, &Options::default().cancel(&cancel)).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Cancelled);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(CancelToken);

impl Cancel {
    /// One that is not cancelled.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Cancels every call with it, now and later.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    pub(crate) fn token(&self) -> CancelToken {
        self.0.clone()
    }
}
