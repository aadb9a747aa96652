//! Machine code of ptxas in which one kind of instruction is missing: each is a finding.

use super::common::{assembled, kernel, kernel_with, simulate, wait, with_object};
use raddle_cubin::model::Cubin;
use raddle_sass::{Ctrl, Isa, Op, build, decode, encode, print};
use raddle_sim::launch::{Dim3, Launch};

/// The code without the instructions that `missing` names by their text, and how many these are.
fn changed(cubin: &[u8], missing: impl Fn(&str) -> bool) -> (Vec<u8>, usize) {
    let parsed = Cubin::parse(cubin).unwrap();
    let code = parsed.kernel("k").unwrap().code;
    let at = cubin.windows(code.len()).position(|part| part == code).unwrap();
    let (mut out, mut count) = (cubin.to_vec(), 0);
    for (n, word) in code.chunks_exact(16).enumerate() {
        let word = u128::from_le_bytes(word.try_into().unwrap());
        let Ok(inst) = decode(Isa::Sm90a, word) else { continue };
        if !missing(&print(&inst, 0)) {
            continue;
        }
        let ctrl = Ctrl { wr_bar: None, rd_bar: None, ..inst.ctrl };
        let new = build(Isa::Sm90a, Op::Nop, &[], &[]).unwrap().with_ctrl(ctrl);
        count += 1;
        out[at + 16 * n..][..16].copy_from_slice(&encode(Isa::Sm90a, &new).unwrap().to_le_bytes());
    }
    (out, count)
}

/// Fails unless code of `text` without the instructions whose text begins so has a finding with one of
/// these texts, under every seed.
fn without(text: &str, (grid, block): (u32, u32), what: &str, findings: &[&str]) {
    let mut launch = Launch::new("k");
    (launch.grid, launch.block) = (Dim3::from(grid), Dim3::from(block));
    for (level, cubin) in assembled(text) {
        let bare = |text: &str| {
            text.split_once(' ').filter(|_| text.starts_with('@')).map_or(text, |(_, rest)| rest).to_owned()
        };
        let (code, count) = changed(&cubin, |text| bare(text).starts_with(what));
        assert_ne!(count, 0, "{level}: no {what}");
        assert!(simulate(&cubin, &launch, 1024, 0).is_ok(), "{level}: {what}");
        for seed in 0..8 {
            let found = simulate(&code, &launch, 1024, seed);
            let found =
                found.map(drop).expect_err(&format!("{level}, seed {seed}: without {what}\n{text}")).to_string();
            assert!(findings.iter().any(|text| found.contains(text)), "{level}, seed {seed}: without {what}: {found}");
        }
    }
}

const BARRIER: &str = "barrier.cluster.arrive; barrier.cluster.wait;";

#[test]
fn what_bulk_copies_need_is_missed() {
    let store = "mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t; fence.proxy.async.shared::cta; bar.sync 0;\n\
        setp.eq.u32 %b1, %t, 0; @!%b1 bra N; cp.async.bulk.global.shared::cta.bulk_group [%p], [s], 256; cp.async.bulk.commit_group;\n\
        cp.async.bulk.wait_group 0; ld.global.u32 %r5, [%p+4]; st.global.u32 [%p+512], %r5; N:";
    let text = kernel(store);
    let shape = (1, 64);
    without(&text, shape, "FENCE.VIEW.ASYNC", &["without a proxy fence"]);
    without(&text, shape, "MEMBAR", &["without a proxy fence"]);
    without(&text, shape, "UTMACMDFLUSH", &["may still write", "nothing has waited"]);
    without(&text, shape, "DEPBAR.LE", &["may still write", "nothing has waited"]);
    without(&text, shape, "CCTL.IVALL", &["may still write"]);
    without(&text, shape, "BAR.SYNC", &["race on shared", "without a proxy fence"]);
    let load = with_object(
        1,
        &format!(
            "@!%b15 bra N; mbarrier.arrive.expect_tx.shared.b64 _, [m0], 256;\n\
             cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%p], 256, [m0]; N: {}\n\
             mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; ld.shared.u32 %r5, [%r2]; st.global.u32 [%q+512], %r5;",
            wait("m0", 0, 0)
        ),
    );
    let text = kernel(&load);
    without(&text, shape, "SYNCS.EXCH", &["no valid mbarrier object"]);
    without(&text, shape, "UBLKCP", &["deadlock"]);
    without(&text, shape, "SYNCS.ARRIVE", &["deadlock"]);
}

#[test]
fn what_clusters_need_is_missed() {
    let body = format!(
        "mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t; {BARRIER}\n\
         mov.u32 %r4, %cluster_ctarank; xor.b32 %r5, %r4, 1; mapa.shared::cluster.u32 %r6, %r2, %r5; ld.shared::cluster.u32 %r7, [%r6];\n\
         st.global.u32 [%q], %r7; {BARRIER}"
    );
    let text = kernel_with(".reqnctapercluster 2", &body);
    let shape = (2, 64);
    without(&text, shape, "MEMBAR", &["race on shared"]);
    without(&text, shape, "CCTL.IVALL", &["race on shared"]);
    without(&text, shape, "UCGABAR_ARV", &["without an arrival"]);
    without(&text, shape, "UCGABAR_WAIT", &["arrives twice", "race on shared"]);
    without(&text, shape, "PRMT", &["race on shared", "out of bounds", "host reads", "misaligned"]);
}

#[test]
fn what_tensor_maps_need_is_missed() {
    let map: String = (0..16).map(|n| format!("st.global.u64 [%d9+{}], 0;", 8 * n)).collect();
    let body = format!(
        "add.u64 %d9, %p, 3072; @!%b15 bra M; {map} tensormap.replace.tile.global_address.global.b1024.b64 [%d9], %p;\n\
         tensormap.replace.tile.elemtype.global.b1024.b32 [%d9], 2; tensormap.replace.tile.global_dim.global.b1024.b32 [%d9], 0, 64;\n\
         tensormap.replace.tile.box_dim.global.b1024.b32 [%d9], 0, 32;\n\
         fence.proxy.tensormap::generic.release.gpu; fence.proxy.tensormap::generic.acquire.gpu [%d9], 128;\n\
         fence.proxy.async; mbarrier.arrive.expect_tx.shared.b64 _, [m0], 128;\n\
         cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [s], [%d9, {{16}}], [m0];\n\
         M: {} mov.u32 %r1, s; mad.lo.u32 %r1, %t, 4, %r1; ld.shared.u32 %r2, [%r1]; st.global.u32 [%q+1024], %r2;",
        wait("m0", 0, 0)
    );
    let text = kernel(&with_object(1, &body));
    without(&text, (1, 32), "UTMACCTL.IV", &["without UTMACCTL.IV"]);
    without(&text, (1, 32), "UTMALDG", &["deadlock"]);
}
