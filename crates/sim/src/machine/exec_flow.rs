//! Control flow: branches, divergence and convergence.
//!
//! A warp is a list of subsets of lanes ([`super::warp::Split`]), each with its own program
//! counter. A branch that only some lanes take makes two subsets; which of them runs first is a
//! seeded choice ([`super::schedule`]). Subsets are joined only where the program says so: at
//! `BSYNC`, when all lanes that registered with `BSSY` have arrived or left (`BREAK`, `EXIT`), and
//! at `WARPSYNC`, where lanes may also meet at different instructions. Convergence barriers are
//! kept per lane, so that subsets that run the same region at different times do not interfere:
//! lanes that wait at the same barrier register for another set of lanes, in an inner activation of
//! a recursive function, have not arrived.

use super::block::{Exec, Global, LaneFailure};
use super::exec_mem::lanes;
use super::uop::{BraCond, Kind, Uop};
use super::warp::{Split, Wait, Warp};
use crate::failure::FailureKind;

/// Saved barriers of one number beyond these are forgotten.
const MOST_SAVED: usize = 1024;

/// What the machine must do after a control-flow instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Not a control-flow instruction.
    Other,
    /// The program counter of the running subset is set.
    Done,
    /// The running subset waits, is gone, or yields: choose another.
    Switch,
    /// Another subset may be scheduled here ([`super::schedule`]).
    MaySwitch,
    /// Lanes arrived at a named barrier.
    Arrived(u8),
    /// Lanes exited: barriers may be complete.
    Exited,
}

impl Warp {
    /// Runs a control-flow instruction in the lanes of `m`, a part of the running subset.
    /// `code_len` is the number of instructions. Lanes of the subset outside `m` fall through.
    pub fn exec_flow(&mut self, u: &Uop, m: u32, code_len: u32, g: &mut Global<'_>) -> Exec<Flow> {
        let pc = self.splits[self.cur].pc;
        let active = self.active();
        let m = match u.kind {
            // The predicate operand is combined with the guard.
            Kind::Exit | Kind::Brx | Kind::Ret { .. } | Kind::CallBy { .. } | Kind::Call { .. } => self.chosen(u, m)?,
            _ => m,
        };
        if m == 0 {
            return Ok(Flow::Other);
        }
        self.only_active(u, m)?;
        match u.kind {
            Kind::Bra { target, cond } => {
                let taken = self.taken(u, m, cond)?;
                self.branch(taken, target, g);
                let back = target <= pc && taken != 0;
                Ok(if back || taken != 0 && taken != active { Flow::MaySwitch } else { Flow::Done })
            }
            kind @ (Kind::Brx | Kind::Ret { .. } | Kind::CallBy { .. }) => {
                let absolute = matches!(kind, Kind::Ret { absolute: true } | Kind::CallBy { absolute: true });
                let base = if absolute { 0 } else { u64::from(pc + 1).wrapping_mul(16) };
                let groups = self.destinations(u, m, base, code_len)?;
                self.branch_apart(&groups, m, g);
                match kind {
                    Kind::CallBy { .. } => self.calls.called(pc + 1, m),
                    Kind::Ret { .. } if self.calls.any() => self.returned(&groups, g.now),
                    _ => {}
                }
                Ok(Flow::MaySwitch)
            }
            Kind::Call { target } => {
                self.branch(m, target, g);
                self.calls.called(pc + 1, m);
                Ok(Flow::MaySwitch)
            }
            Kind::Exit => {
                self.exit(m, g.now);
                Ok(Flow::Exited)
            }
            Kind::Bssy { bar, .. } => {
                self.set_bar(bar, m, |_| m);
                self.regions += 1;
                self.opened[usize::from(bar)] = self.regions;
                self.fall_through()
            }
            Kind::Break { bar } => {
                let m = self.chosen(u, m)?;
                self.leave(bar, m);
                self.splits[self.cur].pc += 1;
                self.settle(g.now);
                Ok(Flow::Done)
            }
            Kind::Bsync { bar } => {
                if m != active {
                    self.branch(m, pc, g);
                    self.cur = self.splits.iter().position(|s| s.mask == m).unwrap_or(self.cur);
                }
                let sets = self.bars[usize::from(bar)].map(|set| set & self.live);
                self.part_by_mask(&sets, m, |_| Wait::Converge(bar));
                self.settle(g.now);
                Ok(Flow::Switch)
            }
            Kind::Warpsync { all } => {
                let masks = if all { [!0; 32] } else { self.masks(u, m)? };
                self.part_by_mask(&masks, m, Wait::WarpSync);
                self.settle(g.now);
                Ok(Flow::Switch)
            }
            Kind::BmovFrom { bar, clear } => {
                let v = self.bars[usize::from(bar)];
                let saved = &mut self.saved[usize::from(bar)];
                if saved.len() < MOST_SAVED {
                    saved.push(self.opened[usize::from(bar)]);
                }
                self.put(u.d, m, &v);
                if clear {
                    self.set_bar(bar, m, |_| 0);
                }
                self.fall_through()
            }
            Kind::BmovTo { bar } => {
                let v = self.fetch(&u.s[1]);
                self.set_bar(bar, m, |l| v[l]);
                self.opened[usize::from(bar)] = self.saved[usize::from(bar)].pop().unwrap_or(0);
                self.fall_through()
            }
            Kind::ActiveFrom { bar } => {
                self.keep_active(bar);
                self.fall_through()
            }
            Kind::ActiveTo { bar, quads } => {
                self.set_active(bar, quads)?;
                self.fall_through()
            }
            Kind::Yield | Kind::Nanosleep => {
                self.splits[self.cur].pc += 1;
                Ok(Flow::Switch)
            }
            Kind::Lepc => {
                for (n, word) in (0..).zip([u.s[0].imm as u32, (u.s[0].imm >> 32) as u32]) {
                    self.put(u.d + n, m, &[word; 32]);
                }
                self.fall_through()
            }
            Kind::Trap => Err(LaneFailure::new(m.trailing_zeros() as usize, FailureKind::Trap)),
            _ => Ok(Flow::Other),
        }
    }

    /// Continues the running subset after the instruction.
    #[inline]
    fn fall_through(&mut self) -> Exec<Flow> {
        self.splits[self.cur].pc += 1;
        Ok(Flow::Done)
    }

    /// The lanes of `m` in which the predicate operand holds.
    #[inline]
    fn chosen(&self, u: &Uop, m: u32) -> Exec<u32> {
        let undef = self.pred_undef(u.p[0]) & m;
        if undef != 0 {
            return Err(LaneFailure::new(undef.trailing_zeros() as usize, FailureKind::UndefinedBranch));
        }
        Ok(m & self.pred(u.p[0]))
    }

    /// The lanes of the running subset that take a `BRA`, whose guard holds in those of `m`.
    #[inline]
    fn taken(&self, u: &Uop, m: u32, cond: BraCond) -> Exec<u32> {
        let active = self.active();
        let mask = |n: u8, not: bool| (self.uregs[n as usize] ^ if not { !0 } else { 0 }) & self.live;
        let all = |yes: bool| if yes { active } else { 0 };
        Ok(match cond {
            BraCond::Plain => self.chosen(u, m)?,
            BraCond::Any => all(self.pred(u.p[0]) & m != 0),
            BraCond::All => all(self.pred(u.p[0]) & m == active),
            BraCond::Div(n, not) => all(mask(n, not) & !m != 0) & m,
            BraCond::Conv(n, not) => all(mask(n, not) & !m == 0) & m,
        })
    }

    /// The destinations of a branch through registers, relative to the byte offset `base`, with the
    /// lanes of `m` that branch there.
    fn destinations(&self, u: &Uop, m: u32, base: u64, code_len: u32) -> Exec<Vec<(u32, u32)>> {
        let mut groups: Vec<(u32, u32)> = Vec::new();
        for l in lanes(m) {
            if self.src64_undef_lanes(&u.s[0]) >> l & 1 != 0 {
                return Err(LaneFailure::new(l, FailureKind::UndefinedBranch));
            }
            let offset = self.fetch64(&u.s[0], l).wrapping_add(u.s[1].imm);
            let to = base.wrapping_add(offset);
            if !to.is_multiple_of(16) || to / 16 >= u64::from(code_len) {
                return Err(LaneFailure::new(l, FailureKind::WildBranch(to)));
            }
            let to = (to / 16) as u32;
            match groups.iter_mut().find(|g| g.0 == to) {
                Some(group) => group.1 |= 1 << l,
                None => groups.push((to, 1 << l)),
            }
        }
        Ok(groups)
    }

    /// Sends the lanes of `m` to their destinations.
    fn branch_apart(&mut self, groups: &[(u32, u32)], m: u32, g: &mut Global<'_>) {
        let pc = self.splits[self.cur].pc;
        let mut rest = m;
        for &(to, mask) in groups {
            rest &= !mask;
            self.branch(mask, to, g);
            if rest == 0 {
                break;
            }
            // The others have not moved yet: continue with them.
            self.cur = self.splits.iter().position(|s| s.mask & rest != 0).unwrap_or(self.cur);
            self.splits[self.cur].pc = pc;
        }
    }

    /// Ends the threads of `m`.
    fn exit(&mut self, m: u32, now: u32) {
        self.live &= !m;
        let split = &mut self.splits[self.cur];
        split.mask &= !m;
        split.pc += 1;
        if split.mask == 0 {
            self.splits.swap_remove(self.cur);
            self.cur = 0;
        }
        self.settle(now);
    }

    /// Sets a convergence barrier in the lanes of `m`: the lanes that each of them waits for.
    #[inline]
    pub(super) fn set_bar(&mut self, bar: u8, m: u32, set: impl Fn(usize) -> u32) {
        for l in lanes(m) {
            self.bars[usize::from(bar)][l] = set(l);
        }
    }

    /// Removes the lanes of `m` from a barrier: the others that registered with them do not wait
    /// for them.
    #[inline]
    fn leave(&mut self, bar: u8, m: u32) {
        let sets = &mut self.bars[usize::from(bar)];
        for l in lanes(m) {
            for other in lanes(sets[l] & !m) {
                sets[other] &= !m;
            }
        }
    }

    /// Lets lanes that wait at a barrier leave those that were set after it, where others wait for
    /// them: these regions are inside that of the first one, and the lanes are not in them any more.
    /// Returns whether any left one.
    pub fn leave_inner_regions(&mut self, now: u32) -> bool {
        let at = |s: &Split| if let Wait::Converge(bar) = s.wait { Some((bar, s.mask)) } else { None };
        let waits: Vec<(u8, u32)> = self.splits.iter().filter_map(at).collect();
        let mut any = false;
        for &(inner, inside) in &waits {
            for &(outer, lanes) in &waits {
                let sets = &self.bars[usize::from(inner)];
                let awaited = (0..32).filter(|l| inside >> l & 1 == 1).fold(0, |all, l| all | sets[l]);
                if awaited & lanes != 0 && self.opened[usize::from(inner)] > self.opened[usize::from(outer)] {
                    self.leave(inner, lanes);
                    any = true;
                }
            }
        }
        if any {
            self.settle(now);
        }
        any
    }

    /// The masks of `WARPSYNC`, valid in the lanes of `m`, which are in their masks.
    fn masks(&self, u: &Uop, m: u32) -> Exec<[u32; 32]> {
        let bad = self.src_undef_lanes(&u.s[0]) & m;
        if bad != 0 {
            let kind = FailureKind::UndefinedOperand("the mask of WARPSYNC");
            return Err(LaneFailure::new(bad.trailing_zeros() as usize, kind));
        }
        let masks = self.fetch(&u.s[0]);
        if let Some(l) = lanes(m).find(|&l| masks[l] >> l & 1 == 0) {
            let kind = FailureKind::Convergence("WARPSYNC by a lane that is not in its mask".to_string());
            return Err(LaneFailure::new(l, kind));
        }
        Ok(masks)
    }

    /// Makes the running subset wait for its masks: lanes with different masks become separate
    /// subsets, as nothing keeps them together.
    fn part_by_mask(&mut self, masks: &[u32; 32], m: u32, wait: impl Fn(u32) -> Wait) {
        let split = self.splits[self.cur];
        let (mut rest, mut idle) = (m, split.mask & !m);
        while rest != 0 {
            let mask = masks[rest.trailing_zeros() as usize];
            let same = lanes(rest).filter(|&l| masks[l] == mask).fold(0, |s, l| s | 1 << l);
            rest &= !same;
            // Lanes whose guard fails wait with the first group.
            let part = Split { mask: same | std::mem::take(&mut idle), wait: wait(mask), ..split };
            if rest | same == m {
                self.splits[self.cur] = part;
            } else {
                self.splits.push(part);
            }
        }
    }

    /// Sends the lanes of `taken` to `target`; the rest of the running subset falls through.
    fn branch(&mut self, taken: u32, target: u32, g: &mut Global<'_>) {
        let split = &mut self.splits[self.cur];
        if taken == split.mask {
            split.pc = target;
        } else if taken == 0 {
            split.pc += 1;
        } else {
            g.stats.divergent_branches += 1;
            split.pc += 1;
            split.mask &= !taken;
            let other = Split { pc: target, mask: taken, lent: 0, wait: Wait::None, since: split.since };
            self.splits.push(other);
        }
    }

    /// The lanes that a waiting subset waits for, itself included, and those of them that have
    /// arrived: they wait at the same barrier, for the same lanes. `None`: it does not wait for
    /// lanes of its warp.
    pub fn waits_for(&self, i: usize) -> Option<(u32, u32)> {
        let needs = |s: &Split| match s.wait {
            Wait::Converge(b) => {
                let lane = s.mask.trailing_zeros() as usize & 31;
                Some(self.bars[usize::from(b)][lane] & self.live | s.mask)
            }
            Wait::WarpSync(m) => Some(m & self.live),
            Wait::Return(call) => Some(self.calls.lanes(call) & self.live | s.mask),
            Wait::None | Wait::Barrier(_) | Wait::Object(_) | Wait::Cluster | Wait::Registers | Wait::Warpgroup => None,
        };
        let waiting = &self.splits[i];
        let needed = needs(waiting)?;
        let mates = self.splits.iter().filter(|s| s.wait == waiting.wait && needs(s) == Some(needed));
        Some((needed, mates.fold(0, |m, s| m | s.mask)))
    }

    /// Makes lanes wait that have returned from a call by address, `groups` by where they are now.
    fn returned(&mut self, groups: &[(u32, u32)], now: u32) {
        for &(to, mask) in groups {
            let mut of = [None; 32];
            for lane in lanes(mask) {
                of[lane] = self.calls.back(to, lane);
            }
            let mut at = 0;
            while at < self.splits.len() {
                let split = self.splits[at];
                at += 1;
                let Some(number) = lanes(split.mask & mask).find_map(|lane| of[lane]) else { continue };
                let same = lanes(split.mask & mask).filter(|&lane| of[lane] == Some(number)).fold(0, |s, l| s | 1 << l);
                // A subset that is released continues after its instruction.
                let waiting = Split { pc: to - 1, mask: same, wait: Wait::Return(number), ..split };
                lanes(same).for_each(|lane| of[lane] = None);
                if same == split.mask {
                    self.splits[at - 1] = waiting;
                } else {
                    self.splits[at - 1].mask &= !same;
                    self.splits.push(waiting);
                    at -= 1;
                }
            }
        }
        self.settle(now);
        self.calls.settle();
    }

    /// Releases subsets whose convergence is complete.
    pub fn settle(&mut self, now: u32) {
        let mut i = 0;
        while i < self.splits.len() {
            let Split { wait, .. } = self.splits[i];
            let Some((_, there)) = self.waits_for(i).filter(|(needed, there)| needed & !there == 0) else {
                i += 1;
                continue;
            };
            // All required lanes wait. Those at the same instruction continue as one subset;
            // `bar.warp.sync` may be reached at several (PTX ISA 9.0, 9.7.13.2: only the mask
            // counts), and each subset continues from its own.
            let running = self.splits[self.cur.min(self.splits.len() - 1)].mask;
            let (mut kept, mut released) = (0, 0);
            for at in 0..self.splits.len() {
                let mut s = self.splits[at];
                if s.wait == wait && s.mask & there != 0 {
                    s = Split { pc: s.pc + 1, mask: s.mask, lent: 0, wait: Wait::None, since: now };
                    let twin = self.splits[..kept].iter_mut().find(|o| o.mask & released != 0 && o.pc == s.pc);
                    released |= s.mask;
                    if let Some(twin) = twin {
                        twin.mask |= s.mask;
                        continue;
                    }
                }
                self.splits[kept] = s;
                kept += 1;
            }
            self.splits.truncate(kept);
            self.cur = self.splits.iter().position(|s| s.mask & running != 0).unwrap_or(0);
            i = 0;
        }
    }
}
