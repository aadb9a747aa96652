//! What the object of a unit depends on beside its text, for a process that gets the text alone.
//!
//! Problem: other modules and the output decide which functions are inlined and whether another linker
//! comes later; options give kernels launch bounds, and other inputs decide where a shared variable is.
//! Strategy: the last line of the text, a comment of PTX, says it, so that it is part of whatever is
//! compared, hashed and sent. [`line()`] writes it, [`apply`] reads it in the process. A text without it
//! is compiled as a program of its own.

use super::Module;
use super::names::identifiers;
use raddle_lower::OutOfLine;
use raddle_ptx::{FuncId, Linkage, Outline, Space};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What the line begins with.
const START: &str = "// raddle unit:";

/// The last line for the text of a kernel or function; empty if the text says everything.
/// `relocatable`: its code is for a linker of objects; `whole`: the text is that of the whole module, as
/// it was before anything was decided.
pub(crate) fn line(module: &Module, func: FuncId, text: &str, relocatable: bool, whole: bool) -> String {
    let (outline, mut words) = (&module.outline, String::new());
    if relocatable && module.out_of_line.is_none() {
        // A function of a program in which nothing is called.
        words.push_str(" inlined=all");
    } else if let Some(OutOfLine { called, external }) = module.out_of_line.as_ref().filter(|_| relocatable) {
        let in_text: BTreeSet<&str> = identifiers(text).collect();
        let names = called.iter().map(|&id| &*outline.funcs[id].name).filter(|name| in_text.contains(name));
        let _ = write!(words, " external={external} called={}", list(names.collect()));
    }
    let function = &outline.funcs[func];
    if whole && function.entry {
        let perf = &function.perf;
        let _ = write!(words, " kernel={}", function.name);
        let all = |values: Option<[u32; 3]>| values.map(|values| values.to_vec());
        let one = |value: Option<u32>| value.map(|value| vec![value]);
        for (name, values) in [
            ("maxnreg", one(perf.maxnreg)),
            ("maxntid", all(perf.maxntid)),
            ("reqntid", all(perf.reqntid)),
            ("minnctapersm", one(perf.minnctapersm)),
        ] {
            let values = values.map(|values| values.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
            let _ = values.map(|values| write!(words, " {name}={values}"));
        }
    }
    if whole {
        let shared = outline.globals.values().filter(|g| g.var.space == Space::Shared);
        let own: BTreeSet<&str> = shared.filter(|g| g.linkage == Linkage::Local).map(|g| &*g.var.name).collect();
        let _ = write!(words, " own={}", list(own));
    }
    if words.is_empty() { words } else { format!("\n{START}{words}\n") }
}

fn list(names: BTreeSet<&str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(",")
}

/// Gives the module of a unit's process what its line says, once its bodies have been read.
pub(crate) fn apply(module: &mut Module) {
    let text = std::sync::Arc::clone(&module.text);
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    let Some(words) = last.strip_prefix(START) else { return };
    let value = |name: &str| {
        let pairs = words.split_whitespace().filter_map(|word| word.split_once('='));
        pairs.into_iter().find(|pair| pair.0 == name).map(|pair| pair.1)
    };
    let names = |name: &str| value(name).into_iter().flat_map(|names| names.split(','));
    if value("inlined").is_some() {
        module.out_of_line = None;
    } else if let Some(external) = value("external").and_then(|external| external.parse().ok()) {
        let called = names("called").filter_map(|name| module.outline.func(name)).collect();
        module.out_of_line = Some(OutOfLine { called, external });
    }
    let outline: &mut Outline = &mut module.outline;
    for name in names("own") {
        let own = outline.globals.values_mut().filter(|g| &*g.var.name == name);
        own.for_each(|global| global.linkage = Linkage::Local);
    }
    if let Some(kernel) = value("kernel").and_then(|name| outline.func(name)) {
        let numbers = |name: &str| {
            let mut numbers = value(name)?.split(',').filter_map(|number| number.parse::<u32>().ok());
            Some([numbers.next()?, numbers.next().unwrap_or(1), numbers.next().unwrap_or(1)])
        };
        let perf = &mut outline.funcs[kernel].perf;
        perf.maxnreg = numbers("maxnreg").map(|numbers| numbers[0]);
        (perf.maxntid, perf.reqntid) = (numbers("maxntid"), numbers("reqntid"));
        perf.minnctapersm = numbers("minnctapersm").map(|numbers| numbers[0]);
    }
}
