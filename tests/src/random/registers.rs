//! The registers of a random kernel: a few of each kind, so that values interact.

use raddle_ptx::{Ty, TyClass};

use crate::rng::Rng;

/// The kind of a register; each kind has a separate register class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bank {
    /// Predicates.
    P,
    /// 16-bit integers.
    H,
    /// 32-bit integers.
    R,
    /// 64-bit integers.
    L,
    /// `f32`.
    F,
    /// `f64`.
    D,
    /// `f16`.
    E,
    /// `f16x2`.
    X,
    /// `bf16`.
    B,
    /// `bf16x2`.
    Y,
}

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its bank.
    pub bank: Bank,
    /// Its number in it.
    pub number: usize,
}

/// Name, PTX type, width in bits and number of registers of each bank.
pub const BANKS: &[(Bank, &str, &str, u32, usize)] = &[
    (Bank::P, "%p", "pred", 1, 4),
    (Bank::H, "%h", "b16", 16, 4),
    (Bank::R, "%r", "b32", 32, 8),
    (Bank::L, "%l", "b64", 64, 5),
    (Bank::F, "%f", "f32", 32, 6),
    (Bank::D, "%d", "f64", 64, 4),
    (Bank::E, "%e", "b16", 16, 4),
    (Bank::X, "%x", "b32", 32, 3),
    (Bank::B, "%b", "b16", 16, 4),
    (Bank::Y, "%y", "b32", 32, 3),
];

impl Bank {
    fn row(self) -> (&'static str, u32, usize) {
        let (_, name, _, bits, count) = BANKS[self as usize];
        (name, bits, count)
    }

    /// Width in bits.
    pub fn bits(self) -> u32 {
        self.row().1
    }

    /// A random register of the bank.
    pub fn draw(self, rng: &mut Rng) -> Register {
        Register { bank: self, number: rng.below(self.row().2) }
    }
}

impl Register {
    /// The register `n` places after it in its bank, wrapping around.
    pub fn neighbour(self, n: usize) -> Self {
        Self { number: (self.number + n) % self.bank.row().2, ..self }
    }
}

impl std::fmt::Display for Register {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.bank.row().0, self.number)
    }
}

/// All registers that are live at the end, in the order of the rows.
pub fn all() -> impl Iterator<Item = Register> {
    BANKS.iter().flat_map(|&(bank, _, _, _, count)| (0..count).map(move |number| Register { bank, number }))
}

/// A bank for an operand of a type; `relaxed` operands may be wider. `None` if there is none.
pub fn bank(ty: Ty, relaxed: bool, rng: &mut Rng) -> Option<Bank> {
    let bits = ty.bits();
    let integer = matches!(ty.class(), TyClass::Unsigned | TyClass::Signed | TyClass::Bits);
    if integer && relaxed && bits <= 64 && rng.chance(1, 3) {
        let wide: &[Bank] = match bits {
            0..=16 => &[Bank::H, Bank::R, Bank::L],
            17..=32 => &[Bank::R, Bank::L],
            _ => &[Bank::L],
        };
        return Some(*rng.pick(wide));
    }
    // Untyped operands may have registers of any type: sometimes they do, so that floats and
    // integers mix.
    let other = ty.class() == TyClass::Bits && rng.chance(1, 6);
    Some(match ty {
        Ty::Pred => Bank::P,
        Ty::F16 => Bank::E,
        Ty::F16x2 => Bank::X,
        Ty::Bf16 => Bank::B,
        Ty::Bf16x2 => Bank::Y,
        Ty::F32 => Bank::F,
        Ty::F64 => Bank::D,
        Ty::B8 | Ty::U8 | Ty::S8 if relaxed => Bank::H,
        _ => match (bits, other) {
            (16, false) => Bank::H,
            (16, true) => *rng.pick(&[Bank::E, Bank::B]),
            (32, false) => Bank::R,
            (32, true) => *rng.pick(&[Bank::F, Bank::X, Bank::Y]),
            (64, false) => Bank::L,
            (64, true) => Bank::D,
            _ => return None,
        },
    })
}

/// A literal of a type, often a special one; `None` if PTX has none.
pub fn literal(ty: Ty, rng: &mut Rng) -> Option<String> {
    match ty {
        Ty::F32 => return Some(format!("0f{:08X}", float32(rng))),
        Ty::F64 => return Some(format!("0d{:016X}", float64(rng))),
        _ => {}
    }
    let bits = ty.bits();
    if !matches!(ty.class(), TyClass::Unsigned | TyClass::Signed | TyClass::Bits) || !matches!(bits, 16 | 32 | 64) {
        return None;
    }
    if matches!(ty, Ty::U16x2 | Ty::S16x2) {
        return None;
    }
    let value = integer(rng) & (u64::MAX >> (64 - bits));
    Some(match ty.class() {
        TyClass::Signed => format!("{}", (value << (64 - bits)) as i64 >> (64 - bits)),
        _ if rng.chance(1, 2) => format!("{value:#x}"),
        _ => format!("{value}"),
    })
}

/// 64 bits whose lower parts are special integers, too.
pub fn integer(rng: &mut Rng) -> u64 {
    match rng.below(8) {
        0 => 0,
        1 => 1 << rng.below(64),
        2 => (1 << rng.below(64)) - 1,
        3 => u64::MAX << rng.below(64),
        4 => rng.next() % 64,
        5 => rng.next() >> rng.below(64),
        6 => (rng.next() % 64).wrapping_neg(),
        _ => rng.next(),
    }
}

/// Bits of an `f32`: numbers near one, boundary values, any bits.
pub fn float32(rng: &mut Rng) -> u32 {
    const EDGES: [u32; 12] = [
        0,
        0x8000_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fff_ffff,
        0x7f7f_ffff,
        1,
        0x807f_ffff,
        0x0080_0000,
        0x3f80_0000,
        0x4f00_0000,
        0x3f7f_ffff,
    ];
    match rng.below(8) {
        0 => EDGES[rng.below(EDGES.len())],
        1 => rng.next() as u32,
        2 => ((rng.below(64) as f32) - 32.0).to_bits(),
        _ => ((rng.unit() * 200.0 - 100.0) as f32).to_bits(),
    }
}

/// Bits of an `f64`, like [`float32`].
pub fn float64(rng: &mut Rng) -> u64 {
    const EDGES: [u64; 10] = [
        0,
        1 << 63,
        0x7ff0 << 48,
        0xfff0 << 48,
        0x7ff8 << 48,
        0x7fef_ffff_ffff_ffff,
        1,
        0x800f_ffff_ffff_ffff,
        0x0010 << 48,
        0x3ff0 << 48,
    ];
    match rng.below(8) {
        0 => EDGES[rng.below(EDGES.len())],
        1 => rng.next(),
        2 => ((rng.below(64) as f64) - 32.0).to_bits(),
        _ => (rng.unit() * 200.0 - 100.0).to_bits(),
    }
}

/// Initial bits of a register of a bank.
pub fn initial(bank: Bank, rng: &mut Rng) -> u64 {
    let mut half = |bf: bool| {
        let value = rng.unit() * 20.0 - 10.0;
        let near = if bf { half::bf16::from_f64(value).to_bits() } else { half::f16::from_f64(value).to_bits() };
        if rng.chance(1, 4) { u64::from(rng.next() as u16) } else { u64::from(near) }
    };
    match bank {
        Bank::P => rng.next() & 1,
        Bank::F => u64::from(float32(rng)),
        Bank::D => float64(rng),
        Bank::E => half(false),
        Bank::B => half(true),
        Bank::X => half(false) | half(false) << 16,
        Bank::Y => half(true) | half(true) << 16,
        Bank::H | Bank::R | Bank::L => integer(rng),
    }
}
