//! Runs the real command.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod server;
pub mod tokens;
pub mod tools;
pub mod trace;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The time limit of a run, on a loaded machine of two cores.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A folder for one test.
pub struct Bench {
    pub dir: TempDir,
}

/// A finished run.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Bench {
    pub fn new() -> Bench {
        Bench { dir: tempfile::tempdir().unwrap() }
    }

    /// Writes a file into the folder.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> String {
        self.dir.path().join(name).to_str().unwrap().to_string()
    }

    /// The names in the folder, sorted.
    pub fn listing(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// The command, with an environment independent of the developer's settings.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(args).stdin(Stdio::null());
    // The user's files are neither read nor written.
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    for name in ["NO_COLOR", "RADDLE_JOBS", "RADDLE_CHAOS", "RADDLE_RESUME", "RADDLE_REMOTE", "MAKEFLAGS", "COLUMNS"] {
        command.env_remove(name);
    }
    command.env("RADDLE_FAULT", FAULT);
    command
}

/// Runs the command with these arguments; panics if it exceeds the time limit.
pub fn raddle(args: &[&str]) -> Ran {
    finish(command(args))
}

/// Runs a prepared command.
pub fn finish(mut command: Command) -> Ran {
    let begun = Instant::now();
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(begun.elapsed() < PATIENCE, "{command:?} took {:?}", begun.elapsed());
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{command:?}: {stderr}");
    Ran { code: status.code(), stdout, stderr }
}

/// The corpus of the repository.
pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

/// A module of this many small kernels, all different.
pub fn small(kernels: usize) -> String {
    let kernel = |n: usize| {
        format!(
            ".visible .entry k{n}(.param .u64 p)\n{{\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [p];\n\
             ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, {n};\nmul.lo.u32 %r3, %r2, %r1;\nst.global.u32 [%rd1], %r3;\n\
             ret;\n}}\n"
        )
    };
    let kernels: String = (0..kernels).map(kernel).collect();
    format!(".version 8.0\n.target sm_90\n.address_size 64\n{kernels}")
}

/// The PTX of a kernel of the corpus, as nvcc made it.
pub fn kernel(name: &str) -> String {
    corpus().join("kernels").join(name).join("nvcc.ptx").to_str().unwrap().to_string()
}

/// The smallest module with one kernel.
pub const EMPTY_KERNEL: &str = "\
.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
    ret;
}
";

/// A statement that is valid PTX, and unsupported under [`FAULT`].
pub const UNSUPPORTED: &str = "pmevent 7;";

/// The unsupported instruction in it.
pub const UNSUPPORTED_NAME: &str = "pmevent";

/// `RADDLE_FAULT` of every [`command`]: no kernel of the corpus that the tests of the command
/// compile has the instruction.
pub const FAULT: &str = "unsupported:pmevent";

/// The children of a process with this argument.
pub fn children(of: u32, argument: &str) -> Vec<u32> {
    let text = |pid: &str, file: &str| std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let pids = std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let ours = pids.filter(|pid| {
        let stat = text(pid, "stat");
        let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
        parent == Some(of) && text(pid, "cmdline").contains(argument)
    });
    ours.filter_map(|pid| pid.parse().ok()).collect()
}

/// Waits until a process handles this signal.
pub fn handles(pid: u32, signal: u32) {
    let begun = Instant::now();
    loop {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
        if mask >> (signal - 1) & 1 == 1 {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "signal {signal} is not handled: {status}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
