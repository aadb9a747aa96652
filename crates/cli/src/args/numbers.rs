//! Parsers of option values: architectures, numbers of kernels, sizes, times.

use raddle_driver::host::memory::Limit;
use raddle_target::Target;
use std::time::Duration;

/// Parses the name of an architecture.
pub(super) fn arch(text: &str) -> Result<&'static Target, String> {
    Target::by_name(text).ok_or_else(|| {
        let names: Vec<&str> = raddle_target::TARGETS.iter().map(|t| t.name).collect();
        format!("known are {}", names.join(", "))
    })
}

/// Parses a number of kernels at once: unlike make, `-j` needs a number. -1 is 0: some tools
/// write it so.
pub(super) fn jobs(text: &str) -> Result<usize, String> {
    if text == "-1" {
        return Ok(0);
    }
    text.parse().map_err(|_| "expected a number of kernels; without -j it is the number of CPUs".to_string())
}

/// Parses a number of bytes, optionally with a unit.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1_u64),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    number.ok_or_else(|| "expected a number of bytes, optionally followed by K, M or G".to_string())
}

/// Parses a memory limit.
pub(super) fn memory(text: &str) -> Result<Limit, String> {
    match text {
        "auto" => Ok(Limit::Auto),
        "off" => Ok(Limit::Off),
        _ => size(text).map(Limit::Bytes),
    }
}

/// Parses a number of seconds, with fractions, up to a year.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds".to_string())?;
    if (0.0..=3.2e7).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("0 to 32000000".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(["7", "2k", "3M", "1G"].map(|text| size(text).unwrap()), [7, 2048, 3 << 20, 1 << 30]);
        for wrong in ["", "K", "-1", "1T", "99999999999999999999", "99999999999G", "1.5M"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
