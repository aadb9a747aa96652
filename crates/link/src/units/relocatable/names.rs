//! Undefined symbols of an object, and aliases of its functions.

use std::collections::BTreeMap;

use raddle_cubin::unit::{Definition, Linkage, Space};

use super::super::image::Text;
use super::super::resolve::{Body, DefId, Program};
use crate::LinkError;

/// The kind of an undefined symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UndefinedKind {
    /// A function.
    Function,
    /// A kernel.
    Kernel,
    /// A variable: its memory, and its size in bytes as declared.
    Variable(Space, u64),
    /// A texture, sampler or surface: the ELF type of its symbol.
    Bound(u8),
    /// The size of a row in a table of the driver.
    RowSize,
}

/// Undefined symbols that relocations refer to, including functions of the driver.
pub(super) fn undefined<'a>(
    program: &Program<'a>,
    aliases: &BTreeMap<&'a str, DefId>,
) -> BTreeMap<&'a str, UndefinedKind> {
    let mut out = BTreeMap::new();
    for (index, unit) in program.units.iter().enumerate() {
        let code = unit.functions.iter().flat_map(|f| f.relocations.iter().chain(&f.constants.relocations));
        for r in code.chain(unit.data.iter().flat_map(|d| &d.relocations)) {
            let Some(name) = unit.symbols.name(r.symbol) else { continue };
            let elsewhere = |def| match program.def(def).body {
                Body::External => true,
                Body::Data(d) => matches!(d.definition, Definition::Extern(_)),
                Body::Bound(..) | Body::RowSize => true,
                Body::Function(_) => false,
            };
            if program.lookup(index, r.symbol).is_none_or(elsewhere) && !aliases.contains_key(name) {
                let variable = unit.data.iter().find(|d| d.name == r.symbol);
                let is_kernel = unit.types.iter().any(|(symbol, text)| *symbol == r.symbol && text.is_empty());
                let function = if is_kernel { UndefinedKind::Kernel } else { UndefinedKind::Function };
                let kind = variable.map_or(function, |d| match d.definition {
                    Definition::Extern(size) => UndefinedKind::Variable(d.space, size),
                    _ => UndefinedKind::Variable(d.space, 0),
                });
                let def = program.lookup(index, r.symbol).map(|def| program.def(def));
                let private = def.is_some_and(|def| def.linkage == Linkage::Unit);
                let kind = match def.map(|def| def.body) {
                    // A parameter.
                    Some(Body::Bound(..)) if private => continue,
                    Some(Body::Bound(kind, _)) => UndefinedKind::Bound(kind),
                    Some(Body::RowSize) => UndefinedKind::RowSize,
                    _ => kind,
                };
                out.insert(name, kind);
            }
        }
    }
    out
}

/// The names by which other modules may refer to functions.
///
/// # Errors
/// [`LinkError::Duplicate`] for a name of two functions.
pub(super) fn aliases<'a>(program: &Program<'a>, texts: &[Text<'a>]) -> Result<BTreeMap<&'a str, DefId>, LinkError> {
    let mut out = BTreeMap::new();
    for text in texts {
        let def = program.def(text.def);
        for &name in &text.functions[0].0.aliases {
            let name = program.units[def.unit].symbols.name(name).unwrap_or_default();
            let seen = matches!(def.linkage, Linkage::Visible);
            if let Some(other) = out.insert(name, text.def).filter(|_| seen) {
                let modules = [other, text.def].map(|def| program.units[program.def(def).unit].module);
                return Err(LinkError::Duplicate { name: name.to_owned(), first: modules[0], second: modules[1] });
            }
            if !seen {
                out.remove(name);
            }
        }
    }
    Ok(out)
}
