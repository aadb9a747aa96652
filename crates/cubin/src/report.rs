//! The report of `raddle info`: a cubin as plain, serialisable data.
//!
//! The figures are those of `cuobjdump -res-usage` and `-elf`; [`Report::resource_usage`] prints
//! the text of the former, which tests compare with the tool's.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::elf::sht;
use crate::info::{self, Attribute, Value};
use crate::model::{Cubin, Kind, Payload, SymbolPlace};
use crate::opaque::{self, Opaque};
use crate::reloc::RelocType;
use crate::view::constant_section;

/// Version of the schema.
pub const SCHEMA: u32 = 1;

/// A cubin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// `executable` or `relocatable`.
    pub kind: &'static str,
    /// SM number.
    pub sm: u16,
    /// `EI_OSABI`.
    pub os_abi: u8,
    /// `EI_ABIVERSION`.
    pub abi_version: u8,
    /// `e_flags`.
    pub flags: u32,
    /// Bytes of global memory.
    pub global: u64,
    /// The module's own constant banks (3, 4), highest first.
    pub banks: Vec<Bank>,
    /// Kernels, and in relocatable objects device functions with their own section.
    pub functions: Vec<FunctionReport>,
    /// Sections in file order.
    pub sections: Vec<SectionReport>,
    /// Symbols in file order, the null symbol left out.
    pub symbols: Vec<SymbolReport>,
    /// Relocations, by section.
    pub relocations: Vec<RelocationReport>,
    /// All attributes, by section in file order: `.nv.info`, `.nv.compat`, and those of functions
    /// again.
    pub attributes: Vec<AttributeReport>,
    /// Call graph and types of functions.
    pub pairs: Vec<PairReport>,
    /// Program headers.
    pub segments: Vec<SegmentReport>,
}

impl Report {
    /// The sections with a second form of the code (`Mercury`), for a driver's finalizer; they
    /// exist from sm_100 on.
    pub fn finalizer(&self) -> impl Iterator<Item = &SectionReport> {
        self.sections.iter().filter(|s| s.contents == Opaque::Finalizer.name())
    }
}

/// The size of a constant bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bank {
    /// Bank number.
    pub bank: u8,
    /// Bytes.
    pub bytes: u64,
}

/// The resources of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionReport {
    /// Symbol name.
    pub name: String,
    /// Whether it is a kernel.
    pub entry: bool,
    /// General registers per thread.
    pub registers: u32,
    /// Named barriers.
    pub barriers: u32,
    /// Bytes of its own frame.
    pub frame: u32,
    /// Bytes of stack, including callees.
    pub stack: u32,
    /// Bytes of static shared memory, including those reserved for the system.
    pub shared: u64,
    /// Bytes of local memory in a separate section (old containers).
    pub local: u64,
    /// Its own constant banks (2, 0), highest first.
    pub banks: Vec<Bank>,
    /// Bytes of code, including padding.
    pub code: u64,
    /// Parameters as (offset, bytes).
    pub params: Vec<(u16, u16)>,
    /// `.nv.info.<name>`.
    pub attributes: Vec<AttributeReport>,
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectionReport {
    /// Name.
    pub name: String,
    /// `sh_type` as cuobjdump names it, or its number.
    pub kind: String,
    /// Its content: the form of a payload that the model reads, or a description of its bytes (see
    /// [`crate::opaque`]).
    pub contents: &'static str,
    /// `sh_flags`.
    pub flags: u64,
    /// File offset.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Alignment.
    pub align: u64,
    /// `sh_link`.
    pub link: u32,
    /// `sh_info`.
    pub info: u32,
    /// Entry size of a table in bytes, 0 for others.
    pub entry_size: u64,
}

/// A pair of `.nv.callgraph` (caller and callee by symbol, or 0 and a head that identifies the
/// list) or `.nv.prototype` (function by symbol, offset of its type in the string table).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PairReport {
    /// Section.
    pub section: String,
    /// The two words.
    pub words: [u32; 2],
}

/// A program header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SegmentReport {
    /// Type: 1 is loadable, 6 the table itself.
    pub kind: u32,
    /// Permissions.
    pub flags: u32,
    /// File offset.
    pub offset: u64,
    /// Bytes in the file.
    pub file_size: u64,
    /// Bytes in memory.
    pub memory_size: u64,
    /// Alignment.
    pub align: u64,
}

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymbolReport {
    /// Index.
    pub index: usize,
    /// Name.
    pub name: String,
    /// `local`, `global`, `weak`, or a number.
    pub binding: String,
    /// `none`, `object`, `function`, `section`, `variable`, or a number.
    pub kind: String,
    /// Section name, `undefined`, or a reserved index.
    pub place: String,
    /// Offset.
    pub value: u64,
    /// Bytes.
    pub size: u64,
    /// `st_other`.
    pub other: u8,
}

/// A relocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelocationReport {
    /// Section it applies to.
    pub section: String,
    /// Byte offset there.
    pub offset: u64,
    /// Its name, or its number.
    pub kind: String,
    /// Symbol name.
    pub symbol: String,
    /// Addend.
    pub addend: i64,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttributeReport {
    /// Section.
    pub section: String,
    /// Code.
    pub code: u8,
    /// Name without prefix, `None` if the tools have none.
    pub name: Option<&'static str>,
    /// Value, symbols by name, numbers in hexadecimal.
    pub value: String,
}

impl Report {
    /// Describes `cubin`.
    pub fn new(cubin: &Cubin) -> Self {
        // Memory without bytes in the file may claim any size.
        let size = |prefix: &str| {
            let sections = cubin.sections.iter().filter(|s| s.name.starts_with(prefix));
            sections.map(|s| s.size()).fold(0, u64::saturating_add)
        };
        Self {
            schema: SCHEMA,
            kind: if cubin.header.kind == Kind::Executable { "executable" } else { "relocatable" },
            sm: cubin.header.sm(),
            os_abi: cubin.header.os_abi,
            abi_version: cubin.header.abi_version,
            flags: cubin.header.flags,
            global: size(".nv.global"),
            banks: banks(cubin),
            functions: functions(cubin),
            sections: sections(cubin),
            symbols: cubin.symbols.iter().enumerate().skip(1).map(|(i, s)| symbol(cubin, i, s)).collect(),
            relocations: relocations(cubin),
            attributes: cubin.sections.iter().flat_map(|s| attributes(cubin, &s.name, &s.payload)).collect(),
            pairs: cubin.sections.iter().flat_map(pairs).collect(),
            segments: cubin.segments.iter().map(segment).collect(),
        }
    }

    /// The text of `cuobjdump -res-usage` for an executable.
    pub fn resource_usage(&self) -> String {
        let mut out = format!("\nResource usage:\n Common:\n  GLOBAL:{}", self.global);
        let banks = |out: &mut String, banks: &[Bank]| {
            for b in banks {
                let _ = write!(out, " CONSTANT[{}]:{}", b.bank, b.bytes);
            }
        };
        banks(&mut out, &self.banks);
        out.push('\n');
        for f in &self.functions {
            let _ = write!(
                out,
                " Function {}:\n  REG:{} STACK:{} SHARED:{} LOCAL:{}",
                f.name, f.registers, f.stack, f.shared, f.local
            );
            banks(&mut out, &f.banks);
            out.push_str(" TEXTURE:0 SURFACE:0 SAMPLER:0\n");
        }
        out
    }
}

/// Constant banks of the module, highest first.
fn banks(cubin: &Cubin) -> Vec<Bank> {
    let bank = |s: &crate::model::Section| match constant_section(&s.name) {
        Some((bank, None)) => Some(Bank { bank, bytes: s.size() }),
        _ => None,
    };
    let mut out: Vec<Bank> = cubin.sections.iter().filter_map(bank).collect();
    out.sort_by_key(|b| std::cmp::Reverse(b.bank));
    out
}

fn functions(cubin: &Cubin) -> Vec<FunctionReport> {
    let local = |s: &'_ crate::model::Section| Some((s.name.strip_prefix(".nv.local.")?.to_owned(), s.size()));
    let local: BTreeMap<String, u64> = cubin.sections.iter().filter_map(local).collect();
    let report = |k: crate::view::Kernel<'_>| FunctionReport {
        name: k.name.to_owned(),
        entry: k.is_entry,
        registers: k.registers,
        barriers: k.barriers,
        frame: k.frame_size,
        stack: k.stack_size,
        shared: k.shared_size,
        local: local.get(k.name).copied().unwrap_or(0),
        banks: {
            let own = |b: &&crate::view::ConstBank<'_>| {
                constant_section(&cubin.sections[b.section as usize].name).is_some_and(|c| c.1.is_some())
            };
            let own = k.const_banks.iter().rev().filter(own);
            own.map(|b| Bank { bank: b.bank, bytes: cubin.sections[b.section as usize].size() }).collect()
        },
        code: k.code.len() as u64,
        params: k.params.iter().map(|p| (p.offset, p.size)).collect(),
        attributes: {
            let name = format!(".nv.info.{}", k.name);
            k.attributes.iter().map(|a| attribute(cubin, &name, a)).collect()
        },
    };
    cubin.functions().into_iter().map(report).collect()
}

fn attributes(cubin: &Cubin, name: &str, payload: &Payload) -> Vec<AttributeReport> {
    let Payload::Attributes(list) = payload else { return Vec::new() };
    list.iter().map(|a| attribute(cubin, name, a)).collect()
}

fn attribute(cubin: &Cubin, section: &str, a: &Attribute) -> AttributeReport {
    let symbol = |i: u32| cubin.symbols.get(i as usize).map_or_else(|| format!("#{i}"), |s| s.name.clone());
    let words = |w: &[u32]| w.iter().map(|w| format!("{w:#x}")).collect::<Vec<_>>().join(" ");
    let value = match &a.value {
        Value::Mark(_) => String::new(),
        Value::Byte(b, _) => format!("{b:#x}"),
        Value::Half(h) => format!("{h:#x}"),
        Value::Words(w) => words(w),
        Value::SymbolWord { symbol: s, value } => format!("{} {value:#x}", symbol(*s)),
        Value::Symbols(s) => s.iter().map(|&s| symbol(s)).collect::<Vec<_>>().join(" "),
        Value::ParamBank { symbol: s, offset, size } => format!("{} {offset:#x} {size:#x}", symbol(*s)),
        Value::Param(p) | Value::ParamV2(p) => {
            let rest = [(" align 2^", p.log_align), (" space ", p.space)].into_iter().filter(|(_, n)| *n != 0);
            let rest: String = rest.map(|(what, n)| format!("{what}{n}")).collect();
            format!("ordinal {} offset {:#x} size {:#x}{rest}", p.ordinal, p.offset, p.size)
        }
        Value::Bytes(b) => b.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" "),
    };
    let name = if section == ".nv.compat" { info::compat_name(a.code) } else { info::name(a.code) };
    AttributeReport { section: section.to_owned(), code: a.code, name, value }
}

fn section_kind(kind: u32) -> String {
    let name = match kind {
        sht::NULL => "NULL",
        sht::PROGBITS => "PROGBITS",
        sht::SYMTAB => "SYMTAB",
        sht::STRTAB => "STRTAB",
        sht::RELA => "RELA",
        sht::NOTE => "NOTE",
        sht::NOBITS => "NOBITS",
        sht::REL => "REL",
        sht::CUDA_INFO => "CUDA_INFO",
        sht::CUDA_CALLGRAPH => "CUDA_CALLGRAPH",
        sht::CUDA_PROTOTYPE => "CUDA_PROTOTYPE",
        sht::CUDA_GLOBAL => "CUDA_GLOBAL",
        sht::CUDA_GLOBAL_INIT => "CUDA_GLOBAL_INIT",
        sht::CUDA_SHARED => "CUDA_SHARED",
        sht::CUDA_RELOCINFO => "CUDA_RELOCINFO",
        sht::CUDA_COMPAT => "CUDA_COMPAT_INFO",
        bank if (sht::CUDA_CONSTANT_B0..sht::CUDA_CONSTANT_B0 + 18).contains(&bank) => {
            return format!("CUDA_CONSTANT_B{}", bank - sht::CUDA_CONSTANT_B0);
        }
        other => return format!("{other:#x}"),
    };
    name.to_owned()
}

fn sections(cubin: &Cubin) -> Vec<SectionReport> {
    let report = |s: &crate::model::Section| SectionReport {
        name: s.name.clone(),
        kind: section_kind(s.kind),
        contents: opaque::contents(s),
        flags: s.flags,
        offset: s.offset,
        size: if s.kind == sht::SYMTAB { 24 * cubin.symbols.len() as u64 } else { s.size() },
        align: s.align,
        link: s.link,
        info: s.info,
        entry_size: s.entry_size,
    };
    cubin.sections.iter().skip(1).map(report).collect()
}

fn pairs(s: &crate::model::Section) -> impl Iterator<Item = PairReport> + '_ {
    let list: &[[u32; 2]] = if let Payload::Pairs(list) = &s.payload { list } else { &[] };
    list.iter().map(|&words| PairReport { section: s.name.clone(), words })
}

fn segment(s: &crate::model::Segment) -> SegmentReport {
    let &crate::model::Segment { kind, flags, offset, file_size, memory_size, align, .. } = s;
    SegmentReport { kind, flags, offset, file_size, memory_size, align }
}

fn symbol(cubin: &Cubin, index: usize, s: &crate::model::Symbol) -> SymbolReport {
    let named = |names: &[&str], value: u8| {
        names.get(usize::from(value)).map_or_else(|| value.to_string(), |n| (*n).to_owned())
    };
    let place = match s.place {
        SymbolPlace::Undefined => "undefined".to_owned(),
        SymbolPlace::Section(i) => cubin.sections.get(i as usize).map_or_else(|| format!("#{i}"), |s| s.name.clone()),
        SymbolPlace::Reserved(n) => format!("{n:#x}"),
    };
    let kind = if s.kind == crate::elf::st::CUDA_OBJECT {
        "variable".to_owned()
    } else {
        named(&["none", "object", "function", "section"], s.kind)
    };
    SymbolReport {
        index,
        name: s.name.clone(),
        binding: named(&["local", "global", "weak"], s.binding),
        kind,
        place,
        value: s.value,
        size: s.size,
        other: s.other,
    }
}

fn relocations(cubin: &Cubin) -> Vec<RelocationReport> {
    let mut out = Vec::new();
    for s in &cubin.sections {
        let Payload::Relocations(list) = &s.payload else { continue };
        let section = cubin.sections.get(s.info as usize).map_or("?", |s| &s.name);
        out.extend(list.iter().map(|r| RelocationReport {
            section: section.to_owned(),
            offset: r.offset,
            kind: RelocType::by_number(r.number).map_or_else(|| r.number.to_string(), |t| t.name.to_owned()),
            symbol: cubin.symbols.get(r.symbol as usize).map_or_else(|| format!("#{}", r.symbol), |s| s.name.clone()),
            addend: r.addend,
        }));
    }
    out
}
