//! nvPTXCompiler.

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

/// A host under a make gives every token back, however compilations end.
#[test]
fn all_tokens_of_make_are_returned() {
    for (what, fault) in [("fail", ""), ("panic", "panic:k"), ("cancel", "spin:k")] {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("tokens");
        host(&["tokens", what, fifo.to_str().unwrap()], &[("RADDLE_JOBS", "4"), ("RADDLE_FAULT", fault)]);
    }
}

#[test]
fn a_callback_cancels() {
    host(&["cancel"], &[("RADDLE_FAULT", "spin:k")]);
}

#[test]
fn thousands_of_compilations_hold_no_memory() {
    host(&["memory", "5000"], &[]);
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
