//! The libraries that `scripts/libs.sh` makes, used by programs in C: the same programs do the same
//! with NVIDIA's libraries, and a host's process stays as it was.
#![forbid(unsafe_code)]

mod nvfatbin;
mod nvjitlink;
mod nvptxcompiler;
mod own;
mod programs;

use raddle_filetest::oracle;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What a program is linked with.
struct Build<'a> {
    headers: &'a Path,
    /// Libraries, and options of the linker.
    with: Vec<String>,
}

/// The folder of our libraries, made once.
fn libraries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libs");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/libs.sh");
        let output = Command::new(script).arg("--archive").arg(archive()).arg(&folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    })
}

/// The archive that was built with this test: the newest beside it. Another one is of other sources,
/// and older, or of other features of dependencies, and as good.
fn archive() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let files = std::fs::read_dir(test.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let is_archive = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libraddle_capi") && name.ends_with(".a")
    };
    files.filter(is_archive).max_by_key(|path| path.metadata().unwrap().modified().unwrap()).unwrap()
}

fn ours(library: &str) -> Build<'static> {
    static HEADERS: OnceLock<PathBuf> = OnceLock::new();
    let lib = libraries().join("lib");
    let rpath = format!("-Wl,-rpath,{}", lib.display());
    Build {
        headers: HEADERS.get_or_init(|| libraries().join("include")),
        with: vec![lib.join(library).display().to_string(), rpath],
    }
}

/// Compiles a program; the folder is removed at the end.
fn program(source: &str, build: &Build<'_>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let path = folder.path().join("program");
    let mut cc = Command::new("cc");
    cc.args(["-Wall", "-Wextra", "-Werror", "-O1", "-o"]).arg(&path).arg(sources.join(source));
    cc.arg("-I").arg(build.headers).arg("-I").arg(&sources).args(&build.with).args(["-lpthread", "-lm", "-ldl"]);
    let output = cc.output().unwrap();
    assert!(output.status.success(), "{source}: {}", String::from_utf8_lossy(&output.stderr));
    (folder, path)
}

/// Runs a program outside of any make.
fn run(path: &Path, words: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(path);
    for name in ["MAKEFLAGS", "RADDLE_JOBS", "RADDLE_CACHE", "RADDLE_FAULT", "RADDLE_PTXAS", "RADDLE_FALLBACK"] {
        command.env_remove(name);
    }
    command.args(words).envs(variables.iter().copied()).output().unwrap()
}

/// The output of a program that must succeed without a message.
fn printed(path: &Path, words: &[&str], variables: &[(&str, &str)]) -> String {
    let output = run(path, words, variables);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{words:?}: {}\n{said}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a program that prints what a library does, with ours and with NVIDIA's, and compares.
fn same(source: &str, ours: &Build<'_>, theirs: Option<&Build<'_>>, least: usize) {
    let (_folder, path) = program(source, ours);
    let our = printed(&path, &[], &[]);
    assert!(our.lines().count() >= least, "{our}");
    let Some(theirs) = theirs else { return };
    let (_folder, path) = program(source, theirs);
    let their = printed(&path, &[], &[]);
    let mut differences = Vec::new();
    for (number, (ours, theirs)) in our.lines().zip(their.lines()).enumerate() {
        if ours != theirs {
            differences.push(format!("{}: {ours}\n{}: {theirs}\n", number + 1, number + 1));
        }
    }
    assert!(differences.is_empty(), "ours, then theirs:\n{}", differences.concat());
    assert_eq!(our.lines().count(), their.lines().count());
}

/// The functions that a version script names.
fn exported(map: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("exports").join(map);
    let text = std::fs::read_to_string(path).unwrap();
    let names = text.lines().filter_map(|line| line.trim().strip_suffix(';'));
    let is_function =
        |name: &&str| ["nv", "raddle_"].iter().any(|start| name.trim_start_matches('_').starts_with(start));
    names.filter(is_function).map(str::to_owned).collect()
}

/// The symbols that a library defines for others.
fn defined(path: &Path, options: &[&str]) -> Vec<String> {
    let output = Command::new("nm").args(options).arg(path).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let row = |line: &str| {
        let mut words = line.split_whitespace().rev();
        let (name, kind) = (words.next()?, words.next()?);
        (kind.len() == 1 && !"UwA".contains(kind)).then(|| name.to_owned())
    };
    text.lines().filter_map(row).collect()
}

/// A file of a folder, as text.
fn shown(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// The folder of NVIDIA's headers.
fn headers() -> PathBuf {
    oracle::toolkit().unwrap_or_default().join("include")
}

/// Compares the declarations of functions in our header and in NVIDIA's, as the compiler reads them.
fn declared_alike(header: &str, theirs: &Path, functions: &[String]) {
    let declarations = |folder: &Path| {
        let place = tempfile::tempdir().unwrap();
        let source = place.path().join("x.c");
        std::fs::write(&source, format!("#include \"{header}\"\n")).unwrap();
        let output = Command::new("cc").args(["-E", "-P", "-I"]).arg(folder).arg(&source).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        functions.iter().map(|name| declaration(&text, name)).collect::<Vec<_>>()
    };
    for (ours, theirs) in declarations(&libraries().join("include")).iter().zip(declarations(theirs)) {
        assert_eq!(*ours, theirs);
    }
}

/// The declaration of a function in preprocessed text, without blanks.
fn declaration(text: &str, name: &str) -> String {
    let is_whole = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let is_function = |at: usize| text[at + name.len()..].trim_start().starts_with('(');
    let at = text.match_indices(name).map(|(at, _)| at).find(|&at| is_whole(at) && is_function(at));
    let at = at.unwrap_or_else(|| panic!("{name} is not declared"));
    let begin = text[..at].rfind([';', '}', '{', '"']).map_or(0, |at| at + 1);
    let end = at + text[at..].find([';', '{']).unwrap();
    text[begin..end].split_whitespace().filter(|word| !["extern", "static", "inline"].contains(word)).collect()
}
