//! Restarts in the same process after a crash: the state of the earlier run, and the plan for the
//! next one.
//!
//! An input that cannot be read twice, such as standard input, is copied into memory that the next
//! run inherits.

use crate::Failure;
use raddle_driver::codes;
use raddle_driver::host::restart;
use raddle_driver::input::{self, Content, Input};
use raddle_driver::resume::{Resume, VARIABLE};
use raddle_driver::unpack::{self, Wanted};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::{FdFlags, fcntl_setfd};
use std::fs::File;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The inputs of a run.
pub(super) struct Inputs {
    pub(super) inputs: Vec<Input>,
    /// Copies of those that cannot be read again, by number.
    pub(super) copies: Vec<(u32, OwnedFd)>,
}

/// The state passed by the earlier run.
pub(super) fn resume() -> Result<Resume, Failure> {
    let Ok(text) = std::env::var(VARIABLE) else { return Ok(Resume::default()) };
    text.parse().map_err(|why| Failure::new(codes::E0029, format!("{VARIABLE}: {why}")))
}

/// Reads all inputs; an unreadable input ends the command.
pub(super) fn read(files: &[String], resume: &Resume, wanted: Wanted) -> Result<Inputs, Failure> {
    let mut read = Inputs { inputs: Vec::new(), copies: Vec::new() };
    for (number, file) in (0..).zip(files) {
        if let Some(modules) = unpack::modules(file, wanted)? {
            read.inputs.extend(modules);
            continue;
        }
        let input = match resume.inputs.get(&number) {
            Some(fd) => input::read_as(file, &format!("/proc/self/fd/{fd}"))?,
            None => input::read(file)?,
        };
        if !input::is_repeatable(file)
            && let Some(copy) = copy(&input)
        {
            read.copies.push((number, copy));
        }
        read.inputs.push(input);
    }
    Ok(read)
}

/// A copy that another run can open; `None` means that there will be no other run.
pub(super) fn copy(input: &Input) -> Option<OwnedFd> {
    let bytes = match &input.content {
        Content::Text(text) | Content::Ir(text) => text.as_bytes(),
        Content::Bitcode(bytes) | Content::LtoIr(bytes) | Content::Elf(bytes) => bytes,
    };
    let mut file = File::from(memfd_create("input", MemfdFlags::CLOEXEC).ok()?);
    file.write_all(bytes).ok()?;
    Some(file.into())
}

/// Enables restarts of the compilation.
pub(super) fn arm(mut resume: Resume, copies: Vec<(u32, OwnedFd)>) {
    resume.inputs = copies.iter().map(|(number, fd)| (*number, fd.as_raw_fd())).collect();
    restart::arm(move |crash| {
        let state = resume.after(crash)?;
        for (_, copy) in &copies {
            fcntl_setfd(copy, FdFlags::empty()).ok()?;
        }
        let mut command = Command::new("/proc/self/exe");
        // The name decides what the program is.
        let mut words = std::env::args_os();
        command.arg0(words.next().unwrap_or_default()).args(words).env(VARIABLE, state);
        Some(command)
    });
}

/// Disables restarts: what follows cannot be repeated.
pub(super) use restart::disarm;
