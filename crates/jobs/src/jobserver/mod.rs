//! Client of a GNU make jobserver: tokens as move-only values, including the implicit slot.
//!
//! # Protocol
//! Every process under make may run one task without a token: the *implicit slot*. Each further
//! task needs a byte read from the server's pipe, and the same byte is written back when the task's
//! turn is over, in all cases. Tokens are requested only while a task could start.
//!
//! # Implementation
//! - Flags of inherited descriptors are never changed (they are shared with make): the pipe is
//!   opened anew through `/proc/self/fd`, non-blocking and close-on-exec for us alone. A fifo is
//!   opened by its path.
//! - A read follows `poll` and never blocks: another client may have taken the byte in between.
//! - The bytes held live in one list under a lock. A signal writes them back from there
//!   ([`crate::signals`]), so does dropping the client; a [`Token`] is the right to run, and gives
//!   its byte back when dropped.

mod error;
mod makeflags;

pub use makeflags::{Auth, MakeFlags};

pub use error::JobserverError;

use crate::lock::lock;
use crate::signals::ExitAction;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::termios::isatty;
use rustix::time::Timespec;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The result of looking for a jobserver.
#[derive(Debug)]
pub enum Found {
    /// `MAKEFLAGS` names none, for a regular reason.
    Absent(Absent),
    /// A usable jobserver.
    Client(Client),
    /// A jobserver is named but unusable: one task at a time, and a warning.
    Broken(Broken),
}

/// The reason why no jobserver is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Absent {
    /// There is no `MAKEFLAGS`: the process was not started by make, and its own default applies.
    #[error("MAKEFLAGS is not set")]
    NoMake,
    /// `MAKEFLAGS` names none: make runs without `-j`, or without limit; our own default applies.
    #[error("MAKEFLAGS names no jobserver")]
    Unnamed,
    /// Make has one slot (`-j1`), the implicit one: one task at a time.
    #[error("make runs with -j1: there is one slot")]
    OneSlot,
    /// Make disabled the jobserver for this process (negative descriptors): one task at a time.
    #[error("make disabled the jobserver for this command")]
    Off,
}

impl Absent {
    /// Whether make gives this process only the implicit slot.
    pub fn is_one_slot(self) -> bool {
        matches!(self, Absent::OneSlot | Absent::Off)
    }
}

/// The reason why a named jobserver is unusable.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// The value of the option is invalid.
    #[error("'{0}' names neither two descriptors nor a fifo")]
    Malformed(String),
    /// A descriptor is closed.
    #[error("descriptor {0} is closed")]
    Closed(i32),
    /// A descriptor is neither a pipe nor a character device.
    #[error("descriptor {0} is not the jobserver's: it is neither a pipe nor a character device")]
    Stale(i32),
    /// The fifo has no reader: the make that created it has ended.
    #[error("no process holds the fifo {0} open")]
    Abandoned(PathBuf),
    /// The path is neither a fifo nor a character device.
    #[error("{0} is neither a fifo nor a character device")]
    NotAServer(PathBuf),
    /// Opening failed.
    #[error("cannot open {path}: {error}")]
    Open {
        /// The path.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
}

/// Parses `MAKEFLAGS` and connects to the jobserver that it names.
pub fn connect(makeflags: Option<&OsStr>) -> Found {
    let Some(makeflags) = makeflags else { return Found::Absent(Absent::NoMake) };
    let flags = MakeFlags::parse(makeflags);
    let client = match flags.auth {
        None if flags.jobs == Some(Some(1)) => return Found::Absent(Absent::OneSlot),
        None => return Found::Absent(Absent::Unnamed),
        Some(Auth::Off) => return Found::Absent(Absent::Off),
        Some(Auth::Malformed(text)) => Err(Broken::Malformed(text)),
        Some(Auth::Pipe { read, write }) => Client::over_pipe(read, write),
        Some(Auth::Fifo(path)) => Client::over_fifo(&path),
    };
    client.map_or_else(Found::Broken, Found::Client)
}

/// The time that a byte is offered to a full pipe. A server whose pipe is full of tokens has enough
/// for all clients.
const OFFER: Duration = Duration::from_millis(200);

/// A connection to a jobserver.
#[derive(Debug)]
pub struct Client {
    read: OwnedFd,
    slots: Arc<Slots>,
    /// The value of the option in `MAKEFLAGS`.
    auth: String,
    _exit_action: ExitAction,
}

#[derive(Debug)]
struct Slots {
    write: OwnedFd,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The bytes read and not written back.
    held: Vec<u8>,
    /// Whether the implicit slot is taken.
    implicit: bool,
    /// Set by a signal, or when the server has ended: no token is taken any more.
    closed: bool,
    /// Whether a token was ever taken.
    served: bool,
    /// The first failure.
    trouble: Option<JobserverError>,
}

/// The right to run one task. Dropping it returns the token.
#[derive(Debug)]
#[must_use = "dropping it gives the right back"]
pub struct Token {
    slots: Arc<Slots>,
    /// `None` is the implicit slot.
    byte: Option<u8>,
}

impl Slots {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Writes one byte back: until it is written, the server has ended, or the time is over.
    fn give(&self, byte: u8, until: Instant) -> Result<(), JobserverError> {
        loop {
            match rustix::io::write(&self.write, &[byte]) {
                Ok(_) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Err(JobserverError::Write(Errno::AGAIN));
                    }
                    let mut fds = [PollFd::new(&self.write, PollFlags::OUT)];
                    // An interrupted poll leads to another attempt.
                    let _ = poll(&mut fds, Timespec::try_from(left).ok().as_ref());
                }
                // The server has closed its end or refuses the byte.
                Err(error) => return Err(JobserverError::Write(error)),
            }
        }
    }

    /// Returns all tokens and takes no more: the process is about to end.
    fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        let until = Instant::now() + OFFER;
        for byte in std::mem::take(&mut state.held) {
            // The process is about to end: failures are not reported.
            let _ = self.give(byte, until);
        }
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        let mut state = self.slots.lock();
        match self.byte {
            None => state.implicit = false,
            Some(byte) => {
                // After a signal the byte has been returned already.
                if let Some(at) = state.held.iter().position(|&held| held == byte) {
                    state.held.swap_remove(at);
                    let given = self.slots.give(byte, Instant::now() + OFFER);
                    state.trouble = state.trouble.or(given.err());
                }
            }
        }
    }
}

impl Client {
    fn over_pipe(read: i32, write: i32) -> Result<Client, Broken> {
        let reopen = |fd: i32, flags: OFlags| {
            let path = PathBuf::from(format!("/proc/self/fd/{fd}"));
            if rustix::fs::stat(&path).is_err() {
                return Err(Broken::Closed(fd));
            }
            // A stale number may be any file by now.
            let end = if may_serve(&path) { open(&path, flags)? } else { return Err(Broken::Stale(fd)) };
            if isatty(&end) { Err(Broken::Stale(fd)) } else { Ok(end) }
        };
        let (from, to) = (reopen(read, OFlags::RDONLY)?, reopen(write, OFlags::WRONLY)?);
        Ok(Client::new(from, to, format!("{read},{write}")))
    }

    fn over_fifo(path: &Path) -> Result<Client, Broken> {
        if path.exists() && !may_serve(path) {
            return Err(Broken::NotAServer(path.to_path_buf()));
        }
        // The write end first: it opens only while another process reads, which the server does for
        // its whole life.
        let write = open(path, OFlags::WRONLY).map_err(|broken| match broken {
            Broken::Open { path, error } if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => {
                Broken::Abandoned(path)
            }
            other => other,
        })?;
        if isatty(&write) {
            return Err(Broken::NotAServer(path.to_path_buf()));
        }
        Ok(Client::new(open(path, OFlags::RDONLY)?, write, format!("fifo:{}", path.display())))
    }

    fn new(read: OwnedFd, write: OwnedFd, auth: String) -> Client {
        let slots = Arc::new(Slots { write, state: Mutex::default() });
        let doomed = Arc::clone(&slots);
        Client { read, slots, auth, _exit_action: ExitAction::new(move || doomed.close()) }
    }

    /// Takes a slot if one is free: the implicit one first, then a token. Never blocks.
    pub fn try_acquire(&self) -> Option<Token> {
        let mut state = self.slots.lock();
        if !std::mem::replace(&mut state.implicit, true) {
            return Some(Token { slots: Arc::clone(&self.slots), byte: None });
        }
        if state.closed {
            return None;
        }
        let mut byte = [0];
        loop {
            // Under the lock, so that no signal comes between taking a byte and recording it.
            match rustix::io::read(&self.read, &mut byte) {
                Ok(1) => {
                    state.served = true;
                    state.held.push(byte[0]);
                    return Some(Token { slots: Arc::clone(&self.slots), byte: Some(byte[0]) });
                }
                Err(Errno::INTR) => {}
                // Another client was faster.
                Err(Errno::AGAIN) => return None,
                // The server has ended: the implicit slot remains.
                other => {
                    state.closed = true;
                    let error = other.err().map_or(JobserverError::End, JobserverError::Read);
                    state.trouble = state.trouble.or(Some(error));
                    return None;
                }
            }
        }
    }

    /// The descriptor to poll for reading while a task could start.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.read.as_fd()
    }

    /// Whether waiting for a token makes sense.
    pub fn is_alive(&self) -> bool {
        !self.slots.lock().closed
    }

    /// The first failure since the connection was made.
    pub fn trouble(&self) -> Option<JobserverError> {
        self.slots.lock().trouble
    }

    /// Whether it has ever given a token.
    pub fn has_served(&self) -> bool {
        self.slots.lock().served
    }

    /// The value of the option in `MAKEFLAGS`: two descriptors, or `fifo:` and a path.
    pub fn auth(&self) -> &str {
        &self.auth
    }

    /// Tokens held, without the implicit slot.
    pub fn held(&self) -> usize {
        self.slots.lock().held.len()
    }
}

/// Whether the path can be a jobserver: a pipe or a character device (but no terminal: typed text
/// is no token).
fn may_serve(path: &Path) -> bool {
    let kind = rustix::fs::stat(path).map(|stat| FileType::from_raw_mode(stat.st_mode));
    matches!(kind, Ok(FileType::Fifo | FileType::CharacterDevice))
}

fn open(path: &Path, flags: OFlags) -> Result<OwnedFd, Broken> {
    let flags = flags | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    rustix::fs::open(path, flags, Mode::empty())
        .map_err(|error| Broken::Open { path: path.to_path_buf(), error: error.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    /// A test server: a pipe with tokens in it, and the value for MAKEFLAGS.
    fn server(tokens: &[u8]) -> (OwnedFd, OwnedFd, String) {
        let (read, write) = rustix::pipe::pipe().unwrap();
        rustix::io::write(&write, tokens).unwrap();
        let flags = format!(" -j --jobserver-auth={},{}", read.as_raw_fd(), write.as_raw_fd());
        (read, write, flags)
    }

    fn client(flags: &str) -> Client {
        match connect(Some(OsStr::new(flags))) {
            Found::Client(client) => client,
            other => panic!("{other:?}"),
        }
    }

    fn drain(read: &OwnedFd) -> Vec<u8> {
        let mut bytes = [0; 64];
        let count = rustix::io::read(read, &mut bytes).unwrap();
        bytes[..count].sort();
        bytes[..count].to_vec()
    }

    #[test]
    fn the_implicit_slot_comes_first_and_the_same_bytes_go_back() {
        let (read, _write, flags) = server(b"abc");
        let client = client(&flags);
        let first = client.try_acquire().unwrap();
        assert_eq!(client.held(), 0);
        let more: Vec<Token> = std::iter::from_fn(|| client.try_acquire()).collect();
        assert_eq!((more.len(), client.held()), (3, 3));
        drop(first);
        assert!(client.try_acquire().is_some_and(|token| token.byte.is_none()));
        drop(more);
        assert_eq!(drain(&read), b"abc");
    }

    #[test]
    fn flags_of_the_inherited_pipe_stay_as_they_are() {
        let (read, write, flags) = server(b"a");
        let before = (rustix::fs::fcntl_getfl(&read).unwrap(), rustix::io::fcntl_getfd(&write).unwrap());
        let client = client(&flags);
        drop((client.try_acquire(), client.try_acquire()));
        assert_eq!((rustix::fs::fcntl_getfl(&read).unwrap(), rustix::io::fcntl_getfd(&write).unwrap()), before);
    }

    #[test]
    fn a_signal_returns_every_byte_and_tokens_dropped_later_return_none() {
        let (read, _write, flags) = server(b"xy");
        let client = client(&flags);
        let tokens: Vec<Token> = std::iter::from_fn(|| client.try_acquire()).collect();
        client.slots.close();
        assert_eq!(drain(&read), b"xy");
        drop(tokens);
        assert_eq!(client.held(), 0);
        let _implicit = client.try_acquire().unwrap();
        assert!(client.try_acquire().is_none());
    }

    #[test]
    fn a_server_that_dies_leaves_the_implicit_slot() {
        let (read, write, flags) = server(b"");
        let client = client(&flags);
        let token = client.try_acquire().unwrap();
        assert!(client.try_acquire().is_none() && client.is_alive());
        // Only our own write end keeps the pipe open; a byte that was not written never arrives.
        drop((read, write, token));
        assert!(client.try_acquire().is_some());
    }

    #[test]
    fn a_fifo_with_a_blank_in_its_path() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("to kens");
        rustix::fs::mknodat(rustix::fs::CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let keep = rustix::fs::open(&path, OFlags::RDWR, Mode::empty()).unwrap();
        rustix::io::write(&keep, b"++").unwrap();
        let quoted = path.to_str().unwrap().replace(' ', "\\ ");
        let client = client(&format!("--jobserver-auth=fifo:{quoted}"));
        assert_eq!(std::iter::from_fn(|| client.try_acquire()).collect::<Vec<_>>().len(), 3);
        assert_eq!(drain(&keep), b"++");
    }

    #[test]
    fn what_is_absent_or_dead_is_named() {
        let connect = |flags: &str| connect(Some(OsStr::new(flags)));
        assert!(matches!(super::connect(None), Found::Absent(Absent::NoMake)));
        assert!(matches!(connect(""), Found::Absent(Absent::Unnamed)));
        assert!(matches!(connect(" -j1"), Found::Absent(Absent::OneSlot)));
        assert!(matches!(connect("--jobserver-auth=-2,-2"), Found::Absent(Absent::Off)));
        assert!(matches!(connect("--jobserver-auth=1000,1001"), Found::Broken(Broken::Closed(1000))));
        assert!(matches!(connect("--jobserver-auth=10,"), Found::Broken(Broken::Malformed(_))));
        assert!(matches!(connect("--jobserver-auth=fifo:/nonexistent"), Found::Broken(Broken::Open { .. })));
        let regular = "--jobserver-auth=fifo:/proc/self/status";
        assert!(matches!(connect(regular), Found::Broken(Broken::NotAServer(_))));
        let file = std::fs::File::open("/proc/self/status").unwrap();
        let flags = format!("--jobserver-auth={0},{0}", file.as_raw_fd());
        assert!(matches!(connect(&flags), Found::Broken(Broken::Stale(_))));
    }

    #[test]
    fn a_fifo_that_its_make_has_left_is_no_server() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokens");
        rustix::fs::mknodat(rustix::fs::CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let flags = format!("--jobserver-auth=fifo:{}", path.display());
        let keep = rustix::fs::open(&path, OFlags::RDWR, Mode::empty()).unwrap();
        assert_eq!(client(&flags).auth(), format!("fifo:{}", path.display()));
        drop(keep);
        assert!(matches!(connect(Some(OsStr::new(&flags))), Found::Broken(Broken::Abandoned(_))));
    }

    #[test]
    fn an_end_of_file_is_trouble() {
        // A device without data; a pipe without writers.
        let (read, write) = rustix::pipe::pipe().unwrap();
        let elsewhere = rustix::fs::open("/dev/null", OFlags::WRONLY, Mode::empty()).unwrap();
        drop(write);
        let pipe = format!("--jobserver-auth={},{}", read.as_raw_fd(), elsewhere.as_raw_fd());
        for flags in ["--jobserver-auth=fifo:/dev/null", &pipe] {
            let client = client(flags);
            let _implicit = client.try_acquire().unwrap();
            assert_eq!(client.trouble(), None);
            assert!(client.try_acquire().is_none() && !client.is_alive() && !client.has_served());
            assert_eq!(client.trouble(), Some(JobserverError::End));
        }
    }

    #[test]
    fn a_full_server_delays_no_process_and_is_reported() {
        for signal in [false, true] {
            let (read, write, flags) = server(b"ab");
            let client = client(&flags);
            let tokens: Vec<Token> = std::iter::from_fn(|| client.try_acquire()).collect();
            // Another process fills the pipe.
            let room = rustix::pipe::fcntl_getpipe_size(&write).unwrap();
            rustix::io::write(&write, &vec![b'+'; room]).unwrap();
            let begun = Instant::now();
            if signal {
                client.slots.close();
            }
            drop(tokens);
            // Each byte is offered for a moment, which may be longer on a busy machine.
            assert!(begun.elapsed() < 100 * OFFER, "{:?}", begun.elapsed());
            assert_eq!(client.trouble(), (!signal).then_some(JobserverError::Write(Errno::AGAIN)));
            assert_eq!(rustix::io::ioctl_fionread(&read), Ok(room as u64));
        }
    }

    #[test]
    fn a_byte_that_is_refused_is_told_of_and_the_first_error_stays() {
        let client = client("--jobserver-auth=fifo:/dev/full");
        let tokens: Vec<Token> = std::iter::from_fn(|| client.try_acquire()).take(3).collect();
        assert_eq!(client.trouble(), None);
        drop(tokens);
        let trouble = client.trouble().unwrap();
        assert!(
            trouble == JobserverError::Write(Errno::NOSPC) && trouble.to_string().contains("could not be returned: ")
        );
    }
}
