//! The CPUs available to this process, and the number of threads that fit in its address space.

use rustix::process::{Resource, getrlimit};

/// Address space that glibc's allocator reserves for a thread besides its stack, in bytes
/// (`HEAP_MAX_SIZE` on 64-bit systems).
const HEAP: u64 = 64 << 20;

/// The number of *available* CPUs, at least 1: it respects affinity mask and cgroup quota (v1 and
/// v2), unlike the number of online CPUs. The standard library implements exactly this on Linux.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The number of threads with stacks of this many bytes that fit in half of the address space limit
/// (`RLIMIT_AS`); at least 1. The other half is left for their allocations.
pub fn threads_with_room(stack: usize) -> usize {
    let Some(bytes) = getrlimit(Resource::As).current else { return usize::MAX };
    usize::try_from(bytes / 2 / (stack as u64 + HEAP)).unwrap_or(usize::MAX).max(1)
}

#[cfg(all(test, not(loom)))]
mod tests {
    #[test]
    fn affinity_is_respected() {
        let all = rustix::thread::sched_getaffinity(None).unwrap();
        assert!(super::available() <= all.count() as usize);
        let count = std::thread::spawn(move || {
            let first = (0..rustix::thread::CpuSet::MAX_CPU).find(|&cpu| all.is_set(cpu)).unwrap();
            let mut one = rustix::thread::CpuSet::new();
            one.set(first);
            rustix::thread::sched_setaffinity(None, &one).unwrap();
            super::available()
        });
        assert_eq!(count.join().unwrap(), 1);
    }
}
