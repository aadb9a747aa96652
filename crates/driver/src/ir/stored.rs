//! Bitcode that many processes read.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;

/// Bytes in a file without a name, which other processes of this user can open by a path. Nothing
/// is left of it when this process ends.
pub(super) struct Stored {
    pub path: PathBuf,
    _file: File,
}

impl Stored {
    /// The pieces are next to each other.
    pub fn new<'b>(pieces: impl IntoIterator<Item = &'b [u8]>) -> io::Result<Stored> {
        let mut file = tempfile::tempfile()?;
        pieces.into_iter().try_for_each(|piece| file.write_all(piece))?;
        let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
        Ok(Stored { path: path.into(), _file: file })
    }
}
