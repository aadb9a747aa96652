//! Instructions at which lanes wait for others: they are not issued until they can go on.

use super::super::async_op::AsyncOp;
use super::super::block::{Block, Global};
use super::super::exec_mem::lanes;
use super::super::object::Place;
use super::super::uop::{Kind, Uop};
use super::super::warp::{Wait, Warp};

impl Warp {
    /// Returns what the lanes of `m` wait for before they run `u`. What is wrong with its operands
    /// is reported when it runs.
    pub fn parks(&self, u: &Uop, m: u32, blk: &Block, g: &mut Global<'_>) -> Option<Wait> {
        let Kind::Async(op) = &u.kind else { return None };
        if m == 0 {
            return None;
        }
        match op {
            AsyncOp::Check { at, .. } => {
                let mut first = None;
                for lane in lanes(m) {
                    let (_, place, _) = self.object_site(at, (false, "read"), lane, blk, g).ok()?;
                    if self.passes(u, place, lane, blk).unwrap_or(true) {
                        return None;
                    }
                    first = first.or(Some(place));
                }
                // Now and then a wait gives up at once.
                first.filter(|_| self.tired & m == 0 && g.rng.below(4) != 0).map(Wait::Object)
            }
            AsyncOp::ClusterWait => {
                let at = self.cluster_row(blk);
                let (arrived, passed) = (blk.cluster.barrier.arrived[at], blk.cluster.barrier.passed[at]);
                (arrived & m == m && passed & m != m).then_some(Wait::Cluster)
            }
            AsyncOp::Registers { count, grows: true } => {
                let fits = self.can_grow(*count, blk);
                (!fits && self.tired & m == 0).then_some(Wait::Registers)
            }
            _ => None,
        }
    }
}

/// Text of what a subset waits for.
pub fn describe(wait: Wait, blk: &Block) -> String {
    match wait {
        Wait::Object(at) => describe_object(at, blk),
        Wait::Cluster => "at the barrier of the cluster".into(),
        Wait::Registers => "for registers that other warps return".into(),
        Wait::Warpgroup => "for the other warps of its warpgroup".into(),
        _ => String::new(),
    }
}

fn describe_object(at: Place, blk: &Block) -> String {
    let state = blk.cluster.objects.get(&at).map_or_else(String::new, |o| format!(" ({})", o.describe()));
    format!("for the mbarrier object at shared {:#x}{state}", at.address())
}
