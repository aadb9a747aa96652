//! Matrices in shared memory that a warpgroup multiplies: descriptors as the registers of the
//! machine hold them.
//!
//! A layout is a list of nested runs, innermost first: how many steps, and the bytes of each step.
//! (The canonical layouts of CUTLASS, in units of bytes; PTX ISA 9.0, 9.7.15.5.1.)

/// A matrix in shared memory: lines (rows of A, columns of B) of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedMatrix {
    start: u32,
    /// Steps along a line, along the lines: count and bytes; the last run has no end.
    inner: [(u32, u32); 2],
    outer: [(u32, u32); 2],
    /// How many address bits from 4 on are changed by those from 7 on.
    swizzle: u32,
    /// Bytes of an element: 1 for eight single bits.
    size: u32,
}

/// Fields of a descriptor: first bit and number of bits.
const START: (u32, u32) = (0, 14);
const LEADING: (u32, u32) = (16, 14);
const STRIDE: (u32, u32) = (32, 14);
const OFFSET: (u32, u32) = (49, 3);
const MODE: (u32, u32) = (62, 2);

fn field(word: u64, (first, bits): (u32, u32)) -> u32 {
    (word >> first & ((1 << bits) - 1)) as u32
}

impl SharedMatrix {
    /// Reads a descriptor of elements of `size` bytes; with `turned` the elements of one k are
    /// adjacent. Fails with a description of what is malformed.
    pub fn read(word: u64, size: u32, turned: bool) -> Result<SharedMatrix, String> {
        let known = [START, LEADING, STRIDE, OFFSET, MODE];
        let covered = known.iter().fold(0, |all, &(first, bits)| all | ((1u64 << bits) - 1) << first);
        if word & !covered != 0 {
            return Err(format!("descriptor {word:#x} has bits {:#x}, which mean nothing", word & !covered));
        }
        if field(word, OFFSET) != 0 {
            return Err(format!("descriptor {word:#x}: a base offset, whose effect is not known"));
        }
        let [start, leading, stride] = [START, LEADING, STRIDE].map(|f| 16 * field(word, f));
        // Mode 0 has no pattern, 1 one of eight pieces of 16 bytes, 2 of four, 3 of two.
        let swizzle = (4 - field(word, MODE)) & 3;
        let pieces = 1 << swizzle;
        // Adjacent elements, then what is beyond them; eight lines (or eight k), then beyond those.
        let adjacent = pieces * 16 / size;
        let row = 16 * pieces;
        let (beyond, groups) = match (turned, swizzle) {
            (false, _) => (leading, stride),
            (true, 0) => (stride, leading),
            (true, _) => (leading, stride),
        };
        let (near, far) = ([(adjacent, size), (u32::MAX, beyond)], [(8, row), (u32::MAX, groups)]);
        let (inner, outer) = if turned { (far, near) } else { (near, far) };
        Ok(SharedMatrix { start, inner, outer, swizzle, size })
    }

    /// The shared address of element `k` of a line.
    pub fn address(&self, line: u32, k: u32) -> u32 {
        let along = |runs: &[(u32, u32); 2], mut n: u32| {
            let mut bytes = 0;
            for &(count, step) in runs {
                bytes += n % count * step;
                n /= count;
            }
            bytes
        };
        let plain = self.start + along(&self.outer, line) + along(&self.inner, k);
        let mask = ((1 << self.swizzle) - 1) << 7;
        plain ^ (plain & mask) >> 3
    }

    /// Bytes of an element.
    pub fn size(&self) -> usize {
        self.size as usize
    }
}
