//! Recorded costs of kernels: CPU time and peak of memory, for the order of the next build and its
//! admission.
//!
//! **Problem.** Estimated times can be wrong by a factor of two, estimates of memory by more.
//! **Strategy.** A small file of fixed-size records, newest last, keyed by a hash of the kernel's
//! text as written in the file, of the options that affect the generated code, and of the target.
//! The key of the cache is a hash of canonical text (decision D9), which needs the bodies; the
//! order is needed before any body is read, and a wrong record only costs a little time. Several
//! builds may write at once: a file is replaced whole, under a lock, and keeps the records that
//! others wrote meanwhile.
//!
//! **Invariants.** Nothing in a history affects the output. A file that is damaged counts as empty,
//! and failing to write it is no error.

use super::{Program, Unit};
use crate::output;
use raddle_entity::FxHashMap;
use raddle_ir::CodegenOptions;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The first bytes of the file.
const MAGIC: &[u8] = b"raddle history 2\n";

/// The number of records kept: the newest.
const MOST: usize = 1 << 16;

/// Bytes of a record: key, nanoseconds, peak of memory.
const RECORD: usize = 32;

/// A history is not written again for relative changes below one in this number.
const SAME: u64 = 4;

/// The key of a kernel in a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Name([u8; 16]);

/// The recorded cost of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedCost {
    /// CPU time.
    pub cpu: Duration,
    /// The peak of memory, in bytes; 0 if it was not measured.
    pub peak: u64,
}

/// The recorded costs of kernels, by key.
#[derive(Debug, Default)]
pub struct History {
    path: PathBuf,
    known: FxHashMap<Name, RecordedCost>,
}

/// Totals of a history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of kernels.
    pub kernels: usize,
    /// Their total CPU time.
    pub cpu: Duration,
    /// The greatest peak of memory, in bytes.
    pub peak: u64,
}

impl History {
    /// Reads a file; a missing or damaged file gives an empty history.
    pub fn read(path: &Path) -> History {
        let known = fs::read(path).ok().and_then(|bytes| decode(&bytes)).unwrap_or_default();
        History { path: path.to_path_buf(), known: known.into_iter().collect() }
    }

    /// The default path: in the cache of objects, or in the user's cache folder.
    pub fn default_path(cache: Option<&Path>) -> Option<PathBuf> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let user = || absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        Some(cache.map(Path::to_path_buf).or_else(|| Some(user()?.join("raddle")))?.join("history"))
    }

    /// Returns the totals.
    pub fn summary(&self) -> Summary {
        let sum = |summary: Summary, recorded: &RecordedCost| Summary {
            kernels: summary.kernels + 1,
            cpu: summary.cpu.saturating_add(recorded.cpu),
            peak: summary.peak.max(recorded.peak),
        };
        self.known.values().fold(Summary::default(), sum)
    }

    /// Replaces the program's estimates by recorded costs. Costs keep the unit of the model:
    /// recorded ones are scaled to it, so that kernels with and without a record can be compared.
    pub(crate) fn apply(&self, program: &mut Program, names: &Names) {
        let recorded: Vec<Option<RecordedCost>> =
            names.0.iter().map(|name| self.known.get(&(*name)?).copied()).collect();
        let known =
            program.units.iter().zip(&recorded).filter_map(|(unit, recorded)| Some((unit.cost, recorded.as_ref()?)));
        let (model, nanos) = known.fold((0_u128, 0_u128), |(model, nanos), (cost, recorded)| {
            (model + u128::from(cost), nanos + recorded.cpu.as_nanos())
        });
        for (unit, recorded) in program.units.iter_mut().zip(recorded) {
            let Some(recorded) = recorded else { continue };
            if let Some(cost) = recorded.cpu.as_nanos().saturating_mul(model).checked_div(nanos) {
                unit.cost = u64::try_from(cost).unwrap_or(u64::MAX).max(1);
            }
            if recorded.peak > 0 {
                (unit.bytes, unit.measured) = (recorded.peak.saturating_add(recorded.peak / 8), true);
            }
        }
    }

    /// Records the costs of a program's units (`None` for a unit without one) and writes the file
    /// if they differ enough.
    ///
    /// # Errors
    /// The I/O error of the operating system.
    pub(crate) fn learn(&self, names: &Names, recorded: &[Option<RecordedCost>]) -> io::Result<()> {
        let named = names.0.iter().zip(recorded).filter_map(|(name, recorded)| Some(((*name)?, (*recorded)?)));
        let news: Vec<(Name, RecordedCost)> =
            named.filter(|(name, recorded)| is_news(self.known.get(name), recorded)).collect();
        if news.is_empty() {
            return Ok(());
        }
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let gate = File::options().create(true).truncate(false).write(true).open(self.path.with_extension("lock"))?;
        gate.lock()?;
        // Keeps the records that others wrote meanwhile.
        let mut records = fs::read(&self.path).ok().and_then(|bytes| decode(&bytes)).unwrap_or_default();
        let fresh: FxHashMap<Name, ()> = news.iter().map(|(name, _)| (*name, ())).collect();
        records.retain(|(name, _)| !fresh.contains_key(name));
        records.extend(news);
        let surplus = records.len().saturating_sub(MOST);
        let bytes = encode(&records[surplus..]);
        output::replace(&self.path, None, &|mut file| file.write_all(&bytes))
    }
}

/// The costs of a build that are not recorded yet.
#[derive(Debug)]
pub(crate) struct Lesson {
    /// The history before the build.
    pub history: History,
    /// The units.
    pub names: Names,
    /// Their costs.
    pub costs: Vec<Option<RecordedCost>>,
}

impl Lesson {
    /// Records them. A history that cannot be written only costs time in the next build.
    pub fn learn(self) {
        let _ = self.history.learn(&self.names, &self.costs);
    }
}

/// The record keys of units by number; `None` for a unit that makes no object.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<Option<Name>>);

impl Names {
    /// Adds the keys of the units that have none yet.
    pub fn extend(&mut self, program: &Program, options: &CodegenOptions) {
        let settings = settings(&options.canonical(), program.target.name);
        let name = |unit: &Unit| {
            let survey = program.modules[unit.module].surveys.get(unit.func);
            unit.makes_object().then(|| name(&settings, &survey.hash))
        };
        let known = self.0.len();
        self.0.extend(program.units[known..].iter().map(name));
    }
}

/// The hash of what a key depends on besides the text.
fn settings(options: &str, target: &str) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for part in [target, options] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().into()
}

fn name(settings: &[u8; 32], text: &[u8; 32]) -> Name {
    let mut name = [0; 16];
    blake3::Hasher::new_keyed(settings).update(text).finalize_xof().fill(&mut name);
    Name(name)
}

/// Whether a cost differs enough from the recorded one to be written.
fn is_news(known: Option<&RecordedCost>, recorded: &RecordedCost) -> bool {
    let differs = |a: u64, b: u64| a.abs_diff(b) > a.max(b) / SAME;
    let nanos = |recorded: &RecordedCost| u64::try_from(recorded.cpu.as_nanos()).unwrap_or(u64::MAX);
    known.is_none_or(|known| differs(nanos(known), nanos(recorded)) || differs(known.peak, recorded.peak))
}

fn encode(records: &[(Name, RecordedCost)]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for (Name(name), recorded) in records {
        bytes.extend(name);
        bytes.extend(u64::try_from(recorded.cpu.as_nanos()).unwrap_or(u64::MAX).to_le_bytes());
        bytes.extend(recorded.peak.to_le_bytes());
    }
    bytes
}

fn decode(bytes: &[u8]) -> Option<Vec<(Name, RecordedCost)>> {
    let records = bytes.strip_prefix(MAGIC)?.chunks_exact(RECORD);
    if !records.remainder().is_empty() {
        return None;
    }
    let record = |record: &[u8]| {
        let (name, numbers) = record.split_first_chunk::<16>()?;
        let (nanos, peak) = numbers.split_first_chunk::<8>()?;
        let peak = u64::from_le_bytes(*peak.first_chunk::<8>()?);
        Some((Name(*name), RecordedCost { cpu: Duration::from_nanos(u64::from_le_bytes(*nanos)), peak }))
    };
    records.map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Selection;
    use raddle_diag::{Diags, SourceMap};

    fn program(text: &str) -> Program {
        let mut sources = SourceMap::new();
        sources.add("m.ptx".to_string(), text.to_string()).unwrap();
        crate::program::read(&sources, &Selection::default(), &mut Diags::new(), &raddle_entity::Serial).unwrap()
    }

    const fn recorded(millis: u64, peak: u64) -> Option<RecordedCost> {
        Some(RecordedCost { cpu: Duration::from_millis(millis), peak })
    }

    const MODULE: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.entry a() { ret; }\n.entry b() { ret; }\n\
        .func f() { ret; }\n.entry c() { ret; }\n";

    fn names(program: &Program, options: &CodegenOptions) -> Names {
        let mut names = Names::default();
        names.extend(program, options);
        names
    }

    #[test]
    fn what_is_known_takes_the_place_of_guesses() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sub/history");
        let options = CodegenOptions::default();
        let mut first = program(MODULE);
        let index = |program: &Program, name: &str| program.units.iter().position(|unit| &*unit.name == name).unwrap();
        let mut all = vec![None; first.units.len()];
        all[index(&first, "a")] = recorded(10, 800);
        all[index(&first, "b")] = recorded(30, 0);
        History::read(&path).learn(&names(&first, &options), &all).unwrap();
        let history = History::read(&path);
        assert_eq!(history.summary(), Summary { kernels: 2, cpu: Duration::from_millis(40), peak: 800 });
        for unit in &mut first.units {
            unit.cost = 20;
        }
        let found = names(&first, &options);
        history.apply(&mut first, &found);
        let costs = ["a", "b", "f", "c"].map(|name| first.units[index(&first, name)].cost);
        assert_eq!(costs, [10, 30, 20, 20], "the sum of what is known stays");
        assert_eq!(first.units[index(&first, "a")].bytes, 900);
        // The position of a kernel in its module does not affect its key; options and text do.
        let mut moved = program(&MODULE.replace(".entry b() { ret; }\n", ""));
        let found = names(&moved, &options);
        history.apply(&mut moved, &found);
        assert_eq!(moved.units[index(&moved, "a")].bytes, 900);
        let other = CodegenOptions { serial: true, ..CodegenOptions::default() };
        let mut serial = program(MODULE);
        let found = names(&serial, &other);
        history.apply(&mut serial, &found);
        assert_ne!(serial.units[index(&serial, "a")].bytes, 900);
    }

    #[test]
    fn small_changes_are_not_written_and_damage_is_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history");
        let options = CodegenOptions::default();
        let program = program(MODULE);
        let learn = |recorded: Option<RecordedCost>| {
            let all = vec![recorded; program.units.len()];
            History::read(&path).learn(&names(&program, &options), &all).unwrap();
            fs::read(&path).unwrap()
        };
        let first = learn(recorded(100, 1000));
        assert_eq!(learn(recorded(110, 1100)), first);
        let second = learn(recorded(200, 1000));
        assert!(second != first && second.len() == first.len());
        for damage in [&second[..second.len() - 1], b"", b"raddle", &[0; 100]] {
            fs::write(&path, damage).unwrap();
            assert_eq!(History::read(&path).summary(), Summary::default());
        }
        assert_eq!(learn(recorded(200, 1000)), second);
        assert!(
            History::read(Path::new("/proc/no/history"))
                .learn(&names(&program, &options), &[recorded(1, 1); 4])
                .is_err()
        );
    }
}
