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
    pub fn new(bytes: &[u8]) -> io::Result<Stored> {
        let mut file = tempfile::tempfile()?;
        file.write_all(bytes)?;
        let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
        Ok(Stored { path: path.into(), _file: file })
    }
}
