//! Units to one relocatable object (`ET_REL`), which nvlink and [`crate::objects`] link with those of others.
//!
//! Problem: an object keeps what an executable has resolved: names, alignments, who calls whom. Strategy: names are resolved within
//! the object as for an executable ([`crate::resolve`]); then every function gets a section of code, every variable a place in the section
//! of its kind, and every relocation the number that `ptxas -c` gives it. Shared memory that the code generator has placed itself is
//! refused: linkers place what relocations name.
//!
//! A program of one compilation in which a kernel calls what is not inlined goes through such an object as well. Its other kernels are
//! compiled as for any executable, since an object depends on its kernel's own text alone (decision D9), and [`mixed()`] takes them as they are: addresses of variables from constant bank 4, shared memory that
//! is placed, tables of branches. Only [`crate::objects`] links that, told so by [`crate::objects::LinkOptions::placed`].
//!
//! Sections, symbols and attributes are in the order of ptxas 13.0.88's objects, apart from the symbols of the unified tables, which
//! nothing of ours refers to.
//!
//! Invariant: as for executables, bytes depend on the units and their order alone.

mod dwarf;
mod graph;
mod mixed;
mod relocs;
mod sections;

use std::collections::{BTreeMap, BTreeSet};

use raddle_cubin::Cubin;
use raddle_cubin::elf::{SHN_COMMON, align_up, st};
use raddle_cubin::model::{Header, Kind, Place, Symbol};
use raddle_cubin::unit::{Definition, Function, Linkage, Space, SymbolId, UnitObject};
use raddle_target::Native;

use dwarf::DebugSections;
use mixed::{Named, has_own_shared};

use crate::LinkError;
use crate::frame::{self, Frames};
use crate::layout::BANK_BYTES;
use crate::lines::{self, LineSections};
use crate::options::{Debug, FinalizeOptions, Format, format};
use crate::resolve::{self, Body, DefId, Program};

/// What the variable of a function's own constants is called behind the function's name, and its visibility (`STV_INTERNAL`): as ptxas 13.0.88
/// does.
const POOL: &str = ".const_opt.0.32";
const INTERNAL: u8 = 1;

/// Puts `units` into one relocatable object.
///
/// # Errors
/// [`LinkError`] for two definitions of a name and for units that contradict themselves.
pub fn relocatable(units: &[UnitObject], options: &FinalizeOptions<'_>) -> Result<Vec<u8>, LinkError> {
    object(units, options, false)
}

/// As [`relocatable`], of units for objects and of kernels for executables, which only [`crate::objects::link`] can put together.
///
/// # Errors
/// As [`relocatable`].
pub fn mixed(units: &[UnitObject], options: &FinalizeOptions<'_>) -> Result<Vec<u8>, LinkError> {
    object(units, options, true)
}

fn object(units: &[UnitObject], options: &FinalizeOptions<'_>, mixed: bool) -> Result<Vec<u8>, LinkError> {
    let native = options.target.native.as_ref().ok_or(LinkError::Target(options.target.name))?;
    for unit in units {
        unit.verify()?;
    }
    let program = resolve::run(units)?;
    Ok(Writer::new(&program, options, native, mixed)?.model()?.write()?)
}

/// What a name is that nothing here defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Foreign {
    /// A function.
    Function,
    /// A kernel.
    Kernel,
    /// A variable: where, and bytes as declared.
    Variable(Space, u64),
}

/// A function with its section of code.
struct Text<'a> {
    def: DefId,
    function: &'a Function,
    /// Code with its end, banks cleared where the linker fills them in.
    code: Vec<u8>,
    /// Its own constants.
    pool: Vec<u8>,
}

/// The variables' places, and what is in their sections: bytes and alignment.
#[derive(Default)]
struct Variables {
    places: BTreeMap<DefId, (Kept, u64)>,
    global_init: (Vec<u8>, u64),
    constant: (Vec<u8>, u64),
    global: (u64, u64),
    shared: (u64, u64),
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kept {
    GlobalInit,
    Global,
    Const,
    /// The linker gives each kernel that refers to it a place of its own.
    Shared,
    /// The linker places it.
    Common,
}

/// A section; the number is the function's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Null,
    SectionNames,
    SymbolNames,
    Symbols,
    Frame,
    Line,
    DebugStrings,
    PtxLine,
    /// A debug section of the input, or its text.
    Dwarf(usize),
    ToolNote,
    CudaNote,
    Info,
    Compat,
    FunctionInfo(usize),
    Callgraph,
    Prototypes,
    /// Relocations of a section, without or with addends.
    Relocs(Patchable, bool),
    /// Addresses of variables, for kernels of executables.
    Slots,
    Const,
    /// The constants of a function's own.
    Pool(usize),
    Params(usize),
    Text(usize),
    GlobalInit,
    Global,
    Shared,
    /// Shared memory that a kernel has placed itself.
    OwnShared(usize),
}

/// A section with relocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Patchable {
    Text(usize),
    Slots,
    GlobalInit,
    Const,
    Line,
    PtxLine,
    Dwarf(usize),
    Frame,
}

struct Writer<'p, 'a> {
    program: &'p Program<'a>,
    options: &'p FinalizeOptions<'p>,
    format: Format,
    native: &'p Native,
    texts: Vec<Text<'a>>,
    variables: Variables,
    /// Places in constant bank 4 of the variables whose addresses code takes from there, and who takes them first.
    slots: BTreeMap<Named<'a>, u64>,
    slot_users: Vec<(usize, SymbolId)>,
    /// Names that are used and not defined.
    foreign: BTreeMap<&'a str, Foreign>,
    roles: Vec<Role>,
    indices: BTreeMap<Role, u32>,
    symbols: Vec<Symbol>,
    /// Numbers of the symbols of definitions, of foreign names, and of sections.
    numbers: BTreeMap<DefId, u32>,
    foreign_numbers: BTreeMap<&'a str, u32>,
    /// Other names of functions that other modules see.
    aliases: BTreeMap<&'a str, DefId>,
    /// The symbols of all other names, with their functions.
    alias_numbers: Vec<(u32, DefId)>,
    section_numbers: BTreeMap<Role, u32>,
    /// Numbers of the symbols of functions' own constants.
    pool_numbers: BTreeMap<DefId, u32>,
    first_global: u32,
    /// Texts of types in the order in which they stand before the names, and where.
    types: BTreeMap<&'a str, u32>,
    frame: Frames,
    lines: Option<LineSections>,
    debug: DebugSections,
}

impl<'p, 'a> Writer<'p, 'a> {
    fn new(
        program: &'p Program<'a>,
        options: &'p FinalizeOptions<'p>,
        native: &'p Native,
        mixed: bool,
    ) -> Result<Writer<'p, 'a>, LinkError> {
        let mut texts = Vec::new();
        for def in program.ids() {
            if let Body::Function(function) = program.def(def).body {
                // Linkers place shared memory by the variables that code refers to; what the code generator places has none.
                if !mixed && has_own_shared(function) {
                    return Err(LinkError::Shared { function: program.def(def).name.to_owned() });
                }
                let pool = mixed::pool(program, def, function)?;
                texts.push(Text { def, function, code: relocs::code(function, native), pool });
            }
        }
        let frames: Vec<(u64, u32)> = texts.iter().map(|t| (t.code.len() as u64, t.function.frame_size)).collect();
        let lines = (options.debug != Debug::None).then(|| {
            let texts = texts.iter().map(|t: &Text<'_>| lines::Text {
                module: program.units[program.def(t.def).unit].module,
                functions: t.function.lines.iter().map(|lines| (lines, 0)).collect(),
                end: t.code.len() as u64,
            });
            lines::run(texts, options.modules)
        });
        let debug = DebugSections::of(options.modules, lines.as_ref(), program, &texts);
        let mut writer = Writer {
            program,
            options,
            format: format(options, native),
            native,
            texts,
            variables: Variables::default(),
            slots: BTreeMap::new(),
            slot_users: Vec::new(),
            foreign: BTreeMap::new(),
            roles: Vec::new(),
            indices: BTreeMap::new(),
            symbols: Vec::new(),
            numbers: BTreeMap::new(),
            foreign_numbers: BTreeMap::new(),
            aliases: BTreeMap::new(),
            alias_numbers: Vec::new(),
            section_numbers: BTreeMap::new(),
            pool_numbers: BTreeMap::new(),
            first_global: 0,
            types: BTreeMap::new(),
            frame: frame::run(&frames).unplaced(),
            lines,
            debug,
        };
        writer.place_variables()?;
        writer.find_aliases()?;
        writer.find_foreign();
        if mixed {
            writer.find_slots()?;
        }
        let indirect = writer.texts.iter().flat_map(|t| &t.function.indirect);
        let named = program.units.iter().flat_map(|u| u.types.iter().map(|(_, text)| text));
        let texts: BTreeSet<&'a str> = indirect.chain(named).map(|text| &**text).filter(|t| !t.is_empty()).collect();
        let mut at = 1;
        for text in texts {
            writer.types.insert(text, at);
            at += text.len() as u32 + 1;
        }
        Ok(writer)
    }

    /// Gives all variables places: by alignment, then by first appearance.
    fn place_variables(&mut self) -> Result<(), LinkError> {
        let mut lists: BTreeMap<Kept, Vec<(DefId, &raddle_cubin::unit::DataObject)>> = BTreeMap::new();
        for def in self.program.ids() {
            let Body::Data(d) = self.program.def(def).body else { continue };
            let kept = match (d.space, &d.definition) {
                (_, Definition::Extern(_)) => continue,
                (Space::Shared, _) => Kept::Shared,
                (Space::Const, _) => Kept::Const,
                (Space::Global, Definition::Zero(_)) if d.linkage == Linkage::Common => Kept::Common,
                (Space::Global, Definition::Zero(_)) => Kept::Global,
                (Space::Global, Definition::Bytes(_)) => Kept::GlobalInit,
            };
            lists.entry(kept).or_default().push((def, d));
        }
        for (kept, mut list) in lists {
            list.sort_by_key(|(_, d)| std::cmp::Reverse(d.align));
            let most = list.first().map_or(1, |(_, d)| u64::from(d.align.max(1)));
            let (mut end, mut bytes) = (0u64, Vec::new());
            for (def, d) in list {
                let align = u64::from(d.align.max(1));
                if kept == Kept::Common {
                    self.variables.places.insert(def, (kept, align));
                    continue;
                }
                let at = align_up(end, align).unwrap_or(u64::MAX);
                end = at.saturating_add(d.definition.size());
                if kept == Kept::Const && end > BANK_BYTES {
                    let (user, what) = ("module".to_owned(), "constant memory");
                    return Err(LinkError::TooMuch { user, what, size: end, limit: BANK_BYTES });
                }
                self.variables.places.insert(def, (kept, at));
                if !matches!(kept, Kept::Global | Kept::Shared) {
                    bytes.resize(end as usize, 0);
                    if let Definition::Bytes(b) = &d.definition {
                        bytes[at as usize..end as usize].copy_from_slice(b);
                    }
                }
            }
            match kept {
                Kept::GlobalInit => self.variables.global_init = (bytes, most),
                Kept::Const => self.variables.constant = (bytes, most),
                Kept::Global => self.variables.global = (end, most),
                Kept::Shared => self.variables.shared = (end, most),
                Kept::Common => {}
            }
        }
        Ok(())
    }

    /// Finds the names that other modules may use for functions.
    fn find_aliases(&mut self) -> Result<(), LinkError> {
        for text in &self.texts {
            let def = self.program.def(text.def);
            for &name in &text.function.aliases {
                let name = self.program.units[def.unit].symbols.name(name).unwrap_or_default();
                let seen = matches!(def.linkage, Linkage::Visible);
                if let Some(other) = self.aliases.insert(name, text.def).filter(|_| seen) {
                    let modules = [other, text.def].map(|def| self.program.units[self.program.def(def).unit].module);
                    return Err(LinkError::Duplicate { name: name.to_owned(), first: modules[0], second: modules[1] });
                }
                if !seen {
                    self.aliases.remove(name);
                }
            }
        }
        Ok(())
    }

    fn name(&self, def: DefId) -> &'a str {
        self.program.def(def).name
    }

    /// The number of the symbol that a unit means by one of its own.
    fn symbol_of(&self, unit: usize, symbol: SymbolId) -> Option<u32> {
        if let Some(number) = self.program.lookup(unit, symbol).and_then(|def| self.numbers.get(&def)) {
            return Some(*number);
        }
        let name = self.program.units[unit].symbols.name(symbol)?;
        let alias = self.aliases.get(name).and_then(|def| self.numbers.get(def));
        alias.or_else(|| self.foreign_numbers.get(name)).copied()
    }

    /// Index of a section, 0 when it is not there.
    fn index(&self, role: Role) -> u32 {
        self.indices.get(&role).copied().unwrap_or(0)
    }

    fn model(mut self) -> Result<Cubin, LinkError> {
        // Which relocations there are decides on sections, and their numbers of symbols come behind those of sections.
        self.plan_sections(None);
        self.plan_symbols();
        let relocs = relocs::all(&self)?;
        self.plan_sections(Some(&relocs));
        self.plan_symbols();
        let relocs = relocs::all(&self)?;
        let header = Header {
            kind: Kind::Relocatable,
            os_abi: self.format.os_abi,
            abi_version: self.format.abi_version,
            version: self.format.version,
            flags: self.format.flags | if self.format.note_in_flags { self.index(Role::CudaNote) << 24 } else { 0 },
            entry: 0,
            program_headers: 0,
            program_header_size: if self.format.hopper_order { 0 } else { 56 },
            section_headers: 0,
            shstrtab: self.index(Role::SectionNames),
        };
        let sections = self.roles.iter().map(|&role| self.section(role, &relocs)).collect();
        let texts: Vec<String> = self.types.keys().map(|&text| text.to_owned()).collect();
        let mut cubin = Cubin { header, sections, symbols: self.symbols, segments: Vec::new() };
        cubin.lay_out_behind(&texts, self.format.segments)?;
        Ok(cubin)
    }

    fn plan_symbols(&mut self) {
        let make = |name: &str, kind, other, place| Symbol {
            name: name.to_owned(),
            binding: st::LOCAL,
            kind,
            other,
            place,
            value: 0,
            size: 0,
        };
        let mut out = vec![make("", st::NOTYPE, 0, Place::Undefined)];
        self.section_numbers.clear();
        self.pool_numbers.clear();
        for (index, &role) in self.roles.iter().enumerate().filter(|(_, role)| role.has_symbol()) {
            self.section_numbers.insert(role, out.len() as u32);
            out.push(make(&self.section_name(role), st::SECTION, 0, Place::Section(index as u32)));
            if let Role::Pool(n) = role {
                // nvlink joins the tables of functions into one bank only where relocations refer to variables in them.
                let Text { def, pool, .. } = &self.texts[n];
                let (name, size) = (format!("{}{POOL}", self.name(*def)), pool.len() as u64);
                self.pool_numbers.insert(*def, out.len() as u32);
                let other = st::OTHER_CONSTANT | INTERNAL;
                out.push(Symbol { size, ..make(&name, st::CUDA_OBJECT, other, Place::Section(index as u32)) });
            }
        }
        self.numbers.clear();
        self.foreign_numbers.clear();
        let text_of: BTreeMap<DefId, usize> = self.texts.iter().enumerate().map(|(n, t)| (t.def, n)).collect();
        // Definitions, then other names of functions: these have no size.
        let mut defined: Vec<(DefId, bool, Symbol)> = self
            .program
            .ids()
            .filter_map(|def| Some((def, false, self.definition(def, text_of.get(&def).copied())?)))
            .collect();
        for text in &self.texts {
            for &name in &text.function.aliases {
                let name = self.program.units[self.program.def(text.def).unit].symbols.name(name).unwrap_or_default();
                let symbol = self.definition(text.def, text_of.get(&text.def).copied());
                // Nobody else can use the other name of a private function.
                let symbol = symbol.filter(|s| s.binding != st::LOCAL);
                defined.extend(symbol.map(|s| (text.def, true, Symbol { name: name.to_owned(), size: 0, ..s })));
            }
        }
        let (locals, globals): (Vec<_>, Vec<_>) = defined.into_iter().partition(|(.., s)| s.binding == st::LOCAL);
        self.first_global = (out.len() + locals.len()) as u32;
        self.alias_numbers.clear();
        for (def, is_alias, symbol) in locals.into_iter().chain(globals) {
            match is_alias {
                true => self.alias_numbers.push((out.len() as u32, def)),
                false => drop(self.numbers.insert(def, out.len() as u32)),
            }
            out.push(symbol);
        }
        for (&name, kind) in &self.foreign {
            // Shared memory without a size is what the launch gives.
            let (kind, other, size) = match kind {
                Foreign::Function => (st::FUNC, 0, 0),
                Foreign::Kernel => (st::FUNC, st::OTHER_ENTRY, 0),
                Foreign::Variable(space, size) => (st::CUDA_OBJECT, other(*space, false), *size),
            };
            self.foreign_numbers.insert(name, out.len() as u32);
            out.push(Symbol { binding: st::GLOBAL, size, ..make(name, kind, other, Place::Undefined) });
        }
        self.symbols = out;
    }

    /// The symbol of something defined here; `text`: its place among the functions.
    fn definition(&self, def: DefId, text: Option<usize>) -> Option<Symbol> {
        let d = self.program.def(def);
        let binding = match d.linkage {
            Linkage::Unit | Linkage::Module => st::LOCAL,
            Linkage::Weak => st::WEAK,
            Linkage::Visible | Linkage::Common => st::GLOBAL,
        };
        let name = d.name.to_owned();
        match d.body {
            Body::Function(f) => {
                let n = text?;
                let (binding, other) = if f.entry.is_some() { (st::GLOBAL, st::OTHER_ENTRY) } else { (binding, 0) };
                let place = Place::Section(self.index(Role::Text(n)));
                let size = self.texts[n].code.len() as u64;
                Some(Symbol { name, binding, kind: st::FUNC, other, place, value: 0, size })
            }
            Body::Data(data) => {
                let &(kept, at) = self.variables.places.get(&def)?;
                let place = match kept {
                    Kept::GlobalInit => Place::Section(self.index(Role::GlobalInit)),
                    Kept::Global => Place::Section(self.index(Role::Global)),
                    Kept::Const => Place::Section(self.index(Role::Const)),
                    Kept::Shared => Place::Section(self.index(Role::Shared)),
                    Kept::Common => Place::Reserved(SHN_COMMON),
                };
                // A shared variable has no place yet: its alignment stands for it.
                let value = if kept == Kept::Shared { data.align.max(1).into() } else { at };
                let (kind, size) = (st::CUDA_OBJECT, data.definition.size());
                Some(Symbol { name, binding, kind, other: other(data.space, data.managed), place, value, size })
            }
            Body::External => None,
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
