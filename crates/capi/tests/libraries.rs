//! The libraries that `scripts/libs.sh` makes, used by programs in C: the same programs do the same
//! with NVIDIA's libraries, and a host's process stays as it was.
#![forbid(unsafe_code)]

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
        let output = Command::new(script).args(["--profile", profile()]).arg(&folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    })
}

/// The profile that this test was built with.
fn profile() -> &'static str {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).and_then(Path::file_name).unwrap();
    if folder == "release" { "release" } else { "dev" }
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
    for name in ["MAKEFLAGS", "RADDLE_JOBS", "RADDLE_CACHE", "RADDLE_FAULT"] {
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
    names.filter(|name| name.trim_start_matches('_').starts_with("nv")).map(str::to_owned).collect()
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

/// The folder of NVIDIA's headers.
fn headers() -> PathBuf {
    oracle::toolkit().unwrap_or_default().join("include")
}

mod nvptxcompiler {
    use super::*;

    const STATIC: &str = "libnvptxcompiler_static.a";
    const SHARED: &str = "libnvptxcompiler.so.13";

    fn theirs(library: &Path) -> Vec<String> {
        vec![library.display().to_string(), "-lstdc++".into()]
    }

    #[test]
    fn it_does_what_nvidias_does() {
        let library = oracle::require_file("lib/libnvptxcompiler_static.a");
        let headers = headers();
        let theirs = library.map(|library| Build { headers: &headers, with: theirs(&library) });
        same("nvptxcompiler.c", &ours(SHARED), theirs.as_ref(), 100);
        same("nvptxcompiler.c", &ours(STATIC), None, 100);
    }

    #[test]
    fn programs_of_nvidias_header_use_it() {
        if oracle::require_file("include/nvPTXCompiler.h").is_none() {
            return;
        }
        let headers = headers();
        let (_folder, path) = program("nvptxcompiler.c", &Build { headers: &headers, ..ours(SHARED) });
        let (_other, with_ours) = program("nvptxcompiler.c", &ours(SHARED));
        assert_eq!(printed(&path, &[], &[]), printed(&with_ours, &[], &[]));
    }

    #[test]
    fn both_headers_declare_the_same() {
        if oracle::require_file("include/nvPTXCompiler.h").is_none() {
            return;
        }
        let headers = headers();
        let names = exported("nvptxcompiler.map");
        declared_alike("nvPTXCompiler.h", &headers, &names);
    }

    #[test]
    fn only_the_functions_are_visible() {
        let names = exported("nvptxcompiler.map");
        assert_eq!(names.len(), 13);
        let lib = libraries().join("lib");
        assert_eq!(defined(&lib.join(SHARED), &["-D"]), names);
        assert_eq!(defined(&lib.join(STATIC), &["-g"]), names);
    }

    fn host(words: &[&str], variables: &[(&str, &str)]) -> String {
        static HOST: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
        let (_, path) = HOST.get_or_init(|| program("host.c", &ours(SHARED)));
        let text = printed(path, words, variables);
        assert!(text.ends_with("done\n"), "{text}");
        text
    }

    #[test]
    fn a_hosts_process_stays_as_it_was() {
        host(&["state"], &[]);
    }

    #[test]
    fn many_threads_share_the_slots_of_the_process() {
        host(&["threads"], &[]);
        host(&["threads"], &[("RADDLE_JOBS", "1")]);
        // A make that has ended: one slot is left.
        host(&["threads"], &[("MAKEFLAGS", " -j8 --jobserver-auth=98,99")]);
    }

    #[test]
    fn a_small_stack_is_enough() {
        host(&["stack"], &[]);
    }

    #[test]
    fn children_compile_too() {
        host(&["fork"], &[]);
    }

    #[test]
    fn a_hosts_handler_of_crashes_works() {
        host(&["crash"], &[]);
    }

    #[test]
    fn a_panic_is_an_error_code() {
        host(&["panic"], &[("RADDLE_FAULT", "panic:k")]);
    }

    #[test]
    fn a_callback_cancels() {
        host(&["cancel"], &[("RADDLE_FAULT", "spin:k")]);
    }

    #[test]
    fn ten_thousand_compilations_hold_no_memory() {
        host(&["memory", "10000"], &[]);
    }

    #[test]
    fn it_is_loaded_and_unloaded_again_and_again() {
        let library = libraries().join("lib").join(SHARED);
        host(&["reload", library.to_str().unwrap()], &[]);
    }

    /// Python's handler of SIGINT works: the interrupt that comes during a compilation of half a
    /// second is raised after it, and the compilation has succeeded.
    #[test]
    fn an_interrupt_reaches_python() {
        let Some(python) = oracle::require("python3") else { return };
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/interrupt.py");
        let library = libraries().join("lib").join(SHARED);
        let words = [script.to_str().unwrap(), library.to_str().unwrap()];
        assert_eq!(printed(python.path(), &words, &[("RADDLE_FAULT", "slow:k")]), "0 True\n");
    }

    #[test]
    fn a_cache_is_used() {
        let folder = tempfile::tempdir().unwrap();
        host(&["crash"], &[("RADDLE_CACHE", folder.path().to_str().unwrap())]);
        assert_ne!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
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
