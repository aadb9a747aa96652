//! Late completion: variable-latency results arrive when the program waits for them, not before.
//!
//! Problem: the tracker ([`super::hazard`]) checks that no pending register is touched; an error in
//! it would be hidden by values that arrive at once. Strategy: in this mode a result is removed
//! from its registers after the instruction has run and parked; the registers are undefined until
//! the tracker reports the arrival, when the result's scoreboard (or a later one of the same unit)
//! is waited for. Undefined bits that reach an address, a branch or the host are then failures
//! independent of the tracker's.
//!
//! Memory is not affected: loads read and stores write when they issue.

use super::hazard::Arrival;
use super::uop::{Program, RES_PRED, RES_UPRED, RES_UREG, Uop};
use super::warp::{Lanes, Parked, Warp};

/// When variable-latency results arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Completion {
    /// With the next instruction.
    #[default]
    Early,
    /// When they are waited for.
    Late,
}

fn bit(mask: u32) -> Lanes {
    super::warp::each(|l| mask >> l & 1)
}

fn bits(lanes: &Lanes) -> u32 {
    super::warp::mask_of(|l| lanes[l] != 0)
}

impl Warp {
    /// Parks the results of `u`, just executed in the lanes of `m`.
    pub fn park(&mut self, p: &Program, pc: u32, u: &Uop, m: u32) {
        for d in p.defs_of(u) {
            let (value, undef) = match d.res {
                n if n < RES_UREG => (*self.reg(n as u8), super::warp::each(|l| self.reg_undef(n as u8, l))),
                n if n < RES_PRED => {
                    let n = usize::from(n - RES_UREG);
                    ([self.uregs[n]; 32], [self.ureg_undef[n]; 32])
                }
                n if n < RES_UPRED => {
                    let n = usize::from(n - RES_PRED);
                    (bit(self.preds[n]), bit(self.pred_undef[n]))
                }
                n => {
                    let n = n - RES_UPRED;
                    ([u32::from(self.upreds >> n & 1); 32], [u32::from(self.upred_undef >> n & 1); 32])
                }
            };
            let early = u.early_pred && d.res >= RES_PRED;
            self.parked.push(Parked { pc, res: d.res, lanes: m, early, value, undef });
            self.taint_res(d.res, m);
        }
    }

    /// Writes results that have arrived to their registers.
    pub fn deliver(&mut self, arrival: Arrival) {
        let mut parked = std::mem::take(&mut self.parked);
        parked.retain_mut(|r| {
            let lanes = r.lanes & arrival.lanes;
            if r.pc != arrival.pc || r.early != arrival.early || lanes == 0 {
                return true;
            }
            match r.res {
                n if n < RES_UREG => {
                    self.put(n as u8, lanes, &r.value);
                    for l in super::exec_mem::lanes(lanes) {
                        self.taint(n as u8, l, r.undef[l]);
                    }
                }
                n if n < RES_PRED => self.put_ureg((n - RES_UREG) as u8, r.value[0], r.undef[0]),
                n if n < RES_UPRED => self.put_pred((n - RES_PRED) as u8, lanes, bits(&r.value), bits(&r.undef)),
                n => self.put_upred((n - RES_UPRED) as u8, r.value[0] != 0, r.undef[0] != 0),
            }
            // A uniform result arrives as a whole.
            let uniform = (RES_UREG..RES_PRED).contains(&r.res) || r.res >= RES_UPRED;
            r.lanes &= !lanes;
            r.lanes != 0 && !uniform
        });
        self.parked = parked;
    }
}
