//! `raddle` under the names `cuobjdump` and `nvdisasm`: the same lists, files and columns as theirs.

use crate::common::{Bench, Ran, command, finish, kernel, raddle};
use raddle_filetest::oracle;
use regex_lite::Regex;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Our command under the name of a tool, without another one.
fn ours(tool: &str, words: &[&str]) -> Command {
    let mut command = command(words);
    command.arg0(tool).env(format!("RADDLE_{}", tool.to_uppercase()), "off").env_remove("RADDLE_WITHIN");
    command
}

/// A folder with a cubin, fatbins and an archive.
fn bench() -> Bench {
    let bench = Bench::new();
    for (name, arch, out) in
        [("matmul", "sm_80", "m.80.cubin"), ("histogram", "sm_90", "h.cubin"), ("saxpy", "sm_90a", "s.cubin")]
    {
        let ran = raddle(&["compile", &kernel(name), "--arch", arch, "-o", &bench.path(out)]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    fs::copy(kernel("matmul"), bench.path("m.ptx")).unwrap();
    let images = ["--image3=kind=elf,sm=80,file=m.80.cubin", "--image3=kind=elf,sm=90,file=h.cubin"];
    let ptx = "--image3=kind=ptx,sm=80,file=m.ptx";
    for words in [
        &["--create=plain.fatbin", images[0], images[1], ptx, "--cmdline=-O2"][..],
        &["--create=named", images[0], ptx, "--ident=a/b.x.cu", "--compress-all", "-g"],
    ] {
        let mut fatbinary = ours("fatbinary", words);
        fatbinary.current_dir(bench.dir.path());
        assert_eq!(finish(fatbinary).code, Some(0));
    }
    bench
}

/// Runs in a new folder beside the inputs; returns what was printed, and the files that were written.
fn run(bench: &Bench, mut command: Command) -> (Ran, Vec<(String, Vec<u8>)>) {
    let folder = bench.path("work");
    fs::create_dir(&folder).unwrap();
    let ran = finish({
        command.current_dir(&folder);
        command
    });
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    fs::remove_dir_all(&folder).unwrap();
    (ran, files)
}

/// Text without what depends on alignment: blanks, those in front of semicolons too; and without marks
/// of reuse, which NVIDIA's tools leave out where the next instruction makes no use of them.
fn normal(text: &[u8]) -> String {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let text = Regex::new("[ \t]+").unwrap().replace_all(&text, " ").into_owned();
    let text = text.replace(" ;", ";").replace(".reuse", "");
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

const CALLS: &[&[&str]] = &[
    &[],
    &["-lelf"],
    &["-lptx"],
    &["-lelf", "-lptx"],
    &["-xelf", "all"],
    &["--extract-elf=sm_80"],
    &["-xptx", "all"],
    &["-xelf", "nowhere"],
    &["-sass"],
    &["-sass", "-arch", "sm_80"],
    &["-arch", "sm_90", "-lelf", "-lptx"],
    &["-arch", "sm_90", "-xelf", "all"],
    &["-arch", "sm_90", "-xelf", ".2."],
    &["-arch", "sm_90", "-xptx", "all"],
    &["-arch", "sm_75", "-lelf", "-lptx"],
    &["-ptx"],
    &["-res-usage"],
    &["-ltext"],
    &["-ltext", "-lelf"],
    &["-xtext", "all"],
    &["--extract-text=sm_80", "-ltext"],
    &["-xtext", "nowhere"],
    &["-symbols"],
    &["-symbols", "-sass", "-res-usage"],
    &["-res-usage", "-fun", "histogram"],
    &["-sass", "-findex", "1"],
    &["-sass", "-fun", "histogram,matmul,saxpy"],
];

#[test]
fn lists_files_and_code_are_those_of_cuobjdump() {
    let Some(tool) = oracle::require("cuobjdump") else { return };
    let bench = bench();
    for file in ["plain.fatbin", "named", "h.cubin", "m.80.cubin", "s.cubin"] {
        for words in CALLS {
            let path = bench.path(file);
            let words = [words, &[&*path][..]].concat();
            let mut theirs = tool.command();
            theirs.args(&words);
            let ((theirs, want), (ours, have)) = (run(&bench, theirs), run(&bench, ours("cuobjdump", &words)));
            assert_eq!((ours.code, &ours.stderr), (Some(0), &theirs.stderr), "{words:?}");
            assert_eq!(normal(&ours.stdout), normal(&theirs.stdout), "{words:?}");
            assert!(have == want, "{words:?}");
        }
    }
}

/// The columns that Triton and others read by regular expressions, one call of each.
#[test]
fn the_columns_are_where_callers_look() {
    let bench = bench();
    let first = Regex::new(r"(?m)^\s*/\*\w{4}\*/\s*([^;]*;)\s*/\* 0x(\w{16}) \*/\s*$").unwrap();
    let second = Regex::new(r"(?m)^\s*/\* 0x(\w{16}) \*/\s*$").unwrap();
    let text = String::from_utf8(finish(ours("cuobjdump", &["-sass", &bench.path("h.cubin")])).stdout).unwrap();
    assert!(text.contains("\t\tFunction : histogram\n") && text.contains("\tcode for sm_90\n"), "{text}");
    let count = first.find_iter(&text).count();
    assert!(count > 16 && second.find_iter(&text).count() == count);
    // Both halves begin in one column.
    let columns: Vec<usize> = text.lines().filter_map(|line| line.find("/* 0x")).collect();
    assert!(columns.iter().all(|column| *column == columns[0]), "{text}");
}

#[test]
fn instructions_and_targets_are_those_of_nvdisasm() {
    let Some(tool) = oracle::require("nvdisasm") else { return };
    let bench = bench();
    let label = Regex::new(r"\.L_x_\d+").unwrap();
    for file in ["h.cubin", "m.80.cubin"] {
        for words in [&["-c"][..], &["-c", "-hex"], &["--print-code", "-ndf"]] {
            let path = bench.path(file);
            let words = [words, &[&*path][..]].concat();
            // Labels have other numbers: each is replaced by the place of its definition.
            let read = |command: Command| -> Vec<String> {
                let ran = finish(command);
                assert_eq!(ran.code, Some(0), "{}", ran.stderr);
                let text = normal(&ran.stdout);
                let lines = text.lines().skip_while(|line| !line.starts_with("//---------------------"));
                let code: Vec<&str> = lines.take_while(|line| !line.contains("SYMBOLS")).collect();
                let place = |name: &str| {
                    let at = code.iter().position(|line| line.strip_suffix(':') == Some(name)).unwrap();
                    let next = code[at..].iter().find(|line| line.contains("/*")).map_or("the end", |line| &line[..9]);
                    next.to_owned()
                };
                let named = |line: &&str| {
                    let mut line = (*line).to_owned();
                    while let Some(found) = label.find(&line) {
                        line = line.replacen(found.as_str(), &place(found.as_str()), 1);
                    }
                    line
                };
                let is_label = |line: &&&str| line.starts_with(".L_x_") && line.ends_with(':');
                code.iter().filter(|line| !is_label(line) && !line.is_empty()).map(named).collect()
            };
            let mut theirs = tool.command();
            theirs.args(&words);
            assert_eq!(read(ours("nvdisasm", &words)), read(theirs), "{words:?}");
        }
    }
}

/// tinygrad calls it so; of everything that nvdisasm prints then, it is the code.
#[test]
fn code_is_printed_without_an_option_too() {
    let bench = bench();
    let text = |words: &[&str]| finish(ours("nvdisasm", words)).stdout;
    let path = bench.path("h.cubin");
    let code = text(&["-c", &path]);
    assert!(!code.is_empty() && text(&[&path]) == code);
}

#[test]
fn the_options_are_those_of_the_help() {
    for (name, table) in
        [("cuobjdump", &raddle_dropin::cuobjdump::CUOBJDUMP), ("nvdisasm", &raddle_dropin::nvdisasm::NVDISASM)]
    {
        let Some(tool) = oracle::require(name) else { return };
        crate::common::tools::help_agrees(&tool, table);
    }
}

/// Sections and symbols; of the rest, constant banks.
#[test]
fn sections_and_symbols_are_those_of_cuobjdump() {
    let Some(tool) = oracle::require("cuobjdump") else { return };
    let bench = bench();
    for file in ["h.cubin", "m.80.cubin", "s.cubin"] {
        let words = ["-elf", &bench.path(file)];
        let mut theirs = tool.command();
        theirs.args(words);
        let read = |command| {
            let ran = finish(command);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let text = normal(&ran.stdout);
            let (tables, rest) = text.split_at(text.find("\n\n\n").unwrap());
            let bank = rest.split_once("\n.nv.constant0").unwrap().1.split("\n\n").next().unwrap();
            (tables.to_owned(), bank.to_owned())
        };
        assert_eq!(read(ours("cuobjdump", &words)), read(theirs), "{file}");
    }
}

#[test]
fn errors_are_those_of_cuobjdump() {
    let Some(tool) = oracle::require("cuobjdump") else { return };
    let bench = bench();
    bench.file("short", "x");
    for words in [
        &["none"][..],
        &["-bogus", "x"],
        &["-sass", "../m.ptx"],
        &["-sass", "-fun", "nope", "../h.cubin"],
        &["../short"],
    ] {
        let mut theirs = tool.command();
        theirs.args(words);
        let ((theirs, _), (ours, _)) = (run(&bench, theirs), run(&bench, ours("cuobjdump", words)));
        let all = |ran: &Ran| (ran.code, ran.stderr.clone() + &String::from_utf8_lossy(&ran.stdout));
        let (have, want) = (all(&ours), all(&theirs));
        assert_eq!((have.0, normal(have.1.as_bytes())), (want.0, normal(want.1.as_bytes())), "{words:?}");
    }
    let Some(nvdisasm) = oracle::require("nvdisasm") else { return };
    bench.file("nothing", "");
    for words in [["-c", "none"], ["-c", "../m.ptx"], ["-c", "../nothing"], ["-c", "/bin/sh"]] {
        let mut theirs = nvdisasm.command();
        theirs.args(words);
        let ((theirs, _), (ours, _)) = (run(&bench, theirs), run(&bench, ours("nvdisasm", &words)));
        assert_eq!((ours.code, &ours.stderr), (theirs.code, &theirs.stderr), "{words:?}");
    }
    let mut command = ours("nvdisasm", &["-c", "-g", "h.cubin"]);
    command.current_dir(bench.dir.path());
    let ran = finish(command);
    assert!(ran.code == Some(1) && ran.stderr.contains("there is no other nvdisasm"), "{}", ran.stderr);
    // Of several files the tools read none.
    for (tool, name) in [(&tool, "cuobjdump"), (&nvdisasm, "nvdisasm")] {
        let words = ["h.cubin", "m.80.cubin"];
        let mut theirs = tool.command();
        theirs.args(words);
        let [theirs, ours] = [theirs, ours(name, &words)].map(|mut command| {
            command.current_dir(bench.dir.path());
            finish(command)
        });
        assert_eq!((ours.code, &ours.stderr), (theirs.code, &theirs.stderr), "{name}");
        let first =
            |ran: &Ran| String::from_utf8(ran.stdout.clone()).unwrap().lines().take(5).collect::<Vec<_>>().join("\n");
        assert_eq!(first(&ours), first(&theirs), "{name}");
    }
}
