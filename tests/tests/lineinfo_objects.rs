//! `--lineinfo` through objects: every kept function has the same lines in the executable as in its
//! object, for all compilers and linkers; dropped functions leave no lines; nvdisasm reads the same
//! in the output of either linker.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, anyhow, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::lines::{LineTable, Lines};
use raddle_driver::options::OptLevel;
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::compile::{How, cubin_with_lines, object_with_lines};
use raddle_tests::lineinfo::{CALLER, FILES, HEADER, function};
use raddle_tests::link::{self, Program};

const ARCHS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];

/// A recursive function, which is not inlined, with a function inlined by the producer after the
/// call.
const MIX: &str = "\
.func (.param .b32 r) mix(.param .b32 a)
{
.reg .b32 %x<9>;
.reg .pred %p;
.loc 2 40 1
ld.param.b32 %x1, [a];
.loc 2 41 7
mul.lo.s32 %x2, %x1, %x1;
setp.gt.u32 %p, %x1, 100;
@%p bra L;
.loc 2 43 3
{
.param .b32 q; .param .b32 w;
add.u32 %x3, %x2, 1;
st.param.b32 [q], %x3;
call (w), mix, (q);
ld.param.b32 %x2, [w];
}
L:
.loc 2 60 1, function_name $L__s+4, inlined_at 2 41 7
xor.b32 %x4, %x2, 123;
st.param.b32 [r], %x4;
ret;
}
";

/// The end of `ka`, and a second kernel.
const KERNELS: &str = "\
.loc 1 16 2
{
.param .b32 x; .param .b32 y;
st.param.b32 [x], %r5;
call (y), far, (x);
ld.param.b32 %r5, [y];
}
st.global.u32 [%rd1+16], %r5;
.loc 1 17 1
ret;
}
.visible .entry kb(.param .u64 p)
{
.reg .b64 %rd<5>;
.loc 1 20 3
ld.param.u64 %rd1, [p];
.loc 3 23 9
st.global.u32 [%rd1], 5;
ret;
}
";

/// Two kernels, a function that is not inlined, one for the other module, and one without callers.
fn first() -> String {
    let far = ".extern .func (.param .b32 r) far(.param .b32 a);\n";
    let unused = function(".visible ", "unused", &[("2 140 1", ""), ("2 141 7", "mul.lo.s32 %x2, %x1, %x1;")]);
    [HEADER, far, MIX, &unused, CALLER, KERNELS, FILES].concat()
}

/// The function of the other module, with different files and names.
fn second() -> String {
    let nobody = function(".visible ", "nobody", &[("1 300 1", "mov.b32 %x2, %x1;")]);
    let far = [
        ("1 200 1", ""),
        ("2 210 7, function_name $L__u, inlined_at 1 200 1", "mul.lo.s32 %x2, %x1, %x1;"),
        ("1 201 1", ""),
    ];
    let files =
        ".file 1 \"/other/far.cu\"\n.file 2 \"inc/b.h\"\n.section .debug_str\n{\n$L__u:\n.b8 117,117,117,0\n}\n";
    [HEADER, &nobody, &function(".visible ", "far", &far), files].concat()
}

/// Functions that no kernel reaches.
const DROPPED: [&str; 2] = ["unused", "nobody"];

/// The chains of places of each function, by offset: file and line, the inlined function's name.
type Table = Vec<(u64, Vec<String>)>;

fn how(arch: &'static str, opt: OptLevel) -> How {
    How { arch, opt, jobs: 1, chaos: None }
}

/// The lines of each function in a file, if there are any; `names` includes those of inlined
/// functions. The file of PTX lines does not matter.
fn tables(bytes: &[u8], lines: Lines, names: bool) -> Result<BTreeMap<String, Table>> {
    let cubin = Cubin::parse(bytes)?;
    let mut out = BTreeMap::new();
    for f in cubin.functions() {
        let table = LineTable::read(&cubin, f.section, lines)?;
        let place = |offset: u64| -> Vec<String> {
            let rows = table.chain(offset);
            let file = |row| if lines == Lines::Ptx { "ptx" } else { table.file(row).unwrap_or("-") };
            let name = |row: &raddle_cubin::lines::Row| {
                row.inlined.as_ref().map_or("", |i| if names { &i.0 } else { "?" }).to_owned()
            };
            rows.into_iter().map(|row| format!("{}:{} {}", file(row), row.line, name(row))).collect()
        };
        if !table.rows.is_empty() {
            let rows = (0..f.code.len() as u64).step_by(16).map(|offset| (offset, place(offset)));
            ensure!(out.insert(f.name.to_owned(), rows.collect()).is_none(), "two functions {}", f.name);
        }
    }
    Ok(out)
}

/// The instructions of each function with the lines that nvdisasm shows.
fn listing(nvdisasm: &Oracle, bytes: &[u8]) -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("a.cubin");
    fs::write(&file, bytes)?;
    let text = String::from_utf8(nvdisasm.run(&["-gi".as_ref(), file.as_os_str()])?)?;
    let labels = regex::Regex::new(r"\.L_x_\d+")?;
    let text = labels.replace_all(&text, ".L");
    let functions = text.split("//---------------------").filter(|part| part.trim_start().starts_with(".text."));
    let kept = |line: &&str| line.contains("//## ") || line.trim_start().starts_with("/*");
    let mut out: Vec<String> = functions.map(|f| f.lines().filter(kept).collect::<Vec<_>>().join("\n")).collect();
    out.sort_unstable();
    Ok(out)
}

fn assembled(ptxas: &Oracle, text: &str, arch: &str) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let (source, object) = (folder.path().join("m.ptx"), folder.path().join("m.o"));
    fs::write(&source, text)?;
    let files = [source.display().to_string(), "-o".into(), object.display().to_string()];
    ptxas.run(&[&[format!("-arch={arch}"), "-c".into(), "-lineinfo".into()][..], &files].concat())?;
    Ok(fs::read(object)?)
}

#[test]
fn lines_go_through_any_objects_and_either_linker() -> Result<()> {
    let (ptxas, nvlink, nvdisasm) = (oracle::require("ptxas"), oracle::require("nvlink"), oracle::require("nvdisasm"));
    let mut compared = 0;
    for (turn, arch) in ARCHS.into_iter().enumerate() {
        let opt = [OptLevel::O0, OptLevel::O3][turn % 2];
        let mut makers: Vec<[Vec<u8>; 2]> = Vec::new();
        let texts = [first(), second()];
        let ours = texts.each_ref().map(|text| object_with_lines(text, how(arch, opt)));
        let [first, second] = ours;
        makers.push([first?, second?]);
        if let Some(ptxas) = &ptxas {
            makers.push([assembled(ptxas, &texts[0], arch)?, assembled(ptxas, &texts[1], arch)?]);
        }
        let pairs = makers.iter().flat_map(|a| makers.iter().map(move |b| (a, b)));
        for (pair, (a, b)) in pairs.enumerate() {
            let objects = vec![("a.o".to_owned(), a[0].clone()), ("b.o".to_owned(), b[1].clone())];
            let program = Program { name: "lines".into(), arch, objects };
            let linked = link::ours(&program).map_err(|problems| anyhow!("{arch}: {problems:?}"))?;
            let mut results = vec![linked.bytes];
            if let Some(nvlink) = &nvlink {
                let theirs = link::nvlink(nvlink, &program, &linked.order)?;
                results.push(theirs.map_err(|said| anyhow!("{arch}: nvlink says {said}"))?);
            }
            // In objects of ptxas 13.0.88 for sm_90 names have no relocation to `.debug_str`: no
            // linker can move them.
            let names = arch != "sm_90" || pair == 0;
            for lines in [Lines::Source, Lines::Ptx] {
                let mut want = tables(&a[0], lines, names)?;
                want.extend(tables(&b[1], lines, names)?);
                want.retain(|name, _| !DROPPED.contains(&&**name));
                ensure!(want.keys().eq(["far", "ka", "kb", "mix"]), "{arch}: {:?}", want.keys());
                for (linker, bytes) in results.iter().enumerate() {
                    let got = tables(bytes, lines, names)?;
                    ensure!(got == want, "{arch}, linker {linker}, {lines:?}: {got:#?}\n---\n{want:#?}");
                    compared += 1;
                }
            }
            // This takes long: another pair for each architecture, over both levels and containers.
            if let (Some(nvdisasm), [ours, theirs], true) = (&nvdisasm, &results[..], pair == turn) {
                let (ours, theirs) = (listing(nvdisasm, ours)?, listing(nvdisasm, theirs)?);
                let shown = ours.join("\n");
                for place in ["\"inc/b.h\", line 60 inlined at \"inc/b.h\", line 41", "\"/other/far.cu\", line 20"] {
                    ensure!(shown.contains(place), "{arch}: no {place} in\n{shown}");
                }
                ensure!(ours == theirs, "{arch}: nvdisasm reads\n{shown}\n---\n{}", theirs.join("\n"));
            }
        }
    }
    assert!(compared >= if ptxas.is_some() && nvlink.is_some() { 64 } else { 8 }, "{compared}");
    Ok(())
}

#[test]
fn objects_say_of_lines_what_those_of_ptxas_say() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    for arch in ARCHS {
        for text in [first(), second()] {
            let ours = object_with_lines(&text, how(arch, OptLevel::O0))?;
            let theirs = assembled(&ptxas, &text, arch)?;
            let shape = |bytes: &[u8]| -> Result<BTreeSet<String>> {
                let cubin = Cubin::parse(bytes)?;
                let mut out = BTreeSet::new();
                for name in [".debug_line", ".debug_str", ".nv_debug_line_sass", ".debug_frame"] {
                    let index = cubin.section_index(name).with_context(|| format!("no section {name}"))?;
                    let s = &cubin.sections[index as usize];
                    out.insert(format!("{name} {} {:#x} {}", s.kind, s.flags, s.align));
                    let named = |r: &raddle_cubin::model::Reloc| cubin.symbols[r.symbol as usize].name.clone();
                    let relocs = cubin.relocations(index).map(|r| format!("{name} {} {}", r.number, named(r)));
                    // That one is missing on sm_90.
                    out.extend(relocs.filter(|line| arch != "sm_90" || line != ".debug_line 1 .debug_str"));
                }
                // The same names, in any order.
                let names = cubin.section(".debug_str").map_or(&[][..], |s| s.bytes());
                out.extend(names.split(|&b| b == 0).map(|name| String::from_utf8_lossy(name).into_owned()));
                Ok(out)
            };
            let (ours, theirs) = (shape(&ours)?, shape(&theirs)?);
            ensure!(ours == theirs, "{arch}: {ours:#?}\n---\n{theirs:#?}");
        }
    }
    Ok(())
}

#[test]
fn what_is_linked_from_an_object_inside_has_its_lines() -> Result<()> {
    for arch in ARCHS {
        let text = first().replace("call (y), far, (x);", "call (y), mix, (x);");
        let with = cubin_with_lines(&text, how(arch, OptLevel::O3))?;
        let object = object_with_lines(&text, how(arch, OptLevel::O3))?;
        for lines in [Lines::Source, Lines::Ptx] {
            let mut want = tables(&object, lines, true)?;
            want.remove("unused");
            let got = tables(&with, lines, true)?;
            ensure!(got == want && got.contains_key("mix"), "{arch}: {got:#?}\n---\n{want:#?}");
            for (name, table) in &got {
                let bare = table.iter().find(|(_, places)| places.is_empty());
                ensure!(bare.is_none(), "{arch} {name}: no line at {bare:?}");
            }
        }
    }
    Ok(())
}
