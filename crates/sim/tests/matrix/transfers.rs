//! `ldmatrix`, `stmatrix` and `movmatrix`.

use super::bench::{Bench, Registers};
use raddle_sim::failure::FailureKind;

/// Fills shared memory: 16-bit word `i` is `i`.
const FILL: &str = ".reg .b32 %w, %v, %i; .reg .pred %q; mov.u32 %i, 0;\n\
    F: mad.lo.u32 %w, %i, 32, %t; shl.b32 %v, %w, 1; add.u32 %w, %v, 1; shl.b32 %w, %w, 16; or.b32 %w, %w, %v;\n\
    mad.lo.u32 %v, %v, 2, %s; st.shared.u32 [%v], %w; add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 8; @%q bra F; bar.sync 0;\n";

/// The 16-bit word at a row and column of matrix `j`, whose rows are at lanes 8j to 8j+7: row `i` of
/// a matrix at lane `l` is at byte `48 · (l ^ 5)`, modulo 1 KiB.
fn word(j: usize, row: usize, column: usize) -> u64 {
    (((8 * j + row) ^ 5) * 48 % 1008 / 2 + column) as u64
}

const ADDRESS: &str =
    ".reg .b32 %b; xor.b32 %b, %t, 5; mul.lo.u32 %b, %b, 48; rem.u32 %b, %b, 1008; add.u32 %b, %b, %s;\n";

#[test]
fn matrices_are_loaded_by_rows_or_transposed() {
    for (count, trans, space) in [1, 2, 4].into_iter().flat_map(|n| {
        ["", ".trans"].into_iter().flat_map(move |trans| ["", ".shared", ".shared::cta"].map(|space| (n, trans, space)))
    }) {
        let address = if space.is_empty() { ".reg .b64 %g; cvt.u64.u32 %g, %b; cvta.shared.u64 %g, %g;" } else { "" };
        let at = if space.is_empty() { "%g" } else { "%b" };
        // Lanes that give no row of a matrix give no address.
        let outside = format!("setp.ge.u32 %q, %t, {}; @%q mov.u32 %b, 1;", 8 * count);
        let text = format!(
            "{FILL}{ADDRESS}{outside}{address} ldmatrix.sync.aligned.m8n8.x{count}{trans}{space}.b16 $0, [{at}];"
        );
        let bench = Bench { target: "sm_80", text, operands: vec![(count, 32)] };
        let found = bench.run(&[vec![[0; 32]; count]], None).unwrap();
        let want: Registers = (0..count)
            .map(|j| {
                std::array::from_fn(|lane| {
                    let (row, column) = (lane / 4, 2 * (lane % 4));
                    match trans {
                        "" => word(j, row, column) | word(j, row, column + 1) << 16,
                        _ => word(j, column, row) | word(j, column + 1, row) << 16,
                    }
                })
            })
            .collect();
        assert_eq!(found, want, "x{count}{trans}{space}");
    }
}

#[test]
fn stored_matrices_are_loaded_again() {
    for (count, trans) in [(1, ""), (2, ""), (4, ""), (1, ".trans"), (2, ".trans"), (4, ".trans")] {
        let addresses = ".reg .b32 %b, %c; xor.b32 %b, %t, 9; mad.lo.u32 %b, %b, 16, %s; mad.lo.u32 %c, %t, 16, %s;\n";
        // Each lane then reads row t of the matrices, as they lie in memory.
        let text = format!(
            "{addresses} stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%b], $1; bar.sync 0; \
             .reg .pred %q; setp.lt.u32 %q, %t, {}; xor.b32 %c, %t, 9; mad.lo.u32 %c, %c, 16, %s; \
             @%q ld.shared.v4.b32 $0, [%c];",
            8 * count
        );
        let bench = Bench { target: "sm_90", text, operands: vec![(4, 32), (count, 32)] };
        let value = |j: usize, lane: usize| (1000 * j + 2 * lane) as u64 | ((1000 * j + 2 * lane + 1) as u64) << 16;
        let registers: Registers = (0..count).map(|j| std::array::from_fn(|lane| value(j, lane))).collect();
        let found = bench.run(&[vec![[0; 32]; 4], registers], None).unwrap();
        let half = |j: usize, row: usize, column: usize| {
            let (group, place) = if trans.is_empty() { (row, column) } else { (column, row) };
            value(j, 4 * group + place / 2) >> (16 * (place % 2)) & 0xffff
        };
        for lane in 0..8 * count {
            for (r, registers) in found.iter().enumerate() {
                let want = half(lane / 8, lane % 8, 2 * r) | half(lane / 8, lane % 8, 2 * r + 1) << 16;
                assert_eq!(registers[lane], want, "x{count}{trans} lane {lane} word {r}");
            }
        }
    }
}

#[test]
fn a_register_is_transposed() {
    let text = "movmatrix.sync.aligned.m8n8.trans.b16 %x0_0, %x1_0;".to_owned();
    let bench = Bench { target: "sm_80", text, operands: vec![(1, 32), (1, 32)] };
    let register = std::array::from_fn(|lane| (2 * lane) as u64 | ((2 * lane + 1) as u64) << 16);
    let found = bench.run(&[vec![[0; 32]], vec![register]], None).unwrap();
    // Element (row, column) of the source is 8 · row + column.
    let want = std::array::from_fn(|lane| {
        let (row, column) = (lane / 4, 2 * (lane % 4));
        (8 * column + row) as u64 | ((8 * (column + 1) + row) as u64) << 16
    });
    assert_eq!(found, vec![want]);
}

#[test]
fn rows_are_aligned_written_and_not_raced_for() {
    let run = |text: String| {
        let bench = Bench { target: "sm_90", text, operands: vec![(1, 32)] };
        bench.run(&[vec![[0; 32]]], None).expect_err("a failure")
    };
    let load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 $0";
    let found = run(format!("{FILL} mad.lo.u32 %w, %t, 8, %s; {load}, [%w];"));
    assert!(matches!(found, FailureKind::Misaligned { size: 16, .. }), "{found}");
    let found = run(format!("{FILL} mad.lo.u32 %w, %t, 1024, %s; {load}, [%w];"));
    assert!(matches!(found, FailureKind::OutOfBounds { size: 16, .. }), "{found}");
    // Shared memory that nothing was written to: the value is undefined, which the host notices.
    let found = run(format!(".reg .b32 %w; mad.lo.u32 %w, %t, 16, %s; {load}, [%w];"));
    assert!(found.to_string().contains("undefined") || found.to_string().contains("never written"), "{found}");
    // The barrier is missing: other lanes' words are read.
    let unordered = FILL.replace("bar.sync 0;", "");
    let found = run(format!("{unordered} mad.lo.u32 %w, %t, 16, %s; {load}, [%w];"));
    assert!(matches!(found, FailureKind::Race { .. }), "{found}");
}
