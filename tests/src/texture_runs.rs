//! Runs of the kernels of [`crate::texture_forms`]: memory, launch, comparison.

use crate::simulator;
use anyhow::{Context, Result, ensure};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::{AllocId, Handle, Memory};
use raddle_sim::texture::file;

use crate::compile;
use crate::level::Level;
use crate::parallel;
use crate::ptxas::Assembler;
use crate::rng::Rng;
use crate::texture_forms::{self, Choice, Form, Given, Kernel, ROW};

/// The first offset in a thread's row.
const OFFSETS: usize = 80;

/// A run of a [`Kernel`].
pub struct Run {
    /// Its memory.
    pub memory: Memory,
    /// Its launch.
    pub launch: Launch,
    out: AllocId,
    textures: Vec<AllocId>,
}

impl Run {
    /// What the kernel has written: the output and the texels, with their undefined bits.
    pub fn results(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let all = std::iter::once(&self.out).chain(&self.textures);
        all.map(|&id| {
            let seg = &self.memory.alloc(id).seg;
            (seg.bytes().to_vec(), seg.undefined_bits().to_vec())
        })
        .collect()
    }
}

/// A random number near the numbers that a coordinate may be.
fn coordinate(rng: &mut Rng, size: f64) -> f32 {
    match rng.below(16) {
        0 => (rng.below(24) as f64 - 8.0) as f32 / 2.0,
        1 => *rng.pick(&[0.0, -0.0, 1.0, f32::INFINITY, -1e30, 1e-40]),
        _ => ((rng.unit() * 2.0 - 0.5) * size) as f32,
    }
}

impl Kernel {
    /// Prepares a run.
    ///
    /// # Errors
    /// A texture file of our own that is malformed.
    pub fn run(&self) -> Result<Run> {
        let mut rng = Rng::new(self.seed, 11);
        let mut memory = Memory::new();
        let mut textures = Vec::new();
        for (name, bytes) in &self.textures {
            let writable = self.kind == Handle::Surface;
            textures.extend(memory.add_texture(name, file::read(bytes)?, writable));
        }
        let handle = |memory: &Memory, name: &str| memory.textures.handle(self.kind, name).unwrap_or(0);
        let mut bytes = Vec::new();
        for thread in 0..32usize {
            let mut row = Vec::new();
            for n in 0..16 {
                let size = match (n, self.normalized) {
                    (0..=2, false) => f64::from(self.extent[n]),
                    (4, _) => f64::from(self.levels),
                    (5..=10, true) => 0.4,
                    (5..=10, false) => 4.0,
                    _ => 1.0,
                };
                let value = match n {
                    0..=2 if self.cube => (rng.unit() * 2.0 - 1.0) as f32,
                    5..=10 => ((rng.unit() - 0.5) * size) as f32,
                    _ => coordinate(&mut rng, size),
                };
                row.extend(value.to_le_bytes());
            }
            let surface = self.kind == Handle::Surface;
            for n in 0..12usize {
                let value = match n {
                    // Each thread of a surface has a place of its own.
                    0 if surface => 16 * (thread as u32 % 8),
                    1 | 2 if surface => thread as u32 / 8 % self.extent[n].max(1),
                    0..3 => rng.below(self.extent[n] as usize + 3) as u32,
                    3 => rng.below(4) as u32,
                    4..8 => rng.next() as u32,
                    8 => rng.below(4) as u32,
                    _ => rng.below(self.levels as usize) as u32,
                };
                row.extend(value.to_le_bytes());
            }
            let name = if self.given == Given::Divergent && rng.below(3) == 0 { "two" } else { "one" };
            row.extend(handle(&memory, name).to_le_bytes());
            row.resize(ROW, 0);
            bytes.extend(row);
        }
        let input = memory.add("in", bytes, false);
        let out = memory.add("out", vec![0; 32 * ROW], true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(32);
        let texture = Arg::Handle(self.kind, "one".to_owned());
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(out), texture];
        if self.independent {
            match self.given {
                Given::Variable => {}
                _ => launch.args.push(Arg::Handle(Handle::Sampler, "two".to_owned())),
            }
        }
        // Surfaces are too small for a place per thread in all their forms.
        if self.kind == Handle::Surface {
            launch.races = raddle_sim::launch::OnFinding::Off;
        }
        Ok(Run { memory, launch, out, textures })
    }

    /// Runs code of the kernel, and its text in the interpreter.
    ///
    /// # Errors
    /// A failed run, or other results.
    pub fn compare(&self, cubin: &[u8]) -> Result<()> {
        let (mut wanted, mut found) = (self.run()?, self.run()?);
        let reference = interp::run(&self.text, &wanted.launch, &mut wanted.memory);
        let run = simulator::run(cubin, &found.launch, &mut found.memory);
        if let Err(failure) = &reference
            && let raddle_sim::failure::FailureKind::Texture(text) = &*failure.kind
        {
            // Both find what does not fit.
            let same = matches!(&run, Err(f) if matches!(*f.kind, raddle_sim::failure::FailureKind::Texture(_)));
            ensure!(same, "the interpreter says {text}, the simulator {run:?}");
            return Ok(());
        }
        reference.context("interpreter")?;
        run.context("simulator")?;
        for (n, (wanted, found)) in wanted.results().iter().zip(found.results()).enumerate() {
            let differ = wanted.0.chunks(4).zip(found.0.chunks(4)).enumerate().filter(|(_, (w, f))| w != f);
            let places: Vec<String> =
                differ.map(|(at, (w, f))| format!("word {at}: interpreter {w:02x?}, simulator {f:02x?}")).collect();
            ensure!(places.is_empty(), "buffer {n}: {} words differ, {}", places.len(), places[0]);
            ensure!(wanted.1 == found.1, "buffer {n}: other bits are undefined");
        }
        Ok(())
    }
}

/// What was found of a spelling on an architecture.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Codes that ran.
    pub ran: usize,
    /// Codes whose results are not those of the interpreter, or that did not run.
    pub wrong: Vec<String>,
}

/// A way in which the code of ptxas 13.0.88 for sm_80 to sm_89 differs from PTX, of lookups with
/// derivatives (docs/ptxas.md counts how often).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuadFault {
    /// It makes `TXD`, which compares nothing.
    ComparesNothing,
    /// A handle that it knows to be the same in all lanes that look up is not passed between the lanes
    /// of a quad: lanes that have exited or are elsewhere do not have it, and the result is theirs.
    HandleOfOthers,
    /// At -O0 it passes offsets between the lanes of a quad through a sum of floats, with bits of the
    /// first one above the twelve that count: those of a NaN, as of every negative offset, do not come
    /// through (not confirmed on hardware: `FSWZADD` has the canonical NaN, as `FADD` does).
    OffsetsAsFloats,
}

impl QuadFault {
    /// All of them.
    pub const ALL: [QuadFault; 3] = [QuadFault::ComparesNothing, QuadFault::HandleOfOthers, QuadFault::OffsetsAsFloats];

    /// What ptxas does.
    pub const fn about(self) -> &'static str {
        match self {
            QuadFault::ComparesNothing => {
                "a comparison in a texture of one dimension: the machine instruction compares nothing, and returns the texel"
            }
            QuadFault::HandleOfOthers => {
                "lanes of a quad have exited or are elsewhere, and the handle, the same in all that look up, is in a register: \
                 it is not passed to the others, whose lookup the result is"
            }
            QuadFault::OffsetsAsFloats => {
                "offsets in three dimensions at -O0: their word, with other bits of the first one above it, is passed through a \
                 sum of floats, which makes another NaN of a NaN; negative offsets are such words"
            }
        }
    }

    /// The one that a kernel's code of a level may have.
    fn of(kernel: &Kernel, line: &str, level: &str) -> Option<Self> {
        if line.contains(".1d.") && line.ends_with(", %f11;") {
            return Some(QuadFault::ComparesNothing);
        }
        let in_register = matches!(kernel.given, Given::Parameter | Given::Loaded);
        if in_register && kernel.text.contains("OTHERS:") {
            return Some(QuadFault::HandleOfOthers);
        }
        let offsets = level == "-O0" && line.contains(".3d.") && line.contains("{%i4, %i5, %i6, %i4}");
        (offsets && kernel.has_offset_like_a_nan()).then_some(QuadFault::OffsetsAsFloats)
    }
}

impl Kernel {
    /// Whether the first offset of a thread has the exponent of a NaN.
    fn has_offset_like_a_nan(&self) -> bool {
        let Ok(run) = self.run() else { return false };
        let Some(&Arg::Buffer(input)) = run.launch.args.first() else { return false };
        let rows = run.memory.alloc(input).seg.bytes().chunks(ROW);
        rows.filter_map(|row| row[OFFSETS..].first_chunk()).any(|word| !f32::from_le_bytes(*word).is_finite())
    }
}

/// How often the code of ptxas has a fault.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The fault.
    pub fault: QuadFault,
    /// Codes that may have it, and those that do not give what the interpreter gives.
    pub codes: usize,
    /// Those whose results differ.
    pub differ: usize,
    /// Those that use a register that nothing has written.
    pub undefined: usize,
    /// The first instruction of one whose results differ, and how they do.
    pub example: String,
}

/// Counts the codes of ptxas at all levels that have a fault, in random kernels of all spellings with
/// derivatives, this many of each.
pub fn count_quad_faults(assembler: &Assembler, kernels: usize) -> Vec<Counted> {
    let forms: Vec<Form> = texture_forms::all().into_iter().filter(|form| form.has("grad")).collect();
    let all: Vec<(usize, &Form)> = (0..kernels).flat_map(|n| forms.iter().map(move |form| (n, form))).collect();
    let judged = parallel::map(&all, |&(n, form)| {
        let arch = ["sm_80", "sm_86", "sm_89"][n % 3];
        let given = [Given::Parameter, Given::Variable][n % 2];
        let kernel = form.kernel(arch, Choice { given, independent: n % 5 == 4, seed: n as u64 });
        let line = kernel.text.lines().find(|line| line.contains(&form.dotted)).unwrap_or("").to_owned();
        let level = ["-O0", "-O1", "-O2", "-O3"][n / 2 % 4];
        let fault = QuadFault::of(&kernel, &line, level)?;
        let cubin = assembler.assemble_at(&kernel.text, arch, level).ok()?;
        Some((fault, kernel.compare(&cubin).err().map(|why| (line, format!("{why:#}")))))
    });
    let judged: Vec<_> = judged.into_iter().flatten().collect();
    let of = |fault| {
        let found: Vec<_> = judged.iter().filter(|(f, _)| *f == fault).collect();
        let wrong = found.iter().filter_map(|(_, why)| why.as_ref());
        let (differ, undefined): (Vec<_>, Vec<_>) = wrong.partition(|(_, why)| why.contains("differ"));
        let example = differ.first().map_or(String::new(), |(line, why)| format!("`{}`: {why}", line.trim()));
        Counted { fault, codes: found.len(), differ: differ.len(), undefined: undefined.len(), example }
    };
    QuadFault::ALL.map(of).into()
}

impl Form {
    /// Runs the code of ptxas at a level and ours at some levels in the simulator, and the text in
    /// the interpreter. `None` if ptxas refuses the form on this architecture.
    pub fn judge(
        &self,
        arch: &str,
        choice: Choice,
        (theirs, levels): (&str, &[Level]),
        assembler: &Assembler,
    ) -> Option<Found> {
        let kernel = self.kernel(arch, choice);
        let cubin = assembler.assemble_at(&kernel.text, arch, theirs).ok()?;
        let mut found = Found { ran: 1, ..Found::default() };
        let line = kernel.text.lines().find(|line| line.contains(&self.dotted)).unwrap_or("");
        let name = |by: &str| format!("{arch} {by} {choice:?} {line}");
        if self.has("grad") && arch != "sm_90" && QuadFault::of(&kernel, line, theirs).is_some() {
            found.ran -= 1;
        } else if let Err(why) = kernel.compare(&cubin) {
            found.wrong.push(format!("{}: {why:#}", name(&format!("ptxas {theirs}"))));
        }
        for level in levels {
            let name = name(&format!("-{level}"));
            match compile::cubin_at(&kernel.text, arch, *level) {
                Ok(cubin) => {
                    found.ran += 1;
                    if let Err(why) = kernel.compare(&cubin) {
                        found.wrong.push(format!("{name}: {why:#}"));
                    }
                }
                Err(why) => found.wrong.push(format!("{name}: {why:#}")),
            }
        }
        Some(found)
    }
}
