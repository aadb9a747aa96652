//! The variables in global and constant memory that a kernel refers to.

use crate::Input;
use raddle_ir::unit::{Data, Init, Linkage};
use raddle_ir::{Function, Stop, Unsupported};
use raddle_ptx::Symbol;

/// Linkage as a unit has it.
pub(crate) fn linkage(l: raddle_ptx::Linkage) -> Linkage {
    match l {
        raddle_ptx::Linkage::Local => Linkage::Module,
        raddle_ptx::Linkage::Extern | raddle_ptx::Linkage::Visible => Linkage::Visible,
        raddle_ptx::Linkage::Weak => Linkage::Weak,
        raddle_ptx::Linkage::Common => Linkage::Common,
    }
}

/// Describes every symbol that the function names, in the order in which it names them.
pub(crate) fn collect(input: &Input<'_>, f: &Function) -> Result<Vec<Data>, Stop> {
    let mut out = Vec::new();
    let mut refused = Vec::new();
    for name in f.symbols.values() {
        let Some(Symbol::Global(id)) = input.outline.symbol(name) else { continue };
        let g = &input.outline.globals[id];
        let init = match (&g.init, g.var.size()) {
            _ if g.linkage == raddle_ptx::Linkage::Extern => Some(Init::Extern),
            (None, Some(size)) => Some(Init::Zero(size)),
            _ => None,
        };
        match init {
            Some(init) => out.push(Data {
                name: name.clone(),
                constant: g.var.space == raddle_ptx::Space::Const,
                linkage: linkage(g.linkage),
                init,
                align: g.var.alignment().max(1),
                relocs: Vec::new(),
            }),
            None => refused.push(Unsupported {
                kernel: input.name().to_owned(),
                line: 0,
                offset: 0,
                what: format!("variable `{name}`"),
                why: "initial values".to_owned(),
            }),
        }
    }
    if refused.is_empty() { Ok(out) } else { Err(Stop::Unsupported(refused)) }
}
