//! The sections of the output, in nvlink 13.0.88's order: their contents, and the places of input
//! sections in them.
//!
//! Contents are not copied here: a section is a list of parts of inputs with offsets, and is read
//! when it is written.

use std::borrow::Cow;

use raddle_cubin::elf::{align_up, shf, sht};
use raddle_entity::FxHashMap;

use super::banks::Banks;
use super::graph::Graph;
use super::problem::Problem;
use super::read::NONE;
use super::resolve::{Class, FunctionId, Program, Role, State, SymbolId, role};
use crate::BANK_BYTES;

/// The most bytes of zeroed memory in a program: no device has more addresses.
const GLOBAL_BYTES: u64 = 1 << 47;

/// Number of a section of the output.
pub(crate) type OutputSectionId = u32;

/// A part of an input in a section of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub object: u32,
    pub section: u32,
    /// Offset in the section of the output.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
}

/// The content of a section.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// The null section.
    Null,
    /// Bytes generated here.
    Made(Vec<u8>),
    /// Memory without bytes in the file.
    Reserve(u64),
    /// Parts of inputs in ascending order, with zeros between them, and the total size.
    Parts(Vec<Part>, u64),
    /// Relocations of parts: `section` is the relocation section, `base` is added to its offsets,
    /// `size` is the bytes kept.
    Relocations(Vec<Part>, u64),
}

/// A section of the output.
#[derive(Clone, Debug)]
pub(crate) struct Out<'a> {
    pub name: Cow<'a, str>,
    pub kind: u32,
    pub flags: u64,
    pub link: u32,
    pub info: u32,
    pub align: u64,
    pub entry_size: u64,
    pub content: Content,
    /// Offset in the file.
    pub offset: u64,
}

impl Out<'_> {
    /// Size in memory or file, in bytes.
    pub fn size(&self) -> u64 {
        match &self.content {
            Content::Null => 0,
            Content::Made(bytes) => bytes.len() as u64,
            Content::Reserve(n) | Content::Parts(_, n) | Content::Relocations(_, n) => *n,
        }
    }

    pub fn is_reserve(&self) -> bool {
        matches!(self.content, Content::Reserve(_))
    }
}

/// Fixed sections, filled in after symbols have been numbered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fixed {
    pub symtab: OutputSectionId,
    pub strtab: OutputSectionId,
    pub shstrtab: OutputSectionId,
    pub tool: OutputSectionId,
    pub cuda: OutputSectionId,
    pub info: OutputSectionId,
    pub compat: Option<OutputSectionId>,
    pub callgraph: OutputSectionId,
    pub prototype: Option<OutputSectionId>,
    pub action: Option<OutputSectionId>,
}

/// The sections of the output.
#[derive(Debug)]
pub(crate) struct Sections<'a> {
    pub list: Vec<Out<'a>>,
    pub fixed: Fixed,
    /// The place of each section of each object: output section and offset; [`NONE`] if it has
    /// none.
    pub placements: Vec<Vec<(OutputSectionId, u64)>>,
    /// Per function: its code, its `.nv.info`, its `.nv.shared`.
    pub text: Vec<OutputSectionId>,
    pub infos: Vec<OutputSectionId>,
    pub shared: Vec<OutputSectionId>,
    /// Per function: the section of bank 0.
    pub bank0: Vec<OutputSectionId>,
    /// Relocations of the banks 0 with words of textures, with their kernels.
    pub bound: Vec<(OutputSectionId, FunctionId)>,
    /// Common symbols with their offsets in `.nv.global`.
    pub commons: FxHashMap<SymbolId, u64>,
    /// `.nv.global`.
    pub global: OutputSectionId,
    /// Sections of bank 2 with their kernels.
    pub bank2_of: Vec<(OutputSectionId, FunctionId)>,
    /// Numbers of sections by name, for bank 2.
    bank2_names: FxHashMap<String, OutputSectionId>,
}

impl<'a> Sections<'a> {
    /// Creates the list with the null section.
    pub fn new(program: &Program<'a>) -> Sections<'a> {
        let functions = program.functions.len();
        let mut out = Sections {
            list: Vec::new(),
            fixed: Fixed::default(),
            placements: program.objects.iter().map(|o| vec![(NONE, 0); o.raw.sections.len()]).collect(),
            text: vec![NONE; functions],
            infos: vec![NONE; functions],
            shared: vec![NONE; functions],
            bank0: vec![NONE; functions],
            bound: Vec::new(),
            commons: FxHashMap::default(),
            global: NONE,
            bank2_of: Vec::new(),
            bank2_names: FxHashMap::default(),
        };
        out.push("", sht::NULL, 0, 0, Content::Null);
        out
    }

    /// Adds the tables at the start: names and symbols, debug information, notes, attributes of the
    /// program and of the functions `live`, the call graph.
    pub fn tables(&mut self, program: &Program<'a>, live: &[FunctionId], hopper: bool) {
        let made = || Content::Made(Vec::new());
        self.fixed.shstrtab = self.push(".shstrtab", sht::STRTAB, 0, 1, made());
        self.fixed.strtab = self.push(".strtab", sht::STRTAB, 0, 1, made());
        self.fixed.symtab = self.push(".symtab", sht::SYMTAB, 0, 8, made());
        for m in merge(program, Kinds::AsInput, |role| role == Role::Debug) {
            self.put(m, 0);
        }
        self.fixed.tool = self.push(".note.nv.tkinfo", sht::NOTE, shf::NV_TKINFO, 4, made());
        self.fixed.cuda = self.push(".note.nv.cuinfo", sht::NOTE, shf::NV_CUINFO, 4, made());
        self.fixed.info = self.push(".nv.info", sht::CUDA_INFO, 0, 4, made());
        if hopper {
            self.fixed.compat = Some(self.push(".nv.compat", sht::CUDA_COMPAT, 0, 4, made()));
        }
        for &f in live {
            let object = &program.objects[program.functions[f as usize].object as usize];
            if let Some(section) = object.raw.sections.get(program.function(f).info as usize) {
                self.infos[f as usize] = self.push(section.name, sht::CUDA_INFO, shf::INFO_LINK, 4, made());
            }
        }
        self.fixed.callgraph = self.push(".nv.callgraph", sht::CUDA_CALLGRAPH, 0, 4, made());
        let with_types = |o: &super::read::Object<'_>| o.raw.sections.iter().any(|s| s.kind == sht::CUDA_PROTOTYPE);
        if program.objects.iter().any(with_types) {
            self.fixed.prototype = Some(self.push(".nv.prototype", sht::CUDA_PROTOTYPE, 0, 4, made()));
        }
    }

    fn push(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        kind: u32,
        flags: u64,
        align: u64,
        content: Content,
    ) -> OutputSectionId {
        let out = Out { name: name.into(), kind, flags, link: 0, info: 0, align, entry_size: 0, content, offset: 0 };
        self.list.push(out);
        self.list.len() as u32 - 1
    }

    /// Appends a section.
    pub fn add(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        kind: u32,
        flags: u64,
        align: u64,
        content: Content,
    ) -> OutputSectionId {
        self.push(name, kind, flags, align, content)
    }

    /// The section of bank 2 with this name.
    pub fn number(&self, name: &str) -> Option<OutputSectionId> {
        self.bank2_names.get(name).copied()
    }

    /// The place of a defined variable: section and offset.
    pub fn variable(&self, program: &Program<'a>, symbol: SymbolId) -> Option<(OutputSectionId, u64)> {
        let s = &program.symbols[symbol as usize];
        if s.state == State::Common {
            return self.commons.get(&symbol).map(|&offset| (self.global, offset));
        }
        let &(out, base) = self.placements[s.object as usize].get(s.section as usize)?;
        (out != NONE).then(|| (out, base.wrapping_add(s.value)))
    }
}

/// Types of merged sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kinds {
    /// The types in executables: `SHT_PROGBITS` or `SHT_NOBITS`.
    Plain,
    /// The types in the inputs.
    AsInput,
}

/// Sections of one role and name, merged.
pub(crate) struct Merged<'a> {
    name: &'a str,
    kind: u32,
    flags: u64,
    align: u64,
    parts: Vec<Part>,
    size: u64,
    reserve: bool,
}

/// Merges sections of the selected roles, by name.
pub(crate) fn merge<'a>(program: &Program<'a>, kinds: Kinds, wanted: impl Fn(Role) -> bool) -> Vec<Merged<'a>> {
    let mut out: Vec<Merged<'a>> = Vec::new();
    let mut numbers: FxHashMap<(&str, bool), usize> = FxHashMap::default();
    for (object, this) in program.objects.iter().enumerate() {
        for (index, s) in this.raw.sections.iter().enumerate() {
            if !wanted(role(s)) {
                continue;
            }
            let reserve = s.kind == sht::CUDA_GLOBAL;
            let at = *numbers.entry((s.name, reserve)).or_insert_with(|| {
                let kind = match kinds {
                    Kinds::AsInput => s.kind,
                    Kinds::Plain if reserve => sht::NOBITS,
                    Kinds::Plain => sht::PROGBITS,
                };
                out.push(Merged { name: s.name, kind, flags: s.flags, align: 1, parts: Vec::new(), size: 0, reserve });
                out.len() - 1
            });
            let m = &mut out[at];
            let size = if reserve { s.size } else { s.bytes.len() as u64 };
            let base = align_up(m.size, s.align).unwrap_or(u64::MAX);
            m.align = m.align.max(s.align);
            m.parts.push(Part { object: object as u32, section: index as u32, base, size });
            m.size = base.saturating_add(size);
        }
    }
    out
}

/// Lists the sections.
pub(crate) fn run<'a>(
    program: &Program<'a>,
    graph: &Graph<'a>,
    banks: &Banks,
    hopper: bool,
    shared_base: u64,
) -> Result<Sections<'a>, Vec<Problem>> {
    let mut s = Sections::new(program);
    let all: Vec<FunctionId> = (0..program.functions.len() as u32).filter(|&f| graph.live[f as usize]).collect();
    let live = || all.iter().copied();
    let mut problems = Vec::new();
    s.tables(program, &all, hopper);
    s.fixed.action = Some(s.push(".nv.rel.action", sht::CUDA_RELOCINFO, 0, 8, Content::Made(Vec::new())));
    // Relocation sections are inserted before what follows once it is known which relocations are
    // kept.
    s.bank2(program, banks);
    for m in merge(program, Kinds::Plain, |role| matches!(role, Role::Bank(_))) {
        if m.size > BANK_BYTES {
            let bank = m.name.trim_start_matches(".nv.constant").to_owned();
            let what = if bank == "3" { "constant memory" } else { "constant memory in a bank of the compiler" };
            problems.push(Problem::TooMuch { user: "the program".into(), what, size: m.size, limit: BANK_BYTES });
        }
        s.put(m, shf::ALLOC);
    }
    for f in live() {
        let object = program.functions[f as usize].object;
        let number = program.function(f).constants[0];
        if let Some(section) = program.objects[object as usize].raw.sections.get(number as usize) {
            let out = s.one(section, object, number, shf::ALLOC | shf::INFO_LINK);
            s.bank0[f as usize] = out;
            if let Content::Parts(_, size) = &mut s.list[out as usize].content {
                *size = banks.bound.bank_size(f, *size);
            }
        }
    }
    for f in live() {
        let object = program.functions[f as usize].object;
        let number = program.function(f).text;
        let section = &program.objects[object as usize].raw.sections[number as usize];
        s.text[f as usize] = s.one(section, object, number, shf::ALLOC | shf::EXEC);
    }
    s.globals(program);
    if let Some(size) = s.list.get(s.global as usize).map(Out::size).filter(|&size| size > GLOBAL_BYTES) {
        let user = "the program".into();
        problems.push(Problem::TooMuch { user, what: "global memory", size, limit: GLOBAL_BYTES });
    }
    for (kernel, &f) in banks.kernels.iter().enumerate() {
        let super::banks::Shared { size, used } = banks.shared[kernel];
        if used {
            let name = format!(".nv.shared.{}", program.function_name(f));
            let content = Content::Reserve(size + shared_base);
            let flags = shf::ALLOC | shf::WRITE | shf::INFO_LINK;
            s.shared[f as usize] = s.push(name, sht::NOBITS, flags, banks.shared_align, content);
        }
    }
    if problems.is_empty() { Ok(s) } else { Err(problems) }
}

impl<'a> Sections<'a> {
    /// Adds a section; if `flags` is 0, with the flags of the inputs.
    pub fn put(&mut self, m: Merged<'a>, flags: u64) -> OutputSectionId {
        let number = self.list.len() as u32;
        for part in &m.parts {
            self.placements[part.object as usize][part.section as usize] = (number, part.base);
        }
        let content = if m.reserve { Content::Reserve(m.size) } else { Content::Parts(m.parts, m.size) };
        self.push(m.name, m.kind, if flags == 0 { m.flags } else { flags }, m.align, content)
    }

    /// A section of one part.
    fn one(
        &mut self,
        section: &raddle_cubin::raw::Section<'a>,
        object: u32,
        number: u32,
        flags: u64,
    ) -> OutputSectionId {
        let size = section.bytes.len() as u64;
        let part = Part { object, section: number, base: 0, size };
        let out = self.push(section.name, sht::PROGBITS, flags, section.align, Content::Parts(vec![part], size));
        self.placements[object as usize][number as usize] = (out, 0);
        out
    }

    /// Adds the bank 2 of each kernel with those of the functions it reaches.
    fn bank2(&mut self, program: &Program<'a>, banks: &Banks) {
        for (kernel, &f) in banks.kernels.iter().enumerate() {
            let bank = &banks.bank2[kernel];
            if bank.parts.is_empty() {
                continue;
            }
            let mut align = 1;
            let parts = bank.parts.iter().map(|&(g, base)| {
                let object = program.functions[g as usize].object;
                let section = program.function(g).constants[1];
                let raw = program.objects[object as usize].raw.sections[section as usize];
                align = align.max(raw.align);
                Part { object, section, base, size: raw.bytes.len() as u64 }
            });
            let content = Content::Parts(parts.collect(), bank.size);
            let name = format!(".nv.constant2.{}", program.function_name(f));
            let out = self.push(name.clone(), sht::PROGBITS, shf::ALLOC | shf::INFO_LINK, align, content);
            self.bank2_of.push((out, f));
            self.bank2_names.insert(name, out);
            for &(g, base) in &bank.parts {
                let object = program.functions[g as usize].object as usize;
                self.placements[object][program.function(g).constants[1] as usize] = (out, base);
            }
        }
    }

    /// Adds global memory: initialised, then zeroed, followed by common symbols.
    fn globals(&mut self, program: &Program<'a>) {
        let mut zeroed: Option<Merged<'a>> = None;
        for m in merge(program, Kinds::Plain, |role| role == Role::Global) {
            let other = if m.reserve { zeroed.replace(m) } else { Some(m) };
            if let Some(m) = other {
                self.put(m, shf::ALLOC | shf::WRITE);
            }
        }
        let mut commons: Vec<SymbolId> = (0..program.symbols.len() as u32)
            .filter(|&i| {
                let s = &program.symbols[i as usize];
                s.state == State::Common && s.class == Class::Global
            })
            .collect();
        commons.sort_by_key(|&i| program.symbols[i as usize].name);
        if zeroed.is_none() && commons.is_empty() {
            return;
        }
        let empty = Vec::new();
        let mut m = zeroed.unwrap_or(Merged {
            name: ".nv.global",
            kind: sht::NOBITS,
            flags: 0,
            align: 1,
            parts: empty,
            size: 0,
            reserve: true,
        });
        for symbol in commons {
            let s = &program.symbols[symbol as usize];
            let at = align_up(m.size, s.align).unwrap_or(u64::MAX);
            self.commons.insert(symbol, at);
            m.align = m.align.max(s.align);
            m.size = at.saturating_add(s.size);
        }
        self.global = self.put(m, shf::ALLOC | shf::WRITE);
    }
}
