//! The arguments of `raddle run`.

use clap::{Args, ValueEnum, ValueHint};

/// `raddle run`.
#[derive(Debug, Args)]
#[command(after_help = ARGUMENTS)]
pub struct Run {
    /// A PTX module (interpreter) or a cubin (simulator); `-` is standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Kernel to run; may be omitted if the file has only one.
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Grid dimensions, in blocks.
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1")]
    pub grid: String,
    /// Block dimensions, in threads.
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1")]
    pub block: String,
    /// Dynamic shared memory, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub shared: u32,
    /// Stack size per thread where the depth of calls is unknown, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = raddle_sim::launch::DEFAULT_STACK)]
    pub stack: u32,
    /// Kernel argument, in the order of the parameters (see below); may be repeated.
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    pub args: Vec<String>,
    /// A texture: its name, and its file (see below); may be repeated.
    #[arg(long = "texture", value_name = "NAME=FILE", value_hint = ValueHint::FilePath)]
    pub textures: Vec<String>,
    /// A surface, like a texture; the file is written back.
    #[arg(long = "surface", value_name = "NAME=FILE", value_hint = ValueHint::FilePath)]
    pub surfaces: Vec<String>,
    /// Check for hazards of the scheduling control fields (simulator).
    #[arg(long, value_name = "HOW", default_value = "error")]
    pub hazards: Switch,
    /// Check for data races between threads.
    #[arg(long, value_name = "HOW", default_value = "error")]
    pub races: CheckMode,
    /// Maximum number of instructions to run.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Seed for the order in which blocks, warps and lanes run.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Print counters after the run.
    #[arg(long)]
    pub stats: bool,
    /// Print every instruction that runs to standard error (simulator).
    #[arg(long)]
    pub trace: bool,
}

const ARGUMENTS: &str = "\
Arguments (--arg):
  u8|s8|u16|s16|u32|s32|u64|s64|f16|f32|f64:VALUE   a scalar
  raw:HEX           a structure, its bytes from the lowest address on
  in:PATH           a pointer to a buffer with the file's bytes
  out:PATH:BYTES    a pointer to a zeroed buffer, written to the file afterwards
  inout:PATH        a pointer to a buffer read from the file and written back
  multicast:PATH:N  a multicast pointer, which multimem takes, to the replicas of N devices: the file has them one after
                    another and is written back; any other buffer is the multicast buffer of one device
  null              a null pointer
  tex:NAME, surf:NAME, sampler:NAME   the handle of a texture or surface
Variables of the module (.texref, .surfref, .samplerref) are those of their names.

Texture files (--texture, --surface): lines of text, then the texels.
  raddle-texture 1                    the first line
  format rgba8_unorm                  r, rg, rgba; 8, 16, 32 bits; uint, sint, unorm, snorm, float, srgb
  size X [Y [Z]]                      texels; cube, layers N, levels N, samples N
  wrap MODE [MODE [MODE]]             wrap, mirror, clamp (default), border
  filter linear, normalized, between-levels, border R G B A, bias X, lod MIN MAX, compare less-equal
  data                                all bytes after this line are texels";

/// A check that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// A finding ends the run.
    Error,
    /// Do not check.
    Off,
}

/// A check that may also only warn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckMode {
    /// A finding ends the run.
    Error,
    /// A finding is a warning.
    Warn,
    /// Do not check.
    Off,
}
