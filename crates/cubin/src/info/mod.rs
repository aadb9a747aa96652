//! Reads and writes `.nv.info` and `.nv.compat` attributes as typed values.
//!
//! An attribute is four bytes: format, code and a 16-bit half. In format 4 the half is the size of
//! the payload that follows, padded to four bytes. The shape of a payload depends only on the code
//! (`codes.rs`). A code without a name, and a payload that does not have its code's shape, are kept
//! by number and as words or bytes: reading loses nothing, and writing gives the same bytes.

mod codes;

pub use codes::{code, compat, compat_name, name};

use codes::Shape;

use crate::elf::{u16_at, u32_at};

/// One attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its code (see [`code`] and [`compat`]).
    pub code: u8,
    /// Its value.
    pub value: Value,
}

/// An attribute's value. Symbols are indices into the file's symbol table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Format 1: no value; the unused half.
    Mark(u16),
    /// Format 2: a byte; and the unused byte after it.
    Byte(u8, u8),
    /// Format 3: 16 bits.
    Half(u16),
    /// Format 4: words.
    Words(Vec<u32>),
    /// Format 4: symbol and word.
    SymbolWord {
        /// Symbol index.
        symbol: u32,
        /// The word.
        value: u32,
    },
    /// Format 4: symbols.
    Symbols(Vec<u32>),
    /// Format 4: the place of the parameters.
    ParamBank {
        /// Symbol of the `.nv.constant0` section.
        symbol: u32,
        /// Offset of the first byte.
        offset: u16,
        /// Size in bytes.
        size: u16,
    },
    /// Format 4: one parameter.
    Param(ParamInfo),
    /// Format 4: one parameter of a kernel with a large parameter area. Its `bank` is not in the
    /// file, and is 0 here.
    ParamV2(ParamInfo),
    /// Format 4 payload whose size is not a multiple of four, or too short for its code's shape.
    Bytes(Vec<u8>),
}

/// KPARAM_INFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// Always 0.
    pub index: u32,
    /// Position in the parameter list.
    pub ordinal: u16,
    /// Byte offset from the first parameter.
    pub offset: u16,
    /// Binary logarithm of the alignment of a pointer's target, 0 if unknown.
    pub log_align: u8,
    /// State space of a pointer's target, 4 bits: 0 if unspecified.
    pub space: u8,
    /// 0x1f: parameters are in a constant bank.
    pub bank: u8,
    /// The bit above `bank`.
    pub high: bool,
    /// Size in bytes, 14 bits.
    pub size: u16,
}

impl ParamInfo {
    /// A parameter as ptxas 13.0.88 describes it without a `.ptr` attribute.
    pub fn new(ordinal: u16, offset: u16, size: u16) -> Self {
        Self { index: 0, ordinal, offset, log_align: 0, space: 0, bank: 0x1f, high: false, size }
    }

    fn from_words(index: u32, place: u32, bits: u32) -> Self {
        Self {
            index,
            ordinal: place as u16,
            offset: (place >> 16) as u16,
            log_align: bits as u8,
            space: (bits >> 8 & 0xf) as u8,
            bank: (bits >> 12 & 0x1f) as u8,
            high: bits >> 17 & 1 != 0,
            size: (bits >> 18) as u16,
        }
    }

    fn words(self) -> [u32; 3] {
        let bits = u32::from(self.log_align)
            | u32::from(self.space & 0xf) << 8
            | u32::from(self.bank & 0x1f) << 12
            | u32::from(self.high) << 17
            | u32::from(self.size) << 18;
        [self.index, u32::from(self.ordinal) | u32::from(self.offset) << 16, bits]
    }
}

impl ParamInfo {
    /// Decodes the second version: the size has 16 bits, followed by alignment and space.
    fn from_words_v2(index: u32, place: u32, bits: u32) -> Self {
        Self {
            index,
            ordinal: place as u16,
            offset: (place >> 16) as u16,
            log_align: (bits >> 16) as u8,
            space: (bits >> 24) as u8,
            bank: 0,
            high: false,
            size: bits as u16,
        }
    }

    fn words_v2(self) -> [u32; 3] {
        let bits = u32::from(self.size) | u32::from(self.log_align) << 16 | u32::from(self.space) << 24;
        [self.index, u32::from(self.ordinal) | u32::from(self.offset) << 16, bits]
    }
}

/// The reason why attributes cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InfoError {
    /// The section ends inside an attribute.
    #[error("attribute at {offset:#x} is cut off")]
    Truncated {
        /// Byte offset of the attribute.
        offset: usize,
    },
    /// The format is not one of the four.
    #[error("attribute at {offset:#x} has unknown format {format}")]
    Format {
        /// Byte offset of the attribute.
        offset: usize,
        /// The format byte.
        format: u8,
    },
}

/// Reads all attributes of a section.
pub fn read(bytes: &[u8]) -> Result<Vec<Attribute>, InfoError> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let truncated = InfoError::Truncated { offset: at };
        let (Some(&format), Some(&code), Some(half)) = (bytes.get(at), bytes.get(at + 1), u16_at(bytes, at + 2)) else {
            return Err(truncated);
        };
        let mut next = at + 4;
        let value = match format {
            1 => Value::Mark(half),
            2 => Value::Byte(half as u8, (half >> 8) as u8),
            3 => Value::Half(half),
            4 => {
                let payload = bytes.get(next..next + usize::from(half)).ok_or(truncated)?;
                // Payloads are padded to words; the padding of the last one in a section may be
                // missing.
                next = (next + usize::from(half).next_multiple_of(4)).min(bytes.len());
                payload_value(code, payload)
            }
            _ => return Err(InfoError::Format { offset: at, format }),
        };
        out.push(Attribute { code, value });
        at = next;
    }
    Ok(out)
}

fn payload_value(code: u8, payload: &[u8]) -> Value {
    if !payload.len().is_multiple_of(4) {
        return Value::Bytes(payload.to_vec());
    }
    let words: Vec<u32> = (0..payload.len() / 4).filter_map(|i| u32_at(payload, 4 * i)).collect();
    match (codes::shape(code), &words[..]) {
        (Shape::SymbolWord, &[symbol, value]) => Value::SymbolWord { symbol, value },
        (Shape::Symbols, _) => Value::Symbols(words),
        (Shape::ParamBank, &[symbol, place]) => {
            Value::ParamBank { symbol, offset: place as u16, size: (place >> 16) as u16 }
        }
        (Shape::Param, &[index, place, bits]) => Value::Param(ParamInfo::from_words(index, place, bits)),
        (Shape::ParamV2, &[index, place, bits]) => Value::ParamV2(ParamInfo::from_words_v2(index, place, bits)),
        (Shape::Words, _) => Value::Words(words),
        _ => Value::Bytes(payload.to_vec()),
    }
}

/// The bytes that [`write()`] makes of the attributes.
pub fn size(attributes: &[Attribute]) -> u64 {
    let words = |a: &Attribute| match &a.value {
        Value::Mark(_) | Value::Byte(..) | Value::Half(_) => 0,
        Value::Words(w) | Value::Symbols(w) => w.len(),
        Value::SymbolWord { .. } | Value::ParamBank { .. } => 2,
        Value::Param(p) => p.words().len(),
        Value::ParamV2(p) => p.words_v2().len(),
        Value::Bytes(b) => b.len().div_ceil(4),
    };
    attributes.iter().map(|a| 4 + 4 * words(a) as u64).sum()
}

/// Encodes the attributes of a section.
pub fn write(attributes: &[Attribute]) -> Vec<u8> {
    let mut out = Vec::with_capacity(size(attributes) as usize);
    for a in attributes {
        let head = |out: &mut Vec<u8>, format: u8, half: [u8; 2]| out.extend([format, a.code, half[0], half[1]]);
        let words = |out: &mut Vec<u8>, words: &[u32]| {
            head(out, 4, ((words.len() * 4) as u16).to_le_bytes());
            out.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        };
        match &a.value {
            Value::Mark(h) => head(&mut out, 1, h.to_le_bytes()),
            Value::Byte(b, pad) => head(&mut out, 2, [*b, *pad]),
            Value::Half(h) => head(&mut out, 3, h.to_le_bytes()),
            Value::Words(w) | Value::Symbols(w) => words(&mut out, w),
            Value::SymbolWord { symbol, value } => words(&mut out, &[*symbol, *value]),
            Value::ParamBank { symbol, offset, size } => {
                words(&mut out, &[*symbol, u32::from(*offset) | u32::from(*size) << 16]);
            }
            Value::Param(p) => words(&mut out, &p.words()),
            Value::ParamV2(p) => words(&mut out, &p.words_v2()),
            Value::Bytes(b) => {
                head(&mut out, 4, (b.len() as u16).to_le_bytes());
                out.extend(b);
                out.resize(out.len().next_multiple_of(4), 0);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_ptxas_wrote_and_writes_it_back() {
        // .nv.info.k of an sm_80 kernel with an indirect branch (ptxas 13.0.88 output).
        let bytes: Vec<u8> = [
            &[0x04, 0x37, 4, 0, 0x82, 0, 0, 0, 0x01, 0x35, 0, 0][..],
            &[0x04, 0x0a, 8, 0, 8, 0, 0, 0, 0x60, 0x01, 0x08, 0],
            &[0x03, 0x19, 8, 0, 0x04, 0x17, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0xf0, 0x21, 0],
            &[0x02, 0x4c, 1, 0, 0x04, 0x1c, 4, 0, 0xb0, 1, 0, 0],
        ]
        .concat();
        let attributes = read(&bytes).unwrap();
        assert_eq!(
            attributes.iter().map(|a| &a.value).collect::<Vec<_>>(),
            [
                &Value::Words(vec![0x82]),
                &Value::Mark(0),
                &Value::ParamBank { symbol: 8, offset: 0x160, size: 8 },
                &Value::Half(8),
                &Value::Param(ParamInfo::new(0, 0, 8)),
                &Value::Byte(1, 0),
                &Value::Words(vec![0x1b0]),
            ]
        );
        assert_eq!(write(&attributes), bytes);
        assert_eq!(size(&attributes), bytes.len() as u64);
    }

    #[test]
    fn odd_payloads_survive() {
        let bytes = [4, 0x17, 3, 0, 1, 2, 3, 0, 4, 0xee, 4, 0, 9, 0, 0, 0];
        let attributes = read(&bytes).unwrap();
        assert_eq!(attributes[0].value, Value::Bytes(vec![1, 2, 3]));
        assert_eq!(attributes[1].value, Value::Words(vec![9]));
        assert_eq!(write(&attributes), bytes);
    }

    #[test]
    fn cut_off_and_unknown_formats_are_errors() {
        assert_eq!(read(&[4, 0x1c, 8, 0, 1, 0, 0, 0]), Err(InfoError::Truncated { offset: 0 }));
        assert_eq!(read(&[1, 0x35, 0, 0, 4]), Err(InfoError::Truncated { offset: 4 }));
        assert_eq!(read(&[9, 0, 0, 0]), Err(InfoError::Format { offset: 0, format: 9 }));
    }
}
