//! The bytes of an entry: a line with the file type, the BLAKE3 hash of the rest, and an object, the
//! result of a step, or what is known of a text.
//!
//! **Invariant.** What is read is what was written, or `None`.

use super::wire::Wire;
use crate::key::Key;
use raddle_cubin::unit::UnitObject;

/// The first bytes of an entry with an object.
const MAGIC: &[u8] = b"raddle unit object\n";
/// The first bytes of an entry with the result of a step that comes before PTX.
const STEP_MAGIC: &[u8] = b"raddle step\n";

/// The first bytes of an entry that says what is known of texts as they are in files. Its key is part
/// of what is hashed.
const TEXTS_MAGIC: &[u8] = b"raddle texts\n";

/// An entry's bytes.
pub fn encode(object: &UnitObject) -> Vec<u8> {
    let mut payload = Vec::new();
    object.put(&mut payload);
    sealed(&payload)
}

/// Seals a payload of any content as an entry with a correct checksum.
pub fn sealed(payload: &[u8]) -> Vec<u8> {
    [MAGIC, blake3::hash(payload).as_bytes(), payload].concat()
}

/// The entry of the result of a step.
pub(super) fn of_step(result: &[u8]) -> Vec<u8> {
    [STEP_MAGIC, blake3::hash(result).as_bytes(), result].concat()
}

/// The result of a step in an entry.
pub(super) fn step(bytes: &[u8]) -> Option<&[u8]> {
    unsealed(STEP_MAGIC, bytes)
}

/// The beginning of the entry of what is known of texts with this key, which the parts of what is known
/// follow.
pub(super) fn start_of_texts(key: &Key, known: &[&[u8]]) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key.as_bytes());
    for part in known {
        hasher.update(part);
    }
    [TEXTS_MAGIC, hasher.finalize().as_bytes(), key.as_bytes()].concat()
}

/// What is known of texts, by the entry of their key; of another key it is `None`.
pub(super) fn texts<'a>(key: &Key, entry: &'a [u8]) -> Option<&'a [u8]> {
    unsealed(TEXTS_MAGIC, entry)?.strip_prefix(key.as_bytes())
}

/// Decodes the object in an entry's bytes; `None` for anything that the cache did not write.
pub fn decode(bytes: &[u8]) -> Option<UnitObject> {
    let mut payload = unsealed(MAGIC, bytes)?;
    let object = UnitObject::get(&mut payload)?;
    (payload.is_empty() && object.verify().is_ok()).then_some(object)
}

/// Whether the bytes are those of an undamaged entry. An object that another version of the compiler
/// wrote cannot be read, but its hash is right.
pub fn is_whole(bytes: &[u8]) -> bool {
    [MAGIC, STEP_MAGIC, TEXTS_MAGIC].iter().any(|magic| unsealed(magic, bytes).is_some())
}

/// The payload of an entry of this type, if its checksum is right.
fn unsealed<'a>(magic: &[u8], bytes: &'a [u8]) -> Option<&'a [u8]> {
    let (hash, payload) = bytes.strip_prefix(magic)?.split_first_chunk::<32>()?;
    (blake3::hash(payload).as_bytes() == hash).then_some(payload)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use raddle_cubin::unit::{
        CoopGroup, DataObject, DebugPlaces, Definition, Entry, Function, IndirectBranch, LineRow, Lines, Linkage,
        Local, Param, RegisterRange, RelocKind, Relocation, SourceFile, SourcePlace, Space,
    };

    /// An object with something in every kind of field.
    pub fn object() -> UnitObject {
        let mut object = UnitObject { module: 7, ..UnitObject::default() };
        let (k, table) = (object.symbols.intern("k"), object.symbols.intern("tablé"));
        let entry = Entry {
            params: vec![Param::new(0, 8), Param { log_align: 4, space: 1, ..Param::new(8, 4) }],
            max_threads: Some([1, 2, 3]),
            max_registers: Some(40),
            explicit_cluster: true,
            ..Entry::default()
        };
        let mut function = Function::new(k, Linkage::Visible, Some(entry), vec![3; 64]);
        function.relocations = vec![Relocation { offset: 16, kind: RelocKind::Abs32Hi, symbol: table, addend: -5 }];
        function.marks.exits = vec![16, 48];
        function.marks.coop_group = vec![CoopGroup { offset: 32, mask: u32::MAX }];
        function.marks.indirect_branches = vec![IndirectBranch { offset: 0, targets: vec![16] }];
        function.spill_bytes = (8, 12);
        function.lines = Some(Lines {
            rows: vec![LineRow { offset: 16, place: Some(1), ptx_line: 9 }],
            places: vec![
                SourcePlace { file: 0, line: 3, column: 0, inlined: None },
                SourcePlace { file: 0, line: 4, column: 1, inlined: Some(("f".to_string(), 0)) },
            ],
            files: vec![SourceFile { path: "ä.cu".to_string(), stamp: (1, 2) }],
        });
        function.debug = Some(DebugPlaces {
            labels: vec![("$L".to_string(), 64)],
            locals: vec![Local { name: "depot".to_string(), offset: -8, relative_to_sp: true }],
            symbols: vec![("s".to_string(), "k.s.0".to_string())],
            registers: vec![RegisterRange { name: "%r1".to_string(), kind: 2, part: 1, register: 5, from: 16, to: 48 }],
        });
        object.functions = vec![function];
        let data = |definition| DataObject {
            name: table,
            space: Space::Global,
            linkage: Linkage::Module,
            definition,
            align: 8,
            relocations: Vec::new(),
            managed: true,
        };
        object.data = vec![data(Definition::Bytes(vec![1, 2, 3])), data(Definition::Zero(1 << 40))];
        object
    }

    #[test]
    fn objects_come_back_as_they_were() {
        let object = object();
        assert_eq!(object.verify(), Ok(()));
        assert_eq!(decode(&encode(&object)), Some(object));
        assert_eq!(decode(&encode(&UnitObject::default())), Some(UnitObject::default()));
        assert_eq!(step(&of_step(b"ptx")), Some(&b"ptx"[..]));
        assert!(decode(&of_step(b"ptx")).is_none() && step(&sealed(b"ptx")).is_none());
        let (key, other) = (Key::of_bytes([1; 32]), Key::of_bytes([2; 32]));
        let of_texts = |known: &[&[u8]]| [&[&start_of_texts(&key, known)[..]], known].concat().concat();
        let known = of_texts(&[b"p", b"", b"tx"]);
        assert_eq!(known, of_texts(&[b"ptx"]));
        assert_eq!((texts(&key, &known), texts(&other, &known)), (Some(&b"ptx"[..]), None));
        assert!(step(&known).is_none() && texts(&key, &sealed(b"ptx")).is_none());
        assert!(is_whole(&sealed(b"ptx")) && is_whole(&of_step(b"ptx")) && is_whole(&known) && !is_whole(b"ptx"));
    }

    #[test]
    fn damage_is_never_taken_for_an_object() {
        let whole = encode(&object());
        for at in 0..whole.len() {
            assert_eq!(decode(&whole[..at]), None, "cut at {at}");
            let mut flipped = whole.clone();
            flipped[at] ^= 0x10;
            assert_eq!(decode(&flipped), None, "byte {at}");
        }
        let key = Key::of_bytes([1; 32]);
        let known = [&start_of_texts(&key, &[b"known"])[..], b"known"].concat();
        for at in 0..known.len() {
            assert_eq!(texts(&key, &known[..at]), None, "cut at {at}");
            let mut flipped = known.clone();
            flipped[at] ^= 0x10;
            assert_eq!(texts(&key, &flipped), None, "byte {at}");
        }
        // Even with a correct hash, damaged content must not cause a panic or an unbounded
        // allocation.
        for at in MAGIC.len() + 32..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut payload = whole[MAGIC.len() + 32..].to_vec();
                payload[at - MAGIC.len() - 32] = value;
                std::hint::black_box(decode(&sealed(&payload)));
            }
        }
    }
}
