//! Files of ptxas and nvlink: every section, symbol, relocation, attribute and pair that `cuobjdump
//! -elf` lists is in the report with the same numbers, and nothing else; no payload is opaque
//! except those of the list; and nvlink's files are written back byte for byte. (ptxas' files:
//! `tools.rs`, and `cargo campaign objects` for the whole corpus.)

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use raddle_cubin::Cubin;
use raddle_cubin::model::{Payload, SymbolPlace};
use raddle_cubin::opaque::{LIST, Opaque, UNLISTED};
use raddle_cubin::report::Report;
use raddle_filetest::corpus::{self, assemble, ptx};
use raddle_filetest::oracle::{self, Oracle, PTXAS12};

/// Architectures with code generation.
const TARGETS: [&str; 5] = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"];

/// The listing of a file by either side, in one form: lines of text by heading.
#[derive(Debug, Default, PartialEq, Eq)]
struct Listing {
    sections: Vec<String>,
    symbols: Vec<String>,
    relocations: BTreeMap<String, Vec<String>>,
    attributes: BTreeMap<String, Vec<String>>,
    pairs: BTreeMap<String, Vec<String>>,
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).ok()
}

/// Parses the tool's text.
fn theirs(text: &str) -> Listing {
    let mut out = Listing::default();
    let mut heading = String::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split_whitespace().collect();
        match cells[..] {
            [] => {}
            ["Sections:"] | ["Index", ..] | ["index", "value", ..] => heading = cells[0].to_owned(),
            [".section", name, ..] => heading = name.to_owned(),
            [name] if name.starts_with(".nv") && !line.starts_with(' ') => heading = name.to_owned(),
            [index, offset, size, entry, align, .., flags, link, info, name] if heading == "Index" => {
                let kind = cells[5..cells.len() - 4].join("");
                let numbers = [index, offset, size, entry, align, flags, link, info].map(|n| hex(n).unwrap());
                out.sections.push(format!("{name} {kind} {numbers:x?}"));
            }
            [index, value, size, info, other, place, name] if heading == "index" => {
                let name = if name == "(null)" { "" } else { name };
                let numbers = [index, value, size, info, other, place].map(|n| hex(n).unwrap());
                out.symbols.push(format!("{name} {numbers:x?}"));
            }
            // Without an addend in REL sections; a symbol without a name leaves a gap.
            [offset, .., last] if heading.starts_with(".rel") && cells.iter().any(|c| c.starts_with("R_")) => {
                let addend = if last.starts_with("R_") { 0 } else { hex(last).unwrap() };
                let kind = cells.iter().rposition(|c| c.starts_with("R_")).unwrap();
                let symbol = if kind == 2 { cells[1] } else { "" };
                let line = format!("{:#x} {symbol} {} {addend:#x}", hex(offset).unwrap(), cells[kind]);
                out.relocations.entry(heading.clone()).or_default().push(line);
            }
            ["Attribute:", ref name @ ..] => {
                let name = name.join(" ").replace("EICOMPAT_ATTR_", "").replace("EIATTR_", "");
                out.attributes.entry(heading.clone()).or_default().push(name);
            }
            [pair, ..] if pair.starts_with('<') && matches!(&*heading, ".nv.callgraph" | ".nv.prototype") => {
                let pair = pair[1..].split(['>', '(']).next().unwrap();
                out.pairs.entry(heading.clone()).or_default().push(pair.to_owned());
            }
            _ => {}
        }
    }
    out
}

/// Converts the report.
fn ours(report: &Report, cubin: &Cubin) -> Listing {
    let mut out = Listing::default();
    for (index, s) in (1u64..).zip(&report.sections) {
        let numbers = [index, s.offset, s.size, s.entry_size, s.align, s.flags, s.link.into(), s.info.into()];
        out.sections.push(format!("{} {} {numbers:x?}", s.name, s.kind));
    }
    out.symbols.push(format!(" {:x?}", [0u64; 6]));
    for s in &report.symbols {
        let binding = ["local", "global", "weak"].iter().position(|b| *b == s.binding).unwrap() as u64;
        let kinds = ["none", "object", "function", "section"];
        let kind = kinds.iter().position(|k| *k == s.kind).map_or(13, |k| k as u64);
        assert!(kind < 13 || s.kind == "variable", "{} is a {}", s.name, s.kind);
        let place = match cubin.symbols[s.index].place {
            SymbolPlace::Undefined => 0,
            SymbolPlace::Section(number) => {
                assert_eq!(s.place, cubin.sections[number as usize].name);
                number.into()
            }
            SymbolPlace::Reserved(number) => number.into(),
        };
        let numbers = [s.index as u64, s.value, s.size, binding << 4 | kind, s.other.into(), place];
        out.symbols.push(format!("{} {numbers:x?}", s.name));
    }
    for r in &report.relocations {
        let line = format!("{:#x} {} {} {:#x}", r.offset, r.symbol, r.kind, r.addend);
        out.relocations.entry(r.section.clone()).or_default().push(line);
    }
    for a in &report.attributes {
        let name = a.name.unwrap_or("unknown Attribute").to_owned();
        out.attributes.entry(a.section.clone()).or_default().push(name);
    }
    for p in &report.pairs {
        // The tool prints words as signed numbers.
        let words = p.words.map(|w| (w as i32).to_string()).join(",");
        out.pairs.entry(p.section.clone()).or_default().push(words);
    }
    out
}

/// Counts of compared items, so that a listing that can no longer be parsed is noticed.
#[derive(Debug, Default)]
struct Seen {
    files: usize,
    relocations: usize,
    attributes: usize,
    pairs: usize,
}

fn check(tool: &Oracle, file: &Path, place: &str, seen: &mut Seen) {
    let bytes = fs::read(file).unwrap();
    let cubin = Cubin::parse(&bytes).unwrap_or_else(|e| panic!("{place}: {e}"));
    let report = Report::new(&cubin);
    for s in &report.sections {
        assert_ne!(s.contents, UNLISTED, "{place}: {} of type {}", s.name, s.kind);
    }
    for s in cubin.sections.iter().filter(|s| matches!(s.payload, Payload::Bytes(_))) {
        assert!(Opaque::of(&s.name).is_some(), "{place}: {}", s.name);
    }
    let text = String::from_utf8(tool.run(&["-elf".as_ref(), file.as_os_str()]).unwrap()).unwrap();
    let (mut a, mut b) = (theirs(&text), ours(&report, &cubin));
    // The tool has no name for the types of the finalizer's sections, and does not list their
    // contents.
    for (theirs, ours) in a.sections.iter_mut().zip(&mut b.sections) {
        if theirs.contains(" UNKNOWN:") || theirs.contains(" CUDA_RESERVED_SHARED") {
            let plain = |line: &str| line.split(' ').enumerate().filter(|c| c.0 != 1).map(|c| c.1).collect::<String>();
            (*theirs, *ours) = (plain(theirs), plain(ours));
        }
    }
    // Ours are grouped by the section they apply to, the tool's by the section that contains them,
    // of which there may be two.
    for (name, list) in std::mem::take(&mut a.relocations) {
        let changed = name.strip_prefix(".rela").or_else(|| name.strip_prefix(".rel")).unwrap_or(&name).to_owned();
        a.relocations.entry(changed).or_default().extend(list);
    }
    a.relocations.values_mut().chain(b.relocations.values_mut()).for_each(|list| list.sort());
    assert_eq!(a.sections, b.sections, "{place}: sections");
    assert_eq!(a.symbols, b.symbols, "{place}: symbols");
    assert_eq!(a.relocations, b.relocations, "{place}: relocations");
    assert_eq!(a.attributes, b.attributes, "{place}: attributes");
    assert_eq!(a.pairs, b.pairs, "{place}: pairs");
    let total = |lists: &BTreeMap<String, Vec<String>>| lists.values().map(Vec::len).sum::<usize>();
    seen.files += 1;
    seen.relocations += total(&a.relocations);
    seen.attributes += total(&a.attributes);
    seen.pairs += total(&a.pairs);
}

#[test]
fn all_that_cuobjdump_lists_of_files_of_ptxas_is_in_the_report() {
    let (Some(ptxas), Some(cuobjdump)) = (oracle::require("ptxas"), oracle::require("cuobjdump")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut seen = Seen::default();
    let (snippets, producers) = (ptx(&["snippets"]), ptx(&["producers"]));
    let newer = ["sm_75", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"];
    for (i, source) in snippets.iter().step_by(12).chain(producers.iter().step_by(16)).enumerate() {
        let options: &[&str] = [&[][..], &["-c"], &["-lineinfo"], &["-O0"]][i % 4];
        let target = if i % 5 == 4 { newer[i / 5 % newer.len()] } else { TARGETS[i % TARGETS.len()] };
        if assemble(&ptxas, folder.path(), source, target, options).is_some() {
            let place = format!("{} for {target} {options:?}", source.display());
            check(&cuobjdump, &folder.path().join("out.cubin"), &place, &mut seen);
        }
    }
    assert!(seen.files > 30 && seen.relocations > 30 && seen.attributes > 200 && seen.pairs > 100, "{seen:?}");
}

/// Every third of these files is an executable of sm_100 and later, which ptxas 12.9 writes in the
/// newer container with a different note.
#[test]
fn files_of_cuda_12_are_written_back_byte_for_byte_and_listed_whole() {
    let (Some(ptxas), Some(cuobjdump)) = (oracle::require(PTXAS12), oracle::require("cuobjdump")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.cubin");
    let (mut seen, mut old, mut new) = (Seen::default(), 0, 0);
    let (snippets, producers, kernels) = (ptx(&["snippets"]), ptx(&["producers"]), ptx(&["kernels"]));
    let sources = snippets.iter().step_by(9).chain(producers.iter().step_by(13)).chain(kernels.iter().step_by(7));
    let older = ["sm_80", "sm_90", "sm_75", "sm_89", "sm_90a", "sm_86"];
    let newer = ["sm_100", "sm_103", "sm_120", "sm_121", "sm_100a"];
    for (i, source) in sources.enumerate() {
        let options: &[&str] = [&[][..], &["-c"], &["-lineinfo"], &["-O0"]][i % 4];
        let both = [older[i % older.len()], newer[i % newer.len()]];
        for target in &both[..1 + usize::from(i % 4 == 0)] {
            let Some(bytes) = assemble(&ptxas, folder.path(), source, target, options) else { continue };
            let place = format!("{} for {target} {options:?}", source.display());
            let cubin = Cubin::parse(&bytes).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert!(cubin.write().unwrap() == bytes, "{place}: not the same bytes");
            let report = Report::new(&cubin);
            let sm = target[3..].trim_end_matches('a').parse::<u16>().unwrap();
            assert_eq!((report.sm, report.abi_version), (sm, if sm < 100 { 7 } else { 8 }), "{place}");
            let accelerated = (sm < 100).then_some(target.ends_with('a'));
            assert_eq!(
                (cubin.header.is_accelerated(), cubin.header.virtual_sm()),
                (accelerated, accelerated.map(|_| sm))
            );
            *if sm < 100 { &mut old } else { &mut new } += 1;
            // Each costs a run of the tool.
            if i % 2 == 0 {
                check(&cuobjdump, &output, &place, &mut seen);
            }
            if i % 8 == 0 && options != ["-c"] {
                let text = cuobjdump.run(&["-res-usage".as_ref(), output.as_os_str()]).unwrap();
                assert_eq!(report.resource_usage(), String::from_utf8(text).unwrap(), "{place}");
            }
        }
    }
    assert!(
        old > 60 && new > 10 && seen.files > 30 && seen.relocations > 60 && seen.attributes > 400,
        "{old} {new} {seen:?}"
    );
}

/// Objects of the corpus of programs, by folder.
fn programs() -> Vec<(String, String, Vec<PathBuf>)> {
    let mut out = Vec::new();
    for program in
        fs::read_dir(corpus::folder().join("link")).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir())
    {
        for arch in ["sm_80", "sm_90"] {
            let files = fs::read_dir(program.join(arch)).unwrap().map(|e| e.unwrap().path());
            let mut files: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "cubin")).collect();
            files.sort();
            out.push((program.file_name().unwrap().to_string_lossy().into_owned(), arch.to_owned(), files));
        }
    }
    out.sort();
    out
}

#[test]
fn files_of_nvlink_are_written_back_byte_for_byte_and_listed_whole() {
    let (Some(nvlink), Some(cuobjdump)) = (oracle::require("nvlink"), oracle::require("cuobjdump")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.cubin");
    let (mut seen, mut written) = (Seen::default(), 0);
    for (number, (name, arch, files)) in programs().into_iter().enumerate() {
        for relocatable in [false, true] {
            let mut command = nvlink.command();
            command.arg(format!("-arch={arch}")).args(relocatable.then_some("-r")).arg("-o").arg(&output).args(&files);
            if !command.output().unwrap().status.success() {
                continue;
            }
            let place = format!("{name} for {arch}, relocatable: {relocatable}");
            let bytes = fs::read(&output).unwrap();
            let cubin = Cubin::parse(&bytes).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert!(cubin.write().unwrap() == bytes, "{place}: not the same bytes");
            written += 1;
            // Each costs a run of the tool.
            if number % 3 == 0 {
                check(&cuobjdump, &output, &place, &mut seen);
            }
        }
    }
    assert!(written > 70 && seen.files > 20 && seen.relocations > 20, "{written} {seen:?}");
}

#[test]
fn every_entry_of_the_list_is_needed() {
    for (i, (prefix, opaque)) in LIST.iter().enumerate() {
        assert_eq!(Opaque::of(&format!("{prefix}x")), Some(*opaque));
        assert!(LIST.iter().enumerate().all(|(j, other)| i == j || !prefix.starts_with(other.0)), "{prefix}");
    }
    assert_eq!(Opaque::of(".secret"), None);
}
