//! Fatbins with a handle: members are added one by one, as nvFatbin of CUDA 13.0 writes them.
//!
//! The layout is described in `crates/fatbin/src/read.rs`. Behind the fixed part of a member's
//! header come its name and its options, each ended by a NUL and padded to eight bytes, and with the
//! options a header of theirs (libnvfatbin.so 13.0.85 output).

use object::{Object, ObjectSection};
use raddle_fatbin::container::is_lto_ir;
use raddle_fatbin::{Kind, Member};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::str::FromStr;

/// The result of a function of nvFatbin.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Done.
    Success = 0,
    /// A call at the wrong time, or a defect.
    Internal,
    /// The cubin is for another architecture.
    ElfArchMismatch,
    /// The bytes are no cubin.
    ElfSizeMismatch,
    /// The PTX has no version.
    MissingPtxVersion,
    /// A null pointer.
    NullPointer,
    /// Not returned.
    CompressionFailed,
    /// Not returned.
    CompressedSizeExceeded,
    /// An option is not known.
    UnrecognizedOption,
    /// The architecture is not known.
    InvalidArch,
    /// The bytes are no LTO-IR.
    InvalidNvvm,
    /// There are no bytes, or none that can be used.
    EmptyInput,
    /// Not returned.
    MissingPtxArch,
    /// Not returned.
    PtxArchMismatch,
    /// Not returned.
    MissingFatbin,
    /// An index is not supported.
    InvalidIndex,
    /// Two relocatable members of one name and architecture.
    IdentifierReuse,
    /// Not returned.
    InternalPtxOption,
}

/// Texts for the codes, by number.
pub(crate) const TEXTS: &[&str] = &[
    "",
    "a call at the wrong time, or a defect of the library",
    "the cubin is for another architecture than the one given",
    "the bytes are not a cubin",
    "the PTX has no .version",
    "a pointer is null",
    "the member could not be compressed",
    "the compressed member is too large",
    "an option is not known",
    "the architecture is not known",
    "the bytes are not LTO-IR",
    "the input is empty",
    "the PTX has no .target",
    "the PTX does not run on the architecture",
    "the host object has no fatbin",
    "the bytes are not an index",
    "two relocatable members have the same identifier and architecture",
    "an option of the PTX is not for users",
];

/// First word of a fatbin, its version and the size of its header.
const START: [u8; 8] = [0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0];
/// Bytes of a member's header without name and options.
const FIXED: u32 = 64;
/// The version of a member's header.
const VERSION: u16 = 0x101;
/// The kind of PTX for the driver's own linker.
const RELOCATABLE: u16 = 0x40;

/// Flags of a member.
mod flag {
    pub(super) const WIDE: u64 = 0x1;
    pub(super) const DEBUG: u64 = 0x2;
    pub(super) const OPENCL: u64 = 0x8;
    pub(super) const LINUX: u64 = 0x10;
    pub(super) const MAC: u64 = 0x20;
    pub(super) const WINDOWS: u64 = 0x40;
    pub(super) const ZSTD: u64 = 0x8000;
    pub(super) const SPECIFIC: u64 = 0x10_0000;
    pub(super) const FAMILY: u64 = 0x20_0000;
}

/// The systems of hosts.
const SYSTEMS: u64 = flag::LINUX | flag::MAC | flag::WINDOWS;

/// Which members are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compress {
    /// PTX, and cubins from [`SMALL`] bytes on.
    Most,
    /// All but LTO-IR.
    All,
    /// None.
    None,
}

/// The size in bytes below which a cubin is not compressed unless all are.
const SMALL: usize = 4096;

/// An architecture as callers name it: `90`, `90a`, `100f`; an empty name is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arch {
    sm: u32,
    flags: u64,
}

impl FromStr for Arch {
    type Err = Code;

    fn from_str(text: &str) -> Result<Arch, Code> {
        let (digits, flags) = match text.char_indices().last() {
            Some((at, 'a')) => (&text[..at], flag::SPECIFIC),
            Some((at, 'f')) => (&text[..at], flag::FAMILY),
            _ => (text, 0),
        };
        match digits.parse() {
            _ if text.is_empty() => Ok(Arch { sm: 0, flags: 0 }),
            Ok(sm) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Arch { sm, flags }),
            _ => Err(Code::InvalidArch),
        }
    }
}

/// A fatbin that grows.
#[derive(Debug)]
pub struct Builder {
    flags: u64,
    compress: Compress,
    members: Vec<u8>,
    /// Names and architectures of relocatable members.
    relocatable: Vec<(String, u32)>,
    /// Whether its size was asked for.
    sized: bool,
}

/// A member to write.
struct New<'a> {
    kind: u16,
    arch: Arch,
    version: (u16, u16),
    name: &'a str,
    options: Option<&'a str>,
    flags: u64,
    bytes: &'a [u8],
    /// The bytes before they were compressed, if they are.
    size: usize,
}

impl Builder {
    /// An empty fatbin, and the code of the options.
    pub(crate) fn new(words: &[&str]) -> (Builder, Code) {
        let flags = flag::WIDE | flag::LINUX;
        let mut builder =
            Builder { flags, compress: Compress::Most, members: Vec::new(), relocatable: Vec::new(), sized: false };
        let mut never = false;
        for word in words {
            match *word {
                "-32" => builder.flags &= !flag::WIDE,
                "-64" => builder.flags |= flag::WIDE,
                "-c" | "-cuda" | "-compress=true" => {}
                "-compress=false" => builder.compress = Compress::None,
                "-compress-all" => builder.compress = Compress::All,
                "-compress-mode=none" => never = true,
                "-compress-mode=default"
                | "-compress-mode=size"
                | "-compress-mode=speed"
                | "-compress-mode=balance" => {}
                "-g" => builder.flags |= flag::DEBUG,
                "-opencl" => builder.flags |= flag::OPENCL,
                "-host=linux" => builder.flags = builder.flags & !SYSTEMS | flag::LINUX,
                "-host=mac" => builder.flags = builder.flags & !SYSTEMS | flag::MAC,
                "-host=windows" => builder.flags = builder.flags & !SYSTEMS | flag::WINDOWS,
                _ => return (builder, Code::UnrecognizedOption),
            }
        }
        if never {
            builder.compress = Compress::None;
        }
        (builder, Code::Success)
    }

    /// Adds PTX with a NUL or without one.
    pub(crate) fn ptx(&mut self, code: &[u8], arch: &str, name: &str, options: &str) -> Result<(), Code> {
        let mut text = crate::ptx::text(code).to_vec();
        if text.is_empty() {
            return Err(Code::EmptyInput);
        }
        let arch: Arch = arch.parse()?;
        let version = version(&String::from_utf8_lossy(&text)).ok_or(Code::MissingPtxVersion)?;
        text.push(0);
        self.push(Kind::Ptx, arch, version, name, Some(options), &text);
        Ok(())
    }

    /// Adds a cubin.
    pub(crate) fn cubin(&mut self, code: &[u8], arch: &str, name: &str) -> Result<(), Code> {
        if code.is_empty() {
            return Err(Code::EmptyInput);
        }
        let arch: Arch = arch.parse()?;
        // The class of the file says whether it is for 64 bits.
        let is_wide = code.get(4) == Some(&2);
        if !code.starts_with(b"\x7fELF") || is_wide != (self.flags & flag::WIDE != 0) {
            return Err(Code::ElfSizeMismatch);
        }
        let raw = raddle_cubin::raw::Raw::parse(code).map_err(|_| Code::ElfArchMismatch)?;
        if u32::from(raw.header.sm()) != arch.sm {
            return Err(Code::ElfArchMismatch);
        }
        let container = code.get(8).copied().unwrap_or(0);
        self.push(Kind::Cubin, arch, (1, container.into()), name, None, code);
        Ok(())
    }

    /// Adds LTO-IR.
    pub(crate) fn lto_ir(&mut self, code: &[u8], arch: &str, name: &str, options: &str) -> Result<(), Code> {
        if code.is_empty() {
            return Err(Code::EmptyInput);
        }
        let arch: Arch = arch.parse()?;
        if !is_lto_ir(code) {
            return Err(Code::InvalidNvvm);
        }
        let byte = |at: usize| code.get(at).copied().unwrap_or(0).into();
        self.push(Kind::LtoIr, arch, (byte(4), byte(5)), name, Some(options), code);
        Ok(())
    }

    /// Refuses an index: NVIDIA describes no way to make one.
    pub(crate) fn index(code: &[u8]) -> Result<(), Code> {
        Err(if code.is_empty() { Code::EmptyInput } else { Code::InvalidIndex })
    }

    /// Adds the PTX of relocatable code in a host object, for the linker of the driver. Members are
    /// copied as they are, under the name of the object's module.
    pub(crate) fn relocatable(&mut self, code: &[u8]) -> Result<(), Code> {
        let object = object::File::parse(code).map_err(|_| Code::EmptyInput)?;
        let section = |name: &str| object.section_by_name(name).and_then(|section| section.data().ok());
        let Some(fatbin) = section("__nv_relfatbin") else { return Ok(()) };
        let members = raddle_fatbin::members(fatbin).map_err(|_| Code::Internal)?;
        let id = section("__nv_module_id").map_or(&[][..], crate::ptx::text);
        let id = String::from_utf8_lossy(id).into_owned();
        let ptx: Vec<&Member<'_>> = members.iter().filter(|member| member.kind == Kind::Ptx).collect();
        for member in &ptx {
            if self.relocatable.contains(&(id.clone(), member.sm)) {
                return Err(Code::IdentifierReuse);
            }
        }
        for member in ptx {
            self.relocatable.push((id.clone(), member.sm));
            write(
                &mut self.members,
                &New {
                    kind: RELOCATABLE,
                    arch: Arch { sm: member.sm, flags: 0 },
                    version: member.version,
                    name: &id,
                    options: Some(member.options.unwrap_or_default()),
                    flags: member.flags,
                    bytes: member.stored,
                    size: member.size as usize,
                },
            );
        }
        Ok(())
    }

    /// The size of the fatbin, in bytes.
    pub(crate) fn size(&mut self) -> usize {
        self.sized = true;
        START.len() + 8 + self.members.len()
    }

    /// The fatbin, once its size was asked for.
    pub(crate) fn get(&self) -> Result<Vec<u8>, Code> {
        if !self.sized {
            return Err(Code::Internal);
        }
        Ok([&START[..], &(self.members.len() as u64).to_le_bytes(), &self.members].concat())
    }

    fn push(&mut self, kind: Kind, arch: Arch, version: (u16, u16), name: &str, options: Option<&str>, bytes: &[u8]) {
        let number = match kind {
            Kind::Cubin => 2,
            Kind::LtoIr => 8,
            _ => 1,
        };
        let wanted = match self.compress {
            Compress::None => false,
            // NVIDIA's libraries scramble LTO-IR where they compress it, and read it plain as well.
            _ if kind == Kind::LtoIr => false,
            Compress::All => true,
            Compress::Most => kind != Kind::Cubin || bytes.len() >= SMALL,
        };
        let packed =
            wanted.then(|| compress_to_vec(bytes, CompressionLevel::Fastest)).filter(|p| p.len() < bytes.len());
        let flags = self.flags | arch.flags | if packed.is_some() { flag::ZSTD } else { 0 };
        let (stored, size) = (packed.as_deref().unwrap_or(bytes), bytes.len());
        let new = New { kind: number, arch, version, name, options, flags, bytes: stored, size };
        write(&mut self.members, &new);
    }
}

/// The version that a text of PTX names, of which nothing else need be right.
fn version(text: &str) -> Option<(u16, u16)> {
    let (_, rest) = text.split_once(".version")?;
    let word = rest.split_whitespace().next()?;
    let (major, minor) = word.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// A text with its NUL, padded to eight bytes.
fn padded(text: &str) -> Vec<u8> {
    let mut out = text.as_bytes().to_vec();
    out.resize((text.len() + 1).next_multiple_of(8), 0);
    out
}

/// Writes a member: header, name, options, contents, padding.
fn write(out: &mut Vec<u8>, new: &New<'_>) {
    let name = if new.name.is_empty() { Vec::new() } else { padded(new.name) };
    let place = FIXED + name.len() as u32;
    let mut rest = name;
    if let Some(options) = new.options {
        rest.extend((place + 8).to_le_bytes());
        rest.extend((options.len() as u32).to_le_bytes());
        rest.extend(padded(options));
    }
    let packed = new.flags & flag::ZSTD != 0 || new.size != new.bytes.len();
    let stored = new.bytes.len().next_multiple_of(8);
    out.extend(new.kind.to_le_bytes());
    out.extend(VERSION.to_le_bytes());
    out.extend((FIXED + rest.len() as u32).to_le_bytes());
    out.extend((stored as u64).to_le_bytes());
    out.extend(if packed { new.bytes.len() as u32 } else { 0 }.to_le_bytes());
    out.extend(if new.options.is_some() { place } else { 0 }.to_le_bytes());
    out.extend(new.version.1.to_le_bytes());
    out.extend(new.version.0.to_le_bytes());
    out.extend(new.arch.sm.to_le_bytes());
    out.extend(if new.name.is_empty() { 0 } else { FIXED }.to_le_bytes());
    out.extend((new.name.len() as u32).to_le_bytes());
    out.extend(new.flags.to_le_bytes());
    out.extend([0; 8]);
    out.extend(if packed { new.size as u64 } else { 0 }.to_le_bytes());
    out.extend(rest);
    out.extend(new.bytes);
    out.resize(out.len() + stored - new.bytes.len(), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_numbers_with_a_suffix() {
        let read = |text: &str| text.parse::<Arch>().map(|arch| (arch.sm, arch.flags));
        assert_eq!(read("80"), Ok((80, 0)));
        assert_eq!(read("90a"), Ok((90, flag::SPECIFIC)));
        assert_eq!(read("100f"), Ok((100, flag::FAMILY)));
        assert_eq!(read(""), Ok((0, 0)));
        for wrong in ["sm_80", "compute_80", "a", "+80", "frob", "8 0"] {
            assert_eq!(read(wrong), Err(Code::InvalidArch), "{wrong}");
        }
    }

    #[test]
    fn what_is_written_is_read_compressed_or_not() {
        let text = format!(".version 8.0\n.target sm_80\n{}", "// x\n".repeat(100));
        for (option, packed) in [("-compress=false", false), ("-compress-all", true)] {
            let (mut builder, code) = Builder::new(&[option, "-g"]);
            assert_eq!(code, Code::Success);
            builder.ptx(text.as_bytes(), "80", "a name", "-O3 -v").unwrap();
            builder.ptx(format!("{text}\0\0").as_bytes(), "", "", "").unwrap();
            assert_eq!(builder.get(), Err(Code::Internal), "its size comes first");
            let size = builder.size();
            let fatbin = builder.get().unwrap();
            assert_eq!(fatbin.len(), size);
            let members = raddle_fatbin::members(&fatbin).unwrap();
            let [first, second] = &members[..] else { panic!() };
            assert_eq!(
                (first.name, first.options, first.sm, first.version),
                (Some("a name"), Some("-O3 -v"), 80, (8, 0))
            );
            assert_eq!((second.name, second.sm, second.flags & 0xff), (None, 0, 0x13));
            for member in [first, second] {
                assert_eq!(member.contents().unwrap(), text.as_bytes());
                assert_eq!(member.stored.len() < text.len(), packed);
            }
        }
    }
}
