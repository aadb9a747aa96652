//! Diagnostics about a unit: errors and unsupported instructions, with their places in the text.

use crate::codes;
use crate::program::{Module, Unit, bounds, name_span};
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, Diags, Span};
use raddle_ir::{Stop, Unsupported};
use raddle_ptx::{Body, InstId, Op};

/// Warnings of double precision, if the body uses it: one, or one of each instruction.
pub fn doubles(module: &Module, unit: &Unit, body: &Body, each: bool) -> Vec<Diagnostic> {
    let is_double = |inst: &InstId| body.dotted(*inst).split('.').any(|part| part == "f64");
    let found: Vec<InstId> = body.insts.keys().filter(is_double).collect();
    let warning = |at, message| Diagnostic::warning(codes::E0087, message).at(at, "").in_function(&*unit.name);
    if each {
        let of = |&inst: &InstId| {
            let at = instruction(module, unit, body.insts[inst].offset);
            warning(at, format!("'{}' uses double precision: {}", unit.name, body.dotted(inst)))
        };
        return found.iter().map(of).collect();
    }
    let count = found.len();
    let plural = if count == 1 { "" } else { "s" };
    let message = format!("'{}' uses double precision: {count} instruction{plural}", unit.name);
    (count > 0).then(|| warning(name_span(module, unit.func), message)).into_iter().collect()
}

/// The number of `setmaxnreg` in a body.
pub fn register_moves(body: &Body) -> usize {
    body.insts.keys().filter(|&inst| body.op(inst) == Op::Setmaxnreg).count()
}

/// A warning of `setmaxnreg`, if the body has it `count` times and all warps keep their registers: launch bounds do
/// not tell how many a kernel begins with, or it calls functions. ptxas 13.0.88 warns of the same
/// (C7508, C7506).
pub fn fixed_registers(module: &Module, unit: &Unit, count: usize, object: Option<&UnitObject>) -> Option<Diagnostic> {
    let plural = if count == 1 { "" } else { "s" };
    let message = format!("'{}' has setmaxnreg in {count} place{plural}, which has no effect", unit.name);
    let warning = Diagnostic::warning(codes::E0095, message);
    let known = raddle_codegen::are_known(&bounds(module, unit.func));
    let has_effect = object.map_or(known, |object| object.functions.iter().any(|f| f.marks.reg_reconfig));
    let reason = match known {
        true => "a function that is called may use any register",
        false => "the launch bounds do not tell how many registers a warp begins with",
    };
    let warning = warning.note(reason);
    (count > 0 && !has_effect).then(|| warning.at(name_span(module, unit.func), "").in_function(&*unit.name))
}

/// The message that products of a warpgroup run one after another, at the instruction that is the reason
/// (ptxas 13.0.88 informs, too: C7511).
pub fn serial_products(why: Unsupported, module: &Module, unit: &Unit, body: &Body) -> Diagnostic {
    let why = in_ptx(vec![why.clone()], body).pop().unwrap_or(why);
    let message = format!("matrix products of a warpgroup run one after another because of {}", why.what);
    let at = place(&why, module, unit);
    Diagnostic::info(codes::E0096, message).at(at, why.why).in_function(&*unit.name)
}

/// Unsupported instructions in the order of the text, each once, by its PTX name.
pub fn in_ptx(mut list: Vec<Unsupported>, body: &Body) -> Vec<Unsupported> {
    for item in list.iter_mut().filter(|item| item.line != 0) {
        if let Some(name) = raddle_lower::instruction_at(body, item.offset) {
            item.what = name;
        }
    }
    list.sort_by(|a, b| (a.offset, &a.what, &a.why).cmp(&(b.offset, &b.what, &b.why)));
    list.dedup_by(|a, b| (a.offset, &a.what) == (b.offset, &b.what));
    list
}

/// Converts the reason that stopped a unit into diagnostics with places.
pub fn explain(stop: Stop, module: &Module, unit: &Unit, diags: &mut Diags) {
    let name = name_span(module, unit.func);
    let at_name = |diagnostic: Diagnostic| diagnostic.at(name, "").in_function(&*unit.name);
    match stop {
        Stop::Errors(list) => {
            diags.extend(list.into_iter().map(|text| at_name(Diagnostic::error(codes::E0032, text))));
        }
        Stop::Unsupported(list) => {
            diags.extend(list.into_iter().map(|item| unsupported(item, module, unit)));
        }
        Stop::InFlight(item) => diags.push(unsupported(item, module, unit)),
        Stop::Resources { what, .. } => diags.push(at_name(Diagnostic::error(codes::E0031, what))),
        Stop::Cancelled => diags.push(at_name(Diagnostic::error(codes::E0043, "cancelled"))),
        Stop::Fuel => {
            let spent = Diagnostic::error(codes::E0044, "step limit exceeded");
            diags.push(at_name(spent.help("raise the limit with --kernel-steps")));
        }
        Stop::Internal { pass, what } => {
            diags.push(at_name(Diagnostic::error(codes::E0041, format!("internal error in {pass}: {what}"))));
        }
    }
}

fn unsupported(item: Unsupported, module: &Module, unit: &Unit) -> Diagnostic {
    let at = place(&item, module, unit);
    Diagnostic::error(codes::E0030, format!("unsupported: {}", item.what)).at(at, item.why).in_function(item.kernel)
}

/// The opcode of an instruction with its modifiers, or the name of the unit if its place is unknown.
fn place(item: &Unsupported, module: &Module, unit: &Unit) -> Span {
    if item.line == 0 && item.offset == 0 {
        return name_span(module, unit.func);
    }
    instruction(module, unit, item.offset)
}

/// The opcode of the instruction at an offset in the text of a unit, with its modifiers.
fn instruction(module: &Module, unit: &Unit, offset: u32) -> Span {
    let func = &module.outline.funcs[unit.func];
    let start = func.text.start + offset as usize;
    let rest = module.text.get(start..func.text.end).unwrap_or("");
    // It ends at the first blank.
    let length = rest.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(rest.len());
    Span::new(module.file, start as u32, (start + length) as u32)
}
