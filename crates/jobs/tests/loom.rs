//! Every interleaving with at most two preemptions of the queue's accounting, for two workers:
//! `cargo campaign loom`.
#![cfg(loom)]

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use raddle_jobs::queue::Queue;

fn model(body: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    // Not loom's: it counts over all schedules.
    let count = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counted = std::sync::Arc::clone(&count);
    builder.check(move || {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        body();
    });
    println!("explored {}", count.load(std::sync::atomic::Ordering::Relaxed));
}

struct Counted {
    queue: Queue<usize>,
    running: AtomicUsize,
    done: [AtomicUsize; 2],
}

fn workers(counted: &Arc<Counted>, permits: usize) -> Vec<thread::JoinHandle<()>> {
    (0..2)
        .map(|_| {
            let counted = Arc::clone(counted);
            thread::spawn(move || {
                while let Some(job) = counted.queue.take() {
                    assert!(counted.running.fetch_add(1, Ordering::SeqCst) < permits);
                    counted.done[job].fetch_add(1, Ordering::SeqCst);
                    counted.running.fetch_sub(1, Ordering::SeqCst);
                    counted.queue.finish();
                }
            })
        })
        .collect()
}

fn counted(permits: usize) -> Arc<Counted> {
    Arc::new(Counted {
        queue: Queue::new(permits),
        running: AtomicUsize::new(0),
        done: [AtomicUsize::new(0), AtomicUsize::new(0)],
    })
}

fn every_job_runs_once(permits: usize) {
    model(move || {
        let counted = counted(permits);
        let handles = workers(&counted, permits);
        (0..2).for_each(|job| counted.queue.push(0, job).unwrap());
        counted.queue.wait_idle();
        assert!(counted.done.iter().all(|done| done.load(Ordering::SeqCst) == 1));
        assert!(counted.queue.close().is_empty());
        handles.into_iter().for_each(|handle| handle.join().unwrap());
    });
}

#[test]
fn one_permit_serializes_two_workers() {
    every_job_runs_once(1);
}

#[test]
fn two_permits() {
    every_job_runs_once(2);
}

#[test]
fn closing_loses_no_job() {
    model(|| {
        let counted = counted(2);
        let handles = workers(&counted, 2);
        (0..2).for_each(|job| counted.queue.push(0, job).unwrap());
        let dropped = counted.queue.close();
        handles.into_iter().for_each(|handle| handle.join().unwrap());
        let ran: usize = counted.done.iter().map(|done| done.load(Ordering::SeqCst)).sum();
        assert_eq!(ran + dropped.len(), 2);
    });
}

#[test]
fn a_permit_retires_with_a_job_and_a_sealed_queue_sends_workers_home() {
    model(|| {
        let counted = counted(2);
        let handles = workers(&counted, 2);
        (0..2).for_each(|job| counted.queue.push(0, job).unwrap());
        counted.queue.seal();
        counted.queue.retire(1, 2);
        // No worker waits forever although the queue is not closed.
        handles.into_iter().for_each(|handle| handle.join().unwrap());
        assert!(counted.done.iter().all(|done| done.load(Ordering::SeqCst) == 1));
        assert!((1..=2).contains(&counted.queue.load().permits));
    });
}

#[test]
fn a_permit_that_is_lent_is_no_jobs_until_it_comes_back() {
    model(|| {
        let counted = counted(2);
        let handles = workers(&counted, 2);
        let lent = counted.queue.lend();
        (0..2).for_each(|job| counted.queue.push(0, job).unwrap());
        if lent {
            assert!(counted.queue.load().running <= 1);
            counted.queue.repay(1);
        }
        counted.queue.wait_idle();
        assert!(counted.done.iter().all(|done| done.load(Ordering::SeqCst) == 1));
        counted.queue.close();
        handles.into_iter().for_each(|handle| handle.join().unwrap());
    });
}

#[test]
fn a_permit_that_comes_late_wakes_a_worker() {
    model(|| {
        let counted = counted(0);
        let handles = workers(&counted, 1);
        counted.queue.push(0, 0).unwrap();
        counted.queue.add_permit();
        counted.queue.wait_idle();
        assert_eq!(counted.done[0].load(Ordering::SeqCst), 1);
        counted.queue.close();
        handles.into_iter().for_each(|handle| handle.join().unwrap());
    });
}

/// Jobs of two parts: each worker suspends a job when it takes it for the first time.
#[test]
fn what_is_suspended_comes_back_to_a_worker_of_a_sealed_queue() {
    for lingers in [false, true] {
        model(move || {
            let queue: Arc<Queue<usize>> = Arc::new(Queue::new(1));
            let done = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
            if lingers {
                queue.linger();
            }
            let handles: Vec<_> = (0..2)
                .map(|_| {
                    let (queue, done) = (Arc::clone(&queue), Arc::clone(&done));
                    thread::spawn(move || {
                        while let Some(job) = queue.take() {
                            assert!(queue.load().running <= 1);
                            if done[job].fetch_add(1, Ordering::SeqCst) == 0 && job == 0 {
                                queue.suspend(job).unwrap();
                            }
                            queue.finish();
                        }
                    })
                })
                .collect();
            (0..2).for_each(|job| queue.push(0, job).unwrap());
            queue.seal();
            // What it waits for is complete at any moment.
            while queue.resume(|_| true) == 0 {
                thread::yield_now();
            }
            // No worker waits forever, and none has ended too early.
            handles.into_iter().for_each(|handle| handle.join().unwrap());
            assert_eq!([0, 1].map(|job| done[job].load(Ordering::SeqCst)), [2, 1]);
            queue.wait_idle();
        });
    }
}

#[test]
fn closing_gives_back_what_is_suspended() {
    model(|| {
        let queue: Arc<Queue<usize>> = Arc::new(Queue::new(2));
        queue.push(0, 0).unwrap();
        let worker = Arc::clone(&queue);
        let handle = thread::spawn(move || {
            let mut refused = 0;
            while let Some(job) = worker.take() {
                refused += usize::from(worker.suspend(job).is_err());
                worker.finish();
            }
            refused
        });
        let dropped = queue.close();
        let refused = handle.join().unwrap();
        assert_eq!(dropped.len() + refused, 1);
        queue.wait_idle();
    });
}
