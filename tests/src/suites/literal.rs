//! Parses arrays of numbers in Rust syntax: `[1u32, 2]`, `[half::f16::from_f32(3.14)]`,
//! `[-0b1i32]`, `[f32::NAN]`.
//!
//! The type of an array is that of its first element with a type; without one integers have 32 bits
//! and floats 64 (Rust reference, literal expressions). Anything else is an error, so that no
//! expected result is misread.

use anyhow::{Context, Result, bail, ensure};
use half::f16;

/// Type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// An integer of this size in bytes.
    Int(usize),
    F16,
    F32,
    F64,
}

/// Names of types.
const TYPES: [(&str, Type); 11] = [
    ("u8", Type::Int(1)),
    ("i8", Type::Int(1)),
    ("u16", Type::Int(2)),
    ("i16", Type::Int(2)),
    ("u32", Type::Int(4)),
    ("i32", Type::Int(4)),
    ("u64", Type::Int(8)),
    ("i64", Type::Int(8)),
    ("half::f16", Type::F16),
    ("f32", Type::F32),
    ("f64", Type::F64),
];

/// The value of an element.
#[derive(Clone, Copy, Debug)]
enum Number {
    Int(i128),
    Real(f64),
}

#[derive(Clone, Copy, Debug)]
struct Element {
    ty: Option<Type>,
    number: Number,
}

/// Parses an array to its bytes in memory order.
///
/// # Errors
/// Text that is not an array of such numbers.
pub fn array(text: &str) -> Result<Vec<u8>> {
    let inner = text.trim().strip_prefix('[').and_then(|t| t.strip_suffix(']')).context("no array")?;
    let parts = inner.split(',').map(str::trim).filter(|part| !part.is_empty());
    let elements: Vec<Element> =
        parts.map(|part| element(part).with_context(|| format!("`{part}`"))).collect::<Result<_>>()?;
    let named = elements.iter().find_map(|e| e.ty);
    let real = elements.iter().any(|e| matches!(e.number, Number::Real(_)));
    let ty = named.unwrap_or(if real { Type::F64 } else { Type::Int(4) });
    let mut bytes = Vec::new();
    for Element { number, ty: own } in elements {
        ensure!(own.is_none_or(|own| own == ty), "elements of several types");
        match (ty, number) {
            (Type::Int(size), Number::Int(value)) => {
                let fits = value >= -(1i128 << (8 * size - 1)) && value < 1i128 << (8 * size);
                ensure!(fits, "{value} has more than {size} bytes");
                bytes.extend(&value.to_le_bytes()[..size]);
            }
            (Type::F16, Number::Real(value)) => bytes.extend(f16::from_f64(value).to_le_bytes()),
            (Type::F32, Number::Real(value)) => bytes.extend((value as f32).to_le_bytes()),
            (Type::F64, Number::Real(value)) => bytes.extend(value.to_le_bytes()),
            _ => bail!("a number of another kind than its array"),
        }
    }
    Ok(bytes)
}

fn element(text: &str) -> Result<Element> {
    let text = text.trim();
    if let Some((a, b)) = text.split_once(" / ") {
        let (a, b) = (element(a)?, element(b)?);
        let (Number::Real(x), Number::Real(y)) = (a.number, b.number) else { bail!("a quotient of integers") };
        ensure!(a.ty == Some(Type::F32), "a quotient of other floats");
        return Ok(Element { ty: a.ty, number: Number::Real(f64::from(x as f32 / y as f32)) });
    }
    if let Some(rest) = text.strip_prefix('-') {
        let Element { ty, number } = element(rest)?;
        let number = match number {
            Number::Int(value) => Number::Int(-value),
            Number::Real(value) => Number::Real(-value),
        };
        return Ok(Element { ty, number });
    }
    if let Some(float) = text.strip_suffix(".to_bits()") {
        let Element { ty, number: Number::Real(value) } = element(float)? else { bail!("the bits of an integer") };
        return Ok(match ty {
            Some(Type::F16) => int(Type::Int(2), i128::from(f16::from_f64(value).to_bits())),
            Some(Type::F32) => int(Type::Int(4), i128::from((value as f32).to_bits())),
            _ => bail!("the bits of another float"),
        });
    }
    if text == "std::f32::consts::PI" {
        return Ok(real(Type::F32, f64::from(std::f32::consts::PI)));
    }
    if let Some((path, argument)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) {
        return call(path, argument);
    }
    if let Some((name, constant)) = text.rsplit_once("::") {
        return named(name, constant);
    }
    literal(text)
}

fn int(ty: Type, value: i128) -> Element {
    Element { ty: Some(ty), number: Number::Int(value) }
}

fn real(ty: Type, value: f64) -> Element {
    Element { ty: Some(ty), number: Number::Real(value) }
}

fn type_of(name: &str) -> Result<Type> {
    let row = TYPES.iter().find(|row| row.0 == name).with_context(|| format!("no type {name}"))?;
    Ok(row.1)
}

/// `u64::max_value()`, `f32::from_bits(1)`, `half::f16::from_f32(0.5)`.
fn call(path: &str, argument: &str) -> Result<Element> {
    let (name, function) = path.rsplit_once("::").context("no path")?;
    let ty = type_of(name)?;
    if function == "max_value" && argument.is_empty() {
        return named(name, "MAX");
    }
    Ok(match (function, ty, element(argument)?.number) {
        ("from_bits", Type::F16, Number::Int(bits)) => real(ty, f16::from_bits(u16::try_from(bits)?).to_f64()),
        ("from_bits", Type::F32, Number::Int(bits)) => real(ty, f64::from(f32::from_bits(u32::try_from(bits)?))),
        ("from_f32", Type::F16, Number::Real(value)) => real(ty, f16::from_f32(value as f32).to_f64()),
        ("from_f64", Type::F16, Number::Real(value)) => real(ty, f16::from_f64(value).to_f64()),
        _ => bail!("no function {path}"),
    })
}

/// `i32::MIN`, `f32::NAN`.
fn named(name: &str, constant: &str) -> Result<Element> {
    let ty = type_of(name)?;
    let float = match constant {
        "NAN" => f64::NAN,
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        _ => 0.0,
    };
    Ok(match (ty, constant, name.starts_with('i')) {
        (Type::F16 | Type::F32 | Type::F64, "NAN" | "INFINITY" | "NEG_INFINITY", _) => real(ty, float),
        (Type::Int(size), "MAX", false) => int(ty, (1 << (8 * size)) - 1),
        (Type::Int(size), "MAX", true) => int(ty, (1 << (8 * size - 1)) - 1),
        (Type::Int(size), "MIN", true) => int(ty, -(1 << (8 * size - 1))),
        _ => bail!("no constant {name}::{constant}"),
    })
}

/// `12`, `0xFFu32`, `0b1_0`, `1.5f32`, `10f32`.
fn literal(text: &str) -> Result<Element> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let (radix, rest) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, &digits[..]),
    };
    // `f32` is a suffix only of decimal numbers: it may be hexadecimal digits.
    let suffix = TYPES.iter().find(|(name, ty)| rest.ends_with(name) && (radix == 10 || matches!(ty, Type::Int(_))));
    let (rest, ty) = suffix.map_or((rest, None), |(name, ty)| (&rest[..rest.len() - name.len()], Some(*ty)));
    let float = radix == 10 && (rest.contains(['.', 'e']) || matches!(ty, Some(Type::F32 | Type::F64)));
    let number = match (float, ty) {
        // Rounds once to the nearest 32-bit number.
        (true, Some(Type::F32)) => Number::Real(f64::from(rest.parse::<f32>()?)),
        (true, _) => Number::Real(rest.parse()?),
        (false, _) => Number::Int(i128::from_str_radix(rest, radix)?),
    };
    Ok(Element { ty, number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_read_as_rust_reads_them() {
        let words = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
        let of = |text: &str| array(text).unwrap();
        assert_eq!(of("[1u32, 0xFFFF_FFFF, 0b101]"), words(&[1, u32::MAX, 5]));
        assert_eq!(of("[1, -2]"), words(&[1, u32::MAX - 1]));
        assert_eq!(of("[1f32, f32::NAN, -0.5]"), words(&[0x3f80_0000, 0x7fc0_0000, 0xbf00_0000]));
        assert_eq!(of("[0.5]"), 0.5f64.to_le_bytes());
        assert_eq!(of("[std::f32::consts::PI / 2f32]"), std::f32::consts::FRAC_PI_2.to_le_bytes());
        assert_eq!(of("[u64::max_value()]"), [0xff; 8]);
        assert_eq!(of("[i32::MIN,]"), words(&[1 << 31]));
        assert_eq!(of("[half::f16::NAN.to_bits(), 1]"), [0x00, 0x7e, 1, 0]);
        assert_eq!(of("[half::f16::from_f32(1.0), half::f16::from_bits(0x38d3)]"), [0x00, 0x3c, 0xd3, 0x38]);
        assert_eq!(of("[f32::from_bits(0x33800000)]"), words(&[0x3380_0000]));
        assert_eq!(of("[0x248a9f32u32]"), words(&[0x248a_9f32]));
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        for text in ["1", "[x]", "[1u8, 2u16]", "[256u8]", "[1u32, 0.5]", "[f32::EPSILON]", "[1 << 2]"] {
            assert!(array(text).is_err(), "{text}");
        }
    }
}
