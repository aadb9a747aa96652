//! What the four switches of floating point do to IR itself.
//!
//! Problem: the library's options for them act on some forms of an operation only: instructions
//! that may be contracted (`contract`, `llvm.fmuladd`, the attribute `unsafe-fp-math`) are contracted
//! under `-nvptx-fma-level=0` as well, and `llvm.sqrt.f32` is exact under `-nvptx-prec-sqrtf32=0` in
//! LLVM 19. Strategy: the permission to contract is taken away before any pass; the square root is
//! replaced after the last pass by the intrinsic that the option is about, as passes replace that by
//! the other one.

use crate::llvm::{Machine, Module};
use crate::settings::Settings;

/// The function attribute for subnormal numbers of `f32`.
const SUBNORMAL: &str = "denormal-fp-math-f32";

/// The module flag that says the same to the device library.
const FTZ: &str = "nvvm-reflect-ftz";

/// Whether subnormal numbers are flushed: as the settings say, or else the module's flag.
pub(super) fn flushes(module: &Module<'_>, settings: &Settings) -> bool {
    settings.ftz.unwrap_or_else(|| module.flag(FTZ).is_some_and(|value| value != 0))
}

/// How a module treats subnormal numbers, if it says so of its first function.
pub(super) fn subnormal(module: &Module<'_>) -> Option<String> {
    let first = module.functions().find(|f| !f.is_declaration());
    first.and_then(|function| function.attribute(SUBNORMAL))
}

/// Makes the functions of the device library treat subnormal numbers like their user, as clang does:
/// they could not be inlined otherwise.
pub(super) fn set_subnormal(library: &Module<'_>, like: &str) {
    for function in library.functions().filter(|f| !f.is_declaration()) {
        function.add_attribute(SUBNORMAL, like);
    }
}

/// Does to a module what has to be done before any pass.
pub(super) fn prepare(module: &mut Module<'_>, settings: &Settings) {
    if let Some(ftz) = settings.ftz {
        if ftz || module.flag(FTZ).is_some() {
            module.set_flag(FTZ, ftz.into());
        }
        for function in module.functions().filter(|f| !f.is_declaration()) {
            match ftz {
                true => function.add_attribute(SUBNORMAL, "preserve-sign,preserve-sign"),
                false if function.attribute(SUBNORMAL).is_some() => function.add_attribute(SUBNORMAL, "ieee,ieee"),
                false => {}
            }
        }
    }
    if !settings.fmad {
        module.forbid_contraction();
        for function in module.functions().filter(|f| !f.is_declaration()) {
            if function.attribute("unsafe-fp-math").is_some_and(|value| value == "true") {
                function.add_attribute("unsafe-fp-math", "false");
            }
        }
    }
}

/// Does to a module what has to be done after the last pass.
///
/// # Errors
/// LLVM's reason.
pub(super) fn finish(module: &mut Module<'_>, machine: &Machine, settings: &Settings) -> Result<(), String> {
    if settings.prec_sqrt {
        return Ok(());
    }
    let of_vectors = |name: String| name.starts_with("llvm.sqrt.v") && name.ends_with("f32");
    if module.functions().any(|f| f.is_declaration() && of_vectors(f.name())) {
        machine.run(module, "function(scalarizer)")?;
    }
    module.replace_intrinsic("llvm.sqrt.f32", "llvm.nvvm.sqrt.f");
    Ok(())
}
