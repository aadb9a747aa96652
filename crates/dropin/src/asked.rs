//! What a command line of ptxas asks for: its options judged as ptxas judges them, with its messages
//! (ptxas 13.0.88 output; `libnvptxcompiler_static.a` 13.0.88 says the same).
//!
//! Options that mean the same to ptxas and `raddle compile`, and that need no judgement, are left to
//! the caller: [`crate::Meaning::Same`].

use crate::Meaning::{self, ByValue, NotSupported};
use crate::bounds::{Bounds, FEWEST};
use crate::line::Line;
use crate::number::integer;
use crate::ptxas::PTXAS;
use crate::{Place, Row};

/// Why a command line is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A last message, by itself.
    Fatal(String),
    /// An error, after which the assembly is aborted.
    Error(String),
    /// ptxas can do it, and Raddle cannot, for this reason.
    NotHere(String),
}

/// The words of ptxas for each instruction on `.f64`, on request.
pub const DOUBLES: &str = "Program is doing double precision computations.";

/// The words of ptxas for a kernel that does not fit into the registers it may have; `None` if our
/// message is another one. XLA looks for `ptxas fatal` and `Insufficient registers`, and gives up
/// that kernel alone.
pub fn too_few_registers(message: &str, function: &str) -> Option<String> {
    let (count, rest) = message.strip_prefix("needs more than ")?.split_once(" registers")?;
    count.parse::<u32>().ok()?;
    let said = format!("(C7602) Insufficient registers ({count}) to compile");
    if rest.is_empty() {
        return Some(format!("{said} function {function}"));
    }
    let (line, needs) = rest.strip_prefix(": the instruction at line ")?.split_once(" needs ")?;
    Some(format!(
        "{said} instruction at line {line} in function {function}. Try to compile with register target of {needs} or \
         higher."
    ))
}

/// A level of `--Ofast-compile`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fast {
    /// As `-O1`.
    Min,
    /// As `-O1`.
    Mid,
    /// As `-O0`.
    Max,
}

impl Fast {
    /// The number of the level of optimisation that it stands for.
    pub fn level(self) -> u8 {
        if self == Fast::Max { 0 } else { 1 }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Fast::Min => "min",
            Fast::Mid => "mid",
            Fast::Max => "max",
        }
    }
}

/// A cache operator for all loads or all stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Its name: `cg`.
    pub operator: String,
    /// Whether it replaces the operators of instructions.
    pub forced: bool,
}

/// What the options ask for, contradictions resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// `--gpu-name`.
    pub gpu: Option<String>,
    /// `--opt-level`, at most 3.
    pub level: Option<u8>,
    /// `--Ofast-compile`.
    pub fast: Option<Fast>,
    /// `--device-debug`.
    pub debug: bool,
    /// `--generate-line-info`, without debugging.
    pub lines: bool,
    /// `--suppress-debug-info`, where there would be some.
    pub no_debug_info: bool,
    /// `--compile-only`.
    pub object: bool,
    /// `--extensible-whole-program`, without `--compile-only`.
    pub extensible: bool,
    /// The limit of `--maxrregcount`, in registers.
    pub registers: Option<u32>,
    /// Launch bounds.
    pub bounds: Bounds,
    /// The operator of loads.
    pub loads: Option<Cache>,
    /// The operator of stores.
    pub stores: Option<Cache>,
    /// `--fast-compile`: it counts only for calls with the ABI.
    pub fast_compile: bool,
    /// `--g-tensor-memory-access-check` or its opposite.
    pub tensor_check: bool,
    /// `--jobserver`.
    pub jobserver: bool,
    /// `--split-compile`: 0 is as many as possible.
    pub split: Option<usize>,
    /// Warnings, in the words of ptxas.
    pub warnings: Vec<String>,
}

/// The default architecture of ptxas.
pub const DEFAULT_GPU: &str = "sm_75";
/// The most registers that there are.
const MOST: u32 = 255;
/// The limit `archmin`: the registers of kernels that are limited so are 32.
const ARCHMIN: u32 = 32;
/// The option that limits the registers of functions.
const OF_FUNCTIONS: &str = "device-function-maxrregcount";

/// What is refused for options that are right by themselves.
pub const TOGETHER: &[(&str, &str)] = &[PIC_OBJECT];
const PIC_OBJECT: (&str, &str) = (
    "--position-independent-code=true -c",
    "the linker places the code of objects; so it is with --extensible-whole-program",
);

impl Asked {
    /// Judges a command line that is given in a place.
    ///
    /// # Errors
    /// Values that are wrong, options that contradict each other, and what Raddle cannot do there.
    pub fn of(line: &Line, place: Place) -> Result<Asked, Refusal> {
        let gpu = line.value(&PTXAS, "gpu-name").map(str::to_owned);
        let has = |long| line.has(&PTXAS, long);
        let tensor_check = has("g-tensor-memory-access-check") || has("gno-tensor-memory-access-check");
        let asked = Asked { gpu, tensor_check, jobserver: has("jobserver"), ..Asked::default() };
        let mut judge = Judge { line, asked };
        judge.every_option(place)?;
        judge.registers_of_functions(place)?;
        judge.debugging()?;
        judge.modes()?;
        judge.registers()?;
        judge.asked.bounds = Bounds::of(line, judge.asked.registers, &mut judge.asked.warnings);
        judge.asked.loads = judge.cache("load", &["ca", "cg", "cs", "lu", "cv"])?;
        judge.asked.stores = judge.cache("store", &["wb", "cg", "cs", "wt"])?;
        if let Some(count) = judge.value("split-compile").map(number) {
            let wrong = |_| Refusal::Fatal(format!("Invalid value '{count}' for option '--split-compile'"));
            judge.asked.split = Some(usize::try_from(count).map_err(wrong)?);
        }
        Ok(judge.asked)
    }

    /// The value of `--gpu-name`, or the default.
    pub fn gpu(&self) -> &str {
        self.gpu.as_deref().unwrap_or(DEFAULT_GPU)
    }
}

/// The meaning of an option with this value.
///
/// # Errors
/// The message for a value that has none.
pub fn meaning_of(row: &Row, value: &str, place: Place) -> Result<Meaning, Refusal> {
    match row.meaning_in(place) {
        ByValue(meanings) => match meanings.iter().find(|(known, _)| *known == value) {
            Some((_, meaning)) => Ok(*meaning),
            None => Err(Refusal::Error(format!("Invalid value '{value}' for option -{}.", row.short))),
        },
        meaning => Ok(meaning),
    }
}

/// The refusal of an option that ptxas has.
fn unsupported(row: &Row, why: &str) -> Refusal {
    Refusal::NotHere(format!("option '--{}' is not supported by Raddle: {why}", row.long))
}

const EXTENSIBLE: &str = "extensible-whole-program";

/// The warning about two options of which one is ignored.
fn conflict(one: &str, other: &str, ignored: &str) -> String {
    format!("Conflicting options '--{one}' and '--{other}' specified, ignoring '--{ignored}' option")
}

/// A number that was checked to be one; nothing is 0.
fn number(text: &str) -> i64 {
    integer(text).unwrap_or(0)
}

struct Judge<'a> {
    line: &'a Line,
    asked: Asked,
}

impl Judge<'_> {
    fn has(&self, long: &str) -> bool {
        self.line.has(&PTXAS, long)
    }

    fn value(&self, long: &str) -> Option<&str> {
        self.line.value(&PTXAS, long)
    }

    fn warn(&mut self, text: impl Into<String>) {
        self.asked.warnings.push(text.into());
    }

    /// What the table refuses, and options that need no other to be judged.
    fn every_option(&mut self, place: Place) -> Result<(), Refusal> {
        let mut refused = None;
        for (index, row) in PTXAS.options.iter().enumerate() {
            let Some(last) = self.line.options.iter().rfind(|given| given.index == index) else { continue };
            match meaning_of(row, &last.value, place)? {
                NotSupported(why) if row.long != OF_FUNCTIONS => refused = refused.or(Some((row, why))),
                _ => {}
            }
        }
        if let Some((row, why)) = refused {
            return Err(unsupported(row, why));
        }
        if self.has("key") {
            self.warn("option 'key' has been deprecated");
        }
        if let Some(level) = self.value("register-usage-level").map(number).filter(|n| !(0..=10).contains(n)) {
            let range = "is out of valid range {0..10}, option will be ignored";
            self.warn(format!("Value of RegUsageLevel ({level}) {range}"));
        }
        if self.has("legacy-bar-warp-wide-behavior") {
            let name = "'--legacy-bar-warp-wide-behavior'";
            let future = "It will be removed in future release and is not recommended";
            self.warn(format!("{name} is a deprecated option, {future}"));
            self.warn(format!("Command line option {name} not supported for '.target sm_70', will be ignored"));
        }
        Ok(())
    }

    /// The limit of registers of functions, which counts in objects only.
    fn registers_of_functions(&mut self, place: Place) -> Result<(), Refusal> {
        let row = PTXAS.index(OF_FUNCTIONS).map(|index| &PTXAS.options[index]);
        let Some((text, row)) = self.value(OF_FUNCTIONS).zip(row) else { return Ok(()) };
        if !["archmin", "archmax", ""].contains(&text) && integer(text).is_none() {
            return Err(Refusal::Fatal(format!("Invalid value '{text}' for option '{OF_FUNCTIONS}'")));
        }
        match row.meaning_in(place) {
            NotSupported(why) if self.has("compile-only") => return Err(unsupported(row, why)),
            _ => {}
        }
        let how = "not supported for 'whole program compilation', will be ignored";
        self.warn(format!("Command line option '{OF_FUNCTIONS}' {how}"));
        Ok(())
    }

    /// Optimisation, debugging, line tables.
    fn debugging(&mut self) -> Result<(), Refusal> {
        // ptxas takes any number for a level, too large ones for the last.
        let level = self.value("opt-level").map(|text| number(text).rem_euclid(i64::MAX).min(3) as u8);
        let debug = self.has("device-debug");
        if debug && level.is_some_and(|level| level > 0) {
            return Err(Refusal::Fatal("Optimized debugging not supported".to_owned()));
        }
        let fast = match self.value("Ofast-compile").unwrap_or("0") {
            "0" => None,
            "min" => Some(Fast::Min),
            "mid" => Some(Fast::Mid),
            "max" => Some(Fast::Max),
            other => {
                let known = "is not 'max', 'mid', 'min', or '0'";
                return Err(Refusal::Fatal(format!("Invalid value for --Ofast-compile/-Ofc ({other}), {known}")));
            }
        };
        match fast {
            Some(_) if debug => {
                let option = "'--Ofast-compile=<min,mid,max>'";
                let message =
                    format!("Conflicting options '--device-debug' and {option} specified, ignoring {option} option");
                self.warn(message);
            }
            Some(fast) if level.is_some_and(|level| level != fast.level()) => {
                let others = if fast == Fast::Max { "1,2,3" } else { "0,2,3" };
                let fast = fast.name();
                let message = format!("Conflicting options -opt-level=<{others}> and --Ofast-compile={fast} specified");
                return Err(Refusal::Fatal(message));
            }
            fast => self.asked.fast = fast,
        }
        self.fast_compile(debug);
        let lines = self.has("generate-line-info");
        if debug && lines {
            let option = "--generate-line-info";
            self.warn(format!("Conflicting options --device-debug and {option} specified, ignoring {option} option"));
        }
        if self.has("suppress-debug-info") {
            self.asked.no_debug_info = debug || lines;
            if !self.asked.no_debug_info {
                let needs = "requires option device-debug or lineinfo; ignoring since latter is not specified";
                self.warn(format!("Option suppress-debug-info {needs}"));
            }
        }
        self.asked.level = level;
        (self.asked.debug, self.asked.lines) = (debug, lines && !debug);
        Ok(())
    }

    /// `--fast-compile`, an older name of a level.
    fn fast_compile(&mut self, debug: bool) {
        if !self.has("fast-compile") {
            return;
        }
        let stronger = [("device-debug", debug), ("compile-only", self.has("compile-only"))];
        match stronger.into_iter().find(|(_, given)| *given) {
            Some((other, _)) => self.warn(conflict(other, "fast-compile", "fast-compile")),
            None => (self.asked.fast, self.asked.fast_compile) = (Some(Fast::Max), true),
        }
    }

    /// The kind of output.
    fn modes(&mut self) -> Result<(), Refusal> {
        let object = self.has("compile-only");
        let mut extensible = self.has("extensible-whole-program");
        if object && extensible {
            self.warn(conflict("compile-only", EXTENSIBLE, EXTENSIBLE));
        } else if extensible && self.asked.fast_compile {
            self.warn(conflict("fast-compile", EXTENSIBLE, EXTENSIBLE));
            extensible = false;
        }
        (self.asked.object, self.asked.extensible) = (object, extensible && !object);
        if (object || extensible) && self.value("position-independent-code") == Some("true") {
            let option = "option '--position-independent-code' is not supported by Raddle for objects";
            return Err(Refusal::NotHere(format!("{option}: {}", PIC_OBJECT.1)));
        }
        Ok(())
    }

    /// The limit of registers. One that is too large is ignored, and one that is too small is raised,
    /// each with a warning.
    fn registers(&mut self) -> Result<(), Refusal> {
        let Some(text) = self.value("maxrregcount") else { return Ok(()) };
        let wrong = || Refusal::Fatal(format!("Invalid value '{text}' for option 'maxrregcount'"));
        let limit = match text {
            "archmin" => i64::from(ARCHMIN),
            "archmax" => i64::from(MOST),
            // Of a larger number ptxas takes 32 bits.
            _ => i64::from(integer(text).ok_or_else(wrong)? as i32),
        };
        match u32::try_from(limit) {
            Ok(limit) if limit < FEWEST => {
                let what = format!("adjusting per thread register count of {limit} to lower bound of {FEWEST}");
                let message = format!("For profile {} {what}", self.asked.gpu());
                self.warn(message);
                self.asked.registers = Some(FEWEST);
            }
            Ok(limit) if limit <= MOST => self.asked.registers = Some(limit),
            _ => {
                self.warn(format!("Too big maxrregcount value specified {limit}, will be ignored"));
                self.asked.registers = Some(MOST);
            }
        }
        Ok(())
    }

    /// The cache operator of loads or stores.
    fn cache(&mut self, what: &str, operators: &[&str]) -> Result<Option<Cache>, Refusal> {
        let names = [format!("def-{what}-cache"), format!("force-{what}-cache")];
        let [default, forced] = [&names[0], &names[1]].map(|name| self.value(name).map(str::to_owned));
        let of_both = [&default, &forced].into_iter().flatten();
        if let Some(wrong) = of_both.into_iter().find(|operator| !operators.contains(&operator.as_str())) {
            return Err(Refusal::Error(format!("Invalid default cache modifier on {what} specified: {wrong}")));
        }
        if default.is_some() && forced.is_some() {
            let [def, force] = &names;
            self.warn(format!("Conflicting options {force} and {def} specified, ignoring {def} option"));
        }
        let default = default.map(|operator| Cache { operator, forced: false });
        Ok(forced.map(|operator| Cache { operator, forced: true }).or(default))
    }
}

#[cfg(test)]
mod tests;
