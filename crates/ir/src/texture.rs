//! Payloads of texture and surface operations.
//!
//! Operands of a lookup, all of 32 bits: the texture's handle, the sampler's if it is separate, then
//! what the machine takes in its order ([`Tex::arguments`]). Handles are lower words.

use crate::{token_struct, tokens};

tokens! {
    /// The sampler of a lookup.
    TexSampler {
        /// The texture's own.
        Own = "",
        /// Given by a handle.
        Separate = "sampler",
    }
}
tokens! {
    /// The kind of a lookup.
    TexKind {
        /// Filtered, with a level of detail.
        Sample = "sample",
        /// One texel by its numbers, of a level.
        Fetch = "fetch",
        /// One texel by its numbers, of level 0.
        FetchBase = "fetch0",
        /// Filtered, with derivatives.
        Gradient = "grad",
        /// Filtered, with derivatives that the machine takes between the lanes of a quad.
        Quad = "quad",
        /// The four texels of red.
        GatherR = "gather_r",
        /// The four texels of green.
        GatherG = "gather_g",
        /// The four texels of blue.
        GatherB = "gather_b",
        /// The four texels of alpha.
        GatherA = "gather_a",
    }
}
tokens! {
    /// Dimensions of a texture or surface.
    TexDim {
        /// One coordinate.
        D1 = "d1",
        /// Two.
        D2 = "d2",
        /// Three.
        D3 = "d3",
        /// A direction.
        Cube = "cube",
        /// An array of one.
        A1 = "a1",
        /// An array of two.
        A2 = "a2",
        /// An array of cubes.
        ACube = "acube",
    }
}
tokens! {
    /// Whether there are offsets.
    TexOffset {
        /// No.
        No = "",
        /// Yes.
        Yes = "offset",
    }
}
tokens! {
    /// Whether there is a sample.
    TexSample {
        /// No.
        No = "",
        /// Yes.
        Yes = "ms",
    }
}
tokens! {
    /// Whether there is a reference of a depth comparison.
    TexCompare {
        /// No.
        No = "",
        /// Yes.
        Yes = "compare",
    }
}
tokens! {
    /// Whether there is a predicate result: whether memory is missing.
    TexMissing {
        /// No.
        No = "",
        /// Yes.
        Yes = "missing",
    }
}

tokens! {
    /// What the driver binds to a name.
    TexBound {
        /// A texture.
        Texture = "texture",
        /// A sampler.
        Sampler = "sampler",
        /// A surface.
        Surface = "surface",
    }
}
tokens! {
    /// A table of the driver, one row for each handle.
    TexTable {
        /// Textures with their own samplers.
        Unified = "unified",
        /// Textures without.
        Independent = "independent",
        /// Samplers.
        Samplers = "samplers",
        /// Surfaces.
        Surfaces = "surfaces",
    }
}

token_struct! {
    /// A lookup. Results are the channels of the mask, and the predicate.
    Tex {
        /// Its kind.
        kind: TexKind,
        /// Dimensions.
        dim: TexDim,
        /// The sampler.
        sampler: TexSampler,
        /// Offsets: 4 bits each, of gathers 8 bits each; with derivatives in the upper half.
        offset: TexOffset,
        /// Sample.
        sample: TexSample,
        /// Reference.
        compare: TexCompare,
        /// Predicate result.
        missing: TexMissing,
        /// Channels, one bit each.
        mask: u8,
    }
}

impl TexTable {
    /// The symbol of the size of a row (ptxas 13.0.88 output).
    pub const fn row_size(self) -> &'static str {
        match self {
            TexTable::Unified => ".nv.unified.texrefDescSize",
            TexTable::Independent => ".nv.independent.texrefDescSize",
            TexTable::Samplers => ".nv.independent.samplerrefDescSize",
            TexTable::Surfaces => ".nv.surfrefDescSize",
        }
    }
}

impl TexDim {
    /// Returns the coordinates, and whether there is a layer.
    pub const fn coordinates(self) -> (usize, bool) {
        match self {
            TexDim::D1 => (1, false),
            TexDim::D2 => (2, false),
            TexDim::D3 | TexDim::Cube => (3, false),
            TexDim::A1 => (1, true),
            TexDim::A2 => (2, true),
            TexDim::ACube => (3, true),
        }
    }
}

impl Tex {
    /// Returns the operands behind the handles: those of the first machine operand (layer,
    /// coordinates; with derivatives layer or offsets last), and those of the second (level,
    /// offsets, sample, reference; or derivatives). Of a quad: layer, coordinates; derivatives,
    /// offsets, reference.
    pub fn arguments(&self) -> (usize, usize) {
        let (coordinates, layer) = self.dim.coordinates();
        let offset = usize::from(self.offset == TexOffset::Yes);
        let compare = usize::from(self.compare == TexCompare::Yes);
        if self.kind == TexKind::Quad {
            return (coordinates + usize::from(layer), 2 * coordinates + offset + compare);
        }
        if self.kind == TexKind::Gradient {
            return (coordinates + usize::from(layer).max(offset), 2 * coordinates);
        }
        let level = usize::from(matches!(self.kind, TexKind::Sample | TexKind::Fetch));
        let sample = usize::from(self.sample == TexSample::Yes);
        (coordinates + usize::from(layer), level + offset + sample + compare)
    }

    /// Returns the number of handles.
    pub fn handles(&self) -> usize {
        if self.sampler == TexSampler::Separate { 2 } else { 1 }
    }
}

tokens! {
    /// What a surface access outside does.
    SurfClamp {
        /// Traps.
        Trap = "trap",
        /// Accesses the nearest place.
        Clamp = "clamp",
        /// Loads zero or does nothing.
        Zero = "zero",
    }
}
tokens! {
    /// What a surface access accesses.
    SurfData {
        /// A byte; x counts bytes here and in the following.
        B8 = "b8",
        /// Two bytes.
        B16 = "b16",
        /// Four.
        B32 = "b32",
        /// Eight.
        B64 = "b64",
        /// Sixteen.
        B128 = "b128",
        /// One channel in the surface's format; x counts texels here and in the following.
        C1 = "c1",
        /// Two.
        C2 = "c2",
        /// Four.
        C4 = "c4",
    }
}
tokens! {
    /// Caching of a surface access.
    SurfCache {
        /// By the multiprocessor.
        Near = "",
        /// By none: visible to the system.
        Far = "far",
        /// By the multiprocessor, likely used once.
        Stream = "stream",
    }
}
token_struct! {
    /// A load from a surface, or a store. Operands: the surface's handle, coordinates, layer, words
    /// of data.
    Surf {
        /// Dimensions.
        dim: TexDim,
        /// Accesses outside.
        clamp: SurfClamp,
        /// What is accessed.
        data: SurfData,
        /// Caching.
        cache: SurfCache,
    }
}
tokens! {
    /// The operation of a reduction in a surface.
    SurfOp {
        /// Addition.
        Add = "add",
        /// Minimum.
        Min = "min",
        /// Maximum.
        Max = "max",
        /// Conjunction.
        And = "and",
        /// Disjunction.
        Or = "or",
    }
}
tokens! {
    /// The type of a reduction in a surface.
    SurfTy {
        /// Unsigned or bits.
        U32 = "u32",
        /// Signed.
        S32 = "s32",
        /// Unsigned.
        U64 = "u64",
        /// Signed.
        S64 = "s64",
        /// As the surface's channels.
        Own32 = "own32",
        /// As the surface's channels.
        Own64 = "own64",
    }
}
tokens! {
    /// What x counts.
    SurfUnit {
        /// Bytes.
        Bytes = "bytes",
        /// Texels.
        Texels = "texels",
    }
}
token_struct! {
    /// A reduction in a surface; operands as of a store.
    SurfRed {
        /// Dimensions.
        dim: TexDim,
        /// Accesses outside.
        clamp: SurfClamp,
        /// What x counts.
        unit: SurfUnit,
        /// The operation.
        op: SurfOp,
        /// The type.
        ty: SurfTy,
    }
}

impl SurfData {
    /// Returns the words of data.
    pub const fn words(self) -> usize {
        match self {
            SurfData::B8 | SurfData::B16 | SurfData::B32 | SurfData::C1 => 1,
            SurfData::B64 | SurfData::C2 => 2,
            SurfData::B128 | SurfData::C4 => 4,
        }
    }
}

impl SurfTy {
    /// Returns the words of the operand.
    pub const fn words(self) -> usize {
        match self {
            SurfTy::U32 | SurfTy::S32 | SurfTy::Own32 => 1,
            SurfTy::U64 | SurfTy::S64 | SurfTy::Own64 => 2,
        }
    }
}
