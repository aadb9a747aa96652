//! Prints a module made of parts of another one: selected functions and variables, optionally with
//! other linkage and other names.
//!
//! The caller decides which module gets and owns each part; this prints the text. The selection
//! must be complete: every symbol that a selected function or an initial value uses is selected
//! too, as a definition or as a declaration.
//!
//! Invariants: the text depends only on the header of the module and on the parts; parts are in the
//! order of the module; the files of `.loc` are renumbered as in [`crate::extract()`], and sections
//! other than the names they need are omitted.

use crate::body::Body;
use crate::cursor::Cursor;
use crate::extract::{line_names, names_kernel};
use crate::module::{Linkage, Outline, Perf};
use crate::print::{func_header, header, print_body, variable_with};
use crate::tree::{FuncId, GlobalId, Referent};
use raddle_entity::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The parts of a module.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Functions with their new linkage. One that has a body in the module has it here.
    pub funcs: BTreeMap<FuncId, Linkage>,
    /// Variables with their new linkage; with [`Linkage::Extern`] only a declaration.
    pub globals: BTreeMap<GlobalId, Linkage>,
    /// Variables with a new name.
    pub names: BTreeMap<GlobalId, String>,
}

/// Returns the text of a module with these parts of another one. `bodies` has the bodies of its
/// functions.
pub fn compose(src: &str, outline: &Outline, bodies: &BTreeMap<FuncId, Body>, parts: &Parts) -> String {
    let mut out = String::new();
    header(&mut out, outline);
    for text in &outline.pragmas {
        let _ = writeln!(out, ".pragma \"{text}\";");
    }
    let names: FxHashMap<&str, &str> =
        parts.names.iter().map(|(&id, new)| (&*outline.globals[id].var.name, new.as_str())).collect();
    let defined = |id: &FuncId| outline.funcs[*id].body.is_some();
    let chosen = parts.funcs.keys().filter(|id| defined(id)).filter_map(|id| bodies.get(id));
    let places = line_names(&mut out, src, outline, chosen);
    let function = |id: FuncId, linkage: Linkage| {
        let mut func = outline.funcs[id].clone();
        func.linkage = linkage;
        func
    };
    // Kernels are declared if something refers to one; directives are only at their definition
    // ("ptxas 13.0.88 output").
    let chosen = parts.funcs.keys().filter_map(|id| bodies.get(id));
    let owned = parts.globals.iter().filter(|(_, linkage)| **linkage != Linkage::Extern).map(|(&id, _)| id);
    let takes = names_kernel(src, outline, chosen, owned);
    for (&id, &linkage) in parts.funcs.iter().filter(|(id, _)| takes || !outline.funcs[**id].entry) {
        let mut declaration = function(id, linkage);
        if declaration.entry {
            declaration.perf = Perf::default();
        }
        func_header(&mut out, &declaration);
        out.push_str(";\n");
    }
    for (&id, &linkage) in &parts.globals {
        let mut global = outline.globals[id].clone();
        global.linkage = linkage;
        if let Some(name) = parts.names.get(&id) {
            global.var.name = name.as_str().into();
        }
        let init = global.init.clone().filter(|_| linkage != Linkage::Extern);
        let init = init.map(|init| renamed(src.get(init).unwrap_or(""), &names));
        variable_with(&mut out, &global, init.as_deref());
    }
    for (&id, &linkage) in parts.funcs.iter().filter(|(id, _)| defined(id)) {
        let Some(body) = bodies.get(&id) else { continue };
        func_header(&mut out, &function(id, linkage));
        out.push('\n');
        print_body(&mut out, &with_names(body, &parts.names, &names), &places);
    }
    for (new, old) in &outline.aliases {
        if outline.func(new).is_some_and(|id| parts.funcs.contains_key(&id)) {
            let _ = writeln!(out, ".alias {new}, {old};");
        }
    }
    out
}

/// The body with renamed variables.
fn with_names<'b>(body: &'b Body, ids: &BTreeMap<GlobalId, String>, names: &FxHashMap<&str, &str>) -> Cow<'b, Body> {
    let is_renamed = |referent: Referent| match referent {
        Referent::Global(id) => ids.get(&id),
        _ => None,
    };
    if !body.syms.values().any(|sym| is_renamed(sym.referent).is_some()) {
        return Cow::Borrowed(body);
    }
    let mut body = body.clone();
    for sym in body.syms.values_mut() {
        if let Some(name) = is_renamed(sym.referent) {
            sym.name = name.as_str().into();
        }
    }
    for (_, init) in &mut body.inits {
        *init = renamed(init, names).into();
    }
    Cow::Owned(body)
}

/// The text with renamed symbols.
fn renamed(text: &str, names: &FxHashMap<&str, &str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut cur = Cursor::new(text, 0, text.len());
    let mut copied = 0;
    loop {
        cur.skip_space();
        if cur.at_end() {
            break;
        }
        let start = cur.pos();
        match cur.name() {
            "" => cur.bump(),
            name => {
                if let Some(new) = names.get(name) {
                    out.push_str(text.get(copied..start).unwrap_or(""));
                    out.push_str(new);
                    copied = cur.pos();
                }
            }
        }
    }
    out.push_str(text.get(copied..).unwrap_or(""));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{outline, parse_body};
    use raddle_diag::{Diags, FileId};

    const MODULE: &str = "\
.version 8.0
.target sm_90
.address_size 64
.global .u32 counter;
.global .align 8 .u64 table[2] = {counter, generic(counter)+4};
.visible .func helper() { ret; }
.visible .entry k() { .reg .b64 %a; mov.u64 %a, counter; mov.u64 %a, table; call helper; ret; }
.visible .entry other() { ret; }
";

    fn parts(edit: impl FnOnce(&Outline, &mut Parts)) -> String {
        let mut diags = Diags::new();
        let outline = outline(MODULE, FileId::FIRST, &mut diags);
        let ids = outline.funcs.iter().filter(|(_, f)| f.body.is_some()).map(|(id, _)| id);
        let bodies = ids.map(|id| (id, parse_body(MODULE, FileId::FIRST, &outline, id, &mut diags))).collect();
        let mut parts = Parts::default();
        edit(&outline, &mut parts);
        let text = compose(MODULE, &outline, &bodies, &parts);
        assert!(!diags.has_errors());
        text
    }

    #[test]
    fn parts_get_the_linkage_and_the_names_they_are_given() {
        let text = parts(|outline, parts| {
            let global = |name| outline.globals.iter().find(|(_, g)| &*g.var.name == name).unwrap().0;
            parts.funcs.insert(outline.func("k").unwrap(), Linkage::Visible);
            parts.funcs.insert(outline.func("helper").unwrap(), Linkage::Local);
            parts.globals.insert(global("counter"), Linkage::Extern);
            parts.globals.insert(global("table"), Linkage::Visible);
            parts.names.insert(global("counter"), "counter$1".into());
        });
        for line in [
            ".func helper();",
            ".func helper()",
            ".extern .global .u32 counter$1;",
            ".visible .global .align 8 .u64 table[2] = {counter$1, generic(counter$1)+4};",
            "mov.u64 %a, counter$1;",
        ] {
            assert!(text.lines().any(|have| have == line), "{line} in {text}");
        }
        assert!(!text.contains("other"), "{text}");
        // The result is a valid module.
        let mut diags = Diags::new();
        let again = outline(&text, FileId::FIRST, &mut diags);
        again.funcs.keys().for_each(|id| drop(parse_body(&text, FileId::FIRST, &again, id, &mut diags)));
        assert!(!diags.has_errors(), "{text}");
    }

    #[test]
    fn names_are_whole_words() {
        let names: FxHashMap<&str, &str> = [("a", "b")].into_iter().collect();
        assert_eq!(renamed("{a, aa, a+1, generic(a), 0xa /* a */}", &names), "{b, aa, b+1, generic(b), 0xa /* a */}");
        assert_eq!(renamed("", &names), "");
    }
}
