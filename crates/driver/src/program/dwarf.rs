//! Resolves the names in the debug sections of the input after code generation (DRV-19), and fills
//! in the places without an address.
//!
//! Problem: a kernel is compiled in isolation, but the sections belong to the module; they name
//! labels inside functions, variables in frames, and parameters. Strategy: with `-g` each object
//! lists the places of its labels and variables ([`raddle_cubin::unit::DebugPlaces`]). Once all
//! objects are made, the names of each section are resolved, in input order; only references to
//! sections, functions and variables are left for a linker.
//!
//! As ptxas 13.0.88 does it: the address of a kernel parameter is its place in constant bank 0. The
//! location `DW_OP_addr` of a variable in the frame becomes `DW_OP_fbreg`, padded with `DW_OP_nop`
//! (`DW_OP_bregx` of R1 where the frame is aligned to more than callers promise). Register numbers
//! in locations are the names of PTX registers as ptxas spells them, and are kept; the linker writes
//! the table that says where each of them lives ([`raddle_cubin::registers`]). What has no place (a variable that no
//! instruction names, a label of a function without callers) gets none: `DW_OP_nop` alone, which is
//! no valid location, and the address 0.

use super::{Module, Program};
use crate::codes;
use raddle_cubin::unit::{DebugPlaces, Local, SourceFile, UnitObject};
use raddle_diag::{Diagnostic, Diags, Span};
use raddle_link::{DebugModule, Reference, Referent};
use raddle_ptx::{DebugSection, FuncId, Hole, Symbol};
use raddle_target::DriverConstants;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Operations of locations (DWARF 4, 7.7.1), and register 1 in ptxas' numbering as ULEB128.
const DW_OP_ADDR: u8 = 0x03;
const DW_OP_FBREG: u8 = 0x91;
const DW_OP_BREGX: u8 = 0x92;
const DW_OP_NOP: u8 = 0x96;
const R1: [u8; 4] = [0x81, 0x80, 0x80, 0x28];

/// Sections that are generated here, so that the input must not contain them.
const OURS: [&str; 2] = [".debug_line", ".debug_frame"];
/// A section without addresses.
const STRINGS: &str = ".debug_str";

/// Reads the debug sections of all modules; errors go to `diags`.
pub(crate) fn read(program: &Program, diags: &mut Diags) -> Vec<Vec<DebugSection>> {
    let mut out = Vec::new();
    for module in &program.modules {
        let mut sections = raddle_ptx::debug_sections(&module.text, module.file, &module.outline, diags);
        for section in &sections {
            let name = &section.name;
            if OURS.contains(&&**name) && !section.bytes.is_empty() {
                let message =
                    format!("{name} is generated from .file, .loc and the code: the input must not contain it");
                diags.push(error(module, &section.text, message));
            } else if !name.starts_with(".debug_") {
                diags.push(error(
                    module,
                    &section.text,
                    format!("{name} is no debug section: these begin with .debug_"),
                ));
            }
        }
        for hole in sections.iter().filter(|s| s.name == STRINGS).flat_map(|s| &s.holes) {
            diags.push(wrong(module, hole, format!("an address in {STRINGS}")));
        }
        sections.retain(|s| !OURS.contains(&&*s.name));
        out.push(sections);
    }
    out
}

/// Objects with the module variables that the debug sections name: a debugger may need one that no
/// kernel uses.
pub(crate) fn variables(program: &Program, sections: &[Vec<DebugSection>]) -> Vec<(usize, Vec<raddle_ir::unit::Data>)> {
    let mut out = Vec::new();
    for (index, (module, sections)) in program.modules.iter().zip(sections).enumerate() {
        let names: BTreeSet<&str> = sections.iter().flat_map(|s| &s.holes).map(|hole| &*hole.name).collect();
        let names: Vec<&str> = names.into_iter().collect();
        // A variable that cannot be described is an error of the kernels that use it.
        if let Ok(data) = raddle_lower::named(&module.text, &module.outline, &names, true)
            && !data.is_empty()
        {
            out.push((index, data));
        }
    }
    out
}

/// The debug sections to write for each module, given the objects of its kernels and functions.
pub(crate) fn modules(
    program: &Program,
    sections: Vec<Vec<DebugSection>>,
    objects: &[UnitObject],
    diags: &mut Diags,
) -> Vec<DebugModule> {
    let bank = program.target.native.as_ref().map(|native| &native.cbank);
    let mut out = Vec::new();
    for (index, (module, sections)) in program.modules.iter().zip(sections).enumerate() {
        let own = || objects.iter().filter(|object| object.module as usize == index);
        let mut names = Names::of(module, own(), bank);
        let labels = sections.iter().flat_map(|s| s.labels.iter().map(|(name, at)| (name, (&s.name, *at))));
        names.labels = labels.map(|(name, (section, at))| (name.clone(), (section.clone(), at))).collect();
        names.sections = sections.iter().map(|s| s.name.clone()).chain([".debug_line".to_owned()]).collect();
        let sections = sections.into_iter().map(|section| {
            let mut made =
                raddle_link::DebugSection { name: section.name, bytes: section.bytes, references: Vec::new() };
            for hole in &section.holes {
                match names.fill(hole, &mut made.bytes) {
                    Ok(reference) => made.references.extend(reference),
                    Err(message) => diags.push(wrong(module, hole, message)),
                }
            }
            made
        });
        let sections = sections.collect();
        let file = |f: &raddle_ptx::module::File| {
            (f.number, SourceFile { path: f.path.to_string(), stamp: f.stamp.unwrap_or_default() })
        };
        let files = module.outline.files.iter().map(file).collect();
        out.push(DebugModule { module: index as u32, files, sections, text: text(&module.text) });
    }
    out
}

fn wrong(module: &Module, hole: &Hole, message: String) -> Diagnostic {
    error(module, &hole.text, message)
}

fn error(module: &Module, text: &Range<usize>, message: String) -> Diagnostic {
    let span = Span::new(module.file, text.start as u32, text.end as u32);
    Diagnostic::error(raddle_ptx::errors::E0128, message).at(span, "")
}

/// The target of a name inside a function.
#[derive(Clone, Debug, PartialEq)]
enum Meaning {
    /// A byte offset in the code of a function.
    Code(String, u32),
    /// An offset in constant bank 0.
    Param(u64),
    /// A variable in the frame.
    Frame(Local),
    /// A variable with another symbol name.
    Symbol(String),
    /// A variable without a place.
    NoPlace,
    /// Code that was not generated.
    NoCode,
    /// Several functions define the name.
    Ambiguous,
}

/// The names that the sections of a module may refer to.
struct Names<'a> {
    module: &'a Module,
    inner: BTreeMap<String, Meaning>,
    /// Names of symbols in objects.
    symbols: BTreeSet<&'a str>,
    /// Names of sections, and labels in sections.
    sections: BTreeSet<String>,
    labels: BTreeMap<String, (String, u64)>,
}

impl<'a> Names<'a> {
    fn of(
        module: &'a Module,
        objects: impl Iterator<Item = &'a UnitObject>,
        bank: Option<&DriverConstants>,
    ) -> Names<'a> {
        let empty = BTreeMap::new();
        let (sections, labels) = (BTreeSet::new(), BTreeMap::new());
        let mut out = Names { module, inner: empty, symbols: BTreeSet::new(), sections, labels };
        let mut described: BTreeSet<FuncId> = BTreeSet::new();
        for object in objects {
            let symbols = (0..object.symbols.len() as u32).map(raddle_cubin::unit::SymbolId);
            out.symbols.extend(symbols.filter_map(|id| object.symbols.name(id)));
            for function in &object.functions {
                let name = object.symbols.name(function.name).unwrap_or_default();
                let Some(id) = module.outline.func(name) else { continue };
                let many = function.entry.as_ref().is_some_and(|entry| entry.many_params);
                let base = bank.map_or(0, |bank| u64::from(bank.params_at(many)));
                let places = function.entry.iter().flat_map(|entry| &entry.params).map(|p| base + u64::from(p.offset));
                let params = module.outline.funcs[id].params.iter().map(|p| &p.name);
                params.zip(places).for_each(|(p, at)| out.add(p, Meaning::Param(at)));
                if let Some(debug) = &function.debug {
                    described.insert(id);
                    out.add_places(name, debug);
                }
            }
        }
        // Names in functions without code, or without code of ours.
        for id in module.outline.funcs.keys().filter(|id| module.outline.funcs[*id].body.is_some()) {
            let func = &module.outline.funcs[id];
            for param in func.params.iter().chain(&func.rets).filter(|p| !p.name.is_empty()) {
                out.inner.entry(param.name.to_string()).or_insert(Meaning::NoPlace);
            }
            if !described.contains(&id) {
                out.add_nowhere(id);
            }
        }
        out
    }

    fn add(&mut self, name: &str, meaning: Meaning) {
        self.inner.entry(name.to_owned()).and_modify(|m| *m = Meaning::Ambiguous).or_insert(meaning);
    }

    fn add_places(&mut self, function: &str, debug: &DebugPlaces) {
        for (label, at) in &debug.labels {
            self.add(label, Meaning::Code(function.to_owned(), *at));
        }
        for local in &debug.locals {
            self.add(&local.name, Meaning::Frame(local.clone()));
        }
        for (name, symbol) in &debug.symbols {
            self.add(name, Meaning::Symbol(symbol.clone()));
        }
    }

    /// Adds the names inside a function without an object.
    fn add_nowhere(&mut self, id: FuncId) {
        let Module { text, file, outline, .. } = self.module;
        let read = || raddle_ptx::parse_body(text, *file, outline, id, &mut Diags::new());
        let body = self.module.bodies.get(&id).map_or_else(|| Cow::Owned(read()), Cow::Borrowed);
        body.labels.values().for_each(|label| self.add(&label.name, Meaning::NoCode));
        body.vars.values().for_each(|var| self.add(&var.name, Meaning::NoPlace));
    }

    /// The referent of a name; `Ok(Err)` if it has a place that is not an address.
    fn meaning(&self, name: &str) -> Result<Result<Referent, Meaning>, String> {
        if name.starts_with('.') {
            return match self.sections.contains(name) {
                true => Ok(Ok(Referent::Section(name.to_owned(), 0))),
                false => Err(format!("there is no section {name}")),
            };
        }
        if let Some((section, at)) = self.labels.get(name) {
            return Ok(Ok(Referent::Section(section.clone(), *at)));
        }
        let symbol = |name: &str, other| match self.symbols.contains(name) {
            true => Ok(Referent::Symbol(name.to_owned())),
            false => Err(other),
        };
        match self.module.outline.symbol(name) {
            Some(Symbol::Func(_)) => return Ok(symbol(name, Meaning::NoCode)),
            Some(Symbol::Global(_)) => return Ok(symbol(name, Meaning::NoPlace)),
            None => {}
        }
        match self.inner.get(name) {
            Some(Meaning::Ambiguous) => Err(format!("'{name}' is defined in several functions")),
            Some(Meaning::Code(function, at)) => Ok(Ok(Referent::Code(function.clone(), *at))),
            Some(Meaning::Symbol(name)) => Ok(symbol(name, Meaning::NoPlace)),
            Some(other) => Ok(Err(other.clone())),
            None => Err(format!("'{name}' is not defined in the module")),
        }
    }

    /// Fills in places without an address; returns the references that are left for a linker.
    fn fill(&self, hole: &Hole, bytes: &mut [u8]) -> Result<Option<Reference>, String> {
        let reference =
            |to, minus| Reference { offset: hole.offset, width: hole.width, to, minus, addend: hole.addend };
        if let Some(minus) = &hole.minus {
            return match (self.meaning(&hole.name)?, self.meaning(minus)?) {
                (Ok(to), Ok(from)) if in_different_sections(&to, &from) => {
                    Err(format!("'{}' and '{minus}' are not labels of one function or section", hole.name))
                }
                (Ok(to), Ok(from)) => Ok(Some(reference(to, Some(from)))),
                (Err(Meaning::NoCode), Err(Meaning::NoCode)) => Ok(None),
                _ => Err(format!("'{}' and '{minus}' are not both labels", hole.name)),
            };
        }
        let at = hole.offset as usize;
        // The hole is the operand of a location operation.
        let is_location = hole.width == 8 && at > 0 && bytes.get(at - 1) == Some(&DW_OP_ADDR);
        let mut put = |from: usize, new: &[u8]| {
            if let Some(place) = bytes.get_mut(from..from + new.len()) {
                place.copy_from_slice(new);
            }
        };
        match self.meaning(&hole.name)? {
            Ok(to) => return Ok(Some(reference(to, None))),
            Err(Meaning::Param(value)) => {
                let value = value.wrapping_add(hole.addend as u64);
                put(at, &value.to_le_bytes()[..hole.width.into()]);
            }
            Err(Meaning::Frame(local)) if is_location => put(at - 1, &location(&local, hole.addend)),
            Err(Meaning::Frame(_)) => {
                return Err(format!("'{}' is in the frame: it has a location (DW_OP_addr) and no address", hole.name));
            }
            Err(Meaning::NoPlace) if is_location => put(at - 1, &[DW_OP_NOP; 9]),
            Err(_) => {}
        }
        Ok(None)
    }
}

/// Whether two places are in different functions or sections.
fn in_different_sections(a: &Referent, b: &Referent) -> bool {
    match (a, b) {
        (Referent::Code(a, _), Referent::Code(b, _)) | (Referent::Section(a, _), Referent::Section(b, _)) => a != b,
        _ => true,
    }
}

/// The location of a frame variable, as long as `DW_OP_addr` with its operand.
fn location(local: &Local, addend: i64) -> [u8; 9] {
    let mut out = Vec::from(if local.relative_to_sp { &[DW_OP_BREGX][..] } else { &[DW_OP_FBREG] });
    if local.relative_to_sp {
        out.extend(R1);
    }
    let mut offset = local.offset.wrapping_add(addend);
    loop {
        let byte = (offset & 0x7f) as u8;
        offset >>= 7;
        let last = offset == if byte & 0x40 == 0 { 0 } else { -1 };
        out.push(byte | if last { 0 } else { 0x80 });
        if last {
            break;
        }
    }
    let mut filled = [DW_OP_NOP; 9];
    // Frames have fewer than 2^24 bytes: four bytes of SLEB128.
    filled.iter_mut().zip(out).for_each(|(place, byte)| *place = byte);
    filled
}

/// Prefixes of lines that are written as empty lines.
const SILENT: [&str; 5] = [".loc", ".file", ".b8", ".b32", ".b64"];

/// The lines of a module, each terminated by a NUL, as ptxas 13.0.88 writes them: without leading
/// blanks; comments, `.loc` and `.file` lines and most data of debug sections are empty lines.
fn text(ptx: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(ptx.len());
    for line in ptx.lines() {
        let line = line.trim_start();
        let is_silent = line.split_ascii_whitespace().next().is_some_and(|word| SILENT.contains(&word));
        if !is_silent && !line.starts_with("//") {
            out.extend(line.bytes());
        }
        out.push(0);
    }
    out
}

/// Reports that modules cannot be split with debug information.
pub(crate) fn in_parts(diags: &mut Diags) {
    let message = "with -g modules are compiled as a whole, to keep their debug sections";
    diags.push(Diagnostic::info(codes::E0082, message));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_of_variables_in_frames_keep_their_length() {
        let local = |offset, relative_to_sp| Local { name: "v".into(), offset, relative_to_sp };
        let nop = DW_OP_NOP;
        assert_eq!(location(&local(-8, false), 0), [0x91, 0x78, nop, nop, nop, nop, nop, nop, nop]);
        assert_eq!(location(&local(-8, false), -120), [0x91, 0x80, 0x7f, nop, nop, nop, nop, nop, nop]);
        assert_eq!(location(&local(64, true), 0), [0x92, 0x81, 0x80, 0x80, 0x28, 0xc0, 0, nop, nop]);
    }

    #[test]
    fn lines_of_the_text_keep_their_numbers() {
        let ptx =
            "// a\n\n.version 8.0 // b\n\t.loc\t1 2 3\n/* c */ x; \n .local .b32 q;\n.file 1 \"a//b\"\n.b8 1\n.b16 2\n";
        assert_eq!(text(ptx), b"\0\0.version 8.0 // b\0\0/* c */ x; \0.local .b32 q;\0\0\0.b16 2\0");
    }
}
