//! Formats of texels: bytes to values of channels, and back.

use crate::float::{F16, F32, Mode, to_float};

/// The type of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Unsigned of this many bits.
    Unsigned(u32),
    /// Signed of this many bits.
    Signed(u32),
    /// binary16 or binary32.
    Float(u32),
}

impl Channel {
    /// Returns the width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Channel::Unsigned(bits) | Channel::Signed(bits) | Channel::Float(bits) => bits,
        }
    }
}

/// The format of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Channels: 1, 2 or 4.
    pub channels: u32,
    /// Their type.
    pub channel: Channel,
    /// Whether integers are read as fractions of the largest: 0 to 1, or -1 to 1.
    pub normalized: bool,
    /// Whether red, green and blue are in the sRGB encoding.
    pub srgb: bool,
}

impl Format {
    /// Returns the bytes of a texel.
    pub fn bytes(&self) -> usize {
        (self.channels * self.channel.bits() / 8) as usize
    }

    /// Whether the values of a lookup are floats.
    pub fn is_float(&self) -> bool {
        self.normalized || matches!(self.channel, Channel::Float(_))
    }

    /// Parses a name such as `rgba8_unorm`, `r32_float`, `rg16_sint`.
    pub fn parse(text: &str) -> Option<Format> {
        let (head, kind) = text.split_once('_')?;
        let digits = head.find(|c: char| c.is_ascii_digit())?;
        let channels = match &head[..digits] {
            "r" => 1,
            "rg" => 2,
            "rgba" => 4,
            _ => return None,
        };
        let bits = head[digits..].parse().ok()?;
        let (channel, normalized, srgb) = match (kind, bits) {
            ("uint", 8 | 16 | 32) => (Channel::Unsigned(bits), false, false),
            ("sint", 8 | 16 | 32) => (Channel::Signed(bits), false, false),
            ("unorm", 8 | 16) => (Channel::Unsigned(bits), true, false),
            ("snorm", 8 | 16) => (Channel::Signed(bits), true, false),
            ("srgb", 8) => (Channel::Unsigned(bits), true, true),
            ("float", 16 | 32) => (Channel::Float(bits), false, false),
            _ => return None,
        };
        Some(Format { channels, channel, normalized, srgb })
    }

    /// Returns channel `n` of a texel as the 32 bits that a lookup gives, and their undefined bits.
    pub fn channel(&self, texel: u128, undefined: u128, n: usize) -> (u32, u32) {
        let bits = self.channel.bits();
        if n as u32 >= self.channels {
            return (0, 0);
        }
        let mask = u32::MAX >> (32 - bits);
        let part = |word: u128| (word >> (bits * n as u32)) as u32 & mask;
        let (raw, raw_undefined) = (part(texel), part(undefined));
        let value = match self.channel {
            Channel::Float(16) => to_float(&F16, &F32, raw.into(), Mode::RN, false) as u32,
            Channel::Float(_) => raw,
            Channel::Unsigned(_) if self.normalized => {
                let value = f64::from(raw) / f64::from(mask);
                (if self.srgb && n < 3 { linear(value) } else { value } as f32).to_bits()
            }
            Channel::Unsigned(_) => raw,
            Channel::Signed(_) => {
                let signed = (raw << (32 - bits)) as i32 >> (32 - bits);
                match self.normalized {
                    true => ((f64::from(signed) / f64::from(mask >> 1)).max(-1.0) as f32).to_bits(),
                    false => signed as u32,
                }
            }
        };
        let all = if raw_undefined == 0 { 0 } else { u32::MAX };
        let kept = if bits == 32 { raw_undefined } else { all };
        (value, kept)
    }

    /// Converts 32 bits to channel `n` of a texel (`sust.p`; PTX ISA 9.0, 9.7.11.2): integers are
    /// clamped to the range of the channel, floats are rounded to nearest.
    pub fn store(&self, value: u32, n: usize) -> u32 {
        let bits = self.channel.bits();
        let mask = u32::MAX >> (32 - bits);
        let float = f64::from(f32::from_bits(value));
        let scaled = |top: u32, low: f64| {
            let clamped = if float.is_nan() { 0.0 } else { float.clamp(low, 1.0) };
            let clamped = if self.srgb && n < 3 { encoded(clamped) } else { clamped };
            round_even(clamped * f64::from(top)) as i32 as u32
        };
        match self.channel {
            Channel::Float(16) => to_float(&F32, &F16, value.into(), Mode::RN, false) as u32 & mask,
            Channel::Float(_) => value,
            Channel::Unsigned(_) if self.normalized => scaled(mask, 0.0) & mask,
            Channel::Signed(_) if self.normalized => scaled(mask >> 1, -1.0) & mask,
            Channel::Unsigned(_) => value.min(mask),
            Channel::Signed(_) => {
                let top = (mask >> 1) as i32;
                (value as i32).clamp(-top - 1, top) as u32 & mask
            }
        }
    }
}

/// The nearest integer, ties to even, of a number below 2^51.
fn round_even(value: f64) -> f64 {
    let shift = 6_755_399_441_055_744.0;
    (value + shift) - shift
}

/// A fifth root of a number from 0 to 1, by Newton's method: additions, products and quotients
/// only, so that it is the same on every host.
fn fifth_root(value: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let mut root = 1.0;
    for _ in 0..200 {
        let fourth = root * root * root * root;
        root -= (root - value / fourth) / 5.0;
    }
    root
}

/// The linear value of an sRGB value (IEC 61966-2-1).
fn linear(value: f64) -> f64 {
    if value <= 0.04045 {
        return value / 12.92;
    }
    let base = (value + 0.055) / 1.055;
    // base^2.4
    base * base * fifth_root(base * base)
}

/// The sRGB value of a linear value.
fn encoded(value: f64) -> f64 {
    if value <= 0.003_130_8 {
        return value * 12.92;
    }
    // The inverse by bisection: `linear` rises.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if linear(middle) < value { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_converted() {
        let f = Format::parse("rgba8_unorm").unwrap();
        assert_eq!((f.bytes(), f.is_float()), (4, true));
        assert_eq!(f.channel(0xff00_8000, 0, 1).0, (128.0f32 / 255.0).to_bits());
        assert_eq!(f.channel(0xff00_8000, 0, 3).0, 1f32.to_bits());
        let f = Format::parse("rg16_snorm").unwrap();
        assert_eq!(f.channel(0x8000_7fff, 0, 0).0, 1f32.to_bits());
        assert_eq!(f.channel(0x8000_7fff, 0, 1).0, (-1f32).to_bits());
        assert_eq!((f.channel(0, 0, 2).0, f.channel(0, 0, 3).0), (0, 0));
        let f = Format::parse("r8_sint").unwrap();
        assert_eq!((f.channel(0x80, 0, 0), f.channel(0, 0, 3)), ((-128i32 as u32, 0), (0, 0)));
        assert_eq!(Format::parse("r16_float").unwrap().channel(0x3e00, 0, 0).0, 1.5f32.to_bits());
        for bad in ["rgb8_unorm", "r32_unorm", "r8_float", "r8", "x8_uint", "r16_srgb"] {
            assert_eq!(Format::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn stores_are_the_inverse() {
        for name in ["r8_unorm", "r8_srgb", "r8_sint", "r16_float", "r8_uint", "r16_snorm"] {
            let f = Format::parse(name).unwrap();
            for raw in 0..if f.channel.bits() == 8 { 256 } else { 0x7c01 } {
                if name == "r16_snorm" && raw == 0x8000 {
                    continue;
                }
                assert_eq!(f.store(f.channel(raw.into(), 0, 0).0, 0), raw, "{name}");
            }
        }
        let f = Format::parse("r8_sint").unwrap();
        assert_eq!((f.store(1000, 0), f.store(-1000i32 as u32, 0)), (0x7f, 0x80));
        assert_eq!(Format::parse("r8_unorm").unwrap().store(2f32.to_bits(), 0), 255);
    }
}
