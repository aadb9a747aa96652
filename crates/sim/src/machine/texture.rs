//! Texture and surface instructions as the machine runs them: which register holds what.

use super::options::{AtomOp, AtomType};
use crate::texture::{Clamp, Geometry};

/// Where the handle of a texture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleAt {
    /// In a register: texture and sampler in one word.
    Register(u8),
    /// In two uniform registers: texture, sampler.
    Uniform(u8),
    /// In a word of a constant bank: bank, byte offset.
    Bank(u8, u16),
}

/// The level of detail of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelAt {
    /// Level 0.
    Zero,
    /// In a register.
    Register(u8),
    /// From derivatives: of each coordinate in x, then in y.
    Gradient([u8; 6]),
    /// From the coordinates of the first three lanes of the quad.
    Quad,
}

/// A lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupOp {
    pub handle: HandleAt,
    pub geometry: Geometry,
    /// Layer of an array, in the lower half of its register.
    pub layer: Option<u8>,
    pub at: [u8; 3],
    /// Whether the coordinates are texel numbers (`TLD`).
    pub numbers: bool,
    pub level: LevelAt,
    pub sample: Option<u8>,
    /// Register of the offsets, the first bit of the first one, bits of each, their distance.
    pub offset: Option<(u8, u8, u8, u8)>,
    pub compare: Option<u8>,
    /// The channel of a gather (`TLD4`).
    pub gather: Option<u8>,
    /// Channels that are returned.
    pub mask: u8,
    /// Whether they are returned as pairs of binary16, and whether these are rounded to zero.
    pub half: Option<bool>,
}

/// A surface access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceOp {
    pub handle: HandleAt,
    pub geometry: Geometry,
    pub array: bool,
    /// First register of the coordinates; the layer follows them.
    pub at: u8,
    /// Whether x counts bytes.
    pub bytes: bool,
    pub clamp: Clamp,
    pub action: Action,
}

/// What a surface access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Loads this many bytes; sign-extends short ones.
    Load(u8, bool),
    /// Stores this many bytes.
    Store(u8),
    /// Stores this many channels in the surface's format.
    Channels(u8),
    /// Combines; the type of integers may be the surface's.
    Reduce(AtomOp, Combined),
}

/// The type of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combined {
    /// Unsigned of this many bytes.
    Unsigned(u8),
    /// Signed of this many bytes.
    Signed(u8),
    /// Of this many bytes, signed or not as the surface's channels.
    Surface(u8),
}

impl Combined {
    /// The bytes of the operand.
    pub fn bytes(self) -> u8 {
        match self {
            Combined::Unsigned(n) | Combined::Signed(n) | Combined::Surface(n) => n,
        }
    }

    /// The type for a surface with signed or other channels.
    pub fn resolve(self, signed: bool) -> AtomType {
        match self {
            Combined::Signed(n) => AtomType::S(n),
            Combined::Surface(n) if signed => AtomType::S(n),
            Combined::Unsigned(n) | Combined::Surface(n) => AtomType::U(n),
        }
    }
}

/// An instruction of this family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureOp {
    /// `TEX`, `TLD`, `TLD4`, `TXD`.
    Lookup(LookupOp),
    /// `TXQ`: extents of a level.
    Extents { handle: HandleAt, level: u8, mask: u8 },
    /// `SULD`, `SUST`, `SURED`.
    Surface(SurfaceOp),
}
