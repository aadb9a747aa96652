//! A counting allocator that measures the peak of memory of each unit (ISO-4).
//!
//! **Problem.** Kernels share a process, so their memory cannot be measured from outside.
//! **Strategy.** The system's allocator, and two numbers per thread: bytes allocated minus bytes
//! freed since the last [`reset`], and their maximum. A unit runs on one thread from start to end,
//! so the thread's peak is the unit's.
//!
//! **Invariants.** Counting never allocates. Memory freed by a thread other than the one that
//! allocated it is subtracted where it is freed: the number may become negative, but a peak never
//! is.
#![allow(unsafe_code, reason = "an allocator is an unsafe trait (decision D23)")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes allocated minus bytes freed by this thread since the last reset.
    static CURRENT: Cell<isize> = const { Cell::new(0) };
    /// The greatest value of [`CURRENT`] since the last reset.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Adds `bytes` to the count of this thread.
fn count(bytes: isize) {
    let current = CURRENT.get().wrapping_add(bytes);
    CURRENT.set(current);
    if current > PEAK.get() {
        PEAK.set(current);
    }
}

/// A size as a difference; no object is larger than `isize::MAX` bytes.
fn signed(bytes: usize) -> isize {
    isize::try_from(bytes).unwrap_or(isize::MAX)
}

// SAFETY: every call goes to the system's allocator with the caller's arguments, and its result is
// returned unchanged. Counting accesses two cells without destructors, which live as long as the
// thread, and does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`, which is the same one.
        let pointer = unsafe { System.alloc(layout) };
        if !pointer.is_null() {
            count(signed(layout.size()));
        }
        pointer
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`, which is the same one.
        let pointer = unsafe { System.alloc_zeroed(layout) };
        if !pointer.is_null() {
            count(signed(layout.size()));
        }
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from the system's allocator through `alloc`, with this layout.
        unsafe { System.dealloc(pointer, layout) };
        count(-signed(layout.size()));
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the pointer came from the system's allocator through `alloc`, with this layout.
        let moved = unsafe { System.realloc(pointer, layout, size) };
        if !moved.is_null() {
            count(signed(size) - signed(layout.size()));
        }
        moved
    }
}

/// Starts a new count on this thread.
pub fn reset() {
    CURRENT.set(0);
    PEAK.set(0);
}

/// The peak of bytes held by this thread since the last [`reset`], of those it allocated since.
pub fn peak() -> u64 {
    u64::try_from(PEAK.get()).unwrap_or(0)
}

/// The bytes held by this thread, of those it allocated since the last [`reset`].
pub fn held() -> u64 {
    u64::try_from(CURRENT.get()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{held, peak, reset};

    #[test]
    fn the_peak_is_what_was_held_at_once() {
        reset();
        drop(std::hint::black_box(vec![1_u8; 1 << 20]));
        let big = std::hint::black_box(vec![1_u8; 3 << 20]);
        drop(big);
        let peak_here = peak();
        assert!((3 << 20..(3 << 20) + 4096).contains(&peak_here), "{peak_here}");
        assert!(held() < 4096, "{}", held());
        let other = std::thread::spawn(|| {
            reset();
            drop(std::hint::black_box(vec![1_u8; 9 << 20]));
            peak()
        });
        assert!(other.join().unwrap() >= 9 << 20);
        assert!(peak() < 4 << 20, "threads are counted apart");
        reset();
        assert_eq!(peak(), 0);
    }

    #[test]
    fn growing_in_place_counts_the_difference() {
        reset();
        let mut list: Vec<u8> = Vec::with_capacity(1 << 20);
        list.resize(1 << 20, 1);
        list.reserve_exact(1 << 20);
        std::hint::black_box(&list);
        assert!((2 << 20..(2 << 20) + 4096).contains(&peak()), "{}", peak());
    }
}
