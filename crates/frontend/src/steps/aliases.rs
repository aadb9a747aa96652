//! Aliases, which PTX has for some functions only (PTX ISA 9.0, 11.2.3).
//!
//! Problem: LLVM ends its process for an alias of a variable, of a kernel and of anything weak, and
//! C++ has weak ones for constructors. Strategy: what refers to an alias refers to what it names. An
//! alias that others see is then a function that calls the other one, or the name of what was
//! local; what is left has no form in PTX, and is refused with its name.

use super::StepError;
use crate::llvm::{Linkage, Module, Value};
use std::collections::BTreeMap;

/// Refuses aliases of kernels, and lets a module refer to what its aliases name, unless others may
/// define them too. Returns whether it has aliases.
///
/// # Errors
/// An alias of a kernel.
pub(super) fn see_through(module: &mut Module<'_>) -> Result<bool, StepError> {
    for alias in module.aliases() {
        if let Some(kernel) = alias.aliasee().filter(|named| named.has_kernel_convention()) {
            let (alias, kernel) = (alias.name(), kernel.name());
            return Err(format!("{alias} is an alias of the kernel {kernel}: a kernel has one name in PTX").into());
        }
    }
    let has_any = module.aliases().next().is_some();
    module.see_through_aliases();
    Ok(has_any)
}

/// The aliases that others see, each with an input that has it.
#[derive(Default)]
pub(super) struct Aliases<'i>(BTreeMap<String, &'i str>);

impl<'i> Aliases<'i> {
    /// Adds those of an input.
    pub(super) fn add(&mut self, module: &Module<'_>, input: &'i str) {
        self.0.extend(module.aliases().map(|alias| (alias.name(), input)));
    }

    /// Replaces all aliases of a module. Those that are left are local, and nothing uses them.
    ///
    /// # Errors
    /// An alias that PTX cannot express.
    pub(super) fn resolve(&self, module: &mut Module<'_>) -> Result<(), StepError> {
        module.see_through_aliases();
        let seen = module.aliases().filter(|alias| alias.linkage() != Linkage::Internal);
        let seen: Vec<String> = seen.map(Value::name).collect();
        for name in seen {
            let Some(alias) = module.global(&name) else { continue };
            let Some(named) = alias.aliasee() else { return Err(self.refused(&name, "no symbol")) };
            let (is_function, local) = (named.is_function(), named.linkage() == Linkage::Internal);
            let what = if is_function { "the function" } else { "the variable" };
            let what = format!("{what} {}", named.name());
            if local && alias.is_whole_alias() && !alias.is_interposable() {
                module.name_like(&name);
            } else if !is_function || !alias.is_whole_alias() || !module.make_function(&name, true) {
                return Err(self.refused(&name, &what));
            }
        }
        Ok(())
    }

    fn refused(&self, alias: &str, what: &str) -> StepError {
        let input = self.0.get(alias).map_or(String::new(), |input| format!("'{input}': "));
        format!("{input}{alias} is an alias of {what}, and other objects may see both: PTX has no such alias").into()
    }
}
