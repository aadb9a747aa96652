//! Words of bound textures, samplers and surfaces in bank 0.
//!
//! A texture that code names has no address: the driver writes its handle to a word behind the
//! parameters of each kernel, which relocations of the bank tell it (nvlink 13.0.88 output). All
//! kernels that reach a use have the words of all such symbols, each at one offset in all of them:
//! a function that uses one is linked once. The words begin behind the longest bank of any kernel.
//! Here they are in the order of the symbols; nvlink's order is another, which nothing depends on.

use std::collections::BTreeMap;

use raddle_cubin::elf::{align_up, st};

use super::graph::Graph;
use super::problem::Problem;
use super::read::NONE;
use super::resolve::{Class, FunctionId, Program, SymbolId, is_bound};
use crate::{BANK_BYTES, indexed};

/// Bytes of a word.
const WORD: u64 = 4;

/// The words of bound symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bound {
    /// Offsets in bank 0.
    words: BTreeMap<SymbolId, u64>,
    /// Kernels that have the words, ascending.
    kernels: Vec<FunctionId>,
    /// Size of the bank of such a kernel.
    end: u64,
}

impl Bound {
    /// The offset of a symbol's word; `None` if no kernel reaches a use.
    pub fn word(&self, symbol: SymbolId) -> Option<u64> {
        self.words.get(&symbol).copied()
    }

    /// The size of the bank of a kernel whose own part has this size.
    pub fn bank_size(&self, kernel: FunctionId, own: u64) -> u64 {
        if self.kernels.contains(&kernel) { self.end } else { own }
    }

    /// The kernels that have the words.
    pub fn kernels(&self) -> &[FunctionId] {
        &self.kernels
    }

    /// The relocations of the bank of a kernel with the words: offset, number, symbol; the last word
    /// first, as in nvlink 13.0.88's output. Parameters of other kernels have none there.
    pub fn relocations(&self, program: &Program<'_>, kernel: FunctionId) -> Vec<(u64, u32, SymbolId)> {
        let sm = program.objects.first().map_or(0, |object| object.raw.header.sm());
        let number = |symbol: SymbolId| match program.symbols[symbol as usize].class {
            Class::Bound(st::CUDA_SAMPLER) => indexed::sampler(sm),
            Class::Bound(st::CUDA_SURFACE) => SURFACE_HEADER,
            _ => TEXTURE_HEADER,
        };
        let is_here = |symbol: SymbolId| {
            let s = &program.symbols[symbol as usize];
            !s.local || s.function == kernel
        };
        let here = self.words.iter().rev().filter(|(symbol, _)| is_here(**symbol));
        here.map(|(&symbol, &offset)| (offset, number(symbol), symbol)).collect()
    }
}

/// R_CUDA_TEX_HEADER_INDEX: the driver writes the handle of a texture.
const TEXTURE_HEADER: u32 = 6;
/// R_CUDA_SURF_HEADER_INDEX.
const SURFACE_HEADER: u32 = 52;

/// Gives each bound symbol that a kernel reaches its word.
///
/// # Errors
/// A bank that becomes too large.
pub(crate) fn run(program: &Program<'_>, graph: &Graph<'_>, kernels: &[FunctionId]) -> Result<Bound, Vec<Problem>> {
    let mut users: BTreeMap<SymbolId, Vec<FunctionId>> = BTreeMap::new();
    for (object, this) in program.objects.iter().enumerate() {
        let any = this.raw.symbols.iter().any(|s| is_bound(s.kind));
        for &(section, target) in this.relocations.iter().filter(|_| any) {
            let owner = this.owner[target as usize];
            if owner == NONE || !graph.live[(program.first[object] + owner) as usize] {
                continue;
            }
            for r in this.raw.relocations(section) {
                if let Some(symbol) = program.lookup(object as u32, r.symbol)
                    && matches!(program.symbols[symbol as usize].class, Class::Bound(_))
                {
                    users.entry(symbol).or_default().push(program.first[object] + owner);
                }
            }
        }
    }
    let mut out = Bound::default();
    if users.is_empty() {
        return Ok(out);
    }
    let mut nodes: Vec<FunctionId> = users.values().flatten().copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    let reached: BTreeMap<u32, Vec<u32>> = nodes.iter().copied().zip(graph.reached_by(kernels, &nodes)).collect();
    let mut having: Vec<u32> = reached.values().flatten().copied().collect();
    having.sort_unstable();
    having.dedup();
    out.kernels = having.iter().map(|&kernel| kernels[kernel as usize]).collect();
    let own = kernels.iter().map(|&f| bank_of(program, f)).max().unwrap_or(0);
    out.end = align_up(own, WORD).unwrap_or(own);
    for (symbol, functions) in users {
        if functions.iter().any(|f| reached.get(f).is_some_and(|kernels| !kernels.is_empty())) {
            out.words.insert(symbol, out.end);
            out.end += WORD;
        }
    }
    if out.end > BANK_BYTES {
        let user = program.function_name(out.kernels[0]).to_owned();
        let what = "constant memory for parameters and textures";
        return Err(vec![Problem::TooMuch { user, what, size: out.end, limit: BANK_BYTES }]);
    }
    Ok(out)
}

/// Size of a kernel's own part of bank 0.
fn bank_of(program: &Program<'_>, f: FunctionId) -> u64 {
    let object = &program.objects[program.functions[f as usize].object as usize];
    let section = object.raw.sections.get(program.function(f).constants[0] as usize);
    section.map_or(0, |section| section.bytes.len() as u64)
}
