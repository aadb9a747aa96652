//! Blocks of a cluster: their barrier, addresses of each other's shared memory, and asynchronous
//! stores to it (PTX ISA 9.0, 9.7.13.4, 9.7.9.23, 9.7.9.12).

use super::super::asynchrony::{AsyncStore, Role, Transfer};
use super::super::code::Row;
use super::super::cta::Cta;
use super::super::place::{RANK_SHIFT, SharedPlace, Window};
use super::super::specials::Position;
use super::super::warp::{Frame, Waiting, lanes};
use super::access::{Accessor, Site};
use super::{Group, Machine, Step, fault};
use crate::failure::FailureKind;

/// Bits of an address below the rank.
const OFFSET: u64 = (1 << RANK_SHIFT) - 1;

impl Machine<'_, '_> {
    /// Finds an access in the shared memory of the cluster. The own block's part is all that
    /// `.shared::cta` may name.
    pub(super) fn shared_site(
        &self,
        cta: &Cta,
        by: Accessor,
        (addr, size): (u64, usize),
        window: Window,
    ) -> Step<Option<Site>> {
        let own = cta.warps[by.warp].block;
        let block = (addr >> RANK_SHIFT) as usize;
        let Some(memory) = cta.blocks.get(block).filter(|_| block == own || window != Window::Shared) else {
            return Ok(None);
        };
        let offset = (addr & OFFSET).checked_sub(u64::from(self.program.shared_base));
        let Some(offset) = offset.filter(|&offset| memory.shared.contains(offset, size)) else { return Ok(None) };
        if block != own {
            self.runs(cta, by.lane, block)?;
        }
        Ok(Some(Site::Shared(SharedPlace { block, offset: offset as usize })))
    }

    /// Fails if a block has ended, whose shared memory does not exist any more.
    pub(super) fn runs(&self, cta: &Cta, lane: usize, block: usize) -> Step<()> {
        if cta.warps.iter().any(|warp| warp.block == block && warp.live() != 0) {
            return Ok(());
        }
        let text = format!("an access to shared memory of block {block} of the cluster, which has ended");
        fault(lane, FailureKind::Asynchrony(text))
    }

    /// Whether a shared address is in this window.
    pub(super) fn is_shared(&self, window: Window, at: &[Position], lane: usize, addr: u64) -> bool {
        let rank = addr >> RANK_SHIFT & 0xff;
        match window {
            Window::Shared => rank == u64::from(at[lane].rank),
            Window::Cluster => rank < self.program.cluster.count(),
            _ => false,
        }
    }

    /// Runs `mapa`. If the block does not exist, an access to the address is out of bounds.
    pub(super) fn map(frame: &mut Frame, (dst, a, rank): (Row, Row, Row), mask: u32) {
        const RANK: u64 = 0xff << RANK_SHIFT;
        for lane in lanes(mask) {
            let insert = |a: u64, rank: u64| a & !RANK | rank << RANK_SHIFT & RANK;
            let word = insert(frame.get(a, lane), frame.get(rank, lane));
            let undef = insert(frame.get_undef(a, lane), frame.get_undef(rank, lane));
            frame.set(dst, lane, word, undef);
        }
        super::access::settle(frame, dst);
    }

    /// Issues `st.async` or `red.async`.
    pub(super) fn store_async(&mut self, cta: &mut Cta, by: Accessor, store: &AsyncStore) -> Step<()> {
        let size = store.bytes * store.src.len();
        let to = self.site(cta, by, &store.to, size, "write")?;
        let object = self.object(cta, by, &store.object, "atomic")?;
        if !matches!(to.site, Site::Shared(place) if place.block == object.block) {
            let text =
                "destination and mbarrier object of an asynchronous store are not in the shared memory of one block";
            return fault(by.lane, FailureKind::Asynchrony(text.into()));
        }
        let number = self.regions.number();
        let role = if store.reduce.is_some() { Role::Reduced } else { Role::Target };
        let Some(target) = self.issue(cta, by, to, role, (number, false))? else { return Ok(()) };
        let frame = &cta.warps[by.warp].frames[by.frame];
        let (mut bytes, mut undef) = (Vec::new(), Vec::new());
        for &row in &store.src {
            bytes.extend_from_slice(&frame.get(row, by.lane).to_le_bytes()[..store.bytes]);
            undef.extend_from_slice(&frame.get_undef(row, by.lane).to_le_bytes()[..store.bytes]);
        }
        let (one, reduce, taken) = (store.bytes, store.reduce, Some((bytes, undef)));
        let transfer = Transfer { number, from: None, to: vec![target], bytes: size, one, reduce, fill: 0, taken };
        self.begin(cta, by, transfer, vec![object]);
        Ok(())
    }

    /// Runs `barrier.cluster.arrive`.
    pub(super) fn cluster_arrive(&mut self, cta: &mut Cta, w: usize, release: bool, mask: u32) -> Step<()> {
        cta.effects += 1;
        let twice = cta.barrier.arrived[w] & mask;
        if twice != 0 {
            let text = "a thread arrives twice at the barrier of the cluster without a wait".into();
            return fault(twice.trailing_zeros() as usize, FailureKind::Convergence(text));
        }
        cta.barrier.arrived[w] |= mask;
        if release {
            cta.barrier.open = self.now;
        }
        self.try_cluster_barrier(cta);
        Ok(())
    }

    /// Runs `barrier.cluster.wait`. Returns whether the group can continue at once.
    pub(super) fn cluster_wait(&mut self, cta: &mut Cta, w: usize, group: &mut Group, mask: u32) -> Step<bool> {
        let without = mask & !cta.barrier.arrived[w];
        if without != 0 {
            let text = "a thread waits at the barrier of the cluster without an arrival".into();
            return fault(without.trailing_zeros() as usize, FailureKind::Convergence(text));
        }
        let waiting = mask & !cta.barrier.passed[w];
        let warp = &mut cta.warps[w];
        for lane in lanes(group.mask) {
            warp.pc[lane] = if waiting >> lane & 1 != 0 { group.pc } else { group.pc + 1 };
        }
        for lane in lanes(waiting) {
            warp.reason[lane] = Some(Waiting::Cluster);
        }
        warp.running &= !waiting;
        warp.waiting |= waiting;
        self.pass_cluster_barrier(cta, w, mask & !waiting);
        group.mask = 0;
        // The last arrival may have been that of a thread that has exited since.
        self.try_cluster_barrier(cta);
        Ok(false)
    }

    /// Lanes go on behind a barrier that has ended.
    fn pass_cluster_barrier(&mut self, cta: &mut Cta, w: usize, mask: u32) {
        let Cta { warps, barrier, .. } = cta;
        barrier.arrived[w] &= !mask;
        barrier.passed[w] &= !mask;
        for lane in lanes(mask) {
            let acquired = &mut warps[w].acquired[lane];
            // What a fence before a relaxed arrival has released, too.
            *acquired = (*acquired).max(barrier.ended).max(self.released);
        }
    }

    /// Ends the phase of the cluster's barrier if all threads have arrived.
    pub(super) fn try_cluster_barrier(&mut self, cta: &mut Cta) {
        let Cta { warps, barrier, .. } = &mut *cta;
        let arrived = barrier.arrived.iter().zip(&barrier.passed);
        let all = warps.iter().zip(arrived).all(|(warp, (arrived, passed))| warp.live() & !(arrived & !passed) == 0);
        if !all || warps.iter().all(|warp| warp.live() == 0) {
            return;
        }
        self.outcome.stats.barriers += 1;
        self.now += 1;
        barrier.ended = std::mem::take(&mut barrier.open);
        for (passed, arrived) in barrier.passed.iter_mut().zip(&barrier.arrived) {
            *passed = *arrived;
        }
        for w in 0..cta.warps.len() {
            let warp = &mut cta.warps[w];
            let waiting =
                lanes(warp.waiting).filter(|&l| warp.reason[l] == Some(Waiting::Cluster)).fold(0, |m, l| m | 1 << l);
            for lane in lanes(waiting) {
                warp.reason[lane] = None;
                warp.pc[lane] += 1;
            }
            warp.waiting &= !waiting;
            warp.running |= waiting;
            self.pass_cluster_barrier(cta, w, waiting);
        }
    }
}
