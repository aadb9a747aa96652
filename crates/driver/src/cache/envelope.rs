//! What a remote store gets: an entry, compressed, bound to its key.
//!
//! Problem: a server may return anything: a part of an entry, the entry of another key, an entry that
//! someone else wrote. Strategy: an envelope starts with a hash of key and content. The hash is
//! keyed: without a secret it finds damage and mixed-up entries, with one it also proves that a
//! process with the same secret wrote the entry.
//!
//! The format: [`MAGIC`]; the hash (32 bytes); one byte, 0 for bytes as they are and 1 for a block of
//! LZ4; the size of the entry (8 bytes, little-endian); the bytes. LZ4 because it was in the program
//! already, for fatbins.
//!
//! **Invariant.** [`Seal::open`] returns what [`Seal::close`] was given for the same key and secret,
//! or `None`. Nothing is unpacked before the hash has been checked.

use crate::key::Key;
use std::fmt;

/// The first bytes of an envelope.
const MAGIC: &[u8] = b"raddle remote entry 1\n";
/// The context from which keys of hashes are derived.
const CONTEXT: &str = "raddle 2026 entries of remote caches";
/// Bytes as they are.
const PLAIN: u8 = 0;
/// A block of LZ4.
const LZ4: u8 = 1;
/// No byte of a block of LZ4 stands for more bytes than this.
const MOST: u64 = 255;
/// Larger entries are not sent, and not believed.
pub const LARGEST: usize = 256 << 20;

/// What closes and opens envelopes.
#[derive(Clone)]
pub struct Seal {
    key: [u8; 32],
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seal").finish_non_exhaustive()
    }
}

impl Seal {
    /// A seal with a secret; an empty one finds damage alone.
    pub fn new(secret: &[u8]) -> Seal {
        Seal { key: blake3::derive_key(CONTEXT, secret) }
    }

    /// Puts an entry into an envelope.
    pub fn close(&self, key: &Key, entry: &[u8]) -> Vec<u8> {
        let packed = lz4_flex::block::compress(entry);
        let (kind, bytes) = if packed.len() < entry.len() { (LZ4, &packed[..]) } else { (PLAIN, entry) };
        let size = (entry.len() as u64).to_le_bytes();
        [MAGIC, self.hash(key, kind, size, bytes).as_bytes(), &[kind], &size, bytes].concat()
    }

    /// Returns the entry of a key, if exactly this envelope was made for it.
    pub fn open(&self, key: &Key, envelope: &[u8]) -> Option<Vec<u8>> {
        let (hash, rest) = envelope.strip_prefix(MAGIC)?.split_first_chunk::<32>()?;
        let (&[kind], rest) = rest.split_first_chunk::<1>()?;
        let (&size, bytes) = rest.split_first_chunk::<8>()?;
        // The comparison takes the same time wherever the hashes differ.
        if self.hash(key, kind, size, bytes) != blake3::Hash::from_bytes(*hash) {
            return None;
        }
        let size = u64::from_le_bytes(size);
        // Without a secret anyone can make a hash: the size is still bounded by what is there.
        if size > LARGEST as u64 || size > MOST * bytes.len() as u64 {
            return None;
        }
        match kind {
            PLAIN => Some(bytes.to_vec()).filter(|entry| entry.len() as u64 == size),
            LZ4 => lz4_flex::block::decompress(bytes, size as usize).ok().filter(|entry| entry.len() as u64 == size),
            _ => None,
        }
    }

    fn hash(&self, key: &Key, kind: u8, size: [u8; 8], bytes: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(key.as_bytes()).update(&[kind]).update(&size).update(bytes);
        hasher.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> [Key; 2] {
        [1, 2].map(|byte| Key::parse(&format!("{byte:02x}").repeat(32)).unwrap())
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let seal = Seal::new(b"");
        let noise: Vec<u8> = (0..4000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        for entry in [&b""[..], b"x", &[7; 100_000], &noise] {
            let envelope = seal.close(&keys()[0], entry);
            assert_eq!(seal.open(&keys()[0], &envelope).as_deref(), Some(entry));
            assert_eq!(seal.close(&keys()[0], entry), envelope, "the same bytes each time");
        }
        assert!(seal.close(&keys()[0], &[7; 100_000]).len() < 1000);
    }

    #[test]
    fn damage_other_keys_and_other_secrets_are_found() {
        let [key, other] = keys();
        let (plain, signed) = (Seal::new(b""), Seal::new(b"secret"));
        let whole = plain.close(&key, b"some entry, some entry, some entry, some entry");
        assert_eq!(plain.open(&other, &whole), None);
        for at in 0..whole.len() {
            assert_eq!(plain.open(&key, &whole[..at]), None, "cut at {at}");
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            assert_eq!(plain.open(&key, &flipped), None, "byte {at}");
        }
        assert_eq!(plain.open(&key, &[&whole[..], b"0"].concat()), None);
        let by_us = signed.close(&key, b"entry");
        assert_eq!(signed.open(&key, &by_us).as_deref(), Some(&b"entry"[..]));
        for stranger in [&plain, &Seal::new(b"Secret")] {
            assert_eq!(stranger.open(&key, &by_us), None);
            assert_eq!(signed.open(&key, &stranger.close(&key, b"entry")), None);
        }
        assert!(!format!("{signed:?}").contains(|c: char| c.is_ascii_digit()), "{signed:?}");
    }

    /// Even with a right hash no size makes it allocate more than the bytes can fill.
    #[test]
    fn sizes_are_not_believed() {
        let (seal, [key, _]) = (Seal::new(b""), keys());
        for (kind, size, bytes) in [
            (LZ4, u64::MAX, &b"abc"[..]),
            (LZ4, 1 << 40, b"abc"),
            (PLAIN, 4, b"abc"),
            (LZ4, 3, b"\xff\xff"),
            (2, 3, b"abc"),
        ] {
            let size = u64::to_le_bytes(size);
            let hash = seal.hash(&key, kind, size, bytes);
            assert_eq!(seal.open(&key, &[MAGIC, hash.as_bytes(), &[kind], &size, bytes].concat()), None);
        }
    }
}
