//! Plans relocatable output: the objects combined into one object (`nvlink -r`, `ld -r`).
//!
//! Sections of functions stay separate, those of the program (variables, bank 3, debug information)
//! are merged, and every relocation is kept: its place moves with its section, and one to a section
//! gets the offset of that section's part as addend. Symbols are resolved as for an executable: of
//! several weak definitions one is kept, and common symbols of one name are merged, still without a
//! place. Only overridden definitions are removed: a later link may need the rest. Registers,
//! barriers and stack are those of each function alone, for the last link to combine.
//!
//! Invariant: linking the result gives an executable with the same facts as linking the objects at
//! once.

use std::borrow::Cow;

use raddle_cubin::elf::{SHN_COMMON, shf, sht, st};
use raddle_cubin::info::code;
use raddle_cubin::model::{Kind, Reloc, SymbolPlace};
use raddle_cubin::raw::attributes;
use raddle_cubin::reloc::{Action, RelocType};
use raddle_entity::Executor;
use raddle_target::{Isa, Native};

use super::banks::Banks;
use super::graph::{self, Graph, Usage, relocation};
use super::inherited;
use super::output_sections::{Content, Kinds, Part, Sections, merge};
use super::plan::{Plan, Tables};
use super::problem::Problem;
use super::read::NONE;
use super::relocs::{Context, Outcome, Target};
use super::resolve::{Class, Program, Role, State, SymbolId, role};
use super::tables::{self, Symbols};

/// Plans everything but relocations.
///
/// # Errors
/// A call graph that cannot be read.
pub(crate) fn plan<'a>(
    program: &Program<'a>,
    native: &Native,
    executor: &dyn Executor,
) -> Result<Plan<'a>, Vec<Problem>> {
    let graph = graph::build(program, true, executor)?;
    let sections = sections(program, &graph, native.isa >= Isa::Sm90);
    let (usage, banks, warnings) = (usage(program), Banks::none(), Vec::new());
    Ok(Plan { kind: Kind::Relocatable, graph, usage, banks, sections, decide: outcome, warnings })
}

/// Makes the tables; `names` are the names of the sections.
///
/// # Errors
/// Attributes that cannot be read.
pub(crate) fn tables<'a>(
    program: &Program<'a>,
    plan: &Plan<'a>,
    names: &'a [Cow<'a, str>],
) -> Result<Tables<'a>, Problem> {
    let Plan { graph, sections, .. } = plan;
    let mut symbols = Symbols::new(program, sections);
    all_symbols(&mut symbols, program, graph, sections, names);
    let (callgraph, prototypes) = tables::callgraph(program, graph, &mut symbols);
    let info = info(program, &symbols)?;
    let externs = inherited::listed(program)?;
    Ok(Tables { symbols, callgraph, prototypes, info, externs })
}

/// Lists the sections, in the order of nvlink 13.0.88's relocatable output.
fn sections<'a>(program: &Program<'a>, graph: &Graph<'a>, hopper: bool) -> Sections<'a> {
    let mut s = Sections::new(program);
    let live: Vec<u32> = (0..program.functions.len() as u32).filter(|&f| graph.live[f as usize]).collect();
    s.tables(program, &live, hopper);
    for m in merge(program, Kinds::AsInput, |role| matches!(role, Role::Bank(_))) {
        s.put(m, shf::ALLOC);
    }
    for &f in &live {
        let object = program.functions[f as usize].object;
        let function = program.function(f);
        for (bank, number) in function.constants.into_iter().enumerate() {
            let out = s.carry(program, object, number);
            match bank {
                0 => s.bank0[f as usize] = out,
                _ if out != NONE => s.bank2_of.push((out, f)),
                _ => {}
            }
        }
    }
    for &f in &live {
        s.text[f as usize] = s.carry(program, program.functions[f as usize].object, program.function(f).text);
    }
    for m in merge(program, Kinds::AsInput, |role| role == Role::Global) {
        s.put(m, shf::ALLOC | shf::WRITE);
    }
    for &f in &live {
        s.shared[f as usize] = s.carry(program, program.functions[f as usize].object, program.function(f).shared);
    }
    // Shared memory that belongs to no function, as nvlink makes it of common symbols.
    for object in 0..program.objects.len() as u32 {
        let this = &program.objects[object as usize];
        for number in 0..this.raw.sections.len() as u32 {
            let section = &this.raw.sections[number as usize];
            if section.kind == sht::CUDA_SHARED && section.flags & shf::INFO_LINK == 0 {
                s.carry(program, object, number);
            }
        }
    }
    s
}

impl<'a> Sections<'a> {
    /// Adds a section of an object unchanged; [`NONE`] stays [`NONE`].
    fn carry(&mut self, program: &Program<'a>, object: u32, number: u32) -> u32 {
        let Some(section) = program.objects[object as usize].raw.sections.get(number as usize) else { return NONE };
        let content = if section.kind == sht::CUDA_SHARED {
            Content::Reserve(section.size)
        } else {
            let size = section.bytes.len() as u64;
            Content::Parts(vec![Part { object, section: number, base: 0, size }], size)
        };
        // In the new container barriers are an attribute.
        let old = if section.flags & shf::EXEC != 0 { shf::BARRIERS } else { 0 };
        let out = self.add(section.name, section.kind, section.flags & !old, section.align, content);
        self.placements[object as usize][number as usize] = (out, 0);
        out
    }
}

/// The resources of each function alone, by function.
fn usage(program: &Program<'_>) -> Vec<Usage> {
    let alone = |f: u32| {
        let function = program.function(f);
        let (registers, barriers, stack) = (function.registers, function.barriers, function.stack());
        Usage { registers, barriers, stack, cycle: NONE, heaviest: NONE }
    };
    (0..program.functions.len() as u32).map(alone).collect()
}

/// The outcome of a relocation of section `section` of `object`.
fn outcome(context: &Context<'_, '_>, object: u32, section: u32, r: &Reloc) -> Result<Outcome, Problem> {
    let program = context.program;
    let wrong = |name: &str, why: &str| Err(relocation(program, object, section, r, name, why));
    let Some(symbol) = program.lookup(object, r.symbol) else {
        return wrong("?", "refers to a symbol that does not exist");
    };
    let s = &program.symbols[symbol as usize];
    let Some(row) = RelocType::by_number(r.number) else { return wrong(s.name, "is of an unknown kind") };
    let raw = &program.objects[object as usize].raw;
    let debug = role(&raw.sections[section as usize]) == Role::Debug;
    match s.class {
        Class::Section => {
            let place = raw.symbols.get(r.symbol as usize).map(|s| s.place);
            let Some(SymbolPlace::Section(number)) = place else { return wrong("?", "refers to no section") };
            match context.sections.placements[object as usize][number as usize] {
                (NONE, _) if debug => Ok(Outcome::Clear),
                (NONE, _) => wrong(raw.sections[number as usize].name, "refers to a section that was removed"),
                (out, base) => {
                    Ok(Outcome::Keep(r.number, Target::Section(out), base.wrapping_add(r.addend as u64) as i64))
                }
            }
        }
        Class::Nothing => wrong(s.name, "refers to a symbol of no known kind"),
        _ => {
            let gone = context.is_gone(object, r.symbol);
            match gone {
                true if debug && row.action != Action::UnusedClear => Ok(Outcome::Drop),
                true if debug => Ok(Outcome::Clear),
                _ => Ok(Outcome::Keep(r.number, Target::Symbol(symbol), r.addend)),
            }
        }
    }
}

/// Adds all symbols: first those of sections and local ones.
fn all_symbols<'a>(
    out: &mut Symbols<'a>,
    program: &Program<'a>,
    graph: &Graph<'a>,
    sections: &Sections<'a>,
    names: &'a [Cow<'a, str>],
) {
    let all = || (0..program.objects.len()).flat_map(|object| program.maps[object].iter().map(move |&id| (object, id)));
    for (object, id) in all() {
        let s = &program.symbols[id as usize];
        if s.object as usize != object {
            continue;
        }
        if s.class == Class::Section {
            let number = sections.placements[object].get(s.section as usize).map_or(NONE, |p| p.0);
            out.section(names, number);
        } else if s.local {
            symbol(out, program, graph, sections, id);
        }
    }
    // Relocations and attributes refer to the symbols of sections.
    for number in 1..sections.list.len() as u32 {
        if sections.list[number as usize].flags & shf::ALLOC != 0 {
            out.section(names, number);
        }
    }
    out.locals_end();
    for (_, id) in all() {
        if !program.symbols[id as usize].local {
            symbol(out, program, graph, sections, id);
        }
    }
}

fn symbol<'a>(out: &mut Symbols<'a>, program: &Program<'a>, graph: &Graph<'a>, sections: &Sections<'a>, id: SymbolId) {
    let s = &program.symbols[id as usize];
    let kind = match s.class {
        Class::Function => st::FUNC,
        Class::Global | Class::Constant | Class::Shared => st::CUDA_OBJECT,
        Class::System | Class::RowSize => st::OBJECT,
        Class::Bound(kind) => kind,
        Class::Section | Class::Nothing => return,
    };
    let (place, value) = match s.state {
        State::Common => (SymbolPlace::Reserved(SHN_COMMON), s.align),
        State::Undefined if s.local => return,
        State::Undefined => (SymbolPlace::Undefined, 0),
        State::Weak | State::Strong => {
            if s.function != NONE && !graph.live[s.function as usize] {
                return;
            }
            match sections.placements[s.object as usize].get(s.section as usize) {
                // The value of a variable in shared memory is its alignment.
                Some(&(number, _)) if number != NONE && s.class == Class::Shared => {
                    (SymbolPlace::Section(number), s.value)
                }
                Some(&(number, base)) if number != NONE => (SymbolPlace::Section(number), base.wrapping_add(s.value)),
                _ => return,
            }
        }
    };
    let binding = match (s.local, s.state) {
        (true, _) => st::LOCAL,
        (_, State::Weak) => st::WEAK,
        (_, State::Undefined) if s.weak_use => st::WEAK,
        _ => st::GLOBAL,
    };
    out.symbol(id, s.name, binding << 4 | kind, s.other, place, value, s.size);
}

/// `.nv.info`: attributes of the program, once, and of the functions that are kept.
fn info(program: &Program<'_>, symbols: &Symbols<'_>) -> Result<Vec<u8>, Problem> {
    let (mut whole, mut functions) = (Vec::new(), Vec::new());
    let mut seen = std::collections::BTreeSet::new();
    for (index, object) in program.objects.iter().enumerate() {
        let Some(section) = object.raw.sections.get(object.info as usize) else { continue };
        for attribute in attributes(section.bytes) {
            let a = attribute.map_err(|_| Problem::Malformed {
                object: object.name.to_owned(),
                what: ".nv.info cannot be read".into(),
            })?;
            let of_function =
                matches!(a.code, code::REGCOUNT | code::FRAME_SIZE | code::MAX_STACK_SIZE | code::MIN_STACK_SIZE);
            if !of_function {
                if seen.insert(a.bytes) {
                    whole.extend_from_slice(a.bytes);
                }
                continue;
            }
            let Some(symbol) = a.word(0) else { continue };
            // Attributes of an overridden definition do not apply to the one that replaces it.
            let number = if program.is_overridden(index as u32, symbol) { None } else { Some(symbol) };
            let number = number.and_then(|symbol| program.lookup(index as u32, symbol));
            if let Some(number) = number.and_then(|id| symbols.number(Target::Symbol(id))) {
                functions.extend_from_slice(&a.bytes[..4]);
                functions.extend(number.to_le_bytes());
                functions.extend_from_slice(a.bytes.get(8..).unwrap_or(&[]));
            }
        }
    }
    whole.append(&mut functions);
    Ok(whole)
}
