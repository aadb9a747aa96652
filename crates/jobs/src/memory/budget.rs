//! The memory budget of this process for units, coordinated with all others in the ledger.

use super::ledger::{Ask, Ledger};
use super::{Room, is_short, own};
use crate::lock::lock;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The limit of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// The memory that control groups and the machine leave, less some headroom.
    Auto,
    /// A number of bytes, for all builds of the ledger together.
    Bytes(u64),
    /// Unlimited.
    #[default]
    Off,
}

/// A memory budget for units; shared by all pools of a run.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    state: Mutex<State>,
    /// Checks whether memory is short on this machine.
    pressure: fn() -> bool,
}

#[derive(Debug)]
struct State {
    /// `None` if no ledger can be kept: then the process is on its own.
    ledger: Option<Ledger>,
    granted: u64,
    short: (bool, Option<Instant>),
}

impl Budget {
    /// The delay before a refused request is repeated.
    pub const AGAIN: Duration = Duration::from_millis(20);

    /// The interval of checks whether memory is short.
    const LOOK: Duration = Duration::from_millis(500);

    /// Creates a budget; `None` if there is no limit.
    pub fn new(limit: Limit) -> Option<Budget> {
        let room = Room::now();
        let group = room.as_ref().and_then(|room| room.group.clone()).unwrap_or_default();
        let name = format!("memory{}", group.display());
        let ledger = || Ledger::open(&Ledger::folder(&name)).ok();
        match limit {
            Limit::Off => None,
            Limit::Bytes(bytes) => Some(Budget::of(bytes, ledger())),
            Limit::Auto => {
                let usable = room?.usable();
                let ledger = ledger();
                // What others have claimed is in use, or soon will be.
                let claimed = ledger.as_ref().and_then(|ledger| ledger.claimed().ok()).unwrap_or(0);
                Some(Budget::of(usable.saturating_add(claimed), ledger))
            }
        }
    }

    /// Creates a budget in the ledger of this folder; without one, for this process alone.
    pub fn in_folder(bytes: u64, folder: Option<&Path>) -> Budget {
        Budget::of(bytes, folder.and_then(|folder| Ledger::open(folder).ok()))
    }

    fn of(limit: u64, ledger: Option<Ledger>) -> Budget {
        Budget { limit, state: Mutex::new(State { ledger, granted: 0, short: (false, None) }), pressure: is_short }
    }

    /// Replaces the check for short memory.
    #[must_use]
    pub fn under_pressure(self, pressure: fn() -> bool) -> Budget {
        Budget { pressure, ..self }
    }

    /// The limit, in bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Claims memory for units; returns what they may use, at least what they hold.
    pub(crate) fn claim(&self, ask: Ask) -> u64 {
        let mut state = lock(&self.state);
        let enough = state.granted >= ask.most && state.granted / 2 <= ask.most;
        if enough && ask.most > 0 {
            return state.granted;
        }
        // The memory of units is part of that of the process.
        let base = own().saturating_sub(ask.held);
        if state.short.1.is_none_or(|at| at.elapsed() >= Budget::LOOK) {
            state.short = ((self.pressure)(), Some(Instant::now()));
        }
        let back_off = state.short.0;
        let alone = || {
            let room = if back_off { 0 } else { self.limit.saturating_sub(base).min(ask.most) };
            room.max(ask.held).max(if ask.held == 0 { ask.least } else { 0 })
        };
        let claimed = state.ledger.as_mut().map(|ledger| ledger.claim(base, ask, self.limit, back_off));
        // If the ledger cannot be written, the process is on its own.
        state.granted = claimed.and_then(Result::ok).unwrap_or_else(alone);
        state.granted
    }
}
