//! Links relocatable cubins to one executable cubin, as `nvlink` does.
//!
//! [`crate::finalize`] makes an executable of our own units and copies device functions' code into
//! kernels' sections, as ptxas does for a whole program. Here the inputs are finished sections of
//! any compiler, possibly hundreds of megabytes, so they are neither decoded nor copied: every step
//! works on tables that borrow from the inputs.
//!
//! | step | file | result |
//! |---|---|---|
//! | read | `read.rs`, `features.rs` | each section belongs to a function or has a role |
//! | resolve | `resolve.rs` | every symbol has one definition; unused members of libraries are dropped |
//! | plan | `executable.rs` or `partial.rs` | live symbols, resources, output sections |
//! | count | here, `relocs.rs` | every relocation has an outcome; all problems are listed |
//! | tables | the same, `tables.rs`, `inherited.rs` | symbols, attributes and call graph exist |
//! | write | `write.rs` | bytes, in chunks |
//!
//! Only *plan* and *tables* depend on whether the output is an executable or relocatable. The plan
//! of an executable has three parts: the call graph (`graph.rs`: what no kernel reaches is dead;
//! registers, barriers and stack of each kernel), the banks (`banks.rs`: offsets of variables in
//! shared memory and of parts of bank 2) and the places (`output_sections.rs`: the sections of the
//! output).
//!
//! `data.rs` optionally removes unreachable variables from the objects before all of this.
//!
//! Invariants: the output depends only on the contents of the inputs and the options, not on their
//! order (except for weak definitions of one name, of which the first counts), nor on names,
//! threads or time. Nothing recurses on the input.

mod banks;
mod bound;
mod data;
mod executable;
mod features;
mod graph;
mod inherited;
mod inspect;
mod output_sections;
mod partial;
mod plan;
mod problem;
mod read;
mod relocs;
mod resolve;
mod tables;
mod write;

use std::collections::BTreeMap;
use std::io;

use raddle_cubin::elf::{SYM_SIZE, shf, sht};
use raddle_cubin::model::Kind;
use raddle_entity::{Executor, map};
use raddle_target::{Isa, Native, TARGETS, Target, Variant};

use banks::Banks;
pub use data::{Stripped, strip};
use features::Features;
use graph::Usage;
pub use inspect::{KernelUsage, Placed};
use output_sections::{Content, OutputSectionId, Part, Sections};
use plan::{Plan, Tables};
pub use problem::{Problem, Use, Warning};
pub use read::Input;
use read::NONE;
use relocs::{Context, Outcome};
use resolve::{Program, SymbolId};
use tables::{AttributeInputs, Symbols};
pub use write::Sink;

use crate::notes;
use crate::options::ToolNote;

/// Options of a link.
#[derive(Clone, Copy, Debug)]
pub struct LinkOptions<'o> {
    /// The architecture; that of the first input when `None`.
    pub target: Option<&'static Target>,
    /// Keep functions that no kernel reaches.
    pub keep_all: bool,
    /// Make an empty program for the target if there are no objects, which is a problem otherwise.
    pub may_be_empty: bool,
    /// Make a relocatable object instead of an executable. Everything is kept, and symbols may stay
    /// undefined.
    pub relocatable: bool,
    /// Sections `.nv.shared.NAME` of kernels are memory that their code has placed itself, from
    /// offset 0 ([`crate::with_executable_kernels`]). Otherwise they only hold the variables that a
    /// linker places.
    pub preplaced_shared: bool,
    /// The original name of a variable of a split module, which it gets again in an executable, as
    /// a private symbol: merging units restores the module that they were split from (SPLIT-6).
    /// `None` for all other names.
    pub original: fn(&str) -> Option<&str>,
    /// Symbols that are local in the output, whatever their binding in the inputs: sorted names.
    pub locals: &'o [String],
    /// The toolkit note.
    pub tool: ToolNote<'o>,
}

impl Default for LinkOptions<'_> {
    fn default() -> Self {
        let tool = ToolNote {
            name: "raddle",
            version: concat!("Raddle ", env!("CARGO_PKG_VERSION")),
            build: "",
            arguments: "",
        };
        LinkOptions {
            target: None,
            keep_all: false,
            may_be_empty: false,
            relocatable: false,
            preplaced_shared: false,
            original: |_| None,
            locals: &[],
            tool,
        }
    }
}

/// A linked program that can be written.
#[derive(Debug)]
pub struct Linked<'a> {
    program: Program<'a>,
    plan: Plan<'a>,
    numbers: Numbers,
    file: write::File,
    /// Warnings about the link.
    pub warnings: Vec<Warning>,
}

/// The rest of the symbol table once its bytes are in their section.
type Numbers = Symbols<'static>;

/// Links relocatable cubins.
///
/// # Errors
/// Every [`Problem`] of the step that found any, in an order that does not depend on threads.
pub fn link<'a>(
    inputs: &[Input<'a>],
    options: &LinkOptions<'_>,
    executor: &dyn Executor,
) -> Result<Linked<'a>, Vec<Problem>> {
    let objects = read::all(inputs, options.target, executor)?;
    let empty = options.target.filter(|_| options.may_be_empty).map(|target| target.sm);
    let sm = objects.first().map(|object| object.raw.header.sm()).or(empty).ok_or_else(|| vec![Problem::Nothing])?;
    let target = options.target.or_else(|| target_of(sm));
    let native = target.and_then(|t| t.native.as_ref());
    let native = native.ok_or_else(|| {
        let object = objects.first().map_or("", |o| o.name).to_owned();
        vec![Problem::Finalizer { object, sm }]
    })?;
    let mut program = resolve::run(objects)?;
    program.make_local(options.locals);
    let mut plan = if options.relocatable {
        partial::plan(&program, native, executor)?
    } else {
        program.restore(options.original);
        executable::plan(&program, native, options.keep_all, options.preplaced_shared, executor)?
    };
    let kept = count(plan.context(&program), executor)?;
    add_relocations(&program, &plan.banks, &mut plan.sections, &kept);
    add_bound(&plan.banks, &mut plan.sections);
    let names: Vec<_> = plan.sections.list.iter().map(|s| s.name.clone()).collect();
    let tables = match plan.kind {
        Kind::Relocatable => partial::tables(&program, &plan, &names),
        Kind::Executable => executable::tables(&program, &plan, &names),
    };
    let numbers = finish(&program, &mut plan, tables.map_err(|p| vec![p])?, options, (native, sm), executor)?;
    let flags = native.eflags & 0x00ff_ffff | plan.sections.fixed.cuda << 24;
    let file = write::lay_out(&mut plan.sections.list, plan.sections.fixed.shstrtab, flags, plan.kind);
    let warnings = std::mem::take(&mut plan.warnings);
    Ok(Linked { program, plan, numbers, file, warnings })
}

/// Puts the tables into their sections; returns the numbers of symbols.
fn finish<'a>(
    program: &Program<'a>,
    plan: &mut Plan<'a>,
    tables: Tables<'_>,
    options: &LinkOptions<'_>,
    (native, sm): (&Native, u16),
    executor: &dyn Executor,
) -> Result<Numbers, Vec<Problem>> {
    let Tables { mut symbols, callgraph, prototypes, info, externs } = tables;
    // In a relocatable output each function keeps its own attributes.
    let features = inherited::features(program, &plan.graph, &plan.banks.kernels);
    let sections = &mut plan.sections;
    function_infos(program, sections, &symbols, (&plan.usage, &features), &externs, executor)?;
    let (fixed, bound) = (sections.fixed, sections.bound.clone());
    let mut made = |section: OutputSectionId, bytes: Vec<u8>, link: u32, entry_size: u64| {
        let s = &mut sections.list[section as usize];
        (s.content, s.link, s.entry_size) = (Content::Made(bytes), link, entry_size);
    };
    let numbers = Symbols::finish(&mut symbols);
    made(fixed.symtab, std::mem::take(&mut symbols.bytes), fixed.strtab, SYM_SIZE as u64);
    made(fixed.strtab, std::mem::take(&mut symbols.strings.bytes), 0, 0);
    made(fixed.tool, tool_notes(program, &options.tool), 0, 0);
    made(fixed.cuda, notes::cuda(virtual_sm(program, sm)), fixed.tool, 0);
    made(fixed.info, info, fixed.symtab, 0);
    made(fixed.callgraph, callgraph, fixed.symtab, 8);
    for (section, kernel) in bound {
        let words = plan.banks.bound.relocations(program, kernel).into_iter().flat_map(|(offset, number, symbol)| {
            let symbol = numbers.number(relocs::Target::Symbol(symbol)).unwrap_or(0);
            [offset, u64::from(symbol) << 32 | u64::from(number)]
        });
        made(section, words.flat_map(u64::to_le_bytes).collect(), fixed.symtab, 16);
    }
    if let Some(action) = fixed.action {
        made(action, notes::RELOC_ACTION.to_vec(), 0, 8);
    }
    if let Some(prototype) = fixed.prototype {
        made(prototype, prototypes, fixed.symtab, 8);
    }
    if let Some(compat) = fixed.compat {
        let accelerated = options.target.map(|t| t.variant != Variant::Base);
        made(compat, compat_attributes(program, accelerated), 0, 0);
        let cuda = &mut sections.list[fixed.cuda as usize];
        (cuda.flags, cuda.info) = (cuda.flags | shf::INFO_LINK, compat);
    }
    sections.list[fixed.symtab as usize].info = symbols.first_global;
    if !symbols.wide.is_empty() {
        let content = Content::Made(std::mem::take(&mut symbols.wide));
        let number = sections.add(".symtab_shndx", sht::SYMTAB_SHNDX, 0, 4, content);
        let s = &mut sections.list[number as usize];
        (s.link, s.entry_size) = (fixed.symtab, 4);
    }
    headers(program, sections, &numbers, &plan.usage, native.isa < Isa::Sm90);
    Ok(numbers)
}

impl<'a> Linked<'a> {
    fn context(&self) -> Context<'_, 'a> {
        self.plan.context(&self.program)
    }

    /// Size of the output in bytes.
    pub fn size(&self) -> u64 {
        self.file.size
    }

    /// Writes the output.
    ///
    /// # Errors
    /// The error of `sink`.
    pub fn write(&self, sink: &dyn Sink, executor: &dyn Executor) -> io::Result<()> {
        self.file.write(self.context(), &self.numbers, sink, executor)
    }

    /// Returns the output in memory.
    pub fn bytes(&self, executor: &dyn Executor) -> Vec<u8> {
        self.file.bytes(self.context(), &self.numbers, executor)
    }
}

/// The target with this SM number, base variant.
fn target_of(sm: u16) -> Option<&'static Target> {
    TARGETS.iter().find(|t| t.sm == sm && t.native.is_some() && t.variant == Variant::Base)
}

/// The relocations of a section that are kept.
#[derive(Clone, Copy)]
struct KeptRelocations {
    /// The relocation section.
    section: u32,
    count: u64,
    /// Whether any of them has an addend.
    addends: bool,
}

/// The outcomes of an object's relocations.
struct Counted {
    kept: Vec<KeptRelocations>,
    problems: Vec<Problem>,
    /// Symbol, section with the use, offset.
    undefined: Vec<(SymbolId, u32, u64)>,
}

/// Determines the outcome of every relocation in live sections. The result is by object.
fn count(context: Context<'_, '_>, executor: &dyn Executor) -> Result<Vec<Vec<KeptRelocations>>, Vec<Problem>> {
    /// The most problems listed for one object.
    const MOST: usize = 100;
    /// The most undefined symbols shown in detail.
    const DETAILED: usize = 10;
    let program = context.program;
    let counted = map(program.objects.len(), executor, |object| {
        let this = &program.objects[object];
        let mut out = Counted { kept: Vec::new(), problems: Vec::new(), undefined: Vec::new() };
        for &(section, target) in &this.relocations {
            if context.sections.placements[object][target as usize].0 == NONE {
                continue;
            }
            let size = this.raw.sections[target as usize].bytes.len();
            let with_addends = this.raw.sections[section as usize].kind == sht::RELA;
            let mut kept = KeptRelocations { section, count: 0, addends: with_addends };
            for r in this.raw.relocations(section) {
                let outcome = context.outcome(object as u32, target, &r);
                let in_place = matches!(outcome, Ok(Outcome::Fill(..) | Outcome::Clear | Outcome::Keep(..)));
                if in_place && !write::fits(&r, size) && out.problems.len() < MOST {
                    let why = "is outside its section";
                    out.problems.push(graph::relocation(program, object as u32, target, &r, "a symbol", why));
                    continue;
                }
                match outcome {
                    Ok(Outcome::Keep(.., addend)) => {
                        kept.count += 1;
                        kept.addends |= addend != 0;
                    }
                    Ok(Outcome::Undefined(symbol)) => out.undefined.push((symbol, target, r.offset)),
                    Ok(_) => {}
                    Err(problem) if out.problems.len() < MOST => out.problems.push(problem),
                    Err(_) => {}
                }
            }
            out.kept.push(kept);
        }
        out
    });
    let mut problems = Vec::new();
    let mut undefined: BTreeMap<SymbolId, Vec<(u32, u32, u64)>> = BTreeMap::new();
    let mut kept = Vec::with_capacity(counted.len());
    for (object, c) in counted.into_iter().enumerate() {
        problems.extend(c.problems);
        for (symbol, section, offset) in c.undefined {
            undefined.entry(symbol).or_default().push((object as u32, section, offset));
        }
        kept.push(c.kept);
    }
    for (number, (symbol, uses)) in undefined.into_iter().enumerate() {
        problems.push(inspect::undefined(program, symbol, &uses, number < DETAILED));
    }
    if problems.is_empty() { Ok(kept) } else { Err(problems) }
}

/// Adds sections for the relocations that are kept.
fn add_relocations(program: &Program<'_>, banks: &Banks, sections: &mut Sections<'_>, kept: &[Vec<KeptRelocations>]) {
    let mut lists: BTreeMap<(OutputSectionId, u32), Vec<Part>> = BTreeMap::new();
    for (object, sections_kept) in kept.iter().enumerate() {
        let this = &program.objects[object];
        for &KeptRelocations { section, count, addends } in sections_kept.iter().filter(|k| k.count > 0) {
            let raw = &this.raw.sections[section as usize];
            let (out, base) = sections.placements[object][raw.info as usize];
            let (kind, entry) = if addends { (sht::RELA, 24) } else { (sht::REL, 16) };
            let part = Part { object: object as u32, section, base, size: count * entry };
            // A function's part of bank 2 is in the bank of every kernel that reaches it.
            let owner = this.owner[raw.info as usize];
            let in_bank2 = owner != NONE && this.functions[owner as usize].constants[1] == raw.info;
            if in_bank2 && !banks.kernels.is_empty() {
                let f = program.first[object] + owner;
                for (kernel, bank) in banks.kernels.iter().zip(&banks.bank2) {
                    for &(_, base) in bank.parts.iter().filter(|p| p.0 == f) {
                        let name = format!(".nv.constant2.{}", program.function_name(*kernel));
                        if let Some(out) = sections.number(&name) {
                            lists.entry((out, kind)).or_default().push(Part { base, ..part });
                        }
                    }
                }
            } else {
                lists.entry((out, kind)).or_default().push(part);
            }
        }
    }
    for ((out, kind), mut parts) in lists {
        parts.sort_by_key(|p| p.base);
        // Most have one part.
        parts.shrink_to_fit();
        let size = parts.iter().map(|p| p.size).sum();
        let prefix = if kind == sht::RELA { ".rela" } else { ".rel" };
        let name = format!("{prefix}{}", sections.list[out as usize].name);
        let number = sections.add(name, kind, shf::INFO_LINK, 8, Content::Relocations(parts, size));
        let link = sections.fixed.symtab;
        let s = &mut sections.list[number as usize];
        (s.link, s.info, s.entry_size) = (link, out, if kind == sht::RELA { 24 } else { 16 });
    }
}

/// Adds relocations of the banks 0 that have words of textures; their bytes follow.
fn add_bound(banks: &Banks, sections: &mut Sections<'_>) {
    for &kernel in banks.bound.kernels() {
        let bank = sections.bank0[kernel as usize];
        if bank != NONE {
            let name = format!(".rel{}", sections.list[bank as usize].name);
            let number = sections.add(name, sht::REL, 0, 8, Content::Made(Vec::new()));
            sections.list[number as usize].info = bank;
            sections.bound.push((number, kernel));
        }
    }
}

fn function_infos(
    program: &Program<'_>,
    sections: &mut Sections<'_>,
    symbols: &Symbols<'_>,
    needs: (&[Usage], &[Features]),
    externs: &[Vec<SymbolId>],
    executor: &dyn Executor,
) -> Result<(), Vec<Problem>> {
    let facts = AttributeInputs { program, symbols, sections, usage: needs.0, features: needs.1 };
    let live: Vec<u32> = (0..program.functions.len() as u32).filter(|&f| sections.infos[f as usize] != NONE).collect();
    // Small pieces of work are not worth a thread each.
    let blocks: Vec<&[u32]> = live.chunks(256).collect();
    let made = map(blocks.len(), executor, |block| {
        let made = blocks[block].iter().map(|&f| tables::function_info(facts, f, &externs[f as usize]));
        made.collect::<Result<Vec<_>, Problem>>()
    });
    let mut problems = Vec::new();
    for (block, made) in blocks.iter().zip(made) {
        match made {
            Ok(made) => {
                for (&f, bytes) in block.iter().zip(made) {
                    let (number, text) = (sections.infos[f as usize], sections.text[f as usize]);
                    let link = sections.fixed.symtab;
                    let s = &mut sections.list[number as usize];
                    (s.content, s.link, s.info) = (Content::Made(bytes), link, text);
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Sets the links between sections, and the registers in the headers of code below sm_90.
fn headers(program: &Program<'_>, sections: &mut Sections<'_>, numbers: &Numbers, usage: &[Usage], registers: bool) {
    let symtab = sections.fixed.symtab;
    for f in 0..program.functions.len() as u32 {
        let text = sections.text[f as usize];
        if text == NONE {
            continue;
        }
        let function = program.function(f);
        let symbol = relocs::Target::Symbol(program.functions[f as usize].symbol);
        let mut info = numbers.number(symbol).unwrap_or(0);
        if registers {
            let count = if function.is_entry { usage[f as usize].registers } else { function.registers };
            info |= count << 24;
        }
        let s = &mut sections.list[text as usize];
        (s.link, s.info) = (symtab, info);
        for number in [sections.shared[f as usize], sections.bank0[f as usize]] {
            if number != NONE {
                sections.list[number as usize].info = text;
            }
        }
    }
    for number in 0..sections.bank2_of.len() {
        let (section, f) = sections.bank2_of[number];
        sections.list[section as usize].info = sections.text[f as usize];
    }
}

/// Our note, then each distinct one of the inputs.
fn tool_notes(program: &Program<'_>, tool: &ToolNote<'_>) -> Vec<u8> {
    let mut out = notes::toolkit(tool);
    let mut seen: std::collections::BTreeSet<&[u8]> = std::collections::BTreeSet::new();
    for object in &program.objects {
        for s in object.raw.sections.iter().filter(|s| s.kind == sht::NOTE && s.name == ".note.nv.tkinfo") {
            if seen.insert(s.bytes) {
                out.extend_from_slice(s.bytes);
                out.resize(out.len().next_multiple_of(4), 0);
            }
        }
    }
    out
}

/// The oldest PTX architecture of the inputs (nvlink 13.0.88 output).
fn virtual_sm(program: &Program<'_>, sm: u16) -> u16 {
    let notes = program.objects.iter().flat_map(|o| &o.raw.sections).filter(|s| s.name == ".note.nv.cuinfo");
    let said = notes.filter_map(|s| raddle_cubin::elf::u16_at(s.bytes, 26));
    said.chain(program.objects.iter().filter_map(|o| o.raw.header.virtual_sm())).min().unwrap_or(sm)
}

/// `.nv.compat`: the greatest value of each attribute, in the order of first appearance. The
/// attribute that objects can be finished quickly does not apply to executables (nvlink 13.0.88
/// output). Objects in the container of CUDA 12 have none: for them alone only whether the code is
/// architecture-specific is written, as given by the caller (`accelerated`) or else by them.
fn compat_attributes(program: &Program<'_>, accelerated: Option<bool>) -> Vec<u8> {
    let mut out: Vec<(u8, &[u8])> = Vec::new();
    for s in program.objects.iter().flat_map(|o| &o.raw.sections).filter(|s| s.kind == sht::CUDA_COMPAT) {
        for a in raddle_cubin::raw::attributes(s.bytes).flatten() {
            if a.code == raddle_cubin::info::compat::CAN_FASTPATH_FINALIZE {
                continue;
            }
            match out.iter_mut().find(|o| o.0 == a.code) {
                Some(o) if a.format == o.1[0] && a.value() > o.1.get(2..).unwrap_or(&[]) => o.1 = a.bytes,
                Some(_) => {}
                None => out.push((a.code, a.bytes)),
            }
        }
    }
    if out.is_empty() {
        let of_objects = || program.objects.iter().any(|o| o.raw.header.is_accelerated() == Some(true));
        let is = accelerated.unwrap_or_else(of_objects);
        return vec![2, raddle_cubin::info::compat::CUDA_ACCELERATOR_TARGET, is.into(), 0];
    }
    out.iter().flat_map(|o| o.1).copied().collect()
}
