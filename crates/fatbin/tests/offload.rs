//! Offload packages of clang-offload-packager 19: alone, in a host object, and with other images.

use raddle_fatbin::container::{START, is_bitcode, is_container};
use raddle_fatbin::{FatbinError, Kind, members};

const PACKAGE: &[u8] = include_bytes!("data/clang.offload");
const OBJECT: &[u8] = include_bytes!("data/clang.o");

#[test]
fn images_are_found_by_kind_and_by_contents() {
    for file in [PACKAGE, OBJECT] {
        let found = members(file).unwrap();
        let facts: Vec<_> = found.iter().map(|m| (m.kind, m.sm)).collect();
        assert_eq!(facts, [(Kind::Ptx, 80), (Kind::Ptx, 90)]);
        for member in found {
            assert_eq!(member.contents().unwrap(), b".version 8.0\n.target sm_80\n.address_size 64\n");
        }
    }
}

#[test]
fn cut_off_packages_are_errors() {
    for length in 4..PACKAGE.len() {
        // The rest of the second package may be only padding.
        match members(&PACKAGE[..length]) {
            Ok(found) => assert!(length >= PACKAGE.len() / 2 && found.len() == 1, "{length}"),
            Err(FatbinError::Truncated(_) | FatbinError::Unknown) => {}
            Err(other) => panic!("{length}: {other}"),
        }
    }
    let mut huge = PACKAGE.to_vec();
    huge[8..16].fill(0xff);
    assert!(members(&huge).is_err());
}

#[test]
fn archives_are_taken_apart_by_name() {
    const ARCHIVE: &[u8] = include_bytes!("data/members.a");
    let files = raddle_fatbin::container::archive(ARCHIVE).unwrap().unwrap();
    let names: Vec<&str> = files.iter().map(|f| &*f.0).collect();
    assert_eq!(names, ["two.fatbin", "a_name_longer_than_fifteen_letters.o"]);
    assert_eq!(files[1].1, OBJECT);
    // The members of every file in it, in order.
    let all = members(ARCHIVE).unwrap();
    let single: usize = files.iter().map(|f| members(f.1).unwrap().len()).sum();
    assert_eq!(all.len(), single);
    assert!(raddle_fatbin::container::archive(OBJECT).unwrap().is_none());
}

/// Where the first package has the kind of its image, its triple, its architecture, its image.
const KIND: usize = 0x20;
const TRIPLE: usize = 0x75;
const ARCH: usize = 0x89;
const IMAGE: usize = 0x90;

/// Some bytes that begin like bitcode.
const BITCODE: &[u8] = b"BC\xc0\xde\x35\x14\0\0";

/// The first package, with other bytes at these places.
fn changed(changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = PACKAGE[..PACKAGE.len() / 2].to_vec();
    for (at, with) in changes {
        bytes[*at..at + with.len()].copy_from_slice(with);
    }
    bytes
}

#[test]
fn bitcode_is_found_by_kind_and_by_contents_for_our_devices_only() {
    let arch = |bytes: &[u8]| members(bytes).unwrap()[0].arch();
    for kind in [b"\0", b"\x01", b"\x02"] {
        let bytes = changed(&[(KIND, kind), (IMAGE, BITCODE)]);
        let found = members(&bytes).unwrap();
        assert_eq!((found.len(), found[0].kind, found[0].sm), (1, Kind::Bitcode, 80));
        assert!(is_bitcode(&found[0].contents().unwrap()));
        let other = changed(&[(KIND, kind), (IMAGE, BITCODE), (TRIPLE, b"amdgcn-amd-amdhsa\0\0")]);
        assert_eq!(members(&other).unwrap_err(), FatbinError::Unknown);
    }
    assert_eq!(arch(&changed(&[(ARCH, b"sm_90a")])).as_deref(), Some("sm_90a"));
    assert_eq!(arch(&changed(&[(ARCH, b"sm_80")])).as_deref(), Some("sm_80"));
    assert_eq!(arch(&changed(&[(ARCH, b"gfx90a")])), None);
}

/// A package of version 2, with an entry for each kind, flags, architecture and image.
fn package(entries: &[(u16, u32, &str, &[u8])]) -> Vec<u8> {
    let strings = 32 + 40 * entries.len();
    let texts = strings + 24 * entries.len();
    let (mut heads, mut pairs, mut tail) = (Vec::new(), Vec::new(), b"arch\0".to_vec());
    for (number, (kind, flags, arch, image)) in entries.iter().enumerate() {
        let long = |value: usize| (value as u64).to_le_bytes();
        pairs.extend([long(texts), long(texts + tail.len()), long(arch.len())].concat());
        // The size of a value is given: no NUL follows it.
        tail.extend(arch.as_bytes());
        heads.extend([&kind.to_le_bytes()[..], &[2, 0], &flags.to_le_bytes()].concat());
        let (string, at) = (long(strings + 24 * number), long(texts + tail.len()));
        heads.extend([string, long(1), at, long(image.len())].concat());
        tail.extend(*image);
    }
    let size = (texts + tail.len()).next_multiple_of(8);
    let mut out = b"\x10\xff\x10\xad\x02\0\0\0".to_vec();
    out.extend([size, 32, entries.len()].map(|value| (value as u64).to_le_bytes()).concat());
    out.extend([heads, pairs, tail].concat());
    out.resize(size, 0);
    out
}

#[test]
fn packages_of_version_2_have_any_number_of_images() {
    let file = package(&[
        (2, 0, "sm_90", BITCODE),
        (5, 0, "sm_90a", b".version 8.0\n"),
        (2, 1, "sm_80", b""),
        (3, 0, "sm_80", b"\x7fELF"),
    ]);
    let facts = |bytes: &[u8]| -> Vec<_> {
        let found = members(bytes).unwrap();
        found.iter().map(|m| (m.kind, m.arch().unwrap(), m.contents().unwrap())).collect()
    };
    let expected = [
        (Kind::Bitcode, "sm_90".to_owned(), BITCODE.to_vec()),
        (Kind::Ptx, "sm_90a".to_owned(), b".version 8.0\n".to_vec()),
        (Kind::Cubin, "sm_80".to_owned(), b"\x7fELF".to_vec()),
    ];
    assert_eq!(facts(&file), expected);
    // They are concatenated, with padding between them.
    assert_eq!(facts(&[&file[..], &[0; 8], &file].concat()), [&expected[..], &expected].concat());
    for length in 4..file.len() {
        assert_eq!(members(&file[..length]).unwrap_err(), FatbinError::Truncated(0), "{length}");
    }
    let newer = [&file[..4], &[3], &file[5..]].concat();
    assert_eq!(members(&newer).unwrap_err(), FatbinError::PackageVersion(0, 3));
}

#[test]
fn a_file_of_bitcode_is_its_own_member_and_archives_contain_them() {
    for magic in [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"] {
        let found = members(magic).unwrap();
        assert_eq!((found.len(), found[0].kind, found[0].arch()), (1, Kind::Bitcode, None));
        assert!(!is_container(magic));
    }
    let lto = members(b"\xed\x43\x4e\x7f").unwrap();
    assert_eq!((lto.len(), lto[0].kind, lto[0].arch()), (1, Kind::LtoIr, None));
    let head = |name: &str| format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, BITCODE.len());
    let mut archive = b"!<arch>\n".to_vec();
    for name in ["a.bc/", "b.bc/"] {
        archive.extend([head(name).as_bytes(), BITCODE].concat());
    }
    assert_eq!(members(&archive).unwrap().iter().filter(|m| m.kind == Kind::Bitcode).count(), 2);
    assert_eq!(members(b"!<thin>\n/               0").unwrap_err(), FatbinError::Thin);
}

#[test]
fn containers_are_told_by_their_first_bytes() {
    for file in [PACKAGE, OBJECT, include_bytes!("data/members.a"), include_bytes!("data/two.fatbin")] {
        assert!(is_container(&file[..START]));
    }
    let mut cubin = OBJECT[..START].to_vec();
    cubin[18] = 190;
    for other in [&cubin[..], b".version 8.0\n.target sm_80", b"\x7fELF", b""] {
        assert!(!is_container(other));
    }
}
