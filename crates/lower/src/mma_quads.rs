//! `mma.m8n8k4` of f16: four products at once, each by a group of eight lanes (PTX ISA 9.0,
//! 9.7.14.5.1).
//!
//! No machine from sm_80 on has it. Each lane computes its elements of D by itself, as ptxas
//! 13.0.88 does: a chain of fused f32 operations in rising k, which begins with an addition to +0
//! for D of f32 and with a product for D of f16, and at the end the sum with C. Elements of A and B
//! come from other lanes of the group by shuffles.
//!
//! A lane has elements of D in two rows (f32) or one row (f16). Which ones depends on the lane, so
//! where A is by columns or B by rows, the lane chooses among the registers that it gets.

use crate::build::Lower;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::{Cond, Cty, CvtRnd, Fty, Ftz, MmaTy, Op as I, Rnd, Sat, ShflMode, Sign, Special, Value, Width};
use raddle_ptx::{InstId, Mod, Ty};

/// Products of a sum.
const K: usize = 4;

/// Values that depend on the lane alone.
struct Lane {
    /// The first of the four lanes that hold the same half of the group's matrices.
    quad: Value,
    /// The same for the lower and the upper half.
    halves: [Value; 2],
    /// Bits 0 and 1 of the lane.
    bits: [Value; 2],
}

impl Lower<'_> {
    /// Lowers the product of a group; types of D and C.
    pub(crate) fn mma_quads(&mut self, inst: InstId, d: MmaTy, c: MmaTy) -> Result<(), Reason> {
        let body = self.input.body;
        let layouts: Vec<Mod> = body.mods(inst).iter().copied().filter(|m| matches!(m, Mod::Row | Mod::Col)).collect();
        let [layout_a, layout_b] = layouts[..] else { return unsupported("these layouts") };
        let lane = self.lane();
        let a = self.pieces_of(inst, 1)?;
        let b = self.pieces_of(inst, 2)?;
        let [Ok(a), Ok(b)] = [a, b].map(<[Value; 2]>::try_from) else { return unsupported("this number of registers") };
        let half = d == MmaTy::F16;
        let rows: Vec<[Value; K]> = if half {
            vec![self.row(&lane, a, layout_a == Mod::Row, None)]
        } else {
            [0, 1].map(|upper| self.row(&lane, a, layout_a == Mod::Row, Some(upper))).into()
        };
        let columns: Vec<[Value; K]> = if half {
            (0..8).map(|n| self.column_at(&lane, b, layout_b == Mod::Row, n)).collect()
        } else {
            let at = [(0, 0), (0, 1), (1, 0), (1, 1)];
            at.map(|(high, odd)| self.column(&lane, b, layout_b == Mod::Row, high, odd)).into()
        };
        let c = self.addends(inst, &lane, c, half)?;
        // Element i of D: its row of A and its column of B.
        let place = |i: usize| if half { (0, i) } else { (i >> 1 & 1, (i >> 2) * 2 + (i & 1)) };
        if c.len() != 8 {
            return unsupported("this number of registers");
        }
        let sums: Vec<Value> = (0..8)
            .map(|i| {
                let (row, column) = place(i);
                let sum = self.chain(&rows[row], &columns[column], half);
                self.emit(I::Fadd(Fty::F32, Rnd::Rn, Ftz::No, Sat::No), &[sum, c[i]], Width::B32)
            })
            .collect();
        let results = if half { self.pairs(&sums) } else { sums };
        let parts = self.parts(body.operand(inst, 0));
        self.set_pieces(&parts, &results)
    }

    fn pieces_of(&mut self, inst: InstId, index: usize) -> Result<Vec<Value>, Reason> {
        let mut out = Vec::new();
        let Some(&ty) = self.input.body.types(inst).get(index) else { return not_yet() };
        for part in self.parts(self.input.body.operand(inst, index)) {
            self.push_pieces(part, ty, &mut out)?;
        }
        Ok(out)
    }

    /// The elements of C as f32, in the places of those of D: of f16 they are spread otherwise than
    /// of f32.
    fn addends(&mut self, inst: InstId, lane: &Lane, c: MmaTy, half: bool) -> Result<Vec<Value>, Reason> {
        let words = self.pieces_of(inst, 3)?;
        if c != MmaTy::F16 {
            return Ok(words);
        }
        let Ok(words) = <[Value; 4]>::try_from(words) else { return unsupported("this number of registers") };
        if half {
            return Ok(words.into_iter().flat_map(|word| [0, 1].map(|n| self.number(word, n))).collect());
        }
        // Rows of bit 0 of the lane, and columns of bit 1.
        let first = self.lane_at(lane.quad, lane.bits[0]);
        let mut out = Vec::new();
        for (high, upper) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let from = self.lane_number(first, 2 * upper);
            let pair = [words[2 * high], words[2 * high + 1]].map(|word| self.lane_word(word, from));
            let word = self.choose(lane.bits[1], pair[1], pair[0]);
            out.extend([0, 1].map(|n| self.number(word, n)));
        }
        Ok(out)
    }

    /// Converts a half of a word to f32, which is exact.
    fn number(&mut self, word: Value, half: usize) -> Value {
        let bits = self.emit_many(I::Unpack, &[word], &[Width::B16, Width::B16])[half];
        self.emit(I::Cvt(Cty::F32, Cty::F16, CvtRnd::None, Ftz::No, Sat::No), &[bits], Width::B32)
    }

    /// Rounds f32 to f16, two to a word.
    fn pairs(&mut self, sums: &[Value]) -> Vec<Value> {
        let round =
            |l: &mut Self, v| l.emit(I::Cvt(Cty::F16, Cty::F32, CvtRnd::Rn, Ftz::No, Sat::No), &[v], Width::B16);
        sums.chunks_exact(2)
            .map(|pair| {
                let halves = [round(self, pair[0]), round(self, pair[1])];
                self.emit(I::Pack, &halves, Width::B32)
            })
            .collect()
    }

    fn chain(&mut self, row: &[Value; K], column: &[Value; K], half: bool) -> Value {
        let mut sum = if half { None } else { Some(self.constant(0, Width::B32)) };
        for (&x, &y) in row.iter().zip(column) {
            sum = Some(match sum {
                Some(sum) => self.emit(I::Ffma(Fty::F32, Rnd::Rn, Ftz::No, Sat::No), &[x, y, sum], Width::B32),
                None => self.emit(I::Fmul(Fty::F32, Rnd::Rn, Ftz::No, Sat::No), &[x, y], Width::B32),
            });
        }
        sum.unwrap_or(row[0])
    }

    fn lane(&mut self) -> Lane {
        let lane = self.emit(I::Special(Special::LaneId), &[], Width::B32);
        let masked = |l: &mut Self, mask: u64| {
            let mask = l.constant(mask, Width::B32);
            l.emit(I::And, &[lane, mask], Width::B32)
        };
        let (quad, group) = (masked(self, 0x1c), masked(self, 0x0c));
        let bits = [masked(self, 1), masked(self, 2)];
        let sixteen = self.constant(16, Width::B32);
        let upper = self.emit(I::Add, &[group, sixteen], Width::B32);
        Lane { quad, halves: [group, upper], bits }
    }

    /// Returns a word of another lane.
    fn lane_word(&mut self, word: Value, lane: Value) -> Value {
        let (last, all) = (self.constant(31, Width::B32), self.constant(u32::MAX.into(), Width::B32));
        self.emit_many(I::Shfl(ShflMode::Idx), &[word, lane, last, all], &[Width::B32, Width::P])[0]
    }

    fn lane_at(&mut self, base: Value, by: Value) -> Value {
        self.emit(I::Add, &[base, by], Width::B32)
    }

    fn lane_number(&mut self, base: Value, by: u64) -> Value {
        let by = self.constant(by, Width::B32);
        self.lane_at(base, by)
    }

    /// Chooses one of two values by a bit of the lane.
    fn choose(&mut self, bit: Value, set: Value, clear: Value) -> Value {
        let zero = self.constant(0, Width::B32);
        let is_set = self.icmp(Cond::Ne, Sign::U, bit, zero);
        self.emit(I::Select, &[is_set, set, clear], Width::B32)
    }

    /// A half of a word, as f32, by bit 0 of the lane.
    fn chosen_half(&mut self, lane: &Lane, word: Value) -> Value {
        let halves = [self.number(word, 0), self.number(word, 1)];
        self.choose(lane.bits[0], halves[1], halves[0])
    }

    /// A row of A: with `upper` that of bit 0 of the lane, two further down if it is 1; else that of
    /// the lane's two low bits.
    fn row(&mut self, lane: &Lane, a: [Value; 2], by_rows: bool, upper: Option<usize>) -> [Value; K] {
        if by_rows {
            // The row of a lane is in its two registers.
            let words = match upper {
                None => a,
                Some(upper) => {
                    let first = self.lane_at(lane.quad, lane.bits[0]);
                    let from = self.lane_number(first, 2 * upper as u64);
                    a.map(|word| self.lane_word(word, from))
                }
            };
            return [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(word, half)| self.number(words[word], half));
        }
        // Element k of all rows is in lane k.
        [0, 1, 2, 3].map(|k| {
            let from = self.lane_number(lane.quad, k);
            let word = match upper {
                Some(upper) => self.lane_word(a[upper], from),
                None => {
                    let words = a.map(|word| self.lane_word(word, from));
                    self.choose(lane.bits[1], words[1], words[0])
                }
            };
            self.chosen_half(lane, word)
        })
    }

    /// The column of B, of the lower or upper four, that bit 1 of the lane and `odd` give.
    fn column(&mut self, lane: &Lane, b: [Value; 2], by_rows: bool, high: usize, odd: usize) -> [Value; K] {
        let base = lane.halves[high];
        if !by_rows {
            let first = self.lane_at(base, lane.bits[1]);
            let from = self.lane_number(first, odd as u64);
            let words = b.map(|word| self.lane_word(word, from));
            return [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(word, half)| self.number(words[word], half));
        }
        [0, 1, 2, 3].map(|k| {
            let from = self.lane_number(base, k);
            let words = b.map(|word| self.lane_word(word, from));
            let word = self.choose(lane.bits[1], words[1], words[0]);
            self.number(word, odd)
        })
    }

    /// Column `n` of B.
    fn column_at(&mut self, lane: &Lane, b: [Value; 2], by_rows: bool, n: usize) -> [Value; K] {
        let (base, n) = (lane.halves[n / K], n % K);
        if !by_rows {
            let from = self.lane_number(base, n as u64);
            let words = b.map(|word| self.lane_word(word, from));
            return [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(word, half)| self.number(words[word], half));
        }
        [0, 1, 2, 3].map(|k| {
            let from = self.lane_number(base, k);
            let word = self.lane_word(b[n / 2], from);
            self.number(word, n % 2)
        })
    }
}

/// Whether an instruction is such a product.
pub(crate) fn is_quads(mods: &[Mod], types: &[Ty]) -> bool {
    mods.contains(&Mod::M8n8k4) && types.get(1) == Some(&Ty::F16)
}
