//! A jobserver for tests.

use super::Bench;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::Command;

/// `O_NONBLOCK` of Linux.
pub const NONBLOCK: i32 = 0o4000;

/// A jobserver for tests: a fifo that holds tokens.
pub struct Server {
    pub fifo: File,
    pub auth: String,
    pub path: String,
}

impl Server {
    /// Creates a server with a space in its path.
    pub fn new(bench: &Bench, tokens: &[u8]) -> Server {
        Server::named(bench, "to kens", tokens)
    }

    pub fn named(bench: &Bench, name: &str, tokens: &[u8]) -> Server {
        let path = bench.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let mut fifo = OpenOptions::new().read(true).write(true).custom_flags(NONBLOCK).open(&path).unwrap();
        fifo.write_all(tokens).unwrap();
        let auth = format!(" -j --jobserver-auth=fifo:{}", path.replace(' ', "\\ "));
        Server { fifo, auth, path }
    }

    /// Removes all tokens and returns them sorted.
    pub fn drain(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // The read ends with an error when the fifo is empty.
        let _ = self.fifo.read_to_end(&mut bytes);
        bytes.sort_unstable();
        bytes
    }
}
