//! `--fallback=ptxas[:PATH]`: the user's ptxas assembles kernels that our code generator does not
//! support, and the result is linked in.
//!
//! The kernel's closure is printed as a separate module (D9) and passed to ptxas in the task of
//! that kernel: the same worker and the same job token, so that `-j` bounds both. A tool that can
//! use more threads gets slots that no kernel needs through MAKEFLAGS ([`raddle_jobs::server`]).
//! The output is converted to a unit object (`raddle_link::import`) and handled like all others. A
//! closure without variables in global or constant memory is assembled as an executable: its code
//! is what ptxas itself would put into the cubin. Otherwise ptxas makes a relocatable object, and
//! our compiler describes the variables, as for our own kernels, so that both refer to the same
//! ones. A kernel or function for a linker of objects ([`Unit::relocatable`]) always becomes such
//! an object: functions that are not inlined are declared in it and called by the platform's
//! calling convention, whichever compiler made them.
//!
//! An architecture without code generation here is handled differently: code for sm_100 and later
//! has a second form that only NVIDIA's linker can combine, so the whole module is passed to ptxas,
//! whose output is the result (`whole_module.rs`).
//!
//! The memory of ptxas counts for its kernel: a kernel that turns out to need it queues again with
//! the expected memory of ptxas ([`Closure::needs`]), and the measured value is recorded for the
//! next build ([`crate::program::history`]).
//!
//! Invariants: nothing depends on when a ptxas ends or how many run; a failure of ptxas (an error,
//! a crash, a hang, malformed output) is an error of its kernel.

mod debug;

use super::context::Context;
use super::result::Compiled;
use crate::codes;
use crate::program::{Module, Unit, name_span};
use crate::ptxas::{Fallback, FallbackError, LEAST, arguments, run, tool_bytes, without_debug};
use raddle_cubin::Cubin;
use raddle_cubin::unit::{SymbolId, UnitObject};
use raddle_diag::{Diagnostic, Diags};
use raddle_jobs::Task;
use raddle_jobs::children::ResourceUsage;
use raddle_ptx::{Body, FuncId, Outline, Space, Ty};

/// The input of ptxas for a unit.
pub(crate) struct Closure {
    ptx: String,
}

impl Closure {
    /// Makes the closure of a unit as a separate module.
    pub(crate) fn of(cx: &Context<'_>, unit: &Unit) -> Closure {
        let module = &cx.texts.modules[unit.module];
        // Errors in these bodies are reported by their own units.
        let mut unheard = Diags::new();
        let (text, outline) = (&module.text, &module.outline);
        let ptx = match module.out_of_line.as_ref().filter(|_| unit.relocatable) {
            Some(out_of_line) => {
                let called = |id: FuncId| out_of_line.called.contains(&id);
                raddle_ptx::extract_object(text, module.file, outline, unit.func, &called, &mut unheard)
            }
            None => raddle_ptx::extract(text, module.file, outline, unit.func, &mut unheard),
        };
        Closure { ptx }
    }

    /// The memory that ptxas will need for it, in bytes: measured by an earlier build, or estimated
    /// from the text.
    pub(crate) fn needs(&self, unit: &Unit) -> u64 {
        if unit.measured && unit.bytes > LEAST { unit.bytes } else { tool_bytes(&self.ptx) }
    }
}

/// Assembles a unit that was refused with the findings `refused`. Adds to `compiled` the object, a
/// note with the reasons, and the costs.
pub(crate) fn compile(
    fallback: &Fallback,
    cx: &Context<'_>,
    unit: &Unit,
    (closure, refused): (Closure, Vec<Diagnostic>),
    task: &mut Task,
    compiled: &mut Compiled,
) {
    let module = &cx.texts.modules[unit.module];
    let at_name = |d: Diagnostic| d.at(name_span(module, unit.func), "").in_function(&*unit.name);
    match task.phase("ptxas", |task| assemble(fallback, cx, unit, closure, task)) {
        Ok((object, took)) => {
            tell(&refused, cx, unit, compiled);
            (compiled.object, compiled.fallback) = (Some(object), true);
            (compiled.peak, compiled.other_cpu) = (compiled.peak.max(took.most), took.cpu);
        }
        Err(error) => {
            compiled.diags.extend(refused);
            let said = at_name(Diagnostic::error(codes::E0034, error.to_string()));
            compiled.diags.push(error.lines().fold(said, Diagnostic::note));
        }
    }
}

/// Reports that a unit was assembled by ptxas, now or when it was cached, and why.
pub(crate) fn tell(refused: &[Diagnostic], cx: &Context<'_>, unit: &Unit, compiled: &mut Compiled) {
    let reasons: Vec<String> = refused.iter().map(|d| d.message.clone()).collect();
    let at = name_span(&cx.texts.modules[unit.module], unit.func);
    let said = Diagnostic::info(codes::E0035, format!("'{}' was assembled by ptxas", unit.name));
    let said = said.at(at, "").in_function(&*unit.name);
    compiled.diags.push(summary(&reasons).into_iter().fold(said, Diagnostic::note));
}

/// Each reason once, with its count; at most eight.
fn summary(reasons: &[String]) -> Vec<String> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for reason in reasons {
        match counted.iter_mut().find(|c| c.0 == reason) {
            Some(c) => c.1 += 1,
            None => counted.push((reason, 1)),
        }
    }
    let more = counted.len().saturating_sub(8);
    let line = |&(reason, n): &(&str, usize)| if n > 1 { format!("{reason} ({n} times)") } else { reason.to_owned() };
    let mut out: Vec<String> = counted.iter().take(8).map(line).collect();
    if more > 0 {
        out.push(format!("and {more} other reasons"));
    }
    out
}

fn assemble(
    fallback: &Fallback,
    cx: &Context<'_>,
    unit: &Unit,
    Closure { ptx }: Closure,
    task: &mut Task,
) -> Result<(UnitObject, ResourceUsage), FallbackError> {
    let module = &cx.texts.modules[unit.module];
    let outline = raddle_ptx::outline(&ptx, module.file, &mut Diags::new());
    let relocatable = unit.relocatable || needs_linking(&outline);
    let options = cx.options_of(unit);
    let arguments = arguments(cx.texts.target, &options, relocatable);
    let mut ptx = without_debug(ptx);
    let names = options.debug.then(|| debug::Names::of(module, unit.func));
    ptx.extend(names.iter().map(debug::Names::section));
    let (bytes, took) = run(fallback, &ptx, &arguments, cx.services.server, task)?;
    let cubin = Cubin::parse(&bytes)?;
    let known = |name: &str| {
        let global = module.outline.symbol(name);
        let Some(raddle_ptx::Symbol::Global(id)) = global else { return false };
        let space = module.outline.globals[id].var.space;
        in_memory(space) || unit.relocatable && space == Space::Shared
    };
    let mut object = raddle_link::import(&cubin, cx.texts.target, &known)?;
    let own = object.functions.iter_mut().find(|f| object.symbols.name(f.name) == Some(&*unit.name));
    let Some(own) = own else { return Err(FallbackError::Missing) };
    own.debug = names.map(|names| names.places(&cubin, &unit.name, own.code.len()));
    let data = raddle_lower::named(&module.text, &module.outline, &raddle_link::undefined(&object), unit.relocatable);
    let data = data.map_err(|refused| match refused.into_iter().next() {
        Some(first) => FallbackError::Variable(first.name, first.why),
        None => FallbackError::Missing,
    })?;
    raddle_codegen::add_data(&mut object, &data);
    if unit.relocatable {
        join(&mut object, module, unit, &ptx, &outline);
    }
    object.module = unit.module as u32;
    Ok((object, took))
}

/// Adds what linkers of objects need about functions: the types of those that are named and of
/// those that are called by address, and the linkage of this one.
fn join(object: &mut UnitObject, module: &Module, unit: &Unit, ptx: &str, outline: &Outline) {
    let declared = &module.outline.funcs[unit.func];
    let named: Vec<String> = raddle_link::undefined(object).into_iter().map(str::to_owned).collect();
    for name in named.iter().chain([&declared.name.to_string()]) {
        if let Some(text) = raddle_lower::function_type(&module.outline, name) {
            let name = object.symbols.intern(name);
            object.types.push((name, text));
        }
    }
    let with_body = outline.funcs.iter().filter(|(_, func)| func.body.is_some());
    let read = |(id, _)| raddle_ptx::parse_body(ptx, module.file, outline, id, &mut Diags::new());
    let bodies: Vec<Body> = with_body.map(read).collect();
    let indirect = raddle_lower::indirect_types(outline, bodies.iter());
    let aliases: Vec<SymbolId> = module.outline.aliases_of(unit.func).map(|name| object.symbols.intern(name)).collect();
    let own = object.functions.iter_mut().find(|f| object.symbols.name(f.name) == Some(&*unit.name));
    if let Some(own) = own {
        own.indirect = indirect;
        if unit.is_function() {
            own.linkage = raddle_codegen::linkage(raddle_lower::linkage(declared.linkage));
            own.aliases = aliases;
        }
    }
}

fn in_memory(space: Space) -> bool {
    matches!(space, Space::Global | Space::Const)
}

/// Whether a closure shares symbols with other units, so that its code must stay relocatable.
fn needs_linking(outline: &Outline) -> bool {
    let outside = |id: FuncId| outline.funcs[id].body.is_none() && !outline.funcs[id].entry;
    // The words of textures are the linker's.
    let is_bound = |ty: Ty| matches!(ty, Ty::Texref | Ty::Samplerref | Ty::Surfref);
    let mut params = outline.funcs.values().flat_map(|func| &func.params);
    if outline.globals.values().any(|g| is_bound(g.var.meant_type())) || params.any(|param| is_bound(param.ty)) {
        return true;
    }
    let declared_only = |id: FuncId| outside(id) && outline.func(&outline.funcs[id].name) == Some(id);
    outline.globals.values().any(|g| in_memory(g.var.space)) || outline.funcs.keys().any(declared_only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted() {
        let reasons: Vec<String> = ["a", "b", "a"].map(String::from).to_vec();
        assert_eq!(summary(&reasons), ["a (2 times)", "b"]);
    }
}
