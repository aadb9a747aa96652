//! How the driver's interface describes the texture of a probe: a line of `cases.txt`, as
//! `gpu/textures.h` reads it.
//!
//! Numbers are those of the CUDA driver API 13.0: `CUarray_format`, `CUDA_ARRAY3D_*`,
//! `CUaddress_mode`, `CUfilter_mode`, `CU_TRSF_*`.

use anyhow::{Result, bail};
use raddle_sim::mem::Handle;
use raddle_sim::texture::{Channel, Geometry, Sampler, Shape, Wrap, file};

use super::{Array, Probe};

const LAYERED: u32 = 1;
const SURFACE: u32 = 2;
const CUBE: u32 = 4;
const GATHER: u32 = 8;
const DEPTH: u32 = 0x10;

const READ_AS_INTEGER: u32 = 1;
const NORMALIZED: u32 = 2;
const SRGB: u32 = 0x10;
const EXACT_LEVELS: u32 = 0x20;
const SEAMLESS: u32 = 0x40;

/// The numbers that describe a probe's texture to the driver.
///
/// # Errors
/// A texture that the driver cannot make.
pub fn line(probe: &Probe) -> Result<String> {
    let file = file::read(&probe.texture)?;
    numbers(&file.shape, &file.sampler, probe.kind, probe.array)
}

/// The numbers that describe a texture or surface to the driver.
///
/// # Errors
/// A texture that the driver cannot make.
pub fn numbers(shape: &Shape, sampler: &Sampler, kind: Handle, needs: Array) -> Result<String> {
    let format = match shape.format.channel {
        Channel::Unsigned(8) => 1,
        Channel::Unsigned(16) => 2,
        Channel::Unsigned(32) => 3,
        Channel::Signed(8) => 8,
        Channel::Signed(16) => 9,
        Channel::Signed(32) => 10,
        Channel::Float(16) => 0x10,
        Channel::Float(32) => 0x20,
        other => bail!("{other:?} is no format of the driver's arrays"),
    };
    if shape.samples > 1 {
        bail!("the driver makes no textures of several samples");
    }
    let [w, h, d] = shape.extent;
    let layered = shape.layers.is_some();
    let (h, d) = match shape.geometry {
        Geometry::D1 => (0, shape.layers.unwrap_or(0)),
        Geometry::D2 => (h, shape.layers.unwrap_or(0)),
        Geometry::D3 => (h, d),
        Geometry::Cube => (h, 6 * shape.layers.unwrap_or(1)),
    };
    let sum = |flags: &[(bool, u32)]| flags.iter().filter(|(set, _)| *set).map(|(_, bit)| bit).sum::<u32>();
    let array = sum(&[
        (layered, LAYERED),
        (kind == Handle::Surface, SURFACE),
        (shape.geometry == Geometry::Cube, CUBE),
        (needs.gather, GATHER),
        (needs.depth, DEPTH),
    ]);
    let flags = sum(&[
        (!shape.format.is_float(), READ_AS_INTEGER),
        (sampler.normalized, NORMALIZED),
        (shape.format.srgb, SRGB),
        (needs.exact_levels, EXACT_LEVELS),
        (needs.seamless, SEAMLESS),
    ]);
    let [x, y, z] = sampler.wrap.map(|wrap| match wrap {
        Wrap::Wrap => 0,
        Wrap::Clamp => 1,
        Wrap::Mirror => 2,
        Wrap::Border => 3,
    });
    let ([least, most], [r, g, b, a]) = (sampler.levels, sampler.border);
    Ok(format!(
        "{format} {} {} {w} {h} {d} {} {array} {x} {y} {z} {} {flags} {} {} {least} {most} {r} {g} {b} {a}",
        shape.format.channels,
        shape.format.bytes(),
        shape.levels,
        u8::from(sampler.linear),
        u8::from(sampler.between_levels),
        sampler.bias,
    ))
}
