//! How many CPUs this process may use.

/// The CPUs *available*: affinity mask and cgroup quota (v1 and v2) respected, not the machine's online CPUs; at
/// least 1. The standard library implements exactly this on Linux.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
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
