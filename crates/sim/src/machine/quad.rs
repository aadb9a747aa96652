//! Quads of lanes: lanes that run along for the sake of their quad, and sums across a quad.
//!
//! Problem: a lookup with derivatives of three coordinates is one of a quad, whose lanes hold the
//! place and the places moved by the derivatives; lanes of the quad that are in another subset, or
//! have exited, take part. Facts: ptxas 13.0.88 output for `tex.grad` on sm_80 to sm_89, which keeps
//! the active lanes in a barrier register (`BMOV.32 B15, MACTIVE`), makes their quads active
//! (`BMOV.32.PQUAD MACTIVE, B15`), and makes the kept ones active again (`BMOV.32 MACTIVE, B15`);
//! Mesa's nouveau for the operations of a quad (`QUADOP`: lane 0 has the highest bits). Not
//! confirmed on hardware: lanes that have exited, or never existed, run along, too, with the
//! registers that they have.
//!
//! A lane that runs along writes its registers. Code that changes one that the lane needs later
//! computes something else, as on hardware.

use super::block::{Exec, LaneFailure};
use super::exec_int::all;
use super::exec_mem::lanes;
use super::operands::Why;
use super::uop::{Kind, Uop};
use super::warp::{Lanes, Warp, each};
use crate::failure::FailureKind;
use crate::float::{self, F32, Mode};
use raddle_sass::{Inst, Mod, SlotRole};

/// The lowest lane of each quad.
const FIRST: u32 = 0x1111_1111;

/// All lanes of the quads of some lanes.
pub fn quads(lanes: u32) -> u32 {
    let any = (lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & FIRST;
    any * 15
}

/// The value of an operand that is printed by name.
fn named(inst: &Inst) -> Option<u16> {
    match inst.slot(SlotRole::Misc).map(|o| o.kind) {
        Some(raddle_sass::Kind::Named(raw)) => Some(raw),
        _ => None,
    }
}

/// Selects a move between a barrier register and the active lanes.
pub fn select_active(inst: &Inst, bar: u8) -> Result<Kind, Why> {
    match inst.row().slots.first().map(|slot| slot.role) {
        Some(SlotRole::Bar) => Ok(Kind::ActiveFrom { bar }),
        Some(SlotRole::Misc) => Ok(Kind::ActiveTo { bar, quads: inst.has(Mod::Pquad) }),
        _ => Err("BMOV in this form".to_string()),
    }
}

/// The signs of a sum in a quad.
pub fn signs(inst: &Inst) -> Result<u8, Why> {
    named(inst).and_then(|raw| u8::try_from(raw).ok()).ok_or_else(|| "FSWZADD without signs".to_string())
}

/// One lane's part of a sum: two bits say how its sources count (nvdisasm: `PP`, `PN`, `NP`, `ZP`).
fn one_sum(how: u8, a: u32, b: u32, mode: Mode) -> u32 {
    const SIGN: u32 = 1 << 31;
    let (a, b) = match how {
        0 => (a, b),
        1 => (a, b ^ SIGN),
        2 => (a ^ SIGN, b),
        _ => return b,
    };
    float::add(&F32, a.into(), b.into(), mode) as u32
}

impl Warp {
    /// Lanes of a lane's quad, one bit each.
    pub fn quad_of(lane: usize) -> u32 {
        15 << (lane & 28)
    }

    /// The lanes that run along.
    pub fn lent(&self) -> u32 {
        self.splits[self.cur].lent
    }

    /// A failure unless control flow concerns no lanes that run along.
    pub fn only_active(&self, u: &Uop, m: u32) -> Exec {
        let moves = matches!(
            u.kind,
            Kind::ActiveFrom { .. } | Kind::ActiveTo { .. } | Kind::BmovFrom { .. } | Kind::BmovTo { .. }
        );
        if self.lent() == 0 || moves {
            return Ok(());
        }
        let kind = FailureKind::Convergence("control flow while whole quads are active".to_string());
        Err(LaneFailure::new(m.trailing_zeros() as usize, kind))
    }

    /// Keeps the active lanes in a barrier register: lanes that will run along read it, too.
    pub fn keep_active(&mut self, bar: u8) {
        let active = self.active();
        self.set_bar(bar, quads(active), |_| active);
    }

    /// Makes the lanes in a barrier register active, which are those of the subset, or their quads.
    pub fn set_active(&mut self, bar: u8, whole: bool) -> Exec {
        let mask = self.splits[self.cur].mask;
        let lane = mask.trailing_zeros() as usize & 31;
        let kept = self.bars[usize::from(bar)][lane];
        if kept != mask {
            let text = format!("MACTIVE of lanes {kept:#010x}, in a subset of lanes {mask:#010x}");
            return Err(LaneFailure::new(lane, FailureKind::Convergence(text)));
        }
        self.splits[self.cur].lent = if whole { quads(mask) & !mask } else { 0 };
        Ok(())
    }

    /// `MOV` in some lanes of each quad.
    pub fn move_lanes(&mut self, u: &Uop, m: u32, of: u8) {
        self.tri(u, m & (FIRST * u32::from(of)), |_, t| t[1], |_, b, _| b);
    }

    /// `FSWZADD`.
    pub fn add_in_quads(&mut self, u: &Uop, m: u32, mode: Mode, signs: u8) {
        let (a, b) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]));
        let how = |l: usize| signs >> (6 - 2 * (l & 3)) & 3;
        let v: Lanes = each(|l| one_sum(how(l), a[l], b[l], mode));
        let t: Lanes = each(|l| {
            let first = if how(l) == 3 { 0 } else { self.src_undef(&u.s[0], l) };
            all(&[0; 3], &[first, self.src_undef(&u.s[1], l), 0])
        });
        self.put(u.d, m, &v);
        for l in lanes(m) {
            self.taint(u.d, l, t[l]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_makes_its_quad_active() {
        assert_eq!(quads(0), 0);
        assert_eq!(quads(1 << 5 | 1 << 31), 0xf000_00f0);
        assert_eq!(Warp::quad_of(6), 0xf0);
    }

    #[test]
    fn lanes_of_a_quad_add_with_their_signs() {
        let sum = |how| f32::from_bits(one_sum(how, 5f32.to_bits(), 3f32.to_bits(), Mode::RN));
        assert_eq!([0, 1, 2, 3].map(sum), [8.0, 2.0, -2.0, 3.0]);
        let infinite = one_sum(3, f32::INFINITY.to_bits(), (-0f32).to_bits(), Mode::RN);
        assert_eq!(infinite, (-0f32).to_bits(), "nothing of the first source");
    }
}
