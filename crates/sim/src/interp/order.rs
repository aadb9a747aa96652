//! The order in which blocks, warps and lanes run.
//!
//! PTX guarantees no order between blocks, between warps, or between lanes that execute one atomic
//! operation. Seed 0 is the simple order: blocks and warps one after another in long turns. Every
//! other seed is another order that PTX allows: turns of all lengths, blocks from the first or from
//! the last on, lanes of an atomic operation forwards or backwards, clocks of another speed. A
//! program whose result is the same under several seeds is unlikely to depend on the order; one
//! whose result differs does depend on it.

use super::warp::lanes;
use raddle_entity::SplitMix;

/// Steps of a warp before another one of its block runs.
const WARP_TURN: u32 = 4096;
/// Turns of warps before another block runs.
const BLOCK_TURN: u32 = 64;

/// The choices of one seed.
pub struct Order {
    seed: u64,
    state: SplitMix,
}

impl Order {
    /// Creates the order of a seed.
    pub fn of(seed: u64) -> Order {
        Order { seed, state: SplitMix(seed) }
    }

    /// Returns a number below `n`, which is not zero.
    pub fn below(&mut self, n: u32) -> u32 {
        self.state.below(n.into()) as u32
    }

    /// Whether to choose differently from the simple order here, once in `n` times.
    pub fn now_and_then(&mut self, n: u32) -> bool {
        self.seed != 0 && self.below(n) == 0
    }

    /// Returns a length from 1 to `most`, short turns as likely as long ones.
    fn turn(&mut self, most: u32) -> u32 {
        let scale = 1 + self.below(most.ilog2());
        1 + self.below(1 << scale)
    }

    /// Returns the steps of a warp before another one of its block runs.
    pub fn warp_turn(&mut self) -> u32 {
        if self.seed == 0 { WARP_TURN } else { self.turn(WARP_TURN) }
    }

    /// Returns the turns of warps before another block runs.
    pub fn block_turn(&mut self) -> u32 {
        if self.seed == 0 { BLOCK_TURN } else { self.turn(BLOCK_TURN) }
    }

    /// Returns the block that is started as number `n` of `count`.
    pub fn block(&self, n: u64, count: u64) -> u64 {
        if self.seed & 2 == 0 { n } else { count - 1 - n }
    }

    /// Returns the one of `count` that runs after `last`.
    pub fn after(&mut self, last: u32, count: u32) -> u32 {
        if self.seed == 0 { (last + 1) % count } else { self.below(count) }
    }

    /// Returns the lanes of a mask in the order in which they execute an atomic operation.
    pub fn atomic(&self, mask: u32) -> impl Iterator<Item = usize> + use<> {
        let backwards = self.seed & 1 != 0;
        let mask = if backwards { mask.reverse_bits() } else { mask };
        lanes(mask).map(move |lane| if backwards { 31 - lane } else { lane })
    }

    /// Returns the value of a clock after this many thread steps, counted over the whole launch.
    pub fn clock(&self, steps: u64) -> u64 {
        steps.wrapping_mul(self.seed.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_zero_goes_forwards_in_long_turns() {
        let mut order = Order::of(0);
        assert_eq!((order.warp_turn(), order.block_turn()), (WARP_TURN, BLOCK_TURN));
        assert_eq!((order.block(3, 10), order.after(4, 5), order.clock(7)), (3, 0, 7));
        assert_eq!(order.atomic(0b1011).collect::<Vec<_>>(), [0, 1, 3]);
        assert!(!order.now_and_then(1));
    }

    #[test]
    fn another_seed_goes_backwards_in_turns_of_all_lengths() {
        let mut order = Order::of(3);
        assert_eq!((order.block(3, 10), order.clock(7)), (6, 28));
        assert_eq!(order.atomic(0b1011).collect::<Vec<_>>(), [3, 1, 0]);
        let turns: Vec<u32> = (0..200).map(|_| order.warp_turn()).collect();
        assert!(turns.iter().any(|&t| t < 4) && turns.iter().any(|&t| t > WARP_TURN / 4), "{turns:?}");
        assert!(turns.iter().all(|t| (1..=WARP_TURN).contains(t)), "{turns:?}");
    }
}
