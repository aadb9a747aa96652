//! What kernels have of the functions that they reach, beside registers, barriers and stack ([`super::graph`]).
//!
//! nvlink 13.0.88 gives a kernel the attributes that say what its functions use: mbarriers, counted once for each function however often it
//! is called; kinds of sparse matrix products; the third index of blocks; shared memory of the system. And it lists with a kernel all kernels
//! whose addresses its functions take.

use raddle_cubin::info::code;
use raddle_cubin::raw::RawAttribute;

use super::banks::Banks;
use super::graph::Graph;
use super::problem::Problem;
use super::relocatable;
use super::resolve::{FunctionId, Program, SymbolId};

/// What a function says that it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// NUM_MBARRIERS.
    mbarriers: Option<u16>,
    /// SPARSE_MMA_MASK: a bit for each kind.
    sparse_mma: Option<u16>,
    /// CTAIDZ_USED.
    ctaid_z: bool,
    /// RESERVED_SMEM_USED.
    reserved_shared: bool,
}

impl Marks {
    /// Takes note of an attribute.
    pub fn read(&mut self, a: &RawAttribute<'_>) {
        let half = || Some(a.value().first_chunk::<2>().map_or(0, |b| u16::from_le_bytes(*b)));
        match a.code {
            code::NUM_MBARRIERS => self.mbarriers = half(),
            code::SPARSE_MMA_MASK => self.sparse_mma = half(),
            code::CTAIDZ_USED => self.ctaid_z = true,
            code::RESERVED_SMEM_USED => self.reserved_shared = true,
            _ => {}
        }
    }

    /// Adds what a function further down says. A mask of no kinds is nothing to say of who has none.
    fn add(&mut self, other: Marks) {
        if let Some(more) = other.mbarriers {
            // The largest number stands for an unknown size, and stays.
            self.mbarriers = Some(self.mbarriers.unwrap_or(0).saturating_add(more));
        }
        if let Some(more) = other.sparse_mma.filter(|&more| self.sparse_mma.is_some() || more != 0) {
            self.sparse_mma = Some(self.sparse_mma.unwrap_or(0) | more);
        }
        self.ctaid_z |= other.ctaid_z;
        self.reserved_shared |= other.reserved_shared;
    }

    /// The attributes that there are, by number.
    pub fn codes(&self) -> impl Iterator<Item = u8> + use<> {
        let all = [
            (code::NUM_MBARRIERS, self.mbarriers.is_some()),
            (code::SPARSE_MMA_MASK, self.sparse_mma.is_some()),
            (code::CTAIDZ_USED, self.ctaid_z),
            (code::RESERVED_SMEM_USED, self.reserved_shared),
        ];
        all.into_iter().filter(|a| a.1).map(|a| a.0)
    }

    /// The bytes of one of [`Marks::codes`].
    pub fn attribute(&self, number: u8) -> [u8; 4] {
        /// Formats of attributes without a value and with one of 16 bits.
        const FORMATS: [u8; 2] = [1, 3];
        let value = match number {
            code::NUM_MBARRIERS => self.mbarriers,
            code::SPARSE_MMA_MASK => self.sparse_mma,
            _ => None,
        };
        let [low, high] = value.unwrap_or(0).to_le_bytes();
        [FORMATS[usize::from(value.is_some())], number, low, high]
    }
}

/// What each function uses; for kernels with all that they reach.
pub(crate) fn marks(program: &Program<'_>, graph: &Graph<'_>, kernels: &[FunctionId]) -> Vec<Marks> {
    let mut out: Vec<Marks> = (0..program.functions.len() as u32).map(|f| program.function(f).marks).collect();
    let is_callee = |&f: &u32| graph.live[f as usize] && !program.function(f).is_entry;
    let speaking: Vec<u32> =
        (0..out.len() as u32).filter(is_callee).filter(|&f| program.function(f).marks != Marks::default()).collect();
    for (&f, kernels_above) in speaking.iter().zip(graph.reached_by(kernels, &speaking)) {
        for kernel in kernels_above {
            out[kernels[kernel as usize] as usize].add(program.function(f).marks);
        }
    }
    out
}

/// Kernels among the externs that the objects list: those whose descriptor is used. A kernel has those of all functions that it reaches,
/// whether a launch is among them or not (nvlink 13.0.88 output).
pub(crate) fn kernels(program: &Program<'_>, graph: &Graph<'_>, banks: &Banks) -> Result<Vec<Vec<SymbolId>>, Problem> {
    let mut out = relocatable::externs(program)?;
    let is_kernel = |&symbol: &SymbolId| program.defined_function(symbol).is_some_and(|f| program.function(f).is_entry);
    for (list, live) in out.iter_mut().zip(&graph.live) {
        list.retain(|symbol| *live && is_kernel(symbol));
        list.sort_unstable();
        list.dedup();
    }
    let takers: Vec<u32> = (0..out.len() as u32).filter(|&f| !out[f as usize].is_empty()).collect();
    let mut more: Vec<(FunctionId, SymbolId)> = Vec::new();
    for (&f, kernels) in takers.iter().zip(graph.reached_by(&banks.kernels, &takers)) {
        let reached = kernels.into_iter().map(|k| banks.kernels[k as usize]);
        more.extend(reached.flat_map(|kernel| out[f as usize].iter().map(move |&symbol| (kernel, symbol))));
    }
    for (kernel, symbol) in more {
        out[kernel as usize].push(symbol);
    }
    for list in &mut out {
        list.sort_unstable();
        list.dedup();
    }
    Ok(out)
}
