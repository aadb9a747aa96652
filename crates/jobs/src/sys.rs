//! System calls without safe wrappers.
#![allow(unsafe_code, reason = "the one module of this crate that may (decision D23)")]

pub(crate) mod handlers;

use rustix::fd::{IntoRawFd, OwnedFd, RawFd};
use std::mem::MaybeUninit;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

/// Closes a descriptor and returns errors: dropping a file hides the errors that network file
/// systems report only here. An interrupted close has closed the descriptor (Linux, close(2)).
pub fn close(fd: impl Into<OwnedFd>) -> std::io::Result<()> {
    let raw = fd.into().into_raw_fd();
    // SAFETY: `into_raw_fd` gave up the ownership, so `raw` is open, ours alone, and not used
    // afterwards.
    match unsafe { rustix::io::try_close(raw) } {
        Ok(()) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Waits for a child process; returns its exit status and resource usage.
pub(crate) fn wait(pid: rustix::process::Pid) -> std::io::Result<(ExitStatus, libc::rusage)> {
    let (pid, mut status) = (pid.as_raw_nonzero().get(), 0);
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: the system writes to both places, which are ours, and nowhere else.
        let ended = unsafe { libc::wait4(pid, &mut status, 0, usage.as_mut_ptr()) };
        if ended == pid {
            // SAFETY: it consists of numbers, is initialised with zeros, and was written.
            return Ok((ExitStatus::from_raw(status), unsafe { usage.assume_init() }));
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Makes the program that `command` starts inherit these descriptors, which are close-on-exec here,
/// and has it killed as soon as the thread that starts it ends.
pub(crate) fn prepare(command: &mut Command, inherited: Vec<RawFd>) {
    let parent = std::process::id();
    let before = move || {
        for &fd in &inherited {
            // SAFETY: only flags of a descriptor of the new process are changed; a number that is
            // not open is an error.
            if unsafe { libc::fcntl(fd, libc::F_SETFD, 0) } == -1 {
                return Err(std::io::Error::last_os_error());
            }
        }
        // SAFETY: neither call accesses memory. If the parent has ended already, the child has no
        // purpose.
        unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() as u32 == parent { Ok(()) } else { libc::_exit(1) }
        }
    };
    // SAFETY: the closure runs between fork and exec: it allocates nothing, takes no lock and calls
    // only what is allowed there (signal-safety(7)).
    unsafe { command.pre_exec(before) };
}

#[cfg(test)]
mod tests {
    #[test]
    fn closing_an_open_file_works() {
        super::close(std::fs::File::open("/dev/null").unwrap()).unwrap();
    }
}
