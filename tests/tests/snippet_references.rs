//! The results of snippets of classes (a) and (b), computed separately in plain Rust from the
//! manual: the interpreter must give the same on many rows of values, although it shares code with
//! other parts.
#![expect(clippy::neg_cmp_op_on_partial_ord, reason = "unordered comparisons are what is meant")]

use half::{bf16, f16};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;
use raddle_tests::parallel;
use raddle_tests::snippet::{self, IN_ROW, OUT_ROW, PLACE, SHARED_PLACE, Snippet};

/// The inputs of one thread, as the registers of the snippet.
struct In<'a>(&'a [u8]);

impl In<'_> {
    fn word(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.0[at..at + 8].try_into().unwrap())
    }
    fn r(&self, n: usize) -> u32 {
        self.word(8 * n) as u32
    }
    fn s(&self, n: usize) -> i32 {
        self.r(n) as i32
    }
    fn rd(&self, n: usize) -> u64 {
        self.word(32 + 8 * n)
    }
    fn sd(&self, n: usize) -> i64 {
        self.rd(n) as i64
    }
    fn f(&self, n: usize) -> f32 {
        f32::from_bits(self.word(64 + 8 * n) as u32)
    }
    fn d(&self, n: usize) -> f64 {
        f64::from_bits(self.word(96 + 8 * n))
    }
    fn h(&self, n: usize) -> u16 {
        self.word(128 + 8 * n) as u16
    }
    fn half(&self, n: usize) -> f16 {
        f16::from_bits(self.h(n))
    }
}

/// The expected values at `[po]`, `[po+8]`, ...
enum Out {
    B16(u16),
    B32(u32),
    B64(u64),
    /// Two 32-bit results.
    Two(u32, u32),
    Three(u32, u32, u32),
    /// A binary32 within a relative and an absolute error, or equal as a special value.
    Near(f64, f64, f64),
}

use Out::*;

fn p(holds: bool) -> Out {
    B32(u32::from(holds))
}

fn f32_bits(x: f32) -> Out {
    B32(if x.is_nan() { 0x7fff_ffff } else { x.to_bits() })
}

fn f64_bits(x: f64) -> Out {
    B64(if x.is_nan() { 0xfff8_0000_0000_0000 } else { x.to_bits() })
}

fn half_bits(x: f16) -> u16 {
    if x.is_nan() { 0x7fff } else { x.to_bits() }
}

fn bf16_bits(x: bf16) -> u16 {
    if x.is_nan() { 0x7fff } else { x.to_bits() }
}

/// The product and the sum of three binary16 numbers fit in 106 bits, but not always in 53: rounded
/// to odd first.
fn fma_half(a: f16, b: f16, c: f16) -> f16 {
    let (product, c) = (a.to_f64() * b.to_f64(), c.to_f64());
    let sum = product + c;
    let tail = if product.abs() > c.abs() { c - (sum - product) } else { product - (sum - c) };
    if !sum.is_finite() || tail == 0.0 || sum.to_bits() & 1 == 1 {
        return f16::from_f64(sum);
    }
    let towards_tail = (tail > 0.0) == (sum > 0.0);
    let bits = sum.to_bits();
    f16::from_f64(f64::from_bits(if towards_tail { bits | 1 } else { bits - 1 }))
}

fn halves(word: u32) -> [f16; 2] {
    [f16::from_bits(word as u16), f16::from_bits((word >> 16) as u16)]
}

fn two(low: u16, high: u16) -> Out {
    B32(u32::from(low) | u32::from(high) << 16)
}

fn per_half(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> Out {
    two(f(a as u16, b as u16), f((a >> 16) as u16, (b >> 16) as u16))
}

fn per_byte(a: u32, b: u32, f: impl Fn(u8, u8) -> u32) -> [u32; 4] {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    [0, 1, 2, 3].map(|i| f(a[i], b[i]))
}

fn extract(value: u128, width: u32, pos: u32, len: u32, signed: bool) -> u64 {
    let (pos, len) = (pos & 255, len & 255);
    if len == 0 {
        return 0;
    }
    let sign = signed && value >> (pos + len - 1).min(width - 1) & 1 == 1;
    let mut out = 0u128;
    for i in 0..width {
        let inside = i < len && pos + i < width;
        let bit = if inside { value >> (pos + i) & 1 == 1 } else { sign };
        out |= u128::from(bit) << i;
    }
    out as u64
}

fn insert(from: u64, into: u64, width: u32, pos: u32, len: u32) -> u64 {
    let mut out = into;
    for i in 0..(len & 255) {
        let to = (pos & 255) + i;
        if to < width && i < width {
            out = out & !(1 << to) | (from >> i & 1) << to;
        }
    }
    out
}

fn nonzero<T: PartialEq + Default>(x: T) -> Option<T> {
    (x != T::default()).then_some(x)
}

fn flush(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

fn min(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b => {
            if a.is_sign_negative() {
                a
            } else {
                b
            }
        }
        _ => {
            if a < b {
                a
            } else {
                b
            }
        }
    }
}

type Reference = fn(&In) -> Out;

/// Number in the corpus, and the reference.
const REFERENCES: &[(u32, Reference)] = &[
    (0, |i| B32(i.r(0).wrapping_add(i.r(1)))),
    (1, |i| B32(i.r(0).wrapping_sub(i.r(1)))),
    (2, |i| B64(i.rd(0).wrapping_add(i.rd(1)))),
    (3, |i| B64(i.rd(0).wrapping_sub(i.rd(1)))),
    (4, |i| B32(i.s(0).saturating_add(i.s(1)) as u32)),
    (5, |i| B16(i.h(0).wrapping_add(i.h(1)))),
    (6, |i| {
        let a = u64::from(i.r(0)) + u64::from(i.r(1));
        let b = u64::from(i.r(2)) + u64::from(i.r(3)) + (a >> 32);
        Three(a as u32, b as u32, i.r(2).wrapping_add((b >> 32) as u32))
    }),
    (7, |i| Two(i.r(0).wrapping_sub(i.r(1)), i.r(2).wrapping_sub(i.r(3)).wrapping_sub(u32::from(i.r(0) < i.r(1))))),
    (8, |i| B32(i.s(0).wrapping_mul(i.s(1)) as u32)),
    (9, |i| B32(((u64::from(i.r(0)) * u64::from(i.r(1))) >> 32) as u32)),
    (10, |i| B32(((i64::from(i.s(0)) * i64::from(i.s(1))) >> 32) as u32)),
    (11, |i| B64(u64::from(i.r(0)) * u64::from(i.r(1)))),
    (12, |i| B64((i64::from(i.s(0)) * i64::from(i.s(1))) as u64)),
    (13, |i| B32(i.s(0).wrapping_mul(i.s(1)).wrapping_add(i.s(2)) as u32)),
    (14, |i| B32((((u64::from(i.r(0)) * u64::from(i.r(1))) >> 32) as u32).wrapping_add(i.r(2)))),
    (15, |i| B64((u64::from(i.r(0)) * u64::from(i.r(1))).wrapping_add(i.rd(0)))),
    (16, |i| {
        let product = u64::from(i.r(0)) * u64::from(i.r(1));
        let (low, carry) = (product as u32).overflowing_add(i.r(2));
        Two(low, ((product >> 32) as u32).wrapping_add(i.r(3)).wrapping_add(u32::from(carry)))
    }),
    (17, |i| B32((i.s(0) << 8 >> 8).wrapping_mul(i.s(1) << 8 >> 8) as u32)),
    (18, |i| B32(u32::from(i.h(0)) * u32::from(i.h(1)))),
    (19, |i| B32(i.r(2).wrapping_add(i.r(0).abs_diff(i.r(1))))),
    (20, |i| B64(i.rd(0).wrapping_mul(i.rd(1)))),
    (21, |i| B64(((u128::from(i.rd(0)) * u128::from(i.rd(1))) >> 64) as u64)),
    (22, |i| B64(((i128::from(i.sd(0)) * i128::from(i.sd(1))) >> 64) as u64)),
    (23, |i| B64(i.rd(0).wrapping_mul(i.rd(1)).wrapping_add(i.rd(2)))),
    // Division by zero: all ones, as ptxas's expansions give.
    (24, |i| B32(i.r(0).checked_div(i.r(1)).unwrap_or(u32::MAX))),
    (25, |i| B32(nonzero(i.s(1)).map_or(u32::MAX, |b| i.s(0).wrapping_div(b) as u32))),
    (26, |i| B32(i.r(0).checked_rem(i.r(1)).unwrap_or(u32::MAX))),
    (27, |i| B32(nonzero(i.s(1)).map_or(u32::MAX, |b| i.s(0).wrapping_rem(b) as u32))),
    (28, |i| B64(i.rd(0).checked_div(i.rd(1)).unwrap_or(u64::MAX))),
    (29, |i| B64(nonzero(i.sd(1)).map_or(u64::MAX, |b| i.sd(0).wrapping_div(b) as u64))),
    (30, |i| B64(i.rd(0).checked_rem(i.rd(1)).unwrap_or(u64::MAX))),
    (31, |i| B64(nonzero(i.sd(1)).map_or(u64::MAX, |b| i.sd(0).wrapping_rem(b) as u64))),
    (32, |i| B16(i.h(0).checked_div(i.h(1)).unwrap_or(u16::MAX))),
    (33, |i| B32(i.r(0) / 7)),
    (34, |i| B64((i.sd(0) / 10) as u64)),
    (35, |i| B32(i.s(0).wrapping_abs() as u32)),
    (36, |i| B32(i.s(0).wrapping_neg() as u32)),
    (37, |i| B64(i.sd(0).wrapping_abs() as u64)),
    (38, |i| B32(i.s(0).min(i.s(1)) as u32)),
    (39, |i| B32(i.r(0).max(i.r(1)))),
    (40, |i| B64(i.sd(0).min(i.sd(1)) as u64)),
    (41, |i| per_half(i.r(0), i.r(1), |a, b| (a as i16).min(b as i16) as u16)),
    (42, |i| per_half(i.r(0), i.r(1), u16::wrapping_add)),
    (43, |i| B32(i.s(0).max(i.s(1)).max(0) as u32)),
    (44, |i| B32((i.r(0) & i.r(1) | i.r(2)) ^ i.r(3))),
    (45, |i| B32(!i.r(0))),
    (46, |i| p(i.r(0) == 0)),
    (47, |i| B32(i.r(0) ^ i.r(1) ^ i.r(2))),
    (48, |i| B64(i.rd(0) & i.rd(1))),
    (49, |i| p((i.s(0) < i.s(1)) ^ (i.r(1) > i.r(2)))),
    (50, |i| B32(i.r(0).checked_shl(i.r(1)).unwrap_or(0))),
    (51, |i| B32((i.s(0) >> i.r(1).min(31)) as u32)),
    (52, |i| B32(i.r(0).checked_shr(i.r(1)).unwrap_or(0))),
    (53, |i| B64(i.rd(0).checked_shl(i.r(1)).unwrap_or(0))),
    (54, |i| B64((i.sd(0) >> i.r(1).min(63)) as u64)),
    (55, |i| B32(((u64::from(i.r(1)) << 32 | u64::from(i.r(0))) << (i.r(2) & 31) >> 32) as u32)),
    (56, |i| B32((u64::from(i.r(1)) << 32 | u64::from(i.r(0))).checked_shr(i.r(2).min(32)).unwrap_or(0) as u32)),
    (57, |i| B16(i.h(0).checked_shl(i.r(1)).unwrap_or(0))),
    (58, |i| B32(i.r(0).count_ones())),
    (59, |i| B32(i.rd(0).count_ones())),
    (60, |i| B32(i.r(0).leading_zeros())),
    (61, |i| B32(i.rd(0).leading_zeros())),
    (62, |i| B32(i.r(0).checked_ilog2().unwrap_or(u32::MAX))),
    (63, |i| {
        let significant = if i.s(0) < 0 { !i.r(0) } else { i.r(0) };
        B32(if significant == 0 { u32::MAX } else { significant.leading_zeros() })
    }),
    (64, |i| B32(i.rd(0).checked_ilog2().unwrap_or(u32::MAX))),
    (65, |i| B32(i.r(0).reverse_bits())),
    (66, |i| B64(i.rd(0).reverse_bits())),
    (68, |i| B32(extract(i.r(0).into(), 32, i.r(1), i.r(2), false) as u32)),
    (69, |i| B32(extract(i.r(0).into(), 32, i.r(1), i.r(2), true) as u32)),
    (70, |i| B32(i.r(0) >> 5 & 127)),
    (71, |i| B64(extract(i.rd(0).into(), 64, i.r(1), i.r(2), false))),
    (72, |i| B32(insert(i.r(0).into(), i.r(1).into(), 32, i.r(2), i.r(3)) as u32)),
    (73, |i| B64(insert(i.rd(0), i.rd(1), 64, i.r(2), i.r(3)))),
    (74, |i| {
        let (a, b) = (i.r(0).min(32), i.r(1).min(32));
        B32((0..32).filter(|&n| n >= a && n < a + b).fold(0, |mask, n| mask | 1 << n))
    }),
    (75, |i| {
        B32(match i.r(1) {
            0 => 0,
            n @ 1..32 => (i.s(0) << (32 - n) >> (32 - n)) as u32,
            _ => i.r(0),
        })
    }),
    (76, |i| {
        let bytes = [i.r(0).to_le_bytes(), i.r(1).to_le_bytes()].concat();
        let pick = |n: u32| {
            let selector = i.r(2) >> (4 * n) & 15;
            let byte = bytes[selector as usize & 7];
            if selector & 8 == 0 {
                byte
            } else if byte >= 128 {
                255
            } else {
                0
            }
        };
        B32(u32::from_le_bytes([0, 1, 2, 3].map(pick)))
    }),
    (77, |i| B32(((u64::from(i.r(1)) << 32 | u64::from(i.r(0))) >> (8 * (i.r(2) & 3))) as u32)),
    (78, |i| {
        let dot = per_byte(i.r(0), i.r(1), |a, b| (i32::from(a) * i32::from(b as i8)) as u32);
        B32(dot.iter().fold(i.r(2), |sum, x| sum.wrapping_add(*x)))
    }),
    (79, |i| {
        let product = |n: u32| ((i.r(0) >> (16 * n) & 0xffff) as i32) * i32::from((i.r(1) >> (8 * n)) as i8);
        B32(i.r(2).wrapping_add(product(0) as u32).wrapping_add(product(1) as u32))
    }),
    (80, |i| {
        B32(per_byte(i.r(0), i.r(1), |a, b| u32::from(a.wrapping_add(b))).iter().rev().fold(0, |w, x| w << 8 | x))
    }),
    (81, |i| B32((i32::from(i.r(0) as i8) + i32::from((i.r(1) >> 16) as i16)) as u32)),
    (82, |i| {
        B32(per_byte(i.r(0), i.r(1), |a, b| u32::from(a.abs_diff(b))).iter().fold(i.r(2), |s, x| s.wrapping_add(*x)))
    }),
    (83, |i| per_half(i.r(0), i.r(1), |a, b| u16::from(a < b))),
    (84, |i| p(i.s(0) < i.s(1))),
    (86, |i| p(i.sd(0) < i.sd(1))),
    (87, |i| B32(if i.s(0) < i.s(1) { u32::MAX } else { 0 })),
    (90, |i| B32(if i.s(2) >= 0 { i.r(0) } else { i.r(1) })),
    (91, |i| p(i.h(0) < i.h(1))),
    (92, |i| f32_bits(i.f(0) + i.f(1))),
    (94, |i| f32_bits(i.f(0) * i.f(1))),
    (95, |i| f32_bits(i.f(0).mul_add(i.f(1), i.f(2)))),
    (96, |i| f32_bits(min(i.f(0).into(), i.f(1).into()) as f32)),
    (97, |i| {
        let (a, b) = (i.f(0), i.f(1));
        if a.is_nan() || b.is_nan() {
            return B32(0x7fff_ffff);
        }
        B32(a.abs().max(b.abs()).to_bits() | (a.to_bits() ^ b.to_bits()) & 0x8000_0000)
    }),
    (98, |i| f32_bits(min(min(i.f(0).into(), i.f(1).into()), i.f(2).into()) as f32)),
    (100, |i| if i.f(0).is_nan() { B32(0x7fff_ffff) } else { B32(i.f(0).to_bits() | 0x8000_0000) }),
    (101, |i| p(!(i.f(0) >= i.f(1)))),
    (102, |i| p(i.f(0).is_subnormal())),
    (103, |i| B32(i.f(1).to_bits() & 0x7fff_ffff | i.f(0).to_bits() & 0x8000_0000)),
    (104, |i| f32_bits(i.f(0) / i.f(1))),
    (109, |i| f32_bits(1.0 / i.f(0))),
    (110, |i| Near(1.0 / f64::from(i.f(0)), 1.3e-7, 1e-45)),
    (111, |i| Near(f64::from(flush(1.0 / flush(i.f(0)))), 1.3e-7, 1.2e-38)),
    (112, |i| f32_bits(i.f(0).sqrt())),
    (113, |i| Near(f64::from(flush(i.f(0))).sqrt(), 1.2e-7, 0.0)),
    (114, |i| Near(1.0 / f64::from(i.f(0)).sqrt(), 1.3e-7, 0.0)),
    // The argument is scaled first: its rounding error grows with it.
    (116, |i| Near(f64::from(i.f(0)).sin(), 0.0, 1e-6 + 2.5e-7 * f64::from(i.f(0).abs()))),
    (118, |i| Near(f64::from(i.f(0)).log2(), 2.4e-7, 2.4e-7)),
    (120, |i| Near(f64::from(i.f(0)).exp2(), 2.4e-7, 1e-44)),
    (122, |i| Near(f64::from(i.f(0)).tanh(), 4.9e-4, 0.0)),
    (123, |i| f64_bits(i.d(0) + i.d(1))),
    (124, |i| f64_bits(i.d(0) * i.d(1))),
    (125, |i| f64_bits(i.d(0).mul_add(i.d(1), i.d(2)))),
    (126, |i| f64_bits(min(i.d(0), i.d(1)))),
    (127, |i| if i.d(0).is_nan() { f64_bits(i.d(0)) } else { B64(i.d(0).to_bits() | 1 << 63) }),
    (128, |i| p(i.d(0) < i.d(1))),
    (129, |i| f64_bits(i.d(0) / i.d(1))),
    (130, |i| f64_bits(1.0 / i.d(0))),
    (131, |i| f64_bits(i.d(0).sqrt())),
    (134, |i| B16(half_bits(f16::from_f64(i.half(0).to_f64() + i.half(1).to_f64())))),
    (135, |i| {
        let ([a, b], [c, d], [e, f]) = (halves(i.r(0)), halves(i.r(1)), halves(i.r(2)));
        two(half_bits(fma_half(a, c, e)), half_bits(fma_half(b, d, f)))
    }),
    (136, |i| {
        let ([a, b], [c, d], [e, f]) = (halves(i.r(0)), halves(i.r(1)), halves(i.r(2)));
        let relu = |x: f16| {
            if x.is_nan() {
                0x7fff
            } else if x.is_sign_negative() {
                0
            } else {
                x.to_bits()
            }
        };
        two(relu(fma_half(a, c, e)), relu(fma_half(b, d, f)))
    }),
    (138, |i| {
        let value = |n| bf16::from_bits(i.h(n)).to_f64();
        B16(bf16_bits(bf16::from_f64(value(0) + value(1))))
    }),
    (139, |i| {
        let max = |a: u16, b: u16| {
            let (x, y) = (f16::from_bits(a), f16::from_bits(b));
            match (x.is_nan(), y.is_nan()) {
                (true, true) => 0x7fff,
                (true, _) => b,
                (_, true) => a,
                _ if x == y => {
                    if x.is_sign_negative() {
                        b
                    } else {
                        a
                    }
                }
                _ => {
                    if x > y {
                        a
                    } else {
                        b
                    }
                }
            }
        };
        per_half(i.r(0), i.r(1), max)
    }),
    (140, |i| p(halves(i.r(0))[0] < halves(i.r(1))[0])),
    (141, |i| per_half(i.r(0), i.r(1), |a, b| if f16::from_bits(a) < f16::from_bits(b) { 0xffff } else { 0 })),
    (145, |i| B16(if i.half(0).is_nan() { 0x7fff } else { i.h(0) ^ 0x8000 })),
    (146, |i| f32_bits(i.s(0) as f32)),
    (147, |i| f32_bits(i.rd(0) as f32)),
    (148, |i| f64_bits(f64::from(i.s(0)))),
    (149, |i| f64_bits(i.sd(0) as f64)),
    (150, |i| B16(half_bits(f16::from_f64(f64::from(i.s(0)))))),
    (151, |i| f32_bits(f32::from(i.r(0) as i8))),
    (152, |i| f64_bits(i.rd(0) as f64)),
    (153, |i| B32(i.f(0) as i32 as u32)),
    (154, |i| B64(if i.f(0).is_nan() { 1 << 63 } else { i.f(0) as u64 })),
    (155, |i| B32(if i.d(0).is_nan() { 1 << 31 } else { i.d(0) as i32 as u32 })),
    (156, |i| B64(if i.d(0).is_nan() { 1 << 63 } else { i.d(0) as u64 })),
    (157, |i| B16(i.f(0) as i16 as u16)),
    (158, |i| B32(i.half(0).to_f64() as i32 as u32)),
    (159, |i| B32(u32::from(i.f(0) as u8))),
    (160, |i| f64_bits(f64::from(i.f(0)))),
    (161, |i| f32_bits(i.d(0) as f32)),
    (162, |i| f32_bits(i.half(0).to_f32())),
    (163, |i| B16(half_bits(f16::from_f32(i.f(0))))),
    (164, |i| two(half_bits(f16::from_f32(i.f(1))), half_bits(f16::from_f32(i.f(0))))),
    (165, |i| two(bf16_bits(bf16::from_f32(i.f(1))), bf16_bits(bf16::from_f32(i.f(0))))),
    (169, |i| f32_bits(i.f(0).round_ties_even())),
    (170, |i| f64_bits(i.d(0).ceil())),
    (171, |i| B32(i.s(0).clamp(0, 255) as u32)),
    (172, |i| B64(i64::from(i.s(0)) as u64)),
    (173, |i| B32(i32::from(i.r(0) as i8) as u32)),
    (174, |i| {
        let byte = |x: i32| u32::from(x.clamp(-128, 127) as i8 as u8);
        B32(i.r(2) << 16 | byte(i.s(0)) << 8 | byte(i.s(1)))
    }),
    (175, |i| f64_bits(i.half(0).to_f64())),
];

const THREADS: usize = 256;

fn outputs(snippet: &Snippet, inputs: &[u8]) -> Vec<u8> {
    let text = snippet.per_thread(&snippet.entry.target).unwrap();
    let mut memory = Memory::new();
    memory.add("places", vec![0; THREADS * PLACE], true);
    let input = memory.add("input", inputs.to_vec(), true);
    let output = memory.add("output", vec![0; THREADS * OUT_ROW], true);
    let mut launch = Launch::new("k");
    launch.block = Dim3::from(THREADS as u32);
    launch.dyn_shared = (THREADS * SHARED_PLACE) as u32;
    launch.args = vec![Arg::Buffer(input), Arg::Buffer(output), Arg::Value(vec![0; 128])];
    interp::run(&text, &launch, &mut memory).unwrap_or_else(|e| panic!("{}: {e}", snippet.entry.file));
    memory.read_back(output).unwrap().to_vec()
}

fn near(got: f32, want: f64, relative: f64, absolute: f64) -> bool {
    if want.is_nan() || got.is_nan() {
        return want.is_nan() && got.is_nan();
    }
    // Above the largest number, both roundings of a value at the limit are right.
    let limit = f64::from(f32::MAX);
    if want.abs() >= limit * 0.999_999 {
        return f64::from(got).abs() >= limit * 0.999_999 && (got > 0.0) == (want > 0.0);
    }
    (f64::from(got) - want).abs() <= relative * want.abs() + absolute
}

#[test]
fn snippets_equal_their_references() {
    let snippets = snippet::all().unwrap();
    let wrong = parallel::map(REFERENCES, |(number, reference)| {
        let mut wrong = Vec::new();
        let prefix = format!("{number:03}_");
        let snippet = snippets.iter().find(|s| s.entry.file.starts_with(&prefix)).unwrap();
        for seed in 0..4 {
            let inputs = snippet.inputs(THREADS, seed, 0, false);
            let got = outputs(snippet, &inputs);
            for (thread, (row, out)) in inputs.chunks(IN_ROW).zip(got.chunks(OUT_ROW)).enumerate() {
                let word = |n: usize| u64::from_le_bytes(out[8 * n..8 * n + 8].try_into().unwrap());
                let fits = |n: usize, want: u32| word(n) as u32 == want;
                let (good, want) = match reference(&In(row)) {
                    B16(want) => (word(0) as u16 == want, format!("{want:#x}")),
                    B32(want) => (fits(0, want), format!("{want:#x}")),
                    B64(want) => (word(0) == want, format!("{want:#x}")),
                    Two(a, b) => (fits(0, a) && fits(1, b), format!("{a:#x} {b:#x}")),
                    Three(a, b, c) => (fits(0, a) && fits(1, b) && fits(2, c), format!("{a:#x} {b:#x} {c:#x}")),
                    Near(want, relative, absolute) => {
                        let got = f32::from_bits(word(0) as u32);
                        (near(got, want, relative, absolute), format!("{want:e}, not {got:e}"))
                    }
                };
                if !good {
                    wrong.push(format!(
                        "{} seed {seed} thread {thread}: {:#x}, reference {want}",
                        snippet.entry.file,
                        word(0)
                    ));
                    break;
                }
            }
        }
        wrong
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(REFERENCES.len() >= 150, "{} references", REFERENCES.len());
}
