//! Token servers of every transport, and the end of a build under signals.

use super::{Bench, PATIENCE};
use raddle_driver::host::jobserver::{Client, Found, connect};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::time::Instant;

/// The tokens of the server.
pub const TOKENS: &[u8] = b"abcde";
/// The ways in which tokens reach a build.
pub const TRANSPORTS: [Transport; 4] = [
    Transport::Pipe(PipeFlags::empty()),
    // As make 4.3 makes it.
    Transport::Pipe(PipeFlags::NONBLOCK),
    Transport::Fifo("tokens"),
    Transport::Fifo("to kens"),
];

#[derive(Clone, Copy, Debug)]
pub enum Transport {
    /// Inherited descriptors, made with these flags.
    Pipe(PipeFlags),
    /// A fifo of this name.
    Fifo(&'static str),
}

/// A jobserver of make with these tokens, for builds in this process.
pub struct Make {
    read: OwnedFd,
    _write: OwnedFd,
    pub client: Arc<Client>,
}

impl Make {
    pub fn new(tokens: &[u8]) -> Make {
        let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).unwrap();
        rustix::io::write(&write, tokens).unwrap();
        let flags = format!(" -j --jobserver-auth={},{}", read.as_raw_fd(), write.as_raw_fd());
        let Found::Client(client) = connect(Some(flags.as_ref())) else { panic!("{flags}") };
        Make { read, _write: write, client: Arc::new(client) }
    }

    /// Tokens that no process holds.
    pub fn there(&self) -> u64 {
        rustix::io::ioctl_fionread(&self.read).unwrap()
    }
}

/// A token server.
pub struct Tokens {
    read: OwnedFd,
    write: OwnedFd,
    /// What `MAKEFLAGS` says of it.
    pub auth: String,
}

impl Tokens {
    pub fn new(transport: Transport, bench: &Bench) -> Tokens {
        let tokens = match transport {
            Transport::Pipe(flags) => {
                // Without O_CLOEXEC: every process that this test starts inherits it, as from make.
                let (read, write) = rustix::pipe::pipe_with(flags).unwrap();
                let auth = format!(" -j --jobserver-auth={},{}", read.as_raw_fd(), write.as_raw_fd());
                Tokens { read, write, auth }
            }
            Transport::Fifo(name) => {
                let path = bench.path(name);
                rustix::fs::mknodat(rustix::fs::CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
                let open = || rustix::fs::open(&path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).unwrap();
                let auth = format!(" -j --jobserver-auth=fifo:{}", path.replace(' ', "\\ "));
                Tokens { read: open(), write: open(), auth }
            }
        };
        tokens.put(TOKENS);
        tokens
    }

    pub fn put(&self, bytes: &[u8]) {
        assert_eq!(rustix::io::write(&self.write, bytes), Ok(bytes.len()));
    }

    /// Removes all tokens and returns them sorted.
    pub fn take(&self) -> Vec<u8> {
        let mut bytes = vec![0; rustix::io::ioctl_fionread(&self.read).unwrap() as usize];
        if !bytes.is_empty() {
            assert_eq!(rustix::io::read(&self.read, &mut bytes[..]), Ok(bytes.len()));
        }
        bytes.sort_unstable();
        bytes
    }

    /// Takes back the tokens of a build that has ended, and puts all of them again. Returns the number
    /// of those that went with a build killed by SIGKILL, which cannot return them.
    pub fn returned(&self, killed: bool) -> Result<usize, String> {
        let back = self.take();
        self.put(TOKENS);
        let lost = TOKENS.iter().filter(|byte| !back.contains(byte)).count();
        let sound = lost + back.len() == TOKENS.len() && back.iter().all(|byte| TOKENS.contains(byte));
        if sound && (killed || lost == 0) {
            return Ok(lost);
        }
        Err(format!("these tokens came back: {}", String::from_utf8_lossy(&back)))
    }

    /// The flags that a client shares with the server, and those of the descriptors.
    pub fn flags(&self) -> [u32; 4] {
        let status = |fd: &OwnedFd| rustix::fs::fcntl_getfl(fd).unwrap().bits();
        let descriptor = |fd: &OwnedFd| rustix::io::fcntl_getfd(fd).unwrap().bits();
        [status(&self.read), status(&self.write), descriptor(&self.read), descriptor(&self.write)]
    }
}

/// Pseudo-random numbers: SplitMix64.
pub fn hash(round: u64) -> u64 {
    let mut z = round.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Waits for the end, with a time limit.
pub fn end(child: &mut Child) -> Option<ExitStatus> {
    let pidfd = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).unwrap();
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let left = Timespec::try_from(PATIENCE.saturating_sub(begun.elapsed())).unwrap();
        // An interrupted poll leads to another one.
        if poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&left)) == Ok(1) {
            return Some(child.wait().unwrap());
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}
