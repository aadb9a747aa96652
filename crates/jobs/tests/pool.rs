//! The pool through its public interface, requirement by requirement: order of results and number
//! of workers (POOL-1), priorities (POOL-2), waiting and dropping (POOL-3), panics (POOL-4), late
//! workers (POOL-5).

use raddle_jobs::pool::{ExpectedUse, run_all, scope};
use raddle_jobs::{Chaos, Config, Event, Finished, Outcome};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn costs(cost: u64) -> ExpectedUse {
    ExpectedUse { cost, ..ExpectedUse::default() }
}

fn config(workers: usize) -> Config {
    Config { workers, ..Config::default() }
}

fn values<T: Clone>(finished: &[Finished<T>]) -> Vec<Option<T>> {
    finished
        .iter()
        .map(|f| match &f.outcome {
            Outcome::Done(value) => Some(value.clone()),
            _ => None,
        })
        .collect()
}

/// The greatest number of bodies that ran at once.
#[derive(Default)]
struct Gauge {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Gauge {
    fn during<T>(&self, body: impl FnOnce() -> T) -> T {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let result = body();
        self.now.fetch_sub(1, Ordering::SeqCst);
        result
    }
}

fn pause() {
    std::thread::sleep(Duration::from_millis(2));
}

#[test]
fn pool_1_results_come_in_input_order_for_any_number_of_workers() {
    let units: Vec<u64> = (0..200).collect();
    let expected: Vec<_> = units.iter().map(|u| Some(u * u)).collect();
    for workers in 0..9 {
        for chaos in [None, Some(Chaos::new(workers as u64))] {
            let config = Config { chaos, ..config(workers) };
            let cost = |u: &u64| u % 7;
            let out = run_all(&config, &units, |u| costs(cost(u)), |u| u.to_string().into(), |_, _, u| u * u, |_| true)
                .unwrap()
                .finished;
            assert_eq!(values(&out), expected);
            assert!(out.iter().enumerate().all(|(i, f)| *f.name == *i.to_string()));
        }
    }
}

#[test]
fn pool_1_one_worker_never_has_two_tasks_at_once() {
    for workers in [1, 3] {
        let gauge = Gauge::default();
        let units = [(); 30];
        let body = |_: &mut _, _, _: &()| gauge.during(pause);
        run_all(&config(workers), &units, |_| costs(0), |_| "u".into(), body, |_| true).unwrap();
        assert_eq!(gauge.most.load(Ordering::SeqCst), workers);
    }
}

#[test]
fn pool_2_greater_priority_starts_first_and_equals_keep_their_order() {
    let order = Mutex::new(Vec::new());
    let gate = AtomicBool::new(false);
    scope(&config(1), 100, |pool| {
        // Occupies the only worker until everything is queued.
        pool.submit(u64::MAX, "gate", |_| {
            while !gate.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        });
        let order = &order;
        for i in 0..20u64 {
            pool.submit(i % 3, "unit", move |_| order.lock().unwrap().push((i % 3, i)));
        }
        gate.store(true, Ordering::SeqCst);
        pool.wait();
    })
    .unwrap();
    let order = order.into_inner().unwrap();
    let mut expected = order.clone();
    expected.sort_by_key(|&(priority, i)| (std::cmp::Reverse(priority), i));
    assert_eq!(order.len(), 20);
    assert_eq!(order, expected);
}

#[test]
fn pool_2_units_of_a_greater_priority_start_before_costlier_ones() {
    let order = Mutex::new(Vec::new());
    let units = [(0, 900), (2, 1), (0, u64::MAX), (1, 5), (2, 7)];
    let need = |&(priority, cost): &(u16, u64)| ExpectedUse { priority, cost, bytes: 0 };
    let body = |_: &mut _, _, unit: &(u16, u64)| order.lock().unwrap().push(*unit);
    let config = Config { batch: 0, ..config(1) };
    run_all(&config, &units, need, |_| "u".into(), body, |_| true).unwrap();
    assert_eq!(*order.lock().unwrap(), [(2, 7), (2, 1), (1, 5), (0, u64::MAX), (0, 900)]);
}

#[test]
fn pool_3_wait_returns_when_nothing_is_queued_or_running() {
    let done = AtomicUsize::new(0);
    scope(&config(3), 50, |pool| {
        let done = &done;
        for _ in 0..50 {
            pool.submit(0, "unit", move |_| {
                pause();
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        pool.wait();
        assert_eq!(done.load(Ordering::SeqCst), 50);
        assert_eq!(std::iter::from_fn(|| pool.next_finished()).count(), 50);
    })
    .unwrap();
}

#[test]
fn pool_3_dropping_discards_the_queue_and_lets_running_tasks_finish() {
    let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
    scope(&config(2), 100, |pool| {
        let (begun, ended) = (&begun, &ended);
        for _ in 0..100 {
            pool.submit(0, "unit", move |_| {
                begun.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(20));
                ended.fetch_add(1, Ordering::SeqCst);
            });
        }
        while begun.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
    })
    .unwrap();
    let (begun, ended) = (begun.into_inner(), ended.into_inner());
    assert_eq!(begun, ended, "a running task finishes");
    assert!((1..100).contains(&begun), "{begun} of 100 began");
}

#[test]
fn pool_3_discarded_tasks_are_reported() {
    let units = [(); 40];
    let out = run_all(&config(1), &units, |_| costs(0), |_| "u".into(), |_, _, _| pause(), |_| false).unwrap().finished;
    assert_eq!(out.len(), 40);
    let dropped = out.iter().filter(|f| f.outcome == Outcome::Dropped).count();
    assert!((30..40).contains(&dropped), "{dropped} dropped");
}

#[test]
fn pool_4_a_panic_poisons_its_own_unit_only() {
    let units: Vec<usize> = (0..40).collect();
    let body = |task: &mut raddle_jobs::Task, i: usize, _: &usize| {
        task.phase("step", |_| assert!(i % 10 != 3, "unit {i} is broken"));
        i
    };
    let out = run_all(&config(4), &units, |_| costs(0), |u| format!("k{u}").into(), body, |_| true).unwrap().finished;
    for (i, finished) in out.iter().enumerate() {
        match &finished.outcome {
            Outcome::Panicked(panic) => {
                assert_eq!(i % 10, 3);
                assert_eq!(panic.message, format!("unit {i} is broken"));
                assert_eq!(*finished.name, *format!("k{i}"));
                assert!(panic.place.as_deref().unwrap().contains("pool.rs"));
                assert_eq!(finished.during, Some("step"));
            }
            Outcome::Done(value) => assert_eq!(*value, i),
            Outcome::Dropped => panic!("unit {i} was dropped"),
        }
    }
}

#[test]
fn pool_5_workers_never_exceed_units_and_start_late() {
    let none: [(); 0] = [];
    assert!(
        run_all(&config(8), &none, |_| costs(0), |_| "u".into(), |_, _, _| (), |_| true).unwrap().finished.is_empty()
    );
    scope(&config(8), 3, |pool| {
        assert_eq!(pool.workers(), 0);
        for _ in 0..3 {
            pool.submit(0, "unit", |_| pause());
        }
        assert!(pool.workers() <= 3);
    })
    .unwrap();
}

#[test]
fn deep_recursion_fits_the_explicit_stack() {
    fn depth(n: u64, pad: [u64; 16]) -> u64 {
        if n == 0 { pad[0] } else { depth(n - 1, std::hint::black_box([n; 16])) + 1 }
    }
    let units = [()];
    let body = |_: &mut _, _, _: &()| depth(20_000, [0; 16]);
    let out = run_all(&config(1), &units, |_| costs(0), |_| "deep".into(), body, |_| true).unwrap().finished;
    assert_eq!(values(&out), [Some(20_001)]);
}

#[test]
fn phases_and_times_are_noted() {
    let units = [()];
    let body = |task: &mut raddle_jobs::Task, _, _: &()| task.phase("step", |_| pause());
    let out = run_all(&config(1), &units, |_| costs(0), |_| "k".into(), body, |_| true).unwrap().finished;
    let [part] = &out[0].parts[..] else { panic!("{:?}", out[0].parts) };
    assert_eq!(part.phases.len(), 1);
    assert!(part.phases[0].wall >= Duration::from_millis(2));
    assert!(out[0].wall >= part.phases[0].wall);
    let workers: BTreeSet<usize> = out.iter().map(|f| f.parts[0].worker).collect();
    assert_eq!(workers, BTreeSet::from([0]));
}

#[test]
fn cancellation_reaches_running_tasks_and_begins_no_others() {
    let config = config(2);
    let units = [(); 40];
    let cancel = config.cancel.clone();
    let body = |task: &mut raddle_jobs::Task, _, _: &()| {
        cancel.cancel();
        while !task.cancel().is_cancelled() {
            std::thread::yield_now();
        }
        true
    };
    let out = run_all(&config, &units, |_| costs(0), |_| "u".into(), body, |_| true).unwrap().finished;
    let (done, dropped): (Vec<_>, Vec<_>) = out.iter().partition(|f| f.outcome == Outcome::Done(true));
    assert!(!done.is_empty() && dropped.len() > 30, "{} done", done.len());
    assert!(dropped.iter().all(|f| f.outcome == Outcome::Dropped));
}

#[test]
fn a_cancelled_pool_sleeps_until_the_last_task_ends() {
    let config = config(2);
    let cancel = config.cancel.clone();
    let body = |_: &mut raddle_jobs::Task, _: usize, _: &()| {
        cancel.cancel();
        std::thread::sleep(Duration::from_millis(200));
    };
    let before = raddle_jobs::timeline::thread_cpu();
    run_all(&config, &[(); 10], |_| costs(0), |_| "u".into(), body, |_| true).unwrap();
    let spent = raddle_jobs::timeline::thread_cpu() - before;
    assert!(spent < Duration::from_millis(60), "the coordinator was busy for {spent:?}");
}

#[test]
fn a_task_whose_time_is_over_is_cancelled_alone() {
    let config = Config { time_limit: Some(Duration::from_millis(30)), ..config(2) };
    let units: Vec<usize> = (0..6).collect();
    let body = |task: &mut raddle_jobs::Task, i: usize, _: &usize| {
        while i == 3 && !task.cancel().is_cancelled() {
            std::thread::yield_now();
        }
        // On a loaded machine the time of another task may be over too: it is not checked.
        i == 3 && task.expired()
    };
    let out = run_all(&config, &units, |_| costs(0), |u| u.to_string().into(), body, |_| true).unwrap().finished;
    let expected: Vec<_> = (0..6).map(|i| Some(i == 3)).collect();
    assert_eq!(values(&out), expected);
    assert!(out[3].wall >= Duration::from_millis(30) && !config.cancel.is_cancelled());
}

#[test]
fn what_runs_is_shown_at_every_tick() {
    let config = Config { tick: Some(Duration::from_millis(5)), ..config(2) };
    let units = ["short", "long"];
    let shown = AtomicBool::new(false);
    let begun = Instant::now();
    let body = |task: &mut raddle_jobs::Task, i: usize, _: &&str| {
        task.phase("sleep", |_| {
            while i == 1 && !shown.load(Ordering::SeqCst) && begun.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
    };
    let mut seen = BTreeSet::new();
    let watch = |event: Event<'_, ()>| {
        if let Event::Tick(running) = event {
            seen.extend(running.iter().map(|task| (task.name.to_string(), task.step())));
            shown.store(seen.iter().any(|(name, step)| name == "long" && step.is_some()), Ordering::SeqCst);
        }
        true
    };
    run_all(&config, &units, |_| costs(0), |u| (*u).into(), body, watch).unwrap();
    assert!(seen.contains(&("long".to_string(), Some("sleep"))), "{seen:?}");
}

#[test]
fn tiny_tasks_share_a_turn_and_keep_their_outcomes() {
    let units: Vec<usize> = (0..100).collect();
    let body = |_: &mut _, i: usize, _: &usize| {
        assert!(i != 50, "broken");
        i
    };
    let config = Config { batch: 10, ..config(4) };
    let ran = run_all(&config, &units, |_| costs(1), |u| u.to_string().into(), body, |_| true).unwrap();
    assert!(ran.workers <= 4);
    for (i, finished) in ran.finished.iter().enumerate() {
        match &finished.outcome {
            Outcome::Done(value) => assert_eq!(*value, i),
            other => assert!(i == 50 && matches!(other, Outcome::Panicked(_)), "{other:?}"),
        }
    }
    let workers: Vec<BTreeSet<usize>> =
        ran.finished.chunks(10).map(|batch| batch.iter().map(|f| f.parts[0].worker).collect()).collect();
    assert!(workers.iter().all(|batch| batch.len() == 1), "{workers:?}");
}
