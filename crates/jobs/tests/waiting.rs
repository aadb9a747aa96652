//! Tasks that wait for something outside of the pool: they hold nothing meanwhile, come back before all
//! others, and are continued early by idle workers.

use raddle_jobs::jobserver::{Found, connect};
use raddle_jobs::pool::{ExpectedUse, Ran, run_in_parts};
use raddle_jobs::{CancelToken, Completion, Config, Outcome, Task, TaskResult};
use rustix::fd::AsRawFd;
use rustix::pipe::{PipeFlags, pipe_with};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const FAR: Duration = Duration::from_secs(100);

fn config(workers: usize) -> Config {
    Config { workers, suspends: true, ..Config::default() }
}

/// An engine that answers after a time, from a thread of its own.
#[derive(Default)]
struct Engine {
    under_way: AtomicUsize,
    most: AtomicUsize,
    threads: Mutex<Vec<std::thread::JoinHandle<()>>>,
}

impl Engine {
    fn start(self: &Arc<Self>, task: &Task, after: Duration) -> Completion {
        let (engine, completion) = (Arc::clone(self), task.completion());
        let now = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let told = completion.clone();
        self.threads.lock().unwrap().push(std::thread::spawn(move || {
            std::thread::sleep(after);
            engine.under_way.fetch_sub(1, Ordering::SeqCst);
            told.complete();
        }));
        completion
    }
}

/// What became of a task: whether its wait was over when it came back.
fn waits<'env>(completion: Completion, overdue: Option<Duration>) -> TaskResult<'env, bool> {
    let seen = completion.clone();
    TaskResult::Waits {
        completion,
        overdue: overdue.map(|after| Instant::now() + after),
        rest: Box::new(move |_| TaskResult::Done(seen.is_complete())),
    }
}

fn run<'env>(
    config: &Config,
    tasks: &'env [usize],
    body: impl Fn(&mut Task, usize) -> TaskResult<'env, bool> + Send + Sync + 'env,
) -> Ran<bool> {
    let need = |_: &usize| ExpectedUse::default();
    run_in_parts(config, tasks, need, |n| n.to_string().into(), move |task, _, &n| body(task, n), |_| true).unwrap()
}

fn values(ran: &Ran<bool>) -> Vec<Option<bool>> {
    let value = |outcome: &Outcome<bool>| if let Outcome::Done(value) = outcome { Some(*value) } else { None };
    ran.finished.iter().map(|task| value(&task.outcome)).collect()
}

#[test]
fn one_worker_has_many_tasks_under_way() {
    let tasks: Vec<usize> = (0..20).collect();
    for batch in [0, 10] {
        let engine = Arc::new(Engine::default());
        let begun = Instant::now();
        let ran = run(&Config { batch, ..config(1) }, &tasks, |task, n| match n % 4 {
            0 => TaskResult::Done(false),
            _ => waits(engine.start(task, Duration::from_millis(50)), None),
        });
        assert_eq!(values(&ran), (0..20).map(|n| Some(n % 4 != 0)).collect::<Vec<_>>());
        assert_eq!(engine.most.load(Ordering::SeqCst), 15, "all at once");
        assert!(begun.elapsed() < Duration::from_secs(10) && ran.workers == 1);
        assert!(ran.suspended > Duration::from_millis(20), "{:?}", ran.suspended);
        assert!(ran.finished.iter().all(|task| task.parts.len() == if task.id.0 % 4 == 0 { 1 } else { 2 }));
        assert!(ran.finished.iter().all(|task| task.wall < Duration::from_millis(40)), "waiting is no work");
    }
}

#[test]
fn a_wait_that_is_over_before_it_begins_is_over() {
    let ran = run(&config(2), &[0, 1, 2], |task, _| {
        let completion = task.completion();
        completion.complete();
        waits(completion, None)
    });
    assert_eq!(values(&ran), [Some(true); 3]);
}

#[test]
fn an_idle_worker_continues_what_is_overdue_and_a_busy_one_does_not() {
    let begun = Instant::now();
    let came_back = Mutex::new(Duration::ZERO);
    let ran = run(&config(1), &[0, 1], |task, n| {
        if n == 1 {
            std::thread::sleep(Duration::from_millis(300));
            return TaskResult::Done(false);
        }
        // Never complete.
        let completion = task.completion();
        TaskResult::Waits {
            completion,
            overdue: Some(Instant::now() + Duration::from_millis(100)),
            rest: Box::new(|_| {
                *came_back.lock().unwrap() = begun.elapsed();
                TaskResult::Done(true)
            }),
        }
    });
    let came_back = *came_back.lock().unwrap();
    assert_eq!(values(&ran), [Some(true), Some(false)]);
    assert!(came_back >= Duration::from_millis(300), "{came_back:?}");
    // Without another task it is the time that was asked for.
    let begun = Instant::now();
    let ran = run(&config(4), &[0], |task, _| waits(task.completion(), Some(Duration::from_millis(200))));
    assert_eq!(values(&ran), [Some(false)]);
    assert!((200..5000).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
}

#[test]
fn a_rest_may_wait_again_and_may_need_memory() {
    let ran = run(&config(2), &[0, 1, 2], |task, _| {
        let first = task.completion();
        first.complete();
        TaskResult::Waits {
            completion: first,
            overdue: None,
            rest: Box::new(|task| {
                let second = waits(task.completion(), Some(Duration::from_millis(1)));
                TaskResult::NeedsMemory { bytes: 1 << 20, rest: Box::new(|_| second) }
            }),
        }
    });
    assert_eq!(values(&ran), [Some(false); 3]);
    assert!(ran.finished.iter().all(|task| task.parts.len() == 4));
}

/// Counts what is dropped.
struct Guard<'a>(&'a AtomicUsize);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_cancellation_drops_what_waits() {
    let tasks: Vec<usize> = (0..30).collect();
    let (cancel, dropped) = (CancelToken::new(), AtomicUsize::new(0));
    let config = Config { cancel: cancel.clone(), ..config(2) };
    let begun = Instant::now();
    let stop = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        cancel.cancel();
    });
    let ran = run(&config, &tasks, |task, _| {
        let guard = Guard(&dropped);
        TaskResult::Waits {
            completion: task.completion(),
            overdue: Some(Instant::now() + FAR),
            rest: Box::new(move |_| {
                drop(guard);
                TaskResult::Done(true)
            }),
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    stop.join().unwrap();
    assert_eq!(values(&ran), vec![None; 30]);
    assert_eq!(dropped.into_inner(), 30);
}

#[test]
fn a_panic_after_the_wait_is_one_of_that_task() {
    let ran = run(&config(1), &[0, 1], |task, n| {
        let completion = task.completion();
        completion.complete();
        TaskResult::Waits {
            completion,
            overdue: None,
            rest: Box::new(move |task| {
                task.phase("rest", |_| if n == 0 { panic!("on purpose") } else { TaskResult::Done(true) })
            }),
        }
    });
    assert_eq!(values(&ran), [None, Some(true)]);
    assert_eq!(ran.finished[0].during, Some("rest"));
}

#[test]
fn tokens_of_make_are_returned_while_tasks_only_wait() {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC).unwrap();
    rustix::io::write(&write, b"abc").unwrap();
    let flags = format!(" -j --jobserver-auth={},{}", read.as_raw_fd(), write.as_raw_fd());
    let Found::Client(client) = connect(Some(flags.as_ref())) else { panic!("{flags}") };
    let config = Config { jobserver: Some(Arc::new(client)), ..config(4) };
    let engine = Arc::new(Engine::default());
    let tasks: Vec<usize> = (0..40).collect();
    let seen = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let begun = Instant::now();
            // All of them are under way, and no token is missing.
            let full = || engine.under_way.load(Ordering::SeqCst) == 40 && rustix::io::ioctl_fionread(&read) == Ok(3);
            while !full() && begun.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(1));
            }
            seen.store(usize::from(full()), Ordering::SeqCst);
        });
        let ran = run(&config, &tasks, |task, _| {
            std::thread::sleep(Duration::from_millis(1));
            waits(engine.start(task, Duration::from_millis(1000)), None)
        });
        assert_eq!(values(&ran), vec![Some(true); 40]);
        assert!(ran.tokens.iter().any(|holding| holding.held > 1), "{:?}", ran.tokens);
    });
    assert_eq!((seen.into_inner(), rustix::io::ioctl_fionread(&read)), (1, Ok(3)));
}
