//! Litmus tests: the verdicts of the manual, and the soundness of the compiler's ordering rules.

use std::collections::BTreeMap;

use raddle_ir::order::{Rules, Strength};
use raddle_tests::judge::ARCHS;
use raddle_tests::level::Level;
use raddle_tests::litmus::compiled::compiled;
use raddle_tests::litmus::decide::{answer, outcomes};
use raddle_tests::litmus::parse::parse;
use raddle_tests::litmus::program::Program;
use raddle_tests::litmus::shapes::{SHAPES, some};
use raddle_tests::litmus::swap::{event, pairs, unsound};
use raddle_tests::parallel;
use raddle_tests::random::judge::compile;

/// Programs for each shape.
const PROGRAMS: u64 = 400;

/// A program with one line per thread, all on one device; the number before each line is its thread
/// block.
fn program(threads: &[(u32, &str)], question: &str) -> Program {
    let codes: Vec<Vec<&str>> = threads.iter().map(|t| t.1.split(';').map(str::trim).collect()).collect();
    let rows = codes.iter().map(Vec::len).max().unwrap_or(0);
    let heads: Vec<String> = threads.iter().enumerate().map(|(n, t)| format!("P{n}@cta {},gpu 0", t.0)).collect();
    let mut text = format!("PTX a\n{{ x=0; y=0; z=0; }}\n{};\n", heads.join("|"));
    for row in 0..rows {
        let cells: Vec<&str> = codes.iter().map(|c| c.get(row).copied().unwrap_or_default()).collect();
        text += &format!("{};\n", cells.join("|"));
    }
    parse(&format!("{text}{question}")).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Threads with their blocks, the question, the answer.
type Row = (&'static [(u32, &'static str)], &'static str, bool);

/// One or more rows for each axiom and each way to synchronise.
const ROWS: &[Row] = &[
    // Weak message passing is unordered; with release and acquire it is ordered, if their scopes
    // include each other.
    (
        &[(0, "st.weak x, 1; st.weak y, 1"), (1, "ld.weak r0, y; ld.weak r1, x")],
        "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
        true,
    ),
    (
        &[(0, "st.weak x, 1; st.release.gpu y, 1"), (1, "ld.acquire.gpu r0, y; ld.weak r1, x")],
        "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
        false,
    ),
    (
        &[(0, "st.weak x, 1; st.release.cta y, 1"), (1, "ld.acquire.gpu r0, y; ld.weak r1, x")],
        "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
        true,
    ),
    (
        &[(0, "st.weak x, 1; st.release.cta y, 1"), (0, "ld.acquire.gpu r0, y; ld.weak r1, x")],
        "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
        false,
    ),
    // Patterns with fences, and with a strong access of the same place after or before.
    (
        &[
            (0, "st.weak x, 1; fence.acq_rel.gpu; st.relaxed.gpu y, 1"),
            (1, "ld.volatile r0, y; fence.acq_rel.gpu; ld.weak r1, x"),
        ],
        "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
        false,
    ),
    (
        &[
            (0, "st.weak x, 1; st.release.gpu y, 1; st.relaxed.gpu y, 2"),
            (1, "ld.relaxed.gpu r0, y; ld.acquire.gpu r2, y; ld.weak r1, x"),
        ],
        "exists (P1:r0 == 2 /\\ P1:r1 == 0)",
        false,
    ),
    (
        &[(0, "st.weak x, 1; st.relaxed.gpu y, 1"), (1, "ld.acquire.gpu r0, y; ld.weak r1, x")],
        "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
        true,
    ),
    // Observation goes through atomics, not through other writes.
    (
        &[
            (0, "st.weak x, 1; st.release.gpu y, 1"),
            (1, "atom.relaxed.gpu.add r0, y, 1"),
            (2, "ld.acquire.gpu r0, y; ld.weak r1, x"),
        ],
        "exists (P2:r0 == 2 /\\ P2:r1 == 0)",
        false,
    ),
    // Fence-SC order.
    (
        &[(0, "st.weak x, 1; fence.sc.gpu; ld.weak r0, y"), (1, "st.weak y, 1; fence.sc.gpu; ld.weak r0, x")],
        "exists (P0:r0 == 0 /\\ P1:r0 == 0)",
        false,
    ),
    (
        &[(0, "st.weak x, 1; fence.acq_rel.gpu; ld.weak r0, y"), (1, "st.weak y, 1; fence.sc.gpu; ld.weak r0, x")],
        "exists (P0:r0 == 0 /\\ P1:r0 == 0)",
        true,
    ),
    // Barriers of a block, and those of different blocks.
    (&[(0, "st.weak x, 1; bar.cta.sync 0"), (0, "bar.cta.sync 0; ld.weak r0, x")], "forall (P1:r0 == 1)", true),
    (&[(0, "st.weak x, 1; bar.cta.sync 0"), (1, "bar.cta.sync 0; ld.weak r0, x")], "forall (P1:r0 == 1)", false),
    // Coherence and its gaps: racing weak reads need not agree, strong ones must.
    (
        &[(0, "st.relaxed.gpu x, 1"), (1, "ld.relaxed.gpu r0, x; ld.relaxed.gpu r1, x")],
        "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
        false,
    ),
    (&[(0, "st.relaxed.gpu x, 1"), (1, "ld.weak r0, x; ld.weak r1, x")], "exists (P1:r0 == 1 /\\ P1:r1 == 0)", true),
    (&[(0, "st.weak x, 1; st.weak x, 2; ld.weak r0, x")], "forall (P0:r0 == 2 /\\ x == 2)", true),
    // Atomicity, where scopes include each other.
    (&[(0, "atom.relaxed.gpu.add r0, x, 1"), (1, "atom.relaxed.gpu.add r0, x, 1")], "forall (x == 2)", true),
    (&[(0, "atom.relaxed.cta.add r0, x, 1"), (1, "atom.relaxed.cta.add r0, x, 1")], "forall (x == 2)", false),
    // No out-of-thin-air values, though loads may see later stores.
    (&[(0, "ld.weak r0, x; st.weak y, r0"), (1, "ld.weak r0, y; st.weak x, r0")], "forall (x == 0 /\\ y == 0)", true),
    (
        &[(0, "ld.relaxed.gpu r0, x; st.relaxed.gpu y, 1"), (1, "ld.relaxed.gpu r0, y; st.relaxed.gpu x, 1")],
        "exists (P0:r0 == 1 /\\ P1:r0 == 1)",
        true,
    ),
];

#[test]
fn verdicts_are_those_of_the_manual() {
    for (threads, question, expected) in ROWS {
        let program = program(threads, question);
        assert_eq!(answer(&program, 0).unwrap(), *expected, "{program}{question}\n{:?}", outcomes(&program, 0));
    }
}

#[test]
fn what_may_change_places_shows_in_no_outcome() {
    let tried: usize = parallel::map(&programs(PROGRAMS, 1), |program| {
        let (found, pairs) = unsound(program, Rules::ALL, 0).unwrap();
        assert!(found.is_empty(), "{program}{:?}", found[0]);
        pairs
    })
    .into_iter()
    .sum();
    assert!(tried > 500, "only {tried} pairs");
}

/// The rules that the model needs; `strong` is stricter than the model: see the next test.
#[test]
fn each_rule_of_the_model_is_needed() {
    let programs = programs(PROGRAMS, 1);
    let shows = parallel::map(&Rules::LIST, |(name, rule)| {
        let shown = programs.iter().any(|p| !unsound(p, Rules::ALL.without(*rule), 0).unwrap().0.is_empty());
        (*name, shown)
    });
    assert_eq!(shows, [("bytes", true), ("strong", false), ("acquire", true), ("release", true)]);
}

/// The guarantee beyond the model, in the header of `raddle_ir::order`: strong operations keep
/// their order.
#[test]
fn the_rule_that_is_stricter_than_the_model_keeps_strong_operations_in_order() {
    let strong_pairs = |rules: Rules| {
        let mut count = 0;
        for program in programs(PROGRAMS, 1) {
            for (thread, at) in pairs(&program, rules) {
                let code = &program.threads[thread].code;
                let strong = |n: usize| event(&program, thread, &code[n]).is_some_and(|e| e.strength != Strength::Weak);
                count += usize::from(strong(at) && strong(at + 1));
            }
        }
        count
    };
    assert_eq!(strong_pairs(Rules::ALL), 0);
    let (_, strong) = Rules::LIST[1];
    assert!(strong_pairs(Rules::ALL.without(strong)) > 50);
}

/// Some programs of each shape.
fn programs(each: u64, seed: u64) -> Vec<Program> {
    SHAPES.iter().flat_map(|shape| some(shape, each, seed)).collect()
}

/// Programs of each shape whose threads are compiled.
const COMPILED: u64 = 30;

#[test]
fn machine_code_has_no_outcome_that_the_program_lacks() {
    let programs: Vec<Program> = programs(COMPILED, 2);
    // The programs of an architecture share most of their threads.
    let moved = parallel::map(&[0, 1, 2, 3], |&row| {
        let arch = ARCHS[row];
        let mut cubins: BTreeMap<(String, Level), Vec<u8>> = BTreeMap::new();
        let mut moved = 0;
        for (n, program) in programs.iter().skip(row).step_by(ARCHS.len()).enumerate() {
            let mut before = None;
            // The levels with passes: the last one, and one of the others in turn.
            for level in [Level::turn(n, row), Level::O3] {
                let after = compiled(program, arch, |text| {
                    let key = (text.to_owned(), level);
                    let made = || compile(text, arch, level, 1, None).map_err(|e| anyhow::anyhow!("{e:?}"));
                    match cubins.get(&key) {
                        Some(cubin) => Ok(cubin.clone()),
                        None => made().inspect(|cubin| drop(cubins.insert(key, cubin.clone()))),
                    }
                });
                let after = after.unwrap_or_else(|e| panic!("{arch} -{level}: {e:#}\n{program}"));
                if after.threads == program.threads {
                    continue;
                }
                moved += 1;
                let before = before.get_or_insert_with(|| outcomes(program, 0).unwrap().0);
                let new: Vec<_> = outcomes(&after, 0).unwrap().0.difference(before).cloned().collect();
                assert!(new.is_empty(), "{arch} -{level}: {:?}\n{program}becomes\n{after}", new[0]);
            }
        }
        moved
    });
    let (moved, judged): (usize, usize) = (moved.iter().sum(), programs.len() * 2);
    assert!(judged > 1000 && moved > 30, "{moved} of {judged} programs were changed");
}
