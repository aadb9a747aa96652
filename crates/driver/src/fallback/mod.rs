//! `--fallback=ptxas[:PATH]`: a kernel that our code generator cannot do is assembled by the user's ptxas and linked in.
//!
//! The kernel's closure is printed as a module of its own (D9) and given to ptxas in the task that would have compiled it:
//! the same worker, the same job token, so that `-j` bounds both. A tool that would work on more threads finds slots that no
//! kernel needs through MAKEFLAGS ([`raddle_jobs::server`]). What comes back is taken apart into a unit object
//! (`raddle_link::import`) and goes the way of all units. A closure without variables in global or constant memory is
//! assembled as an executable: its code is the one ptxas itself would have put into the cubin. Otherwise ptxas makes
//! a relocatable object, and the variables are described by us, as for our own kernels, so that both mean the same ones. What is for a linker of
//! objects ([`UnitPlan::relocatable`]), kernel or function, becomes such an object in any case: functions that stay functions are declared in it, and
//! called by the platform's convention, whoever made them.
//!
//! An architecture without machine code of ours is another matter: code for sm_100 and later has a second form that only NVIDIA's
//! linker puts together, so that the whole module goes to ptxas, and what it writes is the output (`whole.rs`).
//!
//! What ptxas takes is on the account of its kernel: a kernel that turns out to need it queues again with what ptxas is expected to take
//! ([`Closure::needs`]), and what it took is remembered for the next build ([`crate::history`]).
//!
//! Invariants: nothing depends on when a ptxas ends or how many run; what a ptxas does wrong (a failure, a crash, no end,
//! nonsense for output) is an error of its kernel.

mod debug;
pub(crate) mod whole;

use crate::codes;
use crate::plan::{Module, UnitPlan, name_span};
use crate::unit::{Compiled, Shared};
use raddle_cubin::unit::{SymbolId, UnitObject};
use raddle_cubin::{Cubin, ReadError};
use raddle_diag::{Diagnostic, Diags};
use raddle_ir::CodegenOptions;
use raddle_jobs::children::Took;
use raddle_jobs::server::Server;
use raddle_jobs::signals::OnSignal;
use raddle_jobs::{Task, children};
use raddle_link::ImportError;
use raddle_ptx::{Body, FuncId, Outline, Space};
use raddle_target::Target;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// Which assembler does what we cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub ptxas: PathBuf,
    /// How long one kernel may take.
    pub limit: Duration,
    /// Options for whole modules for an architecture without machine code of ours.
    pub options: Vec<String>,
}

/// How long ptxas may take for one kernel when nobody says otherwise.
const LIMIT: Duration = Duration::from_secs(1800);

/// The largest cubin that is read back.
const MOST: u64 = 1 << 30;

impl FromStr for Fallback {
    type Err = String;

    /// `ptxas` or `ptxas:PATH`.
    fn from_str(text: &str) -> Result<Self, String> {
        let ptxas = match text.split_once(':') {
            None if text == "ptxas" => "ptxas",
            Some(("ptxas", path)) if !path.is_empty() => path,
            _ => return Err("expected ptxas or ptxas:PATH".to_owned()),
        };
        Ok(Fallback { ptxas: ptxas.into(), limit: LIMIT, options: Vec::new() })
    }
}

/// Why a kernel could not be assembled.
#[derive(Debug, thiserror::Error)]
pub enum FallbackError {
    /// A file of ours could not be written or read.
    #[error("{0}: {1}")]
    File(&'static str, std::io::Error),
    /// The program does not start.
    #[error("'{}' cannot be started: {error}", .program.display())]
    Start {
        /// What was started.
        program: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// It ended with an error or by a signal.
    #[error("ptxas ended with {status}")]
    Failed {
        /// Exit code or signal.
        status: ExitStatus,
        /// What it printed.
        text: String,
    },
    /// It did not end.
    #[error("ptxas did not end within {} s", .0.as_secs_f64())]
    Hung(Duration),
    /// The compilation was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// What it wrote is no cubin.
    #[error("ptxas wrote no cubin: {0}")]
    Unreadable(#[from] ReadError),
    /// What it wrote is more than a cubin may be.
    #[error("ptxas wrote {0} bytes")]
    Huge(u64),
    /// What it wrote cannot be linked.
    #[error("what ptxas wrote cannot be linked: {0}")]
    Import(#[from] ImportError),
    /// It is not the file that was asked for.
    #[error("ptxas wrote a file for sm_{found}, or of another kind, and not one for {wanted}")]
    Other {
        /// SM number in the file.
        found: u16,
        /// Architecture that was asked for.
        wanted: &'static str,
    },
    /// The kernel is not in it.
    #[error("what ptxas wrote has no kernel or function of this name")]
    Missing,
    /// A variable that cannot be described.
    #[error("variable '{0}': {1}")]
    Variable(String, String),
}

impl FallbackError {
    /// What the program printed, the first lines.
    fn lines(&self) -> impl Iterator<Item = &str> {
        let text = if let FallbackError::Failed { text, .. } = self { text } else { "" };
        text.lines().filter(|line| !line.trim().is_empty()).take(8)
    }
}

/// Memory that ptxas takes for a module: to begin with, and for a statement of its text. "ptxas 13.0.88 output", 224 modules of the corpus
/// and of producers for sm_75 to sm_90: 23.2 to 66.3 MiB, of which two took more than this model says, by at most 18 %, and none
/// less than 46 % of it; made kernels of 20,000 and 28,000 statements took 110 and 182 MiB, 41 and 50 % of it.
const TOOL: u64 = 32 << 20;
const STATEMENT: u64 = 12 << 10;
/// It takes more than this for the smallest module. A unit that took less was not assembled by it the last time.
const LEAST: u64 = 20 << 20;

/// What ptxas is to assemble for a unit.
pub(crate) struct Closure {
    ptx: String,
}

impl Closure {
    /// The closure of a unit as a module of its own.
    pub(crate) fn of(shared: &Shared<'_>, unit: &UnitPlan) -> Closure {
        let module = &shared.modules[unit.module];
        // Errors of the bodies were found where they are units of their own.
        let mut unheard = Diags::new();
        let (text, outline) = (&module.text, &module.outline);
        let ptx = match module.apart.as_ref().filter(|_| unit.relocatable) {
            Some(apart) => {
                let called = |id: FuncId| apart.called.contains(&id);
                raddle_ptx::extract_object(text, module.file, outline, unit.func, &called, &mut unheard)
            }
            None => raddle_ptx::extract(text, module.file, outline, unit.func, &mut unheard),
        };
        Closure { ptx }
    }

    /// Bytes that ptxas will take for it: what it took the last time, or what its text says.
    pub(crate) fn needs(&self, unit: &UnitPlan) -> u64 {
        if unit.measured && unit.bytes > LEAST { unit.bytes } else { tool_bytes(&self.ptx) }
    }
}

/// Bytes that ptxas may take for a module.
fn tool_bytes(ptx: &str) -> u64 {
    TOOL + memchr::memchr_iter(b';', ptx.as_bytes()).count() as u64 * STATEMENT
}

/// Assembles a unit that was refused with the findings `refused`; adds to `compiled` the object, what was done and why, and what it took.
pub(crate) fn compile(
    fallback: &Fallback,
    shared: &Shared<'_>,
    unit: &UnitPlan,
    (closure, refused): (Closure, Vec<Diagnostic>),
    task: &mut Task,
    compiled: &mut Compiled,
) {
    let module = &shared.modules[unit.module];
    let at_name = |d: Diagnostic| d.at(name_span(module, unit.func), "").in_function(&*unit.name);
    match task.phase("ptxas", |task| assemble(fallback, shared, unit, closure, task)) {
        Ok((object, took)) => {
            tell(&refused, shared, unit, compiled);
            (compiled.object, compiled.fallback) = (Some(object), true);
            (compiled.peak, compiled.tool_cpu) = (compiled.peak.max(took.most), took.cpu);
        }
        Err(error) => {
            compiled.diags.extend(refused);
            let said = at_name(Diagnostic::error(codes::E0034, error.to_string()));
            compiled.diags.push(error.lines().fold(said, Diagnostic::note));
        }
    }
}

/// Says that a unit was assembled by ptxas, now or when the cache was filled, and why.
pub(crate) fn tell(refused: &[Diagnostic], shared: &Shared<'_>, unit: &UnitPlan, compiled: &mut Compiled) {
    let reasons: Vec<String> = refused.iter().map(|d| d.message.clone()).collect();
    let at = name_span(&shared.modules[unit.module], unit.func);
    let said = Diagnostic::info(codes::E0035, format!("'{}' was assembled by ptxas", unit.name));
    let said = said.at(at, "").in_function(&*unit.name);
    compiled.diags.push(summary(&reasons).into_iter().fold(said, Diagnostic::note));
}

/// Each reason once, with how often, at most eight.
fn summary(reasons: &[String]) -> Vec<String> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for reason in reasons {
        match counted.iter_mut().find(|c| c.0 == reason) {
            Some(c) => c.1 += 1,
            None => counted.push((reason, 1)),
        }
    }
    let more = counted.len().saturating_sub(8);
    let line = |&(reason, n): &(&str, usize)| if n > 1 { format!("{reason} ({n} times)") } else { reason.to_owned() };
    let mut out: Vec<String> = counted.iter().take(8).map(line).collect();
    if more > 0 {
        out.push(format!("and {more} other reasons"));
    }
    out
}

fn assemble(
    fallback: &Fallback,
    shared: &Shared<'_>,
    unit: &UnitPlan,
    Closure { ptx }: Closure,
    task: &mut Task,
) -> Result<(UnitObject, Took), FallbackError> {
    let module = &shared.modules[unit.module];
    let outline = raddle_ptx::outline(&ptx, module.file, &mut Diags::new());
    let relocatable = unit.relocatable || needs_linking(&outline);
    let options = shared.options_of(unit);
    let arguments = arguments(shared.target, &options, relocatable);
    let mut ptx = without_debug(ptx);
    let names = options.debug.then(|| debug::Names::of(module, unit.func));
    ptx.extend(names.iter().map(debug::Names::section));
    let (bytes, took) = run(fallback, &ptx, &arguments, shared.server, task)?;
    let cubin = Cubin::parse(&bytes)?;
    let known = |name: &str| {
        let global = module.outline.symbol(name);
        let Some(raddle_ptx::Symbol::Global(id)) = global else { return false };
        let space = module.outline.globals[id].var.space;
        in_memory(space) || unit.relocatable && space == Space::Shared
    };
    let mut object = raddle_link::import(&cubin, shared.target, &known)?;
    let own = object.functions.iter_mut().find(|f| object.symbols.name(f.name) == Some(&*unit.name));
    let Some(own) = own else { return Err(FallbackError::Missing) };
    own.debug = names.map(|names| names.places(&cubin, own.code.len()));
    let data = raddle_lower::named(&module.text, &module.outline, &raddle_link::undefined(&object), unit.relocatable);
    let data = data.map_err(|refused| match refused.into_iter().next() {
        Some(first) => FallbackError::Variable(first.name, first.why),
        None => FallbackError::Missing,
    })?;
    raddle_codegen::add_data(&mut object, &data);
    if unit.relocatable {
        join(&mut object, module, unit, &ptx, &outline);
    }
    object.module = unit.module as u32;
    Ok((object, took))
}

/// Adds what linkers of objects want to know of functions: the types of those that are named and of those that are called by address, and who
/// may call this one.
fn join(object: &mut UnitObject, module: &Module, unit: &UnitPlan, ptx: &str, outline: &Outline) {
    let declared = &module.outline.funcs[unit.func];
    let named: Vec<String> = raddle_link::undefined(object).into_iter().map(str::to_owned).collect();
    for name in named.iter().chain([&declared.name.to_string()]) {
        if let Some(text) = raddle_lower::function_type(&module.outline, name) {
            let name = object.symbols.intern(name);
            object.types.push((name, text));
        }
    }
    let with_body = outline.funcs.iter().filter(|(_, func)| func.body.is_some());
    let read = |(id, _)| raddle_ptx::parse_body(ptx, module.file, outline, id, &mut Diags::new());
    let bodies: Vec<Body> = with_body.map(read).collect();
    let indirect = raddle_lower::indirect_types(outline, bodies.iter());
    let aliases: Vec<SymbolId> = module.outline.aliases_of(unit.func).map(|name| object.symbols.intern(name)).collect();
    let own = object.functions.iter_mut().find(|f| object.symbols.name(f.name) == Some(&*unit.name));
    if let Some(own) = own {
        own.indirect = indirect;
        if unit.function {
            own.linkage = raddle_codegen::linkage(raddle_lower::linkage(declared.linkage));
            own.aliases = aliases;
        }
    }
}

fn in_memory(space: Space) -> bool {
    matches!(space, Space::Global | Space::Const)
}

/// Whether a closure shares something with other units: then its code must not be final.
fn needs_linking(outline: &Outline) -> bool {
    let outside = |id: FuncId| outline.funcs[id].body.is_none() && !outline.funcs[id].entry;
    let declared_only = |id: FuncId| outside(id) && outline.func(&outline.funcs[id].name) == Some(id);
    outline.globals.values().any(|g| in_memory(g.var.space)) || outline.funcs.keys().any(declared_only)
}

/// A module without `debug` in its `.target`, which asks ptxas for debug information whatever the options say.
fn without_debug(ptx: String) -> String {
    match ptx.find("\n.address_size") {
        Some(end) if ptx[..end].contains(", debug") => ptx[..end].replace(", debug", "") + &ptx[end..],
        _ => ptx,
    }
}

/// The options that change bytes, in ptxas' words.
fn arguments(target: &Target, options: &CodegenOptions, relocatable: bool) -> Vec<String> {
    let mut out =
        vec![format!("-arch={}", target.name), format!("-O{}", options.opt as u8), format!("-fmad={}", options.fmad)];
    out.extend(options.maxrregcount.map(|n| format!("-maxrregcount={n}")));
    out.extend(options.debug.then(|| "-g".to_owned()));
    out.extend((!options.lineinfo).then(|| "-suppress-debug-info".to_owned()));
    out.extend((options.lineinfo && !options.debug).then(|| "-lineinfo".to_owned()));
    out.extend(relocatable.then(|| "-c".to_owned()));
    out.extend(options.cache_words().map(|rule| format!("--{rule}")));
    out
}

/// What the program makes of a module, in a temporary folder that goes away with it.
fn run(
    fallback: &Fallback,
    ptx: &str,
    arguments: &[String],
    server: Option<&Arc<Server>>,
    task: &Task,
) -> Result<(Vec<u8>, Took), FallbackError> {
    let folder = tempfile::tempdir().map_err(|e| FallbackError::File("no temporary folder", e))?;
    let doomed = folder.path().to_owned();
    let guard = OnSignal::new(move || drop(fs::remove_dir_all(doomed)));
    let bytes = Run { fallback, folder: folder.path(), server, task }.ptxas(ptx, arguments);
    drop(guard);
    bytes
}

/// One run of the program.
struct Run<'a> {
    fallback: &'a Fallback,
    folder: &'a Path,
    server: Option<&'a Arc<Server>>,
    task: &'a Task,
}

impl Run<'_> {
    fn ptxas(&self, ptx: &str, arguments: &[String]) -> Result<(Vec<u8>, Took), FallbackError> {
        let [input, output, messages] = ["in.ptx", "out.cubin", "messages"].map(|name| self.folder.join(name));
        let file = |what| move |e| FallbackError::File(what, e);
        fs::write(&input, ptx).map_err(file("the kernel cannot be written"))?;
        let said = File::create(&messages).map_err(file("the messages cannot be written"))?;
        let also = said.try_clone().map_err(file("the messages cannot be written"))?;
        let mut command = Command::new(&self.fallback.ptxas);
        command.args(arguments).arg(&input).arg("-o").arg(&output);
        // It runs on our token and must take no other but those that we lend.
        command.env_remove("MAKEFLAGS").stdin(Stdio::null()).stdout(said).stderr(also);
        let slots = self.server.map(|server| server.admit(&mut command));
        let start = |error| FallbackError::Start { program: self.fallback.ptxas.clone(), error };
        let own = children::peak(None);
        let mut child = command.spawn().map_err(start)?;
        let killer = OnSignal::new(children::killer(&child));
        let (status, seen) = self.watch(&child);
        if status.is_err() {
            // Fails only for a child that is gone.
            drop(child.kill());
        }
        // No number is reused before this: whoever kills by it until then hits nobody else.
        let ended = killer.commit(|| children::reap(child));
        drop(slots);
        status?;
        let (status, mut took) = ended.map_err(|e| FallbackError::File("ptxas is lost", e))?;
        // What the system says is never less than what we had ourselves.
        if own.is_none_or(|own| took.most <= own) {
            took.most = seen;
        }
        if !status.success() {
            let text = fs::read(&messages).unwrap_or_default();
            return Err(FallbackError::Failed { status, text: String::from_utf8_lossy(&text).into_owned() });
        }
        let size = fs::metadata(&output).map_err(file("ptxas wrote nothing"))?.len();
        if size > MOST {
            return Err(FallbackError::Huge(size));
        }
        Ok((fs::read(&output).map_err(file("the result cannot be read"))?, took))
    }

    /// Sleeps until the program has ended, and leaves it to the caller to ask how. Gives also the most memory that it was seen to have.
    fn watch(&self, child: &Child) -> (Result<(), FallbackError>, u64) {
        let mut seen = LEAST;
        let mut look = || seen = seen.max(children::peak(Some(child)).unwrap_or(0));
        let ended = children::ended_watched(child, self.task.cancel(), self.fallback.limit, &mut look);
        let ended = match ended {
            Ok(Some(true)) => Ok(()),
            Ok(Some(false)) => Err(FallbackError::Cancelled),
            Ok(None) => Err(FallbackError::Hung(self.fallback.limit)),
            Err(error) => Err(FallbackError::File("ptxas is lost", error)),
        };
        (ended, seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_names_a_program() {
        assert_eq!("ptxas".parse::<Fallback>().unwrap().ptxas, Path::new("ptxas"));
        assert_eq!("ptxas:/a:b".parse::<Fallback>().unwrap().ptxas, Path::new("/a:b"));
        for wrong in ["", "nvcc", "ptxas:", "ptxas2"] {
            assert!(wrong.parse::<Fallback>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_kernel_alone_has_nothing_to_debug() {
        let text = |target: &str| format!(".version 9.0\n.target {target}\n.address_size 64\n// , debug\n");
        assert_eq!(without_debug(text("sm_90a, debug")), text("sm_90a"));
        assert_eq!(without_debug(text("sm_90, texmode_independent")), text("sm_90, texmode_independent"));
    }

    #[test]
    fn reasons_are_counted() {
        let reasons: Vec<String> = ["a", "b", "a"].map(String::from).to_vec();
        assert_eq!(summary(&reasons), ["a (2 times)", "b"]);
    }
}
