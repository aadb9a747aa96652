//! Clusters: special registers, shared memory of other blocks, the cluster's barrier, remote mbarrier
//! objects, asynchronous stores and multicast.

use super::common::{
    assembled, failure, failure_of, kernel, kernel_with, launch, results, run, simulate, simulated, wait,
};
use raddle_sim::failure::FailureKind;
use raddle_sim::launch::{Dim3, Launch};

const FOUR: &str = ".reqnctapercluster 4";
const TWO: &str = ".reqnctapercluster 2";
const SYNC: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// `m0` for this many arrivals in each block, seen by all of the cluster.
fn object(count: u32) -> String {
    format!(
        "setp.eq.u32 %b15, %t, 0; @%b15 mbarrier.init.shared.b64 [m0], {count}; fence.mbarrier_init.release.cluster; {SYNC}\n\
         mov.u32 %r20, %cluster_ctarank; xor.b32 %r21, %r20, 1; mov.u32 %r22, s; mov.u32 %r23, m0;\n\
         mapa.shared::cluster.u32 %r24, %r22, %r21; mapa.shared::cluster.u32 %r25, %r23, %r21;\n"
    )
}

fn finds(directives: &str, body: &str, grid: u32, block: u32, texts: &[&str]) {
    let found = failure(&kernel_with(directives, body), grid, block);
    assert!(texts.iter().all(|t| found.to_string().contains(t)), "{found}");
}

#[test]
fn special_registers_tell_the_place_in_the_cluster() {
    let body = "mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, %clusterid.x; mov.u32 %r4, %clusterid.y;\n\
        mov.u32 %r5, %nclusterid.x; mov.u32 %r6, %nclusterid.y; mov.u32 %r7, %cluster_ctaid.x; mov.u32 %r8, %cluster_ctaid.y;\n\
        mov.u32 %r9, %cluster_nctaid.x; mov.pred %b1, %is_explicit_cluster; selp.u32 %r10, 1, 0, %b1;\n\
        mov.u32 %r11, %ctaid.y; mov.u32 %r12, %nctaid.x; mad.lo.u32 %r11, %r11, %r12, %c; mul.wide.u32 %d1, %r11, 40; add.u64 %d1, %d1, %p;\n\
        st.global.v2.u32 [%d1], {%r1, %r2}; st.global.v2.u32 [%d1+8], {%r3, %r4}; st.global.v2.u32 [%d1+16], {%r5, %r6};\n\
        st.global.v2.u32 [%d1+24], {%r7, %r8}; st.global.v2.u32 [%d1+32], {%r9, %r10};";
    let mut launch = Launch::new("k");
    launch.grid = Dim3::new(4, 6, 1);
    launch.cluster = Some(Dim3::new(2, 3, 1));
    let found = run(&kernel(body), launch.clone(), 240).unwrap();
    simulated(&kernel(body), &launch, 240, &found);
    for (i, row) in found.chunks_exact(10).enumerate() {
        let (x, y) = (i as u32 % 4, i as u32 / 4);
        assert_eq!(row, [y % 3 * 2 + x % 2, 6, x / 2, y / 3, 2, 2, x % 2, y % 3, 2, 1], "block {x},{y}");
    }
}

#[test]
fn launches_fit_the_kernel() {
    let wrong = |directives: &str, grid: u32, cluster: Option<u32>| {
        let mut launch = Launch::new("k");
        (launch.grid, launch.cluster) = (Dim3::from(grid), cluster.map(Dim3::from));
        for (level, cubin) in assembled(&kernel_with(directives, "")) {
            assert!(simulate(&cubin, &launch, 1, 0).is_err(), "{level}: {directives}");
        }
        run(&kernel_with(directives, ""), launch, 1).expect_err("a failure").to_string()
    };
    assert!(wrong(FOUR, 6, None).contains("not a multiple"));
    assert!(wrong(FOUR, 8, Some(2)).contains("requires 4,1,1"));
    assert!(wrong(".explicitcluster", 8, None).contains("requires a launch in clusters"));
    assert!(wrong(".maxclusterrank 4", 8, Some(8)).contains("at most 4"));
    assert!(wrong("", 32, Some(32)).contains("at most 16"));
    let counts = kernel_with(
        ".reqntid 32\n.reqnctapercluster 4\n.blocksareclusters",
        "mov.u32 %r1, %nctaid.x; st.global.u32 [%q], %r1;",
    );
    assert_eq!(results(&counts, 2, 32, 8 * 32)[255], 8);
}

#[test]
fn blocks_read_and_write_each_others_shared_memory() {
    // Each block writes its own memory and reads that of the next one; adds to that of block 0.
    let body = format!(
        "mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; mad.lo.u32 %r3, %c, 100, %t; st.shared.u32 [%r2], %r3; st.shared.u32 [%r2+512], 0; {SYNC}\n\
         mov.u32 %r4, %cluster_ctarank; add.u32 %r5, %r4, 1; and.b32 %r5, %r5, 3; mapa.shared::cluster.u32 %r6, %r2, %r5;\n\
         ld.shared::cluster.u32 %r7, [%r6]; getctarank.shared::cluster.u32 %r8, %r6; setp.ne.u32 %b1, %r8, %r5; @%b1 trap;\n\
         mapa.shared::cluster.u32 %r9, %r2, 0; atom.shared::cluster.add.u32 %r10, [%r9+512], %r3;\n\
         cvta.shared::cluster.u64 %d1, %r6; ld.u32 %r11, [%d1]; sub.u32 %r7, %r7, %r11; isspacep.shared::cluster %b2, %d1; @!%b2 trap;\n\
         isspacep.shared::cta %b2, %d1; @%b2 trap; cvta.shared.u64 %d2, %r2; mapa.u64 %d3, %d2, %r5; setp.ne.u64 %b3, %d3, %d1; @%b3 trap;\n\
         add.u32 %r7, %r7, %r11; {SYNC} ld.shared.u32 %r12, [%r2+512]; mad.lo.u32 %r7, %r12, 1000, %r7; st.global.u32 [%q], %r7;"
    )
    .replace("cvta.shared::cluster.u64 %d1, %r6;", "cvt.u64.u32 %d4, %r6; cvta.shared::cluster.u64 %d1, %d4;")
    .replace("cvta.shared.u64 %d2, %r2;", "cvt.u64.u32 %d5, %r2; cvta.shared.u64 %d2, %d5;");
    let found = results(&kernel_with(FOUR, &body), 8, 32, 256);
    let expected = |block: u32, t: u32| {
        let next = block / 4 * 4 + (block + 1) % 4;
        let sum = if block.is_multiple_of(4) { (block..block + 4).map(|b| 100 * b + t).sum() } else { 0 };
        sum * 1000 + 100 * next + t
    };
    assert_eq!(found, (0..256).map(|i| expected(i / 32, i % 32)).collect::<Vec<_>>());
}

#[test]
fn cluster_barriers_order_only_what_they_release() {
    let body = |arrive: &str, end: &str| {
        let text = "mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t; ARRIVE barrier.cluster.wait;\n\
            mov.u32 %r4, %cluster_ctarank; xor.b32 %r5, %r4, 1; mapa.shared::cluster.u32 %r6, %r2, %r5; ld.shared::cluster.u32 %r7, [%r6];\n\
            st.global.u32 [%q], %r7; END";
        text.replace("ARRIVE", arrive).replace("END", end)
    };
    let expected: Vec<u32> = (0..64).map(|i| i % 32).collect();
    for arrive in ["barrier.cluster.arrive;", "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed;"] {
        assert_eq!(results(&kernel_with(TWO, &body(arrive, SYNC)), 2, 32, 64), expected);
    }
    finds(TWO, &body("barrier.cluster.arrive.relaxed;", SYNC), 2, 32, &["race on shared"]);
    finds(TWO, "barrier.cluster.wait;", 2, 32, &["without an arrival"]);
    finds(TWO, "barrier.cluster.arrive; barrier.cluster.arrive;", 2, 32, &["arrives twice"]);
    // Half of a warp must not come to it: undefined, and harmless in our code.
    let half = kernel_with(TWO, "setp.lt.u32 %b1, %t, 16; @%b1 barrier.cluster.arrive.aligned; bar.sync 0;");
    let found = failure_of(assembled(&half), &half, 2, 32).to_string();
    assert!(found.contains("deadlock") && found.contains("wait for lanes"), "{found}");
    let one = "setp.ne.u32 %b1, %c, 0; barrier.cluster.arrive; @%b1 barrier.cluster.wait; L: @!%b1 bar.sync 1, 64;";
    finds(TWO, one, 2, 32, &["deadlock", "barrier 1"]);
    // A block that has ended counts as arrived, but its memory is gone.
    let alone =
        "setp.ne.u32 %b1, %c, 0; @%b1 exit; barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%q], 1;";
    assert_eq!(results(&kernel_with(TWO, alone), 2, 32, 64)[31], 1);
    let gone = "barrier.cluster.arrive; setp.ne.u32 %b1, %c, 0; @%b1 exit; barrier.cluster.wait; barrier.cluster.arrive; barrier.cluster.wait;\n\
        mov.u32 %r1, s; mapa.shared::cluster.u32 %r2, %r1, 1; st.shared::cluster.u32 [%r2], 1;";
    finds(TWO, gone, 2, 32, &["block 1 of the cluster, which has ended"]);
}

#[test]
fn a_relaxed_arrival_releases_objects_behind_their_fence() {
    let body = "setp.eq.u32 %b15, %t, 0; @%b15 mbarrier.init.shared.b64 [m0], 64; FENCE\n\
        barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;\n\
        mbarrier.arrive.shared.b64 _, [m0]; WAIT st.global.u32 [%q], 7;";
    let body = body.replace("WAIT", &wait("m0", 0, 0));
    let fenced = body.replace("FENCE", "fence.mbarrier_init.release.cluster;");
    assert_eq!(results(&kernel_with(TWO, &fenced), 2, 64, 128), vec![7; 128]);
    // The fence leaves no instruction, so that only the interpreter misses it.
    let found = launch(&kernel_with(TWO, &body.replace("FENCE", "")), 2, 64, 128, 0).unwrap_err();
    assert!(found.to_string().contains("race on shared"), "{found}");
}

#[test]
fn addresses_of_other_blocks_are_not_of_the_own() {
    let remote =
        "mov.u32 %r1, s; mov.u32 %r2, %cluster_ctarank; xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; ";
    finds(TWO, &format!("{remote} st.shared.u32 [%r3], 1; {SYNC}"), 2, 1, &["out of bounds"]);
    finds(TWO, &format!("{remote} st.shared::cluster.u32 [%r3+8192], 1; {SYNC}"), 2, 1, &["out of bounds"]);
    finds(
        TWO,
        "mov.u32 %r1, s; mapa.shared::cluster.u32 %r3, %r1, 2; st.shared::cluster.u32 [%r3], 1;",
        2,
        1,
        &["out of bounds"],
    );
    // Without clusters there is no other block.
    let found =
        launch(&kernel("mov.u32 %r1, s; add.u32 %r1, %r1, 0x1000000; st.shared::cluster.u32 [%r1], 1;"), 2, 1, 4, 0);
    assert!(matches!(*found.unwrap_err(), FailureKind::OutOfBounds { .. }));
    let race = format!("{remote} st.shared.u32 [%r1], 1; st.shared::cluster.u32 [%r3], 2; {SYNC}");
    finds(TWO, &race, 2, 1, &["race on shared"]);
}

#[test]
fn remote_arrivals_and_asynchronous_stores_end_phases() {
    // Each thread stores to the other block, and its first thread arrives there.
    let body = |store: &str, scope: &str| {
        format!(
            "{} mad.lo.u32 %r1, %t, 4, %r24; mad.lo.u32 %r2, %c, 100, %t; {store}\n\
             @%b15 mbarrier.arrive.expect_tx.release.{scope}.shared::cluster.b64 _, [%r25], 128;\n\
             W0: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %b1, [m0], 0; @!%b1 bra W0;\n\
             mad.lo.u32 %r3, %t, 4, %r22; ld.shared.u32 %r4, [%r3]; st.global.u32 [%q], %r4; {SYNC}",
            object(1)
        )
    };
    let async_store = "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r25];";
    let expected: Vec<u32> = (0..32).map(|t| 100 + t).chain(0..32).collect();
    assert_eq!(results(&kernel_with(TWO, &body(async_store, "cluster")), 2, 32, 64), expected);
    // Stores of lane 0 that its own arrival releases.
    let plain =
        "@%b15 st.shared::cluster.u32 [%r1], 9; mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r25], 4;";
    let one = |scope: &str| body(plain, scope).replace("ld.shared.u32 %r4, [%r3]", "ld.shared.u32 %r4, [%r22]");
    assert_eq!(results(&kernel_with(TWO, &one("cluster")), 2, 32, 64), [9; 64]);
    finds(TWO, &one("cta"), 2, 32, &["race on shared"]);
    let red = "st.shared.u32 [%r22], 5; fence.acq_rel.cluster; barrier.cluster.arrive; barrier.cluster.wait;\n\
        red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [%r24], %t, [%r25];";
    let sums = body(red, "cluster")
        .replace("ld.shared.u32 %r4, [%r3]", "ld.shared.u32 %r4, [%r22]")
        .replace("st.shared.u32 [%r22], 5", "@%b15 st.shared.u32 [%r22], 5");
    assert_eq!(results(&kernel_with(TWO, &sums), 2, 32, 64), [501; 64]);
    let unseen =
        body(async_store, "cluster").replace("W0:", "ld.shared::cluster.u32 %r9, [%r1]; st.global.u32 [%q], %r9;\nW0:");
    finds(TWO, &unseen, 2, 32, &["an asynchronous operation may still write", "st.async"]);
    // A wait or a token of a remote object.
    finds(
        TWO,
        &format!(
            "{} cvt.u64.u32 %d1, %r25; cvta.shared::cluster.u64 %d1, %d1; mbarrier.test_wait.parity.b64 %b1, [%d1], 0;",
            object(1)
        ),
        2,
        32,
        &["of another block"],
    );
}

#[test]
fn copies_go_to_other_blocks() {
    let body = format!(
        "{} mad.lo.u32 %r1, %t, 4, %r22; mad.lo.u32 %r2, %c, 100, %t; st.shared.u32 [%r1], %r2; fence.proxy.async.shared::cta; bar.sync 0;\n\
         @!%b15 bra N; mbarrier.arrive.expect_tx.shared.b64 _, [m0], 128;\n\
         cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r24+1024], [%r22], 128, [%r25]; N: {}\n\
         ld.shared.u32 %r4, [%r1+1024]; st.global.u32 [%q], %r4; {SYNC}",
        object(1),
        wait("m0", 0, 0)
    );
    let expected: Vec<u32> = (0..32).map(|t| 100 + t).chain(0..32).collect();
    assert_eq!(results(&kernel_with(TWO, &body), 2, 32, 64), expected);
    finds(TWO, &body.replace("128, [%r25]", "128, [%r23]"), 2, 32, &["not in the block of its destination"]);
}

#[test]
fn multicasts_reach_all_blocks_of_their_mask() {
    let body = |mask: u32, last: &str| {
        format!(
            "{} @!%b15 bra N; mbarrier.arrive.expect_tx.shared.b64 _, [m0], 128; setp.ne.u32 %b2, %r20, 1; @%b2 bra N; mov.u16 %h1, {mask};\n\
             cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r22], [%p], 128, [%r23], %h1; N: {}\n\
             mad.lo.u32 %r1, %t, 4, %r22; ld.shared.u32 %r4, [%r1]; st.global.u32 [%q+512], %r4; {last}",
            object(1),
            wait("m0", 0, 0)
        )
        .replacen("setp", ".reg .b16 %h<2>; setp", 1)
    };
    let found = results(&kernel_with(FOUR, &body(15, SYNC)), 4, 32, 256);
    assert_eq!(found[128..], (0..128).map(|i| i % 32).collect::<Vec<_>>());
    // Block 3 gets nothing.
    finds(FOUR, &body(7, SYNC), 4, 32, &["deadlock", "block 3 of the cluster", "tx-count 128"]);
    finds(FOUR, &body(16, SYNC), 4, 32, &["a multicast to the blocks 0x0010 of a cluster of 4"]);
}
