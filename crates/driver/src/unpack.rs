//! Extracts modules from other files: PTX and LLVM bitcode in fatbins, offload packages, host objects
//! and archives of them.
//!
//! A fatbin has one module per source and architecture. For every source the newest one that the
//! target architecture runs is taken; without a target, the newest of all. Bitcode that names no
//! architecture is for any. LTO-IR is taken where it is preferred or alone. Cubins are not read.

use crate::codes;
use crate::input::{Content, Input};
use raddle_diag::Diagnostic;
use raddle_fatbin::{FatbinError, Kind, Member, container};
use raddle_target::Target;
use std::fs::File;
use std::io::Read;

/// The largest file that is read, in bytes.
const MOST: u64 = 1 << 32;

/// What is wanted of a file with several modules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// The architecture; `None` is the newest.
    pub target: Option<&'static Target>,
    /// LTO-IR rather than PTX of the same source: a library that compiles it is there.
    pub lto_ir: bool,
}

impl From<Option<&'static Target>> for Wanted {
    fn from(target: Option<&'static Target>) -> Wanted {
        Wanted { target, lto_ir: false }
    }
}

/// The modules in a file, `None` if it is of none of these kinds. I/O errors are left to the caller
/// that reads it as text.
pub fn modules(path: &str, wanted: Wanted) -> Result<Option<Vec<Input>>, Box<Diagnostic>> {
    let mut start = [0; container::START];
    let Ok(mut file) = File::open(path) else { return Ok(None) };
    if file.metadata().map_or(true, |meta| !meta.is_file()) || file.read_exact(&mut start).is_err() {
        return Ok(None);
    }
    if !container::is_container(&start) {
        return Ok(None);
    }
    let mut bytes = start.to_vec();
    file.take(MOST)
        .read_to_end(&mut bytes)
        .map_err(|error| Box::new(Diagnostic::fatal(codes::E0001, format!("cannot read '{path}': {error}"))))?;
    unpack(path, &bytes, wanted).map(Some)
}

/// The modules in the bytes of a file, which is named `name` in messages.
///
/// # Errors
/// The file is damaged, or has no module for the target.
pub fn unpack(name: &str, bytes: &[u8], wanted: Wanted) -> Result<Vec<Input>, Box<Diagnostic>> {
    let damaged =
        |name: &str, error: FatbinError| Box::new(Diagnostic::fatal(codes::E0005, format!("'{name}': {error}")));
    let Some(files) = container::archive(bytes).map_err(|error| damaged(name, error))? else {
        let members = raddle_fatbin::members(bytes).map_err(|error| damaged(name, error))?;
        return choose(name, &members, wanted);
    };
    let mut out = Vec::new();
    for (member, contents) in files {
        match raddle_fatbin::members(contents) {
            Ok(members) => out.extend(choose(&format!("{name}({member})"), &members, wanted)?),
            Err(FatbinError::Unknown) if is_cubin(contents) => {
                let message = format!("'{name}({member})' is a cubin, which is neither PTX nor LLVM IR");
                let help = "raddle link links it with the other members";
                return Err(Box::new(Diagnostic::fatal(codes::E0005, message).help(help)));
            }
            // A host object without device code.
            Err(FatbinError::Unknown) => {}
            Err(error) => return Err(damaged(&format!("{name}({member})"), error)),
        }
    }
    if out.is_empty() { Err(damaged(name, FatbinError::Unknown)) } else { Ok(out) }
}

/// Whether an object has machine code of NVIDIA's GPUs.
fn is_cubin(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") && bytes.get(18..20) == Some(&raddle_cubin::elf::EM_CUDA.to_le_bytes())
}

/// The modules for an architecture.
fn choose(name: &str, members: &[Member<'_>], wanted: Wanted) -> Result<Vec<Input>, Box<Diagnostic>> {
    let runs = |m: &&Member<'_>| wanted.target.is_none_or(|target| runs(target, m));
    let of_kinds = |kinds: &[Kind]| members.iter().filter(|m| kinds.contains(&m.kind)).filter(runs).collect();
    let (lto_ir, others): (Vec<&Member<'_>>, Vec<_>) =
        (of_kinds(&[Kind::LtoIr]), of_kinds(&[Kind::Ptx, Kind::Bitcode]));
    let fitting = if others.is_empty() || wanted.lto_ir && !lto_ir.is_empty() { lto_ir } else { others };
    let Some(newest) = fitting.iter().map(|m| (m.sm, m.suffix)).max() else {
        return Err(Box::new(refuse(name, members, wanted.target)));
    };
    let chosen: Vec<&Member<'_>> = fitting.into_iter().filter(|m| m.sm == 0 || (m.sm, m.suffix) == newest).collect();
    let several = chosen.len() > 1;
    let mut out = Vec::new();
    for (number, member) in chosen.into_iter().enumerate() {
        let name = match member.arch() {
            _ if several => format!("{name}[module {}]", number + 1),
            Some(arch) => format!("{name}[{} for {arch}]", member.kind.name()),
            None => name.to_owned(),
        };
        let refused = |why: String| Box::new(Diagnostic::fatal(codes::E0005, format!("'{name}': {why}")));
        let contents = member.contents().map_err(|error| refused(error.to_string()))?;
        let content = match member.kind {
            Kind::Bitcode => Content::Bitcode(contents),
            Kind::LtoIr => Content::LtoIr(contents),
            _ => Content::Text(String::from_utf8(contents).map_err(|_| refused("the PTX is not text".into()))?),
        };
        out.push(Input { name, content });
    }
    Ok(out)
}

/// Whether PTX or bitcode for the architecture of a member can be compiled for `target`.
pub(crate) fn runs(target: &Target, member: &Member<'_>) -> bool {
    match member.arch().and_then(|arch| Target::by_name(&arch)) {
        Some(arch) => target.runs_ptx_of(arch),
        None => member.suffix.is_empty() && member.sm <= u32::from(target.sm),
    }
}

/// The error for a file without a suitable module.
fn refuse(name: &str, members: &[Member<'_>], target: Option<&'static Target>) -> Diagnostic {
    let wanted = target.map_or(String::new(), |t| format!(" for {}", t.name));
    let have: Vec<String> = members.iter().map(Member::describe).collect();
    let message = format!("'{name}' has no PTX or LLVM bitcode{wanted}; it has {}", have.join(", "));
    Diagnostic::fatal(codes::E0069, message)
        .help("compile the source with PTX in the fatbin: -gencode arch=compute_NN,code=compute_NN")
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_fatbin::{NewMember, write};

    fn fatbin(members: &[(Kind, u32, &[u8])]) -> Vec<u8> {
        let members: Vec<NewMember<'_>> =
            members.iter().map(|&(kind, sm, contents)| NewMember::new(kind, sm, (9, 0), contents)).collect();
        write(&members)
    }

    fn texts(bytes: &[u8], target: Option<&str>) -> Result<Vec<String>, String> {
        let target = target.and_then(Target::by_name);
        let inputs = unpack("f", bytes, target.into()).map_err(|d| d.message)?;
        Ok(inputs.into_iter().map(|i| if let Content::Text(text) = i.content { text } else { String::new() }).collect())
    }

    #[test]
    fn the_newest_module_that_fits_is_taken() {
        let bytes = fatbin(&[(Kind::Ptx, 80, b"old"), (Kind::Ptx, 90, b"new"), (Kind::Cubin, 90, b"\x7fELF")]);
        assert_eq!(texts(&bytes, None).unwrap(), ["new"]);
        assert_eq!(texts(&bytes, Some("sm_90a")).unwrap(), ["new"]);
        assert_eq!(texts(&bytes, Some("sm_86")).unwrap(), ["old"]);
        assert!(
            texts(&bytes, Some("sm_75"))
                .unwrap_err()
                .contains("no PTX or LLVM bitcode for sm_75; it has PTX for sm_80")
        );
    }

    #[test]
    fn lto_ir_is_taken_where_it_is_alone_or_preferred() {
        let kinds = |members: &[(Kind, u32, &[u8])], lto_ir| {
            let wanted = Wanted { target: Target::by_name("sm_90"), lto_ir };
            let inputs = unpack("f", &fatbin(members), wanted).unwrap();
            Vec::from_iter(inputs.iter().map(|input| matches!(input.content, Content::LtoIr(_))))
        };
        let (ptx, lto): ((_, _, &[u8]), (_, _, &[u8])) = ((Kind::Ptx, 90, b"p"), (Kind::LtoIr, 90, b"l"));
        assert_eq!([kinds(&[ptx, lto], false), kinds(&[ptx, lto], true)], [[false], [true]]);
        assert_eq!([kinds(&[lto], false), kinds(&[ptx], true)], [[true], [false]]);
    }

    #[test]
    fn files_of_other_kinds_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("k.ptx");
        std::fs::write(&path, ".version 9.0\n.target sm_80\n.address_size 64\n").unwrap();
        assert!(modules(path.to_str().unwrap(), Wanted::default()).unwrap().is_none());
        assert!(modules("/nonexistent", Wanted::default()).unwrap().is_none());
        let path = dir.path().join("k.fatbin");
        std::fs::write(&path, fatbin(&[(Kind::Ptx, 80, b"x"), (Kind::Ptx, 80, b"y")])).unwrap();
        let found = modules(path.to_str().unwrap(), Wanted::default()).unwrap().unwrap();
        assert_eq!(found.len(), 2);
        assert!(found[1].name.ends_with("k.fatbin[module 2]"));
    }

    /// An archive with these members.
    fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut out = b"!<arch>\n".to_vec();
        for (name, contents) in members {
            let head =
                format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", format!("{name}/"), 0, 0, 0, 644, contents.len());
            out.extend([head.as_bytes(), contents].concat());
            out.resize(out.len().next_multiple_of(2), b'\n');
        }
        out
    }

    /// An offload package of one image, of unspecified kind, as clang makes it.
    fn package(arch: &str, image: &[u8]) -> Vec<u8> {
        let text = format!("arch\0{arch}\0");
        let size = (88 + text.len() + image.len()).next_multiple_of(8);
        let mut out = b"\x10\xff\x10\xad\x01\0\0\0".to_vec();
        let values = [size, 32, 40, 2 << 16, 72, 1, 88 + text.len(), image.len(), 88, 93];
        out.extend(values.iter().flat_map(|&value| (value as u64).to_le_bytes()));
        out.extend([text.as_bytes(), image].concat());
        out.resize(size, 0);
        out
    }

    /// Names, and whether each is bitcode.
    fn found(bytes: &[u8], target: &str) -> Result<Vec<(String, bool)>, String> {
        let inputs = unpack("f", bytes, Target::by_name(target).into()).map_err(|d| d.message)?;
        Ok(inputs.into_iter().map(|input| (input.name, input.content.is_ir())).collect())
    }

    #[test]
    fn bitcode_in_archives_and_packages_is_named_by_its_member() {
        let (first, second) = (&b"BC\xc0\xdefirst"[..], &b"\xde\xc0\x17\x0bsecond"[..]);
        let members = [("a.bc", first), ("notes.txt", b"text"), ("b.o", second), ("p.o", &package("sm_90", first))];
        let names = [("f(a.bc)", true), ("f(b.o)", true), ("f(p.o)[LLVM bitcode for sm_90]", true)];
        let names: Vec<(String, bool)> = names.map(|(name, is_ir)| (name.to_owned(), is_ir)).to_vec();
        assert_eq!(found(&archive(&members), "sm_90").unwrap(), names);
        let Content::Bitcode(bytes) = &unpack("f", &archive(&members), Wanted::default()).unwrap()[1].content else {
            panic!()
        };
        assert_eq!(bytes, second);
    }

    #[test]
    fn a_cubin_in_an_archive_is_refused_by_its_name() {
        // An object without sections (ELF-64 Object File Format, File header).
        let object = |machine: u8| {
            let mut header = vec![0; 64];
            header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
            (header[16], header[18], header[20], header[52], header[58]) = (1, machine, 1, 64, 64);
            header
        };
        let (cubin, host) = (object(190), object(62));
        let bitcode = &b"BC\xc0\xdefirst"[..];
        let error = found(&archive(&[("a.bc", bitcode), ("b.o", &cubin)]), "sm_90").unwrap_err();
        assert!(error.contains("'f(b.o)' is a cubin"), "{error}");
        assert_eq!(found(&archive(&[("a.bc", bitcode), ("b.o", &host)]), "sm_90").unwrap().len(), 1);
    }

    #[test]
    fn the_bitcode_that_the_target_runs_is_taken() {
        let image = b"BC\xc0\xde";
        let all = ["sm_80", "sm_90", "sm_90a"].map(|arch| package(arch, image)).concat();
        for (target, expected) in [("sm_86", "sm_80"), ("sm_90", "sm_90"), ("sm_90a", "sm_90a"), ("sm_100", "sm_90")] {
            assert_eq!(found(&all, target).unwrap(), [(format!("f[LLVM bitcode for {expected}]"), true)], "{target}");
        }
        let error = found(&all, "sm_75").unwrap_err();
        assert!(error.contains("it has LLVM bitcode for sm_80, LLVM bitcode for sm_90,"), "{error}");
        let any = [package("sm_80", image), package("generic", image)].concat();
        assert_eq!(found(&any, "sm_90").unwrap().len(), 2);
        // Of one architecture all are taken: they are of different sources.
        let two = [package("sm_80", image), package("sm_80", b".version 8.0\n")].concat();
        assert_eq!(found(&two, "sm_80").unwrap(), [("f[module 1]".into(), true), ("f[module 2]".into(), false)]);
    }

    #[test]
    fn what_cannot_be_unpacked_is_told_with_advice() {
        for (bytes, words) in [
            (&b"!<thin>\nnames"[..], &["thin archive", "ar rcs"][..]),
            (&package("gfx90a", b"image"), &["not a fatbin"]),
            (&archive(&[("notes.txt", b"text")]), &["not a fatbin"]),
        ] {
            let error = found(bytes, "sm_90").unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{words:?}: {error}");
        }
    }
}
