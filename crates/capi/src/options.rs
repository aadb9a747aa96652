//! The options of nvPTXCompiler: those of ptxas, one word of the array for each word of a command
//! line, read and judged as [`raddle_dropin`] does for a command line.

use raddle_driver::consensus::parse_carried;
use raddle_driver::modes::ModeOptions;
use raddle_driver::options::{CacheRule, CodegenOptions, GivenBounds, OptLevel};
use raddle_driver::request::WarnOn;
use raddle_dropin::Place;
use raddle_dropin::asked::{Asked, Cache, Refusal};
use raddle_dropin::bounds::Bounds;
use raddle_dropin::line::{self, Line, System};
use raddle_dropin::ptxas::PTXAS;
use raddle_target::Target;

/// What the options ask for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Options {
    /// The architecture; ptxas' default is sm_75.
    pub arch: Arch,
    /// Options that affect the generated code.
    pub codegen: CodegenOptions,
    /// The options that select the kind of output.
    pub mode: ModeOptions,
    /// Launch bounds.
    pub bounds: GivenBounds,
    /// The kernels to compile; all if empty.
    pub entries: Vec<String>,
    /// Optional warnings.
    pub warn_on: WarnOn,
    /// `--verbose`.
    pub verbose: bool,
    /// `--disable-warnings`.
    pub no_warnings: bool,
    /// `--warning-as-error`.
    pub warnings_as_errors: bool,
    /// `--suppress-stack-size-warning`.
    pub no_stack_warning: bool,
    /// `--suppress-debug-info`.
    pub no_debug_info: bool,
    /// `--split-compile`: kernels compiled at once; 0 is as many as there are slots.
    pub split: Option<usize>,
    /// Warnings about the options themselves.
    pub warnings: Vec<String>,
}

/// What `--gpu-name` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arch {
    /// `sm_90`: machine code.
    Real(&'static Target),
    /// `compute_90`: the module is only checked.
    Virtual(&'static Target),
}

impl Arch {
    /// The architecture.
    pub(crate) fn target(self) -> &'static Target {
        match self {
            Arch::Real(target) | Arch::Virtual(target) => target,
        }
    }

    /// Reads the value of `--gpu-name`.
    pub(crate) fn read(text: &str) -> Option<Arch> {
        match text.strip_prefix("compute_").or(text.strip_prefix("lto_")) {
            Some(number) => Target::by_name(&format!("sm_{number}")).map(Arch::Virtual),
            None => Target::by_name(text).map(Arch::Real),
        }
    }
}

impl Options {
    /// The defaults of ptxas for an architecture.
    pub(crate) fn new(arch: Arch) -> Options {
        Options {
            arch,
            codegen: CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() },
            mode: ModeOptions::default(),
            bounds: GivenBounds::default(),
            entries: Vec::new(),
            warn_on: WarnOn::default(),
            verbose: false,
            no_warnings: false,
            warnings_as_errors: false,
            no_stack_warning: false,
            no_debug_info: false,
            split: None,
            warnings: Vec::new(),
        }
    }

    /// Reads options as words; what they do not say stays as it is.
    ///
    /// # Errors
    /// The lines of the log, with the name of the tool.
    pub(crate) fn read(&mut self, words: &[&str]) -> Result<(), String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let line = line::read(&PTXAS, &words, &System).map_err(|error| fatal(&error.to_string()))?;
        let asked = Asked::of(&line, Place::Library).map_err(|refusal| match refusal {
            Refusal::Fatal(message) | Refusal::NotHere(message) => fatal(&message),
            Refusal::Error(message) => format!("ptxas error   : {message}\n{}", fatal(ABORTED)),
        })?;
        if !line.inputs.is_empty() {
            let missing = line.inputs.iter().map(|name| fatal(&format!("Input file '{name}' could not be opened")));
            return Err(missing.chain([fatal(ABORTED)]).collect::<Vec<_>>().join("\n"));
        }
        if let Some(gpu) = &asked.gpu {
            let undefined = || fatal(&format!("Value '{gpu}' is not defined for option 'gpu-name'"));
            self.arch = Arch::read(gpu).ok_or_else(undefined)?;
        }
        self.flags(&line);
        self.judged(asked);
        self.warnings.splice(0..0, line.warnings);
        Ok(())
    }

    /// The options that need no judgement.
    fn flags(&mut self, line: &Line) {
        let has = |long| line.has(&PTXAS, long);
        self.verbose |= has("verbose");
        self.no_warnings |= has("disable-warnings");
        self.warnings_as_errors |= has("warning-as-error");
        self.no_stack_warning |= has("suppress-stack-size-warning");
        self.warn_on.double_precision |= has("warn-on-double-precision-use");
        self.warn_on.local_memory |= has("warn-on-local-memory-usage");
        self.warn_on.spills |= has("warn-on-spills");
        self.entries.extend(line.values(&PTXAS, "entry").map(str::to_owned));
        self.codegen.fmad = line.value(&PTXAS, "fmad").map_or(self.codegen.fmad, |value| value == "true");
    }

    /// The options that were judged.
    fn judged(&mut self, asked: Asked) {
        let level = |number: u8| [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3][usize::from(number.min(3))];
        self.mode.opt = asked.level.map(level).or(self.mode.opt);
        self.mode.fast = asked.fast.map(|fast| level(fast.level())).or(self.mode.fast);
        self.mode.debug |= asked.debug;
        self.mode.compile_only |= asked.object;
        self.mode.extensible |= asked.extensible;
        self.codegen.lineinfo |= asked.lines;
        self.no_debug_info |= asked.no_debug_info;
        self.codegen.maxrregcount = asked.registers.or(self.codegen.maxrregcount);
        self.codegen.loads = rule(asked.loads, "lcm", self.codegen.loads);
        self.codegen.stores = rule(asked.stores, "scm", self.codegen.stores);
        self.split = asked.split.or(self.split);
        let Bounds { threads, blocks, replace, registers } = asked.bounds;
        self.bounds = GivenBounds {
            threads: threads.or(self.bounds.threads),
            blocks: blocks.or(self.bounds.blocks),
            replace: replace || self.bounds.replace,
            registers: registers.or(self.bounds.registers),
        };
        self.warnings.extend(asked.warnings);
    }
}

/// The last line of a log of errors in options.
pub(crate) const ABORTED: &str = "Ptx assembly aborted due to errors";

/// A last message.
fn fatal(message: &str) -> String {
    format!("ptxas fatal   : {message}")
}

/// The rule of a cache operator, or the one before: a forced one takes precedence.
fn rule(cache: Option<Cache>, name: &str, before: CacheRule) -> CacheRule {
    let Some(Cache { operator, forced }) = cache else { return before };
    let read = parse_carried(&format!("-{}{name}={operator}", if forced { 'f' } else { 'd' }));
    match read.loads.or(read.stores) {
        Some(rule) if forced || !matches!(before, CacheRule::Forced(_)) => rule,
        _ => before,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_driver::options::CacheOperator;

    fn read(words: &[&str]) -> Result<Options, String> {
        let mut options = Options::new(Arch::read("sm_75").unwrap());
        options.read(words).map(|()| options)
    }

    #[test]
    fn options_are_read_in_every_spelling() {
        let words = [
            "--gpu-name",
            "sm_90a",
            "-O1",
            "-v",
            "-c",
            "-lineinfo",
            "--fmad=false",
            "-m64",
            "-e",
            "a,b",
            "-maxrregcount=40",
        ];
        let options = read(&words).unwrap();
        assert_eq!(options.arch.target().name, "sm_90a");
        assert_eq!((options.mode.opt, options.verbose, options.mode.compile_only), (Some(OptLevel::O1), true, true));
        let CodegenOptions { fmad, lineinfo, maxrregcount, .. } = options.codegen;
        assert_eq!(
            (fmad, lineinfo, maxrregcount, options.entries),
            (false, true, Some(40), vec!["a".into(), "b".into()])
        );
        assert!(matches!(read(&["-arch=compute_80"]).unwrap().arch, Arch::Virtual(target) if target.name == "sm_80"));
        let cached = read(&["-flcm=cg", "-dlcm=ca", "--def-store-cache", "wt"]).unwrap().codegen;
        assert_eq!(cached.loads, CacheRule::Forced(CacheOperator::Cg));
        assert_eq!(cached.stores, CacheRule::Default(CacheOperator::Wt));
    }

    #[test]
    fn mistakes_have_the_messages_of_ptxas() {
        for (words, want) in [
            (&["--frob"][..], "Unknown option '-frob'"),
            (&["-frob=3"], "Unknown option 'frob'"),
            (&["--gpu-name sm_80"], "Unknown option '-gpu-name sm_80'"),
            (&["-arch=sm_80 -v"], "Value 'sm_80 -v' is not defined for option 'gpu-name'"),
            (&["-arch"], "argument expected after '-arch'"),
            (&["-c=1"], "no argument expected after '-c'"),
            (&["-Ox"], "'x': expected a number"),
            (&["--fmad=frob"], "'frob': expected true or false"),
            (&["-maxrregcount=x"], "Invalid value 'x' for option 'maxrregcount'"),
            (&["-m=32"], "Value '32' is not defined for option 'machine'"),
            (&["-O3", "-g"], "Optimized debugging not supported"),
            (&["-V"], "option '--version' is not supported by Raddle: a library prints nothing"),
        ] {
            assert_eq!(read(words), Err(format!("ptxas fatal   : {want}")), "{words:?}");
        }
        for (word, want) in [
            ("x.ptx", "ptxas fatal   : Input file 'x.ptx' could not be opened"),
            ("", "ptxas fatal   : Input file '' could not be opened"),
            ("-dlcm=frob", "ptxas error   : Invalid default cache modifier on load specified: frob"),
        ] {
            assert_eq!(read(&[word]), Err(format!("{want}\n{}", fatal(ABORTED))), "{word}");
        }
        let few = read(&["-maxrregcount=16", "-maxrregcount=300"]).unwrap();
        assert_eq!((few.codegen.maxrregcount, few.warnings.len()), (Some(255), 2));
    }
}
