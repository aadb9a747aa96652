//! Files of ptxas 13.0.88, and in the older container of ptxas 12.9.86, stored in `data/`, are read
//! as expected from their sources, and damaged files are errors.

use raddle_cubin::unit::Space;
use raddle_cubin::{Cubin, ReadError};

const FILES: [(&str, &[u8]); 14] = [
    ("variables.sm_80", include_bytes!("data/variables.sm_80.cubin")),
    ("variables.sm_90", include_bytes!("data/variables.sm_90.cubin")),
    ("variables.sm_80.rel", include_bytes!("data/variables.sm_80.rel.cubin")),
    ("variables.sm_90.rel", include_bytes!("data/variables.sm_90.rel.cubin")),
    ("variables.sm_80.cuda12", include_bytes!("data/variables.sm_80.cuda12.cubin")),
    ("variables.sm_90.cuda12", include_bytes!("data/variables.sm_90.cuda12.cubin")),
    ("variables.sm_80.cuda12.rel", include_bytes!("data/variables.sm_80.cuda12.rel.cubin")),
    ("variables.sm_90.cuda12.rel", include_bytes!("data/variables.sm_90.cuda12.rel.cubin")),
    ("lines.sm_80", include_bytes!("data/lines.sm_80.cubin")),
    ("lines.sm_90", include_bytes!("data/lines.sm_90.cubin")),
    ("tables.sm_80", include_bytes!("data/tables.sm_80.cubin")),
    ("tables.sm_90", include_bytes!("data/tables.sm_90.cubin")),
    ("tables.sm_80.rel", include_bytes!("data/tables.sm_80.rel.cubin")),
    ("tables.sm_90.rel", include_bytes!("data/tables.sm_90.rel.cubin")),
];

fn file(name: &str) -> &'static [u8] {
    FILES.iter().find(|f| f.0 == name).unwrap().1
}

#[test]
fn kernels_have_code_parameters_and_resources() {
    let (ampere, hopper) = ((80, 1024, 128, 0x160), (90, 1152, 0x480, 0x210));
    let files = [("sm_80", 8, ampere), ("sm_90", 8, hopper), ("sm_80.cuda12", 7, ampere), ("sm_90.cuda12", 7, hopper)];
    for (name, container, (sm, code, shared, base)) in files {
        let cubin = Cubin::parse(file(&format!("variables.{name}"))).unwrap();
        assert_eq!((cubin.header.sm(), cubin.header.abi_version), (sm, container));
        let kernels = cubin.kernels();
        assert_eq!(kernels.len(), 1);
        let k = cubin.kernel("k").unwrap();
        assert_eq!((k.code.len(), k.shared_size, k.param_base, k.param_size), (code, shared, base, 40));
        assert_eq!((k.registers, k.barriers, k.frame_size, k.stack_size), (24, 2, 16, 16));
        assert_eq!(k.params.iter().map(|p| (p.offset, p.size)).collect::<Vec<_>>(), [(0, 8), (8, 4), (16, 24)]);
        let banks: Vec<u8> = k.const_banks.iter().map(|b| b.bank).collect();
        assert_eq!(banks, if sm == 80 { vec![0, 2, 3, 4] } else { vec![0, 3, 4] });
    }
}

#[test]
fn variables_have_places_and_contents() {
    let cubin = Cubin::parse(file("variables.sm_90")).unwrap();
    let variables = cubin.variables();
    let find = |name| variables.iter().find(|v| v.name == name).unwrap();
    assert_eq!(
        (find("gv").space, find("gv").init, find("gv").is_global),
        (Space::Global, Some(&[7, 0, 0, 0][..]), true)
    );
    assert_eq!((find("gbuf").size, find("gbuf").init, find("gbuf").is_global), (256, None, false));
    assert_eq!((find("ctab").space, find("ctab").offset, find("ctab").size), (Space::Const, 8, 16));
    let addresses = cubin.section_index(".nv.constant4").unwrap();
    let slots: Vec<(u64, &str)> =
        cubin.relocations(addresses).map(|r| (r.offset, &*cubin.symbols[r.symbol as usize].name)).collect();
    assert_eq!(slots, [(32, "fmt"), (24, "gbuf"), (16, "gp"), (8, "gv"), (0, "vprintf")]);

    let shared = Cubin::parse(file("variables.sm_80.rel")).unwrap();
    let sm = shared.variables().into_iter().find(|v| v.name == "sm").unwrap();
    assert_eq!((sm.space, sm.size), (Space::Shared, 128));
}

#[test]
fn every_cut_is_an_error_or_a_shorter_reading() {
    for (name, bytes) in FILES {
        for len in (0..bytes.len()).step_by(7) {
            // The program headers come last in executables, the section headers in objects: no
            // prefix is a valid file.
            assert!(Cubin::parse(&bytes[..len]).is_err(), "{name} cut to {len} bytes");
        }
    }
}

#[test]
fn damage_never_panics() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for (_, bytes) in FILES {
        let headers = u64::from_le_bytes(bytes[40..48].try_into().unwrap()) as usize;
        for round in 0..1500 {
            let mut damaged = bytes.to_vec();
            for _ in 0..=round % 4 {
                // Half of the damage goes to the header tables, which are the most sensitive.
                let at = match random() % 4 {
                    0 => random() as usize % 64,
                    1 => headers + random() as usize % (bytes.len() - headers),
                    _ => random() as usize % bytes.len(),
                };
                damaged[at] = [0, 0xff, 0x80, random() as u8][random() as usize % 4];
            }
            raddle_fuzz::cubin::run(&damaged);
        }
    }
}

/// Sizes and offsets near the maximum, two of four in every field of every section, symbol and program
/// header: the reader returns, with memory linear in the file.
#[test]
fn sizes_near_the_end_of_numbers_cost_nothing() {
    for (name, bytes) in FILES {
        let cubin = Cubin::parse(bytes).unwrap();
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let symtab = cubin.sections.iter().find(|s| s.name == ".symtab").unwrap().offset as usize;
        // Flags, address, offset, size, alignment and entry size; value and size; offset, sizes in
        // file and memory.
        let tables = [
            (word(40), cubin.sections.len(), 64, &[8, 16, 24, 32, 48, 56][..]),
            (symtab, cubin.symbols.len(), 24, &[8, 16]),
            (word(32), cubin.segments.len(), 56, &[8, 32, 40]),
        ];
        for (start, count, size, fields) in tables {
            let places = (0..count).flat_map(|i| fields.iter().map(move |f| (i, start + size * i + f)));
            for (i, at) in places {
                for value in [[u64::MAX, 1 << 40], [u64::MAX - 15, 1 << 63]][i % 2] {
                    let mut damaged = bytes.to_vec();
                    damaged[at..at + 8].copy_from_slice(&value.to_le_bytes());
                    raddle_fuzz::cubin::run(&damaged);
                    raddle_fuzz::link::import(&damaged);
                }
            }
        }
        raddle_filetest::memory::assert_below(128 << 20, name);
    }
}

#[test]
fn overlapping_sections_are_refused() {
    let mut bytes = file("variables.sm_80").to_vec();
    let headers = u64::from_le_bytes(bytes[40..48].try_into().unwrap()) as usize;
    let len = bytes.len() as u64;
    for section in 4..=6 {
        let at = headers + 64 * section;
        bytes[at + 4..at + 8].copy_from_slice(&1u32.to_le_bytes());
        bytes[at + 24..at + 32].copy_from_slice(&0u64.to_le_bytes());
        bytes[at + 32..at + 40].copy_from_slice(&len.to_le_bytes());
    }
    assert_eq!(Cubin::parse(&bytes), Err(ReadError::Overlap));
}

#[test]
fn what_was_read_is_written_back_byte_for_byte() {
    for (name, bytes) in FILES {
        let written = Cubin::parse(bytes).unwrap().write().unwrap();
        let different = written.iter().zip(bytes).position(|(a, b)| a != b);
        assert!(
            written == bytes,
            "{name}: first difference at {different:x?}, {} of {} bytes",
            written.len(),
            bytes.len()
        );
    }
}

#[test]
fn loading_applies_what_the_driver_would() {
    use raddle_cubin::load::{LoadError, Memory, Placement};
    for arch in ["sm_80", "sm_90"] {
        let cubin = Cubin::parse(file(&format!("variables.{arch}"))).unwrap();
        let mut placement = Placement::default();
        let mut next = 0x7f00_0000_0000u64;
        for need in cubin.needs() {
            if need.memory == Memory::Global {
                placement.sections.insert(need.section, next);
                next += 0x1000;
            }
        }
        let undefined = LoadError::Undefined { section: ".nv.constant4".into(), symbol: "vprintf".into() };
        assert_eq!(cubin.load(&placement), Err(undefined), "{arch}");
        placement.functions.insert("vprintf".into(), 0x1234_5678_9abc);
        let loaded = cubin.load(&placement).unwrap();
        let section = |name: &str| {
            let index = cubin.section_index(name).unwrap();
            loaded.iter().find(|l| l.section == index).unwrap()
        };
        let word = |name: &str, at: usize| u64::from_le_bytes(section(name).bytes[at..at + 8].try_into().unwrap());
        // Slots: vprintf, gv, gp, gbuf, fmt.
        let (init, zero) = (section(".nv.global.init").address, section(".nv.global").address);
        let slots: Vec<u64> = (0..5).map(|i| word(".nv.constant4", 8 * i)).collect();
        assert_eq!(slots, [0x1234_5678_9abc, init + 8, init, zero, init + 12], "{arch}");
        assert_eq!(word(".nv.global.init", 0), init + 8, "gp holds the address of gv");
        assert_eq!(word(".nv.constant3", 0), zero, "cp holds the address of gbuf");
        assert_eq!(section(".nv.global").bytes.len(), 256);
        assert!(section(".text.k").bytes == cubin.kernel("k").unwrap().code);
    }
}

#[test]
fn differences_name_what_changed() {
    use raddle_cubin::diff::{Difference, Side};
    let [a, b] = ["variables.sm_80", "tables.sm_80"].map(|n| Cubin::parse(file(n)).unwrap());
    assert!(Difference::new(&a, &a).is_empty());
    let difference = Difference::new(&a, &b);
    assert_eq!((difference.functions.len(), difference.equal), (1, 0));
    let k = &difference.functions[0];
    let registers = k.facts.iter().find(|f| f.fact == "registers").unwrap();
    assert_eq!((registers.a, registers.b, &*k.banks), (24, 10, &[2, 3, 4][..]));
    assert!(!k.changes.is_empty());
    let mut renamed = b.clone();
    renamed.symbols.iter_mut().filter(|s| s.name == "k").for_each(|s| s.name = "other".into());
    renamed.sections.iter_mut().filter(|s| s.name == ".text.k").for_each(|s| s.name = ".text.other".into());
    let sides: Vec<_> = Difference::new(&a, &renamed).functions.iter().map(|f| f.only_in).collect();
    assert_eq!(sides, [Some(Side::A), Some(Side::B)]);
}

#[test]
fn sections_can_be_taken_away() {
    use raddle_cubin::SegmentStyle;
    for (name, style) in [("variables.sm_80", SegmentStyle::AMPERE), ("variables.sm_90", SegmentStyle::HOPPER)] {
        let cubin = Cubin::parse(file(name)).unwrap();
        let reread = |c: Cubin| Cubin::parse(&c.write().unwrap()).unwrap();
        let same = reread(cubin.without_sections(style, |_| false).unwrap());
        assert_eq!((&same.symbols, same.sections.len()), (&cubin.symbols, cubin.sections.len()));
        assert_eq!(same.kernel("k").unwrap().code, cubin.kernel("k").unwrap().code);
        // Every section removed by itself: the result is a cubin, and the remaining facts are the
        // same.
        for index in 4..cubin.sections.len() {
            let dropped = &cubin.sections[index].name;
            let rest = reread(cubin.without_sections(style, |s| s.name == *dropped).unwrap());
            assert!(rest.section(dropped).is_none(), "{name} {dropped}");
            let k = rest.kernel("k");
            assert_eq!(k.is_some(), dropped != ".text.k", "{name} {dropped}");
            if let Some(k) = k {
                let registers = if name == "variables.sm_90" && dropped == ".nv.info" { 0 } else { 24 };
                assert_eq!((k.registers, k.name), (registers, "k"), "{name} {dropped}");
            }
            for r in rest.sections.iter().filter(|s| s.kind == raddle_cubin::elf::sht::RELA) {
                assert!(r.name.ends_with(&rest.sections[r.info as usize].name), "{name} without {dropped}: {}", r.name);
            }
        }
    }
}

#[test]
fn the_old_container_keeps_the_facts() {
    for name in ["variables.sm_80", "variables.sm_90", "tables.sm_90"] {
        let new = Cubin::parse(file(name)).unwrap();
        let old = Cubin::parse(&new.in_old_container().unwrap().write().unwrap()).unwrap();
        assert_eq!((old.header.sm(), old.header.os_abi, old.header.abi_version), (new.header.sm(), 0x33, 7));
        let (a, b) = (new.kernel("k").unwrap(), old.kernel("k").unwrap());
        assert_eq!((a.registers, a.barriers, a.code, &a.params), (b.registers, b.barriers, b.code, &b.params));
        assert_eq!(new.variables().len(), old.variables().len());
        let text = old.section(".text.k").unwrap();
        assert_eq!((text.info >> 24, text.flags >> 20), (a.registers, u64::from(a.barriers)));
    }
}

#[test]
fn instructions_lead_to_source_lines() {
    use raddle_cubin::lines::{LineTable, Lines};
    for arch in ["sm_80", "sm_90"] {
        let cubin = Cubin::parse(file(&format!("lines.{arch}"))).unwrap();
        let text = |kernel: &str| cubin.kernel(kernel).unwrap().section;
        let source = LineTable::read(&cubin, text("k"), Lines::Source).unwrap();
        assert_eq!(source.files, ["main.cu", "include/helper.h"]);
        let row = |offset| {
            let row = source.at(offset).unwrap();
            (source.file(row).unwrap(), row.line)
        };
        let lines: Vec<_> = source.rows.iter().map(|r| (source.file(r).unwrap(), r.line)).collect();
        let expected = [("main.cu", 10), ("main.cu", 11), ("include/helper.h", 1234), ("main.cu", 12), ("main.cu", 9)];
        let mut distinct = lines.clone();
        distinct.dedup();
        distinct.retain(|l| expected.contains(l));
        assert_eq!(distinct.len(), lines.len(), "{arch}: only lines of the kernel: {lines:?}");
        assert!(expected.iter().all(|e| lines.contains(e)), "{arch}: {lines:?}");
        assert_eq!(row(0), ("main.cu", 10), "{arch}");
        if arch == "sm_90" {
            assert_eq!(
                (row(0x10), row(0x20), row(0x50), row(0x60)),
                (expected[0], expected[1], expected[2], expected[3])
            );
        }
        let second = LineTable::read(&cubin, text("second"), Lines::Source).unwrap();
        assert!(second.rows.iter().all(|r| (20..=21).contains(&r.line)), "{:?}", second.rows);
        // The entry's line in the PTX, then its instructions.
        let ptx = LineTable::read(&cubin, text("second"), Lines::Ptx).unwrap();
        assert_eq!((ptx.at(0).unwrap().line, ptx.file(ptx.at(0).unwrap())), (24, None));
    }
    let plain = Cubin::parse(file("tables.sm_90")).unwrap();
    assert!(LineTable::read(&plain, plain.kernel("k").unwrap().section, Lines::Source).unwrap().rows.is_empty());
}
