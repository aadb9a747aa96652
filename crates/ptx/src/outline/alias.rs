//! Reads `.alias new, old;`: a second name of a function (PTX ISA 9.0, 11.2.3; rules beyond it are
//! those of ptxas 13.0.88).

use super::Scan;
use crate::decl::{Fault, name, punct};
use crate::errors::*;
use crate::module::*;
use crate::tree::{FuncId, Variable};
use raddle_diag::quote;
use raddle_target::PtxVersion;
use std::ops::Range;

impl Scan<'_, '_> {
    pub(super) fn alias(&mut self) -> Result<(), Fault> {
        let (new, new_span) = name(&mut self.cur, "a name")?;
        punct(&mut self.cur, b',', "','")?;
        let (old, old_span) = name(&mut self.cur, "a name")?;
        punct(&mut self.cur, b';', "';'")?;
        self.out.items.push(Item::Alias(self.out.aliases.len() as u32));
        self.out.aliases.push((new.into(), old.into()));
        let bad = |span: &Range<usize>, text: String| Fault::new(E0115, span.start, span.end, text);
        if self.out.version.is_some_and(|v| v < PtxVersion::new(6, 3)) {
            return Err(bad(&new_span, "`.alias` came with PTX 6.3".to_owned()));
        }
        let (new_id, old_id) = (self.named(new, &new_span)?, self.named(old, &old_span)?);
        let (func, to) = (&self.out.funcs[new_id], &self.out.funcs[old_id]);
        for (what, span) in [(func, &new_span), (to, &old_span)] {
            if what.entry {
                return Err(bad(span, format!("{} is a kernel, which has one name", quote(&what.name))));
            }
        }
        if self.out.meant.contains_key(&new_id) {
            let text = format!("{} is another name already", quote(new));
            return Err(Fault::new(E0110, new_span.start, new_span.end, text));
        }
        if new_id == old_id || self.out.meant.contains_key(&old_id) || self.aliased.contains(&new_id) {
            return Err(bad(&old_span, format!("{} is another name itself", quote(old))));
        }
        if to.linkage == Linkage::Weak {
            return Err(bad(&old_span, format!("{} is `.weak`: another definition may take its place", quote(old))));
        }
        let kinds = |list: &[Variable]| -> Vec<_> { list.iter().map(|v| (v.ty.bits(), v.width, v.size())).collect() };
        if kinds(&func.params) != kinds(&to.params) || kinds(&func.rets) != kinds(&to.rets) {
            let text = format!("{} and {} have different parameters", quote(new), quote(old));
            return Err(bad(&new_span, text));
        }
        self.out.meant.insert(new_id, old_id);
        self.aliased.insert(old_id);
        self.aliases.push((new_span, old_span));
        Ok(())
    }

    fn named(&self, name: &str, span: &Range<usize>) -> Result<FuncId, Fault> {
        match self.out.symbol(name) {
            Some(Symbol::Func(id)) => Ok(id),
            Some(Symbol::Global(_)) => {
                Err(Fault::new(E0115, span.start, span.end, format!("{} is no function", quote(name))))
            }
            None => Err(Fault::new(E0111, span.start, span.end, format!("unknown symbol {}", quote(name)))),
        }
    }

    /// Checks, once all bodies are known, that the old name has one and the new name has none.
    pub(super) fn finish_aliases(&mut self) {
        for (new_span, old_span) in std::mem::take(&mut self.aliases) {
            let id = |span: &Range<usize>| self.out.func(self.cur.slice(span.start, span.end));
            let has_body = |span: &Range<usize>| id(span).is_some_and(|id| self.out.funcs[id].body.is_some());
            let (new, old) = (has_body(&new_span), has_body(&old_span));
            if new {
                let text = "a name for another function has no body".to_owned();
                self.errs.error(E0110, new_span.start, new_span.end, text);
            }
            if !old {
                let text = "the function has no body in this module".to_owned();
                self.errs.error(E0115, old_span.start, old_span.end, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::outline;
    use raddle_diag::{Diags, FileId};

    /// The error codes of a module.
    fn said(version: &str, text: &str) -> Vec<String> {
        let text = format!(".version {version}\n.target sm_70\n.address_size 64\n{text}");
        let mut diags = Diags::new();
        outline(&text, FileId::FIRST, &mut diags);
        diags.iter().map(|d| d.code.to_string()).collect()
    }

    #[test]
    fn rules_are_those_of_ptxas() {
        const OLD: &str = ".visible .func old() { ret; }\n";
        let good = [
            ".visible .func new();\n.alias new, old;\n",
            ".weak .func new();\n.alias new, old;\n",
            ".func new();\n.alias new, old;\n",
            ".extern .func new();\n.alias new, old;\n",
        ];
        for text in good {
            assert_eq!(said("8.0", &(OLD.to_owned() + text)), [""; 0], "{text}");
        }
        let declared = ".func new();\n.func old();\n.alias new, old;\n.func old() { ret; }\n";
        assert_eq!(said("8.0", declared), [""; 0]);
        let bad = [
            (".alias new, old;\n", "E0111"),
            (".func new();\n.alias new, none;\n", "E0111"),
            (".func new() { ret; }\n.alias new, old;\n", "E0110"),
            (".func new(.param .b32 a);\n.alias new, old;\n", "E0115"),
            (".func new();\n.func g();\n.alias new, old;\n.alias g, new;\n", "E0115"),
            (".func new();\n.alias new, old;\n.alias new, old;\n", "E0110"),
            (".func old2();\n.func new();\n.alias new, old2;\n", "E0115"),
            (".entry e() { ret; }\n.func new();\n.alias new, e;\n", "E0115"),
            (".weak .func w() { ret; }\n.func new();\n.alias new, w;\n", "E0115"),
            (".global .u32 v;\n.func new();\n.alias new, v;\n", "E0115"),
        ];
        for (text, code) in bad {
            assert_eq!(said("8.0", &(OLD.to_owned() + text)), [code], "{text}");
        }
        assert_eq!(said("6.2", &(OLD.to_owned() + good[0])), ["E0115"]);
    }
}
