//! The launch description shared by interpreter, simulator and command line.
//!
//! Arguments are parsed from text (`u32:5`, `in:PATH`, ...), the caller reads files through
//! [`Launch::bind`], and [`Launch::pack`] checks the bound arguments against the kernel's parameter
//! list and lays them out as the driver would.

mod dim;

pub use dim::Dim3;

use crate::float::{F16, F64, Mode, to_float};
use crate::mem::{AllocId, Handle, Memory};
use crate::mufu::Mufu;
use crate::texture::file::{self, FileError};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// One kernel argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// Little-endian bytes of a scalar or structure; the length must equal the parameter's size.
    Value(Vec<u8>),
    /// A null pointer.
    Null,
    /// A buffer with the bytes of a file.
    In(PathBuf),
    /// A zeroed buffer of this many bytes, written to the file afterwards.
    Out(PathBuf, u64),
    /// A buffer read from the file and written back.
    InOut(PathBuf),
    /// A multicast buffer for this many replicas, which are read from the file, one after another,
    /// and written back.
    Multicast(PathBuf, u32),
    /// A buffer that is already in memory.
    Buffer(AllocId),
    /// The handle of a texture, surface or sampler of the launch.
    Handle(Handle, String),
}

impl Arg {
    /// A 32-bit integer argument.
    pub fn u32(v: u32) -> Arg {
        Arg::Value(v.to_le_bytes().to_vec())
    }

    /// A 64-bit integer argument.
    pub fn u64(v: u64) -> Arg {
        Arg::Value(v.to_le_bytes().to_vec())
    }

    /// A half-precision argument: `v` rounded to the nearest, ties to even.
    pub fn f16(v: f64) -> Arg {
        let bits = to_float(&F64, &F16, v.to_bits(), Mode::RN, false);
        Arg::Value((bits as u16).to_le_bytes().to_vec())
    }

    /// A single-precision argument.
    pub fn f32(v: f32) -> Arg {
        Arg::Value(v.to_le_bytes().to_vec())
    }

    /// Parses the text form: `u8|s8|u16|s16|u32|s32|u64|s64|f16|f32|f64:VALUE`, `raw:HEX`,
    /// `in:PATH`, `out:PATH:BYTES`, `inout:PATH`, `multicast:PATH:DEVICES`, `null`, `tex:NAME`, `surf:NAME`, `sampler:NAME`.
    pub fn parse(text: &str) -> Result<Arg, LaunchError> {
        if text == "null" {
            return Ok(Arg::Null);
        }
        let bad = || LaunchError::Arg(text.to_string());
        let (kind, value) = text.split_once(':').ok_or_else(bad)?;
        let int = |bits: u32, signed: bool| {
            let v = parse_int(value, bits, signed).ok_or_else(bad)?;
            Ok(Arg::Value(v.to_le_bytes()[..bits as usize / 8].to_vec()))
        };
        match kind {
            "u8" => int(8, false),
            "s8" => int(8, true),
            "u16" => int(16, false),
            "s16" => int(16, true),
            "u32" => int(32, false),
            "s32" => int(32, true),
            "u64" => int(64, false),
            "s64" => int(64, true),
            "f16" => Ok(Arg::f16(value.parse().map_err(|_| bad())?)),
            "f32" => Ok(Arg::f32(value.parse().map_err(|_| bad())?)),
            "f64" => Ok(Arg::Value(value.parse::<f64>().map_err(|_| bad())?.to_le_bytes().to_vec())),
            "raw" => parse_hex(value).map(Arg::Value).ok_or_else(bad),
            "in" if !value.is_empty() => Ok(Arg::In(value.into())),
            "inout" if !value.is_empty() => Ok(Arg::InOut(value.into())),
            "tex" if !value.is_empty() => Ok(Arg::Handle(Handle::Texture, value.into())),
            "surf" if !value.is_empty() => Ok(Arg::Handle(Handle::Surface, value.into())),
            "sampler" if !value.is_empty() => Ok(Arg::Handle(Handle::Sampler, value.into())),
            "out" => {
                let (path, bytes) = value.rsplit_once(':').filter(|(p, _)| !p.is_empty()).ok_or_else(bad)?;
                Ok(Arg::Out(path.into(), parse_int(bytes, 64, false).ok_or_else(bad)? as u64))
            }
            "multicast" => {
                let (path, devices) = value.rsplit_once(':').filter(|(p, _)| !p.is_empty()).ok_or_else(bad)?;
                let devices = devices.parse().ok().filter(|&n| n > 0).ok_or_else(bad)?;
                Ok(Arg::Multicast(path.into(), devices))
            }
            _ => Err(bad()),
        }
    }
}

/// Parses an integer in decimal or `0x` hexadecimal that fits `bits` bits; `signed` allows negative
/// numbers.
fn parse_int(text: &str, bits: u32, signed: bool) -> Option<i128> {
    let (neg, digits) = match text.strip_prefix('-') {
        Some(rest) if signed => (true, rest),
        Some(_) => return None,
        None => (false, text),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    let v = if neg { -i128::from(magnitude) } else { i128::from(magnitude) };
    let (lo, hi) = if signed { (-(1i128 << (bits - 1)), 1i128 << (bits - 1)) } else { (0, 1i128 << bits) };
    (v >= lo && v < hi).then_some(v)
}

/// Parses pairs of hexadecimal digits, lowest address first.
fn parse_hex(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || !text.len().is_multiple_of(2) || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).ok()).collect()
}

/// How a check handles its findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OnFinding {
    /// End the run with a failure.
    #[default]
    Error,
    /// Warn and continue.
    Warn,
    /// Do not check.
    Off,
}

/// A texture or surface in a file ([`crate::texture::file`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureFile {
    /// Its name.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Whether kernels may write to it, as to a surface; the file is written back.
    pub writable: bool,
}

impl TextureFile {
    /// Parses `NAME=PATH`.
    pub fn parse(text: &str, writable: bool) -> Result<TextureFile, LaunchError> {
        let parts = text.split_once('=').filter(|(name, path)| !name.is_empty() && !path.is_empty());
        let (name, path) = parts.ok_or_else(|| LaunchError::TextureFile(text.to_owned()))?;
        Ok(TextureFile { name: name.to_owned(), path: path.into(), writable })
    }
}

/// One launch of one kernel.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Kernel name as in the symbol table.
    pub kernel: String,
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// Blocks of a cluster, if the launch names them.
    pub cluster: Option<Dim3>,
    /// Bytes of dynamic shared memory.
    pub dyn_shared: u32,
    /// Bytes of stack per thread if the depth of calls is unknown, like `CU_LIMIT_STACK_SIZE` of
    /// the CUDA driver API.
    pub stack: u32,
    /// Arguments, first parameter first.
    pub args: Vec<Arg>,
    /// Textures and surfaces, for handles and for variables of a module with their names.
    pub textures: Vec<TextureFile>,
    /// Seed of every random choice (order of warps, of divergent subsets).
    pub seed: u64,
    /// Limit of instructions over the grid, counted per warp (simulator) or per thread
    /// (interpreter).
    pub max_steps: u64,
    /// How hazards of control fields are handled (simulator only).
    pub hazards: OnFinding,
    /// How races between threads are handled.
    pub races: OnFinding,
    /// The multi-function unit: which results within its documented error it returns.
    pub mufu: Mufu,
}

/// The driver's default stack size per thread, in bytes (CUDA driver API, `CU_LIMIT_STACK_SIZE`).
pub const DEFAULT_STACK: u32 = 1024;

impl Launch {
    /// Creates a launch of one thread without arguments; every check is on.
    pub fn new(kernel: impl Into<String>) -> Launch {
        Launch {
            kernel: kernel.into(),
            grid: Dim3::from(1),
            block: Dim3::from(1),
            cluster: None,
            dyn_shared: 0,
            stack: DEFAULT_STACK,
            args: Vec::new(),
            textures: Vec::new(),
            seed: 0,
            max_steps: 1 << 40,
            hazards: OnFinding::Error,
            races: OnFinding::Error,
            mufu: Mufu::default(),
        }
    }

    /// Replaces file arguments by buffers in `mem`. `read` returns the bytes of a file. Returns the
    /// buffers to be written back after the run.
    pub fn bind(
        &mut self,
        mem: &mut Memory,
        read: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Vec<Output>, LaunchError> {
        let mut outputs = Vec::new();
        for texture in &self.textures {
            let path = &texture.path;
            let failed = |reason: String| LaunchError::Read { path: path.clone(), reason };
            let bytes = read(path).map_err(|e| failed(e.to_string()))?;
            let found = file::read(&bytes);
            let found = found.map_err(|error| LaunchError::Texture { name: texture.name.clone(), error })?;
            if let Some(id) = mem.add_texture(&texture.name, found, texture.writable).filter(|_| texture.writable) {
                let header = bytes.len() - mem.alloc(id).seg.len();
                outputs.push(Output { path: path.clone(), header: bytes[..header].to_vec(), buffer: id });
            }
        }
        for (i, arg) in self.args.iter_mut().enumerate() {
            let name = format!("argument {i}");
            let mut load = |path: &Path| {
                read(path).map_err(|e| LaunchError::Read { path: path.to_path_buf(), reason: e.to_string() })
            };
            *arg = match arg {
                Arg::In(path) => Arg::Buffer(mem.add(name, load(path)?, true)),
                Arg::InOut(path) => {
                    let id = mem.add(name, load(path)?, true);
                    outputs.push(Output { path: path.clone(), header: Vec::new(), buffer: id });
                    Arg::Buffer(id)
                }
                Arg::Out(path, bytes) => {
                    let size = usize::try_from(*bytes).ok().filter(|&n| n <= MAX_BUFFER);
                    let size = size.ok_or(LaunchError::TooBig { index: i, bytes: *bytes })?;
                    let id = mem.add(name, vec![0; size], true);
                    outputs.push(Output { path: path.clone(), header: Vec::new(), buffer: id });
                    Arg::Buffer(id)
                }
                &mut Arg::Multicast(ref path, devices) => {
                    let id = mem.add(format!("the memory of {name}"), load(path)?, true);
                    outputs.push(Output { path: path.clone(), header: Vec::new(), buffer: id });
                    Arg::Buffer(mem.add_multicast(name, id, devices))
                }
                _ => continue,
            };
        }
        Ok(outputs)
    }

    /// Returns the parameter block: each argument at its slot's offset, zeros between them. Fails
    /// on a wrong number of arguments, a wrong size, or a file argument that was not bound.
    pub fn pack(&self, params: &[ParamSlot], mem: &Memory) -> Result<Vec<u8>, LaunchError> {
        if params.len() != self.args.len() {
            return Err(LaunchError::Count { wanted: params.len(), given: self.args.len() });
        }
        let inside = params.iter().filter(|p| p.size > 0);
        let end = inside.map(|p| p.offset as usize + p.size as usize).max().unwrap_or(0);
        let mut block = vec![0u8; end];
        for (index, (slot, arg)) in params.iter().zip(&self.args).enumerate() {
            let pointer;
            let bytes: &[u8] = match arg {
                Arg::Value(bytes) => bytes,
                Arg::Null => &[0; 8],
                Arg::Buffer(id) => {
                    pointer = mem.base(*id).to_le_bytes();
                    &pointer
                }
                Arg::Handle(kind, name) => {
                    let unknown = || LaunchError::NoTexture { kind: kind.name(), name: name.clone() };
                    pointer = mem.textures.handle(*kind, name).ok_or_else(unknown)?.to_le_bytes();
                    // A `.texref` parameter has no place in the parameter block.
                    if slot.size == 0 { &[] } else { &pointer }
                }
                Arg::In(_) | Arg::Out(..) | Arg::InOut(_) | Arg::Multicast(..) => {
                    return Err(LaunchError::Unbound(index));
                }
            };
            if bytes.len() != slot.size as usize {
                return Err(LaunchError::Size { index, wanted: slot.size, given: bytes.len() });
            }
            if slot.size > 0 {
                block[slot.offset as usize..][..bytes.len()].copy_from_slice(bytes);
            }
        }
        Ok(block)
    }
}

/// A file to be written after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The file.
    pub path: PathBuf,
    /// Its first bytes: the header of a texture.
    pub header: Vec<u8>,
    /// The buffer whose bytes follow.
    pub buffer: AllocId,
}

/// Largest buffer in bytes: each allocation has a window of 4 GiB of the address space.
pub const MAX_BUFFER: usize = (1 << 32) - (1 << 16);

/// The place of a parameter in the parameter block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamSlot {
    /// Byte offset from the first parameter.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// A launch description that is malformed or does not fit the kernel.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LaunchError {
    /// Not a dimension.
    #[error("`{0}` is not X[,Y[,Z]] with positive 32-bit numbers")]
    Dim(String),
    /// Not an argument.
    #[error(
        "`{0}` is not an argument (u8|s8|u16|s16|u32|s32|u64|s64|f16|f32|f64:VALUE, raw:HEX, in:PATH, out:PATH:BYTES, inout:PATH, null, tex:NAME, surf:NAME, sampler:NAME)"
    )]
    Arg(String),
    /// Wrong number of arguments.
    #[error(
        "the kernel has {wanted} parameter{}, {given} argument{} given",
        if *.wanted == 1 { "" } else { "s" },
        if *.given == 1 { " is" } else { "s are" }
    )]
    Count {
        /// Parameters of the kernel.
        wanted: usize,
        /// Arguments given.
        given: usize,
    },
    /// Wrong size.
    #[error("argument {index} has {given} byte{}, its parameter has {wanted}", if *.given == 1 { "" } else { "s" })]
    Size {
        /// Index of the argument.
        index: usize,
        /// Bytes of the parameter.
        wanted: u32,
        /// Bytes of the argument.
        given: usize,
    },
    /// A buffer larger than the address window of an allocation.
    #[error("argument {index}: a buffer of {bytes} bytes is too large")]
    TooBig {
        /// Index of the argument.
        index: usize,
        /// Bytes requested.
        bytes: u64,
    },
    /// Not a texture.
    #[error("`{0}` is not NAME=FILE")]
    TextureFile(String),
    /// A malformed texture file.
    #[error("texture `{name}`: {error}")]
    Texture {
        /// Its name.
        name: String,
        /// What is wrong.
        error: FileError,
    },
    /// A handle of a texture that the launch does not have.
    #[error("the launch has no texture `{name}` for a {kind} handle")]
    NoTexture {
        /// The kind of handle.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A file argument was not loaded.
    #[error("the file of argument {0} was not loaded")]
    Unbound(usize),
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_parse_to_bytes() {
        let value = |t: &str| match Arg::parse(t) {
            Ok(Arg::Value(v)) => v,
            other => panic!("{t}: {other:?}"),
        };
        assert_eq!(value("u8:255"), [255]);
        assert_eq!(value("s16:-2"), [0xfe, 0xff]);
        assert_eq!(value("u32:0x10"), [16, 0, 0, 0]);
        assert_eq!(value("s64:-1"), [0xff; 8]);
        assert_eq!(value("f16:1.5"), [0x00, 0x3e]);
        assert_eq!(value("f32:1"), [0, 0, 0x80, 0x3f]);
        assert_eq!(value("f64:-0"), [0, 0, 0, 0, 0, 0, 0, 0x80]);
        assert_eq!(value("raw:00fF"), [0, 255]);
        assert_eq!(Arg::parse("out:a:b:12"), Ok(Arg::Out("a:b".into(), 12)));
        assert_eq!(Arg::parse("null"), Ok(Arg::Null));
        for bad in
            ["u8:256", "u8:-1", "s8:128", "raw:0", "raw:", "x:1", "u32", "out:a", "out::4", "in:", "u32:+1", "f32:x"]
        {
            assert_eq!(Arg::parse(bad), Err(LaunchError::Arg(bad.to_string())));
        }
    }

    #[test]
    fn dimensions_parse_and_unflatten() {
        let d = Dim3::parse("4,3,2").unwrap();
        assert_eq!((d.count(), d.unflatten(23), d.unflatten(5)), (24, [3, 2, 1], [1, 1, 0]));
        assert_eq!(Dim3::parse("7").unwrap(), Dim3::from(7));
        for bad in ["", "0", "1,0", "1,2,3,4", "a", "-1", "4294967296"] {
            assert!(Dim3::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn packing_checks_count_and_size() {
        let mut mem = Memory::new();
        let id = mem.add("x", vec![1, 2, 3], true);
        let mut launch = Launch::new("k");
        launch.args = vec![Arg::Buffer(id), Arg::u32(7)];
        let slots = [ParamSlot { offset: 0, size: 8 }, ParamSlot { offset: 8, size: 4 }];
        let block = launch.pack(&slots, &mem).unwrap();
        assert_eq!(block[..8], mem.base(id).to_le_bytes());
        assert_eq!(block[8..], [7, 0, 0, 0]);
        assert_eq!(launch.pack(&slots[..1], &mem), Err(LaunchError::Count { wanted: 1, given: 2 }));
        launch.args[1] = Arg::u64(7);
        assert_eq!(launch.pack(&slots, &mem), Err(LaunchError::Size { index: 1, wanted: 4, given: 8 }));
        launch.args[1] = Arg::In("f".into());
        assert_eq!(launch.pack(&slots, &mem), Err(LaunchError::Unbound(1)));
        let out = launch.bind(&mut mem, &mut |_| Ok(vec![0; 4])).unwrap();
        assert!(out.is_empty() && matches!(launch.args[1], Arg::Buffer(_)));
    }
}
