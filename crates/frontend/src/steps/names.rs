//! Symbols whose names PTX does not allow.
//!
//! Local symbols get other names, and what only the program sees becomes local: what is left is
//! refused here, with the name of its input, and not as a syntax error of the PTX.

use super::StepError;
use crate::llvm::{Linkage, Module, Value};
use std::collections::BTreeMap;

/// Symbols with such names, each with an input that has it.
#[derive(Default)]
pub(super) struct OddNames<'i>(BTreeMap<String, &'i str>);

impl<'i> OddNames<'i> {
    /// Adds those of an input.
    pub(super) fn add(&mut self, module: &Module<'_>, input: &'i str) {
        let names = module.globals().map(Value::name);
        self.0.extend(names.filter(|name| !is_allowed(name)).map(|name| (name, input)));
    }

    /// Refuses a program in which one of them is visible.
    pub(super) fn check(&self, program: &Module<'_>) -> Result<(), StepError> {
        let visible = program.globals().filter(|value| value.linkage() != Linkage::Internal);
        for value in visible.filter(|value| !value.is_declaration() || value.users().next().is_some()) {
            let name = value.name();
            if let Some(input) = self.0.get(&name) {
                return Err(format!("'{input}': the symbol {name:?} has a name that PTX does not allow").into());
            }
        }
        Ok(())
    }
}

/// Whether PTX allows a name (PTX ISA 9.0, 4.4), or LLVM writes none of it.
pub(crate) fn is_allowed(name: &str) -> bool {
    // The byte 1 says that the rest is the name as it is.
    let name = name.strip_prefix('\u{1}').unwrap_or(name);
    let follows = |rest: &str| rest.chars().all(|c| c.is_ascii_alphanumeric() || "_$".contains(c));
    match name.chars().next() {
        Some(c) if c.is_ascii_alphabetic() => follows(name) || name.starts_with("llvm."),
        Some('_' | '$' | '%') => name.len() > 1 && follows(&name[1..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn names_of_ptx_are_told_from_others() {
        for name in ["a", "a9_$", "_Z3sumPi", "$a", "%r1", "__", "$_9", "llvm.used", "\u{1}a"] {
            assert!(is_allowed(name), "{name}");
        }
        for name in ["", "9a", "a.b", "_", "$", "%", "a b", "\u{e9}", "a\n", "a%", "\u{1}"] {
            assert!(!is_allowed(name), "{name}");
        }
    }
}
