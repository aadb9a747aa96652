//! Rare spellings: our machine code in the simulator gives the same as the PTX in the interpreter,
//! at all levels.

use raddle_driver::options::OptLevel;
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;
use raddle_tests::compile::{How, cubin};
use raddle_tests::simulator;

/// Threads of the one block.
const THREADS: u32 = 64;

/// A kernel with this body: `%a` points to eight input words of a thread, `%o` to eight output
/// words.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.6\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
         .reg .b64 %a, %o, %d<9>;\n.reg .b32 %t, %r<20>;\n.reg .pred %p<9>;\nld.param.u64 %a, [in];\nld.param.u64 %o, [out];\n\
         mov.u32 %t, %tid.x;\nmul.wide.u32 %d0, %t, 32;\nadd.u64 %a, %a, %d0;\nadd.u64 %o, %o, %d0;\n{body}\nret;\n}}\n"
    )
}

fn launch(memory: &mut Memory) -> (Launch, raddle_sim::mem::AllocId) {
    let words = (0..THREADS * 8).map(|n| if n % 3 == 0 { n % 8 } else { n.wrapping_mul(0x9e37_79b9) });
    let input = memory.add("in", words.flat_map(u32::to_le_bytes).collect(), false);
    let out = memory.add("out", vec![0; THREADS as usize * 32], true);
    let mut launch = Launch::new("k");
    launch.block = Dim3::new(THREADS, 1, 1);
    launch.args.extend([Arg::Buffer(input), Arg::Buffer(out)]);
    (launch, out)
}

fn check(body: &str) {
    let text = kernel(body);
    let mut memory = Memory::new();
    let (l, out) = launch(&mut memory);
    interp::run(&text, &l, &mut memory).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let want = memory.read_back(out).unwrap().to_vec();
    assert!(want.iter().any(|&b| b != 0), "nothing is written: {text}");
    for (arch, opt) in
        [("sm_80", OptLevel::O0), ("sm_86", OptLevel::O1), ("sm_89", OptLevel::O2), ("sm_90", OptLevel::O3)]
    {
        let code = cubin(&text, How { arch, opt, jobs: 1, chaos: None }).unwrap_or_else(|e| panic!("{e:#}\n{text}"));
        let mut memory = Memory::new();
        let (l, out) = launch(&mut memory);
        simulator::run(&code, &l, &mut memory).unwrap_or_else(|e| panic!("{arch} {opt:?}: {e}\n{text}"));
        assert!(memory.read_back(out).unwrap() == want, "{arch} {opt:?}: {text}");
    }
}

#[test]
fn a_jump_by_a_table_under_a_guard() {
    let body = |guard: &str| {
        format!(
            "ld.global.u32 %r1, [%a];\nld.global.u32 %r2, [%a+4];\nand.b32 %r1, %r1, 3;\nsetp.gt.s32 %p1, %r2, 0;\nmov.u32 %r3, 100;\n\
             ts: .branchtargets A, B, C, A;\n{guard} brx.idx %r1, ts;\n\
             A: add.u32 %r3, %r3, 1;\nB: add.u32 %r3, %r3, 10;\nbra E;\nC: mul.lo.u32 %r3, %r3, 3;\n\
             E: st.global.u32 [%o], %r3;\n"
        )
    };
    check(&body("@%p1"));
    check(&body("@!%p1"));
    check(&body(""));
}

#[test]
fn uniform_loads() {
    check(
        "ldu.global.u32 %r1, [%a];\nldu.global.v2.u32 {%r2, %r3}, [%a+8];\nldu.global.v4.u32 {%r4, %r5, %r6, %r7}, [%a+16];\n\
           st.global.v4.u32 [%o], {%r1, %r2, %r3, %r4};\nst.global.v2.u32 [%o+16], {%r5, %r7};\n",
    );
}

#[test]
fn truth_tables_with_a_predicate() {
    check(
        "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a];\nsetp.gt.s32 %p1, %r4, 0;\nlop3.or.b32 %r5|%p2, %r1, %r2, %r3, 0x80, %p1;\n\
           lop3.and.b32 %r6|%p3, %r1, %r2, %r3, 0x96, !%p1;\nlop3.and.b32 _|%p4, %r1, 3, %r3, 0xc0, %p1;\n\
           @%p1 lop3.or.b32 %r1|%p2, %r1, %r2, %r3, 0x01, %p4;\nselp.u32 %r7, 1, 2, %p2;\nselp.u32 %r8, 4, 8, %p3;\nselp.u32 %r9, 16, 32, %p4;\n\
           st.global.v4.u32 [%o], {%r5, %r6, %r7, %r8};\nst.global.v2.u32 [%o+16], {%r9, %r1};\n",
    );
}
