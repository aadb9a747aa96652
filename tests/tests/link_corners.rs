//! Corner cases of the device linker, compared with nvlink: weak and common symbols in all
//! combinations, kernels of templates, debug information of real compilers. Objects are made by
//! ptxas and nvcc when the test runs.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::elf::{shf, sht};
use raddle_cubin::model::Payload;
use raddle_entity::Serial;
use raddle_filetest::oracle::{self, Oracle};
use raddle_link::objects::{Input, LinkOptions, Linked, link};
use raddle_tests::link::{ARCHES, Program, differences, facts_of, nvlink, ours};

const HEAD: &str = ".version 9.0\n.target sm_80\n.address_size 64\n";

/// The linkage of a symbol that other objects may refer to.
const VISIBLE: &str = ".visible";

/// A function that adds `n` to its argument, declared, and a kernel that calls `f` and loads
/// `load`.
const F_DECLARED: &str = ".extern .func (.param .b32 r) f(.param .b32 a);\n";

fn function(linkage: &str, name: &str, n: u32) -> String {
    format!(
        "{linkage} .func (.param .b32 r) {name}(.param .b32 a)\n{{ .reg .b32 %r<4>; ld.param.u32 %r1,[a]; add.s32 %r1,%r1,{n}; \
         st.param.b32 [r],%r1; ret; }}\n"
    )
}

fn kernel(linkage: &str, name: &str, body: &str) -> String {
    format!(
        "{linkage} .entry {name}(.param .u64 out)\n{{ .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u64 %rd1,[out]; mov.u32 \
         %r1,%tid.x; {body} st.global.u32 [%rd1],%r1; ret; }}\n"
    )
}

const CALL: &str =
    "{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0],%r1; call (r0),f,(p0); ld.param.b32 %r1,[r0]; }";

fn load(variable: &str) -> String {
    format!("ld.global.u32 %r2,[{variable}]; add.s32 %r1,%r1,%r2;")
}

/// A name, and the modules, which follow [`HEAD`].
type Case = (&'static str, Vec<String>);

/// All programs.
fn programs() -> Vec<Case> {
    [variables(), weak_functions(), names(), shared_memory()].concat()
}

/// Weak and common variables.
fn variables() -> Vec<Case> {
    vec![
        (
            "a weak variable and a defined one",
            vec![
                format!(".weak .global .align 4 .u32 v = 1;\n{}", kernel(VISIBLE, "ka", &load("v"))),
                format!(".visible .global .align 4 .u32 v = 2;\n{}", kernel(VISIBLE, "kb", &load("v"))),
            ],
        ),
        (
            "a weak variable and a common one",
            vec![
                format!(".common .global .align 4 .u32 v;\n{}", kernel(VISIBLE, "ka", &load("v"))),
                format!(".weak .global .align 4 .u32 v = 2;\n{}", kernel(VISIBLE, "kb", &load("v"))),
            ],
        ),
        (
            "common variables, the larger one first",
            vec![
                format!(".common .global .align 16 .b8 v[64];\n{}", kernel(VISIBLE, "ka", &load("v"))),
                format!(".common .global .align 4 .b8 v[16];\n{}", kernel(VISIBLE, "kb", &load("v"))),
            ],
        ),
        (
            "a common variable that another object declares",
            vec![
                format!(".common .global .align 8 .b8 v[24];\n{}", kernel(VISIBLE, "ka", &load("v"))),
                format!(".extern .global .align 8 .b8 v[24];\n{}", kernel(VISIBLE, "kb", &load("v"))),
            ],
        ),
    ]
}

/// Weak functions and kernels.
fn weak_functions() -> Vec<Case> {
    vec![
        (
            "weak functions of different sizes",
            vec![
                function(".weak", "f", 1) + &kernel(VISIBLE, "ka", CALL),
                function(".weak", "f", 2).replace("ret;", "bar.sync 2; ret;") + &kernel(VISIBLE, "kb", CALL),
            ],
        ),
        (
            "a weak function whose other definition has memory of its own",
            vec![
                function(".weak", "f", 1) + &kernel(VISIBLE, "ka", CALL),
                function(".weak", "f", 2).replace("ret;", ".shared .align 4 .b32 s[8]; st.shared.u32 [s],%r1; ret;")
                    + &kernel(VISIBLE, "kb", CALL),
            ],
        ),
        (
            "a weak function that a defined one overrides",
            vec![
                function(".weak", "f", 1) + &kernel(VISIBLE, "ka", CALL),
                function(VISIBLE, "f", 2) + &kernel(VISIBLE, "kb", CALL),
            ],
        ),
        (
            "a weak kernel of two objects, as templates make it",
            vec![
                kernel(".weak", "_Z1tIiEvPT_", "add.s32 %r1,%r1,1;") + &kernel(VISIBLE, "ka", ""),
                kernel(".weak", "_Z1tIiEvPT_", "add.s32 %r1,%r1,1;") + &kernel(VISIBLE, "kb", ""),
            ],
        ),
        (
            "a table with the address of a weak function",
            vec![
                function(".weak", "f", 1)
                    + ".visible .global .align 8 .u64 ta[1] = {f};\n"
                    + &kernel(VISIBLE, "ka", CALL),
                function(".weak", "f", 2)
                    + ".visible .global .align 8 .u64 tb[1] = {f};\n"
                    + &kernel(VISIBLE, "kb", CALL),
            ],
        ),
    ]
}

/// Names in several objects, and a function of two names.
fn names() -> Vec<Case> {
    let caller = |name: &str| format!("{F_DECLARED}{}", kernel(VISIBLE, name, CALL));
    vec![
        (
            "local functions and variables of one name",
            vec![
                function("", "f", 1) + ".global .align 4 .u32 v = 1;\n" + &kernel(VISIBLE, "ka", &(load("v") + CALL)),
                function("", "f", 2) + ".global .align 4 .u32 v = 2;\n" + &kernel(VISIBLE, "kb", &(load("v") + CALL)),
            ],
        ),
        ("an unused declaration", vec![F_DECLARED.to_owned() + &kernel(VISIBLE, "ka", ""), function(VISIBLE, "g", 3)]),
        (
            "a function of two names",
            vec![
                format!(
                    "{}.visible .func (.param .b32 r) f(.param .b32 a);\n.alias f, g;\n.visible .global .align 8 .u64 t[1] = {{f}};\n{}",
                    function(VISIBLE, "g", 1),
                    kernel(VISIBLE, "ka", CALL)
                ),
                caller("kb"),
            ],
        ),
        ("one function for two objects", vec![caller("ka"), caller("kb"), function(VISIBLE, "f", 5)]),
    ]
}

/// Kernels with and without shared memory.
fn shared_memory() -> Vec<Case> {
    vec![(
        "a kernel without shared memory beside one with it",
        vec![
            kernel(VISIBLE, "ka", "") + &kernel(VISIBLE, "kb", ".shared .align 8 .b32 s[9]; st.shared.u32 [s+4],%r1;"),
            ".extern .shared .align 8 .b8 d[];\n".to_owned()
                + &kernel(VISIBLE, "kc", "st.shared.u32 [d+4],%r1;")
                + &kernel(VISIBLE, "kd", ""),
        ],
    )]
}

/// The value of nvlink 13.0.88 for every function related to an `.alias` in its object: "unknown",
/// although all objects have 0.
const NVLINK_FORGETS: (&str, &str) = ("a function of two names", "SPARSE_MMA_MASK");

/// Programs on which nvlink 13.0.88 fails without a message.
const NVLINK_FAILS: &[&str] = &["a weak variable and a common one"];

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Assembles the modules to relocatable objects, in order.
fn assemble(ptxas: &Oracle, folder: &Path, arch: &str, modules: &[String]) -> Result<Vec<(String, Vec<u8>)>> {
    let mut out = Vec::new();
    for (number, text) in modules.iter().enumerate() {
        let (input, output) = (folder.join("m.ptx"), folder.join("m.cubin"));
        fs::write(&input, format!("{HEAD}{text}"))?;
        ptxas.run(&[format!("-arch={arch}"), "-c".into(), shown(&input), "-o".into(), shown(&output)])?;
        out.push((format!("{number}.cubin"), fs::read(&output)?));
    }
    Ok(out)
}

#[test]
fn corners_are_as_nvlink_has_them() -> Result<()> {
    let (Some(ptxas), Some(tool)) = (oracle::require("ptxas"), oracle::require("nvlink")) else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let mut bad = Vec::new();
    for arch in ARCHES {
        for (name, modules) in programs() {
            let mut objects = assemble(&ptxas, folder.path(), arch, &modules).with_context(|| name)?;
            for turn in ["as it is", "turned"] {
                // Of weak definitions the first input counts for nvlink too: both linkers get the
                // same order.
                let program = Program { name: name.to_owned(), arch, objects: objects.clone() };
                let order: Vec<String> = objects.iter().map(|o| o.0.clone()).collect();
                let place = format!("{name}, {arch}, {turn}");
                let theirs = nvlink(&tool, &program, &order)?;
                match (ours(&program), theirs) {
                    (Ok(ours), Ok(theirs)) => {
                        let found =
                            differences(&without_places(&facts_of(&ours.bytes)?), &without_places(&facts_of(&theirs)?));
                        let forgets = |line: &String| name == NVLINK_FORGETS.0 && line.contains(NVLINK_FORGETS.1);
                        let found = found.into_iter().filter(|line| !forgets(line));
                        bad.extend(found.map(|line| format!("{place}: {line}")));
                    }
                    (Err(_), Err(_)) => {}
                    (Ok(_), Err(_)) if NVLINK_FAILS.contains(&name) => {}
                    (Ok(_), Err(said)) => bad.push(format!("{place}: only nvlink refuses it: {said}")),
                    (Err(said), Ok(_)) => bad.push(format!("{place}: only we refuse it: {said:?}")),
                }
                objects.reverse();
            }
        }
    }
    ensure!(bad.is_empty(), "{}", bad.join("\n"));
    Ok(())
}

#[test]
fn objects_for_a_finalizer_and_of_mixed_architectures_are_refused_with_the_reason() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let modules = [kernel(".visible", "ka", ""), kernel(".visible", "kb", "")];
    let refused = |objects: &[(String, Vec<u8>)], says: &str| -> Result<()> {
        let inputs: Vec<Input<'_>> =
            objects.iter().map(|(name, bytes)| Input { name, bytes, library: false }).collect();
        let Err(problems) = link(&inputs, &LinkOptions::default(), &Serial) else {
            anyhow::bail!("no error says {says}")
        };
        let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
        ensure!(text.iter().any(|t| t.contains(says)), "no {says:?} in {text:?}");
        Ok(())
    };
    let newer = assemble(&ptxas, folder.path(), "sm_100", &modules)?;
    refused(&newer, "'0.cubin' is for sm_100, whose objects are not supported")?;
    let mut mixed = assemble(&ptxas, folder.path(), "sm_90", &modules[..1])?;
    mixed.push(("old.cubin".into(), assemble(&ptxas, folder.path(), "sm_80", &modules[1..])?.remove(0).1));
    refused(&mixed, "'old.cubin' is for sm_80, the link is for sm_90")
}

/// Facts without the offsets of variables and the bytes of their sections: these depend on the
/// order of the objects, which is that of the inputs for nvlink and depends on their contents for
/// our linker.
fn without_places(facts: &[String]) -> Vec<String> {
    let cut = |line: &String| match line.split_once(' ') {
        Some(("variable", _)) => line.split('+').next().unwrap_or(line).to_owned(),
        Some(("memory", _)) => line.split(" bytes").next().unwrap_or(line).to_owned(),
        Some(("relocation", rest)) if rest.starts_with(".nv.global") => {
            rest.split_once(' ').map_or("", |r| r.1).to_owned()
        }
        _ => line.clone(),
    };
    let mut out: Vec<String> = facts.iter().map(cut).collect();
    out.sort();
    out
}

const KERNEL: &str = "struct P { int a; float b; };
extern __device__ int helper(int x, struct P *p);
__device__ int counter = 3;
__global__ void ka(int *out) {
    struct P p; p.a = threadIdx.x; p.b = 2.0f;
    int v = helper(threadIdx.x, &p);
    out[threadIdx.x] = v + counter;
}
";

const HELPER: &str = "struct P { int a; float b; };
extern __device__ int counter;
static __device__ int inner(int x) { return x * 3; }
__device__ int helper(int x, struct P *p) {
    int y = inner(x);
    return y + p->a + counter;
}
__global__ void kb(int *out) { struct P p; p.a = 4; *out = helper(1, &p); }
";

/// Debug sections by name.
fn debug_sections(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>> {
    let cubin = Cubin::parse(bytes)?;
    let debug = cubin.sections.iter().filter(|s| s.kind == sht::PROGBITS && s.flags & shf::ALLOC == 0);
    let mut out: Vec<(String, Vec<u8>)> = debug
        .filter_map(|s| match &s.payload {
            Payload::Bytes(bytes) => Some((s.name.clone(), bytes.clone())),
            _ => None,
        })
        .collect();
    out.sort();
    Ok(out)
}

#[test]
fn debug_information_is_merged_as_by_nvlink_and_leads_to_the_same_lines() -> Result<()> {
    let (Some(nvcc), Some(tool), Some(nvdisasm)) =
        (oracle::require("nvcc"), oracle::require("nvlink"), oracle::require("nvdisasm"))
    else {
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let labels = regex::Regex::new(r"\.L_x_\d+")?;
    let path = |name: &str| folder.path().join(name);
    for (arch, mode, link_mode) in [("sm_90", "-G", Some("-g")), ("sm_80", "-lineinfo", None)] {
        let mut objects = Vec::new();
        for (name, source) in [("a", KERNEL), ("b", HELPER)] {
            let (input, output) = (path(&format!("{name}.cu")), path(&format!("{name}.cubin")));
            fs::write(&input, source)?;
            let args = [format!("-arch={arch}"), mode.into(), "-rdc=true".into(), "-cubin".into(), shown(&input)];
            nvcc.run(&[&args[..], &["-o".into(), shown(&output)]].concat())?;
            objects.push((shown(&output), fs::read(&output)?));
        }
        let inputs: Vec<Input<'_>> =
            objects.iter().map(|(name, bytes)| Input { name, bytes, library: false }).collect();
        let linked =
            link(&inputs, &LinkOptions::default(), &Serial).map_err(|p| anyhow::anyhow!("{mode} {arch}: {p:?}"))?;
        let (ours, theirs) = (path("ours.cubin"), path("theirs.cubin"));
        fs::write(&ours, linked.bytes(&Serial))?;
        let mut args = vec![format!("-arch={arch}")];
        args.extend(link_mode.map(str::to_owned));
        args.extend(in_order(&linked));
        args.extend(["-o".into(), shown(&theirs)]);
        tool.run(&args)?;
        let (a, b) = (debug_sections(&fs::read(&ours)?)?, debug_sections(&fs::read(&theirs)?)?);
        let names = |all: &[(String, Vec<u8>)]| all.iter().map(|s| s.0.clone()).collect::<Vec<_>>();
        ensure!(a.len() >= 4 && names(&a) == names(&b), "{mode} {arch}: {:?}, not {:?}", names(&a), names(&b));
        for (x, y) in a.iter().zip(&b) {
            let first = x.1.iter().zip(&y.1).position(|(x, y)| x != y);
            ensure!(x.1 == y.1, "{mode} {arch}: {} differs at {first:x?}", x.0);
        }
        let listing = |file: &Path| -> Result<String> {
            let text = String::from_utf8(nvdisasm.run(&["-g".into(), "-c".into(), shown(file)])?)?;
            // Labels are numbered over the whole file.
            let text = labels.replace_all(&text, ".L");
            // The order of functions, which is that of sections, does not matter.
            let mut functions: Vec<&str> = text.split("//---------------------").skip(1).collect();
            functions.sort_unstable();
            Ok(functions.concat())
        };
        let (a, b) = (listing(&ours)?, listing(&theirs)?);
        ensure!(a.contains("b.cu\", line ") && a.contains("a.cu\", line "), "{mode} {arch}: no lines in {a}");
        ensure!(a == b, "{mode} {arch}: the listings differ:\n{a}\n---\n{b}");
    }
    Ok(())
}

/// The inputs' names in the order of the output.
fn in_order(linked: &Linked<'_>) -> Vec<String> {
    linked.objects().into_iter().map(str::to_owned).collect()
}
