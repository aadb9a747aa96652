//! Executes matrix products.

use super::fragment::{Kept, LONGEST, Lines, Metadata, Registers, result_place};
use super::whole_warp;
use crate::float::{F64, Mode, Rounding, fma};
use crate::machine::block::Exec;
use crate::machine::tensor::{Arithmetic, Element, Layout, MatrixOp, Number, Rule, sum};
use crate::machine::uop::Uop;
use crate::machine::warp::Warp;

/// The factors of a product, in the register file.
struct Factors {
    a: Lines,
    b: Lines,
    /// Which columns a sparse A has.
    kept: Option<Kept>,
    /// Elements of a row of A that are stored.
    stored: usize,
}

impl Factors {
    /// The column of A, thus the row of B, of the stored element `k` of a row.
    fn column(&self, row: usize, k: usize) -> usize {
        self.kept.as_ref().map_or(k, |kept| kept.columns[row][k].into())
    }

    /// Whether a result depends on undefined bits of the factors.
    fn is_undefined(&self, row: usize, column: usize) -> bool {
        self.a.undefined >> row & 1 != 0
            || self.b.undefined >> column & 1 != 0
            || self.kept.as_ref().is_some_and(|kept| kept.undefined)
    }

    /// The pairs of elements whose products are summed.
    fn pairs(&self, row: usize, column: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0..self.stored).map(move |k| (self.a.bits[row][k], self.b.bits[column][self.column(row, k)]))
    }
}

impl Warp {
    /// Runs a matrix product.
    pub fn exec_matrix(&mut self, u: &Uop, m: u32, op: &MatrixOp) -> Exec {
        whole_warp(m, "a matrix product")?;
        let factors = self.factors(u, op);
        match op.arithmetic {
            Arithmetic::Float(rule) => self.float_product(u, op, rule, &factors),
            Arithmetic::Integer(clamped) => self.word_product(u, op, &factors, |row, column, c| {
                let (a, b) = (factor_of(op.a), factor_of(op.b));
                let products = factors.pairs(row, column).map(|(x, y)| a(x) * b(y));
                let total = i64::from(c as i32) + products.sum::<i64>();
                let clamp = |v: i64| v.clamp(i32::MIN.into(), i32::MAX.into());
                (if clamped { clamp(total) } else { total }) as u32
            }),
            Arithmetic::Popcount(exclusive) => self.word_product(u, op, &factors, |row, column, c| {
                let count = |(x, y): (u64, u64)| (if exclusive { x ^ y } else { x & y }).count_ones();
                factors.pairs(row, column).map(count).fold(c, u32::wrapping_add)
            }),
            Arithmetic::Double(rounding) => self.double_product(u, op, rounding, &factors),
        }
        Ok(())
    }

    fn factors(&self, u: &Uop, op: &MatrixOp) -> Factors {
        let [a, b, _] = op.registers();
        let factor = |i: usize, count, element: Element, tall| Registers {
            source: &u.s[i],
            count,
            element: element.bits(),
            tall,
            absolute: op.absolute[i],
            negated: op.negated[i],
        };
        let inner = usize::from(op.inner);
        Factors {
            a: self.lines(factor(0, a, op.a, op.rows == 16)),
            b: self.lines(factor(1, b, op.b, false)),
            kept: op
                .selector
                .map(|selector| self.kept(Metadata { source: &u.s[3], selector, count: a, element: op.a.bits() })),
            stored: if op.selector.is_some() { inner / 2 } else { inner },
        }
    }

    /// Results of 32 bits, by row, column and accumulator.
    fn word_product(&mut self, u: &Uop, op: &MatrixOp, factors: &Factors, result: impl Fn(usize, usize, u32) -> u32) {
        self.results(u, op, |row, column, c, undefined| {
            let unknown = undefined != 0 || factors.is_undefined(row, column);
            (result(row, column, c), if unknown { !0 } else { 0 })
        });
    }

    /// Results in registers of 32 bits: `result` gets row, column, the accumulator's register and
    /// its undefined bits.
    fn results(&mut self, u: &Uop, op: &MatrixOp, result: impl Fn(usize, usize, u32, u32) -> (u32, u32)) {
        let [_, _, count] = op.registers();
        // Results may overwrite the accumulator.
        let accumulator: [[(u32, u32); 32]; 4] =
            std::array::from_fn(|r| std::array::from_fn(|lane| self.piece(&u.s[2], r, lane)));
        for (r, accumulator) in accumulator[..usize::from(count)].iter().enumerate() {
            for (lane, &(c, c_undefined)) in accumulator.iter().enumerate() {
                let (row, column) = result_place(r, lane, op.is_half());
                let (value, undefined) = result(row, column, c, c_undefined);
                if u.d != 255 {
                    self.put_lane(u.d + r as u8, lane, value);
                    self.taint(u.d + r as u8, lane, undefined);
                }
            }
        }
    }

    fn float_product(&mut self, u: &Uop, op: &MatrixOp, rule: Rule, factors: &Factors) {
        let (Element::Float(a_layout, _), Element::Float(b_layout, _)) = (op.a, op.b) else { return };
        let fraction = a_layout.fraction() + b_layout.fraction();
        let (a, b) = (numbers(&factors.a, a_layout), numbers(&factors.b, b_layout));
        let one = |row: usize, column: usize, c: u32| {
            let mut products = [(Number::default(), Number::default()); LONGEST];
            for (k, product) in products[..factors.stored].iter_mut().enumerate() {
                *product = (a[row][k], b[column][factors.column(row, k)]);
            }
            sum(rule, &products[..factors.stored], fraction, c)
        };
        if !op.is_half() {
            return self.word_product(u, op, factors, one);
        }
        self.results(u, op, |row, column, c, undefined| {
            let halves = [c & 0xffff, c >> 16];
            let (mut value, mut unknown) = (0, 0);
            for (i, c) in halves.into_iter().enumerate() {
                value |= one(row, column + i, c) << (16 * i);
                let half = 0xffff << (16 * i);
                if undefined & half != 0 || factors.is_undefined(row, column + i) {
                    unknown |= half;
                }
            }
            (value, unknown)
        });
    }

    fn double_product(&mut self, u: &Uop, op: &MatrixOp, rounding: Rounding, factors: &Factors) {
        let mode = Mode { rounding, ..Mode::RN };
        let [_, _, count] = op.registers();
        let accumulator: [[(u64, u64); 32]; 4] =
            std::array::from_fn(|r| std::array::from_fn(|lane| self.pair(&u.s[2], r, lane)));
        for (r, accumulator) in accumulator[..usize::from(count)].iter().enumerate() {
            for (lane, &(c, c_undefined)) in accumulator.iter().enumerate() {
                let (row, column) = result_place(r, lane, false);
                let c = signed(c, op.absolute[2], op.negated[2]);
                let d = factors.pairs(row, column).fold(c, |sum, (x, y)| fma(&F64, x, y, sum, mode));
                let unknown = c_undefined != 0 || factors.is_undefined(row, column);
                for (i, half) in [d as u32, (d >> 32) as u32].into_iter().enumerate() {
                    if u.d != 255 {
                        let register = u.d + (2 * r + i) as u8;
                        self.put_lane(register, lane, half);
                        self.taint(register, lane, if unknown { !0 } else { 0 });
                    }
                }
            }
        }
    }
}

/// A binary64 number with the modifiers of an operand.
fn signed(bits: u64, absolute: bool, negated: bool) -> u64 {
    let bits = if absolute { bits & !(1 << 63) } else { bits };
    bits ^ u64::from(negated) << 63
}

/// Reads the elements of all lines.
fn numbers(lines: &Lines, layout: Layout) -> [[Number; LONGEST]; 16] {
    let mut out = [[Number::default(); LONGEST]; 16];
    for (line, bits) in out.iter_mut().zip(&lines.bits) {
        for (number, &encoding) in line.iter_mut().zip(bits) {
            *number = layout.read(encoding as u32);
        }
    }
    out
}

/// The value of an integer element.
pub fn factor_of(element: Element) -> impl Fn(u64) -> i64 {
    let (bits, is_signed) = match element {
        Element::Integer { bits, signed } => (u32::from(bits), signed),
        _ => (32, false),
    };
    move |v| if is_signed { (v << (64 - bits)) as i64 >> (64 - bits) } else { v as i64 }
}
