//! nvFatbin.

use super::nvjitlink::objects;
use super::*;
use std::fs;

const SHARED: &str = "libnvfatbin.so.13";

/// NVIDIA's library, and its headers.
fn theirs() -> Option<(PathBuf, Vec<String>)> {
    let library = oracle::require_file("lib/libnvfatbin.so.13")?;
    let rpath = format!("-Wl,-rpath,{}", library.parent()?.display());
    Some((headers(), vec![library.display().to_string(), rpath]))
}

#[test]
fn it_does_what_nvidias_does() {
    let theirs = theirs();
    let theirs = theirs.as_ref().map(|(headers, with)| Build { headers, with: with.clone() });
    same("nvfatbin.c", &ours(SHARED), theirs.as_ref(), 60);
    same("nvfatbin.c", &ours("libnvfatbin_static.a"), None, 60);
}

#[test]
fn programs_of_nvidias_header_use_it() {
    if oracle::require_file("include/nvFatbin.h").is_none() {
        return;
    }
    let headers = headers();
    let (_folder, path) = program("nvfatbin.c", &Build { headers: &headers, ..ours(SHARED) });
    let (_other, with_ours) = program("nvfatbin.c", &ours(SHARED));
    assert_eq!(printed(&path, &[], &[]), printed(&with_ours, &[], &[]));
    declared_alike("nvFatbin.h", &headers, &exported("nvfatbin.map"));
}

#[test]
fn only_the_functions_are_visible() {
    let names = exported("nvfatbin.map");
    assert_eq!(names.len(), 11);
    let lib = libraries().join("lib");
    assert_eq!(defined(&lib.join(SHARED), &["-D"]), names);
    assert_eq!(defined(&lib.join("libnvfatbin_static.a"), &["-g"]), names);
    let Some((_, with)) = theirs() else { return };
    assert_eq!(defined(Path::new(&with[0]), &["-D"]), names);
}

/// Writes fatbins of all kinds of members with a library; returns what it printed.
fn fatbins(build: &Build<'_>, from: &Path, to: &Path) -> String {
    let (_folder, path) = program("nvfatbin.c", build);
    let files = ["a.cubin", "b90a.cubin", "b.ltoir", "bptx.o"].map(|name| shown(from, name));
    let mut words = vec![to.to_str().unwrap()];
    words.extend(files.iter().map(String::as_str));
    printed(&path, &words, &[])
}

/// Uncompressed fatbins are the same bytes; compressed ones have the same members.
#[test]
fn fatbins_are_those_of_nvidias() {
    let (Some(from), Some((headers, with))) = (objects(), theirs()) else { return };
    let (our, their) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let said = fatbins(&ours(SHARED), from, our.path());
    assert_eq!(said, fatbins(&Build { headers: &headers, with }, from, their.path()));
    let (mut plain, mut packed) = (0, 0);
    for entry in fs::read_dir(our.path()).unwrap() {
        let name = entry.unwrap().file_name();
        let [ours, theirs] = [&our, &their].map(|folder| fs::read(folder.path().join(&name)).unwrap());
        if name.to_str().unwrap().starts_with("plain") {
            assert!(ours == theirs, "{name:?}");
            plain += 1;
            continue;
        }
        packed += 1;
        let facts = |fatbin: &[u8]| {
            let members = raddle_fatbin::members(fatbin).unwrap();
            members
                .iter()
                .map(|m| {
                    let name = m.name.unwrap_or_default().to_owned();
                    let options = m.options.unwrap_or_default().to_owned();
                    // How well a member is compressed is not compared.
                    (m.kind, m.sm, m.version, name, options, m.flags & !PACKED, contents(m))
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(facts(&ours), facts(&theirs), "{name:?}");
    }
    assert_eq!((plain, packed), (7, 2));
    let Some(cuobjdump) = oracle::require("cuobjdump") else { return };
    let list = cuobjdump.run(&["-lelf", &shown(our.path(), "packed8")]).unwrap();
    let list = String::from_utf8(list).unwrap();
    assert!(list.contains("sm_80") && list.contains("sm_90a"), "{list}");
}

/// Flags of compressed members, and of scrambled LTO-IR.
const PACKED: u64 = 0x1_a000;

/// The contents of a member, as a number that tells them apart; 0 for LTO-IR, which is scrambled in
/// one of the files.
fn contents(member: &raddle_fatbin::Member<'_>) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    member.contents().unwrap().hash(&mut hasher);
    if member.kind == raddle_fatbin::Kind::LtoIr { 0 } else { hasher.finish() }
}
