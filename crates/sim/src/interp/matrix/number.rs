//! Numbers of tensor cores, taken apart.

/// The format of an element of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// binary16.
    F16,
    /// The upper half of binary32.
    Bf16,
    /// binary32 whose lower 13 bits are ignored.
    Tf32,
    /// binary32.
    F32,
    /// 8 bits with 4 bits of exponent and no infinity (OCP 8-bit floating point).
    E4m3,
    /// 8 bits with 5 bits of exponent (OCP 8-bit floating point).
    E5m2,
}

impl Element {
    /// Bits of exponent and fraction, and ignored bits below.
    const fn fields(self) -> (u32, u32, u32) {
        match self {
            Element::F16 => (5, 10, 0),
            Element::Bf16 => (8, 7, 0),
            Element::Tf32 => (8, 10, 13),
            Element::F32 => (8, 23, 0),
            Element::E4m3 => (4, 3, 0),
            Element::E5m2 => (5, 2, 0),
        }
    }

    /// Width in bits, with ignored ones.
    pub const fn bits(self) -> u32 {
        let (exponent, fraction, ignored) = self.fields();
        1 + exponent + fraction + ignored
    }

    /// Returns the number that a word encodes. Bits above the width are ignored.
    pub const fn decode(self, word: u32) -> Number {
        let (exponent_bits, fraction_bits, ignored) = self.fields();
        let word = word >> ignored;
        let fraction = word & ((1 << fraction_bits) - 1);
        let top = (1 << exponent_bits) - 1;
        let field = word >> fraction_bits & top;
        let negative = word >> (fraction_bits + exponent_bits) & 1 == 1;
        let bias = (1 << (exponent_bits - 1)) - 1;
        match self {
            Element::E4m3 if field == top && fraction == 7 => return Number::Nan,
            Element::E4m3 => {}
            _ if field == top && fraction != 0 => return Number::Nan,
            _ if field == top => return Number::Infinite { negative },
            _ => {}
        }
        // A subnormal has the exponent of the smallest normal number and no hidden bit.
        let (significand, exponent) = match field {
            0 => (fraction, 1 - bias),
            _ => (fraction | 1 << fraction_bits, field as i32 - bias),
        };
        Number::Finite(Finite { negative, significand: significand as u64, fraction: fraction_bits, exponent })
    }
}

/// A decoded number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite {
        /// Its sign.
        negative: bool,
    },
    /// A finite number.
    Finite(Finite),
}

/// `significand` · 2^(`exponent` − `fraction`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finite {
    /// Its sign.
    pub negative: bool,
    /// All significant bits; below 2^(`fraction` + 1) for an element, below four times 2^`fraction`
    /// for a product.
    pub significand: u64,
    /// Bits after the point.
    pub fraction: u32,
    /// Exponent of the bit before the point.
    pub exponent: i32,
}

impl Number {
    /// Returns the exact product, not normalised: its exponent is the sum of the two.
    pub const fn times(self, other: Number) -> Number {
        match (self, other) {
            (Number::Finite(a), Number::Finite(b)) => Number::Finite(Finite {
                negative: a.negative != b.negative,
                significand: a.significand * b.significand,
                fraction: a.fraction + b.fraction,
                exponent: a.exponent + b.exponent,
            }),
            (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
            (Number::Infinite { .. }, Number::Finite(x)) | (Number::Finite(x), Number::Infinite { .. })
                if x.significand == 0 =>
            {
                Number::Nan
            }
            _ => Number::Infinite { negative: self.negative() != other.negative() },
        }
    }

    const fn negative(self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } => negative,
            Number::Finite(x) => x.negative,
        }
    }
}
