//! The peak of memory of this process.

/// Peak of resident memory in bytes, as reported by the kernel (`VmHWM` of /proc); `None` on
/// systems that do not report it.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Fails if the peak of this process exceeds `limit` bytes: hostile input must not cost more memory
/// than its size, whatever sizes it declares.
///
/// # Panics
/// If it does.
pub fn assert_below(limit: u64, what: &str) {
    if let Some(peak) = peak() {
        assert!(peak < limit, "{what}: {} MiB of memory, allowed are {} MiB", peak >> 20, limit >> 20);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_held_counts() {
        let before = super::peak().unwrap_or(0);
        let held = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(super::peak().is_none_or(|peak| peak >= 64 << 20), "{before}");
        drop(held);
        super::assert_below(1 << 40, "everything");
        assert!(std::panic::catch_unwind(|| super::assert_below(1 << 20, "a process")).is_err() || before == 0);
    }
}
