//! Surfaces: bytes by coordinates, without sampling (PTX ISA 9.0, 9.7.11).

use super::{Geometry, Texture};

/// What an access outside of a surface does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamp {
    /// It traps.
    Trap,
    /// The nearest place.
    Clamp,
    /// Loads give zero, stores are dropped.
    Zero,
}

/// An access to a surface.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Dimensions of the coordinates.
    pub geometry: Geometry,
    /// Coordinates in texels; x in bytes if `bytes` says so.
    pub at: [i32; 3],
    /// Layer of an array.
    pub layer: Option<u32>,
    /// Whether x counts bytes.
    pub bytes: bool,
    /// Bytes accessed.
    pub size: u32,
    /// Accesses outside.
    pub clamp: Clamp,
}

/// Where an access goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// To this offset.
    At(usize),
    /// Outside: loads give zero, stores are dropped.
    Nowhere,
    /// Outside, of an access that traps.
    Trap(String),
}

impl Texture {
    /// Finds the place of an access to level 0.
    ///
    /// # Errors
    /// An access that does not fit the surface.
    pub fn place(&self, place: &Place) -> Result<Found, String> {
        let shape = &self.shape;
        if self.sampler_alone {
            return Err(format!("`{}` is a sampler alone", self.name));
        }
        if place.geometry != shape.geometry || place.layer.is_some() != shape.layers.is_some() {
            let array = |layered: bool| if layered { "array of " } else { "" };
            let asked = format!("{}{:?}", array(place.layer.is_some()), place.geometry);
            let is = format!("{}{:?}", array(shape.layers.is_some()), shape.geometry);
            return Err(format!("an access with {asked} coordinates to surface `{}`, which is {is}", self.name));
        }
        let texel = shape.format.bytes() as i64;
        let unit = if place.bytes { 1 } else { texel };
        let x = i64::from(place.at[0]) * unit;
        if place.bytes && x % i64::from(place.size) != 0 {
            return Err(format!(
                "x of {x} byte(s) in surface `{}` is not a multiple of the {} byte(s) accessed",
                self.name, place.size
            ));
        }
        let row = i64::from(shape.extent[0]) * texel;
        let size = i64::from(place.size);
        if size > row {
            return Err(format!("an access of {size} byte(s) to a row of {row} in surface `{}`", self.name));
        }
        let layers = shape.layers.unwrap_or(1);
        // A negative layer is a large one; 16 bits count (an H100: `tests/corpus/gpu/textures`).
        let image = place.layer.unwrap_or(0) & 0xffff;
        let mut inside = x >= 0 && x + size <= row && image < layers;
        let mut at = [0u32; 3];
        let others = at.iter_mut().zip(&shape.extent).zip(&place.at).take(shape.geometry.coordinates()).skip(1);
        for ((to, &extent), &given) in others {
            let (extent, given) = (i64::from(extent), i64::from(given));
            inside &= (0..extent).contains(&given);
            *to = given.clamp(0, extent - 1) as u32;
        }
        if !inside && place.clamp != Clamp::Clamp {
            let text = format!("coordinates {:?} are outside of surface `{}`", place.at, self.name);
            return Ok(if place.clamp == Clamp::Zero { Found::Nowhere } else { Found::Trap(text) });
        }
        let x = x.clamp(0, row - size) as usize;
        Ok(Found::At(shape.offset(0, image.min(layers - 1).into(), at, 0) + x))
    }
}
