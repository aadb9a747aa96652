//! Lookups: texels with weights, and their sum.

use super::coords::{Along, Level, ONE, Reading, detail, face, levels, lod_of_gradient};
use super::sum::{cube, share, weighted};
use super::{Channel, Color, Compare, Failed, Geometry, Lookup, Position, Read, Sampler, Texture, Wrap};

/// A texel of a lookup: its offset, `None` for the border or outside, and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tap {
    offset: Option<usize>,
    /// In units of [`ONE`].
    weight: u32,
}

impl Compare {
    fn holds(self, reference: f32, texel: f32) -> bool {
        match self {
            Compare::Less => reference < texel,
            Compare::LessEqual => reference <= texel,
            Compare::Greater => reference > texel,
            Compare::GreaterEqual => reference >= texel,
            Compare::Equal => reference == texel,
            Compare::NotEqual => reference != texel,
            Compare::Always => true,
            Compare::Never => false,
        }
    }
}

/// The colour of the border, or of texels outside of a lookup by integers.
fn outside(texture: &Texture, sampler: &Sampler, filtered: bool) -> Color {
    let format = &texture.shape.format;
    // The border of integers has the lower bits of its numbers (an H100: `tests/corpus/gpu/textures`).
    let empty = 32 - format.channel.bits();
    let channel = |value: f32| match format.channel {
        _ if !filtered => 0,
        _ if format.is_float() => value.to_bits(),
        Channel::Signed(_) => ((value.to_bits() << empty) as i32 >> empty) as u32,
        _ => value.to_bits() << empty >> empty,
    };
    let channels = texture.shape.format.channels as usize;
    std::array::from_fn(|n| (if n < channels { channel(sampler.border[n]) } else { 0 }, 0))
}

impl Texture {
    fn color<E>(&self, offset: Option<usize>, border: Color, read: Read<'_, E>) -> Result<Color, Failed<E>> {
        let Some(offset) = offset else { return Ok(border) };
        let format = &self.shape.format;
        let (texel, undefined) = read(offset, format.bytes()).map_err(Failed::Read)?;
        Ok(std::array::from_fn(|n| format.channel(texel, undefined, n)))
    }

    /// Checks that a lookup fits the texture.
    fn fits<E>(&self, lookup: &Lookup, sampler: &Sampler) -> Result<(), Failed<E>> {
        let shape = &self.shape;
        let wrong = |what: &str| Err(Failed::Unfit(format!("{what} of texture `{}`", self.name)));
        if self.sampler_alone {
            return Err(Failed::Unfit(format!("`{}` is a sampler alone", self.name)));
        }
        if lookup.geometry != shape.geometry {
            let (asked, is) = (lookup.geometry, shape.geometry);
            return wrong(&format!("a lookup with {asked:?} coordinates, not {is:?},"));
        }
        if lookup.layer.is_some() != shape.layers.is_some() {
            return wrong("a lookup without a layer, or of a layer,");
        }
        if lookup.sample.is_some() != (shape.samples > 1) {
            return wrong("a lookup without a sample, or of a sample,");
        }
        let filtered = matches!(lookup.at, Position::Float(_));
        if filtered && sampler.linear && lookup.gather.is_none() && !shape.format.is_float() {
            return wrong("linear filtering of integers");
        }
        if lookup.compare.is_some() && !shape.format.is_float() {
            return wrong("a depth comparison of integers");
        }
        Ok(())
    }

    /// Performs a lookup.
    ///
    /// # Errors
    /// One that does not fit the texture, and those of `read`.
    pub fn lookup<E>(&self, lookup: &Lookup, sampler: &Sampler, read: Read<'_, E>) -> Result<Color, Failed<E>> {
        self.fits(lookup, sampler)?;
        let image = u64::from(lookup.layer.unwrap_or(0).min(self.shape.layers.unwrap_or(1) - 1));
        match lookup.at {
            Position::Integer(at) => {
                let offset = self.texel(lookup, at, image);
                self.color(offset, outside(self, sampler, false), read)
            }
            Position::Float(at) => self.filtered(lookup, sampler, (at, image), read),
        }
    }

    /// Returns the offset of a texel by its numbers.
    fn texel(&self, lookup: &Lookup, at: [i32; 3], image: u64) -> Option<usize> {
        let Level::Number(level) = lookup.level else { return None };
        let level = u32::try_from(level).ok().filter(|&level| level < self.shape.levels)?;
        let extent = self.shape.extent_at(level);
        let mut inside = [0; 3];
        for i in 0..self.shape.geometry.coordinates() {
            let n = i64::from(at[i]) + i64::from(lookup.offset[i]);
            inside[i] = u32::try_from(n).ok().filter(|&n| n < extent[i])?;
        }
        let sample = lookup.sample.unwrap_or(0);
        (sample < self.shape.samples).then(|| self.shape.offset(level, image, inside, sample))
    }

    fn filtered<E>(
        &self,
        lookup: &Lookup,
        sampler: &Sampler,
        (at, image): ([f32; 3], u64),
        read: Read<'_, E>,
    ) -> Result<Color, Failed<E>> {
        let lod = match lookup.level {
            // Below every bias: ptxas 13.0.88 asks for this level of detail.
            Level::Base | Level::Number(_) => -32.0,
            Level::Lod(lod) => detail(lod),
            // Nearer to an H100's logarithm, which is not known, than the exact one.
            Level::Gradient(gradient) => {
                lod_of_gradient(&self.shape, &gradient, sampler.normalized) + 0.5 / f64::from(ONE)
            }
        };
        // Gathered texels are those of the base level.
        let lod = if lookup.gather.is_some() { 0.0 } else { lod + detail(sampler.bias) };
        let [least, most] = sampler.levels.map(detail);
        let lod = lod.max(least).min(most);
        let mut taps = Vec::new();
        for (level, weight) in levels(lod, self.shape.levels, sampler.between_levels) {
            if weight > 0 {
                self.taps(lookup, sampler, (at, image), (level, weight), &mut taps);
            }
        }
        let border = outside(self, sampler, true);
        if let Some(channel) = lookup.gather {
            let mut gathered = [(0, 0); 4];
            // Counter-clockwise from the lower left (PTX ISA 9.0, `tld4`).
            for (value, tap) in gathered.iter_mut().zip([2, 3, 1, 0]) {
                let color = self.color(taps[tap].offset, border, read)?;
                *value = lookup.compare.map_or(color[channel], |reference| self.compared(sampler, reference, color));
            }
            return Ok(gathered);
        }
        if let ([Tap { offset, .. }], None, false) = (&taps[..], lookup.compare, sampler.linear) {
            return self.color(*offset, border, read);
        }
        let (mut terms, mut undefined) = ([const { Vec::new() }; 4], [0u32; 4]);
        for tap in &taps {
            let mut color = self.color(tap.offset, border, read)?;
            if let Some(reference) = lookup.compare {
                color = [self.compared(sampler, reference, color), (0, 0), (0, 0), (0, 0)];
            }
            for (n, (value, undef)) in color.into_iter().enumerate() {
                terms[n].push((f32::from_bits(value), tap.weight));
                undefined[n] |= undef;
            }
        }
        let value = |n: usize| {
            let value = weighted(&self.shape.format, n, &terms[n]);
            // The canonical NaN.
            let bits = if value.is_nan() { 0x7fff_ffff } else { value.to_bits() };
            (bits, if undefined[n] == 0 { 0 } else { u32::MAX })
        };
        let mut color = std::array::from_fn(value);
        if lookup.compare.is_some() {
            color[3] = (1f32.to_bits(), 0);
        }
        Ok(color)
    }

    fn compared(&self, sampler: &Sampler, reference: f32, color: Color) -> (u32, u32) {
        let (texel, undefined) = color[0];
        let holds = sampler.compare.holds(reference, f32::from_bits(texel));
        (f32::from(u8::from(holds)).to_bits(), if undefined == 0 { 0 } else { u32::MAX })
    }

    /// Adds the texels of one level. For a gather these are always four.
    fn taps(
        &self,
        lookup: &Lookup,
        sampler: &Sampler,
        (at, image): ([f32; 3], u64),
        (level, weight): (u32, u32),
        taps: &mut Vec<Tap>,
    ) {
        let shape = &self.shape;
        let extent = shape.extent_at(level);
        let mut image = image;
        let mut at = at.map(f64::from);
        let mut axes = shape.geometry.coordinates();
        let (mut wrap, mut normalized) = (sampler.wrap, sampler.normalized);
        if shape.geometry == Geometry::Cube {
            let (number, place) = face(at.map(|x| x as f32));
            image = image * 6 + u64::from(number);
            // From -1..1 to 0..1, exactly.
            at = [(f64::from(place[0]) + 1.0) / 2.0, (f64::from(place[1]) + 1.0) / 2.0, 0.0];
            (axes, wrap, normalized) = (2, [Wrap::Clamp; 3], true);
        }
        let gather = lookup.gather.is_some();
        let along = |i: usize| {
            if i >= axes {
                return Along { texels: [Some(0), None], fraction: 0 };
            }
            let linear = sampler.linear || gather;
            let reading = Reading { size: extent[i], wrap: wrap[i], normalized, linear, offset: lookup.offset[i] };
            reading.texels(at[i])
        };
        let [x, y, z] = [along(0), along(1), along(2)];
        let whole = cube([&x, &y, &z]);
        let part = if weight == ONE { whole } else { share(whole, weight) };
        for (n, weight) in part.into_iter().enumerate().take(if gather { 4 } else { 8 }) {
            if weight == 0 && !gather {
                continue;
            }
            let texel = match (x.texels[n & 1], y.texels[n >> 1 & 1], z.texels[n >> 2]) {
                (Some(x), Some(y), Some(z)) => Some(shape.offset(level, image, [x, y, z], 0)),
                _ => None,
            };
            taps.push(Tap { offset: texel, weight });
        }
    }
}
