//! The symbols of an executable, except those of sections.

use std::collections::{BTreeMap, BTreeSet};

use raddle_cubin::elf::st;
use raddle_cubin::unit::Linkage;

use super::super::image::{At, Plan, Role, Sym, Text};
use super::super::resolve::{Body, DefId, Program};
use super::function;
use super::layout::{Area, Layout};
use super::patch::Patched;
use crate::options::Format;

/// The local symbols and the global ones.
pub(super) fn plan<'a>(
    program: &Program<'a>,
    layout: &Layout,
    patched: &Patched<'a>,
    texts: &[Text<'a>],
    format: &Format,
) -> (Vec<Plan<'a>>, Vec<Plan<'a>>) {
    let mut locals = Vec::new();
    let mut globals = if format.hopper_order { reserved() } else { Vec::new() };
    for (k, text) in patched.kernels.iter().enumerate() {
        for (c, copy) in text.copies.iter().enumerate() {
            let local = |sym, name, value, size| Plan {
                sym,
                name,
                binding: st::LOCAL,
                kind: st::FUNC,
                other: 0,
                at: At::Section(Role::Text(k)),
                value,
                size,
            };
            let def = program.def(copy.def);
            if c > 0 {
                let name = format!("${}${}", texts[k].name, def.name);
                locals.push(local(Sym::Copy(k, c), name, copy.offset, copy.size));
            }
            let parts = function(program, copy.def).into_iter().flat_map(|f| &f.parts).enumerate();
            locals.extend(parts.map(|(p, part)| {
                let name = program.units[def.unit].symbols.name(part.name).unwrap_or_default().to_owned();
                local(Sym::Part(k, c, p), name, copy.offset + u64::from(part.offset), part.size.into())
            }));
        }
    }
    let kernels: BTreeMap<DefId, usize> = texts.iter().enumerate().map(|(k, text)| (text.def, k)).collect();
    let called: BTreeSet<Sym<'_>> = patched.kernels.iter().flat_map(|k| &k.pending).map(|p| p.symbol).collect();
    for id in program.ids() {
        let used = match program.def(id).body {
            Body::Function(f) => f.entry.is_some(),
            Body::Data(_) => layout.place(id).is_some(),
            Body::External | Body::RowSize => layout.slot(id).is_some() || called.contains(&Sym::Def(id)),
            Body::Bound(..) => {
                program.def(id).linkage == Linkage::Unit || layout.kernels.iter().any(|k| k.words.contains(&id))
            }
        };
        if used {
            let plan = definition(program, layout, texts, &kernels, id);
            (if plan.binding == st::LOCAL { &mut locals } else { &mut globals }).push(plan);
        }
    }
    (locals, globals)
}

/// The symbols for reserved shared memory that every executable for sm_90 has.
fn reserved<'a>() -> Vec<Plan<'a>> {
    let size = Plan {
        sym: Sym::ReservedSize,
        name: ".nv.reservedSmem.offset0".into(),
        binding: st::WEAK,
        kind: st::OBJECT,
        other: 0,
        at: At::Undefined,
        value: 0,
        size: 4,
    };
    let alias = Plan {
        sym: Sym::ReservedAlias,
        name: "__nv_reservedSMEM_offset_0_alias".into(),
        kind: st::NOTYPE,
        other: st::OTHER_RESERVED_SHARED,
        at: At::Section(Role::ReservedShared),
        size: 0,
        ..size.clone()
    };
    vec![size, alias]
}

fn definition<'a>(
    program: &Program<'a>,
    layout: &Layout,
    texts: &[Text<'a>],
    kernels: &BTreeMap<DefId, usize>,
    id: DefId,
) -> Plan<'a> {
    let def = program.def(id);
    let binding = match (def.linkage, def.body) {
        (_, Body::Function(_)) => st::GLOBAL,
        (Linkage::Unit | Linkage::Module, _) => st::LOCAL,
        (Linkage::Weak, _) | (_, Body::RowSize) => st::WEAK,
        _ => st::GLOBAL,
    };
    let (kind, other, at, value, size) = match def.body {
        Body::Function(_) => {
            let k = kernels.get(&id).copied().unwrap_or(0);
            let size = texts.get(k).map_or(0, |text| text.code.len() as u64);
            (st::FUNC, st::OTHER_ENTRY, At::Section(Role::Text(k)), 0, size)
        }
        Body::External => (st::FUNC, 0, At::Undefined, 0, 0),
        Body::Bound(kind, _) => {
            let kernel = texts.iter().position(|text| text.opaque.iter().any(|&(_, def)| def == id));
            (kind, 0, kernel.map_or(At::Undefined, |k| At::Section(Role::Text(k))), 0, 0)
        }
        Body::RowSize => (st::OBJECT, 0, At::Undefined, 0, 4),
        Body::Data(d) => {
            let (area, offset) = layout.place(id).unwrap_or((Area::Global, 0));
            let role = match area {
                Area::GlobalInit => Role::GlobalInit,
                Area::Global => Role::Global,
                Area::Const => Role::Const,
            };
            let other = if d.managed { st::OTHER_MANAGED } else { 0 };
            (st::OBJECT, other, At::Section(role), offset, d.definition.size())
        }
    };
    Plan { sym: Sym::Def(id), name: def.name.to_owned(), binding, kind, other, at, value, size }
}
