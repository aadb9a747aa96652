//! `cargo campaign corpus [NAME]...`: makes `nvcc.ptx` and `clang.ptx` of the corpus kernels and modules from their `k.cu`.
//!
//! nvcc compiles as it is; clang 19 cannot read the headers of CUDA 13, so that it gets `tests/corpus/shim.h` and links
//! libdevice by itself (decision D27). Neither contracts multiplications and additions: the references do not. The
//! results are checked in, so that tests need neither compiler.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::kernel::{Kernel, PRODUCERS};

use crate::gpu;
use raddle_tests::parallel;
use xtask::figures::{self, root};

/// The architecture both compilers write PTX for: the oldest of the four that the corpus is assembled for.
const ARCH: u32 = 80;

#[derive(clap::Args)]
pub struct Options {
    /// Folders of tests/corpus/kernels and modules [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// Runs the command: all kernels and modules, or those named. Measures the size of the corpus where all were made.
///
/// # Errors
/// Missing compilers, and a kernel that one of them rejects.
pub fn run(Options { names }: Options) -> Result<()> {
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    let clang = oracle::find("clang-19").context("clang-19 is missing")?;
    let corpus = root().join("tests/corpus");
    let mut folders = Vec::new();
    for entry in fs::read_dir(corpus.join("kernels"))?.chain(fs::read_dir(corpus.join("modules"))?) {
        let folder = entry?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if names.is_empty() || names.contains(&name) {
            folders.push(folder);
        }
    }
    folders.sort();
    parallel::map(&folders, |folder| build(folder, &nvcc, &clang)).into_iter().collect::<Result<()>>()?;
    println!("{} folders", folders.len());
    if names.is_empty() {
        let kernels = folders.iter().filter(|folder| folder.join("args.toml").exists()).count();
        figures::record(
            "sim.kernels.count",
            kernels as f64,
            "cargo campaign corpus",
            "PTX by nvcc and clang but where args.toml says otherwise",
        )?;
        let size = gpu::size(&corpus)? as f64 / 1e6;
        figures::record("corpus.megabytes", (size * 100.0).round() / 100.0, "cargo campaign corpus", "")?;
    }
    Ok(())
}

fn build(folder: &Path, nvcc: &Oracle, clang: &Oracle) -> Result<()> {
    let is_kernel = folder.join("args.toml").exists();
    let producers = match is_kernel {
        true => Kernel::read(folder)?.producers,
        false => PRODUCERS.iter().map(|name| (*name).to_owned()).collect(),
    };
    for producer in &producers {
        match producer.as_str() {
            "nvcc" => build_nvcc(folder, nvcc)?,
            "clang" => build_clang(folder, clang)?,
            // Written by hand.
            _ => continue,
        }
        strip(&folder.join(format!("{producer}.ptx")))?;
    }
    Ok(())
}

fn build_nvcc(folder: &Path, nvcc: &Oracle) -> Result<()> {
    let (out, source) = (text(&folder.join("nvcc.ptx")), text(&folder.join("k.cu")));
    let arch = format!("-arch=compute_{ARCH}");
    nvcc.run(&["-O3", "-ptx", "-fmad=false", &arch, "-o", &out, &source]).with_context(|| source.clone())?;
    Ok(())
}

fn build_clang(folder: &Path, clang: &Oracle) -> Result<()> {
    let libdevice = oracle::libdevice().context("libdevice is missing: make oracles")?;
    let shim = root().join("tests/corpus/shim.h");
    let arch = format!("--cuda-gpu-arch=sm_{ARCH}");
    let (libdevice, shim) = (text(&libdevice), text(&shim));
    let (out, source) = (text(&folder.join("clang.ptx")), text(&folder.join("k.cu")));
    let mut args = vec!["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", &arch, "-O2", "-S"];
    args.extend(["-ffp-contract=off", "-fdeclspec", "-Wno-unknown-cuda-version", "-fno-ident"]);
    args.extend(["-Xclang", "-target-feature", "-Xclang", "+ptx83"]);
    args.extend(["-Xclang", "-mlink-builtin-bitcode", "-Xclang", &libdevice]);
    args.extend(["-include", &shim, "-o", &out, &source]);
    clang.run(&args).with_context(|| source.clone())?;
    Ok(())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Drops comment lines and refuses paths: the files must be the same on every machine.
fn strip(path: &Path) -> Result<()> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().map(str::trim_end).filter(|line| !line.trim_start().starts_with("//"));
    let kept = lines.collect::<Vec<_>>().join("\n").trim().to_owned() + "\n";
    ensure!(!kept.contains(&root().display().to_string()), "{}: holds a path", path.display());
    fs::write(path, kept)?;
    Ok(())
}
