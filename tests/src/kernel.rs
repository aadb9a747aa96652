//! Kernels of the corpus: launches, inputs by seed, references, comparison.
//!
//! One launch description serves interpreter, simulator, reference and GPU. `args.toml` holds
//! `kernel` (name of the entry), optionally `producers` (of the PTX, each with a remark, if not
//! [`PRODUCERS`]), and one or more `[[launch]]` with `name`, `grid`, `block` (one to three
//! numbers), `shared` (dynamic shared memory in bytes, 0 when absent) and `args` in the order of
//! the parameter list. An argument is one of
//!
//! - a scalar: `{ name, type, value }`, `type` one of u8 s8 u16 s16 u32 s32 u64 s64 f16 f32 f64;
//! - a buffer: `{ name, type, in|out|inout = COUNT }` of that many elements, filled by at most one
//!   of `uniform = [LOW, HIGH]` (integers: both included), `bits = true` (random bits), `index =
//!   STEP` (0, STEP, ...), `sorted = [LOW, HIGH]`, `offsets = [LOW, HIGH]` (running sums from 0, as
//!   CSR row pointers), `constant = VALUE`; zeroed by default. Outputs are compared bit by bit, or
//!   within `ulp = N`, or within `rel = R` of the reference plus `abs = A`.
//!
//! Invariant: the inputs depend only on the file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::refs;
use crate::rng::Rng;
use crate::scalar::{Element, Scalar};

/// The comparison of an output with the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Bit by bit.
    Exact,
    /// At most this number of representable values apart.
    Ulp(u64),
    /// At most `rel * |reference| + abs` apart.
    Bound {
        /// Relative part.
        rel: f64,
        /// Absolute part.
        abs: f64,
    },
}

/// The direction of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Read by the kernel.
    In,
    /// Written by the kernel, zeroed before.
    Out,
    /// Both.
    InOut,
}

/// An argument with its value before (or after) the launch.
#[derive(Clone, Debug)]
pub struct Arg {
    /// Name in the CUDA source.
    pub name: String,
    /// Scalar or element type.
    pub ty: Scalar,
    /// Direction of a buffer, `None` for a scalar.
    pub direction: Option<Direction>,
    /// Little-endian bytes of the scalar or of the buffer.
    pub bytes: Vec<u8>,
    /// The comparison of the buffer, if it is an output.
    pub tolerance: Tolerance,
}

impl Arg {
    /// Whether the kernel writes it.
    pub fn is_output(&self) -> bool {
        matches!(self.direction, Some(Direction::Out | Direction::InOut))
    }
}

/// The arguments of one launch, in the order of the parameter list.
#[derive(Clone, Debug)]
pub struct Args(pub Vec<Arg>);

impl Args {
    fn find(&mut self, name: &str) -> &mut Arg {
        let known = self.0.iter().position(|arg| arg.name == name);
        let index = known.unwrap_or_else(|| panic!("args.toml has no argument {name}"));
        &mut self.0[index]
    }

    /// The value of a scalar, for references. Panics on a wrong name or width, which is an error in
    /// the corpus.
    pub fn get<T: Element>(&mut self, name: &str) -> T {
        let arg = self.find(name);
        assert_eq!(arg.bytes.len(), T::SIZE, "width of {name}");
        T::read(&arg.bytes)
    }

    /// The elements of a buffer. Panics like [`Args::get`].
    pub fn buffer<T: Element>(&mut self, name: &str) -> Vec<T> {
        let arg = self.find(name);
        assert_eq!(arg.ty.size(), T::SIZE, "element width of {name}");
        arg.bytes.chunks_exact(T::SIZE).map(T::read).collect()
    }

    /// Replaces the elements of an output buffer. Panics if it is not an output or the length
    /// differs.
    pub fn set_buffer<T: Element>(&mut self, name: &str, elements: &[T]) {
        let arg = self.find(name);
        let mut bytes = Vec::with_capacity(arg.bytes.len());
        elements.iter().for_each(|element| element.write(&mut bytes));
        assert!(arg.is_output() && bytes.len() == arg.bytes.len(), "{name} is no output of that length");
        arg.bytes = bytes;
    }

    /// Compares the outputs with those of the reference.
    ///
    /// # Errors
    /// The first element that differs too much, with both values, and the number of such elements.
    pub fn compare(&self, reference: &Self) -> Result<()> {
        ensure!(self.0.len() == reference.0.len(), "{} arguments, not {}", self.0.len(), reference.0.len());
        for (got, want) in self.0.iter().zip(&reference.0).filter(|(_, want)| want.is_output()) {
            compare(got, want)?;
        }
        Ok(())
    }
}

fn compare(got: &Arg, want: &Arg) -> Result<()> {
    ensure!(got.bytes.len() == want.bytes.len(), "{}: {} bytes", want.name, got.bytes.len());
    let ty = want.ty;
    let near = |g: &[u8], w: &[u8]| match want.tolerance {
        Tolerance::Exact => g == w,
        Tolerance::Ulp(limit) => ty.ulps(g, w) <= limit,
        Tolerance::Bound { rel, abs } => {
            let (g, w) = (ty.value(g), ty.value(w));
            g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= rel * w.abs() + abs
        }
    };
    let elements = got.bytes.chunks_exact(ty.size()).zip(want.bytes.chunks_exact(ty.size())).enumerate();
    let wrong: Vec<_> = elements.filter(|(_, (g, w))| !near(g, w)).collect();
    let Some((index, (g, w))) = wrong.first() else { return Ok(()) };
    bail!(
        "{}[{index}] is {:?} ({g:02x?}), the reference has {:?} ({w:02x?}); {} of {} elements differ",
        want.name,
        ty.value(g),
        ty.value(w),
        wrong.len(),
        want.bytes.len() / ty.size(),
    );
}

/// One launch of a kernel.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Its purpose.
    pub name: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub shared: u32,
    /// Inputs, and outputs before the launch.
    pub args: Args,
}

/// A folder of the corpus.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Name of the folder and of the reference.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// Name of the entry function.
    pub entry: String,
    /// Its launches.
    pub launches: Vec<Launch>,
    /// The producers of its PTX: a file `PRODUCER.ptx` each.
    pub producers: Vec<String>,
}

/// The two compilers for the PTX of each kernel whose description names no others.
pub const PRODUCERS: &[&str] = &["nvcc", "clang"];

impl Kernel {
    /// Reads the folder.
    ///
    /// # Errors
    /// A missing or malformed `args.toml`.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("args.toml");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let file: File = toml::from_str(&text).with_context(|| path.display().to_string())?;
        ensure!(!file.launch.is_empty(), "{}: no launch", path.display());
        let launches = file.launch.iter().enumerate();
        let launches = launches.map(|(seed, entry)| entry.build(seed as u64)).collect::<Result<_>>();
        let producers: Vec<String> = match file.producers {
            Some(list) => list.into_keys().collect(),
            None => PRODUCERS.iter().map(|name| (*name).to_owned()).collect(),
        };
        ensure!(!producers.is_empty(), "{}: no producer", path.display());
        Ok(Self {
            name: folder.file_name().context("a folder")?.to_string_lossy().into_owned(),
            folder: folder.to_owned(),
            entry: file.kernel,
            launches: launches.with_context(|| path.display().to_string())?,
            producers,
        })
    }

    /// Reads the PTX text of one of its producers.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn ptx(&self, producer: &str) -> Result<String> {
        let path = self.folder.join(format!("{producer}.ptx"));
        fs::read_to_string(&path).with_context(|| path.display().to_string())
    }

    /// Returns the arguments after running the reference.
    ///
    /// # Errors
    /// A kernel without a reference.
    pub fn reference(&self, launch: &Launch) -> Result<Args> {
        let run = refs::find(&self.name).with_context(|| format!("{} has no reference", self.name))?;
        let mut args = launch.args.clone();
        run(&mut args);
        Ok(args)
    }
}

/// The corpus folder of this checkout.
pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// All kernels of the corpus, sorted by name.
///
/// # Errors
/// A folder that cannot be read.
pub fn all() -> Result<Vec<Kernel>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(corpus().join("kernels"))? {
        folders.push(entry?.path());
    }
    folders.sort();
    folders.iter().map(|folder| Kernel::read(folder)).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kernel: String,
    /// Remarks by producer.
    producers: Option<BTreeMap<String, String>>,
    launch: Vec<LaunchEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LaunchEntry {
    name: String,
    grid: Vec<u32>,
    block: Vec<u32>,
    #[serde(default)]
    shared: u32,
    args: Vec<ArgEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArgEntry {
    name: String,
    r#type: Scalar,
    value: Option<f64>,
    r#in: Option<usize>,
    out: Option<usize>,
    inout: Option<usize>,
    uniform: Option<[f64; 2]>,
    bits: Option<bool>,
    index: Option<f64>,
    sorted: Option<[f64; 2]>,
    offsets: Option<[f64; 2]>,
    constant: Option<f64>,
    ulp: Option<u64>,
    rel: Option<f64>,
    abs: Option<f64>,
}

impl LaunchEntry {
    fn build(&self, seed: u64) -> Result<Launch> {
        let args = self.args.iter().enumerate().map(|(i, arg)| arg.build(&mut Rng::new(seed, i as u64)));
        Ok(Launch {
            name: self.name.clone(),
            grid: extent(&self.grid)?,
            block: extent(&self.block)?,
            shared: self.shared,
            args: Args(args.collect::<Result<_>>()?),
        })
    }
}

/// One to three extents, missing ones 1.
fn extent(given: &[u32]) -> Result<[u32; 3]> {
    ensure!((1..=3).contains(&given.len()), "one to three extents, not {}", given.len());
    Ok([given[0], *given.get(1).unwrap_or(&1), *given.get(2).unwrap_or(&1)])
}

impl ArgEntry {
    fn build(&self, rng: &mut Rng) -> Result<Arg> {
        let (direction, bytes) = match (self.value, self.r#in, self.out, self.inout) {
            (Some(value), None, None, None) => (None, self.r#type.bytes(value)),
            (None, Some(count), None, None) => (Some(Direction::In), self.fill(count, rng)),
            (None, None, Some(count), None) => (Some(Direction::Out), self.fill(count, rng)),
            (None, None, None, Some(count)) => (Some(Direction::InOut), self.fill(count, rng)),
            _ => bail!("{}: one of value, in, out, inout is needed", self.name),
        };
        let tolerance = match (self.ulp, self.rel, self.abs) {
            (None, None, None) => Tolerance::Exact,
            (Some(limit), None, None) => Tolerance::Ulp(limit),
            (None, rel, abs) => Tolerance::Bound { rel: rel.unwrap_or(0.0), abs: abs.unwrap_or(0.0) },
            _ => bail!("{}: ulp excludes rel and abs", self.name),
        };
        Ok(Arg { name: self.name.clone(), ty: self.r#type, direction, bytes, tolerance })
    }

    fn fill(&self, count: usize, rng: &mut Rng) -> Vec<u8> {
        let ty = self.r#type;
        if self.bits == Some(true) {
            return (0..count).flat_map(|_| rng.next().to_le_bytes()[..ty.size()].to_vec()).collect();
        }
        let mut draw = |[low, high]: [f64; 2]| {
            if ty.is_float() {
                low + rng.unit() * (high - low)
            } else {
                low + (rng.unit() * (high - low + 1.0)).floor()
            }
        };
        let values: Vec<f64> = if let Some(range) = self.uniform {
            (0..count).map(|_| draw(range)).collect()
        } else if let Some(range) = self.sorted {
            let mut values: Vec<f64> = (0..count).map(|_| draw(range)).collect();
            values.sort_by(f64::total_cmp);
            values
        } else if let Some(range) = self.offsets {
            let mut sum = 0.0;
            let running = (0..count).map(|_| {
                let at = sum;
                sum += draw(range);
                at
            });
            running.collect()
        } else {
            let (start, step) = (self.constant.unwrap_or(0.0), self.index.unwrap_or(0.0));
            (0..count).map(|i| start + step * i as f64).collect()
        };
        values.iter().flat_map(|value| ty.bytes(*value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arg(ty: Scalar, values: &[f64], tolerance: Tolerance) -> Args {
        let bytes = values.iter().flat_map(|v| ty.bytes(*v)).collect();
        Args(vec![Arg { name: "x".into(), ty, direction: Some(Direction::Out), bytes, tolerance }])
    }

    #[test]
    fn every_folder_has_a_reference_and_every_reference_a_folder() {
        let names: Vec<String> = all().unwrap().into_iter().map(|kernel| kernel.name).collect();
        assert_eq!(names, refs::NAMES);
    }

    #[test]
    fn references_write_every_kernels_outputs() {
        for kernel in all().unwrap() {
            for launch in &kernel.launches {
                let after = kernel.reference(launch).unwrap();
                let changed = after.0.iter().zip(&launch.args.0).any(|(a, b)| a.is_output() && a.bytes != b.bytes);
                assert!(changed, "{}: the reference changes nothing ({})", kernel.name, launch.name);
            }
        }
    }

    #[test]
    fn comparison_is_exact_unless_told_otherwise() {
        let want = arg(Scalar::F32, &[1.0, 2.0], Tolerance::Exact);
        let near = arg(Scalar::F32, &[1.0, 2.000_000_3], Tolerance::Exact);
        want.compare(&want).unwrap();
        let error = near.compare(&want).unwrap_err().to_string();
        assert!(error.starts_with("x[1] is 2.0000002") && error.ends_with("1 of 2 elements differ"), "{error}");
        near.compare(&arg(Scalar::F32, &[1.0, 2.0], Tolerance::Ulp(1))).unwrap();
        near.compare(&arg(Scalar::F32, &[1.0, 2.0], Tolerance::Bound { rel: 1e-6, abs: 0.0 })).unwrap();
        near.compare(&arg(Scalar::F32, &[0.9, 2.0], Tolerance::Bound { rel: 1e-6, abs: 0.0 })).unwrap_err();
    }
}
