//! Makes `.nv.callgraph` and `.nv.prototype`: direct and indirect calls ("ptxas 13.0.88 output").
//!
//! Four lists, each after a head `{0, -n}`: direct calls; functions whose address is taken, with
//! their type; functions with indirect calls, with the type; and functions that take an address,
//! with the function whose address it is. Prototypes are the types of functions that are called and
//! not defined.

use std::collections::BTreeSet;

use raddle_cubin::unit::{RelocKind, Relocation, SymbolId};

use super::super::image::{Callee, Sym};
use super::super::resolve::{Body, DefId};
use super::Object;
use super::names::UndefinedKind;

/// Whether a relocation is a call.
fn calls(kind: RelocKind) -> bool {
    matches!(kind, RelocKind::CallAbs | RelocKind::CallRel)
}

impl<'a> Object<'_, 'a> {
    /// Whether a symbol is a function, defined here or elsewhere.
    pub(super) fn is_function(&self, unit: usize, symbol: SymbolId) -> bool {
        match self.program.lookup(unit, symbol).map(|def| self.program.def(def).body) {
            Some(Body::Function(_)) => true,
            Some(Body::Data(_)) => false,
            _ => {
                let name = self.program.units[unit].symbols.name(symbol).unwrap_or_default();
                let undefined = self.undefined.get(name);
                matches!(undefined, Some(UndefinedKind::Function | UndefinedKind::Kernel))
                    || self.aliases.contains_key(name)
            }
        }
    }

    /// Whether a relocation refers to the driver's descriptor of a kernel. A kernel's own name with
    /// an addend is a place in its code; its constants and branch tables use its name, too.
    pub(super) fn is_descriptor(&self, user: DefId, r: &Relocation) -> bool {
        let unit = self.program.def(user).unit;
        let own = matches!(r.kind, RelocKind::PoolOffset | RelocKind::CodeOffset32);
        !own && self.is_kernel(unit, r.symbol) && (r.addend == 0 || self.program.lookup(unit, r.symbol) != Some(user))
    }

    /// Whether a symbol is a kernel, defined here or elsewhere.
    fn is_kernel(&self, unit: usize, symbol: SymbolId) -> bool {
        match self.program.lookup(unit, symbol).map(|def| self.program.def(def).body) {
            Some(Body::Function(f)) => f.entry.is_some(),
            Some(Body::Data(_)) => false,
            _ => {
                let name = self.program.units[unit].symbols.name(symbol).unwrap_or_default();
                self.undefined.get(name) == Some(&UndefinedKind::Kernel)
            }
        }
    }

    /// The offset of the text of a function's type; kernels have none.
    fn type_of(&self, unit: usize, symbol: SymbolId) -> Option<u32> {
        if self.is_kernel(unit, symbol) {
            return Some(0);
        }
        let types = &self.program.units[unit].types;
        let (_, text) = types.iter().find(|(name, _)| *name == symbol)?;
        self.types.get(&**text).copied()
    }

    /// The lists of `.nv.callgraph`.
    pub(super) fn callgraph(&self) -> [Vec<(Sym<'a>, Callee<'a>)>; 4] {
        let (mut direct, mut taken) = (BTreeSet::new(), BTreeSet::new());
        let (mut indirect, mut takes) = (BTreeSet::new(), BTreeSet::new());
        for text in self.texts {
            let unit = self.program.def(text.def).unit;
            let (me, function) = (Sym::Def(text.def), text.functions[0].0);
            for r in &function.relocations {
                let own = self.program.lookup(unit, r.symbol) == Some(text.def);
                let is_place = own && !calls(r.kind) && !self.is_descriptor(text.def, r);
                if !self.is_function(unit, r.symbol) || is_place {
                    continue;
                }
                let Some(callee) = self.symbol_of(unit, r.symbol) else { continue };
                if calls(r.kind) {
                    direct.insert((me, callee));
                } else {
                    takes.insert((me, Callee::Function(callee)));
                    taken.extend(self.type_of(unit, r.symbol).map(|text| (callee, Callee::Type(text))));
                }
            }
            let named = function.callees.iter().filter_map(|&callee| self.symbol_of(unit, callee));
            direct.extend(named.map(|callee| (me, callee)));
            indirect.extend(function.indirect.iter().filter_map(|t| Some((me, Callee::Type(*self.types.get(&**t)?)))));
        }
        // Aliases are listed as calls (ptxas 13.0.88 output for `.alias`).
        for (def, name) in self.alias_names() {
            let (alias, function) = (Sym::Alias(def, name), Sym::Def(def));
            // Callers of the function are listed as callers of all its aliases: nvlink 13.0.88
            // removes an alias that is not called, and then fails.
            let callers: Vec<Sym<'a>> = direct.iter().filter(|call| call.1 == function).map(|call| call.0).collect();
            direct.extend(callers.into_iter().filter(|&caller| caller != alias).map(|caller| (caller, alias)));
            direct.insert((alias, function));
        }
        for &def in self.variables.places.keys() {
            let (unit, Body::Data(d)) = (self.program.def(def).unit, self.program.def(def).body) else { continue };
            for r in d.relocations.iter().filter(|r| self.is_function(unit, r.symbol)) {
                if let (Some(callee), Some(text)) = (self.symbol_of(unit, r.symbol), self.type_of(unit, r.symbol)) {
                    taken.insert((callee, Callee::Type(text)));
                }
            }
        }
        let direct = direct.into_iter().map(|(from, to)| (from, Callee::Function(to)));
        [direct.collect(), taken.into_iter().collect(), indirect.into_iter().collect(), takes.into_iter().collect()]
    }

    /// `.nv.prototype`: functions that are called and not defined, with their types.
    pub(super) fn prototypes(&self) -> Vec<(Sym<'a>, u32)> {
        let mut out = BTreeSet::new();
        for (unit, object) in self.program.units.iter().enumerate() {
            let calls = object.functions.iter().flat_map(|f| &f.relocations).filter(|r| calls(r.kind));
            for r in calls {
                let name = object.symbols.name(r.symbol).unwrap_or_default();
                if self.undefined.contains_key(name)
                    && let (Some(symbol), Some(text)) = (self.symbol_of(unit, r.symbol), self.type_of(unit, r.symbol))
                {
                    out.insert((symbol, text));
                }
            }
        }
        out.into_iter().collect()
    }

    /// Undefined functions that a function calls or takes the address of, and kernels that it takes
    /// the address of.
    pub(super) fn externals(&self, n: usize) -> Vec<Sym<'a>> {
        let text = &self.texts[n];
        let unit = self.program.def(text.def).unit;
        let mut out: Vec<Sym<'a>> = Vec::new();
        for r in text.functions[0].0.relocations.iter().filter(|r| self.is_function(unit, r.symbol)) {
            let symbol = self.symbol_of(unit, r.symbol);
            let descriptor = self.is_descriptor(text.def, r);
            let external = symbol.filter(|s| descriptor || matches!(s, Sym::Undefined(_)));
            out.extend(external.filter(|symbol| !out.contains(symbol)));
        }
        out
    }
}
