//! The addresses of a file's code, variables and driver functions, and relocation by them.
//!
//! Code begins at address 0 with the kernel's own section; the functions of a linked file follow,
//! then the driver functions that the file refers to ([`super::stubs`]).

use super::stubs;
use crate::failure::FailureKind;
use crate::mem::Memory;
use raddle_cubin::elf::st;
use raddle_cubin::model::{Cubin, SymbolPlace};
use raddle_cubin::reloc::RelocType;
use raddle_cubin::unit::Space;
use std::collections::BTreeMap;

/// Alignment of code sections (ptxas 13.0.88 output).
const ALIGN: u64 = 128;
/// Bytes of an instruction.
const WORD: u64 = 16;

/// The addresses of a file's contents.
pub struct Places {
    /// Code sections that the kernel may run.
    sections: BTreeMap<u32, u64>,
    /// Driver functions, by symbol.
    systems: BTreeMap<u32, u64>,
    /// Where driver functions begin.
    after_code: u64,
    /// Symbols of global variables and of driver functions.
    symbols: BTreeMap<u32, u64>,
}

impl Places {
    /// Places the contents of a file; `kernel` is the kernel's section. Allocates memory for global
    /// variables.
    ///
    /// # Errors
    /// An unknown relocation, or one outside its section.
    pub fn of(cubin: &Cubin, kernel: u32, mem: &mut Memory) -> Result<Places, FailureKind> {
        let sections = place_code(cubin, kernel);
        let end = sections.iter().map(|(&section, base)| base + cubin.sections[section as usize].size()).max();
        let after_code = end.unwrap_or(0).next_multiple_of(ALIGN);
        let mut places = Places { sections, systems: BTreeMap::new(), after_code, symbols: BTreeMap::new() };
        places.add_variables(cubin, mem)?;
        places.systems = stubs::symbols(cubin, after_code);
        places.symbols.extend(&places.systems);
        Ok(places)
    }

    /// Gives symbols values that are not addresses of this file.
    pub fn define(&mut self, symbols: Vec<(u32, u64)>) {
        self.symbols.extend(symbols);
    }

    /// Allocates memory for global variables.
    fn add_variables(&mut self, cubin: &Cubin, mem: &mut Memory) -> Result<(), FailureKind> {
        let mut ids = Vec::new();
        for v in cubin.variables() {
            if v.space != Space::Global {
                continue;
            }
            let bytes = v.init.map_or_else(|| vec![0; v.size as usize], <[u8]>::to_vec);
            let id = mem.add(format!("variable {}", v.name), bytes, true);
            self.symbols.insert(v.symbol, mem.base(id));
            ids.push((v, id));
        }
        // Relocations in initial contents, once all variables have addresses.
        for (v, id) in ids {
            let inside = v.offset..v.offset + v.size;
            if let Some(init) = v.init.filter(|_| cubin.relocations(v.section).any(|r| inside.contains(&r.offset))) {
                let all = self.relocated(cubin, v.section, cubin.sections[v.section as usize].bytes())?;
                let bytes = all.get(v.offset as usize..).and_then(|b| b.get(..init.len())).unwrap_or(init);
                for (at, &byte) in bytes.iter().enumerate() {
                    mem.alloc_mut(id).seg.store(at, 1, byte.into(), 0);
                }
            }
        }
        Ok(())
    }

    /// Returns a section's bytes with relocations applied.
    ///
    /// # Errors
    /// An unknown relocation, or one outside the section.
    pub fn relocated(&self, cubin: &Cubin, section: u32, bytes: &[u8]) -> Result<Vec<u8>, FailureKind> {
        let mut bytes = bytes.to_vec();
        for r in cubin.relocations(section) {
            let symbol = &cubin.symbols[r.symbol as usize];
            let ty =
                RelocType::by_number(r.number).ok_or_else(|| FailureKind::Load(format!("relocation {}", r.number)))?;
            let value = match (self.symbols.get(&r.symbol), symbol.place) {
                (Some(&base), _) => base,
                (None, SymbolPlace::Section(s)) if self.sections.contains_key(&s) => {
                    self.sections[&s].wrapping_add(symbol.value)
                }
                (None, SymbolPlace::Section(s)) if s == section => symbol.value,
                // An undefined symbol is reported when an instruction uses it; the bytes stay as in
                // the file.
                _ => continue,
            };
            if super::handles::relocate(&mut bytes, r.number, r.offset, value)? {
                continue;
            }
            let applied = ty.apply(&mut bytes, r.offset, value.wrapping_add(r.addend as u64));
            applied.map_err(|e| FailureKind::Load(e.to_string()))?;
        }
        Ok(bytes)
    }

    /// Returns the code from address 0 on, relocated.
    ///
    /// # Errors
    /// An unknown relocation, or one outside its section.
    pub fn code(&self, cubin: &Cubin) -> Result<Vec<u8>, FailureKind> {
        let mut code = Vec::new();
        for (&section, &base) in &self.sections {
            let bytes = self.relocated(cubin, section, cubin.sections[section as usize].bytes())?;
            code.resize(code.len().max(base as usize + bytes.len()), 0);
            code[base as usize..][..bytes.len()].copy_from_slice(&bytes);
        }
        if !self.systems.is_empty() {
            code.resize(self.after_code as usize, 0);
            code.extend(stubs::words(self.systems.len()));
        }
        Ok(code)
    }

    /// Returns the functions in the code with their first instructions, sorted.
    pub fn functions(&self, cubin: &Cubin) -> Vec<(u32, String)> {
        let defined = cubin.symbols.iter().filter(|s| s.kind == st::FUNC).filter_map(|s| match s.place {
            SymbolPlace::Section(n) => Some((self.sections.get(&n)?.wrapping_add(s.value), s)),
            _ => None,
        });
        let systems = self.systems.iter().map(|(&n, &at)| (at, &cubin.symbols[n as usize]));
        let all = defined.chain(systems).map(|(at, s)| ((at / WORD) as u32, s.name.to_string()));
        let mut functions: Vec<(u32, String)> = all.collect();
        functions.sort();
        functions
    }

    /// Returns the first instruction of the driver functions, if the file refers to any.
    pub fn first_system(&self) -> Option<u32> {
        (!self.systems.is_empty()).then_some((self.after_code / WORD) as u32)
    }
}

/// Gives each code section that the kernel may run an address: its own is at 0, the functions of a
/// linked file follow.
fn place_code(cubin: &Cubin, kernel: u32) -> BTreeMap<u32, u64> {
    let mut out = BTreeMap::from([(kernel, 0)]);
    let mut next = cubin.sections[kernel as usize].size().next_multiple_of(ALIGN);
    for f in cubin.functions().iter().filter(|f| !f.is_entry) {
        out.entry(f.section).or_insert(next);
        next += (f.code.len() as u64).next_multiple_of(ALIGN);
    }
    out
}
