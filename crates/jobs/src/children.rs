//! Processes that a task starts: they end with the task, with this process, and by nobody else's doing.

use crate::cancel::CancelToken;
use crate::doorbell::Doorbell;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, Signal};
use std::io;
use std::process::Child;
use std::sync::Arc;

/// What was heard of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Everything: it has closed its output.
    Everything,
    /// The task was cancelled before.
    Cancelled,
}

/// An action that kills a process, for [`crate::signals::OnSignal`]: to be forgotten before the process is waited for.
pub fn killer(child: &Child) -> impl FnOnce() + Send + 'static {
    let pid = Pid::from_child(child);
    // Fails only for a process that has ended.
    move || {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

/// Asks the system to kill this process as soon as the thread that started it has ended, however it ends.
pub fn die_with_parent() {
    let parent = rustix::process::getppid();
    // Without it a process whose parent was killed works to its end for nobody, and that is all.
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    if rustix::process::getppid() != parent {
        std::process::exit(1);
    }
}

/// Reads what a process writes until its end or until `cancel`. `take` sees all bytes it has not taken so far and gives how many
/// it takes.
///
/// # Errors
/// What the system says.
pub fn listen(output: OwnedFd, cancel: &CancelToken, mut take: impl FnMut(&[u8]) -> usize) -> io::Result<Heard> {
    let bell = Arc::new(Doorbell::new()?);
    cancel.wakes(&bell);
    let mut heard: Vec<u8> = Vec::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        let mut fds =
            [PollFd::new(&output, PollFlags::IN), PollFd::from_borrowed_fd(Doorbell::fd(&bell), PollFlags::IN)];
        match poll(&mut fds, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if cancel.is_cancelled() {
            return Ok(Heard::Cancelled);
        }
        if fds[0].revents().is_empty() {
            continue;
        }
        match rustix::io::read(&output, &mut piece) {
            Ok(0) => return Ok(Heard::Everything),
            Ok(count) => {
                heard.extend_from_slice(&piece[..count]);
                let taken = take(&heard);
                heard.drain(..taken);
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    fn shell(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap()
    }

    #[test]
    fn everything_is_heard_in_pieces() {
        let mut child = shell("printf abc; sleep 0.05; printf defg");
        let mut taken = String::new();
        let output = child.stdout.take().unwrap().into();
        // Two bytes at a time.
        let heard = listen(output, &CancelToken::new(), |bytes| {
            let whole = bytes.len() / 2 * 2;
            taken.push_str(std::str::from_utf8(&bytes[..whole]).unwrap());
            whole
        });
        assert_eq!((heard.unwrap(), &taken[..]), (Heard::Everything, "abcdef"));
        child.wait().unwrap();
    }

    #[test]
    fn a_cancellation_is_heard_at_once() {
        let mut child = shell("exec sleep 60");
        let cancel = CancelToken::new();
        let told = cancel.clone();
        let teller = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            told.cancel();
        });
        let begun = std::time::Instant::now();
        let heard = listen(child.stdout.take().unwrap().into(), &cancel, <[u8]>::len).unwrap();
        assert!(heard == Heard::Cancelled && begun.elapsed().as_secs() < 30);
        killer(&child)();
        assert!(!child.wait().unwrap().success());
        teller.join().unwrap();
    }
}
