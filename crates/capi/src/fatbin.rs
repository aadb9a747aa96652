//! Fatbins with a handle: members are added one by one, as nvFatbin of CUDA 13.0 writes them.
//!
//! The members are written by [`raddle_fatbin`].

use object::{Object, ObjectSection};
use raddle_fatbin::container::is_lto_ir;
use raddle_fatbin::{Compression, Kind, Member, NewMember, around, flag, ptx_version};

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

/// The kind of PTX for the driver's own linker.
const RELOCATABLE: Kind = Kind::Other(0x40);

/// The systems of hosts.
const SYSTEMS: u64 = flag::LINUX | flag::MAC | flag::WINDOWS;

/// An architecture as callers name it: `90`, `90a`, `100f`; an empty name is no number. Its number
/// and its suffix.
fn arch(text: &str) -> Result<(u32, &str), Code> {
    let digits = text.strip_suffix(['a', 'f']).unwrap_or(text);
    match digits.parse() {
        _ if text.is_empty() => Ok((0, "")),
        Ok(sm) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok((sm, &text[digits.len()..])),
        _ => Err(Code::InvalidArch),
    }
}

/// A fatbin that grows.
#[derive(Debug)]
pub struct Builder {
    flags: u64,
    compression: Compression,
    members: Vec<u8>,
    /// Names and architectures of relocatable members.
    relocatable: Vec<(String, u32)>,
    /// Whether its size was asked for.
    sized: bool,
}

impl Builder {
    /// An empty fatbin, and the code of the options.
    pub(crate) fn new(words: &[&str]) -> (Builder, Code) {
        let mut builder = Builder {
            flags: flag::WIDE | flag::LINUX,
            compression: Compression::default(),
            members: Vec::new(),
            relocatable: Vec::new(),
            sized: false,
        };
        let Builder { flags, compression: Compression { all, never }, .. } = &mut builder;
        for word in words {
            match *word {
                "-32" => *flags &= !flag::WIDE,
                "-64" => *flags |= flag::WIDE,
                "-cuda" => *flags |= flag::CUDA,
                "-compress=true" | "-compress-mode=default" | "-compress-mode=speed" | "-compress-mode=balance" => {}
                "-compress=false" | "-compress-mode=none" => *never = true,
                "-c" | "-compress-all" | "-compress-mode=size" => *all = true,
                "-g" => {
                    *flags |= flag::DEBUG;
                    *all = true;
                }
                "-opencl" => *flags |= flag::OPENCL,
                "-host=linux" => *flags = *flags & !SYSTEMS | flag::LINUX,
                "-host=mac" => *flags = *flags & !SYSTEMS | flag::MAC,
                "-host=windows" => *flags = *flags & !SYSTEMS | flag::WINDOWS,
                _ => return (builder, Code::UnrecognizedOption),
            }
        }
        (builder, Code::Success)
    }

    /// Adds PTX with a NUL or without one.
    pub(crate) fn ptx(&mut self, code: &[u8], target: &str, name: &str, options: &str) -> Result<(), Code> {
        let text = crate::ptx::text(code);
        if text.is_empty() {
            return Err(Code::EmptyInput);
        }
        let (sm, suffix) = arch(target)?;
        let version = ptx_version(text).ok_or(Code::MissingPtxVersion)?;
        self.push(NewMember { suffix, name, options, ..NewMember::new(Kind::Ptx, sm, version, text) });
        Ok(())
    }

    /// Adds a cubin.
    pub(crate) fn cubin(&mut self, code: &[u8], target: &str, name: &str) -> Result<(), Code> {
        if code.is_empty() {
            return Err(Code::EmptyInput);
        }
        let (sm, suffix) = arch(target)?;
        // The class of the file says whether it is for 64 bits.
        let is_wide = code.get(4) == Some(&2);
        if !code.starts_with(b"\x7fELF") || is_wide != (self.flags & flag::WIDE != 0) {
            return Err(Code::ElfSizeMismatch);
        }
        let raw = raddle_cubin::raw::Raw::parse(code).map_err(|_| Code::ElfArchMismatch)?;
        if u32::from(raw.header.sm()) != sm {
            return Err(Code::ElfArchMismatch);
        }
        let container = code.get(8).copied().unwrap_or(0);
        let new = NewMember::new(Kind::Cubin, sm, (1, container.into()), code);
        self.push(NewMember { suffix, name, ..new });
        Ok(())
    }

    /// Adds LTO-IR.
    pub(crate) fn lto_ir(&mut self, code: &[u8], target: &str, name: &str, options: &str) -> Result<(), Code> {
        if code.is_empty() {
            return Err(Code::EmptyInput);
        }
        let (sm, suffix) = arch(target)?;
        if !is_lto_ir(code) {
            return Err(Code::InvalidNvvm);
        }
        let byte = |at: usize| code.get(at).copied().unwrap_or(0).into();
        let new = NewMember::new(Kind::LtoIr, sm, (byte(4), byte(5)), code);
        self.push(NewMember { suffix, name, options, ..new });
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
            raddle_fatbin::append_as(&mut self.members, member, RELOCATABLE, &id);
        }
        Ok(())
    }

    /// The size of the fatbin, in bytes.
    pub(crate) fn size(&mut self) -> usize {
        self.sized = true;
        around(&[]).len() + self.members.len()
    }

    /// The fatbin, once its size was asked for.
    pub(crate) fn get(&self) -> Result<Vec<u8>, Code> {
        if !self.sized {
            return Err(Code::Internal);
        }
        Ok(around(&self.members))
    }

    fn push(&mut self, new: NewMember<'_>) {
        let packing = self.compression.of(new.kind);
        raddle_fatbin::append(&mut self.members, &NewMember { flags: self.flags, packing, ..new });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_numbers_with_a_suffix() {
        for (text, want) in [("80", (80, "")), ("90a", (90, "a")), ("100f", (100, "f")), ("", (0, ""))] {
            assert_eq!(arch(text), Ok(want));
        }
        for wrong in ["sm_80", "compute_80", "a", "+80", "frob", "8 0", "90af"] {
            assert_eq!(arch(wrong), Err(Code::InvalidArch), "{wrong}");
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
