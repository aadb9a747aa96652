//! Typed indices, entity maps, bit sets, reproducible random numbers, and the executor trait, by
//! which callers run parallel work.
//!
//! The maps are cranelift-entity's; no other crate names it. With [`Executor`] a library runs
//! independent pieces of work in parallel on threads of its caller (D17), which holds the job
//! tokens and decides how many there are.
#![forbid(unsafe_code)]

mod random;

pub use cranelift_entity::{
    EntityList, EntityRef, EntitySet, ListPool, PrimaryMap, SecondaryMap, entity_impl, packed_option,
};
pub use random::SplitMix;
pub use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Runs independent pieces of work, possibly in parallel.
///
/// Output must not depend on the order or the thread in which pieces run: the result of piece `i`
/// goes to slot `i`.
pub trait Executor: Sync {
    /// Calls `piece(0)`, ..., `piece(n - 1)` once each, in any order, on any thread, and returns
    /// when all are done.
    fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync));
}

/// Calls `piece` for every number below `n` and returns the results in order.
pub fn map<T: Send + Sync>(n: usize, executor: &dyn Executor, piece: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let slots: Vec<OnceLock<T>> = (0..n).map(|_| OnceLock::new()).collect();
    executor.run(n, &|i| {
        // An executor calls every number once: the slot is empty.
        let _ = slots[i].set(piece(i));
    });
    slots.into_iter().enumerate().map(|(i, slot)| slot.into_inner().unwrap_or_else(|| piece(i))).collect()
}

/// Calls `change` once for each of the values, each on one thread.
pub fn for_each_mut<T: Send>(values: &mut [T], executor: &dyn Executor, change: impl Fn(&mut T) + Sync) {
    let slots: Vec<Mutex<&mut T>> = values.iter_mut().map(Mutex::new).collect();
    executor.run(slots.len(), &|i| {
        // An executor calls every number once: there is nothing to wait for.
        change(&mut slots[i].lock().unwrap_or_else(PoisonError::into_inner));
    });
}

/// An executor that runs pieces one after another on the calling thread.
pub struct Serial;

impl Executor for Serial {
    fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync)) {
        (0..n).for_each(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn results_are_in_order() {
        assert_eq!(map(4, &Serial, |i| i * i), [0, 1, 4, 9]);
    }

    #[test]
    fn every_value_is_changed_once() {
        let mut values = [1, 2, 3];
        for_each_mut(&mut values, &Serial, |n| *n *= 10);
        assert_eq!(values, [10, 20, 30]);
    }

    #[test]
    fn serial_runs_every_piece_once() {
        let seen = AtomicU32::new(0);
        Serial.run(5, &|i| {
            seen.fetch_add(1 << i, Ordering::Relaxed);
        });
        assert_eq!(seen.into_inner(), 0b11111);
    }
}
