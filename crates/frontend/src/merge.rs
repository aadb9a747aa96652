//! The symbols of a program from those of its modules, without linking the modules.
//!
//! Problem: a linked module has every body of a program, and one thread makes it. Strategy: the plan
//! of the parts needs symbols and references only, so the summaries of the modules are linked
//! instead, by the rules of LLVM's linker; each part then takes bodies from the modules that have
//! them.
//!
//! **Invariant.** The result depends on the modules and their order alone. Local symbols must have
//! names that no other module has ([`MergeError::Local`]).

use crate::steps::names::is_allowed;
use crate::summary::{Kind, Linkage, Space, Summary, Symbol, Use};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// A program whose modules have not been linked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// All symbols.
    pub summary: Summary,
    /// For each symbol the module that has its definition, by number; the first module for one that
    /// has none.
    pub owner: Vec<u32>,
}

/// Why modules are no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Two modules define a symbol, and neither definition is weak.
    #[error("'{first}' and '{second}' define {name}")]
    Twice {
        /// The symbol.
        name: String,
        /// One module.
        first: String,
        /// The other module.
        second: String,
    },
    /// A symbol is a function in one module, and a variable in another.
    #[error("{name} is a function or a variable, in '{first}' another than in '{second}'")]
    Kind {
        /// The symbol.
        name: String,
        /// One module.
        first: String,
        /// The other module.
        second: String,
    },
    /// A local symbol has the name of a symbol of another module.
    #[error("the local symbol {name} of '{first}' has the name of a symbol of '{second}'")]
    Local {
        /// The symbol.
        name: String,
        /// One module.
        first: String,
        /// The other module.
        second: String,
    },
    /// A symbol that others see has a name that PTX does not allow.
    #[error("'{module}': the symbol {name:?} has a name that PTX does not allow")]
    Name {
        /// The symbol.
        name: String,
        /// A module that has it.
        module: String,
    },
}

/// The symbol of a name, from the modules so far.
struct Found<'s> {
    symbol: &'s Symbol,
    /// The module of `symbol`.
    module: usize,
    copyable: bool,
}

/// Links the summaries of named modules. In an executable everything becomes local but kernels,
/// variables that the host finds by name, and the symbols in `keep`, which are sorted.
///
/// # Errors
/// [`MergeError`].
pub fn merge(modules: &[(&str, &Summary)], relocatable: bool, keep: &[String]) -> Result<Program, MergeError> {
    let mut found: BTreeMap<&str, Found<'_>> = BTreeMap::new();
    for (number, (_, summary)) in modules.iter().enumerate() {
        for symbol in &summary.symbols {
            let new = Found { symbol, module: number, copyable: symbol.copyable };
            match found.entry(&symbol.name) {
                Entry::Vacant(entry) => drop(entry.insert(new)),
                Entry::Occupied(mut entry) => {
                    let resolved = resolve(entry.get(), new, |module: usize| modules[module].0.to_owned())?;
                    entry.insert(resolved);
                }
            }
        }
    }
    let ids: BTreeMap<&str, u32> = found.keys().copied().zip(0..).collect();
    let mut program = Program::default();
    for Found { symbol, module, copyable } in found.into_values() {
        let names = &modules[module].1.symbols;
        let mut uses: Vec<Use> = Vec::new();
        for used in &symbol.uses {
            // Every symbol of a module is in the program.
            if let Some(&id) = ids.get(names[used.symbol as usize].name.as_str()) {
                uses.push(Use { symbol: id, ..*used });
            }
        }
        uses.sort_unstable();
        let local = !relocatable && is_local(symbol, keep);
        let linkage = if local { Linkage::Internal } else { symbol.linkage };
        program.summary.symbols.push(Symbol { linkage, copyable, uses, ..symbol.clone() });
        program.owner.push(module as u32);
    }
    let symbols = &program.summary.symbols;
    let used: BTreeSet<u32> = symbols.iter().flat_map(|symbol| &symbol.uses).map(|used| used.symbol).collect();
    for (symbol, id) in symbols.iter().zip(0..) {
        let seen = symbol.linkage != Linkage::Internal && (symbol.is_defined() || used.contains(&id));
        if seen && !is_allowed(&symbol.name) {
            let module = modules[program.owner[id as usize] as usize].0.to_owned();
            return Err(MergeError::Name { name: symbol.name.clone(), module });
        }
    }
    Ok(program)
}

/// The one symbol of two with the same name (LLVM's `ModuleLinker`, `shouldLinkFromSource`).
fn resolve<'s>(old: &Found<'s>, new: Found<'s>, name_of: impl Fn(usize) -> String) -> Result<Found<'s>, MergeError> {
    let (name, first, second) = (new.symbol.name.clone(), name_of(old.module), name_of(new.module));
    let is_local = |found: &Found<'_>| found.symbol.linkage == Linkage::Internal;
    if is_local(old) || is_local(&new) {
        return Err(MergeError::Local { name, first, second });
    }
    let is_function = |found: &Found<'_>| match found.symbol.kind {
        Kind::Kernel | Kind::Function => Some(true),
        Kind::Variable(_) => Some(false),
        Kind::Alias => None,
    };
    if let (Some(a), Some(b)) = (is_function(old), is_function(&new))
        && a != b
    {
        return Err(MergeError::Kind { name, first, second });
    }
    // The copies of a part are equal only if no module needs the address.
    let copyable = old.copyable && new.copyable;
    let takes_new = match (old.symbol.linkage, new.symbol.linkage) {
        (Linkage::External, Linkage::External) => return Err(MergeError::Twice { name, first, second }),
        (_, Linkage::Declaration) | (Linkage::External, _) => false,
        (Linkage::Declaration, _) | (_, Linkage::External) => true,
        (Linkage::Common, Linkage::Common) => new.symbol.size > old.symbol.size,
        (Linkage::Weak, _) | (_, Linkage::Weak) => false,
        (Linkage::Common | Linkage::Internal, _) => false,
    };
    let (symbol, module) = if takes_new { (new.symbol, new.module) } else { (old.symbol, old.module) };
    Ok(Found { symbol, module, copyable })
}

/// Whether only the program refers to a symbol, in an executable.
fn is_local(symbol: &Symbol, keep: &[String]) -> bool {
    let shown = matches!(symbol.kind, Kind::Variable(Space::Global | Space::Constant));
    let kept = symbol.kind == Kind::Kernel || shown || keep.binary_search(&symbol.name).is_ok();
    symbol.is_defined() && !kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Visibility;

    /// A module of functions: name, linkage, size, and names of the functions that it calls.
    fn module(rows: &[(&str, Linkage, u64, &[&str])]) -> Summary {
        let mut names: Vec<&str> = rows.iter().map(|row| row.0).collect();
        names.sort_unstable();
        let id = |name: &str| names.binary_search(&name).unwrap() as u32;
        let symbol = |&(name, linkage, size, calls): &(&str, Linkage, u64, &[&str])| Symbol {
            name: name.to_owned(),
            kind: if name.starts_with('k') { Kind::Kernel } else { Kind::Function },
            linkage,
            visibility: Visibility::Default,
            size,
            priority: 0,
            copyable: true,
            uses: calls.iter().map(|callee| Use { symbol: id(callee), calls: 1, address: false }).collect(),
        };
        let mut symbols: Vec<Symbol> = rows.iter().map(symbol).collect();
        symbols.sort_by(|a, b| a.name.cmp(&b.name));
        Summary { symbols, ..Summary::default() }
    }

    use Linkage::{Declaration, External, Internal, Weak};

    #[test]
    fn references_between_modules_are_resolved() {
        let a =
            module(&[("k", External, 5, &["far", "near"]), ("near", External, 2, &[]), ("far", Declaration, 0, &[])]);
        let b = module(&[("far", External, 3, &["again"]), ("again", Internal, 4, &[])]);
        let made = merge(&[("a", &a), ("b", &b)], false, &["near".to_owned()]).unwrap();
        let names: Vec<&str> = made.summary.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
        assert_eq!(names, ["again", "far", "k", "near"]);
        assert_eq!(made.owner, [1, 1, 0, 0]);
        let linkage: Vec<Linkage> = made.summary.symbols.iter().map(|symbol| symbol.linkage).collect();
        assert_eq!(linkage, [Internal, Internal, External, External]);
        let called = |id: usize| Vec::from_iter(made.summary.symbols[id].uses.iter().map(|used| used.symbol));
        assert_eq!((called(2), called(1)), (vec![1, 3], vec![0]));
        let object = merge(&[("a", &a), ("b", &b)], true, &[]).unwrap();
        assert_eq!(object.summary.symbols[1].linkage, External);
    }

    #[test]
    fn one_definition_counts_and_two_strong_ones_are_an_error() {
        let of = |linkage, size| module(&[("f", linkage, size, &[])]);
        let sizes = |modules: &[Summary]| {
            let named: Vec<(&str, &Summary)> = ["a", "b", "c"].into_iter().zip(modules).collect();
            merge(&named, true, &[]).map(|made| (made.summary.symbols[0].size, made.owner[0]))
        };
        assert_eq!(sizes(&[of(Declaration, 0), of(Weak, 1), of(Weak, 2)]), Ok((1, 1)));
        assert_eq!(sizes(&[of(Weak, 1), of(External, 2), of(Weak, 3)]), Ok((2, 1)));
        let twice = |first: &str, second: &str| {
            Err(MergeError::Twice { name: "f".into(), first: first.into(), second: second.into() })
        };
        assert_eq!(sizes(&[of(External, 1), of(Weak, 2), of(External, 3)]), twice("a", "c"));
        let local = MergeError::Local { name: "f".into(), first: "a".into(), second: "b".into() };
        assert_eq!(sizes(&[of(Internal, 1), of(Declaration, 0)]), Err(local));
        let common = |size| Summary {
            symbols: vec![Symbol {
                kind: Kind::Variable(Space::Global),
                ..of(Linkage::Common, size).symbols[0].clone()
            }],
            ..Summary::default()
        };
        assert_eq!(sizes(&[common(4), common(8), common(4)]), Ok((8, 1)));
        assert!(matches!(sizes(&[common(4), of(Weak, 1)]), Err(MergeError::Kind { .. })));
    }

    #[test]
    fn a_function_whose_address_one_module_takes_is_not_copied() {
        let (mut a, b) = (module(&[("f", External, 1, &[])]), module(&[("f", Declaration, 0, &[])]));
        assert!(merge(&[("a", &a), ("b", &b)], true, &[]).unwrap().summary.symbols[0].copyable);
        a.symbols[0].copyable = false;
        assert!(!merge(&[("b", &b), ("a", &a)], true, &[]).unwrap().summary.symbols[0].copyable);
    }
}
