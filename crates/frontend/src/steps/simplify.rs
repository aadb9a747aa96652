//! Phase 0: one input, on its own.
//!
//! Problem: what an input needs before it can be linked, and most of its optimisation, does not
//! depend on the others. Strategy: kernels get the calling convention that marks them, the device
//! library is linked, `__nvvm_reflect` is evaluated, local symbols get names that are unique in the
//! program and valid in PTX, and LLVM's pipeline for a module before a ThinLTO link runs.

use super::places::number;
use super::{Said, StepError, machine, reported};
use super::{aliases, bounds, floats, library, refuse};
use crate::llvm::{Context, Linkage, Llvm, Module, TRIPLE, Value};
use crate::settings::Settings;
use std::path::Path;

/// An input that has been simplified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simplified {
    /// Its bitcode.
    pub bitcode: Vec<u8>,
    /// What inputs are ordered by before they are linked: edits of bodies do not change it.
    pub order: String,
    /// What LLVM reported.
    pub said: Said,
}

/// Simplifies an input.
///
/// # Errors
/// What is wrong with the input, or that the device library is needed and missing.
pub fn simplify(
    llvm: &'static Llvm,
    settings: &Settings,
    (name, bytes): (&str, &[u8]),
    libdevice: Option<&Path>,
) -> Result<Simplified, StepError> {
    let cx = Context::new(llvm);
    let machine = machine(llvm, settings)?;
    let mut module = cx.parse(name, bytes)?;
    if settings.locate {
        number(&machine, &mut module, name)?;
    }
    prepare(&cx, &mut module, (machine.layout(), llvm.version.0), settings, libdevice)?;
    if aliases::see_through(&mut module)? {
        machine.run(&mut module, "globaldce")?;
    }
    machine.run(&mut module, &format!("thinlto-pre-link<O{}>", settings.level))?;
    let said = reported(&cx)?;
    refuse_constructors(&module)?;
    refuse::instructions(&module)?;
    Ok(Simplified { bitcode: module.bitcode(), order: order(&module), said })
}

/// The name of the source and, as several inputs may have the same, that of the first symbol that
/// only one of them can define.
fn order(module: &Module<'_>) -> String {
    let external = module.globals().filter(|value| !value.is_declaration() && value.linkage() == Linkage::External);
    let first = external.map(Value::name).min().unwrap_or_default();
    format!("{}\n{first}", module.source_name())
}

/// Does to an input what has to be done before any pass: all but the optimisation. `layout` and
/// `llvm` are the data layout and the major version of the library.
pub(super) fn prepare<'c>(
    cx: &'c Context,
    module: &mut Module<'c>,
    (layout, llvm): (&str, u32),
    settings: &Settings,
    libdevice: Option<&Path>,
) -> Result<(), StepError> {
    check_target(module)?;
    // A pass may do anything with IR that breaks a rule, and say nothing.
    module.verify()?;
    refuse::symbols(module)?;
    module.set_target(TRIPLE, layout);
    let source = module.source_name();
    module.set_name(&source);
    for kernel in kernels(module) {
        kernel.make_kernel();
        // Nothing in the program calls it.
        kernel.keep_weak();
        // The host finds kernels by name, whatever their linkage.
        if kernel.linkage() == Linkage::Internal {
            kernel.set_linkage(Linkage::External);
        }
    }
    library::link(cx, module, layout, settings, libdevice)?;
    let flushes = floats::flushes(module, settings);
    for callee in ["__nvvm_reflect", "__nvvm_reflect_ocl", "llvm.nvvm.reflect"] {
        module.fold_calls(callee, |call| {
            let text = call.operands().next()?.base()?.string()?;
            Some(settings.reflect(&text, flushes))
        });
    }
    floats::prepare(module, settings);
    bounds::copy(module, llvm, settings.sm)?;
    if !settings.debug && !settings.locate {
        module.strip_debug();
    }
    rename_locals(module, &source);
    Ok(())
}

/// Refuses functions that are to run before all kernels: nothing calls them. Those that LLVM could
/// evaluate are gone by now.
pub(super) fn refuse_constructors(module: &Module<'_>) -> Result<(), StepError> {
    for list in ["llvm.global_ctors", "llvm.global_dtors"] {
        let entries = module.global(list).and_then(|list| list.operands().next());
        let function = entries.and_then(|entries| entries.operands().next()?.operands().nth(1)?.base());
        if let Some(function) = function {
            let message = format!("constructors and destructors of variables are not supported: {}", function.name());
            return Err(StepError::Refused(message));
        }
    }
    Ok(())
}

/// Refuses modules for other machines.
pub(super) fn check_target(module: &Module<'_>) -> Result<(), StepError> {
    let triple = module.triple();
    if triple.is_empty() || triple.starts_with("nvptx64-") || triple == "nvptx64" {
        return match foreign_layout(&module.layout()) {
            Some(what) => {
                let message = format!(
                    "its data layout is that of another machine, with {what}: device code has that of {TRIPLE}"
                );
                Err(StepError::Refused(message))
            }
            None => Ok(()),
        };
    }
    let hint = if triple.starts_with("nvptx-") {
        "32-bit device code is not supported".to_owned()
    } else {
        format!("device code has the triple {TRIPLE}")
    };
    Err(StepError::Refused(format!("it is for {triple}: {hint}")))
}

/// What a data layout has that none for 64-bit device code has; front ends write several that
/// differ in alignments only, which the library's replaces (LLVM Language Reference, Data Layout).
fn foreign_layout(layout: &str) -> Option<String> {
    layout.split('-').find_map(|part| {
        let mut fields = part.split(':');
        let name = fields.next().unwrap_or_default();
        let first = fields.next();
        match name {
            "E" => Some("the highest byte first".to_owned()),
            "p" | "p0" | "p1" if first != Some("64") => Some(format!("pointers of another size ({part})")),
            "i64" if first != Some("64") => Some(format!("another alignment of 64 bits ({part})")),
            "m" => Some(format!("mangled names ({part})")),
            _ => name
                .strip_prefix(['A', 'G', 'P'])
                .filter(|n| n.parse() != Ok(0))
                .map(|_| format!("other address spaces ({part})")),
        }
    })
}

/// The kernels: by calling convention, or by annotation (User Guide for NVPTX, Kernel Metadata).
fn kernels<'m>(module: &'m Module<'_>) -> Vec<Value<'m>> {
    let convention = module.functions().filter(|f| f.has_kernel_convention());
    let mut found: Vec<Value<'m>> = convention.collect();
    for node in module.metadata("nvvm.annotations") {
        let mut operands = node.into_iter();
        let Some(Some(function)) = operands.next() else { continue };
        let rest: Vec<_> = operands.collect();
        let marked = rest.chunks(2).any(|pair| match pair {
            [Some(key), Some(value)] => {
                key.metadata_string().as_deref() == Some("kernel") && value.integer().unwrap_or(0) != 0
            }
            _ => false,
        });
        if marked && !found.contains(&function) {
            found.push(function);
        }
    }
    found
}

/// Gives local symbols names that hardly another module of the program has: `NAME__HASH`, with a
/// hash of the name of the source, which edits do not change. Where two modules have the same, the
/// linker renames one. Characters that PTX does not allow become underscores (PTX ISA 9.0, 4.4).
fn rename_locals(module: &Module<'_>, source: &str) {
    let mut unnamed = 0;
    let tag = blake3::hash(source.as_bytes()).to_hex()[..8].to_owned();
    for value in module.globals().filter(|value| value.linkage() == Linkage::Internal) {
        let name = value.name();
        if name.starts_with("llvm.") {
            continue;
        }
        let stem: String = match name.is_empty() {
            true => {
                unnamed += 1;
                format!("unnamed_{unnamed}")
            }
            false => {
                name.chars().map(|c| if c.is_ascii_alphanumeric() || "_$".contains(c) { c } else { '_' }).collect()
            }
        };
        value.set_name(&format!("{stem}__{tag}"));
    }
}
