//! System calls that safe wrappers do not offer.
#![allow(unsafe_code, reason = "the one module of this crate that may (decision D23)")]

pub(crate) mod handlers;

use rustix::fd::{IntoRawFd, OwnedFd};

/// Closes a descriptor and says whether that worked: dropping a file hides the errors that network file systems
/// report only here. An interrupted close has closed the descriptor (Linux, close(2)).
pub fn close(fd: impl Into<OwnedFd>) -> std::io::Result<()> {
    let raw = fd.into().into_raw_fd();
    // SAFETY: `into_raw_fd` gave up the ownership, so `raw` is open, ours alone, and used by nobody afterwards.
    match unsafe { rustix::io::try_close(raw) } {
        Ok(()) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn closing_an_open_file_works() {
        super::close(std::fs::File::open("/dev/null").unwrap()).unwrap();
    }
}
