//! Textures of a launch in a loaded file: the words of handles, and the driver's tables that queries
//! read.
//!
//! Bound textures are symbols of their own types without a place; relocations put their numbers into
//! words behind the parameters. Queries of fields other than extents read a table in memory, one row
//! for each number, whose address is in bank 0 and whose row size is the value of a symbol (ptxas
//! 13.0.88 output).

use crate::failure::FailureKind;
use crate::launch::{Arg, Launch};
use crate::mem::{Bound, Memory};
use crate::texture::Query;
use raddle_cubin::info::Value;
use raddle_cubin::model::Cubin;
use raddle_cubin::view::Kernel;
use raddle_target::Native;

/// ELF symbol types of textures, samplers and surfaces.
const TYPES: [u8; 3] = [10, 11, 12];
/// Address spaces of texture, sampler and surface parameters in `KPARAM_INFO`.
const SPACES: std::ops::RangeInclusive<u8> = 6..=8;

/// Relocations of words with a number: of a texture or surface, of a sampler in a word of its own, of
/// a sampler in the upper bits of the word of its texture.
const INDEX: [u32; 3] = [6, 52, 101];
const SAMPLER_ABOVE: u32 = 7;
const SAMPLER_SHIFT: u32 = 20;

/// A table of the driver: the symbol of its row size, that size, the fields.
struct Table {
    size: &'static str,
    row: u32,
    fields: &'static [(u32, Query)],
}

const SAMPLERS: Table = Table {
    size: ".nv.independent.samplerrefDescSize",
    row: 0x20,
    fields: &[
        (0x0, Query::Wrap(0)),
        (0x4, Query::Wrap(1)),
        (0x8, Query::Wrap(2)),
        (0xc, Query::Filter),
        (0x10, Query::Unnormalized),
    ],
};

const UNIFIED: Table = Table {
    size: ".nv.unified.texrefDescSize",
    row: 0x40,
    fields: &[
        (0x0, Query::Unnormalized),
        (0xc, Query::Wrap(0)),
        (0x10, Query::Wrap(1)),
        (0x14, Query::Wrap(2)),
        (0x18, Query::Filter),
        (0x1c, Query::Normalized),
        (0x20, Query::ChannelType),
        (0x24, Query::ChannelOrder),
        (0x28, Query::ArraySize),
        (0x2c, Query::Levels),
        (0x30, Query::Samples),
    ],
};

const INDEPENDENT: Table = Table {
    size: ".nv.independent.texrefDescSize",
    row: 0x30,
    fields: &[
        (0xc, Query::Normalized),
        (0x10, Query::ChannelType),
        (0x14, Query::ChannelOrder),
        (0x18, Query::ArraySize),
        (0x1c, Query::Levels),
        (0x20, Query::Samples),
    ],
};

const SURFACES: Table = Table {
    size: ".nv.surfrefDescSize",
    row: 0x20,
    fields: &[(0xc, Query::ChannelType), (0x10, Query::ChannelOrder), (0x14, Query::Layout), (0x1c, Query::ArraySize)],
};

/// Returns the values of symbols that stand for textures, samplers, surfaces or sizes of rows.
pub fn symbols(cubin: &Cubin, kernel: &Kernel<'_>, launch: &Launch, mem: &Memory) -> Vec<(u32, u64)> {
    let number = |name: &str| u64::from(mem.textures.number(name).unwrap_or(0));
    let mut found = Vec::new();
    for (n, symbol) in cubin.symbols.iter().enumerate() {
        if TYPES.contains(&symbol.kind) {
            found.push((n as u32, number(&symbol.name)));
        }
        if let Some(table) = [UNIFIED, INDEPENDENT, SAMPLERS, SURFACES].iter().find(|t| t.size == symbol.name) {
            found.push((n as u32, table.row.into()));
        }
    }
    // Parameters are symbols, too: those of the arguments.
    for attribute in kernel.attributes {
        if let Value::Param(p) | Value::ParamV2(p) = attribute.value
            && SPACES.contains(&p.space)
            && p.size == 0
            && let Some(Arg::Handle(_, name)) = launch.args.get(usize::from(p.ordinal))
        {
            found.push((p.index, number(name)));
        }
    }
    found
}

/// Puts a number into the word that a relocation names; returns false for other relocations.
///
/// # Errors
/// A word outside of the section.
pub fn relocate(bytes: &mut [u8], kind: u32, offset: u64, number: u64) -> Result<bool, FailureKind> {
    if kind != SAMPLER_ABOVE && !INDEX.contains(&kind) {
        return Ok(false);
    }
    let place = usize::try_from(offset).ok().and_then(|at| bytes.get_mut(at..)?.first_chunk_mut::<4>());
    let Some(place) = place else {
        return Err(FailureKind::Load(format!("the word of a texture at {offset:#x} is outside of its bank")));
    };
    let word = match kind {
        SAMPLER_ABOVE => u32::from_le_bytes(*place) | (number as u32) << SAMPLER_SHIFT,
        // A sampler of the same word may come first.
        _ => u32::from_le_bytes(*place) | number as u32,
    };
    *place = word.to_le_bytes();
    Ok(true)
}

fn contents(table: &Table, list: &[Bound]) -> Vec<u8> {
    let mut bytes = vec![0; (list.len() + 1) * table.row as usize];
    for (n, bound) in list.iter().enumerate() {
        for &(at, query) in table.fields {
            let word = bound.texture.query(query, 0);
            bytes[(n + 1) * table.row as usize + at as usize..][..4].copy_from_slice(&word.to_le_bytes());
        }
    }
    bytes
}

/// Makes the driver's tables, and writes their addresses to bank 0.
pub fn add_tables(bank: &mut [u8], cubin: &Cubin, native: &Native, mem: &mut Memory) {
    if mem.textures.list().is_empty() {
        return;
    }
    let independent = cubin.symbols.iter().any(|s| s.name == INDEPENDENT.size);
    let textures = if independent { &INDEPENDENT } else { &UNIFIED };
    for (n, table) in [textures, &SAMPLERS, &SURFACES].into_iter().enumerate() {
        let bytes = contents(table, mem.textures.list());
        let id = mem.add(format!("the driver's table {n} of textures"), bytes, false);
        let at = usize::from(native.cbank.texture_tables) + 8 * n;
        bank[at..at + 8].copy_from_slice(&mem.base(id).to_le_bytes());
    }
}
