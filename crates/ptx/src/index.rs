//! Indices after the names of arrays: `g[3]`.

use crate::body::{Tag, Word};
use crate::decl::Fault;
use crate::errors::E0123;
use crate::parse::Parser;
use crate::tree::{Referent, SymId};
use raddle_diag::quote;

impl Parser<'_, '_, '_> {
    /// Converts `g[3]` to an address for loads and stores without brackets (ptxas 13.0.88: for no
    /// other instruction).
    pub(crate) fn indexed(&mut self) -> Result<(), Fault> {
        for n in 0..self.opnds.len() {
            let opnd = self.opnds[n];
            let (word, at) = (opnd.word, self.place(&opnd).0);
            let parts = match word.tag() {
                Tag::Symbol if opnd.count == 1 => [word.payload(), 0, 0],
                Tag::SymbolOff if opnd.count == 1 => [0, 1, 2].map(|i| self.body.words[word.payload() as usize + i].0),
                _ => continue,
            };
            self.opnds[n].word = Word::new(Tag::AddrSym, self.pool(&parts, at)?);
        }
        Ok(())
    }

    /// Bytes between the elements of an array, by which an index is scaled (PTX ISA 9.0, 6.4.2).
    /// ptxas 13.0.88 counts scalars, also for vectors and arrays of arrays, and bytes for arrays
    /// without a size, which are refused here.
    pub(crate) fn element(&self, sym: SymId, start: usize, end: usize) -> Result<i64, Fault> {
        let outline = self.outline;
        let func = &outline.funcs[self.func];
        let (var, sized) = match self.body.syms[sym].referent {
            Referent::Global(id) => (Some(&outline.globals[id].var), outline.globals[id].init.is_some()),
            Referent::Var(id) => (Some(&self.body.vars[id]), self.body.inits.iter().any(|(var, _)| *var == id)),
            Referent::Param(n) => (func.params.get(n as usize), false),
            Referent::Ret(n) => (func.rets.get(n as usize), false),
            Referent::Func(_) => (None, false),
        };
        let fault = |message: String| Err(Fault::new(E0123, start, end, message));
        let name = quote(&self.body.syms[sym].name);
        match var {
            Some(var) if !var.dims.is_empty() => {
                if var.dims.contains(&None) && !sized {
                    return fault(format!("the array {name} has no size, which an index needs"));
                }
                Ok(i64::from(var.ty.bytes()))
            }
            _ => fault(format!("{name} has an index and is no array")),
        }
    }
}
