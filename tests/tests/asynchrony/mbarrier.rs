//! Mbarrier objects of one block.

use super::common::{assembled, failure, failure_of_ptx, finds, kernel, launch, results, simulate, wait, with_object};
use raddle_sim::failure::FailureKind;
use raddle_sim::launch::{Dim3, Launch};

#[test]
fn warps_pass_values_through_shared_memory() {
    // Each warp writes, arrives, waits, and reads what the other has written; twice.
    let body = with_object(
        64,
        &format!(
            "mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; xor.b32 %r3, %t, 32; mad.lo.u32 %r4, %r3, 4, %r1;\n\
             add.u32 %r5, %t, 100; st.shared.u32 [%r2], %r5; mbarrier.arrive.shared.b64 _, [m0]; {}\
             ld.shared.u32 %r6, [%r4]; mbarrier.arrive.shared.b64 _, [m0]; {}\
             st.shared.u32 [%r2], %r6; mbarrier.arrive.shared.b64 _, [m0]; {}\
             ld.shared.u32 %r7, [%r4]; st.global.u32 [%q], %r7;",
            wait("m0", 0, 0),
            wait("m0", 1, 1),
            wait("m0", 0, 2)
        ),
    );
    let expected: Vec<u32> = (100..164).collect();
    assert_eq!(results(&kernel(&body), 1, 64, 64), expected);
}

#[test]
fn tokens_name_the_phase_they_were_taken_in() {
    let body = with_object(
        2,
        "setp.ne.u32 %b1, %t, 0; @%b1 bra E;\n\
         mbarrier.arrive.shared.b64 %d1, [m0]; mbarrier.pending_count.b64 %r1, %d1; st.global.u32 [%p], %r1;\n\
         mbarrier.arrive.shared.b64 %d2, [m0]; mbarrier.pending_count.b64 %r1, %d2; st.global.u32 [%p+4], %r1;\n\
         L: mbarrier.test_wait.shared.b64 %b2, [m0], %d2; @!%b2 bra L;\n\
         mbarrier.arrive.noComplete.shared.b64 %d3, [m0], 1; mbarrier.test_wait.shared.b64 %b3, [m0], %d1; selp.u32 %r2, 7, 9, %b3; st.global.u32 [%p+8], %r2;\n\
         mbarrier.arrive.shared.b64 %d4, [m0], 1; M: mbarrier.try_wait.shared.b64 %b2, [m0], %d3, 1000; @!%b2 bra M; E:",
    );
    assert_eq!(results(&kernel(&body), 1, 32, 3), [2, 1, 7]);
}

#[test]
fn transactions_and_drops_count() {
    // Thread 0 expects bytes that thread 32 completes, one part of them before they are expected.
    let body = with_object(
        3,
        &format!(
            "setp.ne.u32 %b1, %t, 0; @%b1 bra O;\n\
             mbarrier.expect_tx.relaxed.cta.shared.b64 [m0], 8; mbarrier.arrive.expect_tx.shared.b64 _, [m0], 24;\n\
             mbarrier.arrive_drop.shared.b64 _, [m0]; {}\
             mbarrier.arrive.shared.b64 _, [m0], 2; {} st.global.u32 [%p], 5; bra E;\n\
             O: setp.ne.u32 %b1, %t, 32; @%b1 bra E; mbarrier.complete_tx.shared.b64 [m0], 16; mbarrier.complete_tx.shared.b64 [m0], 16;\n\
             mbarrier.arrive_drop.expect_tx.shared.b64 _, [m0], 4; mbarrier.complete_tx.shared.b64 [m0], 4; E:",
            wait("m0", 0, 0),
            "mbarrier.arrive.shared.b64 _, [m0];"
        ),
    );
    // Two drops leave one arrival per phase: the second arrival with a count of 2 is too many.
    let found = failure(&kernel(&body), 1, 64);
    assert!(matches!(&found, FailureKind::Asynchrony(t) if t.contains("2 arrival(s)")), "{found:?}");
    let body = body.replace("mbarrier.arrive.shared.b64 _, [m0], 2;", "mbarrier.arrive.shared.b64 _, [m0], 1;");
    assert_eq!(results(&kernel(&body), 1, 64, 1), [5]);
}

#[test]
fn copies_arrive_when_they_are_done() {
    for (noinc, count) in [("", 1), (".noinc", 33)] {
        let body = with_object(
            count,
            &format!(
                "setp.ge.u32 %b1, %t, 32; @%b1 bra C; mov.u32 %r1, s; mad.lo.u32 %r1, %t, 4, %r1;\n\
                 cp.async.ca.shared.global [%r1], [%q], 4; cp.async.mbarrier.arrive{noinc}.shared.b64 [m0];\n\
                 setp.ne.u32 %b2, %t, 31; @%b2 bra E; bar.warp.sync 0x80000000; mbarrier.arrive.shared.b64 _, [m0]; bra E;\n\
                 C: {} mov.u32 %r1, s; mad.lo.u32 %r1, %t, 4, %r1; ld.shared.u32 %r2, [%r1+-128]; st.global.u32 [%q], %r2; E:",
                wait("m0", 0, 0)
            ),
        );
        let text = kernel(&body);
        if noinc.is_empty() {
            // Without .noinc the arrival of lane 31 alone may end the phase before other lanes have
            // begun to copy; with one warp in step it does not.
            assert_eq!(launch(&text, 1, 64, 64, 0).unwrap()[32..], (0..32).collect::<Vec<_>>());
        } else {
            assert_eq!(results(&text, 1, 64, 64)[32..], (0..32).collect::<Vec<_>>());
        }
    }
}

#[test]
fn phases_order_memory_as_their_scopes_say() {
    let body = |arrive: &str, wait: &str| {
        let text = "setp.ge.u32 %b1, %t, 32; @%b1 bra C; setp.ne.u32 %b1, %t, 0; @%b1 bra E; st.shared.u32 [s], 5; ARRIVE [m0]; bra E;\n\
             C: W: WAIT %b2, [m0], 0; @!%b2 bra W; ld.shared.u32 %r1, [s]; st.global.u32 [%q], %r1; E:";
        kernel(&with_object(1, &text.replace("ARRIVE", arrive).replace("WAIT", wait)))
    };
    let wait = "mbarrier.try_wait.parity.shared.b64";
    let arrive = "mbarrier.arrive.shared.b64 _,";
    assert_eq!(results(&body(arrive, wait), 1, 64, 64)[32], 5);
    for (arrive, wait) in [
        (arrive, "mbarrier.try_wait.parity.relaxed.cta.shared.b64"),
        ("mbarrier.arrive.relaxed.cta.shared.b64 _,", wait),
    ] {
        // The machine has no relaxed forms.
        let found = failure_of_ptx(&body(arrive, wait), 1, 64);
        assert!(matches!(found, FailureKind::Race { .. }), "{found:?}");
    }
}

#[test]
fn a_warp_knows_what_one_of_its_lanes_has_waited_for() {
    let body = with_object(
        1,
        "setp.ge.u32 %b1, %t, 32; @%b1 bra C; setp.ne.u32 %b1, %t, 0; @%b1 bra E; st.shared.u32 [s], 5; mbarrier.arrive.shared.b64 _, [m0]; bra E;\n\
         C: setp.ne.u32 %b1, %t, 32; @%b1 bra S; W: mbarrier.try_wait.parity.shared.b64 %b2, [m0], 0; @!%b2 bra W;\n\
         S: MEET ld.shared.u32 %r1, [s]; st.global.u32 [%q], %r1; E:",
    );
    assert_eq!(results(&kernel(&body.replace("MEET", "bar.warp.sync 0xffffffff;")), 1, 64, 64)[32..], [5; 32]);
    // A load may also come before the store.
    let text = kernel(&body.replace("MEET", ""));
    assert!((0..8).all(|seed| launch(&text, 1, 64, 64, seed).is_err()));
}

#[test]
fn waits_that_nothing_ends_are_deadlocks_that_name_the_object() {
    let body = with_object(33, &format!("mbarrier.arrive.expect_tx.shared.b64 _, [m0], 16; {}", wait("m0", 0, 0)));
    let found = failure(&kernel(&body), 1, 32);
    let FailureKind::Deadlock(text) = &found else { panic!("{found:?}") };
    let parts = ["warp 0 waits", "shared 0x400", "phase 0, 1 pending arrival(s), tx-count 512", "mbarrier.try_wait"];
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    // A thread that gives up after some tries and arrives itself ends the wait.
    let body = with_object(
        2,
        "setp.ne.u32 %b1, %t, 0; @%b1 bra E; mov.u32 %r1, 0; mbarrier.arrive.shared.b64 _, [m0];\n\
         L: mbarrier.test_wait.parity.shared.b64 %b2, [m0], 0; @%b2 bra D; add.u32 %r1, %r1, 1; setp.ne.u32 %b3, %r1, 20; @%b3 bra L;\n\
         mbarrier.arrive.shared.b64 _, [m0]; bra L; D: st.global.u32 [%p], %r1; E:",
    );
    assert!(results(&kernel(&body), 1, 32, 1)[0] >= 20);
}

#[test]
fn broken_contracts_are_findings() {
    let init = "mbarrier.init.shared.b64 [m0], 1;";
    finds("mbarrier.arrive.shared.b64 _, [m0];", 1, &["no valid mbarrier object at shared 0x400"]);
    finds(&format!("{init}\n{init}"), 1, &["initialised twice", "line 11"]);
    finds(
        &format!("{init} ld.shared.u32 %r1, [m0+4]; st.global.u32 [%p], %r1;"),
        1,
        &["read of the mbarrier object", "valid since k, line 11"],
    );
    finds(&format!("{init} st.shared.u64 [m0], %d1;"), 1, &["write of the mbarrier object"]);
    finds("mbarrier.init.shared.b64 [m0], 0;", 1, &["0 arrivals"]);
    finds("mbarrier.init.shared.b64 [m0], 0x100000;", 1, &["the expected count", "1048576"]);
    finds(&format!("{init} mbarrier.arrive.shared.b64 _, [m0], 2;"), 1, &["2 arrival(s)"]);
    finds(
        &format!("{init} mbarrier.arrive.noComplete.shared.b64 %d1, [m0], 1; st.global.u64 [%p], %d1;"),
        1,
        &[".noComplete"],
    );
    let parity = format!("{init} mov.u32 %r1, 2; mbarrier.test_wait.parity.shared.b64 %b1, [m0], %r1;");
    assert!(failure_of_ptx(&kernel(&parity), 1, 1).to_string().contains("2 is no parity"));
    let old = "mbarrier.arrive.shared.b64 %d1, [m0]; mbarrier.arrive.shared.b64 _, [m0];";
    finds(&format!("{init} {old} mbarrier.test_wait.shared.b64 %b1, [m0], %d1;"), 1, &["neither the current"]);
    let full = "mbarrier.expect_tx.relaxed.cta.shared.b64 [m0], 0xfffff;";
    finds(&format!("{init} {full} {full}"), 1, &["tx-count 2097150", "out of range"]);
    finds(&format!("{init} mbarrier.inval.shared.b64 [m0]; mbarrier.arrive.shared.b64 _, [m0];"), 1, &["no valid"]);
    let unordered = "setp.eq.u32 %b1, %t, 0; @%b1 mbarrier.init.shared.b64 [m0], 64; setp.ge.u32 %b2, %t, 32; @%b2 mbarrier.arrive.shared.b64 _, [m0];";
    let found = failure(&kernel(unordered), 1, 64);
    assert!(matches!(found, FailureKind::Race { .. } | FailureKind::Asynchrony(_)), "{found:?}");
    // After the object has ended its place is memory again.
    let reuse = format!(
        "{init} mbarrier.inval.shared.b64 [m0]; st.shared.u64 [m0], 3; ld.shared.u32 %r1, [m0]; st.global.u32 [%p], %r1;"
    );
    assert_eq!(results(&kernel(&reuse), 1, 1, 1), [3]);
}

#[test]
fn older_targets_have_objects_too() {
    let body = with_object(
        32,
        "mbarrier.arrive.shared.b64 %d1, [m0]; L: mbarrier.test_wait.shared.b64 %b1, [m0], %d1; @!%b1 bra L;\n\
         mbarrier.pending_count.b64 %r1, %d1; st.global.u32 [%q], %r1;",
    );
    let text = kernel(&body).replace("sm_90a", "sm_80");
    let sorted = |mut counts: Vec<u32>| {
        counts.sort_unstable();
        assert_eq!(counts, (1..33).collect::<Vec<_>>());
    };
    (0..8).for_each(|seed| sorted(launch(&text, 1, 32, 32, seed).unwrap()));
    for (level, cubin) in assembled(&text) {
        let mut shape = Launch::new("k");
        shape.block = Dim3::from(32);
        (0..8).for_each(|seed| sorted(simulate(&cubin, &shape, 32, seed).expect(level)));
    }
    // Some arrive for several, some drop out, without an end of the phase.
    let body = with_object(
        200,
        "mbarrier.arrive_drop.shared.b64 %d1, [m0]; mbarrier.arrive.noComplete.shared.b64 %d2, [m0], 3; bar.sync 0;\n\
         mbarrier.arrive_drop.noComplete.shared.b64 %d3, [m0], 1; bar.sync 0; setp.ne.u32 %b2, %t, 0; @%b2 bra E;\n\
         mbarrier.arrive.noComplete.shared.b64 %d4, [m0], 39; mbarrier.pending_count.b64 %r1, %d4; st.global.u32 [%p], %r1;\n\
         mbarrier.arrive.shared.b64 %d4, [m0]; mbarrier.pending_count.b64 %r1, %d4; st.global.u32 [%p+8], %r1;\n\
         mbarrier.arrive.shared.b64 %d4, [m0]; mbarrier.pending_count.b64 %r1, %d4; st.global.u32 [%p+4], %r1; E:",
    );
    for target in ["sm_80", "sm_90a"] {
        assert_eq!(results(&kernel(&body).replace("sm_90a", target), 1, 32, 3), [40, 136, 1], "{target}");
    }
}

#[test]
fn undefined_bits_of_a_token_are_undefined() {
    let body = with_object(1, "mbarrier.arrive.shared.b64 %d1, [m0]; st.global.u64 [%p], %d1;");
    let found = failure(&kernel(&body), 1, 1);
    assert!(matches!(found, FailureKind::UndefinedOutput { .. }), "{found:?}");
    // ptxas gives the token a value.
    let token = failure_of_ptx(&kernel(&with_object(1, "mbarrier.test_wait.shared.b64 %b1, [m0], %d5;")), 1, 1);
    assert!(matches!(token, FailureKind::UndefinedOperand(_)), "{token:?}");
}
