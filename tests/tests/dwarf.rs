//! `-g`: debug sections of the input are kept, their addresses are those of our code, and functions
//! are not inlined.
//!
//! `tests/corpus/debug/hand.ptx` has hand-written DWARF, `nvcc.ptx` that of nvcc. The cubin is
//! compared with that of ptxas for the same module: the same sections, the same tree.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::lines::{LineTable, Lines};
use raddle_driver::options::OptLevel;
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::compile::{How, for_debugging, for_debugging_by};
use raddle_tests::dwarf::{Address, Debug};

const ARCHS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];
const FILES: [&str; 2] = ["hand.ptx", "nvcc.ptx"];

fn module(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/debug").join(name);
    fs::read_to_string(path).unwrap()
}

fn how(arch: &'static str) -> How {
    How { arch, opt: OptLevel::O0, jobs: 1, chaos: None }
}

fn ours(text: &str, arch: &'static str, object: bool) -> Result<Debug> {
    Debug::read(&for_debugging(&[("m.ptx", text)], how(arch), object)?)
}

/// The tree that `hand.ptx` describes, of an executable for sm_90.
const HAND: &str = "\
DW_TAG_compile_unit DW_AT_producer=by hand DW_AT_language=Language(DwLang(12)) DW_AT_name=b.c DW_AT_stmt_list=DebugLineRef(DebugLineOffset(0)) \
DW_AT_ranges=[twice to twice.end; fill to fill.end; nothing to nothing.end]
  DW_TAG_base_type DW_AT_name=unsigned DW_AT_encoding=Encoding(DwAte(7)) DW_AT_byte_size=Udata(4)
  DW_TAG_variable DW_AT_name=total DW_AT_type=UnitRef(UnitOffset(30)) DW_AT_address_class=AddressClass(DwAddr(5)) DW_AT_location=addr total+0
  DW_TAG_variable DW_AT_name=unused DW_AT_type=UnitRef(UnitOffset(30)) DW_AT_address_class=AddressClass(DwAddr(4)) DW_AT_location=addr unused+0
  DW_TAG_subprogram DW_AT_low_pc=twice DW_AT_high_pc=twice.end DW_AT_frame_base=cfa DW_AT_name=twice DW_AT_decl_file=a.h DW_AT_decl_line=Udata(20)
    DW_TAG_formal_parameter DW_AT_name=a DW_AT_type=UnitRef(UnitOffset(30)) DW_AT_address_class=AddressClass(DwAddr(2)) DW_AT_location=register 257831
  DW_TAG_subprogram DW_AT_low_pc=fill DW_AT_high_pc=fill.end DW_AT_frame_base=cfa DW_AT_name=fill DW_AT_decl_file=b.c DW_AT_decl_line=Udata(1)
    DW_TAG_formal_parameter DW_AT_name=out DW_AT_type=UnitRef(UnitOffset(30)) DW_AT_address_class=AddressClass(DwAddr(7)) DW_AT_location=addr 0x210
    DW_TAG_formal_parameter DW_AT_name=count DW_AT_type=UnitRef(UnitOffset(30)) DW_AT_address_class=AddressClass(DwAddr(7)) DW_AT_location=addr 0x218
    DW_TAG_variable DW_AT_name=tile DW_AT_type=UnitRef(UnitOffset(30)) DW_AT_address_class=AddressClass(DwAddr(8)) DW_AT_location=addr 0x400
    DW_TAG_variable DW_AT_name=depot DW_AT_type=UnitRef(UnitOffset(30)) DW_AT_address_class=AddressClass(DwAddr(6)) DW_AT_location=frame, plus 4
    DW_TAG_lexical_block DW_AT_low_pc=fill.inside DW_AT_high_pc=fill.inside
      DW_TAG_variable DW_AT_name=v DW_AT_type=UnitRef(UnitOffset(30)) DW_AT_location=[fill.inside to fill.inside: register 257232; fill.inside to fill.inside: register 257233]
  DW_TAG_subprogram DW_AT_low_pc=nothing DW_AT_high_pc=nothing.end DW_AT_frame_base=cfa DW_AT_name=nothing DW_AT_decl_file=a.h DW_AT_decl_line=Udata(40)
";

#[test]
fn the_tree_of_the_input_has_the_addresses_of_our_code() -> Result<()> {
    let debug = ours(&module("hand.ptx"), "sm_90", false)?;
    assert_eq!(debug.tree()?, HAND);
    Ok(())
}

/// The values of the first two fields of an entry of `.debug_loc` at byte `at`.
fn pair(debug: &Debug, at: usize) -> [Address; 2] {
    [at, at + 8].map(|at| debug.address_in(".debug_loc", at).unwrap())
}

#[test]
fn labels_are_between_the_instructions_that_they_are_between_in_the_text() -> Result<()> {
    for (name, arch) in FILES.into_iter().flat_map(|name| ARCHS.map(|arch| (name, arch))) {
        let text = module(name);
        let bodies = text.split(".section").next().context("no text")?;
        let labels: Vec<(u32, &str)> =
            (1..).zip(bodies.lines()).filter_map(|(n, line)| Some((n, line.trim().strip_suffix(':')?))).collect();
        ensure!(labels.len() > 5, "{name}: {labels:?}");
        let list: String = labels.iter().map(|(_, label)| format!(".b64 {label}\n")).collect();
        let debug = ours(&format!("{text}\n.section .debug_x\n{{\n{list}}}\n"), arch, false)?;
        let functions = debug.cubin().functions();
        let mut inside = 0;
        for (n, &(line, label)) in labels.iter().enumerate() {
            let at = debug.address_in(".debug_x", 8 * n).context("a short section")?;
            let function =
                functions.iter().find(|f| Some(f.name) == at.symbol.as_deref()).context("a label of no function")?;
            let table = LineTable::read(debug.cubin(), function.section, Lines::Ptx)?;
            let context = || format!("{name} {arch} {label}: {at:?}");
            if at.offset > 0 {
                let [before, behind] = [at.offset - 16, at.offset].map(|at| table.at(at).map_or(0, |row| row.line));
                // The end of a convergence region belongs to the instruction that ends its block,
                // and precedes it.
                ensure!(before < line || before > behind, "{}: behind line {before}", context());
            }
            if at.offset < function.code.len() as u64 {
                let behind = table.at(at.offset).with_context(context)?.line;
                ensure!(line < behind || at.offset == 0, "{}: in front of line {behind}", context());
                inside += usize::from(at.offset > 0);
            }
        }
        ensure!(inside > labels.len() / 3, "{name} {arch}: {inside} of {} labels inside", labels.len());
    }
    Ok(())
}

fn assembled(ptxas: &Oracle, text: &str, arch: &str, object: bool) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let (source, out) = (folder.path().join("m.ptx"), folder.path().join("m.cubin"));
    fs::write(&source, text)?;
    let mut words = vec![format!("-arch={arch}"), "-g".into(), source.display().to_string()];
    words.extend(object.then(|| "-c".to_owned()));
    words.extend(["-o".to_owned(), out.display().to_string()]);
    ptxas.run(&words)?;
    Ok(fs::read(out)?)
}

/// A tree without known differences of ptxas: for blocks the address of a label after the last
/// instruction is the end of the code, but for functions the end of the section; and in
/// `.debug_ranges` for sm_90 the ends of functions are inside them.
fn comparable(tree: &str, arch: &str) -> Result<String> {
    let ranges = regex::Regex::new(r" DW_AT_ranges=\[[^\]]*\]")?;
    let blocks = regex::Regex::new(r"(DW_TAG_lexical_block .*)\.end")?;
    let tree = blocks.replace_all(tree, "$1.inside");
    Ok(if arch == "sm_90" { ranges.replace_all(&tree, "").into_owned() } else { tree.into_owned() })
}

#[test]
fn ptxas_and_we_say_the_same() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    for name in FILES {
        // gimli cannot read the output of ptxas for gaps in the file numbers.
        let text = module(name).replace(".file 3", ".file 2").replace("\t.loc 3", "\t.loc 2");
        let text = text.replace(".b8 3,1\n.b8 4\n.b8 111", ".b8 2,1\n.b8 4\n.b8 111");
        for (arch, object) in ARCHS.into_iter().flat_map(|arch| [(arch, false), (arch, true)]) {
            let context = || format!("{name} {arch} {object}");
            let theirs = Debug::read(&assembled(&ptxas, &text, arch, object)?).with_context(context)?;
            let ours = ours(&text, arch, object).with_context(context)?;
            let [left, right] = [&ours, &theirs].map(|debug| comparable(&debug.tree()?, arch));
            assert_eq!(left.with_context(context)?, right.with_context(context)?, "{}", context());
            assert_eq!(ours.sections(), theirs.sections(), "{}", context());
        }
    }
    Ok(())
}

#[test]
fn many_parameters_are_where_ptxas_says_they_are() -> Result<()> {
    let ptxas = oracle::require("ptxas");
    let text = module("hand.ptx").replace(".version 8.0", ".version 8.1");
    let text = text.replace(".param .u32 count)", ".param .u32 count, .param .align 4 .b8 big[5000])");
    let text = text.replace(".file 3", ".file 2").replace("\t.loc 3", "\t.loc 2");
    let text = text.replace(".b8 3,1\n.b8 4\n.b8 111", ".b8 2,1\n.b8 4\n.b8 111");
    for (arch, first) in [("sm_80", "addr 0x1a80"), ("sm_86", "addr 0x1a80"), ("sm_90", "addr 0x210")] {
        let tree = ours(&text, arch, false)?.tree()?;
        ensure!(tree.contains(first), "{arch}: {tree}");
        let Some(ptxas) = &ptxas else { continue };
        let theirs = Debug::read(&assembled(ptxas, &text, arch, false)?)?.tree()?;
        assert_eq!(comparable(&tree, arch)?, comparable(&theirs, arch)?, "{arch}");
    }
    Ok(())
}

#[test]
fn the_fallback_makes_code_for_debugging_too() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    for (name, arch) in FILES.into_iter().flat_map(|name| ["sm_80", "sm_90"].map(|arch| (name, arch))) {
        let text = module(name);
        for (who, object) in
            ["*", "fill", "first", "twice", "_Z4foldii"].into_iter().zip([true, false].into_iter().cycle())
        {
            let bytes = for_debugging_by(ptxas.path(), who, &[("m.ptx", &text)], how(arch), object)?;
            let theirs = Debug::read(&bytes)?.tree()?;
            let ours = ours(&text, arch, object)?.tree()?;
            // ptxas does not reveal where variables in frames are.
            let stripped = |tree: &str| tree.replace("frame, plus", "plus");
            let [left, right] = [&theirs, &ours].map(|tree| comparable(&stripped(tree), ""));
            assert_eq!(left?, right?, "{name} {arch} {who}");
            ensure!(who != "*" || !theirs.contains("frame, plus"), "{name} {arch}: ptxas reveals a place in a frame");
        }
    }
    Ok(())
}

/// The lines of the PTX in a cubin.
fn text_of(bytes: &[u8]) -> Result<Vec<u8>> {
    let cubin = Cubin::parse(bytes)?;
    let section = cubin.sections.iter().find(|s| s.name.starts_with(".nv_debug_ptx_txt")).context("no text")?;
    Ok(section.bytes().to_vec())
}

#[test]
fn the_text_of_the_input_is_kept_as_ptxas_keeps_it() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    for name in FILES {
        let text = module(name);
        let ours = for_debugging(&[("m.ptx", &text)], how("sm_80"), true)?;
        let lines = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace('\0', "\n");
        assert_eq!(lines(text_of(&ours)?), lines(text_of(&assembled(&ptxas, &text, "sm_80", true)?)?), "{name}");
    }
    Ok(())
}

#[test]
fn other_tools_read_our_sections() -> Result<()> {
    let tools = ["readelf", "cuobjdump", "nvdisasm", "nvlink"].map(oracle::require);
    let [Some(readelf), Some(cuobjdump), Some(nvdisasm), Some(nvlink)] = tools else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    for (name, arch) in FILES.into_iter().flat_map(|name| ["sm_80", "sm_90"].map(|arch| (name, arch))) {
        let path = |what: &str| folder.path().join(what).display().to_string();
        let (object, program, linked) = (path("o.cubin"), path("p.cubin"), path("l.cubin"));
        fs::write(&object, for_debugging(&[("m.ptx", &module(name))], how(arch), true)?)?;
        fs::write(&program, for_debugging(&[("m.ptx", &module(name))], how(arch), false)?)?;
        nvlink.run(&[&format!("-arch={arch}"), "-g", &object, "-o", &linked])?;
        for file in [&object, &program, &linked] {
            for sections in ["info", "abbrev", "str", "Ranges", "loc"] {
                let said = readelf.output(&[&format!("--debug-dump={sections}"), file])?;
                let about = |line: &&str| line.contains("debug_") || line.contains("DIE") || line.contains("offset");
                let text = String::from_utf8_lossy(&said.stderr).into_owned();
                // readelf always warns about sections of code and relocation types of cubins.
                let wrong: Vec<&str> = text.lines().filter(about).filter(|l| !l.contains("reloc")).collect();
                ensure!(said.status.success() && wrong.is_empty(), "{name} {arch} {sections}: {wrong:?}");
            }
            let dump = String::from_utf8_lossy(&cuobjdump.run(&["-elf", file])?).into_owned();
            ensure!(dump.contains(".section .debug_info"), "{name} {arch}: cuobjdump shows no .debug_info");
            let listing = String::from_utf8_lossy(&nvdisasm.run(&["-g", file])?).into_owned();
            ensure!(listing.contains(".text."), "{name} {arch}: nvdisasm shows no code");
        }
        // The result does not depend on the linker.
        let tree = |file: &str| Debug::read(&fs::read(file)?)?.tree();
        assert_eq!(tree(&program)?, tree(&linked)?, "{name} {arch}");
    }
    Ok(())
}

/// A module like `hand.ptx` with other names.
fn renamed(suffix: &str) -> String {
    let mut text = module("hand.ptx");
    for (old, bytes) in [("fill", "102,105,108,108"), ("nothing", "110,111,116,104,105,110,103")] {
        let last = suffix.as_bytes()[0];
        let new = format!("{}{suffix}", &old[..old.len() - 1]);
        let numbers = format!("{},{last}", &bytes[..bytes.rfind(',').unwrap()]);
        text = text.replace(&format!(" {old}("), &format!(" {new}(")).replace(bytes, &numbers);
    }
    text.replace("total", &format!("tota{suffix}"))
        .replace("116,111,116,97,108", &format!("116,111,116,97,{}", suffix.as_bytes()[0]))
}

#[test]
fn modules_and_objects_keep_their_information_when_they_are_put_together() -> Result<()> {
    let texts = [renamed("1"), renamed("2")];
    let names = ["1.ptx", "2.ptx"];
    let modules: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(|text| &**text)).collect();
    for arch in ["sm_80", "sm_90"] {
        let alone: Vec<String> =
            texts.iter().map(|text| ours(text, arch, false)?.tree()).collect::<Result<Vec<_>>>()?;
        // Later units refer to data after that of the first, which the tree shows only as numbers
        // in `.debug_line`.
        let want = format!("{}{}", alone[0], alone[1]);
        let stripped = |tree: &str| {
            let words = tree.split(' ').filter(|word| !word.starts_with("DW_AT_stmt_list"));
            words.collect::<Vec<_>>().join(" ")
        };
        let together = Debug::read(&for_debugging(&modules, how(arch), false)?)?;
        assert_eq!(stripped(&together.tree()?), stripped(&want), "{arch}");
        let objects: Vec<Vec<u8>> =
            modules.iter().map(|&module| for_debugging(&[module], how(arch), true)).collect::<Result<_>>()?;
        let linked = raddle_tests::dwarf::linked(&objects)?;
        assert_eq!(stripped(&Debug::read(&linked)?.tree()?), stripped(&want), "{arch}");
    }
    Ok(())
}

#[test]
fn the_same_bytes_for_any_number_of_workers_and_order() -> Result<()> {
    let texts = [module("nvcc.ptx"), renamed("1")];
    let modules = [("a.ptx", &*texts[0]), ("b.ptx", &*texts[1])];
    for (arch, object) in [("sm_80", true), ("sm_90", false)] {
        let one = for_debugging(&modules, how(arch), object)?;
        for how in [How { jobs: 2, ..how(arch) }, How { jobs: 2, chaos: Some(7), ..how(arch) }] {
            ensure!(for_debugging(&modules, how, object)? == one, "{arch} {how:?}");
        }
    }
    Ok(())
}

#[test]
fn functions_are_functions_and_stay_even_if_nothing_calls_them() -> Result<()> {
    let text = module("nvcc.ptx");
    for arch in ARCHS {
        let debug = ours(&text, arch, false)?;
        let names: Vec<&str> = debug.cubin().functions().iter().map(|f| f.name).collect();
        for name in ["_Z4foldii", "_Z6squarei", "first", "second"] {
            ensure!(names.contains(&name), "{arch}: {names:?}");
        }
        let alone = text.replace("call.uni (retval0), \n\t_Z6squarei,", "call.uni (retval0), \n\t_Z4other,");
        let alone = alone.replace(
            ".visible .entry first(",
            ".visible .func (.param .b32 r) _Z4other(.param .b32 a)\n{ ret; }\n.visible .entry first(",
        );
        ensure!(alone.contains("\t_Z4other,"), "the call of square has another text");
        let debug = ours(&alone, arch, false)?;
        ensure!(debug.cubin().functions().iter().any(|f| f.name == "_Z6squarei"), "{arch}: it is dropped");
    }
    Ok(())
}

#[test]
fn what_does_not_exist_is_an_error() {
    for (old, new, want) in [
        (".b64 $L__end_fill", ".b64 $L__no_such", "'$L__no_such' is not defined in the module"),
        (".b64 total", ".b64 totals", "'totals' is not defined in the module"),
        (".b32 .debug_ranges", ".b32 .debug_nothing", "there is no section .debug_nothing"),
        (".b64 $L__end_fill", ".b64 $L__end_fill-$L__begin_twice", "are not labels of one function or section"),
        (".b8 11,3\n.b64 depot", ".b8 11,4\n.b64 depot", "'depot' is in the frame"),
        (".b8 6,11,3\n.b64 depot", ".b8 6,11,4\n.b64 depot", "'depot' is in the frame"),
        (
            ".section .debug_str",
            ".section .debug_line\n{ .b8 1 }\n.section .debug_str",
            ".debug_line is generated from .file, .loc",
        ),
        (".b8 98,121", ".b8 298,121", "298 does not fit"),
    ] {
        let text = module("hand.ptx");
        if !text.contains(old) {
            continue;
        }
        let error = for_debugging(&[("m.ptx", &text.replace(old, new))], how("sm_80"), false).unwrap_err().to_string();
        assert!(error.contains(want), "{new}: {error}");
    }
}

#[test]
fn differences_of_labels_are_numbers() -> Result<()> {
    let text = module("hand.ptx");
    // High addresses as sizes.
    let sizes = text.replace("{\n$L__other:", "{\n$L__a:\n$L__other:");
    let sizes = sizes
        + ".section .debug_x\n{\n.b64 $L__end_fill-$L__begin_fill\n.b32 $L__producer-$L__a\n.b32 $L__called-$L__call\n}\n";
    let debug = ours(&sizes, "sm_90", false)?;
    let size = debug.cubin().kernel("fill").unwrap().code.len() as u64;
    let [call, called] = pair(&debug, 0);
    let bytes = debug.cubin().section(".debug_x").context("no section")?.bytes().to_vec();
    let want =
        [&size.to_le_bytes()[..], &6u32.to_le_bytes(), &((called.offset - call.offset) as u32).to_le_bytes()].concat();
    assert_eq!(bytes, want);
    Ok(())
}
