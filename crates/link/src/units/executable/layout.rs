//! Selects what is kept, and lays it out.
//!
//! Live is what a kernel reaches through relocations and calls, and every visible variable.
//! Variables of a section are ordered by alignment, largest first, then by first appearance (as
//! ptxas 13.0.88 orders them). The shared memory of a kernel has first the area that its code
//! generator laid out, then the shared variables that its code refers to, then dynamic shared
//! memory. A symbol whose address code takes from constant bank 4 gets one 8-byte slot there.

use std::collections::{BTreeMap, BTreeSet};

use raddle_cubin::elf::align_up;
use raddle_cubin::unit::{Definition, Linkage, RelocKind, Relocation, Space};
use raddle_entity::{Executor, map};
use raddle_target::{Limits, Native};

use super::super::resolve::{Body, DefId, Program, is_dynamic_shared};
use crate::{BANK_BYTES, LinkError};

/// The section of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Area {
    /// `.nv.global.init`.
    GlobalInit,
    /// `.nv.global`.
    Global,
    /// `.nv.constant3`.
    Const,
}

/// The variables of a section, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    /// Definitions and their offsets.
    pub items: Vec<(DefId, u64)>,
    /// Size in bytes.
    pub size: u64,
    /// Largest alignment, at least 1.
    pub align: u64,
}

/// The shared memory of a kernel, without the bytes reserved for the system.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedLayout {
    /// Offsets of variables; dynamic ones are all at the end.
    pub offsets: BTreeMap<DefId, u64>,
    /// Static bytes.
    pub size: u64,
    /// Alignment.
    pub align: u64,
    /// Whether any is used, dynamic memory included.
    pub used: bool,
}

/// The layout of a kernel.
#[derive(Clone, Debug)]
pub(super) struct KernelLayout {
    pub def: DefId,
    /// Device functions copied after its code, in the order in which they are reached.
    pub callees: Vec<DefId>,
    pub shared: SharedLayout,
    /// Textures, samplers and surfaces with a word behind the parameters, in order.
    pub words: Vec<DefId>,
}

/// The layout of the whole module.
#[derive(Debug)]
pub(super) struct Layout {
    pub kernels: Vec<KernelLayout>,
    pub global_init: Region,
    pub global: Region,
    pub constant: Region,
    /// Slots of constant bank 4 in order; slot `i` is at byte `8 * i`.
    pub slots: Vec<DefId>,
    slot_of: BTreeMap<DefId, u64>,
    places: BTreeMap<DefId, (Area, u64)>,
}

impl Layout {
    /// The byte offset of a symbol's slot in constant bank 4.
    pub fn slot(&self, id: DefId) -> Option<u64> {
        self.slot_of.get(&id).copied()
    }

    /// The section and offset of a variable.
    pub fn place(&self, id: DefId) -> Option<(Area, u64)> {
        self.places.get(&id).copied()
    }
}

pub(super) fn run(program: &Program<'_>, native: &Native, executor: &dyn Executor) -> Result<Layout, LinkError> {
    let mut kernels: Vec<DefId> = Vec::new();
    let mut live = vec![false; program.definitions.len()];
    let mut queue: Vec<DefId> = Vec::new();
    let mut slots = Vec::new();
    let mut slot_of = BTreeMap::new();
    for id in program.ids() {
        let def = program.def(id);
        match def.body {
            Body::Function(f) if f.entry.is_some() => kernels.push(id),
            Body::Data(d)
                if d.space != Space::Shared && def.linkage != Linkage::Module && def.linkage != Linkage::Unit =>
            {
                queue.push(id);
            }
            _ => {}
        }
    }
    let kernels = map(kernels.len(), executor, |n| kernel(program, kernels[n], native));
    let kernels = kernels.into_iter().collect::<Result<Vec<_>, _>>()?;
    for k in &kernels {
        for &function in std::iter::once(&k.def).chain(&k.callees) {
            for (r, target) in references(program, function)? {
                queue.push(target);
                if matches!(r.kind, RelocKind::AddressSlot | RelocKind::AddressSlotImm)
                    && !slot_of.contains_key(&target)
                {
                    slot_of.insert(target, 8 * slots.len() as u64);
                    slots.push(target);
                }
            }
        }
    }
    while let Some(id) = queue.pop() {
        if std::mem::replace(&mut live[id.0 as usize], true) {
            continue;
        }
        if let Body::Data(_) = program.def(id).body {
            queue.extend(references(program, id)?.into_iter().map(|r| r.1));
        }
    }
    let region = |wanted: Area| {
        let members = program.ids().filter(|id| live[id.0 as usize]).filter_map(|id| match program.def(id).body {
            Body::Data(d) if area(d.space, &d.definition) == Some(wanted) => Some((id, d.definition.size(), d.align)),
            _ => None,
        });
        region(members.collect(), 0)
    };
    let [global_init, global, constant] = [region(Area::GlobalInit), region(Area::Global), region(Area::Const)];
    let module = || "module".to_owned();
    let (global_init, global, constant) = (global_init?, global?, constant?);
    for (what, size) in [("constant memory", constant.size), ("address slots", 8 * slots.len() as u64)] {
        if size > BANK_BYTES {
            return Err(LinkError::TooMuch { user: module(), what, size, limit: BANK_BYTES });
        }
    }
    let mut places = BTreeMap::new();
    for (area, region) in [(Area::GlobalInit, &global_init), (Area::Global, &global), (Area::Const, &constant)] {
        places.extend(region.items.iter().map(|&(id, offset)| (id, (area, offset))));
    }
    Ok(Layout { kernels, global_init, global, constant, slots, slot_of, places })
}

fn area(space: Space, definition: &Definition) -> Option<Area> {
    match (space, definition) {
        (Space::Global, Definition::Bytes(_)) => Some(Area::GlobalInit),
        (Space::Global, _) => Some(Area::Global),
        (Space::Const, _) => Some(Area::Const),
        (Space::Shared, _) => None,
    }
}

fn region(mut members: Vec<(DefId, u64, u32)>, start: u64) -> Result<Region, LinkError> {
    members.sort_by_key(|&(id, _, align)| (std::cmp::Reverse(align), id));
    let mut out = Region { items: Vec::with_capacity(members.len()), size: start, align: 1 };
    for (id, size, align) in members {
        let overflow =
            || LinkError::TooMuch { user: "module".to_owned(), what: "memory", size: u64::MAX, limit: u64::MAX };
        let offset = align_up(out.size, align.into()).ok_or_else(overflow)?;
        out.size = offset.checked_add(size).ok_or_else(overflow)?;
        out.align = out.align.max(align.into());
        out.items.push((id, offset));
    }
    Ok(out)
}

/// The relocations of a definition with their referents, in order.
pub(super) fn resolved<'a>(
    program: &Program<'a>,
    id: DefId,
    relocations: &'a [Relocation],
) -> Result<Vec<(&'a Relocation, DefId)>, LinkError> {
    let def = program.def(id);
    let resolve = |r: &'a Relocation| match program.lookup(def.unit, r.symbol) {
        Some(target) => Ok((r, target)),
        None => Err(LinkError::Undefined {
            user: def.name.to_owned(),
            name: program.units[def.unit].symbols.name(r.symbol).unwrap_or_default().to_owned(),
        }),
    };
    relocations.iter().map(resolve).collect()
}

/// The same for all references of a definition.
fn references<'a>(program: &Program<'a>, id: DefId) -> Result<Vec<(&'a Relocation, DefId)>, LinkError> {
    match program.def(id).body {
        Body::Function(f) => {
            let mut out = resolved(program, id, &f.relocations)?;
            out.extend(resolved(program, id, &f.constants.relocations)?);
            Ok(out)
        }
        Body::Data(d) => resolved(program, id, &d.relocations),
        Body::External | Body::Bound(..) | Body::RowSize => Ok(Vec::new()),
    }
}

fn kernel(program: &Program<'_>, def: DefId, native: &Native) -> Result<KernelLayout, LinkError> {
    let mut callees = Vec::new();
    let mut shared: Vec<DefId> = Vec::new();
    let mut words = Vec::new();
    let mut seen = BTreeSet::from([def]);
    let mut next = 0;
    let mut current = Some(def);
    while let Some(function) = current {
        for (r, target) in references(program, function)? {
            match program.def(target).body {
                Body::Function(f) => {
                    let is_call = matches!(r.kind, RelocKind::CallRel | RelocKind::CallAbs);
                    if f.entry.is_none() && is_call && seen.insert(target) {
                        callees.push(target);
                    }
                }
                Body::Data(d) if d.space == Space::Shared && seen.insert(target) => shared.push(target),
                Body::Bound(..) if seen.insert(target) => words.push(target),
                _ => {}
            }
        }
        current = callees.get(next).copied();
        next += 1;
    }
    let Body::Function(f) = program.def(def).body else { return Err(LinkError::NotAKernel) };
    let params =
        f.entry.iter().flat_map(|e| &e.params).map(|p| u64::from(p.offset) + u64::from(p.size)).max().unwrap_or(0);
    // The capacity of the bank; limits per kernel are checked by the PTX reader.
    let most = BANK_BYTES - u64::from(native.cbank.params_at(f.entry.as_ref().is_some_and(|e| e.many_params)));
    if params > most {
        let user = program.def(def).name.to_owned();
        return Err(LinkError::TooMuch { user, what: "parameter space", size: params, limit: most });
    }
    let mut members = Vec::new();
    let mut dynamic = Vec::new();
    for id in shared {
        if let Body::Data(d) = program.def(id).body {
            if is_dynamic_shared(d) {
                dynamic.push((id, d.align));
            } else {
                members.push((id, d.definition.size(), d.align));
            }
        }
    }
    let used = f.shared.size > 0 || f.shared.dynamic || !members.is_empty() || !dynamic.is_empty();
    let placed = region(members, f.shared.size.into())?;
    let mut out = SharedLayout {
        offsets: placed.items.into_iter().collect(),
        size: placed.size,
        align: placed.align.max(f.shared.align.into()),
        used,
    };
    let dynamic_align = dynamic.iter().map(|d| u64::from(d.1)).max().unwrap_or(1);
    let end = align_up(out.size, dynamic_align).unwrap_or(out.size);
    if !dynamic.is_empty() {
        (out.size, out.align) = (end, out.align.max(dynamic_align));
    }
    out.offsets.extend(dynamic.into_iter().map(|d| (d.0, end)));
    let limit = u64::from(Limits::STATIC_SHARED);
    if out.size + u64::from(native.shared_base) > limit + u64::from(native.shared_base) {
        return Err(LinkError::TooMuch {
            user: program.def(def).name.to_owned(),
            what: "shared memory",
            size: out.size,
            limit,
        });
    }
    Ok(KernelLayout { def, callees, shared: out, words })
}
