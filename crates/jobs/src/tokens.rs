//! The tokens of a pool, kept consistent with the permits of its queue.
//!
//! **Rules** (for fairness to other clients of make). A token is requested only while a task could
//! start with it. An idle token is returned at once. A token serves consecutive tasks for at most
//! [`TURN`]: then it is returned as soon as its current task ends, and requested again, so that
//! others get their turn; a single long task keeps its token to its end. The implicit slot has no
//! turn.
//!
//! **Invariant.** The tokens held, including the implicit slot, are never fewer than the queue's
//! permits.

use crate::jobserver::{Client, Token};
use crate::queue::Queue;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time for which a token may serve consecutive tasks.
pub const TURN: Duration = Duration::from_millis(200);

/// A change of the number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The time of the change: after a token was taken, or before one is returned.
    pub at: Instant,
    /// Tokens held from then on, including the implicit slot.
    pub held: usize,
}

/// The purposes of requested tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// The most tasks at once.
    pub(crate) tasks: usize,
    /// The most tasks and tool slots at once.
    pub(crate) all: usize,
    /// Tool slots to add to the existing ones.
    pub(crate) spare: usize,
}

/// Tokens, the implicit slot first, then by age.
#[derive(Debug)]
pub(crate) struct Tokens {
    client: Arc<Client>,
    held: Vec<(Token, Instant)>,
    pub(crate) log: Vec<Holding>,
}

impl Tokens {
    pub(crate) fn new(client: Arc<Client>) -> Tokens {
        Tokens { client, held: Vec::new(), log: Vec::new() }
    }

    /// The jobserver.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Whether there is none, not even the implicit slot.
    pub(crate) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Returns tokens without a permit in the queue, marks those whose turn is over, and takes one
    /// token for each task that could start, and `wanted.spare` more. After each it calls `more`,
    /// which returns the number of tasks possible by then. At most the wanted number is held.
    /// Returns whether one more would help.
    pub(crate) fn balance<J>(&mut self, queue: &Queue<J>, mut wanted: Wanted, mut more: impl FnMut() -> usize) -> bool {
        if !self.is_empty() {
            queue.withdraw_idle_permits(wanted.tasks, wanted.spare);
            self.give_back(self.held.len().saturating_sub(queue.load().permits));
            let now = Instant::now();
            let old = self.held.iter().skip(1).filter(|(_, since)| now.duration_since(*since) >= TURN).count();
            queue.retire(old, self.held.len());
        }
        loop {
            let load = queue.load();
            let needed = (load.running + load.queued).min(wanted.tasks) + load.lent + wanted.spare;
            if needed <= load.permits || self.held.len() >= wanted.all {
                return false;
            }
            let Some(token) = self.client.try_acquire() else { return self.client.is_alive() };
            let at = Instant::now();
            self.held.push((token, at));
            self.log.push(Holding { at, held: self.held.len() });
            queue.add_permit();
            wanted.tasks = more();
        }
    }

    /// Returns the `count` oldest tokens; the implicit slot is kept.
    fn give_back(&mut self, count: usize) {
        let count = count.min(self.held.len().saturating_sub(1));
        if count > 0 {
            self.log.push(Holding { at: Instant::now(), held: self.held.len() - count });
            self.held.drain(1..=count);
        }
    }

    /// The next end of a token's turn.
    pub(crate) fn next_turn(&self) -> Option<Instant> {
        self.held.iter().skip(1).map(|(_, since)| *since + TURN).find(|&turn| turn > Instant::now())
    }

    /// Slots held, including the implicit one.
    #[cfg(all(test, feature = "shuttle"))]
    pub(crate) fn count(&self) -> usize {
        self.held.len()
    }

    /// Returns all tokens.
    pub(crate) fn release(&mut self) {
        if !self.held.is_empty() {
            self.log.push(Holding { at: Instant::now(), held: 0 });
            self.held.clear();
        }
    }
}
