//! `--fallback=ptxas` with functions that are not inlined: kernels and functions of both assemblers
//! call each other, in whole programs, in objects, and in objects linked by nvlink.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, RunOptions, Selection};
use raddle_driver::ptxas::Fallback;
use raddle_driver::request::{Functions, Output, Request};
use raddle_filetest::oracle;
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Launch, OnFinding};
use raddle_sim::mem::Memory;
use raddle_target::Target;
use raddle_tests::link::{self, Program};
use raddle_tests::simulator;

const THREADS: u32 = 32;

/// A recursive function, one called by address, one with a large result, shared variables; `c` has
/// a jump table. All threads have the same recursion depth: ptxas uses uniform registers after
/// calls and in functions, even if the threads of a warp do not return together.
const MODULE: &str = r#".version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 counter = 7;
.const .align 4 .u32 weights[4] = {10, 20, 30, 40};
.shared .align 4 .b8 sh[256];
.visible .func (.param .b32 r) sum (.param .b32 n)
{ .reg .u32 %r<10>; .reg .pred %p<2>; .reg .u64 %rd<4>;
 ld.param.u32 %r1, [n]; mov.u32 %r4, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra D;
 sub.u32 %r2, %r1, 1;
 { .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), sum, (x); ld.param.b32 %r4, [y]; }
 add.u32 %r4, %r4, %r1;
D: mov.u32 %r5, %tid.x; mul.wide.u32 %rd1, %r5, 4; mov.u64 %rd2, sh; add.u64 %rd2, %rd2, %rd1; st.shared.u32 [%rd2], %r4;
 st.param.b32 [r], %r4; ret; }
.func (.param .b32 r) twice (.param .b32 n)
{ .reg .u32 %r<4>; ld.param.u32 %r1, [n]; ld.global.u32 %r2, [counter]; mad.lo.u32 %r1, %r1, 2, %r2; st.param.b32 [r], %r1; ret; }
.func (.param .align 8 .b8 r[64]) large (.param .b32 n, .param .align 8 .b8 s[16])
{ .reg .u32 %r<10>; .reg .u64 %rd<6>; .reg .pred %p<2>;
 ld.param.u32 %r1, [n]; mov.b64 %rd1, r; mov.b64 %rd2, s; mov.u32 %r2, 0;
L: and.b32 %r3, %r2, 3; mul.wide.u32 %rd3, %r3, 4; add.u64 %rd3, %rd2, %rd3; ld.local.u32 %r4, [%rd3]; mad.lo.u32 %r4, %r4, %r2, %r1;
 mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd1, %rd3; st.local.u32 [%rd3], %r4; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 16; @%p1 bra L;
 ret; }
.visible .entry a(.param .u64 out)
{ .reg .u64 %rd<9>; .reg .u32 %r<30>;
 ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
 { .param .b32 x; .param .b32 y; st.param.b32 [x], 6; call (y), sum, (x); ld.param.b32 %r2, [y]; }
 { .param .b32 n; .param .align 8 .b8 s[16]; .param .align 8 .b8 y[64]; st.param.b32 [n], %r2; st.param.v2.b32 [s], {%r1, 5}; st.param.v2.b32 [s+8], {6, %r2};
 call (y), large, (n, s); ld.param.b32 %r3, [y+60]; ld.param.b32 %r4, [y+16]; }
 mad.lo.u32 %r2, %r3, 3, %r4; st.global.u32 [%rd1], %r2; ret; }
.visible .entry b(.param .u64 out)
{ .reg .u64 %rd<9>; .reg .u32 %r<30>;
 ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
 { .param .b32 x; .param .b32 y; st.param.b32 [x], 9; call (y), sum, (x); ld.param.b32 %r2, [y]; }
 { .param .b32 n; .param .align 8 .b8 s[16]; .param .align 8 .b8 y[64]; st.param.b32 [n], %r2; st.param.v2.b32 [s], {%r1, 5}; st.param.v2.b32 [s+8], {6, %r2};
 call (y), large, (n, s); ld.param.b32 %r3, [y+56]; ld.param.b32 %r4, [y+12]; }
 ld.global.u32 %r5, [counter]; mov.u64 %rd3, sh; add.u64 %rd3, %rd3, %rd2; ld.shared.u32 %r6, [%rd3]; add.u32 %r5, %r5, %r6;
 mad.lo.u32 %r2, %r3, 3, %r4; add.u32 %r2, %r2, %r5; st.global.u32 [%rd1], %r2; ret; }
.visible .entry c(.param .u64 out)
{ .reg .u64 %rd<9>; .reg .u32 %r<30>; .reg .pred %p<2>;
 .shared .align 4 .b8 inner[128];
 ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; mov.u64 %rd4, inner; add.u64 %rd4, %rd4, %rd2; st.shared.u32 [%rd4], %r1;
 mov.u32 %r3, %ntid.x; setp.eq.u32 %p1, %r3, 32; mov.u64 %rd5, sum; @%p1 mov.u64 %rd5, twice; mov.u64 %rd6, twice; @%p1 mov.u64 %rd6, sum;
 P: .callprototype (.param .b32 _) _ (.param .b32 _);
 { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), %rd5, (x), P; ld.param.b32 %r2, [y]; }
 { .param .b32 x; .param .b32 y; st.param.b32 [x], 7; call (y), %rd6, (x), P; ld.param.b32 %r3, [y]; }
 add.u32 %r2, %r2, %r3;
 and.b32 %r3, %r1, 7; mov.u32 %r1, %r2;
T: .branchtargets A, B, C, D, E, F, G, H;
 brx.idx %r3, T;
A: add.u32 %r2, %r1, 17; bra Z;
B: clz.b32 %r2, %r1; bra Z;
C: popc.b32 %r2, %r1; bra Z;
D: brev.b32 %r2, %r1; bra Z;
E: mul.lo.u32 %r2, %r1, %r1; bra Z;
F: not.b32 %r2, %r1; bra Z;
G: xor.b32 %r2, %r1, 99; bra Z;
H: neg.s32 %r2, %r1;
Z: ld.const.u32 %r6, [weights+8]; ld.shared.u32 %r7, [%rd4]; add.u32 %r2, %r2, %r6; add.u32 %r2, %r2, %r7; st.global.u32 [%rd1], %r2; ret; }
.visible .entry d(.param .u64 out)
{ .reg .u64 %rd<9>; .reg .u32 %r<30>;
 ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; mad.lo.u32 %r1, %r1, %r1, 3; st.global.u32 [%rd1], %r1; ret; }
"#;

/// The results of a kernel: of the text, or of a cubin. `distances` enables the check for results
/// that are read too early.
fn run(cubin: Option<&[u8]>, kernel: &str, distances: bool) -> Result<Vec<u32>> {
    let mut memory = Memory::new();
    let buffer = memory.add("out".to_owned(), vec![0; 4 * THREADS as usize], true);
    let mut launch = Launch::new(kernel);
    (launch.block, launch.stack) = (THREADS.into(), 1 << 14);
    launch.args.push(Arg::Buffer(buffer));
    if !distances {
        launch.hazards = OnFinding::Off;
    }
    match cubin {
        Some(cubin) => simulator::run(cubin, &launch, &mut memory).map(|_| ())?,
        None => interp::run(MODULE, &launch, &mut memory).map(|_| ())?,
    }
    let bytes = memory.read_back(buffer).map_err(|kind| anyhow!("{kind}"))?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

/// Compiles the module; our compiler refuses the functions in `fault`. Also returns the names of
/// those that ptxas made.
fn compiled(arch: &str, fault: &str, relocatable: bool, ptxas: &oracle::Oracle) -> Result<(Vec<u8>, Vec<String>)> {
    let request = Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(MODULE.to_owned()) }],
        selection: Selection { arch: Target::by_name(arch), ..Selection::default() },
        codegen: CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() },
        output: if relocatable { Output::Object(Functions::Exported) } else { Output::Executable },
        run: RunOptions {
            jobs: 2,
            fault: Some(format!("resources:{fault}").parse().map_err(|why| anyhow!("{why}"))?),
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
    let errors: Vec<String> = report.diags.iter().filter(|d| d.is_error()).map(|d| d.message.to_string()).collect();
    ensure!(errors.is_empty(), "{}", errors.join("; "));
    let by = report.diags.iter().filter(|d| d.message.contains("assembled by ptxas"));
    let mut names: Vec<String> = by.filter_map(|d| d.function.clone()).map(|name| name.to_string()).collect();
    names.sort();
    Ok((report.cubin.context("no cubin")?, names))
}

#[test]
fn kernels_and_functions_of_both_assemblers_call_each_other() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    let nvlink = oracle::require("nvlink");
    let folder = tempfile::tempdir()?;
    let kernels = ["a", "b", "c", "d"];
    let want: Vec<Vec<u32>> = kernels.iter().map(|kernel| run(None, kernel, true)).collect::<Result<_>>()?;
    let judge = |what: String, by: &[String], cubin: &[u8]| -> Result<()> {
        for (kernel, want) in kernels.iter().zip(&want) {
            // On sm_90 ptxas reads descriptors 13 cycles after the instructions that move them to
            // uniform registers; our tables have 15.
            let distances = !(what.starts_with("sm_90") && by.iter().any(|name| name == kernel));
            let got = run(Some(cubin), kernel, distances).with_context(|| format!("{what}: {kernel}"))?;
            ensure!(got == *want, "{what}: {kernel}: {got:?}, not {want:?}");
        }
        Ok(())
    };
    for arch in ["sm_80", "sm_90"] {
        for fault in ["b", "c", "d", "sum", "large", "*"] {
            let what = format!("{arch}, {fault} by ptxas");
            let (whole, by) = compiled(arch, fault, false, &ptxas).with_context(|| what.clone())?;
            ensure!(by.iter().any(|name| name == fault) || fault == "*" && by.len() == 7, "{what}: {by:?}");
            judge(format!("{what}, whole"), &by, &whole)?;
            let (object, by) = compiled(arch, fault, true, &ptxas).with_context(|| format!("{what}, an object"))?;
            ensure!(by.iter().any(|name| name == fault) || fault == "*" && by.len() == 7, "{what}: {by:?}");
            let program = Program { name: what.clone(), arch, objects: vec![("a.o".to_owned(), object.clone())] };
            let ours = link::ours(&program).map_err(|problems| anyhow!("{what}: {problems:?}"))?;
            judge(format!("{what}, linked by us"), &by, &ours.bytes)?;
            if let Some(nvlink) = &nvlink {
                fs::write(folder.path().join("a.o"), &object)?;
                let theirs =
                    link::nvlink(nvlink, &program, &["a.o".to_owned()])?.map_err(|said| anyhow!("{what}: {said}"))?;
                judge(format!("{what}, linked by nvlink"), &by, &theirs)?;
            }
        }
    }
    Ok(())
}
