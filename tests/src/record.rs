//! Records the launches that tests simulate, for the check on a GPU.
//!
//! If `RADDLE_RECORD` names a folder, every successful run of [`crate::simulator`] of code for sm_90
//! is written there: `cases/HASH.json` ([`Case`]) and the bytes of cubins and buffers as
//! `blobs/HASH`. A launch is recorded once, however many tests run it. `cargo campaign gpu-check`
//! packs them into its folder.
//!
//! Addresses differ on a GPU. A word that is an address within a buffer, or the handle of a texture,
//! is listed as a [`Patch`] and replaced by the check.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use raddle_cubin::Cubin;
use raddle_sim::launch::{Arg, Launch, OnFinding};
use raddle_sim::mem::{AllocId, Handle, Memory};
use raddle_sim::texture::Geometry;
use serde::{Deserialize, Serialize};

use crate::texture_probes::{self, Array};

/// The variable that names the folder.
pub const FOLDER: &str = "RADDLE_RECORD";
/// The architecture whose code is recorded.
const SM: u16 = 90;
/// Largest buffer that is recorded.
const MOST: usize = 8 << 20;

/// A word of 64 bits that is replaced by an address or a handle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// The byte offset of the word.
    pub at: usize,
    /// The buffer whose address it is.
    pub buffer: usize,
    /// What is added to the address.
    pub plus: u64,
}

/// A buffer, texture or surface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buffer {
    /// Its bytes before the launch: a blob.
    pub before: String,
    /// Its bytes after the launch: a blob. None if they are not compared.
    pub after: Option<String>,
    /// Addresses in both.
    pub patches: [Vec<Patch>; 2],
    /// What describes it to the driver, and whether it is a surface, if its bytes are texels.
    pub image: Option<(String, bool)>,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Passed {
    /// Bytes in hexadecimal, with addresses in them.
    Value(String, Vec<Patch>),
    /// The address or handle of a buffer.
    Buffer(usize),
}

/// A recorded launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The test that ran it.
    pub test: String,
    /// The cubin: a blob.
    pub cubin: String,
    /// The kernel.
    pub kernel: String,
    /// Blocks, threads of a block, blocks of a cluster.
    pub shape: [[u32; 3]; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Bytes of stack.
    pub stack: u32,
    /// Whether races and hazards were failures of the run.
    pub checked: bool,
    /// Arguments.
    pub args: Vec<Passed>,
    /// Buffers.
    pub buffers: Vec<Buffer>,
}

/// A launch before its run.
pub struct Recording {
    folder: PathBuf,
    case: Case,
    before: Memory,
}

impl Recording {
    /// Begins to record a launch; `None` if there is nothing to record.
    pub fn begin(cubin: &[u8], launch: &Launch, mem: &Memory) -> Option<Recording> {
        let folder = PathBuf::from(std::env::var_os(FOLDER)?);
        let sm = Cubin::parse(cubin).ok()?.header.sm();
        let small = mem.allocs().iter().all(|a| a.seg.len() <= MOST && a.multicast.is_none());
        if sm != SM || !small {
            return None;
        }
        match Self::new(folder, cubin, launch, mem) {
            Ok(recording) => Some(recording),
            Err(error) => {
                eprintln!("not recorded: {error:#}");
                None
            }
        }
    }

    fn new(folder: PathBuf, cubin: &[u8], launch: &Launch, mem: &Memory) -> Result<Recording> {
        let sides = |d: raddle_sim::launch::Dim3| [d.x, d.y, d.z];
        let mut case = Case {
            test: std::thread::current().name().unwrap_or_default().to_owned(),
            cubin: blob(&folder, cubin)?,
            kernel: launch.kernel.clone(),
            shape: [sides(launch.grid), sides(launch.block), launch.cluster.map_or([0; 3], sides)],
            shared: launch.dyn_shared,
            stack: launch.stack,
            checked: launch.races == OnFinding::Error && launch.hazards == OnFinding::Error,
            args: Vec::new(),
            buffers: Vec::new(),
        };
        let kinds = image_kinds(launch)?;
        for (n, alloc) in mem.allocs().iter().enumerate() {
            let texture = mem.textures.list().iter().find(|b| b.texels.is_some_and(|id| index(mem, id) == n));
            let image = match texture {
                None => None,
                Some(bound) => {
                    let (t, surface) = (&bound.texture, kinds.get(&bound.texture.name) == Some(&Handle::Surface));
                    let kind = if surface { Handle::Surface } else { Handle::Texture };
                    let flat = t.shape.geometry == Geometry::D2 && t.shape.levels == 1 && !surface;
                    let needs = Array { gather: flat, ..Array::default() };
                    Some((texture_probes::numbers(&t.shape, &t.sampler, kind, needs)?, surface))
                }
            };
            let patches = [patches(alloc.seg.bytes(), mem), Vec::new()];
            case.buffers.push(Buffer { before: blob(&folder, alloc.seg.bytes())?, after: None, patches, image });
        }
        for arg in &launch.args {
            case.args.push(match arg {
                Arg::Value(bytes) => {
                    let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                    Passed::Value(hex, patches(bytes, mem))
                }
                Arg::Null => Passed::Value("00".repeat(8), Vec::new()),
                Arg::Buffer(id) => Passed::Buffer(index(mem, *id)),
                Arg::Handle(_, name) => Passed::Buffer(image_of(mem, name)?),
                other => bail!("{other:?} is not bound"),
            });
        }
        Ok(Recording { folder, case, before: mem.clone() })
    }

    /// Ends the recording with the memory after the run.
    pub fn end(mut self, mem: &Memory) {
        if let Err(error) = self.finish(mem) {
            eprintln!("not recorded: {error:#}");
        }
    }

    fn finish(&mut self, mem: &Memory) -> Result<()> {
        let identity = serde_json::to_vec(&Case { test: String::new(), ..self.case.clone() })?;
        let path = self.folder.join("cases").join(format!("{}.json", short(&identity)));
        if path.exists() {
            return Ok(());
        }
        let count = self.before.allocs().len();
        for (alloc, buffer) in mem.allocs()[..count].iter().zip(&mut self.case.buffers) {
            let defined = alloc.seg.undefined_bits().iter().all(|bits| *bits == 0);
            if alloc.writable && defined {
                buffer.after = Some(blob(&self.folder, alloc.seg.bytes())?);
                buffer.patches[1] = patches(alloc.seg.bytes(), &self.before);
            }
        }
        write(&path, &serde_json::to_vec(&self.case)?)
    }
}

fn index(mem: &Memory, id: AllocId) -> usize {
    mem.allocs().iter().position(|alloc| alloc.base == mem.base(id)).expect("a buffer of this memory")
}

fn image_of(mem: &Memory, name: &str) -> Result<usize> {
    let bound = mem.textures.list().iter().rfind(|bound| bound.texture.name == name).context("no such texture")?;
    Ok(index(mem, bound.texels.context("a sampler alone")?))
}

/// Whether a texture is passed as one or as a surface.
fn image_kinds(launch: &Launch) -> Result<BTreeMap<String, Handle>> {
    let mut out = BTreeMap::new();
    for arg in &launch.args {
        match arg {
            Arg::Handle(Handle::Sampler, _) => bail!("the driver has no samplers of their own"),
            Arg::Handle(kind, name) => drop(out.insert(name.clone(), *kind)),
            _ => {}
        }
    }
    Ok(out)
}

/// Addresses and handles among the aligned words of `bytes`.
fn patches(bytes: &[u8], mem: &Memory) -> Vec<Patch> {
    let mut handles = BTreeMap::new();
    for bound in mem.textures.list() {
        for kind in [Handle::Texture, Handle::Surface] {
            let handle = mem.textures.handle(kind, &bound.texture.name);
            handles.extend(handle.zip(image_of(mem, &bound.texture.name).ok()));
        }
    }
    let mut out = Vec::new();
    for (n, word) in bytes.chunks_exact(8).enumerate() {
        let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
        // One past the end is an address too.
        let inside = mem.find(word, 0).map(|(id, plus)| (index(mem, id), plus as u64));
        let found = inside.or_else(|| handles.get(&word).map(|&buffer| (buffer, 0)));
        out.extend(found.map(|(buffer, plus)| Patch { at: 8 * n, buffer, plus }));
    }
    out
}

fn short(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..24].to_owned()
}

/// Writes bytes under their hash, which is returned.
fn blob(folder: &Path, bytes: &[u8]) -> Result<String> {
    let name = short(bytes);
    let path = folder.join("blobs").join(&name);
    if !path.exists() {
        write(&path, bytes)?;
    }
    Ok(name)
}

/// Writes a file at once, since other processes may write the same.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("a file in a folder")?;
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, bytes)?;
    file.persist(path)?;
    Ok(())
}
