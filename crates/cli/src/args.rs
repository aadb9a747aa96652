//! The command line, as clap reads it.

mod caches;
mod codegen;
mod link;
mod mode;
mod numbers;
pub mod ptxas;
mod run;
mod split;

pub use caches::Caches;
pub use codegen::{Codegen, Unit};
pub use link::{Gc, Link};
pub use mode::Mode;
pub use run::{CheckMode, Run, Switch};
pub use split::{Split, SplitCompile};

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use numbers::{arch, jobs, memory, seconds, size};
use raddle_driver::host::memory::Limit;
use raddle_driver::ptxas::Fallback;
use raddle_target::Target;
use regex_lite::Regex;
use std::path::PathBuf;
use std::time::Duration;

/// An open, parallel compiler for NVIDIA device code.
///
/// Raddle turns PTX into one cubin with native machine code, compiling every kernel at the same time. It also runs
/// kernels on machines without a GPU, and takes cubins apart.
#[derive(Debug, Parser)]
#[command(name = "raddle", version, propagate_version = true, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    /// What applies to every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 the input is wrong, 2 the command line is wrong, 3 the input needs something that is not \
supported yet, 4 a defect of Raddle.";

/// What applies to every command.
#[derive(Clone, Debug, Args)]
pub struct Global {
    /// Format of messages: for people, JSON lines, or the lines of ptxas.
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human", help_heading = "Messages")]
    pub message_format: MessageFormat,
    /// Colours in messages (NO_COLOR turns `auto` off).
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Messages")]
    pub color: When,
    /// No warnings.
    #[arg(short = 'w', long, global = true, help_heading = "Messages")]
    pub no_warnings: bool,
    /// Warnings are errors.
    #[arg(
        long = "warnings-as-errors",
        visible_alias = "Werror",
        alias = "warning-as-error",
        global = true,
        help_heading = "Messages"
    )]
    pub warnings_as_errors: bool,
    /// No notices.
    #[arg(long = "no-info", global = true, help_heading = "Messages")]
    pub no_infos: bool,
    /// The name in front of lines in the format of ptxas.
    #[arg(long, global = true, value_name = "NAME", default_value = "ptxas", help_heading = "Messages")]
    pub tool_name: String,
    /// Put @I@, @W@, @E@ or @O@ (info, warning, error, fatal) before lines in the format of ptxas.
    #[arg(long, global = true, help_heading = "Messages")]
    pub severity_tags: bool,
    /// Append this to lines in the format of ptxas.
    #[arg(
        long,
        global = true,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        help_heading = "Messages"
    )]
    pub message_suffix: String,
}

/// How messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// The line, a caret, notes.
    Human,
    /// One JSON object a line, with a schema number.
    Json,
    /// `ptxas FILE, line N; error   : TEXT`.
    Ptxas,
}

/// Whether to do something that depends on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile PTX modules into one cubin.
    Compile(Box<Compile>),
    /// Link relocatable cubins and PTX into one executable.
    Link(Box<Link>),
    /// Cut a PTX module into modules that compile by themselves, in any process, and link to what the whole gives.
    Split(Split),
    /// Run a kernel without a GPU: PTX in the interpreter, a cubin in the simulator.
    Run(Run),
    /// Read PTX modules and list all errors and unsupported instructions; compile nothing.
    Check(Check),
    /// Print the machine code of a cubin.
    Disasm(Disasm),
    /// Say what is in a cubin or a PTX module.
    Info(Info),
    /// Explain an error code.
    Explain(Explain),
    /// Compare two cubins kernel by kernel: code and resources.
    Diff(Diff),
    /// Say what would be used on this machine, and why.
    Doctor,
    /// Look into a folder of `compile --cache`, or make it smaller.
    #[command(subcommand)]
    Cache(Cache),
    /// Compile one kernel of the module on standard input for another raddle.
    #[command(name = "__unit", hide = true)]
    Unit(Unit),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Print a manual page: `raddle man compile | man -l -`.
    Man(Man),
}

/// Which kernels, and for what architecture.
#[derive(Debug, Args)]
pub struct Select {
    /// Architecture to compile for, such as sm_90a; by default the module's .target.
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<&'static Target>,
    /// Only the entry function of this name (as in the PTX text); may be repeated.
    #[arg(short = 'e', long = "entry", value_name = "NAME", value_delimiter = ',')]
    pub entries: Vec<String>,
    /// Only entry functions whose name matches this regular expression.
    #[arg(short = 'E', long = "entry-regex", value_name = "REGEX", value_parser = Regex::new)]
    pub entry_regex: Option<Regex>,
}

/// How many kernels at once.
#[derive(Debug, Args)]
pub struct Jobs {
    /// Kernels compiled at once, at most as many as there are CPUs; 0 takes the CPUs available. Under a
    /// make that shares its job slots, the most slots taken.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = jobs, env = "RADDLE_JOBS")]
    pub jobs: usize,
    /// Job slots of the parent make: use them if there are any, require them, or ignore them.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub jobserver: Jobserver,
    /// Ignore the job slots of the parent make (`--jobserver=off`).
    #[arg(long, conflicts_with = "jobserver")]
    pub no_jobserver: bool,
    /// How tools that are started for kernels (`--fallback`) are told of slots that no kernel needs.
    #[arg(long, value_name = "STYLE", default_value = "pipe")]
    pub jobserver_style: JobserverStyle,
    /// Memory that kernels may take, together with all other builds of this user: a size such as 500M or 2G; `auto`, what control
    /// groups and the machine leave; or `off`. Kernels wait until there is enough for them; one at least is always compiled.
    #[arg(long, value_name = "SIZE|auto|off", default_value = "auto", value_parser = memory)]
    pub max_memory: Limit,
    /// Give up a kernel whose compilation takes longer; such as 90, 2.5 or 0.2.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub kernel_timeout: Option<Duration>,
    /// Give up a kernel whose compilation takes more steps (a step is about an instruction that a pass looks at): a limit that
    /// strikes at the same place on every machine.
    #[arg(long, value_name = "N")]
    pub kernel_steps: Option<u64>,
    /// What is shown while kernels are compiled: a bar on a terminal, otherwise a line now and then; a line per kernel; or
    /// nothing.
    #[arg(long, value_name = "HOW", default_value = "auto", help_heading = "Messages")]
    pub progress: ProgressKind,
    /// Say so when a kernel's compilation takes longer, and again each time that has doubled; 0 is never.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, help_heading = "Messages")]
    pub alarm: Duration,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressKind {
    /// A bar on a terminal, otherwise a line every ten seconds.
    Auto,
    /// A line for each kernel.
    Lines,
    /// Nothing but alarms.
    Off,
}

/// What to do about the parent make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Jobserver {
    /// Use its slots if MAKEFLAGS names them.
    Auto,
    /// Fail without them.
    Require,
    /// Ignore them.
    Off,
}

/// What a jobserver for tools is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JobserverStyle {
    /// A pipe that they inherit: every client knows it.
    Pipe,
    /// A fifo with a path.
    Fifo,
}

/// `raddle compile`.
#[derive(Debug, Args)]
pub struct Compile {
    /// PTX files, or fatbins, host objects and archives with PTX inside; `-` is standard input.
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    /// The file to write; `-` is standard output.
    #[arg(short = 'o', long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Which kernels, and for what architecture.
    #[command(flatten)]
    pub select: Select,
    /// What changes bytes.
    #[command(flatten)]
    pub codegen: Codegen,
    /// How many kernels at once.
    #[command(flatten)]
    pub jobs: Jobs,
    /// What is kept of the build and told of it.
    #[command(flatten)]
    pub record: Record,
    /// What is made.
    #[command(flatten)]
    pub mode: Mode,
    /// Through units.
    #[command(flatten)]
    pub split: SplitCompile,
    /// Print a table of kernels: registers, spills, instructions, time, memory, and the key of what each is made from.
    #[arg(short = 'v', long)]
    pub verbose: bool,
    /// Give kernels that Raddle cannot compile yet to this ptxas, and link in what it makes; of an architecture that Raddle has no
    /// machine code for, the whole module.
    #[arg(long, value_name = "ptxas[:PATH]")]
    pub fallback: Option<Fallback>,
    /// What to write.
    #[arg(long, value_name = "WHAT", default_value = "cubin")]
    pub emit: Emit,
    /// Print each kernel as it is after this pass (to standard error). A name that no kernel ran is an error that lists them.
    #[arg(long, value_name = "PASS")]
    pub print_after: Option<String>,
}

/// What is kept of a build and told of it.
#[derive(Debug, Args)]
pub struct Record {
    /// Compile the other kernels even after one has failed, and list all failures.
    #[arg(short = 'k', long)]
    pub keep_going: bool,
    /// Keep each kernel that cannot be compiled (unsupported, too slow, a defect) as a module of its own in this folder, and
    /// say which command repeats the failure.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub reproduce: Option<PathBuf>,
    /// Take objects of kernels that were compiled before from this folder, and keep those compiled now. The same bytes come out.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cache: Option<PathBuf>,
    /// Note what each kernel took in this file, for a better order and use of memory in the next build; `off` is nowhere. By
    /// default in the folder of --cache, or in the user's folder of caches.
    #[arg(long, value_name = "FILE|off", value_hint = ValueHint::FilePath)]
    pub history: Option<PathBuf>,
    /// Afterwards say how long it took, what no schedule could beat, what held it back, and why so many workers.
    #[arg(long)]
    pub explain: bool,
    /// Write one page that shows the build: kernels on workers, tokens and memory over time, a table of kernels.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Write a timeline in the Trace Event Format (Perfetto, chrome://tracing): kernels and their steps, tokens, memory.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub timings: Option<PathBuf>,
}

/// What `raddle compile` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The SSA form after optimisation, as text.
    Ir,
    /// The machine form before emission, as text.
    Mir,
    /// Machine code, as text.
    Sass,
    /// A cubin: an executable, or with -c a relocatable object.
    Cubin,
    /// A fatbin with the cubin, for what takes one file for several architectures.
    Fatbin,
}

/// `raddle cache`.
#[derive(Debug, Subcommand)]
pub enum Cache {
    /// Say how many objects there are, and how large they are.
    Stats {
        /// The folder.
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        dir: PathBuf,
    },
    /// Remove the objects that were not used for longest.
    Prune {
        /// The folder.
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        dir: PathBuf,
        /// What may stay: bytes, or a number with K, M or G behind it (powers of 1024).
        #[arg(long, value_name = "SIZE", value_parser = size)]
        max_size: u64,
    },
}

/// `raddle check`.
#[derive(Debug, Args)]
pub struct Check {
    /// PTX files, or fatbins, host objects and archives with PTX inside; `-` is standard input.
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    /// Which kernels, and for what architecture.
    #[command(flatten)]
    pub select: Select,
    /// How many kernels at once.
    #[command(flatten)]
    pub jobs: Jobs,
}

/// `raddle disasm`.
#[derive(Debug, Args)]
pub struct Disasm {
    /// A cubin; `-` is standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Only this kernel or function.
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Also the instruction words.
    #[arg(long)]
    pub hex: bool,
    /// Also the control fields: stall, yield, scoreboards.
    #[arg(long)]
    pub control: bool,
}

/// `raddle info`.
#[derive(Debug, Args)]
pub struct Info {
    /// A cubin or PTX module, or a fatbin, or an object or archive with fatbins inside; `-` is standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// As one JSON object; of a cubin with sections, symbols, relocations and attributes.
    #[arg(long)]
    pub json: bool,
    /// Sections, symbols, relocations, attributes, call graph and program headers too (cubins).
    #[arg(long, conflicts_with_all = ["json", "resource_usage"])]
    pub all: bool,
    /// Resource usage in the words of cuobjdump -res-usage (cubins).
    #[arg(long, conflicts_with = "json")]
    pub resource_usage: bool,
}

/// `raddle explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// A code such as E0123; all codes with their titles if left out.
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// `raddle diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// The one.
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub a: String,
    /// The other.
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub b: String,
    /// As one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `raddle completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// `raddle man`.
#[derive(Debug, Args)]
pub struct Man {
    /// The command it is about; all of raddle if left out.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declarations_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_usual_line_is_read() {
        let line =
            "raddle compile a.ptx b.ptx -o x.cubin --arch sm_90a -O1 -j2 -e k -E ^m --fmad=false --emit sass -k -v";
        let Command::Compile(c) = Cli::try_parse_from(line.split(' ')).unwrap().command else { panic!("compile") };
        assert_eq!(
            (c.files.len(), c.jobs.jobs, c.codegen.opt, c.codegen.fmad, c.emit),
            (2, 2, Some(raddle_driver::options::OptLevel::O1), false, Emit::Sass)
        );
        assert_eq!(c.select.arch.unwrap().name, "sm_90a");
        assert!(c.record.keep_going && c.verbose && c.select.entry_regex.is_some());
    }

    #[test]
    fn negative_arguments_of_kernels_are_values() {
        let line = ["raddle", "run", "k.ptx", "--arg", "s32:-5", "--arg", "null"];
        let Command::Run(run) = Cli::try_parse_from(line).unwrap().command else { panic!("run") };
        assert_eq!(run.args, ["s32:-5", "null"]);
    }

    #[test]
    fn wrong_lines_are_refused() {
        for line in [
            "raddle compile -o x",
            "raddle compile k -o x --arch sm_999",
            "raddle compile k -o x -O9",
            "raddle compile k -o x -E (",
            "raddle compile k -o x -j -1",
            "raddle frob",
        ] {
            assert!(Cli::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }
}
