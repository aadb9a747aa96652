//! A pipe that wakes the coordinator out of `poll`.

use crate::cancel::Sleeper;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

/// Rung by workers, heard by the coordinator. Rings are not counted: who hears one looks at everything.
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
    /// A bell nobody has rung.
    pub(crate) fn new() -> std::io::Result<Doorbell> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Doorbell { read, write })
    }

    /// Rings. A full pipe means that the coordinator has been rung already.
    pub(crate) fn ring(&self) {
        while let Err(Errno::INTR) = rustix::io::write(&self.write, &[1]) {}
    }

    /// Takes all rings off.
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

    /// What to poll for reading.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.read.as_fd()
    }
}
