//! Units as relocatable objects: read back, and linked by our linker and by nvlink with the same
//! result.

use std::fs;
use std::process::Command;

use raddle_cubin::Cubin;
use raddle_cubin::elf::{SHN_COMMON, st};
use raddle_cubin::model::{Kind, Payload, Section, SymbolPlace};
use raddle_cubin::unit::{
    DataObject, Definition, Entry, Function, Linkage, Param, RelocKind, Relocation, SharedArea, Space, UnitObject,
};
use raddle_entity::Serial;
use raddle_filetest::oracle;
use raddle_link::objects::{Input, LinkOptions, link};
use raddle_link::{FinalizeOptions, relocatable};
use raddle_target::Target;

// `MOV Rn, imm`, `CALL.ABS.NOINC`, `RET.ABS.NODEC R20 0x0` of sm_80 and sm_90, `EXIT`, with zero
// fields (ptxas 13.0.88 output).
fn mov(register: u128) -> u128 {
    0x000f_e400_0000_0f00_0000_0000_0000_7802 | register << 16
}

const CALL: u128 = 0x021f_ea00_03c0_0000_0000_0000_0000_7943;
const RET: u128 = 0x000f_ea00_03e0_0000_0000_0000_1400_7950;
const EXIT: u128 = 0x000f_ea00_0380_0000_0000_0000_0000_794d;

struct Builder(UnitObject);

impl Builder {
    fn data(&mut self, name: &str, space: Space, linkage: Linkage, definition: Definition, align: u32) {
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
    }

    /// Adds a function; references are (instruction, kind, symbol, addend).
    fn function(&mut self, name: &str, kernel: bool, words: &[u128], references: &[(u32, RelocKind, &str, i64)]) {
        let id = self.0.symbols.intern(name);
        let entry = kernel.then(|| Entry { params: vec![Param::new(0, 8)], ..Entry::default() });
        let code = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let mut f = Function::new(id, Linkage::Visible, entry, code);
        f.registers = 24;
        for &(index, kind, symbol, addend) in references {
            let symbol = self.0.symbols.intern(symbol);
            f.relocations.push(Relocation { offset: index * 16, kind, symbol, addend });
        }
        self.0.functions.push(f);
        self.0.types.push((id, if kernel { "#v" } else { "#i" }.into()));
    }
}

/// A kernel that calls `near` and `far`, refers to variables of all kinds, and takes the address of
/// `near`.
fn caller() -> UnitObject {
    use RelocKind::*;
    let mut b = Builder(UnitObject::default());
    b.data("filled", Space::Global, Linkage::Visible, Definition::Bytes(vec![0; 16]), 8);
    b.data("hidden", Space::Global, Linkage::Module, Definition::Zero(64), 16);
    b.data("weak", Space::Global, Linkage::Weak, Definition::Bytes(vec![5; 4]), 4);
    b.data("common", Space::Global, Linkage::Common, Definition::Zero(32), 4);
    b.data("table", Space::Const, Linkage::Module, Definition::Bytes(vec![7; 12]), 4);
    b.data("elsewhere", Space::Global, Linkage::Visible, Definition::Extern(32), 4);
    let symbol = |b: &mut Builder, name| b.0.symbols.intern(name);
    let (hidden, near) = (symbol(&mut b, "hidden"), symbol(&mut b, "near"));
    b.0.data[0].relocations = vec![
        Relocation { offset: 0, kind: Generic64, symbol: hidden, addend: 4 },
        Relocation { offset: 8, kind: Generic64, symbol: near, addend: 0 },
    ];
    let words = [mov(2), mov(3), mov(4), mov(5), mov(6), mov(20), mov(21), CALL, mov(20), mov(21), CALL, EXIT];
    let references = [
        (0, Abs32Lo, "filled", 0),
        (1, Abs32Hi, "filled", 0),
        (2, Abs32Lo, "elsewhere", 8),
        (3, Abs32Lo, "common", 0),
        (4, ConstOffsetImm, "table", 4),
        (5, Abs32Lo, "k", 0x80),
        (6, Abs32Hi, "k", 0x80),
        (7, CallAbs, "near", 0),
        (8, Abs32Lo, "k", 0xb0),
        (9, Abs32Hi, "k", 0xb0),
        (10, CallAbs, "far", 0),
    ];
    b.function("k", true, &words, &references);
    b.function("near", false, &[mov(4), RET], &[(0, Abs32Lo, "weak", 0)]);
    let far = symbol(&mut b, "far");
    b.0.types.push((far, "#i".into()));
    b.0
}

/// The definitions that the caller needs.
fn callee() -> UnitObject {
    let mut b = Builder(UnitObject::default());
    b.data("elsewhere", Space::Global, Linkage::Visible, Definition::Bytes(vec![3; 32]), 4);
    b.data("common", Space::Global, Linkage::Common, Definition::Zero(64), 8);
    b.function("far", false, &[mov(4), RET], &[(0, RelocKind::Abs32Lo, "elsewhere", 0)]);
    b.0
}

fn object(unit: &UnitObject, target: &'static Target) -> Vec<u8> {
    relocatable(std::slice::from_ref(unit), &FinalizeOptions::new(target), &Serial).unwrap()
}

const TARGETS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];

fn target(name: &str) -> &'static Target {
    Target::by_name(name).unwrap()
}

#[test]
fn an_object_reads_back_as_it_was_written() {
    for name in TARGETS {
        let bytes = object(&caller(), target(name));
        let cubin = Cubin::parse(&bytes).unwrap();
        assert_eq!(cubin.write().unwrap(), bytes, "{name}");
        assert_eq!(cubin.header.kind, Kind::Relocatable);
        let symbol = |name: &str| cubin.symbols.iter().find(|s| s.name == name).unwrap();
        assert_eq!(symbol("k").other, st::OTHER_ENTRY);
        assert_eq!((symbol("near").kind, symbol("near").binding), (st::FUNC, st::GLOBAL));
        assert_eq!((symbol("far").kind, symbol("far").place), (st::FUNC, SymbolPlace::Undefined));
        assert_eq!((symbol("elsewhere").kind, symbol("elsewhere").place), (st::CUDA_OBJECT, SymbolPlace::Undefined));
        assert_eq!((symbol("common").value, symbol("common").place), (4, SymbolPlace::Reserved(SHN_COMMON)));
        assert_eq!((symbol("weak").binding, symbol("hidden").binding), (st::WEAK, st::LOCAL));
        let Some(Payload::Pairs(calls)) = cubin.section(".nv.callgraph").map(|s| s.payload.clone()) else { panic!() };
        let number = |name: &str| cubin.symbols.iter().position(|s| s.name == name).unwrap() as u32;
        assert!(calls.contains(&[number("k"), number("far")]) && calls.contains(&[number("k"), number("near")]));
        // The address is in a variable: `near` may be called indirectly, and has the second type.
        assert!(calls.contains(&[number("near"), 1]), "{calls:?}");
    }
}

#[test]
fn functions_of_two_objects_are_linked_by_us_as_by_nvlink() {
    for name in TARGETS {
        let target = target(name);
        let files = [("a.o", object(&caller(), target)), ("b.o", object(&callee(), target))];
        let inputs: Vec<Input<'_>> = files.iter().map(|(name, bytes)| Input { name, bytes, library: false }).collect();
        let linked = link(&inputs, &LinkOptions::default(), &Serial).unwrap().bytes(&Serial);
        let ours = Cubin::parse(&linked).unwrap();
        assert_eq!(ours.header.kind, Kind::Executable);
        assert!(ours.symbols.iter().all(|s| s.name != "far" || s.place != SymbolPlace::Undefined));
        let Some(nvlink) = oracle::require("nvlink") else { continue };
        let folder = std::env::temp_dir().join(format!("raddle-relocatable-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in &files {
            fs::write(folder.join(name), bytes).unwrap();
        }
        let mut command: Command = nvlink.command();
        let out = command.current_dir(&folder).args(["-arch", name, "a.o", "b.o", "-o", "out.cubin"]).output().unwrap();
        let theirs = fs::read(folder.join("out.cubin"));
        fs::remove_dir_all(&folder).unwrap();
        assert!(out.status.success(), "{name}: {}", String::from_utf8_lossy(&out.stderr));
        let theirs = Cubin::parse(&theirs.unwrap()).unwrap();
        // Code byte by byte; of variables only the size: the linker may order them.
        let facts = |cubin: &Cubin| -> Vec<(String, u64, Vec<u8>)> {
            let wanted =
                |s: &&Section| [".text.", ".nv.global", ".nv.constant"].iter().any(|prefix| s.name.starts_with(prefix));
            let code = |s: &Section| if s.name.starts_with(".text.") { s.bytes().to_vec() } else { Vec::new() };
            let mut out: Vec<_> =
                cubin.sections.iter().filter(wanted).map(|s| (s.name.clone(), s.size(), code(s))).collect();
            out.sort();
            out
        };
        assert_eq!(facts(&ours), facts(&theirs), "{name}");
    }
}

#[test]
fn an_address_slot_is_an_error_that_names_its_user() {
    let mut b = Builder(UnitObject::default());
    b.data("v", Space::Global, Linkage::Visible, Definition::Zero(4), 4);
    b.function("k", true, &[mov(2), EXIT], &[(0, RelocKind::AddressSlot, "v", 0)]);
    let error = relocatable(&[b.0], &FinalizeOptions::new(target("sm_90")), &Serial).unwrap_err();
    assert_eq!(error.to_string(), "k: AddressSlot relocation at 0x0 cannot refer to v");
}

#[test]
fn shared_memory_without_variables_is_refused() {
    let mut b = Builder(UnitObject::default());
    b.function("k", true, &[EXIT], &[]);
    b.0.functions[0].shared = SharedArea { size: 128, align: 16, dynamic: false };
    let error = relocatable(&[b.0], &FinalizeOptions::new(target("sm_80")), &Serial).unwrap_err();
    assert_eq!(error.to_string(), "k: shared memory in a relocatable object is not supported yet");
}
