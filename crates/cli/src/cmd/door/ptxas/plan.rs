//! What a command line of ptxas asks for, in terms of `raddle compile`.
//!
//! Contradictions and values are judged as ptxas judges them, with its messages (ptxas 13.0.88
//! output).

use crate::args::{Cli, Command, Compile, Global};
use clap::Parser;
use raddle_dropin::Meaning::{self, AlreadySo, ByValue, FallbackOnly, Here, InPart, NoEffect, NotSupported, Same};
use raddle_dropin::Row;
use raddle_dropin::line::Line;
use raddle_dropin::ptxas::PTXAS;
use raddle_target::Target;

/// Why a command line is refused.
pub(super) enum Refusal {
    /// A last message, by itself.
    Fatal(String),
    /// An error, after which the assembly is aborted.
    Error(String),
    /// ptxas can do it, and Raddle cannot, for this reason.
    NotHere(String),
}

/// The default architecture of ptxas.
const DEFAULT: &str = "sm_75";
/// The smallest and largest limit of registers.
const FEWEST: i64 = 24;
const MOST: i64 = 255;
/// The option that limits the registers of functions.
const OF_FUNCTIONS: &str = "device-function-maxrregcount";
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
    /// The output, as it was given.
    pub output: String,
    /// The number after `--split-compile`.
    pub split: Option<usize>,
}

impl Plan {
    /// Judges a command line.
    ///
    /// `settings` are further options of `raddle compile`, from the environment.
    pub(super) fn of(line: &Line, settings: Vec<String>) -> Result<Plan, Refusal> {
        let mut words: Words = Words { line, out: settings, warnings: Vec::new() };
        words.every_option()?;
        words.registers_of_functions()?;
        let gpu = line.value(&PTXAS, "gpu-name").unwrap_or(DEFAULT);
        let name = gpu.replace("compute_", "sm_").replace("lto_", "sm_");
        let target = Target::by_name(&name).ok_or_else(|| Refusal::NotHere(format!("'{gpu}' is not known")))?;
        let only_read = name != gpu;
        words.debugging()?;
        words.modes()?;
        words.registers(gpu)?;
        words.caches()?;
        let split = match line.value(&PTXAS, "split-compile").map(number) {
            Some(n) => Some(
                usize::try_from(n)
                    .map_err(|_| Refusal::Fatal(format!("Invalid value '{n}' for option '--split-compile'")))?,
            ),
            None => None,
        };
        words.push(&format!("--arch={name}"));
        let output = line.value(&PTXAS, "output-file").unwrap_or(OUTPUT);
        if output.is_empty() {
            return Err(Refusal::Fatal("Output file '' could not be opened".to_owned()));
        }
        // A lone dash is a file to ptxas.
        words.out.push(format!("--output={}", if output == "-" { "./-" } else { output }));
        let Words { out, warnings, .. } = words;
        let read = Cli::try_parse_from(["raddle", "compile", "-"].into_iter().map(str::to_owned).chain(out));
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
            warnings,
            split,
            gpu: gpu.to_owned(),
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

/// The refusal of an option that ptxas has.
fn unsupported(row: &Row, why: &str) -> Refusal {
    Refusal::NotHere(format!("option '--{}' is not supported by Raddle: {why}", row.long))
}

/// A number that was checked to be one; nothing is 0.
fn number(text: &str) -> i64 {
    text.parse().unwrap_or(0)
}

/// Options of `raddle compile`, and warnings.
struct Words<'a> {
    line: &'a Line,
    out: Vec<String>,
    warnings: Vec<String>,
}

impl Words<'_> {
    fn push(&mut self, word: &str) {
        self.out.push(word.to_owned());
    }

    fn has(&self, long: &str) -> bool {
        self.line.has(&PTXAS, long)
    }

    fn value(&self, long: &str) -> Option<&str> {
        self.line.value(&PTXAS, long)
    }

    /// Options that need no other to be judged.
    fn every_option(&mut self) -> Result<(), Refusal> {
        self.push("--message-format=ptxas");
        self.push("--no-info");
        let mut refused = None;
        for (index, row) in PTXAS.options.iter().enumerate() {
            let values: Vec<&str> =
                self.line.options.iter().filter(|given| given.index == index).map(|given| &*given.value).collect();
            let Some(&last) = values.last() else { continue };
            let meaning = match row.under_name() {
                ByValue(meanings) => match meanings.iter().find(|(value, _)| *value == last) {
                    Some((_, meaning)) => *meaning,
                    None => return Err(Refusal::Error(format!("Invalid value '{last}' for option -{}.", row.short))),
                },
                meaning => meaning,
            };
            match meaning {
                Same(ours) if !row.takes_value() => self.push(&format!("--{ours}")),
                Same(ours) if row.takes == raddle_dropin::Takes::List => {
                    self.out.extend(values.iter().map(|value| format!("--{ours}={value}")));
                }
                Same(ours) => self.push(&format!("--{ours}={last}")),
                NotSupported(_) if row.long == OF_FUNCTIONS => {}
                NotSupported(why) => refused = refused.or(Some((row, why))),
                Here | InPart(_) | AlreadySo(_) | NoEffect(_) | FallbackOnly(_) | Meaning::ByValue(_) => {}
            }
        }
        if let Some((row, why)) = refused {
            return Err(unsupported(row, why));
        }
        if let Some(level) = self.value("register-usage-level").map(number).filter(|n| !(0..=10).contains(n)) {
            self.warnings.push(format!(
                "Value of RegUsageLevel ({level}) is out of valid range {{0..10}}, option will be ignored"
            ));
        }
        if self.has("legacy-bar-warp-wide-behavior") {
            let name = "'--legacy-bar-warp-wide-behavior'";
            self.warnings.push(format!(
                "{name} is a deprecated option, It will be removed in future release and is not recommended"
            ));
            self.warnings
                .push(format!("Command line option {name} not supported for '.target sm_70', will be ignored"));
        }
        Ok(())
    }

    /// The limit of registers of functions, which counts in objects only.
    fn registers_of_functions(&mut self) -> Result<(), Refusal> {
        let row = PTXAS.index(OF_FUNCTIONS).map(|index| &PTXAS.options[index]);
        let Some((text, row)) = self.value(OF_FUNCTIONS).zip(row) else { return Ok(()) };
        if !["archmin", "archmax", ""].contains(&text) && text.parse::<i64>().is_err() {
            return Err(Refusal::Fatal(format!("Invalid value '{text}' for option '{OF_FUNCTIONS}'")));
        }
        match row.under_name() {
            NotSupported(why) if self.has("compile-only") => Err(unsupported(row, why)),
            _ => {
                self.warnings.push(format!(
                    "Command line option '{OF_FUNCTIONS}' not supported for 'whole program compilation', will be ignored"
                ));
                Ok(())
            }
        }
    }

    /// Optimisation, debugging, line tables.
    fn debugging(&mut self) -> Result<(), Refusal> {
        // ptxas takes any number for a level, too large ones for the last.
        let level = self.value("opt-level").map(|text| number(text).rem_euclid(i64::MAX).min(3));
        let debug = self.has("device-debug");
        if debug && level.is_some_and(|level| level > 0) {
            return Err(Refusal::Fatal("Optimized debugging not supported".to_owned()));
        }
        let fast = self.value("Ofast-compile").unwrap_or("0").to_owned();
        let other_levels = match fast.as_str() {
            "0" => None,
            "min" | "mid" => Some((1, "0,2,3")),
            "max" => Some((0, "1,2,3")),
            _ => {
                return Err(Refusal::Fatal(format!(
                    "Invalid value for --Ofast-compile/-Ofc ({fast}), is not 'max', 'mid', 'min', or '0'"
                )));
            }
        };
        if let Some((own, others)) = other_levels {
            if debug {
                self.warnings.push(
                    "Conflicting options '--device-debug' and '--Ofast-compile=<min,mid,max>' specified, ignoring \
                     '--Ofast-compile=<min,mid,max>' option"
                        .to_owned(),
                );
            } else if level.is_some_and(|level| level != own) {
                return Err(Refusal::Fatal(format!(
                    "Conflicting options -opt-level=<{others}> and --Ofast-compile={fast} specified"
                )));
            } else {
                self.push(&format!("--Ofast-compile={fast}"));
            }
        }
        if let Some(level) = level {
            self.push(&format!("-O{level}"));
        }
        let lines = self.has("generate-line-info");
        if debug && lines {
            self.warnings.push(
                "Conflicting options --device-debug and --generate-line-info specified, ignoring \
                 --generate-line-info option"
                    .to_owned(),
            );
        }
        if self.has("suppress-debug-info") {
            if debug || lines {
                self.push("--suppress-debug-info");
            } else {
                self.warnings.push(
                    "Option suppress-debug-info requires option device-debug or lineinfo; ignoring since latter is not \
                     specified"
                        .to_owned(),
                );
            }
        }
        match (debug, lines) {
            (true, _) => self.push("--device-debug"),
            (false, true) => self.push("--lineinfo"),
            (false, false) => {}
        }
        Ok(())
    }

    /// The kind of output.
    fn modes(&mut self) -> Result<(), Refusal> {
        let (object, extensible) = (self.has("compile-only"), self.has("extensible-whole-program"));
        if object && extensible {
            self.warnings.push(
                "Conflicting options '--compile-only' and '--extensible-whole-program' specified, ignoring \
                 '--extensible-whole-program' option"
                    .to_owned(),
            );
        }
        match (object, extensible) {
            (true, _) => self.push("--relocatable"),
            (false, true) => self.push("--extensible-whole-program"),
            (false, false) => {}
        }
        if (object || extensible) && self.value("position-independent-code") == Some("true") {
            let why = "option '--position-independent-code' is not supported by Raddle for objects";
            return Err(Refusal::NotHere(why.to_owned()));
        }
        Ok(())
    }

    /// The limit of registers.
    fn registers(&mut self, gpu: &str) -> Result<(), Refusal> {
        let Some(text) = self.value("maxrregcount") else { return Ok(()) };
        let limit = match text {
            "archmin" | "archmax" => {
                self.push(&format!("--maxrregcount={text}"));
                return Ok(());
            }
            "" => 0,
            _ => text
                .parse::<i64>()
                .map_err(|_| Refusal::Fatal(format!("Invalid value '{text}' for option 'maxrregcount'")))?,
        };
        if !(0..=MOST).contains(&limit) {
            self.warnings.push(format!("Too big maxrregcount value specified {limit}, will be ignored"));
            return Ok(());
        }
        if limit < FEWEST {
            self.warnings.push(format!(
                "For profile {gpu} adjusting per thread register count of {limit} to lower bound of {FEWEST}"
            ));
        }
        self.push(&format!("--maxrregcount={}", limit.max(FEWEST)));
        Ok(())
    }

    /// Cache operators.
    fn caches(&mut self) -> Result<(), Refusal> {
        for (what, values) in [("load", &["ca", "cg", "cs", "lu", "cv"][..]), ("store", &["wb", "cg", "cs", "wt"])] {
            let (force, def) = (format!("force-{what}-cache"), format!("def-{what}-cache"));
            for option in [&def, &force] {
                let Some(value) = self.value(option).map(str::to_owned) else { continue };
                if !values.contains(&&*value) {
                    let message = format!("Invalid default cache modifier on {what} specified: {value}");
                    return Err(Refusal::Error(message));
                }
                if option == &def && self.has(&force) {
                    self.warnings
                        .push(format!("Conflicting options {force} and {def} specified, ignoring {def} option"));
                } else {
                    self.push(&format!("--{option}={value}"));
                }
            }
        }
        Ok(())
    }
}
