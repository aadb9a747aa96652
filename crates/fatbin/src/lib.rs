//! Reads and writes fat binaries: device code of several kinds and architectures in one file.
//!
//! Problem: nvcc and clang put device code into host objects, archives of them, and separate files,
//! as PTX, LLVM bitcode and cubins for several architectures, compressed in two ways. Strategy:
//! [`members`] finds the fatbins and offload packages in any of these files ([`container`]) and lists their members ([`read`]); a
//! member's contents are decompressed only on demand ([`Member::contents`]). [`write()`] makes a
//! fatbin.
//!
//! The format is that of `fatbinary` 13.0.88's output, compared with the listing of `cuobjdump`.
//!
//! Invariants: hostile input gives an error in time and memory linear in its size; a member is
//! decompressed to the size in its header, and to at most [`MOST`] bytes and [`MOST_RATIO`] times
//! its own size.
#![forbid(unsafe_code)]

mod bitcode;
pub mod container;
mod lz4;
mod offload;
mod read;
mod write;

pub use container::members;
pub use read::parse;
pub use write::{Compression, NewMember, append, append_as, around, write};

/// Flags of a member of a fatbin (fatbinary 13.0.88 and libnvfatbin.so 13.0.85 output).
pub mod flag {
    /// 64-bit addresses.
    pub const WIDE: u64 = 0x1;
    /// Made for debugging.
    pub const DEBUG: u64 = 0x2;
    /// Made by CUDA, if that is said.
    pub const CUDA: u64 = 0x4;
    /// Made by OpenCL.
    pub const OPENCL: u64 = 0x8;
    /// Made on Linux.
    pub const LINUX: u64 = 0x10;
    /// Made on macOS.
    pub const MAC: u64 = 0x20;
    /// Made on Windows.
    pub const WINDOWS: u64 = 0x40;
    /// Compressed as an LZ4 block.
    pub const LZ4: u64 = 0x2000;
    /// Compressed as a Zstandard frame.
    pub const ZSTD: u64 = 0x8000;
    /// For an architecture with the suffix `a`.
    pub const SPECIFIC: u64 = 0x10_0000;
    /// For an architecture with the suffix `f`.
    pub const FAMILY: u64 = 0x20_0000;
    /// The header has the section `.nv.compat` of the cubin, for sm_100 or newer.
    pub const COMPAT: u64 = 0x100_0000;
}

/// The version of PTX that a text names; nothing else of it need be right.
pub fn ptx_version(text: &[u8]) -> Option<(u16, u16)> {
    let text = String::from_utf8_lossy(text);
    let (_, rest) = text.split_once(".version")?;
    let word = rest.trim_start().split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    let (major, minor) = word.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The largest decompressed size of a member, in bytes.
pub const MOST: u64 = 1 << 32;

/// The largest compression ratio of a member. LZ4 cannot exceed 255; Zstandard compresses PTX of
/// one repeated line by a factor of some hundreds.
pub const MOST_RATIO: u64 = 1 << 12;

/// Members of at most this decompressed size may have any compression ratio.
const SMALL: u64 = 1 << 20;

/// The kind of a member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// PTX text.
    Ptx,
    /// A cubin.
    Cubin,
    /// Intermediate code for link-time optimisation, which only NVIDIA's libraries read.
    LtoIr,
    /// LLVM bitcode, in an offload package or a file of its own. Fatbins have no number for it.
    Bitcode,
    /// Anything else, with its number.
    Other(u16),
}

impl Kind {
    /// The kind with this number in the file.
    fn of(number: u16) -> Kind {
        match number {
            1 => Kind::Ptx,
            2 => Kind::Cubin,
            8 => Kind::LtoIr,
            other => Kind::Other(other),
        }
    }

    /// Its number in a fatbin; 0, an unknown kind, for one that is in none.
    fn number(self) -> u16 {
        match self {
            Kind::Bitcode => 0,
            Kind::Ptx => 1,
            Kind::Cubin => 2,
            Kind::LtoIr => 8,
            Kind::Other(number) => number,
        }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Ptx => "PTX",
            Kind::Cubin => "cubin",
            Kind::LtoIr => "LTO-IR",
            Kind::Bitcode => "LLVM bitcode",
            Kind::Other(_) => "unknown",
        }
    }
}

/// The compression of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Uncompressed.
    Plain,
    /// An LZ4 block (flag 0x2000).
    Lz4,
    /// A Zstandard frame (flag 0x8000).
    Zstd,
}

/// A member of a fatbin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member<'a> {
    /// Its kind.
    pub kind: Kind,
    /// SM number; 0 for bitcode or LTO-IR that names its architecture inside.
    pub sm: u32,
    /// What follows the number in the name of the architecture: `a` or `f`, if the file says it.
    pub suffix: &'a str,
    /// Version of the PTX or of the ELF container: major and minor.
    pub version: (u16, u16),
    /// Flags as in the file (0x01: 64-bit addresses, 0x10: made on Linux, and the compression).
    pub flags: u64,
    /// Its compression.
    pub packing: Packing,
    /// The source file it was made from, if given.
    pub name: Option<&'a str>,
    /// Options for ptxas that PTX carries.
    pub options: Option<&'a str>,
    /// Bytes as stored; uncompressed ones may be followed by padding.
    pub stored: &'a [u8],
    /// Header, stored bytes and padding, for a member of a fatbin.
    pub entry: Option<&'a [u8]>,
    /// Size of the contents, 0 if not given.
    pub size: u64,
}

/// An error in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FatbinError {
    /// No fatbin, host object, offload package or archive.
    #[error("the file is not a fatbin, nor an object or archive that contains one")]
    Unknown,
    /// An archive that contains only the names of its members.
    #[error("a thin archive, which contains only the names of its members: make it without `T` (`ar rcs`)")]
    Thin,
    /// An unknown version of an offload package.
    #[error("the offload package at {0:#x} has unknown version {1}")]
    PackageVersion(u64, u32),
    /// The file ends early, or a size extends beyond its end.
    #[error("the fatbin is cut off at {0:#x}")]
    Truncated(u64),
    /// An unknown version of the format.
    #[error("the fatbin at {0:#x} has unknown version {1}")]
    Version(u64, u16),
    /// The host object or archive that contains it is damaged.
    #[error("the object cannot be read: {0}")]
    Object(String),
    /// A member's compressed bytes are damaged.
    #[error("the member for sm_{0} cannot be decompressed: {1}")]
    Packed(u32, String),
    /// A member exceeds [`MOST`] or [`MOST_RATIO`].
    #[error("the member for sm_{0} declares {1} bytes, more than its compressed bytes can contain")]
    Huge(u32, u64),
}

impl Member<'_> {
    /// The name of its architecture, `None` if it names that inside.
    pub fn arch(&self) -> Option<String> {
        (self.sm != 0).then(|| format!("sm_{}{}", self.sm, self.suffix))
    }

    /// Its kind and architecture, such as "PTX for sm_90".
    pub fn describe(&self) -> String {
        let kind = self.kind.name();
        self.arch().map_or(kind.to_owned(), |arch| format!("{kind} for {arch}"))
    }

    /// Returns the contents: PTX without its terminating NUL, the bytes of a cubin. The bytes of
    /// LTO-IR in a fatbin are scrambled; its contents are a fatbin of this member alone, which
    /// NVIDIA's libraries read.
    ///
    /// # Errors
    /// [`FatbinError`] for damaged or too large members.
    pub fn contents(&self) -> Result<Vec<u8>, FatbinError> {
        if self.kind == Kind::LtoIr
            && let Some(entry) = self.entry
        {
            return Ok(around(entry));
        }
        let large = self.packing != Packing::Plain && self.size > SMALL;
        if self.size > MOST || large && self.size / MOST_RATIO > self.stored.len() as u64 {
            return Err(FatbinError::Huge(self.sm, self.size));
        }
        let packed = |what: &str| FatbinError::Packed(self.sm, what.to_owned());
        let mut out = match self.packing {
            Packing::Plain => self.stored.to_vec(),
            Packing::Lz4 => {
                lz4::decompress(self.stored, self.size as usize).ok_or_else(|| packed("not an LZ4 block"))?
            }
            Packing::Zstd => {
                use std::io::Read;
                let mut bytes = self.stored;
                let decoder =
                    ruzstd::decoding::StreamingDecoder::new(&mut bytes).map_err(|e| packed(&e.to_string()))?;
                let mut out = Vec::new();
                decoder.take(self.size + 1).read_to_end(&mut out).map_err(|e| packed(&e.to_string()))?;
                out
            }
        };
        if self.packing != Packing::Plain && out.len() as u64 != self.size {
            return Err(packed("another size than the header says"));
        }
        if self.kind == Kind::Ptx {
            out.truncate(out.iter().position(|&b| b == 0).unwrap_or(out.len()));
        }
        Ok(out)
    }
}

/// Chooses the member for SM `sm`: a cubin for it, else the newest for an earlier SM of the same
/// major number; else the newest PTX that is not newer than it (CUDA C++ programming guide, "Binary
/// compatibility", "PTX compatibility").
pub fn choose<'m, 'a>(members: &'m [Member<'a>], sm: u32) -> Option<&'m Member<'a>> {
    let newest = |kind: Kind, fits: &dyn Fn(u32) -> bool| {
        members.iter().filter(|m| m.kind == kind && fits(m.sm)).max_by_key(|m| m.sm)
    };
    newest(Kind::Cubin, &|have| have <= sm && have / 10 == sm / 10).or_else(|| newest(Kind::Ptx, &|have| have <= sm))
}

#[cfg(test)]
mod tests {
    use super::ptx_version;

    #[test]
    fn the_version_of_a_module_is_found() {
        assert_eq!(ptx_version(b"// x\n.version 8.7\n.target sm_90"), Some((8, 7)));
        assert_eq!(ptx_version(b".version\t9.0;\xff"), Some((9, 0)));
        assert_eq!(ptx_version(b".target sm_90"), None);
    }
}
