//! Keys of kernels by their texts as they are in the file.
//!
//! Problem: the key of a kernel is a hash of canonical text, which takes reading its body and printing it:
//! most of the time of a build in which one kernel of many was edited. Strategy: a build keeps, for each
//! kernel about which nothing was said, its key by the hash of its text. The list is an entry of the cache
//! under the hash of everything else that a key depends on: options, target, and the texts of all modules
//! between their kernels. So an edit of a kernel changes the place of its own key alone, and an edit of
//! anything else that of all. A kernel sees only what is declared before it: its text counts with the
//! number of those texts before it.
//!
//! **Invariant.** A key from here is the one that [`crate::unit::text::key`] would return, and reading the
//! body would give no diagnostic. That holds since key and findings of the reader are functions of the
//! outline and of the text of the kernel and the functions that it reaches; kernels that name other
//! kernels, or reach them through functions and variables, have no key here. Nor has code with line
//! tables, which depends on the whole text, or for a linker of objects, which depends on more than that.

use crate::cache::{Cache, KeysByText, Known};
use crate::key::{self, Key};
use crate::options::RunOptions;
use crate::program::names::identifiers;
use crate::program::{Module, Program, Role, Unit};
use crate::request::{Dump, Request};
use raddle_entity::FxHashMap;
use raddle_ptx::{FuncId, Symbol};
use std::sync::Arc;

/// What earlier builds know of kernels.
pub(crate) struct KnownKeys {
    cache: Arc<Cache>,
    /// The place of the list.
    place: Key,
    /// The kernels of each module and how many texts other than kernels are before them.
    before: Vec<Before>,
    /// Modules whose functions and variables name no kernel.
    apart: Vec<bool>,
    known: KeysByText,
}

impl KnownKeys {
    /// Reads what is known of the kernels of a program, if keys of this request may be kept.
    pub fn read(request: &Request, program: &Program) -> Option<KnownKeys> {
        let Request { selection, codegen, run, dump, policy, warn_on, output, .. } = request;
        let RunOptions { cache, fault, early, .. } = run;
        let cache = cache.as_ref().filter(|cache| cache.has_folder())?;
        if *dump != Dump::None || fault.is_some() || early.is_some() || codegen.lineinfo || codegen.debug {
            return None;
        }
        let settings = format!("{selection:?} {codegen:?} {policy:?} {warn_on:?} {output:?}");
        let (around, before): (Vec<blake3::Hash>, Vec<Before>) = program.modules.iter().map(around).unzip();
        let first = [&b"keys of kernels"[..], program.target.name.as_bytes(), settings.as_bytes()];
        let place = key::of_step(first.into_iter().chain(around.iter().map(|hash| &hash.as_bytes()[..])));
        let known = cache.keys_by_text(&place).unwrap_or_default();
        let apart = program.modules.iter().map(are_apart).collect();
        Some(KnownKeys { cache: Arc::clone(cache), place, before, apart, known })
    }

    /// The hash of the text of a unit, if its key may be kept.
    pub fn text(&self, module: &Module, unit: &Unit) -> Option<Key> {
        let is_other_kernel = |&symbol: &Symbol| match symbol {
            Symbol::Func(id) => id != unit.func && module.outline.funcs[id].entry,
            Symbol::Global(_) => false,
        };
        let is_own = unit.role == Role::Kernel && !unit.relocatable && unit.registers.is_none();
        if !is_own || !self.apart[unit.module] || module.surveys.get(unit.func).names.iter().any(is_other_kernel) {
            return None;
        }
        let hash = &module.surveys.get(unit.func).hash[..];
        let numbers = [unit.module as u64, *self.before[unit.module].get(&unit.func)?].map(u64::to_le_bytes);
        Some(key::of_step(numbers.iter().map(|n| &n[..]).chain([hash])))
    }

    /// Whether the key of a unit is known.
    pub fn has(&self, module: &Module, unit: &Unit) -> bool {
        self.text(module, unit).is_some_and(|text| self.known.0.contains_key(&text))
    }

    /// What is known of a text.
    pub fn get(&self, text: &Key) -> Option<Known> {
        let known = self.known.0.get(text).copied()?;
        self.cache.count_known();
        Some(known)
    }

    /// Keeps what a build knows of its kernels, if that has changed.
    pub fn keep(&self, known: impl Iterator<Item = (Key, Known)>) {
        let known = KeysByText(known.collect());
        if known != self.known && !known.0.is_empty() {
            self.cache.keep_keys_by_text(&self.place, &known);
        }
    }
}

/// Kernels and how many texts other than kernels, blank ones left out, are before them.
type Before = FxHashMap<FuncId, u64>;

/// The hash of the texts of a module between its kernels, and their places among these. Blank ones say nothing.
fn around(module: &Module) -> (blake3::Hash, Before) {
    let mut kernels: Vec<_> = module.outline.kernels().map(|(id, kernel)| (Some(id), kernel.text.clone())).collect();
    kernels.sort_unstable_by_key(|(_, text)| text.start);
    let (mut hasher, mut end, mut texts, mut before) = (blake3::Hasher::new(), 0, 0, Before::default());
    let last = (None, module.text.len()..module.text.len());
    for (kernel, next) in kernels.into_iter().chain([last]) {
        let between = module.text.get(end..next.start).unwrap_or_default();
        end = next.end;
        if !between.trim_ascii().is_empty() {
            hasher.update(&(between.len() as u64).to_le_bytes()).update(between.as_bytes());
            texts += 1;
        }
        before.extend(kernel.map(|id| (id, texts)));
    }
    (hasher.finalize(), before)
}

/// Whether no function and no variable of a module names a kernel.
fn are_apart(module: &Module) -> bool {
    let outline = &module.outline;
    let is_kernel = |symbol: &Symbol| matches!(*symbol, Symbol::Func(id) if outline.funcs[id].entry);
    let mut functions = outline.funcs.iter().filter(|(_, function)| !function.entry).map(|(id, _)| id);
    let mut variables = outline.globals.values().filter_map(|global| module.text.get(global.init.clone()?));
    let names_kernel = |word: &str| outline.symbol(word).is_some_and(|symbol| is_kernel(&symbol));
    // Tables of numbers are long.
    let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    !functions.any(|id| module.surveys.get(id).names.iter().any(is_kernel))
        && !variables.any(|init| identifiers(init).any(|word| !is_number(word) && names_kernel(word)))
        && !outline.aliases.iter().any(|(_, old)| names_kernel(old))
}
