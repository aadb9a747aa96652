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

/// The arguments of a call, provided one by one.
struct Arguments<'a, E> {
    next: &'a mut dyn FnMut(Wanted) -> Result<Given, E>,
    /// How many were consumed.
    count: u32,
}

impl<E> Arguments<'_, E> {
    fn word(&mut self, bytes: usize) -> Result<u64, E> {
        self.count += 1;
        Ok(match (self.next)(Wanted::Bytes(bytes))? {
            Given::Word(word) => word,
            Given::Text(_) => 0,
        })
    }

    fn text(&mut self) -> Result<Option<Vec<u8>>, E> {
        self.count += 1;
        Ok(match (self.next)(Wanted::Text)? {
            Given::Word(_) => None,
            Given::Text(text) => Some(text),
        })
    }
}

/// A conversion specification without its letter.
#[derive(Clone, Copy, Default)]
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
    /// How many `h` there are.
    short: u32,
}

/// Prints; returns the number of arguments consumed.
pub(super) fn print<E>(
    format: &[u8],
    out: &mut Vec<u8>,
    next: &mut dyn FnMut(Wanted) -> Result<Given, E>,
) -> Result<u32, E> {
    let mut arguments = Arguments { next, count: 0 };
    let mut rest = format;
    while let Some((&byte, mut tail)) = rest.split_first() {
        if byte == b'%' {
            let spec = Spec::read(&mut tail, &mut arguments)?;
            let known = match tail.split_off_first() {
                Some(&letter) => spec.convert(letter, &mut arguments, out)?,
                None => false,
            };
            if !known {
                // An unknown conversion, or the beginning of one, is printed unchanged.
                out.extend_from_slice(&rest[..rest.len() - tail.len()]);
            }
        } else {
            out.push(byte);
        }
        rest = tail;
    }
    Ok(arguments.count)
}

/// Takes a byte from the beginning of the text, if it is this one.
fn eat(text: &mut &[u8], byte: u8) -> bool {
    let found = text.first() == Some(&byte);
    if found {
        *text = &text[1..];
    }
    found
}

/// Takes a number from the beginning of the text; 0 without digits.
fn digits(text: &mut &[u8]) -> usize {
    let mut value = 0usize;
    while let Some(digit) = text.first().filter(|b| b.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *text = &text[1..];
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
    /// Takes a specification from the beginning of the text.
    fn read<E>(text: &mut &[u8], arguments: &mut Arguments<'_, E>) -> Result<Self, E> {
        let mut spec = Spec { bytes: 4, ..Spec::default() };
        spec.read_flags(text);
        spec.width = if eat(text, b'*') {
            let width = arguments.word(4)? as u32 as i32;
            spec.left |= width < 0;
            width.unsigned_abs() as usize
        } else {
            digits(text)
        };
        if eat(text, b'.') {
            spec.precision = if eat(text, b'*') {
                usize::try_from(arguments.word(4)? as u32 as i32).ok()
            } else {
                Some(digits(text))
            };
        }
        spec.width = spec.width.min(WIDEST);
        spec.precision = spec.precision.map(|p| p.min(WIDEST));
        spec.read_length(text);
        Ok(spec)
    }

    fn read_flags(&mut self, text: &mut &[u8]) {
        while let Some(&flag) = text.first() {
            match flag {
                b'-' => self.left = true,
                b'+' => self.plus = true,
                b' ' => self.blank = true,
                b'#' => self.alternate = true,
                b'0' => self.zero = true,
                _ => break,
            }
            *text = &text[1..];
        }
    }

    fn read_length(&mut self, text: &mut &[u8]) {
        while let Some(&length) = text.first() {
            match length {
                b'h' => self.short += 1,
                b'l' | b'j' | b'z' | b't' | b'L' | b'q' => self.bytes = 8,
                _ => break,
            }
            *text = &text[1..];
        }
    }

    /// Prints the next argument as the letter says. Returns false for an unknown letter.
    fn convert<E>(&self, letter: u8, arguments: &mut Arguments<'_, E>, out: &mut Vec<u8>) -> Result<bool, E> {
        match letter {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let value = self.signed(arguments.word(self.bytes)?);
                let digits = value.unsigned_abs().to_string();
                self.number(out, sign(self, value < 0), digits.into_bytes());
            }
            b'u' | b'o' | b'x' | b'X' => {
                let (prefix, digits) = self.unsigned(letter, arguments.word(self.bytes)?);
                self.number(out, prefix, digits.into_bytes());
            }
            b'p' => {
                let value = arguments.word(8)?;
                let plain = Spec { precision: None, zero: false, ..*self };
                plain.number(out, "0x", format!("{value:x}").into_bytes());
            }
            b'c' => {
                let byte = arguments.word(4)? as u8;
                self.pad(out, &[byte]);
            }
            b's' => {
                if let Some(mut text) = arguments.text()? {
                    text.truncate(self.precision.unwrap_or(usize::MAX));
                    self.pad(out, &text);
                }
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(arguments.word(8)?);
                self.float(out, letter, value);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The value of a signed argument.
    fn signed(&self, word: u64) -> i64 {
        match (self.bytes, self.short) {
            (8, _) => word as i64,
            (_, 0) => i64::from(word as i32),
            (_, 1) => i64::from(word as i16),
            _ => i64::from(word as i8),
        }
    }

    /// The prefix and the digits of an unsigned argument.
    fn unsigned(&self, letter: u8, word: u64) -> (&'static str, String) {
        let value = match (self.bytes, self.short) {
            (8, _) => word,
            (_, 0) => u64::from(word as u32),
            (_, 1) => u64::from(word as u16),
            _ => u64::from(word as u8),
        };
        let marked = self.alternate && value != 0;
        match letter {
            b'u' => ("", value.to_string()),
            b'o' => ("", format!("{}{value:o}", if marked { "0" } else { "" })),
            b'x' => (if marked { "0x" } else { "" }, format!("{value:x}")),
            _ => (if marked { "0X" } else { "" }, format!("{value:X}")),
        }
    }

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
