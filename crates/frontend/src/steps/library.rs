//! NVIDIA's device library, of which an input takes the functions that it calls.
//!
//! **Invariant.** A function that an input of the program defines itself is never that of the
//! library, whatever its name.

use super::{StepError, floats};
use crate::llvm::{Context, Linkage, Llvm, Module, TRIPLE, Value};
use crate::settings::Settings;
use std::path::Path;

/// Functions of libdevice begin with this.
pub const DEVICE_LIBRARY: &str = "__nv_";

/// Returns the functions that an input defines for others under names of the device library, sorted.
///
/// # Errors
/// Why the input cannot be read.
pub fn owned(llvm: &'static Llvm, name: &str, bytes: &[u8]) -> Result<Vec<String>, StepError> {
    let cx = Context::new(llvm);
    let module = cx.parse_symbols(name, bytes)?;
    // One that may be dropped where nothing refers to it is for its own module.
    let for_others = |value: &Value<'_>| {
        !value.is_declaration() && matches!(value.linkage(), Linkage::External | Linkage::Weak | Linkage::Common)
    };
    let defined = module.functions().chain(module.aliases()).filter(for_others).map(Value::name);
    let mut names: Vec<String> = defined.filter(|name| name.starts_with(DEVICE_LIBRARY)).collect();
    names.sort_unstable();
    Ok(names)
}

/// Links what a module needs of the device library. Its functions may be dropped and merged.
pub(super) fn link<'c>(
    cx: &'c Context,
    module: &mut Module<'c>,
    layout: &str,
    settings: &Settings,
    path: Option<&Path>,
) -> Result<(), StepError> {
    let is_owned = |name: &String| settings.owned.binary_search(name).is_ok();
    let named = module.functions().filter(|f| f.name().starts_with(DEVICE_LIBRARY));
    let (declared, mut own): (Vec<Value<'_>>, Vec<Value<'_>>) = named.partition(|f| f.is_declaration());
    let (elsewhere, needed): (Vec<Value<'_>>, Vec<Value<'_>>) = declared.into_iter().partition(|f| is_owned(&f.name()));
    if needed.is_empty() {
        return Ok(());
    }
    own.extend(elsewhere);
    let own: Vec<String> = own.into_iter().map(Value::name).collect();
    let path = path.ok_or(StepError::NeedsDeviceLibrary)?;
    let mut library = read(cx, path)?;
    library.set_target(TRIPLE, layout);
    for name in own {
        if let Some(function) = library.function(&name) {
            function.set_name(&format!("{name}.of.libdevice"));
        }
    }
    for value in library.globals().filter(|value| !value.is_declaration()) {
        if value.linkage() != Linkage::Internal && value.linkage() != Linkage::Appending {
            value.set_linkage(Linkage::LinkOnce);
        }
    }
    if let Some(subnormal) = floats::subnormal(module) {
        floats::set_subnormal(&library, &subnormal);
    }
    Ok(module.link(library)?)
}

/// Reads the library.
fn read<'c>(cx: &'c Context, path: &Path) -> Result<Module<'c>, StepError> {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read the device library '{shown}': {error}"))?;
    let library = cx.parse(&shown, &bytes).map_err(|why| format!("'{shown}' is not the device library: {why}"))?;
    let defines = library.functions().any(|f| !f.is_declaration() && f.name().starts_with(DEVICE_LIBRARY));
    if !defines {
        let message = format!("'{shown}' is not the device library: it defines no function {DEVICE_LIBRARY}...");
        return Err(message.into());
    }
    Ok(library)
}
