//! LEB128, the numbers of variable length of DWARF (DWARF 4, 7.6).

/// Appends the ULEB128 of `value`.
pub fn write_unsigned(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let more = value > 0x7f;
        out.push((value & 0x7f) as u8 | if more { 0x80 } else { 0 });
        value >>= 7;
        if !more {
            return;
        }
    }
}

/// Appends the SLEB128 of `value`.
pub fn write_signed(out: &mut Vec<u8>, mut value: i64) {
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        let done = value == if byte & 0x40 != 0 { -1 } else { 0 };
        out.push(byte | if done { 0 } else { 0x80 });
        if done {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of DWARF 4, figures 22 and 23.
    #[test]
    fn numbers_are_written_as_the_standard_shows() {
        for (value, bytes) in
            [(2, &[2][..]), (127, &[127]), (128, &[0x80, 1]), (129, &[0x81, 1]), (12857, &[0xb9, 0x64])]
        {
            let mut out = Vec::new();
            write_unsigned(&mut out, value);
            assert_eq!(out, bytes, "{value}");
        }
        for (value, bytes) in [
            (2, &[2][..]),
            (-2, &[0x7e]),
            (127, &[0xff, 0]),
            (-127, &[0x81, 0x7f]),
            (128, &[0x80, 1]),
            (-129, &[0xff, 0x7e]),
        ] {
            let mut out = Vec::new();
            write_signed(&mut out, value);
            assert_eq!(out, bytes, "{value}");
        }
    }
}
