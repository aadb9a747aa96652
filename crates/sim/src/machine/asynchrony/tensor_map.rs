//! Tensor maps by their 128 bytes, and the elements of a box.
//!
//! The layout is that of the words which ptxas 13.0.88 computes for `tensormap.replace` (byte and
//! bit of each field below). What `cuTensorMapEncodeTiled` writes besides these fields is ignored. Fields
//! of im2col mode have places of our own (docs/tensor-maps.md).

use std::ops::Range;

/// Bytes of a map.
pub const BYTES: usize = 128;
/// Most dimensions.
const MOST: usize = 5;

/// The type of elements, by its number in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Number.
    pub number: usize,
    /// Name, bytes, and the NaN that fills what is outside, for floats.
    pub name: &'static str,
    pub bytes: usize,
    nan: Option<u64>,
}

const fn element(number: usize, name: &'static str, bytes: usize, nan: Option<u64>) -> Element {
    Element { number, name, bytes, nan }
}

/// All types (the order of `tensormap.replace.elemtype`). The NaN is the same half everywhere, as an
/// H100 filled boxes of F16, BF16 and F32; that of F64 was not measured.
pub const ELEMENTS: [Element; 11] = [
    element(0, "U8", 1, None),
    element(1, "U16", 2, None),
    element(2, "U32", 4, None),
    element(3, "S32", 4, None),
    element(4, "U64", 8, None),
    element(5, "S64", 8, None),
    element(6, "F16", 2, Some(0x7ff7)),
    element(7, "F32", 4, Some(0x7ff7_7ff7)),
    element(8, "F32.FTZ", 4, Some(0x7ff7_7ff7)),
    element(9, "F64", 8, Some(0x7ff7_7ff7_7ff7_7ff7)),
    element(10, "BF16", 2, Some(0x7ff7)),
];

/// One dimension of a tensor and its boxes.
#[derive(Clone, Copy, Debug, Default)]
struct Dimension {
    /// Elements.
    size: i64,
    /// Distance of neighbours in bytes.
    stride: i64,
    /// Elements of a box, before the step.
    extent: i64,
    /// Every how manieth of them is copied.
    step: i64,
}

impl Dimension {
    fn copied(&self) -> i64 {
        (self.extent + self.step - 1) / self.step
    }
}

/// A tensor map.
#[derive(Clone, Debug)]
pub struct TensorMap {
    /// Element type.
    pub element: Element,
    base: u64,
    dimensions: Vec<Dimension>,
    /// Bits of a shared address that the swizzle changes.
    swizzle: usize,
    nan: bool,
    im2col: Option<Im2col>,
}

/// What a map in im2col mode has in the place of a box (CUDA driver API, `cuTensorMapEncodeIm2col`).
#[derive(Clone, Copy, Debug)]
struct Im2col {
    /// Elements of a pixel, and pixels.
    channels: usize,
    pixels: usize,
    /// First and last pixel in W, H, D.
    ends: [(i64, i64); 3],
}

/// Up to 64 bits of a map from a bit on.
fn bits(map: &[u8; BYTES], first: usize, count: usize) -> u64 {
    (0..count).fold(0, |value, i| {
        let at = first + i;
        value | u64::from(map[at / 8] >> (at % 8) & 1) << i
    })
}

impl TensorMap {
    /// Reads a map, and checks it (CUDA driver API, `cuTensorMapEncodeTiled`).
    pub fn of(map: &[u8; BYTES]) -> Result<TensorMap, String> {
        const WORD8: usize = 8 * 0x08;
        let bytes = map;
        let number = bits(map, WORD8 + 7, 4) as usize;
        let element = *ELEMENTS.get(number).ok_or_else(|| format!("a tensor map of elements of type {number}"))?;
        if bits(map, WORD8 + 16, 1) != 0 {
            return Err("a tensor map of .tf32 elements is not supported".into());
        }
        if bits(map, WORD8 + 11, 2) != 0 {
            return Err("an interleaved tensor map is not supported".into());
        }
        let rank = bits(map, WORD8 + 4, 3) as usize + 1;
        if rank > MOST {
            return Err(format!("a tensor map of {rank} dimensions"));
        }
        let dimension = |n: usize| {
            let stride = match n {
                0 => element.bytes as u64,
                _ => (bits(map, 8 * (0x08 + 4 * n), 32) | bits(map, 8 * 0x1c + 4 * (n - 1), 4) << 32) << 4,
            };
            Dimension {
                size: bits(map, 8 * (0x20 + 4 * n), 32) as i64 + 1,
                stride: stride as i64,
                extent: bits(map, 8 * (0x37 + n), 8) as i64 + 1,
                // The first is ignored (CUDA driver API, `cuTensorMapEncodeTiled`; an H100).
                step: if n == 0 { 1 } else { bits(map, 8 * 0x34 + 3 * n, 3) as i64 + 1 },
            }
        };
        let (base, span) = (bits(map, 0, 64), bits(map, WORD8 + 13, 2));
        let nan = bits(map, WORD8 + 15, 1) != 0;
        let map = TensorMap {
            element,
            base,
            dimensions: (0..rank).map(dimension).collect(),
            swizzle: ((1 << span) - 1) << 4,
            nan,
            im2col: None,
        };
        let map = TensorMap { im2col: map.im2col(bytes)?, ..map };
        let row = match map.im2col {
            Some(im2col) => im2col.channels,
            None => map.dimensions[0].copied() as usize,
        };
        let row = row * element.bytes;
        if !base.is_multiple_of(16) {
            return Err(format!("a tensor at {base:#x}, which is not a multiple of 16"));
        }
        if !row.is_multiple_of(16) {
            return Err(format!("a tensor map with {row} bytes in a row of its box, which is not a multiple of 16"));
        }
        if span != 0 && row > 16 << span {
            return Err(format!("a tensor map with {row} bytes in a row of its box, and a swizzle of {}", 16 << span));
        }
        if nan && element.nan.is_none() {
            return Err(format!("a tensor map that fills elements of type {} with NaN", element.name));
        }
        Ok(map)
    }

    /// Returns the number of dimensions.
    pub fn rank(&self) -> usize {
        self.dimensions.len()
    }

    /// Returns the address of the tensor.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Reads what im2col mode has (docs/tensor-maps.md).
    fn im2col(&self, map: &[u8; BYTES]) -> Result<Option<Im2col>, String> {
        if bits(map, 8 * 0x08, 1) == 0 {
            return Ok(None);
        }
        let (channels, pixels) = (bits(map, 8 * 0x37, 8) as usize + 1, bits(map, 8 * 0x3c, 16) as usize + 1);
        if pixels > 1024 {
            return Err(format!("a tensor map of {pixels} pixels"));
        }
        let rank = self.rank();
        // Bits of a corner with its sign.
        let width = match rank {
            3 => 16,
            4 => 8,
            5 => 5,
            _ => return Err(format!("a tensor map in im2col mode of {rank} dimensions")),
        };
        let mut ends = [(0, 0); 3];
        for (n, ends) in ends.iter_mut().enumerate().take(rank - 2) {
            let corner = |byte: usize| (bits(map, 8 * byte + n * width, width) << (64 - width)) as i64 >> (64 - width);
            let (lower, upper) = (corner(0x38), corner(0x3a));
            *ends = (lower, self.dimensions[n + 1].size + upper - 1);
            if ends.0 > ends.1 {
                return Err(format!("a box from pixel {} to {} in im2col mode", ends.0, ends.1));
            }
        }
        Ok(Some(Im2col { channels, pixels, ends }))
    }

    /// Returns the elements of a box.
    pub fn count(&self) -> usize {
        if let Some(im2col) = self.im2col {
            return im2col.channels * im2col.pixels;
        }
        self.dimensions.iter().map(|d| d.copied() as usize).product()
    }

    /// Returns the value of elements outside of the tensor.
    pub fn fill(&self) -> u128 {
        self.element.nan.filter(|_| self.nan).unwrap_or(0).into()
    }

    /// Returns the addresses of the elements in im2col mode, as [`TensorMap::addresses`]: pixels from
    /// the one at `first` on, W fastest, each moved by the offsets, of 16, 8 or 5 bits, in one word.
    ///
    /// # Errors
    /// A map in tile mode, and a first pixel that is not in the box.
    pub fn pixels(&self, first: &[i32], offsets: u16) -> Result<Vec<Option<u64>>, String> {
        let Some(im2col) = self.im2col else { return Err("im2col mode with a tensor map in tile mode".into()) };
        let spatial = first.len() - 2;
        let width = [16, 8, 5][spatial - 1];
        let offset = |n: usize| i64::from(offsets) >> (width * n) & ((1 << width) - 1);
        for n in 0..spatial {
            let ((low, high), at) = (im2col.ends[n], i64::from(first[n + 1]));
            if at < low || at > high {
                return Err(format!("pixel {at} is not in the box from {low} to {high}"));
            }
        }
        // The coordinates of a dimension: from the first one as long as no outer one has moved, then
        // from the lower end.
        let along = |n: usize, moved: bool| {
            let (low, high) = if n < spatial { im2col.ends[n] } else { (0, 0) };
            let from = if moved || n >= spatial { low } else { first[n + 1].into() };
            let step = if n < spatial { self.dimensions[n + 1].step } else { 1 };
            (from..=high).step_by(step as usize).enumerate().map(move |(i, x)| (x, moved || i > 0))
        };
        let images = (0..im2col.pixels).map(|i| (i64::from(first[spatial + 1]) + i as i64, i > 0));
        let all = images.flat_map(|(image, moved)| {
            along(2, moved).flat_map(move |(z, moved)| {
                along(1, moved).flat_map(move |(y, moved)| along(0, moved).map(move |(x, _)| [x, y, z, image]))
            })
        });
        let mut out = Vec::with_capacity(self.count());
        for [x, y, z, image] in all.take(im2col.pixels) {
            let mut pixel: Vec<i64> = [x, y, z][..spatial].iter().enumerate().map(|(n, at)| at + offset(n)).collect();
            pixel.push(image);
            let inside = pixel.iter().zip(&self.dimensions[1..]).all(|(at, d)| (0..d.size).contains(at));
            let distance: i64 = pixel.iter().zip(&self.dimensions[1..]).map(|(at, d)| at * d.stride).sum();
            for n in 0..im2col.channels as i64 {
                let channel = i64::from(first[0]) + n;
                let exists = inside && (0..self.dimensions[0].size).contains(&channel);
                let at = distance + channel * self.element.bytes as i64;
                out.push(exists.then(|| self.base.wrapping_add(at as u64)));
            }
        }
        Ok(out)
    }

    /// Returns the addresses of a box's elements, in the order of their bytes in shared memory; none
    /// for those outside of the tensor.
    ///
    /// # Errors
    /// A map in im2col mode.
    pub fn addresses(&self, corner: &[i32]) -> Result<Vec<Option<u64>>, String> {
        if self.im2col.is_some() {
            return Err("tile mode with a tensor map in im2col mode".into());
        }
        let mut all = vec![Some(self.base)];
        // Dimension 0 is the fastest: the outer ones first.
        for (d, &corner) in self.dimensions.iter().zip(corner).rev() {
            let along = |from: &Option<u64>| {
                let from = *from;
                (0..d.copied()).map(move |i| {
                    let at = i64::from(corner) + i * d.step;
                    from.filter(|_| (0..d.size).contains(&at)).map(|from| from.wrapping_add((at * d.stride) as u64))
                })
            };
            all = all.iter().flat_map(along).collect();
        }
        Ok(all)
    }

    /// Returns the ranges of addresses of neighbouring elements.
    pub fn runs(&self, addresses: &[Option<u64>]) -> Vec<Range<u64>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        for &at in addresses.iter().flatten() {
            let end = at + self.element.bytes as u64;
            match runs.last_mut() {
                Some(run) if run.end == at => run.end = end,
                _ => runs.push(at..end),
            }
        }
        runs
    }

    /// Returns the place of a byte in shared memory: bits 4 to 6 are combined with bits 7 to 9 of
    /// the address, as many as the swizzle spans (PTX ISA 9.0, 5.5.7).
    pub fn swizzled(&self, address: usize) -> usize {
        address ^ address >> 3 & self.swizzle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 6 x 3 words in rows of 32 bytes at 0x1000; boxes of 4 x 3 with every second row.
    fn words() -> [u8; BYTES] {
        let mut map = [0; BYTES];
        map[..8].copy_from_slice(&0x1000u64.to_le_bytes());
        map[8..12].copy_from_slice(&(1u32 << 4 | 2 << 7).to_le_bytes());
        map[0x0c..0x10].copy_from_slice(&2u32.to_le_bytes());
        (map[0x20], map[0x24], map[0x34], map[0x37], map[0x38]) = (5, 2, 1 << 3, 3, 2);
        map
    }

    #[test]
    fn boxes_have_rows_of_elements() {
        let map = TensorMap::of(&words()).unwrap();
        assert_eq!((map.rank(), map.count(), map.fill()), (2, 8, 0));
        let at = map.addresses(&[4, 1]).unwrap();
        assert_eq!(at, [Some(0x1030), Some(0x1034), None, None, None, None, None, None]);
        let at = map.addresses(&[-1, 0]).unwrap();
        assert_eq!((at[0], at[1], at[5]), (None, Some(0x1000), Some(0x1040)));
        assert_eq!(map.runs(&at), [0x1000..0x100c, 0x1040..0x104c]);
    }

    #[test]
    fn maps_that_the_driver_would_not_make_are_refused() {
        let with = |change: &dyn Fn(&mut [u8; BYTES])| {
            let mut map = words();
            change(&mut map);
            TensorMap::of(&map).map(|_| ()).unwrap_err()
        };
        assert!(with(&|m| m[0x37] = 4).contains("20 bytes"));
        assert!(with(&|m| m[0] = 8).contains("0x1008"));
        assert!(with(&|m| m[9] |= 0x80).contains("NaN"));
        assert!(with(&|m| m[9] |= 8).contains("interleaved"));
        assert!(with(&|m| (m[9], m[0x37]) = (m[9] | 0x20, 15)).contains("a swizzle of 32"));
        assert!(with(&|m| m[9] |= 7).contains("type"));
    }

    #[test]
    fn swizzles_change_bits_of_the_address() {
        for (span, place) in [(0, 0x3f4), (1, 0x3e4), (2, 0x3c4), (3, 0x384)] {
            let mut map = words();
            map[9] |= span << 5;
            assert_eq!(TensorMap::of(&map).unwrap().swizzled(0x3f4), place);
        }
    }
}
