//! A list of keys of kernels by the hashes of their texts.

use crate::key::Key;
use std::collections::BTreeMap;

/// What is known of a kernel by its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Its key.
    pub key: Key,
    /// The instructions of its PTX text.
    pub instructions: u64,
}

/// What is known of kernels, by the hashes of their texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeysByText(pub BTreeMap<Key, Known>);

/// Bytes of a row: the hash of a text, a key, a number of instructions.
const ROW: usize = 72;

impl KeysByText {
    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len() * ROW);
        for (text, Known { key, instructions }) in &self.0 {
            bytes.extend_from_slice(text.as_bytes());
            bytes.extend_from_slice(key.as_bytes());
            bytes.extend_from_slice(&instructions.to_le_bytes());
        }
        bytes
    }

    /// Reads a list.
    pub fn decode(bytes: &[u8]) -> Option<KeysByText> {
        let row = |row: &[u8]| {
            let (text, rest) = row.split_first_chunk()?;
            let (key, instructions) = rest.split_first_chunk()?;
            let instructions = u64::from_le_bytes(instructions.try_into().ok()?);
            Some((Key::of_bytes(*text), Known { key: Key::of_bytes(*key), instructions }))
        };
        bytes.chunks(ROW).map(row).collect::<Option<_>>().map(KeysByText)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_as_they_were() {
        let key = |byte| Key::of_bytes([byte; 32]);
        let of = |text, of, instructions| (key(text), Known { key: key(of), instructions });
        let list = KeysByText([of(3, 4, 7), of(1, 2, u64::MAX)].into());
        let bytes = list.encode();
        assert_eq!(KeysByText::decode(&bytes), Some(list));
        assert_eq!(KeysByText::decode(&[]), Some(KeysByText::default()));
        for cut in (0..bytes.len()).filter(|cut| cut % ROW != 0) {
            assert_eq!(KeysByText::decode(&bytes[..cut]), None);
        }
    }
}
