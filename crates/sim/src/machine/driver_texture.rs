//! Functions of the driver that look up textures with derivatives of three coordinates, or with
//! derivatives and a comparison, from sm_90 on.
//!
//! Names and convention: "ptxas 13.0.88 output" for every combination of parts. Parameters by the
//! platform's convention: the handle of the texture and of a separate sampler (64 bits each), layer
//! and coordinates, derivatives in x, in y, offsets (four words each, aligned as such), the
//! reference. Results: whether memory is there, in functions with `_pred`, then four words, or two of
//! binary16 pairs. What they compute is not known but for the meaning of the instruction: here it is
//! what a lookup of a quad gives on sm_80 to sm_89.

use super::block::{Block, Exec, Global, LaneFailure};
use super::exec_mem::lanes;
use super::exec_texture::refuse;
use super::warp::Warp;
use crate::failure::FailureKind;
use crate::float::{F16, F32, Mode, to_float};
use crate::mem::{Bound, Textures};
use crate::texture::{Geometry, Level, Lookup, Position, between, direction, moved};

/// The register of the first argument word of a function of the driver, and of the result.
pub(super) const FIRST: u8 = 4;
/// The stack pointer.
const STACK: u8 = 1;
/// Words of arguments in registers.
const WORDS: usize = 12;
/// The first word of coordinates, of derivatives in x, in y, and of what follows in memory.
const PLACE: usize = 4;
const X: usize = 8;
const Y: usize = 12;
const BEHIND: usize = 16;
/// The word of a second handle, or of the reference.
const SECOND: usize = 2;
/// Bits of an offset (PTX ISA 9.0, 9.7.10.3).
const OFFSET_BITS: u32 = 4;
/// Bits of the number of a sampler.
const SAMPLER: u32 = 0x7ff;

/// A function of this family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverLookup {
    geometry: Geometry,
    array: bool,
    halves: bool,
    resident: bool,
    independent: bool,
    offset: bool,
    compare: bool,
}

impl DriverLookup {
    /// Returns the function with a name.
    pub fn of(name: &str) -> Option<Self> {
        let rest = name.strip_prefix("__cuda_syscall_tex_grad_")?;
        let (resident, rest) = rest.strip_prefix("pred_").map_or((false, rest), |rest| (true, rest));
        let (geometry, rest) = rest.split_once("_v4_")?;
        let (geometry, array) = match geometry {
            "1d" => (Geometry::D1, false),
            "2d" => (Geometry::D2, false),
            "3d" => (Geometry::D3, false),
            "cube" => (Geometry::Cube, false),
            "a1d" => (Geometry::D1, true),
            "a2d" => (Geometry::D2, true),
            "acube" => (Geometry::Cube, true),
            _ => return None,
        };
        let (result, rest) = rest.split_at_checked(3)?;
        let halves = result == "f16";
        if !halves && !matches!(result, "f32" | "s32" | "u32") {
            return None;
        }
        let mut rest = rest.strip_prefix("_f32")?;
        let mut has = |part| {
            let found = rest.strip_prefix(part);
            rest = found.unwrap_or(rest);
            found.is_some()
        };
        let (independent, offset, compare) = (has("_texmode_independent"), has("_offset"), has("_depth_compare"));
        rest.is_empty().then_some(DriverLookup { geometry, array, halves, resident, independent, offset, compare })
    }

    /// The word of the reference.
    fn reference(&self) -> Option<usize> {
        let behind = if self.offset { BEHIND + 4 } else { BEHIND };
        self.compare.then_some(if self.independent { behind } else { SECOND })
    }

    /// Performs the lookups of the lanes of `m`.
    pub fn call(&self, m: u32, warp: &mut Warp, block: &mut Block, g: &mut Global<'_>) -> Exec {
        let mut results = Vec::new();
        for lane in lanes(m) {
            results.push((lane, self.lookup((lane, m), warp, block, g)?));
        }
        let count = if self.halves { 2 } else { 4 };
        let first = FIRST + 1;
        warp.lose(m, first..first + count);
        for (lane, color) in results {
            if self.resident {
                warp.put_lane(FIRST, lane, 1);
            }
            for n in 0..count {
                let at = usize::from(n);
                let (word, undef) = if self.halves { pair(color[2 * at], color[2 * at + 1]) } else { color[at] };
                warp.put_lane(first + n, lane, word);
                warp.taint(first + n, lane, undef);
            }
        }
        Ok(())
    }

    fn lookup(
        &self,
        (lane, m): (usize, u32),
        warp: &Warp,
        block: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec<crate::texture::Color> {
        let word = |n: usize, block: &Block| argument(n, lane, warp, block);
        let sampler = if self.independent { word(SECOND, block)? & SAMPLER } else { 0 };
        let handle = (Textures::split(word(0, block)?).0, sampler);
        let (bound, sampler) = Warp::of_words(handle, lane, g)?;
        let Bound { texture, texels: Some(texels) } = bound.clone() else {
            return refuse(lane, format!("`{}` is a sampler alone", bound.texture.name));
        };
        let used = self.geometry.coordinates();
        let vector = |first: usize, block: &Block| -> Exec<[u32; 3]> {
            let mut out = [0; 3];
            for (n, to) in out.iter_mut().enumerate().take(used) {
                *to = word(first + n, block)?;
            }
            Ok(out)
        };
        let floats = |first: usize, block: &Block| vector(first, block).map(|words| words.map(f32::from_bits));
        let layer = if self.array { Some(word(PLACE, block)?.min(0xffff)) } else { None };
        let at = floats(PLACE + usize::from(self.array), block)?;
        let places = moved(at, &[floats(X, block)?, floats(Y, block)?]);
        let mufu = g.mufu;
        let cube = self.geometry == Geometry::Cube;
        let places = if cube { places.map(|at| direction(at, mufu)) } else { places };
        let offset = if self.offset { vector(BEHIND, block)? } else { [0; 3] };
        let compare = self.reference().map(|n| word(n, block)).transpose()?;
        let lookup = Lookup {
            geometry: self.geometry,
            layer,
            at: Position::Float(places[0]),
            level: Level::Gradient(between(places)),
            sample: None,
            offset: offset.map(|n| (n << (32 - OFFSET_BITS)) as i32 >> (32 - OFFSET_BITS)),
            compare: compare.map(f32::from_bits),
            gather: None,
        };
        warp.color((lane, m), (&texture, texels), (&lookup, &sampler), block, g)
    }
}

/// A word of the arguments, in a register or in the caller's frame.
fn argument(n: usize, lane: usize, warp: &Warp, block: &Block) -> Exec<u32> {
    let undefined = || LaneFailure::new(lane, FailureKind::UndefinedOperand("an argument of a driver function"));
    let register = |r: u8| match warp.reg_undef(r, lane) {
        0 => Ok(warp.reg(r)[lane]),
        _ => Err(undefined()),
    };
    if n < WORDS {
        return register(FIRST + n as u8);
    }
    let at = register(STACK)?.wrapping_add(4 * (n - WORDS) as u32);
    let local = block.local.get(warp.index as usize * 32 + lane);
    let offset = at.wrapping_sub(block.local_low) as usize;
    match local.filter(|seg| seg.contains(offset as u64, 4)).map(|seg| seg.load(offset, 4)) {
        Some((word, 0)) => Ok(word as u32),
        _ => Err(undefined()),
    }
}

/// Two channels as binary16.
fn pair(low: (u32, u32), high: (u32, u32)) -> (u32, u32) {
    let half = |(value, undef): (u32, u32)| {
        let value = to_float(&F32, &F16, value.into(), Mode::RN, false) as u32 & 0xffff;
        (value, if undef == 0 { 0 } else { 0xffff })
    };
    let ((low, low_undef), (high, high_undef)) = (half(low), half(high));
    (high << 16 | low, high_undef << 16 | low_undef)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_the_functions_do() {
        let of = |name: &str| DriverLookup::of(&format!("__cuda_syscall_tex_grad_{name}"));
        let plain = of("3d_v4_f32_f32").unwrap();
        assert!(plain.geometry == Geometry::D3 && !plain.array && !plain.halves && !plain.resident);
        let most = of("pred_acube_v4_f16_f32_texmode_independent_offset_depth_compare").unwrap();
        assert!(most.geometry == Geometry::Cube && most.array && most.halves && most.resident);
        assert_eq!(most.reference(), Some(20));
        assert_eq!(of("a2d_v4_s32_f32_offset_depth_compare").unwrap().reference(), Some(2));
        assert_eq!(of("3d_v4_f64_f32"), None);
        assert_eq!(of("3d_v4_f32_f32_depth_compare_offset"), None);
    }
}
