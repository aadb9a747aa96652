//! Asynchronous copies of a warp.

use super::block::Block;

/// A copy: the lane that made it and its number among those that have not arrived.
type Copy = (u8, u64);

/// Copies of a warp that nothing has waited for.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// Not in a group yet.
    pub open: Vec<Copy>,
    /// Groups with their scoreboards, the oldest first.
    pub groups: std::collections::VecDeque<(u8, Vec<Copy>)>,
}

impl Copies {
    /// Whether there are no groups.
    pub fn none(&self) -> bool {
        self.groups.is_empty()
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.open.clear();
        self.groups.clear();
    }

    /// Forgets the copies that have arrived.
    pub fn prune(&mut self, blk: &Block) {
        let waits = |copy: &Copy| blk.cluster.flights.contains_key(&copy.1);
        self.open.retain(waits);
        self.groups.iter_mut().for_each(|group| group.1.retain(waits));
    }

    /// Returns the copies of a lane.
    pub fn of_lane(&self, lane: usize) -> Vec<u64> {
        let all = self.groups.iter().flat_map(|group| &group.1).chain(&self.open);
        all.filter(|copy| usize::from(copy.0) == lane).map(|copy| copy.1).collect()
    }

    /// Completes groups, the oldest first, until `left` of a scoreboard are pending.
    pub fn settle(&mut self, scoreboard: u8, left: usize, blk: &mut Block) {
        let mut more = self.groups.iter().filter(|g| g.0 == scoreboard).count().saturating_sub(left);
        self.groups.retain(|(sb, copies)| {
            let arrives = *sb == scoreboard && more > 0;
            if arrives {
                more -= 1;
                copies.iter().for_each(|copy| blk.arrive(copy.1));
            }
            !arrives
        });
    }

    /// Completes the groups of a set of scoreboards that were waited for.
    pub fn waited(&mut self, set: u8, blk: &mut Block) {
        (0..6).filter(|sb| set >> sb & 1 != 0).for_each(|sb| self.settle(sb, 0, blk));
    }
}
