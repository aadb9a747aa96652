//! The accounting of the pool: queued, running and suspended jobs, and permits.
//!
//! **Strategy.** One mutex over a heap and its counters, two condition variables. Tasks take
//! milliseconds, so a lock of some tens of nanoseconds per task is negligible, and every rule is
//! one statement under that lock.
//!
//! **Invariants.** `running + lent <= permits`: only idle permits are withdrawn or lent, and a
//! permit that is to be retired is removed when a job ends. A job is taken once; one that is
//! suspended ([`suspended`]) is taken once more, and counts neither as queued nor as running
//! meanwhile. [`Queue::wait_idle`] returns only when nothing is queued, suspended or running. After
//! [`Queue::close`] no job is taken. With a memory budget, the total weight of running jobs never
//! exceeds the grant at the time when the last of them was taken.

mod suspended;
#[cfg(all(test, not(loom)))]
mod tests;

use crate::sync::{Condvar, Mutex, lock, wait};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A priority queue of jobs with the counters of the pool.
#[derive(Debug)]
pub struct Queue<J> {
    state: Mutex<State<J>>,
    /// A job may be available, or the queue was closed.
    work: Condvar,
    /// Nothing is queued or suspended, and nothing runs.
    idle: Condvar,
}

#[derive(Debug)]
struct State<J> {
    heap: BinaryHeap<Entry<J>>,
    /// Jobs that wait for something outside, in any order.
    suspended: Vec<Entry<J>>,
    submitted: u64,
    running: usize,
    permits: usize,
    /// Permits that are lent to tools.
    lent: usize,
    /// Permits that are removed when the next jobs end.
    retiring: usize,
    waiting: usize,
    /// Bytes that running jobs may use, and those they are expected to use.
    granted: u64,
    weight: u64,
    /// Nothing more will be queued: workers that find no job end.
    sealed: bool,
    /// Running jobs may be suspended: workers that find no job wait for their end.
    lingers: bool,
    closed: bool,
}

#[derive(Debug)]
struct Entry<J> {
    priority: u64,
    number: u64,
    weight: u64,
    job: J,
}

impl<J> State<J> {
    /// Whether no job will be taken any more.
    fn is_over(&self) -> bool {
        self.closed || self.sealed && self.has_none() && (!self.lingers || self.running == 0)
    }

    /// Whether nothing is queued and nothing suspended.
    fn has_none(&self) -> bool {
        self.heap.is_empty() && self.suspended.is_empty()
    }

    fn fits(&self, entry: &Entry<J>) -> bool {
        self.granted == u64::MAX || self.weight.saturating_add(entry.weight) <= self.granted
    }

    /// The number of queued jobs, if memory allows one of them to start; 0 otherwise.
    fn startable(&self) -> usize {
        if self.heap.iter().any(|entry| self.fits(entry)) { self.heap.len() } else { 0 }
    }

    /// Takes the best job that fits.
    fn pop(&mut self) -> Option<Entry<J>> {
        if self.fits(self.heap.peek()?) {
            return self.heap.pop();
        }
        let mut entries = std::mem::take(&mut self.heap).into_vec();
        let fitting = entries.iter().enumerate().filter(|(_, entry)| self.fits(entry));
        let best = fitting.max_by(|a, b| a.1.cmp(b.1)).map(|(at, _)| at);
        let taken = best.map(|at| entries.swap_remove(at));
        self.heap = entries.into();
        taken
    }
}

impl<J> PartialEq for Entry<J> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<J> Eq for Entry<J> {}

impl<J> PartialOrd for Entry<J> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<J> Ord for Entry<J> {
    /// The greatest is taken first: high priority, then early submission.
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority.cmp(&other.priority).then(other.number.cmp(&self.number))
    }
}

/// A snapshot of the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Jobs that were not taken; 0 while memory allows none of them.
    pub queued: usize,
    /// Jobs taken and not finished.
    pub running: usize,
    /// Jobs that may run.
    pub permits: usize,
    /// Permits that are lent.
    pub lent: usize,
    /// Jobs that wait for something outside.
    pub suspended: usize,
    /// Workers sleeping in [`Queue::take`].
    pub waiting: usize,
}

impl<J> Queue<J> {
    /// Creates an empty queue that lets `permits` jobs run at once.
    pub fn new(permits: usize) -> Queue<J> {
        let state = State {
            heap: BinaryHeap::new(),
            suspended: Vec::new(),
            submitted: 0,
            running: 0,
            permits,
            lent: 0,
            retiring: 0,
            waiting: 0,
            granted: u64::MAX,
            weight: 0,
            sealed: false,
            lingers: false,
            closed: false,
        };
        Queue { state: Mutex::new(state), work: Condvar::new(), idle: Condvar::new() }
    }

    /// Queues a job; a sealed or closed queue returns it.
    pub fn push(&self, priority: u64, job: J) -> Result<(), J> {
        self.push_weighted(priority, 0, job)
    }

    /// Like [`Queue::push`], for a job that is expected to use `weight` bytes of memory.
    pub fn push_weighted(&self, priority: u64, weight: u64, job: J) -> Result<(), J> {
        if lock(&self.state).sealed {
            return Err(job);
        }
        self.push_again(priority, weight, job)
    }

    /// Like [`Queue::push_weighted`], for a worker that is running a job: allowed on a sealed
    /// queue, too.
    pub fn push_again(&self, priority: u64, weight: u64, job: J) -> Result<(), J> {
        let mut state = lock(&self.state);
        if state.closed {
            return Err(job);
        }
        let number = state.submitted;
        state.submitted += 1;
        state.heap.push(Entry { priority, number, weight, job });
        drop(state);
        self.work.notify_one();
        Ok(())
    }

    /// Sleeps until a job may run, and takes the best; `None` once the queue is closed, or sealed
    /// and without any job, also a suspended one. Every taken job must be followed by one [`Queue::finish`].
    pub fn take(&self) -> Option<J> {
        self.take_weighted().map(|(job, _)| job)
    }

    /// Like [`Queue::take`], with the weight of the job, to be passed to
    /// [`Queue::finish_weighted`].
    pub fn take_weighted(&self) -> Option<(J, u64)> {
        let mut state = lock(&self.state);
        loop {
            if state.is_over() {
                return None;
            }
            if state.running + state.lent < state.permits
                && let Some(entry) = state.pop()
            {
                state.running += 1;
                state.weight = state.weight.saturating_add(entry.weight);
                if state.is_over() {
                    // Sleeping workers end.
                    self.work.notify_all();
                }
                return Some((entry.job, entry.weight));
            }
            state.waiting += 1;
            state = wait(&self.work, state);
            state.waiting -= 1;
        }
    }

    /// Ends a taken job and frees its permit.
    pub fn finish(&self) {
        self.finish_weighted(0);
    }

    /// Like [`Queue::finish`], for a job of this weight.
    pub fn finish_weighted(&self, weight: u64) {
        let mut state = lock(&self.state);
        state.running -= 1;
        state.weight = state.weight.saturating_sub(weight);
        if state.retiring > 0 && state.permits > 1 {
            state.retiring -= 1;
            state.permits -= 1;
        }
        let (idle, over) = (state.running == 0 && state.has_none(), state.is_over());
        drop(state);
        if over {
            self.work.notify_all();
        } else {
            self.work.notify_one();
        }
        if idle {
            self.idle.notify_all();
        }
    }

    /// Sleeps until nothing is queued or suspended, and nothing runs.
    pub fn wait_idle(&self) {
        let mut state = lock(&self.state);
        while state.running > 0 || !state.has_none() {
            state = wait(&self.idle, state);
        }
    }

    /// Closes the queue: returns queued jobs in the order in which they would have run, then those
    /// that are suspended; workers end.
    pub fn close(&self) -> Vec<J> {
        let mut state = lock(&self.state);
        state.closed = true;
        let (heap, mut suspended) = (std::mem::take(&mut state.heap), std::mem::take(&mut state.suspended));
        drop(state);
        self.work.notify_all();
        self.idle.notify_all();
        suspended.sort_by_key(|entry| entry.number);
        heap.into_sorted_vec().into_iter().rev().chain(suspended).map(|entry| entry.job).collect()
    }

    /// Keeps workers of a sealed queue until the last job has ended, since running jobs may be
    /// suspended: what is left of them needs workers, too.
    pub fn linger(&self) {
        lock(&self.state).lingers = true;
    }

    /// Seals the queue, since nothing more will be queued: workers end as soon as they find no job,
    /// and none is suspended.
    pub fn seal(&self) {
        lock(&self.state).sealed = true;
        self.work.notify_all();
    }

    /// Adds a permit.
    pub fn add_permit(&self) {
        lock(&self.state).permits += 1;
        self.work.notify_one();
    }

    /// Withdraws idle permits, but keeps at least one, and `spare` more than jobs need, of which at
    /// most `most` run at once; returns the number withdrawn.
    pub fn withdraw_idle_permits(&self, most: usize, spare: usize) -> usize {
        let mut state = lock(&self.state);
        let jobs = (state.running + state.startable()).min(most).max(state.running);
        let needed = (jobs + state.lent + spare).max(1);
        let surplus = state.permits.saturating_sub(needed);
        state.permits -= surplus;
        surplus
    }

    /// Lends a permit that no job could use now; returns whether there is one.
    pub fn lend(&self) -> bool {
        let mut state = lock(&self.state);
        let idle = state.startable() == 0 && state.running + state.lent < state.permits;
        state.lent += usize::from(idle);
        idle
    }

    /// Returns `count` lent permits.
    pub fn repay(&self, count: usize) {
        let mut state = lock(&self.state);
        state.lent = state.lent.saturating_sub(count);
        drop(state);
        if count > 0 {
            self.work.notify_all();
        }
    }

    /// Retires the permits of the `old` oldest of `held` tokens, each as soon as a job ends.
    /// Permits already removed whose tokens are still held count among them.
    pub fn retire(&self, old: usize, held: usize) {
        let mut state = lock(&self.state);
        let gone = held.saturating_sub(state.permits);
        state.retiring = old.saturating_sub(gone);
    }

    /// The weight of running jobs, that of them and the best queued job, and that of them and
    /// `more` jobs of its weight. 0 three times if nothing is queued and nothing runs.
    pub fn need(&self, more: usize) -> (u64, u64, u64) {
        let state = lock(&self.state);
        let next = state.heap.peek().map_or(0, |entry| entry.weight);
        let more = state.heap.len().min(more) as u64;
        (state.weight, state.weight.saturating_add(next), state.weight.saturating_add(next.saturating_mul(more)))
    }

    /// From now on a job is taken only while the total weight of running jobs is within `bytes`.
    pub fn grant(&self, bytes: u64) {
        let mut state = lock(&self.state);
        let more = bytes > state.granted;
        state.granted = bytes;
        drop(state);
        if more {
            self.work.notify_all();
        }
    }

    /// Whether jobs are queued, but none fits into the grant.
    pub fn is_held_back(&self) -> bool {
        let state = lock(&self.state);
        !state.heap.is_empty() && state.startable() == 0
    }

    /// Returns the counters.
    pub fn load(&self) -> Load {
        let state = lock(&self.state);
        let State { running, permits, lent, waiting, .. } = *state;
        Load { queued: state.startable(), running, permits, lent, suspended: state.suspended.len(), waiting }
    }
}
