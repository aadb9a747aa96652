//! Extracts modules of PTX and LLVM IR from other files: fatbins, offload packages, host objects and archives of
//! them.
//!
//! A fatbin has one module per source and architecture. For every source the newest one up to the
//! target architecture is taken; without a target, the newest of all. Where there is no PTX, LLVM
//! bitcode is taken: all of it, since it may be compiled for any architecture. Cubins are not read,
//! and LTO-IR is refused by name.

use crate::codes;
use crate::input::{Content, Input, is_bitcode};
use raddle_diag::Diagnostic;
use raddle_fatbin::{FatbinError, Kind, Member, container};
use raddle_target::Target;
use std::fs::File;
use std::io::Read;

/// First bytes of fatbins, offload packages and archives.
const MAGICS: &[&[u8]] = &[b"\x50\xed\x55\xba", b"\x10\xff\x10\xad", b"!<arch>\n"];
/// The ELF machine number of cubins; an ELF file with any other is a host object.
const EM_CUDA: u16 = 190;
/// The largest file that is read, in bytes.
const MOST: u64 = 1 << 32;

/// The modules in a file, `None` if it is of none of these kinds. I/O errors are left to the caller
/// that reads it as text.
pub fn modules(path: &str, target: Option<&'static Target>) -> Result<Option<Vec<Input>>, Box<Diagnostic>> {
    let mut start = [0; 20];
    let Ok(mut file) = File::open(path) else { return Ok(None) };
    if file.metadata().map_or(true, |meta| !meta.is_file()) || file.read_exact(&mut start).is_err() {
        return Ok(None);
    }
    let is_host = start.starts_with(b"\x7fELF") && u16::from_le_bytes([start[18], start[19]]) != EM_CUDA;
    if !is_host && !MAGICS.iter().any(|magic| start.starts_with(magic)) {
        return Ok(None);
    }
    let mut bytes = start.to_vec();
    file.take(MOST)
        .read_to_end(&mut bytes)
        .map_err(|error| Box::new(Diagnostic::fatal(codes::E0001, format!("cannot read '{path}': {error}"))))?;
    unpack(path, &bytes, target).map(Some)
}

fn unpack(name: &str, bytes: &[u8], target: Option<&'static Target>) -> Result<Vec<Input>, Box<Diagnostic>> {
    let damaged = |error: FatbinError| Box::new(Diagnostic::fatal(codes::E0005, format!("'{name}': {error}")));
    let Some(files) = container::archive(bytes).map_err(damaged)? else {
        let members = raddle_fatbin::members(bytes).map_err(damaged)?;
        return choose(name, &members, target);
    };
    let mut out = Vec::new();
    for (member, contents) in files {
        if is_bitcode(contents) {
            let content = Content::Bitcode(contents.to_vec());
            out.push(Input { name: format!("{name}({member})"), content });
            continue;
        }
        match raddle_fatbin::members(contents) {
            Ok(members) => out.extend(choose(&format!("{name}({member})"), &members, target)?),
            // A host object without device code.
            Err(FatbinError::Unknown) => {}
            Err(error) => return Err(damaged(error)),
        }
    }
    if out.is_empty() { Err(damaged(FatbinError::Unknown)) } else { Ok(out) }
}

/// The modules for an architecture.
fn choose(name: &str, members: &[Member<'_>], target: Option<&'static Target>) -> Result<Vec<Input>, Box<Diagnostic>> {
    let fits = |m: &&Member<'_>| m.kind == Kind::Ptx && target.is_none_or(|t| m.sm <= u32::from(t.sm));
    let Some(sm) = members.iter().filter(fits).map(|m| m.sm).max() else {
        let bitcode: Vec<Input> = bitcode(name, members, target);
        if !bitcode.is_empty() {
            return Ok(bitcode);
        }
        return Err(Box::new(refuse(name, members, target)));
    };
    let several = members.iter().filter(fits).filter(|m| m.sm == sm).count() > 1;
    let mut out = Vec::new();
    for (number, member) in members.iter().filter(fits).filter(|m| m.sm == sm).enumerate() {
        let what = if several { format!("module {}", number + 1) } else { format!("PTX for sm_{sm}") };
        let name = format!("{name}[{what}]");
        let refused = |why: String| Box::new(Diagnostic::fatal(codes::E0005, format!("'{name}': {why}")));
        let contents = member.contents().map_err(|error| refused(error.to_string()))?;
        let text = String::from_utf8(contents).map_err(|_| refused("the PTX is not text".into()))?;
        out.push(Input { name: name.clone(), content: Content::Text(text) });
    }
    Ok(out)
}

/// The modules of LLVM bitcode: for the architecture if there are any, else those for the newest
/// before it.
fn bitcode(name: &str, members: &[Member<'_>], target: Option<&'static Target>) -> Vec<Input> {
    let fits = |m: &&Member<'_>| m.kind == Kind::Bitcode && target.is_none_or(|t| m.sm <= u32::from(t.sm));
    let Some(sm) = members.iter().filter(fits).map(|m| m.sm).max() else { return Vec::new() };
    let fitting = members.iter().filter(fits).filter(|m| m.sm == sm).enumerate();
    let input = |(number, member): (usize, &Member<'_>)| {
        let name = format!("{name}[bitcode {}]", number + 1);
        Input { name, content: Content::Bitcode(member.stored.to_vec()) }
    };
    fitting.map(input).collect()
}

/// The error for a file without a suitable module.
fn refuse(name: &str, members: &[Member<'_>], target: Option<&'static Target>) -> Diagnostic {
    let wanted = target.map_or(String::new(), |t| format!(" for {}", t.name));
    let have: Vec<String> = members.iter().map(|m| format!("{} for sm_{}", m.kind.name(), m.sm)).collect();
    let message = format!("'{name}' has no PTX{wanted}; it has {}", have.join(", "));
    let out = Diagnostic::fatal(codes::E0069, message);
    match members.iter().find(|m| m.kind == Kind::LtoIr) {
        Some(lto) => out.help(FatbinError::LtoIr(lto.sm).to_string()),
        None => out.help("compile the source with PTX in the fatbin: -gencode arch=compute_NN,code=compute_NN"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_fatbin::{NewMember, write};

    fn fatbin(members: &[(Kind, u32, &[u8])]) -> Vec<u8> {
        let members: Vec<NewMember<'_>> =
            members.iter().map(|&(kind, sm, contents)| NewMember { kind, sm, version: (9, 0), contents }).collect();
        write(&members)
    }

    fn texts(bytes: &[u8], target: Option<&str>) -> Result<Vec<String>, String> {
        let target = target.and_then(Target::by_name);
        let inputs = unpack("f", bytes, target).map_err(|d| d.message)?;
        let text = |input: Input| match input.content {
            Content::Text(text) => text,
            Content::Bitcode(bytes) => format!("bitcode {}", bytes.len()),
            other => panic!("{other:?}"),
        };
        Ok(inputs.into_iter().map(text).collect())
    }

    #[test]
    fn the_newest_module_that_fits_is_taken() {
        let bytes = fatbin(&[(Kind::Ptx, 80, b"old"), (Kind::Ptx, 90, b"new"), (Kind::Cubin, 90, b"\x7fELF")]);
        assert_eq!(texts(&bytes, None).unwrap(), ["new"]);
        assert_eq!(texts(&bytes, Some("sm_90a")).unwrap(), ["new"]);
        assert_eq!(texts(&bytes, Some("sm_86")).unwrap(), ["old"]);
        assert!(texts(&bytes, Some("sm_75")).unwrap_err().contains("no PTX for sm_75; it has PTX for sm_80"));
    }

    #[test]
    fn files_of_other_kinds_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("k.ptx");
        std::fs::write(&path, ".version 9.0\n.target sm_80\n.address_size 64\n").unwrap();
        assert!(modules(path.to_str().unwrap(), None).unwrap().is_none());
        assert!(modules("/nonexistent", None).unwrap().is_none());
        let path = dir.path().join("k.fatbin");
        std::fs::write(&path, fatbin(&[(Kind::Ptx, 80, b"x"), (Kind::Ptx, 80, b"y")])).unwrap();
        let found = modules(path.to_str().unwrap(), None).unwrap().unwrap();
        assert_eq!(found.len(), 2);
        assert!(found[1].name.ends_with("k.fatbin[module 2]"));
    }
}
