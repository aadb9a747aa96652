//! Tests queue, tokens, panics and cancellation together under random schedules: `cargo campaign
//! shuttle`.
//!
//! The coordinator and the workers are threads of shuttle, which decides what runs next; the
//! jobserver is a real pipe, on which no thread blocks. The steps of the pool in between are
//! repeated here in the same order.

use crate::jobserver::{Found, connect};
use crate::queue::Queue;
use crate::tokens::{Tokens, Wanted};
use rustix::fd::AsRawFd;
use shuttle::sync::{Arc, Condvar, Mutex};
use shuttle::thread;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The outcome of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Done,
    Panicked,
    Dropped,
}

#[derive(Default)]
struct Shared {
    ends: Mutex<Vec<(usize, End)>>,
    /// Jobs that were taken before, those that the engine has not seen, and those that are complete.
    seen: Mutex<Vec<usize>>,
    started: Mutex<Vec<usize>>,
    complete: Mutex<Vec<usize>>,
    /// The coordinator's doorbell: the number of rings.
    rings: Mutex<usize>,
    rung: Condvar,
}

impl Shared {
    /// Whether a job is taken for the first time.
    fn is_new(&self, job: usize) -> bool {
        let mut seen = self.seen.lock().unwrap();
        let is_new = !seen.contains(&job);
        seen.push(job);
        is_new
    }

    fn ring(&self) {
        *self.rings.lock().unwrap() += 1;
        self.rung.notify_one();
    }
}

/// A build of `jobs` jobs on `workers` workers under a server with `tokens` tokens; cancelled once
/// `cancel` jobs have ended. Jobs for which `suspends` holds are suspended once; an engine, a thread of
/// its own, completes them but the last.
fn build(tokens: usize, workers: usize, jobs: usize, cancel: Option<usize>, suspends: fn(usize) -> bool) {
    let (read, write) = rustix::pipe::pipe().unwrap();
    let bytes: Vec<u8> = (0..tokens as u8).collect();
    rustix::io::write(&write, &bytes).unwrap();
    let flags = format!(" -j --jobserver-auth={},{}", read.as_raw_fd(), write.as_raw_fd());
    let Found::Client(client) = connect(Some(flags.as_ref())) else { panic!("{flags}") };
    let mut held = Tokens::new(std::sync::Arc::new(client));
    let queue = Arc::new(Queue::new(0));
    let shared = Arc::new(Shared::default());
    let remote = (0..jobs).filter(|&job| suspends(job)).count();
    if remote > 0 {
        queue.linger();
    }
    let threads: Vec<_> = (0..workers).map(|_| worker(Arc::clone(&queue), Arc::clone(&shared), suspends)).collect();
    let engine = (remote > 1 && cancel.is_none()).then(|| engine(Arc::clone(&shared), remote - 1));
    for job in 0..jobs {
        queue.push(job as u64 % 3, job).unwrap();
    }
    queue.seal();
    loop {
        let rings = *shared.rings.lock().unwrap();
        let ended = shared.ends.lock().unwrap().len();
        if ended == jobs {
            break;
        }
        let complete = shared.complete.lock().unwrap().clone();
        queue.resume(|job| complete.contains(job));
        // Every wait is overdue.
        queue.resume_idle(workers, |_| true);
        if cancel.is_some_and(|after| ended >= after) {
            let dropped = queue.close();
            shared.ends.lock().unwrap().extend(dropped.into_iter().map(|job| (job, End::Dropped)));
            if shared.ends.lock().unwrap().len() == jobs {
                break;
            }
        }
        let before = queue.load();
        // The result does not matter: no other client has a token that could be returned.
        held.balance(&queue, Wanted { tasks: workers, all: workers, spare: 0 }, || workers);
        assert!(held.count() >= queue.load().permits, "a permit without a token");
        // Only this thread can queue anything more.
        if before.running == 0 && before.queued == 0 {
            assert!(held.count() <= 1, "tokens are held while jobs only wait");
        }
        let now = shared.rings.lock().unwrap();
        if *now == rings {
            drop(shared.rung.wait(now).unwrap());
        }
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    engine.into_iter().for_each(|engine| engine.join().unwrap());
    assert_eq!((queue.load().running, queue.load().suspended), (0, 0));
    held.release();
    let mut back = [0; 64];
    // A read of an empty pipe would block.
    let there = rustix::io::ioctl_fionread(&read).unwrap();
    let count = if there == 0 { 0 } else { rustix::io::read(&read, &mut back).unwrap() };
    back[..count].sort_unstable();
    assert_eq!(&back[..count], &bytes[..]);
    let mut ends = shared.ends.lock().unwrap().clone();
    ends.sort_by_key(|end| end.0);
    assert!(ends.iter().enumerate().all(|(job, end)| end.0 == job), "each job ends once: {ends:?}");
    assert!(ends.iter().all(|&(job, end)| end == End::Dropped || (end == End::Panicked) == (job % 4 == 1)));
    assert!(cancel.is_some() || ends.iter().all(|end| end.1 != End::Dropped));
}

/// Completes this many jobs that are suspended.
fn engine(shared: Arc<Shared>, most: usize) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut count = 0;
        while count < most {
            thread::yield_now();
            let started = std::mem::take(&mut *shared.started.lock().unwrap());
            count += started.len();
            shared.complete.lock().unwrap().extend(started);
            shared.ring();
        }
    })
}

fn worker(queue: Arc<Queue<usize>>, shared: Arc<Shared>, suspends: fn(usize) -> bool) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        while let Some(job) = queue.take() {
            let load = queue.load();
            assert!(load.running <= load.permits, "{load:?}");
            thread::yield_now();
            if suspends(job) && shared.is_new(job) {
                shared.started.lock().unwrap().push(job);
                if queue.suspend(job).is_err() {
                    shared.ends.lock().unwrap().push((job, End::Dropped));
                }
                queue.finish();
                shared.ring();
                continue;
            }
            // Bypasses the panic hook, which is shuttle's and would count a caught panic.
            let result = catch_unwind(AssertUnwindSafe(|| {
                if job % 4 == 1 {
                    resume_unwind(Box::new(()))
                }
            }));
            let end = if result.is_ok() { End::Done } else { End::Panicked };
            queue.finish();
            shared.ends.lock().unwrap().push((job, end));
            shared.ring();
        }
    })
}

fn random(body: impl Fn() + Send + Sync + 'static) {
    let body = std::sync::Arc::new(body);
    let again = std::sync::Arc::clone(&body);
    let [random, by_priority] = [3000, 1000];
    shuttle::check_random(move || body(), random);
    shuttle::check_pct(move || again(), by_priority, 3);
    println!("explored {}", random + by_priority);
}

#[test]
fn every_job_ends_once_and_every_token_comes_back() {
    random(|| build(2, 3, 6, None, |_| false));
}

#[test]
fn the_implicit_slot_alone_is_enough() {
    random(|| build(0, 2, 4, None, |_| false));
}

#[test]
fn a_cancellation_at_any_moment_loses_nothing() {
    for after in 0..3 {
        random(move || build(2, 3, 5, Some(after), |_| false));
        random(move || build(2, 3, 5, Some(after), |job| job % 2 == 0));
    }
}

#[test]
fn jobs_that_wait_for_an_engine_end_once_whether_it_answers_or_not() {
    random(|| build(2, 3, 6, None, |job| job % 3 != 0));
    random(|| build(0, 2, 4, None, |_| true));
}
