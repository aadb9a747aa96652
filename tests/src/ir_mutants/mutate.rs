//! What a number damages in a valid file.

use std::ops::Range;

use super::seeds::{Kind, Seed};
use crate::rng::Rng;

/// A damaged file.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number.
    pub number: u64,
    /// What the seed is.
    pub kind: Kind,
    /// Its contents.
    pub bytes: Vec<u8>,
}

impl Mutant {
    /// The name of its file, which no other mutant's name contains.
    pub fn name(&self) -> String {
        format!("m{:08}.{}", self.number, self.kind.suffix())
    }
}

/// Of 20 mutants: how many are of each kind.
const SHARES: [(Kind, usize); 5] =
    [(Kind::Bitcode, 7), (Kind::Text, 4), (Kind::Package, 3), (Kind::Archive, 3), (Kind::Host, 3)];

/// Numbers that readers trip over.
const NUMBERS: [u64; 12] =
    [0, 1, 2, 7, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, i64::MAX as u64, u64::MAX];

/// Pieces of text that parsers trip over.
const PIECES: [&str; 16] = [
    "\0",
    "\"",
    "\\",
    ";",
    "{",
    "}",
    "<",
    "[4294967296 x ",
    "i8388607 ",
    "i32 ",
    "ptr ",
    "undef",
    "poison",
    "%0",
    "@llvm.trap()",
    "!9999999999",
];

/// What nests: parsers may recurse on it.
const NESTS: [&str; 4] = ["[1 x ", "{ ", "<{ ", "!{"];

/// How often a mutant that is its seed is changed again.
const ATTEMPTS: usize = 16;

/// Mutant `number`: one to four changes of a seed.
pub fn mutate(seeds: &[Seed], number: u64) -> Mutant {
    let mut rng = Rng::new(number, 0x1f);
    let mut turn = rng.below(SHARES.iter().map(|share| share.1).sum());
    let mut kind = Kind::Bitcode;
    for (of, share) in SHARES {
        kind = of;
        if turn < share {
            break;
        }
        turn -= share;
    }
    let same: Vec<&Seed> = seeds.iter().filter(|seed| seed.kind == kind).collect();
    let seed = same.get(rng.below(same.len().max(1))).map_or(&[][..], |seed| &seed.bytes);
    let mut bytes = seed.to_vec();
    // Some changes change nothing.
    for _ in 0..ATTEMPTS {
        for _ in 0..=rng.below(4) {
            match kind {
                Kind::Text if rng.chance(2, 3) => change_text(&mut bytes, &same, &mut rng),
                _ if rng.chance(if kind.is_container() { 2 } else { 1 }, 3) => change_field(kind, &mut bytes, &mut rng),
                _ => change_bytes(&mut bytes, &same, &mut rng),
            }
        }
        if bytes != seed {
            break;
        }
    }
    Mutant { number, kind, bytes }
}

/// A range of at most `most` bytes.
fn range(length: usize, most: usize, rng: &mut Rng) -> Range<usize> {
    let start = rng.below(length + 1);
    start..(start + rng.below(most + 1)).min(length)
}

fn change_bytes(bytes: &mut Vec<u8>, others: &[&Seed], rng: &mut Rng) {
    let at = rng.below(bytes.len() + 1);
    match rng.below(8) {
        0 if rng.chance(1, 2) => bytes.truncate(at),
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.next() as u8;
            }
        }
        3 => drop(bytes.drain(range(bytes.len(), 64, rng))),
        4 => {
            // A stretch moved or repeated: two parts of the file disagree.
            let stretch = bytes[range(bytes.len(), 256, rng)].to_vec();
            bytes.splice(at..at, stretch);
        }
        5 | 6 => {
            // A stretch of another file, in place of one of the same length or all of the rest.
            let other = &others[rng.below(others.len())].bytes;
            let from = range(other.len(), 512, rng);
            let to = match rng.below(3) {
                0 => bytes.len(),
                _ => (at + from.len()).min(bytes.len()),
            };
            bytes.splice(at..to, other[from].iter().copied());
        }
        _ => {
            let number = rng.pick(&NUMBERS).to_le_bytes();
            let width = 1 << rng.below(4);
            for (byte, new) in bytes.iter_mut().skip(at).zip(&number[..width]) {
                *byte = *new;
            }
        }
    }
}

/// Changes what looks like a length, an offset or a count: decimal in an archive, else a word whose
/// value is not beyond the file.
fn change_field(kind: Kind, bytes: &mut [u8], rng: &mut Rng) {
    if kind == Kind::Archive && rng.chance(2, 3) {
        let heads: Vec<usize> = bytes.windows(2).enumerate().filter(|(_, w)| w == b"`\n").map(|(at, _)| at).collect();
        let Some(head) = heads.get(rng.below(heads.len().max(1))).and_then(|end| end.checked_sub(58)) else { return };
        // Name, or size.
        let (field, width) = if rng.chance(1, 3) { (head, 16) } else { (head + 48, 10) };
        let text = String::from_utf8_lossy(&bytes[field..field + width]).into_owned();
        let old: u64 = text.trim().trim_start_matches('/').parse().unwrap_or(0);
        let sign = if text.starts_with('/') { "/" } else { "" };
        let new = match rng.below(4) {
            0 => format!("{sign}{}", related(old, bytes.len() as u64, rng)),
            1 => format!("{sign}-{old}"),
            2 => "//".to_owned(),
            _ => format!("#1/{}", rng.below(64)),
        };
        let new = format!("{new:<width$}");
        bytes[field..field + width].copy_from_slice(&new.as_bytes()[..width]);
        return;
    }
    let width = if kind == Kind::Bitcode { 4 } else { 8 };
    let value = |chunk: &[u8]| chunk.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let length = bytes.len() as u64;
    let plausible = |chunk: &[u8]| (1..=length).contains(&value(chunk));
    let fields: Vec<usize> =
        bytes.chunks_exact(width).enumerate().filter(|(_, chunk)| plausible(chunk)).map(|(n, _)| n * width).collect();
    let Some(&at) = fields.get(rng.below(fields.len().max(1))) else { return };
    let field = &mut bytes[at..at + width];
    let new = related(value(field), length, rng).to_le_bytes();
    field.copy_from_slice(&new[..width]);
}

/// A number that is close to another one in some sense.
fn related(old: u64, length: u64, rng: &mut Rng) -> u64 {
    match rng.below(8) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_mul(2),
        3 => old ^ 1 << rng.below(32),
        4 => length.wrapping_add(rng.below(3) as u64).wrapping_sub(1),
        5 => u64::MAX - old,
        6 => rng.below(length as usize + 1) as u64,
        _ => *rng.pick(&NUMBERS),
    }
}

fn change_text(bytes: &mut Vec<u8>, others: &[&Seed], rng: &mut Rng) {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> { bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect() };
    let mut own = lines(bytes);
    if own.is_empty() {
        return;
    }
    let n = rng.below(own.len());
    match rng.below(8) {
        0 => drop(own.remove(n)),
        1 => {
            let other = rng.below(own.len());
            own.swap(n, other);
        }
        2 => {
            let line = own[rng.below(own.len())].clone();
            own.insert(n, line);
        }
        3 => {
            let other = lines(&others[rng.below(others.len())].bytes);
            own.insert(n, other[rng.below(other.len())].clone());
        }
        4 | 5 => {
            // A token in place of another one.
            let of = own[rng.below(own.len())].clone();
            let (from, to) = (tokens(&of), tokens(&own[n]));
            if let (Some(from), Some(to)) = (from.get(rng.below(from.len().max(1))), to.get(rng.below(to.len().max(1))))
            {
                own[n].splice(to.clone(), of[from.clone()].iter().copied());
            }
        }
        6 => {
            let at = rng.below(own[n].len());
            let piece = match rng.chance(1, 16) {
                true => rng.pick(&NESTS).repeat(20_000),
                false => (*rng.pick(&PIECES)).to_owned(),
            };
            own[n].splice(at..at, piece.bytes());
        }
        _ => {
            let digits: Vec<usize> = (0..own[n].len()).filter(|&at| own[n][at].is_ascii_digit()).collect();
            if let Some(&at) = digits.get(rng.below(digits.len().max(1))) {
                let number = rng.pick(&NUMBERS).to_string();
                own[n].splice(at..=at, number.bytes());
            }
        }
    }
    *bytes = own.concat();
}

/// The words of a line.
fn tokens(line: &[u8]) -> Vec<Range<usize>> {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || b"%@!#._\"".contains(b);
    let mut out = Vec::new();
    let mut at = 0;
    for piece in line.split_inclusive(|b| !is_word(b)) {
        let length = piece.iter().take_while(|b| is_word(b)).count();
        if length > 0 {
            out.push(at..at + length);
        }
        at += piece.len();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_always_gives_the_same_bytes() {
        let text = b"define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n".to_vec();
        let seeds: Vec<Seed> = Kind::ALL.into_iter().map(|kind| Seed { kind, bytes: text.repeat(9) }).collect();
        let mutants: Vec<Mutant> = (0..2000).map(|number| mutate(&seeds, number)).collect();
        let changed = mutants.iter().filter(|mutant| mutant.bytes != seeds[0].bytes).count();
        assert!(changed > 1980, "{changed}");
        assert!(mutants.iter().all(|mutant| mutate(&seeds, mutant.number).bytes == mutant.bytes));
        assert!(Kind::ALL.iter().all(|kind| mutants.iter().filter(|mutant| mutant.kind == *kind).count() > 100));
    }

    #[test]
    fn words_are_found() {
        let line = b"  %y = add i32 %x, 1\n";
        let words: Vec<&[u8]> = tokens(line).into_iter().map(|range| &line[range]).collect();
        assert_eq!(words, [&b"%y"[..], b"add", b"i32", b"%x", b"1"]);
    }
}
