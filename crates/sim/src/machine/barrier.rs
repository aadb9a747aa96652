//! Named barriers of a block: arrival, completion, reductions.
//!
//! A warp has arrived when all its live lanes have; it then counts 32 threads, as the hardware
//! counts warps (PTX ISA 9.0, `barrier`: the thread count is a multiple of the warp size). A
//! barrier without a count waits for every warp that has live lanes.

use super::block::{Block, Exec, Global, LaneFailure, NamedBarrier};
use super::exec_mem::lanes;
use super::uop::{BarMode, From, Uop};
use super::warp::{Wait, Warp};
use crate::failure::FailureKind;

/// Arrival of lanes `m` of warp `w`. Returns the barrier's number.
pub fn arrive(warps: &mut [Warp], w: usize, u: &Uop, mode: BarMode, count: bool, m: u32, blk: &mut Block) -> Exec<u8> {
    let warp = &mut warps[w];
    let first = m.trailing_zeros() as usize & 31;
    let uniform = |warp: &Warp, i: usize, what: &'static str| -> Exec<u32> {
        if warp.src_undef_lanes(&u.s[i]) & m != 0 && u.s[i].from != From::Imm {
            return Err(LaneFailure::new(first, FailureKind::UndefinedOperand(what)));
        }
        let v = warp.fetch(&u.s[i]);
        match lanes(m).find(|&l| v[l] != v[first]) {
            None => Ok(v[first]),
            Some(l) => {
                let kind = FailureKind::Convergence(format!("{what} differs between lanes of one warp"));
                Err(LaneFailure::new(l, kind))
            }
        }
    };
    // A register operand has the number in its low four bits and the count from bit 16 on (ptxas
    // 13.0.88 packs a dynamic `bar.sync a, b` like this).
    let raw = uniform(warp, 0, "the barrier number")?;
    let id = (raw & 15) as u8;
    let expected = match (count, u.s[0].from) {
        (true, From::Imm) => uniform(warp, 1, "the thread count of a barrier")?,
        (true, _) if u.s[1] == super::uop::Src::default() => raw >> 16 & 0xfff,
        (true, _) => uniform(warp, 1, "the thread count of a barrier")?,
        (false, From::Imm) => u32::MAX,
        (false, _) if raw >> 16 != 0 => raw >> 16 & 0xfff,
        (false, _) => u32::MAX,
    };
    let warps_count = warps.len();
    let bar = &mut blk.bars[usize::from(id)];
    bar.arrived.resize(warps_count, 0);
    bar.votes.resize(warps_count, 0);
    if bar.expected == 0 {
        bar.expected = expected;
    } else if bar.expected != expected {
        let kind =
            FailureKind::Convergence(format!("barrier {id} is used with different thread counts at the same time"));
        return Err(LaneFailure::new(first, kind));
    }
    let warp = &mut warps[w];
    let complete = |bar: &NamedBarrier| warp.live & !bar.arrived[w] == 0;
    let before = complete(bar);
    bar.arrived[w] |= m;
    if !matches!(mode, BarMode::Sync | BarMode::Arrive) {
        bar.votes[w] |= warp.pred(u.p[0]) & m;
        bar.reduction = Some(mode);
    }
    if !before && complete(bar) {
        bar.threads += 32;
    }
    warp.splits[warp.cur].pc += 1;
    if mode != BarMode::Arrive {
        warp.splits[warp.cur].wait = Wait::Barrier(id);
    }
    Ok(id)
}

/// Completes barrier `id` if all threads it waits for have arrived. Returns whether warps were
/// released.
pub fn complete(warps: &mut [Warp], id: usize, blk: &mut Block, g: &mut Global<'_>) -> bool {
    let bar = &mut blk.bars[id];
    if bar.expected == 0 {
        return false;
    }
    let all_there = if bar.expected == u32::MAX {
        warps.iter().zip(&bar.arrived).all(|(w, &a)| w.live & !a == 0)
    } else {
        bar.threads >= bar.expected
    };
    if !all_there {
        return false;
    }
    let result = match bar.reduction {
        Some(BarMode::Popc) => bar.votes.iter().map(|v| v.count_ones()).sum(),
        Some(BarMode::And) => {
            let same = bar.votes.iter().zip(&bar.arrived).all(|(v, a)| v == a);
            if same { !0 } else { 0 }
        }
        Some(BarMode::Or) if bar.votes.iter().any(|&v| v != 0) => !0,
        _ => 0,
    };
    let acquired = warps.iter().zip(&bar.arrived).filter(|(_, a)| **a != 0).map(|(w, _)| w.acquired).max().unwrap_or(0);
    for (w, arrived) in warps.iter_mut().zip(&bar.arrived) {
        if *arrived == 0 {
            continue;
        }
        let mut released = 0;
        for s in w.splits.iter_mut().filter(|s| s.wait == Wait::Barrier(id as u8)) {
            s.wait = Wait::None;
            s.since = g.now;
            released |= s.mask;
        }
        if released != 0 {
            w.block_sync = g.now;
            w.acquired = w.acquired.max(acquired);
            for l in lanes(released) {
                w.bar_result[l] = result;
            }
        }
    }
    *bar = NamedBarrier::default();
    g.stats.barriers += 1;
    true
}
