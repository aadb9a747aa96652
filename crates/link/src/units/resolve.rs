//! Resolves names to definitions.
//!
//! Problem: each unit has its own symbol table. Two units may mean the same symbol by a name (same
//! module, or a visible symbol), or different ones (private variables of two modules). Strategy:
//! every definition gets a key made of its scope and name. The first definition of a key counts;
//! later ones must agree with it (a closure carries its shared data into every unit), or the
//! linkage decides which one counts. Then every unit gets a map from its symbol ids to definitions.
//! A declaration of shared memory that another unit defines is that definition: it is bound here, as
//! the definition may become local, where no linker of objects finds it by name.
//!
//! Invariant: definitions are numbered in the order of their first appearance, so they depend only
//! on the order of units.

use std::collections::{BTreeMap, BTreeSet};

use raddle_cubin::unit::{DataObject, Definition, Function, Linkage, Param, RelocKind, Space, SymbolId, UnitObject};

use crate::LinkError;

/// Index into [`Program::definitions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct DefId(pub u32);

/// The body of a definition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body<'a> {
    /// Code.
    Function(&'a Function),
    /// A variable.
    Data(&'a DataObject),
    /// An undefined symbol: a function of the driver (`vprintf`, `malloc`, `free`, `__assertfail`).
    External,
    /// A texture, sampler or surface, which the driver binds: the ELF type of its symbol and the
    /// relocation of its word.
    Bound(u8, u32),
    /// The size of a row in a table of the driver.
    RowSize,
}

/// One definition.
#[derive(Clone, Debug)]
pub(super) struct Def<'a> {
    pub name: &'a str,
    pub linkage: Linkage,
    /// The unit whose symbol ids the body uses.
    pub unit: usize,
    pub body: Body<'a>,
}

/// All units with their symbols resolved.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub units: &'a [UnitObject],
    pub definitions: Vec<Def<'a>>,
    /// Definitions per unit, by symbol id.
    maps: Vec<Vec<Option<DefId>>>,
}

impl<'a> Program<'a> {
    /// The definition that a unit's symbol refers to.
    pub fn lookup(&self, unit: usize, symbol: SymbolId) -> Option<DefId> {
        self.maps[unit].get(symbol.0 as usize).copied().flatten()
    }

    pub fn def(&self, id: DefId) -> &Def<'a> {
        &self.definitions[id.0 as usize]
    }

    /// Makes definitions of these names local.
    pub fn make_local(&mut self, sorted: &[String]) {
        for def in self.definitions.iter_mut().filter(|def| def.linkage == Linkage::Visible) {
            if sorted.binary_search_by(|name| name.as_str().cmp(def.name)).is_ok() {
                def.linkage = Linkage::Module;
            }
        }
    }

    pub fn ids(&self) -> impl Iterator<Item = DefId> + use<> {
        (0..self.definitions.len() as u32).map(DefId)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Unit(usize),
    Module(u32),
    Program,
}

fn scope(linkage: Linkage, unit: usize, module: u32) -> Scope {
    match linkage {
        Linkage::Unit => Scope::Unit(unit),
        Linkage::Module => Scope::Module(module),
        Linkage::Visible | Linkage::Weak | Linkage::Common => Scope::Program,
    }
}

pub(super) fn run(units: &[UnitObject]) -> Result<Program<'_>, LinkError> {
    let mut table: BTreeMap<(Scope, &str), DefId> = BTreeMap::new();
    let mut definitions: Vec<Def<'_>> = Vec::new();
    let shared = visible_shared(units);
    for (index, unit) in units.iter().enumerate() {
        let functions = unit.functions.iter().map(|f| (f.name, f.linkage, Body::Function(f)));
        let data = unit.data.iter().map(|d| (d.name, d.linkage, Body::Data(d)));
        for (symbol, linkage, body) in functions.chain(data) {
            let Some(name) = unit.symbols.name(symbol) else { continue };
            let is_dynamic_shared = matches!(body, Body::Data(d) if is_dynamic_shared(d)) && !shared.contains(name);
            if matches!(body, Body::Data(d) if matches!(d.definition, Definition::Extern(_))) && !is_dynamic_shared {
                continue;
            }
            // Dynamic shared memory belongs to the kernel, however often its name is declared.
            let linkage = if is_dynamic_shared { Linkage::Module } else { linkage };
            let def = Def { name, linkage, unit: index, body };
            let key = (scope(linkage, index, unit.module), name);
            match table.get(&key) {
                None => {
                    table.insert(key, DefId(definitions.len() as u32));
                    definitions.push(def);
                }
                Some(&old) => {
                    let old = &mut definitions[old.0 as usize];
                    merge(old, def, units)?;
                }
            }
        }
    }
    let mut maps = Vec::with_capacity(units.len());
    for (index, unit) in units.iter().enumerate() {
        let mut map = Vec::with_capacity(unit.symbols.len());
        for id in (0..unit.symbols.len() as u32).map(SymbolId) {
            let name = unit.symbols.name(id).unwrap_or_default();
            let scopes = [Scope::Unit(index), Scope::Module(unit.module), Scope::Program];
            map.push(scopes.iter().find_map(|&s| table.get(&(s, name)).copied()));
        }
        maps.push(map);
    }
    // Only functions of the driver may be undefined; other undefined symbols are reported where
    // they are used.
    for (index, unit) in units.iter().enumerate() {
        for id in (0..unit.symbols.len() as u32).map(SymbolId) {
            let Some(name) = unit.symbols.name(id).filter(|n| raddle_target::is_system_call(n)) else { continue };
            if maps[index][id.0 as usize].is_none() {
                let def = *table.entry((Scope::Program, name)).or_insert_with(|| {
                    definitions.push(Def { name, linkage: Linkage::Visible, unit: index, body: Body::External });
                    DefId(definitions.len() as u32 - 1)
                });
                maps[index][id.0 as usize] = Some(def);
            }
        }
    }
    bind_parameters(units, &mut definitions, &mut maps);
    for (index, unit) in units.iter().enumerate() {
        for r in unit.functions.iter().flat_map(|f| &f.relocations) {
            if maps[index][r.symbol.0 as usize].is_some() {
                continue;
            }
            let body = match (r.kind, r.kind.bound()) {
                (_, Some((kind, word))) => Body::Bound(kind, word),
                (RelocKind::RowSize, _) => Body::RowSize,
                _ => continue,
            };
            let Some(name) = unit.symbols.name(r.symbol) else { continue };
            let def = *table.entry((Scope::Program, name)).or_insert_with(|| {
                definitions.push(Def { name, linkage: Linkage::Visible, unit: index, body });
                DefId(definitions.len() as u32 - 1)
            });
            maps[index][r.symbol.0 as usize] = Some(def);
        }
    }
    Ok(Program { units, definitions, maps })
}

/// The names of shared variables that are defined, and that all units see.
fn visible_shared(units: &[UnitObject]) -> BTreeSet<&str> {
    let is_it = |d: &DataObject| {
        let visible = scope(d.linkage, 0, 0) == Scope::Program;
        d.space == Space::Shared && visible && !matches!(d.definition, Definition::Extern(_))
    };
    let data = units.iter().flat_map(|unit| unit.data.iter().map(move |d| (unit, d)));
    data.filter(|(_, d)| is_it(d)).filter_map(|(unit, d)| unit.symbols.name(d.name)).collect()
}

/// Defines the textures, samplers and surfaces that are parameters of kernels. Their names in a unit
/// are `kernel.parameter`.
fn bind_parameters<'a>(units: &'a [UnitObject], definitions: &mut Vec<Def<'a>>, maps: &mut [Vec<Option<DefId>>]) {
    for (index, unit) in units.iter().enumerate() {
        for p in unit.functions.iter().filter_map(|f| f.entry.as_ref()).flat_map(|e| &e.params) {
            let Some(symbol) = p.bound else { continue };
            let relocation = Param::BOUND.iter().find(|(space, _)| *space == p.space).and_then(|(_, r)| r.bound());
            let (Some((kind, word)), Some(name)) = (relocation, unit.symbols.name(symbol)) else { continue };
            let name = name.rsplit_once('.').map_or(name, |(_, name)| name);
            maps[index][symbol.0 as usize] = Some(DefId(definitions.len() as u32));
            definitions.push(Def { name, linkage: Linkage::Unit, unit: index, body: Body::Bound(kind, word) });
        }
    }
}

/// Parameters of a kernel that are textures, samplers or surfaces, by number.
pub(super) fn opaque_parameters(program: &Program<'_>, kernel: DefId) -> Vec<(usize, DefId)> {
    let def = program.def(kernel);
    let Body::Function(function) = def.body else { return Vec::new() };
    let params = function.entry.iter().flat_map(|entry| entry.params.iter().enumerate());
    params.filter_map(|(n, p)| Some((n, program.lookup(def.unit, p.bound?)?))).collect()
}

/// Whether it is `.extern .shared`: memory whose size is given at launch.
pub(super) fn is_dynamic_shared(d: &DataObject) -> bool {
    d.space == Space::Shared && matches!(d.definition, Definition::Extern(_))
}

/// Merges two definitions of one key.
fn merge<'a>(old: &mut Def<'a>, new: Def<'a>, units: &[UnitObject]) -> Result<(), LinkError> {
    let rank = |l: Linkage| match l {
        Linkage::Common => 0,
        Linkage::Weak => 1,
        _ => 2,
    };
    let size = |b: &Body<'_>| if let Body::Data(d) = b { d.definition.size() } else { 0 };
    let (first, second) = (units[old.unit].module, units[new.unit].module);
    match rank(new.linkage).cmp(&rank(old.linkage)) {
        std::cmp::Ordering::Greater => *old = new,
        std::cmp::Ordering::Less => {}
        // The largest common definition is taken (PTX ISA 9.0, 11.6.4).
        std::cmp::Ordering::Equal if new.linkage == Linkage::Common => {
            if size(&new.body) > size(&old.body) {
                *old = new;
            }
        }
        std::cmp::Ordering::Equal if new.linkage == Linkage::Weak => {}
        std::cmp::Ordering::Equal if first == second => {
            if !same(old, &new, units) {
                return Err(LinkError::Conflict { name: old.name.to_owned(), module: first });
            }
        }
        std::cmp::Ordering::Equal => {
            return Err(LinkError::Duplicate { name: old.name.to_owned(), first, second });
        }
    }
    Ok(())
}

/// Whether two definitions are equal up to symbol numbering.
fn same(a: &Def<'_>, b: &Def<'_>, units: &[UnitObject]) -> bool {
    let relocations = |unit: usize, relocs: &[raddle_cubin::unit::Relocation]| -> Vec<_> {
        let name = |id| units[unit].symbols.name(id).map(str::to_owned);
        relocs.iter().map(|r| (r.offset, r.kind, name(r.symbol), r.addend)).collect()
    };
    match (&a.body, &b.body) {
        (Body::Function(f), Body::Function(g)) => {
            // Two kernels of one name are an error even if they are equal.
            f.entry.is_none()
                && g.entry.is_none()
                && f.code == g.code
                && f.constants.bytes == g.constants.bytes
                && relocations(a.unit, &f.relocations) == relocations(b.unit, &g.relocations)
        }
        (Body::Data(d), Body::Data(e)) => {
            d.space == e.space
                && d.align == e.align
                && d.definition == e.definition
                && relocations(a.unit, &d.relocations) == relocations(b.unit, &e.relocations)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_cubin::unit::Entry;

    fn unit(module: u32, name: &str, linkage: Linkage, value: u8) -> UnitObject {
        let mut unit = UnitObject { module, ..UnitObject::default() };
        let name = unit.symbols.intern(name);
        let definition = Definition::Bytes(vec![value]);
        unit.data.push(DataObject {
            name,
            space: Space::Global,
            linkage,
            definition,
            align: 1,
            relocations: vec![],
            managed: false,
        });
        unit
    }

    #[test]
    fn scopes_keep_private_names_apart() {
        let units =
            [unit(0, "v", Linkage::Module, 1), unit(1, "v", Linkage::Module, 2), unit(0, "v", Linkage::Module, 1)];
        let p = run(&units).unwrap();
        assert_eq!(p.definitions.len(), 2);
        assert_eq!(p.lookup(0, SymbolId(0)), p.lookup(2, SymbolId(0)));
        assert_ne!(p.lookup(0, SymbolId(0)), p.lookup(1, SymbolId(0)));
    }

    #[test]
    fn a_declaration_of_shared_memory_is_bound_before_its_definition_becomes_local() {
        let shared = |module, linkage, definition| {
            let mut unit = unit(module, "s", linkage, 0);
            (unit.data[0].space, unit.data[0].definition) = (Space::Shared, definition);
            unit
        };
        let user = shared(0, Linkage::Visible, Definition::Extern(4));
        let owner = shared(1, Linkage::Visible, Definition::Zero(4));
        for units in [[user.clone(), owner.clone()], [owner, user.clone()]] {
            let mut p = run(&units).unwrap();
            p.make_local(&["s".to_owned()]);
            assert_eq!(p.definitions.len(), 1);
            assert_eq!(p.definitions[0].linkage, Linkage::Module);
            assert_eq!(p.lookup(0, SymbolId(0)), p.lookup(1, SymbolId(0)));
        }
        // A variable of another module is not meant.
        let other = shared(1, Linkage::Module, Definition::Zero(4));
        assert_ne!(run(&[user, other]).unwrap().definitions.len(), 1);
    }

    #[test]
    fn contradictions_are_errors() {
        let units = [unit(0, "v", Linkage::Visible, 1), unit(1, "v", Linkage::Visible, 1)];
        assert_eq!(run(&units).unwrap_err(), LinkError::Duplicate { name: "v".into(), first: 0, second: 1 });
        let units = [unit(3, "v", Linkage::Module, 1), unit(3, "v", Linkage::Module, 2)];
        assert_eq!(run(&units).unwrap_err(), LinkError::Conflict { name: "v".into(), module: 3 });
        let mut kernels = UnitObject::default();
        let k = kernels.symbols.intern("k");
        kernels.functions.push(Function::new(k, Linkage::Visible, Some(Entry::default()), vec![0; 16]));
        let twice = [kernels.clone(), kernels];
        assert!(matches!(run(&twice), Err(LinkError::Conflict { .. })));
    }

    #[test]
    fn a_strong_definition_beats_weak_ones_in_any_order() {
        let strong = unit(0, "v", Linkage::Visible, 1);
        let weak = unit(1, "v", Linkage::Weak, 2);
        for units in [[strong.clone(), weak.clone()], [weak, strong]] {
            let p = run(&units).unwrap();
            assert_eq!(p.definitions.len(), 1);
            assert_eq!(p.definitions[0].linkage, Linkage::Visible);
        }
    }
}
