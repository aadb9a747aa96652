//! Branches: guards, convergence barriers, `BREAK`, code out of line.

#[expect(dead_code, reason = "shared with tests that need all of it")]
#[path = "common/mod.rs"]
mod common;

use std::cell::RefCell;

use raddle_ir::{Observer, OptLevel};

/// Keeps the output of the last pass.
struct Keep(RefCell<String>);

impl Observer for Keep {
    fn after(&self, pass: &'static str, text: &dyn Fn() -> String) {
        if pass == "sass" {
            *self.0.borrow_mut() = text();
        }
    }
}

/// Compiles a kernel with `%tid.x` in `%r1`, the parameter `n` in `%r2` and a per-thread pointer in
/// `%rd1`.
fn sass(body: &str, opt: OptLevel) -> String {
    let src = format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{{\n.reg .pred %p<9>;\n\
         .reg .b32 %r<99>;\n.reg .b64 %rd<20>;\n.reg .f32 %f<20>;\nld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\n\
         mov.u32 %r1, %tid.x;\nmad.wide.u32 %rd1, %r1, 4, %rd1;\n{body}\nret;\n}}\n"
    );
    let keep = Keep(RefCell::default());
    common::compile(&src, "sm_90", opt, &keep).unwrap();
    keep.0.into_inner()
}

fn count(text: &str, what: &str) -> usize {
    text.lines().filter(|line| line.contains(what)).count()
}

/// A load, a short side, and code after it.
const TRIANGLE: &str = "ld.global.u32 %r3, [%rd1];\nsetp.gt.s32 %p1, %r3, 9;\n@%p1 bra L;\nst.global.u32 [%rd1+64], %r1;\n\
                        add.u32 %r3, %r3, 5;\nL:\nst.global.u32 [%rd1], %r3;";

#[test]
fn a_short_side_stands_under_a_guard() {
    let text = sass(TRIANGLE, OptLevel::O2);
    assert_eq!((count(&text, "BSSY"), count(&text, "BSYNC"), count(&text, "BRA")), (0, 0, 0), "{text}");
    assert!(count(&text, "@!P") + count(&text, "@P") >= 2, "{text}");
    let text = sass(TRIANGLE, OptLevel::O1);
    assert_eq!((count(&text, "BSSY"), count(&text, "BSYNC")), (1, 1), "{text}");
}

#[test]
fn a_long_side_stays_a_branch() {
    let long: String = (0..12).map(|n| format!("st.volatile.global.u32 [%rd1+{}], %r1;\n", 64 * n)).collect();
    let body = TRIANGLE.replace("st.global.u32 [%rd1+64], %r1;\n", &long);
    let text = sass(&body, OptLevel::O2);
    assert_eq!((count(&text, "BSSY"), count(&text, "BSYNC")), (1, 1), "{text}");
}

/// A loop with too much work to be guarded, while `%r4` is below the register named.
fn turns(bound: &str) -> String {
    format!(
        "mov.u32 %r4, 0;\nL:\nst.volatile.global.u32 [%rd1], %r4;\nadd.u32 %r4, %r4, 3;\nsetp.lt.u32 %p1, %r4, {bound};\n@%p1 bra L;\n\
         st.global.u32 [%rd1], %r4;"
    )
}

#[test]
fn a_branch_that_all_take_alike_has_no_barrier() {
    assert_eq!(count(&sass(&turns("%r2"), OptLevel::O1), "BSSY"), 0);
    assert_eq!(count(&sass(&turns("%r1"), OptLevel::O1), "BSSY"), 1);
    // The counter of a loop that threads leave one by one is not uniform after it.
    let behind = "setp.gt.u32 %p2, %r4, 99;\n@%p2 bra M;\nst.volatile.global.u32 [%rd1+4], %r1;\nM:\nst.global.u32 [%rd1+8], %r4;";
    assert_eq!(count(&sass(&(turns("%r1") + behind), OptLevel::O1), "BSSY"), 2);
}

#[test]
fn threads_that_break_leave_the_barrier_of_the_others() {
    let work: String = (0..10).map(|n| format!("st.volatile.global.u32 [%rd1+{}], %r4;\n", 64 * n)).collect();
    let body = format!(
        "mov.u32 %r4, 0;\nL:\nld.volatile.global.u32 %r5, [%rd1];\nsetp.lt.s32 %p1, %r5, 0;\n@%p1 bra NEXT;\nsetp.eq.u32 %p2, %r5, 7;\n\
         @%p2 bra OUT;\n{work}NEXT:\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p3, %r4, %r2;\n@%p3 bra L;\nOUT:\nst.global.u32 [%rd1], %r4;"
    );
    let text = sass(&body, OptLevel::O1);
    assert_eq!((count(&text, "BREAK"), count(&text, "BSSY"), count(&text, "BSYNC")), (1, 2, 2), "{text}");
}

#[test]
fn ordinary_quotients_go_past_the_long_sequence() {
    let body = "ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\ndiv.rn.f32 %f3, %f1, %f2;\nst.global.f32 [%rd1], %f3;";
    let text = sass(body, OptLevel::O1);
    let (check, end, long) = (text.find("FCHK"), text.find("EXIT"), text.rfind("MUFU.RCP"));
    assert!(check.is_some() && check < end && end < long, "{text}");
    // There is no short sequence for other roundings.
    assert_eq!(count(&sass(&body.replace("div.rn", "div.rz"), OptLevel::O1), "FCHK"), 0);
    let root = sass("ld.global.f32 %f1, [%rd1];\nsqrt.rn.f32 %f3, %f1;\nst.global.f32 [%rd1], %f3;", OptLevel::O1);
    assert!(root.find("MUFU.RSQ ") < root.find("EXIT") && root.find("EXIT") < root.rfind("MUFU.RSQ "), "{root}");
}

#[test]
fn a_jump_by_a_table_out_of_a_loop_leaves_the_barrier() {
    let case = |name: &str, n: u32| format!("{name}:\nst.volatile.global.u32 [%rd1+{n}], %r4;\nbra NEXT;\n");
    let body = format!(
        "mov.u32 %r4, 0;\nL:\nld.volatile.global.u32 %r5, [%rd1];\nand.b32 %r6, %r5, 3;\nT:\n.branchtargets A, OUT, B, C;\n\
         brx.idx %r6, T;\n{}{}{}NEXT:\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p3, %r4, %r2;\n@%p3 bra L;\nOUT:\nst.global.u32 [%rd1], %r4;",
        case("A", 64),
        case("B", 128),
        case("C", 192)
    );
    let text = sass(&body, OptLevel::O1);
    assert_eq!((count(&text, "BREAK"), count(&text, "BSSY"), count(&text, "BSYNC")), (1, 2, 2), "{text}");
}

#[test]
fn loads_of_short_sides_are_under_way_together() {
    let side = |n: u32| {
        format!(
            "setp.gt.s32 %p{n}, %r2, {n};\n@%p{n} bra L{n};\nld.global.nc.u32 %r3, [%rd1+{}];\nst.global.u32 [%rd1+{}], %r3;\nL{n}:\n",
            64 * n,
            64 * n + 4
        )
    };
    let text = sass(&(1..4).map(side).collect::<String>(), OptLevel::O2);
    assert_eq!((count(&text, "BRA"), count(&text, "LDG"), count(&text, "STG")), (0, 3, 3), "{text}");
    assert!(text.rfind("LDG") < text.find("STG"), "{text}");
}

#[test]
fn what_one_lane_starts_stands_under_a_guard() {
    let body = ".shared .align 8 .b64 bar;\n.shared .align 128 .b8 tile[256];\nmov.u32 %r5, bar;\nmov.u32 %r6, tile;\n\
                elect.sync _|%p1, -1;\n@%p1 mbarrier.init.shared.b64 [%r5], 1;\n\
                @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r5], 256;\n\
                @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%rd1], 256, [%r5];\n\
                st.global.u32 [%rd1], %r1;";
    let text = sass(body, OptLevel::O2);
    assert_eq!((count(&text, "BSSY"), count(&text, "BRA")), (0, 0), "{text}");
    for (line, guard) in [("SYNCS.EXCH", "@UP"), ("SYNCS.ARRIVE", "@P"), ("UBLKCP", "@UP")] {
        let found = text.lines().find(|l| l.contains(line)).unwrap_or_else(|| panic!("no {line}: {text}"));
        assert!(found.contains(guard), "{text}");
    }
    // What such a side waits for keeps it a branch.
    let waits = body.replace("cp.async.bulk.shared", "mbarrier.arrive.shared.b64 %rd3, [%r5];\n@%p1 bar.sync 0;\n//");
    assert!(count(&sass(&waits, OptLevel::O2), "BRA") > 0);
}

#[test]
fn a_lock_is_waited_for_with_others_let_run() {
    let lock = "L:\natom.global.cas.b32 %r5, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra L;\nst.global.u32 [%rd1+4], %r1;\n\
                atom.global.exch.b32 %r6, [%rd1], 0;";
    let text = sass(lock, OptLevel::O1);
    assert_eq!((count(&text, "YIELD"), count(&text, "BSSY")), (1, 1), "{text}");
    assert!(text.find("YIELD") < text.find("ATOM"), "{text}");
    // The old value is unused, or all threads wait together.
    let counting = turns("%r1").replace("st.volatile.global.u32 [%rd1], %r4;", "red.global.add.u32 [%rd1], %r4;");
    assert_eq!(count(&sass(&counting, OptLevel::O1), "YIELD"), 0);
}

#[test]
fn nothing_passes_what_acquires_or_releases() {
    // A lock in shared memory around data in global memory.
    let body = ".shared .align 4 .b32 lock;\nmov.u32 %r9, lock;\natom.acquire.cta.shared.exch.b32 %r5, [%r9], 1;\nld.global.u32 %r3, [%rd1];\n\
                add.u32 %r3, %r3, %r5;\nst.global.u32 [%rd1], %r3;\natom.release.cta.shared.exch.b32 %r6, [%r9], 0;";
    let text = sass(body, OptLevel::O3);
    let order = [text.find("ATOMS"), text.find("LDG"), text.find("STG"), text.rfind("MEMBAR"), text.rfind("ATOMS")];
    assert!(order.is_sorted() && order[0] < order[4], "{text}");
}
