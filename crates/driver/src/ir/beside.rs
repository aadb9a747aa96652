//! What modules of PTX beside LLVM IR need of it.

use raddle_diag::{Diags, FileId};
use raddle_ptx::Linkage;
use raddle_target::Target;

/// The symbols that a module of PTX declares and does not define.
pub(crate) fn wanted(text: &str) -> impl Iterator<Item = String> {
    let outline = raddle_ptx::outline(text, FileId::FIRST, &mut Diags::new());
    let functions = outline.funcs.values().filter(|f| f.body.is_none()).map(|f| f.name.to_string());
    let external = outline.globals.values().filter(|g| g.linkage == Linkage::Extern);
    let variables = external.map(|g| g.var.name.to_string());
    functions.chain(variables).collect::<Vec<_>>().into_iter()
}

/// The architecture that a module of PTX names.
pub(crate) fn target(text: &str) -> Option<&'static Target> {
    raddle_ptx::outline(text, FileId::FIRST, &mut Diags::new()).target
}
