//! The image of a relocatable object (`ET_REL`), which nvlink and [`crate::objects`] link with
//! objects of any compiler.
//!
//! Problem: an object keeps what an executable has resolved: names, alignments, the call graph.
//! Strategy: names are resolved within the object as for an executable; then every function gets a
//! section of code, every variable a place in the section of its kind, and every relocation the
//! number that `ptxas -c` gives it. Shared memory that the code generator has placed is refused:
//! linkers only place variables that relocations refer to.
//!
//! | step | file | result |
//! |---|---|---|
//! | variables | `variables.rs` | every variable has a place in the section of its kind |
//! | names | `names.rs` | undefined symbols and aliases |
//! | relocations | `relocs.rs`, `debug.rs` | the relocations for the linker |
//! | calls | `graph.rs` | direct and indirect calls |
//!
//! A program of one compilation in which a kernel calls a function that is not inlined goes through
//! such an object as well. Its other kernels are compiled as for an executable, since an object
//! depends on its kernel's own text alone (decision D9), and `with_executable_kernels.rs` keeps
//! them unchanged: addresses of variables from constant bank 4, placed shared memory, branch
//! tables. Only [`crate::objects`] can link that object, with
//! [`crate::objects::LinkOptions::preplaced_shared`].
//!
//! Sections, symbols and attributes are in the order of ptxas 13.0.88's objects, except the symbols
//! of the unified tables, which our code does not use.

mod debug;
mod graph;
mod names;
mod relocs;
mod variables;
mod with_executable_kernels;

use std::collections::{BTreeMap, BTreeSet};

use raddle_cubin::elf::st;
use raddle_cubin::info::code;
use raddle_cubin::model::Kind;
use raddle_cubin::unit::{Linkage, Space, SymbolId};
use raddle_target::Native;

use super::frame::{self, Frames};
use super::image::{At, Image, Plan, Role, Sym, Text};
use super::lines::{self, LineSections};
use super::resolve::{Body, DefId, Program, opaque_parameters};
use crate::LinkError;
use crate::options::{Debug, FinalizeOptions};
use debug::DebugSections;
use names::UndefinedKind;
use variables::{VariablePlace, Variables};
use with_executable_kernels::has_own_shared;

/// Makes the image; `mixed` allows kernels for executables in it.
///
/// # Errors
/// [`LinkError`] for content that an object cannot represent.
pub(super) fn image<'a>(
    program: &Program<'a>,
    options: &FinalizeOptions<'_>,
    native: &Native,
    mixed: bool,
) -> Result<Image<'a>, LinkError> {
    let mut texts = texts(program, native, mixed)?;
    let described = texts.iter().map(|t| {
        let f = t.functions[0].0;
        frame::Described { code: t.code.len() as u64, frame: f.frame_size, steps: f.unwind.as_deref() }
    });
    let frame = frame::run(described, !options.modules.is_empty()).unplaced();
    let lines = (options.debug != Debug::None).then(|| {
        let texts = texts.iter().map(|t| lines::Text {
            module: program.units[program.def(t.def).unit].module,
            functions: t.functions[0].0.lines.iter().map(|lines| (lines, 0)).collect(),
            end: t.code.len() as u64,
        });
        lines::run(texts, options.modules)
    });
    let debug = DebugSections::of(options.modules, lines.as_ref(), program, &texts);
    let aliases = names::aliases(program, &texts)?;
    let variables = variables::place(program)?;
    let undefined = names::undefined(program, &aliases);
    let (slots, slot_users) = if mixed { with_executable_kernels::slots(program, &texts)? } else { Default::default() };
    let types = types(program, &texts);
    let object = Object {
        program,
        native,
        sm: options.target.sm,
        texts: &texts,
        variables,
        slots,
        slot_users,
        aliases,
        undefined,
        types,
        frame,
        lines,
        debug,
    };
    let relocations = relocs::all(&object)?;
    let (locals, globals) = object.symbols();
    let calls = object.callgraph();
    let prototypes = (!object.undefined.is_empty()).then(|| object.prototypes());
    let externals: Vec<_> = (0..texts.len()).map(|n| object.externals(n)).collect();
    let Object { variables, slot_users, types, frame, lines, debug, .. } = object;
    for (text, externals) in texts.iter_mut().zip(externals) {
        text.externals = externals;
    }
    Ok(Image {
        kind: Kind::Relocatable,
        data: variables.data,
        slots: slot_users.len(),
        relocations,
        frame,
        lines,
        debug: debug.into_parts(),
        locals,
        globals,
        facts: facts(&texts),
        calls,
        prototypes,
        types: types.into_keys().collect(),
        texts,
    })
}

/// The section of code of every function.
fn texts<'a>(program: &Program<'a>, native: &Native, mixed: bool) -> Result<Vec<Text<'a>>, LinkError> {
    let mut out = Vec::new();
    for def in program.ids() {
        let Body::Function(function) = program.def(def).body else { continue };
        let name = program.def(def).name;
        // Linkers place shared memory by the variables that code refers to; memory placed by the
        // code generator has none.
        if !mixed && has_own_shared(function) {
            return Err(LinkError::Shared { function: name.to_owned() });
        }
        let area = function.shared;
        let kernel_with_shared = function.entry.is_some() && has_own_shared(function);
        out.push(Text {
            def,
            name,
            functions: vec![(function, 0)],
            code: relocs::code(function, native),
            pool: with_executable_kernels::pool(program, def, function)?,
            shared: kernel_with_shared.then(|| (area.size.into(), area.align.into())),
            words: Vec::new(),
            opaque: opaque_parameters(program, def),
            externals: Vec::new(),
        });
    }
    Ok(out)
}

/// Types of functions in the order of the string table, with their offsets.
fn types<'a>(program: &Program<'a>, texts: &[Text<'a>]) -> BTreeMap<&'a str, u32> {
    let indirect = texts.iter().flat_map(|t| &t.functions[0].0.indirect);
    let named = program.units.iter().flat_map(|u| u.types.iter().map(|(_, text)| text));
    let texts: BTreeSet<&'a str> = indirect.chain(named).map(|text| &**text).filter(|t| !t.is_empty()).collect();
    let mut at = 1;
    let mut out = BTreeMap::new();
    for text in texts {
        out.insert(text, at);
        at += text.len() as u32 + 1;
    }
    out
}

/// `.nv.info`: registers, stack and frame of each function. The linker computes the stack.
fn facts<'a>(texts: &[Text<'a>]) -> Vec<(u8, Sym<'a>, u32)> {
    let of = |text: &Text<'a>| {
        let (f, symbol) = (text.functions[0].0, Sym::Def(text.def));
        [
            (code::REGCOUNT, symbol, f.registers.into()),
            (code::MAX_STACK_SIZE, symbol, 0),
            (code::FRAME_SIZE, symbol, f.frame_size),
        ]
    };
    texts.iter().flat_map(of).collect()
}

/// The facts about an object that its relocations depend on.
struct Object<'p, 'a> {
    program: &'p Program<'a>,
    native: &'p Native,
    /// Number of the architecture.
    sm: u16,
    texts: &'p [Text<'a>],
    variables: Variables,
    /// Offsets in constant bank 4 of addresses that code takes from there, and the symbols that
    /// referred to each first.
    slots: BTreeMap<with_executable_kernels::Named<'a>, u64>,
    slot_users: Vec<(usize, SymbolId)>,
    /// Aliases of functions that are visible to other modules.
    aliases: BTreeMap<&'a str, DefId>,
    /// Undefined symbols.
    undefined: BTreeMap<&'a str, UndefinedKind>,
    types: BTreeMap<&'a str, u32>,
    frame: Frames,
    lines: Option<LineSections>,
    debug: DebugSections<'a>,
}

impl<'a> Object<'_, 'a> {
    fn name(&self, def: DefId) -> &'a str {
        self.program.def(def).name
    }

    /// Whether a definition has a symbol.
    fn is_here(&self, def: DefId) -> bool {
        match self.program.def(def).body {
            Body::Function(_) => true,
            Body::Data(_) => self.variables.places.contains_key(&def),
            // A parameter.
            Body::Bound(..) => self.program.def(def).linkage == Linkage::Unit,
            Body::External | Body::RowSize => false,
        }
    }

    /// The symbol in the object of a unit's symbol.
    fn symbol_of(&self, unit: usize, symbol: SymbolId) -> Option<Sym<'a>> {
        if let Some(def) = self.program.lookup(unit, symbol).filter(|&def| self.is_here(def)) {
            return Some(Sym::Def(def));
        }
        let program = self.program;
        let name = program.units[unit].symbols.name(symbol)?;
        let alias = self.aliases.get(name).map(|&def| Sym::Def(def));
        alias.or_else(|| self.undefined.contains_key(name).then_some(Sym::Undefined(name)))
    }

    /// The local and the global symbols: definitions, aliases, undefined symbols.
    fn symbols(&self) -> (Vec<Plan<'a>>, Vec<Plan<'a>>) {
        let numbers: BTreeMap<DefId, usize> = self.texts.iter().enumerate().map(|(n, t)| (t.def, n)).collect();
        let text_of = |def: DefId| numbers.get(&def).copied();
        let defined = self.program.ids().filter_map(|def| self.definition(def, text_of(def)));
        let (locals, mut globals): (Vec<_>, Vec<_>) = defined.partition(|plan| plan.binding == st::LOCAL);
        // Aliases have no size. That of a private function cannot be used.
        for (def, name) in self.alias_names() {
            let plan = self.definition(def, text_of(def));
            globals.extend(plan.map(|plan| Plan {
                sym: Sym::Alias(def, name),
                name: name.to_owned(),
                size: 0,
                ..plan
            }));
        }
        for (&name, of) in &self.undefined {
            // Shared memory without a size is dynamic.
            let (kind, other, size) = match of {
                UndefinedKind::Function => (st::FUNC, 0, 0),
                UndefinedKind::Kernel => (st::FUNC, st::OTHER_ENTRY, 0),
                UndefinedKind::Variable(space, size) => (st::CUDA_OBJECT, other(*space, false), *size),
                UndefinedKind::Bound(kind) => (*kind, 0, 0),
                UndefinedKind::RowSize => (st::OBJECT, 0, 4),
            };
            let binding = if *of == UndefinedKind::RowSize { st::WEAK } else { st::GLOBAL };
            let (sym, at, value) = (Sym::Undefined(name), At::Undefined, 0);
            globals.push(Plan { sym, name: name.to_owned(), binding, kind, other, at, value, size });
        }
        (locals, globals)
    }

    /// Global aliases of functions.
    fn alias_names(&self) -> Vec<(DefId, &'a str)> {
        let program = self.program;
        let seen = |def: DefId| match program.def(def) {
            d if matches!(d.body, Body::Function(f) if f.entry.is_some()) => true,
            d => !matches!(d.linkage, Linkage::Unit | Linkage::Module),
        };
        let names = |text: &Text<'a>| {
            let (def, unit) = (text.def, program.def(text.def).unit);
            let names = text.functions[0].0.aliases.iter();
            names
                .map(move |&name| (def, program.units[unit].symbols.name(name).unwrap_or_default()))
                .collect::<Vec<_>>()
        };
        self.texts.iter().filter(|text| seen(text.def)).flat_map(names).collect()
    }

    /// The symbol of a definition; `text` is its number among the functions.
    fn definition(&self, def: DefId, text: Option<usize>) -> Option<Plan<'a>> {
        let d = self.program.def(def);
        let (sym, name) = (Sym::Def(def), d.name.to_owned());
        let binding = match d.linkage {
            Linkage::Unit | Linkage::Module => st::LOCAL,
            Linkage::Weak => st::WEAK,
            Linkage::Visible | Linkage::Common => st::GLOBAL,
        };
        match d.body {
            Body::Function(f) => {
                let n = text?;
                let (binding, other) = if f.entry.is_some() { (st::GLOBAL, st::OTHER_ENTRY) } else { (binding, 0) };
                let (at, size) = (At::Section(Role::Text(n)), self.texts[n].code.len() as u64);
                Some(Plan { sym, name, binding, kind: st::FUNC, other, at, value: 0, size })
            }
            Body::Data(data) => {
                let &(kept, place) = self.variables.places.get(&def)?;
                let at = match kept {
                    VariablePlace::GlobalInit => At::Section(Role::GlobalInit),
                    VariablePlace::Global => At::Section(Role::Global),
                    VariablePlace::Const => At::Section(Role::Const),
                    VariablePlace::Shared => At::Section(Role::Shared),
                    VariablePlace::Common => At::Common,
                };
                // A shared variable has no place yet: the value is its alignment.
                let value = if kept == VariablePlace::Shared { data.align.max(1).into() } else { place };
                let (kind, size) = (st::CUDA_OBJECT, data.definition.size());
                Some(Plan { sym, name, binding, kind, other: other(data.space, data.managed), at, value, size })
            }
            // A parameter has a symbol in the code of its kernel, as ptxas 13.0.88 writes it.
            Body::Bound(kind, _) => {
                let n = self.texts.iter().position(|text| text.opaque.iter().any(|&(_, id)| id == def))?;
                let at = At::Section(Role::Text(n));
                Some(Plan { sym, name, binding: st::LOCAL, kind, other: 0, at, value: 0, size: 0 })
            }
            Body::External | Body::RowSize => None,
        }
    }
}

/// `st_other` of a variable.
fn other(space: Space, managed: bool) -> u8 {
    let other = match space {
        Space::Global => st::OTHER_GLOBAL,
        Space::Const => st::OTHER_CONSTANT,
        Space::Shared => st::OTHER_SHARED,
    };
    if managed { other | st::OTHER_MANAGED } else { other }
}
