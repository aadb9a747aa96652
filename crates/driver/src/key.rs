//! The cache key of a unit (decision D9).
//!
//! A unit's text is the canonical PTX of a kernel with everything it reaches
//! ([`raddle_ptx::extract`]). For the key, functions that are not inlined appear in it as
//! declarations, so that an edit of their bodies changes their own keys alone. The key is the
//! BLAKE3 hash of that text, the options that affect the generated code, the target, and the
//! compiler itself. Equal keys mean equal objects, whatever else is in the module, and regardless
//! of file and machine.
//!
//! **Invariant.** The object of a unit's text, compiled alone, is the object that the whole module
//! gives (`tests/units.rs`). The exception is line tables, which refer to lines of the module's
//! text: with them the whole text is hashed.

use raddle_ir::CodegenOptions;
use raddle_link::ToolNote;
use raddle_target::Target;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
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
    /// The key with this name, as [`Key`] is shown: 64 lowercase hexadecimal digits.
    pub fn parse(name: &str) -> Option<Key> {
        let is_digit = |c: &u8| c.is_ascii_digit() || (b'a'..=b'f').contains(c);
        let digits = name.as_bytes();
        if digits.len() != 64 || !digits.iter().all(is_digit) {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Key(bytes))
    }

    /// The key with this hash.
    pub(crate) fn of_bytes(bytes: [u8; 32]) -> Key {
        Key(bytes)
    }

    /// The hash.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The key of an object that also depends on `text`.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0).update(text.as_bytes());
        Key(*hasher.finalize().as_bytes())
    }

    /// The key of the object that another assembler makes of the unit. The program is identified by
    /// the hash of its file, so that path and time do not matter, and another version gives another
    /// key.
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
        // The length comes first, so that different lists of parts never give the same bytes.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Key(*hasher.finalize().as_bytes())
}

/// The key of what the process of a unit is asked for: its PTX, options, target, and the kernel, or the
/// function. Other than [`of_text`] it says nothing of the program, which may be another build of this
/// version.
pub(crate) fn of_request(text: &str, options: &CodegenOptions, target: &Target, name: &str, function: bool) -> Key {
    let mut hasher = blake3::Hasher::new();
    let kind = if function { "function" } else { "kernel" };
    let parts = ["raddle request 1", env!("CARGO_PKG_VERSION"), target.name, &options.canonical(), kind, name, text];
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Key(*hasher.finalize().as_bytes())
}

/// The key of what a step that comes before PTX makes of these inputs and settings.
pub(crate) fn of_step<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Key {
    let mut hasher = blake3::Hasher::new();
    let first: [&[u8]; 2] = [b"raddle step 1", build_id().as_bytes()];
    for part in first.into_iter().chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    Key(*hasher.finalize().as_bytes())
}

/// Identifies this build of the compiler: its file, the running program or a library that it has
/// loaded, by what the linker wrote into it ([`identity`]), or by the hash of its loaded segments.
/// Where that cannot be read, it is version and start time, which no other run shares, so that no
/// objects are wrongly taken for equal.
pub fn build_id() -> &'static str {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| {
        let program = own_file();
        program.and_then(|mut program| identity(&mut program)).map_or_else(
            |_| format!("{} {:?}", env!("CARGO_PKG_VERSION"), std::time::SystemTime::now()),
            |hash| hash.to_hex().to_string(),
        )
    })
}

/// Whether a file is this program: the same file, or a copy with the same build.
pub fn is_this_program(path: &Path) -> bool {
    let own = std::env::current_exe().and_then(|own| own.metadata());
    let (Ok(own), Ok(meta)) = (own, path.metadata()) else { return false };
    if (own.dev(), own.ino()) == (meta.dev(), meta.ino()) {
        return true;
    }
    // Debug information may have been stripped from one of them, so that sizes of files say nothing.
    // Most other programs are told apart by their tables, without being read.
    let (Ok(mut file), Ok(mut own)) = (File::open(path), own_file()) else { return false };
    loaded(&mut file) == loaded(&mut own) && identity(&mut file).is_ok_and(|hash| hash.to_hex().as_str() == build_id())
}

/// What every program `raddle` contains, in the text of `--version` under the names of other tools,
/// before its version and its [`build_id`].
pub const BUILD: &str = "Build raddle_";

/// The note in cubins that says who made them: as under `--version`, [`BUILD`], version and
/// [`build_id`]. A program that cannot be read leaves out the last, so that its output does not
/// change from run to run.
pub fn tool_note() -> ToolNote<'static> {
    static TEXT: OnceLock<String> = OnceLock::new();
    let build = TEXT.get_or_init(|| {
        let id = Some(build_id()).filter(|id| !id.contains(' ')).map_or(String::new(), |id| format!("/{id}"));
        format!("{BUILD}{}{id}", env!("CARGO_PKG_VERSION"))
    });
    ToolNote { name: "raddle", version: concat!("Raddle ", env!("CARGO_PKG_VERSION")), build, arguments: "" }
}

/// Whether a file is a program `raddle` of any version, or this program: what a library must not call
/// in the place of another tool.
pub fn is_raddle(path: &Path) -> bool {
    let contains = |bytes: Vec<u8>| memchr::memmem::find(&bytes, BUILD.as_bytes()).is_some();
    is_this_program(path) || std::fs::read(path).is_ok_and(contains)
}

/// The file that this function was loaded from: the program, or a library. If it has been replaced
/// since, its path ends in ` (deleted)` and is not found.
///
/// # Errors
/// The table of what is loaded cannot be read.
pub fn own_path() -> io::Result<PathBuf> {
    let here = own_path as fn() -> io::Result<PathBuf> as usize as u64;
    let maps = std::fs::read_to_string("/proc/self/maps")?;
    let path = maps.lines().find_map(|line| mapped(line, here)).ok_or(io::ErrorKind::NotFound)?;
    Ok(path.into())
}

fn own_file() -> io::Result<File> {
    File::open(own_path()?)
}

/// The path of the file of a line of `/proc/self/maps`, if the line contains the address.
fn mapped(line: &str, address: u64) -> Option<&str> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let path = words.nth(4)?.trim_start();
    (number(start)?..number(end)?).contains(&address).then_some(path)
}

/// What a program is told apart by: the hash of the build identifier that its linker made of all of
/// its contents, with the places of its segments; without one, the hash of the segments, which takes
/// as long as the compilation of a small kernel.
fn identity(file: &mut (impl Read + Seek)) -> io::Result<blake3::Hash> {
    let Some(build) = linked_id(file) else { return hash_of_program(file) };
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"raddle build 1").update(&build);
    for (offset, size) in loaded(file).unwrap_or_default() {
        hasher.update(&offset.to_le_bytes()).update(&size.to_le_bytes());
    }
    Ok(hasher.finalize())
}

/// The build identifier of an ELF file (a note `NT_GNU_BUILD_ID`), if it is long enough to be a hash
/// that differs between any two programs. A shorter one may be a number that someone chose.
fn linked_id(file: &mut (impl Read + Seek)) -> Option<Vec<u8>> {
    const PT_NOTE: u64 = 4;
    const NT_GNU_BUILD_ID: u64 = 3;
    for (offset, size) in segments(file, PT_NOTE)? {
        let mut notes = vec![0; usize::try_from(size).ok().filter(|&size| size <= 1 << 16)?];
        file.seek(SeekFrom::Start(offset)).ok()?;
        file.read_exact(&mut notes).ok()?;
        let mut rest = &notes[..];
        while rest.len() >= 12 {
            let [name, value] = [0, 4].map(|at| number(&rest[at..at + 4]) as usize);
            let kind = number(&rest[8..12]);
            let start = 12 + name.next_multiple_of(4);
            let found = rest.get(start..start.checked_add(value)?)?;
            if kind == NT_GNU_BUILD_ID && rest.get(12..16) == Some(b"GNU\0") && value >= 16 {
                return Some(found.to_vec());
            }
            rest = rest.get(start + value.next_multiple_of(4)..).unwrap_or_default();
        }
    }
    None
}

/// The hash of the loaded segments of an ELF file, code and constants, without debug information,
/// which may be five times as large; of any other file, the hash of the whole.
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

/// Offset and file size of each loaded segment (System V ABI, ELF-64: `Elf64_Ehdr`, `Elf64_Phdr`);
/// `None` for anything else.
fn loaded(file: &mut (impl Read + Seek)) -> Option<Vec<(u64, u64)>> {
    const PT_LOAD: u64 = 1;
    segments(file, PT_LOAD)
}

/// A number as ELF files have it.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
}

/// Whether this program is linked dynamically: it runs only where its loader and its libraries are.
///
/// # Errors
/// The program cannot be read.
pub fn needs_loader() -> io::Result<bool> {
    const PT_INTERP: u64 = 3;
    let mut file = File::open("/proc/self/exe")?;
    let found = segments(&mut file, PT_INTERP).ok_or(io::ErrorKind::InvalidData)?;
    Ok(!found.is_empty())
}

/// Offset and file size of each segment of a kind.
fn segments(file: &mut (impl Read + Seek), kind: u64) -> Option<Vec<(u64, u64)>> {
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
        if number(&row[0..4]) == kind {
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

    /// The linker's identifier counts where there is one; a part of a file does not.
    #[test]
    fn a_program_is_known_by_what_its_linker_wrote() {
        let identity = |bytes: &[u8]| identity(&mut io::Cursor::new(bytes)).unwrap();
        let notes = |kind: u8, id: &[u8]| {
            let mut program = b"\x7fELF\x02\x01".to_vec();
            program.resize(64 + 2 * 56, 0);
            (program[32], program[54], program[56]) = (64, 56, 2);
            let first = [&[4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0][..], b"GNU\0", &[9, 0, 0, 0]].concat();
            let note = [&[4, 0, 0, 0, id.len() as u8, 0, 0, 0, kind, 0, 0, 0][..], b"GNU\0", id].concat();
            (program[64], program[72], program[96]) = (4, 176, (first.len() + note.len()) as u8);
            (program[120], program[128], program[152]) = (1, 0, 64);
            [program, first, note].concat()
        };
        let one = notes(3, &[7; 20]);
        assert_eq!(linked_id(&mut io::Cursor::new(&one)), Some(vec![7; 20]));
        assert_ne!(identity(&one), identity(&notes(3, &[8; 20])));
        let with_debug_information = [&one[..], b"more"].concat();
        assert_eq!(identity(&one), identity(&with_debug_information));
        for unusable in [notes(3, &[7; 8]), notes(5, &[7; 20]), one[..one.len() - 1].to_vec(), vec![], b"abc".to_vec()]
        {
            assert_eq!(linked_id(&mut io::Cursor::new(&unusable)), None, "{unusable:?}");
            assert_eq!(identity(&unusable), hash_of_program(&mut io::Cursor::new(&unusable)).unwrap());
        }
    }

    #[test]
    fn the_file_with_this_code_is_found() {
        let mut own = Vec::new();
        own_file().unwrap().read_to_end(&mut own).unwrap();
        assert!(own == std::fs::read(std::env::current_exe().unwrap()).unwrap());
        let line = "7f00-7f10 r-xp 00001000 fe:00 1234                       /a folder/lib.so";
        assert_eq!([mapped(line, 0x7f00), mapped(line, 0x7f10)], [Some("/a folder/lib.so"), None]);
        assert_eq!(mapped("7f00-7f10 rw-p 00000000 00:00 0 ", 0x7f00), Some(""));
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
        assert_eq!((key.to_string().len(), Key::parse(&key.to_string())), (64, Some(key)));
        let name = "0f".repeat(32);
        for wrong in ["", &name[1..], &format!("{name}0"), &name.to_uppercase(), &name.replacen('0', "+", 1)] {
            assert_eq!(Key::parse(wrong), None, "{wrong}");
        }
        assert_eq!(build_id().len(), 64);
    }
}
