//! The bitcode of a program, from which the parts are taken.

use super::stored::Stored;
use raddle_frontend::plan::{Part, Role};
use raddle_frontend::steps::Source;
use raddle_frontend::summary::SymbolId;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

/// Bitcode of a program: one module that has been linked, or several that have not.
pub(super) struct Program {
    file: Stored,
    /// The bytes of each module in the file; `None` is the whole file.
    modules: Vec<Option<Range<u64>>>,
    /// For each symbol the module that defines it; empty for a linked program.
    owner: Vec<u32>,
}

impl Program {
    /// A program that has been linked.
    pub fn linked(bitcode: &[u8]) -> io::Result<Program> {
        Ok(Program { file: Stored::new([bitcode])?, modules: vec![None], owner: Vec::new() })
    }

    /// A program of several modules; `owner` has the number of the module that defines a symbol.
    pub fn of_modules(modules: &[(String, Vec<u8>)], owner: Vec<u32>) -> io::Result<Program> {
        let mut ranges = Vec::new();
        let mut end = 0;
        for (_, bitcode) in modules {
            let start = end;
            end += bitcode.len() as u64;
            ranges.push(Some(start..end));
        }
        let file = Stored::new(modules.iter().map(|(_, bitcode)| bitcode.as_slice()))?;
        Ok(Program { file, modules: ranges, owner })
    }

    /// The modules that a part needs, with the new numbers of those that define its symbols.
    pub fn source(&self, part: &Part) -> (Source, BTreeMap<SymbolId, u32>) {
        let owner = |symbol: SymbolId| self.owner.get(symbol as usize).copied().unwrap_or(0);
        let taken = part.symbols.iter().filter(|(_, role)| *role != Role::Declared);
        let taken: Vec<(SymbolId, u32)> = taken.map(|&(symbol, _)| (symbol, owner(symbol))).collect();
        // Inline assembly outside of functions is that of a linked program.
        let assembly = part.assembly.then_some(0);
        let mut numbers: BTreeMap<u32, u32> =
            taken.iter().map(|&(_, module)| module).chain(assembly).map(|m| (m, 0)).collect();
        numbers.values_mut().zip(0..).for_each(|(number, new)| *number = new);
        let modules = numbers.keys().map(|&module| self.modules[module as usize].clone()).collect();
        let homes = taken.into_iter().map(|(symbol, module)| (symbol, numbers[&module])).collect();
        (Source { path: self.file.path.clone(), modules }, homes)
    }
}
