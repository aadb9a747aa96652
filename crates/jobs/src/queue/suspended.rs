//! Jobs that wait for something outside of the pool.
//!
//! A job that is running may be suspended: it is put aside, ends like any other, and counts nothing
//! from then on, neither a permit nor memory. It is queued again, before all others, when it is ready
//! ([`Queue::resume`]), or earlier, for workers that have nothing else to do
//! ([`Queue::resume_idle`]).

use super::{Entry, Queue, State};
use crate::sync::lock;

impl<J> State<J> {
    /// Queues at most `most` suspended jobs for which this holds; returns their number.
    fn bring_back(&mut self, most: usize, mut wanted: impl FnMut(&J) -> bool) -> usize {
        let (mut count, mut at) = (0, 0);
        while count < most && at < self.suspended.len() {
            if wanted(&self.suspended[at].job) {
                count += 1;
                let entry = self.suspended.swap_remove(at);
                self.heap.push(entry);
            } else {
                at += 1;
            }
        }
        count
    }
}

impl<J> Queue<J> {
    /// Puts aside what is left of a job that is running and still has to be ended
    /// ([`Queue::finish`]); a closed queue returns it.
    pub fn suspend(&self, job: J) -> Result<(), J> {
        let mut state = lock(&self.state);
        if state.closed {
            return Err(job);
        }
        let number = state.submitted;
        state.submitted += 1;
        state.suspended.push(Entry { priority: u64::MAX, number, weight: 0, job });
        Ok(())
    }

    /// Queues suspended jobs that are ready, before all others; returns their number.
    pub fn resume(&self, ready: impl FnMut(&J) -> bool) -> usize {
        let mut state = lock(&self.state);
        let count = state.bring_back(usize::MAX, ready);
        drop(state);
        self.notify(count)
    }

    /// If nothing is queued: queues suspended jobs that are overdue, until `most` run; returns their
    /// number.
    pub fn resume_idle(&self, most: usize, overdue: impl FnMut(&J) -> bool) -> usize {
        let mut state = lock(&self.state);
        let room = if state.heap.is_empty() { most.saturating_sub(state.running + state.lent) } else { 0 };
        let count = state.bring_back(room, overdue);
        drop(state);
        self.notify(count)
    }

    /// The least key of the suspended jobs that have one.
    pub fn least_suspended<K: Ord>(&self, key: impl Fn(&J) -> Option<K>) -> Option<K> {
        lock(&self.state).suspended.iter().filter_map(|entry| key(&entry.job)).min()
    }

    fn notify(&self, count: usize) -> usize {
        if count > 0 {
            self.work.notify_all();
        }
        count
    }
}
