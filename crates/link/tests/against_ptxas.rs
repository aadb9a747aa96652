//! Executables of ptxas 13.0.88, imported as unit objects and linked again, have the same code, the
//! same sections and the same attributes, and NVIDIA's tools read them completely.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use raddle_cubin::Cubin;
use raddle_cubin::info::{self, Value};
use raddle_cubin::model::Payload;
use raddle_entity::Serial;
use raddle_filetest::corpus::{assemble, ptx};
use raddle_filetest::oracle::{self, Oracle};
use raddle_link::{FinalizeOptions, finalize};
use raddle_target::Target;

const TARGETS: [&str; 5] = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"];

/// Whether only modules with variables have a section; those modules are not imported.
fn is_about_variables(name: &str) -> bool {
    let name = name.trim_start_matches(".rela").trim_start_matches(".rel");
    matches!(name, ".nv.constant3" | ".nv.constant4" | ".nv.global" | ".nv.global.init")
}

/// Sections ptxas writes that we do not, each with its reason.
const MISSING: &[(&str, &str)] =
    &[(".rela.text.", "empty in executables: relocations that were all resolved"), (".rela.nv.constant2.", "the same")];

/// Attributes ptxas writes that are not computed from a unit's facts, each with its reason.
const UNKNOWN: &[(u8, &str)] = &[
    (0x0f, "EXTERNS: calls into the driver come with variables"),
    (0x15, "BINDLESS_TEXTURE_BANK: textures are not supported yet"),
    (0x16, "BINDLESS_SURFACE_BANK: surfaces are not supported yet"),
    (0x40, "INSTR_REG_MAP: meaning unknown"),
    (0x55, "no name in cuobjdump, meaning unknown"),
];

/// The facts of a file, one line each, with names in place of indices.
fn facts(cubin: &Cubin) -> BTreeSet<String> {
    let name = |i: u32| cubin.symbols.get(i as usize).map_or("?", |s| &s.name);
    let mut out = BTreeSet::new();
    for s in &cubin.sections {
        if let Payload::Attributes(attributes) = &s.payload {
            for (i, a) in attributes.iter().enumerate() {
                if s.name.starts_with(".nv.info.") && UNKNOWN.iter().any(|u| u.0 == a.code) {
                    continue;
                }
                let value = match &a.value {
                    Value::SymbolWord { symbol, value } => format!("{} {value:#x}", name(*symbol)),
                    Value::ParamBank { symbol, offset, size } => format!("{} {offset:#x} {size:#x}", name(*symbol)),
                    other => format!("{other:?}"),
                };
                // Within a kernel the order matters, too.
                let place = if s.name.starts_with(".nv.info.") { format!("{:02}", i.min(1)) } else { String::new() };
                out.insert(format!("{} {place} {:02x} {} {value}", s.name, a.code, info::name(a.code).unwrap_or("-")));
            }
        }
        let comparable = s.name.starts_with(".nv.shared.") || s.name.starts_with(".nv.constant0.");
        if comparable {
            out.insert(format!(
                "{} {} bytes, align {}, flags {:#x}, type {:#x}",
                s.name,
                s.size(),
                s.align,
                s.flags,
                s.kind
            ));
        }
    }
    out
}

fn attribute_order(cubin: &Cubin, kernel: &str) -> Vec<u8> {
    let mut codes: Vec<u8> = cubin.attributes(kernel).iter().map(|a| a.code).collect();
    codes.retain(|c| !UNKNOWN.iter().any(|u| u.0 == *c));
    codes.dedup();
    codes
}

fn section_names(cubin: &Cubin) -> BTreeSet<&str> {
    let names = cubin.sections.iter().map(|s| &*s.name).filter(|n| !is_about_variables(n) && !n.contains("debug_"));
    names.filter(|n| !MISSING.iter().any(|m| n.starts_with(m.0))).collect()
}

/// The step between selected sources: `RADDLE_LINK_STEP`, default 5. `make campaign-objects`
/// selects all.
fn step() -> usize {
    std::env::var("RADDLE_LINK_STEP").ok().and_then(|s| s.parse().ok()).unwrap_or(5).max(1)
}

/// Modules that are not compared, each with its reason.
const NOT_COMPARED: &[(&str, &str)] = &[
    (
        "_texref",
        "the code of an executable has the places of words behind the parameters filled in: only objects are imported",
    ),
    ("_surfref", "the same for surface references"),
    ("_txq_", "ptxas leaves texture queries to the driver and writes attributes of a relocatable object"),
    ("_suq", "the same for surface queries"),
    ("90a_g", "ptxas -g keeps device functions in text sections of their own"),
];

/// The differences between ptxas' file and ours; empty if there are none.
fn differences(theirs: &Cubin, ours: &Cubin) -> String {
    let mut out = String::new();
    let mut check = |same: bool, what: &str| {
        if !same {
            out += what;
            out.push('\n');
        }
    };
    for k in theirs.kernels() {
        let Some(mine) = ours.kernel(k.name) else {
            check(false, &format!("no kernel {}", k.name));
            continue;
        };
        check(k.code == mine.code, &format!("code of {}", k.name));
        let (a, b) = (attribute_order(theirs, k.name), attribute_order(ours, k.name));
        check(a == b, &format!("attributes of {}: {a:02x?}, ours {b:02x?}", k.name));
    }
    let (a, b) = (facts(theirs), facts(ours));
    a.difference(&b).for_each(|f| check(false, &format!("missing {f}")));
    b.difference(&a).for_each(|f| check(false, &format!("added {f}")));
    let (a, b) = (section_names(theirs), section_names(ours));
    a.symmetric_difference(&b).for_each(|n| check(false, &format!("section {n} is in one only")));
    check(theirs.header.flags & 0x00ff_ffff == ours.header.flags & 0x00ff_ffff, "flags");
    if theirs.segments.len() == ours.segments.len() {
        let rights = |c: &Cubin| c.segments.iter().map(|s| (s.kind, s.flags)).collect::<Vec<_>>();
        check(rights(theirs) == rights(ours), "segments");
    }
    out
}

/// Links a file of ptxas again; `None` if the result is the same.
fn link_again(bytes: &[u8], target: &'static Target) -> Option<String> {
    let theirs = match Cubin::parse(bytes) {
        Ok(cubin) => cubin,
        Err(e) => return Some(format!("unreadable: {e}")),
    };
    let linked = match finalize(&common::import(&theirs, target), &FinalizeOptions::new(target), &Serial) {
        Ok(bytes) => bytes,
        Err(e) => return Some(format!("not linked: {e}")),
    };
    match Cubin::parse(&linked) {
        Ok(ours) => Some(differences(&theirs, &ours)).filter(|d| !d.is_empty()),
        Err(e) => Some(format!("ours is unreadable: {e}")),
    }
}

#[test]
fn linked_again_is_the_same_of_one_half() {
    linked_again(0);
}

#[test]
fn linked_again_is_the_same_of_the_other() {
    linked_again(1);
}

/// Links the code of every second source again.
fn linked_again(first: usize) {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    let mut failures = Vec::new();
    for (i, source) in ptx(&["snippets"]).iter().step_by(step()).enumerate().skip(first).step_by(2) {
        let name = source.file_stem().unwrap().to_string_lossy();
        if NOT_COMPARED.iter().any(|n| name.contains(n.0)) {
            continue;
        }
        // All targets for some sources, one target in turn for the others.
        let targets = if i % 16 == 0 { &TARGETS[..] } else { &TARGETS[i % 5..=i % 5] };
        for arch in targets {
            let Some(bytes) = assemble(&ptxas, folder.path(), source, arch, &[]) else { continue };
            compared += 1;
            failures
                .extend(link_again(&bytes, Target::by_name(arch).unwrap()).map(|d| format!("{name} for {arch}: {d}")));
        }
    }
    assert!(failures.is_empty(), "{} of {compared} files:\n{}", failures.len(), failures.join("\n"));
    assert!(compared > 30, "only {compared} files compared");
}

/// The output of the tools for a file; a failure of a tool fails the test.
fn read_by_tools(tools: &[Oracle; 2], file: &Path) -> [String; 4] {
    let text = |tool: &Oracle, arguments: &[&str]| {
        let mut command = tool.command();
        let output = command.args(arguments).arg(file).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{} {arguments:?}: {errors}", tool.name());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let [nvdisasm, cuobjdump] = tools;
    let usage = text(cuobjdump, &["-res-usage"]);
    [text(nvdisasm, &[]), text(cuobjdump, &["-sass"]), text(cuobjdump, &["-elf"]), usage]
}

/// The instruction lines of a disassembly.
fn instructions(text: &str) -> Vec<&str> {
    text.lines().filter(|l| l.contains("/*") && l.trim_end().ends_with(';')).map(str::trim).collect()
}

#[test]
fn the_tools_read_both_alike() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let (Some(nvdisasm), Some(cuobjdump)) = (oracle::require("nvdisasm"), oracle::require("cuobjdump")) else { return };
    let tools = [nvdisasm, cuobjdump];
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for (i, source) in ptx(&["snippets"]).iter().step_by(60).enumerate() {
        let arch = TARGETS[i % 5];
        let target = Target::by_name(arch).unwrap();
        let Some(bytes) = assemble(&ptxas, folder.path(), source, arch, &[]) else { continue };
        let ours =
            finalize(&common::import(&Cubin::parse(&bytes).unwrap(), target), &FinalizeOptions::new(target), &Serial)
                .unwrap();
        let paths = [folder.path().join("theirs.cubin"), folder.path().join("ours.cubin")];
        fs::write(&paths[0], &bytes).unwrap();
        fs::write(&paths[1], &ours).unwrap();
        let [theirs, ours] = paths.map(|p| read_by_tools(&tools, &p));
        let place = format!("{} for {arch}", source.display());
        assert!(!instructions(&theirs[0]).is_empty(), "{place}");
        assert_eq!(instructions(&theirs[0]), instructions(&ours[0]), "{place}");
        assert_eq!(instructions(&theirs[1]), instructions(&ours[1]), "{place}");
        assert!(ours[2].contains(".nv.info.k"), "{place}");
        assert_eq!(
            theirs[3].lines().skip_while(|l| !l.contains("Function")).collect::<Vec<_>>(),
            ours[3].lines().skip_while(|l| !l.contains("Function")).collect::<Vec<_>>(),
            "{place}"
        );
        compared += 1;
    }
    assert!(compared >= 5, "only {compared} files compared");
}
