//! Units with variables, references of every kind, and calls: the linked bits, and how nvdisasm
//! reads them.

use std::fs;

use raddle_cubin::Cubin;
use raddle_cubin::model::SymbolPlace;
use raddle_cubin::unit::{
    DataObject, Definition, Entry, Function, Linkage, Param, RelocKind, Relocation, Space, SymbolId, UnitObject,
};
use raddle_entity::{Executor, Serial};
use raddle_filetest::{oracle, work};
use raddle_link::{Container, FinalizeOptions, LinkError, finalize};
use raddle_target::Target;

/// Runs each piece on a thread of its own, the last one first.
struct AllAtOnce;

impl Executor for AllAtOnce {
    fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|threads| (0..n).rev().for_each(|i| drop(threads.spawn(move || piece(i)))));
    }
}

// `MOV Rn, imm`, `MOV Rn, c[bank][0]`, `LDS Rn, [0]`, `CALL.REL.NOINC`, `EXIT`: the same on sm_80
// and sm_90 with zero fields (ptxas 13.0.88 output).
fn mov(register: u128) -> u128 {
    0x000f_e400_0000_0f00_0000_0000_0000_7802 | register << 16
}

fn mov_bank(register: u128, bank: u128) -> u128 {
    0x000f_e400_0000_0f00_0000_0000_0000_7a02 | register << 16 | bank << 54
}

fn lds(register: u128) -> u128 {
    0x000e_6800_0000_0800_0000_0000_ff00_7984 | register << 16
}

const CALL: u128 = 0x021f_ea00_03c0_0000_0000_0000_0000_7944;
const EXIT: u128 = 0x000f_ea00_0380_0000_0000_0000_0000_794d;

fn code(words: &[u128]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

struct Builder(UnitObject);

impl Builder {
    fn new(module: u32) -> Self {
        Self(UnitObject { module, ..UnitObject::default() })
    }

    fn data(&mut self, name: &str, space: Space, linkage: Linkage, definition: Definition, align: u32) -> SymbolId {
        let name = self.0.symbols.intern(name);
        self.0.data.push(DataObject {
            name,
            space,
            linkage,
            definition,
            align,
            relocations: Vec::new(),
            managed: false,
        });
        name
    }

    /// Adds a kernel; references are (instruction, kind, symbol, addend).
    fn kernel(&mut self, name: &str, words: &[u128], references: &[(u32, RelocKind, &str, i64)]) {
        let name = self.0.symbols.intern(name);
        let entry = Entry { params: vec![Param::new(0, 8), Param::new(8, 4)], ..Entry::default() };
        let mut f = Function::new(name, Linkage::Visible, Some(entry), code(words));
        f.registers = 10;
        f.marks.exits = vec![(words.len() as u32 - 1) * 16];
        for &(index, kind, symbol, addend) in references {
            let symbol = self.0.symbols.intern(symbol);
            f.relocations.push(Relocation { offset: index * 16, kind, symbol, addend });
        }
        self.0.functions.push(f);
    }
}

/// A kernel with references of every kind, its helper, and variables in all spaces.
fn everything() -> UnitObject {
    use RelocKind::*;
    let mut b = Builder::new(0);
    let small = b.data("small", Space::Global, Linkage::Module, Definition::Bytes(vec![1, 2, 3]), 1);
    b.data("pointer", Space::Global, Linkage::Visible, Definition::Bytes(vec![0; 16]), 8);
    let zeroed = b.data("zeroed", Space::Global, Linkage::Visible, Definition::Zero(256), 16);
    b.0.data[1].relocations = vec![
        Relocation { offset: 0, kind: Generic64, symbol: small, addend: 1 },
        Relocation { offset: 8, kind: Abs64, symbol: zeroed, addend: 0 },
    ];
    b.data("unused", Space::Global, Linkage::Module, Definition::Zero(4), 4);
    b.data("table", Space::Const, Linkage::Module, Definition::Bytes(vec![7; 12]), 4);
    b.data("wide", Space::Const, Linkage::Module, Definition::Bytes(vec![9; 8]), 8);
    b.data("tile", Space::Shared, Linkage::Unit, Definition::Zero(100), 4);
    b.data("dynamic", Space::Shared, Linkage::Module, Definition::Extern(0), 16);
    let words =
        [mov_bank(2, 4), mov_bank(3, 4), mov_bank(4, 3), mov(5), mov(6), mov(7), lds(8), mov(0), CALL, mov(9), EXIT];
    let references = [
        (0, AddressSlot, "zeroed", 0),
        (1, AddressSlot, "zeroed", 4),
        (2, ConstOffset, "table", 4),
        (3, ConstOffsetImm, "wide", 4),
        (4, SharedImm, "tile", 8),
        (5, SharedImm, "dynamic", 0),
        (6, SharedOffset, "tile", 4),
        (7, AddressSlotImm, "vprintf", 0),
        (8, CallRel, "helper", 0),
        (9, Abs32Lo, "small", 2),
    ];
    b.kernel("k", &words, &references);
    let helper = b.0.symbols.intern("helper");
    let mut f = Function::new(helper, Linkage::Module, None, code(&[mov(4), EXIT]));
    (f.registers, f.barriers, f.frame_size) = (24, 2, 32);
    b.0.functions.push(f);
    b.0
}

fn target(name: &str) -> &'static Target {
    Target::by_name(name).unwrap()
}

fn words(cubin: &Cubin, kernel: &str) -> Vec<u128> {
    let words = cubin.kernel(kernel).unwrap().code.chunks_exact(16);
    words.map(|w| u128::from_le_bytes(w.try_into().unwrap())).collect()
}

#[test]
fn every_reference_is_filled_in() {
    for (arch, base) in [("sm_80", 0u128), ("sm_89", 0), ("sm_90", 0x400), ("sm_90a", 0x400)] {
        let bytes = finalize(&[everything()], &FinalizeOptions::new(target(arch)), &Serial).unwrap();
        let cubin = Cubin::parse(&bytes).unwrap();
        let w = words(&cubin, "k");
        // Slots in order of use: zeroed, vprintf. Constants by alignment: wide at 0, table at 8.
        assert_eq!(w[0], mov_bank(2, 4));
        assert_eq!(w[1], mov_bank(3, 4) | 4 << 38);
        assert_eq!(w[2], mov_bank(4, 3) | 12 << 38);
        assert_eq!(w[3], mov(5) | 4 << 32);
        assert_eq!(w[4], mov(6) | (base + 8) << 32);
        // Dynamic memory follows the static 100 bytes, aligned to 16.
        assert_eq!(w[5], mov(7) | (base + 112) << 32);
        assert_eq!(w[6], lds(8) | (base + 4) << 40);
        assert_eq!(w[7], mov(0) | 8 << 32);
        // The helper's copy follows the kernel's 11 instructions; the distance is relative to the
        // end of the call.
        let distance = 11 * 16 - 9 * 16u128;
        let field = if base == 0 { (distance / 4) << 34 } else { (distance / 4) << 16 };
        assert_eq!(w[8], CALL | field, "{arch}");
        assert_eq!(w[9], mov(9), "left to the driver");
        assert_eq!(w[11], mov(4));
        let text = cubin.section_index(".text.k").unwrap();
        let pending: Vec<_> = cubin.relocations(text).map(|r| (r.offset, r.number)).collect();
        assert_eq!(pending, [(9 * 16, 56)]);

        let k = cubin.kernel("k").unwrap();
        assert_eq!((k.registers, k.barriers, k.stack_size, k.param_size), (24, 2, 32, 12), "{arch}");
        assert_eq!(k.shared_size, base as u64 + 112);
        assert_eq!(k.const_banks.iter().map(|b| b.bank).collect::<Vec<_>>(), [0, 3, 4]);
        assert!(cubin.symbols.iter().any(|s| s.name == "$k$helper" && s.value == 11 * 16 && s.size == 32));
        assert!(cubin.symbols.iter().all(|s| s.name != "unused"), "unreferenced private variables go");
        let vprintf = cubin.symbols.iter().find(|s| s.name == "vprintf").unwrap();
        assert_eq!((vprintf.binding, vprintf.place), (1, SymbolPlace::Undefined));
    }
}

#[test]
fn initialisers_keep_their_addresses() {
    for arch in ["sm_80", "sm_90"] {
        let bytes = finalize(&[everything()], &FinalizeOptions::new(target(arch)), &Serial).unwrap();
        let cubin = Cubin::parse(&bytes).unwrap();
        let mut placement = raddle_cubin::load::Placement::default();
        let (init, zero) =
            (cubin.section_index(".nv.global.init").unwrap(), cubin.section_index(".nv.global").unwrap());
        placement.sections.insert(init, 0x1000);
        placement.sections.insert(zero, 0x2000);
        placement.functions.insert("vprintf".into(), 0x3000);
        let loaded = cubin.load(&placement).unwrap();
        let section = |index| &loaded.iter().find(|l| l.section == index).unwrap().bytes;
        let word = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        // pointer (8-aligned) at 0, followed by small at 16.
        assert_eq!((word(section(init), 0), word(section(init), 8)), (0x1000 + 16 + 1, 0x2000), "{arch}");
        assert_eq!(section(init)[16..], [1, 2, 3]);
        let slots = section(cubin.section_index(".nv.constant4").unwrap());
        assert_eq!((word(slots, 0), word(slots, 8)), (0x2000, 0x3000));
        // The low half of an address in code: small + 2.
        let text = section(cubin.section_index(".text.k").unwrap());
        assert_eq!(text[9 * 16 + 4..9 * 16 + 8], (0x1000u32 + 16 + 2).to_le_bytes(), "{arch}");
    }
}

#[test]
fn nvdisasm_reads_the_references() {
    let (Some(nvdisasm), Some(cuobjdump)) = (oracle::require("nvdisasm"), oracle::require("cuobjdump")) else { return };
    let folder = tempfile::tempdir().unwrap();
    for (arch, base) in [("sm_80", 0), ("sm_86", 0), ("sm_89", 0), ("sm_90", 0x400), ("sm_90a", 0x400)] {
        let path = folder.path().join("x.cubin");
        fs::write(&path, finalize(&[everything()], &FinalizeOptions::new(target(arch)), &Serial).unwrap()).unwrap();
        let text = String::from_utf8(nvdisasm.run(&[&path]).unwrap()).unwrap();
        for wanted in [
            "MOV R2, c[0x4][0x0]".to_owned(),
            "MOV R3, c[0x4][0x4]".to_owned(),
            "MOV R4, c[0x3][0xc]".to_owned(),
            "MOV R5, 0x4".to_owned(),
            format!("MOV R6, {:#x}", base + 8),
            format!("MOV R7, {:#x}", base + 112),
            format!("LDS R8, [{:#x}]", base + 4),
            "CALL.REL.NOINC `($k$helper)".to_owned(),
            "MOV R9, 32@lo((small + 0x2))".to_owned(),
            "fun@R_CUDA_G64((small + 0x1))".to_owned(),
        ] {
            assert!(text.contains(&wanted), "{arch}: {wanted} is not in\n{text}");
        }
        for option in ["-elf", "-sass", "-res-usage"] {
            let output = cuobjdump.output(&[option.as_ref(), path.as_os_str()]).unwrap();
            assert!(output.status.success() && output.stderr.is_empty(), "{arch} {option}: {output:?}");
            if option == "-res-usage" {
                let text = String::from_utf8(output.stdout).unwrap();
                let wanted = format!("REG:24 STACK:32 SHARED:{} LOCAL:0", base + 112);
                assert!(text.contains(&wanted), "{arch}: {text}");
                assert!(text.contains("GLOBAL:275 CONSTANT[4]:16 CONSTANT[3]:20"), "{arch}: {text}");
            }
        }
    }
}

#[test]
fn units_of_one_module_share_what_is_theirs() {
    let unit = |module, name: &str, value| {
        let mut b = Builder::new(module);
        b.data("shared_by_all", Space::Global, Linkage::Module, Definition::Bytes(vec![value; 4]), 4);
        b.data("mine", Space::Shared, Linkage::Unit, Definition::Zero(64), 8);
        let references = [(0, RelocKind::AddressSlot, "shared_by_all", 0), (1, RelocKind::SharedImm, "mine", 0)];
        b.kernel(name, &[mov_bank(2, 4), mov(3), EXIT], &references);
        b.0
    };
    let units = [unit(0, "a", 1), unit(0, "b", 1), unit(1, "c", 2)];
    let options = FinalizeOptions::new(target("sm_80"));
    let bytes = finalize(&units, &options, &Serial).unwrap();
    assert_eq!(bytes, finalize(&units, &options, &Serial).unwrap(), "the same input gives the same bytes");
    assert_eq!(bytes, finalize(&units, &options, &AllAtOnce).unwrap(), "whatever runs first");
    let cubin = Cubin::parse(&bytes).unwrap();
    assert_eq!(cubin.kernels().iter().map(|k| k.name).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(cubin.section(".nv.global.init").unwrap().bytes(), [1, 1, 1, 1, 2, 2, 2, 2]);
    assert_eq!(words(&cubin, "a")[0], words(&cubin, "b")[0], "one slot for both");
    assert_ne!(words(&cubin, "a")[0], words(&cubin, "c")[0]);
    assert!(cubin.kernels().iter().all(|k| k.shared_size == 64));
}

#[test]
fn a_module_without_kernels_is_an_executable_of_its_variables() {
    for arch in ["sm_80", "sm_90"] {
        let options = FinalizeOptions::new(target(arch));
        let mut b = Builder::new(0);
        b.data("v", Space::Global, Linkage::Visible, Definition::Bytes(vec![1, 2, 3, 4]), 4);
        let file = finalize(&[b.0], &options, &Serial).unwrap();
        let cubin = raddle_cubin::Cubin::parse(&file).unwrap();
        assert!(cubin.functions().is_empty());
        assert_eq!(
            cubin.variables().iter().map(|v| (v.name, v.init)).collect::<Vec<_>>(),
            [("v", Some(&[1, 2, 3, 4][..]))]
        );
        assert!(raddle_cubin::Cubin::parse(&finalize(&[], &options, &Serial).unwrap()).is_ok());
    }
}

#[test]
fn mistakes_name_their_symbol() {
    let options = FinalizeOptions::new(target("sm_80"));
    let link = |b: Builder| finalize(&[b.0], &options, &Serial).unwrap_err();
    let mut b = Builder::new(0);
    b.kernel("k", &[mov(2), EXIT], &[(0, RelocKind::AddressSlotImm, "nowhere", 0)]);
    assert_eq!(link(b), LinkError::Undefined { user: "k".into(), name: "nowhere".into() });

    let mut b = Builder::new(0);
    b.data("v", Space::Global, Linkage::Module, Definition::Zero(4), 4);
    b.kernel("k", &[mov(2), EXIT], &[(0, RelocKind::SharedImm, "v", 0)]);
    let kind = RelocKind::SharedImm;
    assert_eq!(link(b), LinkError::Kind { user: "k".into(), kind, offset: 0, name: "v".into() });

    let mut b = Builder::new(0);
    b.data("c", Space::Const, Linkage::Module, Definition::Zero(4), 4);
    b.kernel("k", &[mov_bank(2, 3), EXIT], &[(0, RelocKind::ConstOffset, "c", 0x1_0000)]);
    assert!(matches!(link(b), LinkError::Overflow { value: 0x1_0000, .. }));

    let mut b = Builder::new(0);
    b.data("s", Space::Shared, Linkage::Unit, Definition::Zero(0xc001), 1);
    b.kernel("k", &[mov(2), EXIT], &[(0, RelocKind::SharedImm, "s", 0)]);
    let error = link(b);
    assert_eq!(error.to_string(), "k uses too much shared memory (0xc001 bytes, 0xc000 max)");

    let mut b = Builder::new(0);
    b.data("huge", Space::Const, Linkage::Visible, Definition::Zero(0x1_0001), 1);
    b.kernel("k", &[EXIT], &[]);
    assert!(matches!(link(b), LinkError::TooMuch { what: "constant memory", .. }));
}

#[test]
fn the_old_container_is_read_back() {
    for arch in ["sm_80", "sm_90"] {
        let options = FinalizeOptions { container: Container::Old, ..FinalizeOptions::new(target(arch)) };
        let cubin = Cubin::parse(&finalize(&[everything()], &options, &Serial).unwrap()).unwrap();
        assert_eq!((cubin.header.os_abi, cubin.header.abi_version), (0x33, 7));
        assert_eq!(cubin.header.sm(), target(arch).sm);
        let text = cubin.section(".text.k").unwrap();
        assert_eq!((text.info >> 24, text.flags >> 20), (24, 2));
        assert!(cubin.section(".nv.compat").is_none());
    }
}

/// The time to link and read many kernels is linear in their number.
#[test]
fn many_kernels_take_linear_work() {
    let link = |count: usize| {
        let unit = |i: usize| {
            let mut b = Builder::new(0);
            b.data("shared_by_all", Space::Global, Linkage::Module, Definition::Bytes(vec![7; 4]), 4);
            let references = [(0, RelocKind::AddressSlot, "shared_by_all", 0)];
            b.kernel(&format!("kernel_number_{i}"), &[mov_bank(2, 4), EXIT], &references);
            b.0
        };
        let units: Vec<UnitObject> = (0..count).map(unit).collect();
        let begun = work::of_thread();
        let bytes = finalize(&units, &FinalizeOptions::new(target("sm_90")), &Serial).unwrap();
        let cubin = Cubin::parse(&bytes).unwrap();
        assert_eq!(cubin.kernels().len(), count);
        (work::of_thread() - begun).as_secs_f64()
    };
    link(100);
    // The CPU time of this thread, without waiting: the best of three, since other threads share
    // the caches. Linear work gives a factor of 8, quadratic work one of 64.
    let best = |count| (0..3).map(|_| link(count)).fold(f64::INFINITY, f64::min);
    let (small, large) = (best(500), best(4000));
    assert!(large < 24.0 * small, "500 kernels: {small:.4} s of CPU, 4000 kernels: {large:.4} s");
}

#[test]
fn more_sections_than_sixteen_bits_can_count() {
    let unit = |i: usize| {
        let mut b = Builder::new(0);
        b.kernel(&format!("k{i}"), &[EXIT], &[]);
        b.0
    };
    let units: Vec<UnitObject> = (0..23_000).map(unit).collect();
    let bytes = finalize(&units, &FinalizeOptions::new(target("sm_80")), &Serial).unwrap();
    let cubin = Cubin::parse(&bytes).unwrap();
    assert!(cubin.sections.len() > 0x1_0000);
    assert_eq!(cubin.kernels().len(), units.len());
    assert_eq!(cubin.write().unwrap(), bytes);
}

#[test]
fn many_parameters_are_described_by_the_second_version() {
    let unit = || {
        let mut b = Builder::new(0);
        b.kernel("k", &[EXIT], &[]);
        let entry = b.0.functions[0].entry.as_mut().unwrap();
        (entry.params, entry.many_params) = (vec![Param::new(0, 8), Param::new(8, 20_000)], true);
        b.0
    };
    // As ptxas 13.0.88 describes (.param .u64 p, .param .align 4 .b8 q[20000]) for sm_90.
    let cubin = Cubin::parse(&finalize(&[unit()], &FinalizeOptions::new(target("sm_90")), &Serial).unwrap()).unwrap();
    let k = cubin.kernel("k").unwrap();
    assert_eq!((k.param_size, k.params[1].offset, k.params[1].size), (20_008, 8, 20_000));
    let expected = [4, 0x45, 12, 0, 0, 0, 0, 0, 1, 0, 8, 0, 0x20, 0x4e, 0, 0];
    assert!(raddle_cubin::info::write(k.attributes).windows(16).any(|w| w == expected));
    // On sm_80 they have other offsets.
    let cubin = Cubin::parse(&finalize(&[unit()], &FinalizeOptions::new(target("sm_80")), &Serial).unwrap()).unwrap();
    let k = cubin.kernel("k").unwrap();
    assert_eq!((k.param_base, k.param_size, k.const_banks[0].bytes.len()), (0x1a80, 20_008, 0x1a80 + 20_008));
    assert!(raddle_cubin::info::write(k.attributes).windows(16).any(|w| w == expected));
    let mut unit = unit();
    unit.functions[0].entry.as_mut().unwrap().params[1].size = 60_000;
    let error = finalize(&[unit], &FinalizeOptions::new(target("sm_80")), &Serial).unwrap_err();
    assert_eq!(error.to_string(), "k uses too much parameter space (0xea68 bytes, 0xe580 max)");
}
