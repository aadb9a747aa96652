//! What a program must not do: every finding names both accesses.

use crate::setting::*;
use raddle_sim::failure::FailureKind;

const CASE: Case = Case::new(F32, F16, F16, 16);
const REGISTERS: Case = Case { registers: true, ..CASE };
const READY: &str = "fence.proxy.async.shared::cta; bar.sync 0;\n";
const FENCE: &str = "wgmma.fence.sync.aligned;\n";
const COMMIT: &str = "wgmma.commit_group.sync.aligned;\n";
const WAIT: &str = "wgmma.wait_group.sync.aligned 0;\n";

/// Runs a body, and requires a failure with these texts under all seeds.
fn finds(case: &Case, parts: &[&str], texts: &[&str]) {
    let body: String = parts.concat();
    for seed in 0..6 {
        let failure = Setting::new(case, 3, 1, &body).run(seed).expect_err(&body);
        let text = failure.to_string();
        assert!(texts.iter().all(|t| text.contains(t)), "seed {seed}: {text}\n{body}");
    }
}

/// Runs a body that must not fail.
fn passes(case: &Case, parts: &[&str]) -> Vec<u32> {
    let body: String = parts.concat();
    Setting::new(case, 3, 1, &body).run(1).unwrap_or_else(|e| panic!("{e}\n{body}"))
}

#[test]
fn accumulators_and_a_belong_to_the_product_until_the_wait() {
    let product = product(&CASE);
    let with_a = self::product(&REGISTERS);
    for access in ["add.f32 %d3, %d0, %d0;\n", "mov.b32 %d5, 0;\n", "st.global.b32 [%o], %d2;\n"] {
        finds(
            &CASE,
            &[READY, FENCE, &product, COMMIT, access, WAIT],
            &["is an accumulator of a wgmma.mma_async that is not waited for", "m64n16k16", access.trim()],
        );
        passes(&CASE, &[READY, FENCE, &product, COMMIT, WAIT, access]);
    }
    for access in ["mov.b32 %a1, 0;\n", "add.u32 %t, %t, %a3;\n"] {
        finds(
            &REGISTERS,
            &[READY, FENCE, &with_a, COMMIT, access, WAIT],
            &["is A of a wgmma.mma_async", access.trim()],
        );
        passes(&REGISTERS, &[READY, FENCE, &with_a, COMMIT, WAIT, access]);
    }
    // The wait must cover the group.
    let one = "wgmma.wait_group.sync.aligned 1;\n";
    finds(
        &CASE,
        &[READY, FENCE, &product, COMMIT, one, "mov.b32 %t, %d0;\n", WAIT],
        &["register %d0 is an accumulator"],
    );
    passes(&CASE, &[READY, FENCE, &product, COMMIT, COMMIT, one, "mov.b32 %t, %d0;\n"]);
}

#[test]
fn registers_need_a_fence() {
    let (product, with_a) = (product(&CASE), self::product(&REGISTERS));
    finds(&CASE, &[READY, &product, COMMIT, WAIT], &["the first wgmma.mma_async of a warp, without a wgmma.fence"]);
    let access = "mov.b32 %d1, 0;\n";
    let texts = ["was accessed at", "mov.b32 %d1, 0;", "without wgmma.fence between", "m64n16k16"];
    finds(&CASE, &[READY, FENCE, access, &product, COMMIT, WAIT], &texts);
    finds(&CASE, &[READY, FENCE, &product, COMMIT, WAIT, access, &product, COMMIT, WAIT], &texts);
    passes(&CASE, &[READY, FENCE, &product, COMMIT, WAIT, access, FENCE, &product, COMMIT, WAIT]);
    finds(&REGISTERS, &[READY, FENCE, "mov.b32 %a0, 0;\n", &with_a, COMMIT, WAIT], &["without wgmma.fence between"]);
    // Products of one shape follow each other without one; of another shape they do not.
    passes(&CASE, &[READY, FENCE, &product, &product, COMMIT, WAIT]);
    let other = self::product(&Case { n: 8, ..CASE });
    finds(&CASE, &[READY, FENCE, &product, &other, COMMIT, WAIT], &["belongs to a pending one of another shape"]);
}

#[test]
fn shared_memory_needs_a_proxy_fence_a_barrier_and_a_wait() {
    let product = product(&CASE);
    finds(
        &CASE,
        &["bar.sync 0;\n", FENCE, &product, COMMIT, WAIT],
        &["without fence.proxy.async between", "st.shared"],
    );
    // Without a barrier other threads may not have written yet, or may write while it is read.
    let hasty = &["fence.proxy.async.shared::cta;\n", FENCE, &product, COMMIT, WAIT];
    finds(&CASE, hasty, &["st.shared", "wgmma.mma_async"]);
    let write = "bar.sync 0; setp.eq.u32 %p, %t, 0; @%p st.shared.b32 [%s], %t;\n";
    let only = "setp.eq.u32 %p, %t, 0; @!%p bra N; st.shared.b32 [%s], %t; N: ";
    finds(&CASE, &[READY, FENCE, &product, COMMIT, only, WAIT], &["which an asynchronous operation may still read"]);
    passes(&CASE, &[READY, FENCE, &product, COMMIT, WAIT, write]);
    // The block ends before anything has waited.
    finds(&CASE, &[READY, FENCE, &product, COMMIT, "ret;\n"], &["nothing has waited for it"]);
}

#[test]
fn all_warps_of_a_warpgroup_execute_one_product() {
    let product = product(&CASE);
    let other = "shr.u32 %j, %t, 5; cvt.u64.u32 %w, %j; shl.b64 %w, %w, 4; add.u64 %db, %db, %w;\n";
    finds(&CASE, &[READY, FENCE, other, &product, COMMIT, WAIT], &["with other operands than another warp"]);
    let lanes = "cvt.u64.u32 %w, %t; add.u64 %db, %db, %w;\n";
    finds(&CASE, &[READY, FENCE, lanes, &product, COMMIT, WAIT], &["another value of the descriptor of B than lane 0"]);
    // One warp does not take part.
    let absent = "setp.lt.u32 %p, %t, 32; @%p bra E;\n";
    let text: String = [READY, FENCE, absent, &product, COMMIT, WAIT, "E:\n"].concat();
    let failure = Setting::new(&CASE, 3, 1, &text).run(0).expect_err("a deadlock");
    assert!(matches!(*failure.kind, FailureKind::Deadlock(_)), "{failure}");
    assert!(failure.to_string().contains("of the other warps of its warpgroup"), "{failure}");
}

#[test]
fn malformed_descriptors_are_named() {
    let product = product(&CASE);
    let reserved = "or.b64 %da, %da, 0x4000;\n";
    finds(&CASE, &[READY, FENCE, reserved, &product, COMMIT, WAIT], &["matrix descriptor", "belong to no field"]);
    let offset = "or.b64 %db, %db, 0x2000000000000;\n";
    finds(&CASE, &[READY, FENCE, offset, &product, COMMIT, WAIT], &["base offset 1 is not modelled"]);
    let outside = "or.b64 %db, %db, 0x3fff;\n";
    finds(&CASE, &[READY, FENCE, outside, &product, COMMIT, WAIT], &["asynchronous read"]);
}
