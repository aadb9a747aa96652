//! Reads the inputs into a program: every input is outlined (DRV-4), with its symbols and aliases
//! (DRV-10); versions, targets (DRV-5) and address sizes (DRV-12) are checked; each selected kernel
//! (DRV-13) becomes a unit, which gets a report (DRV-15).
//!
//! **Invariant.** The program is a pure function of inputs and selection, independent of `-j` and
//! of all other options of the run.

use super::{Module, Program, Role, Unit, budget, name_span};
use crate::codes;
use crate::nearest::nearest;
use crate::options::Selection;
use raddle_diag::{Diagnostic, Diags, FileId, SourceMap, Span};
use raddle_entity::{Executor, FxHashMap};
use raddle_ptx::{Linkage, Outline};
use raddle_target::Target;

/// Outlines every input of the source map and selects units. Errors go to `diags`; `None` if they
/// prevent all compilation.
/// The executor reads and surveys functions; it does not affect the result.
pub fn read(sources: &SourceMap, selection: &Selection, diags: &mut Diags, executor: &dyn Executor) -> Option<Program> {
    let mut modules = Vec::new();
    for (file, source) in sources.iter() {
        let mut outline = raddle_ptx::outline_on(source.text(), file, diags, executor);
        initializers(source.text(), &outline, file, diags);
        budget::give(&mut outline, &selection.bounds);
        budget::idle(&outline, file, diags);
        budget::raise(&mut outline, file, selection, diags);
        modules.push(Module::new(file, source.shared_text(), outline, executor));
    }
    let target = target(&modules, selection, sources, diags);
    let units = units(&modules, selection, diags);
    Some(Program { target: target?, modules, units })
}

/// Reads the initial values of all variables for their errors.
fn initializers(text: &str, outline: &Outline, file: FileId, diags: &mut Diags) {
    for (id, _) in outline.globals.iter().filter(|(_, global)| global.init.is_some()) {
        if let Err(error) = raddle_ptx::parse_init(text, outline, id) {
            let at = Span::point(file, error.offset as u32);
            diags.push(Diagnostic::error(error.code, error.message).at(at, ""));
        }
    }
}

/// The requested architecture, or that of the modules; every module must run on it.
fn target(
    modules: &[Module],
    selection: &Selection,
    sources: &SourceMap,
    diags: &mut Diags,
) -> Option<&'static Target> {
    let name = |module: &Module| sources.get(module.file).map_or("", |file| file.name());
    let declared: Vec<(&Module, &'static Target)> =
        modules.iter().filter_map(|module| Some((module, module.outline.target?))).collect();
    let (first, default) = *declared.first()?;
    let target = selection.arch.unwrap_or(default);
    for &(module, ptx) in &declared {
        if selection.arch.is_none() && ptx.name != default.name {
            let message =
                format!("'{}' is for {}, but '{}' is for {}", name(first), default.name, name(module), ptx.name);
            diags.push(Diagnostic::error(codes::E0024, message).help("choose one with --arch"));
            return None;
        }
        if !target.runs_ptx_of(ptx) {
            let message = format!("'{}' is for {}, which does not run on {}", name(module), ptx.name, target.name);
            diags.push(Diagnostic::error(codes::E0022, message));
        }
        if module.outline.address_size == 32 {
            let message = format!("'{}' has 32-bit addresses", name(module));
            diags.push(Diagnostic::error(codes::E0025, message).help("compile the source for 64 bits"));
        }
    }
    Some(target)
}

/// The module that each selected kernel is taken from: of several definitions the first that is not
/// weak, or the first. A second one that is not weak is an error.
fn homes<'m>(modules: &'m [Module], selection: &Selection) -> FxHashMap<&'m str, usize> {
    let mut homes: FxHashMap<&str, (usize, bool)> = FxHashMap::default();
    for (index, module) in modules.iter().enumerate() {
        let kernels = module.outline.kernels().map(|(_, kernel)| kernel);
        for kernel in kernels.filter(|kernel| kernel.body.is_some() && selection.wants(&kernel.name)) {
            let weak = kernel.linkage == Linkage::Weak;
            let home = homes.entry(&kernel.name).or_insert((index, weak));
            if home.1 && !weak {
                *home = (index, false);
            }
        }
    }
    homes.into_iter().map(|(name, (index, _))| (name, index)).collect()
}

/// One unit for each selected kernel and each function with a body; names that select nothing are
/// reported.
fn units(modules: &[Module], selection: &Selection, diags: &mut Diags) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let homes = homes(modules, selection);
    for (index, module) in modules.iter().enumerate() {
        for (func, function) in module.outline.funcs.iter() {
            if function.body.is_none() {
                continue;
            }
            let kernel = function.entry;
            if kernel && !selection.wants(&function.name) {
                continue;
            }
            let home = homes.get(&*function.name).copied();
            if kernel && function.linkage == Linkage::Weak && home != Some(index) {
                continue;
            }
            if kernel && home.is_some_and(|home| home != index) {
                let message = format!("kernel '{}' is in two inputs", function.name);
                diags.push(Diagnostic::error(codes::E0026, message).at(name_span(module, func), "the second"));
            }
            let size = module.surveys.get(func).size;
            let (cost, bytes) = (size.cost(), bytes(size.statements));
            let name = function.name.as_ref().into();
            units.push(Unit {
                module: index,
                func,
                role: if kernel { Role::Kernel } else { Role::ReadOnly },
                relocatable: false,
                name,
                cost,
                bytes,
                registers: None,
                measured: false,
            });
        }
    }
    for wanted in selection.names.iter().filter(|wanted| !homes.contains_key(wanted.as_str())) {
        let kernels = modules.iter().flat_map(|module| module.outline.kernels().map(|(_, kernel)| &*kernel.name));
        diags.push(no_kernel(wanted, kernels));
    }
    if let Some(pattern) = &selection.pattern
        && !homes.keys().any(|name| pattern.is_match(name))
    {
        let message = format!("no kernel matches {}", raddle_diag::quote(pattern.as_str()));
        diags.push(Diagnostic::error(codes::E0021, message));
    }
    units
}

/// The largest memory observed per statement, and the memory of an empty unit, in bytes.
const STATEMENT: u64 = 6 << 10;
const EMPTY: u64 = 256 << 10;

/// The estimated peak of memory, which grows with the text.
fn bytes(statements: usize) -> u64 {
    EMPTY + statements as u64 * STATEMENT
}

/// The number of kernels listed in the error about a missing one.
const LISTED: usize = 8;

/// The error for a kernel that does not exist; lists the existing ones, if they are few, and the
/// most similar name.
pub fn no_kernel<'a>(wanted: &str, kernels: impl Iterator<Item = &'a str>) -> Diagnostic {
    let kernels: Vec<&str> = kernels.collect();
    let mut diagnostic = Diagnostic::error(codes::E0020, format!("no kernel {}", raddle_diag::quote(wanted)));
    if (1..=LISTED).contains(&kernels.len()) {
        diagnostic = diagnostic.note(format!("the kernels are {}", kernels.join(", ")));
    }
    match nearest(wanted, kernels) {
        Some(name) => diagnostic.help(format!("did you mean '{name}'?")),
        None => diagnostic,
    }
}
