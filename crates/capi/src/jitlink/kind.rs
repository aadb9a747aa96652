//! The kinds of inputs, by what the caller says and by their bytes.

use raddle_driver::input::is_ir;
use raddle_fatbin::container::{is_bitcode, is_lto_ir};

/// What bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A cubin.
    Cubin,
    /// PTX.
    Ptx,
    /// NVIDIA's LTO-IR.
    LtoIr,
    /// LLVM IR, as bitcode or as text.
    Llvm,
    /// A fatbin.
    Fatbin,
    /// A host object.
    Object,
    /// An archive of host objects.
    Library,
}

/// The inputs that a caller names: number, name, kinds.
const INPUTS: &[(i32, &str, &[Kind])] = &[
    (1, "CUBIN", &[Kind::Cubin]),
    (2, "PTX", &[Kind::Ptx]),
    (3, "LTOIR", &[Kind::LtoIr, Kind::Llvm]),
    (4, "FATBIN", &[Kind::Fatbin]),
    (5, "OBJECT", &[Kind::Object]),
    (6, "LIBRARY", &[Kind::Library]),
    (7, "INDEX", &[]),
];

/// The number of an input whose kind is found out.
const ANY: i32 = 10;

/// Why bytes are not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KindError {
    /// The number names no kind.
    #[error("unsupported input type: {0}")]
    Number(String),
    /// The bytes are of no known kind.
    #[error("unrecognized input type: {0}")]
    Unknown(String),
    /// The bytes are of another kind.
    #[error("ERROR 1: bad input: does not match type NVJITLINK_INPUT_{0}{1}")]
    Other(&'static str, String),
}

/// The ELF machine number of cubins.
const EM_CUDA: [u8; 2] = [190, 0];
/// The first bytes of a fatbin.
const FATBIN: [u8; 4] = [0x50, 0xed, 0x55, 0xba];

/// The bytes of a text in which the version of PTX must be.
const START: usize = 1 << 16;

/// What bytes are; `None` if they are of no known kind.
fn of(bytes: &[u8]) -> Option<Kind> {
    if bytes.starts_with(b"\x7fELF") {
        return Some(if bytes.get(18..20) == Some(&EM_CUDA) { Kind::Cubin } else { Kind::Object });
    }
    if bytes.starts_with(&FATBIN) {
        return Some(Kind::Fatbin);
    }
    if bytes.starts_with(b"!<arch>\n") {
        return Some(Kind::Library);
    }
    if is_lto_ir(bytes) {
        return Some(Kind::LtoIr);
    }
    if is_bitcode(bytes) || is_ir(bytes) {
        return Some(Kind::Llvm);
    }
    let start = &bytes[..bytes.len().min(START)];
    let text = start.trim_ascii_start();
    let begins = [&b".version"[..], b"//", b"/*"].iter().any(|word| text.starts_with(word));
    (begins && start.windows(8).any(|word| word == b".version")).then_some(Kind::Ptx)
}

/// The kind of an input that the caller gives with this number and name.
pub(crate) fn find(number: i32, bytes: &[u8], name: &str) -> Result<Kind, KindError> {
    let found = of(bytes);
    if number == ANY {
        return found.ok_or_else(|| KindError::Unknown(name.to_owned()));
    }
    let Some((_, input, kinds)) = INPUTS.iter().find(|row| row.0 == number) else {
        return Err(KindError::Number(name.to_owned()));
    };
    found.filter(|kind| kinds.contains(kind)).ok_or_else(|| KindError::Other(input, name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_and_wrong_ones_are_named() {
        let mut elf = [0; 20];
        elf[..4].copy_from_slice(b"\x7fELF");
        elf[18] = 190;
        assert_eq!(find(1, &elf, "n"), Ok(Kind::Cubin));
        elf[18] = 62;
        assert_eq!(find(10, &elf, "n"), Ok(Kind::Object));
        for (number, bytes, kind) in [
            (2, &b"// x\n.version 9.0"[..], Kind::Ptx),
            (3, b"\xed\x43\x4e\x7f", Kind::LtoIr),
            (3, b"BC\xc0\xde", Kind::Llvm),
            (4, &FATBIN, Kind::Fatbin),
            (6, b"!<arch>\n", Kind::Library),
        ] {
            assert_eq!((find(number, bytes, "n"), find(10, bytes, "n")), (Ok(kind), Ok(kind)));
            for other in (1..8).filter(|&other| other != number) {
                assert!(matches!(find(other, bytes, "n"), Err(KindError::Other(..))));
            }
        }
        assert_eq!(find(10, b"hello", "n").unwrap_err().to_string(), "unrecognized input type: n");
        assert_eq!(find(8, b".version 9.0", "n").unwrap_err().to_string(), "unsupported input type: n");
        let wrong = find(1, b".version 9.0", "n").unwrap_err().to_string();
        assert_eq!(wrong, "ERROR 1: bad input: does not match type NVJITLINK_INPUT_CUBINn");
    }
}
