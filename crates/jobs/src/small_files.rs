//! Small files of the system, read with few calls: a tool that is started for every kernel reads
//! several of them before it begins, and samples one while it runs.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

/// More than the files of `/proc` that are read here have.
const USUAL: usize = 4096;

/// Returns the text of a file of the system.
///
/// # Errors
/// As of opening and reading a file; text that is not UTF-8.
pub(crate) fn text(path: &str) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut bytes, mut used) = (vec![0; USUAL], 0);
    loop {
        match file.read(&mut bytes[used..]) {
            Ok(0) => break,
            Ok(more) => used += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if used == bytes.len() {
            bytes.resize(2 * used, 0);
        }
    }
    bytes.truncate(used);
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn files_of_any_size_are_read_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        for len in [0, 1, USUAL - 1, USUAL, USUAL + 1, 5 * USUAL] {
            let written = "x".repeat(len);
            std::fs::write(&path, &written).unwrap();
            assert_eq!(text(path.to_str().unwrap()).unwrap(), written);
        }
        std::fs::write(&path, [0xff]).unwrap();
        assert_eq!(text(path.to_str().unwrap()).unwrap_err().kind(), ErrorKind::InvalidData);
        assert_eq!(text("/proc/no").unwrap_err().kind(), ErrorKind::NotFound);
    }
}
