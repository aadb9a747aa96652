//! The file format of textures: lines of text, then the bytes of the texels.
//!
//! ```text
//! raddle-texture 1
//! format rgba8_unorm
//! size 16 8
//! levels 2
//! wrap wrap mirror
//! filter linear
//! normalized
//! data
//! ```
//!
//! After the line `data` all bytes are texels: levels one after another, in each the layers or
//! faces, z, y, x, samples, little-endian. Lines, each at most once, `format` and `size` first of
//! those but in any order:
//! * `format NAME`: `r`, `rg` or `rgba`, bits of a channel, `_uint`, `_sint`, `_unorm`, `_snorm`,
//!   `_float` or `_srgb`;
//! * `size X [Y [Z]]`: texels of level 0; their number says whether it has 1, 2 or 3 dimensions;
//! * `cube`: six faces of `size X X`; `layers N`: an array; `levels N`: mipmap levels;
//!   `samples N`: multisampling, of 2 dimensions;
//! * `wrap MODE [MODE [MODE]]`: `wrap`, `mirror`, `clamp` or `border`; the last one is that of all
//!   further coordinates;
//! * `filter linear|nearest`, `between-levels`, `normalized`, `border R G B A`, `bias X`, `lod MIN
//!   MAX`, `compare less|less-equal|greater|greater-equal|equal|not-equal|always|never`;
//! * `sampler` instead of `format` and `size`: a sampler alone, without texels.

use super::{Compare, Format, Geometry, Sampler, Shape, Wrap};
use thiserror::Error;

/// First line of a file.
pub const MAGIC: &str = "raddle-texture 1";
/// Largest extent in any direction.
const MAX_EXTENT: u32 = 1 << 17;
/// Most bytes of texels.
const MAX_BYTES: u64 = 1 << 30;

/// A malformed texture file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FileError {
    /// The first line is another one.
    #[error("not a texture: the first line is not `{MAGIC}`")]
    Magic,
    /// A line that is not understood.
    #[error("line {line}: `{text}` is not understood")]
    Line {
        /// The line, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
    /// A line that occurs twice.
    #[error("line {line}: `{text}` is given twice")]
    Twice {
        /// The line, from 1.
        line: usize,
        /// Its first word.
        text: String,
    },
    /// The line `data` or another necessary one is missing.
    #[error("there is no line `{0}`")]
    Missing(&'static str),
    /// Lines that exclude each other.
    #[error("{0}")]
    Contradiction(&'static str),
    /// Another number of bytes of texels.
    #[error("{found} byte(s) of texels, {wanted} are needed")]
    Length {
        /// Bytes that there are.
        found: usize,
        /// Bytes that there should be.
        wanted: u64,
    },
    /// A texture that is too large.
    #[error("{0} bytes of texels are too many")]
    TooLarge(u64),
}

/// A file as read: shape, sampler, texels. A sampler alone has no texels.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Shape and format.
    pub shape: Shape,
    /// Sampler.
    pub sampler: Sampler,
    /// The bytes of the texels.
    pub texels: Option<Vec<u8>>,
}

/// Names of comparisons.
const COMPARES: &[(&str, Compare)] = &[
    ("less", Compare::Less),
    ("less-equal", Compare::LessEqual),
    ("greater", Compare::Greater),
    ("greater-equal", Compare::GreaterEqual),
    ("equal", Compare::Equal),
    ("not-equal", Compare::NotEqual),
    ("always", Compare::Always),
    ("never", Compare::Never),
];

/// Names of what coordinates outside mean.
const WRAPS: &[(&str, Wrap)] =
    &[("wrap", Wrap::Wrap), ("mirror", Wrap::Mirror), ("clamp", Wrap::Clamp), ("border", Wrap::Border)];

fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// Parses 1 to 3 positive numbers.
fn extent(words: &[&str]) -> Option<Vec<u32>> {
    let numbers: Option<Vec<u32>> = words.iter().map(|word| number(word)).collect();
    numbers.filter(|n| (1..=3).contains(&n.len()))
}

fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|&n| n > 0 && n <= MAX_EXTENT)
}

fn float(word: &str) -> Option<f32> {
    word.parse().ok().filter(|f: &f32| f.is_finite())
}

/// The lines of a header.
#[derive(Default)]
struct Header {
    format: Option<Format>,
    size: Option<Vec<u32>>,
    cube: bool,
    layers: Option<u32>,
    levels: Option<u32>,
    samples: Option<u32>,
    sampler_alone: bool,
    sampler: Sampler,
}

impl Header {
    /// Reads a line; `None` if it is not understood.
    fn line(&mut self, words: &[&str]) -> Option<()> {
        let sampler = &mut self.sampler;
        match *words {
            ["format", name] => self.format = Some(Format::parse(name)?),
            ["size", ref rest @ ..] => self.size = Some(extent(rest)?),
            ["cube"] => self.cube = true,
            ["layers", n] => self.layers = Some(number(n)?),
            ["levels", n] => self.levels = Some(number(n)?),
            ["samples", n] => self.samples = Some(number(n).filter(|n| [1, 2, 4, 8, 16].contains(n))?),
            ["sampler"] => self.sampler_alone = true,
            ["wrap", ref rest @ ..] if (1..=3).contains(&rest.len()) => {
                for n in 0..3 {
                    sampler.wrap[n] = named(WRAPS, rest[n.min(rest.len() - 1)])?;
                }
            }
            ["filter", "linear"] => sampler.linear = true,
            ["filter", "nearest"] => sampler.linear = false,
            ["between-levels"] => sampler.between_levels = true,
            ["normalized"] => sampler.normalized = true,
            ["border", r, g, b, a] => sampler.border = [float(r)?, float(g)?, float(b)?, float(a)?],
            ["bias", x] => sampler.bias = float(x)?,
            ["lod", min, max] => sampler.levels = [float(min)?, float(max)?],
            ["compare", name] => sampler.compare = named(COMPARES, name)?,
            _ => return None,
        }
        Some(())
    }

    fn shape(&self) -> Result<Shape, FileError> {
        if self.sampler_alone {
            let other = self.format.is_some() || self.size.is_some() || self.cube || self.layers.is_some();
            if other || self.levels.is_some() || self.samples.is_some() {
                return Err(FileError::Contradiction("a sampler alone has no texels"));
            }
            let format = Format::parse("r8_uint").ok_or(FileError::Missing("format"))?;
            let extent = [1; 3];
            return Ok(Shape { geometry: Geometry::D1, extent, layers: None, levels: 1, samples: 1, format });
        }
        let format = self.format.ok_or(FileError::Missing("format"))?;
        let size = self.size.as_deref().ok_or(FileError::Missing("size"))?;
        let geometry = match (self.cube, size) {
            (true, [x, y]) if x == y => Geometry::Cube,
            (true, _) => return Err(FileError::Contradiction("a cube has a size of two equal numbers")),
            (_, [_]) => Geometry::D1,
            (_, [_, _]) => Geometry::D2,
            _ => Geometry::D3,
        };
        if geometry == Geometry::D3 && self.layers.is_some() {
            return Err(FileError::Contradiction("an array of three dimensions"));
        }
        let mut extent = [1; 3];
        extent[..size.len()].copy_from_slice(size);
        let (levels, samples) = (self.levels.unwrap_or(1), self.samples.unwrap_or(1));
        let most = 32 - extent.iter().max().map_or(1, |n| *n).leading_zeros();
        if levels > most {
            return Err(FileError::Contradiction("more levels than its size has"));
        }
        if samples > 1 && (geometry != Geometry::D2 || levels > 1) {
            return Err(FileError::Contradiction(
                "samples of a texture that does not have two dimensions and one level",
            ));
        }
        Ok(Shape { geometry, extent, layers: self.layers, levels, samples, format })
    }
}

/// Reads a file.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn read(bytes: &[u8]) -> Result<File, FileError> {
    let mut rest = bytes;
    let mut header = Header::default();
    let mut seen: Vec<String> = Vec::new();
    let mut data = None;
    for line in 1.. {
        let Some(end) = rest.iter().position(|&b| b == b'\n') else { break };
        let text = String::from_utf8_lossy(&rest[..end]).trim().to_owned();
        rest = &rest[end + 1..];
        if line == 1 {
            if text != MAGIC {
                return Err(FileError::Magic);
            }
            continue;
        }
        if text == "data" {
            data = Some(rest);
            break;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some(first) = words.first() else { continue };
        if seen.iter().any(|word| word == first) {
            return Err(FileError::Twice { line, text: (*first).to_owned() });
        }
        seen.push((*first).to_owned());
        if header.line(&words).is_none() {
            return Err(FileError::Line { line, text });
        }
    }
    if !bytes.starts_with(MAGIC.as_bytes()) {
        return Err(FileError::Magic);
    }
    let shape = header.shape()?;
    let sampler = header.sampler;
    if header.sampler_alone {
        return match data {
            Some(_) => Err(FileError::Contradiction("a sampler alone has no texels")),
            None => Ok(File { shape, sampler, texels: None }),
        };
    }
    let data = data.ok_or(FileError::Missing("data"))?;
    let wanted = Some(shape.bytes()).filter(|&n| n <= MAX_BYTES).ok_or_else(|| FileError::TooLarge(shape.bytes()))?;
    if data.len() as u64 != wanted {
        return Err(FileError::Length { found: data.len(), wanted });
    }
    Ok(File { shape, sampler, texels: Some(data.to_vec()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lines: &str, texels: usize) -> Result<File, FileError> {
        let mut bytes = format!("{MAGIC}\n{lines}\ndata\n").into_bytes();
        bytes.extend((0..texels).map(|n| n as u8));
        read(&bytes)
    }

    #[test]
    fn a_file_is_read() {
        let f = file("format rgba8_unorm\nsize 4 2\nlevels 3\nwrap wrap border\nfilter linear\nnormalized", 44);
        let f = f.unwrap();
        assert_eq!((f.shape.geometry, f.shape.extent, f.shape.levels), (Geometry::D2, [4, 2, 1], 3));
        assert_eq!(f.sampler.wrap, [Wrap::Wrap, Wrap::Border, Wrap::Border]);
        assert!(f.sampler.linear && f.sampler.normalized && f.texels.is_some_and(|t| t.len() == 44));
        let f = read(format!("{MAGIC}\nsampler\nfilter linear\n").as_bytes()).unwrap();
        assert!(f.texels.is_none() && f.sampler.linear);
        let cube = file("format r8_uint\nsize 2 2\ncube\nlayers 2", 48).unwrap();
        assert_eq!((cube.shape.geometry, cube.shape.images()), (Geometry::Cube, 12));
    }

    #[test]
    fn malformed_files_are_named() {
        let wrong = |lines, texels| file(lines, texels).unwrap_err().to_string();
        assert_eq!(read(b"P6\n").unwrap_err(), FileError::Magic);
        assert_eq!(read(b"").unwrap_err(), FileError::Magic);
        assert_eq!(wrong("size 4", 4), "there is no line `format`");
        assert_eq!(wrong("format r8_uint", 4), "there is no line `size`");
        assert_eq!(wrong("format r8_uint\nsize 4", 5), "5 byte(s) of texels, 4 are needed");
        assert_eq!(wrong("format r9_uint\nsize 4", 4), "line 2: `format r9_uint` is not understood");
        assert_eq!(wrong("format r8_uint\nsize 4\nsize 4", 4), "line 4: `size` is given twice");
        assert_eq!(wrong("format r8_uint\nsize 4 0", 4), "line 3: `size 4 0` is not understood");
        assert_eq!(wrong("format r8_uint\nsize 4 2\ncube", 4), "a cube has a size of two equal numbers");
        assert_eq!(wrong("format r8_uint\nsize 4\nlevels 4", 4), "more levels than its size has");
        assert!(wrong("format r8_uint\nsize 4\nsamples 2", 8).starts_with("samples of a texture"));
        assert!(wrong("format rgba32_float\nsize 99999 99999", 8).ends_with("are too many"));
        let bytes = format!("{MAGIC}\nformat r8_uint\nsize 4\n");
        assert_eq!(read(bytes.as_bytes()).unwrap_err(), FileError::Missing("data"));
    }
}
