//! Finds device code in plain files, sections of host objects, clang's offload packages, and
//! archives: fatbins, and files of LLVM bitcode.

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};

pub use crate::bitcode::is_bitcode;
use crate::bitcode::whole;
use crate::offload::{OFFLOAD_MAGIC, packages};
use crate::read::{self, MAGIC};
use crate::{FatbinError, Kind, Member};

/// Sections of a host object with fatbins: of whole programs, of relocatable code (nvcc 13.0.88),
/// of clang.
const SECTIONS: &[&str] = &[".nv_fatbin", "__nv_relfatbin", ".hip_fatbin"];
/// Section of a host object with clang's offload packages.
const OFFLOADING: &str = ".llvm.offloading";
/// The first bytes of an archive, and of a thin one, which contains only the names of its members.
const ARCHIVE: &[u8] = b"!<arch>\n";
const THIN: &[u8] = b"!<thin>\n";
/// The first bytes of a file of NVIDIA's LTO-IR (output of `nvcc -dlto -ltoir`, 13.0.88).
const LTO_IR: &[u8] = b"\xed\x43\x4e\x7f";
/// The ELF machine number of cubins; an ELF file with any other is a host object.
const EM_CUDA: [u8; 2] = [190, 0];

/// Whether a file is NVIDIA's LTO-IR.
pub fn is_lto_ir(data: &[u8]) -> bool {
    data.starts_with(LTO_IR)
}

/// Whether a file contains others, by its first [`START`] bytes: a fatbin, an offload package, an
/// archive or a host object.
pub fn is_container(start: &[u8]) -> bool {
    let magics = [&MAGIC.to_le_bytes()[..], &OFFLOAD_MAGIC, ARCHIVE, THIN];
    let is_host = start.starts_with(b"\x7fELF") && start.get(18..20).is_some_and(|machine| machine != EM_CUDA);
    is_host || magics.iter().any(|magic| start.starts_with(magic))
}

/// The bytes that decide [`is_container`].
pub const START: usize = 20;

/// Returns the members of every fatbin and offload package in a file, in file order: a fatbin, a
/// host object, an offload package, or an archive of them. A file of bitcode or LTO-IR is its own
/// member.
///
/// # Errors
/// [`FatbinError::Unknown`] if it contains no device code, and other errors for damaged files.
pub fn members(data: &[u8]) -> Result<Vec<Member<'_>>, FatbinError> {
    let mut out = Vec::new();
    collect(data, &mut out)?;
    if is_archive(data) {
        for (_, contents) in archive(data)?.unwrap_or_default() {
            collect(contents, &mut out)?;
        }
    }
    if out.is_empty() { Err(FatbinError::Unknown) } else { Ok(out) }
}

/// Names and contents of an archive's members, in order.
pub type Files<'a> = Vec<(String, &'a [u8])>;

/// Whether a file is an archive.
pub fn is_archive(data: &[u8]) -> bool {
    data.starts_with(ARCHIVE) || data.starts_with(THIN)
}

/// Returns the members of an archive by name, `None` for any other file.
///
/// # Errors
/// [`FatbinError::Object`] for a damaged archive, [`FatbinError::Thin`] for a thin one.
pub fn archive(data: &[u8]) -> Result<Option<Files<'_>>, FatbinError> {
    if !is_archive(data) {
        return Ok(None);
    }
    if data.starts_with(THIN) {
        return Err(FatbinError::Thin);
    }
    let damaged = |e: object::Error| FatbinError::Object(e.to_string());
    let mut out = Vec::new();
    // Every header may refer to the same long string.
    let mut names = 0;
    for file in ArchiveFile::parse(data).map_err(damaged)?.members() {
        let file = file.map_err(damaged)?;
        names += file.name().len();
        if names > data.len() {
            return Err(FatbinError::Object("the names of its members overlap".into()));
        }
        out.push((String::from_utf8_lossy(file.name()).into_owned(), file.data(data).map_err(damaged)?));
    }
    Ok(Some(out))
}

/// Section of a host object with the name of its module (nvcc 13.0.88).
const MODULE_ID: &str = "__nv_module_id";

/// What stands there in an object of a whole program, which registers itself (nvcc 13.0.88).
const NO_MODULE_ID: &str = "__NV_MODULE_ID";

/// The name of the module that a host object was compiled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleId<'a> {
    /// The file has none: it is no host object, or one without device code.
    None,
    /// The device code is a whole program, which registers itself.
    Whole,
    /// The name by which what is linked of the object is registered.
    Name(&'a str),
}

/// Finds the name of the module that a host object was compiled from.
pub fn module_id(data: &[u8]) -> ModuleId<'_> {
    let section = || object::File::parse(data).ok()?.section_by_name(MODULE_ID)?.data().ok();
    let id = section().and_then(|section| std::str::from_utf8(section.split(|&byte| byte == 0).next()?).ok());
    match id {
        None | Some("") => ModuleId::None,
        Some(NO_MODULE_ID) => ModuleId::Whole,
        Some(name) => ModuleId::Name(name),
    }
}

/// Collects the members in one file that is not an archive.
fn collect<'a>(data: &'a [u8], out: &mut Vec<Member<'a>>) -> Result<(), FatbinError> {
    if data.starts_with(&MAGIC.to_le_bytes()) {
        out.extend(read::parse(data)?);
    } else if data.starts_with(&OFFLOAD_MAGIC) {
        packages(data, out)?;
    } else if is_bitcode(data) {
        out.push(whole(Kind::Bitcode, data));
    } else if is_lto_ir(data) {
        out.push(whole(Kind::LtoIr, data));
    } else if data.starts_with(b"\x7fELF") {
        let file = object::File::parse(data).map_err(|e| FatbinError::Object(e.to_string()))?;
        let (mut total, mut names) = (0u64, 0usize);
        for section in file.sections() {
            let name = section.name_bytes().unwrap_or_default();
            // Names may share a suffix, but not all may be the same long string.
            names = names.saturating_add(name.len());
            if names / 16 > data.len() {
                return Err(FatbinError::Object("the names of its sections overlap".into()));
            }
            let fat = SECTIONS.iter().any(|s| s.as_bytes() == name);
            if !fat && name != OFFLOADING.as_bytes() {
                continue;
            }
            let contents = section.data().map_err(|e| FatbinError::Object(e.to_string()))?;
            total = total.saturating_add(contents.len() as u64);
            if total > data.len() as u64 {
                return Err(FatbinError::Object("its sections overlap".into()));
            }
            if fat {
                out.extend(read::parse(contents)?);
            } else {
                packages(contents, out)?;
            }
        }
    }
    Ok(())
}
