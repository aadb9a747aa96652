//! Variables in global and constant memory: those a kernel refers to, and those visible to the
//! host.

use crate::Input;
use raddle_entity::EntityRef;
use raddle_ir::unit::{Data, DataReloc, Init, Linkage};
use raddle_ir::{Function, Stop, TexBound, Unsupported};
use raddle_ptx::{Body, Contents, GlobalId, Outline, Space, Symbol, Ty, VarId, Variable};
use std::collections::BTreeSet;

/// Converts the linkage of a function or variable.
pub fn linkage(l: raddle_ptx::Linkage) -> Linkage {
    match l {
        raddle_ptx::Linkage::Local => Linkage::Module,
        raddle_ptx::Linkage::Extern | raddle_ptx::Linkage::Visible => Linkage::Visible,
        raddle_ptx::Linkage::Weak => Linkage::Weak,
        raddle_ptx::Linkage::Common => Linkage::Common,
    }
}

/// What the driver binds to a name of this type.
pub(crate) fn bound_type(ty: Ty) -> Option<TexBound> {
    match ty {
        Ty::Texref => Some(TexBound::Texture),
        Ty::Samplerref => Some(TexBound::Sampler),
        Ty::Surfref => Some(TexBound::Surface),
        _ => None,
    }
}

fn space(space: Space) -> raddle_ir::Space {
    match space {
        Space::Const => raddle_ir::Space::Const,
        Space::Shared => raddle_ir::Space::Shared,
        _ => raddle_ir::Space::Global,
    }
}

/// A variable that cannot be described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its name.
    pub name: String,
    /// Byte offset in the module.
    pub offset: usize,
    /// The reason.
    pub why: String,
}

/// Describes every variable of a module that is visible to other modules or the host, whether a
/// kernel uses it or not, in the order of the text.
///
/// # Errors
/// All variables whose contents cannot be described.
pub fn visible(text: &str, outline: &Outline) -> Result<Vec<Data>, Vec<Refused>> {
    let shown = outline.globals.iter().filter(|(_, g)| {
        let hidden = matches!(g.linkage, raddle_ptx::Linkage::Local | raddle_ptx::Linkage::Extern);
        !hidden && matches!(g.var.space, Space::Global | Space::Const)
    });
    closure(text, outline, shown.map(|(id, _)| id).collect())
}

/// Describes the variables of these names, and those that their contents refer to. Names of other
/// things are skipped, and so are shared variables unless `shared` says that they are symbols of
/// the linker.
///
/// # Errors
/// All variables that cannot be described.
pub fn named(text: &str, outline: &Outline, names: &[&str], shared: bool) -> Result<Vec<Data>, Vec<Refused>> {
    let ids = names.iter().filter_map(|name| match outline.symbol(name) {
        Some(Symbol::Global(id)) => Some(id),
        _ => None,
    });
    let memory = |id: &GlobalId| match outline.globals[*id].var.space {
        Space::Global | Space::Const => true,
        Space::Shared => shared,
        _ => false,
    };
    closure(text, outline, ids.filter(memory).collect())
}

/// Returns the name of a variable declared in the body of a function, which no PTX identifier can
/// equal.
pub(crate) fn local_name(func: &str, var: &Variable, id: VarId) -> String {
    format!("{func}.{}.{}", var.name, id.index())
}

/// Returns the variable of a [`local_name`].
fn local<'a>(input: &'a Input<'_>, name: &str) -> Option<(&'a Body, VarId)> {
    let (rest, index) = name.rsplit_once('.')?;
    let Symbol::Func(func) = input.outline.symbol(rest.split_once('.')?.0)? else { return None };
    let body = if func == input.func { input.body } else { input.bodies.get(&func)? };
    body.vars.iter().map(|(id, _)| id).nth(index.parse().ok()?).map(|id| (body, id))
}

/// Describes every variable that the function refers to, directly or through the contents of
/// others: those of the bodies, then those of the module, in the order in which they are met.
pub(crate) fn collect(input: &Input<'_>, f: &Function) -> Result<Vec<Data>, Stop> {
    let (mut out, mut refused, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    // If a linker of objects allocates shared variables, they are symbols.
    let shared = f.slots.values().filter(|d| input.out_of_line.is_some() && d.space == raddle_ir::Space::Shared);
    for name in f.symbols.values().chain(shared.map(|d| &d.name)) {
        match (input.outline.symbol(name), local(input, name)) {
            (Some(Symbol::Global(id)), _) => ids.push(id),
            (None, Some((body, id))) => match describe_local(input.outline, body, id, name) {
                Ok(data) => {
                    ids.extend(variables(input.outline, &data));
                    out.push(data);
                }
                Err(item) => refused.push(item),
            },
            _ => {}
        }
    }
    match closure(input.src, input.outline, ids) {
        Ok(data) => out.extend(data),
        Err(items) => refused.extend(items),
    }
    if refused.is_empty() {
        return Ok(out);
    }
    let unsupported = |item: Refused| Unsupported {
        kernel: input.name().to_owned(),
        line: 0,
        offset: 0,
        what: format!("variable `{}`", item.name),
        why: item.why,
    };
    Err(Stop::Unsupported(refused.into_iter().map(unsupported).collect()))
}

/// Returns the variables of the module that the contents of one refer to.
fn variables(outline: &Outline, data: &Data) -> Vec<GlobalId> {
    let global = |reloc: &DataReloc| match outline.symbol(&reloc.symbol) {
        Some(Symbol::Global(id)) => Some(id),
        _ => None,
    };
    data.relocs.iter().filter_map(global).collect()
}

/// Describes the variables and those that their contents refer to, without duplicates.
fn closure(text: &str, outline: &Outline, mut ids: Vec<GlobalId>) -> Result<Vec<Data>, Vec<Refused>> {
    let mut seen: BTreeSet<GlobalId> = BTreeSet::new();
    let (mut out, mut refused) = (Vec::new(), Vec::new());
    let mut next = 0;
    while let Some(&id) = ids.get(next) {
        next += 1;
        // Textures, samplers and surfaces have no memory.
        if bound_type(outline.globals[id].var.meant_type()).is_some() || !seen.insert(id) {
            continue;
        }
        match describe(text, outline, id) {
            Ok(data) => {
                ids.extend(variables(outline, &data));
                out.push(data);
            }
            Err(item) => refused.push(item),
        }
    }
    if refused.is_empty() { Ok(out) } else { Err(refused) }
}

/// Describes one variable.
fn describe(text: &str, outline: &Outline, id: GlobalId) -> Result<Data, Refused> {
    let g = &outline.globals[id];
    let refuse = |offset: usize, why: &str| Refused { name: g.var.name.to_string(), offset, why: why.to_owned() };
    let contents = raddle_ptx::parse_init(text, outline, id).map_err(|e| refuse(e.offset, &e.message))?;
    let (init, relocs) = match contents {
        _ if g.linkage == raddle_ptx::Linkage::Extern => (Init::Extern(g.var.size().unwrap_or(0)), Vec::new()),
        contents => initial(outline, &g.var, contents).map_err(|why| refuse(g.span.start, why))?,
    };
    Ok(Data {
        name: g.var.name.to_string(),
        space: space(g.var.space),
        linkage: linkage(g.linkage),
        init,
        align: g.var.alignment().max(1),
        relocs,
        managed: g.managed,
    })
}

/// Describes one variable that a body declares, which differs from the module's in its name.
fn describe_local(outline: &Outline, body: &Body, id: VarId, name: &str) -> Result<Data, Refused> {
    let refuse = |why: &str| Refused { name: name.to_owned(), offset: 0, why: why.to_owned() };
    let var = &body.vars[id];
    let contents = raddle_ptx::parse_body_init(body, id).map_err(|e| refuse(&e.message))?;
    let (init, relocs) = initial(outline, var, contents).map_err(refuse)?;
    Ok(Data {
        name: name.to_owned(),
        space: space(var.space),
        linkage: Linkage::Module,
        init,
        align: var.alignment().max(1),
        relocs,
        managed: false,
    })
}

/// Converts initial contents.
fn initial(
    outline: &Outline,
    var: &Variable,
    contents: Option<Contents>,
) -> Result<(Init, Vec<DataReloc>), &'static str> {
    let Some(contents) = contents else {
        return Ok((Init::Zero(var.size().ok_or("the array has no size")?), Vec::new()));
    };
    let mut relocs = Vec::new();
    for address in contents.addresses {
        let byte = match (address.bytes, address.shift) {
            (8, 0) => None,
            (1, shift) if shift < 64 && shift % 8 == 0 => Some((shift / 8) as u8),
            _ => return Err("a part of an address in an initial value"),
        };
        let offset = u32::try_from(address.offset).map_err(|_| "its size")?;
        let meant = outline.func(&address.symbol).map(|id| &outline.funcs[outline.meant(id)].name);
        let symbol = meant.unwrap_or(&address.symbol).to_string();
        let (addend, generic) = (address.addend, address.generic);
        relocs.push(DataReloc { offset, symbol, addend, generic, byte });
    }
    Ok((Init::Bytes(contents.bytes), relocs))
}
