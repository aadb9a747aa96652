//! Tensor copies, reductions and prefetches: `UTMALDG`, `UTMASTG`, `UTMAREDG`, `UTMAPF`;
//! `UTMACCTL`.

use super::super::async_op::{Direction, Tensor};
use super::super::block::{Block, Exec, Global, LaneFailure};
use super::super::exec_mem::{Target, lanes};
use super::super::options::{AtomOp, AtomType, MemSpace};
use super::super::pending::{Places, Span, Transfer};
use super::super::warp::Warp;
use super::bulk::Range;
use super::exec::refuse;
use super::tensor_map::{BYTES, Element, TensorMap};
use crate::failure::FailureKind;
use crate::float::{BF16, F16, F32};
use crate::launch::OnFinding;
use crate::mem::regions::{Ground, Region, Role};
use crate::mem::{Actor, Space, Stamp};

/// Alignment of a box in shared memory (PTX ISA 9.0, 5.5), and of a map.
const BOX_ALIGN: usize = 128;
const MAP_ALIGN: usize = 64;

/// Returns the reduction of elements of a type (PTX ISA 9.0, `cp.reduce.async.bulk`).
fn reduction(op: AtomOp, element: Element) -> Option<(AtomOp, AtomType)> {
    use AtomOp::{Add, And, Dec, Inc, Max, Min, Or, Xor};
    let ty = match (element.number, op) {
        (2, _) => AtomType::U(4),
        (3, Add | Min | Max | And | Or | Xor) => AtomType::S(4),
        (4, Add | Min | Max | And | Or | Xor) => AtomType::U(8),
        (5, Min | Max | And | Or | Xor) => AtomType::S(8),
        (6, Add | Min | Max) => AtomType::F(&F16, 1, false),
        // Subnormals are flushed in global memory (PTX ISA 9.0).
        (7 | 8, Add) => AtomType::F(&F32, 1, true),
        (10, Add | Min | Max) => AtomType::F(&BF16, 1, false),
        _ => return None,
    };
    matches!(op, Add | Min | Max | Inc | Dec | And | Or | Xor).then_some((op, ty))
}

impl Warp {
    fn tensor_map(&self, n: u8, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec<TensorMap> {
        let addr = self.uniform_address(n, lane)?;
        let target = self.locate_range(MemSpace::Global, addr, (BYTES, MAP_ALIGN), lane, "read", blk, g)?;
        let actor = self.actor(lane, false, self.splits[self.cur].pc, blk, g);
        if g.races != OnFinding::Off {
            if !g.regions.is_empty() {
                self.not_in_flight(&target, BYTES, ("read", addr), &actor, blk, g)?;
            }
            self.map_is_visible(&target, addr, lane, blk, g)?;
        }
        let (segment, offset) = (target.segment(blk, g), target.offset());
        let (mut bytes, range) = ([0; BYTES], offset..offset + BYTES);
        bytes.copy_from_slice(&segment.bytes()[range.clone()]);
        if segment.undefined_bits()[range].iter().any(|&byte| byte != 0) {
            return Err(LaneFailure::new(lane, FailureKind::UndefinedOperand("the tensor map")));
        }
        TensorMap::of(&bytes).or_else(|text| refuse(lane, text))
    }

    /// Reports a write to a map that no `UTMACCTL.IV` has made visible.
    fn map_is_visible(&self, t: &Target, addr: u64, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let writes = t.segment(blk, g).last_writes(t.offset(), BYTES).map(|(_, write)| write);
        let writes: Vec<Stamp> = writes.filter(|write| write.time() != 0).collect();
        let fences: Vec<&Actor> = g.map_fences.range((addr, 0)..=(addr, u32::MAX)).map(|(_, fence)| fence).collect();
        let visible = |w: &Stamp| fences.iter().any(|fence| w.time() <= fence.now && w.ordered_before(fence));
        let Some(write) = writes.iter().find(|write| !visible(write)) else { return Ok(()) };
        let by = Block::thread_text(write.thread());
        let text = format!("a tensor map written by {by} at instruction {}", write.place());
        self.finding(lane, format!("{text}, without UTMACCTL.IV between"), g)
    }

    pub(super) fn map_control(&self, (at, invalidate): (u8, bool), m: u32, blk: &Block, g: &mut Global<'_>) -> Exec {
        let lane = m.trailing_zeros() as usize & 31;
        let addr = self.uniform_address(at, lane)?;
        // The fence accesses nothing: with a null pointer it has no effect.
        if invalidate && addr == 0 {
            return Ok(());
        }
        self.locate_range(MemSpace::Global, addr, (BYTES, MAP_ALIGN), lane, "read", blk, g)?;
        if invalidate {
            for lane in lanes(m) {
                let actor = self.actor(lane, false, self.splits[self.cur].pc, blk, g);
                g.map_fences.insert((addr, actor.thread), actor);
            }
        }
        Ok(())
    }

    /// Issues a tensor operation.
    pub(super) fn tensor(&mut self, op: &Tensor, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let map = self.tensor_map(op.map, lane, blk, g)?;
        let before = match op.direction {
            Direction::Load(_) => 2,
            Direction::Store(_) => 1,
            Direction::Prefetch => 0,
        };
        let coordinate = |i: u8| self.uniform(op.operands + before + i, lane, "a coordinate of the box");
        let corner = (0..op.dimensions).map(|i| coordinate(i).map(|c| c as i32)).collect::<Exec<Vec<i32>>>()?;
        if corner.len() != map.rank() {
            return refuse(lane, format!("{} coordinates of a tensor of {} dimensions", corner.len(), map.rank()));
        }
        let addresses = match op.columns {
            None => map.addresses(&corner),
            Some(None) => map.pixels(&corner, 0),
            Some(Some(n)) => map.pixels(&corner, self.uniform(n, lane, "the offsets of the box")? as u16),
        };
        let addresses = addresses.or_else(|text| refuse(lane, text))?;
        let bytes = map.element.bytes;
        let boxed = (map.count() * bytes, BOX_ALIGN);
        let number = g.regions.number();
        let transfer = |from, to, reduce| {
            let (units, fill) = (map.count(), map.fill());
            Transfer { number, from: Some(from), to, units, bytes, reduce, fill, taken: None }
        };
        match op.direction {
            Direction::Prefetch => Ok(()),
            Direction::Load(mask) => {
                let to = self.bytes_at((false, op.operands), boxed, (lane, "write"), blk, g)?;
                let object = Self::uniform_object(op.operands + 1);
                let object = self.object(&object, (true, "atomic"), lane, blk, g)?;
                if to.target.place(blk).map(|place| place.rank) != Some(object.rank) {
                    return refuse(lane, "the mbarrier object is not in the block of the destination".into());
                }
                let mut signals = vec![object];
                let targets = match mask {
                    Some(n) => {
                        let mask = self.uniform(n, lane, "the mask of blocks")? >> 16;
                        self.multicast(mask, to, &mut signals, lane, blk)?
                    }
                    None => vec![to],
                };
                let from = self.issue_tensor((&map, &addresses), Role::Source, number, lane, blk, g)?;
                let mut spans = Vec::new();
                for to in targets {
                    spans.push(self.issue_box(&map, to, Role::Target, number, lane, blk, g)?);
                }
                self.begin(transfer(from, spans, None), signals, lane, blk, g)
            }
            Direction::Store(reduce) => {
                let reduce = match reduce {
                    Some(op) => match reduction(op, map.element) {
                        None => {
                            let name = map.element.name;
                            return refuse(lane, format!("the reduction {op:?} of elements of type {name}"));
                        }
                        found => found,
                    },
                    None => None,
                };
                let from = self.bytes_at((false, op.operands), boxed, (lane, "read"), blk, g)?;
                if !matches!(from.target, Target::Shared(_)) {
                    return refuse(lane, "the source of a tensor operation is in another block".into());
                }
                let role = if reduce.is_some() { Role::Reduced } else { Role::Target };
                let from = self.issue_box(&map, from, Role::Source, number, lane, blk, g)?;
                let to = self.issue_tensor((&map, &addresses), role, number, lane, blk, g)?;
                self.begin(transfer(from, vec![to], reduce), Vec::new(), lane, blk, g)
            }
        }
    }

    /// Checks the elements in shared memory, swizzled by their addresses, and adds their region.
    #[expect(clippy::too_many_arguments, reason = "the facts of one operation, and the machine")]
    fn issue_box(
        &self,
        map: &TensorMap,
        to: Range,
        role: Role,
        number: u64,
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec<Span> {
        let (base, bytes) = (to.target.offset(), map.element.bytes);
        let offsets: Vec<usize> = (0..map.count()).map(|i| map.swizzled(base + i * bytes)).collect();
        let first = offsets.iter().copied().min().unwrap_or(base);
        let end = offsets.iter().copied().max().unwrap_or(base) + bytes;
        let addr = to.addr - base as u64 + first as u64;
        let rank = to.target.place(blk).map_or(blk.rank, |place| place.rank);
        if !blk.shared.contains(first as u64, end - first) {
            let size = (end - first) as u32;
            let (access, near) = ("write", String::new());
            let kind = FailureKind::OutOfBounds { access, space: Space::Shared, addr, size, near };
            return Err(LaneFailure::new(lane, kind));
        }
        let target = if rank == blk.rank { Target::Shared(first) } else { Target::Remote(rank, first) };
        let span = self.issue(&Range { target, addr, size: end - first }, role, (number, true), lane, blk, g)?;
        Ok(Span { ground: span.ground, places: Places::Spread(offsets.into_iter().map(Some).collect()) })
    }

    /// Checks the elements in global memory that are inside the tensor, and adds their region.
    fn issue_tensor(
        &self,
        (map, addresses): (&TensorMap, &[Option<u64>]),
        role: Role,
        number: u64,
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec<Span> {
        let (access, base) = (if role == Role::Source { "read" } else { "write" }, map.base());
        let Some((id, _)) = g.mem.find(base, 1) else {
            return refuse(lane, format!("a tensor at {base:#x}, where there is no memory{}", g.mem.describe(base)));
        };
        let mut parts = Vec::new();
        for run in map.runs(addresses) {
            let (addr, size) = (run.start, (run.end - run.start) as usize);
            let Some((_, offset)) = g.mem.find(addr, size).filter(|found| found.0 == id) else {
                let (near, size) = (g.mem.describe(addr), size as u32);
                let kind = FailureKind::OutOfBounds { access, space: Space::Global, addr, size, near };
                return Err(LaneFailure::new(lane, kind));
            };
            let range = Range { target: Target::Global(id, offset), addr, size };
            if role != Role::Source {
                self.check_writable(&range.target, addr, size, lane, g)?;
            }
            self.begin_access(&range, role, true, lane, blk, g)?;
            parts.push(offset..offset + size);
        }
        let ground = Ground::Global(id);
        let start = parts.iter().map(|part| part.start).min().unwrap_or(0);
        let end = parts.iter().map(|part| part.end).max().unwrap_or(0);
        if start < end {
            let actor = self.actor(lane, false, self.splits[self.cur].pc, blk, g);
            let mut region = Region::new(number, (ground, start..end), role, &actor);
            region.parts = parts;
            g.regions.add(region);
        }
        let origin = g.mem.base(id);
        let offset = |at: &Option<u64>| at.map(|at| (at - origin) as usize);
        Ok(Span { ground, places: Places::Spread(addresses.iter().map(offset).collect()) })
    }
}
