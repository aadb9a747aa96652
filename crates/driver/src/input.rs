//! Reads inputs, from files and standard input, with any content and in bounded time.
//!
//! **Strategy.** An input is read in pieces, and its first bytes decide its kind, so that an
//! endless or binary input is refused after one piece, before it fills the memory.

use crate::codes;
use raddle_diag::Diagnostic;
use raddle_fatbin::container::{is_bitcode, is_lto_ir};
use std::fs::File;
use std::io::{ErrorKind, Read};

/// The kind of an input, by its first bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text, assumed to be PTX.
    Text(String),
    /// An ELF file: a cubin, if it can be read as one.
    Elf(Vec<u8>),
    /// LLVM bitcode.
    Bitcode(Vec<u8>),
    /// Textual LLVM IR.
    Ir(String),
    /// NVIDIA's LTO-IR, or a fatbin of it.
    LtoIr(Vec<u8>),
}

impl Content {
    /// Whether it is LLVM IR, as bitcode or as text.
    pub fn is_ir(&self) -> bool {
        matches!(self, Content::Bitcode(_) | Content::Ir(_))
    }

    /// The text of a module of PTX.
    pub fn text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// An input with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name as given; `<stdin>` for standard input.
    pub name: String,
    /// Its content.
    pub content: Content,
}

const PIECE: usize = 1 << 20;
/// Bytes, comments included, in which the `.version` of a PTX module must appear.
const SEARCH: usize = 16 << 20;
const ELF: &[u8] = b"\x7fELF";
/// The first bytes of known file types that cannot be read.
const OTHERS: &[(&[u8], &str)] = &[
    (b"\x50\xed\x55\xba", "a fatbin"),
    (b"!<arch>\n", "an archive"),
    (b"!<thin>\n", "a thin archive"),
    (b"\x10\xff\x10\xad", "an offload package"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd"),
];

/// Reads a whole input; `-` is standard input. The error is a complete diagnostic.
pub fn read(path: &str) -> Result<Input, Box<Diagnostic>> {
    read_as(path, path)
}

/// Whether an input can be read again later: a regular file can, a pipe cannot.
pub fn is_repeatable(path: &str) -> bool {
    path != "-" && std::fs::metadata(path).is_ok_and(|meta| meta.is_file())
}

/// Reads an input from `path` under the name `name`.
pub fn read_as(name: &str, path: &str) -> Result<Input, Box<Diagnostic>> {
    let name = if name == "-" { "<stdin>" } else { name };
    let unreadable =
        |error: std::io::Error| Box::new(Diagnostic::fatal(codes::E0001, format!("cannot read '{name}': {error}")));
    let result = if path == "-" {
        read_from(&mut std::io::stdin().lock(), name, 0)
    } else {
        let mut file = File::open(path).map_err(unreadable)?;
        let meta = file.metadata().map_err(unreadable)?;
        if meta.is_dir() {
            return Err(unreadable(std::io::Error::from(ErrorKind::IsADirectory)));
        }
        read_from(&mut file, name, meta.len())
    };
    let content = result.map_err(unreadable)??;
    Ok(Input { name: name.to_string(), content })
}

/// Reads an input from memory, under the name `name`.
///
/// # Errors
/// The bytes are of no kind that can be read.
pub fn of_bytes(name: &str, mut bytes: &[u8]) -> Result<Content, Box<Diagnostic>> {
    let unreadable = |error| Box::new(Diagnostic::fatal(codes::E0001, format!("cannot read '{name}': {error}")));
    read_from(&mut bytes, name, 0).map_err(unreadable)?
}

type InputError = Box<Diagnostic>;

/// Reads an input of about `size` bytes; 0 if its size is not known.
fn read_from(source: &mut dyn Read, name: &str, size: u64) -> std::io::Result<Result<Content, InputError>> {
    // One more byte shows the end without growing. A size that is wrong must not exhaust the memory.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).min(SEARCH) + 1);
    loop {
        let before = bytes.len();
        let got = source.take(PIECE as u64).read_to_end(&mut bytes)?;
        if before == 0
            && let Some((_, kind)) = OTHERS.iter().find(|(magic, _)| bytes.starts_with(magic))
        {
            let message = format!("'{name}' is {kind}, neither PTX, LLVM IR nor a cubin");
            return Ok(Err(Box::new(Diagnostic::fatal(codes::E0005, message))));
        }
        let binary = is_binary(&bytes);
        if !binary && let Some(at) = memchr::memchr(0, &bytes[before..]) {
            return Ok(Err(not_text(name, &bytes, before + at, "a NUL byte")));
        }
        let text = !binary && !is_ir(&bytes);
        if text && before < SEARCH && bytes.len() >= SEARCH && !has_version(&bytes) {
            let message = format!("'{name}' is not PTX: no .version in its first {} MiB", SEARCH >> 20);
            return Ok(Err(Box::new(Diagnostic::fatal(codes::E0002, message))));
        }
        if u32::try_from(bytes.len()).is_err() {
            let message = format!("'{name}' has more than {} bytes", u32::MAX);
            return Ok(Err(Box::new(Diagnostic::fatal(codes::E0004, message))));
        }
        if got == 0 {
            break;
        }
    }
    if bytes.starts_with(ELF) {
        return Ok(Ok(Content::Elf(bytes)));
    }
    if is_bitcode(&bytes) {
        return Ok(Ok(Content::Bitcode(bytes)));
    }
    if is_lto_ir(&bytes) {
        return Ok(Ok(Content::LtoIr(bytes)));
    }
    if bytes.trim_ascii().is_empty() {
        return Ok(Err(Box::new(Diagnostic::fatal(codes::E0003, format!("'{name}' is empty")))));
    }
    let kind = if is_ir_named(name, &bytes) { Content::Ir } else { Content::Text };
    Ok(String::from_utf8(bytes).map(kind).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        not_text(name, error.as_bytes(), at, "a byte that is not UTF-8")
    }))
}

fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(ELF) || is_bitcode(bytes) || is_lto_ir(bytes)
}

/// Whether text is LLVM IR: by its first line that is neither empty nor a comment. Comments of PTX
/// begin with slashes, its statements at module scope with a dot.
pub fn is_ir(bytes: &[u8]) -> bool {
    let mut rest = bytes.trim_ascii_start();
    while rest.first() == Some(&b';') {
        let Some(end) = memchr::memchr(b'\n', rest) else { return false };
        rest = rest[end..].trim_ascii_start();
    }
    // An archive begins with an exclamation mark, too.
    matches!(rest, [b'@' | b'%' | b'$', ..] | [b'!', b'0'..=b'9' | b'a'..=b'z', ..])
        || [&b"source_filename"[..], b"target ", b"define ", b"declare ", b"attributes ", b"module asm"]
            .iter()
            .any(|word| rest.starts_with(word))
}

/// Whether the text of a file is LLVM IR: by its content, or by its name if it has nothing but comments.
pub fn is_ir_named(name: &str, bytes: &[u8]) -> bool {
    is_ir(bytes) || name.ends_with(".ll") && is_comment(bytes)
}

/// Whether text has nothing but comments of LLVM IR: a module that defines nothing.
fn is_comment(bytes: &[u8]) -> bool {
    bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).all(|line| line.is_empty() || line.starts_with(b";"))
}

fn has_version(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b".version").is_some()
}

fn not_text(name: &str, bytes: &[u8], at: usize, what: &str) -> InputError {
    let line = memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1;
    let message = format!("'{name}' is not text: {what} at offset {at}, line {line}");
    Box::new(Diagnostic::fatal(codes::E0002, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_diag::Code;

    fn refused(mut bytes: &[u8]) -> Code {
        read_from(&mut bytes, "f", 0).unwrap().unwrap_err().code
    }

    #[test]
    fn kinds_are_told_apart() {
        assert_eq!(read_from(&mut &b".version 9.0"[..], "f", 0).unwrap(), Ok(Content::Text(".version 9.0".into())));
        assert_eq!(read_from(&mut &b"\x7fELF\0"[..], "f", 0).unwrap(), Ok(Content::Elf(b"\x7fELF\0".to_vec())));
        assert_eq!(refused(b""), codes::E0003);
        assert_eq!(refused(b" \n\t"), codes::E0003);
        assert_eq!(refused(b"ab\0"), codes::E0002);
        assert_eq!(refused(b"ab\xff"), codes::E0002);
        let lto_ir = b"\xed\x43\x4e\x7f\0\xff";
        assert_eq!(read_from(&mut &lto_ir[..], "f", 0).unwrap(), Ok(Content::LtoIr(lto_ir.to_vec())));
        for magic in [&b"!<arch>\n"[..], b"!<thin>\n", b"\x10\xff\x10\xad\x01", b"\x50\xed\x55\xba\x01"] {
            assert_eq!(refused(magic), codes::E0005, "{magic:?}");
        }
        for magic in [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"] {
            let bytes = [&magic[..], b"\0\xff"].concat();
            assert_eq!(read_from(&mut &bytes[..], "f", 0).unwrap(), Ok(Content::Bitcode(bytes)));
        }
        for text in [
            "; ModuleID = 'x'\n\n@x = global i32 0",
            "\n\ntarget triple = \"nvptx64\"",
            "define void @f() { ret void }",
            "; comment\n;\n  ; .version 9.0\n!0 = !{}",
            "%t = type { i32 }",
            "\t@x = global i32 0",
        ] {
            assert_eq!(read_from(&mut text.as_bytes(), "f", 0).unwrap(), Ok(Content::Ir(text.into())));
        }
        let comments = "; nothing\n\n  ; else\n";
        for (name, ir) in [("f.ll", true), ("f.ptx", false)] {
            assert_eq!(read_from(&mut comments.as_bytes(), name, 0).unwrap().unwrap().is_ir(), ir, "{name}");
        }
        for text in ["// define\n.version 9.0", "; ; ;", ";\n.version 9.0", "/* @x */ .version 9.0", "!<arc"] {
            assert!(!read_from(&mut text.as_bytes(), "f", 0).unwrap().unwrap().is_ir(), "{text}");
        }
    }

    #[test]
    fn endless_input_is_refused_early() {
        for byte in *b"\0x\n" {
            let diagnostic = read_from(&mut std::io::repeat(byte), "z", 0).unwrap().unwrap_err();
            assert_eq!(diagnostic.code, codes::E0002);
        }
    }

    #[test]
    fn text_longer_than_a_piece_is_whole() {
        let text = "x".repeat(PIECE * 2 + 7);
        assert_eq!(read_from(&mut text.as_bytes(), "f", 0).unwrap(), Ok(Content::Text(text)));
    }

    #[test]
    fn missing_files_and_folders_are_named() {
        for path in ["/nonexistent/k.ptx", "/"] {
            let diagnostic = read(path).unwrap_err();
            assert_eq!(diagnostic.code, codes::E0001);
            assert!(diagnostic.message.contains(path), "{}", diagnostic.message);
        }
    }
}
