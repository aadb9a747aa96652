//! Reads variables at module level.

use super::Scan;
use crate::decl::{self, Fault, declarator, integer, punct, traits};
use crate::errors::*;
use crate::module::*;
use crate::tree::GlobalId;
use crate::ty::{Space, Ty, TyClass};
use raddle_diag::quote;
use raddle_target::PtxVersion;
use std::ops::Range;

impl Scan<'_, '_> {
    pub(super) fn variable(&mut self, space: Space, at: usize, linkage: Linkage) -> Result<(), Fault> {
        if space == Space::Param {
            return Err(Fault::new(E0115, at, self.cur.pos(), "module-level variables are not in .param"));
        }
        if space == Space::Reg {
            return self.registers(at, linkage);
        }
        if space == Space::Tex && self.out.version >= Some(PtxVersion::new(1, 5)) {
            let text = "'.tex' is obsolete since PTX 1.5: '.global .texref' declares a texture";
            return Err(Fault::new(E0115, at, self.cur.pos(), text));
        }
        if self.cur.peek() == b'[' {
            self.cur.bump();
            integer(&mut self.cur)?;
            punct(&mut self.cur, b']', "']'")?;
        }
        let t = traits(&mut self.cur)?;
        if t.space.is_some() {
            return Err(Fault::new(E0115, at, self.cur.pos(), "a declaration has one state space"));
        }
        loop {
            let mut d = declarator(&mut self.cur, space, &t)?;
            // No field at all says nothing.
            let blank = |range: &Range<usize>| self.cur.slice(range.start, range.end).split_whitespace().eq(["{}"]);
            d.init = d.init.filter(|range| d.var.ty.class() != TyClass::Opaque || !blank(range));
            if t.ty == Some(Ty::Pred) {
                self.errs.error(E0115, d.span.start, d.span.end, "predicates live in registers only");
            }
            self.check_variable(&d, linkage);
            let global = Global {
                var: d.var,
                linkage,
                managed: t.managed,
                unified: t.unified,
                init: d.init,
                span: d.span.clone(),
            };
            self.add_global(global, d.span);
            if !self.cur.eat(b',') {
                break;
            }
        }
        punct(&mut self.cur, b';', "';'")
    }

    /// Registers that all kernels of the module declare; bodies check them.
    fn registers(&mut self, at: usize, linkage: Linkage) -> Result<(), Fault> {
        let start = self.cur.pos();
        // ptxas 13.0.88 takes them before PTX 3.0 only, when functions had no frames.
        if self.out.version >= Some(PtxVersion::new(3, 0)) {
            return Err(Fault::new(E0115, at, start, "since PTX 3.0 module-level variables are not in .reg"));
        }
        if linkage != Linkage::Local {
            return Err(Fault::new(E0115, at, start, "registers have no linkage"));
        }
        let t = traits(&mut self.cur)?;
        if self.cur.eat(b';') {
            // A list without names declares nothing.
            return Ok(());
        }
        while declarator(&mut self.cur, Space::Reg, &t).map(|_| self.cur.eat(b','))? {}
        punct(&mut self.cur, b';', "';'")?;
        self.out.registers.push(start..self.cur.pos());
        Ok(())
    }

    fn check_variable(&mut self, d: &decl::Declared, linkage: Linkage) {
        let (start, end) = (d.span.start, d.span.end);
        let var = &d.var;
        if d.count.is_some() {
            self.errs.error(E0115, start, end, "only registers are declared with <n>");
        }
        if var.ty.class() == TyClass::Opaque && var.space != Space::Global {
            let text = format!("a .{} is declared in .global, not in .{}", var.ty.name(), var.space.name());
            self.errs.error(E0115, start, end, text);
        }
        if d.init.is_some() && matches!(var.space, Space::Shared | Space::Local) {
            let text = format!("a variable in .{} has no initial value", var.space.name());
            self.errs.error(E0116, start, end, text);
        }
        // Since PTX 3.0 local memory is the frame of a function (PTX ISA 9.0, 5.1.5); ptxas 13.0.88
        // refuses the module.
        if var.space == Space::Local && self.out.version >= Some(PtxVersion::new(3, 0)) {
            let text = format!(
                "{} is in .local and no variable of a function, as PTX 3.0 and later want it",
                quote(&var.name)
            );
            self.errs.error(E0115, start, end, text);
        }
        if d.init.is_some() && linkage == Linkage::Extern {
            self.errs.error(E0116, start, end, "an .extern variable has no initial value");
        }
        let unsized_inner = var.dims.iter().skip(1).any(Option::is_none);
        let unsized_outer = var.dims.first().is_some_and(Option::is_none);
        if unsized_inner || (unsized_outer && linkage != Linkage::Extern && d.init.is_none()) {
            self.errs.error(E0115, start, end, format!("the array {} has no size", quote(&var.name)));
        }
    }

    fn add_global(&mut self, global: Global, span: Range<usize>) {
        let name = global.var.name.clone();
        if let Some(&old) = self.out.names.get(&name) {
            let declared = match old {
                Symbol::Global(id) => {
                    let old = &self.out.globals[id];
                    old.linkage == Linkage::Extern || global.linkage == Linkage::Extern
                }
                Symbol::Func(_) => false,
            };
            if !declared {
                let text = format!("{} is already defined", quote(&name));
                self.errs.error(E0110, span.start, span.end, text);
            }
            if let Symbol::Global(id) = old {
                // A definition replaces an earlier `.extern` declaration.
                if global.linkage != Linkage::Extern {
                    let first = self.out.globals[id].span.clone();
                    self.out.globals[id] = Global { span: first, ..global };
                }
            }
            return;
        }
        let id: GlobalId = self.out.globals.push(global);
        self.out.items.push(Item::Global(id));
        self.out.names.insert(name, Symbol::Global(id));
    }
}
