//! A pipe that wakes the coordinator from `poll`.

use crate::cancel::Sleeper;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

/// Rung by workers, heard by the coordinator. Rings are not counted: the coordinator checks
/// everything on each.
#[derive(Debug)]
pub(crate) struct Doorbell {
    read: OwnedFd,
    write: OwnedFd,
}

impl Sleeper for Doorbell {
    fn wake(&self) {
        self.ring();
    }
}

impl Doorbell {
    /// Creates a bell that has not been rung.
    pub(crate) fn new() -> std::io::Result<Doorbell> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Doorbell { read, write })
    }

    /// Rings the bell. If the pipe is full, the coordinator has been woken already.
    pub(crate) fn ring(&self) {
        while let Err(Errno::INTR) = rustix::io::write(&self.write, &[1]) {}
    }

    /// Clears all rings.
    pub(crate) fn silence(&self) {
        let mut sink = [0; 256];
        loop {
            match rustix::io::read(&self.read, &mut sink) {
                Ok(n) if n == sink.len() => {}
                Err(Errno::INTR) => {}
                _ => return,
            }
        }
    }

    /// The descriptor to poll for reading.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.read.as_fd()
    }
}
