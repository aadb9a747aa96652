//! `--cache`: the same bytes with a warm, cold, damaged or unusable cache; only edited kernels are
//! compiled (BEY-1, BEY-3).

use crate::common::{Bench, UNSUPPORTED, command, corpus, finish, raddle};
use raddle_filetest::oracle;
use serde_json::Value;
use std::path::PathBuf;

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

/// Compiles and returns the bytes and the numbers of hits and misses.
fn cached(module: &str, folder: &str, more: &[&str]) -> (Vec<u8>, u64, u64) {
    let args = ["compile", module, "-o", "-", "--cache", folder, "--message-format", "json", "-v"];
    let ran = raddle(&[&args, more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines: Vec<Value> = ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let used = lines.iter().find(|line| line["kind"] == "cache").unwrap();
    // Kernels, and functions that are not inlined.
    let kernels = lines.iter().filter(|line| line["cached"] == true).count() as u64;
    let (hits, misses) = (used["hits"].as_u64().unwrap(), used["misses"].as_u64().unwrap());
    assert_eq!(kernels, hits);
    (ran.stdout, hits, misses)
}

fn plain(module: &str) -> Vec<u8> {
    raddle(&["compile", module, "-o", "-"]).stdout
}

/// The entries of a cache.
pub fn entries(folder: &str) -> Vec<PathBuf> {
    // The history is next to the folders of objects.
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let mut files: Vec<PathBuf> =
        folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())).collect();
    files.sort();
    files
}

#[test]
fn one_kernel_edited_means_one_kernel_compiled() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let whole = plain(&eight());
    assert_eq!(cached(&eight(), &folder, &["-j1"]), (whole.clone(), 0, 8));
    assert_eq!(cached(&eight(), &folder, &["-j2"]), (whole, 8, 0));
    // An option that affects the generated code, and another target: no hits.
    assert_eq!(cached(&eight(), &folder, &["-O0"]).1, 0);
    assert_eq!(cached(&eight(), &folder, &["--arch", "sm_90"]).1, 0);
    let text = std::fs::read_to_string(eight()).unwrap();
    let at = text.find(".entry saxpy(").unwrap();
    let (head, tail) = text.split_at(at);
    let edited = format!("// moved\n{head}{}", tail.replacen("ret;", "membar.gl;\n\tret;", 1));
    let edited = bench.file("edited.ptx", edited);
    assert_eq!(cached(&edited, &folder, &[]), (plain(&edited), 7, 1));
}

#[test]
fn objects_and_executables_and_names_of_functions_have_entries_of_their_own() {
    let bench = Bench::new();
    // A kernel that calls functions, and functions with second names.
    let alias = corpus().join("calls/alias.ptx").to_str().unwrap().to_string();
    for order in [[&["-c"][..], &[]], [&[], &["-c"]]] {
        let folder = bench.path(&format!("cache{}", order[0].len()));
        for options in order {
            let whole = raddle(&[&["compile", &alias, "-o", "-"], options].concat()).stdout;
            assert!(cached(&alias, &folder, options).0 == whole, "{options:?} in {order:?}");
            assert!(cached(&alias, &folder, options).0 == whole, "{options:?} in {order:?}, from the cache");
        }
    }
    let one = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func (.param .b32 r) old (.param .b32 a)\n\
        { .reg .u32 %r<2>; ld.param.u32 %r1, [a]; st.param.b32 [r], %r1; ret; }\n";
    let two = format!("{one}.visible .func (.param .b32 r) new (.param .b32 a);\n.alias new, old;\n");
    let folder = bench.path("names");
    for text in [one, &two] {
        let module = bench.file("names.ptx", text);
        let whole = raddle(&["compile", &module, "-o", "-", "-c"]).stdout;
        assert!(cached(&module, &folder, &["-c"]).0 == whole, "{text}");
    }
}

#[test]
fn damaged_entries_are_compiled_again() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let whole = cached(&eight(), &folder, &[]).0;
    for (number, path) in entries(&folder).into_iter().enumerate() {
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        match number % 4 {
            0 => bytes.truncate(middle),
            1 => bytes[middle] ^= 1,
            2 => bytes.clear(),
            _ => bytes.push(0),
        }
        std::fs::write(&path, bytes).unwrap();
    }
    assert_eq!(cached(&eight(), &folder, &[]), (whole.clone(), 0, 8));
    assert_eq!(cached(&eight(), &folder, &[]), (whole, 8, 0));
}

#[test]
fn a_folder_that_cannot_be_used_costs_a_warning() {
    let bench = Bench::new();
    let file = bench.file("file", "x");
    let ran = raddle(&["compile", &eight(), "-o", "-", "--cache", &file]);
    assert_eq!((ran.code, ran.stdout), (Some(0), plain(&eight())));
    assert!(ran.stderr.contains("warning[E0018]"), "{}", ran.stderr);
    let ran = raddle(&["compile", &eight(), "-o", "/dev/null", "--cache", &file, "--Werror"]);
    assert_eq!(ran.code, Some(1));
    // Entries that cannot be written: a directory takes the place of the folder of one.
    let folder = bench.path("cache");
    cached(&eight(), &folder, &[]);
    for path in entries(&folder) {
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir_all(path.join("in the way")).unwrap();
    }
    let ran = raddle(&["compile", &eight(), "-o", "-", "--cache", &folder]);
    assert_eq!((ran.code, ran.stdout), (Some(0), plain(&eight())));
    assert!(ran.stderr.contains("8 could not be written"), "{}", ran.stderr);
}

#[test]
fn kernels_that_fail_are_not_kept() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let text = std::fs::read_to_string(corpus().join("kernels/saxpy/nvcc.ptx")).unwrap();
    let input = bench.file("in.ptx", format!("{text}\n.visible .entry odd() {{ {UNSUPPORTED} ret; }}\n"));
    let ran = raddle(&["compile", &input, "-o", "/dev/null", "--cache", &folder, "-k"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert_eq!(entries(&folder).len(), 1);
}

/// Every warning about a kernel is repeated when nothing is compiled.
#[test]
fn what_is_said_of_a_kernel_is_said_again_with_a_warm_cache() {
    let bench = Bench::new();
    let beside = corpus().join("calls/beside.ptx").to_str().unwrap().to_string();
    let header = ".version 8.0\n.target sm_90\n.address_size 64\n";
    // A launch bound that no multiprocessor meets; an undefined external variable in shared memory.
    let bound =
        bench.file("bound.ptx", format!("{header}.visible .entry k() .maxntid 1024 .minnctapersm 9 {{ ret; }}\n"));
    let body = "{ .reg .b32 %r; ld.volatile.shared.u32 %r, [s]; ret; }";
    let shared = format!("{header}.extern .shared .align 4 .b8 s[64];\n.visible .entry k() {body}\n");
    let shared = bench.file("shared.ptx", shared);
    for (module, code) in [(beside, "warning[E0068]"), (bound, "warning[E0084]"), (shared, "warning[E0083]")] {
        let folder = bench.path(code);
        let build = |more: &[&str]| {
            let ran = raddle(&[&["compile", &module, "-o", "-", "--cache", &folder], more].concat());
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            (ran.stdout, ran.stderr)
        };
        // Filled by a build without warnings.
        let quiet = build(&["-w"]);
        assert!(quiet.1.is_empty() && !entries(&folder).is_empty(), "{code}: {}", quiet.1);
        let warm = build(&[]);
        assert!(warm.1.contains(code), "{}", warm.1);
        assert_eq!(cached(&module, &folder, &[]).2, 0, "{code}: all are there");
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(build(&[]) == warm && build(&["-j1"]) == warm && quiet.0 == warm.0, "{code}");
    }
}

/// Output of another assembler is cached under the hash of that program, wherever the program is;
/// that of a script is not.
#[test]
fn kernels_of_the_fallback_are_kept_by_the_program_that_made_them() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let bench = Bench::new();
    let folder = bench.path("cache");
    let text = std::fs::read_to_string(corpus().join("kernels/saxpy/nvcc.ptx")).unwrap();
    let input = bench.file("in.ptx", format!("{text}\n.visible .entry odd() {{ {UNSUPPORTED} ret; }}\n"));
    let program = |name: &str, bytes: &[u8]| {
        let path = bench.file(name, bytes);
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        path
    };
    let bytes = std::fs::read(ptxas.path()).unwrap();
    let build = |program: &str, more: &[&str]| {
        let fallback = format!("--fallback=ptxas:{program}");
        let (bytes, hits, misses) = cached(&input, &folder, &[&[&fallback[..]], more].concat());
        let ran = raddle(&["compile", &input, "-o", "/dev/null", "--cache", &folder, &fallback]);
        assert_eq!(ran.stderr.matches("info[E0035]: 'odd' was assembled by ptxas").count(), 1, "{}", ran.stderr);
        (bytes, hits, misses, ran.stderr)
    };
    let one = program("one", &bytes);
    let (whole, hits, misses, said) = build(&one, &[]);
    assert_eq!((hits, misses, entries(&folder).len()), (0, 2, 2));
    // The same program at another path.
    std::fs::rename(&one, bench.path("two")).unwrap();
    assert_eq!(build(&bench.path("two"), &[]), (whole.clone(), 2, 0, said.clone()));
    // Another version of the program.
    let other = program("three", &[&bytes[..], b"\0"].concat());
    assert_eq!(build(&other, &[]), (whole.clone(), 1, 1, said.clone()));
    assert_eq!(entries(&folder).len(), 3);
    // Other options give another key; the cached objects remain.
    assert_eq!(build(&other, &["-O1"]).1, 0);
    assert_eq!(build(&other, &[]).1, 2);
    let script = program("four", format!("#!/bin/sh\nexec {} \"$@\"\n", bench.path("two")).as_bytes());
    for _ in 0..2 {
        assert_eq!(build(&script, &[]), (whole.clone(), 1, 1, said.clone()));
    }
}

/// A build whose compiler crashes in one kernel restarts: kernels compiled before are found in the
/// cache, and the crashing kernel is not cached.
#[test]
fn a_crash_leaves_the_cache_right() {
    let bench = Bench::new();
    let whole = plain(&eight());
    for (fault, code) in [("segv-once:scan", 0), ("segv:scan", 4), ("panic:scan", 4), ("oom@alloc:scan", 4)] {
        let folder = bench.path(fault);
        let crashed = |folder: &str| {
            let args = ["compile", &eight(), "-o", "-", "--cache", folder, "-k", "-w", "-j1", "--history", "off"];
            let mut command = command(&args);
            command.env("RADDLE_FAULT", fault);
            let out = command.output().unwrap();
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            assert_eq!(out.status.code(), Some(code), "{fault}: {said}");
            assert!(out.stdout == if code == 0 { &whole[..] } else { b"" }, "{fault}");
        };
        crashed(&folder);
        assert_eq!(entries(&folder).len(), 7, "{fault}: all others");
        // It crashes again with all other kernels in the cache, and with the kernel itself in it.
        crashed(&folder);
        assert_eq!(cached(&eight(), &folder, &[]), (whole.clone(), 7, 1), "{fault}");
        crashed(&folder);
        assert_eq!(cached(&eight(), &folder, &[]), (whole.clone(), 8, 0), "{fault}");
    }
}

#[test]
fn a_history_is_kept_and_changes_no_bytes() {
    let bench = Bench::new();
    let path = bench.path("history");
    let whole = plain(&eight());
    let build = |more: &[&str]| {
        let args = ["compile", &eight(), "-o", "-", "--history", &path, "--message-format", "json", "-v"];
        let ran = raddle(&[&args, more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout == whole);
    };
    build(&[]);
    let first = std::fs::read(&path).unwrap();
    assert_eq!((first.len() - "raddle history 1\n".len()) % 32, 0);
    assert_eq!(first.len(), "raddle history 1\n".len() + 8 * 32);
    build(&["-j1"]);
    // A corrupt history changes the order, but not the bytes.
    let mut nonsense = std::fs::read(&path).unwrap();
    let at = "raddle history 1\n".len() + 16;
    for (number, byte) in nonsense[at..].iter_mut().enumerate() {
        *byte = if number % 32 < 16 { (number * 37) as u8 } else { *byte };
    }
    for damaged in [&nonsense[..], b"what", b""] {
        std::fs::write(&path, damaged).unwrap();
        build(&["-j2", "--max-memory", "1M"]);
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(raddle(&["compile", &eight(), "-o", "/dev/null", "--history", "off"]).code, Some(0));
    assert_eq!(raddle(&["compile", &eight(), "-o", "/dev/null", "--history", "/proc/no/history"]).code, Some(0));
    assert!(!std::path::Path::new(&path).exists());
}

#[test]
fn processes_share_a_cache_and_it_can_be_counted_and_pruned() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let whole = plain(&eight());
    let builds: Vec<_> = (0..4)
        .map(|i| {
            let mut command = command(&["compile", &eight(), "-o", &bench.path(&i.to_string()), "--cache", &folder]);
            command.env("RADDLE_CHAOS", i.to_string());
            command.spawn().unwrap()
        })
        .collect();
    for (i, mut build) in builds.into_iter().enumerate() {
        assert!(build.wait().unwrap().success());
        assert!(std::fs::read(bench.path(&i.to_string())).unwrap() == whole);
    }
    let stats = |args: &[&str]| String::from_utf8(finish(command(args)).stdout).unwrap();
    let bytes: u64 = entries(&folder).iter().map(|path| path.metadata().unwrap().len()).sum();
    let said = stats(&["cache", "stats", &folder]);
    assert!(said.starts_with(&format!("8 objects, {bytes} bytes\nhistory: 8 kernels, ")), "{said}");
    assert_eq!(stats(&["cache", "prune", &folder, "--max-size", "1G"]), "0 objects, 0 bytes removed\n");
    let pruned = stats(&["cache", "prune", &folder, "--max-size", "4K", "--message-format", "json"]);
    let pruned: Value = serde_json::from_str(&pruned).unwrap();
    assert!(pruned["objects"].as_u64().unwrap() >= 4, "{pruned}");
    let left: u64 = entries(&folder).iter().map(|path| path.metadata().unwrap().len()).sum();
    assert!(left <= 4096 && left == bytes - pruned["bytes"].as_u64().unwrap());
    assert_eq!(raddle(&["cache", "stats", "/nonexistent"]).code, Some(1));
    assert_eq!(raddle(&["cache", "prune", &folder]).code, Some(2));
}

#[test]
fn one_function_edited_means_one_function_compiled() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let used = |module: &str| {
        let ran = raddle(&["compile", module, "-o", "-", "--cache", &folder, "--message-format", "json", "-v"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stdout, plain(module));
        let lines: Vec<Value> = ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let cache = lines.iter().find(|line| line["kind"] == "cache").unwrap();
        (cache["hits"].as_u64().unwrap(), cache["misses"].as_u64().unwrap())
    };
    // Four kernels, two of which call the function.
    let text = std::fs::read_to_string(corpus().join("calls/beside.ptx")).unwrap();
    assert_eq!(used(&bench.file("whole.ptx", &text)), (0, 5));
    assert_eq!(used(&bench.file("again.ptx", &text)), (5, 0));
    let edited = text.replace("add.u32 %r4, %r4, %r1;\nD:", "add.u32 %r4, %r4, %r1; add.u32 %r4, %r4, 1;\nD:");
    assert_ne!(edited, text);
    assert_eq!(used(&bench.file("edited.ptx", edited)), (4, 1));
    // A kernel that does not need the function.
    let edited = text.replace("add.u32 %r2, %r2, 100;", "add.u32 %r2, %r2, 101;");
    assert_ne!(edited, text);
    assert_eq!(used(&bench.file("other.ptx", edited)), (4, 1));
}
