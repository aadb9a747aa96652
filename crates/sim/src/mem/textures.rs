//! The textures of a launch and their handles.

use super::AllocId;
use crate::texture::Texture;

/// Bits of a handle that say what it is (ptxas 13.0.88 output for `istypep`).
const TEXTURE: u64 = 1 << 61;
const SAMPLER: u64 = 1 << 62;
const SURFACE: u64 = 1 << 63;
/// Bits of a handle that number a texture or surface (ptxas 13.0.88 output: `0xfffff`); those above
/// number a sampler.
const INDEX_BITS: u32 = 20;

/// What a handle stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// A texture.
    Texture,
    /// A sampler.
    Sampler,
    /// A surface.
    Surface,
}

impl Handle {
    /// Returns the bit of a handle that says so.
    pub const fn bit(self) -> u64 {
        match self {
            Handle::Texture => TEXTURE,
            Handle::Sampler => SAMPLER,
            Handle::Surface => SURFACE,
        }
    }

    /// The name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Handle::Texture => "texture",
            Handle::Sampler => "sampler",
            Handle::Surface => "surface",
        }
    }
}

/// A texture and its texels.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Shape, format, sampler.
    pub texture: Texture,
    /// The texels; `None` for a sampler alone.
    pub texels: Option<AllocId>,
}

/// The textures of a launch: the first has number 1.
#[derive(Clone, Debug, Default)]
pub struct Textures(Vec<Bound>);

impl Textures {
    /// Adds a texture; a later one of the same name hides an earlier one.
    pub fn add(&mut self, texture: Bound) {
        self.0.push(texture);
    }

    /// All of them, in the order of their numbers.
    pub fn list(&self) -> &[Bound] {
        &self.0
    }

    /// Returns the number of a texture.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.0.iter().rposition(|t| t.texture.name == name).map(|n| n as u32 + 1)
    }

    /// Returns the handle of a texture, as what a kernel gets it.
    pub fn handle(&self, kind: Handle, name: &str) -> Option<u64> {
        let number = u64::from(self.number(name)?);
        // A sampler's number is above that of a texture when both are in one word.
        Some(kind.bit() | number)
    }

    /// Returns the texture or surface of a handle's lower word.
    pub fn image(&self, word: u32) -> Option<&Bound> {
        let number = word & ((1 << INDEX_BITS) - 1);
        self.0.get((number as usize).checked_sub(1)?)
    }

    /// Returns the sampler of a sampler handle's lower word.
    pub fn sampler(&self, word: u32) -> Option<&Bound> {
        self.0.get((word as usize).checked_sub(1)?)
    }

    /// Splits the word of a texture and a sampler; the sampler is 0 if there is none. The highest
    /// bit says that the texture has its own (ptxas 13.0.88 output for addresses of textures).
    pub const fn split(word: u32) -> (u32, u32) {
        (word & ((1 << INDEX_BITS) - 1), (word & 0x7fff_ffff) >> INDEX_BITS)
    }
}
