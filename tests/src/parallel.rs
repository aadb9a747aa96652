//! Work on all cores: one thread per core takes the next item until none is left. Results are in
//! the order of the items.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

/// The result of `work` for each item, in the order of the items.
///
/// # Panics
/// With the panic of `work`.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some((n, item)) = take(&next, items) {
            done.push((n, work(item)));
        }
        done
    };
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(worker)).collect();
        let joined = workers.into_iter().map(|w| w.join().unwrap_or_else(|why| panic::resume_unwind(why)));
        joined.flatten().collect()
    });
    results.sort_by_key(|result| result.0);
    results.into_iter().map(|result| result.1).collect()
}

fn take<'i, T>(next: &AtomicUsize, items: &'i [T]) -> Option<(usize, &'i T)> {
    let n = next.fetch_add(1, Ordering::Relaxed);
    Some((n, items.get(n)?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let slow_first = |n: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(if *n < 8 { 500 } else { 0 }));
            n * n
        };
        assert_eq!(super::map(&items, slow_first), items.iter().map(|n| n * n).collect::<Vec<_>>());
        assert!(super::map(&[], slow_first).is_empty());
    }
}
