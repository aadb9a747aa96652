//! The platform's convention of calls: which functions are called by it, where their arguments and
//! results are, and the texts of their types. [`crate::out_of_line`] lowers the calls.

use crate::callees;
use crate::param_accesses::{self, Cell};
use crate::reason::{Reason, unsupported};
use raddle_entity::FxHashSet;
use raddle_ir::Function;
use raddle_ir::unit::Data;
use raddle_ptx::{Body, FuncId, InstId, Op, Operand, Outline, Referent, Symbol, Variable};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Words of arguments, and of results, in registers: R4 to R15.
pub(crate) const WORDS: u32 = 12;
/// Most words of all arguments of a call (PTX ISA 9.0, 5.1.6: parameters take at most 4,352 bytes).
const MOST: u32 = WORDS + 1088;

/// The functions that are not inlined.
#[derive(Clone, Debug, Default)]
pub struct OutOfLine {
    /// Functions of the module that are called: recursive ones, those with parameters or results in
    /// memory, weak ones that a linker may replace, those that another module of the program
    /// defines, and all in debug builds.
    pub called: FxHashSet<FuncId>,
    /// Whether all functions without a body are defined in another object; if not, only those in
    /// `called` and the driver's may be called.
    pub external: bool,
}

/// Whether the result of a function is in the caller's memory.
pub(crate) fn returns_memory(results: &[Variable]) -> bool {
    matches!(results, [one] if one.size().is_none_or(|size| size > u64::from(4 * WORDS)))
}

/// Returns the first word of each parameter, and the number of words; words from [`WORDS`] on are
/// on the stack. With `address` the first word is the address of the result.
pub(crate) fn words(params: &[Variable], stack: bool, address: bool) -> Result<(SmallVec<[u32; 8]>, u32), Reason> {
    let (mut taken, mut end, mut top) = (u32::from(address), u32::from(address), 0u32);
    let mut out = SmallVec::new();
    for p in params {
        let size = p.size().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
        let count = size.div_ceil(4);
        let align = (p.alignment().max(1).div_ceil(4)).next_power_of_two();
        let fits = |first: &u32| count <= WORDS && first + count <= WORDS && taken >> first & ((1 << count) - 1) == 0;
        let first = match (0..WORDS).step_by(align as usize).find(fits) {
            Some(first) => {
                taken |= ((1 << count) - 1) << first;
                first
            }
            None if stack && count < MOST => {
                let first = WORDS + top.next_multiple_of(align);
                top = first - WORDS + count;
                first
            }
            None => return unsupported(format!("`{}` is too large for a return value", p.name)),
        };
        if first + count > MOST {
            return unsupported(format!("arguments of more than {} bytes", 4 * MOST));
        }
        end = end.max(first + count);
        out.push(first);
    }
    Ok((out, end))
}

/// Returns the word of a part of a parameter that begins in word `first`, and its first bit in that
/// word.
pub(crate) fn word_of(cell: &Cell, first: u32) -> Result<(usize, u32), Reason> {
    match u32::try_from(cell.offset) {
        Ok(offset) if cell.bytes <= 8 && offset % cell.bytes.clamp(1, 4) == 0 => {
            Ok(((first + offset / 4) as usize, offset % 4 * 8))
        }
        _ => unsupported(format!("an access of {} bytes at offset {} of a call parameter", cell.bytes, cell.offset)),
    }
}

/// Whether it is a call of a function that is not inlined.
pub(crate) fn is_out_of_line(input: &crate::Input<'_>, inst: InstId) -> bool {
    let Some(out_of_line) = input.out_of_line else { return false };
    let Some(sym) = param_accesses::callee(input.body, inst) else { return true };
    let Referent::Func(id) = input.body.syms[sym].referent else { return false };
    let function = &input.outline.funcs[id];
    match function.body {
        Some(_) => out_of_line.called.contains(&id),
        None => {
            let elsewhere = out_of_line.external || out_of_line.called.contains(&id);
            elsewhere || raddle_target::is_system_call(&function.name)
        }
    }
}

/// Returns the directive of a non-standard convention, which is unsupported if the function is not
/// inlined. ptxas 13.0.88 gives a function with `.abi_preserve N` another return-address register
/// and lists its callee-saved registers in the object; code for the platform's convention would not
/// match.
pub(crate) fn own_convention(preserve: Option<u32>, control: Option<u32>) -> Option<&'static str> {
    match (preserve, control) {
        (None, None) => None,
        (Some(_), _) => Some(".abi_preserve"),
        (None, Some(_)) => Some(".abi_preserve_control"),
    }
}

/// Returns parameters and results of the function that an instruction calls, by name or by address.
pub(crate) fn signature<'a>(
    input: &crate::Input<'a>,
    inst: InstId,
) -> Result<(&'a [Variable], &'a [Variable]), Reason> {
    let body = input.body;
    let of = |id: FuncId| {
        let function = &input.outline.funcs[id];
        match own_convention(function.perf.abi_preserve, function.perf.abi_preserve_control) {
            None => Ok((&function.params[..], &function.rets[..])),
            Some(directive) => {
                unsupported(format!("function '{}' has `{directive}` and is not inlined", function.name))
            }
        }
    };
    if let Some(sym) = param_accesses::callee(body, inst) {
        let Referent::Func(id) = body.syms[sym].referent else { return unsupported("an unknown function") };
        return of(id);
    }
    match body.operand(inst, 3) {
        Some(Operand::Proto(proto)) => {
            let proto = &body.protos[proto];
            match own_convention(proto.abi_preserve, proto.abi_preserve_control) {
                None => Ok((&proto.params, &proto.rets)),
                Some(directive) => unsupported(format!("the prototype has `{directive}`")),
            }
        }
        Some(Operand::Targets(targets)) => {
            let first = body.targets[targets].funcs.first().map(|&sym| body.syms[sym].referent);
            let Some(Referent::Func(id)) = first else { return unsupported("an indirect call without targets") };
            of(id)
        }
        _ => unsupported("an indirect call without a prototype"),
    }
}

/// Returns the text of a function's type as objects spell it ("ptxas 13.0.88 output").
fn type_text(params: &[Variable], results: &[Variable]) -> String {
    let one = |p: &Variable| match p.size() {
        Some(size) if p.dims.is_empty() => match (p.ty.is_float(), size) {
            (true, 8) => "d".to_owned(),
            (true, 4) => "f".to_owned(),
            (_, 8) => "l".to_owned(),
            (_, 4) => "i".to_owned(),
            (_, 2) => "h".to_owned(),
            (_, 1) => "b".to_owned(),
            _ => format!("b{size}"),
        },
        size => format!("b{}", size.unwrap_or(0)),
    };
    let result = results.first().map_or_else(|| "v".to_owned(), one);
    params.iter().fold(format!("#{result}"), |text, p| text + &one(p))
}

/// Returns the text of a function's type, empty for a kernel, which is never called; `None` if it
/// is no function.
pub fn function_type(outline: &Outline, name: &str) -> Option<String> {
    match outline.symbol(name) {
        Some(Symbol::Func(id)) if outline.funcs[id].entry => Some(String::new()),
        Some(Symbol::Func(id)) => Some(type_text(&outline.funcs[id].params, &outline.funcs[id].rets)),
        _ => None,
    }
}

/// Returns the types of the functions that a lowered function and its variables name, itself
/// included, and of those that it calls by address.
pub(crate) fn types(input: &crate::Input<'_>, f: &Function, data: &[Data]) -> (Vec<(String, String)>, Vec<String>) {
    let Some(out_of_line) = input.out_of_line else { return Default::default() };
    let variables = data.iter().flat_map(|d| d.relocs.iter().map(|r| &r.symbol));
    let names: BTreeSet<&String> = std::iter::once(&f.name).chain(f.symbols.values()).chain(variables).collect();
    let named = names.into_iter().filter_map(|name| Some((name.clone(), function_type(input.outline, name)?)));
    let types = named.collect();
    let inlined = callees::order(input.body, input.bodies, &out_of_line.called);
    let bodies = std::iter::once(input.body).chain(inlined.iter().filter_map(|(id, _)| input.bodies.get(id)));
    (types, indirect_types(input.outline, bodies))
}

/// Returns the types of the functions that bodies call by address.
pub fn indirect_types<'a>(outline: &Outline, bodies: impl Iterator<Item = &'a Body>) -> Vec<String> {
    let mut indirect: Vec<String> = Vec::new();
    for body in bodies {
        for inst in body.insts.keys().filter(|&i| body.op(i) == Op::Call && param_accesses::callee(body, i).is_none()) {
            match body.operand(inst, 3) {
                Some(Operand::Proto(proto)) => {
                    indirect.push(type_text(&body.protos[proto].params, &body.protos[proto].rets));
                }
                Some(Operand::Targets(targets)) => {
                    let ids = body.targets[targets].funcs.iter().filter_map(|&sym| match body.syms[sym].referent {
                        Referent::Func(id) => Some(&outline.funcs[id]),
                        _ => None,
                    });
                    indirect.extend(ids.map(|func| type_text(&func.params, &func.rets)));
                }
                _ => {}
            }
        }
    }
    indirect.sort_unstable();
    indirect.dedup();
    indirect
}
