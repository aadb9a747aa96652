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

/// Options with a value, with one dash for two: their name up to the value, which follows as its own
/// argument unless the name ends with `=` or the value is appended. The first row that fits counts.
const WITH_VALUE: &[(&str, Meaning)] = &[
    ("-o", Same("-o")),
    ("-output-file", Same("-o")),
    ("-arch=", Same("--arch")),
    ("-arch", Same("--arch")),
    ("-cuda-path=", Toolkit),
    ("-ptxas-path=", Nothing),
    ("-ptxas-path", Nothing),
    ("-pxtas-path=", Nothing),
    ("-feature", Nothing),
    ("-library-path=", Same("-L")),
    ("-library-path", Same("-L")),
    ("-L", Same("-L")),
    ("-library=", Same("-l")),
    ("-library", Same("-l")),
    ("-l", Same("-l")),
    ("-mllvm=", Same("--mllvm")),
    ("-mllvm", Same("--mllvm")),
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
    ("-debug", Instead(&["--lineinfo"])),
    ("-save-temps", Instead(&["--save-temps", "."])),
    ("-version", Instead(&["--version"])),
    ("-help", Instead(&["--help"])),
    ("-help-hidden", Instead(&["--help"])),
    ("-lto-emit-llvm", Instead(EMIT_BITCODE)),
    ("-lto-emit-asm", Instead(EMIT_PTX)),
    ("-plugin-opt=emit-llvm", Instead(EMIT_BITCODE)),
    ("-plugin-opt=emit-asm", Instead(EMIT_PTX)),
    ("-plugin-opt=thinlto", Nothing),
    (DRY_RUN, Nothing),
    ("-m64", Nothing),
];

const EMIT: &str = "--emit";
const EMIT_BITCODE: &[&str] = &[EMIT, "bc"];
const EMIT_PTX: &[&str] = &[EMIT, "ptx"];

/// Prints the command in place of running it.
const DRY_RUN: &str = "-dry-run";

/// Our options that may be given once: the last of several counts, as for that tool.
const ONCE: &[&str] = &["-o", "-O", "-v", "--lineinfo", "--save-temps", "--libdevice", "--lto-partitions", EMIT];

/// Replaces a command line of clang-nvlink-wrapper by one of ours; any other stays.
pub fn translate(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args = args.peekable();
    if !is_started_as(args.peek()) {
        return args.collect();
    }
    args.next();
    // Each of our options with its value. clang names the architecture, and folders, more than once.
    let mut out: Vec<Vec<OsString>> = Vec::new();
    let mut has_arch = false;
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy();
        let plain = one_dash(&text);
        if let Some((_, meaning)) = FLAGS.iter().find(|(name, _)| *name == plain) {
            if let Instead(instead) = meaning {
                out.push(instead.iter().map(OsString::from).collect());
            }
            continue;
        }
        let fitting = WITH_VALUE.iter().find_map(|(name, meaning)| Some((value_of(name, &text)?, name, meaning)));
        let Some((value, name, meaning)) = fitting else {
            out.push(vec![arg]);
            continue;
        };
        let value = match value {
            "" if !name.ends_with('=') => args.next().unwrap_or_default(),
            value => value.into(),
        };
        match *meaning {
            Same("--arch") if std::mem::replace(&mut has_arch, true) => {}
            Same(option) => out.push(vec![option.into(), value]),
            Joined(option) => out.push(vec![[option.into(), value].iter().map(OsString::as_os_str).collect()]),
            Llvm => out.push(vec!["--mllvm".into(), value]),
            Toolkit => out.extend(library(Path::new(&value))),
            Nothing | Instead(_) => {}
        }
    }
    let once = |words: &[OsString]| {
        let first = words.first()?.to_string_lossy().into_owned();
        let is = |option: &&&str| **option == first || **option == "-O" && first.starts_with("-O");
        ONCE.iter().find(is).copied()
    };
    let keys: Vec<Option<&str>> = out.iter().map(|words| once(words)).collect();
    let is_last = |n: usize| keys[n].is_none() || !keys[n + 1..].contains(&keys[n]);
    // Libraries are for the linker.
    let command = if keys.contains(&Some(EMIT)) { "compile" } else { "link" };
    let kept = out.into_iter().enumerate().filter(|(n, _)| is_last(*n));
    let kept: Vec<Vec<OsString>> = kept.map(|(_, words)| words).collect();
    let kept = if command == "compile" { with_archives(kept) } else { kept };
    ["raddle", command].map(OsString::from).into_iter().chain(kept.into_iter().flatten()).collect()
}

/// Names libraries by their files: of an archive all members of LLVM IR are compiled.
fn with_archives(options: Vec<Vec<OsString>>) -> Vec<Vec<OsString>> {
    let is = |words: &[OsString], option: &str| words.len() == 2 && words[0] == option;
    let folders: Vec<OsString> = options.iter().filter(|words| is(words, "-L")).map(|words| words[1].clone()).collect();
    let file = |name: &OsString| {
        let file = format!("lib{}.a", name.to_string_lossy());
        folders.iter().map(|folder| Path::new(folder).join(&file)).find(|path| path.is_file())
    };
    let named = |words: Vec<OsString>| match words.get(1).filter(|_| is(&words, "-l")).and_then(file) {
        Some(path) => vec![path.into()],
        None => words,
    };
    options.into_iter().filter(|words| !is(words, "-L")).map(named).collect()
}

/// Whether a command line of clang-nvlink-wrapper asks for the commands instead of their results.
pub fn is_dry_run(args: &[OsString]) -> bool {
    is_started_as(args.first()) && args.iter().any(|arg| one_dash(&arg.to_string_lossy()) == DRY_RUN)
}

/// Whether this is the tool's name as the first word of a command line.
fn is_started_as(first: Option<&OsString>) -> bool {
    let program = first.and_then(|name| Path::new(name).file_name()).unwrap_or_default().to_string_lossy();
    is_name(&program)
}

/// An option of more than one letter with one dash in place of two: the tool takes both.
fn one_dash(text: &str) -> &str {
    text.strip_prefix('-').filter(|rest| rest.starts_with('-') && rest.len() > 2).unwrap_or(text)
}

/// Whether a program's name is that of the tool, with a version or without.
pub fn is_name(program: &str) -> bool {
    let version = program.strip_prefix(NAME).map(|rest| rest.trim_start_matches('-'));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// The value that an argument appends to an option of this name, empty if it is the option alone;
/// `None` if it is another argument.
fn value_of<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    // `-L` and `-l` take a value appended, and have one dash; the other names are whole words.
    if ["-L", "-l"].contains(&name) {
        return text.strip_prefix(name);
    }
    let value = one_dash(text).strip_prefix(name)?;
    (value.is_empty() || name.ends_with('=') || name.ends_with("=O")).then_some(value)
}

/// The device library of a toolkit, if it has one.
fn library(toolkit: &Path) -> Option<Vec<OsString>> {
    let folder = toolkit.join("nvvm/libdevice");
    folder.is_dir().then(|| vec!["--libdevice".into(), folder.into()])
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
            // The last counts; one dash or two.
            ("-save-temps -debug -v -plugin-opt=O2 -v -g -O3 -o a -o b", "--save-temps . -v --lineinfo -O3 -o b"),
            ("-library-path /a -library=b -lto-emit-x --lto=whole", "-L /a -l b -l to-emit-x --lto=whole"),
            ("a.o -help-hidden --dry-run", "a.o --help"),
        ] {
            let want = format!("raddle link {ours}");
            assert_eq!(translated(&format!("clang-nvlink-wrapper-19 {theirs}")), want.trim_end(), "{theirs}");
        }
        for (theirs, ours) in [
            ("--lto-emit-llvm -o a.bc a.o -L/none -lb", "--emit bc -o a.bc a.o -l b"),
            ("-lto-emit-asm --plugin-opt=emit-llvm a.o", "--emit bc a.o"),
            ("-plugin-opt=emit-asm a.o", "--emit ptx a.o"),
        ] {
            let want = format!("raddle compile {ours}");
            assert_eq!(translated(&format!("clang-nvlink-wrapper {theirs}")), want, "{theirs}");
        }
        assert_eq!(translated("raddle link -arch sm_90"), "raddle link -arch sm_90");
        assert_eq!(translated("clang-nvlink-wrapperx -arch sm_90"), "clang-nvlink-wrapperx -arch sm_90");
    }
}
