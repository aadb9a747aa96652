//! Admission by memory: the budget is never exceeded, over all pools of a ledger, and one task
//! always runs.

use raddle_jobs::memory::Budget;
use raddle_jobs::pool::{ExpectedUse, run_all, run_in_parts};
use raddle_jobs::{Chaos, Config, Outcome, TaskResult};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;

/// The memory that tasks hold together.
#[derive(Default)]
struct Scale {
    now: AtomicU64,
    most: AtomicU64,
}

/// Runs tasks that use these MiB each; the first ones wait until `until` MiB were in use at once.
/// Returns how long workers were idle because of memory.
fn run(budget: Budget, tasks: &[u64], workers: usize, scale: &Scale, until: u64) -> Duration {
    let begun = Instant::now();
    let config = Config { workers, memory: Some(Arc::new(budget)), ..Config::default() };
    let need = |&mib: &u64| ExpectedUse { priority: 0, cost: mib, bytes: mib * MIB };
    let body = |_: &mut raddle_jobs::Task, _: usize, &mib: &u64| {
        let now = scale.now.fetch_add(mib, Ordering::SeqCst) + mib;
        scale.most.fetch_max(now, Ordering::SeqCst);
        while scale.most.load(Ordering::SeqCst) < until && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Time for a surplus task to start.
        std::thread::sleep(Duration::from_millis(4));
        scale.now.fetch_sub(mib, Ordering::SeqCst);
    };
    let ran = run_all(&config, tasks, need, |mib| format!("{mib} MiB").into(), body, |_| true).unwrap();
    assert_eq!(ran.finished.len(), tasks.len());
    assert!(ran.finished.iter().all(|task| matches!(task.outcome, Outcome::Done(()))));
    ran.held_back
}

/// A limit that leaves this many MiB for units: the memory of this process is part of it.
fn leaves(mib: u64, folder: Option<&Path>) -> Budget {
    // Other tests run in this process: some MiB of tolerance.
    Budget::in_folder(raddle_jobs::memory::own() + mib * MIB, folder)
}

#[test]
fn tasks_wait_until_there_is_memory_for_them() {
    let scale = Scale::default();
    let tasks: Vec<u64> = (0..20).map(|i| 1000 + i).collect();
    let waited = run(leaves(2600, None), &tasks, 4, &scale, 2000);
    let most = scale.most.into_inner();
    assert!((2000..2600).contains(&most) && waited > Duration::ZERO, "{most} MiB, {waited:?}");
    let scale = Scale::default();
    assert_eq!(run(leaves(100_000, None), &tasks, 4, &scale, 4000), Duration::ZERO);
    assert!(scale.most.into_inner() > 3900, "nothing waits where there is room");
}

#[test]
fn nothing_but_one_task_is_begun_while_memory_is_short() {
    for folder in [None, Some(tempfile::tempdir().unwrap())] {
        let folder = folder.as_ref().map(|folder| folder.path());
        let (short, enough) = (Scale::default(), Scale::default());
        let waited = run(leaves(100_000, folder).under_pressure(|| true), &[10; 6], 4, &short, 0);
        assert!(
            short.most.into_inner() == 10 && waited > Duration::ZERO,
            "one after another, and never none: {waited:?}"
        );
        run(leaves(100_000, folder).under_pressure(|| false), &[10; 6], 4, &enough, 40);
        assert_eq!(enough.most.into_inner(), 40);
    }
}

#[test]
fn what_fits_nowhere_runs_alone() {
    let scale = Scale::default();
    run(leaves(10, None), &[5000, 7000, 3000, 1, 2], 4, &scale, 0);
    assert!(scale.most.into_inner() <= 7010);
}

#[test]
fn builds_of_one_ledger_share_what_there_is() {
    let dir = tempfile::tempdir().unwrap();
    let scale = Scale::default();
    // Every page records the same process as its base.
    let limit = || Budget::in_folder(6 * (raddle_jobs::memory::own() + 40 * MIB) + 3500 * MIB, Some(dir.path()));
    std::thread::scope(|threads| {
        for _ in 0..6 {
            threads.spawn(|| run(limit(), &[1000; 6], 2, &scale, 0));
        }
    });
    let most = scale.most.into_inner();
    assert!((1000..=4000).contains(&most), "{most} MiB at once");
    let left = std::fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(left, 1, "the lock alone stays");
}

/// Runs tasks that are small until they know their needs; returns the most that was needed at once.
fn run_late(memory: Option<Budget>, tasks: &[u64], workers: usize, chaos: Option<Chaos>) -> u64 {
    let scale = Scale::default();
    let config = Config { workers, chaos, memory: memory.map(Arc::new), ..Config::default() };
    let need = |_: &u64| ExpectedUse { priority: 0, cost: 1, bytes: MIB };
    let body = |task: &mut raddle_jobs::Task, number: usize, &mib: &u64| {
        let scale = &scale;
        task.phase("first", |_| ());
        let rest: raddle_jobs::Body<'_, (usize, u64)> = Box::new(move |task| {
            let now = scale.now.fetch_add(mib, Ordering::SeqCst) + mib;
            scale.most.fetch_max(now, Ordering::SeqCst);
            task.phase("rest", |_| std::thread::sleep(Duration::from_millis(20)));
            scale.now.fetch_sub(mib, Ordering::SeqCst);
            assert!(mib != 13, "unlucky");
            TaskResult::Done((number, mib))
        });
        if mib == 0 { TaskResult::Done((number, mib)) } else { TaskResult::NeedsMemory { bytes: mib * MIB, rest } }
    };
    let ran = run_in_parts(&config, tasks, need, |mib| format!("{mib} MiB").into(), body, |_| true).unwrap();
    assert_eq!(ran.finished.len(), tasks.len());
    for (number, (task, &mib)) in ran.finished.iter().zip(tasks).enumerate() {
        let phases: Vec<&str> = task.parts.iter().flat_map(|part| &part.phases).map(|phase| phase.name).collect();
        match &task.outcome {
            Outcome::Done(result) => assert_eq!(*result, (number, mib)),
            Outcome::Panicked(panic) => assert!(mib == 13 && panic.message.contains("unlucky"), "{panic:?}"),
            Outcome::Dropped => panic!("{number} was dropped"),
        }
        assert_eq!(task.parts.len(), if mib == 0 { 1 } else { 2 });
        assert!(task.parts.is_sorted_by(|a, b| a.started + a.wall <= b.started), "{:?}", task.parts);
        assert_eq!(task.wall, task.parts.iter().map(|part| part.wall).sum());
        assert_eq!(phases.len(), if mib == 0 { 1 } else { 2 }, "{phases:?}: all parts are one task");
        assert!(mib == 0 || task.wall >= Duration::from_millis(20));
    }
    scale.most.into_inner()
}

#[test]
fn a_task_that_finds_out_that_it_needs_more_waits_for_it() {
    let tasks = [3000, 0, 3000, 13, 3000, 0, 3000, 3000];
    assert!(run_late(Some(leaves(4000, None)), &tasks, 4, None) < 4000, "one of the large at a time");
    // A waiting task holds nothing: one that never fits runs alone, and does not wait for another
    // waiting one.
    assert!(run_late(Some(leaves(10, None)), &tasks, 4, None) <= 3013);
    let many = [[3000; 8], [40; 8]].concat();
    assert!(run_late(None, &many, 4, None) > 3000, "nothing waits without a budget");
    for seed in 0..6 {
        let chaos = Some(Chaos::new(seed));
        assert!(run_late(Some(leaves(4000, None)), &tasks, 3, chaos) < 4000, "{seed}");
    }
}
