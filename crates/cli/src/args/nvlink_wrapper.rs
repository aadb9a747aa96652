//! The options of clang-nvlink-wrapper, by which clang links device code, as options of
//! `raddle link`.
//!
//! Strategy: one table. A process whose name is `clang-nvlink-wrapper` (with a version or without)
//! has its command line replaced before it is parsed; clang starts it where a folder with such a
//! link to raddle is in `COMPILER_PATH`. Options that the table lacks stay as they are: that tool
//! passes them to nvlink.
//!
//! Source of names: `clang-nvlink-wrapper --help-hidden` of LLVM 19, and the command lines that
//! clang 19 gives it, which have `--pxtas-path` for `--ptxas-path`.

use std::ffi::OsString;
use std::path::Path;

/// The name under which it is started.
pub const NAME: &str = "clang-nvlink-wrapper";

/// The meaning of an option.
#[derive(Clone, Copy)]
enum Meaning {
    /// Our option of this name, with the value.
    Same(&'static str),
    /// Our option of this name, with a value appended to it.
    Joined(&'static str),
    /// These arguments instead.
    Instead(&'static [&'static str]),
    /// The folder of a CUDA toolkit.
    Toolkit,
    /// No effect here: machine code is generated without other tools.
    Nothing,
    /// An option for LLVM, without its dashes.
    Llvm,
}

use Meaning::{Instead, Joined, Llvm, Nothing, Same, Toolkit};

/// Options with a value: their name up to the value, which follows as its own argument unless the
/// name ends with `=` or the value is appended. The first row that fits counts.
const WITH_VALUE: &[(&str, Meaning)] = &[
    ("-o", Same("-o")),
    ("--output-file", Same("-o")),
    ("--arch=", Same("--arch")),
    ("--arch", Same("--arch")),
    ("-arch", Same("--arch")),
    ("--cuda-path=", Toolkit),
    ("--ptxas-path=", Nothing),
    ("--ptxas-path", Nothing),
    ("--pxtas-path=", Nothing),
    ("--feature", Nothing),
    ("--library-path=", Same("-L")),
    ("--library-path", Same("-L")),
    ("-L", Same("-L")),
    ("--library=", Same("-l")),
    ("--library", Same("-l")),
    ("-l", Same("-l")),
    ("-mllvm=", Same("--mllvm")),
    ("-mllvm", Same("--mllvm")),
    ("--plugin-opt=mcpu=", Same("--arch")),
    ("--plugin-opt=jobs=", Same("--lto-partitions")),
    ("--plugin-opt=lto-partitions=", Same("--lto-partitions")),
    ("--plugin-opt=O", Joined("-O")),
    ("--plugin-opt=", Llvm),
    ("-plugin-opt=mcpu=", Same("--arch")),
    ("-plugin-opt=jobs=", Same("--lto-partitions")),
    ("-plugin-opt=lto-partitions=", Same("--lto-partitions")),
    ("-plugin-opt=O", Joined("-O")),
    ("-plugin-opt=", Llvm),
    ("-plugin", Nothing),
];

/// Options without a value. Those of LTO's kind have no effect: LLVM IR is always split after the
/// link.
const FLAGS: &[(&str, Meaning)] = &[
    ("-v", Instead(&["-v"])),
    ("-g", Instead(&["--lineinfo"])),
    ("--save-temps", Instead(&["--save-temps", "."])),
    ("--version", Instead(&["--version"])),
    ("-help", Instead(&["--help"])),
    ("--help", Instead(&["--help"])),
    ("--plugin-opt=thinlto", Nothing),
    ("-plugin-opt=thinlto", Nothing),
    ("-m64", Nothing),
];

/// Replaces a command line of clang-nvlink-wrapper by one of ours; any other stays.
pub fn translate(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args = args.peekable();
    let program = args.peek().and_then(|name| Path::new(name).file_name()).unwrap_or_default().to_string_lossy();
    if !is_name(&program) {
        return args.collect();
    }
    args.next();
    let mut out: Vec<OsString> = vec!["raddle".into(), "link".into()];
    // clang names the architecture, and folders, more than once.
    let mut has_arch = false;
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy();
        if let Some((_, Instead(instead))) = FLAGS.iter().find(|(name, _)| *name == text) {
            out.extend(instead.iter().map(OsString::from));
            continue;
        }
        if FLAGS.iter().any(|(name, _)| *name == text) {
            continue;
        }
        let Some((name, meaning)) = WITH_VALUE.iter().find(|(name, _)| fits(name, &text)) else {
            out.push(arg);
            continue;
        };
        let value = match &text[name.len()..] {
            "" if !name.ends_with('=') => args.next().unwrap_or_default(),
            value => value.into(),
        };
        match *meaning {
            Same("--arch") if std::mem::replace(&mut has_arch, true) => {}
            Same(option) => out.extend([option.into(), value]),
            Joined(option) => out.push([option.into(), value].iter().map(OsString::as_os_str).collect()),
            Llvm => out.extend(["--mllvm".into(), value]),
            Toolkit => out.extend(library(Path::new(&value))),
            Nothing | Instead(_) => {}
        }
    }
    out
}

/// Whether a program's name is that of the tool, with a version or without.
pub fn is_name(program: &str) -> bool {
    let version = program.strip_prefix(NAME).map(|rest| rest.trim_start_matches('-'));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// Whether an argument is an option of this name: with its value appended, or before its value.
fn fits(name: &str, text: &str) -> bool {
    // `-L` and `-l` take a value appended; the other names are whole words.
    let appended = name.ends_with('=') || name.ends_with("=O") || ["-L", "-l"].contains(&name);
    if appended { text.starts_with(name) } else { text == name }
}

/// The device library of a toolkit, if it has one.
fn library(toolkit: &Path) -> Vec<OsString> {
    let folder = toolkit.join("nvvm/libdevice");
    match folder.is_dir() {
        true => vec!["--libdevice".into(), folder.into()],
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let out = translate(line.split_whitespace().map(OsString::from));
        let words: Vec<String> = out.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        words.join(" ")
    }

    #[test]
    fn what_clang_passes_is_understood() {
        // clang 19 for `--target=nvptx64-nvidia-cuda -march=sm_90 -flto -O2 -lfoo --ptxas-path=/p`.
        let line = "/x/clang-nvlink-wrapper -o out.cubin -v -arch sm_90 --pxtas-path=/p --cuda-path=/none -L/tmp -lfoo \
                    a.o b.o -plugin /y/LLVMgold.so -plugin-opt=mcpu=sm_90 -plugin-opt=O2 -L/z";
        let ours = "raddle link -o out.cubin -v --arch sm_90 -L /tmp -l foo a.o b.o -O2 -L /z";
        assert_eq!(translated(line), ours);
    }

    #[test]
    fn every_spelling_has_a_meaning() {
        for (theirs, ours) in [
            ("--arch sm_80", "--arch sm_80"),
            ("--arch=sm_80", "--arch sm_80"),
            ("--ptxas-path=/p --ptxas-path /p --pxtas-path=/p", ""),
            ("--plugin-opt=O3 --plugin-opt=lto-partitions=4", "-O3 --lto-partitions 4"),
            ("--plugin-opt=jobs=2 --plugin-opt=thinlto", "--lto-partitions 2"),
            ("-mllvm -x -mllvm=-y --plugin-opt=-z", "--mllvm -x --mllvm -y --mllvm -z"),
            ("--output-file o --library-path=a --library b --feature +ptx83", "-o o -L a -l b"),
            ("-g --save-temps -lx -Ly", "--lineinfo --save-temps . -l x -L y"),
            ("--suppress-stack-size-warning", "--suppress-stack-size-warning"),
        ] {
            let want = format!("raddle link {ours}");
            assert_eq!(translated(&format!("clang-nvlink-wrapper-19 {theirs}")), want.trim_end(), "{theirs}");
        }
        assert_eq!(translated("raddle link -arch sm_90"), "raddle link -arch sm_90");
        assert_eq!(translated("clang-nvlink-wrapperx -arch sm_90"), "clang-nvlink-wrapperx -arch sm_90");
    }
}
