//! A process run to its end, with its time and peak memory.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// How long it took, and how much memory.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Seconds.
    pub seconds: f64,
    /// Peak resident bytes.
    pub peak: f64,
}

/// Runs a command to its end; its peak memory is what the kernel accounts to it, read every half of a millisecond.
///
/// # Errors
/// A command that cannot be started or fails, a machine without /proc.
pub fn finish(command: &mut Command) -> Result<Run> {
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0f64;
    let ended = loop {
        if let Some(ended) = child.try_wait()? {
            break ended;
        }
        let text = fs::read_to_string(&status).unwrap_or_default();
        let kilobytes = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak = peak.max(kilobytes.and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0);
        thread::sleep(Duration::from_micros(500));
    };
    ensure!(ended.success(), "{command:?} failed");
    ensure!(peak > 0.0, "no peak memory seen: /proc is needed");
    Ok(Run { seconds: begun.elapsed().as_secs_f64(), peak })
}

/// A field of `/proc/self/stat`, numbered as in proc(5), in seconds: clock ticks are hundredths on Linux. 14 and 15 are user and system
/// time, 16 and 17 those of children that have been waited for.
///
/// # Errors
/// A machine without /proc.
pub fn seconds(field: usize) -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let rest = stat.rsplit_once(')').context("a process status")?.1;
    let ticks: f64 = rest.split_whitespace().nth(field - 3).context("a field")?.parse()?;
    Ok(ticks / 100.0)
}

/// User and system time of all children that have been waited for.
///
/// # Errors
/// A machine without /proc.
pub fn processor_seconds_of_children() -> Result<f64> {
    Ok(seconds(16)? + seconds(17)?)
}
