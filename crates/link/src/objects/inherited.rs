//! Attributes that kernels inherit from the functions that they reach, besides registers, barriers
//! and stack ([`super::graph`]).
//!
//! nvlink 13.0.88 adds to a kernel the attributes of features that its functions use: mbarriers,
//! counted once per function however often it is called; kinds of sparse matrix products; the third
//! block index; shared memory of the system. It also lists with a kernel all kernels whose
//! addresses its functions take.

use raddle_cubin::info::code;
use raddle_cubin::raw::{RawAttribute, attributes};

use super::banks::Banks;
use super::features::Features;
use super::graph::Graph;
use super::problem::Problem;
use super::resolve::{FunctionId, Program, SymbolId};

/// The features that each function uses; for kernels including all that they reach.
pub(crate) fn features(program: &Program<'_>, graph: &Graph<'_>, kernels: &[FunctionId]) -> Vec<Features> {
    let mut out: Vec<Features> = (0..program.functions.len() as u32).map(|f| program.function(f).features).collect();
    let is_callee = |&f: &u32| graph.live[f as usize] && !program.function(f).is_entry;
    let speaking: Vec<u32> = (0..out.len() as u32)
        .filter(is_callee)
        .filter(|&f| program.function(f).features != Features::default())
        .collect();
    for (&f, kernels_above) in speaking.iter().zip(graph.reached_by(kernels, &speaking)) {
        for kernel in kernels_above {
            out[kernels[kernel as usize] as usize].add(program.function(f).features);
        }
    }
    out
}

/// Kernels among the externs that the objects list: those whose descriptor is used. A kernel
/// inherits those of all functions that it reaches, whether it launches them or not (nvlink 13.0.88
/// output).
pub(crate) fn kernels(program: &Program<'_>, graph: &Graph<'_>, banks: &Banks) -> Result<Vec<Vec<SymbolId>>, Problem> {
    let mut out = listed(program)?;
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

/// The functions and kernels that each function lists as needed and that its object does not
/// define.
pub(crate) fn listed(program: &Program<'_>) -> Result<Vec<Vec<SymbolId>>, Problem> {
    let mut out = vec![Vec::new(); program.functions.len()];
    for (id, list) in out.iter_mut().enumerate() {
        let object = program.functions[id].object;
        let this = &program.objects[object as usize];
        let Some(section) = this.raw.sections.get(program.function(id as u32).info as usize) else { continue };
        for attribute in attributes(section.bytes).flatten().filter(|a| a.code == code::EXTERNS) {
            for index in 0..attribute.value().len() / 4 {
                let symbol = attribute.word(index).and_then(|symbol| program.lookup(object, symbol));
                list.push(symbol.ok_or_else(|| Problem::Malformed {
                    object: this.name.to_owned(),
                    what: format!("{} names a symbol that does not exist", section.name),
                })?);
            }
        }
    }
    Ok(out)
}

/// An attribute whose first word is the symbol of a texture or sampler, 0 for none, with the number
/// that the symbol has in the output.
pub(crate) fn renumbered(a: &RawAttribute<'_>, number: impl Fn(u32) -> u32) -> Vec<u8> {
    let mut out = a.bytes.to_vec();
    if let (Some(symbol), Some(place)) = (a.word(0).filter(|&symbol| symbol != 0), out.get_mut(4..8)) {
        place.copy_from_slice(&number(symbol).to_le_bytes());
    }
    out
}
