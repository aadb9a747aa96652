//! The program that workers run: read once, and sent once.

use super::connection::Connection;
use super::digest::{Blob, Digest};
use super::retry::Retries;
use super::traffic::Traffic;
use super::trouble::Trouble;
use super::upload;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Mutex, OnceCell};

/// A program.
#[derive(Debug)]
pub(super) struct Program {
    path: PathBuf,
    blob: OnceCell<Arc<Blob>>,
    /// Who holds the lock sends the program; the others wait.
    state: Mutex<State>,
}

/// What is known of the program on the server.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// The number of times that it was sent or found.
    times: u64,
    presence: Presence,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Presence {
    /// The server was not asked yet.
    #[default]
    Unknown,
    /// It is there.
    There,
    /// A worker did not find it, whatever the server says.
    Lost,
}

impl Program {
    pub fn new(path: PathBuf) -> Program {
        Program { path, blob: OnceCell::new(), state: Mutex::default() }
    }

    /// The program; the file is read once.
    pub async fn blob(&self) -> Result<Arc<Blob>, Trouble> {
        let read = || async {
            let path = self.path.clone();
            let read = tokio::task::spawn_blocking(move || std::fs::read(path).map(|bytes| Arc::new(Blob::of(bytes))));
            match read.await {
                Ok(Ok(blob)) => Ok(blob),
                Ok(Err(error)) => Err(Trouble::Refused(format!("cannot read {}: {error}", self.path.display()))),
                Err(_) => Err(Trouble::Failed("the program could not be read".to_owned())),
            }
        };
        self.blob.get_or_try_init(read).await.map(Arc::clone)
    }

    /// Sends the program unless the server has it. Returns a number for [`Program::forget`].
    pub async fn send(
        &self,
        connection: &Connection,
        traffic: &Arc<Traffic>,
        retries: &mut Retries,
    ) -> Result<u64, Trouble> {
        let blob = self.blob().await?;
        let mut state = self.state.lock().await;
        if state.presence != Presence::There {
            let lost = Some(blob.digest.clone()).filter(|_| state.presence == Presence::Lost);
            upload::send_missing(connection, &[blob], lost.as_slice(), traffic, retries).await?;
            *state = State { times: state.times + 1, presence: Presence::There };
        }
        Ok(state.times)
    }

    /// The server says that inputs are missing, these or unknown ones, although the program was sent the
    /// given number of times. Where it has been sent again since then, that was for another unit.
    pub async fn forget(&self, times: u64, missing: &[Digest]) {
        let is_named = self.blob.get().is_some_and(|blob| missing.contains(&blob.digest));
        let mut state = self.state.lock().await;
        if state.times == times && (is_named || missing.is_empty()) {
            state.presence = if is_named { Presence::Lost } else { Presence::Unknown };
        }
    }
}
