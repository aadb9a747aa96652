//! Atomic operations on the shared memory of another block of the cluster, and of the own one by
//! the same addresses.

use super::common::{kernel_with, our_results, results};

const SYNC: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
/// Threads of a block.
const THREADS: u32 = 32;

/// An operation, and the word in memory and the operands that are worth a look.
struct Case {
    /// As after `atom.space.`.
    op: &'static str,
    /// Bits.
    width: u32,
    before: u64,
    operands: &'static [u64],
}

const fn case(op: &'static str, width: u32, before: u64, operands: &'static [u64]) -> Case {
    Case { op, width, before, operands }
}

const CASES: [Case; 32] = [
    case("add.u32", 32, 5, &[0xffff_fffe]),
    case("min.s32", 32, 5, &[0xffff_fffe]),
    case("max.u32", 32, 5, &[0xffff_fffe]),
    case("and.b32", 32, 0xf0f0, &[0x1ff0]),
    case("or.b32", 32, 0xf0f0, &[0x1f0f]),
    case("xor.b32", 32, 0xf0f0, &[0x1ff0]),
    case("inc.u32", 32, 5, &[5]),
    case("dec.u32", 32, 0, &[9]),
    case("exch.b32", 32, 5, &[7]),
    case("cas.b32", 32, 5, &[5, 9]),
    case("cas.b32", 32, 5, &[6, 9]),
    case("add.u64", 64, 0xffff_ffff, &[3]),
    case("min.s64", 64, 5, &[u64::MAX]),
    case("max.s64", 64, u64::MAX, &[5]),
    case("min.u64", 64, 5, &[u64::MAX]),
    case("max.u64", 64, 5, &[u64::MAX]),
    case("and.b64", 64, 0xf0f0_0000_f0f0, &[0x1ff0_0000_0ff0]),
    case("or.b64", 64, 0xf0f0_0000_f0f0, &[0x1ff0_0000_0ff0]),
    case("xor.b64", 64, 0xf0f0_0000_f0f0, &[0x1ff0_0000_0ff0]),
    case("exch.b64", 64, 5, &[0x7_0000_0008]),
    case("cas.b64", 64, 0x5_0000_0005, &[0x5_0000_0005, 9]),
    case("cas.b64", 64, 0x5_0000_0005, &[0x6_0000_0005, 9]),
    case("add.f32", 32, 0x3fc0_0000, &[0x4000_0000]),
    case("add.f64", 64, 0x3ff8_0000_0000_0000, &[0x4000_0000_0000_0000]),
    case("add.noftz.f16x2", 32, 0x3c00_4000, &[0x3c00_3c00]),
    case("add.noftz.bf16x2", 32, 0x3f80_4000, &[0x3f80_3f80]),
    case("add.noftz.f16", 16, 0x3c00, &[0x4000]),
    case("add.noftz.bf16", 16, 0x3f80, &[0x4000]),
    case("cas.b16", 16, 5, &[5, 9]),
    case("cas.b16", 16, 5, &[6, 9]),
    case("exch.b128", 128, 5, &[7]),
    case("cas.b128", 128, 5, &[5, 9]),
];

/// A kernel in which thread t applies the operation to its own 16 bytes in block `rank` of the
/// cluster, by a generic address or one of the cluster; it writes the old value and then what its
/// own block's 16 bytes hold.
fn program(case: &Case, rank: &str, generic: bool, reduces: bool) -> String {
    let (ty, reg) = match case.width {
        16 => ("b16", "%h"),
        32 => ("b32", "%v"),
        64 => ("b64", "%l"),
        _ => ("b128", "%w"),
    };
    let set = |n: usize, value: u64| match case.width {
        128 => format!("mov.u64 %l9, {value}; mov.b128 {reg}{n}, {{%l9, %l9}};\n"),
        _ => format!("mov.{ty} {reg}{n}, {value};\n"),
    };
    let operands: String = case.operands.iter().enumerate().map(|(n, &value)| set(n + 1, value)).collect();
    let names: String = (1..=case.operands.len()).map(|n| format!(", {reg}{n}")).collect();
    let (space, address) = if generic { ("", "%d3") } else { (".shared::cluster", "%r6") };
    let old = match case.width {
        16 => "cvt.u32.u16 %v9, %h0; st.global.v4.u32 [%d8], {%v9, 0, 0, 0};",
        32 => "st.global.v4.u32 [%d8], {%v0, 0, 0, 0};",
        64 => "st.global.v2.u64 [%d8], {%l0, 0};",
        _ => "mov.b128 {%l0, %l1}, %w0; st.global.v2.u64 [%d8], {%l0, %l1};",
    };
    let (word, old) = match reduces {
        true => (format!("red.relaxed.cluster{space}.{} [{address}]{names};", case.op), String::new()),
        false => (format!("atom{space}.{} {reg}0, [{address}]{names};", case.op), old.to_owned()),
    };
    let before = case.before;
    let body = format!(
        ".reg .b16 %h<10>; .reg .b32 %v<10>; .reg .b64 %l<10>; .reg .b128 %w<10>;\n\
         mov.u32 %r1, s; mad.lo.u32 %r2, %t, 16, %r1; mov.u64 %l2, {before}; mov.u64 %l3, {high};\n\
         st.shared.v2.u64 [%r2], {{%l2, %l3}}; {SYNC}\n\
         mov.u32 %r4, %cluster_ctarank; {rank} mapa.shared::cluster.u32 %r6, %r2, %r5;\n\
         cvt.u64.u32 %d1, %r2; cvta.shared.u64 %d2, %d1; mapa.u64 %d3, %d2, %r5;\n\
         mul.wide.u32 %d8, %r31, 32; add.u64 %d8, %d8, %p; st.global.v2.u64 [%d8], {{%l2, %l2}};\n\
         {operands}{word}\n{old}\n\
         {SYNC} ld.shared.v2.u64 {{%l4, %l5}}, [%r2]; st.global.v2.u64 [%d8+16], {{%l4, %l5}};",
        high = if case.width == 128 { before } else { 0 },
    );
    kernel_with(".reqnctapercluster 2", &body)
}

/// What is left of a block's words: (old value, new value) of each thread.
fn check(case: &Case, text: &str, reduces: bool) {
    // Where `ATOM` says that it has done nothing, the code of ptxas 13.0.88 adds two halves as one
    // integer (docs/ptxas.md, atom-local-halves).
    let halves = case.op.ends_with("f16x2");
    let words = (2 * THREADS * 8) as usize;
    let found = if halves { our_results(text, 2, THREADS, words) } else { results(text, 2, THREADS, words) };
    let rows: Vec<&[u32]> = found.chunks_exact(8).collect();
    let first = rows[0];
    assert!(rows.iter().all(|row| *row == first), "{}: {rows:x?}", case.op);
    let before = [case.before as u32, (case.before >> 32) as u32];
    assert_eq!(first[..2], before, "{}: the old value", case.op);
    let new = u64::from(first[4]) | u64::from(first[5]) << 32;
    let fails = case.op.starts_with("cas") && case.operands[0] != case.before;
    let same = fails || case.op.starts_with("min.u");
    assert_eq!(new == case.before, same, "{}, {reduces}: {new:#x}", case.op);
}

#[test]
fn atomics_reach_the_shared_memory_of_another_block() {
    for (n, case) in CASES.iter().enumerate() {
        check(case, &program(case, "xor.b32 %r5, %r4, 1;", n % 2 == 0, false), false);
    }
}

#[test]
fn atomics_reach_the_shared_memory_of_the_own_block_by_the_same_addresses() {
    for case in &CASES {
        check(case, &program(case, "mov.u32 %r5, %r4;", true, false), false);
    }
}

#[test]
fn reductions_reach_the_shared_memory_of_another_block() {
    let reduces = |case: &&Case| !matches!(case.op.split('.').next(), Some("exch" | "cas"));
    // By the kind of address that the atomic operation above does not have.
    for (n, case) in CASES.iter().enumerate().filter(|(_, case)| reduces(case)) {
        check(case, &program(case, "xor.b32 %r5, %r4, 1;", n % 2 == 1, true), true);
    }
}
