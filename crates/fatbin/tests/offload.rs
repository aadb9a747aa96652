//! Offload packages of clang-offload-packager 19: alone, and in a host object.

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
