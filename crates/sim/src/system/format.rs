//! `printf` (C17, 7.21.6.1) with the restrictions of CUDA C++: no `%n` and no wide characters (CUDA
//! C++ programming guide, "Format Specifiers").
//!
//! Strategy: one pass over the format; each conversion requests its bytes, in order. Other text is
//! printed unchanged.

use std::io::Write;

/// The next argument that a conversion needs.
pub(super) enum Wanted {
    /// An integer of this many bytes, 4 or 8.
    Bytes(usize),
    /// The text at a pointer.
    Text,
}

/// The argument provided.
pub(super) enum Given {
    Word(u64),
    Text(Vec<u8>),
}

/// Limit of widths and precisions.
const WIDEST: usize = 4096;

/// A conversion specification without its letter.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    blank: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Size of an integer in bytes.
    bytes: usize,
}

/// Prints; returns the number of arguments consumed.
pub(super) fn print<E>(
    format: &[u8],
    out: &mut Vec<u8>,
    next: &mut dyn FnMut(Wanted) -> Result<Given, E>,
) -> Result<u32, E> {
    let mut count = 0;
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        if byte != b'%' {
            out.push(byte);
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        let mut word = |bytes: usize, next: &mut dyn FnMut(Wanted) -> Result<Given, E>| -> Result<u64, E> {
            count += 1;
            Ok(match next(Wanted::Bytes(bytes))? {
                Given::Word(word) => word,
                Given::Text(_) => 0,
            })
        };
        let mut spec = Spec { bytes: 4, ..Spec::default() };
        while let Some(&flag) = format.get(at) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.blank = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            at += 1;
            let width = word(4, next)? as u32 as i32;
            spec.left |= width < 0;
            spec.width = width.unsigned_abs() as usize;
        } else {
            spec.width = digits(format, &mut at);
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            spec.precision = if format.get(at) == Some(&b'*') {
                at += 1;
                usize::try_from(word(4, next)? as u32 as i32).ok()
            } else {
                Some(digits(format, &mut at))
            };
        }
        spec.width = spec.width.min(WIDEST);
        spec.precision = spec.precision.map(|p| p.min(WIDEST));
        let mut short = 0;
        while let Some(&length) = format.get(at) {
            match length {
                b'h' => short += 1,
                b'l' | b'j' | b'z' | b't' => spec.bytes = 8,
                b'L' | b'q' => spec.bytes = 8,
                _ => break,
            }
            at += 1;
        }
        let Some(&letter) = format.get(at) else {
            out.extend_from_slice(&format[start..]);
            break;
        };
        at += 1;
        match letter {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let word = word(spec.bytes, next)?;
                let value = match (spec.bytes, short) {
                    (8, _) => word as i64,
                    (_, 0) => i64::from(word as i32),
                    (_, 1) => i64::from(word as i16),
                    _ => i64::from(word as i8),
                };
                let digits = value.unsigned_abs().to_string();
                spec.number(out, sign(&spec, value < 0), digits.into_bytes());
            }
            b'u' | b'o' | b'x' | b'X' => {
                let word = word(spec.bytes, next)?;
                let value = match (spec.bytes, short) {
                    (8, _) => word,
                    (_, 0) => u64::from(word as u32),
                    (_, 1) => u64::from(word as u16),
                    _ => u64::from(word as u8),
                };
                let (prefix, digits) = match letter {
                    b'u' => ("", value.to_string()),
                    b'o' if spec.alternate && value != 0 => ("", format!("0{value:o}")),
                    b'o' => ("", format!("{value:o}")),
                    b'x' => (if spec.alternate && value != 0 { "0x" } else { "" }, format!("{value:x}")),
                    _ => (if spec.alternate && value != 0 { "0X" } else { "" }, format!("{value:X}")),
                };
                spec.number(out, prefix, digits.into_bytes());
            }
            b'p' => {
                let value = word(8, next)?;
                spec.precision = None;
                spec.zero = false;
                spec.number(out, "0x", format!("{value:x}").into_bytes());
            }
            b'c' => {
                let byte = word(4, next)? as u8;
                spec.pad(out, &[byte]);
            }
            b's' => {
                count += 1;
                if let Given::Text(mut text) = next(Wanted::Text)? {
                    text.truncate(spec.precision.unwrap_or(usize::MAX));
                    spec.pad(out, &text);
                }
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(word(8, next)?);
                spec.float(out, letter, value);
            }
            // An unknown conversion is printed unchanged.
            _ => out.extend_from_slice(&format[start..at]),
        }
    }
    Ok(count)
}

fn digits(format: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = format.get(*at).filter(|b| b.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *at += 1;
    }
    value
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.blank) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

impl Spec {
    /// Pads with blanks.
    fn pad(&self, out: &mut Vec<u8>, text: &[u8]) {
        let fill = self.width.saturating_sub(text.len());
        if !self.left {
            out.resize(out.len() + fill, b' ');
        }
        out.extend_from_slice(text);
        if self.left {
            out.resize(out.len() + fill, b' ');
        }
    }

    /// Prints an integer: sign or prefix, and digits.
    fn number(&self, out: &mut Vec<u8>, prefix: &str, digits: Vec<u8>) {
        let digits = if self.precision == Some(0) && digits == b"0" { Vec::new() } else { digits };
        let least = match self.precision {
            Some(precision) => precision,
            None if self.zero && !self.left => self.width.saturating_sub(prefix.len()),
            None => 0,
        };
        let mut text = prefix.as_bytes().to_vec();
        text.resize(text.len() + least.saturating_sub(digits.len()), b'0');
        text.extend(digits);
        self.pad(out, &text);
    }

    fn float(&self, out: &mut Vec<u8>, letter: u8, value: f64) {
        let sign = sign(self, value.is_sign_negative());
        let upper = letter.is_ascii_uppercase();
        let magnitude = value.abs();
        let mut digits = if value.is_nan() {
            "nan".to_owned()
        } else if value.is_infinite() {
            "inf".to_owned()
        } else {
            match letter.to_ascii_lowercase() {
                b'f' => fixed(magnitude, self.precision.unwrap_or(6), self.alternate),
                b'e' => scientific(magnitude, self.precision.unwrap_or(6), self.alternate),
                b'g' => self.shortest(magnitude),
                _ => hexadecimal(magnitude, self.precision, self.alternate),
            }
        };
        if upper {
            digits.make_ascii_uppercase();
        }
        let mut text = sign.as_bytes().to_vec();
        if self.zero && !self.left && value.is_finite() {
            // Zeros go after the sign, and after `0x`.
            let prefix = if letter.eq_ignore_ascii_case(&b'a') { 2 } else { 0 };
            text.extend_from_slice(&digits.as_bytes()[..prefix]);
            let rest = &digits.as_bytes()[prefix..];
            text.resize(text.len().max(self.width.saturating_sub(rest.len())), b'0');
            text.extend_from_slice(rest);
        } else {
            text.extend_from_slice(digits.as_bytes());
        }
        self.pad(out, &text);
    }

    /// Formats `%g`: as many digits as the precision, without trailing zeros.
    fn shortest(&self, value: f64) -> String {
        let precision = self.precision.unwrap_or(6).max(1);
        let probe = format!("{value:.*e}", precision - 1);
        let exponent: i32 = probe.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
        let plain = (-4..precision as i32).contains(&exponent);
        let text = if plain {
            fixed(value, (precision as i32 - 1 - exponent).max(0) as usize, self.alternate)
        } else {
            scientific(value, precision - 1, self.alternate)
        };
        if self.alternate || !text.contains('.') {
            return text;
        }
        let (number, tail) = text.split_at(text.find('e').unwrap_or(text.len()));
        format!("{}{tail}", number.trim_end_matches('0').trim_end_matches('.'))
    }
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{dot}")
}

fn scientific(value: f64, precision: usize, point: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (number, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let dot = if point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{number}{dot}e{sign}{:02}", exponent.unsigned_abs())
}

/// Formats `%a`: the exact bits; a precision rounds to even.
fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    let bits = value.to_bits();
    let (biased, fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
    let (mut lead, mut exponent) = if biased == 0 { (0, -1022) } else { (1, biased - 1023) };
    if value == 0.0 {
        exponent = 0;
    }
    let mut digits = 13;
    let mut fraction = fraction;
    match precision {
        Some(p) if p < 13 => {
            let cut = 4 * (13 - p as u32);
            let whole = lead << 52 | fraction;
            let (kept, rest, half) = (whole >> cut, whole & ((1 << cut) - 1), 1u64 << (cut - 1));
            let kept = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
            lead = kept >> (4 * p);
            fraction = kept & ((1u64 << (4 * p)) - 1);
            digits = p;
        }
        _ => {}
    }
    let mut text = if digits == 0 { String::new() } else { format!("{fraction:0digits$x}") };
    match precision {
        None => text.truncate(text.trim_end_matches('0').len()),
        Some(p) => text.extend(std::iter::repeat_n('0', p.saturating_sub(13))),
    }
    let dot = if text.is_empty() && !point { "" } else { "." };
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = write!(out, "0x{lead:x}{dot}{text}p{exponent:+}");
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(format: &str, words: &[u64]) -> String {
        let mut words = words.iter().copied();
        let mut out = Vec::new();
        let result: Result<u32, ()> = print(format.as_bytes(), &mut out, &mut |wanted| match wanted {
            Wanted::Bytes(_) => Ok(Given::Word(words.next().unwrap_or(0))),
            Wanted::Text => Ok(Given::Text(b"text".to_vec())),
        });
        assert!(result.is_ok());
        String::from_utf8(out).unwrap()
    }

    /// The output of glibc's `printf` for the same input.
    #[test]
    fn conversions_are_those_of_c() {
        let minus = -42i32 as u32 as u64;
        for (format, word, want) in [
            ("%d|%%", minus, "-42|%"),
            ("%5d|", 7, "    7|"),
            ("%-5d|", 7, "7    |"),
            ("%05d|", minus, "-0042|"),
            ("%+.3d|", 7, "+007|"),
            ("% i", 7, " 7"),
            ("%hhd", 0xff, "-1"),
            ("%hu", 0x12345, "9029"),
            ("%u", minus, "4294967254"),
            ("%lld", -1i64 as u64, "-1"),
            ("%lx", u64::MAX, "ffffffffffffffff"),
            ("%#x", 255, "0xff"),
            ("%#010X", 255, "0X000000FF"),
            ("%#o", 8, "010"),
            ("%c", 65, "A"),
            ("%p", 0x1234, "0x1234"),
            ("%.2s|", 0, "te|"),
            ("%6s|", 0, "  text|"),
            ("%.0d|", 0, "|"),
            ("%y", 0, "%y"),
            ("%", 0, "%"),
        ] {
            assert_eq!(printed(format, &[word]), want, "{format}");
        }
        assert_eq!(printed("%*d|%-*d|%.*d", &[4, 1, 4, 2, 3, 3]), "   1|2   |003");
    }

    /// The output of glibc's `printf` for the same input.
    #[test]
    fn floats_are_printed_as_c_does() {
        for (format, value, want) in [
            ("%f", 1.5, "1.500000"),
            ("%.0f", 2.5, "2"),
            ("%#.0f", 2.5, "2."),
            ("%08.2f", -5.12599, "-0005.13"),
            ("%e", 12345.678, "1.234568e+04"),
            ("%.0E", 0.00025, "3E-04"),
            ("%g", 100000.0, "100000"),
            ("%g", 1e6, "1e+06"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.00001234, "1.234e-05"),
            ("%#g", 1.0, "1.00000"),
            ("%G", f64::INFINITY, "INF"),
            ("%5f|", f64::NAN, "  nan|"),
            ("%a", 1.0, "0x1p+0"),
            ("%a", 0.1, "0x1.999999999999ap-4"),
            ("%.2a", 1.999, "0x2.00p+0"),
            ("%012a", 1.5, "0x00001.8p+0"),
            ("%g", 0.0, "0"),
        ] {
            assert_eq!(printed(format, &[value.to_bits()]), want, "{format} of {value}");
        }
    }
}
