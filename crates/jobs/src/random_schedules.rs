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
    rung: Condvar,
}

/// A build of `jobs` jobs on `workers` workers under a server with `tokens` tokens; cancelled once
/// `cancel` jobs have ended.
fn build(tokens: usize, workers: usize, jobs: usize, cancel: Option<usize>) {
    let (read, write) = rustix::pipe::pipe().unwrap();
    let bytes: Vec<u8> = (0..tokens as u8).collect();
    rustix::io::write(&write, &bytes).unwrap();
    let flags = format!(" -j --jobserver-auth={},{}", read.as_raw_fd(), write.as_raw_fd());
    let Found::Client(client) = connect(Some(flags.as_ref())) else { panic!("{flags}") };
    let mut held = Tokens::new(std::sync::Arc::new(client));
    let queue = Arc::new(Queue::new(0));
    let shared = Arc::new(Shared::default());
    let threads: Vec<_> = (0..workers).map(|_| worker(Arc::clone(&queue), Arc::clone(&shared))).collect();
    for job in 0..jobs {
        queue.push(job as u64 % 3, job).unwrap();
    }
    queue.seal();
    loop {
        let ended = shared.ends.lock().unwrap().len();
        if ended == jobs {
            break;
        }
        if cancel.is_some_and(|after| ended >= after) {
            let dropped = queue.close();
            shared.ends.lock().unwrap().extend(dropped.into_iter().map(|job| (job, End::Dropped)));
        }
        // The result does not matter: no other client has a token that could be returned.
        held.balance(&queue, Wanted { tasks: workers, all: workers, spare: 0 }, || workers);
        assert!(held.count() >= queue.load().permits, "a permit without a token");
        let ends = shared.ends.lock().unwrap();
        if ends.len() == ended {
            drop(shared.rung.wait(ends).unwrap());
        }
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(queue.load().running, 0);
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

fn worker(queue: Arc<Queue<usize>>, shared: Arc<Shared>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        while let Some(job) = queue.take() {
            let load = queue.load();
            assert!(load.running <= load.permits, "{load:?}");
            thread::yield_now();
            // Bypasses the panic hook, which is shuttle's and would count a caught panic.
            let result = catch_unwind(AssertUnwindSafe(|| {
                if job % 4 == 1 {
                    resume_unwind(Box::new(()))
                }
            }));
            let end = if result.is_ok() { End::Done } else { End::Panicked };
            queue.finish();
            shared.ends.lock().unwrap().push((job, end));
            shared.rung.notify_one();
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
    random(|| build(2, 3, 6, None));
}

#[test]
fn the_implicit_slot_alone_is_enough() {
    random(|| build(0, 2, 4, None));
}

#[test]
fn a_cancellation_at_any_moment_loses_nothing() {
    for after in 0..3 {
        random(move || build(2, 3, 5, Some(after)));
    }
}
