//! Files made to cost time or memory: they give an error, quickly, in memory linear in the file.

use std::time::Duration;

use raddle_fatbin::container::archive;
use raddle_fatbin::{FatbinError, MOST_RATIO, members};
use raddle_filetest::memory::assert_below;
use raddle_filetest::work;

/// Far more time than any of these takes, far less than a quadratic algorithm would.
const PATIENCE: Duration = Duration::from_secs(5);

/// The memory limit of this process: the largest file here has 10 MB, the smallest bomb 256.
const MEMORY: u64 = 128 << 20;

fn soon<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let begun = work::of_thread();
    let out = run();
    work::assert_below(PATIENCE, begun, what);
    assert_below(MEMORY, what);
    out
}

/// A fatbin with one member of the given flags and sizes.
fn fatbin(kind: u16, flags: u64, stored: &[u8], size: u64) -> Vec<u8> {
    let mut member = vec![0u8; 64];
    member[0..2].copy_from_slice(&kind.to_le_bytes());
    member[2..4].copy_from_slice(&0x101u16.to_le_bytes());
    member[4..8].copy_from_slice(&64u32.to_le_bytes());
    member[8..16].copy_from_slice(&(stored.len() as u64).to_le_bytes());
    member[16..20].copy_from_slice(&(stored.len() as u32).to_le_bytes());
    member[28..32].copy_from_slice(&90u32.to_le_bytes());
    member[40..48].copy_from_slice(&flags.to_le_bytes());
    member[56..64].copy_from_slice(&size.to_le_bytes());
    member.extend(stored);
    let mut out = 0xba55_ed50u32.to_le_bytes().to_vec();
    out.extend(1u16.to_le_bytes());
    out.extend(16u16.to_le_bytes());
    out.extend((member.len() as u64).to_le_bytes());
    out.extend(member);
    out
}

/// A Zstandard frame of `blocks` blocks that repeat one byte 128 Ki times (RFC 8878, 3.1.1).
fn zstd_bomb(blocks: usize) -> Vec<u8> {
    // Magic, a descriptor without content size, a window of 128 KiB.
    let mut out = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 7 << 3];
    for block in 0..blocks {
        let header = u32::from(block + 1 == blocks) | 1 << 1 | (1 << 17) << 3;
        out.extend(&header.to_le_bytes()[..3]);
        out.push(b' ');
    }
    out
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    const ZSTD: u64 = 0x8000;
    const LZ4: u64 = 0x2000;
    // The declared and the real size of a bomb: 16 GiB, 4 GiB, and 256 MiB in 8 KiB.
    let bomb = zstd_bomb(2048);
    for (flags, size) in [(ZSTD, 16u64 << 30), (LZ4, 16 << 30), (ZSTD, 4 << 30), (LZ4, 4 << 30), (ZSTD, 2048 << 17)] {
        let file = fatbin(1, flags, &bomb, size);
        let found = members(&file).unwrap();
        let error = soon("a bomb", || found[0].contents()).unwrap_err();
        assert!(matches!(error, FatbinError::Huge(90, _)), "{flags:#x} {size:#x}: {error}");
    }
    // One that declares less than it contains is decompressed only to that size.
    let file = fatbin(1, ZSTD, &bomb, 1000);
    let error = soon("a liar", || members(&file).unwrap()[0].contents()).unwrap_err();
    assert!(matches!(error, FatbinError::Packed(90, _)), "{error}");
    // A small member may have any compression ratio.
    let dense = zstd_bomb(8);
    let file = fatbin(1, ZSTD, &dense, 8 << 17);
    assert!((8 << 17) / dense.len() as u64 > MOST_RATIO);
    assert_eq!(members(&file).unwrap()[0].contents().unwrap().len(), 8 << 17);
}

#[test]
fn sizes_near_the_end_of_numbers_are_errors() {
    let good = fatbin(2, 1, &[7; 64], 0);
    assert_eq!(members(&good).unwrap()[0].stored, [7; 64]);
    // Header size, bytes after the header, the member's header, its stored bytes.
    for (at, width) in [(6, 2), (8, 8), (20, 4), (24, 8)] {
        for value in [u64::MAX, u64::MAX - 15, (1 << 63) - 1] {
            let mut bad = good.clone();
            bad[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
            assert!(members(&bad).is_err(), "{at} {value:#x}");
        }
    }
    let mut bad = fatbin(1, 0x2000, &[7; 64], 64);
    for at in [32, 36, 48, 52, 36 + 16] {
        bad[at..at + 4].fill(0xff);
        // Names and options outside the file are ignored; sizes outside are errors.
        let _ = members(&bad).map(|m| m[0].contents().is_err());
    }
    assert_below(MEMORY, "sizes");
}

/// The header of an archive member.
fn head(name: &str, size: usize) -> String {
    format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644)
}

#[test]
fn an_archive_whose_members_share_one_long_name_is_refused() {
    let name = "x".repeat(4 << 20);
    let mut file = format!("!<arch>\n{}{name}/\n", head("//", name.len() + 2));
    file += &head("/0", 0).repeat(60_000);
    let error = soon("the archive", || archive(file.as_bytes())).unwrap_err();
    assert!(matches!(&error, FatbinError::Object(what) if what.contains("overlap")), "{error}");
    assert!(soon("its members", || members(file.as_bytes())).is_err());
}

#[test]
fn an_offload_package_whose_strings_share_one_long_key_is_read_soon() {
    let long = |v: usize| (v as u64).to_le_bytes();
    let (entries, key) = (100_000, 8 << 20);
    // Header, entry, pairs of offsets, a key without an end.
    let (entry, strings) = (32, 32 + 40);
    let text = strings + 16 * entries;
    let mut file = vec![0x10, 0xff, 0x10, 0xad, 1, 0, 0, 0];
    for value in [text + key, entry, 40] {
        file.extend(long(value));
    }
    file.extend([5, 0, 1, 0, 0, 0, 0, 0]);
    for value in [strings, entries, 0, 4] {
        file.extend(long(value));
    }
    for _ in 0..entries {
        file.extend(long(text));
        file.extend(long(text));
    }
    file.resize(text + key, b'k');
    let found = soon("the package", || members(&file)).unwrap();
    assert_eq!((found.len(), found[0].sm), (1, 0));
}

#[test]
fn entries_of_an_offload_package_that_share_strings_and_images_are_read_soon() {
    let long = |v: usize| (v as u64).to_le_bytes();
    let count = 100_000;
    // Strings without `arch`, which all entries share, and an image that most of them share.
    let (strings, pairs) = (32 + 40 * count, 100_000);
    let size = strings + 24 * pairs;
    for (length, is_error) in [(0, false), (1000, true)] {
        let mut file = b"\x10\xff\x10\xad\x02\0\0\0".to_vec();
        for value in [size, 32, count] {
            file.extend(long(value));
        }
        for _ in 0..count {
            file.extend([5, 0, 2, 0, 0, 0, 0, 0]);
            for value in [strings, pairs, 32, length] {
                file.extend(long(value));
            }
        }
        file.resize(size, 0);
        let found = soon("the package", || members(&file).map(|found| found.len()));
        assert_eq!(found.is_err(), is_error, "{found:?}");
    }
}

/// A host object with `count` sections `.nv_fatbin`, all with the same bytes of the file.
fn host_object(count: usize, contents: &[u8]) -> Vec<u8> {
    let names = b"\0.nv_fatbin\0";
    let start = 64 + names.len();
    let table = (start + contents.len()).next_multiple_of(8);
    let mut out = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0\x3e\0\x01\0\0\0".to_vec();
    out.extend([0; 16]);
    out.extend((table as u64).to_le_bytes());
    out.extend([0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 64, 0]);
    out.extend((count as u16 + 2).to_le_bytes());
    out.extend(1u16.to_le_bytes());
    out.extend(names);
    out.extend(contents);
    out.resize(table, 0);
    let mut section = |name: u32, kind: u32, offset: usize, size: usize| {
        out.extend(name.to_le_bytes());
        out.extend(kind.to_le_bytes());
        for value in [0, 0, offset as u64, size as u64, 0, 1, 0] {
            out.extend(value.to_le_bytes());
        }
    };
    section(0, 0, 0, 0);
    section(0, 3, 64, names.len());
    for _ in 0..count {
        section(1, 1, start, contents.len());
    }
    out
}

#[test]
fn overlapping_sections_of_a_host_object_are_refused() {
    let one = fatbin(2, 1, &[7; 64], 0);
    assert_eq!(members(&host_object(1, &one)).unwrap().len(), 1);
    let many = one.repeat(10_000);
    let file = host_object(10_000, &many);
    let error = soon("the object", || members(&file)).unwrap_err();
    assert!(matches!(&error, FatbinError::Object(what) if what.contains("overlap")), "{error}");
}
