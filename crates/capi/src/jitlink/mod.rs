//! A linker with a handle: inputs are added one by one, PTX is compiled as it is added, LLVM IR and
//! LTO-IR together at the end.
//!
//! The order of errors follows `libnvJitLink.so` 13.0.88: an input with errors is refused when it is
//! added, and the others are linked. Two definitions of a symbol are an error here; that library
//! prints a message and goes on.

mod kind;
mod options;
mod sizes;

use crate::log::Log;
use crate::options::{Arch, Options};
use crate::programs;
use crate::ptx::{self, Logs, Outcome};
use kind::{Kind, KindError};
use options::Settings;
use raddle_diag::{Diagnostic, Policy, SourceMap};
use raddle_driver::consensus::{CarriedOptions, parse_carried};
use raddle_driver::host::{Config, shared};
use raddle_driver::input::{Content, Input};
use raddle_driver::ir::{Form, emit};
use raddle_driver::key;
use raddle_driver::link::{Threads, diagnostic, warnings};
use raddle_driver::link_inputs::{Loaded, LoadedKind, load_bytes};
use raddle_driver::link_options::CommandLineOptions;
use raddle_driver::link_ptx::assemble;
use raddle_driver::map::Bytes;
use raddle_driver::options::{IrOptions, Selection};
use raddle_driver::request::Request;
use raddle_driver::unpack::Wanted;
use raddle_link::objects::{self, LinkOptions, Linked, Problem};
use sizes::Sizes;
use std::path::Path;
use std::time::Instant;

/// The result of a function of nvJitLink.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Done.
    Success = 0,
    /// An option is not known, or its value is not.
    UnrecognizedOption,
    /// `-arch` is missing.
    MissingArch,
    /// An input cannot be used.
    InvalidInput,
    /// PTX has errors: the error log has them.
    PtxCompile,
    /// LLVM IR or LTO-IR cannot be compiled: the error log says why.
    NvvmCompile,
    /// A link with errors, a call at the wrong time, or a defect.
    Internal,
    /// Not returned.
    Threadpool,
    /// The bytes of an input are of no known kind.
    UnrecognizedInput,
    /// Not returned.
    Finalize,
    /// A null pointer.
    NullInput,
    /// Options that exclude each other.
    IncompatibleOptions,
    /// The bytes of an input are of another kind than the caller says.
    IncorrectInputType,
    /// Not returned.
    ArchMismatch,
    /// Not returned.
    OutdatedLibrary,
    /// Not returned.
    MissingFatbin,
    /// The architecture is not known.
    UnrecognizedArch,
    /// There is no native code for the architecture.
    UnsupportedArch,
    /// LTO-IR without `-lto`.
    LtoNotEnabled,
}

/// What has become of a linker.
#[derive(Debug)]
enum State {
    /// Inputs can be added.
    Open,
    /// A cubin.
    Cubin(Vec<u8>),
    /// PTX with its NUL.
    Ptx(Vec<u8>),
    /// There is no result.
    Failed,
}

/// A linker.
#[derive(Debug)]
pub struct Linker {
    /// `None` if the options have errors.
    settings: Option<Settings>,
    inputs: Vec<Loaded>,
    logs: Logs,
    state: State,
    begun: Instant,
}

impl Linker {
    /// A linker with these options, and the code of the options.
    pub(crate) fn new(words: &[&str]) -> (Linker, Code) {
        let mut logs = Logs::default();
        let (settings, code) = match Settings::read(words, &mut logs.errors) {
            Ok(settings) => (Some(settings), Code::Success),
            Err(code) => (None, code),
        };
        (Linker { settings, inputs: Vec::new(), logs, state: State::Open, begun: Instant::now() }, code)
    }

    /// The error log.
    pub(crate) fn errors(&self) -> &Log {
        &self.logs.errors
    }

    /// The info log.
    pub(crate) fn infos(&self) -> &Log {
        &self.logs.infos
    }

    /// The cubin, or why there is none.
    pub(crate) fn cubin(&self) -> Result<&[u8], Code> {
        if let State::Cubin(cubin) = &self.state { Ok(cubin) } else { Err(Code::Internal) }
    }

    /// The PTX with its NUL, or why there is none.
    pub(crate) fn ptx(&self) -> Result<&[u8], Code> {
        match &self.state {
            State::Ptx(ptx) => Ok(ptx),
            _ if self.settings.as_ref().is_some_and(|settings| settings.to_ptx) => Err(Code::Internal),
            _ => Err(Code::InvalidInput),
        }
    }

    /// Adds an input from memory; `number` is the kind that the caller gives.
    pub(crate) fn add(&mut self, number: i32, bytes: &[u8], name: &str) -> Code {
        if bytes.is_empty() {
            return Code::InvalidInput;
        }
        self.add_bytes(number, bytes, name).unwrap_or_else(|code| code)
    }

    /// Adds an input from a file.
    pub(crate) fn add_file(&mut self, number: i32, path: &str) -> Code {
        match std::fs::read(path) {
            Ok(bytes) => self.add(number, &bytes, path),
            Err(error) => {
                self.logs.errors.line(&match error.kind() {
                    std::io::ErrorKind::NotFound => format!("no such file: {path}"),
                    _ => format!("cannot read '{path}': {error}"),
                });
                Code::InvalidInput
            }
        }
    }

    fn add_bytes(&mut self, number: i32, bytes: &[u8], name: &str) -> Result<Code, Code> {
        let (State::Open, Some(settings)) = (&self.state, &self.settings) else {
            self.logs.errors.line(&format!("ERROR: '{name}' comes after the link"));
            return Err(Code::Internal);
        };
        let settings = settings.clone();
        // A text may come with its NUL.
        let text = ptx::text(bytes);
        let kind = kind::find(number, bytes, name).map_err(|error| {
            self.logs.errors.line(&error.to_string());
            match error {
                KindError::Unknown(_) => Code::UnrecognizedInput,
                KindError::Number(_) | KindError::Other(..) => Code::IncorrectInputType,
            }
        })?;
        let bytes = if kind == Kind::Ptx { text } else { bytes };
        let wanted = Wanted { target: Some(settings.target), lto_ir: settings.lto && settings.ir.nvjitlink.is_some() };
        let loaded = load_bytes(name, Bytes::from(bytes.to_vec()), wanted).map_err(|problems| {
            self.logs.errors.line(&format!("ERROR 3: bad input: {name}"));
            self.tell(&problems);
            Code::InvalidInput
        })?;
        let mut made = Vec::new();
        for input in loaded {
            made.push(self.prepare(&settings, input)?);
        }
        self.inputs.extend(made);
        Ok(Code::Success)
    }

    /// Checks an input, and compiles PTX.
    fn prepare(&mut self, settings: &Settings, input: Loaded) -> Result<Loaded, Code> {
        match &input.kind {
            LoadedKind::Cubin => {
                let sm = raddle_cubin::raw::Raw::parse(&input.bytes).map_or(0, |raw| raw.header.sm());
                if !raddle_target::links_into(sm, settings.target.sm) {
                    self.logs.errors.line(&format!("ERROR 4: bad input:{}", input.name));
                    let arch = settings.target.name;
                    self.logs.errors.line(&format!("ptxas         .     it is for sm_{sm}, the link is for {arch}"));
                    return Err(Code::InvalidInput);
                }
                Ok(input)
            }
            LoadedKind::LtoIr { .. } if !settings.lto => {
                self.logs.errors.line("ERROR 1: LTO-IR input cannot be used without LTO enabled (-lto)");
                Err(Code::LtoNotEnabled)
            }
            LoadedKind::LtoIr { .. } => {
                self.library_for_lto_ir(settings, &input.name)?;
                Ok(input)
            }
            LoadedKind::Ir => Ok(input),
            LoadedKind::Ptx { options } => {
                let compiled = self.compile(settings, &input, &parse_carried(options));
                if compiled.is_err() {
                    let message = format!("JIT the PTX ({})", input.name);
                    self.logs.errors.line(&format!("ERROR NVJITLINK_ERROR_PTX_COMPILE: {message}"));
                }
                let object = compiled?;
                Ok(Loaded { bytes: object.into(), kind: LoadedKind::Cubin, ..input })
            }
        }
    }

    /// Compiles PTX to an object. Options that came with it count where the linker has none.
    fn compile(&mut self, settings: &Settings, input: &Loaded, carried: &CarriedOptions) -> Result<Vec<u8>, Code> {
        let mut options = Options::new(Arch::Real(settings.target));
        options.mode.opt = carried.opt;
        options.codegen.maxrregcount = carried.maxrregcount;
        options.codegen.fmad = carried.fmad.unwrap_or(options.codegen.fmad);
        options.codegen.lineinfo = carried.lineinfo.unwrap_or(false);
        options.codegen.loads = carried.loads.unwrap_or_default();
        options.codegen.stores = carried.stores.unwrap_or_default();
        let words: Vec<&str> = settings.ptx.iter().map(String::as_str).collect();
        if let Err(message) = options.read(&words) {
            self.logs.errors.line(&message);
            return Err(Code::PtxCompile);
        }
        match ptx::run(ptx::NAME, &input.bytes, &options, None, &mut self.logs) {
            Outcome::Cubin(object) => Ok(object),
            Outcome::Internal => Err(Code::Internal),
            Outcome::Checked | Outcome::Failed | Outcome::Version | Outcome::Cancelled => Err(Code::PtxCompile),
        }
    }

    /// Checks that LTO-IR can be compiled: by NVIDIA's library, which is named, and is not this one.
    fn library_for_lto_ir(&mut self, settings: &Settings, name: &str) -> Result<(), Code> {
        let library = settings.ir.nvjitlink.as_deref();
        let why = match library {
            None => Some("it is not named: RADDLE_NVJITLINK is its path".to_owned()),
            Some(path) if is_this_one(path) => Some(format!("'{}' is Raddle's", path.display())),
            Some(_) => None,
        };
        let Some(why) = why else { return Ok(()) };
        let message = format!("'{name}' is NVIDIA's LTO-IR, which only NVIDIA's libnvJitLink.so reads, and {why}");
        self.logs.errors.line(&format!("ERROR NVJITLINK_ERROR_NVVM_COMPILE: {message}"));
        Err(Code::NvvmCompile)
    }

    /// Links everything.
    pub(crate) fn complete(&mut self) -> Code {
        let (State::Open, Some(settings)) = (&self.state, &self.settings) else { return Code::Internal };
        let settings = settings.clone();
        let (begun, before) = (Instant::now(), self.begun.elapsed());
        self.state = State::Failed;
        let code = match self.result(&settings) {
            Ok(state) => {
                self.state = state;
                Code::Success
            }
            Err(code) => code,
        };
        if settings.time {
            let ms = |time: std::time::Duration| format!("{:.6}", time.as_secs_f64() * 1e3);
            self.logs.infos.line(&format!("nvJitLink time until Complete: {}", ms(before)));
            self.logs.infos.line(&format!("nvJitLinkComplete time to finish: {}", ms(begun.elapsed())));
        }
        code
    }

    fn result(&mut self, settings: &Settings) -> Result<State, Code> {
        let mut inputs = std::mem::take(&mut self.inputs);
        let is_ir = |input: &Loaded| matches!(input.kind, LoadedKind::Ir | LoadedKind::LtoIr { .. });
        if settings.to_ptx && !inputs.iter().all(is_ir) {
            self.logs.errors.line("ERROR: -ptx requires that all inputs have LTOIR");
            return Err(Code::IncorrectInputType);
        }
        let has_ir = inputs.iter().any(is_ir);
        if settings.lto && !has_ir {
            self.logs.errors.line("ERROR NVJITLINK_ERROR_NVVM_COMPILE: no input has LTO-IR or LLVM IR");
            return Err(Code::NvvmCompile);
        }
        let ir = if has_ir { self.ir_options(settings)? } else { IrOptions::default() };
        if settings.to_ptx {
            return self.emit_ptx(settings, ir, &inputs);
        }
        if inputs.is_empty() {
            return self.nothing(settings);
        }
        let lease = shared::of_process().lease(if has_ir { usize::MAX } else { 1 });
        let mut locals = Vec::new();
        if has_ir {
            let given = CommandLineOptions {
                target: Some(settings.target),
                options: parse_carried(&settings.ptx.join(" ")),
                ir,
                relocatable: settings.relocatable,
                ..CommandLineOptions::default()
            };
            let (sm, policy) = (Some(settings.target.sm.into()), Policy { infos: false, ..Policy::default() });
            let run = ptx::run_options(lease.count(), false);
            if let Some(report) = assemble(&mut inputs, &given, sm, run, policy, &mut ()) {
                let found: Vec<Diagnostic> = report.diags.iter().cloned().collect();
                self.tell_with(&found, &report.sources);
                if report.diags.has_errors() {
                    return Err(Code::NvvmCompile);
                }
                locals = report.locals;
            }
        }
        let threads = Threads::new(Config { workers: lease.count(), ..Config::default() }).for_files(&inputs);
        let files: Vec<objects::Input<'_>> = inputs.iter().map(Loaded::input).collect();
        let (target, relocatable, tool) = (Some(settings.target), settings.relocatable, key::tool_note());
        let options = LinkOptions { target, relocatable, locals: &locals, tool, ..LinkOptions::default() };
        let linked = objects::link(&files, &options, &threads).map_err(|problems| {
            problems.into_iter().for_each(|problem| self.unlinked(problem));
            self.logs.errors.line("ERROR 9: finish");
            Code::Internal
        })?;
        for warning in warnings(&linked.warnings, &str::to_owned) {
            self.logs.infos.line(&format!("warning : {}", warning.message));
        }
        let cubin = linked.bytes(&threads);
        if settings.verbose {
            usage(&linked, &cubin, &mut self.logs.infos);
        }
        Ok(State::Cubin(cubin))
    }

    /// The cubin of a link without inputs.
    fn nothing(&mut self, settings: &Settings) -> Result<State, Code> {
        let (target, version) = (settings.target, settings.target.ptx);
        let empty = format!(".version {version}\n.target {}\n.address_size 64\n", target.name);
        let options = Options::new(Arch::Real(target));
        match ptx::run(ptx::NAME, empty.as_bytes(), &options, None, &mut self.logs) {
            Outcome::Cubin(cubin) => Ok(State::Cubin(cubin)),
            _ => Err(Code::Internal),
        }
    }

    /// Compiles LLVM IR to PTX alone.
    fn emit_ptx(&mut self, settings: &Settings, ir: IrOptions, inputs: &[Loaded]) -> Result<State, Code> {
        if let Some(input) = inputs.iter().find(|input| input.kind.is_lto_ir()) {
            let message = format!("'{}' is NVIDIA's LTO-IR: -ptx is for LLVM IR", input.name);
            self.logs.errors.line(&format!("ERROR NVJITLINK_ERROR_NVVM_COMPILE: {message}"));
            return Err(Code::NvvmCompile);
        }
        let content = |input: &Loaded| match String::from_utf8(input.bytes.to_vec()) {
            Ok(text) if raddle_driver::input::is_ir(&input.bytes) => Content::Ir(text),
            _ => Content::Bitcode(input.bytes.to_vec()),
        };
        let inputs = inputs.iter().map(|input| Input { name: input.name.clone(), content: content(input) }).collect();
        let lease = shared::of_process().lease(usize::MAX);
        let request = Request {
            inputs,
            selection: Selection { arch: Some(settings.target), ..Selection::default() },
            run: ptx::run_options(lease.count(), false),
            policy: Policy { infos: false, ..Policy::default() },
            ir,
            ..Request::default()
        };
        let (report, ptx) = emit(request, Form::Ptx, &mut ());
        let found: Vec<Diagnostic> = report.diags.iter().cloned().collect();
        self.tell_with(&found, &report.sources);
        let mut ptx = ptx.filter(|_| !report.diags.has_errors()).ok_or(Code::NvvmCompile)?;
        ptx.push(0);
        Ok(State::Ptx(ptx))
    }

    /// Options for LLVM IR and LTO-IR: worker processes are those of the `raddle` command, never of
    /// the host.
    fn ir_options(&mut self, settings: &Settings) -> Result<IrOptions, Code> {
        let on_path = || {
            let folders = std::env::var_os("PATH")?;
            std::env::split_paths(&folders).map(|folder| folder.join("raddle")).find(|program| program.is_file())
        };
        let worker =
            settings.ir.worker.clone().or_else(programs::worker).or_else(on_path).filter(|program| program.is_file());
        if worker.is_none() {
            let message = "LLVM IR and LTO-IR need the program raddle, in PATH or named by RADDLE_PROGRAM";
            self.logs.errors.line(&format!("ERROR NVJITLINK_ERROR_NVVM_COMPILE: {message}"));
            return Err(Code::NvvmCompile);
        }
        Ok(IrOptions { worker, ..settings.ir.clone() })
    }

    /// Writes why objects cannot be linked.
    fn unlinked(&mut self, problem: Problem) {
        if let Problem::Undefined { symbol, at, .. } = &problem {
            // Callers look for this line.
            let message = format!("Undefined reference to '{symbol}' in '{}'", at.object);
            self.logs.errors.line(&format!("error   : {message}"));
            return;
        }
        let found = diagnostic(problem, &str::to_owned);
        self.logs.errors.line(&format!("{:<8}: {}", found.severity.name(), found.message));
    }

    fn tell(&mut self, found: &[Diagnostic]) {
        self.tell_with(found, &SourceMap::new());
    }

    fn tell_with(&mut self, found: &[Diagnostic], sources: &SourceMap) {
        for found in found {
            let log = if found.is_error() { &mut self.logs.errors } else { &mut self.logs.infos };
            log.diagnostic(found, sources);
        }
    }
}

/// What `-verbose` writes of a link (libnvJitLink.so 13.0.88).
fn usage(linked: &Linked<'_>, cubin: &[u8], log: &mut Log) {
    let sizes = Sizes::of(cubin);
    log.line(&format!("info    : {}", sizes.module()));
    for kernel in linked.kernels() {
        let stack = kernel.stack.map_or("unknown".to_owned(), |stack| stack.to_string());
        log.line(&format!("info    : Function properties for '{}':", kernel.kernel));
        log.line(&format!(
            "info    : used {} registers, used {} barriers, {stack} stack, {} bytes smem{}, 0 bytes lmem",
            kernel.registers,
            kernel.barriers,
            kernel.shared,
            sizes.banks(Some(&kernel.kernel)),
        ));
    }
}

/// What the libraries made of this crate contain, and no other.
static MARK: &str = "raddle: this is not the library that reads LTO-IR";

/// Whether a library is one of this crate: it would call itself without end.
fn is_this_one(path: &Path) -> bool {
    let path = if path.is_dir() { path.join("libnvJitLink.so.13") } else { path.to_owned() };
    let mark = MARK.as_bytes();
    std::fs::read(path).is_ok_and(|bytes| bytes.windows(mark.len()).any(|part| part == mark))
}
