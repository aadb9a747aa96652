//! The only source of synchronization primitives: the standard library's, loom's under `--cfg
//! loom`, or shuttle's with the feature of that name.

#[cfg(loom)]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(all(not(loom), feature = "shuttle"))]
pub(crate) use shuttle::sync::{Condvar, Mutex, MutexGuard};
#[cfg(all(not(loom), not(feature = "shuttle")))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};

/// Locks, also after a panic elsewhere: every structure locked here is valid between any two
/// statements.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Waits on a condition variable, also after a panic elsewhere.
pub(crate) fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner())
}
