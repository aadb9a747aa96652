//! Boxes of tensors in tile mode. Each kernel builds its tensor map in global memory, at byte 3072.

use super::common::{failure, kernel, kernel_with, launch, results, wait, with_object};

/// Fields of a map: name, dimension, value.
type Fields<'a> = &'a [(&'a str, Option<u32>, u64)];

/// A body that builds a map for words in rows of 64 bytes: 12 x 8 of them, in boxes of 8 x 4; then
/// `fields`. `%d9` is its address.
fn map(fields: Fields<'_>) -> String {
    let mut text = String::from("add.u64 %d9, %p, 3072; setp.ne.u32 %b13, %t, 0; @%b13 bra M;\n");
    for n in 0..16 {
        text += &format!("st.global.u64 [%d9+{}], 0;", 8 * n);
    }
    let common: Fields<'_> = &[
        ("rank", None, 1),
        ("elemtype", None, 2),
        ("global_dim", Some(0), 12),
        ("global_dim", Some(1), 8),
        ("global_stride", Some(0), 64),
        ("box_dim", Some(0), 8),
        ("box_dim", Some(1), 4),
        ("element_stride", Some(0), 1),
        ("element_stride", Some(1), 1),
    ];
    text += "tensormap.replace.tile.global_address.global.b1024.b64 [%d9], %p;\n";
    for (name, ord, value) in common.iter().chain(fields) {
        let (bits, ord) =
            (if *name == "global_stride" { 64 } else { 32 }, ord.map_or(String::new(), |n| format!("{n}, ")));
        text += &format!("tensormap.replace.tile.{name}.global.b1024.b{bits} [%d9], {ord}{value};\n");
    }
    text + "fence.proxy.tensormap::generic.release.cta; fence.proxy.tensormap::generic.acquire.cta [%d9], 128;\n\
            M: fence.proxy.async; bar.sync 0;\n"
}

/// Thread 0 loads the box at these coordinates to `s`; each thread stores its word of it at `%q + 1024`.
fn load(fields: Fields<'_>, at: &str, bytes: u32) -> String {
    let body = format!(
        "{} @!%b15 bra N; mbarrier.arrive.expect_tx.shared.b64 _, [m0], {bytes};\n\
         cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [s], [%d9, {at}], [m0]; N: {}\n\
         mov.u32 %r1, s; mad.lo.u32 %r1, %t, 4, %r1; ld.shared.u32 %r2, [%r1]; st.global.u32 [%q+1024], %r2;",
        map(fields),
        wait("m0", 0, 0)
    );
    with_object(1, &body)
}

/// Each thread writes 1000 more than its number to `s`, which thread 0 stores at these coordinates.
fn store(op: &str, fields: Fields<'_>, at: &str) -> String {
    let body = "mov.u32 %r1, s; mad.lo.u32 %r1, %t, 4, %r1; add.u32 %r2, %t, 1000; st.shared.u32 [%r1], %r2; fence.proxy.async; bar.sync 0;\n\
        @%b13 bra N; OP [%d9, AT], [s]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; N:";
    map(fields) + &body.replace("OP", op).replace("AT", at)
}

const STORE: &str = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group";

fn word(x: i32, y: i32) -> u32 {
    if (0..12).contains(&x) && (0..8).contains(&y) { (16 * y + x) as u32 } else { 0 }
}

/// CUTLASS stores its tiles with whole warps: the lanes ask for the same copy.
#[test]
fn a_warp_that_stores_one_box_stores_it_once() {
    let one = store(STORE, &[], "{0, 0}");
    let all = one.replace("@%b13 bra N;", "");
    assert_eq!(results(&kernel(&all), 1, 32, 1024)[..768], results(&kernel(&one), 1, 32, 1024)[..768]);
    // Lanes with another box store that.
    let each = all
        .replace("{0, 0}", "{%r4, 0}")
        .replace("add.u32 %r2, %t, 1000;", "add.u32 %r2, %t, 1000; and.b32 %r4, %t, 1; shl.b32 %r4, %r4, 3;");
    let found = results(&kernel(&each), 1, 32, 1024);
    assert_eq!((found[4], found[8]), (1004, 1000));
}

/// A fence accesses nothing: warps that store nothing run it with a null pointer.
#[test]
fn a_fence_of_a_null_map_has_no_effect() {
    let body = "mov.u64 %d1, 0; fence.proxy.tensormap::generic.acquire.gpu [%d1], 128; st.global.u32 [%q], 5;";
    assert_eq!(results(&kernel(body), 1, 32, 32), vec![5; 32]);
}

#[test]
fn boxes_are_loaded_with_zeros_outside() {
    for (x, y) in [(0, 0), (3, 2), (8, 6), (-2, -1), (40, 0)] {
        let found = results(&kernel(&load(&[], &format!("{{{x}, {y}}}"), 128)), 1, 32, 1024);
        let expected: Vec<u32> = (0..32).map(|i| word(x + i % 8, y + i / 8)).collect();
        assert_eq!(found[256..288], expected, "{x},{y}");
    }
    // Every second row; along a row there is no stride.
    let rows =
        results(&kernel(&load(&[("element_stride", Some(1), 2), ("box_dim", Some(1), 8)], "{1, 1}", 128)), 1, 32, 1024);
    assert_eq!(rows[256..288], (0..32).map(|i| word(1 + i % 8, 1 + 2 * (i / 8))).collect::<Vec<_>>());
    let columns = [("element_stride", Some(0), 2), ("box_dim", Some(0), 16)];
    let found = results(&kernel(&load(&columns, "{0, 0}", 256)), 1, 64, 1024);
    assert_eq!(found[256..320], (0..64).map(|i| word(i % 16, i / 16)).collect::<Vec<_>>());
}

#[test]
fn rows_are_swizzled() {
    // Rows of 32 bytes and a swizzle of 32 bytes: bit 4 of the address, from 0x480 on, changes with bit 7.
    let found =
        results(&kernel(&load(&[("swizzle_mode", None, 1), ("box_dim", Some(1), 8)], "{0, 0}", 256)), 1, 64, 1024);
    let expected: Vec<u32> = (0..64).map(|i| i ^ ((0x480 + 4 * i) >> 7 & 1) << 2).map(|i| word(i % 8, i / 8)).collect();
    assert_eq!(found[256..320], expected);
}

#[test]
fn floats_are_filled_with_nan() {
    let fields = [("elemtype", None, 7), ("fill_mode", None, 1)];
    let found = results(&kernel(&load(&fields, "{8, 0}", 128)), 1, 32, 1024);
    assert_eq!(found[256..264], [8, 9, 10, 11, 0x7ff7_7ff7, 0x7ff7_7ff7, 0x7ff7_7ff7, 0x7ff7_7ff7]);
}

#[test]
fn boxes_are_stored_and_reduced_inside_the_tensor() {
    let check = |op: &str, f: fn(u32, u32) -> u32| {
        let found = results(&kernel(&store(op, &[], "{6, -1}")), 1, 32, 1024);
        for (i, &word) in found[..128].iter().enumerate() {
            let (x, y) = (i as i32 % 16 - 6, i as i32 / 16 + 1);
            let inside = (0..6).contains(&x) && (1..4).contains(&y);
            let expected = if inside { f(i as u32, 1000 + (8 * y + x) as u32) } else { i as u32 };
            assert_eq!(word, expected, "{op}, word {i}");
        }
    };
    check(STORE, |_, new| new);
    check("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group", |old, new| old + new);
    check("cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group", |old, new| old ^ new);
    check("cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group", |old, _| old);
}

#[test]
fn multicasts_of_boxes_reach_all_blocks() {
    let body = load(&[], "{0, 0}", 128)
        .replace("bar.sync 0;", "barrier.cluster.arrive; barrier.cluster.wait;")
        .replace("setp.ne.u32 %b13, %t, 0;", "mov.u32 %r9, %ctaid.x; or.b32 %r9, %r9, %t; setp.ne.u32 %b13, %r9, 0;")
        .replace("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes", "@%b13 bra N; mov.u32 %r8, m0; mov.u32 %r7, s; mov.u16 %h1, 3;\ncp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster")
        .replace("[m0]; N:", "[%r8], %h1; N:")
        .replace("bytes.multicast::cluster [s]", "bytes.multicast::cluster [%r7]");
    let body = format!(".reg .b16 %h<2>; {body} barrier.cluster.arrive; barrier.cluster.wait;");
    let found = results(&kernel_with(".reqnctapercluster 2", &body), 2, 32, 1024);
    let expected: Vec<u32> = (0..32).map(|i| word(i % 8, i / 8)).collect();
    assert_eq!((&found[256..288], &found[288..320]), (&expected[..], &expected[..]));
}

#[test]
fn what_is_wrong_with_boxes_is_found() {
    let finds = |body: &str, texts: &[&str]| {
        let found = failure(&kernel(body), 1, 32).to_string();
        assert!(texts.iter().all(|t| found.contains(t)), "{found}");
    };
    finds(&load(&[("rank", None, 2)], "{0, 0}", 128), &["2 coordinates of a tensor of 3"]);
    finds(&load(&[("box_dim", Some(0), 6)], "{0, 0}", 128), &["24 bytes in a row"]);
    finds(&load(&[("interleave_layout", None, 1)], "{0, 0}", 128), &["interleaved"]);
    finds(&load(&[("swizzle_mode", None, 1), ("box_dim", Some(0), 16)], "{0, 0}", 128), &["a swizzle of 32"]);
    finds(&load(&[("global_dim", Some(1), 1000)], "{0, 998}", 128), &["out of bounds"]);
    finds(&load(&[("box_dim", Some(1), 256)], "{0, 0}", 128), &["out of bounds"]);
    finds(&load(&[], "{0, 0}", 128).replace("[s], [%d9", "[s+64], [%d9"), &["misaligned"]);
    let fence = "fence.proxy.tensormap::generic.acquire.cta [%d9], 128;";
    finds(&load(&[], "{0, 0}", 128).replace(fence, ""), &["a tensor map written", "without fence.proxy.tensormap"]);
    finds(&load(&[], "{0, 0}", 64), &["deadlock", "tx-count -64"]);
    finds(
        &store(
            &STORE.replace("cp.async", "cp.reduce.async").replace(".tile", ".add.tile"),
            &[("elemtype", None, 5)],
            "{0, 0}",
        ),
        &["this reduction", "S64"],
    );
    finds(&load(&[], "{0, 0}", 128).replace(&wait("m0", 0, 0), "@!%b15 exit;"), &["read of shared", "may still write"]);
    finds(
        &store(STORE, &[], "{0, 0}").replace("cp.async.bulk.wait_group 0;", "ld.global.u32 %r3, [%p+64];"),
        &["read of global", "may still write"],
    );
    // A word beside the box is nobody's.
    let beside = store(STORE, &[], "{0, 0}")
        .replace("cp.async.bulk.wait_group 0;", "ld.global.u32 %r3, [%p+32]; cp.async.bulk.wait_group 0;");
    assert_eq!(launch(&kernel(&beside), 1, 32, 1024, 0).unwrap()[0], 1000);
    finds(
        &store(STORE, &[], "{0, 0}")
            .replace("fence.proxy.async; bar.sync 0;\n@%b13 bra N;", "bar.sync 0;\n@%b13 bra N;"),
        &["without fence.proxy.async"],
    );
}

#[test]
fn a_tensor_map_that_a_warp_wrote_is_used_by_one_of_its_lanes() {
    // The copy of the map is the warp's: no barrier is needed between it and the lane that uses it.
    let fields = "global_address.shared::cta.b1024.b64 [M], %p; rank.shared::cta.b1024.b32 [M], 0;\
        global_dim.shared::cta.b1024.b32 [M], 0, 64; box_dim.shared::cta.b1024.b32 [M], 0, 32;\
        element_stride.shared::cta.b1024.b32 [M], 0, 1; elemtype.shared::cta.b1024.b32 [M], 2;\
        interleave_layout.shared::cta.b1024.b32 [M], 0; swizzle_mode.shared::cta.b1024.b32 [M], 0;\
        fill_mode.shared::cta.b1024.b32 [M], 0";
    let set = |field: &str| format!("@%b1 tensormap.replace.tile.{};\n", field.trim());
    let fields: String = fields.split(';').map(set).collect();
    let body = format!(
        "mov.u32 %r1, s; mad.lo.u32 %r2, %t, 16, %r1; setp.eq.u32 %b1, %t, 0; st.shared.v4.u32 [%r2+2048], {{0, 0, 0, 0}};\n\
         @%b1 mbarrier.init.shared.b64 [m0], 1; fence.proxy.async; bar.sync 0; add.u64 %d1, %p, 4096;\n\
         {fields} bar.warp.sync -1;\n\
         tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1], [%r1+2048], 128;\n\
         fence.proxy.tensormap::generic.acquire.gpu [%d1], 128; @%b1 mbarrier.arrive.expect_tx.shared.b64 _, [m0], 128;\n\
         @%b1 cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%d1, {{5}}], [m0];\n\
         {} mad.lo.u32 %r3, %t, 4, %r1; ld.shared.u32 %r4, [%r3]; st.global.u32 [%q+8192], %r4;",
        wait("m0", 0, 0)
    )
    .replace("[M]", "[%r1+2048]");
    let found = results(&kernel(&body), 1, 32, 4096);
    assert_eq!(found[2048..2080], (5..37).collect::<Vec<_>>());
}
