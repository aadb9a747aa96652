//! The Python module `raddle._raddle`: a thin layer over the Rust library. What people use is
//! `python/raddle/__init__.py`, which adds conversions of arguments.
//!
//! **Invariants.** The interpreter's lock is released while a compilation, a link or a run is at work.
//! An interrupt (`KeyboardInterrupt`) cancels a compilation.
#![deny(unsafe_code)]

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use raddle::{Arch, Arg, Cancel, Launch, Linker, OptLevel, Options, Races};
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

create_exception!(raddle, Error, PyException, "There is no result: `diagnostics` say why, `kind` of which kind it is.");
create_exception!(raddle, RunError, PyException, "A run has failed: see `message`, `place` and `thread`.");

/// The interval at which an interrupt is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// Something that was found, with its place.
#[pyclass(frozen, module = "raddle")]
struct Diagnostic(raddle::Diagnostic);

#[pymethods]
impl Diagnostic {
    #[getter]
    fn severity(&self) -> &'static str {
        match self.0.severity() {
            raddle::Severity::Info => "info",
            raddle::Severity::Warning => "warning",
            _ => "error",
        }
    }

    #[getter]
    fn code(&self) -> &str {
        self.0.code()
    }

    #[getter]
    fn message(&self) -> &str {
        self.0.message()
    }

    #[getter]
    fn file(&self) -> Option<&str> {
        self.0.file()
    }

    #[getter]
    fn line(&self) -> Option<usize> {
        self.0.line()
    }

    #[getter]
    fn column(&self) -> Option<usize> {
        self.0.column()
    }

    #[getter]
    fn function(&self) -> Option<&str> {
        self.0.function()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes().to_vec()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<raddle.Diagnostic {}: {}>", self.0.code(), self.0.message())
    }
}

/// A kernel, and what it needs.
#[pyclass(frozen, module = "raddle")]
struct Kernel(raddle::Kernel);

#[pymethods]
impl Kernel {
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn registers(&self) -> u32 {
        self.0.registers()
    }

    #[getter]
    fn shared_bytes(&self) -> u64 {
        self.0.shared_bytes()
    }

    #[getter]
    fn stack_bytes(&self) -> Option<u64> {
        self.0.stack_bytes()
    }

    #[getter]
    fn spill_bytes(&self) -> Option<(u32, u32)> {
        self.0.spill_bytes()
    }

    fn __repr__(&self) -> String {
        format!("<raddle.Kernel {}: {} registers>", self.0.name(), self.0.registers())
    }
}

/// A cubin. `bytes(cubin)` is the file.
#[pyclass(frozen, module = "raddle")]
struct Cubin(raddle::Cubin);

#[pymethods]
impl Cubin {
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.bytes())
    }

    fn __len__(&self) -> usize {
        self.0.bytes().len()
    }

    #[getter]
    fn arch(&self) -> &'static str {
        self.0.arch().name()
    }

    #[getter]
    fn kernels(&self) -> Vec<Kernel> {
        self.0.kernels().iter().cloned().map(Kernel).collect()
    }

    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.0.diagnostics().iter().cloned().map(Diagnostic).collect()
    }

    fn __repr__(&self) -> String {
        format!("<raddle.Cubin for {}: {} kernels>", self.0.arch(), self.0.kernels().len())
    }
}

/// The exception for an error.
fn failed(py: Python<'_>, error: &raddle::Error) -> PyErr {
    let kind = match error.kind() {
        raddle::ErrorKind::Input => "input",
        raddle::ErrorKind::Usage => "usage",
        raddle::ErrorKind::Unsupported => "unsupported",
        raddle::ErrorKind::Cancelled => "cancelled",
        _ => "internal",
    };
    let raised = Error::new_err(error.to_string());
    let found: Vec<Diagnostic> = error.diagnostics().iter().cloned().map(Diagnostic).collect();
    let value = raised.value(py);
    let told = value.setattr("kind", kind).and_then(|()| value.setattr("diagnostics", found));
    told.err().unwrap_or(raised)
}

/// Runs work without the interpreter's lock, on a thread of its own; an interrupt cancels it, and is
/// raised once it has ended.
fn interruptible<T: Send>(py: Python<'_>, cancel: &Cancel, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let worker = std::thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, move || {
            // The other end is there until this is received.
            let _ = sender.send(work());
        })?;
        // Only this thread receives; waiting without the interpreter's lock needs a shared reference.
        let receiver = Mutex::new(receiver);
        let wait = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK);
        let mut raised = None;
        let done = loop {
            match py.detach(wait) {
                Ok(done) => break Some(done),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                    if let Err(error) = py.check_signals() {
                        cancel.cancel();
                        raised = Some(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let ended = py.detach(|| worker.join());
        match (raised, done, ended) {
            (Some(error), ..) => Err(error),
            (None, Some(done), Ok(())) => Ok(done),
            _ => Err(Error::new_err("the compiler has panicked")),
        }
    })
}

/// What `compile`, `check` and `link` have in common.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Settings {
    arch: Option<String>,
    opt_level: u32,
    relocatable: bool,
    fma: bool,
    max_registers: Option<u32>,
    line_info: bool,
    debug: bool,
    kernels: Vec<String>,
    name: Option<String>,
    jobs: Option<usize>,
    cache: Option<PathBuf>,
}

fn arch(name: &str) -> PyResult<Arch> {
    name.parse().map_err(|error: raddle::UnknownArch| PyValueError::new_err(error.to_string()))
}

impl Settings {
    fn options(self, cancel: &Cancel) -> PyResult<Options> {
        let level = match self.opt_level {
            0 => OptLevel::O0,
            1 => OptLevel::O1,
            2 => OptLevel::O2,
            3 => OptLevel::O3,
            other => return Err(PyValueError::new_err(format!("opt_level is 0, 1, 2 or 3, not {other}"))),
        };
        let mut options = match &self.arch {
            Some(name) => Options::new(arch(name)?),
            None => Options::default(),
        };
        options = options.opt_level(level).relocatable(self.relocatable).fma(self.fma).line_info(self.line_info);
        options = options.debug(self.debug).kernels(self.kernels).cancel(cancel);
        if let Some(count) = self.max_registers {
            options = options.max_registers(count);
        }
        if let Some(name) = self.name {
            options = options.name(name);
        }
        if let Some(jobs) = self.jobs {
            options = options.jobs(jobs);
        }
        if let Some(folder) = self.cache {
            options = options.cache(folder);
        }
        Ok(options)
    }
}

#[pyfunction]
fn compile(py: Python<'_>, ptx: &str, settings: Settings) -> PyResult<Cubin> {
    let cancel = Cancel::new();
    let options = settings.options(&cancel)?;
    let done = interruptible(py, &cancel, || raddle::compile(ptx, &options))?;
    done.map(Cubin).map_err(|error| failed(py, &error))
}

#[pyfunction]
fn check(py: Python<'_>, ptx: &str, settings: Settings) -> PyResult<Vec<Diagnostic>> {
    let cancel = Cancel::new();
    let options = settings.options(&cancel)?;
    let done = interruptible(py, &cancel, || raddle::check(ptx, &options))?;
    done.map(|found| found.into_iter().map(Diagnostic).collect()).map_err(|error| failed(py, &error))
}

/// An input of a link: PTX or a file.
#[derive(FromPyObject)]
enum Input {
    #[pyo3(transparent)]
    Ptx(String),
    #[pyo3(transparent)]
    File(Vec<u8>),
}

#[pyfunction]
fn link(py: Python<'_>, inputs: Vec<(String, Input)>, settings: Settings) -> PyResult<Cubin> {
    let cancel = Cancel::new();
    let Some(name) = settings.arch.clone() else { return Err(PyTypeError::new_err("a link needs an arch")) };
    let (arch, options) = (arch(&name)?, settings.options(&cancel)?);
    let done = interruptible(py, &cancel, || {
        let mut linker = Linker::new(arch, options);
        for (name, input) in &inputs {
            match input {
                Input::Ptx(text) => linker.add_ptx(name, text)?,
                Input::File(bytes) => linker.add(name, bytes)?,
            }
        }
        linker.link()
    })?;
    done.map(Cubin).map_err(|error| failed(py, &error))
}

/// Runs a kernel; arguments are `("value", bytes)`, `("buffer", bytes)` or `("null", b"")`. Returns the
/// bytes of the buffers, and the races that did not end the run.
#[pyfunction]
#[pyo3(signature = (cubin, kernel, grid, block, args, shared_bytes, seed, races))]
#[expect(clippy::too_many_arguments, reason = "the arguments of a launch, called by the Python layer alone")]
fn run<'py>(
    py: Python<'py>,
    cubin: Vec<u8>,
    kernel: &str,
    grid: [u32; 3],
    block: [u32; 3],
    args: Vec<(String, Vec<u8>)>,
    shared_bytes: u32,
    seed: u64,
    races: &str,
) -> PyResult<(Vec<Bound<'py, PyBytes>>, Vec<String>)> {
    let mut launch = Launch::new(kernel).grid(grid).block(block).shared_bytes(shared_bytes).seed(seed);
    launch = launch.races(match races {
        "error" => Races::Error,
        "warn" => Races::Warn,
        other => return Err(PyValueError::new_err(format!("races is 'error' or 'warn', not '{other}'"))),
    });
    for (kind, bytes) in args {
        launch = launch.arg(match kind.as_str() {
            "value" => Arg::Value(bytes),
            "buffer" => Arg::Buffer(bytes),
            "null" => Arg::Null,
            other => return Err(PyValueError::new_err(format!("an argument is no '{other}'"))),
        });
    }
    match py.detach(|| raddle::run_with_races(&cubin, &launch)) {
        Ok((buffers, races)) => Ok((buffers.iter().map(|bytes| PyBytes::new(py, bytes)).collect(), races)),
        Err(error) => {
            let raised = RunError::new_err(error.to_string());
            let value = raised.value(py);
            value.setattr("message", error.message())?;
            value.setattr("place", error.place())?;
            value.setattr("thread", error.thread())?;
            Err(raised)
        }
    }
}

#[pyfunction]
fn parameter_sizes(cubin: Vec<u8>, kernel: &str) -> Option<Vec<usize>> {
    raddle::parameter_sizes(&cubin, kernel)
}

/// The architectures for which machine code is made.
#[pyfunction]
fn architectures() -> Vec<&'static str> {
    Arch::all().map(Arch::name).collect()
}

#[pymodule]
fn _raddle(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", module.py().get_type::<Error>())?;
    module.add("RunError", module.py().get_type::<RunError>())?;
    module.add_class::<Cubin>()?;
    module.add_class::<Kernel>()?;
    module.add_class::<Diagnostic>()?;
    module.add_function(wrap_pyfunction!(compile, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(link, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(parameter_sizes, module)?)?;
    module.add_function(wrap_pyfunction!(architectures, module)?)
}
