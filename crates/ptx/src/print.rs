//! Prints a tree as canonical text.
//!
//! One instruction per line, modifiers in the order of the table, numbers in one spelling. Reading
//! the text back gives the same tree except for places. Invariant: the text of a function depends
//! only on the function.

use crate::body::{Body, Tag, Word};
use crate::module::{Func, FuncPlace, Global, Item, Linkage, Outline, Perf};
use crate::outline::ADDRESS_SIZE_SINCE;
use crate::tree::*;
use crate::ty::Space;
use raddle_entity::FxHashMap;
use std::fmt::Write as _;

/// The names of files and functions in `.loc` directives; empty maps leave them unchanged.
#[derive(Default)]
pub(crate) struct LocNames {
    pub(crate) files: FxHashMap<u32, u32>,
    pub(crate) functions: FxHashMap<Box<str>, String>,
}

/// Prints a whole module: `body` returns the bodies of its functions.
///
/// Sections and the order of items are kept; comments are not.
pub fn print_module(src: &str, outline: &Outline, mut body: impl FnMut(FuncId) -> Body) -> String {
    let mut out = String::new();
    header(&mut out, outline);
    let names = LocNames::default();
    for item in &outline.items {
        match *item {
            Item::Global(id) => global(&mut out, src, &outline.globals[id]),
            Item::Func(id, FuncPlace::Declaration) => {
                func_header(&mut out, &outline.funcs[id]);
                out.push_str(";\n");
            }
            Item::Func(id, FuncPlace::Definition) => {
                func_header(&mut out, &outline.funcs[id]);
                out.push('\n');
                print_body(&mut out, &body(id), &names);
            }
            Item::File(i) => {
                let file = &outline.files[i as usize];
                file_line(&mut out, file.number, file);
            }
            Item::Section(i) => {
                out.push_str(src.get(outline.sections[i as usize].clone()).unwrap_or(""));
                out.push('\n');
            }
            Item::Pragma(i) => line(&mut out, format_args!(".pragma \"{}\";", outline.pragmas[i as usize])),
            Item::Alias(i) => {
                let (new, old) = &outline.aliases[i as usize];
                line(&mut out, format_args!(".alias {new}, {old};"));
            }
        }
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
    out.push('\n');
}

macro_rules! put {
    ($out:expr, $($arg:tt)*) => { { let _ = write!($out, $($arg)*); } };
}

/// `.version`, `.target`, `.address_size`
pub(crate) fn header(out: &mut String, outline: &Outline) {
    if let Some(version) = outline.version {
        line(out, format_args!(".version {version}"));
    }
    let target = outline.target.map_or("", |t| t.name);
    put!(out, ".target {target}");
    for option in &outline.target_options {
        put!(out, ", {option}");
    }
    out.push('\n');
    // Earlier versions have no such directive.
    if outline.version.is_none_or(|version| version >= ADDRESS_SIZE_SINCE) {
        line(out, format_args!(".address_size {}", outline.address_size));
    }
}

/// `.file N "path"`
pub(crate) fn file_line(out: &mut String, number: u32, file: &crate::module::File) {
    put!(out, ".file {number} \"{}\"", file.path);
    if let Some((time, size)) = file.stamp {
        put!(out, ", {time}, {size}");
    }
    out.push('\n');
}

fn linkage(out: &mut String, linkage: Linkage) {
    if linkage != Linkage::Local {
        put!(out, ".{} ", linkage.name());
    }
}

fn unified(out: &mut String, value: Option<(u64, u64)>) {
    if let Some((a, b)) = value {
        put!(out, ".attribute(.unified({a}, {b})) ");
    }
}

/// A module-level variable with its initializer.
pub(crate) fn global(out: &mut String, src: &str, global: &Global) {
    let init = global.init.clone().map(|init| src.get(init).unwrap_or(""));
    variable_with(out, global, init);
}

/// A module-level variable with this text as its initializer.
pub(crate) fn variable_with(out: &mut String, global: &Global, init: Option<&str>) {
    linkage(out, global.linkage);
    put!(out, ".{} ", global.var.space.name());
    if global.managed {
        out.push_str(".attribute(.managed) ");
    }
    unified(out, global.unified);
    variable(out, &global.var);
    if let Some(init) = init {
        out.push_str(" = ");
        squeeze(out, init);
    }
    out.push_str(";\n");
}

/// Copies text without comments, and each run of blanks as one blank.
fn squeeze(out: &mut String, text: &str) {
    let mut cur = crate::cursor::Cursor::new(text, 0, text.len());
    let mut first = true;
    loop {
        let before = cur.pos();
        cur.skip_space();
        if cur.at_end() {
            return;
        }
        if cur.pos() > before && !first {
            out.push(' ');
        }
        first = false;
        let start = cur.pos();
        if cur.dotted().is_empty() {
            cur.bump();
            while cur.slice(start, cur.pos()).is_empty() {
                cur.bump();
            }
        }
        out.push_str(cur.slice(start, cur.pos()));
    }
}

/// Alignment, type, name, dimensions.
fn variable(out: &mut String, var: &Variable) {
    if let Some(align) = var.align {
        put!(out, ".align {align} ");
    }
    if var.width > 1 {
        put!(out, ".v{} ", var.width);
    }
    put!(out, ".{} ", var.ty.name());
    if let Some(ptr) = var.ptr {
        out.push_str(".ptr ");
        if ptr.space != Space::Generic {
            put!(out, ".{} ", ptr.space.name());
        }
        if let Some(align) = ptr.align {
            put!(out, ".align {align} ");
        }
    }
    out.push_str(if var.name.is_empty() { "_" } else { &var.name });
    for dim in &var.dims {
        match dim {
            Some(n) => put!(out, "[{n}]"),
            None => out.push_str("[]"),
        }
    }
}

fn params(out: &mut String, list: &[Variable]) {
    out.push('(');
    for (i, var) in list.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        put!(out, ".{} ", var.space.name());
        variable(out, var);
    }
    out.push(')');
}

/// Everything in a function before its body.
pub(crate) fn func_header(out: &mut String, func: &Func) {
    linkage(out, func.linkage);
    out.push_str(if func.entry { ".entry " } else { ".func " });
    unified(out, func.perf.unified);
    if !func.rets.is_empty() {
        params(out, &func.rets);
        out.push(' ');
    }
    out.push_str(&func.name);
    params(out, &func.params);
    perf(out, &func.perf);
}

fn perf(out: &mut String, perf: &Perf) {
    let triple = |out: &mut String, name: &str, value: Option<[u32; 3]>| {
        if let Some([x, y, z]) = value {
            put!(out, "\n.{name} {x}, {y}, {z}");
        }
    };
    let number = |out: &mut String, name: &str, value: Option<u32>| {
        if let Some(n) = value {
            put!(out, "\n.{name} {n}");
        }
    };
    let flag = |out: &mut String, name: &str, value: bool| {
        if value {
            put!(out, "\n.{name}");
        }
    };
    flag(out, "noreturn", perf.noreturn);
    number(out, "abi_preserve", perf.abi_preserve);
    number(out, "abi_preserve_control", perf.abi_preserve_control);
    number(out, "maxnreg", perf.maxnreg);
    triple(out, "maxntid", perf.maxntid);
    triple(out, "reqntid", perf.reqntid);
    number(out, "minnctapersm", perf.minnctapersm);
    number(out, "maxnctapersm", perf.maxnctapersm);
    flag(out, "explicitcluster", perf.explicitcluster);
    triple(out, "reqnctapercluster", perf.reqnctapercluster);
    number(out, "maxclusterrank", perf.maxclusterrank);
    flag(out, "blocksareclusters", perf.blocksareclusters);
    for text in &perf.pragmas {
        put!(out, "\n.pragma \"{text}\";");
    }
}

/// Prints a body with its braces.
pub(crate) fn print_body(out: &mut String, body: &Body, names: &LocNames) {
    out.push_str("{\n");
    for stmt in body.stmts() {
        match stmt {
            Stmt::Inst(id) => {
                inst(out, body, id);
                out.push_str(";\n");
            }
            Stmt::Mark(mark) => statement(out, body, mark, names),
        }
    }
    out.push_str("}\n");
}

fn statement(out: &mut String, body: &Body, mark: Mark, names: &LocNames) {
    match mark {
        Mark::Label(label) => line(out, format_args!("{}:", body.labels[label].name)),
        Mark::Open => out.push_str("{\n"),
        Mark::Close => out.push_str("}\n"),
        Mark::Regs(group) => {
            let group = &body.groups[group];
            out.push_str(".reg ");
            if group.width > 1 {
                put!(out, ".v{} ", group.width);
            }
            put!(out, ".{} {}", group.ty.name(), group.name);
            if let Some(n) = group.count {
                put!(out, "<{n}>");
            }
            out.push_str(";\n");
        }
        Mark::Var(id) => {
            let var = &body.vars[id];
            put!(out, ".{} ", var.space.name());
            variable(out, var);
            if let Some((_, init)) = body.inits.iter().find(|(var, _)| *var == id) {
                out.push_str(" = ");
                squeeze(out, init);
            }
            out.push_str(";\n");
        }
        Mark::Pragma(i) => line(out, format_args!(".pragma \"{}\";", body.pragmas[i as usize])),
        Mark::Loc(i) => loc(out, &body.locs[i as usize], names),
        Mark::Targets(id) => {
            let list = &body.targets[id];
            put!(out, "{}: .{} ", list.name, if list.calls { "calltargets" } else { "branchtargets" });
            let labels = list.labels.iter().map(|&l| &body.labels[l].name);
            let funcs = list.funcs.iter().map(|&f| &body.syms[f].name);
            for (i, name) in labels.chain(funcs).enumerate() {
                put!(out, "{}{name}", if i > 0 { ", " } else { "" });
            }
            out.push_str(";\n");
        }
        Mark::Proto(id) => {
            let proto = &body.protos[id];
            put!(out, "{}: .callprototype ", proto.name);
            if !proto.rets.is_empty() {
                params(out, &proto.rets);
                out.push(' ');
            }
            out.push('_');
            params(out, &proto.params);
            let perf_part = Perf {
                noreturn: proto.noreturn,
                abi_preserve: proto.abi_preserve,
                abi_preserve_control: proto.abi_preserve_control,
                ..Perf::default()
            };
            perf(out, &perf_part);
            out.push_str(";\n");
        }
    }
}

fn loc(out: &mut String, loc: &Loc, names: &LocNames) {
    let file = |n: u32| names.files.get(&n).copied().unwrap_or(n);
    put!(out, ".loc {} {} {}", file(loc.file), loc.line, loc.column);
    if let Some(inlined) = &loc.inlined {
        let function = names.functions.get(&inlined.function).map_or(&*inlined.function, String::as_str);
        put!(out, ", function_name {function}");
        if inlined.function_offset != 0 {
            put!(out, "+{}", inlined.function_offset);
        }
        put!(out, ", inlined_at {} {} {}", file(inlined.file), inlined.line, inlined.column);
    }
    out.push('\n');
}

/// Prints one instruction without its semicolon.
pub(crate) fn inst(out: &mut String, body: &Body, id: InstId) {
    let inst = body.insts[id];
    if let Some(guard) = inst.guard() {
        put!(out, "@{}{} ", if guard.negated { "!" } else { "" }, body.reg_name(guard.reg));
    }
    let unified = body.has(id, crate::table::Mod::Unified);
    let dotted = &body.shape(id).dotted;
    if unified {
        out.push_str(&dotted.replace(".unified", ""));
    } else {
        out.push_str(dotted);
    }
    if inst.op == crate::table::Op::Call {
        return call(out, body, &body.operands(id));
    }
    for (i, &word) in body.operand_words(id).iter().enumerate() {
        let tag = word.tag();
        let also = tag == Tag::Also;
        out.push_str(match i {
            0 => " ",
            _ if also => "",
            _ => ", ",
        });
        print_word(out, body, word);
        if unified && matches!(tag, Tag::AddrReg | Tag::AddrRegOff | Tag::AddrSym | Tag::AddrNone) {
            out.push_str(".unified");
        }
    }
}

fn call(out: &mut String, body: &Body, operands: &[Operand]) {
    let [rets, callee, args, rest @ ..] = operands else { return };
    let empty = |operand: &Operand| matches!(operand, Operand::Args(list) if list.len == 0);
    out.push(' ');
    if !empty(rets) {
        print_operand(out, body, *rets);
        out.push_str(", ");
    }
    print_operand(out, body, *callee);
    if !empty(args) {
        out.push_str(", ");
        print_operand(out, body, *args);
    }
    for operand in rest {
        out.push_str(", ");
        print_operand(out, body, *operand);
    }
}

fn offset(out: &mut String, offset: i64) {
    if offset != 0 {
        put!(out, "+{offset}");
    }
}

/// Prints one packed operand like its decoded form, but with a written `+0`.
fn print_word(out: &mut String, body: &Body, word: Word) {
    match body.decode(word) {
        Operand::Addr(Base::Reg(reg), 0) if word.tag() == Tag::AddrRegOff => put!(out, "[{}+0]", body.reg_name(reg)),
        operand => print_operand(out, body, operand),
    }
}

/// Prints one operand.
fn print_operand(out: &mut String, body: &Body, operand: Operand) {
    let reg = |reg: Reg| body.reg_name(reg);
    let maybe = |reg: Option<Reg>| reg.map_or_else(|| "_".to_owned(), |reg| body.reg_name(reg));
    match operand {
        Operand::Reg(r) => out.push_str(&reg(r)),
        Operand::NotPred(r) => put!(out, "!{}", reg(r)),
        Operand::Neg(r) => put!(out, "-{}", reg(r)),
        Operand::Sum(r, by) => put!(out, "{}+{by}", reg(r)),
        Operand::RegPart(r, part, minus) => {
            put!(out, "{}{}{}", if minus { "-" } else { "" }, reg(r), part_name(part));
        }
        Operand::Pair(p, q) => put!(out, "{}|{}", maybe(p), maybe(q)),
        Operand::Also(q) => put!(out, "|{}", maybe(q)),
        Operand::Imm(imm) => match imm.kind {
            ImmKind::Int => put!(out, "{}", imm.bits as i64),
            ImmKind::F32 => put!(out, "0f{:08X}", imm.bits),
            ImmKind::F64 => put!(out, "0d{:016X}", imm.bits),
        },
        Operand::Special(special, component) => {
            out.push_str(&special.name());
            if let Some(c) = component {
                out.push_str(part_name(Part::Component(c)).as_str());
            }
        }
        Operand::Addr(base, off) => {
            out.push('[');
            match base {
                Base::Reg(r) => {
                    out.push_str(&reg(r));
                    offset(out, off);
                }
                Base::Sym(sym) => {
                    out.push_str(&body.syms[sym].name);
                    offset(out, off);
                }
                Base::None => put!(out, "{off}"),
            }
            out.push(']');
        }
        Operand::Symbol(sym, off) => {
            out.push_str(&body.syms[sym].name);
            offset(out, off);
        }
        Operand::Vec(members) => list(out, body, members, "{", "}"),
        Operand::Bracket(members) => {
            out.push('[');
            for (i, &member) in body.list_words(members).iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                let at = out.len();
                print_word(out, body, member);
                if i == 0 && out[at..].starts_with('[') {
                    // The first part is a separate address in the tree, but not in the text.
                    out.remove(at);
                    out.pop();
                }
            }
            out.push(']');
        }
        Operand::Args(members) => list(out, body, members, "(", ")"),
        Operand::Label(label) => out.push_str(&body.labels[label].name),
        Operand::Func(sym) => out.push_str(&body.syms[sym].name),
        Operand::Proto(proto) => out.push_str(&body.protos[proto].name),
        Operand::Targets(targets) => out.push_str(&body.targets[targets].name),
        Operand::Sink => out.push('_'),
    }
}

fn list(out: &mut String, body: &Body, members: List, open: &str, close: &str) {
    out.push_str(open);
    for (i, member) in body.list(members).into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        print_operand(out, body, member);
    }
    out.push_str(close);
}

fn part_name(part: Part) -> String {
    match part {
        Part::Component(c) => format!(".{}", ["x", "y", "z", "w"][usize::from(c & 3)]),
        Part::Bytes(sel, n) => {
            let digits: String = (0..n).map(|i| (b'0' + (sel >> (4 * i) & 7) as u8) as char).collect();
            format!(".b{digits}")
        }
        Part::Halves(sel, n) => {
            let digits: String = (0..n).map(|i| (b'0' + (sel >> (4 * i) & 3)) as char).collect();
            format!(".h{digits}")
        }
    }
}

impl Body {
    /// One instruction as canonical text, without its semicolon.
    pub fn print_inst(&self, id: InstId) -> String {
        let mut out = String::new();
        inst(&mut out, self, id);
        out
    }
}
