//! Both phases at once, for a program of one function.
//!
//! Problem: what a JIT compiler gives is often one kernel, for which phases and parts are only a
//! detour. Strategy: such an input runs through LLVM's usual pipeline for a complete module.

use super::aliases::{Aliases, see_through};
use super::link::internalize;
use super::places::number;
use super::simplify::{prepare, refuse_constructors};
use super::{Said, StepError, floats, machine, refuse, reported};
use crate::llvm::{Context, Llvm};
use crate::settings::Settings;
use std::path::Path;

/// Compiles an input that defines one function, and is a program by itself. Returns the PTX and
/// what LLVM reported; `None` if it defines more.
///
/// # Errors
/// As those of [`super::simplify()`].
pub fn whole(
    llvm: &'static Llvm,
    settings: &Settings,
    (name, bytes): (&str, &[u8]),
    libdevice: Option<&Path>,
) -> Result<Option<(String, Said)>, StepError> {
    let cx = Context::new(llvm);
    let mut module = cx.parse(name, bytes)?;
    if module.functions().filter(|f| !f.is_declaration()).count() != 1 {
        return Ok(None);
    }
    let machine = machine(llvm, settings)?;
    if settings.locate {
        number(&machine, &mut module, name)?;
    }
    prepare(&cx, &mut module, (machine.layout(), llvm.version.0), settings, libdevice)?;
    see_through(&mut module)?;
    for list in ["llvm.used", "llvm.compiler.used"] {
        module.delete_variable(list);
    }
    if !settings.relocatable {
        internalize(&module, &settings.keep);
    }
    Aliases::default().resolve(&mut module)?;
    machine.run(&mut module, &format!("default<O{}>,globaldce", settings.level))?;
    refuse_constructors(&module)?;
    refuse::instructions(&module)?;
    floats::finish(&mut module, &machine, settings)?;
    let ptx = machine.emit(module)?;
    Ok(Some((ptx, reported(&cx)?)))
}
