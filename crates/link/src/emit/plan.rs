//! Which sections and symbols there are, in file order.

use std::collections::BTreeSet;

use raddle_cubin::unit::Linkage;

use super::{Emitter, function};
use crate::resolve::{Body, DefId};

/// A section; the number is the kernel's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Role {
    Null,
    SectionNames,
    SymbolNames,
    Symbols,
    Frame,
    Line,
    DebugStrings,
    PtxLine,
    ToolNote,
    CudaNote,
    Info,
    Compat,
    KernelInfo(usize),
    Callgraph,
    RelocAction,
    /// Relocations of a section, without or with addends.
    Relocs(Patchable, bool),
    Slots,
    Const,
    Pool(usize),
    Params(usize),
    Text(usize),
    GlobalInit,
    Shared(usize),
    ReservedShared,
    Global,
}

/// A section that may have relocations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Patchable {
    Text(usize),
    Slots,
    GlobalInit,
    Const,
    Line,
    PtxLine,
    Frame,
}

impl Patchable {
    pub(super) fn role(self) -> Role {
        match self {
            Self::Text(k) => Role::Text(k),
            Self::Slots => Role::Slots,
            Self::GlobalInit => Role::GlobalInit,
            Self::Const => Role::Const,
            Self::Line => Role::Line,
            Self::PtxLine => Role::PtxLine,
            Self::Frame => Role::Frame,
        }
    }
}

/// A symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sym {
    Null,
    Section(Role),
    /// Part of a function: kernel, copy within it, part within that.
    Part(usize, usize, usize),
    /// A device function's copy within a kernel.
    Copy(usize, usize),
    Def(DefId),
    ReservedSize,
    ReservedAlias,
}

impl Emitter<'_, '_> {
    pub(super) fn plan_sections(&mut self) {
        use Role::*;
        let kernels = 0..self.layout.kernels.len();
        let mut out = vec![Null, SectionNames, SymbolNames, Symbols, Frame];
        let mut when = |wanted: bool, role: Role| {
            if wanted {
                out.push(role);
            }
        };
        when(self.lines.is_some(), Line);
        when(self.lines.as_ref().is_some_and(|l| !l.strings.is_empty()), DebugStrings);
        when(self.lines.is_some(), PtxLine);
        when(self.format.notes && self.options.tool.is_some(), ToolNote);
        when(self.format.notes, CudaNote);
        when(true, Info);
        when(self.format.compat, Compat);
        kernels.clone().for_each(|k| when(true, KernelInfo(k)));
        when(true, Callgraph);
        when(self.format.rel_action, RelocAction);
        let module = [Patchable::Slots, Patchable::GlobalInit, Patchable::Const];
        let debug = [Patchable::Line, Patchable::PtxLine, Patchable::Frame];
        for patchable in kernels.clone().map(Patchable::Text).chain(module).chain(debug) {
            for addends in [false, true] {
                when(!self.pending(patchable, addends).is_empty(), Relocs(patchable, addends));
            }
        }
        when(!self.patched.slots.is_empty(), Slots);
        when(self.layout.constant.size > 0, Const);
        for k in kernels.clone() {
            when(!self.patched.kernels[k].constants.is_empty(), Pool(k));
            when(!self.format.hopper_order, Params(k));
        }
        kernels.clone().for_each(|k| when(true, Text(k)));
        when(self.layout.global_init.size > 0, GlobalInit);
        kernels.clone().for_each(|k| when(self.layout.kernels[k].shared.used, Shared(k)));
        when(self.format.hopper_order, ReservedShared);
        when(self.layout.global.size > 0, Global);
        kernels.for_each(|k| when(self.format.hopper_order, Params(k)));
        self.role_index = out.iter().enumerate().map(|(i, &r)| (r, i as u32)).collect();
        self.roles = out;
    }

    pub(super) fn plan_symbols(&mut self) {
        use Role::*;
        let mut out = vec![Sym::Null];
        for &role in &self.roles {
            if matches!(
                role,
                ToolNote
                    | CudaNote
                    | Frame
                    | Line
                    | DebugStrings
                    | PtxLine
                    | Callgraph
                    | RelocAction
                    | Slots
                    | Const
                    | GlobalInit
                    | Global
            ) || matches!(role, Pool(_) | Params(_) | Text(_) | Shared(_))
            {
                out.push(Sym::Section(role));
            }
        }
        for (k, text) in self.patched.kernels.iter().enumerate() {
            for (c, copy) in text.copies.iter().enumerate() {
                if c > 0 {
                    out.push(Sym::Copy(k, c));
                }
                let parts = function(self.program, copy.def).map_or(0, |f| f.parts.len());
                out.extend((0..parts).map(|p| Sym::Part(k, c, p)));
            }
        }
        let code = self.patched.kernels.iter().flat_map(|k| &k.pending);
        let called: BTreeSet<DefId> = code.map(|p| p.symbol).collect();
        let (mut locals, mut globals) = (Vec::new(), Vec::new());
        for id in self.program.ids() {
            let def = self.program.def(id);
            let used = match def.body {
                Body::Function(f) => f.entry.is_some(),
                Body::Data(_) => self.layout.place(id).is_some(),
                Body::External => self.layout.slot(id).is_some() || called.contains(&id),
            };
            let is_local =
                matches!(def.linkage, Linkage::Unit | Linkage::Module) && !matches!(def.body, Body::Function(_));
            if used {
                (if is_local { &mut locals } else { &mut globals }).push(Sym::Def(id));
            }
        }
        out.extend(locals);
        self.first_global = out.len() as u32;
        if self.format.hopper_order {
            out.extend([Sym::ReservedSize, Sym::ReservedAlias]);
        }
        out.extend(globals);
        self.symbol_index = out.iter().enumerate().map(|(i, &s)| (s, i as u32)).collect();
        self.symbols = out;
    }
}
