//! Matrix descriptors: where the elements of a matrix in shared memory are (PTX ISA 9.0, 9.7.15.5;
//! the canonical layouts as CUTLASS defines them).

use super::super::matrix::Shape;

/// Which index of a matrix is contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Major {
    /// k.
    K,
    /// The rows of A, or the columns of B.
    Other,
}

/// A matrix descriptor, taken apart. Lengths are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    start: u32,
    leading: u32,
    stride: u32,
    /// 16-byte units of a row of the swizzle pattern: 1 without one, 2, 4 or 8.
    width: u32,
}

/// Bits that no field has.
const RESERVED: u64 = 0x3ff1_c000_c000_c000;

impl Descriptor {
    /// Takes a descriptor apart; fails with a message that names the field.
    pub fn parse(word: u64) -> Result<Descriptor, String> {
        let field = |at: u32| (word >> at & 0x3fff) as u32 * 16;
        if word & RESERVED != 0 {
            return Err(format!("matrix descriptor {word:#018x}: bits {:#x} belong to no field", word & RESERVED));
        }
        if word >> 49 & 7 != 0 {
            // No source says how hardware applies it.
            let offset = word >> 49 & 7;
            return Err(format!("matrix descriptor {word:#018x}: base offset {offset} is not modelled, only 0"));
        }
        let width = [1, 8, 4, 2][(word >> 62) as usize];
        Ok(Descriptor { start: field(0), leading: field(16), stride: field(32), width })
    }

    /// Returns the shared address of an element: `row` of A or column of B, at `k`.
    ///
    /// Where a row of k is longer than the pattern (sparse products with 32-byte swizzle), the next
    /// piece is at the leading byte offset; that is not confirmed on hardware.
    fn place(&self, major: Major, size: u32, row: u32, k: u32) -> u32 {
        let (unit, w) = (16 / size, self.width);
        let offset = match (major, w) {
            (Major::K, 1) => row % 8 * 16 + row / 8 * self.stride + k / unit * self.leading + k % unit * size,
            (Major::K, _) => {
                let pattern = unit * w;
                row % 8 * 16 * w + row / 8 * self.stride + k / pattern * self.leading + k % pattern * size
            }
            (Major::Other, 1) => row % unit * size + row / unit * self.stride + k % 8 * 16 + k / 8 * self.leading,
            (Major::Other, _) => {
                let pattern = unit * w;
                row % pattern * size + row / pattern * self.leading + k % 8 * 16 * w + k / 8 * self.stride
            }
        };
        // Bits 4 to 6 are changed by bits 7 to 9, as many as the pattern is wide.
        let address = self.start + offset;
        address ^ (address >> 7 & (w - 1)) << 4
    }
}

/// A matrix in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Its descriptor.
    pub descriptor: Descriptor,
    /// Its major index.
    pub major: Major,
    /// Bits of an element.
    pub element: u32,
    /// First row of A, or column of B.
    pub first: u32,
    /// Number of rows or columns.
    pub rows: u32,
    /// Number of elements in k.
    pub k: u32,
}

impl Matrix {
    /// The part of A that a warp reads.
    pub fn left(descriptor: Descriptor, major: Major, element: u32, warp: u32, k: u32) -> Matrix {
        Matrix { descriptor, major, element, first: 16 * warp, rows: 16, k }
    }

    /// B.
    pub fn right(descriptor: Descriptor, major: Major, element: u32, shape: Shape) -> Matrix {
        Matrix { descriptor, major, element, first: 0, rows: shape.n, k: shape.k }
    }

    /// Returns the shared address of the byte of an element, and its bit there.
    pub fn place(&self, row: u32, k: u32) -> (u32, u32) {
        let size = self.element.div_ceil(8);
        let in_byte = 8 / self.element.min(8);
        (self.descriptor.place(self.major, size, self.first + row, k / in_byte), k % in_byte * self.element)
    }

    /// Returns the addresses of all 16-byte units that it has, in rising order.
    pub fn units(&self) -> Vec<u32> {
        let step = 128 / self.element;
        let (rows, ks) = match self.major {
            Major::K => (1, step),
            Major::Other => (step, 1),
        };
        let rows = (0..self.rows).step_by(rows as usize);
        let place = |row| (0..self.k).step_by(ks as usize).map(move |k| self.place(row, k).0 & !15);
        let mut units: Vec<u32> = rows.flat_map(place).collect();
        units.sort_unstable();
        units.dedup();
        units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mode 1 (128 bytes), 1024 bytes between groups of 8 rows.
    const WIDE: u64 = 1 << 62 | 64 << 32 | 1 << 16 | 0x40;

    /// A descriptor with start 0x400: mode, and offsets in units of 16 bytes.
    fn word(mode: u64, leading: u64, stride: u64) -> u64 {
        mode << 62 | stride << 32 | leading << 16 | 0x40
    }

    #[test]
    fn swizzled_rows_of_a_tile_of_128_bytes_are_where_tma_puts_them() {
        let matrix = Matrix::left(Descriptor::parse(WIDE).unwrap(), Major::K, 16, 0, 16);
        assert_eq!(matrix.place(0, 9), (0x400 + 18, 0));
        assert_eq!(matrix.place(3, 0), (0x400 + 3 * 128 + 3 * 16, 0));
        assert_eq!(matrix.place(9, 0), (0x800 + 128 + 16, 0));
        assert_eq!(matrix.units().len(), 32);
    }

    #[test]
    fn malformed_descriptors_name_the_field() {
        assert!(Descriptor::parse(WIDE | 1 << 14).unwrap_err().contains("0x4000 belong to no field"));
        assert!(Descriptor::parse(WIDE | 3 << 49).unwrap_err().contains("base offset 3"));
    }

    #[test]
    fn every_unit_of_every_mode_is_read_once() {
        for (mode, leading, stride) in [(0, 8, 16), (3, 16, 16), (2, 32, 32), (1, 64, 64)] {
            let descriptor = Descriptor::parse(word(mode, leading, stride)).unwrap();
            let matrix = Matrix::left(descriptor, Major::K, 16, 0, 16);
            assert_eq!(matrix.units().len(), 32, "mode {mode}");
            let shape = Shape { m: 64, n: 64, k: 16 };
            // Without a swizzle the two offsets change places.
            let (leading, stride) = if mode == 0 { (128, 256) } else { (256, 128) };
            let descriptor = Descriptor::parse(word(mode, leading, stride)).unwrap();
            let matrix = Matrix::right(descriptor, Major::Other, 16, shape);
            assert_eq!(matrix.units().len(), 128, "mode {mode}");
        }
    }
}
