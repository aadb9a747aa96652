//! The pool under a jobserver: never more tasks than slots, and every token is returned.

use raddle_jobs::jobserver::{Client, Found, connect};
use raddle_jobs::pool::{ExpectedUse, run_all};
use raddle_jobs::tokens::{Holding, TURN};
use raddle_jobs::{Config, Outcome};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

struct Server {
    read: std::io::PipeReader,
    write: std::io::PipeWriter,
}

impl Server {
    fn new(tokens: usize) -> Server {
        let (read, mut write) = std::io::pipe().unwrap();
        write.write_all(&vec![b'+'; tokens]).unwrap();
        Server { read, write }
    }

    fn client(&self) -> Arc<Client> {
        let flags = format!(" -j --jobserver-auth={},{}", self.read.as_raw_fd(), self.write.as_raw_fd());
        match connect(Some(flags.as_ref())) {
            Found::Client(client) => Arc::new(client),
            other => panic!("{other:?}"),
        }
    }

    /// The number of bytes in the pipe.
    fn tokens(&self) -> usize {
        rustix::io::ioctl_fionread(&self.read).unwrap() as usize
    }
}

fn costs(cost: u64) -> ExpectedUse {
    ExpectedUse { cost, ..ExpectedUse::default() }
}

/// A time limit for a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs 40 tasks, of which the first wait until `expected` have run at once, and returns the most
/// that ran at once.
fn most_at_once(workers: usize, expected: usize, client: &Arc<Client>, body: impl Fn(usize) + Sync) -> usize {
    let begun = Instant::now();
    let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let config = Config { workers, jobserver: Some(Arc::clone(client)), ..Config::default() };
    let units: Vec<usize> = (0..40).collect();
    let task = |_: &mut raddle_jobs::Task, i: usize, _: &usize| {
        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        while most.load(Ordering::SeqCst) < expected && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Time for a surplus task to start.
        std::thread::sleep(Duration::from_millis(2));
        now.fetch_sub(1, Ordering::SeqCst);
        body(i);
    };
    let out = run_all(&config, &units, |_| costs(0), |u| u.to_string().into(), task, |_| true).unwrap().finished;
    assert_eq!(out.len(), 40);
    assert!(out.iter().all(|f| f.outcome != Outcome::Dropped));
    most.into_inner()
}

#[test]
fn tasks_never_exceed_tokens_and_the_implicit_slot() {
    for tokens in 0..5 {
        let server = Server::new(tokens);
        let client = server.client();
        assert_eq!(most_at_once(8, tokens + 1, &client, |_| ()), tokens + 1, "{tokens} tokens");
        assert_eq!(server.tokens(), tokens);
    }
}

#[test]
fn the_smaller_of_workers_and_tokens_counts() {
    let server = Server::new(7);
    let client = server.client();
    assert_eq!(most_at_once(2, 2, &client, |_| ()), 2);
    assert_eq!(most_at_once(1, 1, &client, |_| ()), 1);
    assert_eq!(server.tokens(), 7);
}

#[test]
fn tokens_come_back_from_panics() {
    let server = Server::new(3);
    let client = server.client();
    most_at_once(4, 4, &client, |i| assert!(i % 3 != 0, "broken"));
    assert_eq!(server.tokens(), 3);
}

/// The number of tokens held at a time, from the log of a run.
fn held_at(log: &[Holding], at: Instant) -> usize {
    log.iter().take_while(|holding| holding.at <= at).last().map_or(0, |holding| holding.held)
}

#[test]
fn tasks_never_exceed_tokens_at_any_moment() {
    let server = Server::new(3);
    let config = Config { workers: 8, jobserver: Some(server.client()), ..Config::default() };
    let units: Vec<u64> = (0..60).collect();
    let body = |_: &mut raddle_jobs::Task, _: usize, u: &u64| std::thread::sleep(Duration::from_millis(u % 7));
    let ran = run_all(&config, &units, |u| costs(*u), |u| u.to_string().into(), body, |_| true).unwrap();
    let parts: Vec<_> = ran.finished.iter().flat_map(|task| &task.parts).collect();
    assert_eq!(parts.len(), units.len());
    for part in &parts {
        let running = parts.iter().filter(|p| p.started <= part.started && p.started + p.wall > part.started);
        let (running, held) = (running.count(), held_at(&ran.tokens, part.started));
        assert!(running <= held, "{running} tasks, {held} tokens");
    }
    assert_eq!(ran.tokens.last().unwrap().held, 0);
    assert_eq!(server.tokens(), 3);
}

#[test]
fn a_token_has_its_turn_and_goes_back() {
    let server = Server::new(1);
    let config = Config { workers: 2, jobserver: Some(server.client()), ..Config::default() };
    let units = [(); 60];
    let body = |_: &mut raddle_jobs::Task, _: usize, _: &()| std::thread::sleep(Duration::from_millis(20));
    let ran = run_all(&config, &units, |_| costs(0), |_| "u".into(), body, |_| true).unwrap();
    // At least 600 ms of work for two: a turn is 200 ms plus its last task. At the end the token is
    // returned anyway.
    let returns = ran.tokens.windows(2).filter(|pair| (pair[0].held, pair[1].held) == (2, 1));
    let turns: Vec<Duration> = returns.map(|pair| pair[1].at.duration_since(pair[0].at)).collect();
    assert!(turns.len() >= 2 && turns[0] >= TURN, "{turns:?}");
    assert_eq!(server.tokens(), 1);
}

#[test]
fn a_long_task_keeps_its_token_and_the_turn_is_not_lost() {
    let server = Server::new(1);
    let config = Config { workers: 2, jobserver: Some(server.client()), ..Config::default() };
    let units = [300_u64, 300, 5, 5, 5, 5];
    let body = |_: &mut raddle_jobs::Task, _: usize, ms: &u64| std::thread::sleep(Duration::from_millis(*ms));
    let ran = run_all(&config, &units, |u| costs(*u), |_| "u".into(), body, |_| true).unwrap();
    assert!(ran.finished.iter().all(|f| f.outcome == Outcome::Done(())));
    assert_eq!(server.tokens(), 1);
}

#[test]
fn a_cancellation_wakes_who_waits_for_a_token() {
    let server = Server::new(0);
    let config = Config { workers: 4, jobserver: Some(server.client()), ..Config::default() };
    let cancel = config.cancel.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        cancel.cancel();
    });
    let units = [(); 8];
    let body = |task: &mut raddle_jobs::Task, _: usize, _: &()| {
        while !task.cancel().is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let begun = Instant::now();
    let ran = run_all(&config, &units, |_| costs(0), |_| "u".into(), body, |_| true).unwrap();
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    assert_eq!(ran.finished.iter().filter(|f| f.outcome == Outcome::Done(())).count(), 1);
    canceller.join().unwrap();
}

#[test]
fn a_token_that_comes_late_is_used() {
    let server = Server::new(0);
    let client = server.client();
    let mut late = server.write.try_clone().unwrap();
    let giver = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        late.write_all(b"++").unwrap();
    });
    assert_eq!(most_at_once(8, 3, &client, |_| ()), 3);
    giver.join().unwrap();
    assert_eq!(server.tokens(), 2);
}
