//! Instructions of an input by number, to say where code comes from.
//!
//! LLVM's pass `debugify` gives every instruction a line number of its own. Like every line number,
//! it is kept by passes and written to the PTX (`.loc`).

use super::StepError;
use crate::llvm::{Context, Linkage, Llvm, Machine, Module};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An instruction of an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The function that it is in.
    pub function: String,
    /// Its text, as LLVM prints it.
    pub text: String,
}

/// The name of the file that stands for an input in `.file`: absolute and plain, as LLVM changes
/// others.
pub fn file_of(name: &str) -> String {
    format!("/{}", &blake3::hash(name.as_bytes()).to_hex()[..16])
}

/// Numbers the instructions of an input, in place of the lines of its source.
pub(super) fn number(machine: &Machine, module: &mut Module<'_>, name: &str) -> Result<(), StepError> {
    module.strip_debug();
    let source = module.source_name();
    module.set_name(&file_of(name));
    machine.run(module, "debugify")?;
    module.set_name(&source);
    Ok(())
}

/// Returns the instructions of an input with these numbers.
///
/// # Errors
/// LLVM's reason.
pub fn places(
    llvm: &'static Llvm,
    name: &str,
    bytes: &[u8],
    numbers: &[u32],
) -> Result<BTreeMap<u32, Place>, StepError> {
    let cx = Context::new(llvm);
    let mut module = cx.parse(name, bytes)?;
    module.strip_debug();
    let mut found = BTreeMap::new();
    let mut next = 1;
    // Functions that another module may define otherwise have no numbers (LLVM's Debugify.cpp).
    let exact = |linkage| matches!(linkage, Linkage::External | Linkage::Internal | Linkage::Appending);
    for function in module.functions().filter(|f| !f.is_declaration() && exact(f.linkage())) {
        for instruction in function.body() {
            if numbers.contains(&next) {
                found.insert(next, Place { function: function.name(), text: instruction.text() });
            }
            next += 1;
        }
    }
    Ok(found)
}
