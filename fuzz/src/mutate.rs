//! Mutations: what a number turns an input into.

use raddle_entity::SplitMix;

/// Numbers that readers trip over, as 1 to 8 bytes.
const NUMBERS: [u64; 10] = [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, i64::MAX as u64, u64::MAX];

/// Pieces of text that parsers trip over.
const PIECES: [&[u8]; 16] = [
    b"\0",
    b"\"",
    b"/*",
    b"//",
    b"{",
    b"}",
    b"((((",
    b"[",
    b";",
    b"99999999999999999999",
    b"0x",
    b"0f7fc00000",
    b"-",
    b"%r",
    b".reg .b32 %r<4294967295>;",
    b"\xff\xfe",
];

struct Rng(SplitMix);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// Below `limit`, 0 where that is 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit as u64) as usize
    }
}

/// Mutation `number` of `seed`: one to four changes.
pub fn mutate(seed: &[u8], number: u64) -> Vec<u8> {
    let mut rng = Rng(SplitMix(number));
    let mut bytes = seed.to_vec();
    for _ in 0..=rng.below(4) {
        change(&mut bytes, &mut rng);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(bytes.len() + 1);
    match rng.below(8) {
        0 => bytes.truncate(at),
        1 => {
            let piece = PIECES[rng.below(PIECES.len())];
            bytes.splice(at..at, piece.iter().copied());
        }
        2 => {
            let end = (at + 1 + rng.below(16)).min(bytes.len());
            bytes.drain(at.min(end)..end);
        }
        3 => {
            // A stretch moved or repeated: two parts of the file disagree.
            let from = rng.below(bytes.len() + 1);
            let stretch = bytes[from..(from + rng.below(64)).min(bytes.len())].to_vec();
            bytes.splice(at..at, stretch);
        }
        4 => {
            let number = NUMBERS[rng.below(NUMBERS.len())].to_le_bytes();
            let width = 1 << rng.below(4);
            for (byte, new) in bytes.iter_mut().skip(at).zip(&number[..width]) {
                *byte = *new;
            }
        }
        5 => {
            // One line or token lost.
            let end = bytes[at..].iter().position(|b| b"\n ,;".contains(b)).map_or(bytes.len(), |n| at + n);
            bytes.drain(at..end);
        }
        6 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.next() as u8;
            }
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_always_gives_the_same_bytes_and_seldom_the_seed() {
        let seed = b".version 9.0\n.target sm_90\n";
        let changed = (0..100).filter(|n| mutate(seed, *n) != seed).count();
        assert!(changed > 80, "{changed}");
        assert!((0..100).all(|n| mutate(seed, n) == mutate(seed, n)));
        assert!((0..1000).all(|n| mutate(b"", n).len() < 1000));
    }
}
