//! The options of llvm-bitcode-linker, by which rustc links for nvptx64-nvidia-cuda, as options of
//! `raddle`.
//!
//! Strategy: one table. A process whose name is `llvm-bitcode-linker` has its command line
//! replaced before it is parsed; `rustc -C linker=` names a link to raddle. rustc calls its output
//! NAME.ptx unless told otherwise, and wants PTX in it then; any other name gets the cubin.
//!
//! Source of names: the command lines of rustc 1.95, and the program of that name in its source.

use std::ffi::OsString;
use std::path::Path;

/// The name under which it is started.
pub const NAME: &str = "llvm-bitcode-linker";

/// The meaning of an option.
#[derive(Clone, Copy)]
enum Meaning {
    /// Our option of this name, with the value.
    Same(&'static str),
    /// No effect here.
    Nothing,
}

use Meaning::{Nothing, Same};

/// Options with a value. Kernels are what a program exports, and folders are those of inputs that
/// are named with their paths.
const WITH_VALUE: &[(&str, Meaning)] = &[
    ("--output", Same("-o")),
    ("-o", Same("-o")),
    ("--target-cpu", Same("--arch")),
    ("--export-symbol", Nothing),
    ("--target", Nothing),
    ("--target-feature", Nothing),
    ("-L", Nothing),
];

/// Options without a value. The link always optimises the whole program; lines of the source are
/// in the output if they are in the input.
const FLAGS: &[(&str, Option<&str>)] =
    &[("--debug", Some("--lineinfo")), ("--lto", None), ("-Os", Some("-O2")), ("-Oz", Some("-O2"))];

/// Replaces a command line of llvm-bitcode-linker by one of ours; any other stays.
pub fn translate(words: Vec<OsString>) -> Vec<OsString> {
    let program = words.first().and_then(|name| Path::new(name).file_name()).unwrap_or_default();
    if program != NAME {
        return words;
    }
    let mut out: Vec<OsString> = Vec::new();
    let mut is_ptx = false;
    let mut rest = words.into_iter().skip(1);
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        if let Some((_, ours)) = FLAGS.iter().find(|(name, _)| *name == text) {
            out.extend(ours.map(OsString::from));
            continue;
        }
        let found = WITH_VALUE.iter().find_map(|(name, meaning)| match text.strip_prefix(name)? {
            "" => Some((*meaning, None)),
            value if name.starts_with("--") => Some((*meaning, Some(value.strip_prefix('=')?.to_owned()))),
            value => Some((*meaning, Some(value.to_owned()))),
        });
        let Some((meaning, value)) = found else {
            out.push(word);
            continue;
        };
        let value = value.map(OsString::from).or_else(|| rest.next()).unwrap_or_default();
        if let Same(option) = meaning {
            is_ptx |= option == "-o" && Path::new(&value).extension().is_some_and(|end| end == "ptx");
            out.extend([option.into(), value]);
        }
    }
    let command: &[&str] = if is_ptx { &["raddle", "compile", "--emit", "ptx"] } else { &["raddle", "link"] };
    command.iter().map(OsString::from).chain(out).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let out = translate(line.split_whitespace().map(OsString::from).collect());
        let words: Vec<String> = out.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        words.join(" ")
    }

    #[test]
    fn what_rustc_passes_is_understood() {
        // rustc 1.95, with `-O -Ctarget-cpu=sm_80`.
        let line = |output: &str| {
            format!(
                "/x/llvm-bitcode-linker --export-symbol k k.rcgu.o -L /tmp/raw-dylibs --target nvptx64-nvidia-cuda \
                 --target-cpu sm_80 -L /rust/self-contained -o {output} -O3 --debug"
            )
        };
        assert_eq!(
            translated(&line("k.ptx")),
            "raddle compile --emit ptx k.rcgu.o --arch sm_80 -o k.ptx -O3 --lineinfo"
        );
        assert_eq!(translated(&line("k.cubin")), "raddle link k.rcgu.o --arch sm_80 -o k.cubin -O3 --lineinfo");
    }

    #[test]
    fn other_spellings_have_the_same_meaning() {
        let want = "raddle link --arch sm_90 -o o a.rlib -O2";
        assert_eq!(translated("llvm-bitcode-linker --target-cpu=sm_90 --output=o a.rlib -Lx --lto -Os"), want);
        assert_eq!(translated("raddle link -o k.ptx"), "raddle link -o k.ptx");
    }
}
