//! The options of nvJitLink: `-name` or `-name=value`, each in a text of its own.
//!
//! Source: NVIDIA's manual "nvJitLink"; where it is silent, and for the messages, what
//! `libnvJitLink.so` 13.0.88 does.

use super::Code;
use crate::log::Log;
use crate::options::Arch;
use crate::programs::PROGRAM;
use raddle_driver::options::IrOptions;
use raddle_target::Target;

/// What the options ask for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The architecture.
    pub target: &'static Target,
    /// Options for the compilation of PTX, as words of ptxas.
    pub ptx: Vec<String>,
    /// Options for LLVM IR and LTO-IR.
    pub ir: IrOptions,
    /// `-lto`: such inputs are expected.
    pub lto: bool,
    /// `-ptx`: the result is PTX.
    pub to_ptx: bool,
    /// `-r`: the result is relocatable.
    pub relocatable: bool,
    /// `-verbose`.
    pub verbose: bool,
    /// `-time`.
    pub time: bool,
}

/// What an option does with its value.
#[derive(Clone, Copy)]
enum Meaning {
    /// It has no value, or one that does not matter.
    Flag(fn(&mut Raw)),
    /// It has a value.
    Value(fn(&mut Raw, &str)),
    /// Accepted, without effect here.
    Idle,
}

use Meaning::{Flag, Idle, Value};

/// The options as they were given.
#[derive(Default)]
struct Raw {
    arch: Option<String>,
    own: Vec<String>,
    for_ptxas: Vec<String>,
    ir: IrOptions,
    lto: bool,
    to_ptx: bool,
    relocatable: bool,
    verbose: bool,
    time: bool,
}

const OPTIONS: &[(&str, Meaning)] = &[
    ("-arch", Value(|raw, text| raw.arch = Some(text.to_owned()))),
    ("-maxrregcount", Value(|raw, text| raw.own.push(format!("-maxrregcount={text}")))),
    ("-time", Flag(|raw| raw.time = true)),
    ("-verbose", Flag(|raw| raw.verbose = true)),
    ("-lto", Flag(|raw| raw.lto = true)),
    ("-dlto", Flag(|raw| raw.lto = true)),
    ("-ptx", Flag(|raw| raw.to_ptx = true)),
    ("-r", Flag(|raw| raw.relocatable = true)),
    ("-g", Flag(|raw| raw.own.push("-g".into()))),
    ("-lineinfo", Flag(|raw| raw.own.push("-lineinfo".into()))),
    ("-ftz", Value(|raw, text| raw.ir.ftz = switch(text))),
    ("-prec-div", Value(|raw, text| raw.ir.prec_div = switch(text))),
    ("-prec-sqrt", Value(|raw, text| raw.ir.prec_sqrt = switch(text))),
    ("-fma", Value(|raw, text| raw.own.extend(switch(text).map(|fma| format!("-fmad={fma}"))))),
    ("-split-compile", Value(split)),
    ("-split-compile-extended", Value(split)),
    ("-Xptxas", Value(|raw, text| raw.for_ptxas.push(text.to_owned()))),
    // Options of another optimiser.
    ("-Xnvvm", Value(|_, _| ())),
    ("-jump-table-density", Value(|_, _| ())),
    // They remove what is not named; it is kept here.
    ("-kernels-used", Value(|_, _| ())),
    ("-variables-used", Value(|_, _| ())),
    ("-optimize-unused-variables", Idle),
    ("-relocatable-device-code", Value(|raw, text| raw.relocatable |= switch(text) == Some(true))),
    // There is no such cache, and objects are not compiled faster.
    ("-no-cache", Idle),
    ("-fast-compile", Idle),
];

/// The levels of `-O`.
const LEVELS: [&str; 2] = ["0", "3"];

impl Settings {
    /// Reads the options. The error is the code of `nvJitLinkCreate`; its message goes to `errors`.
    pub(crate) fn read(words: &[&str], errors: &mut Log) -> Result<Settings, Code> {
        let mut raw = Raw::default();
        for word in words {
            raw.read(word, errors)?;
        }
        let Some(arch) = raw.arch.as_deref() else { return Err(Code::MissingArch) };
        let target = real(arch, raw.to_ptx, errors)?;
        if raw.to_ptx && !raw.lto {
            errors.line("ERROR: -ptx requires -lto");
            return Err(Code::IncompatibleOptions);
        }
        // NVIDIA's library is used only where it is named: what it makes depends on its version.
        let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(Into::into);
        let ir = IrOptions {
            llvm: path("RADDLE_LLVM"),
            nvjitlink: path("RADDLE_NVJITLINK"),
            worker: path(PROGRAM),
            ..raw.ir
        };
        let Raw { mut own, for_ptxas, lto, to_ptx, relocatable, verbose, time, .. } = raw;
        own.push("-c".into());
        own.extend(verbose.then(|| "-v".into()));
        own.extend(for_ptxas);
        Ok(Settings { target, ptx: own, ir, lto, to_ptx, relocatable, verbose, time })
    }
}

impl Raw {
    fn read(&mut self, word: &str, errors: &mut Log) -> Result<(), Code> {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        match OPTIONS.iter().find(|row| row.0 == name).map(|row| row.1) {
            Some(Flag(set)) => set(self),
            Some(Idle) => {}
            Some(Value(set)) if value.is_some_and(|value| !value.is_empty()) => set(self, value.unwrap_or_default()),
            Some(Value(_)) if value.is_some() => {
                errors.line(&format!("ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value ({word})"));
                return Err(Code::UnrecognizedOption);
            }
            Some(Value(_)) | None => match word.strip_prefix("-O").filter(|level| level.parse::<u32>().is_ok()) {
                Some(level) if LEVELS.contains(&level) => self.own.push(word.to_owned()),
                Some(level) => {
                    errors.line(&format!("unsupported value of -O: {level}. Only 0 and 3 are supported."));
                    return Err(Code::UnrecognizedOption);
                }
                None => {
                    errors.line(&format!("unrecognized option: {word}"));
                    return Err(Code::UnrecognizedOption);
                }
            },
        }
        Ok(())
    }
}

/// The architecture that `-arch` names. One without native code is not supported.
fn real(arch: &str, to_ptx: bool, errors: &mut Log) -> Result<&'static Target, Code> {
    let number = ["sm_", "compute_", "lto_"].iter().find_map(|prefix| arch.strip_prefix(prefix));
    let Some(number) = number else {
        errors.line(&format!("ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value (-arch={arch})"));
        return Err(Code::UnrecognizedOption);
    };
    let Some(Arch::Real(target)) = Arch::read(&format!("sm_{number}")) else {
        let message = format!("unrecognized architecture (compute_{number})");
        errors.line(&format!("ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: {message}"));
        return Err(Code::UnrecognizedArch);
    };
    if target.native.is_none() {
        let message = format!("unsupported architecture (compute_{number})");
        errors.line(&format!("ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: {message}"));
        return Err(Code::UnsupportedArch);
    }
    if !arch.starts_with("sm_") && !to_ptx {
        errors.line("ERROR: virtual arch requires -ptx");
        return Err(Code::IncompatibleOptions);
    }
    Ok(target)
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

/// A number of threads; other text means nothing.
fn split(raw: &mut Raw, text: &str) {
    raw.own.extend(text.parse::<usize>().ok().map(|count| format!("-split-compile={count}")));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Settings, (Code, String)> {
        let mut errors = Log::default();
        Settings::read(words, &mut errors).map_err(|code| {
            let text = String::from_utf8(errors.bytes()).unwrap();
            (code, text.trim_end_matches(['\0', '\n']).to_owned())
        })
    }

    #[test]
    fn options_become_words_of_ptxas() {
        let words = ["-arch=sm_90a", "-O0", "-lineinfo", "-Xptxas=-O1", "-verbose", "-fma=0", "-ftz=true", "-no-cache"];
        let settings = read(&words).unwrap();
        assert_eq!((settings.target.name, settings.ir.ftz, settings.verbose), ("sm_90a", Some(true), true));
        assert_eq!(settings.ptx, ["-O0", "-lineinfo", "-fmad=false", "-c", "-v", "-O1"]);
    }

    #[test]
    fn mistakes_have_the_codes_and_messages_of_nvjitlink() {
        for (words, code, message) in [
            (&["-arch=sm_80", "-frob"][..], Code::UnrecognizedOption, "unrecognized option: -frob"),
            (&["-arch"], Code::UnrecognizedOption, "unrecognized option: -arch"),
            (&["-verbose"], Code::MissingArch, ""),
            (
                &["-arch=frob"],
                Code::UnrecognizedOption,
                "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value (-arch=frob)",
            ),
            (
                &["-arch=sm_999"],
                Code::UnrecognizedArch,
                "ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: unrecognized architecture (compute_999)",
            ),
            (
                &["-arch=sm_70"],
                Code::UnsupportedArch,
                "ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: unsupported architecture (compute_70)",
            ),
            (&["-arch=compute_80"], Code::IncompatibleOptions, "ERROR: virtual arch requires -ptx"),
            (&["-arch=sm_80", "-ptx"], Code::IncompatibleOptions, "ERROR: -ptx requires -lto"),
        ] {
            assert_eq!(read(words), Err((code, message.to_owned())), "{words:?}");
        }
    }
}
