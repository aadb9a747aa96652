//! The variables in global and constant memory that a kernel refers to.

use crate::Input;
use raddle_ir::unit::{Data, DataReloc, Init, Linkage};
use raddle_ir::{Function, Stop, Unsupported};
use raddle_ptx::{GlobalId, Symbol, parse_init};

/// Linkage as a unit has it.
pub(crate) fn linkage(l: raddle_ptx::Linkage) -> Linkage {
    match l {
        raddle_ptx::Linkage::Local => Linkage::Module,
        raddle_ptx::Linkage::Extern | raddle_ptx::Linkage::Visible => Linkage::Visible,
        raddle_ptx::Linkage::Weak => Linkage::Weak,
        raddle_ptx::Linkage::Common => Linkage::Common,
    }
}

/// Describes every symbol that the function names, and every variable whose address stands in the contents of one of them, in
/// the order in which they are first named.
///
/// # Errors
/// [`Stop::Errors`] for initial values that are none; [`Stop::Unsupported`] for contents that cannot be described yet.
pub(crate) fn collect(input: &Input<'_>, f: &Function) -> Result<Vec<Data>, Stop> {
    let mut out: Vec<Data> = Vec::new();
    let mut names: Vec<String> = f.symbols.values().cloned().collect();
    let mut refused = Vec::new();
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        let Some(Symbol::Global(id)) = input.outline.symbol(&name) else { continue };
        match describe(input, id, &name) {
            Ok(data) => {
                for reloc in &data.relocs {
                    if !names.contains(&reloc.symbol) {
                        names.push(reloc.symbol.clone());
                    }
                }
                out.push(data);
            }
            Err(Refusal::Wrong(message)) => return Err(Stop::Errors(vec![format!("`{name}`: {message}")])),
            Err(Refusal::NotYet(why)) => refused.push(Unsupported {
                kernel: input.name().to_owned(),
                line: 0,
                offset: 0,
                what: format!("variable `{name}`"),
                why: why.to_owned(),
            }),
        }
    }
    if refused.is_empty() { Ok(out) } else { Err(Stop::Unsupported(refused)) }
}

enum Refusal {
    Wrong(String),
    NotYet(&'static str),
}

fn describe(input: &Input<'_>, id: GlobalId, name: &str) -> Result<Data, Refusal> {
    let g = &input.outline.globals[id];
    if g.managed {
        return Err(Refusal::NotYet("managed memory"));
    }
    let contents = parse_init(input.src, input.outline, id).map_err(|e| Refusal::Wrong(e.message))?;
    let mut relocs = Vec::new();
    let init = match (contents, g.var.size()) {
        _ if g.linkage == raddle_ptx::Linkage::Extern => Init::Extern,
        (Some(contents), _) => {
            for a in contents.addresses {
                if a.bytes != 8 || a.shift != 0 {
                    return Err(Refusal::NotYet("a part of an address as an initial value"));
                }
                if !matches!(input.outline.symbol(&a.symbol), Some(Symbol::Global(_))) {
                    return Err(Refusal::NotYet("the address of a function as an initial value"));
                }
                let offset = u32::try_from(a.offset).map_err(|_| Refusal::NotYet("more than 4 GiB"))?;
                let symbol = a.symbol.to_string();
                relocs.push(DataReloc { offset, symbol, addend: a.addend, generic: a.generic });
            }
            Init::Bytes(contents.bytes)
        }
        (None, Some(size)) => Init::Zero(size),
        (None, None) => return Err(Refusal::Wrong("has no size".to_owned())),
    };
    Ok(Data {
        name: name.to_owned(),
        constant: g.var.space == raddle_ptx::Space::Const,
        linkage: linkage(g.linkage),
        init,
        align: g.var.alignment().max(1),
        relocs,
    })
}
