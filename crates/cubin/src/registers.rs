//! The sections in which a debugger finds the values of PTX registers: `.nv_debug_info_reg_sass` and
//! `.nv_debug_info_reg_type` ("ptxas 13.0.88 output" with `-g`).
//!
//! The first has for each function its name and a number of entries, and for each entry the part of
//! the PTX register (32 bits, low first; a predicate has one part), the register's name, the machine
//! register, and the code in which that holds the register's value: offsets of its beginning and of its
//! end in the function. The second has the name and the number again, and a byte for each entry, the
//! type. Names end with a NUL, other fields are 32-bit numbers. There are no relocations: functions
//! are found by name, and linkers concatenate the sections.

use crate::unit::RegisterRange;
use thiserror::Error;

/// The name of the section with machine registers.
pub const PLACES: &str = ".nv_debug_info_reg_sass";
/// The name of the section with types.
pub const TYPES: &str = ".nv_debug_info_reg_type";

/// The class of predicates, in the highest byte of a machine register.
pub const PREDICATE: u32 = 2;
/// The class of general registers.
pub const GENERAL: u32 = 5;

/// Added to the type of the elements of a vector of two.
pub const PAIR: u8 = 0x40;
/// Added to the type of the elements of a vector of four.
pub const QUAD: u8 = 0x80;

/// Returns the type byte of a PTX type by its name without the dot; `None` for one that ptxas 13.0.88
/// takes in no register declaration.
pub fn kind(name: &str) -> Option<u8> {
    const KINDS: [&str; 18] = [
        "b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16", "f16x2", "f32", "f64",
        "pred", "b128",
    ];
    KINDS.iter().position(|kind| *kind == name).map(|n| n as u8)
}

/// The machine register with a number in a class.
pub const fn register(class: u32, number: u8) -> u32 {
    class << 24 | number as u32
}

/// The entries of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRegisters {
    /// Name of the function.
    pub function: String,
    /// Its entries, in order.
    pub ranges: Vec<RegisterRange>,
}

/// Damage in the sections.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegistersError {
    /// A field is cut off.
    #[error("{section} ends inside a field at {at:#x}")]
    Short {
        /// Name of the section.
        section: &'static str,
        /// Offset in bytes.
        at: usize,
    },
    /// The sections are about different functions or numbers of entries.
    #[error("{TYPES} has {types}, {PLACES} has {places}")]
    Mismatch {
        /// Function and number in the section with types.
        types: String,
        /// The same in the other section.
        places: String,
    },
}

/// Writes both sections: machine registers and types.
pub fn write<'a>(functions: impl IntoIterator<Item = (&'a str, &'a [RegisterRange])>) -> (Vec<u8>, Vec<u8>) {
    let (mut places, mut types) = (Vec::new(), Vec::new());
    for (function, ranges) in functions {
        for section in [&mut places, &mut types] {
            name(section, function);
            section.extend((ranges.len() as u32).to_le_bytes());
        }
        for range in ranges {
            places.extend(u32::from(range.part).to_le_bytes());
            name(&mut places, &range.name);
            for number in [range.register, range.from, range.to] {
                places.extend(number.to_le_bytes());
            }
            types.push(range.kind);
        }
    }
    (places, types)
}

/// Appends a name. One with a NUL is cut there.
fn name(out: &mut Vec<u8>, name: &str) {
    out.extend(name.bytes().take_while(|&b| b != 0));
    out.push(0);
}

/// Reads both sections.
///
/// # Errors
/// [`RegistersError`] for sections that are cut off or that contradict each other.
pub fn read(places: &[u8], types: &[u8]) -> Result<Vec<FunctionRegisters>, RegistersError> {
    let (mut places, mut types) =
        (Reader { section: PLACES, bytes: places, at: 0 }, Reader { section: TYPES, bytes: types, at: 0 });
    let mut out = Vec::new();
    while places.at < places.bytes.len() || types.at < types.bytes.len() {
        let (function, count) = (places.name()?, places.number()?);
        let other = (types.name()?, types.number()?);
        if other != (function.clone(), count) {
            let shown = |(name, count): (String, u32)| format!("{count} entries of {name}");
            return Err(RegistersError::Mismatch { types: shown(other), places: shown((function, count)) });
        }
        let mut ranges = Vec::new();
        for _ in 0..count {
            let part = places.number()?;
            let name = places.name()?;
            let [register, from, to] = [places.number()?, places.number()?, places.number()?];
            let &[kind] = types.take()?;
            // Registers have at most 16 parts.
            ranges.push(RegisterRange { name, kind, part: part.min(u8::MAX.into()) as u8, register, from, to });
        }
        out.push(FunctionRegisters { function, ranges });
    }
    Ok(out)
}

/// The rest of a section.
struct Reader<'a> {
    section: &'static str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn short(&self) -> RegistersError {
        RegistersError::Short { section: self.section, at: self.at }
    }

    fn take<const N: usize>(&mut self) -> Result<&'a [u8; N], RegistersError> {
        let out = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk()).ok_or(self.short())?;
        self.at += N;
        Ok(out)
    }

    fn number(&mut self) -> Result<u32, RegistersError> {
        self.take().map(|bytes| u32::from_le_bytes(*bytes))
    }

    fn name(&mut self) -> Result<String, RegistersError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|&b| b == 0).ok_or(self.short())?;
        self.at += length + 1;
        Ok(String::from_utf8_lossy(&rest[..length]).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `twice` of `tests/corpus/debug/hand.ptx` for sm_80, and a kernel without registers ("ptxas
    /// 13.0.88 output").
    const PLACES_OF_PTXAS: &[u8] = b"nothing\0\0\0\0\0twice\0\x02\0\0\0\
        \0\0\0\0%x1\0\0\0\0\x05\0\0\0\0\x40\0\0\0\
        \0\0\0\0%x2\0\x04\0\0\x05\x20\0\0\0\x40\0\0\0";
    const TYPES_OF_PTXAS: &[u8] = b"nothing\0\0\0\0\0twice\0\x02\0\0\0\x02\x02";

    #[test]
    fn the_sections_of_ptxas_are_read_and_written() {
        let read = read(PLACES_OF_PTXAS, TYPES_OF_PTXAS).unwrap();
        let range = |name: &str, register, from| RegisterRange {
            name: name.into(),
            kind: kind("b32").unwrap(),
            part: 0,
            register: super::register(GENERAL, register),
            from,
            to: 0x40,
        };
        let want = [("nothing", vec![]), ("twice", vec![range("%x1", 0, 0), range("%x2", 4, 0x20)])];
        let want = want.map(|(name, ranges)| FunctionRegisters { function: name.into(), ranges });
        assert_eq!(read, want);
        let written = write(read.iter().map(|f| (&*f.function, &*f.ranges)));
        assert_eq!(written, (PLACES_OF_PTXAS.to_vec(), TYPES_OF_PTXAS.to_vec()));
    }

    #[test]
    fn damage_is_an_error() {
        for length in 1..PLACES_OF_PTXAS.len() {
            assert!(read(&PLACES_OF_PTXAS[..length], TYPES_OF_PTXAS).is_err(), "{length}");
        }
        for length in 0..TYPES_OF_PTXAS.len() {
            assert!(read(PLACES_OF_PTXAS, &TYPES_OF_PTXAS[..length]).is_err(), "{length}");
        }
        let other = [b"nothing\0\x01\0\0\0", &TYPES_OF_PTXAS[12..]].concat();
        assert!(matches!(read(PLACES_OF_PTXAS, &other), Err(RegistersError::Mismatch { .. })));
    }
}
