//! Asynchronous copies of a warp.

use super::block::Block;
use crate::mem::Flight;

/// Copies of a warp that have not arrived.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// Not in a group yet.
    pub open: Vec<Flight>,
    /// Groups with their scoreboards, the oldest first.
    pub groups: std::collections::VecDeque<(u8, Vec<Flight>)>,
}

impl Copies {
    /// Whether there are none.
    pub fn none(&self) -> bool {
        self.groups.is_empty()
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.open.clear();
        self.groups.clear();
    }

    /// Completes groups, the oldest first, until `left` of a scoreboard are pending.
    pub fn settle(&mut self, scoreboard: u8, left: usize, blk: &mut Block) {
        let mut more = self.groups.iter().filter(|g| g.0 == scoreboard).count().saturating_sub(left);
        self.groups.retain(|(sb, flights)| {
            let arrives = *sb == scoreboard && more > 0;
            if arrives {
                more -= 1;
                flights.iter().for_each(|f| f.arrive(&mut blk.shared));
            }
            !arrives
        });
    }

    /// Completes the groups of a set of scoreboards that were waited for.
    pub fn waited(&mut self, set: u8, blk: &mut Block) {
        (0..6).filter(|sb| set >> sb & 1 != 0).for_each(|sb| self.settle(sb, 0, blk));
    }
}
