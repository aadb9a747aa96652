//! The key of what a unit is made from (decision D9).
//!
//! A unit's text is the canonical PTX of a kernel with everything it reaches ([`raddle_ptx::extract`]); for its key, functions that stay
//! functions are declarations in it, so that another body of theirs changes their own keys alone. The key is the
//! BLAKE3 hash of that text, of the options that change bytes, of the target, and of the compiler itself: equal keys mean
//! equal objects, whatever stands beside the kernel, in which file, on which machine.
//!
//! **Invariant.** The object of a unit's text, compiled alone, is the object that the whole module gives
//! (`tests/units.rs`); but for line tables, which name lines of the module's text: with them the whole text counts.

use raddle_ir::CodegenOptions;
use raddle_target::Target;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::OnceLock;

/// The key of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 32]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Key {
    /// The key of what is made from `text` as well.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0).update(text.as_bytes());
        Key(*hasher.finalize().as_bytes())
    }

    /// The key of what another assembler makes of the unit: the program is named by the hash of its bytes, so that neither its path nor
    /// its time matters, and another version is another key.
    #[must_use]
    pub fn with_tool(&self, tool: &blake3::Hash) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"raddle unit by tool 1").update(&self.0).update(tool.as_bytes());
        Key(*hasher.finalize().as_bytes())
    }
}

/// The key of a unit's text.
pub fn of_text(text: &str, options: &CodegenOptions, target: &Target) -> Key {
    let mut hasher = blake3::Hasher::new();
    for part in ["raddle unit 1", build_id(), target.name, &options.canonical(), text] {
        // With its length, so that no two lists of parts are the same bytes.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Key(*hasher.finalize().as_bytes())
}

/// Names this build of the compiler: the hash of what the program that runs loads. Without access to that, version and
/// time of start, which no other run has: nothing is taken for equal that may not be.
pub fn build_id() -> &'static str {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| {
        let program = std::env::current_exe().and_then(File::open);
        program.and_then(|mut program| hash_of_program(&mut program)).map_or_else(
            |_| format!("{} {:?}", env!("CARGO_PKG_VERSION"), std::time::SystemTime::now()),
            |hash| hash.to_hex().to_string(),
        )
    })
}

/// The hash of the segments that an ELF file loads, code and constants, without debug information, which may be five times
/// as large; of the whole of any other file.
fn hash_of_program(file: &mut (impl Read + Seek)) -> io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    let segments = loaded(file).unwrap_or_default();
    for &(offset, size) in &segments {
        file.seek(SeekFrom::Start(offset))?;
        hasher.update_reader(file.by_ref().take(size))?;
    }
    if segments.is_empty() {
        file.rewind()?;
        hasher.update_reader(file)?;
    }
    Ok(hasher.finalize())
}

/// Offset and size in the file of each loaded segment (System V ABI, ELF-64: `Elf64_Ehdr`, `Elf64_Phdr`); `None` for anything
/// else.
fn loaded(file: &mut (impl Read + Seek)) -> Option<Vec<(u64, u64)>> {
    const PT_LOAD: u64 = 1;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    let mut header = [0; 64];
    file.rewind().ok()?;
    file.read_exact(&mut header).ok()?;
    if !header.starts_with(b"\x7fELF\x02\x01") || number(&header[54..56]) != 56 {
        return None;
    }
    let (table, count) = (number(&header[32..40]), number(&header[56..58]));
    file.seek(SeekFrom::Start(table)).ok()?;
    let mut segments = Vec::new();
    for _ in 0..count {
        let mut row = [0; 56];
        file.read_exact(&mut row).ok()?;
        if number(&row[0..4]) == PT_LOAD {
            segments.push((number(&row[8..16]), number(&row[32..40])));
        }
    }
    Some(segments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::OptLevel;

    #[test]
    fn programs_differ_in_what_they_load_and_other_files_in_every_byte() {
        let hash = |bytes: &[u8]| hash_of_program(&mut io::Cursor::new(bytes)).unwrap();
        let mut program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let segments = loaded(&mut io::Cursor::new(&program)).unwrap();
        assert!(segments.len() > 1 && segments.iter().map(|s| s.1).sum::<u64>() < program.len() as u64);
        let whole = hash(&program);
        let inside = (segments[1].0 + segments[1].1 / 2) as usize;
        program[inside] ^= 1;
        assert_ne!(hash(&program), whole);
        program[inside] ^= 1;
        *program.last_mut().unwrap() ^= 1;
        assert_eq!(hash(&program), whole, "section headers and debug information do not run");
        assert_ne!(hash(b"abc"), hash(b"abd"));
        assert_ne!(hash(b""), hash(b"\x7fELF\x02\x01"));
    }

    #[test]
    fn keys_differ_in_every_part_and_only_there() {
        let options = CodegenOptions::default();
        let (a, b) = (Target::by_name("sm_90").unwrap(), Target::by_name("sm_90a").unwrap());
        let key = of_text("x", &options, a);
        assert_eq!(key, of_text("x", &options.clone(), a));
        let other = CodegenOptions { opt: OptLevel::O0, ..options.clone() };
        for different in [of_text("y", &options, a), of_text("x", &other, a), of_text("x", &options, b)] {
            assert_ne!(key, different);
        }
        let (one, two) = (blake3::hash(b"1"), blake3::hash(b"2"));
        assert!(key.with_tool(&one) != key && key.with_tool(&one) != key.with_tool(&two));
        assert_eq!(key.with_tool(&one), key.with_tool(&blake3::hash(b"1")));
        assert_eq!(key.to_string().len(), 64);
        assert_eq!(build_id().len(), 64);
    }
}
