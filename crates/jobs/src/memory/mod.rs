//! Available memory and memory pressure: control groups, the machine, PSI.

mod budget;
pub mod ledger;

pub use budget::{Budget, Limit};

use crate::small_files;
use std::fs;
use std::path::{Path, PathBuf};

/// The memory that the machine and the control groups of this process leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes available without swapping or being killed.
    pub available: u64,
    /// The group with that limit; `None` is the machine.
    pub group: Option<PathBuf>,
}

/// The divisor for the share of available memory that is left to others.
const HEADROOM: u64 = 10;

/// The percentage of the last ten seconds in which some task waited for memory, above which no task
/// is started.
const PRESSURE: f64 = 10.0;

impl Room {
    /// Reads the files of the system; `None` if there are none.
    pub fn now() -> Option<Room> {
        let machine = available(&small_files::text("/proc/meminfo").ok()?)?;
        let groups = groups(&small_files::text("/proc/self/cgroup").unwrap_or_default());
        let limited =
            groups.into_iter().filter_map(|group| Some(Room { available: left(&group)?, group: Some(group) }));
        limited.chain([Room { available: machine, group: None }]).min_by_key(|room| room.available)
    }

    /// The part of it that may be used: some is left to other processes.
    pub fn usable(&self) -> u64 {
        self.available - self.available / HEADROOM
    }
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// The folders of the control groups of this process, from `/proc/self/cgroup`: those that can
/// limit memory, innermost first.
fn groups(cgroup: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for line in cgroup.lines() {
        // "0::/user.slice" (version 2), "7:memory:/docker/x" (version 1).
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let root = match controllers {
            "" => Path::new("/sys/fs/cgroup"),
            list if list.split(',').any(|name| name == "memory") => Path::new("/sys/fs/cgroup/memory"),
            _ => continue,
        };
        let inside = root.join(path.trim_start_matches('/'));
        found.extend(inside.ancestors().take_while(|folder| folder.starts_with(root)).map(Path::to_path_buf));
    }
    found
}

/// The memory that the limit of a group leaves; `None` without a limit. Inactive file pages
/// count as free.
fn left(group: &Path) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let (limit, used) = match number("memory.max") {
        Some(limit) => (limit, "memory.current"),
        None => (number("memory.limit_in_bytes")?, "memory.usage_in_bytes"),
    };
    // Version 1 writes a number near 2^63 for "none".
    if limit >= 1 << 60 {
        return None;
    }
    let used = number(used)?;
    let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let idle = stat.lines().find_map(|line| {
        let (name, value) = line.split_once(' ')?;
        matches!(name, "inactive_file" | "total_inactive_file").then(|| value.parse::<u64>().ok())?
    });
    Some(limit.saturating_sub(used.saturating_sub(idle.unwrap_or(0))))
}

/// Whether tasks on this machine are waiting for memory (`/proc/pressure/memory`); `false` if the
/// system does not report it.
pub fn is_short() -> bool {
    small_files::text("/proc/pressure/memory").ok().and_then(|text| some_avg10(&text)).is_some_and(|p| p > PRESSURE)
}

fn some_avg10(pressure: &str) -> Option<f64> {
    let line = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split_whitespace().find_map(|word| word.strip_prefix("avg10="))?.parse().ok()
}

/// Memory of this process that only swapping can free, in bytes: anonymous pages. 0 if the system
/// does not report it.
pub fn own() -> u64 {
    let statm = small_files::text("/proc/self/statm").unwrap_or_default();
    let mut pages = statm.split_whitespace().skip(1).map(|pages| pages.parse::<u64>().unwrap_or(0));
    let (resident, shared) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
    resident.saturating_sub(shared) * rustix::param::page_size() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_system_are_read() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   2048 kB\n"), Some(2 << 20));
        assert_eq!(some_avg10("some avg10=12.50 avg60=0.1 total=3\nfull avg10=1.00\n"), Some(12.5));
        assert_eq!((available(""), some_avg10("full avg10=1")), (None, None));
        let folders = |text: &str| -> Vec<String> {
            groups(text).into_iter().map(|path| path.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(folders("0::/a/b\n"), ["/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup"]);
        assert_eq!(folders("3:cpu:/x\n7:memory,hugetlb:/y\n"), ["/sys/fs/cgroup/memory/y", "/sys/fs/cgroup/memory"]);
        assert!(own() > 100_000 && own() < 1 << 40);
        assert!(Room::now().is_some_and(|room| room.available > 1 << 20));
    }

    #[test]
    fn limits_of_groups_leave_what_is_not_in_use() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        assert_eq!(left(dir.path()), None);
        write("memory.max", "max\n");
        assert_eq!(left(dir.path()), None);
        write("memory.max", "1000\n");
        write("memory.current", "700\n");
        assert_eq!(left(dir.path()), Some(300));
        write("memory.stat", "anon 1\ninactive_file 200\n");
        assert_eq!(left(dir.path()), Some(500));
        fs::remove_file(dir.path().join("memory.max")).unwrap();
        write("memory.limit_in_bytes", "9223372036854771712");
        write("memory.usage_in_bytes", "1");
        assert_eq!(left(dir.path()), None);
        write("memory.limit_in_bytes", "900");
        assert_eq!(left(dir.path()), Some(900));
    }
}
