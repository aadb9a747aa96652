//! Fills in every known field of code and data.
//!
//! A kernel's text is its own code, a private copy of each device function it calls (executables
//! have no calls between text sections: ptxas 13.0.88 copies callees too), one self-branch and
//! NOPs. Values that only the driver knows, addresses of globals and of its own functions, stay
//! relocations of the file.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use raddle_cubin::reloc::{self, ApplyError, RelocType};
use raddle_cubin::unit::{Definition, Function, RelocKind, Relocation};
use raddle_entity::{Executor, map};
use raddle_target::{Isa, Native};

use super::super::image::{Pending, Sym};
use super::super::resolve::{Body, DefId, Program};
use super::super::text::{self, pad};
use super::layout::{Area, KernelLayout, Layout, Region, resolved};
use crate::LinkError;

/// A function inside a kernel's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy {
    pub def: DefId,
    pub offset: u64,
    pub size: u64,
}

/// The text of a kernel with all known fields filled in.
#[derive(Clone, Debug)]
pub(super) struct KernelText<'a> {
    pub code: Vec<u8>,
    pub pending: Vec<Pending<'a>>,
    /// The kernel itself and its callees.
    pub copies: Vec<Copy>,
    /// Constant bank 2.
    pub constants: Vec<u8>,
}

/// All sections with contents.
#[derive(Debug)]
pub(super) struct Patched<'a> {
    pub kernels: Vec<KernelText<'a>>,
    pub global_init: (Vec<u8>, Vec<Pending<'a>>),
    pub constant: (Vec<u8>, Vec<Pending<'a>>),
    pub slots: Vec<Pending<'a>>,
}

pub(super) fn run<'a>(
    program: &Program<'a>,
    layout: &Layout,
    native: &Native,
    executor: &dyn Executor,
) -> Result<Patched<'a>, LinkError> {
    let patcher = Patcher { program, layout, native };
    let slots = layout.slots.iter().enumerate().map(|(i, &symbol)| Pending {
        offset: 8 * i as u64,
        number: reloc::number(RelocKind::Abs64, 0),
        symbol: Sym::Def(symbol),
        addend: 0,
    });
    Ok(Patched {
        kernels: map(layout.kernels.len(), executor, |n| patcher.kernel(&layout.kernels[n]))
            .into_iter()
            .collect::<Result<_, _>>()?,
        global_init: patcher.data(&layout.global_init)?,
        constant: patcher.data(&layout.constant)?,
        slots: slots.collect(),
    })
}

struct Patcher<'p, 'a> {
    program: &'p Program<'a>,
    layout: &'p Layout,
    native: &'p Native,
}

/// A relocation during patching: user, relocation, symbol.
#[derive(Clone, Copy)]
struct Site<'a> {
    user: DefId,
    reloc: &'a Relocation,
    symbol: DefId,
    /// Byte offset in the text or data section.
    at: u64,
}

impl<'a> Patcher<'_, 'a> {
    fn data(&self, region: &Region) -> Result<(Vec<u8>, Vec<Pending<'a>>), LinkError> {
        let mut bytes = vec![0; region.size as usize];
        let mut pending = Vec::new();
        for &(user, offset) in &region.items {
            let Body::Data(d) = self.program.def(user).body else { continue };
            if let Definition::Bytes(b) = &d.definition {
                bytes[offset as usize..offset as usize + b.len()].copy_from_slice(b);
            }
            for (reloc, symbol) in resolved(self.program, user, &d.relocations)? {
                let site = Site { user, reloc, symbol, at: offset + u64::from(reloc.offset) };
                if !reloc.kind.is_address_in_data() {
                    return Err(self.mismatch(site));
                }
                pending.push(left_to_the_driver(site, self.sm()));
            }
        }
        Ok((bytes, pending))
    }

    fn kernel(&self, k: &KernelLayout) -> Result<KernelText<'a>, LinkError> {
        let mut out = KernelText { code: Vec::new(), pending: Vec::new(), copies: Vec::new(), constants: Vec::new() };
        let mut functions: Vec<(DefId, &Function)> = Vec::with_capacity(1 + k.callees.len());
        let mut offsets = BTreeMap::new();
        let all = || {
            let defs = std::iter::once(k.def).chain(k.callees.iter().copied());
            defs.filter_map(
                |def| if let Body::Function(f) = self.program.def(def).body { Some((def, f)) } else { None },
            )
        };
        out.code.reserve_exact(all().map(|(_, f)| f.code.len()).sum::<usize>() + text::MOST);
        for (def, f) in all() {
            offsets.insert(def, out.code.len() as i64);
            out.copies.push(Copy { def, offset: out.code.len() as u64, size: f.code.len() as u64 });
            out.code.extend(&f.code);
            functions.push((def, f));
        }
        for (index, &(user, f)) in functions.iter().enumerate() {
            let base = out.copies[index].offset;
            for (reloc, symbol) in resolved(self.program, user, &f.relocations)? {
                self.code(k, &offsets, &mut out, Site { user, reloc, symbol, at: base + u64::from(reloc.offset) })?;
            }
            // A pool is addressed from its start, so it must be at offset 0: only one function may
            // have a pool.
            if !f.constants.bytes.is_empty() && !out.constants.is_empty() {
                return Err(LinkError::Pools { kernel: self.name(k.def), function: self.name(user) });
            }
            if !f.constants.bytes.is_empty() {
                out.constants.clone_from(&f.constants.bytes);
            }
            for (reloc, symbol) in resolved(self.program, user, &f.constants.relocations)? {
                let site = Site { user, reloc, symbol, at: reloc.offset.into() };
                let offset = offsets.get(&symbol).filter(|_| reloc.kind == RelocKind::CodeOffset32);
                let value = *offset.ok_or_else(|| self.mismatch(site))?;
                self.apply(&mut out.constants, site, value)?;
            }
        }
        if !(functions.len() == 1 && functions[0].1.padded) {
            pad(&mut out.code, self.native.isa);
        }
        Ok(out)
    }

    /// Patches one relocation of code; `offsets` are the starts of the functions' copies.
    fn code(
        &self,
        k: &KernelLayout,
        offsets: &BTreeMap<DefId, i64>,
        out: &mut KernelText<'a>,
        site: Site<'_>,
    ) -> Result<(), LinkError> {
        let bad = || self.mismatch(site);
        let value = match site.reloc.kind {
            RelocKind::AddressSlot | RelocKind::AddressSlotImm => self.layout.slot(site.symbol).ok_or_else(bad)? as i64,
            RelocKind::ConstOffset | RelocKind::ConstOffsetImm => match self.layout.place(site.symbol) {
                Some((Area::Const, offset)) => offset as i64,
                _ => return Err(bad()),
            },
            kind if kind.bound().is_some() => {
                let n = k.words.iter().position(|&id| id == site.symbol).ok_or_else(bad)?;
                word_offset(self.program, k.def, self.native, n) as i64
            }
            RelocKind::RowSize => {
                out.pending.push(left_to_the_driver(site, self.sm()));
                return Ok(());
            }
            // The pool is at the start of the bank.
            RelocKind::PoolOffset => 0,
            RelocKind::SharedImm | RelocKind::SharedOffset => {
                let offset = k.shared.offsets.get(&site.symbol).ok_or_else(bad)?;
                (offset + u64::from(self.native.shared_base)) as i64
            }
            RelocKind::CallRel => {
                // Branches are relative to the next instruction.
                offsets.get(&site.symbol).ok_or_else(bad)? - (site.at as i64 + 16)
            }
            RelocKind::Abs32Lo | RelocKind::Abs32Hi | RelocKind::CallAbs => {
                let is_call = site.reloc.kind == RelocKind::CallAbs;
                let mut left = left_to_the_driver(site, self.sm());
                if let Some(&offset) = offsets.get(&site.symbol) {
                    // A place in this text: the kernel's address and the offset.
                    (left.symbol, left.addend) = (Sym::Def(k.def), left.addend.saturating_add(offset));
                } else if !matches!(self.program.def(site.symbol).body, Body::External) {
                    self.layout.place(site.symbol).filter(|_| !is_call).ok_or_else(bad)?;
                }
                out.pending.push(left);
                return Ok(());
            }
            // These are in data.
            _ => return Err(bad()),
        };
        self.apply(&mut out.code, site, value)
    }

    fn apply(&self, bytes: &mut [u8], site: Site<'_>, value: i64) -> Result<(), LinkError> {
        let Relocation { kind, offset, addend, .. } = *site.reloc;
        let value =
            value.checked_add(addend).filter(|v| range(kind).contains(v)).ok_or_else(|| LinkError::Overflow {
                user: self.name(site.user),
                kind,
                offset,
                name: self.name(site.symbol),
                value: value.saturating_add(addend),
            })?;
        let number = reloc::number(kind, self.sm());
        let applied = match RelocType::by_number(number) {
            Some(row) => row.apply(bytes, site.at, value as u64),
            None => Err(ApplyError::Unsupported(number)),
        };
        applied.map_err(|error| LinkError::Apply { user: self.name(site.user), error })
    }

    /// The SM number, which the numbers of relocations depend on.
    fn sm(&self) -> u16 {
        if self.native.isa >= Isa::Sm90 { 90 } else { 80 }
    }

    fn mismatch(&self, site: Site<'_>) -> LinkError {
        let Relocation { kind, offset, .. } = *site.reloc;
        LinkError::Kind { user: self.name(site.user), kind, offset, name: self.name(site.symbol) }
    }

    fn name(&self, id: DefId) -> String {
        self.program.def(id).name.to_owned()
    }
}

/// The offset in constant bank 0 of word `n` behind a kernel's parameters.
pub(super) fn word_offset(program: &Program<'_>, kernel: DefId, native: &Native, n: usize) -> u64 {
    let entry = if let Body::Function(f) = program.def(kernel).body { f.entry.as_ref() } else { None };
    (super::super::image::param_end(entry, native).next_multiple_of(4) + 4 * n) as u64
}

fn left_to_the_driver<'a>(site: Site<'_>, sm: u16) -> Pending<'a> {
    let number = reloc::number(site.reloc.kind, sm);
    Pending { offset: site.at, number, symbol: Sym::Def(site.symbol), addend: site.reloc.addend }
}

/// The values that fit in the field of a relocation.
fn range(kind: RelocKind) -> RangeInclusive<i64> {
    match kind {
        RelocKind::AddressSlot | RelocKind::ConstOffset | RelocKind::ConstOffsetImm => 0..=0xffff,
        kind if kind.bound().is_some() => 0..=0xffff,
        // The machine adds modulo the size of a bank.
        RelocKind::PoolOffset => -0x8000..=0xffff,
        RelocKind::SharedOffset => -0x80_0000..=0x7f_ffff,
        RelocKind::AddressSlotImm | RelocKind::SharedImm | RelocKind::CodeOffset32 => 0..=0xffff_ffff,
        _ => i64::MIN..=i64::MAX,
    }
}
