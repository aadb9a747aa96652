//! Probes for what no public document says of textures, or what one source alone says: small kernels
//! whose results on a GPU are compared with those of the interpreter.
//!
//! Problem: the model of textures ([`raddle_sim::texture`]) decides what the manuals leave open, and
//! no GPU has confirmed it. Strategy: a probe asks one fact. Each of its threads reads a row of 16
//! words, does one lookup or access, and writes four words; inputs are chosen where possible answers
//! differ. `cargo campaign gpu-check` puts kernels, textures, inputs and the interpreter's results into
//! its folder, `gpu-collect` lists the rows that differ. A difference is a finding about the model, not
//! a failure of the compiler: the tests hold that our code and that of ptxas give the interpreter's
//! results in the simulator.
//!
//! What cannot be asked: textures of several samples, which the driver's interface does not make, and
//! the function that a depth comparison uses, which no descriptor of it names.

mod driver;
mod filtering;
mod levels;
mod quads;
mod surfaces;

use crate::simulator;
use anyhow::{Context, Result, bail, ensure};
use raddle_sim::failure::FailureKind;
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch, OnFinding};
use raddle_sim::mem::{AllocId, Handle, Memory};
use raddle_sim::texture::file;

pub use driver::{line, numbers};

/// Words of a thread's row of inputs.
pub const INPUTS: usize = 16;
/// Words of a thread's row of results.
pub const RESULTS: usize = 4;
/// Threads of a block.
pub const BLOCK: usize = 64;

/// What the texture's array needs besides its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Array {
    /// It can be gathered from.
    pub gather: bool,
    /// It holds depths.
    pub depth: bool,
    /// Faces of a cube are filtered across their edges.
    pub seamless: bool,
    /// Levels are filtered without the driver's optimisation.
    pub exact_levels: bool,
}

/// A fact to ask, with the kernel that asks it.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Its name.
    pub name: String,
    /// What it asks.
    pub fact: &'static str,
    /// Whether the texture is one, or a surface.
    pub kind: Handle,
    /// The texture, as [`mod@file`] reads it.
    pub texture: Vec<u8>,
    /// What its array needs.
    pub array: Array,
    /// A row per thread; whole blocks.
    pub rows: Vec<[u32; INPUTS]>,
    /// Whether the model says that the access ends the kernel with an error.
    pub faults: bool,
    /// Whether the simulator does not take the code of ptxas 13.0.88, with a reason where it is set.
    pub ours_only: bool,
    /// The level at which ptxas compiles it.
    pub level: &'static str,
    code: String,
}

/// What a probe's kernel leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The results of all threads.
    pub results: Vec<u8>,
    /// The texels, in the end.
    pub texels: Vec<u8>,
}

/// All probes.
pub fn all() -> Vec<Probe> {
    let mut out = filtering::probes();
    out.extend(levels::probes());
    out.extend(quads::probes());
    out.extend(surfaces::probes());
    out
}

impl Probe {
    /// A probe of a texture; `header` are lines of its file, `code` leads from `%f0..15` and `%i0..15`
    /// (the same words) to `%r0..3`.
    fn new(name: &str, fact: &'static str, header: &str, texels: Vec<u8>, code: &str) -> Self {
        let mut texture = format!("{}\n{header}\ndata\n", file::MAGIC).into_bytes();
        texture.extend(texels);
        Probe {
            name: name.to_owned(),
            fact,
            kind: Handle::Texture,
            texture,
            array: Array::default(),
            rows: Vec::new(),
            faults: false,
            ours_only: false,
            level: "-O3",
            code: code.to_owned(),
        }
    }

    /// Sets rows of words; the last one fills the last block.
    fn words(mut self, rows: impl IntoIterator<Item = Vec<u32>>) -> Self {
        let row = |row: Vec<u32>| std::array::from_fn(|n| row.get(n).copied().unwrap_or(0));
        self.rows = rows.into_iter().map(row).collect();
        let last = self.rows.last().copied().unwrap_or([0; INPUTS]);
        self.rows.resize(self.rows.len().next_multiple_of(BLOCK).max(BLOCK), last);
        self
    }

    /// Sets rows of floats.
    fn floats(self, rows: impl IntoIterator<Item = Vec<f32>>) -> Self {
        self.words(rows.into_iter().map(|row| row.into_iter().map(f32::to_bits).collect()))
    }

    fn surface(mut self) -> Self {
        self.kind = Handle::Surface;
        self
    }

    fn array(mut self, array: Array) -> Self {
        self.array = array;
        self
    }

    /// The module for an architecture: kernel `k`, with inputs, results and the handle.
    pub fn module(&self, arch: &str) -> String {
        let list = |name: &str, n: usize| (0..n).map(|i| format!("%{name}{i}")).collect::<Vec<_>>().join(", ");
        let mut loads = String::new();
        for n in (0..INPUTS).step_by(4) {
            let quad: Vec<String> = (n..n + 4).map(|i| format!("%i{i}")).collect();
            loads += &format!("ld.global.v4.b32 {{{}}}, [%in+{}];\n", quad.join(", "), 4 * n);
        }
        loads += &(0..INPUTS).map(|n| format!("mov.b32 %f{n}, %i{n};\n")).collect::<String>();
        loads += &(0..RESULTS).map(|n| format!("mov.b32 %r{n}, 0;\n")).collect::<String>();
        format!(
            ".version 9.0\n.target {arch}\n.address_size 64\n\
             .visible .entry k(.param .u64 in, .param .u64 out, .param .u64 t)\n{{\n\
             .reg .b64 %in, %out, %t; .reg .b32 %x, %y; .reg .pred %p;\n\
             .reg .f32 {}; .reg .b32 {}, {};\n\
             ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %t, [t];\n\
             mov.u32 %x, %ctaid.x; mov.u32 %y, %tid.x; mad.lo.u32 %x, %x, {BLOCK}, %y;\n\
             mad.wide.u32 %in, %x, {}, %in; mad.wide.u32 %out, %x, {}, %out;\n{loads}{}\n\
             st.global.v4.b32 [%out], {{{}}};\nret;\n}}\n",
            list("f", INPUTS),
            list("i", INPUTS),
            list("r", RESULTS),
            4 * INPUTS,
            4 * RESULTS,
            self.code,
            list("r", RESULTS)
        )
    }

    /// The bytes of all rows.
    pub fn inputs(&self) -> Vec<u8> {
        self.rows.iter().flatten().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Blocks of the launch.
    pub fn blocks(&self) -> usize {
        self.rows.len() / BLOCK
    }

    fn prepare(&self) -> Result<(Memory, Launch, [AllocId; 2])> {
        let mut memory = Memory::new();
        let writable = self.kind == Handle::Surface;
        let texels = memory.add_texture("t", file::read(&self.texture)?, writable).context("no texels")?;
        let input = memory.add("in", self.inputs(), false);
        let out = memory.add("out", vec![0; self.rows.len() * RESULTS * 4], true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(BLOCK as u32);
        launch.grid = Dim3::from(self.blocks() as u32);
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(out), Arg::Handle(self.kind, "t".to_owned())];
        launch.races = OnFinding::Off;
        Ok((memory, launch, [out, texels]))
    }

    /// The outcome of a run; `None` if it ended as the model says of faults.
    fn outcome(&self, run: impl FnOnce(&Launch, &mut Memory) -> Result<(), FailureKind>) -> Result<Option<Outcome>> {
        let (mut memory, launch, ids) = self.prepare()?;
        match run(&launch, &mut memory) {
            Err(FailureKind::Texture(_)) if self.faults => return Ok(None),
            Err(kind) => bail!("{}: {kind}", self.name),
            Ok(()) => {}
        }
        ensure!(!self.faults, "{}: no access outside was found", self.name);
        let [results, texels] = ids.map(|id| {
            let seg = &memory.alloc(id).seg;
            (seg.bytes().to_vec(), seg.undefined_bits().iter().all(|bits| *bits == 0))
        });
        ensure!(results.1 && texels.1, "{}: undefined results", self.name);
        Ok(Some(Outcome { results: results.0, texels: texels.0 }))
    }

    /// What the interpreter computes; `None` if it finds an access outside, which the probe is for.
    ///
    /// # Errors
    /// Anything else that it finds, and results that PTX leaves undefined.
    pub fn expected(&self, arch: &str) -> Result<Option<Outcome>> {
        let text = self.module(arch);
        self.outcome(|launch, memory| match interp::run(&text, launch, memory) {
            Ok(_) => Ok(()),
            Err(failure) => Err(*failure.kind),
        })
    }

    /// What machine code computes in the simulator; as [`Probe::expected`].
    ///
    /// # Errors
    /// As [`Probe::expected`].
    pub fn simulated(&self, cubin: &[u8]) -> Result<Option<Outcome>> {
        self.outcome(|launch, memory| match simulator::run(cubin, launch, memory) {
            Ok(_) => Ok(()),
            Err(failure) => Err(*failure.kind),
        })
    }
}

/// Bytes of floats.
fn float_texels(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}
