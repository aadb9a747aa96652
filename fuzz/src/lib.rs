//! Fuzz entry points: plain functions, one per reader, and a runner that works with a stable compiler.
//!
//! Problem: every reader must survive any input: an error in bounded time, never a panic. Strategy: [`TARGETS`] lists a function
//! per reader with its seeds (files of the corpus); [`mutate`] changes them; `tests/replay.rs` runs a fixed number of mutations
//! and everything in `regressions/<target>/`; `cargo campaign fuzz` goes on for as long as it is told to.
//!
//! Invariant: number `n` of a target is the same input on every machine.
#![forbid(unsafe_code)]

pub mod cubin;
pub mod driver;
pub mod fatbin;
pub mod link;
pub mod mutate;
pub mod ptx;
pub mod tools;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// A reader under test.
pub struct Target {
    /// Its name, and that of its folder of regressions.
    pub name: &'static str,
    /// Reads the bytes. Any outcome but a panic is right.
    pub run: fn(&[u8]),
    /// Where seeds are: folder from the root of the checkout, and extension.
    pub seeds: &'static [(&'static str, &'static str)],
    /// Mutations at every test run: fewer where one takes longer.
    pub mutations: u64,
}

/// All readers.
pub const TARGETS: &[Target] = &[
    Target { name: "cubin", run: cubin::run, seeds: &[("crates/cubin/tests/data", "cubin")], mutations: 5000 },
    Target { name: "fatbin", run: fatbin::run, seeds: &[("crates/fatbin/tests/data", "fatbin")], mutations: 2000 },
    Target { name: "host_object", run: fatbin::run, seeds: &[("crates/fatbin/tests/data", "o")], mutations: 2000 },
    Target {
        name: "offload",
        run: fatbin::run,
        seeds: &[("crates/fatbin/tests/data", "offload"), ("fuzz/seeds/offload", "offload")],
        mutations: 5000,
    },
    Target {
        name: "archive",
        run: fatbin::archive,
        seeds: &[("crates/fatbin/tests/data", "a"), ("fuzz/seeds/offload", "a")],
        mutations: 2000,
    },
    Target {
        name: "unpack",
        run: driver::unpack,
        seeds: &[("fuzz/seeds/offload", ""), ("crates/fatbin/tests/data", "")],
        mutations: 10_000,
    },
    Target { name: "input", run: driver::input, seeds: &[("fuzz/seeds/llvm", "")], mutations: 5000 },
    Target {
        name: "link",
        run: link::run,
        // Beside the programs an object of CUDA 12.
        seeds: &[("tests/corpus/link", "cubin"), ("crates/cubin/tests/data", "cubin")],
        mutations: 4000,
    },
    Target { name: "import", run: link::import, seeds: &[("crates/cubin/tests/data", "cubin")], mutations: 4000 },
    Target { name: "ptx_outline", run: ptx::ptx_outline, seeds: PTX_SEEDS, mutations: 5000 },
    Target { name: "ptx_body", run: ptx::ptx_body, seeds: PTX_SEEDS, mutations: 5000 },
    Target { name: "compile", run: driver::compile, seeds: &[("tests/corpus/snippets", "ptx")], mutations: 1000 },
    Target { name: "words", run: tools::words, seeds: &[("crates/cubin/tests/data", "cubin")], mutations: 500 },
    Target { name: "ir_text", run: tools::ir_text, seeds: &[("fuzz/seeds/ir", "txt")], mutations: 5000 },
    Target { name: "launch", run: tools::launch, seeds: &[("fuzz/seeds/launch", "txt")], mutations: 5000 },
    Target { name: "makeflags", run: driver::makeflags, seeds: &[("fuzz/seeds/makeflags", "txt")], mutations: 5000 },
    Target {
        name: "cached_object",
        run: driver::cached_object,
        seeds: &[("fuzz/seeds/cached_object", "bin")],
        mutations: 5000,
    },
];

/// Seeds of the readers of PTX.
const PTX_SEEDS: &[(&str, &str)] = &[("tests/corpus", "ptx")];

/// An input that made a reader panic.
#[derive(Debug)]
pub struct Found {
    /// Name of the target.
    pub target: &'static str,
    /// What the input was made from.
    pub origin: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// What the panic said.
    pub message: String,
}

/// Root of the checkout.
fn root() -> PathBuf {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    fuzz.parent().unwrap_or(fuzz).to_owned()
}

/// Files with an extension below a folder, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if extension.is_empty() || path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

impl Target {
    /// The seeds: small files first, so that a short run sees many of them.
    pub fn seeds(&self) -> Vec<Vec<u8>> {
        let paths = self.seeds.iter().flat_map(|(folder, extension)| files(&root().join(folder), extension));
        let mut seeds: Vec<Vec<u8>> = paths.filter_map(|path| fs::read(path).ok()).collect();
        seeds.sort_by_key(Vec::len);
        seeds
    }

    /// Inputs that made a panic once.
    pub fn regressions(&self) -> Vec<(String, Vec<u8>)> {
        let paths = files(&root().join("fuzz/regressions").join(self.name), "");
        paths.iter().filter_map(|path| Some((path.display().to_string(), fs::read(path).ok()?))).collect()
    }

    /// Runs one input.
    ///
    /// # Errors
    /// The input, where the reader panicked.
    pub fn check(&self, origin: &str, bytes: Vec<u8>) -> Result<(), Found> {
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.run)(&bytes)));
        outcome.map_err(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            let message = text.or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Found { target: self.name, origin: origin.to_owned(), bytes, message: message.unwrap_or_default() }
        })
    }

    /// Runs the regressions, every seed as it is, and mutations `from..to`, which go round the seeds.
    ///
    /// # Errors
    /// The first input at which the reader panicked.
    pub fn replay(&self, from: u64, to: u64) -> Result<u64, Box<Found>> {
        let seeds = self.seeds();
        for (origin, bytes) in self.regressions() {
            self.check(&origin, bytes)?;
        }
        for (i, seed) in seeds.iter().enumerate() {
            self.check(&format!("seed {i}"), seed.clone())?;
        }
        for number in from..to {
            let seed = (number % seeds.len().max(1) as u64) as usize;
            let bytes = mutate::mutate(seeds.get(seed).map_or(&[], Vec::as_slice), number);
            self.check(&format!("mutation {number}"), bytes)?;
        }
        Ok(seeds.len() as u64 + (to - from))
    }
}
