//! The module that `bench-compile` compiles: many kernels of realistic size, instantiated from the corpus sources.
//!
//! Problem: the kernels of the corpus are small, each there for one thing; real modules hold hundreds of kernels of a few hundred
//! instructions. Strategy: every `k.cu` becomes a namespace whose kernel is a device function that is always inlined; a bench kernel calls several
//! of them, one after the other, each with parameters of its own. How many instructions a kernel gets is drawn from a
//! log-normal distribution; nvcc makes PTX of the whole. Such a module is compiled, never run: behind an early return
//! of one part the barriers of the next may differ from lane to lane.
//!
//! Invariant: the module depends on the corpus, the shape and nvcc alone; [`check`] holds its sizes to what issue 3 asks.

use raddle_entity::SplitMix;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle::Oracle;
use raddle_tests::kernel::{self, corpus};

/// Instructions asked for the one large kernel of a skewed module: nvcc leaves a little less.
const HUGE: usize = 5000;
/// Instructions asked for a kernel of a program of several units: the median.
const UNIT_KERNEL: f64 = 400.0;

/// What a module looks like.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// This many kernels of mixed sizes.
    Mixed(usize),
    /// This many kernels of about 150 instructions, the one at this place (0 is the first) of about 4,500.
    Skewed(usize, usize),
}

/// A kernel of the corpus as a device function.
struct Part {
    name: String,
    /// Its source, without includes, the kernel turned into a device function.
    source: String,
    /// Its parameters, as declared.
    params: Vec<String>,
    /// Instructions of its PTX.
    size: usize,
    /// Names that the source defines for the preprocessor.
    defines: Vec<String>,
}

/// The same module on every machine.
struct Rng(SplitMix);

impl Rng {
    fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// A size with this median: log-normal. nvcc leaves about 85 % of the instructions that are asked for.
    fn size(&mut self, median: f64) -> usize {
        let (u, v) = (self.unit().max(1e-12), self.unit());
        let normal = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        (median * (1.15 * normal).exp()).clamp(20.0, HUGE as f64) as usize
    }
}

/// The PTX of a module of this shape for sm_90, made by nvcc -O3.
///
/// # Errors
/// A corpus source that does not look as expected, and what nvcc says.
pub fn ptx(nvcc: &Oracle, shape: Shape) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let (source, out) = (folder.path().join("bench.cu"), folder.path().join("bench.ptx"));
    fs::write(&source, cuda(shape)?)?;
    let text = |path: &std::path::Path| path.display().to_string();
    nvcc.run(&["-O3", "-ptx", "-arch=compute_90", "-o", &text(&out), &text(&source)])?;
    Ok(fs::read_to_string(out)?)
}

/// The CUDA source of a module of this shape.
fn cuda(shape: Shape) -> Result<String> {
    let parts = parts()?;
    let mut out = String::from("// Written by `cargo campaign bench-compile`.\n#include <cuda_fp16.h>\n");
    for part in &parts {
        writeln!(out, "namespace ns_{} {{\n{}\n}}", part.name, part.source)?;
        for name in &part.defines {
            writeln!(out, "#undef {name}")?;
        }
    }
    let mut rng = Rng(SplitMix(1));
    let sizes: Vec<usize> = match shape {
        Shape::Mixed(count) => (0..count).map(|_| rng.size(150.0)).collect(),
        Shape::Skewed(count, place) => (0..count).map(|n| if n == place { HUGE } else { 150 }).collect(),
    };
    for (number, size) in sizes.into_iter().enumerate() {
        out += &bench_kernel(number, size, &parts, &mut rng)?;
    }
    Ok(out)
}

/// The parts: sources that both compilers read need no headers.
fn parts() -> Result<Vec<Part>> {
    let kernels = kernel::all()?.into_iter().filter(|kernel| kernel.producers.iter().any(|by| by == "clang"));
    let parts = kernels.map(|kernel| part(&kernel.name)).collect::<Result<Vec<_>>>()?;
    Ok(parts.into_iter().flatten().collect())
}

/// A kernel that calls parts until it has about this many instructions.
fn bench_kernel(number: usize, size: usize, parts: &[Part], rng: &mut Rng) -> Result<String> {
    let (mut params, mut calls, mut have) = (Vec::new(), String::new(), 0);
    // The parameters of a kernel are limited to 4 KiB; 400 of 8 bytes stay below.
    while have < size && params.len() < 400 {
        let room = parts.iter().filter(|part| have == 0 || have + part.size <= size + size / 4).collect::<Vec<_>>();
        let Some(part) = room.get(rng.0.next() as usize % room.len().max(1)) else { break };
        let mut names = Vec::new();
        for param in &part.params {
            let at = param.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            let name = format!("p{}", params.len());
            params.push(format!("{}{name}", &param[..at]));
            names.push(name);
        }
        writeln!(calls, "    ns_{0}::{0}({1});", part.name, names.join(", "))?;
        have += part.size;
    }
    Ok(format!("extern \"C\" __global__ void bench_{number:03}({}) {{\n{calls}}}\n", params.join(", ")))
}

/// CUDA sources of a program of several units: `kernels` kernels, which call device functions of all
/// units. The last unit has functions only.
///
/// # Errors
/// A corpus source that does not look as expected.
pub fn units(kernels: usize, units: usize) -> Result<Vec<String>> {
    let parts = parts()?;
    let head = "#ifndef RADDLE_SHIM\n#include <cuda_fp16.h>\n#endif\n";
    let mut out = vec![format!("// Written by `cargo campaign bench-ir`.\n{head}"); units];
    for part in &parts {
        let declared = format!("namespace ns_{0} {{ __device__ void {0}({1}); }}\n", part.name, part.params.join(", "));
        out.iter_mut().for_each(|unit| *unit += &declared);
    }
    for (number, part) in parts.iter().enumerate() {
        let source = part.source.replace("static __device__ __forceinline__ void", "__device__ void");
        let unit = &mut out[number % units];
        writeln!(unit, "namespace ns_{} {{\n{source}\n}}", part.name)?;
        part.defines.iter().try_for_each(|name| writeln!(unit, "#undef {name}"))?;
    }
    let mut rng = Rng(SplitMix(1));
    for number in 0..kernels {
        let size = rng.size(UNIT_KERNEL);
        out[number % (units - 1)] += &bench_kernel(number, size, &parts, &mut rng)?;
    }
    Ok(out)
}

/// A kernel's source as a device function; `None` where it cannot be one (shared memory whose size the launch gives).
fn part(name: &str) -> Result<Option<Part>> {
    let folder = corpus().join("kernels").join(name);
    let text = fs::read_to_string(folder.join("k.cu"))?;
    if text.contains("extern __shared__") || text.matches("__global__").count() != 1 || text.contains("template") {
        return Ok(None);
    }
    let head = format!("extern \"C\" __global__ void {name}(");
    let Some(at) = text.find(&head) else { return Ok(None) };
    let rest = &text[at + head.len()..];
    let end = rest.find(") {").with_context(|| format!("{name}: no end of the parameters"))?;
    let params = rest[..end].split(',').map(|param| param.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let text = text.replace(&head, &format!("static __device__ __forceinline__ void {name}("));
    let source = text.lines().filter(|line| !line.starts_with("#include")).collect::<Vec<_>>().join("\n");
    let defines = source.lines().filter_map(|line| line.strip_prefix("#define "));
    let defines = defines.filter_map(|rest| rest.split([' ', '(']).next()).map(str::to_owned).collect();
    let size = sizes(&fs::read_to_string(folder.join("nvcc.ptx"))?).iter().sum();
    Ok(Some(Part { name: name.to_owned(), source, params, size, defines }))
}

/// Instructions of each kernel of a module as nvcc writes it: lines of a body that end a statement and are no directive.
fn sizes(ptx: &str) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut depth = 0;
    for line in ptx.lines().map(str::trim) {
        if depth == 0 && line == "{" {
            sizes.push(0);
        }
        if depth > 0 && line.ends_with(';') && line.starts_with(|c: char| c.is_ascii_lowercase() || c == '@') {
            *sizes.last_mut().unwrap_or(&mut 0) += 1;
        }
        depth += line.matches('{').count();
        depth -= line.matches('}').count().min(depth);
    }
    sizes
}

/// Holds a mixed module to the sizes that issue 3 asks for and describes it in a few words.
///
/// # Errors
/// A median below 150 instructions, a 90th percentile below 600 or a maximum above 5,000 or below 3,000.
pub fn check(ptx: &str) -> Result<String> {
    let mut sizes = sizes(ptx);
    sizes.sort_unstable();
    ensure!(!sizes.is_empty(), "the module has no kernels");
    let at = |share: usize| sizes[(sizes.len() * share / 100).min(sizes.len() - 1)];
    let (median, high, most) = (at(50), at(90), at(100));
    ensure!(median >= 150 && high >= 600 && (3000..=5000).contains(&most), "sizes {median}, {high}, {most}");
    let distinct = sizes.iter().collect::<BTreeSet<_>>().len();
    let text = format!(
        "{} kernels of {distinct} sizes, PTX instructions: median {median}, 90 % {high}, most {most}",
        sizes.len()
    );
    Ok(text)
}
