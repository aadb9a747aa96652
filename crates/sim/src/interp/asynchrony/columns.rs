//! Im2col mode of tensor maps (PTX ISA 9.0, 5.5.4; CUDA driver API, `cuTensorMapEncodeIm2col`).
//!
//! A tensor has dimensions C, W, H, D, N, of which H and D may be missing. Pixels of a box that lies in
//! W, H and D are visited W first, then H, D, N, a number of them from a given one on; an offset moves
//! all of them. Fields are where driver 580.159.04 puts them (docs/tensor-maps.md).

/// Bytes of a map.
pub const MAP_BYTES: usize = 128;
/// Most dimensions.
pub const DIMENSIONS: usize = 5;
/// Most pixels (`cuTensorMapEncodeIm2col`).
const MOST_PIXELS: u64 = 1024;
/// Most dimensions of the box.
const SPATIAL: usize = 3;

/// The fields of im2col mode.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    channels: u64,
    pixels: u64,
    /// Corners of the box in W, H, D: from the first pixel of the tensor, and from its last.
    lower: [i64; SPATIAL],
    upper: [i64; SPATIAL],
}

impl Columns {
    /// Reads the fields of a map of `rank` dimensions; none in tile mode.
    pub(super) fn read(map: &[u8; MAP_BYTES], rank: usize) -> Result<Option<Columns>, String> {
        if map[0x08] & 1 == 0 {
            return Ok(None);
        }
        let half = |at: usize| u16::from_le_bytes([map[at], map[at + 1]]);
        let (channels, pixels) = (u64::from(map[0x37]) + 1, u64::from(half(0x3c)) + 1);
        if pixels > MOST_PIXELS {
            return Err(format!("a tensor map of {pixels} pixels"));
        }
        let width = match rank {
            3 => 16,
            4 => 8,
            5 => 5,
            _ => return Err(format!("a tensor map in im2col mode of {rank} dimensions")),
        };
        // The corners of W, H, D follow each other in a half word.
        let corner = |at: usize| {
            [0, 1, 2].map(|n| {
                if n < rank - 2 { i64::from(half(at)) >> (n * width) << (64 - width) >> (64 - width) } else { 0 }
            })
        };
        Ok(Some(Columns { channels, pixels, lower: corner(0x38), upper: corner(0x3a) }))
    }

    /// Channels and pixels, lower and upper corner of a map of `rank` dimensions.
    #[cfg(test)]
    pub(super) fn fields(&self, rank: usize) -> (Vec<i64>, Vec<i64>, Vec<i64>) {
        let corner = |corner: [i64; SPATIAL]| corner[..rank - 2].to_vec();
        (vec![self.channels as i64, self.pixels as i64], corner(self.lower), corner(self.upper))
    }

    /// Returns the elements of a pixel.
    pub(super) fn channels(&self) -> u64 {
        self.channels
    }

    /// Returns the pixels of an instruction.
    pub(super) fn pixels(&self) -> u64 {
        self.pixels
    }

    /// The first and the last pixel of the box in a dimension.
    fn bounds(&self, n: usize, size: &[u64]) -> (i64, i64) {
        (self.lower[n], size[n + 1] as i64 - 1 + self.upper[n])
    }

    /// Checks what depends on the tensor's size.
    pub(super) fn check(&self, size: &[u64]) -> Result<(), String> {
        for n in 0..size.len() - 2 {
            let (first, last) = self.bounds(n, size);
            if first > last {
                return Err(format!("a box from pixel {first} to {last} in im2col mode"));
            }
        }
        Ok(())
    }

    /// Returns the coordinates in W, H, D, N of all pixels, after their offsets.
    pub(super) fn bases(
        &self,
        size: &[u64],
        step: &[u64; DIMENSIONS],
        at: &[i32],
        offsets: &[u16],
    ) -> Result<Vec<Vec<i64>>, String> {
        let spatial = size.len() - 2;
        let limit = 1u32 << [16, 8, 5][spatial - 1];
        if let Some(offset) = offsets.iter().find(|offset| u32::from(**offset) >= limit) {
            return Err(format!("the offset {offset} in im2col mode of {} dimensions", size.len()));
        }
        let mut place: Vec<i64> = at[1..].iter().map(|&n| n.into()).collect();
        for (n, pixel) in place.iter().enumerate().take(spatial) {
            let (first, last) = self.bounds(n, size);
            if !(first..=last).contains(pixel) {
                return Err(format!("pixel {pixel} is not in the box from {first} to {last}"));
            }
        }
        let mut bases = Vec::new();
        for _ in 0..self.pixels {
            let moved = |(n, &x): (usize, &i64)| x + i64::from(offsets.get(n).copied().unwrap_or(0));
            bases.push(place.iter().enumerate().map(moved).collect());
            // The next pixel: behind the end of a dimension its next one counts on.
            let mut n = 0;
            loop {
                if n == spatial {
                    place[n] += 1;
                    break;
                }
                let (first, last) = self.bounds(n, size);
                place[n] += step[n + 1] as i64;
                if place[n] <= last {
                    break;
                }
                place[n] = first;
                n += 1;
            }
        }
        Ok(bases)
    }
}
