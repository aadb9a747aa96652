//! Functions that are not inlined: which they are, and the objects that they are linked through.
//!
//! Problem: kernels are compiled independently and inline their callees; functions that are
//! recursive, called by address or defined in another object cannot be inlined. Strategy: such
//! functions are units like kernels. Which are needed is known once the kernels are compiled, from
//! their undefined symbols; then these functions are compiled, and those that they need in turn. In
//! a program of one compilation this code is combined with that of the kernels as if it came from
//! several objects: units become a relocatable object, and the linker of objects makes the
//! executable. An object depends on its kernel's own text alone (decision D9): kernels that reach
//! no such function are compiled as if there were none, and are stored in that object unchanged
//! ([`raddle_link::with_executable_kernels`]).

use super::names::identifiers;
use super::{Module, Program, Unit, budget, externs, outside, pragmas};
use crate::request::Output;
use raddle_cubin::unit::UnitObject;
use raddle_diag::Diags;
use raddle_ir::CodegenOptions;
use raddle_lower::OutOfLine;
use raddle_ptx::{Body, FuncId, Linkage, Op, Operand, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a module that need a linker of objects.
#[derive(Debug, Default)]
struct Reaching {
    /// Kernels that reach functions that are not inlined.
    kernels: BTreeSet<FuncId>,
    /// Whether a variable that is visible to other objects reaches such a function.
    shown: bool,
}

/// Whether a body takes the address of a function.
fn takes_address(body: &Body) -> bool {
    // The operand of a call is the callee.
    let others = body.insts.keys().filter(|&inst| body.op(inst) != Op::Call);
    others.flat_map(|inst| body.operands(inst)).any(|operand| matches!(operand, Operand::Func(_)))
}

/// Whether a kernel takes the address of a function. In a module without out-of-line calls, its
/// body is read if its text names a function where nothing is called; otherwise naming one is
/// enough.
fn kernel_takes_address(module: &Module, id: FuncId, calls: bool) -> bool {
    module.surveys.get(id).names_uncalled && (calls || read_takes_address(module, id))
}

/// Whether a kernel takes the address of a kernel. Its body is read if a statement ends with the
/// name of one.
fn takes_kernel(module: &Module, id: FuncId) -> bool {
    module.surveys.get(id).ends_with_kernel && read_takes_address(module, id)
}

/// Reads a kernel to see whether it takes the address of a function.
fn read_takes_address(module: &Module, id: FuncId) -> bool {
    takes_address(&raddle_ptx::parse_body(&module.text, module.file, &module.outline, id, &mut Diags::new()))
}

/// Finds the kernels that reach functions that are not inlined: recursive functions, functions
/// provided by the driver, calls by address, addresses of functions, also in variables. Bodies of
/// kernels are not read yet: the names in their texts count.
fn reaching(module: &Module, out_of_line: &OutOfLine) -> Reaching {
    let (outline, survey) = (&module.outline, |id| module.surveys.get(id));
    let mut out = Reaching::default();
    let alone = outline.funcs.values().all(|f| f.entry);
    let kernels = || outline.funcs.iter().filter(|(_, f)| f.entry).map(|(id, _)| id);
    out.kernels.extend(kernels().filter(|&id| survey(id).by_address || takes_kernel(module, id)));
    // In a module of kernels alone, variables may hold their addresses.
    let holds_kernel = |g: &raddle_ptx::Global| {
        let text = g.init.clone().and_then(|init| module.text.get(init)).unwrap_or_default();
        identifiers(text).any(|word| matches!(outline.symbol(word), Some(Symbol::Func(_))))
    };
    if alone && !outline.globals.values().any(holds_kernel) {
        return out;
    }
    let mut work: Vec<Symbol> = Vec::new();
    for (id, f) in outline.funcs.iter().filter(|(_, f)| !f.entry) {
        let system = f.body.is_none() && raddle_target::is_system_call(&f.name);
        let takes = || module.bodies.get(&id).is_some_and(takes_address);
        if system || out_of_line.called.contains(&id) || survey(id).by_address || takes() {
            work.push(Symbol::Func(id));
        }
    }
    // The users of each symbol: functions by their texts, variables by the addresses in them.
    let mut users: BTreeMap<Symbol, Vec<Symbol>> = BTreeMap::new();
    for id in outline.globals.keys() {
        let init = raddle_ptx::parse_init(&module.text, outline, id).ok().flatten();
        for address in init.iter().flat_map(|init| &init.addresses) {
            match outline.symbol(&address.symbol) {
                Some(Symbol::Func(_)) => work.push(Symbol::Global(id)),
                Some(other) => users.entry(other).or_default().push(Symbol::Global(id)),
                None => {}
            }
        }
    }
    if !work.is_empty() {
        for (id, _) in outline.funcs.iter().filter(|(_, f)| !f.entry) {
            for &used in survey(id).names.iter().filter(|&&used| used != Symbol::Func(id)) {
                users.entry(used).or_default().push(Symbol::Func(id));
            }
        }
    }
    for (new, old) in &outline.aliases {
        if let (Some(new), Some(old)) = (outline.symbol(new), outline.symbol(old)) {
            users.entry(old).or_default().push(new);
        }
    }
    let mut reach: BTreeSet<Symbol> = BTreeSet::new();
    while let Some(symbol) = work.pop() {
        if reach.insert(symbol) {
            work.extend(users.get(&symbol).into_iter().flatten());
        }
    }
    let shown = |symbol: &Symbol| match *symbol {
        Symbol::Global(id) => {
            matches!(outline.globals[id].linkage, Linkage::Visible | Linkage::Weak | Linkage::Common)
        }
        Symbol::Func(_) => false,
    };
    out.shown = reach.iter().any(shown);
    let names = |id: FuncId| survey(id).names.iter().any(|symbol| reach.contains(symbol));
    let calls = !reach.is_empty() || !out.kernels.is_empty();
    let more: Vec<FuncId> = kernels().filter(|&id| names(id) || kernel_takes_address(module, id, calls)).collect();
    out.kernels.extend(more);
    out
}

/// Finds the functions that are not inlined, once bodies have been read, and the units whose code
/// needs a linker of objects. Returns whether an executable has to be linked from an object because
/// of them.
pub(crate) fn decide(program: &mut Program, output: Output, codegen: &CodegenOptions, diags: &mut Diags) -> bool {
    budget::check(program, diags);
    let (external, debug) = (output.is_relocatable(), codegen.debug);
    pragmas::check(program, output.exports_functions(), diags);
    let joined = !external && externs::settle(program, diags) || output == Output::LinkedExecutable;
    let all = external || joined;
    // Names of functions that several modules define, of which a linker takes one.
    let (mut names, mut several) = (BTreeSet::new(), BTreeSet::new());
    for function in program.modules.iter().flat_map(|m| m.outline.funcs.values()) {
        let seen = matches!(function.linkage, Linkage::Visible | Linkage::Weak);
        if seen && !function.entry && function.body.is_some() && !names.insert(&*function.name) {
            several.insert(function.name.clone());
        }
    }
    let (elsewhere, defined) = (|name: &str| several.contains(name), |name: &str| names.contains(name));
    let of = |m: &Module| OutOfLine::of(&m.outline, &m.bodies, external, debug, &elsewhere, &defined);
    let out_of_line = program.modules.iter().map(of);
    let out_of_line: Vec<OutOfLine> = out_of_line.collect();
    let found: Vec<Reaching> = program
        .modules
        .iter()
        .zip(&out_of_line)
        .filter(|_| !all)
        .map(|(m, out_of_line)| reaching(m, out_of_line))
        .collect();
    for unit in program.units.iter_mut().filter(|unit| unit.makes_object()) {
        unit.relocatable = all || found[unit.module].kernels.contains(&unit.func);
    }
    let reaches = || program.units.iter().any(|unit| unit.makes_object() && unit.relocatable);
    let linked = !external && (joined || found.iter().any(|m| m.shown) || reaches());
    if linked || external {
        program
            .modules
            .iter_mut()
            .zip(out_of_line)
            .for_each(|(module, out_of_line)| module.out_of_line = Some(out_of_line));
    }
    if linked {
        budget::run(program, codegen);
    }
    if output.is_unit() {
        program.modules.iter_mut().for_each(outside::apply);
    }
    linked
}

/// The unit of the function with this name.
pub(crate) fn selected(program: &Program, name: &str) -> Vec<Unit> {
    program.units.iter().filter(|unit| !unit.makes_object() && *unit.name == *name).map(Unit::as_function).collect()
}

/// Functions that other objects may call: in an object they are compiled whether its kernels need
/// them or not.
pub(crate) fn exported(program: &Program) -> Vec<Unit> {
    let units = program.units.iter().filter(|unit| !unit.makes_object());
    units
        .filter(|unit| {
            let linkage = program.modules[unit.module].outline.funcs[unit.func].linkage;
            matches!(linkage, Linkage::Visible | Linkage::Weak)
        })
        .map(Unit::as_function)
        .collect()
}

/// Functions of the modules that objects refer to and that are not compiled yet, in input order.
pub(crate) fn needed(program: &Program, objects: &[&UnitObject]) -> Vec<Unit> {
    let mut names: BTreeSet<(usize, &str)> = BTreeSet::new();
    for object in objects {
        let code = object.functions.iter().flat_map(|f| &f.relocations);
        for r in code.chain(object.data.iter().flat_map(|d| &d.relocations)) {
            names.extend(object.symbols.name(r.symbol).map(|name| (object.module as usize, name)));
        }
    }
    // A weak definition in one module may be replaced by that of another, which also defines what
    // this one only declares.
    let function = |&(module, name): &(usize, &str)| {
        let outline = &program.modules[module].outline;
        outline.func(name).map(|id| &outline.funcs[id])
    };
    let elsewhere =
        |key: &&(usize, &str)| function(key).is_some_and(|f| f.linkage == Linkage::Weak || f.body.is_none());
    let shared: BTreeSet<&str> = names.iter().filter(elsewhere).map(|key| key.1).collect();
    let seen =
        |key: &(usize, &str)| function(key).is_some_and(|f| matches!(f.linkage, Linkage::Visible | Linkage::Weak));
    let compiled: BTreeSet<(usize, &str)> =
        program.units.iter().filter(|unit| unit.makes_object()).map(|unit| (unit.module, &*unit.name)).collect();
    let units = program.units.iter().filter(|unit| !unit.makes_object());
    units
        .filter(|unit| {
            let key = (unit.module, &*unit.name);
            (names.contains(&key) || shared.contains(key.1) && seen(&key)) && !compiled.contains(&key)
        })
        .map(Unit::as_function)
        .collect()
}
