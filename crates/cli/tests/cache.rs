//! `--cache`: the same bytes with a warm, cold, damaged or unusable cache; only what was edited is compiled (BEY-1, BEY-3).

mod common;

use common::{Bench, UNSUPPORTED, command, corpus, finish, raddle};
use serde_json::Value;
use std::path::PathBuf;

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

/// Compiles and gives the bytes, and the numbers of hits and misses.
fn cached(module: &str, folder: &str, more: &[&str]) -> (Vec<u8>, u64, u64) {
    let args = ["compile", module, "-o", "-", "--cache", folder, "--message-format", "json", "-v"];
    let ran = raddle(&[&args, more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines: Vec<Value> = ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let used = lines.iter().find(|line| line["kind"] == "cache").unwrap();
    let kernels = lines.iter().filter(|line| line["kind"] == "kernel" && line["cached"] == true).count() as u64;
    let (hits, misses) = (used["hits"].as_u64().unwrap(), used["misses"].as_u64().unwrap());
    assert_eq!(kernels, hits);
    (ran.stdout, hits, misses)
}

fn plain(module: &str) -> Vec<u8> {
    raddle(&["compile", module, "-o", "-"]).stdout
}

/// The entries of a cache.
fn entries(folder: &str) -> Vec<PathBuf> {
    // Beside the folders of objects there is the history.
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
    // An option that changes bytes, another target: nothing is taken.
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
    // Entries that cannot be written: a directory stands where the folder of one should be.
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
fn kernels_that_fail_or_are_warned_about_are_not_kept() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let text = std::fs::read_to_string(corpus().join("kernels/saxpy/nvcc.ptx")).unwrap();
    let input = bench.file("in.ptx", format!("{text}\n.visible .entry odd() {{ {UNSUPPORTED} ret; }}\n"));
    let ran = raddle(&["compile", &input, "-o", "/dev/null", "--cache", &folder, "-k"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert_eq!(entries(&folder).len(), 1);
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
    // Nonsense in it: the order is another, the bytes are not.
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
    // A kernel beside it that needs none.
    let edited = text.replace("add.u32 %r2, %r2, 100;", "add.u32 %r2, %r2, 101;");
    assert_ne!(edited, text);
    assert_eq!(used(&bench.file("other.ptx", edited)), (4, 1));
}
