//! What modules of PTX beside LLVM IR share with it.

use raddle_diag::{Diags, FileId};
use raddle_ptx::Linkage;
use raddle_target::Target;

/// The symbols that a module of PTX declares, and those that it defines for others: of these LLVM IR may
/// have definitions of its own, of which a linker takes one or which it refuses.
pub(crate) fn shared(text: &str) -> impl Iterator<Item = String> {
    let outline = raddle_ptx::outline(text, FileId::FIRST, &mut Diags::new());
    let functions = outline.funcs.values().filter(|f| f.body.is_none() || f.linkage != Linkage::Local);
    let functions = functions.map(|f| f.name.to_string());
    let variables = outline.globals.values().filter(|g| g.linkage != Linkage::Local);
    let variables = variables.map(|g| g.var.name.to_string());
    functions.chain(variables).collect::<Vec<_>>().into_iter()
}

/// The architecture that a module of PTX names.
pub(crate) fn target(text: &str) -> Option<&'static Target> {
    raddle_ptx::outline(text, FileId::FIRST, &mut Diags::new()).target
}
