//! Bulk copies and reductions, and the proxy fence.

use super::common::{
    everywhere, failure, failure_of_ptx, finds, finds_in_code, kernel, launch, read_words, results, wait, with_object,
};
use raddle_sim::failure::FailureKind;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A load of `bytes` bytes from `%p` to `s` by thread 0, counted by `m0`.
fn load(bytes: u32) -> String {
    format!(
        "@!%b15 bra N; mbarrier.arrive.expect_tx.shared.b64 _, [m0], {bytes};\n\
         cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%p], {bytes}, [m0]; N:\n"
    )
}

/// Each thread reads its word of `s` to `%r5`, from `%r2`.
const OWN: &str = "mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1;";

/// A body whose threads write words to `s`, which thread 0 stores to `%p`: `fence` before the barrier,
/// `after` after the commit.
fn store(fence: &str, op: &str, after: &str) -> String {
    format!(
        "{OWN} add.u32 %r3, %t, 1000; st.shared.u32 [%r2], %r3; {fence} bar.sync 0;\n\
         setp.eq.u32 %b1, %t, 0; @!%b1 bra N; {op} [%p], [s], 256; cp.async.bulk.commit_group; {after} N:"
    )
}

const STORE: &str = "cp.async.bulk.global.shared::cta.bulk_group";
const FENCE: &str = "fence.proxy.async.shared::cta;";

#[test]
fn loads_are_seen_after_a_wait() {
    for target in ["shared::cluster", "shared::cta"] {
        let body = with_object(
            1,
            &format!(
                "{} {} {OWN} ld.shared.u32 %r5, [%r2]; add.u32 %r5, %r5, 1; st.global.u32 [%q+512], %r5;",
                load(256),
                wait("m0", 0, 0)
            ),
        );
        let text = kernel(&body.replace("shared::cluster", target));
        assert_eq!(results(&text, 1, 64, 192)[128..], (1..65).collect::<Vec<_>>());
    }
    // One warp waits, and a barrier tells the other.
    let body = with_object(
        1,
        &format!(
            "{} setp.ge.u32 %b2, %t, 32; @%b2 bra B; {} B: bar.sync 0; {OWN} ld.shared.u32 %r5, [%r2]; st.global.u32 [%q+256], %r5;",
            load(256),
            wait("m0", 0, 0)
        ),
    );
    assert_eq!(results(&kernel(&body), 1, 64, 128)[64..], (0..64).collect::<Vec<_>>());
}

#[test]
fn stages_of_a_ring_are_filled_again_after_they_are_read() {
    // Warp 0 loads four parts into two stages; warp 1 reads them and frees the stages through m1.
    let body = "setp.eq.u32 %b15, %t, 0; @%b15 mbarrier.init.shared.b64 [m0], 1; @%b15 mbarrier.init.shared.b64 [m1], 32; bar.sync 0;\n\
        mov.u32 %r1, s; mov.u32 %r3, 0; setp.ge.u32 %b2, %t, 32; @%b2 bra C; @!%b15 bra E;\n\
        P: setp.eq.u32 %b3, %r3, 0; @%b3 bra F; sub.u32 %r4, %r3, 1; and.b32 %r4, %r4, 1;\n\
        Q: mbarrier.try_wait.parity.shared.b64 %b4, [m1], %r4; @!%b4 bra Q;\n\
        F: mbarrier.arrive.expect_tx.shared.b64 _, [m0], 128; mul.wide.u32 %d1, %r3, 128; add.u64 %d1, %d1, %p;\n\
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%d1], 128, [m0];\n\
        add.u32 %r3, %r3, 1; setp.lt.u32 %b5, %r3, 4; @%b5 bra P; bra E;\n\
        C: and.b32 %r4, %r3, 1;\n\
        R: mbarrier.try_wait.parity.shared.b64 %b4, [m0], %r4; @!%b4 bra R;\n\
        sub.u32 %r6, %t, 32; mad.lo.u32 %r2, %r6, 4, %r1; ld.shared.u32 %r5, [%r2]; FREE\n\
        mul.wide.u32 %d1, %r3, 128; add.u64 %d1, %d1, %q; st.global.u32 [%d1+384], %r5;\n\
        add.u32 %r3, %r3, 1; setp.lt.u32 %b5, %r3, 4; @%b5 bra C; E:";
    let text = kernel(&body.replace("FREE", "mbarrier.arrive.shared.b64 _, [m1];"));
    assert_eq!(results(&text, 1, 64, 256)[128..], (0..128).collect::<Vec<_>>());
    // The producer does not wait for the readers.
    let hasty = body.replace("FREE", "mbarrier.arrive.shared.b64 _, [m1];").replace("@%b3 bra F;", "bra F;");
    let found = failure(&kernel(&hasty), 1, 64);
    assert!(matches!(found, FailureKind::Race { .. } | FailureKind::Asynchrony(_)), "{found:?}");
}

#[test]
fn seeds_end_copies_in_every_order_and_late() {
    // Which of two copies is seen to have ended, and whether a question before that got no for an answer.
    let body = format!(
        "setp.eq.u32 %b15, %t, 0; @%b15 mbarrier.init.shared.b64 [m0], 1; @%b15 mbarrier.init.shared.b64 [m1], 1; \
         bar.sync 0; @!%b15 bra E; mov.u32 %r1, s; mov.u32 %r4, 0; COPIES \
         L: mbarrier.test_wait.parity.shared.b64 %b1, [m0], 0; mbarrier.test_wait.parity.shared.b64 %b2, [m1], 0; \
         selp.u32 %r2, 1, 0, %b1; selp.u32 %r3, 2, 0, %b2; or.b32 %r2, %r2, %r3; or.b32 %r2, %r2, %r4; \
         mov.u32 %r4, 4; and.b32 %r3, %r2, 3; setp.eq.u32 %b3, %r3, 0; @%b3 bra L; \
         {} {} st.global.u32 [%p+1024], %r2; E:",
        wait("m0", 0, 0),
        wait("m1", 0, 1)
    );
    let copy = |n: u32| {
        format!(
            "mbarrier.arrive.expect_tx.shared.b64 _, [m{n}], 128; \
             cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s+{}], [%p+{}], 128, [m{n}];",
            128 * n,
            128 * n
        )
    };
    let text = kernel(&body.replace("COPIES", &(copy(0) + &copy(1))));
    let seen: RefCell<BTreeMap<String, BTreeSet<u32>>> = RefCell::default();
    everywhere(&text, 16, |what, run| {
        let words = read_words(run, 1, 32, 512).unwrap_or_else(|e| panic!("{what}: {e}"));
        let (by, _) = what.split_once(", seed").unwrap();
        seen.borrow_mut().entry(by.to_owned()).or_default().insert(words[256]);
    });
    let (seen, mut late) = (seen.into_inner(), BTreeSet::new());
    for (by, seen) in &seen {
        assert!([1, 2, 3].iter().all(|first| seen.iter().any(|s| s & 3 == *first)), "{by}: {seen:?}");
        // Code that asks often enough also sees that none has ended.
        late.extend(by.split([' ', 'O']).next().filter(|_| seen.iter().any(|s| s & 4 != 0)));
    }
    assert!(["interpreter", "ours,", "-"].iter().all(|by| late.contains(by)), "{late:?} of {seen:?}");
}

#[test]
fn missing_waits_are_findings_with_both_places() {
    let read = format!("{OWN} ld.shared.u32 %r5, [%r2]; st.global.u32 [%q+512], %r5;");
    let none = with_object(1, &format!("{} {read}", load(256)));
    finds(
        &none,
        32,
        &["read of shared", "may still write", "thread 0 of block 0", "cp.async.bulk.shared::cluster.global"],
    );
    // Only the first warp waits.
    let half =
        with_object(1, &format!("{} setp.ge.u32 %b2, %t, 32; @%b2 bra B; {} B: {read}", load(256), wait("m0", 0, 0)));
    let found = failure(&kernel(&half), 1, 64);
    let FailureKind::Race { access: "asynchronous write", .. } = found else { panic!("{found:?}") };
    let write = with_object(1, &format!("{} {OWN} st.shared.u32 [%r2], %t;", load(256)));
    finds(&write, 32, &["write of shared"]);
    let relaxed = format!("W: mbarrier.try_wait.parity.relaxed.cta.shared.b64 %b3, [m0], 0; @!%b3 bra W; {read}");
    // The machine has no relaxed wait.
    let found = failure_of_ptx(&kernel(&with_object(1, &format!("{} {relaxed}", load(256)))), 1, 32);
    assert!(found.to_string().contains("read of shared"), "{found}");
    finds(&with_object(1, &load(256)), 64, &["a block ends", "nothing has waited for it"]);
    // The source changes under the copy.
    let source = with_object(1, &format!("{} st.global.u32 [%q], 7; {}", load(256), wait("m0", 0, 0)));
    finds(&source, 32, &["write of global", "may still read"]);
}

#[test]
fn stores_are_done_after_their_group() {
    let after = "cp.async.bulk.wait_group 0; ld.global.u32 %r5, [%p+4]; st.global.u32 [%p+512], %r5;";
    let found = results(&kernel(&store(FENCE, STORE, after)), 1, 64, 256);
    assert_eq!(found[..64], (1000..1064).collect::<Vec<_>>());
    assert_eq!(found[128], 1001);
    // The source may be written again once it has been read.
    let reuse = "cp.async.bulk.wait_group.read 0; st.shared.u32 [s], 5;";
    assert_eq!(results(&kernel(&store(FENCE, STORE, reuse)), 1, 64, 64)[0], 1000);
    // The other order of fence and barrier.
    let behind = store("", &format!("{FENCE} {STORE}"), "cp.async.bulk.wait_group.read 0;");
    assert_eq!(results(&kernel(&behind), 1, 64, 64)[63], 1063);
}

#[test]
fn groups_end_in_their_order() {
    let body = |left: u32, read: &str| {
        let text = "setp.eq.u32 %b1, %t, 0; @!%b1 bra E; st.shared.u32 [s], 7; st.shared.u32 [s+4], 8; st.shared.v2.u32 [s+8], {%t, %t};\n\
            fence.proxy.async; STORE [%p], [s], 16; cp.async.bulk.commit_group; STORE [%p+64], [s], 16; cp.async.bulk.commit_group;\n\
            cp.async.bulk.wait_group LEFT; ld.global.u32 %r1, [%p+READ]; st.global.u32 [%p+128], %r1; cp.async.bulk.wait_group.read 0; E:";
        text.replace("STORE", STORE).replace("LEFT", &left.to_string()).replace("READ", read)
    };
    assert_eq!(results(&kernel(&body(1, "4")), 1, 32, 64)[32], 8);
    assert_eq!(results(&kernel(&body(0, "64")), 1, 32, 64)[32], 7);
    finds(&body(1, "64"), 32, &["read of global", "may still write"]);
}

#[test]
fn stores_need_a_proxy_fence_and_a_wait() {
    let wait = "cp.async.bulk.wait_group.read 0;";
    finds(&store("", STORE, wait), 64, &["asynchronous read of shared", "without fence.proxy.async", "st.shared.u32"]);
    finds(&store("fence.proxy.async.global;", STORE, wait), 64, &["without fence.proxy.async"]);
    // A fence of thread 0 before the barrier is no fence for the others.
    let one = "setp.eq.u32 %b1, %t, 0; @%b1 fence.proxy.async;";
    finds(&store(one, STORE, wait), 64, &["written by thread 1", "without fence.proxy.async"]);
    finds(&store(FENCE, STORE, ""), 64, &["a block ends", "may still read"]);
    finds_in_code(&store("", STORE, wait), 64, &["asynchronous read of shared", "STS", "without a proxy fence"]);
    finds_in_code(&store(FENCE, STORE, ""), 64, &["a block ends", "may still read", "UBLKCP.G.S"]);
    finds(&store(FENCE, STORE, "st.shared.u32 [s], 5;"), 64, &["write of shared", "may still read"]);
    let read = "cp.async.bulk.wait_group.read 0; ld.global.u32 %r5, [%p]; st.global.u32 [%p+2048], %r5;";
    finds(&store(FENCE, STORE, read), 64, &["read of global", "may still write"]);
    // Loads do not replace what threads have written without a fence.
    let over = with_object(1, &format!("{OWN} @%b15 st.shared.u32 [%r2], %t; {}", load(256)));
    finds(&over, 64, &["asynchronous write of shared", "without fence.proxy.async"]);
    let barrier = store(FENCE, STORE, wait).replace("bar.sync 0;", "");
    let found = failure(&kernel(&barrier), 1, 64);
    assert!(matches!(found, FailureKind::Race { .. } | FailureKind::Asynchrony(_)), "{found:?}");
}

#[test]
fn reductions_add_element_by_element() {
    let reduce = |op: &str| {
        let body = store(
            FENCE,
            &format!("cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}"),
            "cp.async.bulk.wait_group 0;",
        );
        results(&kernel(&body), 3, 64, 64)
    };
    // All blocks reduce into the same words.
    assert_eq!(reduce("add.u32"), (0..64).map(|t| t + 3 * (1000 + t)).collect::<Vec<_>>());
    assert_eq!(reduce("max.s32"), (1000..1064).collect::<Vec<_>>());
    assert_eq!(reduce("and.b32"), (0..64).map(|t| t & (1000 + t)).collect::<Vec<_>>());
    assert_eq!(reduce("inc.u32"), (0..64).map(|t| t + 3).collect::<Vec<_>>());
    let wide = reduce("add.u64");
    assert_eq!((wide[0], wide[1]), (3000, 1 + 3003));
    // Subnormals are kept, as by an H100.
    assert_eq!(reduce("add.f32")[5], 5 + 3 * 1005);
    let shared = with_object(
        1,
        &format!(
            "{OWN} st.shared.u32 [%r2], %t; st.shared.u32 [%r2+256], 9; {FENCE} bar.sync 0; @!%b15 bra N; mov.u32 %r3, s; mbarrier.arrive.expect_tx.shared.b64 _, [m0], 256;\n\
             cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r3+256], [%r3], 256, [m0]; N: {}\n\
             ld.shared.u32 %r5, [%r2+256]; st.global.u32 [%q], %r5;",
            wait("m0", 0, 0)
        ),
    );
    assert_eq!(results(&kernel(&shared), 1, 64, 64), (9..73).collect::<Vec<_>>());
}

#[test]
fn operands_are_checked() {
    let copy = |to: &str, from: &str, size: &str| {
        with_object(
            1,
            &format!(
                "@!%b15 bra N; mov.u32 %r3, {size}; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{to}], [{from}], %r3, [m0]; N:"
            ),
        )
    };
    finds(&copy("s", "%p", "24"), 32, &["24 bytes", "not a multiple of 16"]);
    let kind = |body: &str| failure(&kernel(body), 1, 32);
    assert!(matches!(kind(&copy("s+8", "%p", "32")), FailureKind::Misaligned { size: 32, .. }));
    assert!(matches!(kind(&copy("s", "%p+4096", "32")), FailureKind::OutOfBounds { .. }));
    assert!(matches!(kind(&copy("s+4080", "%p", "32")), FailureKind::OutOfBounds { .. }));
    assert!(matches!(kind("cp.async.bulk.prefetch.L2.global [%p+8], 16;"), FailureKind::Misaligned { .. }));
    assert_eq!(
        launch(&kernel("cp.async.bulk.prefetch.L2.global [%p+16], 64; st.global.u32 [%p], 3;"), 1, 1, 64, 0).unwrap()
            [0],
        3
    );
    finds(&copy("s", "%p", "64").replace("[m0]; N", "[s+64]; N"), 32, &["no valid mbarrier object"]);
    assert_eq!(
        results(&kernel("setmaxnreg.dec.sync.aligned.u32 40; griddepcontrol.wait; st.global.u32 [%q], 4;"), 1, 32, 32)
            [31],
        4
    );
    // ptxas drops the instruction where the number of registers at the entry is not known.
    let half =
        failure_of_ptx(&kernel("setp.lt.u32 %b1, %t, 16; @%b1 setmaxnreg.dec.sync.aligned.u32 40; bar.sync 0;"), 1, 32);
    assert!(matches!(half, FailureKind::Deadlock(_)), "{half:?}");
}
