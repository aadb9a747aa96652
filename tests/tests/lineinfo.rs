//! `--lineinfo`: every instruction of our cubins has the place of the `.loc` of its PTX, nvdisasm
//! reads the same, and the code does not change.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use raddle_cubin::Cubin;
use raddle_cubin::lines::{LineTable, Lines, Row};
use raddle_driver::options::OptLevel;
use raddle_filetest::oracle;
use raddle_tests::compile::{How, cubin, cubin_with_lines};
use raddle_tests::kernel::corpus;
use raddle_tests::lineinfo::{CALLER, FILES, HEADER, function};

const ARCHS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];

/// Two kernels, functions inlined by the producer two levels deep, and a function that we inline.
fn inlined() -> String {
    let mix = [
        ("2 40 1", ""),
        ("2 41 7", "mul.lo.s32 %x2, %x1, %x1;"),
        ("2 60 1, function_name $L__s+4, inlined_at 2 41 7", "xor.b32 %x2, %x2, 123;"),
    ];
    let end = "st.global.u32 [%rd1+16], %r5;\n.loc 1 16 1\nret;\n}\n";
    [HEADER, &function("", "mix", &mix), CALLER, end, SECOND_KERNEL, FILES].concat()
}

const SECOND_KERNEL: &str = "\
.visible .entry kb(.param .u64 p)
{
.reg .b32 %r<9>;
.reg .b64 %rd<5>;
.loc 1 20 3
ld.param.u64 %rd1, [p];
ld.global.u32 %r1, [%rd1];
.loc 3 23 9
st.global.u32 [%rd1], %r1;
ret;
}
";

fn how(arch: &'static str, opt: OptLevel) -> How {
    How { arch, opt, jobs: 1, chaos: None }
}

/// `file:line` with the calls it is inlined at, innermost first.
fn chain(table: &LineTable, rows: &[&Row]) -> String {
    let name = |r: &&Row| format!("{}:{}", table.file(r).unwrap_or("-"), r.line);
    rows.iter().map(name).collect::<Vec<_>>().join(" < ")
}

/// Distinct chains in order of code.
fn chains(cubin: &Cubin, kernel: &str) -> Vec<String> {
    let kernel = cubin.kernel(kernel).unwrap();
    let table = LineTable::read(cubin, kernel.section, Lines::Source).unwrap();
    let mut out: Vec<String> = Vec::new();
    for offset in (0..kernel.code.len() as u64).step_by(16) {
        let text = chain(&table, &table.chain(offset));
        if out.last() != Some(&text) {
            out.push(text);
        }
    }
    out
}

#[test]
fn inlined_functions_lead_to_their_calls() {
    for arch in ARCHS {
        let bytes = cubin_with_lines(&inlined(), how(arch, OptLevel::O0)).unwrap();
        let cubin = Cubin::parse(&bytes).unwrap();
        let a = "/project/src/a.cu";
        let want = [
            format!("{a}:10"),
            format!("inc/b.h:5 < {a}:13"),
            format!("{a}:14"),
            format!("inc/b.h:6 < inc/b.h:5 < {a}:13"),
            format!("inc/b.h:41 < {a}:15"),
            format!("inc/b.h:60 < inc/b.h:41 < {a}:15"),
            format!("{a}:15"),
            format!("{a}:16"),
        ];
        assert_eq!(chains(&cubin, "ka"), want, "{arch}");
        assert_eq!(chains(&cubin, "kb"), [format!("{a}:20"), "c.cu:23".to_owned()], "{arch}");
        let names: BTreeSet<String> = cubin
            .kernels()
            .iter()
            .flat_map(|k| {
                let table = LineTable::read(&cubin, k.section, Lines::Source).unwrap();
                table.rows.into_iter().filter_map(|r| Some(r.inlined?.0))
            })
            .collect();
        assert_eq!(names.iter().map(|n| &**n).collect::<Vec<_>>(), ["mix", "s", "sqr", "t"], "{arch}");
        for text in ["/never", "used.cu", "xor.b32", "ld.param"] {
            assert!(!bytes.windows(text.len()).any(|w| w == text.as_bytes()), "{arch}: {text}");
        }
    }
}

/// Modules of the corpus with `.loc` that compile completely: with and without line information,
/// per architecture and level.
fn modules() -> Vec<(String, String, &'static str)> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["producers/triton390", "producers/clang19", "producers/numba", "producers/nvrtc"] {
        paths.extend(fs::read_dir(corpus().join(folder)).unwrap().map(|e| e.unwrap().path()));
    }
    paths.sort();
    let mut out = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let text = fs::read_to_string(path).unwrap_or_default();
        let arch = ARCHS[index % 4];
        // Skips modules for later architectures and very long ones; other tests report those that
        // do not compile.
        if has_loc(&text) && text.len() < 40_000 && cubin(&text, how(arch, OptLevel::O1)).is_ok() {
            out.push((path.file_name().unwrap().to_string_lossy().into_owned(), text, arch));
        }
    }
    out
}

fn has_loc(text: &str) -> bool {
    text.lines().any(|l| l.split_whitespace().next() == Some(".loc"))
}

/// File number and line of the `.loc` in effect at a line of PTX, found by reading the text.
fn loc_at(text: &[&str], line: u32) -> Option<(u32, u32)> {
    let start = text[..line as usize].iter().rposition(|l| l.trim() == "{").unwrap_or(0);
    let loc = |l: &&str| {
        let mut words = l.trim().strip_prefix(".loc")?.strip_prefix([' ', '\t'])?.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?.trim_end_matches(',').parse().ok()?))
    };
    // Before the first `.loc` of the function, that one applies.
    text[start..line as usize].iter().rev().find_map(loc).or_else(|| text[line as usize..].iter().find_map(loc))
}

#[test]
fn lines_are_those_of_the_text() {
    let (mut checked, mut functions) = (0, 0);
    let modules = modules();
    for (name, text, arch) in &modules {
        let lines: Vec<&str> = text.lines().collect();
        let files: Vec<(u32, &str)> = lines
            .iter()
            .filter_map(|l| {
                let (number, path) = l.trim().strip_prefix(".file")?.trim().split_once(' ')?;
                Some((number.trim().parse().ok()?, path.trim().strip_prefix('"')?.split('"').next()?))
            })
            .collect();
        let plain = cubin(text, how(arch, OptLevel::O1)).unwrap();
        let plain = Cubin::parse(&plain).unwrap();
        let with = cubin_with_lines(text, how(arch, OptLevel::O1)).unwrap();
        let with = Cubin::parse(&with).unwrap();
        for k in with.functions() {
            functions += usize::from(!k.is_entry);
            assert_eq!(
                plain.functions().iter().find(|f| f.name == k.name).unwrap().code,
                k.code,
                "{name} {}: other code with line information",
                k.name
            );
            let source = LineTable::read(&with, k.section, Lines::Source).unwrap();
            let ptx = LineTable::read(&with, k.section, Lines::Ptx).unwrap();
            if source.rows.is_empty() {
                let own = text.split(&format!(" {}(", k.name)).nth(1).unwrap().split("\n}").next().unwrap();
                assert!(!has_loc(own), "{name} {}: no lines", k.name);
                continue;
            }
            for offset in (0..k.code.len() as u64).step_by(16) {
                let (Some(row), Some(in_ptx)) = (source.at(offset), ptx.at(offset)) else {
                    panic!("{name} {} {offset:#x}: no line", k.name)
                };
                let (number, line) = loc_at(&lines, in_ptx.line).unwrap();
                let path = files.iter().find(|f| f.0 == number).unwrap().1;
                let place = format!("{name} {} {offset:#x}, PTX line {}", k.name, in_ptx.line);
                assert_eq!((source.file(row), row.line), (Some(path), line), "{place}");
                checked += 1;
            }
        }
    }
    assert!(modules.len() >= 15 && checked > 2000, "{} modules, {checked} instructions", modules.len());
    // Modules that are linked from objects.
    assert!(functions >= 1, "no function that is not inlined");
}

#[test]
fn nvdisasm_reads_the_same() {
    let Some(nvdisasm) = oracle::require("nvdisasm") else { return };
    let Some(cuobjdump) = oracle::require("cuobjdump") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.cubin");
    let mut sources: Vec<(String, String, &'static str)> = modules().into_iter().step_by(4).collect();
    sources.extend(ARCHS.map(|arch| ("inlined".to_owned(), inlined(), arch)));
    for (name, text, arch) in sources {
        let bytes = cubin_with_lines(&text, how(arch, OptLevel::O1)).unwrap();
        fs::write(&file, &bytes).unwrap();
        cuobjdump.run(&["-elf".as_ref(), file.as_os_str()]).unwrap();
        let shown = nvdisasm.run(&["-gi".as_ref(), file.as_os_str()]).unwrap();
        let shown = String::from_utf8(shown).unwrap();
        let cubin = Cubin::parse(&bytes).unwrap();
        for k in cubin.functions() {
            let table = LineTable::read(&cubin, k.section, Lines::Source).unwrap();
            let begin = format!("\n.text.{}:\n", k.name);
            let part = shown.split_once(&begin).unwrap().1.split("\n//-----").next().unwrap();
            let mut now: Vec<(String, u32)> = Vec::new();
            let mut fresh = true;
            for line in part.lines() {
                if let Some(place) = line.trim().strip_prefix("//## File \"") {
                    if fresh {
                        now.clear();
                    }
                    fresh = false;
                    let (file, rest) = place.split_once("\", line ").unwrap();
                    now.push((file.to_owned(), rest.split(' ').next().unwrap().parse().unwrap()));
                } else if let Some(at) = line.trim().strip_prefix("/*").and_then(|l| l.split_once("*/")) {
                    fresh = true;
                    let offset = u64::from_str_radix(at.0, 16).unwrap();
                    let ours: Vec<(String, u32)> =
                        table.chain(offset).iter().map(|r| (table.file(r).unwrap().to_owned(), r.line)).collect();
                    assert_eq!(ours, now, "{name} for {arch}: {} {offset:#x}", k.name);
                }
            }
            assert!(!now.is_empty(), "{name}: {} has no lines", k.name);
        }
    }
}
