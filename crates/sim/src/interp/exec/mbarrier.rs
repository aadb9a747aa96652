//! Instructions on mbarrier objects (PTX ISA 9.0, 9.7.13.15).
//!
//! The state of a valid object is kept beside shared memory ([`Mbarrier`]), and its word is written
//! there after each change. A wait for a phase that is not complete parks its lane until the phase
//! ends, or gives up; a wait for a complete one may fail as well, if it only tries.

use super::super::asynchrony::{Arrival, Arrive, Count, MAX_COUNT, Mbarrier, MbarrierOp, Released, Scope, Token, Wait};
use super::super::code::{Address, Row};
use super::super::cta::{Cta, Effect, Object, Pending};
use super::super::place::{RANK_SHIFT, SharedPlace};
use super::super::warp::{Waiting, lanes};
use super::access::{Access, Accessor, Site, settle};
use super::{Group, Machine, Step, fault};
use crate::failure::FailureKind;

/// Bytes of an object.
const BYTES: usize = 8;

fn refuse<T>(lane: usize, text: String) -> Step<T> {
    fault(lane, FailureKind::Asynchrony(text))
}

impl Machine<'_, '_> {
    /// Runs an instruction in the lanes of `mask`. Returns whether all of them go on.
    pub(super) fn mbarrier(
        &mut self,
        cta: &mut Cta,
        w: usize,
        group: &mut Group,
        op: &MbarrierOp,
        mask: u32,
    ) -> Step<bool> {
        if let MbarrierOp::Wait(wait) = op {
            return self.wait(cta, w, group, wait, mask);
        }
        cta.effects += 1;
        for lane in self.order.atomic(mask) {
            let by = Accessor::new(w, lane, group);
            match op {
                MbarrierOp::Init { at, count } => self.init(cta, by, at, *count)?,
                MbarrierOp::Inval { at } => self.inval(cta, by, at)?,
                MbarrierOp::Expect { at, bytes } => {
                    let bytes = self.amount(cta, by, *bytes, "the number of bytes")?;
                    let at = self.object(cta, by, at, "atomic")?;
                    self.change(cta, lane, at, |object| object.expect(bytes))?;
                }
                MbarrierOp::Complete { at, bytes } => {
                    let bytes = self.amount(cta, by, *bytes, "the number of bytes")?;
                    let at = self.object(cta, by, at, "atomic")?;
                    self.change(cta, lane, at, |object| object.complete(bytes))?;
                }
                MbarrierOp::Arrive(arrive) => self.arrive(cta, by, arrive)?,
                MbarrierOp::PendingCount { dst, token } => {
                    let layout = self.program.objects;
                    let frame = &mut cta.warps[w].frames[group.frame];
                    let unknown = frame.get_undef(*token, lane) & layout.defined() & !(1 << 63) != 0;
                    let count = Token(frame.get(*token, lane)).pending(layout);
                    frame.set(*dst, lane, count.into(), if unknown { u32::MAX.into() } else { 0 });
                }
                MbarrierOp::CopyArrive { at, counted } => {
                    let at = self.own_object(cta, by, at, "atomic")?;
                    if !counted {
                        self.change(cta, lane, at, |object| object.add_pending().map(|()| false))?;
                    }
                    let released = self.released(cta, by, at, Some(Scope::Cta));
                    let through = cta.warps[w].copies[lane].last();
                    let effect = Effect::Arrive { through, released };
                    cta.pending.push(Pending { warp: w, lane, place: by.pc, signals: vec![at], effect });
                }
                MbarrierOp::Wait(_) => {}
            }
        }
        let frame = &mut cta.warps[w].frames[group.frame];
        match op {
            MbarrierOp::Arrive(Arrive { token: Some(row), .. }) => settle(frame, *row),
            MbarrierOp::PendingCount { dst, .. } => settle(frame, *dst),
            _ => {}
        }
        Ok(true)
    }

    /// Reads an operand of up to 2^20 − 1.
    fn amount(&self, cta: &Cta, by: Accessor, row: Row, what: &'static str) -> Step<u32> {
        let frame = &cta.warps[by.warp].frames[by.frame];
        if frame.get_undef(row, by.lane) != 0 {
            return fault(by.lane, FailureKind::UndefinedOperand(what));
        }
        let value = frame.get(row, by.lane) as u32;
        if value > MAX_COUNT {
            return refuse(by.lane, format!("{what} of an mbarrier operation is {value}, more than {MAX_COUNT}"));
        }
        Ok(value)
    }

    /// Resolves the address of an object, and records the access.
    fn object_site(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        at: &Address,
        kind: &'static str,
    ) -> Step<(SharedPlace, Access)> {
        let access = self.site(cta, by, at, BYTES, kind)?;
        match access.site {
            Site::Shared(place) => Ok((place, access)),
            _ => refuse(by.lane, format!("an mbarrier object at {} {:#x}", access.space, access.addr)),
        }
    }

    /// Returns the place of a valid object, after the access is recorded.
    pub(super) fn object(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        at: &Address,
        kind: &'static str,
    ) -> Step<SharedPlace> {
        let (place, access) = self.object_site(cta, by, at, kind)?;
        if !cta.objects.contains_key(&place) {
            return refuse(by.lane, format!("no valid mbarrier object at shared {:#x}", access.addr));
        }
        self.note(cta, by, access, true, kind)?;
        Ok(place)
    }

    /// [`Machine::object`] of the thread's own block.
    fn own_object(&mut self, cta: &mut Cta, by: Accessor, at: &Address, kind: &'static str) -> Step<SharedPlace> {
        let place = self.object(cta, by, at, kind)?;
        if place.block != cta.warps[by.warp].block {
            let text = "this operation on an mbarrier object of another block, which only arrivals without result, expect_tx and complete_tx may be";
            return refuse(by.lane, text.into());
        }
        Ok(place)
    }

    fn init(&mut self, cta: &mut Cta, by: Accessor, at: &Address, count: Row) -> Step<()> {
        let count = self.amount(cta, by, count, "the expected count")?;
        let (place, access) = self.object_site(cta, by, at, "write")?;
        let here = SharedPlace { offset: place.offset.saturating_sub(BYTES - 1), ..place };
        let end = SharedPlace { offset: place.offset + BYTES, ..place };
        if let Some((_, object)) = cta.objects.range(here..end).next() {
            let text = format!("an mbarrier object at shared {:#x} is initialised twice", access.addr);
            return refuse(by.lane, format!("{text}: it is valid since {}", self.program.place(object.place)));
        }
        self.note(cta, by, access, false, "write")?;
        match Mbarrier::new(self.program.objects, count) {
            Ok(state) => cta.objects.insert(place, Object { state, place: by.pc }),
            Err(text) => return refuse(by.lane, text),
        };
        self.write_word(cta, place);
        Ok(())
    }

    fn inval(&mut self, cta: &mut Cta, by: Accessor, at: &Address) -> Step<()> {
        let (place, access) = self.object_site(cta, by, at, "write")?;
        if !cta.objects.contains_key(&place) {
            return refuse(by.lane, format!("no valid mbarrier object at shared {:#x}", access.addr));
        }
        let waits = |reason: &Option<Waiting>| *reason == Some(Waiting::Mbarrier(place));
        if let Some(warp) = cta.warps.iter().find(|w| lanes(w.waiting).any(|l| waits(&w.reason[l]))) {
            let text = self.describe_object(cta, place);
            return refuse(by.lane, format!("{text} is invalidated while warp {} waits for it", warp.index));
        }
        if let Some(pending) = cta.pending.iter().find(|pending| pending.signals.contains(&place)) {
            let (text, from) = (self.describe_object(cta, place), self.program.place(pending.place));
            return refuse(by.lane, format!("{text} is invalidated before an operation has arrived there: {from}"));
        }
        self.note(cta, by, access, false, "write")?;
        cta.objects.remove(&place);
        cta.blocks[place.block].shared.store(place.offset, BYTES, 0, u128::MAX);
        Ok(())
    }

    fn arrive(&mut self, cta: &mut Cta, by: Accessor, arrive: &Arrive) -> Step<()> {
        let count = match arrive.count {
            Count::One => 1,
            Count::Row(row) => self.amount(cta, by, row, "the count of arrivals")?,
        };
        let expect = match arrive.expect {
            Some(row) => self.amount(cta, by, row, "the number of bytes")?,
            None => 0,
        };
        let own = arrive.token.is_some() || arrive.no_complete;
        let find = if own { Machine::own_object } else { Machine::object };
        let at = find(self, cta, by, &arrive.at, "atomic")?;
        let released = self.released(cta, by, at, arrive.release);
        if let (Some(row), Some(object)) = (arrive.token, cta.objects.get(&at)) {
            let (token, undef) = (object.state.token(), !self.program.objects.defined());
            cta.warps[by.warp].frames[by.frame].set(row, by.lane, token.0, undef);
        }
        let arrival = Arrival { count, expect, drop: arrive.drop, no_complete: arrive.no_complete, released };
        self.change(cta, by.lane, at, |object| object.arrive(&arrival))
    }

    /// Returns the accesses that an arrival releases.
    fn released(&self, cta: &Cta, by: Accessor, at: SharedPlace, scope: Option<Scope>) -> Released {
        let warp = &cta.warps[by.warp];
        let acquired = warp.acquired[by.lane];
        match scope {
            Some(_) if warp.block == at.block => Released { block: self.now, acquired, cluster: 0 },
            Some(Scope::Cluster) => Released { block: 0, acquired: 0, cluster: self.now },
            _ => Released::default(),
        }
    }

    /// Changes an object; lanes that wait for a phase that ends go on.
    pub(super) fn change(
        &mut self,
        cta: &mut Cta,
        lane: usize,
        at: SharedPlace,
        change: impl FnOnce(&mut Mbarrier) -> Result<bool, String>,
    ) -> Step<()> {
        let Some(object) = cta.objects.get_mut(&at) else {
            let addr = self.address_of(at);
            return refuse(lane, format!("the mbarrier object at shared {addr:#x} is not valid any more"));
        };
        let ended = match change(&mut object.state) {
            Ok(ended) => ended,
            Err(text) => return refuse(lane, format!("{text}, at shared {:#x}", self.address_of(at))),
        };
        self.write_word(cta, at);
        if ended {
            for warp in &mut cta.warps {
                for lane in lanes(warp.waiting) {
                    if warp.reason[lane] == Some(Waiting::Mbarrier(at)) {
                        warp.reason[lane] = None;
                        warp.waiting &= !(1 << lane);
                        warp.running |= 1 << lane;
                    }
                }
            }
        }
        Ok(())
    }

    fn write_word(&self, cta: &mut Cta, at: SharedPlace) {
        if let Some(object) = cta.objects.get(&at) {
            let (word, undef) = object.state.word();
            cta.blocks[at.block].shared.store(at.offset, BYTES, word.into(), undef.into());
        }
    }

    fn wait(&mut self, cta: &mut Cta, w: usize, group: &mut Group, wait: &Wait, mask: u32) -> Step<bool> {
        let (mut parked, mut passed) = (0, 0);
        for lane in lanes(mask) {
            let by = Accessor::new(w, lane, group);
            let frame = &cta.warps[w].frames[group.frame];
            let (phase, undef) = (frame.get(wait.phase, lane), frame.get_undef(wait.phase, lane));
            let place = self.own_object(cta, by, &wait.at, "read")?;
            let Some(object) = cta.objects.get(&place) else { continue };
            let complete = if wait.parity {
                if undef != 0 {
                    return fault(lane, FailureKind::UndefinedOperand("the parity of a phase"));
                }
                let parity = phase as u32;
                if parity > 1 {
                    return refuse(lane, format!("{parity} is no parity of a phase"));
                }
                object.state.passed_parity(parity)
            } else {
                if undef & self.program.objects.defined() != 0 {
                    return fault(lane, FailureKind::UndefinedOperand("the token of a phase"));
                }
                match object.state.passed(Token(phase)) {
                    Ok(complete) => complete,
                    Err(text) => return refuse(lane, format!("{text}, at shared {:#x}", self.address_of(place))),
                }
            };
            let bit = 1 << lane;
            let gives_up = cta.warps[w].gives_up & bit != 0;
            cta.warps[w].gives_up &= !bit;
            if complete && !(wait.tries && self.order.now_and_then(4)) {
                passed |= bit;
                self.acquire(cta, by, place, wait);
            } else if !complete && !gives_up && !self.order.now_and_then(4) {
                parked |= bit;
                cta.warps[w].reason[lane] = Some(Waiting::Mbarrier(place));
            }
        }
        let warp = &mut cta.warps[w];
        let frame = &mut warp.frames[group.frame];
        if let Some(dst) = wait.dst {
            frame.set_pred(dst.0, mask & !parked, passed, 0);
        }
        if parked == 0 {
            return Ok(true);
        }
        warp.running &= !parked;
        warp.waiting |= parked;
        for lane in lanes(group.mask) {
            warp.pc[lane] = if parked >> lane & 1 != 0 { group.pc } else { group.pc + 1 };
        }
        group.mask = 0;
        Ok(false)
    }

    /// A lane has seen that a phase is complete.
    fn acquire(&mut self, cta: &mut Cta, by: Accessor, at: SharedPlace, wait: &Wait) {
        let Some(object) = cta.objects.get(&at) else { return };
        let counted = (Machine::ground(cta, at), at.offset, object.state.phase());
        let actor = cta.warps[by.warp].actor(by.lane, self.now, by.pc, true);
        self.regions.observe(counted, &actor, wait.acquire.is_some());
        let Some(scope) = wait.acquire else { return };
        let released = object.state.released();
        let (warp, lane) = (&mut cta.warps[by.warp], by.lane);
        warp.block_sync[lane] = warp.block_sync[lane].max(released.block);
        warp.acquired[lane] = warp.acquired[lane].max(released.acquired);
        if scope == Scope::Cluster {
            warp.acquired[lane] = warp.acquired[lane].max(released.cluster);
        }
    }

    /// Returns the shared address of a place in its block.
    pub(super) fn address_of(&self, at: SharedPlace) -> u32 {
        (self.program.shared_base + at.offset as u32) | (at.block as u32) << RANK_SHIFT
    }

    /// Describes an object for messages.
    pub fn describe_object(&self, cta: &Cta, at: SharedPlace) -> String {
        let state = cta.objects.get(&at).map_or_else(String::new, |o| format!(" ({})", o.state.describe()));
        format!("the mbarrier object at shared {:#x}{state}", self.address_of(at))
    }

    /// Fails if an access touches a valid object, which only mbarrier instructions may do (PTX ISA
    /// 9.0, 9.7.13.15.1).
    pub(super) fn not_an_object(&self, cta: &Cta, lane: usize, access: Access, kind: &'static str) -> Step<()> {
        let Site::Shared(place) = access.site else { return Ok(()) };
        let from = SharedPlace { offset: place.offset.saturating_sub(BYTES - 1), ..place };
        let end = SharedPlace { offset: place.offset + access.size, ..place };
        let Some((&at, object)) = cta.objects.range(from..end).next() else { return Ok(()) };
        let (what, since) = (self.describe_object(cta, at), self.program.place(object.place));
        refuse(lane, format!("{kind} of {what}, valid since {since}: only mbarrier instructions may access it"))
    }
}
