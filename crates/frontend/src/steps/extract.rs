//! The bitcode of a part: what it needs of the modules of a program.
//!
//! Problem: every part needs a few functions of a program that may be large. Strategy: bitcode is
//! opened without reading bodies. What the part takes becomes visible, what it does not have becomes
//! local, so that linking the modules into an empty one takes what the part needs and nothing else;
//! then what it takes gets the linkage that it has in the program.

use super::StepError;
use crate::llvm::{Context, Linkage, Llvm, Module, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What a part does with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Treatment {
    /// The definition in the program, with its linkage.
    Defined,
    /// The definition in the program, which is local.
    Local,
    /// The definition in the program, which was local and becomes visible to other parts.
    Promoted,
    /// A local copy of a definition.
    Copied,
    /// A declaration of a definition in another part.
    Declared,
}

/// A symbol of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// What the part does with it.
    pub treatment: Treatment,
    /// The module that its definition is taken from, an index of [`Source::modules`].
    pub module: u32,
}

/// Modules of a program in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// The bytes of each module that the part needs; `None` is the whole file.
    pub modules: Vec<Option<Range<u64>>>,
}

/// Returns the bitcode of a part before any pass: `symbols` says what it does with the symbols of
/// the program, by name; it has no others. `assembly`: it has the inline assembly outside of functions.
///
/// # Errors
/// LLVM's reason.
pub fn extract(
    llvm: &'static Llvm,
    source: &Source,
    name: &str,
    symbols: &BTreeMap<String, Wanted>,
    assembly: bool,
) -> Result<Vec<u8>, StepError> {
    let cx = Context::new(llvm);
    let mut part = cx.module(name);
    for (range, number) in source.modules.iter().cloned().zip(0..) {
        let mut module = opened(&cx, &source.path, range, number, symbols)?;
        if !assembly {
            module.drop_assembly();
        }
        if number == 0 {
            part.set_target(&module.triple(), &module.layout());
        }
        part.link(module)?;
    }
    for value in part.globals().filter(|value| !value.is_declaration()) {
        if let Some(Wanted { treatment: Treatment::Local | Treatment::Copied, .. }) = symbols.get(&value.name()) {
            value.set_default_visibility();
            value.set_linkage(Linkage::Internal);
        }
    }
    Ok(part.bitcode())
}

/// Opens a module so that linking it into another one takes a part of it.
fn opened<'c>(
    cx: &'c Context,
    path: &Path,
    range: Option<Range<u64>>,
    number: u32,
    symbols: &BTreeMap<String, Wanted>,
) -> Result<Module<'c>, StepError> {
    let mut module = cx.open_lazily(path, range)?;
    // What a part does not have of an alias is a function that it calls.
    let declared = |alias: &Value<'_>| {
        let wanted = symbols.get(&alias.name());
        wanted.is_some_and(|wanted| wanted.treatment == Treatment::Declared || wanted.module != number)
    };
    let declared: Vec<String> = module.aliases().filter(declared).map(Value::name).collect();
    for alias in declared {
        module.make_function(&alias, false);
    }
    for value in module.globals().filter(|value| !value.is_declaration()) {
        value.leave_comdat();
        let Some(wanted) = symbols.get(&value.name()) else {
            value.set_default_visibility();
            value.set_linkage(Linkage::Internal);
            continue;
        };
        match wanted.treatment {
            Treatment::Defined if wanted.module == number => value.keep_weak(),
            Treatment::Local | Treatment::Promoted | Treatment::Copied if wanted.module == number => {
                value.set_default_visibility();
                value.set_linkage(Linkage::External);
            }
            // The definition is in another part, or in another module of this one.
            _ => {
                if value.linkage() == Linkage::Internal {
                    value.set_default_visibility();
                }
                if value.is_variable() {
                    value.set_linkage(Linkage::External);
                    value.drop_initializer();
                } else {
                    value.set_linkage(Linkage::AvailableExternally);
                }
            }
        }
    }
    for list in ["llvm.used", "llvm.compiler.used"] {
        module.delete_variable(list);
    }
    Ok(module)
}
