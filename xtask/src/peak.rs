//! A process run to its end, with its time and peak memory.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

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
