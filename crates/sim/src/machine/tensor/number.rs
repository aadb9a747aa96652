//! The number formats of the factors of float products.

/// A number format of 32 bits or fewer: sign, exponent, fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    exponent: u32,
    fraction: u32,
    /// Low bits of an encoding that are ignored.
    ignored: u32,
    /// Whether the largest exponent field is that of infinities and NaNs. Else only the encoding
    /// with all bits set is a NaN (e4m3: OCP 8-bit floating point, 5.1).
    infinities: bool,
}

impl Layout {
    const fn new(exponent: u32, fraction: u32) -> Layout {
        Layout { exponent, fraction, ignored: 0, infinities: true }
    }

    /// binary16.
    pub const F16: Layout = Layout::new(5, 10);
    /// bfloat16.
    pub const BF16: Layout = Layout::new(8, 7);
    /// The upper 19 bits of binary32 (PTX ISA 9.0, 5.2.3).
    pub const TF32: Layout = Layout { ignored: 13, ..Layout::new(8, 10) };
    /// binary32.
    pub const F32: Layout = Layout::new(8, 23);
    /// Four bits of exponent, three of fraction, no infinities.
    pub const E4M3: Layout = Layout { infinities: false, ..Layout::new(4, 3) };
    /// Five bits of exponent, two of fraction.
    pub const E5M2: Layout = Layout::new(5, 2);

    /// Bits of fraction.
    pub const fn fraction(self) -> i32 {
        self.fraction as i32
    }

    /// Reads an encoding.
    pub fn read(self, encoding: u32) -> Number {
        let encoding = encoding >> self.ignored;
        let top = (1 << self.exponent) - 1;
        let field = encoding >> self.fraction & top;
        let fraction = encoding & ((1 << self.fraction) - 1);
        let negative = encoding >> (self.exponent + self.fraction) & 1 != 0;
        let class = match (field == top, self.infinities) {
            (true, true) if fraction == 0 => Class::Infinite,
            (true, true) => Class::Nan,
            (true, false) if fraction == (1 << self.fraction) - 1 => Class::Nan,
            _ => Class::Finite,
        };
        let bias = (top >> 1) as i32;
        // Subnormal numbers have the exponent of the least normal one and no hidden bit.
        let hidden = u32::from(field != 0) << self.fraction;
        Number { class, negative, significand: fraction | hidden, exponent: field.max(1) as i32 - bias }
    }
}

/// What an encoding stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Class {
    /// A finite number.
    #[default]
    Finite,
    /// An infinity.
    Infinite,
    /// Not a number.
    Nan,
}

/// A number: `significand * 2^(exponent - fraction bits)` if it is finite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Number {
    /// Its class.
    pub class: Class,
    /// Its sign.
    pub negative: bool,
    /// Fraction with the hidden bit.
    pub significand: u32,
    /// Exponent of the hidden bit's place.
    pub exponent: i32,
}

impl Number {
    /// Whether it is a zero.
    pub fn is_zero(self) -> bool {
        self.class == Class::Finite && self.significand == 0
    }
}
