//! Reads functions at module level: header, performance directives, the range of the body.

use super::Scan;
use crate::decl::{self, Fault, integer, name, params, traits};
use crate::errors::*;
use crate::module::*;
use crate::outline::pragma;
use crate::tree::{FuncId, Variable};
use crate::ty::{Space, TyClass};
use raddle_diag::quote;
use raddle_entity::FxHashSet;
use raddle_target::{Limits, PtxVersion};
use std::ops::Range;

/// The first target with clusters.
const CLUSTERS: u16 = 90;

/// Whether a directive begins an item of a module and never follows a function's header.
fn begins_item(word: &str) -> bool {
    matches!(word, ".visible" | ".extern" | ".weak" | ".common" | ".entry" | ".func" | ".file" | ".section" | ".alias")
        || decl::space(word).is_some()
}

impl<'a> Scan<'a, '_> {
    pub(super) fn function(
        &mut self,
        start: usize,
        entry: bool,
        linkage: Linkage,
        unified: Option<(u64, u64)>,
    ) -> Result<(), Fault> {
        let mut perf = Perf { unified, ..Perf::default() };
        self.cur.skip_space();
        while self.cur.peek() == b'.' {
            // `.func .attribute(...) name`
            let t = traits(&mut self.cur)?;
            perf.unified = t.unified.or(perf.unified);
            self.cur.skip_space();
        }
        let mut rets = Vec::new();
        if !entry && self.cur.eat(b'(') {
            rets = params(&mut self.cur)?;
        }
        let (text, span) = name(&mut self.cur, "a function name")?;
        self.errs.set_function(Some(text));
        let result = self.function_rest(start, entry, linkage, (text, span), rets, perf);
        if let Err(fault) = result {
            fault.report(&mut self.errs);
            // The header is malformed: the body, if there is one, is skipped.
            loop {
                self.cur.skip_space();
                match self.cur.peek() {
                    b'{' => {
                        let at = self.cur.pos();
                        self.skip_block(at);
                        break;
                    }
                    b';' | 0 => {
                        self.cur.bump();
                        break;
                    }
                    _ => {
                        if self.cur.dotted().is_empty() {
                            self.cur.bump();
                        }
                    }
                }
            }
        }
        self.errs.set_function(None);
        Ok(())
    }

    fn function_rest(
        &mut self,
        start: usize,
        entry: bool,
        linkage: Linkage,
        (text, span): (&'a str, Range<usize>),
        rets: Vec<Variable>,
        mut perf: Perf,
    ) -> Result<(), Fault> {
        let mut list = Vec::new();
        if self.cur.eat(b'(') {
            list = params(&mut self.cur)?;
        }
        let mut names: FxHashSet<&str> = FxHashSet::with_capacity_and_hasher(list.len(), Default::default());
        for var in &list {
            if !var.name.is_empty() && !names.insert(&var.name) {
                let text = format!("two parameters are called {}", quote(&var.name));
                self.errs.error(E0110, span.start, span.end, text);
            }
            if entry && var.space != Space::Param {
                let text = format!("the kernel parameter {} is not in .param", quote(&var.name));
                self.errs.error(E0115, span.start, span.end, text);
            }
            if entry && var.dims.iter().any(Option::is_none) {
                let text = format!("the kernel parameter {} has no size", quote(&var.name));
                self.errs.error(E0115, span.start, span.end, text);
            }
        }
        if !entry && let Some(var) = list.iter().chain(&rets).find(|var| var.ty.class() == TyClass::Opaque) {
            let text = format!("a .{} is a parameter of kernels only", var.ty.name());
            self.errs.error(E0115, span.start, span.end, text);
        }
        if entry {
            self.check_parameter_space(text, &list, &span);
        }
        let directives = self.cur.pos();
        self.perf(&mut perf, entry)?;
        self.check_clusters(&perf, directives..self.cur.pos());
        self.cur.skip_space();
        let mut body = None;
        match self.cur.peek() {
            b';' => self.cur.bump(),
            // Compilers for PTX 1.4 to 3.1 do not terminate a declaration.
            b'.' if !entry => {}
            b'{' => {
                let open = self.cur.pos();
                if !self.skip_block(open) {
                    self.errs.error(E0108, open, open + 1, format!("the body of {} is not closed", quote(text)));
                }
                body = Some(open..self.cur.pos());
            }
            _ => return Err(Fault::expected(&self.cur, "'{' or ';'")),
        }
        if perf.maxntid.is_some() && perf.reqntid.is_some() {
            // ptxas names the end of the body.
            let end = self.cur.pos();
            let text = format!("{} has both .maxntid and .reqntid", quote(text));
            self.errs.error(E0117, end.saturating_sub(1), end, text);
        }
        let place = if body.is_some() { FuncPlace::Definition } else { FuncPlace::Declaration };
        let func = Func {
            name: text.into(),
            entry,
            linkage,
            rets,
            params: list,
            perf,
            text: start..self.cur.pos(),
            body,
            span,
        };
        match &mut self.found {
            Some(found) => found.push(func),
            None => self.add_func(func, place),
        }
        Ok(())
    }

    /// Checks the size of kernel parameters: 32,764 bytes at most, 4,352 before PTX 8.1 or sm_70
    /// (PTX ISA 9.0, 5.1.6.1).
    fn check_parameter_space(&mut self, text: &str, list: &[Variable], span: &Range<usize>) {
        let old = self.out.version.is_some_and(|v| v < PtxVersion::new(8, 1));
        let (most, why) = match (old, self.out.target.is_some_and(|t| t.sm < 70)) {
            (true, _) => (Limits::FEW_PARAM_BYTES, " before `.version 8.1`"),
            (false, true) => (Limits::FEW_PARAM_BYTES, " before `.target sm_70`"),
            (false, false) => (Limits::PARAM_BYTES, ""),
        };
        let size = param_bytes(list);
        if size > u64::from(most) {
            let text = format!("the parameters of {} fill {size} bytes, {most} are possible{why}", quote(text));
            self.errs.error(E0113, span.start, span.end, text);
        }
    }

    pub(super) fn add_func(&mut self, func: Func, place: FuncPlace) {
        let span = func.span.clone();
        match self.out.names.get(&func.name).copied() {
            Some(Symbol::Func(id)) if self.out.funcs[id].body.is_none() || func.body.is_none() => {
                let old = &self.out.funcs[id];
                let kinds =
                    |list: &[Variable]| -> Vec<_> { list.iter().map(|v| (v.ty.bits(), v.width, v.size())).collect() };
                if old.entry != func.entry
                    || kinds(&old.params) != kinds(&func.params)
                    || kinds(&old.rets) != kinds(&func.rets)
                {
                    let text = format!("{} is declared differently before", quote(&func.name));
                    self.errs.error(E0110, span.start, span.end, text);
                }
                if func.body.is_some() {
                    // The place of declaration is the first one.
                    let first = self.out.funcs[id].span.clone();
                    self.out.funcs[id] = Func { span: first, ..func };
                }
                self.out.items.push(Item::Func(id, place));
            }
            Some(_) => {
                let text = format!("{} is already defined", quote(&func.name));
                self.errs.error(E0110, span.start, span.end, text);
            }
            None => {
                let name = func.name.clone();
                let id: FuncId = self.out.funcs.push(func);
                self.out.items.push(Item::Func(id, place));
                self.out.names.insert(name, Symbol::Func(id));
            }
        }
    }

    /// Reads directives up to the body, or up to the next item of the module after an unterminated
    /// declaration.
    fn perf(&mut self, perf: &mut Perf, entry: bool) -> Result<(), Fault> {
        loop {
            self.cur.skip_space();
            if self.cur.peek() != b'.' {
                return Ok(());
            }
            let start = self.cur.pos();
            let word = self.cur.dot_word();
            match word {
                word if !entry && begins_item(word) => {
                    self.cur.set_pos(start);
                    return Ok(());
                }
                ".maxnreg" => perf.maxnreg = Some(self.positive(word)?),
                ".maxntid" => perf.maxntid = Some(self.triple(|s| s.positive(word))?),
                ".reqntid" => perf.reqntid = Some(self.triple(|s| s.positive(word))?),
                ".minnctapersm" => perf.minnctapersm = Some(self.positive(word)?),
                ".maxnctapersm" => perf.maxnctapersm = Some(self.small()?),
                ".explicitcluster" => perf.explicitcluster = true,
                // Of clusters of 0 blocks the directive says nothing (ptxas 13.0.88).
                ".reqnctapercluster" if self.is_zero() => _ = self.triple(Self::small)?,
                ".reqnctapercluster" => perf.reqnctapercluster = Some(self.triple(|s| s.positive(word))?),
                ".maxclusterrank" => perf.maxclusterrank = Some(self.small()?),
                ".blocksareclusters" => perf.blocksareclusters = true,
                ".noreturn" => perf.noreturn = true,
                ".abi_preserve" => perf.abi_preserve = Some(self.small()?),
                ".abi_preserve_control" => perf.abi_preserve_control = Some(self.small()?),
                ".pragma" => perf.pragmas.extend(pragma(&mut self.cur)?),
                ".attribute" => {
                    self.cur.set_pos(start);
                    perf.unified = traits(&mut self.cur)?.unified;
                }
                _ => {
                    let text = format!("unknown directive {} of a function", quote(word));
                    return Err(Fault::new(E0109, start, self.cur.pos().max(start + 1), text));
                }
            }
        }
    }

    /// Checks directives on clusters (ptxas 13.0.88).
    fn check_clusters(&mut self, perf: &Perf, at: Range<usize>) {
        let (shape, rank) = (perf.reqnctapercluster.is_some(), perf.maxclusterrank.is_some());
        let written = [
            (".reqnctapercluster", shape),
            (".maxclusterrank", rank),
            (".explicitcluster", perf.explicitcluster),
            (".blocksareclusters", perf.blocksareclusters),
        ];
        let first = written.iter().find(|row| row.1).map(|row| row.0);
        if let (Some(name), Some(target)) = (first, self.out.target.filter(|t| t.sm < CLUSTERS)) {
            let text = format!("'{name}' is not supported on {target}: it needs sm_{CLUSTERS} or later");
            self.errs.error(E0125, at.start, at.end, text);
        } else if shape && rank {
            let text = "'.reqnctapercluster' and '.maxclusterrank' exclude each other";
            self.errs.error(E0117, at.start, at.end, text);
        } else if perf.blocksareclusters && (!shape || perf.reqntid.is_none()) {
            let text = "'.blocksareclusters' needs '.reqntid' and '.reqnctapercluster'";
            self.errs.error(E0117, at.start, at.end, text);
        }
    }

    /// Whether a 0 comes next.
    fn is_zero(&self) -> bool {
        let mut ahead = self.cur.clone();
        matches!(integer(&mut ahead), Ok(0))
    }

    fn small(&mut self) -> Result<u32, Fault> {
        self.cur.skip_space();
        let start = self.cur.pos();
        let n = integer(&mut self.cur)?;
        u32::try_from(n).map_err(|_| Fault::new(E0117, start, self.cur.pos(), format!("{n} is out of range")))
    }

    /// A number of a directive that is 1 or more.
    fn positive(&mut self, directive: &str) -> Result<u32, Fault> {
        self.cur.skip_space();
        let at = self.cur.pos();
        match self.small()? {
            0 => Err(Fault::new(E0117, at, self.cur.pos(), format!("the number of {directive} is 0, not 1 or more"))),
            number => Ok(number),
        }
    }

    /// Up to three numbers of a directive.
    fn triple(&mut self, mut number: impl FnMut(&mut Self) -> Result<u32, Fault>) -> Result<[u32; 3], Fault> {
        let mut out = [1; 3];
        for (i, slot) in out.iter_mut().enumerate() {
            if i > 0 && !self.cur.eat(b',') {
                break;
            }
            *slot = number(self)?;
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use crate::errors::E0110;
    use raddle_diag::{Diags, FileId};

    #[test]
    fn parameters_of_one_name_are_found_in_lists_of_any_length() {
        for (first, last) in [(0, 1), (0, 6000), (5998, 6000)] {
            let list = |twice: bool| {
                let name = |n: usize| if twice && n == last { format!("p{first}") } else { format!("p{n}") };
                (0..=last).map(|n| format!(".param .b8 {}", name(n))).collect::<Vec<_>>().join(", /* ) */\n")
            };
            for twice in [false, true] {
                let text =
                    format!(".version 8.3\n.target sm_80\n.address_size 64\n.entry k({}) {{ ret; }}\n", list(twice));
                let mut diags = Diags::new();
                let outline = crate::outline(&text, FileId::FIRST, &mut diags);
                let codes: Vec<_> = diags.iter().map(|diagnostic| diagnostic.code).collect();
                assert_eq!(codes, if twice { vec![E0110] } else { vec![] });
                assert_eq!(outline.funcs.values().next().map(|f| f.params.len()), Some(last + 1));
            }
        }
    }
}
