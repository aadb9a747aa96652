//! A jobserver for the tools that tasks start: a pipe or a fifo with slots lent to them.
//!
//! **Problem.** A tool may be able to use several threads. Without slots it cannot use those that
//! are idle at the end of a build; if it took slots of the parent make itself, they would be lost
//! if it were killed. **Strategy.** This process lends it slots. A byte in our pipe represents an
//! idle permit of the queue: it is lent until the byte is returned, taken or not. Nothing is lent
//! while a task could start. Bytes that no tool has taken are withdrawn as soon as a task could use
//! one, or after a turn if they belong to a make, which gets another request later. When the last
//! tool has ended, everything has been returned, with or without its byte: the slots of a killed
//! tool were ours all the time.
//!
//! **Invariants.** Running tasks and lent slots together never exceed the permits of the queue.
//! Surplus bytes from a tool are discarded. A tool is killed with the thread that waits for it, and
//! inherits only the pipe.

use crate::doorbell::Doorbell;
use crate::lock::lock;
use crate::queue::Queue;
use crate::signals::ExitAction;
use crate::sys;
use crate::tokens::TURN;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

/// The pause before the next request to make for a tool slot, after no tool took one.
const REST: Duration = Duration::from_secs(2);

/// The byte of a slot. Its value does not matter to clients.
const SLOT: u8 = b'+';

/// The way in which tools find the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Two inherited descriptors, as every make passes them.
    #[default]
    Pipe,
    /// The path of a fifo, as in make since 4.4.
    Fifo,
}

/// A jobserver for tools.
#[derive(Debug)]
pub struct Server {
    makeflags: String,
    /// Inherited by tools, which may change the flags of these; they are not shared with `own`.
    pipe: Option<[OwnedFd; 2]>,
    own: OwnedFd,
    _folder: Option<Folder>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of running tools.
    tools: usize,
    lent: usize,
    /// When the last slot was offered.
    offered: Option<Instant>,
    /// The time before which no slot is requested from make.
    rest: Option<Instant>,
    bell: Weak<Doorbell>,
}

/// A tool that may take slots, until dropped.
#[derive(Debug)]
#[must_use = "dropping it says that the tool has ended"]
pub struct Tool {
    server: Arc<Server>,
}

impl Server {
    /// Creates a server that lends nothing yet. Tools see a server of `slots` slots.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn new(style: Style, slots: usize) -> io::Result<Server> {
        let made = |auth: String, pipe, own, folder| Server {
            makeflags: format!(" -j{slots} --jobserver-auth={auth}"),
            pipe,
            own,
            _folder: folder,
            state: Mutex::default(),
        };
        match style {
            Style::Pipe => {
                let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
                let own = open(format!("/proc/self/fd/{}", read.as_raw_fd()))?;
                let auth = format!("{},{}", read.as_raw_fd(), write.as_raw_fd());
                Ok(made(auth, Some([read, write]), own, None))
            }
            Style::Fifo => {
                let folder = Folder::new()?;
                let path = folder.path.join("slots");
                rustix::fs::mknodat(rustix::fs::CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
                let own = open(&path)?;
                let quoted = path.to_string_lossy().replace('\\', "\\\\").replace(' ', "\\ ");
                Ok(made(format!("fifo:{quoted}"), None, own, Some(folder)))
            }
        }
    }

    /// Lets the tool that `command` is about to start take slots until the result is dropped, which
    /// must not be before the tool has ended.
    pub fn admit(self: &Arc<Self>, command: &mut Command) -> Tool {
        command.env("MAKEFLAGS", &self.makeflags).env_remove("MFLAGS");
        sys::prepare(command, self.pipe.iter().flatten().map(AsRawFd::as_raw_fd).collect());
        let mut state = self.lock();
        state.tools += 1;
        ring(&state);
        Tool { server: Arc::clone(self) }
    }

    /// Rings this bell when a tool starts or ends.
    pub(crate) fn attach(&self, bell: &Arc<Doorbell>) {
        self.lock().bell = Arc::downgrade(bell);
    }

    /// The slots to request from make besides those for tasks: one at a time.
    pub(crate) fn wants(&self) -> usize {
        let state = self.lock();
        let rests = state.rest.is_some_and(|until| Instant::now() < until);
        usize::from(state.tools > 0 && self.there() == 0 && !rests)
    }

    /// Lends idle permits, and withdraws those that others need. `scarce` means that they belong to
    /// a make. Returns whether a tool is running, so that this should be repeated soon.
    pub(crate) fn settle<J>(&self, queue: &Queue<J>, scarce: bool) -> bool {
        let mut state = self.lock();
        if state.tools == 0 {
            self.take();
            queue.repay(std::mem::take(&mut state.lent));
            state.rest = None;
            return false;
        }
        let there = self.there();
        let untouched = there > 0 && state.offered.is_some_and(|at| at.elapsed() >= TURN);
        if queue.load().queued > 0 || scarce && untouched {
            let back = self.take().min(state.lent);
            state.lent -= back;
            queue.repay(back);
            state.rest = untouched.then(|| Instant::now() + REST);
        } else if there == 0 && state.rest.is_none_or(|until| until <= Instant::now()) {
            while queue.lend() {
                state.lent += 1;
                state.offered = Some(Instant::now());
                self.put();
            }
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The number of slots that no tool has taken.
    fn there(&self) -> usize {
        rustix::io::ioctl_fionread(&self.own).ok().and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0)
    }

    /// Withdraws them all.
    fn take(&self) -> usize {
        let (mut bytes, mut taken) = ([0; 64], 0);
        loop {
            match rustix::io::read(&self.own, &mut bytes) {
                Ok(count) if count > 0 => taken += count,
                Err(Errno::INTR) => {}
                _ => return taken,
            }
        }
    }

    fn put(&self) {
        // A pipe has room for thousands of bytes: a full one holds bytes that were not lent.
        while let Err(Errno::INTR) = rustix::io::write(&self.own, &[SLOT]) {}
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        let mut state = self.server.lock();
        state.tools -= 1;
        ring(&state);
    }
}

fn ring(state: &State) {
    if let Some(bell) = state.bell.upgrade() {
        bell.ring();
    }
}

/// Opens both ends at once, for us alone, non-blocking.
fn open(path: impl rustix::path::Arg) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?)
}

/// A folder that is removed with the process.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    _exit_action: ExitAction,
}

impl Folder {
    fn new() -> io::Result<Folder> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("raddle-slots-{}-{number}", std::process::id()));
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        let doomed = path.clone();
        Ok(Folder { path, _exit_action: ExitAction::new(move || drop(std::fs::remove_dir_all(doomed))) })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A failure only leaves a folder among the temporary files.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(server: &Arc<Server>, script: &str) -> (Tool, std::process::Child) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let tool = server.admit(&mut command);
        (tool, command.spawn().unwrap())
    }

    #[test]
    fn what_is_lent_comes_back_however_a_tool_ends() {
        for style in [Style::Pipe, Style::Fifo] {
            let server = Arc::new(Server::new(style, 3).unwrap());
            let queue: Queue<()> = Queue::new(3);
            assert!(!server.settle(&queue, false) && queue.load().lent == 0, "nothing without a tool");
            // The tool takes two of the three slots and is killed.
            let take = match style {
                Style::Pipe => "a=${MAKEFLAGS##*=}; exec 0</proc/self/fd/${a%,*}",
                Style::Fifo => "exec 0<\"${MAKEFLAGS##*fifo:}\"",
            };
            let script =
                format!("{take}; dd bs=1 count=1 of=/dev/null 2>&-; dd bs=1 count=1 of=/dev/null 2>&-; kill -9 $$");
            let (running, mut child) = tool(&server, &script);
            assert!(server.settle(&queue, false) && queue.load().lent == 3, "{style:?}");
            assert!(!queue.lend(), "no more than there are permits");
            assert_eq!(child.wait().unwrap().code(), None);
            assert_eq!(server.there(), 1, "{style:?}");
            drop(running);
            assert!(!server.settle(&queue, false));
            assert_eq!((queue.load().lent, server.there()), (0, 0), "{style:?}");
        }
    }

    #[test]
    fn tasks_come_first_and_too_many_bytes_are_thrown_away() {
        let server = Arc::new(Server::new(Style::Pipe, 2).unwrap());
        let queue = Queue::new(2);
        let (running, mut child) = tool(&server, "a=${MAKEFLAGS##*=}; printf ++++ >/proc/self/fd/${a#*,}");
        child.wait().unwrap();
        queue.push(0, 1).unwrap();
        server.settle(&queue, false);
        assert_eq!((queue.load().lent, server.there()), (0, 0), "a task could start");
        assert_eq!(queue.take(), Some(1));
        server.settle(&queue, false);
        assert_eq!((queue.load().lent, server.there()), (1, 1));
        queue.push(0, 2).unwrap();
        server.settle(&queue, false);
        assert_eq!((queue.load().lent, server.there()), (0, 0), "unclaimed slots are for the task");
        assert_eq!(queue.take(), Some(2));
        drop(running);
    }

    #[test]
    fn slots_of_a_make_that_no_tool_takes_go_back() {
        let server = Arc::new(Server::new(Style::Pipe, 2).unwrap());
        let queue: Queue<()> = Queue::new(1);
        let (running, mut child) = tool(&server, ":");
        child.wait().unwrap();
        assert_eq!(server.wants(), 1);
        server.settle(&queue, true);
        assert_eq!((queue.load().lent, server.wants()), (1, 0));
        server.lock().offered = Instant::now().checked_sub(TURN);
        server.settle(&queue, true);
        assert_eq!((queue.load().lent, server.wants()), (0, 0), "it rests");
        drop(running);
        server.settle(&queue, true);
        assert!(server.lock().rest.is_none());
    }
}
