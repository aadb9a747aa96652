//! Digests of blobs: SHA-256 and size (REAPI v2.11, `Digest`).

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The number of characters of a hash.
const LENGTH: usize = 64;

/// What names a blob: the hash of its bytes in hexadecimal digits, and their number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Digest {
    pub hash: String,
    pub size: u64,
}

impl Digest {
    /// The digest of bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        let mut hash = String::with_capacity(LENGTH);
        for byte in Sha256::digest(bytes) {
            // Writing to a string does not fail.
            let _ = write!(hash, "{byte:02x}");
        }
        Digest { hash, size: bytes.len() as u64 }
    }

    /// Reads a digest of a message; `None` where it is not one of SHA-256.
    pub fn read(message: &reapi::Digest) -> Option<Digest> {
        Digest::checked(&message.hash, u64::try_from(message.size_bytes).ok()?)
    }

    /// Reads the name of a blob in an error: `blobs/HASH/SIZE`, with a hash function before the hash or
    /// not (REAPI v2.11, `Execution.Execute`).
    pub fn of_subject(subject: &str) -> Option<Digest> {
        let (start, size) = subject.trim_end_matches('/').rsplit_once('/')?;
        Digest::checked(start.rsplit('/').next()?, size.parse().ok()?)
    }

    fn checked(hash: &str, size: u64) -> Option<Digest> {
        let is_hash = hash.len() == LENGTH && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        is_hash.then(|| Digest { hash: hash.to_owned(), size })
    }

    /// The digest as a message.
    pub fn message(&self) -> reapi::Digest {
        reapi::Digest { hash: self.hash.clone(), size_bytes: self.size.cast_signed() }
    }
}

/// Bytes with their digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blob {
    pub digest: Digest,
    pub bytes: Vec<u8>,
}

impl Blob {
    pub fn of(bytes: Vec<u8>) -> Blob {
        Blob { digest: Digest::of(&bytes), bytes }
    }

    /// The blob of a message.
    pub fn message(message: &impl prost::Message) -> Blob {
        Blob::of(message.encode_to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn digests_are_those_of_sha_256() {
        let digest = Digest::of(b"abc");
        assert_eq!((&*digest.hash, digest.size), (ABC, 3));
        assert_eq!(Digest::read(&digest.message()), Some(digest));
    }

    #[test]
    fn other_digests_are_none() {
        let read = |hash: &str, size_bytes| Digest::read(&reapi::Digest { hash: hash.to_owned(), size_bytes });
        assert!(read(ABC, 0).is_some());
        for (hash, size) in
            [(ABC, -1), ("", 0), (&ABC[1..], 0), (&*ABC.to_uppercase(), 0), (&*ABC.replace('b', "/"), 0)]
        {
            assert_eq!(read(hash, size), None, "{hash} {size}");
        }
    }

    #[test]
    fn a_missing_blob_is_named_by_its_subject() {
        let digest = Some(Digest::of(b"abc"));
        for prefix in ["blobs/", "", "blobs/sha256/", "main/blobs/"] {
            assert_eq!(Digest::of_subject(&format!("{prefix}{ABC}/3")), digest, "{prefix}");
        }
        for other in ["", "blobs", "blobs/x/3", "blobs/3"] {
            assert_eq!(Digest::of_subject(other), None, "{other}");
        }
    }
}
