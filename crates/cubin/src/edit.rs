//! Edits cubins: removes sections, or converts them to the other container, for the GPU load
//! matrix.
//!
//! Both start from a model and produce one with a new layout and renumbered indices.

use crate::elf::{shf, sht, st};
use crate::info::{Attribute, Value};
use crate::model::{Cubin, Payload, Section, Symbol, SymbolPlace};
use crate::write::{SegmentStyle, WriteError};

impl Cubin {
    /// Returns the cubin without the sections that `drop` selects, without the relocations that
    /// apply to them or refer to their content, and without the symbols and attributes of their
    /// content. String tables and the symbol table cannot be dropped.
    ///
    /// # Errors
    /// As [`Cubin::lay_out`].
    pub fn without_sections(&self, style: SegmentStyle, drop: impl Fn(&Section) -> bool) -> Result<Cubin, WriteError> {
        let essential = |s: &Section| matches!(s.kind, sht::NULL | sht::STRTAB | sht::SYMTAB);
        let mut keep: Vec<bool> = self.sections.iter().map(|s| essential(s) || !drop(s)).collect();
        for (i, s) in self.sections.iter().enumerate() {
            if matches!(s.kind, sht::REL | sht::RELA) && keep.get(s.info as usize) == Some(&false) {
                keep[i] = false;
            }
        }
        let keep_symbol: Vec<bool> = (self.symbols.iter())
            .map(|s| {
                if let SymbolPlace::Section(i) = s.place {
                    keep.get(i as usize).copied().unwrap_or(false)
                } else {
                    true
                }
            })
            .collect();
        let renumber = Renumber { sections: numbers(&keep), symbols: numbers(&keep_symbol) };
        let sections = self.sections.iter().zip(&keep).filter(|k| *k.1).map(|(s, _)| renumber.section(s)).collect();
        let symbols = self.symbols.iter().zip(&keep_symbol).filter(|k| *k.1);
        let symbols: Vec<Symbol> =
            symbols.map(|(s, _)| Symbol { place: renumber.place(s.place), ..s.clone() }).collect();
        let mut header = self.header;
        header.shstrtab = renumber.section_number(header.shstrtab);
        let mut out = Cubin { header, sections, symbols, segments: Vec::new() };
        let locals = out.symbols.iter().position(|s| s.binding != st::LOCAL).unwrap_or(out.symbols.len());
        for s in out.sections.iter_mut().filter(|s| s.kind == sht::SYMTAB) {
            s.info = locals as u32;
        }
        out.lay_out(style)?;
        Ok(out)
    }

    /// Returns the cubin in the container of CUDA 12: other identification and flags, registers and
    /// barriers in the headers of text sections, no notes, no `.nv.compat`, relocations without
    /// addend as REL.
    ///
    /// # Errors
    /// As [`Cubin::lay_out`].
    pub fn in_old_container(&self) -> Result<Cubin, WriteError> {
        let dropped = |s: &Section| s.kind == sht::CUDA_COMPAT || s.name.starts_with(".note.nv.");
        let mut out = self.without_sections(SegmentStyle::AMPERE, dropped)?;
        let sm = u32::from(self.header.sm());
        out.header.os_abi = 0x33;
        out.header.abi_version = 7;
        out.header.version = 0x80;
        out.header.flags = sm | 0x05 << 8 | sm << 16;
        let kernels: Vec<(String, u32, u32, u32)> =
            out.functions().iter().map(|k| (k.name.to_owned(), k.symbol, k.registers, k.barriers)).collect();
        for s in &mut out.sections {
            let text = s.name.strip_prefix(".text.");
            if let Some((_, symbol, registers, barriers)) = kernels.iter().find(|k| Some(&*k.0) == text) {
                s.info = registers << 24 | symbol & 0x00ff_ffff;
                s.flags |= u64::from(*barriers) << shf::BARRIERS_AT;
            }
            let Payload::Relocations(relocs) = &s.payload else { continue };
            if s.kind == sht::RELA && relocs.iter().all(|r| r.addend == 0) {
                (s.kind, s.entry_size) = (sht::REL, 16);
                s.name = s.name.replacen(".rela", ".rel", 1);
            }
        }
        out.lay_out(SegmentStyle::AMPERE)?;
        Ok(out)
    }
}

/// The new numbers of kept items; `None` for dropped ones.
fn numbers(keep: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |&kept: &bool| {
        kept.then(|| {
            next += 1;
            next - 1
        })
    };
    keep.iter().map(number).collect()
}

struct Renumber {
    sections: Vec<Option<u32>>,
    symbols: Vec<Option<u32>>,
}

impl Renumber {
    /// 0 for a dropped section.
    fn section_number(&self, old: u32) -> u32 {
        self.sections.get(old as usize).copied().flatten().unwrap_or(0)
    }

    fn symbol_number(&self, old: u32) -> Option<u32> {
        self.symbols.get(old as usize).copied().flatten()
    }

    fn place(&self, place: SymbolPlace) -> SymbolPlace {
        if let SymbolPlace::Section(i) = place { SymbolPlace::Section(self.section_number(i)) } else { place }
    }

    fn section(&self, s: &Section) -> Section {
        let info = if matches!(s.kind, sht::REL | sht::RELA) || s.flags & shf::INFO_LINK != 0 {
            self.section_number(s.info)
        } else if s.flags & shf::EXEC != 0 {
            // The symbol; on sm_8x and in old containers the top byte is the number of registers.
            let symbol = self.symbol_number(s.info & 0x00ff_ffff).unwrap_or(0);
            s.info & 0xff00_0000 | symbol
        } else {
            s.info
        };
        Section { link: self.section_number(s.link), info, payload: self.payload(&s.payload), ..s.clone() }
    }

    fn payload(&self, payload: &Payload) -> Payload {
        match payload {
            Payload::Attributes(list) => Payload::Attributes(list.iter().filter_map(|a| self.attribute(a)).collect()),
            Payload::Relocations(relocs) => {
                let mut out = relocs.clone();
                out.retain_mut(|r| {
                    self.symbol_number(r.symbol).is_some_and(|n| {
                        r.symbol = n;
                        true
                    })
                });
                Payload::Relocations(out)
            }
            Payload::Pairs(pairs) => {
                // Markers are negative numbers, all others are symbols.
                let number = |v: u32| if v as i32 <= 0 { Some(v) } else { self.symbol_number(v) };
                Payload::Pairs(pairs.iter().filter_map(|&[a, b]| Some([number(a)?, number(b)?])).collect())
            }
            other => other.clone(),
        }
    }

    fn attribute(&self, a: &Attribute) -> Option<Attribute> {
        let value = match &a.value {
            Value::SymbolWord { symbol, value } => {
                Value::SymbolWord { symbol: self.symbol_number(*symbol)?, value: *value }
            }
            Value::ParamBank { symbol, offset, size } => {
                Value::ParamBank { symbol: self.symbol_number(*symbol)?, offset: *offset, size: *size }
            }
            Value::Symbols(list) => Value::Symbols(list.iter().filter_map(|&s| self.symbol_number(s)).collect()),
            other => other.clone(),
        };
        Some(Attribute { code: a.code, value })
    }
}
