//! Behaviour of the PTX interpreter beyond single instructions: calls, meetings, barriers, waiting,
//! and every failure.
#![forbid(unsafe_code)]

use raddle_sim::failure::{FailureKind, Location};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch, OnFinding};
use raddle_sim::mem::Memory;

/// Wraps a body in a kernel with one pointer `p` in `%p`, the flat thread number in `%t` and `%p +
/// 4 t` in `%q`.
fn kernel(declarations: &str, body: &str) -> String {
    format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n{declarations}\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .b32 %r<32>; .reg .b32 %t; .reg .b32 %c; .reg .b64 %p; .reg .b64 %q; .reg .b64 %d<16>; .reg .pred %b<16>;\n\
         ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x;\n\
         mov.u32 %r31, %ntid.x; mad.lo.u32 %r31, %c, %r31, %t; mul.wide.u32 %q, %r31, 4; add.u64 %q, %q, %p;\n\
         {body}\nret;\n}}\n"
    )
}

/// Runs with this many blocks and threads on a zeroed buffer of `words` words.
fn launch(text: &str, grid: u32, block: u32, words: usize, seed: u64) -> Result<Vec<u32>, Box<FailureKind>> {
    let mut mem = Memory::new();
    let buffer = mem.add("buffer", vec![0; 4 * words], true);
    let mut launch = Launch::new("k");
    launch.grid = Dim3::from(grid);
    launch.block = Dim3::from(block);
    launch.args = vec![Arg::Buffer(buffer)];
    launch.seed = seed;
    launch.max_steps = 20_000_000;
    interp::run(text, &launch, &mut mem).map_err(|failure| failure.kind)?;
    let bytes = mem.read_back(buffer).map_err(Box::new)?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect())
}

/// Returns the results under several seeds, which must be the same.
fn results(text: &str, grid: u32, block: u32, words: usize) -> Vec<u32> {
    let first = launch(text, grid, block, words, 0).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for seed in 1..6 {
        let again = launch(text, grid, block, words, seed).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert_eq!(first, again, "seed {seed}");
    }
    first
}

fn failure(text: &str, grid: u32, block: u32) -> FailureKind {
    *launch(text, grid, block, 64, 0).expect_err("a failure")
}

#[test]
fn functions_call_themselves() {
    let factorial = ".visible .func (.param .b32 out) f(.param .b32 n) {\n\
        .reg .b32 %r<8>; .reg .pred %z; .param .b32 a; .param .b32 b;\n\
        ld.param.u32 %r1, [n]; setp.lt.u32 %z, %r1, 2; mov.u32 %r3, 1; @%z bra L;\n\
        sub.u32 %r2, %r1, 1; st.param.b32 [a], %r2; call (b), f, (a); ld.param.b32 %r3, [b]; mul.lo.u32 %r3, %r3, %r1;\n\
        L: st.param.b32 [out], %r3; ret;\n}";
    let body = ".param .b32 x; .param .b32 y; and.b32 %r1, %t, 7; st.param.b32 [x], %r1; call (y), f, (x);\n\
        ld.param.b32 %r2, [y]; st.global.u32 [%q], %r2;";
    let expected: Vec<u32> = (0..32u32).map(|t| (1..=(t & 7)).product::<u32>().max(1)).collect();
    assert_eq!(results(&kernel(factorial, body), 1, 32, 32), expected);
}

#[test]
fn calls_through_registers_find_their_function() {
    let functions = ".func (.param .b32 o) one(.param .b32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; add.u32 %r, %r, 1; st.param.b32 [o], %r; ret; }\n\
        .func (.param .b32 o) two(.param .b32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; shl.b32 %r, %r, 1; st.param.b32 [o], %r; ret; }";
    let body = ".param .b32 x; .param .b32 y; mov.u64 %d1, one; mov.u64 %d2, two; and.b32 %r1, %t, 1; setp.eq.u32 %b1, %r1, 0;\n\
        selp.b64 %d3, %d1, %d2, %b1; st.param.b32 [x], %t;\n\
        P: .callprototype (.param .b32 _) _ (.param .b32 _); call (y), %d3, (x), P; ld.param.b32 %r2, [y]; st.global.u32 [%q], %r2;";
    let expected: Vec<u32> = (0..32).map(|t| if t % 2 == 0 { t + 1 } else { 2 * t }).collect();
    assert_eq!(results(&kernel(functions, body), 1, 32, 32), expected);
}

#[test]
fn lanes_of_one_warp_wait_for_each_other() {
    // A lock: every lane takes it, adds one without atomics, and releases it.
    let body = "L: atom.global.cas.b32 %r1, [%p], 0, 1; setp.ne.u32 %b1, %r1, 0; @%b1 bra L;\n\
        fence.acq_rel.gpu; ld.relaxed.gpu.global.u32 %r2, [%p+4]; add.u32 %r2, %r2, 1; st.relaxed.gpu.global.u32 [%p+4], %r2;\n\
        fence.acq_rel.gpu; atom.global.exch.b32 %r3, [%p], 0;";
    assert_eq!(results(&kernel("", body), 2, 64, 2), [0, 128]);
}

#[test]
fn warps_and_blocks_wait_for_each_other() {
    // Block 0 waits until block 1, started later, has written.
    let body = "setp.ne.u32 %b1, %c, 0; @%b1 bra W;\n\
        L: ld.acquire.gpu.global.u32 %r1, [%p]; setp.eq.u32 %b2, %r1, 0; @%b2 bra L; ld.global.u32 %r2, [%p+4];\n\
        st.global.u32 [%p+8], %r2; bra E;\n\
        W: st.global.u32 [%p+4], 77; st.release.gpu.global.u32 [%p], 1; E:";
    assert_eq!(results(&kernel("", body), 2, 1, 3), [1, 77, 77]);
    let body = ".shared .b32 flag; setp.ne.u32 %b1, %t, 0; @%b1 bra R; st.volatile.shared.u32 [flag], 5;\n\
        R: bar.sync 0; setp.lt.u32 %b1, %t, 32; @%b1 bra F;\n\
        L: ld.volatile.shared.u32 %r1, [flag]; setp.ne.u32 %b2, %r1, 6; @%b2 bra L; st.global.u32 [%q], %r1; bra E;\n\
        F: st.volatile.shared.u32 [flag], 6; st.global.u32 [%q], %t; E:";
    let expected: Vec<u32> = (0..64).map(|t| if t < 32 { t } else { 6 }).collect();
    assert_eq!(results(&kernel("", body), 1, 64, 64), expected);
}

#[test]
fn barriers_order_and_reduce() {
    let body = ".shared .align 4 .b8 s[512]; mov.u32 %r1, s; mad.lo.u32 %r1, %t, 4, %r1; st.shared.u32 [%r1], %t; bar.sync 0;\n\
        xor.b32 %r2, %t, 127; mov.u32 %r3, s; mad.lo.u32 %r3, %r2, 4, %r3; ld.shared.u32 %r4, [%r3]; st.global.u32 [%q], %r4;";
    let expected: Vec<u32> = (0..128).map(|t| t ^ 127).collect();
    assert_eq!(results(&kernel("", body), 1, 128, 128), expected);
    let body = "setp.lt.u32 %b1, %t, 40; bar.red.popc.u32 %r1, 0, %b1; bar.red.and.pred %b2, 0, %b1; bar.red.or.pred %b3, 0, %b1;\n\
        selp.u32 %r2, 100, 0, %b2; selp.u32 %r3, 1000, 0, %b3; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; st.global.u32 [%q], %r1;";
    assert_eq!(results(&kernel("", body), 1, 64, 64), [1040; 64]);
}

#[test]
fn named_barriers_count_threads() {
    // Warp 0 produces and does not wait; warp 1 waits for 64 threads.
    let body = ".shared .b32 s; setp.ge.u32 %b1, %t, 32; @%b1 bra C; setp.eq.u32 %b2, %t, 0; @%b2 st.shared.u32 [s], 9;\n\
        bar.arrive 3, 64; bra E; C: bar.sync 3, 64; ld.shared.u32 %r1, [s]; st.global.u32 [%q], %r1; E:";
    let found = results(&kernel("", body), 1, 64, 64);
    assert_eq!((found[0], found[32], found[63]), (0, 9, 9));
}

#[test]
fn threads_that_left_are_not_waited_for() {
    let body = "setp.ge.u32 %b1, %t, 10; @%b1 exit; bar.sync 0; activemask.b32 %r1; vote.sync.ballot.b32 %r2, 1, 0xffffffff;\n\
        st.global.u32 [%q], %r2;";
    let found = results(&kernel("", body), 1, 64, 64);
    assert_eq!((found[0], found[9], found[10]), (0x3ff, 0x3ff, 0));
}

#[test]
fn shuffles_follow_the_manual() {
    let shuffle = |mode: &str| {
        let body = format!(
            "shfl.sync.{mode}, 0xffffffff; selp.u32 %r2, 1000, 0, %b1; add.u32 %r1, %r1, %r2; st.global.u32 [%q], %r1;"
        );
        results(&kernel("", &body), 1, 32, 32)
    };
    let table = |f: fn(u32) -> (u32, bool)| -> Vec<u32> {
        (0..32)
            .map(|t| {
                let (lane, valid) = f(t);
                lane + if valid { 1000 } else { 0 }
            })
            .collect()
    };
    assert_eq!(shuffle("up.b32 %r1|%b1, %t, 3, 0"), table(|t| if t >= 3 { (t - 3, true) } else { (t, false) }));
    assert_eq!(shuffle("down.b32 %r1|%b1, %t, 4, 31"), table(|t| if t + 4 < 32 { (t + 4, true) } else { (t, false) }));
    assert_eq!(shuffle("bfly.b32 %r1|%b1, %t, 5, 31"), table(|t| (t ^ 5, true)));
    assert_eq!(shuffle("idx.b32 %r1|%b1, %t, 2, 31"), table(|_| (2, true)));
    // Segments of eight lanes: the mask of the segment in bits 8 to 12.
    assert_eq!(shuffle("idx.b32 %r1|%b1, %t, 9, 0x181f"), table(|t| (t / 8 * 8 + 1, true)));
    assert_eq!(
        shuffle("up.b32 %r1|%b1, %t, 2, 0x1800"),
        table(|t| if t % 8 >= 2 { (t - 2, true) } else { (t, false) })
    );
}

#[test]
fn votes_matches_and_reductions() {
    let run = |body: &str| results(&kernel("", &format!("{body} st.global.u32 [%q], %r9;")), 1, 32, 32);
    assert_eq!(run("and.b32 %r1, %t, 3; match.any.sync.b32 %r9, %r1, 0xffffffff;")[5], 0x2222_2222);
    assert_eq!(run("mov.u32 %r1, 7; match.all.sync.b32 %r9|%b1, %r1, 0xffffffff;"), [u32::MAX; 32]);
    assert_eq!(run("match.all.sync.b32 %r9|%b1, %t, 0xffffffff;"), [0; 32]);
    assert_eq!(run("redux.sync.add.u32 %r9, %t, 0xffffffff;"), [496; 32]);
    assert_eq!(run("sub.s32 %r1, 3, %t; redux.sync.min.s32 %r9, %r1, 0xffffffff;"), [-28i32 as u32; 32]);
    assert_eq!(run("elect.sync %r9|%b1, 0xffffffff; @%b1 add.u32 %r9, %r9, 50;")[..2], [50, 0]);
    assert_eq!(run("setp.lt.u32 %b1, %t, 5; vote.sync.ballot.b32 %r9, %b1, 0xffffffff;"), [31; 32]);
    // Two halves meet at different instructions.
    let halves = "setp.lt.u32 %b1, %t, 16; @%b1 bra A; redux.sync.add.u32 %r9, %t, 0xffff0000; bra E;\n\
        A: redux.sync.add.u32 %r9, %t, 0x0000ffff; E:";
    assert_eq!(run(halves)[15..17], [120, 376]);
    // Lanes of one mask may come from both sides of a branch.
    let sides = "mov.u32 %r9, 1; setp.lt.u32 %b1, %t, 16; @%b1 bra A; bar.warp.sync 0xffffffff; bra E;\n\
        A: mov.u32 %r9, 2; bar.warp.sync 0xffffffff; E:";
    assert_eq!(run(sides)[15..17], [2, 1]);
}

#[test]
fn stray_accesses_name_what_they_miss() {
    let far = failure(&kernel("", "ld.global.u32 %r1, [%p+256]; st.global.u32 [%p], %r1;"), 1, 1);
    let FailureKind::OutOfBounds { size: 4, near, .. } = far else { panic!("{far:?}") };
    assert!(near.contains("0 byte(s) behind the end of buffer"), "{near}");
    let odd = failure(&kernel("", "st.global.u32 [%p+2], 0;"), 1, 1);
    assert!(matches!(odd, FailureKind::Misaligned { size: 4, .. }), "{odd:?}");
    let vector = failure(&kernel("", "ld.global.v2.u32 {%r1, %r2}, [%p+4];"), 1, 1);
    assert!(matches!(vector, FailureKind::Misaligned { size: 8, .. }), "{vector:?}");
    let constant = failure(&kernel(".const .b32 c = 3;", "mov.u64 %d1, c; st.global.u32 [%d1], 0;"), 1, 1);
    assert!(matches!(constant, FailureKind::ReadOnly { .. }), "{constant:?}");
    let shared = failure(&kernel("", ".shared .b32 s; mov.u32 %r1, s; st.shared.u32 [%r1+4], 0;"), 1, 1);
    assert!(matches!(shared, FailureKind::OutOfBounds { .. }), "{shared:?}");
}

#[test]
fn races_are_found_and_barriers_prevent_them() {
    let body = |barrier: &str| {
        format!(
            ".shared .align 4 .b8 s[512]; mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t; {barrier}\n\
             xor.b32 %r3, %t, 32; mad.lo.u32 %r2, %r3, 4, %r1; ld.shared.u32 %r4, [%r2]; st.global.u32 [%q], %r4;"
        )
    };
    let race = failure(&kernel("", &body("")), 1, 64);
    assert!(matches!(race, FailureKind::Race { .. } | FailureKind::UndefinedOutput { .. }), "{race:?}");
    results(&kernel("", &body("bar.sync 0;")), 1, 64, 64);
    let blocks = failure(&kernel("", "st.global.u32 [%p], %c;"), 2, 1);
    assert!(matches!(blocks, FailureKind::Race { .. }), "{blocks:?}");
    results(&kernel("", "atom.global.add.u32 %r1, [%p], 1;"), 2, 32, 1);
}

#[test]
fn races_can_be_warnings_and_runs_can_be_traced() {
    let text = kernel("", "st.global.u32 [%p], %c;");
    let mut mem = Memory::new();
    let mut launch = Launch::new("k");
    launch.args = vec![Arg::Buffer(mem.add("buffer", vec![0; 4], true))];
    launch.grid = Dim3::from(2);
    launch.races = OnFinding::Warn;
    let mut lines = Vec::new();
    let mut note = |event: &interp::Event| lines.push((event.block, event.mask, event.place.to_string()));
    let outcome =
        interp::run_with(&text, &launch, &mut mem, interp::Setup { trace: Some(&mut note), ..Default::default() })
            .unwrap();
    assert!(outcome.warnings.len() == 1 && outcome.warnings[0].contains("race on global"), "{:?}", outcome.warnings);
    assert_eq!(outcome.stats.thread_insts as usize, lines.len());
    assert!(
        lines.iter().any(|(block, mask, place)| (*block, *mask) == (1, 1) && place.contains("st.global.u32 [%p], %c;"))
    );
    launch.races = OnFinding::Off;
    assert!(interp::run_with(&text, &launch, &mut mem, interp::Setup::default()).unwrap().warnings.is_empty());
}

#[test]
fn undefined_bits_fail_where_they_decide() {
    let address = failure(&kernel("", "ld.global.u32 %r1, [%d5];"), 1, 1);
    assert!(matches!(address, FailureKind::UndefinedAddress), "{address:?}");
    let branch = failure(&kernel("", "@%b5 bra L; L:"), 1, 1);
    assert!(matches!(branch, FailureKind::UndefinedBranch), "{branch:?}");
    let guard = failure(&kernel("", "@%b5 st.global.u32 [%p], 1;"), 1, 1);
    assert!(matches!(guard, FailureKind::UndefinedGuard), "{guard:?}");
    let output = failure(&kernel("", "st.global.u32 [%p+8], %r5;"), 1, 1);
    assert!(matches!(output, FailureKind::UndefinedOutput { offset: 8, .. }), "{output:?}");
    // Undefined bits that do not matter are no failure.
    assert_eq!(results(&kernel("", "and.b32 %r6, %r5, 0; st.global.u32 [%p], %r6;"), 1, 1, 1), [0]);
    assert_eq!(
        results(&kernel("", "@%b5 add.u32 %r6, %r5, 1; mov.u32 %r6, 4; st.global.u32 [%p], %r6;"), 1, 1, 1),
        [4]
    );
    let select = "mov.u32 %r6, 3; mov.u32 %r7, 3; selp.u32 %r8, %r6, %r7, %b5; st.global.u32 [%p], %r8;";
    assert_eq!(results(&kernel("", select), 1, 1, 1), [3]);
}

#[test]
fn deadlocks_and_broken_contracts_are_failures() {
    let half = failure(&kernel("", "setp.lt.u32 %b1, %t, 32; @%b1 bra E; bar.sync 1, 96; E: bar.sync 0;"), 1, 64);
    let FailureKind::Deadlock(text) = &half else { panic!("{half:?}") };
    assert!(text.contains("barrier 0") && text.contains("barrier 1") && text.contains("line"), "{text}");
    let mask = failure(&kernel("", "setp.lt.u32 %b1, %t, 16; @%b1 bar.warp.sync 0xffffffff; @!%b1 bar.sync 0;"), 1, 32);
    assert!(matches!(mask, FailureKind::Deadlock(_)), "{mask:?}");
    let stranger = failure(&kernel("", "bar.warp.sync 0x0000ffff;"), 1, 32);
    assert!(matches!(stranger, FailureKind::Convergence(_)), "{stranger:?}");
    let split = "setp.lt.u32 %b1, %t, 16; @%b1 bra A; bar.sync 0; bra E; A: bar.sync 0; E:";
    let split = failure(&kernel("", split), 1, 32);
    assert!(matches!(split, FailureKind::Convergence(_)), "{split:?}");
    let forever = failure(&kernel("", "L: bra L;"), 1, 1);
    assert!(matches!(forever, FailureKind::MaxSteps(_)), "{forever:?}");
    assert!(matches!(failure(&kernel("", "trap;"), 1, 1), FailureKind::Trap));
}

#[test]
fn failures_name_kernel_thread_line_and_instruction() {
    let text = kernel("", "setp.eq.u32 %b1, %t, 33;\n@%b1 ld.global.u32 %r1,\n  [%p+4096];");
    let mut mem = Memory::new();
    let buffer = mem.add("buffer", vec![0; 16], true);
    let mut launch = Launch::new("k");
    launch.grid = Dim3::new(1, 2, 1);
    launch.block = Dim3::new(8, 8, 1);
    launch.args = vec![Arg::Buffer(buffer)];
    // Threads of x = 1 in row 4 do not exist in x: the flat number 33 is (1, 4), but %tid.x is
    // compared.
    assert!(interp::run(&text, &launch, &mut mem).is_ok());
    launch.block = Dim3::new(64, 1, 1);
    let failure = interp::run(&text, &launch, &mut mem).unwrap_err();
    assert_eq!(failure.kernel, "k");
    let who = failure.who.unwrap();
    assert_eq!((who.cta, who.thread, who.lane), ([0, 0, 0], [33, 0, 0], 1));
    let line = 1 + text.lines().position(|line| line.contains("4096")).unwrap() as u32 - 1;
    let Location::Ptx { function, line: found, text } = *failure.place else { panic!("{:?}", failure.place) };
    assert_eq!((function.as_str(), found, text.as_str()), ("k", line, "@%b1 ld.global.u32 %r1, [%p+4096];"));
}

#[test]
fn all_unsupported_instructions_are_named_before_anything_runs() {
    let body = "st.global.u32 [%p+4096], 0;\nfma.rn.oob.f16x2 %r1, %t, %t, %t;\nadd.u32 %r1, %t, %t;\n\
                fma.rn.oob.relu.f16x2 %r1, %t, %t, %t;";
    let refused = failure(&kernel("", body), 1, 1);
    let FailureKind::Unsupported(list) = &refused else { panic!("{refused:?}") };
    assert!(
        list.contains("fma.rn.oob.f16x2")
            && list.contains("fma.rn.oob.relu.f16x2")
            && list.matches("line").count() == 2,
        "{list}"
    );
}

#[test]
fn launches_are_checked_against_the_kernel() {
    let text = kernel("", "").replace("(.param .u64 p)\n", "(.param .u64 p)\n.reqntid 32\n");
    assert!(matches!(failure(&text, 1, 64), FailureKind::Launch(_)));
    let mut mem = Memory::new();
    let launch = Launch::new("k");
    let failure = interp::run(&text, &launch, &mut mem).unwrap_err();
    assert!(matches!(*failure.kind, FailureKind::Launch(_)), "{failure}");
    let failure = interp::run(&text, &Launch::new("other"), &mut mem).unwrap_err();
    assert!(matches!(*failure.kind, FailureKind::Load(_)), "{failure}");
    let failure = interp::run(&text.replace("mov.u32 %t", "mvo.u32 %t"), &launch, &mut mem).unwrap_err();
    assert!(failure.to_string().contains("line 9"), "{failure}");
}

#[test]
fn functions_are_called_by_addresses_from_a_table() {
    let two = |n: u32| {
        format!(
            ".func (.param .b32 out) f{n}(.param .b32 a) {{ .reg .b32 %r<4>; ld.param.u32 %r1, [a]; add.u32 %r1, %r1, {n};\n\
             st.param.b32 [out], %r1; ret; }}\n"
        )
    };
    let declarations = two(100) + &two(200) + ".global .align 8 .u64 table[2] = {f100, f200};";
    let body = "and.b32 %r1, %t, 1; mul.wide.u32 %d1, %r1, 8; mov.u64 %d2, table; add.u64 %d2, %d2, %d1;\n\
        ld.global.u64 %d3, [%d2]; proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
        { .param .b32 x; .param .b32 y; st.param.b32 [x], %t; call (y), %d3, (x), proto; ld.param.b32 %r2, [y]; }\n\
        st.global.u32 [%q], %r2;";
    let expected: Vec<u32> = (0..32).map(|t| t + if t % 2 == 0 { 100 } else { 200 }).collect();
    assert_eq!(results(&kernel(&declarations, body), 1, 32, 32), expected);
}

#[test]
fn shared_memory_is_cleared_in_bulk() {
    let text = |size: &str| {
        let body = format!(
            ".shared .align 8 .b8 s[256]; mov.u32 %r1, s; mad.lo.u32 %r1, %t, 32, %r1; mov.u64 %d1, -1;\n\
             st.shared.v2.b64 [%r1], {{%d1,%d1}}; st.shared.v2.b64 [%r1+16], {{%d1,%d1}}; mul.wide.u32 %d2, %t, 8;\n\
             st.bulk.shared::cta [%r1+8], {size}, 0;\n\
             ld.shared.u32 %r2, [%r1+4]; ld.shared.u32 %r3, [%r1+8]; ld.shared.u32 %r4, [%r1+20]; ld.shared.u32 %r5, [%r1+24];\n\
             and.b32 %r2, %r2, 8; and.b32 %r3, %r3, 4; and.b32 %r4, %r4, 2; and.b32 %r5, %r5, 1;\n\
             or.b32 %r2, %r2, %r3; or.b32 %r4, %r4, %r5; or.b32 %r2, %r2, %r4; st.global.u32 [%q], %r2;"
        );
        kernel("", &body).replace(".target sm_90", ".target sm_100")
    };
    assert_eq!(results(&text("%d2"), 1, 4, 4), [0b1111, 0b1011, 0b1001, 0b1000]);
    assert!(matches!(failure(&text("12"), 1, 1), FailureKind::Asynchrony(why) if why.contains("12 bytes")));
    assert!(matches!(failure(&text("1024"), 1, 1), FailureKind::OutOfBounds { .. }));
}
