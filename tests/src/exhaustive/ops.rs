//! The operations: their PTX, their references, and special operands.

use raddle_sim::float::{BF16, F16, F32, F64, Format, IntType, Mode, Rounding};
use raddle_sim::float::{div, from_int, round_to_integral, sqrt, tf32_rna, to_float, to_int};

use super::reference as fast;
use crate::rng::Rng;

type OfOne = Box<dyn Fn(u64, u64) -> u64 + Send + Sync>;
type OfRows = Box<dyn Fn(&[u64], &[u64], &mut [u64]) + Send + Sync>;

/// A function of one or two operands, on encodings: single ones, or rows in one call.
pub struct Reference {
    one: OfOne,
    rows: OfRows,
}

impl Reference {
    fn new(f: impl Fn(u64, u64) -> u64 + Copy + Send + Sync + 'static) -> Reference {
        let rows = move |x: &[u64], y: &[u64], out: &mut [u64]| {
            out.iter_mut().zip(x.iter().zip(y)).for_each(|(out, (&x, &y))| *out = f(x, y));
        };
        Reference { one: Box::new(f), rows: Box::new(rows) }
    }

    /// Its value.
    pub fn of(&self, x: u64, y: u64) -> u64 {
        (self.one)(x, y)
    }

    /// Its values, one for each pair of operands.
    pub fn row(&self, x: &[u64], y: &[u64], out: &mut [u64]) {
        (self.rows)(x, y, out);
    }
}

/// An operation.
pub struct Op {
    /// The name in PTX.
    pub name: String,
    /// Its instruction: from `%x0` and `%x1` to `%y`, or from `%xd0` and `%xd1` to `%yd` for 64
    /// bits.
    pub ptx: String,
    /// Bits of each operand.
    pub input: u32,
    /// The number of operands.
    pub operands: usize,
    /// Bits of the result.
    pub output: u32,
    /// Whether it uses the multi-function unit: results must not depend on that unit's error.
    pub mufu: bool,
    /// The reference.
    pub reference: Reference,
    /// The same function by the soft float, which tests the reference.
    pub soft: Reference,
}

const ROUNDINGS: [(&str, Rounding); 4] =
    [("rn", Rounding::Nearest), ("rz", Rounding::Zero), ("rm", Rounding::Down), ("rp", Rounding::Up)];

fn mode(rounding: Rounding, ftz: bool) -> Mode {
    Mode { rounding, ftz, sat: false }
}

fn unary(f: impl Fn(u64) -> u64 + Copy + Send + Sync + 'static) -> Reference {
    Reference::new(move |x, _| f(x))
}

/// [`unary`] with the rounding mode known at compile time, so that rows are vectorised.
macro_rules! by_rounding {
    ($rounding:expr, |$r:ident| $f:expr) => {
        match $rounding {
            Rounding::Nearest => {
                let $r = Rounding::Nearest;
                unary($f)
            }
            Rounding::Zero => {
                let $r = Rounding::Zero;
                unary($f)
            }
            Rounding::Down => {
                let $r = Rounding::Down;
                unary($f)
            }
            $r => unary($f),
        }
    };
}

fn suffix(ftz: bool) -> &'static str {
    if ftz { ".ftz" } else { "" }
}

/// The unary operations on f32, and those to f32 from integers: 2^32 operands each.
pub fn words() -> Vec<Op> {
    let mut ops = Vec::new();
    for ftz in [false, true] {
        for (r, rounding) in ROUNDINGS {
            ops.push(roots(&format!("rcp.{r}{}.f32", suffix(ftz)), rounding, ftz, true));
            ops.push(roots(&format!("sqrt.{r}{}.f32", suffix(ftz)), rounding, ftz, false));
        }
    }
    for (r, rounding) in ROUNDINGS {
        for signed in [false, true] {
            ops.push(from_integer(r, rounding, signed));
        }
        for ftz in [false, true] {
            ops.push(integral(r, rounding, ftz));
            for bits in [8, 16, 32, 64] {
                for signed in [false, true] {
                    ops.push(to_integer(r, rounding, ftz, IntType { bits, signed }));
                }
            }
        }
    }
    for (r, rounding) in &ROUNDINGS[..2] {
        ops.push(narrow(&format!("cvt.{r}.f16.f32"), &F16, *rounding));
        ops.push(narrow(&format!("cvt.{r}.bf16.f32"), &BF16, *rounding));
    }
    let tf32 = || unary(|x| u64::from(tf32_rna(x as u32)));
    ops.push(Op { reference: tf32(), ..word("cvt.rna.tf32.f32", "cvt.rna.tf32.f32 %y, %x0;".into(), tf32()) });
    ops
}

fn word(name: &str, ptx: String, soft: Reference) -> Op {
    let reference = unary(|x| x);
    Op { name: name.to_owned(), ptx, input: 32, operands: 1, output: 32, mufu: false, reference, soft }
}

fn roots(name: &str, rounding: Rounding, ftz: bool, reciprocal: bool) -> Op {
    let m = mode(rounding, ftz);
    let soft = unary(move |x| if reciprocal { div(&F32, F32.one(), x, m) } else { sqrt(&F32, x, m) });
    let reference = if reciprocal {
        by_rounding!(rounding, |r| move |x| u64::from(fast::with_ftz(x as u32, ftz, |x| fast::reciprocal(x, r))))
    } else {
        by_rounding!(rounding, |r| move |x| u64::from(fast::with_ftz(x as u32, ftz, |x| fast::root(x, r))))
    };
    Op { mufu: true, reference, ..word(name, format!("{name} %y, %x0;"), soft) }
}

fn from_integer(r: &str, rounding: Rounding, signed: bool) -> Op {
    let ty = IntType { bits: 32, signed };
    let name = format!("cvt.{r}.f32.{}32", if signed { "s" } else { "u" });
    let soft = unary(move |x| from_int(ty, &F32, x, mode(rounding, false)));
    let reference = by_rounding!(rounding, |r| move |x| {
        let exact = if signed { f64::from(x as u32 as i32) } else { f64::from(x as u32) };
        u64::from(fast::to_f32(exact, r).to_bits())
    });
    Op { reference, ..word(&name, format!("{name} %y, %x0;"), soft) }
}

fn integral(r: &str, rounding: Rounding, ftz: bool) -> Op {
    let name = format!("cvt.{r}i{}.f32.f32", suffix(ftz));
    let soft = unary(move |x| round_to_integral(&F32, x, mode(rounding, ftz)));
    let reference = by_rounding!(rounding, |r| move |x| {
        let x = fast::flush_if(x as u32, ftz);
        u64::from(fast::canonical(fast::integral(f32::from_bits(x), r)))
    });
    Op { reference, ..word(&name, format!("{name} %y, %x0;"), soft) }
}

fn to_integer(r: &str, rounding: Rounding, ftz: bool, ty: IntType) -> Op {
    let sign = if ty.signed { "s" } else { "u" };
    let name = format!("cvt.{r}i{}.{sign}{}.f32", suffix(ftz), ty.bits);
    let (register, output) = if ty.bits == 64 { ("%yd", 64) } else { ("%y", 32) };
    // A narrow result is extended to its register.
    let extend = move |v: u64| if ty.bits < 32 { u64::from(ty.value(v) as u32) } else { v };
    let soft = unary(move |x| extend(to_int(&F32, ty, x, rounding, ftz)));
    let reference = match (ty.bits, ty.signed) {
        (8, false) => clamped(rounding, ftz, |v| u64::from(v as u8)),
        (8, true) => clamped(rounding, ftz, |v| u64::from(i32::from(v as i8) as u32)),
        (16, false) => clamped(rounding, ftz, |v| u64::from(v as u16)),
        (16, true) => clamped(rounding, ftz, |v| u64::from(i32::from(v as i16) as u32)),
        (32, false) => clamped(rounding, ftz, |v| u64::from(v as u32)),
        (32, true) => clamped(rounding, ftz, |v| u64::from(v as i32 as u32)),
        (_, false) => clamped(rounding, ftz, |v| if v.is_nan() { 1 << 63 } else { v as u64 }),
        (_, true) => clamped(rounding, ftz, |v| if v.is_nan() { 1 << 63 } else { v as i64 as u64 }),
    };
    Op { output, reference, ..word(&name, format!("{name} {register}, %x0;"), soft) }
}

/// Rounded to an integral value and clamped by a cast of the host, which turns a NaN into zero;
/// extended to the register. A NaN gives zero in PTX too, and in 64 bits only the top bit (PTX ISA
/// 9.0, `cvt`).
fn clamped(rounding: Rounding, ftz: bool, cast: impl Fn(f32) -> u64 + Copy + Send + Sync + 'static) -> Reference {
    by_rounding!(rounding, |r| move |x| { cast(fast::integral(f32::from_bits(fast::flush_if(x as u32, ftz)), r)) })
}

fn narrow(name: &str, format: &'static Format, rounding: Rounding) -> Op {
    let soft = unary(move |x| to_float(&F32, format, x, mode(rounding, false), false));
    let reference = if std::ptr::eq(format, &BF16) {
        unary(move |x| {
            fast::narrowed(x as u32, rounding, half::bf16::from_f32, half::bf16::to_f32, half::bf16::to_bits)
        })
    } else {
        unary(move |x| fast::narrowed(x as u32, rounding, half::f16::from_f32, half::f16::to_f32, half::f16::to_bits))
    };
    let ptx = format!("{name} %h0, %x0;\ncvt.u32.u16 %y, %h0;");
    Op { reference, ..word(name, ptx, soft) }
}

/// Division, reciprocals and roots of f64, rounded to nearest.
pub fn doubles() -> Vec<Op> {
    let value = f64::from_bits;
    let double = |name: &str, operands: usize, soft: Reference, reference: Reference| Op {
        name: name.to_owned(),
        ptx: format!("{name} %yd, {};", if operands == 2 { "%xd0, %xd1" } else { "%xd0" }),
        input: 64,
        operands,
        output: 64,
        mufu: true,
        reference,
        soft,
    };
    vec![
        double(
            "div.rn.f64",
            2,
            Reference::new(|x, y| div(&F64, x, y, Mode::RN)),
            Reference::new(move |x, y| fast::canonical64(value(x) / value(y))),
        ),
        double(
            "rcp.rn.f64",
            1,
            unary(|x| div(&F64, F64.one(), x, Mode::RN)),
            unary(move |x| fast::canonical64(1.0 / value(x))),
        ),
        double(
            "sqrt.rn.f64",
            1,
            unary(|x| sqrt(&F64, x, Mode::RN)),
            unary(move |x| fast::canonical64(value(x).sqrt())),
        ),
    ]
}

/// The same in directed roundings, which the host does not have: the soft float is their reference.
pub fn directed_doubles() -> Vec<Op> {
    let mut out = Vec::new();
    for (name, rounding) in ROUNDINGS.into_iter().filter(|r| r.1 != Rounding::Nearest) {
        let mode = mode(rounding, false);
        let double = |function: &str, operands: usize, f: fn(u64, u64, Mode) -> u64| {
            let name = format!("{function}.{name}.f64");
            let ptx = format!("{name} %yd, {};", if operands == 2 { "%xd0, %xd1" } else { "%xd0" });
            let reference = || Reference::new(move |x, y| f(x, y, mode));
            Op { name, ptx, input: 64, operands, output: 64, mufu: true, reference: reference(), soft: reference() }
        };
        out.push(double("div", 2, |x, y, mode| div(&F64, x, y, mode)));
        out.push(double("rcp", 1, |x, _, mode| div(&F64, F64.one(), x, mode)));
        out.push(double("sqrt", 1, |x, _, mode| sqrt(&F64, x, mode)));
    }
    out
}

/// Boundary encodings: zeros, subnormals, powers of two and their neighbours, infinities, NaNs,
/// limits of integers.
pub fn specials(format: &Format) -> Vec<u64> {
    let (fraction, exponent) = (format.fraction_bits, format.exponent_bits);
    let mut out = Vec::new();
    let mut add = |v: u64| {
        for d in [-2i64, -1, 0, 1, 2] {
            out.push(v.wrapping_add_signed(d) & (u64::MAX >> (63 - fraction - exponent)));
        }
    };
    for e in 0..1u64 << exponent {
        for f in [0, 1 << (fraction - 1), (1 << fraction) - 1] {
            add(e << fraction | f);
        }
    }
    (0..fraction).for_each(|bit| add(1 << bit));
    let sign = 1u64 << (fraction + exponent);
    let negative: Vec<u64> = out.iter().map(|v| v | sign).collect();
    out.extend(negative);
    out.sort_unstable();
    out.dedup();
    out
}

/// Operands of f32 whose reciprocal or root is close to a representable number or to a midpoint of
/// two: the hard cases for approximate sequences. For each such fraction there are several
/// exponents, for the root with both parities.
pub fn close() -> Vec<u64> {
    let mut out = Vec::new();
    for bits in 0x3f80_0000u32..0x4080_0000 {
        let x = f64::from(f32::from_bits(bits));
        // In units of half a last place.
        let (reciprocal, root) = (x.recip() * f64::from(1u32 << 25), x.sqrt() * f64::from(1u32 << 24));
        let close = |y: f64| (y - y.round_ties_even()).abs() < 1.0 / 32768.0;
        if close(root) || bits < 0x4000_0000 && close(reciprocal) {
            out.extend([-126i32, -100, -20, 0, 60, 120].map(|e| u64::from(bits.wrapping_add_signed(e << 23))));
        }
    }
    out
}

/// Random encodings of f64: any bits, numbers near one, and exponents near both ends.
pub fn random_double(rng: &mut Rng) -> u64 {
    let bits = rng.next();
    let sign_and_fraction = bits & 0x800f_ffff_ffff_ffff;
    match rng.next() % 4 {
        0 | 1 => bits,
        2 => sign_and_fraction | (1013 + rng.next() % 20) << 52,
        _ => {
            let e = rng.next() % 120;
            sign_and_fraction | (if e < 60 { e } else { 2047 - 120 + e }) << 52
        }
    }
}
