//! A folder of compiled objects by key (BEY-3), and of PTX made from LLVM IR: after an edit of one kernel of 300, one kernel is
//! compiled.
//!
//! An entry is a file named after its [`Key`]: a line with the file type, the BLAKE3 hash of the
//! rest, and the object. It is written under a temporary name and renamed, so that any number of
//! processes may share a folder. An entry whose content is not exactly what was written is a miss,
//! and is written again. The key of an object that another assembler made includes the hash of that
//! program (`tools.rs`).
//!
//! The diagnostics of a kernel are the same with a warm cache, byte for byte: they come from steps
//! before the lookup (the outline, the body, what lowering refuses) or from steps after all kernels
//! are compiled (launch bounds, links). A kernel with diagnostics from the steps in between is not
//! stored ([`crate::unit`]).
//!
//! **Invariant.** A build with a cache, whatever its content, gives the same bytes as a build
//! without one. An I/O error in the folder costs time and nothing else.

mod tools;
pub(crate) mod wire;

use crate::key::Key;
use crate::output;
use raddle_cubin::unit::UnitObject;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;
use wire::Wire;

/// The first bytes of an entry with an object.
const MAGIC: &[u8] = b"raddle unit object\n";
/// The first bytes of an entry with the result of a step that comes before PTX.
const STEP_MAGIC: &[u8] = b"raddle step\n";

/// A cache of objects in a folder.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    used: Counters,
    tools: tools::Tools,
}

#[derive(Debug, Default)]
struct Counters {
    hits: AtomicU64,
    misses: AtomicU64,
    step_hits: AtomicU64,
    step_misses: AtomicU64,
    unwritten: AtomicU64,
}

/// Counts of the uses of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Objects that were found.
    pub hits: u64,
    /// Objects that were missing or damaged.
    pub misses: u64,
    /// Results of steps that come before PTX (compilation of LLVM IR) that were found.
    pub step_hits: u64,
    /// Results of such steps that were missing or damaged.
    pub step_misses: u64,
    /// Entries that could not be written.
    pub unwritten: u64,
}

/// The size of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Entries.
    pub entries: u64,
    /// Their total size in bytes.
    pub bytes: u64,
}

impl Cache {
    /// Opens the cache in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// The I/O error of the operating system.
    pub fn open(folder: impl Into<PathBuf>) -> io::Result<Cache> {
        let folder = folder.into();
        fs::create_dir_all(&folder)?;
        Ok(Cache { folder, used: Counters::default(), tools: tools::Tools::default() })
    }

    fn path(&self, key: &Key) -> PathBuf {
        let name = key.to_string();
        self.folder.join(&name[..2]).join(name)
    }

    /// Returns the object of a key, as an object of the module with this number.
    pub fn get(&self, key: &Key, module: u32) -> Option<UnitObject> {
        let object = self.read(key, module);
        let counter = if object.is_some() { &self.used.hits } else { &self.used.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        object
    }

    /// Returns the object of a unit under a second key, after [`Cache::get`] has missed under the
    /// first. The two lookups count as one hit.
    pub fn get_by(&self, key: &Key, module: u32) -> Option<UnitObject> {
        let object = self.read(key, module)?;
        self.used.misses.fetch_sub(1, Ordering::Relaxed);
        self.used.hits.fetch_add(1, Ordering::Relaxed);
        Some(object)
    }

    /// Returns the hash of a program that makes objects; `None` if no hash identifies its output.
    pub fn tool(&self, program: &Path) -> Option<blake3::Hash> {
        self.tools.identity(program)
    }

    fn read(&self, key: &Key, module: u32) -> Option<UnitObject> {
        let path = self.path(key);
        let mut object = fs::read(&path).ok().and_then(|bytes| decode(&bytes))?;
        object.module = module;
        touch(&path);
        Some(object)
    }

    /// Returns the result of a step that comes before PTX.
    pub(crate) fn get_step(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let found = fs::read(&path).ok().and_then(|bytes| Some(unsealed(STEP_MAGIC, &bytes)?.to_vec()));
        let counter = if found.is_some() { &self.used.step_hits } else { &self.used.step_misses };
        counter.fetch_add(1, Ordering::Relaxed);
        if found.is_some() {
            touch(&path);
        }
        found
    }

    /// Stores the result of a step that comes before PTX.
    pub(crate) fn put_step(&self, key: &Key, bytes: &[u8]) {
        let sealed = [STEP_MAGIC, blake3::hash(bytes).as_bytes(), bytes].concat();
        if write(&self.path(key), &sealed).is_err() {
            self.used.unwritten.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Stores an object.
    pub fn put(&self, key: &Key, object: &UnitObject) {
        if write(&self.path(key), &encode(object)).is_err() {
            self.used.unwritten.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The uses of the cache so far.
    pub fn used(&self) -> Used {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let Counters { hits, misses, step_hits, step_misses, unwritten } = &self.used;
        Used {
            hits: read(hits),
            misses: read(misses),
            step_hits: read(step_hits),
            step_misses: read(step_misses),
            unwritten: read(unwritten),
        }
    }

    /// The number and the size of the entries.
    ///
    /// # Errors
    /// The I/O error of the operating system.
    pub fn contents(&self) -> io::Result<Contents> {
        let files = self.files()?;
        Ok(Contents { entries: files.len() as u64, bytes: files.iter().map(|file| file.bytes).sum() })
    }

    /// Removes the least recently used entries until at most `bytes` are left, and the files left
    /// by killed processes. Returns what was removed.
    ///
    /// # Errors
    /// The I/O error of the operating system.
    pub fn prune(&self, bytes: u64) -> io::Result<Contents> {
        let mut files = self.files()?;
        files.sort_by(|a, b| (b.used, &b.path).cmp(&(a.used, &a.path)));
        let (mut kept, mut removed) = (0, Contents::default());
        for file in files {
            if !file.temporary && kept + file.bytes <= bytes {
                kept += file.bytes;
                continue;
            }
            match fs::remove_file(&file.path) {
                Ok(()) => removed = Contents { entries: removed.entries + 1, bytes: removed.bytes + file.bytes },
                // Another process has removed it already.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(removed)
    }

    /// The files of the two levels of folders. No other file is touched.
    fn files(&self) -> io::Result<Vec<Stored>> {
        let hex = |name: &str| name.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let mut files = Vec::new();
        for folder in fs::read_dir(&self.folder)? {
            let folder = folder?;
            let is_ours = folder.file_name().to_str().is_some_and(|name| name.len() == 2 && hex(name));
            if !is_ours || !folder.file_type()?.is_dir() {
                continue;
            }
            for file in fs::read_dir(folder.path())? {
                let file = file?;
                let name = file.file_name();
                let Some(name) = name.to_str() else { continue };
                let temporary = name.ends_with(output::TEMPORARY);
                let is_entry = name.len() == 64 && hex(name);
                // It may be gone by now.
                let Ok(meta) = file.metadata() else { continue };
                if meta.is_file() && (is_entry || temporary) {
                    let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                    files.push(Stored { path: file.path(), bytes: meta.len(), used, temporary });
                }
            }
        }
        Ok(files)
    }
}

/// A file in a cache.
struct Stored {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
    temporary: bool,
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    output::replace(path, None, &|mut file| file.write_all(bytes))
}

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

/// The payload of an entry of this type, if its checksum is right.
fn unsealed<'a>(magic: &[u8], bytes: &'a [u8]) -> Option<&'a [u8]> {
    let (hash, payload) = bytes.strip_prefix(magic)?.split_first_chunk::<32>()?;
    (blake3::hash(payload).as_bytes() == hash).then_some(payload)
}

/// Sets the time of last use of an entry, by which entries are removed. A failure changes nothing
/// else.
fn touch(path: &Path) {
    let _ = File::options().append(true).open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

/// Decodes the object in an entry's bytes; `None` for anything that the cache did not write.
pub fn decode(bytes: &[u8]) -> Option<UnitObject> {
    let mut payload = unsealed(MAGIC, bytes)?;
    let object = UnitObject::get(&mut payload)?;
    (payload.is_empty() && object.verify().is_ok()).then_some(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_cubin::unit::{
        CoopGroup, DataObject, DebugPlaces, Definition, Entry, Function, IndirectBranch, LineRow, Lines, Linkage,
        Local, Param, RegisterRange, RelocKind, Relocation, SourceFile, SourcePlace, Space,
    };

    /// An object with something in every kind of field.
    fn object() -> UnitObject {
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

    #[test]
    fn the_least_used_go_first_and_strangers_stay() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path()).unwrap();
        let target = raddle_target::Target::by_name("sm_90").unwrap();
        let keys = ["a", "b", "c"].map(|text| crate::key::of_text(text, &raddle_ir::CodegenOptions::default(), target));
        for (age, key) in keys.iter().enumerate() {
            cache.put(key, &object());
            let file = File::options().append(true).open(cache.path(key)).unwrap();
            file.set_modified(SystemTime::now() - std::time::Duration::from_secs(1000 * (3 - age as u64))).unwrap();
        }
        fs::write(dir.path().join("mine"), "x").unwrap();
        let one = cache.contents().unwrap().bytes / 3;
        // The oldest entry has been used since.
        assert_eq!(cache.get(&keys[0], 3).unwrap().module, 3);
        assert_eq!(cache.prune(2 * one).unwrap(), Contents { entries: 1, bytes: one });
        assert_eq!(keys.map(|key| cache.get(&key, 0).is_some()), [true, false, true]);
        assert_eq!(cache.used(), Used { hits: 3, misses: 1, ..Used::default() });
        assert_eq!(cache.prune(0).unwrap().entries, 2);
        assert!(dir.path().join("mine").exists());
    }
}
