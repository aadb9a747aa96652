//! Failures of a jobserver during a build.

use rustix::io::Errno;

/// A failure of a connected jobserver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobserverError {
    /// A token could not be read; none is requested any more.
    #[error("a slot could not be taken: {0}")]
    Read(Errno),
    /// The token pipe reached its end; no token is requested any more.
    #[error("a slot could not be taken: end of file")]
    End,
    /// A token could not be written back: the pipe stays full, or the server refuses the token.
    #[error("a slot could not be returned: {0}")]
    Write(Errno),
}
