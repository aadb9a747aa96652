//! Whole numbers, as the tools read them: by `strtol` of C, in decimal, hexadecimal (`0x`) or octal
//! (`0`), after blanks and a sign (ptxas 13.0.88 output).

/// The value of a text that is a number as a whole, at most the largest of 64 bits; nothing is 0.
/// `None` for any other text.
pub fn integer(text: &str) -> Option<i64> {
    if text.is_empty() {
        return Some(0);
    }
    let text = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None if digits.starts_with('0') => (8, digits),
        None => (10, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value: i64 = 0;
    for c in digits.chars() {
        let digit = i64::from(c.to_digit(radix)?);
        let signed = if negative { -digit } else { digit };
        value = value.saturating_mul(radix.into()).saturating_add(signed);
    }
    Some(value)
}

/// The number at the start of a text, as `atoi` of C reads it: 0 where there is none, and for one
/// of more than 32 bits the largest.
pub(crate) fn leading(text: &str) -> u32 {
    let digits: &str = &text[..text.bytes().take_while(u8::is_ascii_digit).count()];
    if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u32::MAX) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_c() {
        for (text, want) in [
            ("", 0),
            ("32", 32),
            (" 32", 32),
            ("+32", 32),
            ("-1", -1),
            ("0x20", 32),
            ("-0X1f", -31),
            ("010", 8),
            ("0", 0),
            ("99999999999999999999", i64::MAX),
            ("-99999999999999999999", i64::MIN),
        ] {
            assert_eq!(integer(text), Some(want), "{text}");
        }
        for text in [" ", "-", "0x", "08", "32 ", "0x2g", "1e2", "- 1", "x"] {
            assert_eq!(integer(text), None, "{text}");
        }
        assert_eq!(["12x", "x", "", "99999999999"].map(leading), [12, 0, 0, u32::MAX]);
    }
}
