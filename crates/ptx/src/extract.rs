//! The unit of compilation: one kernel and everything it reaches, as canonical PTX (D9).
//!
//! The text depends on the kernel, the functions and variables it reaches, and the module's header,
//! but on nothing else in the module. Files and inlined function names of `.loc` are renumbered in
//! order of use, so that another kernel's line information does not matter either. Debug sections
//! are omitted.

use crate::body::Body;
use crate::cursor::Cursor;
use crate::form::Scratch;
use crate::module::{Func, Linkage, Outline, Perf, Symbol};
use crate::parse::parse_body_with;
use crate::print::{LocNames, file_line, func_header, global, header, print_body};
use crate::table::Op;
use crate::tree::{FuncId, GlobalId, Operand, Referent};
use raddle_diag::{Diags, FileId};
use raddle_entity::FxHashMap;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Returns canonical PTX of a kernel (or function) and its closure, and its other names. Errors in the
/// bodies go to `diags`.
pub fn extract(src: &str, file: FileId, outline: &Outline, kernel: FuncId, diags: &mut Diags) -> String {
    closure(src, file, outline, kernel, Wanted::Whole, diags)
}

/// Like [`extract`], but functions that are not inlined are declarations: those of `out_of_line`,
/// and those that nothing calls by name. The text is all that the code of the kernel (or function)
/// can depend on, as long as the others are called by the convention of the platform.
pub fn extract_out_of_line(
    src: &str,
    file: FileId,
    outline: &Outline,
    kernel: FuncId,
    out_of_line: &dyn Fn(FuncId) -> bool,
    diags: &mut Diags,
) -> String {
    closure(src, file, outline, kernel, Wanted::Key(out_of_line), diags)
}

/// Like [`extract_out_of_line`], for another assembler to make an object: the kernel (or function)
/// is visible, and functions that are not inlined belong to other objects.
pub fn extract_object(
    src: &str,
    file: FileId,
    outline: &Outline,
    kernel: FuncId,
    out_of_line: &dyn Fn(FuncId) -> bool,
    diags: &mut Diags,
) -> String {
    closure(src, file, outline, kernel, Wanted::Object(out_of_line), diags)
}

/// The treatment of called functions.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// They are in the closure.
    Whole,
    /// They are declared unchanged.
    Key(&'a dyn Fn(FuncId) -> bool),
    /// They are defined in another object.
    Object(&'a dyn Fn(FuncId) -> bool),
}

fn closure(
    src: &str,
    file: FileId,
    outline: &Outline,
    kernel: FuncId,
    wanted: Wanted<'_>,
    diags: &mut Diags,
) -> String {
    let out_of_line = match wanted {
        Wanted::Whole => None,
        Wanted::Key(out_of_line) | Wanted::Object(out_of_line) => Some(out_of_line),
    };
    let mut scratch = Scratch::new();
    let mut bodies: BTreeMap<FuncId, Body> = BTreeMap::new();
    let mut globals: BTreeSet<GlobalId> = BTreeSet::new();
    let mut declared: BTreeSet<FuncId> = BTreeSet::new();
    if let Wanted::Whole = wanted {
        declared.extend(outline.aliases_of(kernel).filter_map(|name| outline.func(name)));
    }
    let mut seen: BTreeSet<Symbol> = BTreeSet::from([Symbol::Func(kernel)]);
    let mut work = vec![Symbol::Func(kernel)];
    let aliases: FxHashMap<&str, &str> = outline.aliases.iter().map(|(new, old)| (&**new, &**old)).collect();
    while let Some(symbol) = work.pop() {
        let mut reached = Vec::new();
        match symbol {
            Symbol::Func(id) => {
                let body = parse_body_with(&mut scratch, src, file, outline, id, diags);
                let calls = if out_of_line.is_some() { called(&body) } else { BTreeSet::new() };
                for sym in body.syms.values() {
                    match sym.referent {
                        Referent::Global(id) => reached.push(Symbol::Global(id)),
                        Referent::Func(id)
                            if out_of_line.is_some_and(|out_of_line| out_of_line(id) || !calls.contains(&id)) =>
                        {
                            declared.insert(id);
                        }
                        Referent::Func(id) => reached.push(Symbol::Func(id)),
                        Referent::Var(_) | Referent::Param(_) | Referent::Ret(_) => {}
                    }
                }
                for symbol in named_by_variables(&body, outline) {
                    match symbol {
                        // An address in a variable is not a call.
                        Symbol::Func(id) if out_of_line.is_some() => drop(declared.insert(id)),
                        symbol => reached.push(symbol),
                    }
                }
                reached.extend(aliases.get(&*outline.funcs[id].name).and_then(|old| outline.symbol(old)));
                bodies.insert(id, body);
            }
            Symbol::Global(id) => {
                globals.insert(id);
                if let Some(range) = outline.globals[id].init.clone() {
                    names_in(src.get(range).unwrap_or(""), |name| reached.extend(outline.symbol(name)));
                }
            }
        }
        if let (Symbol::Global(_), Some(_)) = (symbol, out_of_line) {
            // An address in a variable is not a call.
            reached.retain(|symbol| match *symbol {
                Symbol::Func(id) => {
                    declared.insert(id);
                    false
                }
                Symbol::Global(_) => true,
            });
        }
        work.extend(reached.into_iter().filter(|symbol| seen.insert(*symbol)));
    }
    print(src, outline, (kernel, wanted), &bodies, &declared, &globals)
}

/// What the initial values of the variables of a body name in its module.
fn named_by_variables(body: &Body, outline: &Outline) -> Vec<Symbol> {
    let mut named = Vec::new();
    for (_, text) in &body.inits {
        let is_own = |name: &str| body.vars.values().any(|var| &*var.name == name);
        names_in(text, |name| named.extend(outline.symbol(name).filter(|_| !is_own(name))));
    }
    named
}

/// The functions that a body calls by name.
fn called(body: &Body) -> BTreeSet<FuncId> {
    let calls = body.insts.keys().filter(|&inst| body.op(inst) == Op::Call);
    let operands = calls.flat_map(|inst| body.operands(inst));
    let callees = operands.filter_map(|operand| match operand {
        Operand::Func(symbol) => Some(body.syms[symbol].referent),
        _ => None,
    });
    let functions = callees.filter_map(|referent| match referent {
        Referent::Func(id) => Some(id),
        _ => None,
    });
    functions.collect()
}

fn print(
    src: &str,
    outline: &Outline,
    (kernel, wanted): (FuncId, Wanted<'_>),
    bodies: &BTreeMap<FuncId, Body>,
    declared: &BTreeSet<FuncId>,
    globals: &BTreeSet<GlobalId>,
) -> String {
    let mut out = String::new();
    header(&mut out, outline);
    for text in &outline.pragmas {
        let _ = writeln!(out, ".pragma \"{text}\";");
    }
    // The kernel is last, everything else in the order of the module.
    let order: Vec<FuncId> = bodies.keys().copied().filter(|&id| id != kernel).chain([kernel]).collect();
    let names = line_names(&mut out, src, outline, order.iter().filter_map(|id| bodies.get(id)));
    let only = declared.iter().filter(|id| !bodies.contains_key(id));
    let shown = |id: FuncId| {
        let func = &outline.funcs[id];
        let linkage = match wanted {
            Wanted::Object(_) if id == kernel => Linkage::Visible,
            Wanted::Object(_) if func.body.is_none() || !bodies.contains_key(&id) => Linkage::Extern,
            _ => func.linkage,
        };
        if linkage == func.linkage { Cow::Borrowed(func) } else { Cow::Owned(Func { linkage, ..func.clone() }) }
    };
    // Directives of a kernel are at its definition ("ptxas 13.0.88 output").
    let declaration = |id: FuncId| match outline.funcs[id].entry {
        true => Cow::Owned(Func { perf: Perf::default(), ..shown(id).into_owned() }),
        false => shown(id),
    };
    // Kernels are declared if something refers to one.
    let takes = names_kernel(src, outline, bodies.values(), globals.iter().copied());
    for &id in order.iter().chain(only).filter(|&&id| takes || !outline.funcs[id].entry) {
        func_header(&mut out, &declaration(id));
        out.push_str(";\n");
    }
    for &id in globals {
        global(&mut out, src, &outline.globals[id]);
    }
    for id in order {
        let func = &outline.funcs[id];
        if func.body.is_some() {
            func_header(&mut out, &shown(id));
            out.push('\n');
            print_body(&mut out, &bodies[&id], &names);
        }
    }
    for (new, old) in &outline.aliases {
        // In a whole closure only other names of the function itself are declarations.
        let is_named = |id| bodies.contains_key(&id) || matches!(wanted, Wanted::Whole) && declared.contains(&id);
        if outline.func(new).is_some_and(is_named) {
            let _ = writeln!(out, ".alias {new}, {old};");
        }
    }
    out
}

/// Whether code or a variable refers to a kernel.
pub(crate) fn names_kernel<'b>(
    src: &str,
    outline: &Outline,
    bodies: impl Iterator<Item = &'b Body>,
    mut globals: impl Iterator<Item = GlobalId>,
) -> bool {
    let is_kernel = |referent| matches!(referent, Referent::Func(id) if outline.funcs[id].entry);
    let mut syms = bodies.flat_map(|body| body.syms.values());
    syms.any(|sym| is_kernel(sym.referent))
        || globals.any(|id| {
            let init = outline.globals[id].init.clone().and_then(|init| src.get(init)).unwrap_or("");
            let mut found = false;
            names_in(init, |name| found |= outline.func(name).is_some_and(|id| outline.funcs[id].entry));
            found
        })
}

/// Prints the `.file` lines and function names that `.loc` needs, and returns their new numbers.
pub(crate) fn line_names<'b>(
    out: &mut String,
    src: &str,
    outline: &Outline,
    bodies: impl Iterator<Item = &'b Body>,
) -> LocNames {
    let mut names = LocNames::default();
    let mut strings = Vec::new();
    let mut files = Vec::new();
    for loc in bodies.flat_map(|body| &body.locs) {
        let inlined = loc.inlined.as_ref();
        for number in [Some(loc.file), inlined.map(|i| i.file)].into_iter().flatten() {
            names.files.entry(number).or_insert_with(|| {
                files.push(number);
                files.len() as u32
            });
        }
        if let Some(inlined) = inlined
            && !names.functions.contains_key(&inlined.function)
        {
            names.functions.insert(inlined.function.clone(), format!("$L__info_string{}", strings.len()));
            strings.push(inlined.function.clone());
        }
    }
    for (i, number) in files.iter().enumerate() {
        if let Some(file) = outline.files.iter().find(|f| f.number == *number) {
            file_line(out, i as u32 + 1, file);
        }
    }
    if !strings.is_empty() {
        let known = section_strings(src, outline);
        out.push_str(".section .debug_str\n{\n");
        for label in &strings {
            let _ = writeln!(out, "{}:", names.functions[label]);
            if let Some(data) = known.get(&**label) {
                for line in data.lines().map(str::trim).filter(|line| !line.is_empty()) {
                    let _ = writeln!(out, "{line}");
                }
            }
        }
        out.push_str("}\n");
    }
    names
}

/// The labels of the module's `.debug_str` sections and the data after each.
pub(crate) fn section_strings<'a>(src: &'a str, outline: &Outline) -> FxHashMap<&'a str, &'a str> {
    let mut found = FxHashMap::default();
    for range in &outline.sections {
        let text = src.get(range.clone()).unwrap_or("");
        let is_str = text.trim_start_matches(".section").trim_start().starts_with(".debug_str");
        let Some((_, inside)) = text.split_once('{').filter(|_| is_str) else { continue };
        let inside = inside.trim_end_matches('}');
        let mut open: Option<(&str, usize)> = None;
        let mut at = 0;
        for line in inside.split_inclusive('\n') {
            if let Some(label) = line.trim().strip_suffix(':')
                && let Some((label, start)) = open.replace((label, at + line.len()))
            {
                found.insert(label, &inside[start..at]);
            }
            at += line.len();
        }
        if let Some((label, start)) = open {
            found.insert(label, &inside[start..]);
        }
    }
    found
}

/// Calls `each` with every name in a text.
fn names_in(text: &str, mut each: impl FnMut(&str)) {
    let mut cur = Cursor::new(text, 0, text.len());
    loop {
        cur.skip_space();
        if cur.at_end() {
            return;
        }
        match cur.name() {
            "" => cur.bump(),
            name if name.starts_with(|c: char| c.is_ascii_digit()) => {}
            name => each(name),
        }
    }
}
