//! The machine code of every level and both schedulers keeps the order required by the memory
//! model.

use raddle_tests::judge::ARCHS;
use raddle_tests::level::Level;
use raddle_tests::memory_flow;
use raddle_tests::memory_order::{Order, judge, program};
use raddle_tests::parallel;
use raddle_tests::random::judge::compile;

/// Kernels per architecture.
const KERNELS: u64 = 75;

#[test]
fn strong_accesses_and_fences_keep_their_order() {
    let seeds: Vec<u64> = (0..KERNELS * ARCHS.len() as u64).collect();
    let judged = parallel::map(&seeds, |&seed| {
        let arch = ARCHS[seed as usize % ARCHS.len()];
        let program = program(seed);
        let mut failing = Vec::new();
        for level in Level::ALL {
            let cubin = compile(&program.text, arch, level, 1, None)
                .unwrap_or_else(|e| panic!("{seed}: {e:?}\n{}", program.text));
            if let Err(why) = judge(&program, &cubin, arch) {
                failing.push(format!("seed {seed}, {arch} -{level}: {why:#}\n{}", program.text));
            }
        }
        (failing, program.steps.iter().any(|s| s.order == Order::Weak))
    });
    let moved = judged.iter().filter(|(_, may_move)| *may_move).count();
    let failing: Vec<String> = judged.into_iter().flat_map(|(failing, _)| failing).collect();
    assert!(moved > 100, "hardly a kernel has an access that may move");
    assert!(failing.is_empty(), "{} differences, the first:\n{}", failing.len(), failing[0]);
}

/// Kernels with control flow per architecture.
const FLOWS: u64 = 40;

#[test]
fn loops_and_branches_keep_the_order() {
    let seeds: Vec<u64> = (0..FLOWS * ARCHS.len() as u64).collect();
    let judged = parallel::map(&seeds, |&seed| {
        let arch = ARCHS[seed as usize % ARCHS.len()];
        let program = memory_flow::program(seed);
        let mut failing = Vec::new();
        for level in [Level::O0, Level::O2, Level::O3, Level::Serial] {
            let cubin = compile(&program.text, arch, level, 1, None)
                .unwrap_or_else(|e| panic!("{seed}: {e:?}\n{}", program.text));
            if let Err(why) = memory_flow::judge(&program, &cubin, arch) {
                failing.push(format!("seed {seed}, {arch} -{level}: {why:#}\n{}", program.text));
            }
        }
        (failing, program.counts())
    });
    let (weak, orders) = judged.iter().fold((0, 0), |sum, (_, counts)| (sum.0 + counts.0, sum.1 + counts.1));
    assert!(weak > 500 && orders > 500, "{weak} weak accesses, {orders} that order others");
    let failing: Vec<String> = judged.into_iter().flat_map(|(failing, _)| failing).collect();
    assert!(failing.is_empty(), "{} differences, the first:\n{}", failing.len(), failing[0]);
}
