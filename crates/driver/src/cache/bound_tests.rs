//! The bound on the time that workers wait for a remote store, by a clock that only the store moves.

use super::remote::{Clock, RemoteOptions};
use super::*;
use crate::key::Key;
use std::cell::Cell;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

thread_local! {
    /// What this thread has waited so far.
    static WAITED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

#[derive(Debug)]
struct Waited;

impl Clock for Waited {
    fn now(&self) -> Duration {
        WAITED.get()
    }
}

/// What a store answers after the time of an answer.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Entry,
    Nothing,
    Damage,
    Error,
}

/// A store whose answers take some time of the thread's clock.
#[derive(Debug)]
struct Slow {
    answer: Answer,
    takes: Duration,
    gets: AtomicU32,
    /// All requests wait for each other here, the first time.
    together: Option<std::sync::Barrier>,
}

impl Store for Slow {
    fn get(&self, key: &Key, within: Duration) -> Result<Option<Vec<u8>>, StoreError> {
        self.gets.fetch_add(1, Ordering::Relaxed);
        if WAITED.get().is_zero() {
            self.together.as_ref().map(std::sync::Barrier::wait);
        }
        WAITED.set(WAITED.get() + self.takes.min(within));
        if self.takes > within {
            return Err(StoreError::Timeout(within));
        }
        match self.answer {
            Answer::Entry => Ok(Some(envelope::Seal::new(b"").close(key, &encode(&UnitObject::default())))),
            Answer::Nothing => Ok(None),
            Answer::Damage => Ok(Some(b"damage".to_vec())),
            Answer::Error => Err(StoreError::Failed("status 500".to_owned())),
        }
    }

    fn put(&self, _: &Key, _: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        Ok(())
    }

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        Ok(Vec::new())
    }

    fn remove(&self, _: &Key) -> Result<(), StoreError> {
        Ok(())
    }

    fn name(&self) -> String {
        "slow://store".to_owned()
    }
}

/// A cache with a store whose answers take some time. A request may take 300 ms, all together a second.
fn cache(answer: Answer, takes: Duration, workers: usize) -> (Arc<Slow>, Cache) {
    let together = (workers > 1).then(|| std::sync::Barrier::new(workers));
    let store = Arc::new(Slow { answer, takes, gets: AtomicU32::new(0), together });
    let options = RemoteOptions { timeout: 300 * MS, max_wait: 1000 * MS, ..RemoteOptions::default() };
    let remote = Remote::with_clock(store.clone(), &options, Box::new(Waited));
    (store, Cache { remote: Some(remote), ..Cache::of(None, None) })
}

/// Asks for 1100 entries. Returns the time that this took by the clock of the thread.
fn ask(cache: &Cache) -> Duration {
    WAITED.set(Duration::ZERO);
    for n in 0..1100 {
        cache.get(&Key::parse(&format!("{n:064x}")).unwrap(), 0);
    }
    WAITED.get()
}

#[test]
fn no_answer_is_free() {
    for (answer, takes, gets, waited) in [
        // Hits just below a tenth of a second: ten of them, and one that may take what is left.
        (Answer::Entry, 99, 11, 1000),
        (Answer::Entry, 1, 1000, 1000),
        (Answer::Nothing, 250, 4, 1000),
        (Answer::Damage, 40, 25, 1000),
        (Answer::Nothing, 299, 4, 1000),
        // Three failures in a row come first.
        (Answer::Error, 20, 3, 60),
        (Answer::Entry, 301, 3, 900),
        (Answer::Entry, 0, 1100, 0),
    ] {
        let (store, cache) = cache(answer, takes * MS, 1);
        assert_eq!(ask(&cache), waited * MS, "{answer:?} {takes}");
        assert_eq!(store.gets.load(Ordering::Relaxed), gets, "{answer:?} {takes}");
        let used = cache.used();
        assert_eq!((used.hits + used.misses, used.remote.unwrap().waited), (1100, waited * MS));
        assert_eq!(cache.warning().is_some(), takes > 0);
    }
}

/// Requests that are under way at the same time know nothing of each other; still no worker waits longer.
#[test]
fn no_worker_waits_longer() {
    for takes in [1, 99, 250, 300, 1000] {
        for answer in [Answer::Entry, Answer::Nothing, Answer::Damage, Answer::Error] {
            let (store, cache) = cache(answer, takes * MS, 8);
            let waited: Vec<Duration> = std::thread::scope(|scope| {
                let workers = [(); 8].map(|()| scope.spawn(|| ask(&cache)));
                workers.map(|worker| worker.join().unwrap()).into()
            });
            let sum: Duration = waited.iter().sum();
            assert!(store.gets.load(Ordering::Relaxed) >= 8, "all begin at the same time");
            assert!(waited.iter().all(|waited| *waited <= 1000 * MS), "{answer:?} {takes}: {waited:?}");
            assert!(sum <= 1000 * MS + 7 * 300 * MS, "{answer:?} {takes}: {sum:?}");
            assert_eq!(cache.used().remote.unwrap().waited, sum);
            assert!(cache.warning().is_some());
        }
    }
}
