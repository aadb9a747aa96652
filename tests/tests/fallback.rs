//! `--fallback=ptxas`: unsupported kernels are assembled by ptxas and linked with ours into one
//! cubin.
#![forbid(unsafe_code)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_cubin::Cubin;
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, RunOptions, Selection};
use raddle_driver::program::history::History;
use raddle_driver::ptxas::Fallback;
use raddle_driver::report::Report;
use raddle_driver::request::Request;
use raddle_filetest::oracle::{self, Oracle};
use raddle_jobs::memory::Limit;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;
use raddle_target::Target;
use raddle_tests::judge::Expected;
use raddle_tests::kernel::{self, corpus};
use raddle_tests::simulator;

const ARCHS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];

/// Compiles with the fallback `ptxas`; `fault` selects the kernels that our compiler refuses, by
/// name or as `RADDLE_FAULT`.
fn run(ptx: &str, arch: &str, fault: Option<&str>, ptxas: &Path, jobs: usize) -> Report {
    let fault = fault.map(|fault| if fault.contains(':') { fault.to_owned() } else { format!("resources:{fault}") });
    let fault = fault.map(|fault| fault.parse().unwrap());
    let request = Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(ptx.to_owned()) }],
        selection: Selection { arch: Target::by_name(arch), ..Selection::default() },
        codegen: CodegenOptions { opt: OptLevel::O3, fmad: false, ..CodegenOptions::default() },
        run: RunOptions { jobs, fault, ..RunOptions::default() },
        fallback: Some(Fallback { ptxas: ptxas.to_owned(), limit: Duration::from_secs(300), options: Vec::new() }),
        ..Request::default()
    };
    compile(request, &mut ())
}

fn errors(report: &Report) -> String {
    let errors = report.diags.iter().filter(|d| d.is_error());
    errors
        .map(|d| format!("{} {} {:?}", d.function.as_deref().unwrap_or("-"), d.message, d.notes))
        .collect::<Vec<_>>()
        .join("; ")
}

/// The output of ptxas for a module.
fn whole(ptxas: &Oracle, folder: &Path, ptx: &str, arch: &str) -> Vec<u8> {
    let (input, output) = (folder.join("whole.ptx"), folder.join("whole.cubin"));
    fs::write(&input, ptx).unwrap();
    let arguments = [format!("-arch={arch}"), "-O3".into(), "-fmad=false".into(), "-o".into()];
    let mut command = ptxas.command();
    let status = command.args(arguments).arg(&output).arg(&input).status().unwrap();
    assert!(status.success());
    fs::read(&output).unwrap()
}

#[test]
fn kernels_made_by_ptxas_run_as_the_text_says() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut same = 0;
    // Every third kernel: each costs a run of ptxas on the kernel and one on the module.
    for (index, kernel) in kernel::all().unwrap().iter().step_by(3).enumerate() {
        let arch = ARCHS[index % 4];
        let ptx = kernel.ptx(&kernel.producers[0]).unwrap();
        let report = run(&ptx, arch, Some("*"), ptxas.path(), 1);
        assert!(!report.diags.has_errors(), "{} for {arch}: {}", kernel.name, errors(&report));
        assert!(report.kernels.iter().all(|k| k.fallback), "{}", kernel.name);
        let cubin = report.cubin.unwrap();
        let judged = Expected::of(kernel, &ptx).and_then(|expected| expected.run(kernel, &cubin));
        judged.unwrap_or_else(|e| panic!("{} for {arch}: {e:#}", kernel.name));
        // Without variables of the module the code equals that of ptxas for the whole, byte by
        // byte.
        let theirs = whole(&ptxas, folder.path(), &ptx, arch);
        let (ours, theirs) = (Cubin::parse(&cubin).unwrap(), Cubin::parse(&theirs).unwrap());
        if theirs.section(".nv.constant3").is_some() || theirs.section(".nv.constant4").is_some() {
            continue;
        }
        for k in theirs.kernels() {
            assert!(ours.kernel(k.name).unwrap().code == k.code, "{} for {arch}: other code", k.name);
            same += 1;
        }
    }
    assert!(same >= 10, "{same} kernels of the same code");
}

/// Variables of every kind, a call that is not inlined, a call into the driver, shared and local
/// memory.
const SHARING: &str = r#".version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 counter = 7;
.visible .global .align 8 .b8 table[64] = {1,0,0,0,2,0,0,0,3,0,0,0,4,0,0,0};
.global .align 8 .u64 pointer = generic(counter);
.const .align 4 .u32 weights[4] = {10, 20, 30, 40};
.func (.param .b32 r) __noinline__mix(.param .b32 a)
{
.reg .b32 %x<6>;
.reg .b64 %d<5>;
ld.param.b32 %x1, [a];
and.b32 %x2, %x1, 3;
mul.wide.u32 %d1, %x2, 4;
mov.u64 %d2, table;
add.s64 %d3, %d2, %d1;
ld.global.u32 %x3, [%d3];
mul.lo.u32 %x4, %x3, %x1;
st.param.b32 [r], %x4;
ret;
}
.visible .entry first(.param .u64 p)
{
.shared .align 16 .b8 sm[128];
.reg .b32 %r<16>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [p];
cvta.to.global.u64 %rd1, %rd1;
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd1, %rd1, %rd2;
mov.u32 %r2, sm;
shl.b32 %r3, %r1, 2;
add.u32 %r2, %r2, %r3;
st.shared.u32 [%r2], %r1;
bar.sync 0;
ld.shared.u32 %r4, [sm+16];
ld.global.u32 %r5, [counter];
ld.const.u32 %r6, [weights+8];
ld.global.u64 %rd3, [pointer];
ld.u32 %r7, [%rd3];
{
.param .b32 x; .param .b32 y;
st.param.b32 [x], %r1;
call (y), __noinline__mix, (x);
ld.param.b32 %r8, [y];
}
add.u32 %r9, %r4, %r5; add.u32 %r9, %r9, %r6; add.u32 %r9, %r9, %r7; add.u32 %r9, %r9, %r8;
st.global.u32 [%rd1], %r9;
ret;
}
.visible .entry second(.param .u64 p)
{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [p];
cvta.to.global.u64 %rd1, %rd1;
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd1, %rd1, %rd2;
and.b32 %r2, %r1, 3;
mul.wide.u32 %rd3, %r2, 4;
mov.u64 %rd4, weights;
add.s64 %rd4, %rd4, %rd3;
ld.const.u32 %r3, [%rd4];
ld.global.u32 %r4, [counter];
ld.global.u32 %r5, [table+4];
add.u32 %r6, %r3, %r4; add.u32 %r6, %r6, %r5;
st.global.u32 [%rd1], %r6;
ret;
}
"#;

/// The value that each of the two kernels stores in thread `t`.
fn expected(kernel: &str, t: u32) -> u32 {
    match kernel {
        "first" => 4 + 7 + 30 + 7 + [1, 2, 3, 4][(t & 3) as usize] * t,
        _ => [10, 20, 30, 40][(t & 3) as usize] + 7 + 2,
    }
}

#[test]
fn ours_and_theirs_share_variables() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    share_variables(&ptxas, &ARCHS);
}

#[test]
fn the_assembler_of_cuda_12_can_stand_behind_us() {
    let Some(ptxas) = oracle::require(oracle::PTXAS12) else { return };
    share_variables(&ptxas, &["sm_80", "sm_90"]);
}

fn share_variables(ptxas: &Oracle, archs: &[&str]) {
    let tools = ["nvdisasm", "cuobjdump"].map(oracle::require);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.cubin");
    for &arch in archs {
        for fault in ["first", "second", "*"] {
            let report = run(SHARING, arch, Some(fault), ptxas.path(), 1);
            assert!(!report.diags.has_errors(), "{arch} {fault}: {}", errors(&report));
            let cubin = report.cubin.unwrap();
            for jobs in [2, 8] {
                assert!(run(SHARING, arch, Some(fault), ptxas.path(), jobs).cubin.as_ref() == Some(&cubin), "-j{jobs}");
            }
            let parsed = Cubin::parse(&cubin).unwrap();
            let names: Vec<&str> = parsed.variables().iter().map(|v| v.name).collect();
            for name in ["counter", "table", "weights"] {
                assert_eq!(names.iter().filter(|n| **n == name).count(), 1, "{arch} {fault}: {name} in {names:?}");
            }
            for kernel in ["first", "second"] {
                let got = simulate(&cubin, kernel);
                let want: Vec<u32> = (0..32).map(|t| expected(kernel, t)).collect();
                assert_eq!(got, want, "{arch}, {fault} by ptxas: {kernel}");
            }
            fs::write(&file, &cubin).unwrap();
            if let [Some(nvdisasm), Some(cuobjdump)] = &tools {
                nvdisasm.run(&["-c".as_ref(), file.as_os_str()]).unwrap();
                let usage = cuobjdump.run(&["-res-usage".as_ref(), file.as_os_str()]).unwrap();
                assert!(String::from_utf8(usage).unwrap().contains("Function second"), "{arch}");
            }
        }
    }
}

fn simulate(cubin: &[u8], kernel: &str) -> Vec<u32> {
    let mut memory = Memory::new();
    let buffer = memory.add("p".to_owned(), vec![0; 128], true);
    let mut launch = Launch::new(kernel);
    launch.block = Dim3::new(32, 1, 1);
    launch.args.push(Arg::Buffer(buffer));
    simulator::run(cubin, &launch, &mut memory).unwrap();
    memory.read_back(buffer).unwrap().chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// A program in the place of ptxas.
fn program(folder: &Path, name: &str, script: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_ptxas_that_goes_wrong_is_an_error_of_its_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("fails", "echo no such thing >&2; exit 7", "exit status: 7"),
        ("crashes", "kill -SEGV $$", "signal"),
        ("silent", "exit 0", "wrote nothing"),
        ("nonsense", "for a; do o=$a; done; echo garbage > \"$o\"", "no cubin"),
        ("empty", "for a; do o=$a; done; : > \"$o\"", "no cubin"),
    ];
    for (name, script, want) in cases {
        let ptxas = program(folder.path(), name, script);
        let report = run(SHARING, "sm_90", Some("second"), &ptxas, 2);
        assert!(report.cubin.is_none(), "{name}");
        let said = errors(&report);
        assert!(said.contains(want) && said.contains("second"), "{name}: {said}");
        assert!(!report.diags.iter().any(|d| d.function.as_deref() == Some("first") && d.is_error()), "{name}: {said}");
    }
    let missing = run(SHARING, "sm_90", Some("second"), &folder.path().join("nowhere"), 1);
    assert!(errors(&missing).contains("cannot be started"), "{}", errors(&missing));
}

#[test]
fn a_ptxas_that_hangs_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let ptxas = program(folder.path(), "hangs", "exec sleep 600");
    let request = Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(SHARING.to_owned()) }],
        selection: Selection { arch: Target::by_name("sm_90"), ..Selection::default() },
        run: RunOptions { jobs: 2, fault: Some("resources:first".parse().unwrap()), ..RunOptions::default() },
        fallback: Some(Fallback { ptxas, limit: Duration::from_millis(300), options: Vec::new() }),
        ..Request::default()
    };
    let report = compile(request, &mut ());
    assert!(errors(&report).contains("first ptxas did not end within 0.3 s"), "{}", errors(&report));
}

#[test]
fn a_cubin_of_the_wrong_kind_is_an_error_of_its_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/cubin/tests/data");
    let copy = |file: &str| format!("for a; do o=$a; done; cp '{}' \"$o\"", data.join(file).display());
    for (file, want) in
        [("variables.sm_90.rel.cubin", "no kernel or function of this name"), ("tables.sm_80.cubin", "sm_80")]
    {
        let ptxas = program(folder.path(), file, &copy(file));
        let report = run(SHARING, "sm_90", Some("second"), &ptxas, 2);
        let said = errors(&report);
        assert!(report.cubin.is_none() && said.contains(want) && said.contains("second"), "{file}: {said}");
    }
    // The same for a whole module.
    for (file, want) in [("tables.sm_90.cubin", "(found sm_90)"), ("nothing", "ptxas")] {
        let ptxas = program(folder.path(), file, &copy(file));
        let report = run(&SHARING.replace("sm_80", "sm_75"), "sm_100", None, &ptxas, 2);
        let said = errors(&report);
        assert!(report.cubin.is_none() && said.contains(want), "{file}: {said}");
    }
}

#[test]
fn modules_for_architectures_without_machine_code_are_left_to_ptxas_whole() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let folder = tempfile::tempdir().unwrap();
    let newer = SHARING.replace("sm_80", "sm_75");
    for arch in ["sm_75", "sm_100a", "sm_120"] {
        let report = run(&newer, arch, None, ptxas.path(), 2);
        assert!(!report.diags.has_errors(), "{arch}: {}", errors(&report));
        assert!(report.diags.iter().any(|d| d.message.contains(&format!("no native code for {arch} yet"))), "{arch}");
        assert!(report.kernels.len() == 2 && report.kernels.iter().all(|k| k.fallback && k.registers > 0), "{arch}");
        // The file is unchanged: all sections are there, including the finalizer's. Only the
        // options in the note differ.
        let made = [report.cubin.unwrap(), whole(&ptxas, folder.path(), &newer, arch)];
        let [ours, theirs] = made.map(|bytes| Cubin::parse(&bytes).unwrap());
        assert_eq!(ours.sections.len(), theirs.sections.len(), "{arch}");
        for (a, b) in ours.sections.iter().zip(&theirs.sections).filter(|(a, _)| a.name != ".note.nv.tkinfo") {
            assert!(a.name == b.name && a.payload == b.payload, "{arch}: {}", a.name);
        }
        assert_eq!(ours.sections.iter().any(|s| s.name.starts_with(".nv.capmerc")), arch != "sm_75", "{arch}");
    }
    let request = |inputs: &[&str], kernels: &[&str]| Request {
        inputs: inputs.iter().map(|t| Input { name: "m".into(), content: Content::Text((*t).to_owned()) }).collect(),
        selection: Selection {
            arch: Target::by_name("sm_120"),
            names: kernels.iter().map(|k| (*k).to_owned()).collect(),
            ..Selection::default()
        },
        fallback: Some(Fallback {
            ptxas: ptxas.path().to_owned(),
            limit: Duration::from_secs(300),
            options: Vec::new(),
        }),
        ..Request::default()
    };
    let other = newer.replace("first", "third").replace("second", "fourth");
    let two = errors(&compile(request(&[&newer, &other], &[]), &mut ()));
    assert!(two.contains("several modules cannot be linked"), "{two}");
    let one = errors(&compile(request(&[&newer], &["first"]), &mut ()));
    assert!(one.contains("no kernel can be selected"), "{one}");
}

#[test]
fn a_kernel_of_a_module_with_debug_information_is_assembled_without() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let report = run(&SHARING.replace(".target sm_80", ".target sm_80, debug"), "sm_90", Some("*"), ptxas.path(), 1);
    assert!(!report.diags.has_errors(), "{}", errors(&report));
    assert_eq!(simulate(&report.cubin.unwrap(), "second")[5], expected("second", 5));
}

/// Snippets, and their instructions that count as unsupported.
const SNIPPETS: [(&str, &str); 3] = [
    ("062_a_bfind_u32", "unsupported:bfind.u32"),
    ("076_a_prmt", "unsupported:prmt.b32"),
    ("394_c_pmevent", "unsupported:pmevent"),
];

#[test]
fn what_we_refuse_compiles_with_the_fallback_and_is_named() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let mut compiled = 0;
    for (name, refused) in SNIPPETS {
        let ptx = fs::read_to_string(corpus().join(format!("snippets/{name}.ptx"))).unwrap();
        let report = run(&ptx, "sm_90", Some(refused), ptxas.path(), 2);
        assert!(!report.diags.has_errors(), "{name}: {}", errors(&report));
        for k in report.kernels.iter().filter(|k| k.fallback) {
            let said = report.diags.iter().find(|d| d.function.as_deref() == Some(&*k.name)).unwrap();
            assert!(said.message.contains("assembled by ptxas") && !said.notes.is_empty(), "{}", k.name);
            compiled += 1;
        }
    }
    assert_eq!(compiled, 3);
}

/// The starts and ends of runs of a program that logs them, with two kernels for the fallback. A
/// run waits for the other one to start, in tenths of a second.
fn runs_of(memory: Limit, folder: &Path, patience: u32) -> String {
    let log = folder.join("log");
    fs::write(&log, "").unwrap();
    let script = format!(
        "echo begin >> '{0}'; n=0
while [ $(grep -c begin '{0}') -lt 2 ] && [ $n -lt {patience} ]; do sleep 0.1; n=$((n+1)); done
sleep 0.1; echo end >> '{0}'; exit 7",
        log.display()
    );
    let ptxas = program(folder, "slow", &script);
    let request = Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(SHARING.to_owned()) }],
        selection: Selection { arch: Target::by_name("sm_90"), ..Selection::default() },
        run: RunOptions {
            jobs: 2,
            keep_going: true,
            max_memory: memory,
            fault: Some("resources:*".parse().unwrap()),
            ..RunOptions::default()
        },
        fallback: Some(Fallback { ptxas, limit: Duration::from_secs(300), options: Vec::new() }),
        ..Request::default()
    };
    assert!(errors(&compile(request, &mut ())).contains("exit status: 7"));
    fs::read_to_string(log).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn memory_of_ptxas_counts_for_its_kernel() {
    let folder = tempfile::tempdir().unwrap();
    // There is room for our own work on many kernels, and for one ptxas: 32 MiB and more.
    let room = raddle_jobs::memory::own() + (50 << 20);
    assert_eq!(runs_of(Limit::Bytes(room), folder.path(), 5), "begin end begin end");
    if raddle_jobs::cpus::available() > 1 {
        assert_eq!(runs_of(Limit::Off, folder.path(), 600), "begin begin end end");
    }
}

#[test]
fn what_ptxas_took_is_remembered() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history");
    let build = || {
        let request = Request {
            inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(SHARING.to_owned()) }],
            selection: Selection { arch: Target::by_name("sm_90"), ..Selection::default() },
            run: RunOptions {
                jobs: 1,
                history: Some(path.clone()),
                fault: Some("resources:first".parse().unwrap()),
                ..RunOptions::default()
            },
            fallback: Some(Fallback {
                ptxas: ptxas.path().to_owned(),
                limit: Duration::from_secs(300),
                options: Vec::new(),
            }),
            ..Request::default()
        };
        let report = compile(request, &mut ());
        assert!(!report.diags.has_errors(), "{}", errors(&report));
        (report.cubin.unwrap(), report.kernels[0].peak)
    };
    let (first, peak) = build();
    // ptxas takes some 23 MiB for an empty module; this one is small. Our own work on it takes less
    // than one.
    assert!((20 << 20..100 << 20).contains(&peak), "{peak}");
    let summary = History::read(&path).summary();
    assert!(summary.kernels == 2 && summary.peak == peak && summary.cpu > Duration::ZERO, "{summary:?}");
    assert!(build().0 == first, "what is remembered changes no byte");
}

/// A texture reference at module scope; the driver fills a word behind the parameters.
const REFERENCES: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.global .texref t;\n.global .surfref s;\n\
    .visible .entry reads(.param .u64 p)\n{\n.reg .f32 %f<5>; .reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\nmov.f32 %f1, 0f3F800000;\n\
    tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f1}];\nst.global.f32 [%rd1], %f1;\nret;\n}\n\
    .visible .entry plain(.param .u64 p)\n{\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\nst.global.u64 [%rd1], %rd1;\nret;\n}\n";

/// What `reads` of [`REFERENCES`] stores.
fn read_by(cubin: &[u8]) -> Vec<u8> {
    let mut memory = Memory::new();
    let texels = [3.0f32, 5.0, 7.0, 9.0].map(f32::to_le_bytes).concat();
    let texture = [b"raddle-texture 1\nformat r32_float\nsize 4\ndata\n", &texels[..]].concat();
    memory.add_texture("t", raddle_sim::texture::file::read(&texture).unwrap(), false);
    let out = memory.add("out", vec![0; 4], true);
    let mut launch = Launch::new("reads");
    launch.args.push(Arg::Buffer(out));
    simulator::run(cubin, &launch, &mut memory).unwrap();
    memory.read_back(out).unwrap().to_vec()
}

#[test]
fn kernels_of_ptxas_read_the_textures_that_the_driver_binds() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    for arch in ["sm_80", "sm_90"] {
        let report = run(REFERENCES, arch, None, ptxas.path(), 2);
        assert!(!report.diags.has_errors() && report.kernels.iter().all(|k| !k.fallback), "{}", errors(&report));
        let wanted = read_by(&report.cubin.unwrap());
        assert_ne!(wanted, [0; 4]);
        let parameter = REFERENCES.replace(".global .texref t;", "").replace("reads(", "reads(.param .texref t, ");
        for text in [REFERENCES, &parameter] {
            let report = run(text, arch, Some("unsupported:tex.1d.v4.f32.f32"), ptxas.path(), 2);
            assert!(!report.diags.has_errors() && report.kernels[0].fallback, "{}", errors(&report));
            if text == REFERENCES {
                assert_eq!(read_by(&report.cubin.unwrap()), wanted, "{arch}");
            }
        }
    }
}
