//! The buffers of a launch after a run, for bitwise comparison with another run.

use anyhow::{Result, ensure};
use raddle_sim::mem::{AllocId, Memory};

/// The message for a difference only in undefined bits.
pub const UNDEFINED: &str = "undefined in the simulator";

/// The buffers after a run, in the order of the launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buffers(Vec<Buffer>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Buffer {
    bytes: Vec<u8>,
    undefined: Vec<u8>,
}

impl Buffers {
    /// The bytes of these buffers, with their undefined bits.
    pub fn of(memory: &Memory, buffers: &[AllocId]) -> Self {
        let one = |id: &AllocId| {
            let segment = &memory.alloc(*id).seg;
            Buffer { bytes: segment.bytes().to_vec(), undefined: segment.undefined_bits().to_vec() }
        };
        Self(buffers.iter().map(one).collect())
    }

    /// Compares with the result of the interpreter: every bit that is defined there.
    ///
    /// # Errors
    /// The first byte that differs, with both words around it.
    pub fn same(&self, want: &Self) -> Result<()> {
        for (n, (got, want)) in self.0.iter().zip(&want.0).enumerate() {
            if got == want {
                continue;
            }
            let differs = |i: &usize| {
                let defined = !want.undefined.get(*i).copied().unwrap_or(0);
                (got.bytes[*i] ^ want.bytes[*i]) & defined != 0
                    || got.undefined.get(*i).copied().unwrap_or(0) & defined != 0
            };
            let Some(at) = (0..got.bytes.len()).find(differs) else { continue };
            let count = (0..got.bytes.len()).filter(differs).count();
            let word = |b: &[u8]| b[at & !7..].iter().take(8).rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
            let unknown = |i: usize| got.undefined.get(i).copied().unwrap_or(0);
            let (value, wanted) = (word(&got.bytes), word(&want.bytes));
            let only = (0..got.bytes.len()).filter(differs).all(|i| unknown(i) != 0 && got.bytes[i] == want.bytes[i]);
            ensure!(!only, "buffer {n}, byte {at}: {UNDEFINED}, not {wanted:#x}; {count} bytes");
            ensure!(
                false,
                "buffer {n}, byte {at}: simulator {value:#x}, interpreter {wanted:#x}; {count} bytes differ"
            );
        }
        Ok(())
    }

    /// The bytes of buffer `n`.
    pub fn bytes(&self, n: usize) -> Option<&[u8]> {
        self.0.get(n).map(|buffer| &buffer.bytes[..])
    }

    /// Whether some buffer differs from `before`.
    pub fn changed(&self, before: &Self) -> bool {
        self.0.iter().zip(&before.0).any(|(now, then)| now.bytes != then.bytes)
    }
}
