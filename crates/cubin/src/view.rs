//! Views of a [`Cubin`]: kernels with their resources, variables with their contents.
//!
//! A view borrows from the model. What the file does not contain, or states about a symbol that
//! does not exist, is `None` or zero, never a panic.

use std::collections::HashMap;

use crate::elf::{shf, sht, st};
use crate::info::{Attribute, Value, code};
use crate::model::{Cubin, Payload, Section, Symbol, SymbolPlace};
use crate::unit::Param;

/// A kernel or device function with its own text section, as the file describes it.
#[derive(Clone, Debug)]
pub struct Kernel<'a> {
    /// Symbol name.
    pub name: &'a str,
    /// Index of its symbol.
    pub symbol: u32,
    /// Index of its text section.
    pub section: u32,
    /// Whether it is a kernel (`.entry`); otherwise it is a device function of a relocatable
    /// object.
    pub is_entry: bool,
    /// Instruction words, including the padding.
    pub code: &'a [u8],
    /// General registers per thread.
    pub registers: u32,
    /// Named barriers.
    pub barriers: u32,
    /// Bytes of the kernel's own frame.
    pub frame_size: u32,
    /// Bytes of stack including all callees, as far as known.
    pub stack_size: u32,
    /// Static shared memory in bytes; on sm_90 and later it includes the bytes reserved for the
    /// system at the start (0x400).
    pub shared_size: u64,
    /// Parameters in declaration order.
    pub params: Vec<Param>,
    /// Offset in constant bank 0 at which parameters start.
    pub param_base: u32,
    /// Size of all parameters in bytes.
    pub param_size: u32,
    /// Constant banks it sees: its own (0, 2) and the module's (3, 4), sorted by bank.
    pub const_banks: Vec<ConstBank<'a>>,
    /// The attributes in `.nv.info.<name>`.
    pub attributes: &'a [Attribute],
}

/// A constant bank's initial contents.
#[derive(Clone, Copy, Debug)]
pub struct ConstBank<'a> {
    /// Bank number, 0..=17.
    pub bank: u8,
    /// Index of the section, for its relocations.
    pub section: u32,
    /// Initial bytes.
    pub bytes: &'a [u8],
}

/// A variable of the module.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'a> {
    /// Symbol name.
    pub name: &'a str,
    /// Index of its symbol.
    pub symbol: u32,
    /// Index of its section.
    pub section: u32,
    /// Byte offset within the section.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// Initial bytes; `None` for zeroed memory.
    pub init: Option<&'a [u8]>,
    /// The memory that it is in.
    pub space: crate::unit::Space,
    /// Visible to other modules and to the host.
    pub is_global: bool,
}

/// The bank number of a constant section: `.nv.constant0.k` is bank 0 of `k`, `.nv.constant3` bank
/// 3 of the module.
pub fn constant_section(name: &str) -> Option<(u8, Option<&str>)> {
    let rest = name.strip_prefix(".nv.constant")?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let bank = rest[..digits].parse().ok()?;
    match &rest[digits..] {
        "" => Some((bank, None)),
        owner => Some((bank, Some(owner.strip_prefix('.')?))),
    }
}

/// Facts from sections about functions, by name: collected once, so that reading all functions
/// takes linear time.
struct Facts<'a> {
    info: HashMap<&'a str, &'a [Attribute]>,
    shared: HashMap<&'a str, u64>,
    banks: HashMap<Option<&'a str>, Vec<ConstBank<'a>>>,
    /// By attribute code and symbol.
    values: HashMap<(u8, u32), u32>,
}

impl<'a> Facts<'a> {
    fn new(cubin: &'a Cubin) -> Self {
        let mut out =
            Self { info: HashMap::new(), shared: HashMap::new(), banks: HashMap::new(), values: HashMap::new() };
        for (index, s) in cubin.sections.iter().enumerate() {
            if let Payload::Attributes(attributes) = &s.payload {
                if let Some(name) = s.name.strip_prefix(".nv.info.") {
                    out.info.entry(name).or_insert(attributes);
                } else if s.name == ".nv.info" {
                    for a in attributes {
                        if let Value::SymbolWord { symbol, value } = a.value {
                            out.values.entry((a.code, symbol)).or_insert(value);
                        }
                    }
                }
            } else if let Some(name) = s.name.strip_prefix(".nv.shared.") {
                out.shared.entry(name).or_insert(s.size());
            } else if let Some((bank, owner)) = constant_section(&s.name) {
                out.banks.entry(owner).or_default().push(ConstBank { bank, section: index as u32, bytes: s.bytes() });
            }
        }
        out
    }

    fn value(&self, code: u8, symbol: u32) -> Option<u32> {
        self.values.get(&(code, symbol)).copied()
    }
}

impl Cubin {
    /// All kernels, in the order of their symbols.
    pub fn kernels(&self) -> Vec<Kernel<'_>> {
        self.functions().into_iter().filter(|k| k.is_entry).collect()
    }

    /// The kernel named `name`.
    pub fn kernel(&self, name: &str) -> Option<Kernel<'_>> {
        let index =
            self.symbols.iter().position(|s| s.name == name && is_function(s) && s.other & st::OTHER_ENTRY != 0)?;
        self.function(index as u32, &Facts::new(self))
    }

    /// Kernels and device functions with their own text section, in the order of their symbols.
    pub fn functions(&self) -> Vec<Kernel<'_>> {
        let facts = Facts::new(self);
        (0..self.symbols.len() as u32).filter_map(|i| self.function(i, &facts)).collect()
    }

    /// The `.nv.info` value with code `code` for `symbol`: REGCOUNT, FRAME_SIZE, MIN_STACK_SIZE,
    /// MAX_STACK_SIZE.
    pub fn symbol_fact(&self, code: u8, symbol: u32) -> Option<u32> {
        Facts::new(self).value(code, symbol)
    }

    /// The attributes in `.nv.info.<name>`, empty if there is no such section.
    pub fn attributes(&self, name: &str) -> &[Attribute] {
        let section = self.sections.iter().find(|s| s.name.strip_prefix(".nv.info.") == Some(name));
        if let Some(Section { payload: Payload::Attributes(a), .. }) = section { a } else { &[] }
    }

    fn function<'a>(&'a self, index: u32, facts: &Facts<'a>) -> Option<Kernel<'a>> {
        let symbol = self.symbols.get(index as usize)?;
        let SymbolPlace::Section(section) = symbol.place else { return None };
        let text = self.sections.get(section as usize)?;
        let own_text = text.name.strip_prefix(".text.") == Some(&symbol.name);
        if !is_function(symbol) || !own_text {
            return None;
        }
        let name = &*symbol.name;
        let attributes = facts.info.get(name).copied().unwrap_or(&[]);
        let half = |wanted| {
            attributes.iter().find_map(|a| match a.value {
                Value::Half(h) if a.code == wanted => Some(u32::from(h)),
                Value::Byte(b, _) if a.code == wanted => Some(u32::from(b)),
                _ => None,
            })
        };
        let bank = attributes.iter().find_map(|a| match a.value {
            Value::ParamBank { offset, size, .. } => Some((u32::from(offset), u32::from(size))),
            _ => None,
        });
        let mut params: Vec<(u16, Param)> = (attributes.iter())
            .filter_map(|a| match a.value {
                Value::Param(p) | Value::ParamV2(p) => {
                    let param =
                        Param { offset: p.offset, size: p.size, log_align: p.log_align, space: p.space, bound: None };
                    Some((p.ordinal, param))
                }
                _ => None,
            })
            .collect();
        params.sort_by_key(|p| p.0);
        let banks = [Some(name), None].into_iter().filter_map(|owner| facts.banks.get(&owner)).flatten();
        let mut const_banks: Vec<ConstBank<'_>> = banks.copied().collect();
        const_banks.sort_by_key(|b| b.bank);
        Some(Kernel {
            name,
            symbol: index,
            section,
            is_entry: symbol.other & st::OTHER_ENTRY != 0,
            code: text.bytes(),
            // On sm_8x, and in files from before the attribute existed, the section header has the
            // registers.
            registers: facts.value(code::REGCOUNT, index).unwrap_or(text.info >> 24),
            barriers: half(code::NUM_BARRIERS).unwrap_or(((text.flags & shf::BARRIERS) >> shf::BARRIERS_AT) as u32),
            frame_size: facts.value(code::FRAME_SIZE, index).unwrap_or(0),
            stack_size: (facts.value(code::MIN_STACK_SIZE, index))
                .or_else(|| facts.value(code::MAX_STACK_SIZE, index))
                .unwrap_or(0),
            shared_size: facts.shared.get(name).copied().unwrap_or(0),
            params: params.into_iter().map(|p| p.1).collect(),
            param_base: bank.map_or(0, |b| b.0),
            param_size: half(code::CBANK_PARAM_SIZE).or(bank.map(|b| b.1)).unwrap_or(0),
            const_banks,
            attributes,
        })
    }

    /// Variables in global, constant and shared memory, in the order of their symbols. Executables
    /// keep no symbols of shared variables.
    pub fn variables(&self) -> Vec<Variable<'_>> {
        use crate::unit::Space;
        let variable = |(index, symbol): (usize, &'_ Symbol)| {
            let SymbolPlace::Section(section) = symbol.place else { return None };
            let s = self.sections.get(section as usize)?;
            if !matches!(symbol.kind, st::OBJECT | st::CUDA_OBJECT) || s.flags & shf::ALLOC == 0 {
                return None;
            }
            let space = if s.name.starts_with(".nv.constant") {
                Space::Const
            } else if s.kind == sht::CUDA_SHARED || s.name.starts_with(".nv.shared") {
                Space::Shared
            } else {
                Space::Global
            };
            let range =
                usize::try_from(symbol.value).ok()?..usize::try_from(symbol.value.checked_add(symbol.size)?).ok()?;
            Some(Variable {
                name: &self.symbols[index].name,
                symbol: index as u32,
                section,
                offset: symbol.value,
                size: symbol.size,
                init: s.bytes().get(range),
                space,
                is_global: symbol.binding != st::LOCAL,
            })
        };
        self.symbols.iter().enumerate().filter_map(variable).collect()
    }
}

fn is_function(s: &Symbol) -> bool {
    s.kind == st::FUNC
}
