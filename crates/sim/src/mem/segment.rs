//! Contiguous memory: bytes, their undefined bits, and the shadow for race checking.

use super::race::{Actor, Cell, Conflict, Stamp};

/// Contiguous memory with undefined bits and, if races are checked, a shadow.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    data: Vec<u8>,
    undef: Vec<u8>,
    /// Whether any byte may have undefined bits.
    tainted: bool,
    shadow: Vec<Cell>,
    /// Bytes per shadow cell, 4 or 1.
    grain: usize,
}

impl Segment {
    /// Creates memory with the given contents, all defined.
    pub fn defined(data: Vec<u8>) -> Segment {
        let undef = vec![0; data.len()];
        Segment { data, undef, tainted: false, shadow: Vec::new(), grain: 4 }
    }

    /// Creates memory that was never written.
    pub fn undefined(size: usize) -> Segment {
        Segment { data: vec![0; size], undef: vec![0xff; size], tainted: true, shadow: Vec::new(), grain: 4 }
    }

    /// Returns the size in bytes.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Returns the bytes, defined or not.
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// Resets it: contents undefined, no accesses recorded.
    pub fn reset(&mut self) {
        self.data.fill(0);
        self.undef.fill(0xff);
        self.tainted = true;
        self.shadow.fill(Cell::default());
    }

    /// Sets all bytes to a value, defined.
    pub fn fill(&mut self, value: u8) {
        self.data.fill(value);
        if std::mem::take(&mut self.tainted) {
            self.undef.fill(0);
        }
    }

    /// Whether `size` bytes at `off` are inside.
    #[inline]
    pub fn contains(&self, off: u64, size: usize) -> bool {
        off.checked_add(size as u64).is_some_and(|end| end <= self.data.len() as u64)
    }

    /// Returns the undefined bits of each byte.
    pub fn undefined_bits(&self) -> &[u8] {
        &self.undef
    }

    /// Returns the offset of the first byte with undefined bits.
    pub fn first_undefined(&self) -> Option<usize> {
        // In pieces, which are compared as vectors.
        const PIECE: usize = 256;
        let piece = self.undef.chunks(PIECE).position(|c| c.iter().fold(0, |any, &m| any | m) != 0)?;
        let inside = self.undef[piece * PIECE..].iter().position(|&m| m != 0)?;
        Some(piece * PIECE + inside)
    }

    /// Loads 4 bytes at `off` and the mask of their undefined bits. The range must be inside
    /// ([`Segment::contains`]).
    #[inline]
    pub fn load32(&self, off: usize) -> (u32, u32) {
        let word = |v: &[u8]| v[off..].first_chunk::<4>().map_or(0, |b| u32::from_le_bytes(*b));
        (word(&self.data), word(&self.undef))
    }

    /// Writes 4 bytes with their undefined bits. The range must lie inside.
    #[inline]
    pub fn store32(&mut self, off: usize, value: u32, undef: u32) {
        self.tainted |= undef != 0;
        self.data[off..off + 4].copy_from_slice(&value.to_le_bytes());
        self.undef[off..off + 4].copy_from_slice(&undef.to_le_bytes());
    }

    /// Loads `size` (at most 16) bytes at `off` and the mask of their undefined bits. The range
    /// must be inside.
    #[inline]
    pub fn load(&self, off: usize, size: usize) -> (u128, u128) {
        let (mut v, mut u) = ([0u8; 16], [0u8; 16]);
        v[..size].copy_from_slice(&self.data[off..off + size]);
        u[..size].copy_from_slice(&self.undef[off..off + size]);
        (u128::from_le_bytes(v), u128::from_le_bytes(u))
    }

    /// Writes `size` (at most 16) bytes with their undefined bits. The range must lie inside.
    #[inline]
    pub fn store(&mut self, off: usize, size: usize, value: u128, undef: u128) {
        self.tainted |= undef != 0;
        self.data[off..off + size].copy_from_slice(&value.to_le_bytes()[..size]);
        self.undef[off..off + size].copy_from_slice(&undef.to_le_bytes()[..size]);
    }

    /// Loads one word for each of 32 lanes: the 4 bytes at `at` after each lane's offset, or all of
    /// an access of 1 or 2 bytes, zero-extended; likewise the undefined bits, `None` if there are
    /// none. All accesses must be inside.
    #[inline]
    pub fn gather(&self, off: &[u32; 32], size: usize, at: usize) -> ([u32; 32], Option<[u32; 32]>) {
        let values = gather(&self.data, off, size, at);
        let undef = self.tainted.then(|| gather(&self.undef, off, size, at));
        (values, undef.filter(|u| u.iter().any(|&bits| bits != 0)))
    }

    /// Stores one word for each lane in `mask`, lowest lane first; the bytes become defined. All
    /// accesses must be inside.
    #[inline]
    pub fn scatter(&mut self, off: &[u32; 32], mask: u32, size: usize, at: usize, values: &[u32; 32]) {
        scatter(&mut self.data, off, mask, size, at, values);
        if self.tainted {
            scatter(&mut self.undef, off, mask, size, at, &[0; 32]);
        }
    }

    /// Stores adjacent values of `N` words each from `off` on, all defined. All of them must be
    /// inside.
    #[inline]
    pub fn put_row<const N: usize>(&mut self, off: usize, words: [&[u32; 32]; N]) {
        let range = off..off + 128 * N;
        let values = self.data[range.clone()].chunks_exact_mut(4 * N);
        for (l, value) in values.enumerate() {
            for (i, word) in value.chunks_exact_mut(4).enumerate() {
                word.copy_from_slice(&words[i][l].to_le_bytes());
            }
        }
        if self.tainted {
            self.undef[range].fill(0);
        }
    }

    /// Returns the first conflict of an access with an earlier one, without recording it.
    pub(crate) fn conflict(&self, off: usize, size: usize, actor: &Actor, write: bool) -> Option<Conflict> {
        self.cells(off, size).find_map(|(offset, mut cell)| {
            let (earlier, was_write) = cell.note(actor, write)?;
            Some(Conflict { earlier, was_write, offset })
        })
    }

    /// Returns the last writes of a range, with the offset of each.
    pub(crate) fn last_writes(&self, off: usize, size: usize) -> impl Iterator<Item = (usize, Stamp)> {
        self.cells(off, size).map(|(offset, cell)| (offset, cell.last_write()))
    }

    /// Forgets the reads of a range.
    pub(crate) fn forget_reads(&mut self, off: usize, size: usize) {
        if !self.shadow.is_empty() {
            self.shadow[off / self.grain..(off + size).div_ceil(self.grain)].iter_mut().for_each(Cell::forget_read);
        }
    }

    /// Forgets the accesses to a range.
    pub(crate) fn forget(&mut self, off: usize, size: usize) {
        if !self.shadow.is_empty() {
            self.shadow[off / self.grain..(off + size).div_ceil(self.grain)].fill(Cell::default());
        }
    }

    fn cells(&self, off: usize, size: usize) -> impl Iterator<Item = (usize, Cell)> {
        let range = if self.shadow.is_empty() { 0..0 } else { off / self.grain..(off + size).div_ceil(self.grain) };
        range.map(|i| (i * self.grain, self.shadow[i]))
    }

    /// Records an access for race checking and reports a conflict with an earlier one. The range
    /// must be inside.
    pub fn note(&mut self, off: usize, size: usize, actor: &Actor, write: bool) -> Option<Conflict> {
        if self.shadow.is_empty() {
            self.shadow = vec![Cell::default(); self.data.len().div_ceil(4)];
            self.grain = 4;
        }
        if self.grain == 4 && (off | size) & 3 != 0 {
            self.shadow = self.shadow.iter().flat_map(|&c| [c; 4]).collect();
            self.grain = 1;
        }
        let mut found = None;
        for i in off / self.grain..(off + size) / self.grain {
            if let Some((earlier, was_write)) = self.shadow[i].note(actor, write) {
                found = found.or(Some(Conflict { earlier, was_write, offset: i * self.grain }));
            }
        }
        found
    }
}

/// Whether the lanes access adjacent words; returns the first of them.
#[inline(always)]
fn in_a_row(off: &[u32; 32], size: usize) -> bool {
    let expected = |l: usize| off[0].wrapping_add((l * size) as u32);
    off.iter().enumerate().fold(0, |bad, (l, &o)| bad | o ^ expected(l)) == 0
}

#[inline(always)]
fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk::<4>().map_or(0, |b| u32::from_le_bytes(*b))
}

#[inline]
fn gather(bytes: &[u8], off: &[u32; 32], size: usize, at: usize) -> [u32; 32] {
    let mut v = [0; 32];
    match size {
        1 => v.iter_mut().zip(off).for_each(|(v, &o)| *v = bytes[o as usize].into()),
        2 => v.iter_mut().zip(off).for_each(|(v, &o)| {
            let o = o as usize;
            *v = u32::from(bytes[o]) | u32::from(bytes[o + 1]) << 8;
        }),
        4 if in_a_row(off, 4) => {
            let row = &bytes[off[0] as usize..][..128];
            v.iter_mut().zip(row.chunks_exact(4)).for_each(|(v, b)| *v = word(b));
        }
        _ => v.iter_mut().zip(off).for_each(|(v, &o)| *v = word(&bytes[o as usize + at..])),
    }
    v
}

#[inline]
fn scatter(bytes: &mut [u8], off: &[u32; 32], mask: u32, size: usize, at: usize, values: &[u32; 32]) {
    if size == 4 && mask == !0 && in_a_row(off, 4) {
        let row = &mut bytes[off[0] as usize..][..128];
        row.chunks_exact_mut(4).zip(values).for_each(|(b, v)| b.copy_from_slice(&v.to_le_bytes()));
        return;
    }
    let n = size.min(4);
    let mut left = mask;
    while left != 0 {
        let l = left.trailing_zeros() as usize;
        left &= left - 1;
        let o = off[l] as usize + at;
        match n {
            4 => bytes[o..o + 4].copy_from_slice(&values[l].to_le_bytes()),
            _ => bytes[o..o + n].copy_from_slice(&values[l].to_le_bytes()[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_scattered_words_agree_with_single_accesses() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut seg = Segment::defined(bytes);
        let row: [u32; 32] = std::array::from_fn(|l| 64 + 4 * l as u32);
        let back: [u32; 32] = std::array::from_fn(|l| 248 - 8 * l as u32);
        for off in [row, back] {
            let (v, undef) = seg.gather(&off, 4, 0);
            assert!(undef.is_none());
            for l in 0..32 {
                assert_eq!(v[l], seg.load32(off[l] as usize).0);
            }
        }
        let mut other = seg.clone();
        seg.scatter(&row, !0, 4, 0, &back);
        other.put_row(64, [&back]);
        assert_eq!(seg.bytes(), other.bytes());
        other.put_row(0, [&row, &back]);
        assert_eq!(other.load(8 * 31, 8).0, u128::from(back[31]) << 32 | u128::from(row[31]));
        assert_eq!(seg.load32(64 + 4 * 31), (back[31], 0));
        seg.scatter(&back, 1 << 3, 8, 4, &[9; 32]);
        assert_eq!((seg.load32(228).0, seg.load32(236).0 == 9), (9, false));
    }

    #[test]
    fn a_partial_write_leaves_the_rest_undefined() {
        let mut seg = Segment::undefined(256);
        let row: [u32; 32] = std::array::from_fn(|l| 4 * l as u32);
        seg.scatter(&row, 1, 2, 0, &[5; 32]);
        let (v, undef) = seg.gather(&row, 4, 0);
        let undef = undef.expect("most bytes are undefined");
        assert_eq!((v[0], undef[0], undef[1]), (5, 0xffff_0000, !0));
    }
}
