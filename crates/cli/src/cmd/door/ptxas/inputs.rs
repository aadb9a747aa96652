//! The inputs of ptxas: files, standard input, and modules on the command line.
//!
//! A module may end in NUL bytes, as programs keep it in memory; ptxas itself refuses them.

use super::super::say;
use super::TOOL;
use crate::cmd::restart;
use raddle_driver::input::{self, Content, Input};
use raddle_driver::resume::Resume;
use rustix::fd::OwnedFd;
use std::fs::File;
use std::io::{self, Read};

/// The name of modules on the command line in messages (ptxas 13.0.88 output; XLA looks for it).
pub(super) const STRING: &str = "application ptx input";

/// What was read.
pub(super) struct Inputs {
    pub inputs: Vec<Input>,
    /// Copies of those that cannot be read again, by number.
    pub copies: Vec<(u32, OwnedFd)>,
    /// Standard input, for another ptxas.
    pub stdin: Option<File>,
    /// Whether all of them could be read.
    pub complete: bool,
}

/// Reads all inputs; those that cannot be read are reported.
pub(super) fn read(files: &[String], strings: &[String], resume: &Resume) -> Inputs {
    let mut out = Inputs { inputs: Vec::new(), copies: Vec::new(), stdin: None, complete: true };
    for (number, file) in (0..).zip(files) {
        let name = if file == "-" { "<stdin>" } else { file };
        let bytes = match resume.inputs.get(&number) {
            Some(fd) => File::open(format!("/proc/self/fd/{fd}")).and_then(text),
            None if file == "-" => text(io::stdin().lock()),
            None => File::open(file).and_then(text),
        };
        let input = match bytes {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                out.complete = false;
                say(TOOL, "fatal", &error.to_string());
                continue;
            }
            // ptxas reads nothing in a folder.
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => Vec::new(),
            Err(_) => {
                out.complete = false;
                say(TOOL, "fatal", &format!("Input file '{name}' could not be opened"));
                continue;
            }
            Ok(bytes) => bytes,
        };
        let input = of_text(name, &input);
        if !input::is_repeatable(file)
            && let Some(input) = &input
            && let Some(copy) = restart::copy(input)
        {
            if file == "-" {
                out.stdin = File::open(format!("/proc/self/fd/{}", rustix::fd::AsRawFd::as_raw_fd(&copy))).ok();
            }
            out.copies.push((number, copy));
        }
        out.complete &= input.is_some();
        out.inputs.extend(input);
    }
    for string in strings {
        let input = of_text(STRING, string.trim_end_matches('\0').as_bytes());
        out.complete &= input.is_some();
        out.inputs.extend(input);
    }
    out
}

/// An input of PTX; anything else is reported.
fn of_text(name: &str, bytes: &[u8]) -> Option<Input> {
    if let Ok(text) = String::from_utf8(bytes.to_vec()) {
        return Some(Input { name: name.to_owned(), content: Content::Text(text) });
    }
    let message = format!("Missing .version directive at start of file '{name}'");
    say(&format!("{TOOL} {name}, line 1;"), "fatal", &message);
    None
}

/// Reads up to the first NUL; only NUL bytes may follow it.
fn text(mut source: impl Read) -> io::Result<Vec<u8>> {
    const PIECE: u64 = 1 << 20;
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        if source.by_ref().take(PIECE).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
        let Some(end) = bytes[before..].iter().position(|&byte| byte == 0) else { continue };
        let rest = bytes.split_off(before + end);
        // An ELF file or a picture is no text, and neither is an endless device.
        if rest.iter().any(|&byte| byte != 0) || rest.len() as u64 == PIECE {
            let line = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
            let message = format!("Unexpected EOF encountered on line {line}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        return Ok(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_at_its_nul() {
        assert_eq!(text(&b".version"[..]).unwrap(), b".version");
        assert_eq!(text(&b".version\0\0"[..]).unwrap(), b".version");
        assert_eq!(text(&b"a\nb\0c"[..]).unwrap_err().to_string(), "Unexpected EOF encountered on line 2");
        assert!(text(io::repeat(0)).is_err());
    }
}
