//! The tokens a pool holds, in step with the permits of its queue.
//!
//! **Rules** (all of them needed to be a good neighbour under make). A token is asked for only while a task could start
//! with it. A token that no task needs goes back at once. A token serves consecutive tasks for at most [`TURN`]: then it
//! goes back as soon as the task that has it ends, and is asked for again, so that others get their turn; a single long
//! task keeps its token to its end. The implicit slot has no turn.
//!
//! **Invariant.** Tokens held, the implicit slot included, are never fewer than the queue's permits.

use crate::jobserver::{Client, Token};
use crate::queue::Queue;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a token may serve one task after another.
pub const TURN: Duration = Duration::from_millis(200);

/// A moment at which the number of tokens changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// When: after a token was taken, before one is given back.
    pub at: Instant,
    /// Tokens held from then on, the implicit slot included.
    pub held: usize,
}

/// What tokens are wanted for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Tasks at once, at most.
    pub(crate) tasks: usize,
    /// Tasks and slots for tools at once, at most.
    pub(crate) all: usize,
    /// Slots for tools beside those that they have.
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

    /// Gives back what the queue has no permit for, marks what has had its turn, and takes one token for each task that
    /// could start, calling `more` after each, which says how many tasks there may be by then, and `wanted.spare` more. At most so
    /// many are held as `wanted` says. Returns whether one more would help.
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

    /// Gives back the `count` oldest tokens; the implicit slot stays.
    fn give_back(&mut self, count: usize) {
        let count = count.min(self.held.len().saturating_sub(1));
        if count > 0 {
            self.log.push(Holding { at: Instant::now(), held: self.held.len() - count });
            self.held.drain(1..=count);
        }
    }

    /// When the next token has had its turn.
    pub(crate) fn next_turn(&self) -> Option<Instant> {
        self.held.iter().skip(1).map(|(_, since)| *since + TURN).find(|&turn| turn > Instant::now())
    }

    /// Slots held, the implicit one included.
    #[cfg(all(test, feature = "shuttle"))]
    pub(crate) fn count(&self) -> usize {
        self.held.len()
    }

    /// Gives everything back.
    pub(crate) fn release(&mut self) {
        if !self.held.is_empty() {
            self.log.push(Holding { at: Instant::now(), held: 0 });
            self.held.clear();
        }
    }
}
