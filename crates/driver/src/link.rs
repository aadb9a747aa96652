//! `raddle link`: files to inputs, problems to diagnostics, work to the pool.
//!
//! [`load`] maps the files and takes them apart until there are cubins: archives into members, host objects and fatbins into the
//! member for the architecture. Cubins that lie in a file as they are are not copied; archives inside of archives are not looked
//! into. [`Threads`] lends the linker the workers of a pool, each with a token of the make above us.

use crate::codes;
use crate::map::Bytes;
use raddle_diag::Diagnostic;
use raddle_entity::{Executor, Serial, map};
use raddle_fatbin::{FatbinError, Kind, Member};
use raddle_jobs::pool::scope;
use raddle_jobs::{Config, Outcome};
use raddle_link::objects::{Input, Problem, Warning};
use raddle_target::Target;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A cubin to link.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The path; in parentheses the member it was.
    pub name: String,
    /// The cubin.
    pub bytes: Bytes,
    /// Member of an archive.
    pub library: bool,
}

impl Loaded {
    /// As the linker takes it.
    pub fn input(&self) -> Input<'_> {
        Input { name: &self.name, bytes: &self.bytes, library: self.library }
    }
}

/// What is read.
#[derive(Clone, Copy, Debug)]
pub struct Files<'r> {
    /// Files in the order given.
    pub paths: &'r [String],
    /// Folders with libraries.
    pub library_paths: &'r [PathBuf],
    /// Names of libraries.
    pub libraries: &'r [String],
    /// The architecture, if it was given.
    pub target: Option<&'static Target>,
}

/// ELF's number for cubins; any other is a host object.
const EM_CUDA: [u8; 2] = [190, 0];

fn is_cubin(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") && bytes.get(18..20) == Some(&EM_CUDA)
}

/// SM number of a cubin, 0 for one that cannot be read: the linker says so.
fn sm_of(bytes: &[u8]) -> u32 {
    raddle_cubin::raw::Raw::parse(bytes).map_or(0, |raw| raw.header.sm().into())
}

/// Reads all files. The errors of all of them are listed.
pub fn load(files: Files<'_>, executor: &dyn Executor) -> Result<Vec<Loaded>, Vec<Diagnostic>> {
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
    // What a fatbin is asked for is what the first cubin is for, if nobody says it.
    if sm.is_none() {
        sm = contents.iter().filter_map(|c| c.as_ref().ok()).find(|c| is_cubin(c)).map(|c| sm_of(c));
    }
    let mut out = Vec::new();
    for (path, contents) in paths.iter().zip(contents) {
        let name = path.display().to_string();
        match contents {
            Ok(bytes) => expand(name, bytes, false, &mut sm, &mut out, &mut problems),
            Err(error) => problems.push(Diagnostic::fatal(codes::E0001, format!("cannot read '{name}': {error}"))),
        }
    }
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

fn read_all(paths: &[PathBuf], executor: &dyn Executor) -> Vec<std::io::Result<Bytes>> {
    map(paths.len(), executor, |i| Bytes::read(&paths[i]))
}

/// Takes a file apart into cubins.
fn expand(
    name: String,
    bytes: Bytes,
    library: bool,
    sm: &mut Option<u32>,
    out: &mut Vec<Loaded>,
    problems: &mut Vec<Diagnostic>,
) {
    if is_cubin(&bytes) {
        out.push(Loaded { name, bytes, library });
        return;
    }
    let damaged = |error: &FatbinError| Diagnostic::fatal(codes::E0005, format!("'{name}': {error}"));
    match raddle_fatbin::container::archive(&bytes) {
        Ok(Some(members)) => {
            for (member, contents) in members {
                // Host objects without device code, symbol tables and the like are no business of ours.
                let is_ours = is_cubin(contents) || raddle_fatbin::members(contents).is_ok();
                if is_ours
                    && !raddle_fatbin::container::is_archive(contents)
                    && let Some(contents) = bytes.part(contents)
                {
                    expand(format!("{name}({member})"), contents, true, sm, out, problems);
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
        Ok(members) => match choose(&name, &members, sm) {
            Ok(cubins) => {
                out.extend(cubins.into_iter().map(|bytes| Loaded { name: name.clone(), bytes: bytes.into(), library }));
            }
            Err(diagnostic) => problems.push(*diagnostic),
        },
        Err(FatbinError::Unknown)
            if bytes.trim_ascii_start().starts_with(b".version")
                || memchr::memmem::find(&bytes[..bytes.len().min(1 << 16)], b".version").is_some() =>
        {
            let message = format!("'{name}' is PTX");
            problems.push(Diagnostic::fatal(codes::E0069, message).help(format!("assemble it first: ptxas -c {name}")));
        }
        Err(FatbinError::Unknown) => {
            let message = format!("'{name}' is no cubin, no fatbin, and no object or archive with one inside");
            problems.push(Diagnostic::fatal(codes::E0005, message));
        }
        Err(error) => problems.push(damaged(&error)),
    }
}

/// The cubins of a fatbin for SM `sm`. The first fatbin decides if nobody has: it must be for one architecture.
fn choose(name: &str, members: &[Member<'_>], sm: &mut Option<u32>) -> Result<Vec<Vec<u8>>, Box<Diagnostic>> {
    let cubins: Vec<&Member<'_>> = members.iter().filter(|m| m.kind == Kind::Cubin).collect();
    let mut numbers: Vec<u32> = cubins.iter().map(|m| m.sm).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let wanted = match (*sm, &numbers[..]) {
        (Some(sm), _) => sm,
        (None, [one]) => *one,
        (None, []) => 0,
        (None, several) => {
            let list: Vec<String> = several.iter().map(|sm| format!("sm_{sm}")).collect();
            let message = format!("'{name}' has code for {}", list.join(", "));
            return Err(Box::new(Diagnostic::fatal(codes::E0024, message).help("say with --arch which to link for")));
        }
    };
    // A fatbin has a member per source and architecture.
    let fitting: Vec<&&Member<'_>> = cubins.iter().filter(|m| m.sm == wanted).collect();
    if fitting.is_empty() {
        if let Some(lto) = members.iter().find(|m| m.kind == Kind::LtoIr) {
            let message = format!("'{name}': {}", FatbinError::LtoIr(lto.sm));
            return Err(Box::new(Diagnostic::fatal(codes::E0069, message)));
        }
        let have: Vec<String> = members.iter().map(|m| format!("{} for sm_{}", m.kind.name(), m.sm)).collect();
        let message = format!("'{name}' has no cubin for sm_{wanted}; it has {}", have.join(", "));
        return Err(Box::new(Diagnostic::fatal(codes::E0069, message)));
    }
    *sm = Some(wanted);
    let contents = fitting.into_iter().map(|m| m.contents());
    contents
        .collect::<Result<_, _>>()
        .map_err(|error| Box::new(Diagnostic::fatal(codes::E0005, format!("'{name}': {error}"))))
}

/// Workers of a pool for the linker: each holds a permit while it works.
#[derive(Debug)]
pub struct Threads {
    config: Config,
}

impl Threads {
    /// Workers as `config` says, at most as many as there are CPUs.
    pub fn new(mut config: Config) -> Threads {
        let cpus = raddle_jobs::cpus::available();
        config.workers = if config.workers == 0 { cpus } else { config.workers.min(cpus) };
        Threads { config }
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
        // No thread could be had, or a worker was sent home: what is left is done here.
        take();
        if let Ok(Some(panic)) = panicked {
            std::panic::resume_unwind(Box::new(panic.message));
        }
    }
}

/// A problem of the linker as it is shown; `readable` turns symbols into what people wrote.
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
        Problem::Container { .. } => Diagnostic::fatal(codes::E0061, message).help("compile it again with CUDA 13"),
        Problem::Architecture { reason, found, .. } => Diagnostic::fatal(codes::E0062, message)
            .note(format!("the architecture is that of {reason}"))
            .help(format!("compile the object again, or link for sm_{found} what is for sm_{found}")),
        Problem::Finalizer { .. } => Diagnostic::fatal(codes::E0063, message),
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
                None => out.help("name the object or library that defines it"),
            }
        }
        Problem::Registers { .. } => Diagnostic::error(codes::E0066, message),
        Problem::TooMuch { .. } => Diagnostic::error(codes::E0067, message),
        Problem::Nothing => Diagnostic::fatal(codes::E0003, message),
        Problem::NoSymbol(_) => Diagnostic::fatal(codes::E0071, message),
    }
}

/// A warning of the linker as it is shown.
pub fn warning(warning: Warning, readable: &dyn Fn(&str) -> String) -> Diagnostic {
    let message = warning.clone().with_names(readable).to_string();
    match warning {
        Warning::Stack { kernel, .. } => Diagnostic::warning(codes::E0068, message).in_function(kernel),
        Warning::NoCallee { caller } => Diagnostic::warning(codes::E0072, message).in_function(caller),
    }
}
