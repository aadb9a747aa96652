//! A process run to its end with all processes that it starts: their time, processor time and memory together.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::peak::processor_seconds_of_children;

/// What the processes took.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Seconds of wall time.
    pub seconds: f64,
    /// User and system time of all processes that have been waited for, in seconds.
    pub cpu: f64,
    /// The peak of anonymous and shared memory of all processes together, in bytes (RssAnon and RssShmem of proc(5)).
    pub memory: f64,
}

/// Runs a command to its end. Memory is read every few milliseconds.
///
/// # Errors
/// A command that cannot be started or fails, a machine without /proc.
pub fn finish(command: &mut Command) -> Result<Run> {
    let (begun, cpu) = (Instant::now(), processor_seconds_of_children()?);
    let mut child = command.stdout(Stdio::null()).spawn()?;
    let mut memory = 0f64;
    let ended = loop {
        if let Some(ended) = child.try_wait()? {
            break ended;
        }
        memory = memory.max(held(child.id()) as f64);
        thread::sleep(Duration::from_millis(4));
    };
    let seconds = begun.elapsed().as_secs_f64();
    ensure!(ended.success(), "{command:?} failed");
    ensure!(memory > 0.0, "no memory seen: /proc is needed");
    Ok(Run { seconds, cpu: processor_seconds_of_children()? - cpu, memory })
}

/// Anonymous and shared memory of a process and its descendants, in bytes.
fn held(process: u32) -> u64 {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        children.entry(parent.unwrap_or(0)).or_default().push(id);
    }
    let (mut total, mut work) = (0, vec![process]);
    while let Some(id) = work.pop() {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let lines = status.lines().filter_map(|line| line.strip_prefix("RssAnon:").or(line.strip_prefix("RssShmem:")));
        total += lines.filter_map(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).sum::<u64>() * 1024;
        work.extend(children.remove(&id).unwrap_or_default());
    }
    total
}
