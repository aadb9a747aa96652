//! `raddle link`: reads input files, reports linker problems as diagnostics, and runs the linker on
//! the pool.
//!
//! [`load`] maps the files and unpacks them into cubins: archives into members, host objects and
//! fatbins into the member for the architecture. Cubins that are stored uncompressed are not
//! copied. Archives inside archives are not read. [`Threads`] gives the linker the workers of a
//! pool, each with a token of the parent make.

use crate::codes;
use crate::input::is_ir;
use crate::map::Bytes;
use crate::unpack;
use raddle_diag::Diagnostic;
use raddle_entity::{Executor, Serial, map};
use raddle_fatbin::container::is_bitcode;
use raddle_fatbin::{FatbinError, Kind, Member};
use raddle_jobs::pool::scope;
use raddle_jobs::{Config, Outcome};
use raddle_link::objects::{Input, Problem, Warning};
use raddle_target::Target;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A cubin to link, or PTX to compile for the link.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The path, with the member in parentheses.
    pub name: String,
    /// The cubin, or the PTX.
    pub bytes: Bytes,
    /// Member of a fatbin or of a host object.
    pub library: bool,
    /// Member of a fatbin or of an object of the host.
    pub inside: bool,
    /// Member of the device runtime library: left out if it cannot be compiled.
    pub runtime: bool,
    /// The compile options that came with it, if the bytes are PTX.
    pub ptx: Option<String>,
    /// Whether the bytes are LLVM IR.
    pub ir: bool,
}

impl Loaded {
    /// Converts it to an input of the linker.
    pub fn input(&self) -> Input<'_> {
        Input { name: &self.name, bytes: &self.bytes, library: self.library }
    }
}

/// The files to read.
#[derive(Clone, Copy, Debug)]
pub struct Files<'r> {
    /// Files in the order of the command line.
    pub paths: &'r [String],
    /// Folders to search for libraries.
    pub library_paths: &'r [PathBuf],
    /// Names of libraries.
    pub libraries: &'r [String],
    /// The architecture, if one was given.
    pub target: Option<&'static Target>,
}

/// The inputs found in the files.
#[derive(Debug, Default)]
pub struct Found {
    /// Cubins and PTX, in the order of the files.
    pub inputs: Vec<Loaded>,
    /// The SM number of the link, if a cubin or a fatbin has determined it.
    pub sm: Option<u32>,
    /// Notices of inputs that are left out.
    pub notices: Vec<Diagnostic>,
}

/// The device runtime library. Producers name it whether it is needed or not, and it has members
/// that only its vendor's optimiser reads. Those are not missed until another input needs a symbol
/// of theirs (SPLIT-7).
const RUNTIME: &str = "libcudadevrt.a";

/// A notice that a member of the device runtime is not linked, and why.
pub(crate) fn left_out(name: &str, why: &str) -> Diagnostic {
    let why = why.strip_prefix(&format!("'{name}'")).unwrap_or(why).trim_start_matches([':', ' ']);
    Diagnostic::info(codes::E0080, format!("'{name}' is left out: {why}"))
}

/// Describes a cubin that cannot be linked because it was compiled as a whole program. nvlink
/// 13.0.88 skips such cubins silently, wherever they are stored: builds mix them with relocatable
/// objects.
fn whole_program(cubin: &[u8]) -> Option<&'static str> {
    match cubin.get(16..18)? {
        [2, 0] => Some("is an executable"),
        [0, 0xff] => Some("is an extensible whole program"),
        _ => None,
    }
}

/// Leaves out whole programs if there is something else to link. If there is not, the linker
/// reports them.
fn leave_out(found: &mut Found) {
    let why = |input: &Loaded| if input.ptx.is_none() && !input.ir { whole_program(&input.bytes) } else { None };
    if found.inputs.iter().all(|input| why(input).is_some()) {
        return;
    }
    let inputs = std::mem::take(&mut found.inputs);
    for input in inputs {
        let Some(why) = why(&input) else {
            found.inputs.push(input);
            continue;
        };
        let message = format!("'{}' {why}: its code is not linked", input.name);
        // A cubin named on the command line is meant to be linked; a host object may have been
        // compiled for other uses.
        found.notices.push(match !input.inside && !input.library {
            true => Diagnostic::warning(codes::E0089, message)
                .help("compile it as a relocatable object: ptxas -c, nvcc -dc"),
            false => Diagnostic::info(codes::E0089, message),
        });
    }
}

/// The ELF machine number of cubins; an ELF file with any other is a host object.
const EM_CUDA: [u8; 2] = [190, 0];

fn is_cubin(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") && bytes.get(18..20) == Some(&EM_CUDA)
}

/// Whether bytes are PTX. Comments may precede the version.
fn is_ptx(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(1 << 16)];
    let text = start.trim_ascii_start();
    let is_text = text.starts_with(b".version") || text.starts_with(b"//") || text.starts_with(b"/*");
    is_text && memchr::memmem::find(start, b".version").is_some()
}

/// The SM number of a cubin; 0 for one that cannot be read, which the linker reports.
fn sm_of(bytes: &[u8]) -> u32 {
    raddle_cubin::raw::Raw::parse(bytes).map_or(0, |raw| raw.header.sm().into())
}

/// Reads all files. Reports the errors of all of them.
pub fn load(files: Files<'_>, executor: &dyn Executor) -> Result<Found, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let mut paths: Vec<PathBuf> = files.paths.iter().map(PathBuf::from).collect();
    for name in files.libraries {
        let file = format!("lib{name}.a");
        match files.library_paths.iter().map(|folder| folder.join(&file)).find(|path| path.is_file()) {
            Some(path) => paths.push(path),
            None => {
                let message = format!("no {file} in the folders given by -L");
                problems.push(Diagnostic::fatal(codes::E0070, message));
            }
        }
    }
    let contents = read_all(&paths, executor);
    let mut sm = files.target.map(|t| u32::from(t.sm));
    // Without an explicit architecture, the first cubin determines the member of a fatbin.
    if sm.is_none() {
        let mut cubins = contents.iter().filter_map(|c| c.as_ref().ok()).filter(|c| is_cubin(c));
        sm = cubins.find(|c| whole_program(c).is_none()).map(|c| sm_of(c));
    }
    let mut found = Found { sm, ..Found::default() };
    for (path, contents) in paths.iter().zip(contents) {
        let name = path.display().to_string();
        let runtime = path.file_name().is_some_and(|name| name == RUNTIME);
        match contents {
            Ok(bytes) => {
                expand(name, bytes, Origin { library: false, runtime, target: files.target }, &mut found, &mut problems)
            }
            Err(error) => problems.push(Diagnostic::fatal(codes::E0001, format!("cannot read '{name}': {error}"))),
        }
    }
    leave_out(&mut found);
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

fn read_all(paths: &[PathBuf], executor: &dyn Executor) -> Vec<std::io::Result<Bytes>> {
    map(paths.len(), executor, |i| Bytes::read(&paths[i]))
}

/// The origin of an input.
#[derive(Clone, Copy)]
struct Origin {
    library: bool,
    runtime: bool,
    /// The architecture of the link, if one was given.
    target: Option<&'static Target>,
}

/// Unpacks a file into cubins.
fn expand(name: String, bytes: Bytes, from: Origin, found: &mut Found, problems: &mut Vec<Diagnostic>) {
    let Origin { library, runtime, target } = from;
    if is_cubin(&bytes) {
        found.inputs.push(Loaded { name, bytes, library, inside: false, runtime, ptx: None, ir: false });
        return;
    }
    if is_bitcode(&bytes) || !library && is_ir(&bytes) {
        found.inputs.push(Loaded { name, bytes, library, inside: false, runtime, ptx: None, ir: true });
        return;
    }
    let damaged = |error: &FatbinError| Diagnostic::fatal(codes::E0005, format!("'{name}': {error}"));
    match raddle_fatbin::container::archive(&bytes) {
        Ok(Some(members)) => {
            for (member, contents) in members {
                // Host objects without device code, symbol tables and the like are ignored; what is
                // damaged is not.
                let nothing = || matches!(raddle_fatbin::members(contents), Err(FatbinError::Unknown));
                let is_ours = is_cubin(contents) || is_ptx(contents) || !nothing();
                if !is_ours || raddle_fatbin::container::is_archive(contents) {
                    continue;
                }
                let Some(contents) = bytes.part(contents) else { continue };
                let (name, from) = (format!("{name}({member})"), Origin { library: true, ..from });
                let mut of_member = Vec::new();
                expand(name.clone(), contents, from, found, &mut of_member);
                match runtime {
                    true => found.notices.extend(of_member.iter().map(|problem| left_out(&name, &problem.message))),
                    false => problems.append(&mut of_member),
                }
            }
            return;
        }
        Ok(None) => {}
        Err(error) => {
            problems.push(damaged(&error));
            return;
        }
    }
    match raddle_fatbin::members(&bytes) {
        Ok(members) => match choose(&name, &members, target, &mut found.sm) {
            Ok(chosen) => {
                let several = chosen.len() > 1;
                found.inputs.extend(chosen.into_iter().enumerate().map(|(number, Chosen { kind, bytes, options })| {
                    let name = match kind {
                        Kind::Cubin => name.clone(),
                        _ if several => format!("{name}[module {}]", number + 1),
                        _ => format!("{name}[{}]", kind.name()),
                    };
                    let ptx = (kind == Kind::Ptx).then_some(options);
                    let ir = kind == Kind::Bitcode;
                    Loaded { name, bytes: bytes.into(), library, inside: true, runtime, ptx, ir }
                }));
            }
            Err(diagnostic) => problems.push(*diagnostic),
        },
        Err(FatbinError::Unknown) if is_ptx(&bytes) => {
            let ptx = Some(String::new());
            found.inputs.push(Loaded { name, bytes, library, inside: false, runtime, ptx, ir: false });
        }
        Err(FatbinError::Unknown) => {
            let message =
                format!("'{name}' is not a cubin, PTX, LLVM IR or fatbin, nor an object or archive that contains one");
            problems.push(Diagnostic::fatal(codes::E0005, message));
        }
        Err(error) => problems.push(damaged(&error)),
    }
}

/// A member to link.
struct Chosen {
    /// A cubin, PTX or bitcode.
    kind: Kind,
    bytes: Vec<u8>,
    /// The options that came with PTX.
    options: String,
}

/// Chooses the members of a fatbin for SM `sm`: cubins for it, else those for the newest SM that
/// links there, else the newest PTX and bitcode that run there. If the number is not determined
/// yet, the first fatbin determines it; it must then be for one architecture. Bitcode does not
/// determine it: it may be for a variant, which it names inside.
fn choose(
    name: &str,
    members: &[Member<'_>],
    target: Option<&'static Target>,
    sm: &mut Option<u32>,
) -> Result<Vec<Chosen>, Box<Diagnostic>> {
    let of_kind = |kind: Kind| members.iter().filter(move |m| m.kind == kind);
    let compiled = || members.iter().filter(|m| matches!(m.kind, Kind::Ptx | Kind::Bitcode));
    let mut numbers: Vec<u32> = of_kind(Kind::Cubin).map(|m| m.sm).collect();
    if numbers.is_empty() {
        numbers = compiled().map(|m| m.sm).filter(|&sm| sm != 0).collect();
    }
    numbers.sort_unstable();
    numbers.dedup();
    let wanted = match (*sm, &numbers[..]) {
        (Some(sm), _) => sm,
        (None, [one]) => *one,
        (None, []) => 0,
        (None, several) => {
            let list: Vec<String> = several.iter().map(|sm| format!("sm_{sm}")).collect();
            let message = format!("'{name}' has code for {}", list.join(", "));
            return Err(Box::new(Diagnostic::fatal(codes::E0024, message).help("select one with --arch")));
        }
    };
    // A fatbin has a member for each pair of source and architecture.
    let links = |sm: u32| match (u16::try_from(sm), u16::try_from(wanted)) {
        (Ok(sm), Ok(wanted)) => raddle_target::links_into(sm, wanted),
        _ => false,
    };
    let newest = of_kind(Kind::Cubin).map(|m| m.sm).filter(|&sm| links(sm)).max();
    let mut fitting: Vec<&Member<'_>> = of_kind(Kind::Cubin).filter(|m| Some(m.sm) == newest).collect();
    let runs = |m: &&Member<'_>| match target {
        Some(target) => unpack::runs(target, m),
        None => m.sm == wanted || m.suffix.is_empty() && m.sm < wanted,
    };
    if fitting.is_empty()
        && let Some(newest) = compiled().filter(runs).map(|m| (m.sm, m.suffix)).max()
    {
        fitting = compiled().filter(|m| m.sm == 0 || (m.sm, m.suffix) == newest).collect();
    }
    if fitting.is_empty() {
        if let Some(lto) = members.iter().find(|m| m.kind == Kind::LtoIr) {
            let message = format!("'{name}': {}", FatbinError::LtoIr(lto.sm));
            return Err(Box::new(Diagnostic::fatal(codes::E0069, message)));
        }
        let have: Vec<String> = members.iter().map(Member::describe).collect();
        let message = format!("'{name}' has no cubin for sm_{wanted}; it has {}", have.join(", "));
        return Err(Box::new(Diagnostic::fatal(codes::E0069, message)));
    }
    if fitting.iter().any(|m| m.kind != Kind::Bitcode) {
        *sm = Some(wanted);
    }
    let contents = fitting
        .into_iter()
        .map(|m| Ok(Chosen { kind: m.kind, bytes: m.contents()?, options: m.options.unwrap_or("").to_owned() }));
    contents
        .collect::<Result<_, FatbinError>>()
        .map_err(|error| Box::new(Diagnostic::fatal(codes::E0005, format!("'{name}': {error}"))))
}

/// The workers of a pool for the linker; each holds a permit while it works.
#[derive(Debug)]
pub struct Threads {
    config: Config,
}

impl Threads {
    /// Workers as configured by `config`, at most as many as there are CPUs.
    pub fn new(mut config: Config) -> Threads {
        let cpus = raddle_jobs::cpus::available();
        config.workers = if config.workers == 0 { cpus } else { config.workers.min(cpus) };
        Threads { config }
    }
}

/// Bytes of input below which a link runs on one thread: linking 512 small objects takes 48 ms on
/// two threads and 40 ms on one, and each thread needs its own memory.
const ALONE: usize = 16 << 20;

impl Threads {
    /// The same workers for a link of these files; a single one where more are not worth starting.
    pub fn for_files(mut self, files: &[Loaded]) -> Threads {
        if files.iter().map(|file| file.bytes.len()).fold(0, usize::saturating_add) < ALONE {
            self.config.workers = 1;
        }
        self
    }
}

impl Executor for Threads {
    fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync)) {
        let workers = self.config.workers_for(n);
        if workers < 2 {
            return Serial.run(n, piece);
        }
        let next = AtomicUsize::new(0);
        let take = || loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= n {
                break;
            }
            piece(i);
        };
        let panicked = scope(&self.config, workers, |pool| {
            for number in 0..workers {
                pool.submit(0, format!("link {number}"), |_| take());
            }
            pool.seal();
            let mut panicked = None;
            while let Some(finished) = pool.next_finished() {
                if let Outcome::Panicked(panic) = finished.outcome {
                    panicked = Some(panic);
                }
            }
            panicked
        });
        // No thread could be started, or a worker was stopped: the rest is done here.
        take();
        if let Ok(Some(panic)) = panicked {
            std::panic::resume_unwind(Box::new(panic.message));
        }
    }
}

/// Converts a linker problem to a diagnostic; `readable` demangles symbols.
pub fn diagnostic(problem: Problem, readable: &dyn Fn(&str) -> String) -> Diagnostic {
    let user = if let Problem::Undefined { at, .. } = &problem { at.user.clone() } else { String::new() };
    let problem = problem.with_names(readable);
    let message = problem.to_string();
    match problem {
        Problem::Unreadable { .. } | Problem::Malformed { .. } | Problem::Relocation { .. } => {
            Diagnostic::fatal(codes::E0060, message)
        }
        Problem::Executable { .. } => {
            Diagnostic::fatal(codes::E0061, message).help("compile it as a relocatable object: ptxas -c, nvcc -dc")
        }
        Problem::Placed { .. } => Diagnostic::fatal(codes::E0061, message)
            .help("link the objects it was made of, or make it with raddle link -r"),
        Problem::Container { .. } => {
            Diagnostic::fatal(codes::E0061, message).help("compile it again with CUDA 12 or 13")
        }
        Problem::Architecture { reason, .. } => Diagnostic::fatal(codes::E0062, message)
            .note(format!("the architecture is that of {reason}"))
            .help("compile the object for the architecture of the link"),
        Problem::Finalizer { .. } | Problem::Kind { .. } => Diagnostic::fatal(codes::E0063, message),
        Problem::Duplicate { .. } => {
            Diagnostic::error(codes::E0064, message).help("make one of them weak or private, or leave an object out")
        }
        Problem::Kinds { .. } => Diagnostic::error(codes::E0064, message),
        Problem::Undefined { at, others, similar, .. } => {
            let mut out = Diagnostic::error(codes::E0065, message).in_function(user);
            if let Some((file, line)) = at.line {
                out = out.note(format!("used at {file}:{line}"));
            }
            if !others.is_empty() {
                out = out.note(format!("also used in {}", others.join(", ")));
            }
            match similar {
                Some(name) => out.help(format!("a symbol of a similar name is defined: {name}")),
                None => out.help("add the object or library that defines it"),
            }
        }
        Problem::Registers { .. } => Diagnostic::error(codes::E0066, message),
        Problem::TooMuch { .. } => Diagnostic::error(codes::E0067, message),
        Problem::Nothing => Diagnostic::fatal(codes::E0003, message),
        Problem::NoSymbol(_) => Diagnostic::fatal(codes::E0071, message),
    }
}

/// The number of kernels that a warning lists by name.
const LISTED: usize = 8;

/// Converts the warnings of the linker to diagnostics. Recursion is reported once for each cycle of
/// calls, however many kernels reach it (DRV-17).
pub fn warnings(found: &[Warning], readable: &dyn Fn(&str) -> String) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    for warning in found {
        let message = warning.clone().with_names(readable).to_string();
        match warning {
            Warning::NoCallee { caller } => {
                out.push(Diagnostic::warning(codes::E0072, message).in_function(caller));
            }
            Warning::Stack { function, .. } if told.contains(&&**function) => {}
            Warning::Stack { kernel, function } => {
                told.push(function);
                let same = found.iter().filter_map(|other| match other {
                    Warning::Stack { kernel, function: f } if f == function => Some(readable(kernel)),
                    _ => None,
                });
                let kernels: Vec<String> = same.collect();
                out.push(match kernels.len() {
                    1 => Diagnostic::warning(codes::E0068, message).in_function(kernel),
                    n => recursion(n, &kernels, &readable(function)),
                });
            }
        }
    }
    out
}

/// The warning that several kernels reach a recursive function.
fn recursion(n: usize, kernels: &[String], function: &str) -> Diagnostic {
    let message = format!("the stack size of {n} kernels is unknown: {function} is recursive");
    let more = if n > LISTED { format!(" and {} others", n - LISTED) } else { String::new() };
    let names = kernels.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    Diagnostic::warning(codes::E0068, message).note(format!("the kernels are {names}{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recursion_is_told_once_for_each_cycle_of_calls() {
        let stack = |kernel: &str, function: &str| Warning::Stack { kernel: kernel.into(), function: function.into() };
        let mut found: Vec<Warning> = (0..10).map(|n| stack(&format!("k{n}"), "f")).collect();
        found.insert(3, Warning::NoCallee { caller: "c".into() });
        found.push(stack("alone", "g"));
        let said = warnings(&found, &|name| name.to_uppercase());
        let messages: Vec<&str> = said.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages[0], "the stack size of 10 kernels is unknown: F is recursive");
        assert_eq!(said[0].notes, ["the kernels are K0, K1, K2, K3, K4, K5, K6, K7 and 2 others"]);
        assert!(messages[1].starts_with("C has an indirect call"), "{messages:?}");
        assert_eq!(messages[2], "the stack size of kernel ALONE is unknown: G is recursive");
        assert_eq!((said.len(), said[2].function.as_deref()), (3, Some("alone")));
    }
}
