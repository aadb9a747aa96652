//! Tensor maps: the 128-byte objects that describe tensors in global memory (PTX ISA 9.0, 5.5).
//!
//! The layout is that which `tensormap.replace` writes (ptxas 13.0.88 output) and the driver makes
//! (docs/tensor-maps.md).

use super::columns::{Columns, DIMENSIONS, MAP_BYTES};
use std::ops::Range;

/// Types of elements, in the order of `tensormap.replace.elemtype` (PTX ISA 9.0, 9.7.9.27.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F32Ftz,
    F64,
    Bf16,
}

impl Element {
    /// All types, by their numbers.
    pub const ALL: [Element; 11] = [
        Element::U8,
        Element::U16,
        Element::U32,
        Element::S32,
        Element::U64,
        Element::S64,
        Element::F16,
        Element::F32,
        Element::F32Ftz,
        Element::F64,
        Element::Bf16,
    ];

    /// Returns the size in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Element::U8 => 1,
            Element::U16 | Element::F16 | Element::Bf16 => 2,
            Element::U32 | Element::S32 | Element::F32 | Element::F32Ftz => 4,
            Element::U64 | Element::S64 | Element::F64 => 8,
        }
    }

    /// Returns the NaN that fills elements outside the tensor; none for integers. Measured on an H100,
    /// but for F64.
    const fn nan(self) -> Option<u64> {
        match self {
            Element::F16 | Element::Bf16 => Some(0x7ff7),
            Element::F32 | Element::F32Ftz => Some(0x7ff7_7ff7),
            Element::F64 => Some(0x7ff7_7ff7_7ff7_7ff7),
            _ => None,
        }
    }
}

/// A field of a map that `tensormap.replace` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    GlobalAddress,
    Rank,
    BoxDim(usize),
    GlobalDim(usize),
    GlobalStride(usize),
    ElementStride(usize),
    ElementType,
    Interleave,
    Swizzle,
    Fill,
}

/// Bits of a map: first byte, first bit from there, and number of bits.
type Bits = (usize, u32, u32);

const TF32: Bits = (0x08, 16, 1);

impl Field {
    /// Returns the bits of the field, and the upper bits of a stride.
    fn bits(self) -> Option<(Bits, Option<Bits>)> {
        let below = |n: usize, limit: usize, bits: Bits| (n < limit).then_some((bits, None));
        match self {
            Field::GlobalAddress => Some(((0, 0, 64), None)),
            Field::Rank => Some(((0x08, 4, 3), None)),
            Field::ElementType => Some(((0x08, 7, 4), None)),
            Field::Interleave => Some(((0x08, 11, 2), None)),
            Field::Swizzle => Some(((0x08, 13, 2), None)),
            Field::Fill => Some(((0x08, 15, 1), None)),
            Field::GlobalStride(n) if n < DIMENSIONS - 1 => {
                Some(((0x0c + 4 * n, 0, 32), Some((0x1c, 4 * n as u32, 4))))
            }
            Field::GlobalStride(_) => None,
            Field::GlobalDim(n) => below(n, DIMENSIONS, (0x20 + 4 * n, 0, 32)),
            Field::ElementStride(n) => below(n, DIMENSIONS, (0x34, 3 * n as u32, 3)),
            Field::BoxDim(n) => below(n, DIMENSIONS, (0x37 + n, 0, 8)),
        }
    }

    /// Returns the word that is stored for a value: most fields hold one less, strides their bits
    /// from 4 on.
    fn stored(self, value: u64) -> Option<u64> {
        match self {
            Field::BoxDim(_) | Field::GlobalDim(_) | Field::ElementStride(_) => value.checked_sub(1),
            Field::GlobalStride(_) => value.is_multiple_of(16).then_some(value >> 4),
            Field::Swizzle | Field::Interleave | Field::Fill | Field::Rank | Field::GlobalAddress => Some(value),
            Field::ElementType => Some(value),
        }
    }
}

fn get(map: &[u8; MAP_BYTES], (byte, first, count): Bits) -> u64 {
    let mut word = [0; 16];
    let part = &map[byte..(byte + 9).min(MAP_BYTES)];
    word[..part.len()].copy_from_slice(part);
    (u128::from_le_bytes(word) >> first) as u64 & (u64::MAX >> (64 - count))
}

fn put(map: &mut [u8; MAP_BYTES], (byte, first, count): Bits, value: u64) {
    for bit in 0..count {
        let at = first + bit;
        let place = &mut map[byte + at as usize / 8];
        *place = *place & !(1 << (at % 8)) | ((value >> bit & 1) as u8) << (at % 8);
    }
}

/// Writes a field of a map, as `tensormap.replace` does. Fails if the value does not fit it.
pub fn replace(map: &mut [u8; MAP_BYTES], field: Field, value: u64) -> Result<(), String> {
    let refused = || format!("{value} is no value of the field {field:?} of a tensor map");
    let (low, high) = field.bits().ok_or_else(refused)?;
    let mut stored = field.stored(value).ok_or_else(refused)?;
    if field == Field::ElementType {
        // 11 and 12 are .tf32 and .tf32.ftz, as .f32 and .f32.ftz with a mark.
        let tf32 = stored > 10;
        stored -= if tf32 { 4 } else { 0 };
        put(map, TF32, tf32.into());
    }
    let bits = low.2 + high.map_or(0, |high| high.2);
    if bits < 64 && stored >> bits != 0 {
        return Err(refused());
    }
    put(map, low, stored);
    if let Some(high) = high {
        put(map, high, stored >> low.2);
    }
    Ok(())
}

/// A tensor map.
#[derive(Clone, Debug)]
pub struct TensorMap {
    pub element: Element,
    address: u64,
    rank: usize,
    /// Elements of the tensor, and of a box, per dimension.
    size: [u64; DIMENSIONS],
    extent: [u64; DIMENSIONS],
    /// Distance in bytes of elements that differ by one in a dimension.
    stride: [u64; DIMENSIONS],
    /// Every how manieth element of a dimension is in the box.
    step: [u64; DIMENSIONS],
    /// Swizzle: 0 none, 1 to 3 of 32, 64, 128 bytes.
    swizzle: u32,
    nan: bool,
    /// In im2col mode, what takes the place of the box.
    columns: Option<Columns>,
}

/// The place of an element of a box: its bytes in shared memory from the box's start, before the
/// swizzle, and its address in global memory, if it is inside the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub shared: usize,
    pub global: Option<u64>,
}

impl TensorMap {
    /// Reads a map and checks it (CUDA driver API, `cuTensorMapEncodeTiled`).
    pub fn read(map: &[u8; MAP_BYTES]) -> Result<TensorMap, String> {
        let field = |field: Field| {
            field.bits().map_or(0, |(low, high)| get(map, low) | high.map_or(0, |high| get(map, high) << low.2))
        };
        let each = |f: &dyn Fn(usize) -> u64| [0, 1, 2, 3, 4].map(f);
        let number = field(Field::ElementType) as usize;
        let element = *Element::ALL
            .get(number)
            .ok_or_else(|| format!("tensor maps of element type {number} are not supported"))?;
        if get(map, TF32) != 0 {
            return Err("tensor maps of .tf32 elements are not supported".into());
        }
        if field(Field::Interleave) != 0 {
            return Err("interleaved tensor maps are not supported".into());
        }
        let rank = field(Field::Rank) as usize + 1;
        let one = element.bytes() as u64;
        let map = TensorMap {
            element,
            address: field(Field::GlobalAddress),
            rank,
            size: each(&|n| field(Field::GlobalDim(n)) + 1),
            extent: each(&|n| field(Field::BoxDim(n)) + 1),
            stride: each(&|n| if n == 0 { one } else { field(Field::GlobalStride(n - 1)) << 4 }),
            // That of the first dimension is ignored (CUDA driver API, `cuTensorMapEncodeTiled`; an H100).
            step: each(&|n| if n == 0 { 1 } else { field(Field::ElementStride(n)) + 1 }),
            swizzle: field(Field::Swizzle) as u32,
            nan: field(Field::Fill) != 0,
            columns: Columns::read(map, rank)?,
        };
        if rank > DIMENSIONS {
            return Err(format!("a tensor map of {rank} dimensions"));
        }
        if !map.address.is_multiple_of(16) {
            return Err(format!("a tensor at {:#x}, which is not a multiple of 16", map.address));
        }
        let inner = map.columns.as_ref().map_or(map.count(0), Columns::channels) * one;
        if !inner.is_multiple_of(16) {
            return Err(format!("a tensor map with {inner} bytes in a row of its box, which is not a multiple of 16"));
        }
        let span = 16 << map.swizzle;
        if map.swizzle != 0 && inner > span {
            return Err(format!("a tensor map with {inner} bytes in a row of its box, and a swizzle of {span}"));
        }
        if map.nan && element.nan().is_none() {
            return Err(format!("a tensor map that fills {element:?} with NaN"));
        }
        if let Some(columns) = &map.columns {
            columns.check(&map.size[..rank])?;
        }
        Ok(map)
    }

    /// Returns the number of dimensions.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Returns the elements of a box in a dimension.
    fn count(&self, n: usize) -> u64 {
        self.extent[n].div_ceil(self.step[n])
    }

    /// Returns the bytes of a box in shared memory.
    pub fn bytes(&self) -> usize {
        if let Some(columns) = &self.columns {
            return (columns.channels() * columns.pixels()) as usize * self.element.bytes();
        }
        (0..self.rank).map(|n| self.count(n) as usize).product::<usize>() * self.element.bytes()
    }

    /// Returns the value of elements outside the tensor.
    pub fn fill(&self) -> u64 {
        if self.nan { self.element.nan().unwrap_or(0) } else { 0 }
    }

    /// Returns the bytes of the tensor from its address on.
    pub fn range(&self) -> Range<u64> {
        let last: u64 = (0..self.rank).map(|n| (self.size[n] - 1) * self.stride[n]).sum();
        self.address..self.address + last + self.element.bytes() as u64
    }

    /// Returns the elements in im2col mode: those of a pixel one after another. The pixels are those
    /// from the one at these coordinates on, moved by the offsets.
    ///
    /// # Errors
    /// A map in tile mode, and places that are not in the box.
    pub fn pixels(&self, at: &[i32], offsets: &[u16]) -> Result<Vec<Piece>, String> {
        let Some(columns) = &self.columns else { return Err("im2col mode with a tensor map in tile mode".into()) };
        let (rank, one) = (self.rank, self.element.bytes());
        let mut pieces = Vec::new();
        for base in columns.bases(&self.size[..rank], &self.step, at, offsets)? {
            // Every dimension but that of channels is fixed.
            let mut pixel = Some(self.address);
            for (n, &coordinate) in base.iter().enumerate() {
                let inside = (0..self.size[n + 1] as i64).contains(&coordinate);
                pixel = pixel.filter(|_| inside).map(|address| address + coordinate as u64 * self.stride[n + 1]);
            }
            for channel in 0..columns.channels() as i64 {
                let channel = i64::from(at[0]) + channel;
                let inside = (0..self.size[0] as i64).contains(&channel);
                let global = pixel.filter(|_| inside).map(|address| address + channel as u64 * one as u64);
                pieces.push(Piece { shared: pieces.len() * one, global });
            }
        }
        Ok(pieces)
    }

    /// Returns the elements of the box at these coordinates, dimension 0 fastest.
    ///
    /// # Errors
    /// A map in im2col mode.
    pub fn pieces(&self, at: &[i32]) -> Result<Vec<Piece>, String> {
        if self.columns.is_some() {
            return Err("tile mode with a tensor map in im2col mode".into());
        }
        let one = self.element.bytes();
        let total = self.bytes() / one;
        let mut index = [0u64; DIMENSIONS];
        let mut pieces = Vec::with_capacity(total);
        for number in 0..total {
            let mut global = Some(self.address);
            for n in 0..self.rank {
                let coordinate = i64::from(at[n]) + (index[n] * self.step[n]) as i64;
                let inside = (0..self.size[n] as i64).contains(&coordinate);
                global = global.filter(|_| inside).map(|address| address + coordinate as u64 * self.stride[n]);
            }
            pieces.push(Piece { shared: number * one, global });
            for (n, i) in index.iter_mut().enumerate().take(self.rank) {
                *i += 1;
                if *i < self.count(n) {
                    break;
                }
                *i = 0;
            }
        }
        Ok(pieces)
    }

    /// Swizzles a shared address: bits 4 to 6 are combined with bits 7 to 9 (PTX ISA 9.0, 5.5.7).
    pub fn swizzled(&self, address: usize) -> usize {
        let bits = (1usize << self.swizzle) - 1;
        address ^ (address >> 7 & bits) << 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(fields: &[(Field, u64)]) -> [u8; MAP_BYTES] {
        let mut map = [0; MAP_BYTES];
        for &(field, value) in fields {
            replace(&mut map, field, value).unwrap();
        }
        map
    }

    #[test]
    fn fields_are_where_the_compiler_puts_them() {
        let bytes = map(&[
            (Field::GlobalAddress, 0x1122_3344_5566_7780),
            (Field::Rank, 1),
            (Field::ElementType, 6),
            (Field::Swizzle, 3),
            (Field::GlobalDim(1), 0x1_0000_0000),
            (Field::GlobalStride(0), 0x12_3456_7890),
            (Field::BoxDim(0), 256),
            (Field::BoxDim(1), 5),
            (Field::ElementStride(1), 2),
        ]);
        assert_eq!(bytes[..8], 0x1122_3344_5566_7780u64.to_le_bytes());
        assert_eq!(bytes[8..12], (1u32 << 4 | 6 << 7 | 3 << 13).to_le_bytes());
        assert_eq!((&bytes[0x0c..0x10], bytes[0x1c]), (&0x2345_6789u32.to_le_bytes()[..], 1));
        assert_eq!((bytes[0x37], bytes[0x38], bytes[0x34], &bytes[0x24..0x28]), (255, 4, 8, &[255; 4][..]));
        let mut bytes = map(&[(Field::ElementType, 11)]);
        assert_eq!(bytes[8..12], (7u32 << 7 | 1 << 16).to_le_bytes());
        assert!(replace(&mut bytes, Field::BoxDim(0), 0).is_err() && replace(&mut bytes, Field::BoxDim(5), 1).is_err());
        assert!(replace(&mut bytes, Field::GlobalStride(0), 8).is_err());
    }

    #[test]
    fn boxes_have_their_elements_in_rows() {
        // A tensor of 6 x 3 words with rows of 32 bytes; boxes of 4 x 2 with every second row.
        let fields = [
            (Field::GlobalAddress, 0x1000),
            (Field::Rank, 1),
            (Field::ElementType, 2),
            (Field::GlobalDim(0), 6),
            (Field::GlobalDim(1), 3),
            (Field::GlobalStride(0), 32),
            (Field::BoxDim(0), 4),
            (Field::BoxDim(1), 3),
            (Field::ElementStride(1), 2),
        ];
        let tensor = TensorMap::read(&map(&fields)).unwrap();
        assert_eq!((tensor.bytes(), tensor.range()), (32, 0x1000..0x1058));
        let found: Vec<Option<u64>> = tensor.pieces(&[4, 1]).unwrap().iter().map(|p| p.global).collect();
        assert_eq!(found, [Some(0x1030), Some(0x1034), None, None, None, None, None, None]);
        let found = tensor.pieces(&[-1, 0]).unwrap();
        assert_eq!((found[0].global, found[5]), (None, Piece { shared: 20, global: Some(0x1040) }));
    }

    #[test]
    fn swizzles_permute_pieces_of_sixteen_bytes() {
        let swizzle = |mode| TensorMap::read(&map(&[(Field::BoxDim(0), 16), (Field::Swizzle, mode)])).unwrap();
        assert_eq!([0, 1, 2, 3].map(|mode| swizzle(mode).swizzled(0x3f4)), [0x3f4, 0x3e4, 0x3c4, 0x384]);
        let wide = map(&[(Field::BoxDim(0), 64), (Field::Swizzle, 1)]);
        assert!(TensorMap::read(&wide).unwrap_err().contains("a swizzle of 32"));
    }

    /// A map of the driver: its numbers and bytes.
    fn of_driver() -> impl Iterator<Item = (bool, Vec<i64>, [u8; MAP_BYTES])> {
        let lines = include_str!("../../../testdata/tensor_maps.txt").lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| {
            let (asked, answer) = line.split_once(" = ").unwrap();
            let (kind, numbers) = asked.split_once(' ').unwrap();
            let number = |n: &str| match n.strip_prefix("0x") {
                Some(hex) => i64::from_str_radix(hex, 16).unwrap(),
                None => n.parse().unwrap(),
            };
            let bytes: Option<Vec<u8>> =
                (0..MAP_BYTES).map(|n| u8::from_str_radix(answer.get(2 * n..2 * n + 2)?, 16).ok()).collect();
            let map = bytes?.try_into().unwrap();
            Some((kind == "im2col", numbers.split(' ').map(number).collect(), map))
        })
    }

    /// Numbers of element types, as the driver has them and `tensormap.replace`.
    const TYPES: [u64; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 11, 12];

    #[test]
    fn maps_of_the_driver_have_the_same_fields() {
        let mut count = [0; 2];
        for (im2col, numbers, bytes) in of_driver() {
            let mut next = numbers.iter().copied();
            let mut take = |n: usize| next.by_ref().take(n).collect::<Vec<i64>>();
            let [element, rank, address] = take(3)[..] else { panic!("{numbers:?}") };
            let rank = rank as usize;
            let (size, stride) = (take(rank), take(rank - 1));
            let extent = if im2col { Vec::new() } else { take(rank) };
            let (lower, upper) = if im2col { (take(rank - 2), take(rank - 2)) } else { Default::default() };
            let (counts, step, modes) = (take(if im2col { 2 } else { 0 }), take(rank), take(4));
            let mut fields = vec![
                (Field::ElementType, TYPES[element as usize]),
                (Field::Rank, rank as u64 - 1),
                (Field::GlobalAddress, address as u64),
                (Field::Interleave, modes[0] as u64),
                (Field::Swizzle, modes[1] as u64),
                (Field::Fill, modes[3] as u64),
            ];
            for (kind, values) in [
                (Field::GlobalDim as fn(usize) -> Field, &size),
                (Field::GlobalStride, &stride),
                (Field::BoxDim, &extent),
                (Field::ElementStride, &step),
            ] {
                fields.extend(values.iter().enumerate().map(|(n, &value)| (kind(n), value as u64)));
            }
            let mut known = map(&fields);
            // What is ignored here: promotion in L2, sums of the driver.
            known[0x0a] |= (modes[2] as u8) << 1;
            known[0x40..0x4c].copy_from_slice(&bytes[0x40..0x4c]);
            if im2col {
                known[0x08] |= 1;
                known[0x37..0x3e].copy_from_slice(&bytes[0x37..0x3e]);
                let columns = Columns::read(&bytes, rank).unwrap().unwrap();
                assert_eq!(columns.fields(rank), (counts, lower, upper), "{numbers:?}");
            }
            assert_eq!(bytes, known, "{numbers:?}");
            count[usize::from(im2col)] += 1;
        }
        assert!(count[0] > 100 && count[1] > 100, "{count:?}");
    }
}
