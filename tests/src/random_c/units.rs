//! The source of a program for the device as several translation units for clang.
//!
//! Functions, phases and the table of functions are spread over the units, which see prototypes of
//! the others. Helpers of the prelude, and functions to be inlined, are static and have the same
//! names in every unit.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use raddle_filetest::oracle::Oracle;

use super::links::NAMES;
use super::text::{TABLE, drivers, head, needed, result, table};
use super::tree::{Program, print};

/// CUDA's names for clang.
const CLANG: &str = include_str!("clang.h");

/// How clang makes bitcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bitcode {
    /// Unoptimised, and marked so (`optnone`).
    O0,
    /// As its front end makes it at -O2, before any pass.
    Raw,
    /// Optimised at -O2.
    O2,
}

impl Bitcode {
    /// All kinds.
    pub const ALL: [Bitcode; 3] = [Bitcode::O0, Bitcode::Raw, Bitcode::O2];

    fn options(self) -> &'static [&'static str] {
        match self {
            Bitcode::O0 => &["-O0"],
            Bitcode::Raw => &["-O2", "-Xclang", "-disable-llvm-passes"],
            Bitcode::O2 => &["-O2"],
        }
    }
}

/// The sources of `count` units that contain these programs; the kernel of a program is in the unit
/// of its seed.
pub fn sources(programs: &[Program], count: usize) -> Vec<String> {
    let source = |unit| programs.iter().map(|program| source(program, unit, count)).collect::<String>();
    (0..count).map(|unit| String::from(CLANG) + &head() + &source(unit)).collect()
}

fn source(program: &Program, unit: usize, count: usize) -> String {
    let home = |n: usize| (n.wrapping_mul(7) + program.seed as usize) % count == unit;
    let needed = needed(program);
    let mut out = String::new();
    let prefix = program.name();
    let phases = 0..program.phases.len();
    let functions = program.functions.iter().enumerate().filter(|(n, _)| needed.contains(n));
    let names = functions.clone().map(|(_, f)| f.name.clone()).chain(phases.clone().map(|n| format!("phase{n}")));
    let names = names.chain(["table".to_owned()]);
    let links = program.links.as_ref();
    let names: Vec<String> = names.chain(links.iter().flat_map(|_| NAMES.map(str::to_owned))).collect();
    names.iter().for_each(|name| out += &format!("#define {name} {prefix}_{name}\n"));
    for (_, f) in functions.clone().filter(|(_, f)| !f.inline) {
        _ = writeln!(out, "__device__ __noinline__ {};", f.signature.replace('@', &f.name));
    }
    phases.for_each(|n| out += &format!("__device__ __noinline__ void phase{n}(T* t, u32 lane);\n"));
    out += "extern __device__ function table[4];\n";
    for (_, f) in functions.filter(|(n, f)| f.inline || home(*n)) {
        let kind = if f.inline { "INLINE" } else { "__device__ __noinline__" };
        _ = writeln!(out, "{kind} {} {{", f.signature.replace('@', &f.name));
        out += "    u32 r = 7u;\n    u32 v[8] = {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u};\n    (void)r; (void)v;\n";
        print(&f.body, 1, &mut out);
        _ = writeln!(out, "    return {};\n}}", result(&f.result, f.signature));
    }
    if needed.contains(&TABLE) && home(2) {
        out += &table(program).replace("TABLE table", "__device__ function table");
    }
    for (n, phase) in program.phases.iter().enumerate().filter(|(n, _)| home(*n + 3)) {
        _ = writeln!(out, "__device__ __noinline__ void phase{n}(T* t, u32 lane) {{");
        print(&phase.body, 1, &mut out);
        out += "}\n";
    }
    if let Some(links) = links {
        // Neighbours are in different units.
        out += &links.device(|n| (n + program.seed as usize) % count == unit);
    }
    if home(0) {
        out += &(drivers(program).0 + "#endif\n");
    }
    names.iter().for_each(|name| out += &format!("#undef {name}\n"));
    out
}

/// Compiles the units of programs to bitcode in a folder; returns the files.
///
/// # Errors
/// What clang refuses.
pub fn bitcode(
    clang: &Oracle,
    programs: &[Program],
    count: usize,
    kind: Bitcode,
    folder: &Path,
) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for (n, text) in sources(programs, count).into_iter().enumerate() {
        let (source, out) = (folder.join(format!("unit{n}.cu")), folder.join(format!("unit{n}.bc")));
        fs::write(&source, text)?;
        let shown = |path: &Path| path.display().to_string();
        let fixed = "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -Xclang -target-feature \
                     -Xclang +ptx78 -D__CUDACC__ -ffp-contract=off -fgpu-rdc -w -emit-llvm -c -o";
        let mut args: Vec<String> = kind.options().iter().map(|&option| option.to_owned()).collect();
        args.extend(fixed.split_whitespace().map(str::to_owned));
        args.extend([shown(&out), shown(&source)]);
        clang.run(&args).with_context(|| format!("clang, {kind:?}"))?;
        files.push(out);
    }
    Ok(files)
}
