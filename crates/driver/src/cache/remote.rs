//! The remote level of a cache: a store that may be slow, dead, full or wrong.
//!
//! Reads happen on the worker that needs the entry, with a time limit each and a budget for all
//! (`breaker.rs`); opening an envelope counts as part of its read. Writes go through a queue of bounded
//! size to at most [`WRITERS`] threads, which wait for the network and hold no job token; entries are
//! compressed and hashed there. At the end of the build [`Remote::finish`] waits for them for a limited
//! time. What is not written costs nothing but time in a later build.

use super::breaker::{Breaker, Read};
use super::envelope::{LARGEST, Seal};
use super::store::Store;
use crate::key::Key;
use raddle_jobs::lock::lock;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of threads that write.
const WRITERS: usize = 4;
/// The number of bytes that may wait to be written; a larger queue loses entries.
const WAITING: usize = 64 << 20;

/// How a remote store is used.
#[derive(Clone, Debug)]
pub struct RemoteOptions {
    /// The time limit of one request, and of the wait for writes at the end of the build.
    pub timeout: Duration,
    /// The time that reads may take, of all workers together. No worker waits longer than this.
    pub max_wait: Duration,
    /// Never write.
    pub read_only: bool,
    /// What entries are signed with; with an empty one they are not signed.
    pub secret: Vec<u8>,
}

impl Default for RemoteOptions {
    fn default() -> RemoteOptions {
        let (timeout, max_wait) = (Duration::from_secs(2), Duration::from_secs(10));
        RemoteOptions { timeout, max_wait, read_only: false, secret: Vec::new() }
    }
}

/// Counts of the uses of a remote store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemoteUsed {
    /// Entries that were found.
    pub hits: u64,
    /// Entries that were missing.
    pub misses: u64,
    /// Answers that were not the entry of their key: damaged, of another key, without the right
    /// signature.
    pub refused: u64,
    /// Reads that failed.
    pub failed: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Entries written.
    pub written: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Entries that were not written.
    pub unwritten: u64,
    /// The time that workers waited for answers, of all workers together.
    pub waited: Duration,
}

/// What time it is.
pub(super) trait Clock: std::fmt::Debug + Send + Sync {
    /// The time since some moment.
    fn now(&self) -> Duration;
}

impl Clock for Instant {
    fn now(&self) -> Duration {
        self.elapsed()
    }
}

/// A remote level.
#[derive(Debug)]
pub(super) struct Remote {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Arc<dyn Store>,
    /// The clock of reads.
    clock: Box<dyn Clock>,
    seal: Seal,
    timeout: Duration,
    read_only: bool,
    state: Mutex<State>,
    /// A write has ended.
    written: Condvar,
    /// Something waits to be written, or nothing will.
    waiting: Condvar,
}

#[derive(Debug)]
struct State {
    breaker: Breaker,
    used: RemoteUsed,
    queue: VecDeque<(Key, Vec<u8>)>,
    queued_bytes: usize,
    /// Threads, and those that write at the moment.
    threads: usize,
    busy: usize,
    closed: bool,
}

impl Remote {
    pub fn new(store: Arc<dyn Store>, options: &RemoteOptions) -> Remote {
        Remote::with_clock(store, options, Box::new(Instant::now()))
    }

    /// A remote level whose reads are timed by a clock.
    pub fn with_clock(store: Arc<dyn Store>, options: &RemoteOptions, clock: Box<dyn Clock>) -> Remote {
        let state = State {
            breaker: Breaker::new(options.max_wait),
            used: RemoteUsed::default(),
            queue: VecDeque::new(),
            queued_bytes: 0,
            threads: 0,
            busy: 0,
            closed: false,
        };
        let inner = Inner {
            store,
            clock,
            seal: Seal::new(&options.secret),
            timeout: options.timeout,
            read_only: options.read_only,
            state: Mutex::new(state),
            written: Condvar::new(),
            waiting: Condvar::new(),
        };
        Remote { inner: Arc::new(inner) }
    }

    /// The entry of a key.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let inner = &*self.inner;
        let within = lock(&inner.state).breaker.within(inner.timeout)?;
        let begun = inner.clock.now();
        let answer = inner.store.get(key, within);
        let bytes = answer.as_ref().ok().and_then(Option::as_ref);
        let entry = bytes.and_then(|bytes| inner.seal.open(key, bytes));
        let took = inner.clock.now().saturating_sub(begun);
        let how = match &answer {
            Err(error) => Read::Failed(error),
            Ok(None) => Read::Miss,
            Ok(Some(_)) if entry.is_none() => Read::Refused,
            Ok(Some(_)) => Read::Hit,
        };
        let mut state = lock(&inner.state);
        let used = &mut state.used;
        let counter = match how {
            Read::Hit => &mut used.hits,
            Read::Miss => &mut used.misses,
            Read::Refused => &mut used.refused,
            Read::Failed(_) => &mut used.failed,
        };
        *counter += 1;
        used.read_bytes += bytes.map_or(0, Vec::len) as u64;
        used.waited += took;
        state.breaker.read(took, &how);
        entry
    }

    /// Queues an entry to be written.
    pub fn put(&self, key: &Key, entry: Vec<u8>) {
        let inner = &self.inner;
        if inner.read_only {
            return;
        }
        let mut state = lock(&inner.state);
        let fits = entry.len() <= LARGEST && (state.queue.is_empty() || state.queued_bytes + entry.len() <= WAITING);
        if state.breaker.no_writes.is_some() || state.closed || !fits {
            state.used.unwritten += 1;
            return;
        }
        state.queued_bytes += entry.len();
        state.queue.push_back((*key, entry));
        // One thread for each entry that waits, up to the limit.
        if state.threads < WRITERS && state.threads - state.busy < state.queue.len() {
            let writer = Arc::clone(inner);
            let started = std::thread::Builder::new().name("remote cache".to_owned()).spawn(move || writer.write_all());
            state.threads += usize::from(started.is_ok());
        }
        inner.waiting.notify_one();
    }

    /// Waits for what is queued, at most for the time limit of a request, and writes nothing after that.
    pub fn finish(&self) {
        let inner = &*self.inner;
        let deadline = Instant::now() + inner.timeout;
        let mut state = lock(&inner.state);
        while (!state.queue.is_empty() || state.busy > 0) && state.threads > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = inner.written.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        if !state.closed {
            state.used.unwritten += (state.queue.len() + state.busy) as u64;
        }
        state.close();
        inner.waiting.notify_all();
    }

    /// The uses so far.
    pub fn used(&self) -> RemoteUsed {
        lock(&self.inner.state).used
    }

    /// What to warn of at the end of the build.
    pub fn warning(&self) -> Option<String> {
        let warning = lock(&self.inner.state).breaker.warning()?;
        Some(format!("remote cache '{}' {warning}", self.inner.store.name()))
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        lock(&self.inner.state).close();
        self.inner.waiting.notify_all();
    }
}

impl State {
    /// Lets the threads end.
    fn close(&mut self) {
        self.closed = true;
        self.queue.clear();
    }
}

impl Inner {
    /// Writes what is queued, until nothing will be any more.
    fn write_all(&self) {
        let mut state = lock(&self.state);
        while !state.closed {
            let Some((key, entry)) = state.queue.pop_front() else {
                state = self.waiting.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.queued_bytes -= entry.len();
            state.busy += 1;
            let gone = state.breaker.no_writes.is_some();
            drop(state);
            let size = if gone { None } else { self.write(&key, &entry) };
            state = lock(&self.state);
            state.busy -= 1;
            // Once it is closed, all that was on its way has been counted.
            if !state.closed {
                match size {
                    Some(size) => {
                        state.used.written += 1;
                        state.used.written_bytes += size;
                    }
                    None => state.used.unwritten += 1,
                }
            }
            self.written.notify_all();
        }
    }

    /// Writes an entry; returns the number of bytes.
    fn write(&self, key: &Key, entry: &[u8]) -> Option<u64> {
        let envelope = self.seal.close(key, entry);
        let size = envelope.len() as u64;
        let done = self.store.put(key, envelope, self.timeout);
        lock(&self.state).breaker.write(&done);
        done.is_ok().then_some(size)
    }
}
