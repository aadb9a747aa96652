//! Coordinates to texel numbers and weights, and levels of detail.

use super::{Geometry, Shape, Wrap};
use crate::mufu::{Function, Mufu};

/// Bits of the fraction of a filtered coordinate (CUDA programming guide: "9-bit fixed point format
/// with 8 bits of fractional value").
pub const FRACTION: u32 = 8;
/// The weight one.
pub const ONE: u32 = 1 << FRACTION;

/// The level of detail of a lookup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// Level 0.
    Base,
    /// This level of detail.
    Lod(f32),
    /// That of the derivatives of the coordinates in x and in y.
    Gradient([[f32; 3]; 2]),
    /// This level, of a lookup by integers.
    Number(i32),
}

/// Texel numbers with weights along one axis: one or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    /// The texels; `None` is the border.
    pub texels: [Option<u32>; 2],
    /// The weight of the second, in units of [`ONE`].
    pub fraction: u32,
}

/// Rounds a number down to an integer, clamped to what fits with room for sums; NaN is 0.
fn floor(value: f64) -> i64 {
    // Casts saturate, and give 0 for NaN.
    value.floor().clamp(-1e15, 1e15) as i64
}

/// A normalised coordinate as the texture unit has it: with 21 bits of fraction, the others cut off
/// (an H100: `tests/corpus/gpu/textures`).
fn fixed(at: f64) -> f64 {
    let unit = f64::from(1u32 << 21);
    (at * unit).floor() / unit
}

/// Returns the texel of a number that may be outside.
fn address(n: i64, size: u32, wrap: Wrap) -> Option<u32> {
    let size = i64::from(size);
    let inside = match wrap {
        Wrap::Border => return (0..size).contains(&n).then_some(n as u32),
        Wrap::Clamp => n.clamp(0, size - 1),
        Wrap::Wrap => n.rem_euclid(size),
        Wrap::Mirror => {
            let m = n.rem_euclid(2 * size);
            if m < size { m } else { 2 * size - 1 - m }
        }
    };
    Some(inside as u32)
}

/// How a float coordinate is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Texels along the axis.
    pub size: u32,
    /// Coordinates outside.
    pub wrap: Wrap,
    /// Whether the coordinate is a fraction of the extent.
    pub normalized: bool,
    /// Whether two texels are interpolated.
    pub linear: bool,
    /// Added to the texel numbers.
    pub offset: i32,
}

impl Reading {
    /// Returns the texels of a coordinate.
    pub fn texels(&self, at: f64) -> Along {
        // Wrapped coordinates have no whole part, so that infinity is 0 (an H100, as above). A period
        // of two covers mirrored ones.
        let wraps = self.normalized && matches!(self.wrap, Wrap::Wrap | Wrap::Mirror);
        let at = if wraps { at.rem_euclid(2.0) } else { at };
        let at = if at.is_nan() { 0.0 } else { at };
        // Exact: at most 41 bits times 17.
        let scaled = if self.normalized { fixed(at) * f64::from(self.size) } else { at };
        // Only normalised coordinates wrap (CUDA programming guide).
        let wrap = match self.wrap {
            Wrap::Wrap | Wrap::Mirror if !self.normalized => Wrap::Clamp,
            wrap => wrap,
        };
        let texel = |n: i64| address(n + i64::from(self.offset), self.size, wrap);
        if !self.linear {
            return Along { texels: [texel(floor(scaled)), None], fraction: 0 };
        }
        // The centre of a texel is at one half; rounded to a fraction of 8 bits, ties upwards.
        let fixed = floor(scaled * f64::from(ONE) - f64::from(ONE / 2) + 0.5);
        let first = fixed >> FRACTION;
        Along { texels: [texel(first), texel(first + 1)], fraction: (fixed & i64::from(ONE - 1)) as u32 }
    }
}

/// A level of detail, a bias or a limit as the texture unit has it: with 8 bits of fraction, the others
/// cut off (an H100: `tests/corpus/gpu/textures`).
pub fn detail(lod: f32) -> f64 {
    (f64::from(lod) * f64::from(ONE)).floor() / f64::from(ONE)
}

/// Levels with the weight of the second, in units of [`ONE`].
pub fn levels(lod: f64, count: u32, between: bool) -> [(u32, u32); 2] {
    let lod = if lod.is_nan() { 0.0 } else { lod.clamp(0.0, f64::from(count - 1)) };
    let fixed = floor(lod * f64::from(ONE)) as u32;
    if !between {
        return [((fixed + ONE / 2) >> FRACTION, ONE), (0, 0)];
    }
    let (first, fraction) = (fixed >> FRACTION, fixed & (ONE - 1));
    [(first, ONE - fraction), ((first + 1).min(count - 1), fraction)]
}

/// Divides a direction by its largest magnitude as ptxas 13.0.88 does: it multiplies with the
/// approximate reciprocal (not confirmed that the texture unit needs that).
pub fn direction(at: [f32; 3], mufu: Mufu) -> [f32; 3] {
    let larger = |a: f32, b: f32| if b.is_nan() || a >= b { a } else { b };
    let [x, y, z] = at.map(f32::abs);
    let reciprocal = f32::from_bits(mufu.f32(Function::Rcp, larger(z, larger(x, y)).to_bits()));
    at.map(|part| part * reciprocal)
}

/// A place, and the places that derivatives in x and in y move it to: what lanes 0, 1 and 2 of a quad
/// hold.
pub fn moved(at: [f32; 3], gradient: &[[f32; 3]; 2]) -> [[f32; 3]; 3] {
    let by = |d: &[f32; 3]| std::array::from_fn(|n| at[n] + d[n]);
    [at, by(&gradient[0]), by(&gradient[1])]
}

/// The derivatives that a lookup of a quad takes from its places.
pub fn between([at, x, y]: [[f32; 3]; 3]) -> [[f32; 3]; 2] {
    [x, y].map(|to| std::array::from_fn(|n| to[n] - at[n]))
}

/// The level of detail of derivatives: the binary logarithm of the longer one in texels.
pub fn lod_of_gradient(shape: &Shape, gradient: &[[f32; 3]; 2], normalized: bool) -> f64 {
    let n = shape.geometry.coordinates();
    let square = |vector: &[f32; 3]| {
        let part = |i: usize| {
            let scale = match (normalized, shape.geometry) {
                // Coordinates of a face go from -1 to 1.
                (_, Geometry::Cube) => f64::from(shape.extent[0]) / 2.0,
                (true, _) => f64::from(shape.extent[i]),
                (false, _) => 1.0,
            };
            let part = f64::from(vector[i]) * scale;
            part * part
        };
        (0..n).map(part).sum::<f64>()
    };
    let longest = square(&gradient[0]).max(square(&gradient[1]));
    log2(longest) / 2.0
}

/// A binary logarithm to 12 bits of fraction, by squaring: the same on every host.
fn log2(value: f64) -> f64 {
    if value.is_nan() || value <= 0.0 {
        return -1000.0;
    }
    if value.is_infinite() {
        return 1000.0;
    }
    let (mut value, mut whole) = (value, 0.0);
    while value < 1.0 {
        value *= 2.0;
        whole -= 1.0;
    }
    while value >= 2.0 {
        value /= 2.0;
        whole += 1.0;
    }
    let mut bit = 0.5;
    for _ in 0..12 {
        value *= value;
        if value >= 2.0 {
            value /= 2.0;
            whole += bit;
        }
        bit /= 2.0;
    }
    whole
}

/// The face that a direction hits, and the place on it from -1 to 1 (CUDA programming guide, cubemap
/// textures: faces +x, -x, +y, -y, +z, -z).
pub fn face([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    if z.abs() >= x.abs() && z.abs() >= y.abs() {
        return if z >= 0.0 { (4, [x, -y]) } else { (5, [-x, -y]) };
    }
    if y.abs() >= x.abs() {
        return if y >= 0.0 { (2, [x, z]) } else { (3, [x, -z]) };
    }
    if x >= 0.0 { (0, [-z, -y]) } else { (1, [z, -y]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(size: u32, wrap: Wrap, normalized: bool, linear: bool) -> Reading {
        Reading { size, wrap, normalized, linear, offset: 0 }
    }

    #[test]
    fn coordinates_outside_are_wrapped() {
        let at = |wrap, x: f64| reading(4, wrap, true, false).texels(x).texels[0];
        for (x, clamp, wrap, mirror, border) in [
            (0.0, 0, 0, 0, Some(0)),
            (0.99, 3, 3, 3, Some(3)),
            (1.0, 3, 0, 3, None),
            (1.3, 3, 1, 2, None),
            (-0.1, 0, 3, 0, None),
            (2.3, 3, 1, 1, None),
        ] {
            assert_eq!(at(Wrap::Clamp, x), Some(clamp), "{x}");
            assert_eq!(at(Wrap::Wrap, x), Some(wrap), "{x}");
            assert_eq!(at(Wrap::Mirror, x), Some(mirror), "{x}");
            assert_eq!(at(Wrap::Border, x), border, "{x}");
        }
        assert_eq!(reading(4, Wrap::Wrap, false, false).texels(5.0).texels[0], Some(3), "not normalised");
        assert_eq!(at(Wrap::Clamp, f64::NAN), Some(0));
        assert_eq!(at(Wrap::Clamp, f64::INFINITY), Some(3));
    }

    #[test]
    fn fractions_have_eight_bits() {
        let linear = reading(8, Wrap::Clamp, false, true);
        assert_eq!(linear.texels(3.5), Along { texels: [Some(3), Some(4)], fraction: 0 });
        assert_eq!(linear.texels(4.0), Along { texels: [Some(3), Some(4)], fraction: 128 });
        assert_eq!(linear.texels(3.5 + 1.0 / 512.0).fraction, 1, "ties go upwards");
        assert_eq!(linear.texels(0.25), Along { texels: [Some(0), Some(0)], fraction: 192 });
    }

    #[test]
    fn levels_are_clamped() {
        assert_eq!(levels(-32.0, 3, false)[0], (0, ONE));
        assert_eq!(levels(1.5, 3, false)[0], (2, ONE));
        assert_eq!(levels(0.25, 3, true), [(0, 192), (1, 64)]);
        assert_eq!(levels(9.0, 3, true), [(2, 256), (2, 0)]);
        assert_eq!(log2(8.0), 3.0);
        assert_eq!(log2(0.25), -2.0);
    }

    #[test]
    fn directions_hit_faces() {
        assert_eq!(face([1.0, 0.5, -0.25]), (0, [0.25, -0.5]));
        assert_eq!(face([-1.0, 0.5, -0.25]), (1, [-0.25, -0.5]));
        assert_eq!(face([0.5, 1.0, -0.25]), (2, [0.5, -0.25]));
        assert_eq!(face([0.5, 0.25, -1.0]), (5, [-0.5, -0.25]));
    }
}
