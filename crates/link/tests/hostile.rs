//! Hostile and inconsistent objects: the link ends with an error or a readable output, quickly, and
//! in memory linear in the file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use raddle_cubin::Cubin;
use raddle_entity::Serial;
use raddle_filetest::memory::assert_below;
use raddle_filetest::work;
use raddle_link::objects::{Input, LinkOptions, link, strip};

/// Far more time than any of these links takes, far less than a quadratic one would.
const PATIENCE: Duration = Duration::from_secs(10);

/// The memory limit of this process: the files are small, and the largest link here has 3,000 of
/// them.
const MEMORY: u64 = 384 << 20;

/// The sizes of section headers and symbols, in bytes.
const SECTION: usize = 64;
const SYMBOL: usize = 24;

/// Offsets in a section header: type, flags, file offset, size, link, information, alignment.
const KIND: usize = 4;
const OFFSET: usize = 24;
const SIZE: usize = 32;
const LINK: usize = 40;
const INFO: usize = 44;
const ALIGN: usize = 48;
/// Offsets in a symbol: name, section, value, size.
const NAME: usize = 0;
const PLACE: usize = 6;
const VALUE: usize = 8;
const BYTES: usize = 16;

fn object(program: &str, name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/link");
    fs::read(folder.join(program).join("sm_90").join(name)).unwrap()
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// The offset of a section's header.
fn section(bytes: &[u8], name: &str) -> usize {
    let index = Cubin::parse(bytes).unwrap().section_index(name).unwrap() as usize;
    u64_at(bytes, 40) as usize + SECTION * index
}

/// The offset of a section's contents.
fn contents(bytes: &[u8], name: &str) -> usize {
    u64_at(bytes, section(bytes, name) + OFFSET) as usize
}

/// The offset of a symbol's entry.
fn symbol(bytes: &[u8], name: &str) -> usize {
    let index = Cubin::parse(bytes).unwrap().symbols.iter().position(|s| s.name == name).unwrap();
    contents(bytes, ".symtab") + SYMBOL * index
}

/// A modification of an object.
struct Change {
    what: &'static str,
    program: &'static str,
    object: &'static str,
    /// Finds the offset.
    at: fn(&[u8]) -> usize,
    /// The bytes that are written there.
    bytes: &'static [u8],
    /// Expected in the message of every link; if it is empty, the link may succeed.
    says: &'static str,
}

const ALL: &[u8] = &[0xff; 8];
const NEARLY: &[u8] = &[0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const HALF: &[u8] = &[0, 0, 0, 0, 0, 0, 0, 0x80];

const fn change(
    what: &'static str,
    object: &'static str,
    at: fn(&[u8]) -> usize,
    bytes: &'static [u8],
    says: &'static str,
) -> Change {
    Change { what, program: "calls", object, at, bytes, says }
}

const CHANGES: &[Change] = &[
    change("a relocation section for itself", "a.cubin", |b| section(b, ".rela.text.k") + INFO, &[12, 0, 0, 0], ""),
    change("a relocation section for the symbols", "a.cubin", |b| section(b, ".rela.text.k") + INFO, &[3, 0, 0, 0], ""),
    change("a relocation section for nothing", "a.cubin", |b| section(b, ".rela.text.k") + INFO, &[0xff; 4], "section"),
    change("symbols whose names are symbols", "a.cubin", |b| section(b, ".symtab") + LINK, &[3, 0, 0, 0], ""),
    change(
        "attributes of attributes",
        "a.cubin",
        |b| section(b, ".nv.info.k") + INFO,
        &[9, 0, 0, 0],
        "belongs to no function",
    ),
    change(
        "shared memory of no function",
        "a.cubin",
        |b| section(b, ".nv.shared.k") + INFO,
        &[3, 0, 0, 0],
        "belongs to no",
    ),
    change(
        "a bank of no function",
        "a.cubin",
        |b| section(b, ".nv.constant0.k") + INFO,
        &[0xff; 4],
        "belongs to no function",
    ),
    change("an alignment of 2^63", "a.cubin", |b| section(b, ".text.k") + ALIGN, HALF, "alignment"),
    change("an alignment that is no power", "a.cubin", |b| section(b, ".text.k") + ALIGN, &[3, 0], "alignment"),
    change(
        "a section of 2^64 - 1 bytes",
        "a.cubin",
        |b| section(b, ".text.k") + SIZE,
        ALL,
        "cannot be read|is outside|contents",
    ),
    change("a section at 2^64 - 16", "a.cubin", |b| section(b, ".text.k") + OFFSET, NEARLY, "is outside|contents"),
    change("a table of 2^64 - 16 bytes", "a.cubin", |b| section(b, ".symtab") + SIZE, NEARLY, "contents"),
    change(
        "zeroed memory of 2^64 - 1 bytes",
        "b.cubin",
        |b| section(b, ".nv.global.init") + KIND,
        &[7, 0, 0, 0x70],
        "",
    ),
    change("a symbol of 2^64 - 1 bytes", "b.cubin", |b| symbol(b, "counter") + BYTES, ALL, ""),
    change("a symbol at 2^64 - 16", "b.cubin", |b| symbol(b, "counter") + VALUE, NEARLY, ""),
    change("a constant at 2^64 - 16", "b.cubin", |b| symbol(b, "table") + VALUE, NEARLY, ""),
    change("a function at 2^64 - 1", "b.cubin", |b| symbol(b, "callee") + VALUE, ALL, ""),
    change("a shared variable of 2^64 - 1 bytes", "a.cubin", |b| symbol(b, "$__sh__16") + BYTES, ALL, ""),
    change("a shared variable aligned to 2^63", "a.cubin", |b| symbol(b, "$__sh__16") + VALUE, HALF, "alignment"),
    change("a name behind all names", "a.cubin", |b| symbol(b, "k") + NAME, &[0xff; 4], "name"),
    change("a section behind all sections", "a.cubin", |b| symbol(b, "k") + PLACE, &[0xf0, 0xfe], "section"),
    change("a function in a table of names", "a.cubin", |b| symbol(b, "k") + PLACE, &[2, 0], "no function"),
    change("a function in another's section", "b.cubin", |b| symbol(b, "callee") + PLACE, &[1, 0], "no function"),
    change("a relocation at 2^64 - 1", "a.cubin", |b| contents(b, ".rela.text.k"), ALL, "is outside"),
    change(
        "a relocation of symbol 2^32 - 1",
        "a.cubin",
        |b| contents(b, ".rela.text.k") + 12,
        &[0xff; 4],
        "does not exist",
    ),
    change("a relocation of kind 2^32 - 1", "a.cubin", |b| contents(b, ".rela.text.k") + 8, &[0xff; 4], "unknown kind"),
    change("an addend of -2^63", "a.cubin", |b| contents(b, ".rela.text.k") + 16, HALF, ""),
    change("an edge from symbol 2^32 - 1", "a.cubin", |b| contents(b, ".nv.callgraph") + 8, &[0xfe; 4], "call graph"),
    change("an edge of kind 7", "a.cubin", |b| contents(b, ".nv.callgraph") + 4, &[7, 0, 0, 0], "call graph"),
    change(
        "an attribute longer than its section",
        "a.cubin",
        |b| contents(b, ".nv.info.k") + 2,
        &[0xff; 2],
        "cannot be read",
    ),
    change("an attribute of unknown format", "a.cubin", |b| contents(b, ".nv.info"), &[9], "cannot be read"),
    change("2^32 - 1 registers", "b.cubin", |b| contents(b, ".nv.info") + 8, &[0xff; 4], ""),
];

/// Removes dead variables and links the rest: with any defect of the objects, it ends quickly.
fn without_dead_data(what: &str, inputs: &[Input<'_>]) {
    let begun = work::of_thread();
    let options = LinkOptions::default();
    if let Ok(stripped) = strip(inputs, &options, &|_| false, &Serial) {
        let mut inputs = inputs.to_vec();
        for object in &stripped {
            assert_eq!(object.bytes.len(), inputs[object.input].bytes.len(), "{what}");
            inputs[object.input].bytes = &object.bytes;
        }
        if let Ok(linked) = link(&inputs, &options, &Serial) {
            assert!(Cubin::parse(&linked.bytes(&Serial)).is_ok(), "{what}: the output cannot be read");
        }
    }
    work::assert_below(PATIENCE, begun, what);
}

/// Links an object with others in every way; returns the messages of the links that fail.
fn every_way(what: &str, inputs: &[Input<'_>]) -> Vec<String> {
    without_dead_data(what, inputs);
    let mut out = Vec::new();
    for (keep_all, relocatable) in [(false, false), (true, false), (true, true)] {
        let begun = work::of_thread();
        let options = LinkOptions { keep_all, relocatable, ..LinkOptions::default() };
        match link(inputs, &options, &Serial) {
            Ok(linked) => {
                let most: usize = inputs.iter().map(|i| i.bytes.len()).sum();
                assert!(linked.size() < 16 * most as u64 + (1 << 20), "{what}: {} bytes", linked.size());
                let bytes = linked.bytes(&Serial);
                assert!(Cubin::parse(&bytes).is_ok(), "{what}: the output cannot be read");
                assert!(linked.map().len() < 1 << 20);
            }
            Err(problems) => {
                assert!(problems.len() < 1000, "{what}: {} problems", problems.len());
                out.push(problems.iter().map(|p| p.to_string() + "\n").collect());
            }
        }
        work::assert_below(PATIENCE, begun, what);
        assert_below(MEMORY, what);
    }
    out
}

#[test]
fn contradictions_are_errors_or_harmless() {
    for c in CHANGES {
        let mut bytes = object(c.program, c.object);
        let at = (c.at)(&bytes);
        bytes[at..at + c.bytes.len()].copy_from_slice(c.bytes);
        let other_name = if c.object == "a.cubin" { "b.cubin" } else { "a.cubin" };
        let other = object(c.program, other_name);
        let inputs = [
            Input { name: c.object, bytes: &bytes, library: false },
            Input { name: other_name, bytes: &other, library: false },
        ];
        let said = every_way(c.what, &inputs);
        if !c.says.is_empty() {
            assert!(!said.is_empty(), "{}: no link fails", c.what);
            for text in &said {
                assert!(c.says.split('|').any(|s| text.contains(s)), "{}: {text}", c.what);
                assert!(text.contains(c.object), "{}: the object is not named: {text}", c.what);
            }
        }
    }
}

#[test]
fn sections_that_are_the_whole_file_are_refused() {
    let mut bytes = object("calls", "a.cubin");
    let (start, len) = (u64_at(&bytes, 40) as usize, bytes.len() as u64);
    for index in 4..8 {
        let at = start + SECTION * index;
        bytes[at + KIND..at + KIND + 4].copy_from_slice(&1u32.to_le_bytes());
        bytes[at + OFFSET..at + OFFSET + 8].fill(0);
        bytes[at + SIZE..at + SIZE + 8].copy_from_slice(&len.to_le_bytes());
    }
    let said = every_way("overlap", &[Input { name: "a", bytes: &bytes, library: false }]);
    assert!(said.len() == 3 && said.iter().all(|s| s.contains("overlap")), "{said:?}");
}

#[test]
fn memory_beyond_all_addresses_is_refused() {
    let mut bytes = object("registers", "b.cubin");
    let at = section(&bytes, ".nv.global") + SIZE;
    bytes[at..at + 8].copy_from_slice(NEARLY);
    let said = every_way("memory", &[Input { name: "a", bytes: &bytes, library: false }]);
    assert!(!said.is_empty() && said.iter().all(|s| s.contains("too much global memory")), "{said:?}");
    let mut bytes = object("common", "a.cubin");
    let at = symbol(&bytes, "buf") + BYTES;
    bytes[at..at + 8].copy_from_slice(ALL);
    let said = every_way("common", &[Input { name: "a", bytes: &bytes, library: false }]);
    assert!(!said.is_empty() && said.iter().all(|s| s.contains("too much global memory")), "{said:?}");
}

#[test]
fn members_that_need_each_other_in_a_circle_are_taken_once() {
    let objects = [("recursion", "a.cubin"), ("recursion", "b.cubin"), ("recursion", "c.cubin")];
    let files: Vec<(String, Vec<u8>)> = objects.iter().map(|(p, o)| ((*o).to_owned(), object(p, o))).collect();
    // Every file a thousand times, as members of libraries: the first one that defines a name is
    // linked.
    let inputs: Vec<Input<'_>> = (0..1000)
        .flat_map(|i| files.iter().map(move |(name, bytes)| Input { name, bytes, library: i > 0 || name != "a.cubin" }))
        .collect();
    assert_eq!(every_way("a circle", &inputs), Vec::<String>::new());
}
