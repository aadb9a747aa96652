//! Signal handlers: every signal becomes a message to a thread, and a crashed thread is stopped
//! where it is.
//!
//! Little is allowed in a handler. It sends a datagram (not a pipe: stale numbers in MAKEFLAGS may
//! name the lowest free descriptors, and a pipe there would look like a jobserver) and, after a
//! crash, sleeps while the receiver ends or replaces the process. If that does not happen for
//! [`PATIENCE`] seconds, perhaps because the crashed thread held a lock of the allocator, the
//! process dies of the signal. Handlers run on the alternate stack that the standard library
//! allocates for each thread, so that a stack overflow can be handled.

use std::cell::Cell;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::IntoRawFd;
use std::os::unix::net::UnixDatagram;
use std::sync::atomic::{AtomicI32, Ordering};

/// The seconds after which a crashed thread ends the process itself.
const PATIENCE: u32 = 5;

/// The socket that handlers send to.
static SENDER: AtomicI32 = AtomicI32::new(-1);

thread_local! {
    /// The work of the thread: see [`set_work`]. Without a destructor, so that a handler may read
    /// it.
    static WORK: Cell<u32> = const { Cell::new(NO_WORK) };
}

/// The value for a thread without repeatable work.
pub(crate) const NO_WORK: u32 = u32::MAX;

/// Sets the work of the calling thread; returns the previous one.
pub(crate) fn set_work(work: u32) -> u32 {
    WORK.replace(work)
}

/// A received signal, and the work of the thread that received it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrived {
    pub(crate) signal: i32,
    pub(crate) work: u32,
}

/// The receiving end.
#[derive(Debug)]
pub(crate) struct Arrivals {
    receiver: UnixDatagram,
}

impl Arrivals {
    /// Sleeps until a signal arrives.
    pub(crate) fn next(&self) -> io::Result<Arrived> {
        let mut message = [0; 5];
        let length = loop {
            match self.receiver.recv(&mut message) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                length => break length?,
            }
        };
        if length != message.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let [signal, work @ ..] = message;
        Ok(Arrived { signal: i32::from(signal), work: u32::from_le_bytes(work) })
    }
}

/// Installs handlers: a signal of `fatal` stops the thread that received it; one of `survived` has
/// no effect (and is not ignored by child programs, as it would be with SIG_IGN).
pub(crate) fn install(polite: &[i32], fatal: &[i32], survived: &[i32]) -> io::Result<Arrivals> {
    let (receiver, sender) = UnixDatagram::pair()?;
    // Never closed: handlers send for the whole life of the process.
    SENDER.store(sender.into_raw_fd(), Ordering::Release);
    for &signal in polite {
        handle(signal, on_polite)?;
    }
    for &signal in fatal {
        handle(signal, on_crash)?;
    }
    for &signal in survived {
        handle(signal, on_survived)?;
    }
    Ok(Arrivals { receiver })
}

fn handle(signal: i32, handler: extern "C" fn(i32)) -> io::Result<()> {
    // SAFETY: all-zero bytes are a valid `sigaction`, whose fields are set before its use.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = handler as *const () as usize;
    action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
    // SAFETY: `action` is complete, and the handler does only what is allowed in one
    // (signal-safety(7)).
    if unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

fn send(signal: i32) {
    let [a, b, c, d] = WORK.try_with(Cell::get).unwrap_or(NO_WORK).to_le_bytes();
    let message = [signal as u8, a, b, c, d];
    // SAFETY: `write` is allowed in a handler, the buffer is ours, and the `errno` of the
    // interrupted code is restored.
    unsafe {
        let errno = *libc::__errno_location();
        libc::write(SENDER.load(Ordering::Acquire), message.as_ptr().cast(), message.len());
        *libc::__errno_location() = errno;
    }
}

extern "C" fn on_polite(signal: i32) {
    send(signal);
}

extern "C" fn on_survived(_signal: i32) {}

extern "C" fn on_crash(signal: i32) {
    send(signal);
    // SAFETY: all of these are allowed in a handler, and their arguments are valid.
    unsafe {
        let mut left = PATIENCE;
        while left > 0 {
            left = libc::sleep(left);
        }
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
        // The signal is blocked while this handler runs: it is delivered after the return, or
        // never.
        libc::_exit(128 + signal);
    }
}
