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
        let mut judge = Judge { line, asked: Asked { gpu, ..Asked::default() } };
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

/// A number that was checked to be one.
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
        if self.has("fast-compile") {
            self.asked.fast = Some(Fast::Max);
        }
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

    /// The kind of output.
    fn modes(&mut self) -> Result<(), Refusal> {
        let (object, extensible) = (self.has("compile-only"), self.has("extensible-whole-program"));
        if object && extensible {
            let option = "'--extensible-whole-program'";
            self.warn(format!("Conflicting options '--compile-only' and {option} specified, ignoring {option} option"));
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
mod tests {
    use super::*;
    use crate::line::{self, LineError};

    fn asked(words: &str, place: Place) -> Result<Asked, Refusal> {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let line: Result<Line, LineError> = line::read(&PTXAS, &words, &line::System);
        Asked::of(&line.unwrap(), place)
    }

    #[test]
    fn too_few_registers_have_the_words_of_ptxas() {
        let said = |message: &str| too_few_registers(message, "k").unwrap_or_default();
        let one = said("needs more than 96 registers: the instruction at line 13 needs 154");
        assert!(one.contains("(96) to compile instruction at line 13 in function k. Try to compile with register"));
        assert!(one.ends_with("target of 154 or higher."));
        assert!(said("needs more than 96 registers").ends_with("(96) to compile function k"));
        assert_eq!(said("needs more registers than setmaxnreg leaves a warp"), "");
    }

    #[test]
    fn options_are_read_together() {
        let all = asked(
            "-arch sm_90a -O1 -c -lineinfo -maxrregcount 40 -dlcm=ca -flcm=cg --def-store-cache wt -Ofc=mid \
                         -split-compile 0",
            Place::Command,
        )
        .unwrap();
        assert_eq!(
            (all.gpu(), all.level, all.fast, all.object, all.lines),
            ("sm_90a", Some(1), Some(Fast::Mid), true, true)
        );
        assert_eq!((all.registers, all.split), (Some(40), Some(0)));
        assert_eq!(all.loads, Some(Cache { operator: "cg".into(), forced: true }));
        assert_eq!(all.stores, Some(Cache { operator: "wt".into(), forced: false }));
        assert_eq!(
            all.warnings,
            ["Conflicting options force-load-cache and def-load-cache specified, ignoring def-load-cache option"]
        );
        let few = asked("-maxrregcount=16 -g -lineinfo", Place::Library).unwrap();
        assert_eq!((few.registers, few.debug, few.lines), (Some(24), true, false));
        assert_eq!(few.warnings.len(), 2);
        assert_eq!(asked("-maxrregcount archmin", Place::Library).unwrap().registers, Some(32));
        assert_eq!(asked("-maxrregcount=300", Place::Library).unwrap().registers, Some(255));
        assert_eq!(asked("-O -O77", Place::Command).unwrap().level, Some(3));
    }

    #[test]
    fn wrong_values_and_contradictions_have_the_messages_of_ptxas() {
        let fatal = |text: &str| Err(Refusal::Fatal(text.to_owned()));
        let error = |text: &str| Err(Refusal::Error(text.to_owned()));
        for (words, want) in [
            ("-g -O1", fatal("Optimized debugging not supported")),
            ("-Ofc max -O2", fatal("Conflicting options -opt-level=<1,2,3> and --Ofast-compile=max specified")),
            ("-Ofc x", fatal("Invalid value for --Ofast-compile/-Ofc (x), is not 'max', 'mid', 'min', or '0'")),
            ("-maxrregcount=x", fatal("Invalid value 'x' for option 'maxrregcount'")),
            ("-split-compile -3", fatal("Invalid value '-3' for option '--split-compile'")),
            ("-dlcm=frob", error("Invalid default cache modifier on load specified: frob")),
            ("-flcm=frob", error("Invalid default cache modifier on load specified: frob")),
            ("-abi=no", error("Invalid value 'no' for option -abi.")),
        ] {
            assert_eq!(asked(words, Place::Command), want, "{words}");
            assert_eq!(asked(words, Place::Library), want, "{words}");
        }
    }

    #[test]
    fn a_library_refuses_what_only_a_command_can_do() {
        for words in ["-V", "--help", "-version-ls", "-ias x"] {
            assert!(asked(words, Place::Command).is_ok(), "{words}");
            assert!(matches!(asked(words, Place::Library), Err(Refusal::NotHere(_))), "{words}");
        }
        for place in [Place::Command, Place::Library] {
            let why =
                "option '--sp-bounds-check' is not supported by Raddle: there is no code that checks the stack pointer";
            assert_eq!(asked("-sp-bounds-check", place), Err(Refusal::NotHere(why.to_owned())));
            assert!(asked("-o x", place).is_ok());
        }
    }
}
