//! `.nv.callgraph` and `.nv.prototype`: who calls whom, by name and by address ("ptxas 13.0.88 output").
//!
//! Four lists, each behind a head `{0, -n}`: calls by name; functions whose address is taken, with their type; functions that call by an
//! address, with the type; and who takes whose address. Prototypes are the types of functions that are called and not defined.

use std::collections::BTreeSet;

use raddle_cubin::unit::{Definition, RelocKind, Relocation, SymbolId};

use super::{Foreign, Writer};
use crate::resolve::{Body, DefId};

/// Is it a call?
fn calls(kind: RelocKind) -> bool {
    matches!(kind, RelocKind::CallAbs | RelocKind::CallRel)
}

impl Writer<'_, '_> {
    /// Finds names that relocations use and nothing here defines, the driver's functions among them.
    pub(super) fn find_foreign(&mut self) {
        for (index, unit) in self.program.units.iter().enumerate() {
            let code = unit.functions.iter().flat_map(|f| f.relocations.iter().chain(&f.constants.relocations));
            for r in code.chain(unit.data.iter().flat_map(|d| &d.relocations)) {
                let Some(name) = unit.symbols.name(r.symbol) else { continue };
                let def = self.program.lookup(index, r.symbol);
                let elsewhere = |def| match self.program.def(def).body {
                    Body::External => true,
                    Body::Data(d) => matches!(d.definition, Definition::Extern(_)),
                    Body::Function(_) => false,
                };
                if def.is_none_or(elsewhere) && !self.aliases.contains_key(name) {
                    let variable = unit.data.iter().find(|d| d.name == r.symbol);
                    let is_kernel = unit.types.iter().any(|(symbol, text)| *symbol == r.symbol && text.is_empty());
                    let function = if is_kernel { Foreign::Kernel } else { Foreign::Function };
                    let kind = variable.map_or(function, |d| match d.definition {
                        Definition::Extern(size) => Foreign::Variable(d.space, size),
                        _ => Foreign::Variable(d.space, 0),
                    });
                    self.foreign.insert(name, kind);
                }
            }
        }
    }

    /// Is it a function, here or elsewhere?
    pub(super) fn is_function(&self, unit: usize, symbol: SymbolId) -> bool {
        match self.program.lookup(unit, symbol).map(|def| self.program.def(def).body) {
            Some(Body::Function(_)) => true,
            Some(Body::Data(_)) => false,
            _ => {
                let name = self.program.units[unit].symbols.name(symbol).unwrap_or_default();
                let foreign = self.foreign.get(name);
                matches!(foreign, Some(Foreign::Function | Foreign::Kernel)) || self.aliases.contains_key(name)
            }
        }
    }

    /// Does a relocation stand for what the driver keeps of a kernel? A kernel's own name with an addend is a place in its code; its own constants and
    /// branch tables go by its name, too.
    pub(super) fn is_descriptor(&self, user: DefId, r: &Relocation) -> bool {
        let unit = self.program.def(user).unit;
        let own = matches!(r.kind, RelocKind::PoolOffset | RelocKind::CodeOffset32);
        !own && self.is_kernel(unit, r.symbol) && (r.addend == 0 || self.program.lookup(unit, r.symbol) != Some(user))
    }

    /// Is it a kernel, here or elsewhere?
    fn is_kernel(&self, unit: usize, symbol: SymbolId) -> bool {
        match self.program.lookup(unit, symbol).map(|def| self.program.def(def).body) {
            Some(Body::Function(f)) => f.entry.is_some(),
            Some(Body::Data(_)) => false,
            _ => {
                let name = self.program.units[unit].symbols.name(symbol).unwrap_or_default();
                self.foreign.get(name) == Some(&Foreign::Kernel)
            }
        }
    }

    /// Where the text of a function's type stands; kernels have none.
    fn type_of(&self, unit: usize, symbol: SymbolId) -> Option<u32> {
        if self.is_kernel(unit, symbol) {
            return Some(0);
        }
        let types = &self.program.units[unit].types;
        let (_, text) = types.iter().find(|(name, _)| *name == symbol)?;
        self.types.get(&**text).copied()
    }

    /// Pairs of `.nv.callgraph`.
    pub(super) fn callgraph(&self) -> Vec<[u32; 2]> {
        let (mut direct, mut taken) = (BTreeSet::new(), BTreeSet::new());
        let (mut indirect, mut takes) = (BTreeSet::new(), BTreeSet::new());
        for text in &self.texts {
            let unit = self.program.def(text.def).unit;
            let Some(&me) = self.numbers.get(&text.def) else { continue };
            for r in &text.function.relocations {
                let own = self.program.lookup(unit, r.symbol) == Some(text.def);
                let is_place = own && !calls(r.kind) && !self.is_descriptor(text.def, r);
                if !self.is_function(unit, r.symbol) || is_place {
                    continue;
                }
                let Some(callee) = self.symbol_of(unit, r.symbol) else { continue };
                if calls(r.kind) {
                    direct.insert([me, callee]);
                } else {
                    takes.insert([me, callee]);
                    taken.extend(self.type_of(unit, r.symbol).map(|text| [callee, text]));
                }
            }
            let named = text.function.callees.iter().filter_map(|&callee| self.symbol_of(unit, callee));
            direct.extend(named.map(|callee| [me, callee]));
            indirect.extend(text.function.indirect.iter().filter_map(|t| Some([me, *self.types.get(&**t)?])));
        }
        // Other names are told as calls (ptxas 13.0.88 output for `.alias`).
        for &(alias, def) in &self.alias_numbers {
            let Some(&function) = self.numbers.get(&def) else { continue };
            // Who calls the function is told to call all its names: nvlink 13.0.88 removes a name that nobody calls, and then fails.
            let callers: Vec<u32> = direct.iter().filter(|call| call[1] == function).map(|call| call[0]).collect();
            direct.extend(callers.into_iter().filter(|&caller| caller != alias).map(|caller| [caller, alias]));
            direct.insert([alias, function]);
        }
        for &def in self.variables.places.keys() {
            let (unit, Body::Data(d)) = (self.program.def(def).unit, self.program.def(def).body) else { continue };
            for r in d.relocations.iter().filter(|r| self.is_function(unit, r.symbol)) {
                if let (Some(callee), Some(text)) = (self.symbol_of(unit, r.symbol), self.type_of(unit, r.symbol)) {
                    taken.insert([callee, text]);
                }
            }
        }
        let mut out = Vec::new();
        for (head, list) in [(-1i32, direct), (-2, taken), (-3, indirect), (-4, takes)] {
            out.push([0, head as u32]);
            out.extend(list);
        }
        out
    }

    /// Pairs of `.nv.prototype`.
    pub(super) fn prototypes(&self) -> Vec<[u32; 2]> {
        let mut out = BTreeSet::new();
        for (unit, object) in self.program.units.iter().enumerate() {
            let calls = object.functions.iter().flat_map(|f| &f.relocations).filter(|r| calls(r.kind));
            for r in calls {
                let name = object.symbols.name(r.symbol).unwrap_or_default();
                if self.foreign.contains_key(name)
                    && let (Some(symbol), Some(text)) = (self.symbol_of(unit, r.symbol), self.type_of(unit, r.symbol))
                {
                    out.insert([symbol, text]);
                }
            }
        }
        out.into_iter().collect()
    }

    /// Functions that a function calls, or takes the address of, and that are not defined here, and kernels that it takes the address of.
    pub(super) fn externals(&self, n: usize) -> Vec<u32> {
        let text = &self.texts[n];
        let unit = self.program.def(text.def).unit;
        let mut out: Vec<u32> = Vec::new();
        for r in text.function.relocations.iter().filter(|r| self.is_function(unit, r.symbol)) {
            let name = self.program.units[unit].symbols.name(r.symbol).unwrap_or_default();
            let number = match self.is_descriptor(text.def, r) {
                true => self.symbol_of(unit, r.symbol),
                false => self.foreign_numbers.get(name).copied(),
            };
            out.extend(number.filter(|number| !out.contains(number)));
        }
        out
    }
}
