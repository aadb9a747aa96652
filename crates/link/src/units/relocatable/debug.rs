//! Debug sections of the modules in an object: sections of one name are merged, and their addresses
//! become relocations.
//!
//! As ptxas 13.0.88 writes them: an address of code, or of a variable in global memory, is
//! R_CUDA_64 (R_CUDA_32 for a field of 32 bits) to the symbol, with the offset as addend; one of
//! constant memory is R_CUDA_G64; that of a shared variable includes the window's base; the offset
//! in another debug section is R_CUDA_32 to the section's symbol. The bytes also hold the addend,
//! for readers that do not know the relocations of this machine. An address outside the object is
//! 0, without a relocation.

use std::collections::BTreeMap;

use raddle_cubin::registers;
use raddle_cubin::unit::{Definition, Space, SymbolId};

use super::super::image::{Pending, Role, Sym, Text};
use super::super::lines::LineSections;
use super::super::resolve::{Body, DefId, Program};
use super::super::sections::OFFSET;
use super::Object;
use super::names::UndefinedKind;
use super::relocs::ADDRESS;
use crate::dwarf::{DebugModule, LINE, Reference, Referent, STRINGS};

/// R_CUDA_G64.
const GENERIC: u32 = 4;

/// The referent of a name in a module.
#[derive(Clone, Copy)]
enum Meaning<'a> {
    /// A definition in this object.
    Here(DefId),
    /// An undefined symbol.
    Undefined(&'a str),
}

/// A field to fill with an address.
struct Field<'a> {
    offset: u64,
    width: u8,
    symbol: Sym<'a>,
    addend: i64,
}

/// A section of the object.
struct Section<'a> {
    name: String,
    bytes: Vec<u8>,
    fields: Vec<Field<'a>>,
}

/// The debug sections of an object, except lines, strings and frames.
#[derive(Default)]
pub(super) struct DebugSections<'a>(Vec<Section<'a>>);

impl<'a> DebugSections<'a> {
    /// Writes the registers of all functions, merges the sections of the modules, then adds their texts.
    pub(super) fn of(
        modules: &[DebugModule],
        lines: Option<&LineSections>,
        program: &Program<'a>,
        texts: &[Text<'a>],
    ) -> DebugSections<'a> {
        let mut out: Vec<Section<'a>> = Vec::new();
        if !modules.is_empty() {
            let of = |text: &Text<'a>| text.functions[0].0.debug.as_ref().map_or(&[][..], |debug| &debug.registers);
            let (places, types) = registers::write(texts.iter().map(|text| (text.name, of(text))));
            append(&mut out, registers::PLACES, &places);
            append(&mut out, registers::TYPES, &types);
        }
        // The start of each module's part of each section.
        let mut places: BTreeMap<(u32, &str), (Role, u64)> = BTreeMap::new();
        for module in modules {
            let (line, strings) = lines.and_then(|lines| lines.bases.get(&module.module)).copied().unwrap_or_default();
            places.insert((module.module, LINE), (Role::Line, line));
            for section in &module.sections {
                let place = match section.name == STRINGS {
                    true => (Role::DebugStrings, strings),
                    false => append(&mut out, &section.name, &section.bytes),
                };
                places.insert((module.module, &section.name), place);
            }
        }
        let names = names(program);
        let end_of = |def: DefId| texts.iter().find(|text| text.def == def);
        for module in modules {
            let target = |to: &Referent| -> Option<(Sym<'a>, i64)> {
                let here = |name: &str| match *names.get(&(module.module, name))? {
                    Meaning::Here(def) => Some(Sym::Def(def)),
                    Meaning::Undefined(name) => Some(Sym::Undefined(name)),
                };
                match to {
                    Referent::Section(name, at) => {
                        let &(role, base) = places.get(&(module.module, &**name))?;
                        Some((Sym::Section(role), (base + at) as i64))
                    }
                    Referent::Symbol(name) => Some((here(name)?, 0)),
                    Referent::Code(name, at) => {
                        let Sym::Def(def) = here(name)? else { return None };
                        // The definition of a weak name in another module has other offsets.
                        if program.units[program.def(def).unit].module != module.module {
                            return None;
                        }
                        let text = end_of(def)?;
                        let is_end = *at as usize == text.functions[0].0.code.len();
                        Some((Sym::Def(def), if is_end { text.code.len() as i64 } else { i64::from(*at) }))
                    }
                }
            };
            for section in module.sections.iter().filter(|s| s.name != STRINGS) {
                let Some(&(Role::Debug(number), base)) = places.get(&(module.module, &*section.name)) else { continue };
                for reference in &section.references {
                    out[number].fill(base, reference, &target);
                }
            }
        }
        for module in modules {
            append(&mut out, &module.text_section(), &module.text);
        }
        DebugSections(out)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns names and bytes.
    pub(super) fn into_parts(self) -> Vec<(String, Vec<u8>)> {
        self.0.into_iter().map(|section| (section.name, section.bytes)).collect()
    }
}

/// Appends bytes to the section with a name; returns their place.
fn append(out: &mut Vec<Section<'_>>, name: &str, bytes: &[u8]) -> (Role, u64) {
    let at = out.iter().position(|s| s.name == name).unwrap_or_else(|| {
        out.push(Section { name: name.to_owned(), bytes: Vec::new(), fields: Vec::new() });
        out.len() - 1
    });
    let base = out[at].bytes.len() as u64;
    out[at].bytes.extend(bytes);
    (Role::Debug(at), base)
}

/// The referents of names in each module.
fn names<'a>(program: &Program<'a>) -> BTreeMap<(u32, &'a str), Meaning<'a>> {
    let mut out = BTreeMap::new();
    for (number, unit) in program.units.iter().enumerate() {
        for id in (0..unit.symbols.len() as u32).map(SymbolId) {
            let Some(name) = unit.symbols.name(id) else { continue };
            let found = program.lookup(number, id).filter(|&def| match program.def(def).body {
                Body::Function(_) => true,
                Body::Data(d) => !matches!(d.definition, Definition::Extern(_)),
                Body::External | Body::Bound(..) | Body::RowSize => false,
            });
            match found {
                Some(def) => drop(out.insert((unit.module, name), Meaning::Here(def))),
                None => drop(out.entry((unit.module, name)).or_insert(Meaning::Undefined(name))),
            }
        }
    }
    out
}

impl<'a> Section<'a> {
    /// Fills in a reference in a part that starts at `base`.
    fn fill(&mut self, base: u64, r: &Reference, target: &dyn Fn(&Referent) -> Option<(Sym<'a>, i64)>) {
        let offset = base + r.offset;
        let minus = r.minus.as_ref().and_then(target).map_or(0, |(_, at)| at);
        let Some((symbol, at)) = target(&r.to) else { return };
        let value = at.wrapping_add(r.addend).wrapping_sub(minus);
        let end = (offset + u64::from(r.width)) as usize;
        if let Some(place) = self.bytes.get_mut(offset as usize..end) {
            place.copy_from_slice(&value.to_le_bytes()[..r.width.into()]);
        }
        if r.minus.is_none() {
            self.fields.push(Field { offset, width: r.width, symbol, addend: value });
        }
    }
}

impl<'a> Object<'_, 'a> {
    /// The relocations of a debug section.
    pub(super) fn debug_relocs(&self, number: usize) -> Vec<Pending<'a>> {
        self.debug.0[number].fields.iter().filter_map(|field| self.debug_reloc(field)).collect()
    }

    /// The relocation of a field; none for an address outside the object.
    fn debug_reloc(&self, field: &Field<'a>) -> Option<Pending<'a>> {
        let (mut number, mut addend) = (if field.width == 4 { OFFSET } else { ADDRESS }, field.addend);
        let (space, is_there) = match field.symbol {
            Sym::Def(def) => match self.program.def(def).body {
                Body::Data(d) => (Some(d.space), self.is_here(def)),
                _ => (None, self.is_here(def)),
            },
            Sym::Undefined(name) => match self.undefined.get(name) {
                Some(&UndefinedKind::Variable(space, _)) => (Some(space), true),
                undefined => (None, undefined.is_some()),
            },
            Sym::Section(Role::Line) => (None, self.lines.is_some()),
            Sym::Section(Role::DebugStrings) => (None, self.lines.as_ref().is_some_and(|l| !l.strings.is_empty())),
            _ => (None, true),
        };
        match space {
            Some(Space::Const) if field.width == 8 => number = GENERIC,
            Some(Space::Shared) => addend += i64::from(self.native.shared_base),
            _ => {}
        }
        is_there.then_some(Pending { offset: field.offset, number, symbol: field.symbol, addend })
    }
}
