//! Registers that warps pass to each other, elections, and instructions without an effect on results:
//! waits for other grids, prefetches, cache hints.

use super::common::{assembled, kernel, kernel_with, results, simulate, wait, with_object};
use raddle_sim::launch::{Dim3, Launch};

/// Two groups of warps: the second one returns `less` registers per thread of 168, the first one takes
/// up to `more`.
fn groups(less: u32, more: u32) -> String {
    let body = "setp.lt.u32 %b1, %t, 128; @%b1 bra A; RETURN bra.uni E;\n\
        A: setmaxnreg.inc.sync.aligned.u32 MORE; ld.global.u32 %r1, [%q]; add.u32 %r1, %r1, 7; st.global.u32 [%q], %r1; E:";
    let less = if less == 0 { String::new() } else { format!("setmaxnreg.dec.sync.aligned.u32 {};", 168 - less) };
    kernel_with(".maxnreg 168\n.reqntid 256", &body.replace("RETURN", &less).replace("MORE", &more.to_string()))
}

#[test]
fn warps_take_the_registers_that_others_return() {
    for (less, more) in [(144, 240), (72, 240), (64, 232), (0, 168)] {
        let expected: Vec<u32> = (0..256).map(|i| if i < 128 { i + 7 } else { i }).collect();
        assert_eq!(results(&groups(less, more), 1, 256, 256), expected, "{less}, {more}");
    }
    // There are not enough.
    let mut launch = Launch::new("k");
    launch.block = Dim3::from(256);
    for (less, more) in [(64, 240), (0, 176)] {
        for (level, cubin) in assembled(&groups(less, more)) {
            for seed in 0..8 {
                let found = simulate(&cubin, &launch, 256, seed).expect_err(level).to_string();
                assert!(found.contains("deadlock") && found.contains("registers that other warps"), "{level}: {found}");
            }
        }
    }
}

#[test]
fn one_thread_is_elected() {
    let body = "elect.sync %r1|%b1, 0xffffffff; selp.u32 %r2, 100, 0, %b1; add.u32 %r2, %r2, %r1; st.global.u32 [%q], %r2;\n\
        mov.u32 %r3, 0; setp.lt.u32 %b2, %t, 40; @%b2 bra E; elect.sync _|%b3, 0xffffff00; selp.u32 %r3, 1, 0, %b3; st.global.u32 [%q+256], %r3; E:";
    let found = results(&kernel(body), 1, 64, 128);
    assert_eq!(found[..64].iter().sum::<u32>(), 200 + 32 * (found[1] % 100 + found[33] % 100));
    assert_eq!(found[104..].iter().sum::<u32>(), 1);
}

#[test]
fn hints_and_prefetches_change_nothing() {
    let body = with_object(
        1,
        &format!(
            "griddepcontrol.wait; createpolicy.fractional.L2::evict_first.b64 %d1; mov.u32 %r1, s; @!%b15 bra N; mbarrier.arrive.expect_tx.shared.b64 _, [m0], 128;\n\
             cp.async.bulk.prefetch.L2.global.L2::cache_hint [%p], 128, %d1;\n\
             cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [s], [%p], 128, [m0], %d1; N: {}\n\
             @!%b15 bra O; fence.proxy.async.shared::cta; cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%p+256], [s], 128, %d1;\n\
             cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u32 [%p+384], [s], 128, %d1;\n\
             cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; O: griddepcontrol.launch_dependents;",
            wait("m0", 0, 0)
        ),
    );
    let found = results(&kernel(&body), 1, 32, 128);
    let expected = |i: u32| match i {
        64..96 => i - 64,
        96.. => i + i - 96,
        _ => i,
    };
    assert_eq!(found, (0..128).map(expected).collect::<Vec<_>>());
}
