//! A jobserver for the tools that tasks start: a pipe or a fifo with slots lent to them.
//!
//! **Problem.** A tool may want to work on several threads. Taking no slots it leaves those idle that tasks do not need at the
//! end of a build; taking those of the parent make itself, it would lose them if it were killed. **Strategy.** Its slots
//! are lent by us. A byte in our pipe stands for a permit of the queue that no task uses: it is lent from then until it
//! comes back, taken or not. Nothing is lent while a task could start. Bytes nobody has taken come back as soon as one
//! could, or after a turn where they are a make's, which is asked again later. When the last tool has ended, everything
//! has come back, with or without its byte: what a tool that was killed took along was ours all the time.
//!
//! **Invariants.** Tasks that run and slots lent together never exceed the permits of the queue. What a tool writes too much is
//! thrown away. A tool is killed with the thread that waits for it, and inherits nothing of ours but the pipe.

use crate::doorbell::Doorbell;
use crate::lock::lock;
use crate::queue::Queue;
use crate::signals::OnSignal;
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

/// How long a make is not asked for a slot for tools again that none of them took.
const REST: Duration = Duration::from_secs(2);

/// The byte of a slot. Which one it is does not matter to those who take it.
const SLOT: u8 = b'+';

/// How tools are told of the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Two descriptors that they inherit, as every make hands them out.
    #[default]
    Pipe,
    /// The path of a fifo, as make does since 4.4.
    Fifo,
}

/// A server for tools.
#[derive(Debug)]
pub struct Server {
    makeflags: String,
    /// Inherited by tools: they may change flags of these, which are not those of `own`.
    pipe: Option<[OwnedFd; 2]>,
    own: OwnedFd,
    _folder: Option<Folder>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Tools that run.
    tools: usize,
    lent: usize,
    /// When the last slot was offered.
    offered: Option<Instant>,
    /// Nothing is asked of a make before.
    rest: Option<Instant>,
    bell: Weak<Doorbell>,
}

/// A tool that may take slots, as long as this lives.
#[derive(Debug)]
#[must_use = "dropping it says that the tool has ended"]
pub struct Tool {
    server: Arc<Server>,
}

impl Server {
    /// A server that lends nothing yet. Tools are told that there are `slots` of them in all.
    ///
    /// # Errors
    /// What the system says.
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

    /// Lets the tool that `command` is about to start take slots: until the result is dropped, which must not be before the
    /// tool has ended.
    pub fn admit(self: &Arc<Self>, command: &mut Command) -> Tool {
        command.env("MAKEFLAGS", &self.makeflags).env_remove("MFLAGS");
        sys::prepare(command, self.pipe.iter().flatten().map(AsRawFd::as_raw_fd).collect());
        let mut state = self.lock();
        state.tools += 1;
        ring(&state);
        Tool { server: Arc::clone(self) }
    }

    /// Rings this bell when a tool begins or ends.
    pub(crate) fn attach(&self, bell: &Arc<Doorbell>) {
        self.lock().bell = Arc::downgrade(bell);
    }

    /// Slots to ask a make for beside those that tasks need: one at a time.
    pub(crate) fn wants(&self) -> usize {
        let state = self.lock();
        let rests = state.rest.is_some_and(|until| Instant::now() < until);
        usize::from(state.tools > 0 && self.there() == 0 && !rests)
    }

    /// Lends permits that nobody needs, takes back what somebody else needs. `scarce` says that they are a make's.
    /// Returns whether a tool runs, so that this should be done again soon.
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

    /// Slots that no tool has taken.
    fn there(&self) -> usize {
        rustix::io::ioctl_fionread(&self.own).ok().and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0)
    }

    /// Takes them all out.
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
        // A pipe has room for thousands: one that has none holds what nobody has lent.
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

/// Both ends at once, for us alone: never waits.
fn open(path: impl rustix::path::Arg) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?)
}

/// A folder that goes away with the process.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    _on_signal: OnSignal,
}

impl Folder {
    fn new() -> io::Result<Folder> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("raddle-slots-{}-{number}", std::process::id()));
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        let doomed = path.clone();
        Ok(Folder { path, _on_signal: OnSignal::new(move || drop(std::fs::remove_dir_all(doomed))) })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nobody is left to be told that a folder for temporary files keeps one more.
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
            // It takes two of the three and is killed.
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
        assert_eq!((queue.load().lent, server.there()), (0, 0), "what nobody took is for the task");
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
