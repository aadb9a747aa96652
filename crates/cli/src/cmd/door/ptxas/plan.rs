//! What a command line of ptxas asks for, in terms of `raddle compile`.

use crate::args::{Cli, Command, Compile, Global, quick};
use raddle_driver::options::GivenBounds;
use raddle_dropin::asked::{Asked, Refusal, meaning_of};
use raddle_dropin::line::Line;
use raddle_dropin::ptxas::PTXAS;
use raddle_dropin::{Meaning, Place, Takes};
use raddle_target::Target;

/// The default file name of the output.
const OUTPUT: &str = "elf.o";

/// A call of ptxas.
pub(super) struct Plan {
    /// The options of `raddle compile`.
    pub args: Compile,
    /// The options of messages.
    pub global: Global,
    /// The architecture.
    pub target: &'static Target,
    /// Whether the inputs are only read, for a virtual architecture.
    pub only_read: bool,
    /// Files; `-` is standard input.
    pub files: Vec<String>,
    /// Modules on the command line.
    pub strings: Vec<String>,
    /// Print what became of each function.
    pub verbose: bool,
    /// Warnings about options.
    pub warnings: Vec<String>,
    /// The value of `--gpu-name`, or the default.
    gpu: String,
    is_default: bool,
    /// The kernels that `--entry` names, in order.
    pub entries: Vec<String>,
    /// `--compile-only`.
    pub object: bool,
    /// Launch bounds.
    pub bounds: GivenBounds,
    /// The output, as it was given.
    pub output: String,
    /// The number after `--split-compile`.
    pub split: Option<usize>,
    /// `--jobserver`.
    pub jobserver: bool,
    /// `--fast-compile`.
    pub fast_compile: bool,
    /// `--g-tensor-memory-access-check` or its opposite.
    pub tensor_check: bool,
}

impl Plan {
    /// Judges a command line.
    ///
    /// `settings` are further options of `raddle compile`, from the environment.
    pub(super) fn of(line: &Line, settings: Vec<String>) -> Result<Plan, Refusal> {
        let asked = Asked::of(line, Place::Command)?;
        let gpu = asked.gpu().to_owned();
        let name = gpu.replace("compute_", "sm_").replace("lto_", "sm_");
        let target = Target::by_name(&name).ok_or_else(|| Refusal::NotHere(format!("'{gpu}' is not known")))?;
        let only_read = name != gpu;
        let mut words = settings;
        words.extend(["--message-format=ptxas".to_owned(), "--no-info".to_owned(), format!("--arch={name}")]);
        same(line, &mut words)?;
        judged(&asked, &mut words);
        let output = line.value(&PTXAS, "output-file").unwrap_or(OUTPUT);
        if output.is_empty() {
            return Err(Refusal::Fatal("Output file '' could not be opened".to_owned()));
        }
        // A lone dash is a file to ptxas.
        words.push(format!("--output={}", if output == "-" { "./-" } else { output }));
        let read = quick::parse(["raddle", "compile", "-"].into_iter().map(str::to_owned).chain(words));
        let (global, args) = match read {
            Ok(Cli { global, command: Command::Compile(args) }) => (global, args),
            Ok(_) => return Err(Refusal::Fatal("internal error of Raddle: another command".to_owned())),
            // Every value was judged above, but for those of the environment.
            Err(error) => return Err(Refusal::Fatal(super::super::first_line(&error))),
        };
        Ok(Plan {
            args: *args,
            global,
            target,
            only_read,
            files: line.inputs.clone(),
            strings: line.values(&PTXAS, "input-as-string").map(str::to_owned).collect(),
            verbose: line.has(&PTXAS, "verbose"),
            warnings: asked.warnings,
            split: asked.split,
            entries: line.values(&PTXAS, "entry").map(str::to_owned).collect(),
            object: asked.object,
            bounds: GivenBounds {
                threads: asked.bounds.threads,
                blocks: asked.bounds.blocks,
                replace: asked.bounds.replace,
                registers: asked.bounds.registers,
            },
            jobserver: asked.jobserver,
            fast_compile: asked.fast_compile,
            tensor_check: asked.tensor_check,
            gpu,
            is_default: !line.has(&PTXAS, "gpu-name"),
            output: output.to_owned(),
        })
    }

    /// The reason why nothing can be compiled for the architecture. It begins as what ptxas says of an
    /// unknown one: XLA then leaves the PTX to the driver.
    pub(super) fn no_code(&self) -> Option<String> {
        if self.target.native.is_some() || self.only_read {
            return None;
        }
        let default = if self.is_default { ", the default," } else { "" };
        let gpu = &self.gpu;
        Some(format!(
            "Value '{gpu}' is not defined for option 'gpu-name': Raddle generates no code for it{default} yet"
        ))
    }
}

/// The options that mean the same here.
fn same(line: &Line, words: &mut Vec<String>) -> Result<(), Refusal> {
    for (index, row) in PTXAS.options.iter().enumerate() {
        let values: Vec<&str> =
            line.options.iter().filter(|given| given.index == index).map(|given| &*given.value).collect();
        let Some(&last) = values.last() else { continue };
        let Meaning::Same(ours) = meaning_of(row, last, Place::Command)? else { continue };
        match row.takes {
            Takes::Nothing => words.push(format!("--{ours}")),
            Takes::List => words.extend(values.iter().map(|value| format!("--{ours}={value}"))),
            _ => words.push(format!("--{ours}={last}")),
        }
    }
    Ok(())
}

/// The options that were judged.
fn judged(asked: &Asked, words: &mut Vec<String>) {
    let flags = [
        (asked.debug, "--device-debug"),
        (asked.lines, "--lineinfo"),
        (asked.no_debug_info, "--suppress-debug-info"),
        (asked.object, "--relocatable"),
        (asked.extensible, "--extensible-whole-program"),
    ];
    words.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, word)| (*word).to_owned()));
    words.extend(asked.level.map(|level| format!("-O{level}")));
    words.extend(asked.fast.map(|fast| format!("--Ofast-compile={}", fast.name())));
    words.extend(asked.registers.map(|count| format!("--maxrregcount={count}")));
    for (what, cache) in [("load", &asked.loads), ("store", &asked.stores)] {
        let Some(cache) = cache else { continue };
        let how = if cache.forced { "force" } else { "def" };
        words.push(format!("--{how}-{what}-cache={}", cache.operator));
    }
}
