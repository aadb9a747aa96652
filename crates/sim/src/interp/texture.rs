//! Texture and surface instructions in the form that [`super::exec`] runs (PTX ISA 9.0, 9.7.10 and
//! 9.7.11).

use super::atomic::AtomOp;
use super::place::{Pred, Row};
use crate::mem::Handle;
use crate::texture::{Clamp, Geometry, Query};

/// An instruction on a texture, sampler or surface.
#[derive(Clone, Debug)]
pub enum TextureOp {
    /// `tex`, `tld4`.
    Lookup(Box<LookupOp>),
    /// `txq`, `suq`.
    Query {
        /// The answer.
        dst: Row,
        /// A handle.
        handle: Row,
        /// What is asked.
        query: Query,
        /// The level, if not 0.
        level: Option<Row>,
    },
    /// `suld`: elements of this many bytes.
    Load {
        /// Where.
        at: SurfaceAt,
        /// The elements.
        dst: Vec<Option<Row>>,
        /// Bytes of one.
        bytes: usize,
    },
    /// `sust.b`.
    Store {
        /// Where.
        at: SurfaceAt,
        /// The elements.
        src: Vec<Row>,
        /// Bytes of one.
        bytes: usize,
    },
    /// `sust.p`: channels in the surface's format.
    StoreTexel {
        /// Where.
        at: SurfaceAt,
        /// The channels.
        src: Vec<Row>,
    },
    /// `sured`.
    Reduce {
        /// Where.
        at: SurfaceAt,
        /// The operation on unsigned and on signed numbers; equal if the instruction says which.
        op: [AtomOp; 2],
        /// The operand.
        src: Row,
        /// Bytes.
        bytes: usize,
    },
    /// `istypep`.
    IsType {
        /// The answer.
        dst: Pred,
        /// A handle.
        handle: Row,
        /// The kind asked for.
        kind: Handle,
    },
}

/// What level of detail a lookup has.
#[derive(Clone, Copy, Debug)]
pub enum LevelOp {
    /// Level 0.
    Base,
    /// A level of detail, or a number with integer coordinates.
    Row(Row),
    /// Derivatives of the coordinates.
    Gradient([[Row; 3]; 2]),
}

/// The type of a lookup's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// 32 bits each.
    Words,
    /// Half precision, each in a register.
    Halves,
    /// Two in a register.
    Pairs,
}

/// `tex`, `tld4`.
#[derive(Clone, Debug)]
pub struct LookupOp {
    /// The texture, and the sampler if it is given.
    pub texture: Row,
    pub sampler: Option<Row>,
    /// The form of the coordinates.
    pub geometry: Geometry,
    pub layer: Option<Row>,
    pub at: [Row; 3],
    /// Whether coordinates are floats.
    pub float: bool,
    pub level: LevelOp,
    pub sample: Option<Row>,
    pub offset: Option<[Row; 3]>,
    /// Reference of a depth comparison.
    pub compare: Option<Row>,
    /// The channel that is gathered.
    pub gather: Option<usize>,
    pub dst: Vec<Option<Row>>,
    pub results: Results,
    /// Whether the texture's memory exists.
    pub resident: Option<Pred>,
}

/// The place of a surface access.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceAt {
    pub surface: Row,
    pub geometry: Geometry,
    pub layer: Option<Row>,
    pub at: [Row; 3],
    /// Whether x counts bytes.
    pub bytes: bool,
    pub clamp: Clamp,
}
