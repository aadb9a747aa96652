//! Textures, surfaces and samplers: their description, their file format, and the one model of
//! filtering that interpreter and simulator share, like the soft float.
//!
//! Problem: what a texture unit computes is documented in part only (CUDA programming guide,
//! appendix on texture fetching). Strategy: a lookup names coordinates, level, offsets and
//! comparison by meaning ([`Lookup`]); [`Texture::lookup`] turns it into texels with weights and
//! sums them up; memory is read through a function of the caller, who checks undefined bits and
//! races. The caller decodes its own instructions.
//!
//! What no public document says is as the results of an H100 are (`tests/corpus/gpu/textures`):
//! * a normalised coordinate is cut to 21 bits of fraction and multiplied by the extent, then rounded
//!   to 8 bits of fraction, ties upwards ([`coords`]); without filtering it is rounded down;
//! * weights and sums are those of [`sum`]; texels of weight zero are not read;
//! * a level of detail, a bias and limits are cut to 8 bits of fraction;
//! * channels that a format lacks read as 0;
//! * texels outside of a lookup by integers are zero, as is a level outside.
//!
//! What the code here decides (not confirmed on hardware, or not as it is there):
//! * the level of detail of gradients is the logarithm of the longer of the two, without anisotropy;
//! * derivatives of three coordinates, or with a comparison, are the differences between the places of
//!   a quad's lanes ([`moved`], [`between`]): ptxas 13.0.88 makes a lookup of a quad of them on sm_80
//!   to sm_89, and the function of the driver that it calls on sm_90 is taken to do the same;
//! * faces of a cube are filtered each by itself, and the axis of equal magnitudes is z, then y;
//! * a depth comparison gives (result, 0, 0, 1).

mod coords;
pub mod file;
pub mod format;
mod query;
mod sample;
mod sum;
mod surface;

pub use coords::{Level, between, direction, moved};
pub use format::{Channel, Format};
pub use query::Query;
pub use surface::{Clamp, Found, Place};

/// Dimensions of a texture, and of the coordinates of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    /// One coordinate.
    D1,
    /// Two coordinates.
    D2,
    /// Three coordinates.
    D3,
    /// A direction: six square faces.
    Cube,
}

impl Geometry {
    /// Returns the number of coordinates.
    pub const fn coordinates(self) -> usize {
        match self {
            Geometry::D1 => 1,
            Geometry::D2 => 2,
            Geometry::D3 | Geometry::Cube => 3,
        }
    }
}

/// What a coordinate outside of the texture means (CUDA programming guide, texture fetching).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wrap {
    /// The texture repeats; only with normalised coordinates.
    Wrap,
    /// It repeats, every second time reversed; only with normalised coordinates.
    Mirror,
    /// The nearest texel.
    #[default]
    Clamp,
    /// The colour of the border.
    Border,
}

/// A comparison of a reference with texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Compare {
    /// The reference is less.
    Less,
    /// It is less or equal.
    #[default]
    LessEqual,
    /// It is greater.
    Greater,
    /// It is greater or equal.
    GreaterEqual,
    /// It is equal.
    Equal,
    /// It differs.
    NotEqual,
    /// Always true.
    Always,
    /// Never true.
    Never,
}

/// How a texture is filtered and addressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// Coordinates outside, in x, y, z.
    pub wrap: [Wrap; 3],
    /// Whether texels are interpolated.
    pub linear: bool,
    /// Whether levels are interpolated.
    pub between_levels: bool,
    /// Whether coordinates are fractions of the extent.
    pub normalized: bool,
    /// The colour of the border.
    pub border: [f32; 4],
    /// Added to the level of detail.
    pub bias: f32,
    /// Least and largest level of detail.
    pub levels: [f32; 2],
    /// Comparison of depths.
    pub compare: Compare,
}

impl Default for Sampler {
    fn default() -> Self {
        Sampler {
            wrap: [Wrap::Clamp; 3],
            linear: false,
            between_levels: false,
            normalized: false,
            border: [0.0; 4],
            bias: 0.0,
            levels: [0.0, 1000.0],
            compare: Compare::default(),
        }
    }
}

/// Shape and contents of a texture or surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its dimensions.
    pub geometry: Geometry,
    /// Texels in x, y, z of level 0; 1 where there is no such dimension.
    pub extent: [u32; 3],
    /// Layers of an array.
    pub layers: Option<u32>,
    /// Mipmap levels, at least 1.
    pub levels: u32,
    /// Samples of a texel; 1 without multisampling.
    pub samples: u32,
    /// The format of texels.
    pub format: Format,
}

impl Shape {
    /// Returns the extent of a level.
    pub fn extent_at(&self, level: u32) -> [u32; 3] {
        self.extent.map(|n| (n >> level.min(31)).max(1))
    }

    /// Returns the number of extents.
    pub fn dimensions(&self) -> usize {
        if self.geometry == Geometry::Cube { 2 } else { self.geometry.coordinates() }
    }

    /// Returns the number of images of a level: layers times faces.
    pub fn images(&self) -> u64 {
        let faces = if self.geometry == Geometry::Cube { 6 } else { 1 };
        u64::from(self.layers.unwrap_or(1)) * faces
    }

    /// Returns the bytes of a level.
    fn level_bytes(&self, level: u32) -> u64 {
        let [x, y, z] = self.extent_at(level).map(u64::from);
        let factors = [y, z, self.images(), self.samples.into(), self.format.bytes() as u64];
        factors.into_iter().fold(x, u64::saturating_mul)
    }

    /// Returns the bytes of all levels, which follow one another.
    pub fn bytes(&self) -> u64 {
        (0..self.levels).fold(0, |sum: u64, level| sum.saturating_add(self.level_bytes(level)))
    }

    /// Returns the byte offset of a texel that exists: levels, then images, z, y, x, samples.
    pub fn offset(&self, level: u32, image: u64, at: [u32; 3], sample: u32) -> usize {
        let before: u64 = (0..level).map(|level| self.level_bytes(level)).sum();
        let [w, h, d] = self.extent_at(level).map(u64::from);
        let [x, y, z] = at.map(u64::from);
        let texel = ((image * d + z) * h + y) * w + x;
        (before + (texel * u64::from(self.samples) + u64::from(sample)) * self.format.bytes() as u64) as usize
    }
}

/// A texture in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Its name in the launch.
    pub name: String,
    /// Shape and format.
    pub shape: Shape,
    /// Its own sampler.
    pub sampler: Sampler,
    /// Whether it is a sampler alone, without texels.
    pub sampler_alone: bool,
}

/// The coordinates of a lookup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Position {
    /// Filtered lookup.
    Float([f32; 3]),
    /// Texels by their numbers.
    Integer([i32; 3]),
}

/// One lookup, by meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lookup {
    /// Dimensions of the coordinates.
    pub geometry: Geometry,
    /// Layer of an array.
    pub layer: Option<u32>,
    /// The place. A direction of a cube has been divided by its largest magnitude.
    pub at: Position,
    /// The level of detail.
    pub level: Level,
    /// Sample of a texel.
    pub sample: Option<u32>,
    /// Added to the texel numbers.
    pub offset: [i32; 3],
    /// Reference of a depth comparison.
    pub compare: Option<f32>,
    /// The four texels of one channel instead of their weighted sum (`tld4`).
    pub gather: Option<usize>,
}

/// A value of 32 bits of each channel, and its undefined bits.
pub type Color = [(u32, u32); 4];

/// Reads `size` bytes at an offset of the texels: value and undefined bits.
pub type Read<'a, E> = &'a mut dyn FnMut(usize, usize) -> Result<(u128, u128), E>;

/// Why a lookup failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed<E> {
    /// The lookup does not fit the texture.
    Unfit(String),
    /// Memory cannot be read.
    Read(E),
}
