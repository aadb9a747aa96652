//! Loads an executable: sections with addresses, relocations applied.
//!
//! The caller determines the addresses of sections ([`Placement`]). The steps of a driver at load
//! time are done here: code, global memory and constant banks are copied, and the relocations that
//! ptxas leaves in executables (addresses of globals and of the driver's functions in bank 4, in
//! initialisers, in code) are applied.

use std::collections::BTreeMap;

use crate::elf::shf;
use crate::model::{Cubin, Payload, SymbolPlace};
use crate::reloc::{ApplyError, RelocType};
use crate::view::constant_section;

/// A section that has to be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionToPlace {
    /// Section index.
    pub section: u32,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, at least 1.
    pub align: u64,
    /// The kind of memory.
    pub memory: Memory,
}

/// Kinds of memory a loader provides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Memory {
    /// Global memory: variables of the module.
    Global,
    /// Instruction memory of a kernel.
    Code,
    /// A constant bank of the module or of one kernel; its addresses are offsets from 0 unless it
    /// is placed.
    Constant,
}

/// The addresses of sections and functions.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// Address of each section's first byte; a section that is not listed is at 0.
    pub sections: BTreeMap<u32, u64>,
    /// Addresses of undefined functions: `vprintf`, `malloc`.
    pub functions: BTreeMap<String, u64>,
}

/// A loaded section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Section index.
    pub section: u32,
    /// The kind of memory.
    pub memory: Memory,
    /// Address of the first byte.
    pub address: u64,
    /// Contents with relocations applied; zeros for memory without initial contents.
    pub bytes: Vec<u8>,
}

/// The reason why a module cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A relocation to an undefined symbol.
    #[error("section {section}: undefined symbol {symbol}")]
    Undefined {
        /// Section that contains the reference.
        section: String,
        /// Symbol name.
        symbol: String,
    },
    /// A relocation that cannot be applied.
    #[error("section {section}: {error}")]
    Apply {
        /// Section that contains it.
        section: String,
        /// The error.
        error: ApplyError,
    },
    /// A section exceeds the limit.
    #[error("section {section} needs {size:#x} bytes, more than {limit:#x}")]
    TooLarge {
        /// Section.
        section: String,
        /// Size in bytes.
        size: u64,
        /// Limit in bytes.
        limit: u64,
    },
}

/// The largest section that is loaded: a damaged file can claim 2^64 bytes.
pub const MAX_SECTION: u64 = 1 << 32;

impl Cubin {
    /// The sections that have to be placed, in order. Shared memory is not listed: kernels have
    /// [`shared_size`].
    ///
    /// [`shared_size`]: crate::view::Kernel::shared_size
    pub fn needs(&self) -> Vec<SectionToPlace> {
        let need = |(index, s): (usize, &crate::model::Section)| {
            if s.flags & shf::ALLOC == 0 || s.name.starts_with(".nv.shared") || s.name.starts_with(".nv_debug.shared") {
                return None;
            }
            let memory = if s.flags & shf::EXEC != 0 {
                Memory::Code
            } else if constant_section(&s.name).is_some() {
                Memory::Constant
            } else {
                Memory::Global
            };
            Some(SectionToPlace { section: index as u32, size: s.size(), align: s.align.max(1), memory })
        };
        self.sections.iter().enumerate().filter_map(need).collect()
    }

    /// Returns everything that [`Cubin::needs`] lists, with contents.
    ///
    /// # Errors
    /// [`LoadError`] for undefined symbols, relocations that cannot be applied, and sections above
    /// the limit.
    pub fn load(&self, placement: &Placement) -> Result<Vec<Loaded>, LoadError> {
        let address = |section: u32| placement.sections.get(&section).copied().unwrap_or(0);
        let mut out = Vec::new();
        for need in self.needs() {
            let section = &self.sections[need.section as usize];
            let mut bytes = match &section.payload {
                Payload::Bytes(b) => b.clone(),
                _ if need.size <= MAX_SECTION => vec![0; need.size as usize],
                _ => {
                    let section = section.name.clone();
                    return Err(LoadError::TooLarge { section, size: need.size, limit: MAX_SECTION });
                }
            };
            for r in self.relocations(need.section) {
                let apply = |error| LoadError::Apply { section: section.name.clone(), error };
                let row = RelocType::by_number(r.number).ok_or_else(|| apply(ApplyError::Unsupported(r.number)))?;
                let undefined =
                    |name: &str| LoadError::Undefined { section: section.name.clone(), symbol: name.to_owned() };
                let Some(symbol) = self.symbols.get(r.symbol as usize) else { return Err(undefined("?")) };
                let base = match symbol.place {
                    SymbolPlace::Section(s) => address(s).wrapping_add(symbol.value),
                    SymbolPlace::Undefined => {
                        *placement.functions.get(&symbol.name).ok_or_else(|| undefined(&symbol.name))?
                    }
                    SymbolPlace::Reserved(_) => symbol.value,
                };
                row.apply(&mut bytes, r.offset, base.wrapping_add(r.addend as u64)).map_err(apply)?;
            }
            out.push(Loaded { section: need.section, memory: need.memory, address: address(need.section), bytes });
        }
        Ok(out)
    }
}
