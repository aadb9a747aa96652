//! From inputs to a plan: outlines, one architecture, one unit per wanted kernel (DRV-4, 5, 10, 12, 13, 15).
//!
//! **Invariant.** The plan is a pure function of inputs and selection: neither `-j` nor anything else of a run.

use crate::codes;
use crate::cost::Size;
use crate::nearest::nearest;
use crate::options::Selection;
use raddle_diag::{Diagnostic, Diags, FileId, SourceMap, Span};
use raddle_entity::{EntityRef, FxHashMap};
use raddle_ptx::{Body, FuncId, Outline};
use raddle_target::{PtxVersion, Target};
use std::sync::Arc;

/// One PTX module.
pub struct Module {
    /// Its number in the source map.
    pub file: FileId,
    /// Its text.
    pub text: Arc<String>,
    /// Everything outside of bodies.
    pub outline: Outline,
    /// Bodies of the device functions, once they have been read.
    pub bodies: FxHashMap<FuncId, Body>,
    /// What is not inlined, where some code is for a linker of objects.
    pub apart: Option<raddle_lower::Apart>,
}

/// Units that cost less are put together until they cost so much: a few tenths of a millisecond, some 15 statements.
pub const BATCH: u64 = 400;

/// One unit of compilation: a kernel with all it calls (D9).
#[derive(Clone, Debug)]
pub struct UnitPlan {
    /// Index of its module.
    pub module: usize,
    /// The kernel, or the function.
    pub func: FuncId,
    /// A kernel gives an object; the body of a `.func` is only read for its errors.
    pub kernel: bool,
    /// It gives an object, and is a `.func` that stays a function.
    pub function: bool,
    /// Its code is for a linker of objects: it reaches what is not inlined, or the output is an object.
    pub relocatable: bool,
    /// Its name as in the text.
    pub name: Arc<str>,
    /// What its compilation may cost, in about microseconds: the longest are started first.
    pub cost: u64,
    /// The most memory its compilation may hold at once, in bytes.
    pub bytes: u64,
    /// It took that the last time.
    pub measured: bool,
    /// The most registers of a thread that it may have, where others decide that.
    pub registers: Option<u32>,
}

/// All that has to be done, in input order.
pub struct Plan {
    /// The architecture of the output.
    pub target: &'static Target,
    /// The inputs.
    pub modules: Vec<Module>,
    /// The kernels, by module and then by place in the text; behind them functions that turn out to be needed.
    pub units: Vec<UnitPlan>,
    /// The executable is linked from an object.
    pub linked: bool,
}

/// Outlines every input of the source map and selects units. Everything wrong goes to `diags`; `None` if nothing can
/// be compiled because of it.
pub fn plan(sources: &SourceMap, selection: &Selection, diags: &mut Diags) -> Option<Plan> {
    let mut modules = Vec::new();
    for (file, source) in sources.iter() {
        let outline = raddle_ptx::outline(source.text(), file, diags);
        initializers(source.text(), &outline, file, diags);
        modules.push(Module { file, text: source.shared_text(), outline, bodies: FxHashMap::default(), apart: None });
    }
    let target = target(&modules, selection, sources, diags);
    let units = units(&modules, selection, diags);
    Some(Plan { target: target?, modules, units, linked: false })
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

/// The architecture asked for, or the one of the modules; every module has to run on it.
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
        if module.outline.address_size == 32 && module.outline.version >= Some(PtxVersion::new(2, 3)) {
            let message = format!("'{}' has 32-bit addresses", name(module));
            diags.push(Diagnostic::error(codes::E0025, message).help("add `.address_size 64`"));
        }
    }
    Some(target)
}

/// One unit per wanted kernel and per function with a body, and the complaints about names that select nothing.
fn units(modules: &[Module], selection: &Selection, diags: &mut Diags) -> Vec<UnitPlan> {
    let mut units: Vec<UnitPlan> = Vec::new();
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    for (index, module) in modules.iter().enumerate() {
        for (func, function) in module.outline.funcs.iter() {
            let Some(body) = &function.body else { continue };
            let kernel = function.entry;
            if kernel && !selection.wants(&function.name) {
                continue;
            }
            if kernel
                && let Some(first) = seen.insert(&function.name, index)
                && first != index
            {
                let message = format!("kernel '{}' is in two inputs", function.name);
                diags.push(Diagnostic::error(codes::E0026, message).at(name_span(module, func), "the second"));
            }
            let body = module.text.get(body.clone()).unwrap_or_default();
            let size = Size::of(body);
            let (cost, bytes) = (size.cost(), bytes(size.statements));
            let name = function.name.as_ref().into();
            units.push(UnitPlan {
                module: index,
                func,
                kernel,
                function: false,
                relocatable: false,
                name,
                cost,
                bytes,
                registers: None,
                measured: false,
            });
        }
    }
    for wanted in selection.names.iter().filter(|wanted| !seen.contains_key(wanted.as_str())) {
        let kernels = modules.iter().flat_map(|module| module.outline.kernels().map(|(_, kernel)| &*kernel.name));
        diags.push(no_kernel(wanted, kernels));
    }
    if let Some(pattern) = &selection.pattern
        && !seen.keys().any(|name| pattern.is_match(name))
    {
        let message = format!("no kernel matches {}", raddle_diag::quote(pattern.as_str()));
        diags.push(Diagnostic::error(codes::E0021, message));
    }
    units
}

/// What a statement was seen to take at most, and what a unit takes without one, in bytes.
const STATEMENT: u64 = 6 << 10;
const EMPTY: u64 = 256 << 10;

/// The peak of memory; grows with the text.
fn bytes(statements: usize) -> u64 {
    EMPTY + statements as u64 * STATEMENT
}

/// Kernels that are listed where another one was asked for.
const LISTED: usize = 8;

/// There is no kernel of this name; those there are, if they are few, and the one that may have been meant.
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

/// The name of a function where it is declared.
pub(crate) fn name_span(module: &Module, func: FuncId) -> Span {
    let span = &module.outline.funcs[func].span;
    Span::new(module.file, span.start as u32, span.end as u32)
}

impl UnitPlan {
    /// The unit that compiles a function whose body has been read.
    pub(crate) fn as_function(&self) -> UnitPlan {
        UnitPlan { kernel: true, function: true, relocatable: true, ..self.clone() }
    }

    /// A number that is the same for the same unit in every run: chaos and traces are keyed by it.
    pub fn number(&self) -> u64 {
        (self.module as u64) << 32 | self.func.index() as u64
    }
}
