//! The product that a case asks for, computed on the host.
//!
//! Operands are small multiples of one half (integers of all sizes where the type has no fractions), so that every sum is
//! exact in every order and in every accumulator; only the conversion to the type of the result rounds. A result that
//! differs at all is wrong.

use std::str::FromStr;

use anyhow::{Result, bail, ensure};
use raddle_tests::rng::Rng;

/// The type of the elements of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A float: bytes, bits of its significand behind the point, bias of its exponent.
    Float(usize, u32, i32),
    /// An integer: bytes, whether it has a sign.
    Int(usize, bool),
}

impl FromStr for Type {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Type> {
        Ok(match name {
            "f16" => Type::Float(2, 10, 15),
            "bf16" => Type::Float(2, 7, 127),
            "tf32" | "f32" => Type::Float(4, 23, 127),
            "f64" => Type::Float(8, 52, 1023),
            "e4m3" => Type::Float(1, 3, 7),
            "e5m2" => Type::Float(1, 2, 15),
            "s8" => Type::Int(1, true),
            "u8" => Type::Int(1, false),
            "s32" => Type::Int(4, true),
            _ => bail!("an unknown type `{name}`"),
        })
    }
}

impl Type {
    fn bytes(self) -> usize {
        match self {
            Type::Float(bytes, ..) | Type::Int(bytes, _) => bytes,
        }
    }

    /// The bits of a number, rounded to the nearest, ties to even. Integers saturate; floats must be in range.
    fn encode(self, value: f64) -> u64 {
        let (bytes, fraction, bias) = match self {
            Type::Float(bytes, fraction, bias) => (bytes, fraction, bias),
            Type::Int(bytes, signed) => {
                let bits = 8 * bytes as u32 - u32::from(signed);
                let least = if signed { -(bits as f64).exp2() } else { 0.0 };
                let whole = value.round_ties_even().clamp(least, (bits as f64).exp2() - 1.0);
                return whole as i64 as u64 & (u64::MAX >> (64 - 8 * bytes));
            }
        };
        let sign = u64::from(value.is_sign_negative()) << (8 * bytes - 1);
        if value == 0.0 {
            return sign;
        }
        let exponent = ((value.abs().to_bits() >> 52) as i32 - 1023).max(1 - bias);
        let scaled = (value.abs() * f64::from(fraction as i32 - exponent).exp2()).round_ties_even() as u64;
        // A significand without its leading one is subnormal; one that was rounded up carries into the exponent.
        sign | ((((exponent + bias - 1) as u64) << fraction) + scaled)
    }

    /// The number of some bits.
    fn decode(self, bits: u64) -> f64 {
        match self {
            Type::Int(bytes, signed) => {
                let shift = 64 - 8 * bytes;
                if signed { (((bits << shift) as i64) >> shift) as f64 } else { bits as f64 }
            }
            Type::Float(bytes, fraction, bias) => {
                let width = 8 * bytes as u32 - 1 - fraction;
                let exponent = (bits >> fraction & ((1 << width) - 1)) as i32;
                let part = bits & ((1 << fraction) - 1);
                // e4m3 has numbers there, which no result reaches.
                if exponent == (1 << width) - 1 {
                    return f64::NAN;
                }
                let whole = if exponent == 0 { part } else { part | 1 << fraction };
                let size = whole as f64 * f64::from(exponent.max(1) - bias - fraction as i32).exp2();
                if bits >> (8 * bytes - 1) & 1 == 0 { size } else { -size }
            }
        }
    }

    /// A random operand.
    fn random(self, rng: &mut Rng) -> f64 {
        match self {
            Type::Float(..) => (rng.below(9) as f64 - 4.0) / 2.0,
            Type::Int(1, true) => rng.below(256) as f64 - 128.0,
            Type::Int(..) => rng.below(100) as f64,
        }
    }
}

/// Where the elements of a matrix are, or of one for each of a batch.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub ty: Type,
    /// Address of the first; 0 for none.
    pub at: u64,
    /// Distance of rows, in elements.
    pub row: usize,
    /// Distance of columns.
    pub column: usize,
    /// Distance of matrices.
    pub batch: usize,
}

impl Default for View {
    fn default() -> Self {
        View { ty: Type::Float(4, 23, 127), at: 0, row: 0, column: 0, batch: 0 }
    }
}

impl View {
    fn get(&self, bytes: &[u8], batch: usize, row: usize, column: usize) -> f64 {
        let size = self.ty.bytes();
        let at = (batch * self.batch + row * self.row + column * self.column) * size;
        let mut word = [0; 8];
        word[..size].copy_from_slice(&bytes[at..at + size]);
        self.ty.decode(u64::from_le_bytes(word))
    }

    /// Random elements for a buffer of this many bytes.
    pub fn random(&self, bytes: usize, rng: &mut Rng) -> Vec<u8> {
        let size = self.ty.bytes();
        let mut out = vec![0; bytes];
        for place in out.chunks_exact_mut(size) {
            place.copy_from_slice(&self.ty.encode(self.ty.random(rng)).to_le_bytes()[..size]);
        }
        out
    }
}

/// What is done besides the product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum How {
    #[default]
    Plain,
    /// Negative results become 0.
    Relu,
    /// A holds the first two of each four columns; the others are 0.
    Half,
}

impl FromStr for How {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<How> {
        Ok(match name {
            "none" => How::Plain,
            "relu" => How::Relu,
            "half" => How::Half,
            _ => bail!("an unknown way `{name}`"),
        })
    }
}

/// D = alpha A B + beta C + bias.
#[derive(Clone, Debug, Default)]
pub struct Product {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub batch: usize,
    pub alpha: f64,
    pub beta: f64,
    pub how: How,
    pub a: View,
    pub b: View,
    pub c: View,
    pub d: View,
    pub bias: View,
}

impl Product {
    /// Compares a result with the product of the operands; `bytes` finds the contents of a matrix.
    ///
    /// # Errors
    /// The first element that differs.
    pub fn check<'a>(&self, bytes: impl Fn(&View) -> Result<&'a [u8]>) -> Result<()> {
        let (a, b, d) = (bytes(&self.a)?, bytes(&self.b)?, bytes(&self.d)?);
        let c = if self.beta == 0.0 { &[][..] } else { bytes(&self.c)? };
        let bias = if self.bias.at == 0 { &[][..] } else { bytes(&self.bias)? };
        let kept = |k: &usize| self.how != How::Half || k % 4 < 2;
        let stored = |k: usize| if self.how == How::Half { k / 4 * 2 + k % 4 } else { k };
        let (mut wrong, mut first) = (0, String::new());
        for batch in 0..self.batch {
            for m in 0..self.m {
                let row: Vec<(usize, f64)> =
                    (0..self.k).filter(kept).map(|k| (k, self.a.get(a, batch, m, stored(k)))).collect();
                for n in 0..self.n {
                    let sum: f64 = row.iter().map(|&(k, x)| x * self.b.get(b, batch, k, n)).sum();
                    let mut want = self.alpha * sum;
                    if !c.is_empty() {
                        want += self.beta * self.c.get(c, batch, m, n);
                    }
                    if !bias.is_empty() {
                        want += self.bias.get(bias, batch, m, 0);
                    }
                    if self.how == How::Relu {
                        want = want.max(0.0);
                    }
                    let (want, got) = (self.d.ty.decode(self.d.ty.encode(want)), self.d.get(d, batch, m, n));
                    if got != want {
                        wrong += 1;
                        if wrong == 1 {
                            first = format!("D[{batch}][{m}][{n}] is {got}, not {want}");
                        }
                    }
                }
            }
        }
        ensure!(wrong == 0, "{first}; {wrong} of {} elements differ from the product", self.batch * self.m * self.n);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_their_type() {
        let of = |name: &str, value: f64| name.parse::<Type>().unwrap().encode(value);
        assert_eq!(of("f16", 1.5), 0x3e00);
        assert_eq!(of("f16", -2049.0), 0xe800, "a tie to even");
        assert_eq!(of("f16", 2051.0), 0x6802);
        assert_eq!(of("f16", 2f64.powi(-24)), 1);
        assert_eq!(of("f16", 2047.9), 0x6800, "a carry");
        assert_eq!(of("bf16", 3.0), 0x4040);
        assert_eq!(of("f32", -0.1), u64::from((-0.1f32).to_bits()));
        assert_eq!(of("f64", 0.3), 0.3f64.to_bits());
        assert_eq!((of("e4m3", 1.0), of("e5m2", -2.0)), (0x38, 0xc0));
        assert_eq!((of("s8", -300.0), of("s8", 2.5), of("u8", -1.0), of("s32", -1.0)), (0x80, 2, 0, 0xffff_ffff));
        for (name, bits) in [("f16", 0x3555), ("bf16", 0x8001), ("e4m3", 0x07), ("s8", 0x80), ("f32", 77)] {
            let ty: Type = name.parse().unwrap();
            assert_eq!(ty.encode(ty.decode(bits)), bits, "{name}");
        }
    }

    #[test]
    fn a_wrong_element_is_found() {
        let view = |at, row, column| View { at, row, column, batch: 0, ty: "s32".parse().unwrap() };
        let (a, b, d) = (view(1, 2, 1), view(2, 1, 2), view(3, 1, 1));
        let p = Product { m: 1, n: 1, k: 2, batch: 1, alpha: 1.0, a, b, d, ..Product::default() };
        let words = |list: &[i32]| list.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
        let memory = [words(&[2, 3]), words(&[5, 7]), words(&[31])];
        p.check(|view| Ok(&memory[view.at as usize - 1])).unwrap();
        let memory = [words(&[2, 3]), words(&[5, 7]), words(&[30])];
        let why = p.check(|view| Ok(&memory[view.at as usize - 1])).unwrap_err().to_string();
        assert_eq!(why, "D[0][0][0] is 30, not 31; 1 of 1 elements differ from the product");
    }
}
