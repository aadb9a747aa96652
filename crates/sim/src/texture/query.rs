//! What queries of textures and surfaces return.

use super::format::Channel;
use super::{Sampler, Texture, Wrap};

/// What `txq` and `suq` ask for (PTX ISA 9.0, 9.7.10.4, 9.7.11.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Texels in x, y or z of a level.
    Extent(usize),
    /// The type of channels, as OpenCL numbers it.
    ChannelType,
    /// The channels, as OpenCL numbers them.
    ChannelOrder,
    /// Whether coordinates are fractions of the extent.
    Normalized,
    /// Layers of an array.
    ArraySize,
    /// Mipmap levels.
    Levels,
    /// Samples of a texel.
    Samples,
    /// Whether a sampler forces coordinates that are no fractions.
    Unnormalized,
    /// 0 for nearest, 1 for linear.
    Filter,
    /// 0 to 4: wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border.
    Wrap(usize),
    /// 1: the memory is a grid of texels in an order of the driver's.
    Layout,
}

impl Sampler {
    fn wrap_number(&self, n: usize) -> u32 {
        match self.wrap[n] {
            Wrap::Wrap => 0,
            Wrap::Mirror => 1,
            Wrap::Clamp => 3,
            Wrap::Border => 4,
        }
    }
}

impl Texture {
    /// Answers a query. What textures and surfaces lack is 0. The numbers of channels are those of
    /// OpenCL 1.0 (PTX ISA 9.0, 5.3.4); numbers of filters and wrapping follow the order in which
    /// the manual lists them (not confirmed on hardware).
    pub fn query(&self, query: Query, level: u32) -> u32 {
        let (shape, format) = (&self.shape, &self.shape.format);
        match query {
            // A level outside has nothing (an H100: `tests/corpus/gpu/textures`).
            Query::Extent(axis) if axis >= shape.dimensions() || level >= shape.levels => 0,
            Query::Extent(axis) => shape.extent_at(level)[axis],
            Query::ChannelOrder => match format.channels {
                1 => 0x10b0,
                2 => 0x10b2,
                _ => 0x10b5,
            },
            Query::ChannelType => match (format.channel, format.normalized) {
                (Channel::Signed(8), true) => 0x10d0,
                (Channel::Signed(_), true) => 0x10d1,
                (Channel::Unsigned(8), true) => 0x10d2,
                (Channel::Unsigned(_), true) => 0x10d3,
                (Channel::Signed(8), false) => 0x10d7,
                (Channel::Signed(16), false) => 0x10d8,
                (Channel::Signed(_), false) => 0x10d9,
                (Channel::Unsigned(8), false) => 0x10da,
                (Channel::Unsigned(16), false) => 0x10db,
                (Channel::Unsigned(_), false) => 0x10dc,
                (Channel::Float(16), _) => 0x10dd,
                (Channel::Float(_), _) => 0x10de,
            },
            Query::Normalized => self.sampler.normalized.into(),
            Query::ArraySize => shape.layers.unwrap_or(0),
            Query::Levels => shape.levels,
            Query::Samples => shape.samples,
            Query::Unnormalized => u32::from(!self.sampler.normalized),
            Query::Filter => self.sampler.linear.into(),
            Query::Wrap(n) => self.sampler.wrap_number(n),
            Query::Layout => 1,
        }
    }
}
