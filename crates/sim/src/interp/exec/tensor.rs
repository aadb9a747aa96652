//! Copies and reductions of boxes of tensors (PTX ISA 9.0, 9.7.9.25.5), and changes of tensor maps.

use super::super::asynchrony::{
    Direction, Field, Ground, MAP_BYTES, Piece, Places, Region, Role, Span, Tensor, TensorMap, Transfer, replace,
};
use super::super::code::{Address, Row};
use super::super::cta::Cta;
use super::super::place::SharedPlace;
use super::access::{Access, Accessor, Site};
use super::{Machine, Step, fault};
use crate::failure::FailureKind;
use crate::mem::{Actor, Space, Stamp};
use std::ops::Range;

/// Alignment of a box in shared memory (PTX ISA 9.0, 5.5), and of a tensor map.
const BOX_ALIGN: usize = 128;
const MAP_ALIGN: usize = 64;

fn refuse<T>(by: Accessor, text: String) -> Step<T> {
    fault(by.lane, FailureKind::Asynchrony(text))
}

impl Machine<'_, '_> {
    /// Reads a tensor map, with its undefined bits.
    fn map_bytes(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        at: &Address,
        kind: &'static str,
    ) -> Step<(Access, [u8; MAP_BYTES], [u8; MAP_BYTES])> {
        let access = self.range(cta, by, at, (MAP_BYTES, MAP_ALIGN), kind)?;
        self.watch(cta, by, access, false, kind)?;
        let (segment, offset) = self.segment(cta, by.warp, by.lane, access.site);
        let (mut bytes, mut undef) = ([0; MAP_BYTES], [0; MAP_BYTES]);
        bytes.copy_from_slice(&segment.bytes()[offset..offset + MAP_BYTES]);
        undef.copy_from_slice(&segment.undefined_bits()[offset..offset + MAP_BYTES]);
        Ok((access, bytes, undef))
    }

    /// Runs `tensormap.replace`.
    pub(super) fn replace_field(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        at: &Address,
        (field, value): (Field, Row),
    ) -> Step<()> {
        let (access, mut bytes, undef) = self.map_bytes(cta, by, at, "write")?;
        self.writable(by.lane, access)?;
        let frame = &cta.warps[by.warp].frames[by.frame];
        if frame.get_undef(value, by.lane) != 0 {
            return fault(by.lane, FailureKind::UndefinedOperand("the value of a field"));
        }
        let value = frame.get(value, by.lane);
        let (mut zeros, mut ones) = ([0; MAP_BYTES], [0xff; MAP_BYTES]);
        for map in [&mut bytes, &mut zeros, &mut ones] {
            if let Err(text) = replace(map, field, value) {
                return refuse(by, text);
            }
        }
        let (segment, offset) = self.segment(cta, by.warp, by.lane, access.site);
        for n in 0..MAP_BYTES {
            // Bits that are the same in both were written.
            let left = undef[n] & (zeros[n] ^ ones[n]);
            segment.store(offset + n, 1, bytes[n].into(), left.into());
        }
        Ok(())
    }

    /// Runs `fence.proxy.tensormap::generic.acquire`: what threads have written to the map before is
    /// visible to tensor instructions after it. It accesses nothing: where there is no memory it has no
    /// effect (warps of CUTLASS' kernels that store nothing run it with a null pointer).
    pub(super) fn map_fence(&mut self, cta: &Cta, by: Accessor, at: &Address) -> Step<()> {
        let frame = &cta.warps[by.warp].frames[by.frame];
        let null = frame.get(at.base, by.lane).wrapping_add(at.offset as u64) == 0;
        if null && frame.get_undef(at.base, by.lane) == 0 {
            return Ok(());
        }
        let access = self.range(cta, by, at, (MAP_BYTES, MAP_ALIGN), "read")?;
        let actor = cta.warps[by.warp].actor(by.lane, self.now, by.pc, false);
        self.map_fences.insert((access.addr, actor.thread), actor);
        Ok(())
    }

    /// Reports a write to a tensor map that no such fence has made visible.
    fn map_is_visible(&mut self, cta: &mut Cta, by: Accessor, access: Access) -> Step<()> {
        let (segment, offset) = self.segment(cta, by.warp, by.lane, access.site);
        let writes: Vec<Stamp> =
            segment.last_writes(offset, MAP_BYTES).map(|(_, write)| write).filter(|write| write.time() != 0).collect();
        let fences = self.map_fences.range((access.addr, 0)..=(access.addr, u32::MAX));
        let fences: Vec<&Actor> = fences.map(|(_, fence)| fence).collect();
        let visible = |w: &Stamp| fences.iter().any(|fence| w.time() <= fence.now && w.ordered_before(fence));
        let Some(write) = writes.iter().find(|write| !visible(write)) else { return Ok(()) };
        let (block, thread) = (write.thread() >> 10, write.thread() & 1023);
        let place = self.program.place(write.place());
        let text = format!("a tensor map written by thread {thread} of block {block} at {place}");
        self.finding(by.lane, format!("{text}, without fence.proxy.tensormap::generic.acquire between"))
    }

    fn tensor_map(&mut self, cta: &mut Cta, by: Accessor, at: &Address) -> Step<TensorMap> {
        let (access, bytes, undef) = self.map_bytes(cta, by, at, "read")?;
        self.map_is_visible(cta, by, access)?;
        if undef != [0; MAP_BYTES] {
            return fault(by.lane, FailureKind::UndefinedOperand("the tensor map"));
        }
        TensorMap::read(&bytes).or_else(|text| refuse(by, text))
    }

    /// Issues a tensor instruction.
    pub(super) fn tensor(&mut self, cta: &mut Cta, by: Accessor, tensor: &Tensor) -> Step<()> {
        let map = self.tensor_map(cta, by, &tensor.map)?;
        let mut at = Vec::new();
        for &row in &tensor.at {
            let frame = &cta.warps[by.warp].frames[by.frame];
            if frame.get_undef(row, by.lane) != 0 {
                return fault(by.lane, FailureKind::UndefinedOperand("a coordinate of the box"));
            }
            at.push(frame.get(row, by.lane) as i32);
        }
        if at.len() != map.rank() {
            return refuse(by, format!("{} coordinates of a tensor of {} dimensions", at.len(), map.rank()));
        }
        let pieces = match &tensor.columns {
            None => map.pieces(&at),
            Some(rows) => {
                let mut offsets = Vec::new();
                for &row in rows {
                    let frame = &cta.warps[by.warp].frames[by.frame];
                    if frame.get_undef(row, by.lane) != 0 {
                        return fault(by.lane, FailureKind::UndefinedOperand("an offset of the box"));
                    }
                    offsets.push(frame.get(row, by.lane) as u16);
                }
                map.pixels(&at, &offsets)
            }
        };
        let pieces = pieces.or_else(|text| refuse(by, text))?;
        let number = self.regions.number();
        let transfer = |from, to, reduce| Transfer {
            number,
            from: Some(from),
            to,
            bytes: map.bytes(),
            one: map.element.bytes(),
            reduce,
            fill: map.fill(),
            taken: None,
        };
        match &tensor.direction {
            Direction::Prefetch => Ok(()),
            Direction::Load { to, object, multicast } => {
                let to = self.range(cta, by, to, (map.bytes(), BOX_ALIGN), "write")?;
                let object = self.object(cta, by, object, "atomic")?;
                if !matches!(to.site, Site::Shared(place) if place.block == object.block) {
                    return refuse(by, "the mbarrier object is not in the block of the destination".into());
                }
                let mut signals = vec![object];
                let targets = match multicast {
                    Some(mask) => self.multicast(cta, by, *mask, to, &mut signals)?,
                    None => vec![to],
                };
                let from = self.issue_global(cta, by, (&map, &pieces), Role::Source, number)?;
                let mut spans = Vec::new();
                for to in targets {
                    spans.push(self.issue_box(cta, by, (&map, &pieces), to, Role::Target, number)?);
                }
                self.begin(cta, by, transfer(from, spans, None), signals);
                Ok(())
            }
            Direction::Store { from, reduce } => {
                let reduction = match reduce {
                    Some(of_types) => match of_types[map.element as usize] {
                        Some(op) => Some(op),
                        None => return refuse(by, format!("this reduction of elements of type {:?}", map.element)),
                    },
                    None => None,
                };
                let from = self.range(cta, by, from, (map.bytes(), BOX_ALIGN), "read")?;
                let role = if reduction.is_some() { Role::Reduced } else { Role::Target };
                let from = self.issue_box(cta, by, (&map, &pieces), from, Role::Source, number)?;
                let to = self.issue_global(cta, by, (&map, &pieces), role, number)?;
                self.begin(cta, by, transfer(from, vec![to], reduction), Vec::new());
                Ok(())
            }
        }
    }

    /// Checks the elements in shared memory, swizzled by their addresses, and adds their region.
    fn issue_box(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        (map, pieces): (&TensorMap, &[Piece]),
        access: Access,
        role: Role,
        number: u64,
    ) -> Step<Span> {
        let Site::Shared(place) = access.site else {
            return refuse(by, format!("a box in {} memory", access.space));
        };
        let base = self.program.shared_base as usize;
        let offset = |piece: &Piece| map.swizzled(base + place.offset + piece.shared) - base;
        let offsets: Vec<usize> = pieces.iter().map(offset).collect();
        let first = offsets.iter().copied().min().unwrap_or(place.offset);
        let end = offsets.iter().copied().max().unwrap_or(first) + map.element.bytes();
        let addr = access.addr + first as u64 - place.offset as u64;
        if !cta.blocks[place.block].shared.contains(first as u64, end - first) {
            let size = (end - first) as u32;
            let near = String::new();
            return fault(
                by.lane,
                FailureKind::OutOfBounds { access: "write", space: Space::Shared, addr, size, near },
            );
        }
        let site = Site::Shared(SharedPlace { offset: first, ..place });
        let access = Access { site, addr, size: end - first, ..access };
        let span = self.issue(cta, by, access, role, (number, true))?;
        let ground = span.map_or_else(|| Machine::ground(cta, place), |span| span.ground);
        Ok(Span { ground, places: Places::Each(offsets.into_iter().map(Some).collect()) })
    }

    /// Checks the elements in global memory that are inside the tensor, and adds their region.
    fn issue_global(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        (map, pieces): (&TensorMap, &[Piece]),
        role: Role,
        number: u64,
    ) -> Step<Span> {
        let one = map.element.bytes() as u64;
        let mut runs: Vec<Range<u64>> = Vec::new();
        for address in pieces.iter().filter_map(|piece| piece.global) {
            match runs.last_mut() {
                Some(run) if run.end == address => run.end += one,
                _ => runs.push(address..address + one),
            }
        }
        let kind = if role == Role::Source { "read" } else { "write" };
        let base = map.range().start;
        let (mut parts, mut memory) = (Vec::new(), self.mem.find(base, 1));
        for run in runs {
            let (addr, size) = (run.start, (run.end - run.start) as usize);
            let found = self.mem.find(addr, size);
            let (Some((id, offset)), true) = (found, found.map(|f| f.0) == memory.map(|m| m.0)) else {
                let (near, size) = (self.mem.describe(addr), size as u32);
                let out = FailureKind::OutOfBounds { access: kind, space: Space::Global, addr, size, near };
                return fault(by.lane, out);
            };
            memory = Some((id, offset));
            let access = Access { site: Site::Global(id, offset), space: Space::Global, addr, size };
            if role != Role::Source {
                self.writable(by.lane, access)?;
            }
            parts.push(self.begin_access(cta, by, access, role, true)?.1);
        }
        let Some((id, _)) = memory else {
            let text = format!("a tensor at {base:#x}, where there is no memory{}", self.mem.describe(base));
            return refuse(by, text);
        };
        let ground = Ground::Global(id);
        let start = parts.iter().map(|part| part.start).min().unwrap_or(0);
        let end = parts.iter().map(|part| part.end).max().unwrap_or(0);
        if start < end {
            let actor = cta.warps[by.warp].actor(by.lane, self.now, by.pc, false);
            let mut region = Region::new(number, (ground, start..end), role, &actor);
            region.parts = parts;
            self.regions.add(region);
        }
        let origin = self.mem.base(id);
        let offset = |piece: &Piece| piece.global.map(|address| (address - origin) as usize);
        Ok(Span { ground, places: Places::Each(pieces.iter().map(offset).collect()) })
    }
}
