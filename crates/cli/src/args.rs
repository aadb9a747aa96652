//! The command line, parsed by clap.

pub mod bitcode_linker;
mod cache;
mod caches;
mod codegen;
mod door;
mod emit;
mod ir;
mod link;
mod mode;
mod numbers;
pub mod nvlink_wrapper;
pub mod ptxas;
pub mod quick;
mod record;
mod remote;
mod run;
mod split;

pub use cache::{Cache, Caching};
pub use caches::Caches;
pub use codegen::{Codegen, Llvm, Unit};
pub use door::{As, Install};
pub use emit::Emit;
pub use ir::{Ir, IrLibraries};
pub use link::{Gc, Link};
pub use mode::Mode;
pub use record::Record;
pub use remote::{Doctor, Remote, Units};
pub use run::{CheckMode, Run, Switch};
pub use split::{Split, SplitCompile};

use clap::builder::ArgPredicate;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use numbers::{arch, jobs, memory, seconds};
use raddle_driver::host::memory::Limit;
use raddle_driver::ptxas::Fallback;
use raddle_target::Target;
use regex_lite::Regex;
use std::path::PathBuf;
use std::time::Duration;

/// An open, parallel compiler for NVIDIA device code.
///
/// Raddle compiles the kernels of PTX modules concurrently and links them into one cubin with
/// native machine code. It also runs kernels on machines without a GPU, links relocatable cubins,
/// and inspects cubins.
#[derive(Debug, Parser)]
#[command(name = "raddle", version, propagate_version = true, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 success, 1 error in the input, 2 error in the command line, 3 the input needs something that is not \
supported yet, 4 internal error of Raddle.";

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct Global {
    /// Format of messages: human-readable, JSON lines, or the lines of ptxas.
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human", help_heading = "Messages")]
    pub message_format: MessageFormat,
    /// Use colours in messages (NO_COLOR turns `auto` off).
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Messages")]
    pub color: When,
    /// Do not print warnings.
    #[arg(short = 'w', long, global = true, help_heading = "Messages")]
    pub no_warnings: bool,
    /// Treat warnings as errors.
    #[arg(
        long = "warnings-as-errors",
        visible_alias = "Werror",
        alias = "warning-as-error",
        global = true,
        help_heading = "Messages"
    )]
    pub warnings_as_errors: bool,
    /// Do not print informational messages.
    #[arg(long = "no-info", global = true, help_heading = "Messages")]
    pub no_infos: bool,
    /// Name of the tool at the start of each line in the format of ptxas.
    #[arg(long, global = true, value_name = "NAME", default_value = "ptxas", help_heading = "Messages")]
    pub tool_name: String,
    /// Start each line in the format of ptxas with @I@, @W@, @E@ or @O@ (info, warning, error,
    /// fatal).
    #[arg(long, global = true, help_heading = "Messages")]
    pub severity_tags: bool,
    /// Text to append to each line in the format of ptxas.
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

/// Format of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// The source line with a caret, then notes.
    Human,
    /// One JSON object per line, with a schema number.
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
    /// Split a PTX module into modules that can be compiled separately and linked to the same
    /// program.
    Split(Split),
    /// Run a kernel without a GPU: PTX in the interpreter, a cubin in the simulator.
    Run(Run),
    /// List all errors and unsupported instructions of PTX modules, without compiling them.
    Check(Check),
    /// Print the machine code of a cubin.
    Disasm(Disasm),
    /// Show the contents of a cubin or a PTX module.
    Info(Info),
    /// Explain an error code.
    Explain(Explain),
    /// Compare two cubins kernel by kernel: code and resources.
    Diff(Diff),
    /// Show the CPUs, memory, job slots, tools and libraries that Raddle would use on this machine,
    /// and why; or try an engine of remote execution.
    Doctor(Doctor),
    /// Show, check, reduce or copy what `compile --cache` has kept.
    #[command(subcommand)]
    Cache(Cache),
    /// Compile one kernel of the module on standard input for another raddle.
    #[command(name = "__unit", hide = true)]
    Unit(Unit),
    /// Run steps of LLVM for another raddle: requests on standard input, responses on standard
    /// output.
    #[command(name = "__llvm", hide = true)]
    Llvm(Llvm),
    /// Act as a tool that Raddle stands in for, as when started under its name: ptxas, nvlink,
    /// fatbinary, cuobjdump, nvdisasm, clang-nvlink-wrapper, llvm-bitcode-linker.
    As(As),
    /// Put Raddle into a folder under the names of the tools that it stands in for.
    Install(Install),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Print a manual page: `raddle man compile | man -l -`.
    Man(Man),
}

/// Selection of kernels and of the architecture.
#[derive(Debug, Args)]
pub struct Select {
    /// Architecture to compile for, such as sm_90a; by default the module's .target.
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<&'static Target>,
    /// Compile only the entry function of this name (as in the PTX text); may be repeated.
    #[arg(short = 'e', long = "entry", value_name = "NAME", value_delimiter = ',')]
    pub entries: Vec<String>,
    /// Compile only entry functions whose names match this regular expression.
    #[arg(short = 'E', long = "entry-regex", value_name = "REGEX", value_parser = Regex::new)]
    pub entry_regex: Option<Regex>,
}

/// Options for parallel compilation.
#[derive(Debug, Args)]
pub struct Jobs {
    /// Maximum number of kernels to compile at once, limited by the number of CPUs; 0 or -1 means
    /// all available CPUs. If make shares its job slots, also the maximum number of those to use.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = jobs, env = "RADDLE_JOBS")]
    pub jobs: usize,
    /// Whether to use the job slots of the parent make: if there are any, always (fail without
    /// them), or never.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub jobserver: Jobserver,
    /// Ignore the job slots of the parent make (`--jobserver=off`).
    #[arg(long, conflicts_with = "jobserver")]
    pub no_jobserver: bool,
    /// Kind of jobserver that passes unused job slots to tools started for kernels (`--fallback`).
    #[arg(long, value_name = "STYLE", default_value = "pipe")]
    pub jobserver_style: JobserverStyle,
    /// Memory limit for the kernels being compiled, shared with all other builds of this user: a
    /// size such as 500M or 2G; `auto`, the memory available within the limits of control groups
    /// and the machine; or `off`. A kernel waits until there is enough memory for it; at least one
    /// is always being compiled.
    #[arg(long, value_name = "SIZE|auto|off", default_value = "auto", value_parser = memory)]
    pub max_memory: Limit,
    /// Time limit for the compilation of one kernel, such as 90, 2.5 or 0.2; a kernel that exceeds
    /// it fails.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub kernel_timeout: Option<Duration>,
    /// Step limit for the compilation of one kernel (a step is about one instruction that a pass
    /// visits). Unlike a time limit, it is reached at the same place on every machine.
    #[arg(long, value_name = "N")]
    pub kernel_steps: Option<u64>,
    /// Progress display: a bar on a terminal and otherwise a line every ten seconds; a line per
    /// kernel; or nothing.
    #[arg(long, value_name = "HOW", default_value = "auto", help_heading = "Messages")]
    pub progress: ProgressKind,
    /// Report a kernel whose compilation takes longer than this, and again each time the time has
    /// doubled; 0 means never.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, help_heading = "Messages")]
    pub alarm: Duration,
}

/// Progress display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressKind {
    /// A bar on a terminal, otherwise a line every ten seconds.
    Auto,
    /// A line for each kernel.
    Lines,
    /// Nothing but alarms.
    Off,
}

/// Use of the job slots of the parent make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Jobserver {
    /// Use its slots if MAKEFLAGS names them.
    Auto,
    /// Fail without them.
    Require,
    /// Ignore them.
    Off,
    /// Use its slots if MAKEFLAGS names them, and say nothing of one that cannot be used.
    #[value(skip)]
    Silent,
}

/// Kind of jobserver for tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JobserverStyle {
    /// An inherited pipe, which every client supports.
    Pipe,
    /// A fifo with a path.
    Fifo,
}

/// `raddle compile`.
#[derive(Debug, Args)]
pub struct Compile {
    /// PTX or LLVM IR (bitcode or text), or fatbins, host objects and archives with PTX or
    /// bitcode inside; `-` is standard input.
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    /// Output file; `-` is standard output.
    #[arg(short = 'o', long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    #[arg(
        required = false,
        required_unless_present = "emit_units",
        default_value_if("emit_units", ArgPredicate::IsPresent, "/dev/null")
    )]
    pub output: PathBuf,
    /// Selection of kernels and of the architecture.
    #[command(flatten)]
    pub select: Select,
    /// Options that affect the generated code.
    #[command(flatten)]
    pub codegen: Codegen,
    /// Options for parallel compilation.
    #[command(flatten)]
    pub jobs: Jobs,
    /// Options for caching, failures and reports.
    #[command(flatten)]
    pub record: Record,
    /// Options for the kind of output.
    #[command(flatten)]
    pub mode: Mode,
    /// Options for splitting modules.
    #[command(flatten)]
    pub split: SplitCompile,
    /// Options for kernels that something else compiles.
    #[command(flatten)]
    pub units: Units,
    /// Options for LLVM IR.
    #[command(flatten)]
    pub ir: Ir,
    /// Print a table of kernels: registers, spills, instructions, time, memory, and the key (a hash
    /// of everything the kernel is compiled from).
    #[arg(short = 'v', long)]
    pub verbose: bool,
    /// Compile kernels that Raddle does not support yet with this ptxas and link them in; for an
    /// architecture that Raddle does not support, compile the whole module with it.
    #[arg(long, value_name = "ptxas[:PATH]")]
    pub fallback: Option<Fallback>,
    /// Kind of output.
    #[arg(long, value_name = "WHAT", default_value = "cubin")]
    pub emit: Emit,
    /// Print each kernel after this pass to standard error. The name of a pass that no kernel ran
    /// is an error, which lists the passes.
    #[arg(long, value_name = "PASS")]
    pub print_after: Option<String>,
}

/// `raddle check`.
#[derive(Debug, Args)]
pub struct Check {
    /// PTX or LLVM IR (bitcode or text), or fatbins, host objects and archives with PTX or
    /// bitcode inside; `-` is standard input.
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    /// Selection of kernels and of the architecture.
    #[command(flatten)]
    pub select: Select,
    /// Options for parallel compilation.
    #[command(flatten)]
    pub jobs: Jobs,
    /// Options for LLVM IR.
    #[command(flatten)]
    pub ir: Ir,
}

/// `raddle disasm`.
#[derive(Debug, Args)]
pub struct Disasm {
    /// A cubin; `-` is standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Print only this kernel or function.
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Print the instruction words too.
    #[arg(long)]
    pub hex: bool,
    /// Print the control fields too: stall, yield, scoreboards.
    #[arg(long)]
    pub control: bool,
}

/// `raddle info`.
#[derive(Debug, Args)]
pub struct Info {
    /// A cubin or PTX module, or a fatbin, or an object or archive with fatbins inside; `-` is
    /// standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Print one JSON object; for a cubin it includes sections, symbols, relocations and
    /// attributes.
    #[arg(long)]
    pub json: bool,
    /// Print sections, symbols, relocations, attributes, call graph and program headers too
    /// (cubins).
    #[arg(long, conflicts_with_all = ["json", "resource_usage"])]
    pub all: bool,
    /// Print resource usage in the format of `cuobjdump -res-usage` (cubins).
    #[arg(long, conflicts_with = "json")]
    pub resource_usage: bool,
}

/// `raddle explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// An error code such as E0123; without one, all codes are listed with their titles.
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// `raddle diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// The first cubin.
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub a: String,
    /// The second cubin.
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub b: String,
    /// Print one JSON object.
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
    /// The command to describe, or the tool that Raddle stands in for; without one, the page
    /// describes raddle itself.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write the pages of all commands and tools to this folder.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "command")]
    pub into: Option<PathBuf>,
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
