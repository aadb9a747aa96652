//! Child processes of tasks: they end with their task and with this process.

use crate::cancel::CancelToken;
use crate::doorbell::Doorbell;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, waitid};
use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The polling interval where no event reports the end of a process.
const LOOK: Duration = Duration::from_millis(20);

/// The result of listening to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListenResult {
    /// The process has closed its output.
    Everything,
    /// The task was cancelled before that.
    Cancelled,
    /// The reader has what it needs.
    Stopped,
}

/// An action that kills a process, for [`crate::signals::ExitAction`]; unregister it before waiting
/// for the process.
pub fn killer(child: &Child) -> impl FnOnce() + Send + 'static {
    let pid = Pid::from_child(child);
    // This fails only if the process has ended.
    move || {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

/// Has the system kill this process as soon as the thread of process `parent` that started it ends.
/// If that process has ended already, this one ends here: the parent process may be another one by
/// now.
pub fn die_with_parent(parent: u32) {
    // If this fails, a process whose parent was killed only runs to its end for nothing.
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    let now = rustix::process::getppid().map(Pid::as_raw_pid);
    if now.and_then(|now| u32::try_from(now).ok()) != Some(parent) {
        std::process::exit(1);
    }
}

/// Takes the standard output of this process for the caller alone. What others print to it, such as
/// libraries, goes to the error output from now on.
///
/// # Errors
/// The error of the operating system.
pub fn private_output() -> io::Result<File> {
    let own = rustix::io::fcntl_dupfd_cloexec(io::stdout(), 3)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(own.into())
}

/// The resources that a process used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceUsage {
    /// CPU time, user and system.
    pub cpu: Duration,
    /// The peak of memory, in bytes; at least that of this process when it started the other, since
    /// Linux counts from before the exec.
    pub most: u64,
}

/// Waits for a process; returns its exit status and the resources it used.
///
/// # Errors
/// The error of the operating system.
pub fn reap(child: Child) -> io::Result<(ExitStatus, ResourceUsage)> {
    let (status, usage) = crate::sys::wait(Pid::from_child(&child))?;
    let time = |t: libc::timeval| {
        let (secs, micros) = (u64::try_from(t.tv_sec), u64::try_from(t.tv_usec));
        Duration::from_secs(secs.unwrap_or(0)) + Duration::from_micros(micros.unwrap_or(0))
    };
    let most = u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(1024);
    Ok((status, ResourceUsage { cpu: time(usage.ru_utime) + time(usage.ru_stime), most }))
}

/// The peak of memory of a running process, or of this one, in bytes. `None` once the process has
/// ended.
pub fn peak(child: Option<&Child>) -> Option<u64> {
    let path = child.map_or_else(|| "/proc/self/status".to_owned(), |child| format!("/proc/{}/status", child.id()));
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Sleeps until a process has ended (`Some(true)`), the task was cancelled (`Some(false)`), or the
/// time limit has passed (`None`).
///
/// # Errors
/// The error of the operating system.
pub fn ended(child: &Child, cancel: &CancelToken, limit: Duration) -> io::Result<Option<bool>> {
    // Linux before 5.3 has no pidfd.
    let end = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok();
    ended_or(child, end, cancel, limit, None)
}

/// Like [`ended`], and calls `look` at intervals while the process runs.
///
/// # Errors
/// The error of the operating system.
pub fn ended_watched(
    child: &Child,
    cancel: &CancelToken,
    limit: Duration,
    look: &mut dyn FnMut(),
) -> io::Result<Option<bool>> {
    let end = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok();
    ended_or(child, end, cancel, limit, Some(look))
}

/// Like [`ended`], with a descriptor that becomes readable when the process ends; without one,
/// polls at intervals.
fn ended_or(
    child: &Child,
    end: Option<OwnedFd>,
    cancel: &CancelToken,
    limit: Duration,
    mut look: Option<&mut dyn FnMut()>,
) -> io::Result<Option<bool>> {
    let bell = Arc::new(Doorbell::new()?);
    cancel.wakes(&bell);
    let begun = Instant::now();
    loop {
        // Leaves the process for the caller to reap.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some() {
            return Ok(Some(true));
        }
        if cancel.is_cancelled() {
            return Ok(Some(false));
        }
        let left = limit.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        let left = if end.is_some() && look.is_none() { left } else { left.min(LOOK) };
        look.iter_mut().for_each(|look| look());
        let mut fds = vec![PollFd::from_borrowed_fd(Doorbell::fd(&bell), PollFlags::IN)];
        fds.extend(end.iter().map(|end| PollFd::new(end, PollFlags::IN)));
        // A time beyond the range of poll is unlimited.
        match poll(&mut fds, Timespec::try_from(left).ok().as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The standard input of a process. Writing to it ends with its task, also if the process does not
/// read.
#[derive(Debug)]
pub struct Input(OwnedFd);

impl Input {
    /// Takes over the input of a process.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn new(input: ChildStdin) -> io::Result<Input> {
        let fd = OwnedFd::from(input);
        // The process has another description of the pipe, which is not affected.
        rustix::fs::fcntl_setfl(&fd, rustix::fs::fcntl_getfl(&fd)? | OFlags::NONBLOCK)?;
        Ok(Input(fd))
    }

    /// Something to write to until `cancel`; then it fails with [`io::ErrorKind::TimedOut`].
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn until<'a>(&'a self, cancel: &'a CancelToken) -> io::Result<impl Write + 'a> {
        let bell = Arc::new(Doorbell::new()?);
        cancel.wakes(&bell);
        Ok(Writer { fd: &self.0, bell, cancel })
    }
}

struct Writer<'a> {
    fd: &'a OwnedFd,
    bell: Arc<Doorbell>,
    cancel: &'a CancelToken,
}

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            if self.cancel.is_cancelled() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            match rustix::io::write(self.fd, bytes) {
                Err(Errno::AGAIN) => {}
                written => return Ok(written?),
            }
            let bell = PollFd::from_borrowed_fd(Doorbell::fd(&self.bell), PollFlags::IN);
            match poll(&mut [PollFd::new(self.fd, PollFlags::OUT), bell], None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads the output of a process to its end or until `cancel`. `take` gets all bytes that it has
/// not consumed yet, and returns how many it consumes.
///
/// # Errors
/// The error of the operating system.
pub fn listen(output: OwnedFd, cancel: &CancelToken, mut take: impl FnMut(&[u8]) -> usize) -> io::Result<ListenResult> {
    listen_until(&output, cancel, |bytes| ControlFlow::Continue(take(bytes)))
}

/// Like [`listen`], for a process that goes on: ends as soon as `take` breaks, which must not leave
/// bytes unread.
///
/// # Errors
/// The error of the operating system.
pub fn listen_until(
    output: &OwnedFd,
    cancel: &CancelToken,
    mut take: impl FnMut(&[u8]) -> ControlFlow<(), usize>,
) -> io::Result<ListenResult> {
    let bell = Arc::new(Doorbell::new()?);
    cancel.wakes(&bell);
    let mut heard: Vec<u8> = Vec::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        let mut fds =
            [PollFd::new(output, PollFlags::IN), PollFd::from_borrowed_fd(Doorbell::fd(&bell), PollFlags::IN)];
        match poll(&mut fds, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if cancel.is_cancelled() {
            return Ok(ListenResult::Cancelled);
        }
        if fds[0].revents().is_empty() {
            continue;
        }
        match rustix::io::read(output, &mut piece) {
            Ok(0) => return Ok(ListenResult::Everything),
            Ok(count) => {
                heard.extend_from_slice(&piece[..count]);
                match take(&heard) {
                    ControlFlow::Continue(taken) => drop(heard.drain(..taken)),
                    ControlFlow::Break(()) => return Ok(ListenResult::Stopped),
                }
            }
            Err(Errno::INTR) => {}
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
        assert_eq!((heard.unwrap(), &taken[..]), (ListenResult::Everything, "abcdef"));
        child.wait().unwrap();
    }

    #[test]
    fn a_process_goes_on_after_its_reader_has_what_it_needs() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap().into());
        for word in ["first", "second"] {
            std::io::Write::write_all(&mut input, word.as_bytes()).unwrap();
            let mut said = String::new();
            let heard = listen_until(&output, &CancelToken::new(), |bytes| {
                said = String::from_utf8_lossy(bytes).into_owned();
                if said.len() < word.len() { ControlFlow::Continue(0) } else { ControlFlow::Break(()) }
            });
            assert_eq!((heard.unwrap(), said.as_str()), (ListenResult::Stopped, word));
        }
        drop(input);
        assert_eq!(listen(output, &CancelToken::new(), <[u8]>::len).unwrap(), ListenResult::Everything);
        child.wait().unwrap();
    }

    #[test]
    fn an_end_a_cancellation_and_too_long_a_time_are_told_apart() {
        let (cancel, long) = (CancelToken::new(), Duration::from_secs(3600));
        let mut child = shell("exit 3");
        assert_eq!(ended(&child, &cancel, long).unwrap(), Some(true));
        assert_eq!(child.wait().unwrap().code(), Some(3));
        let mut child = shell("sleep 0.05; exit 4");
        assert_eq!(ended_or(&child, None, &cancel, long, None).unwrap(), Some(true));
        assert_eq!(child.wait().unwrap().code(), Some(4));
        let mut child = shell("exec sleep 600");
        assert_eq!(ended(&child, &cancel, Duration::from_millis(1)).unwrap(), None);
        cancel.cancel();
        assert_eq!(ended(&child, &cancel, long).unwrap(), Some(false));
        killer(&child)();
        assert!(!child.wait().unwrap().success());
    }

    #[test]
    fn what_a_process_took_is_known() {
        // Fills 48 MiB, and waits until it has been observed.
        let script = "x=$(head -c 50331648 /dev/zero | tr '\\0' x); echo done; read y; exit 7";
        let mut command = Command::new("sh");
        let mut child = command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = [0; 5];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut said).unwrap();
        let seen = peak(Some(&child)).unwrap();
        assert!(seen >= 48 << 20, "{seen}");
        // The first observation ends it.
        let mut stdin = child.stdin.take();
        let mut look = || drop(stdin.take());
        let end = ended_watched(&child, &CancelToken::new(), Duration::from_secs(3600), &mut look);
        assert!(end.unwrap() == Some(true) && stdin.is_none());
        assert_eq!(peak(Some(&child)), None, "nothing is known of what has ended");
        let (status, took) = reap(child).unwrap();
        assert_eq!(status.code(), Some(7));
        assert!(took.most >= 48 << 20 && took.cpu > Duration::ZERO, "{took:?}");
        assert!(peak(None).unwrap() > 1 << 20);
    }

    #[test]
    fn a_process_that_does_not_read_is_written_to_until_the_task_is_cancelled() {
        let sent = vec![b'x'; 1 << 20];
        let mut command = Command::new("wc");
        let mut child = command.arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = Input::new(child.stdin.take().unwrap()).unwrap();
        input.until(&CancelToken::new()).unwrap().write_all(&sent).unwrap();
        drop(input);
        let counted = child.wait_with_output().unwrap().stdout;
        assert_eq!(String::from_utf8(counted).unwrap().trim(), (1 << 20).to_string());
        let mut child = Command::new("sleep").arg("600").stdin(Stdio::piped()).spawn().unwrap();
        let input = Input::new(child.stdin.take().unwrap()).unwrap();
        let cancel = CancelToken::new();
        let told = cancel.clone();
        let teller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            told.cancel();
        });
        let error = input.until(&cancel).unwrap().write_all(&sent).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        teller.join().unwrap();
        killer(&child)();
        child.wait().unwrap();
        let mut child = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
        let input = Input::new(child.stdin.take().unwrap()).unwrap();
        child.wait().unwrap();
        let error = input.until(&CancelToken::new()).unwrap().write_all(&sent).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
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
        assert!(heard == ListenResult::Cancelled && begun.elapsed().as_secs() < 30);
        killer(&child)();
        assert!(!child.wait().unwrap().success());
        teller.join().unwrap();
    }
}
