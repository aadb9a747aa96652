//! Requests to a worker process and its responses.
//!
//! A message is a sequence of byte strings: the first is JSON, the others are contents that it
//! refers to. On the wire: the number of strings (4 bytes, little endian), their lengths (8 bytes
//! each), then the strings. A worker answers every request with one message, in order.

use crate::flags::Flag;
use crate::settings::Settings;
use crate::steps::{Place, Said, Source, StepError, Wanted};
use crate::summary::Summary;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// The most strings of a message.
const MOST: usize = 1 << 20;

/// A step to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Nothing: that the worker answers shows that the library takes its options.
    Start,
    /// [`crate::steps::inspect`]; the one content is the input.
    Inspect {
        /// Name of the input.
        name: String,
    },
    /// [`crate::steps::owned`]; the one content is the input.
    Owned {
        /// Name of the input.
        name: String,
    },
    /// [`crate::steps::simplify()`]; the one content is the input.
    Simplify {
        /// Settings of the build.
        settings: Settings,
        /// Name of the input, for messages.
        name: String,
        /// The device library.
        libdevice: Option<PathBuf>,
    },
    /// [`crate::steps::link()`]; the contents are the inputs.
    Link {
        /// Settings of the build.
        settings: Settings,
        /// Names of the inputs, for messages.
        names: Vec<String>,
    },
    /// [`crate::steps::part()`]; the one content is the part's bitcode.
    Part {
        /// Settings of the build.
        settings: Settings,
        /// Name of the part.
        name: String,
    },
    /// [`crate::steps::whole()`]; the one content is the input.
    Whole {
        /// Settings of the build.
        settings: Settings,
        /// Name of the input, for messages.
        name: String,
        /// The device library.
        libdevice: Option<PathBuf>,
    },
    /// [`crate::nvjitlink::NvJitLink::link`], for a worker that has loaded nvJitLink; the contents
    /// are inputs of LTO-IR.
    LinkLtoIr {
        /// Options of nvJitLink.
        options: Vec<String>,
        /// Names of the inputs.
        names: Vec<String>,
    },
    /// [`crate::steps::print()`]; the one content is bitcode.
    Print {
        /// Name of the input, for messages.
        name: String,
    },
    /// [`crate::steps::describe`]; the one content is a simplified input.
    Describe {
        /// Settings of the build.
        settings: Settings,
        /// Name of the input, for messages.
        name: String,
    },
    /// [`crate::steps::places()`]; the one content is an input.
    Places {
        /// Name of the input, for messages.
        name: String,
        /// Numbers of instructions.
        numbers: Vec<u32>,
    },
    /// [`crate::steps::intrinsics`]; the one content is the part's bitcode.
    Intrinsics {
        /// Name of the part.
        name: String,
    },
    /// [`crate::steps::without`]; the one content is the part's bitcode.
    Without {
        /// Settings of the build.
        settings: Settings,
        /// Name of the part.
        name: String,
        /// Names of intrinsics.
        intrinsics: Vec<String>,
    },
    /// [`crate::steps::extract()`].
    Extract {
        /// The program's bitcode.
        source: Source,
        /// Name of the part.
        name: String,
        /// What it does with the symbols of the program.
        symbols: BTreeMap<String, Wanted>,
        /// Whether it has the program's inline assembly outside of functions.
        assembly: bool,
    },
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Response {
    /// The library is loaded.
    Started,
    /// There is no content.
    Inspected {
        /// The architecture that the input names, if it names one, such as `sm_90a`.
        arch: Option<String>,
    },
    /// The content is the names of the functions that the input defines under names of the device
    /// library, one a line.
    Owned {
        /// Nothing.
        said: Said,
    },
    /// The content is bitcode.
    Simplified {
        /// [`crate::steps::Simplified::order`].
        order: String,
        /// What LLVM reported.
        said: Said,
    },
    /// The content is bitcode.
    Linked {
        /// Its symbols.
        summary: Summary,
        /// What LLVM reported.
        said: Said,
    },
    /// There is no content.
    Described {
        /// The symbols of the input.
        summary: Summary,
        /// Its flags.
        flags: Vec<Flag>,
    },
    /// There is no content.
    Places {
        /// Instructions by number.
        places: BTreeMap<u32, Place>,
    },
    /// There is no content.
    Lines {
        /// Names, or instructions for messages.
        lines: Vec<String>,
    },
    /// The content is PTX.
    Part {
        /// What LLVM reported.
        said: Said,
    },
    /// The content is bitcode.
    Extracted,
    /// The content is textual IR.
    Printed,
    /// The input defines more than one function.
    NotOneFunction,
    /// There is no result, for this reason.
    Failed(StepError),
}

impl Response {
    /// What LLVM reported, if the step ran LLVM's passes.
    pub fn said(&self) -> Option<&Said> {
        match self {
            Response::Simplified { said, .. }
            | Response::Linked { said, .. }
            | Response::Owned { said }
            | Response::Part { said } => Some(said),
            Response::Started
            | Response::Inspected { .. }
            | Response::Described { .. }
            | Response::Places { .. }
            | Response::Lines { .. }
            | Response::Extracted
            | Response::Printed
            | Response::NotOneFunction
            | Response::Failed(_) => None,
        }
    }
}

/// A request or a response with its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<T> {
    /// Request or response.
    pub head: T,
    /// What it refers to.
    pub contents: Vec<Vec<u8>>,
}

fn wrong_count() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message has a wrong number of contents")
}

impl<T: Serialize> Message<T> {
    /// Writes a message.
    ///
    /// # Errors
    /// The error of the writer.
    pub fn write(head: &T, contents: &[&[u8]], out: &mut dyn Write) -> io::Result<()> {
        let head = serde_json::to_vec(head)?;
        let count = u32::try_from(contents.len() + 1).map_err(io::Error::other)?;
        out.write_all(&count.to_le_bytes())?;
        for content in std::iter::once(&head[..]).chain(contents.iter().copied()) {
            out.write_all(&(content.len() as u64).to_le_bytes())?;
        }
        for content in std::iter::once(&head[..]).chain(contents.iter().copied()) {
            out.write_all(content)?;
        }
        out.flush()
    }
}

impl<T: DeserializeOwned> Message<T> {
    /// Reads a message; `None` at the end of the stream.
    ///
    /// # Errors
    /// The error of the reader, and [`io::ErrorKind::InvalidData`] for anything else.
    pub fn read(from: &mut dyn Read) -> io::Result<Option<Message<T>>> {
        let mut count = [0; 4];
        match from.read(&mut count[..1])? {
            0 => return Ok(None),
            _ => from.read_exact(&mut count[1..])?,
        }
        let count = u32::from_le_bytes(count) as usize;
        if count == 0 || count > MOST {
            return Err(wrong_count());
        }
        let mut lengths = Vec::with_capacity(count);
        for _ in 0..count {
            let mut length = [0; 8];
            from.read_exact(&mut length)?;
            lengths.push(u64::from_le_bytes(length));
        }
        let mut contents = Vec::with_capacity(count);
        for length in lengths {
            // Memory grows with what arrives, not with what is announced.
            let mut content = Vec::new();
            if Read::take(&mut *from, length).read_to_end(&mut content)? as u64 != length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            contents.push(content);
        }
        let head = serde_json::from_slice(&contents.remove(0))?;
        Ok(Some(Message { head, contents }))
    }

    /// Takes a complete message from the front of `bytes`; returns it with its length.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`].
    pub fn take(bytes: &[u8]) -> io::Result<Option<(Message<T>, usize)>> {
        let number = |at: usize| bytes.get(at..at + 8).and_then(|b| b.first_chunk()).map(|b| u64::from_le_bytes(*b));
        let Some(count) = bytes.first_chunk::<4>().map(|b| u32::from_le_bytes(*b) as usize) else { return Ok(None) };
        if count == 0 || count > MOST {
            return Err(wrong_count());
        }
        let mut total = (4 + 8 * count) as u64;
        for n in 0..count {
            let Some(length) = number(4 + 8 * n) else { return Ok(None) };
            total = total.saturating_add(length);
        }
        if (bytes.len() as u64) < total {
            return Ok(None);
        }
        let mut rest = bytes;
        let message = Message::read(&mut rest)?;
        Ok(message.map(|message| (message, bytes.len() - rest.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Response, Vec<u8>) {
        let head = Response::Part { said: Said { warnings: vec!["a".to_owned()], remarks: Vec::new() } };
        let mut bytes = Vec::new();
        Message::write(&head, &[b"ptx", b""], &mut bytes).unwrap();
        (head, bytes)
    }

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let (head, bytes) = example();
        let expected = Message { head, contents: vec![b"ptx".to_vec(), Vec::new()] };
        let mut rest = &bytes[..];
        assert_eq!(Message::read(&mut rest).unwrap().as_ref(), Some(&expected));
        assert_eq!(Message::<Response>::read(&mut rest).unwrap(), None);
        assert_eq!(Message::take(&[&bytes[..], b"more"].concat()).unwrap(), Some((expected, bytes.len())));
    }

    #[test]
    fn a_message_that_is_cut_off_or_damaged_is_no_message() {
        let (_, bytes) = example();
        for end in 1..bytes.len() {
            assert!(Message::<Response>::read(&mut &bytes[..end]).is_err(), "{end}");
            assert_eq!(Message::<Response>::take(&bytes[..end]).unwrap(), None);
        }
        // What is no message at all is not waited for.
        for other in [&b"Pass execution timing report"[..], b"\0\0\0\0", b"\xff\xff\xff\xff"] {
            assert!(Message::<Response>::take(other).is_err(), "{other:?}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            // Without a panic and without a huge allocation.
            let _ = Message::<Response>::read(&mut &damaged[..]);
        }
    }
}
