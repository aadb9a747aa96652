//! Input files as bytes, without a copy of large ones.
//!
//! Problem: a link reads only the tables of hundreds of megabytes of input; copying all of it into
//! memory costs more than the link. Strategy: large regular files are mapped, small ones and
//! streams are read. The members of an archive share its file ([`Bytes::part`]).
//!
//! Invariant: the bytes are stable as long as the file is not changed. A file that is shortened
//! while it is mapped ends the process by a signal, like any other crash: temporaries are removed
//! and tokens returned. One that is rewritten in place gives an output of mixed bytes, as reading
//! it at that moment would.
#![expect(unsafe_code, reason = "a map of a file is unsafe: others may change the file (D23)")]

use std::fs::File;
use std::io::{self, Read};
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

/// The size in bytes from which a file is mapped: below, reading costs less than a map and its page
/// faults.
const MAPPED: u64 = 1 << 17;

/// The bytes of a file or a part of them; clones share them.
#[derive(Clone, Debug)]
pub struct Bytes {
    file: Arc<Contents>,
    range: Range<usize>,
}

#[derive(Debug)]
enum Contents {
    Owned(Vec<u8>),
    Mapped(memmap2::Mmap),
}

impl Contents {
    fn all(&self) -> &[u8] {
        match self {
            Contents::Owned(bytes) => bytes,
            Contents::Mapped(map) => map,
        }
    }
}

impl Bytes {
    /// Reads or maps a file; `-` is standard input.
    ///
    /// # Errors
    /// The I/O error of the operating system.
    pub fn read(path: &Path) -> io::Result<Bytes> {
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            io::stdin().lock().read_to_end(&mut bytes)?;
            return Ok(bytes.into());
        }
        let mut file = File::open(path)?;
        let about = file.metadata()?;
        if about.is_file() && about.len() >= MAPPED {
            // SAFETY: the map is only read, and as plain bytes; the effects of changes by others
            // are described above.
            let map = unsafe { memmap2::Mmap::map(&file)? };
            let range = 0..map.len();
            return Ok(Bytes { file: Arc::new(Contents::Mapped(map)), range });
        }
        bytes.reserve_exact(usize::try_from(about.len()).unwrap_or(0));
        file.read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }

    /// `part`, a slice of these bytes, as bytes that share the file; `None` for a slice from
    /// elsewhere.
    pub fn part(&self, part: &[u8]) -> Option<Bytes> {
        let start = (part.as_ptr() as usize).checked_sub(self.file.all().as_ptr() as usize)?;
        let range = start..start.checked_add(part.len())?;
        (self.range.start <= range.start && range.end <= self.range.end)
            .then(|| Bytes { file: Arc::clone(&self.file), range })
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.file.all()[self.range.clone()]
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        let range = 0..bytes.len();
        Bytes { file: Arc::new(Contents::Owned(bytes)), range }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_files_have_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        for size in [0, 5, MAPPED as usize - 1, MAPPED as usize, 3 * MAPPED as usize + 1] {
            let path = folder.path().join(size.to_string());
            let wanted: Vec<u8> = (0..size).map(|i| (i * 7) as u8).collect();
            std::fs::write(&path, &wanted).unwrap();
            let bytes = Bytes::read(&path).unwrap();
            assert!(*bytes == wanted[..], "{size}");
            assert_eq!(matches!(*bytes.file, Contents::Mapped(_)), size as u64 >= MAPPED);
        }
        assert!(Bytes::read(&folder.path().join("none")).is_err());
    }

    #[test]
    fn parts_share_the_file() {
        let whole = Bytes::from(b"abcdef".to_vec());
        let middle = whole.part(&whole[1..4]).unwrap();
        assert_eq!(&*middle, b"bcd");
        assert_eq!(&*middle.part(&middle[1..2]).unwrap(), b"c");
        assert!(middle.part(&whole[3..6]).is_none(), "beyond the part");
        assert!(whole.part(&[1, 2, 3]).is_none());
    }
}
