//! What goes wrong, and connections that can be broken.

use std::net::TcpListener;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tonic::Code;
use tonic::codegen::tokio_stream::Stream;
use tonic::transport::server::Connected;

/// What goes wrong with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The answer is this code.
    Code(Code),
    /// The answer is a refusal that repeats the token.
    Repeat,
    /// All connections break.
    Break,
    /// A stream ends early.
    End,
    /// What the server had is gone: a blob that it says it has, a running operation.
    Lose,
    /// A bit of a blob is wrong.
    Flip,
    /// A blob is cut.
    Cut,
    /// The size of a file is wrong in a result.
    Size,
    /// The answer is late.
    Slow,
    /// The worker dies: there is no answer.
    Die,
}

/// What goes wrong, by the name of a call and its number among the calls of this name.
pub type Plan = Box<dyn Fn(&'static str, u64) -> Option<Fault> + Send + Sync>;

/// Where connections come in.
#[derive(Default)]
pub struct Door {
    broken: Arc<AtomicU64>,
    /// Connections with a number below this one say and read nothing.
    silent: Arc<AtomicU64>,
    /// The number of connections.
    count: Arc<AtomicU64>,
}

impl Door {
    /// Breaks all connections.
    pub fn break_all(&self) {
        self.broken.fetch_add(1, Ordering::Relaxed);
    }

    /// Lets connections hang: those that are there, or all that will ever be.
    pub fn hang(&self, all: bool) {
        let count = if all { u64::MAX } else { self.count.load(Ordering::Relaxed) };
        self.silent.store(count, Ordering::Relaxed);
    }

    /// The number of connections so far.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    pub fn connections(&self, listener: TcpListener, runtime: &tokio::runtime::Runtime) -> Connections {
        let _inside = runtime.enter();
        let [broken, silent, count] = [&self.broken, &self.silent, &self.count].map(Arc::clone);
        Connections { listener: tokio::net::TcpListener::from_std(listener).unwrap(), broken, silent, count }
    }
}

/// New connections.
pub struct Connections {
    listener: tokio::net::TcpListener,
    broken: Arc<AtomicU64>,
    silent: Arc<AtomicU64>,
    count: Arc<AtomicU64>,
}

impl Stream for Connections {
    type Item = std::io::Result<Breakable>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.listener.poll_accept(cx).map(|accepted| {
            let (broken, count) = (Arc::clone(&self.broken), self.broken.load(Ordering::Relaxed));
            let (silent, number) = (Arc::clone(&self.silent), self.count.fetch_add(1, Ordering::Relaxed));
            Some(accepted.map(|(stream, _)| Breakable { stream, broken, count, silent, number }))
        })
    }
}

/// A connection.
pub struct Breakable {
    stream: TcpStream,
    broken: Arc<AtomicU64>,
    /// The value of `broken` when it was made.
    count: u64,
    silent: Arc<AtomicU64>,
    /// Its number.
    number: u64,
}

impl Breakable {
    /// Whether it hangs, for good.
    fn hangs(&self) -> bool {
        self.number < self.silent.load(Ordering::Relaxed)
    }

    fn check(&self) -> std::io::Result<()> {
        let whole = self.broken.load(Ordering::Relaxed) == self.count;
        if whole { Ok(()) } else { Err(std::io::ErrorKind::ConnectionReset.into()) }
    }
}

impl Connected for Breakable {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Breakable {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        self.check()?;
        if self.hangs() {
            return Poll::Pending;
        }
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Breakable {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        self.check()?;
        if self.hangs() {
            return Poll::Pending;
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
