//! Selects the kind of output, and reports options that contradict each other (DRV-6, DRV-9).
//!
//! | options | output |
//! |---|---|
//! | none | an executable |
//! | `-c` | an object with all functions that others may call |
//! | `--extensible-whole-program` | an object of kernels and their callees; other symbols may be undefined, functions are local |
//! | `-g` | an executable linked from an unoptimised object, with a note (ptxas gives none) |
//! | `-c -g` | an object without optimisation |
//! | `-c --extensible-whole-program` | an object; a warning |
//! | `--Ofast-compile` | the same at a given level; with another level an error, with `-g` a warning |
//!
//! Refused, each with its reason: patches for tools, system calls, code without the calling
//! convention, position-independent code, and optimisation with `-g`. The option for the warp-wide
//! barriers of targets before sm_70 is reported to have no effect: no machine code is generated for
//! those targets.

use crate::codes;
use crate::options::OptLevel;
use crate::request::{Functions, Output};
use raddle_diag::{Diagnostic, Diags};

/// The options on the command line that select the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModeOptions {
    /// `-c`
    pub compile_only: bool,
    /// `--extensible-whole-program`
    pub extensible: bool,
    /// `-g`
    pub debug: bool,
    /// `-O`
    pub opt: Option<OptLevel>,
    /// `--Ofast-compile`, as the optimisation level that it selects
    pub fast: Option<OptLevel>,
    /// `--compile-as-tools-patch`
    pub tools_patch: bool,
    /// `--assyscall`
    pub system_call: bool,
    /// `--abi=no`
    pub without_abi: bool,
    /// `--position-independent-code=true`
    pub position_independent: bool,
    /// `--legacy-bar-warp-wide-behavior`
    pub legacy_barriers: bool,
}

/// Returns the output and the optimisation level. Contradictory and refused options are reported to
/// `diags`.
pub fn select_output(options: ModeOptions, diags: &mut Diags) -> (Output, OptLevel) {
    let refused = [
        (
            options.tools_patch,
            "--compile-as-tools-patch",
            "code that tools patch into running kernels follows no published convention",
        ),
        (options.system_call, "--assyscall", "only the driver provides system calls"),
        (options.without_abi, "--abi=no", "calls and stack follow the platform's convention on every architecture"),
        (options.position_independent, "--position-independent-code", "the loader places code and fills in addresses"),
    ];
    for (_, option, why) in refused.iter().filter(|(is_given, ..)| *is_given) {
        diags.push(Diagnostic::fatal(codes::E0081, format!("{option} is not supported: {why}")));
    }
    if options.compile_only && options.extensible {
        let message = "-c and --extensible-whole-program contradict each other; the former is used";
        diags.push(Diagnostic::warning(codes::E0019, message));
    }
    if options.debug && options.opt.is_some_and(|opt| opt > OptLevel::O0) {
        diags.push(Diagnostic::fatal(codes::E0019, "-g needs code without optimisation: combine it only with -O0"));
    }
    // As in ptxas 13.0.88: `-g` takes precedence, and a different level is an error.
    let fast = options.fast.filter(|_| !options.debug);
    if options.fast.is_some() && options.debug {
        let message = "--Ofast-compile has no effect with -g, which is for code without optimisation";
        diags.push(Diagnostic::warning(codes::E0019, message));
    }
    if let (Some(fast), Some(opt)) = (fast, options.opt)
        && fast != opt
    {
        let message = format!("--Ofast-compile selects -O{}, but -O{} is given", fast as u8, opt as u8);
        diags.push(Diagnostic::fatal(codes::E0019, message));
    }
    if options.legacy_barriers {
        let message = "--legacy-bar-warp-wide-behavior has no effect: it is for architectures below sm_70";
        diags.push(Diagnostic::warning(codes::E0019, message));
    }
    let output = match options {
        ModeOptions { compile_only: true, .. } => Output::Object(Functions::Exported),
        ModeOptions { extensible: true, .. } => Output::Object(Functions::Reachable),
        ModeOptions { debug: true, .. } => Output::LinkedExecutable,
        _ => Output::Executable,
    };
    if output == Output::LinkedExecutable {
        let message = "with -g the program is compiled as an object and then linked, so that its functions have their own symbols";
        diags.push(Diagnostic::info(codes::E0082, message));
    }
    let level = options.opt.or(fast).unwrap_or(if options.debug { OptLevel::O0 } else { OptLevel::O3 });
    (output, level)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(options: ModeOptions) -> (Output, OptLevel, Vec<String>) {
        let mut diags = Diags::new();
        let (output, level) = select_output(options, &mut diags);
        (output, level, diags.iter().map(|d| format!("{} {}", d.severity.name(), d.code)).collect())
    }

    #[test]
    fn options_decide_the_output_as_the_table_says() {
        for bits in 0..8u8 {
            let [compile_only, extensible, debug] = [1, 2, 4].map(|bit| bits & bit != 0);
            let (output, level, said) =
                decided(ModeOptions { compile_only, extensible, debug, ..ModeOptions::default() });
            let want = match (compile_only, extensible, debug) {
                (true, ..) => Output::Object(Functions::Exported),
                (false, true, _) => Output::Object(Functions::Reachable),
                (false, false, true) => Output::LinkedExecutable,
                (false, false, false) => Output::Executable,
            };
            let mut told = Vec::new();
            told.extend((compile_only && extensible).then(|| "warning E0019".to_owned()));
            told.extend((want == Output::LinkedExecutable).then(|| "info E0082".to_owned()));
            assert_eq!((output, said), (want, told), "{bits:03b}");
            assert_eq!(level, if debug { OptLevel::O0 } else { OptLevel::O3 });
        }
    }

    #[test]
    fn optimised_debugging_is_a_contradiction() {
        for (opt, want) in [(OptLevel::O0, 0), (OptLevel::O1, 1), (OptLevel::O3, 1)] {
            let (.., said) =
                decided(ModeOptions { debug: true, compile_only: true, opt: Some(opt), ..ModeOptions::default() });
            assert_eq!(said.len(), want, "{said:?}");
        }
        assert_eq!(decided(ModeOptions { opt: Some(OptLevel::O1), ..ModeOptions::default() }).1, OptLevel::O1);
    }

    #[test]
    fn a_faster_compilation_is_a_level_and_contradicts_others() {
        let fast = |fast, opt, debug| decided(ModeOptions { fast: Some(fast), opt, debug, ..ModeOptions::default() });
        assert_eq!(fast(OptLevel::O1, None, false), (Output::Executable, OptLevel::O1, vec![]));
        assert_eq!(fast(OptLevel::O0, Some(OptLevel::O0), false), (Output::Executable, OptLevel::O0, vec![]));
        assert_eq!(fast(OptLevel::O0, Some(OptLevel::O3), false).2, ["fatal E0019"]);
        let (_, level, said) = fast(OptLevel::O1, None, true);
        assert_eq!((level, &said[0][..]), (OptLevel::O0, "warning E0019"));
    }
}
