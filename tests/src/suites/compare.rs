//! Runs one program in interpreter and simulator, and compares the results.
//!
//! The interpreter runs each launch once. Then for every architecture: our code at -O0 to -O3, that
//! of ptxas at -O0 and -O3, all in the simulator, compared with the interpreter. The expected
//! results of a suite are compared with the interpreter (and so with all that agree with it).

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use raddle_diag::{Class, Diags, FileId};
use raddle_filetest::oracle::Oracle;
use raddle_sim::failure::{Failure, FailureKind};

use super::program::{Program, Run, Runs};
use crate::buffers::{Buffers, UNDEFINED};
use crate::judge::{ARCHS, static_hazards};
use crate::level::Level;
use crate::producers::{Found, Module, brief};
use crate::ptxas::Assembler;
use crate::random::judge::compile;

/// Our optimisation levels.
const LEVELS: [Level; 4] = [Level::O0, Level::O1, Level::O2, Level::O3];
/// The levels of ptxas.
const PTXAS: [&str; 2] = ["-O0", "-O3"];

/// The most instructions of a thread during the search for a launch: a kernel that does not end
/// soon with made-up numbers does not end.
const TRIED: u64 = 1 << 16;
/// Programs between two lines of progress.
const TELL: usize = 20;

/// The subject of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The program itself: whether the interpreter finds undefined behaviour in it.
    Program,
    /// The expected results of the suite.
    Reference,
    /// Our code at a level.
    Ours(Level),
    /// The code of ptxas at a level.
    Ptxas(&'static str),
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The results are the same.
    Same,
    /// The compiler rejects the program: its first message.
    Refused(String),
    /// It could not be run: an instruction without semantics, or no launch.
    Unread(String),
    /// The results differ, or the run fails.
    Wrong(String),
}

/// A verdict with its subject.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Name of the program.
    pub program: String,
    /// Kernel, empty for a verdict on the module.
    pub kernel: String,
    /// The side.
    pub side: Side,
    /// Architecture, empty for [`Side::Program`] and [`Side::Reference`].
    pub arch: &'static str,
    /// The launch, empty if there is only one.
    pub run: String,
    /// The verdict.
    pub verdict: Verdict,
}

/// Tools and options for comparing programs.
#[derive(Clone, Copy, Debug)]
pub struct Tools<'a> {
    /// ptxas, whose code is tested too.
    pub ptxas: Option<&'a Oracle>,
    /// nvdisasm, which must read our code of -O3.
    pub nvdisasm: Option<&'a Oracle>,
    /// Whether our code must be the same on one worker and on two.
    pub twice: bool,
    /// Architectures.
    pub archs: &'a [&'static str],
    /// Whether each program is tested for one of them in turn ([`compare_all`]).
    pub turn: bool,
    /// Our levels.
    pub levels: &'a [Level],
    /// Levels of ptxas.
    pub theirs: &'a [&'static str],
}

impl Tools<'_> {
    /// No outside tools, all architectures and levels.
    pub const NONE: Self =
        Self { ptxas: None, nvdisasm: None, twice: false, archs: ARCHS, turn: false, levels: &LEVELS, theirs: &PTXAS };
}

/// A launch with the buffers of the interpreter.
enum Kernel {
    Own(Box<Run>, Buffers),
    Tried(Box<Found>),
}

impl Kernel {
    fn name(&self) -> &str {
        match self {
            Self::Own(run, _) => &run.kernel,
            Self::Tried(found) => &found.kernel,
        }
    }

    fn run(&self) -> &str {
        match self {
            Self::Own(run, _) => &run.name,
            Self::Tried(_) => "",
        }
    }

    fn judge(&self, cubin: &[u8]) -> Verdict {
        let result = match self {
            Self::Own(run, want) => run.simulate(cubin).map_err(anyhow::Error::from).and_then(|left| left.same(want)),
            Self::Tried(found) => found.judge(cubin),
        };
        let Err(error) = result else { return Verdict::Same };
        let lacks = |f: &Failure| matches!(*f.kind, FailureKind::Unsupported(_) | FailureKind::Load(_));
        let failure = error.downcast_ref::<Failure>();
        let what = one_line(&format!("{error:#}"));
        if failure.is_some_and(lacks) { Verdict::Unread(what) } else { Verdict::Wrong(what) }
    }

    /// Whether code with a hazard leaves other results where registers have what was written last, as
    /// far as the launch is ours.
    fn differs_past_hazards(&self, cubin: &[u8]) -> Option<String> {
        let Self::Own(run, want) = self else { return None };
        let left = run.simulate_past_hazards(cubin).ok()?;
        left.same(want).err().map(|error| one_line(&format!("{error:#}")))
    }
}

/// Text on one line, without the path of temporary files.
fn one_line(text: &str) -> String {
    let word = |word: &str| word.rsplit_once("/k.ptx").map_or(word.to_owned(), |(_, rest)| format!("k.ptx{rest}"));
    text.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// Compares programs, `jobs` at a time; returns the verdicts in the order of the programs.
///
/// # Errors
/// A temporary folder that cannot be made.
pub fn compare_all(programs: &[Program], tools: Tools<'_>, jobs: usize) -> Result<Vec<Seen>> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| -> Result<()> {
        let work = || -> Result<()> {
            let assembler = tools.ptxas.map(Assembler::new).transpose()?;
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let Some(program) = programs.get(n) else { return Ok(()) };
                let archs = if tools.turn { &tools.archs[n % tools.archs.len()..][..1] } else { tools.archs };
                let seen = compare(program, Tools { archs, ..tools }, assembler.as_ref());
                if let Ok(mut all) = all.lock() {
                    all.push((n, seen));
                    if all.len().is_multiple_of(TELL) {
                        eprintln!("{} of {} programs", all.len(), programs.len());
                    }
                }
            }
        };
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    let mut all = all.into_inner().unwrap_or_default();
    all.sort_by_key(|(n, _)| *n);
    Ok(all.into_iter().flat_map(|(_, seen)| seen).collect())
}

/// Compares one program.
pub fn compare(program: &Program, tools: Tools<'_>, assembler: Option<&Assembler<'_>>) -> Vec<Seen> {
    let mut notes = Notes { program: &program.name, seen: Vec::new() };
    let kernels = kernels(program, &mut notes);
    for &arch in tools.archs {
        let text = retarget(&program.text, arch);
        let mut last = None;
        for &level in tools.levels {
            let side = Side::Ours(level);
            match compile(&text, arch, level, 1, None) {
                Err(errors) => {
                    let bad = errors.iter().any(|e| e.class == Class::Internal);
                    let first = errors.first().map_or("no message", |e| e.message.as_str());
                    let text = one_line(first);
                    notes.add("", side, arch, if bad { Verdict::Wrong(text) } else { Verdict::Refused(text) });
                }
                Ok(cubin) => {
                    if let Err(wrong) = static_hazards(&cubin, arch) {
                        notes.add("", side, arch, Verdict::Wrong(one_line(&format!("{wrong:#}"))));
                    }
                    kernels.iter().for_each(|k| notes.ran(k, side, arch, &cubin));
                    last = Some(cubin);
                }
            }
        }
        if let Some(cubin) = last {
            notes.look(&text, arch, &cubin, tools);
        }
        let Some(assembler) = assembler else { continue };
        for &level in tools.theirs {
            match assembler.assemble_at(&text, arch, level) {
                Err(error) => {
                    let text = one_line(&format!("{error:#}"));
                    let died = text.contains("signal:");
                    let verdict = if died { Verdict::Wrong(text) } else { Verdict::Refused(text) };
                    notes.add("", Side::Ptxas(level), arch, verdict);
                }
                Ok(cubin) => {
                    kernels.iter().for_each(|k| notes.ran(k, Side::Ptxas(level), arch, &cubin));
                }
            }
        }
    }
    notes.seen
}

struct Notes<'a> {
    program: &'a str,
    seen: Vec<Seen>,
}

impl Notes<'_> {
    fn add(&mut self, kernel: &str, side: Side, arch: &'static str, verdict: Verdict) {
        let (program, kernel) = (self.program.to_owned(), kernel.to_owned());
        self.seen.push(Seen { program, kernel, side, arch, run: String::new(), verdict });
    }

    fn ran(&mut self, kernel: &Kernel, side: Side, arch: &'static str, cubin: &[u8]) {
        let (program, run) = (self.program.to_owned(), kernel.run().to_owned());
        let verdict = match kernel.judge(cubin) {
            // A distance between instructions that the simulator's tables do not allow, or a
            // correct value that it calls undefined, is as likely a limit of the simulator as a
            // defect, unless the results differ, too; in our own code it is a defect.
            Verdict::Wrong(what)
                if matches!(side, Side::Ptxas(_)) && (what.contains("hazard:") || what.contains(UNDEFINED)) =>
            {
                match kernel.differs_past_hazards(cubin) {
                    Some(differs) => Verdict::Wrong(format!("{differs}; {what}")),
                    None => Verdict::Unread(what),
                }
            }
            verdict => verdict,
        };
        self.seen.push(Seen { program, kernel: kernel.name().to_owned(), side, arch, run, verdict });
    }

    /// Our code of -O3: nvdisasm reads it, and two workers give the same bytes.
    fn look(&mut self, text: &str, arch: &'static str, cubin: &[u8], tools: Tools<'_>) {
        let side = Side::Ours(Level::O3);
        if tools.twice && compile(text, arch, Level::O3, 2, None).ok().as_deref() != Some(cubin) {
            self.add("", side, arch, Verdict::Wrong("other bytes on two workers".to_owned()));
        }
        let Some(nvdisasm) = tools.nvdisasm else { return };
        let read = tempfile::NamedTempFile::new().map_err(anyhow::Error::from).and_then(|file| {
            std::fs::write(file.path(), cubin)?;
            Ok(nvdisasm.run(&[file.path()])?)
        });
        if let Err(error) = read {
            self.add("", side, arch, Verdict::Wrong(one_line(&format!("{error:#}"))));
        }
    }
}

/// The launches that complete in the interpreter; records the others, and the comparison with the
/// suite.
fn kernels(program: &Program, notes: &mut Notes<'_>) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    match &program.runs {
        Runs::Tried => {
            let module = Module { name: program.name.clone(), text: program.text.clone(), steps: TRIED };
            match module.found() {
                Err(error) => notes.add("", Side::Program, "", Verdict::Unread(one_line(&format!("{error:#}")))),
                Ok(found) => {
                    for found in found {
                        match found {
                            Ok(found) if found.races() => {
                                let what =
                                    "its launches race: what it leaves depends on the order of threads".to_owned();
                                notes.add(&found.kernel, Side::Program, "", Verdict::Unread(what));
                            }
                            Ok(found) if !found.warnings().is_empty() => {
                                let what = one_line(&found.warnings().join("; "));
                                notes.add(&found.kernel, Side::Program, "", Verdict::Unread(what));
                            }
                            Ok(found) => match found.other_orders(&program.text) {
                                Some(why) => {
                                    let what = format!("what it leaves depends on the order of threads: {why}");
                                    notes.add(&found.kernel, Side::Program, "", Verdict::Unread(what));
                                }
                                None => {
                                    notes.add(&found.kernel, Side::Program, "", Verdict::Same);
                                    kernels.push(Kernel::Tried(Box::new(found)));
                                }
                            },
                            Err((kernel, why)) => {
                                notes.add(&kernel, Side::Program, "", Verdict::Unread(brief(&why)));
                            }
                        }
                    }
                }
            }
        }
        Runs::Made(runs) => {
            let mut first = None;
            for run in runs {
                match run.interpret(&program.text) {
                    Ok(left) => kernels.push(Kernel::Own(Box::new(run.clone()), left)),
                    Err(why) => first = first.or(Some(why)),
                }
            }
            let why = first.as_ref().map_or("no launch".to_owned(), brief);
            let verdict = if kernels.is_empty() { Verdict::Wrong(why) } else { Verdict::Same };
            notes.add("", Side::Program, "", verdict);
        }
        Runs::Specified(runs) => {
            for run in runs {
                let left = match run.interpret(&program.text) {
                    Ok(left) => left,
                    Err(why) => {
                        let lacks = matches!(*why.kind, FailureKind::Unsupported(_) | FailureKind::Load(_));
                        let what = brief(&why);
                        let verdict = if lacks { Verdict::Unread(what) } else { Verdict::Wrong(what) };
                        notes.add(&run.kernel, Side::Program, "", verdict);
                        continue;
                    }
                };
                notes.add(&run.kernel, Side::Program, "", Verdict::Same);
                if let Some(expected) = &run.expected {
                    let held = expected.check(&left);
                    let verdict = held.map_or_else(|e| Verdict::Wrong(format!("{e:#}")), |()| Verdict::Same);
                    notes.add(&run.kernel, Side::Reference, "", verdict);
                }
                kernels.push(Kernel::Own(Box::new(run.clone()), left));
            }
        }
    }
    kernels
}

/// The module for an architecture older than its own: only the name of the target changes, its
/// options are kept.
pub fn retarget(text: &str, arch: &str) -> String {
    let number = |name: &str| name.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic).parse::<u32>().ok();
    let one = |line: &str| {
        let Some(rest) = line.trim_start().strip_prefix(".target") else { return line.to_owned() };
        let name = rest.trim_start().split([',', ' ', '\t', '/']).next().unwrap_or_default().trim();
        let newer = number(name) > number(arch) || name.ends_with(char::is_alphabetic);
        if newer && name.starts_with("sm_") { line.replacen(name, arch, 1) } else { line.to_owned() }
    };
    let mut text = text.lines().map(one).collect::<Vec<_>>().join("\n");
    text.push('\n');
    text
}

/// Whether a module needs a newer architecture than its `.target` names.
pub fn needs_newer(text: &str) -> bool {
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(text, FileId::FIRST, &mut diags);
    for func in outline.funcs.keys() {
        raddle_ptx::parse_body(text, FileId::FIRST, &outline, func, &mut diags);
    }
    diags.iter().any(|d| d.code == raddle_ptx::errors::E0125)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::program::{Expected, Value};
    use raddle_sim::launch::Dim3;

    const DOUBLE: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 i, .param .u64 o) {\n\
        .reg .b64 %d<2>; .reg .b32 %r<2>;\n ld.param.u64 %d0, [i]; ld.param.u64 %d1, [o];\n ld.global.u32 %r0, [%d0];\n \
        add.u32 %r1, %r0, %r0; st.global.u32 [%d1], %r1; ret; }\n";

    #[test]
    fn a_module_may_need_a_newer_architecture_than_it_names() {
        let text = DOUBLE.replace("ret;", "barrier.cluster.arrive; ret;");
        assert!(needs_newer(&text) && !needs_newer(&text.replace("sm_80", "sm_90")) && !needs_newer(DOUBLE));
    }

    fn program(expected: u32) -> Program {
        let run = Run {
            name: "one".into(),
            kernel: "k".into(),
            grid: Dim3::from(1),
            block: Dim3::from(1),
            shared: 0,
            values: vec![Value::Buffer(21u32.to_le_bytes().to_vec()), Value::Buffer(vec![0; 4])],
            expected: Some(Expected { buffer: 1, bytes: expected.to_le_bytes().to_vec(), close: Vec::new() }),
        };
        Program { name: "double".into(), text: DOUBLE.into(), runs: Runs::Specified(vec![run]) }
    }

    const NO_TOOLS: Tools<'_> = Tools { twice: true, ..Tools::NONE };

    #[test]
    fn a_right_program_agrees_everywhere() {
        let seen = compare(&program(42), NO_TOOLS, None);
        assert!(seen.iter().all(|s| s.verdict == Verdict::Same), "{seen:?}");
        assert_eq!(seen.iter().filter(|s| matches!(s.side, Side::Ours(_))).count(), LEVELS.len() * ARCHS.len());
    }

    #[test]
    fn a_demand_that_is_not_met_is_the_reference_s() {
        let seen = compare(&program(43), NO_TOOLS, None);
        let wrong: Vec<_> = seen.iter().filter(|s| s.verdict != Verdict::Same).collect();
        assert!(wrong.len() == 1 && wrong[0].side == Side::Reference, "{wrong:?}");
    }

    #[test]
    fn another_cubin_is_wrong() {
        let run = match program(42).runs {
            Runs::Specified(runs) => runs[0].clone(),
            _ => panic!("a demanded run"),
        };
        let left = run.interpret(DOUBLE).unwrap();
        let other = compile(&DOUBLE.replace("add.u32", "sub.u32"), "sm_80", Level::O3, 1, None).unwrap();
        let verdict = Kernel::Own(Box::new(run), left).judge(&other);
        assert!(matches!(&verdict, Verdict::Wrong(what) if what.contains("simulator 0x0")), "{verdict:?}");
    }

    #[test]
    fn only_newer_targets_change() {
        assert_eq!(retarget(".target sm_103", "sm_90"), ".target sm_90\n");
        assert_eq!(retarget("\t.target sm_10, map_f64_to_f32", "sm_90"), "\t.target sm_10, map_f64_to_f32\n");
        assert_eq!(retarget(".target sm_90, debug", "sm_80"), ".target sm_80, debug\n");
    }
}
