//! A runtime with one thread of its own, for callers that are not asynchronous.
//!
//! A caller gives it a future, and may wait for the result for a limited time: what comes later is dropped.
//! So no server, resolver or engine can hold a caller up. The thread needs next to no CPU time and holds no
//! job token.

use std::fmt;
use std::future::Future;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;
#[cfg(feature = "execution")]
use tokio::runtime::EnterGuard;
use tokio::runtime::{Builder, Runtime};

/// A runtime. When it is dropped, what is under way is dropped as well, and nothing waits for it.
pub(crate) struct Background(Option<Runtime>);

/// Why a future has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Late {
    /// It was not ready in time.
    Late,
    /// It panicked, or the runtime has ended.
    Ended,
}

impl fmt::Debug for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Background").finish_non_exhaustive()
    }
}

impl Background {
    pub fn start(name: &str) -> io::Result<Background> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).max_blocking_threads(2).thread_name(name).enable_all().build()?;
        Ok(Background(Some(runtime)))
    }

    /// Starts a future and does not wait for it.
    #[cfg(feature = "execution")]
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.0 {
            drop(runtime.spawn(future));
        }
    }

    /// What is made while this lives may belong to the runtime.
    #[cfg(feature = "execution")]
    pub fn enter(&self) -> Option<EnterGuard<'_>> {
        self.0.as_ref().map(Runtime::enter)
    }

    /// Runs a future and waits for its result, for a limited time.
    pub fn wait<T: Send + 'static>(
        &self,
        within: Duration,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Late> {
        let runtime = self.0.as_ref().ok_or(Late::Ended)?;
        let (send, receive) = sync_channel(1);
        let task = runtime.spawn(async move { drop(send.send(future.await)) });
        receive.recv_timeout(within).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                task.abort();
                Late::Late
            }
            RecvTimeoutError::Disconnected => Late::Ended,
        })
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Chooses who does the cryptography of TLS. Another part of the program may have chosen already: then
/// that one is used.
pub(crate) fn provide_tls() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_caller_waits_for_a_limited_time() {
        let runtime = Background::start("test").unwrap();
        assert_eq!(runtime.wait(Duration::from_secs(60), async { 7 }), Ok(7));
        let begun = Instant::now();
        let late =
            runtime.wait(Duration::from_millis(20), async { tokio::time::sleep(Duration::from_secs(600)).await });
        assert_eq!(late, Err(Late::Late));
        assert_eq!(
            runtime.wait::<()>(Duration::from_secs(60), async { panic!("asked for by a test") }),
            Err(Late::Ended)
        );
        drop(runtime);
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
}
