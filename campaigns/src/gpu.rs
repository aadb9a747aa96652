//! The check on silicon: `cargo campaign gpu-check` builds a folder, `cargo campaign gpu-collect DIR` reads its results.
//!
//! The folder is self-contained: a program that needs libcuda only (`gpu/check.c`), cubins, inputs, and what the CPU references
//! expect. It holds the kernels of the corpus for every architecture, as ptxas assembles them and as we compile them. What runs
//! on the GPU is compared byte by byte there, and within the tolerances of the corpus here. Probes ask what is not known of
//! textures ([`crate::gpu_probes`]).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle;
use raddle_tests::compile;
use raddle_tests::kernel::{self, Args, Direction, Kernel, Launch};
use raddle_tests::level::Level;
use raddle_tests::ptxas::Assembler;
use serde::Deserialize;

use crate::{gpu_matrix, gpu_probes, gpu_recorded};
use xtask::figures::{self, root};

/// Architectures that cubins are made for.
const ARCHS: &[&str] = &["sm_80", "sm_86", "sm_89", "sm_90"];

#[derive(clap::Args)]
pub struct Folder {
    /// The folder [default: target/gpu-check]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// An architecture instead of all
    #[arg(long, value_name = "ARCH")]
    arch: Option<String>,
    /// Launches recorded by tests that ran with RADDLE_RECORD=DIR
    #[arg(long, value_name = "DIR")]
    recorded: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct Results {
    /// The folder, with results.jsonl
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write the verdicts to this file
    #[arg(value_name = "OUT")]
    out: Option<PathBuf>,
}

/// `cargo campaign gpu-check [DIR]`: builds the folder, `target/gpu-check` unless another is given.
///
/// # Errors
/// No C compiler, no ptxas, files that cannot be written, kernels that cannot be assembled.
pub fn build(Folder { folder, arch, recorded }: Folder) -> Result<()> {
    let archs: Vec<&str> = ARCHS.iter().copied().filter(|name| arch.as_deref().is_none_or(|a| a == *name)).collect();
    ensure!(!archs.is_empty(), "no such architecture: one of {}", ARCHS.join(", "));
    let folder = folder.unwrap_or_else(|| root().join("target/gpu-check"));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("cubins"))?;
    fs::create_dir_all(folder.join("data"))?;
    let source = root().join("gpu/check.c");
    fs::copy(&source, folder.join("check.c"))?;
    fs::copy(root().join("gpu/textures.h"), folder.join("textures.h"))?;
    let status = Command::new("cc").args(["-O2", "-o"]).arg(folder.join("check")).arg(&source).arg("-ldl").status();
    ensure!(status.context("cc")?.success(), "cc could not compile gpu/check.c");

    let ptxas = oracle::find("ptxas").context("ptxas is missing: make oracles")?;
    let assembler = Assembler::new(&ptxas)?;
    let mut cases = String::new();
    let (mut count, mut left_out) = (0, Vec::new());
    let kernels = kernel::all()?;
    for kernel in &kernels {
        for (index, launch) in kernel.launches.iter().enumerate() {
            write_data(&folder, kernel, index, launch)?;
        }
        for producer in &kernel.producers {
            let ptx = kernel.ptx(producer)?;
            for arch in archs.iter().copied() {
                let theirs = assembler.assemble(&ptx, arch).with_context(|| kernel.name.clone())?;
                let mut cubins = vec![("ptxas".to_owned(), theirs)];
                for level in Level::ALL {
                    let maker = format!("ours-{}", level.to_string().to_lowercase());
                    match compile::cubin_at(&ptx, arch, level) {
                        Ok(cubin) => cubins.push((maker, cubin)),
                        Err(error) => left_out.push(format!("{}.{producer}.{maker}.{arch}: {error:#}", kernel.name)),
                    }
                }
                for (maker, cubin) in cubins {
                    let name = format!("{}.{producer}.{maker}.{arch}", kernel.name);
                    fs::write(folder.join(format!("cubins/{name}")), cubin)?;
                    for (index, launch) in kernel.launches.iter().enumerate() {
                        write_case(&mut cases, &name, arch, kernel, index, launch)?;
                        count += 1;
                    }
                }
            }
        }
    }
    count += gpu_matrix::write(&folder, &kernels, &archs, &assembler, &mut cases)?;
    count += gpu_probes::write(&folder, &archs, &assembler, &mut cases)?;
    let whole = arch.is_none() && recorded.is_none();
    if let Some(recorded) = recorded {
        count += gpu_recorded::write(&folder, &recorded, &mut cases)?;
    }
    fs::write(folder.join("cases.txt"), cases)?;
    println!("{} cubins of ours are left out, since they do not compile:", left_out.len());
    left_out.iter().filter(|line| line.contains("sm_90")).for_each(|line| println!("  {line}"));
    let size = size(&folder)? as f64 / 1e6;
    println!("{}: {count} cases; there: ./check; here again: cargo campaign gpu-collect DIR", folder.display());
    if !whole {
        return Ok(());
    }
    figures::record("gpu.folder", (size * 10.0).round() / 10.0, "make gpu-check", &format!("{count} cases"))
}

fn data_name(kernel: &Kernel, launch: usize, arg: usize, what: &str) -> String {
    format!("data/{}.{launch}.{arg}.{what}", kernel.name)
}

/// Inputs and expected outputs, once for all architectures.
fn write_data(folder: &Path, kernel: &Kernel, index: usize, launch: &Launch) -> Result<()> {
    let expected = kernel.reference(launch)?;
    for (i, (before, after)) in launch.args.0.iter().zip(&expected.0).enumerate() {
        if before.direction.is_some() {
            fs::write(folder.join(data_name(kernel, index, i, "in")), &before.bytes)?;
        }
        if before.is_output() {
            fs::write(folder.join(data_name(kernel, index, i, "expected")), &after.bytes)?;
        }
    }
    Ok(())
}

/// The lines of one case, as `gpu/check.c` reads them.
pub(crate) fn write_case(
    out: &mut String,
    cubin: &str,
    arch: &str,
    kernel: &Kernel,
    index: usize,
    launch: &Launch,
) -> Result<()> {
    let (grid, block) = (launch.grid, launch.block);
    writeln!(out, "case {cubin}.{index}\ncubin cubins/{cubin}\nkernel {}", kernel.entry)?;
    writeln!(out, "arch {}", arch.trim_start_matches("sm_"))?;
    writeln!(out, "grid {} {} {}\nblock {} {} {}", grid[0], grid[1], grid[2], block[0], block[1], block[2])?;
    writeln!(out, "shared {}", launch.shared)?;
    for (i, arg) in launch.args.0.iter().enumerate() {
        let input = data_name(kernel, index, i, "in");
        match arg.direction {
            None => {
                let hex: String = arg.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                writeln!(out, "value {hex}")?;
            }
            Some(Direction::In) => writeln!(out, "in {input}")?,
            Some(_) => writeln!(out, "out {input} {}", data_name(kernel, index, i, "expected"))?,
        }
    }
    writeln!(out, "end")?;
    Ok(())
}

/// A line of the results: the device, or a case.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Device { device: String, capability: u32, driver: u32 },
    Case { case: String, status: String, detail: String },
}

/// `cargo campaign gpu-collect DIR [OUT]`: sums up `DIR/results.jsonl`, comparing what differs within the tolerances of the corpus.
/// With OUT, writes the verdicts there, as a vector for `tests/corpus/gpu`.
///
/// # Errors
/// No results, and cases that failed.
pub fn collect(Results { folder, out }: Results) -> Result<()> {
    let text = fs::read_to_string(folder.join("results.jsonl")).context("results.jsonl")?;
    let kernels: BTreeMap<String, Kernel> = kernel::all()?.into_iter().map(|k| (k.name.clone(), k)).collect();
    let (mut counts, mut failures) = (BTreeMap::new(), Vec::new());
    let mut verdicts = String::new();
    for line in text.lines() {
        match serde_json::from_str(line).with_context(|| line.to_owned())? {
            Line::Device { device, capability, driver } => {
                println!("{device}, capability {capability}, driver {driver}");
                writeln!(verdicts, "# {device}, capability {capability}, driver {driver}")?;
            }
            Line::Case { case, status, detail } => {
                let probe = case.starts_with(gpu_probes::MARK);
                let verdict = match status.as_str() {
                    "different" if probe => status,
                    "different" if case.starts_with(gpu_recorded::MARK) => format!("{status}: {detail}"),
                    "different" => match within_tolerance(&folder, &kernels, &case) {
                        Ok(()) => "within tolerance".to_owned(),
                        Err(error) => format!("different: {error:#}"),
                    },
                    _ if detail.is_empty() => status,
                    _ => format!("{status}: {detail}"),
                };
                // Which shapes of the matrix load, and what textures do, are findings, not failures.
                let finding = case.contains(gpu_matrix::MARK);
                if probe && verdict != "other architecture" {
                    print!("{}", gpu_probes::explain(&folder, &case, &verdict)?);
                } else if finding {
                    println!("{case}: {verdict}");
                } else if !["ok", "within tolerance", "other architecture"].contains(&verdict.as_str()) {
                    failures.push(format!("{case}: {verdict}"));
                }
                writeln!(verdicts, "{case}: {verdict}")?;
                *counts.entry(verdict.split(':').next().unwrap_or_default().to_owned()).or_insert(0) += 1;
            }
        }
    }
    for (verdict, count) in &counts {
        println!("{count:6} {verdict}");
    }
    if let Some(out) = out {
        fs::write(out, verdicts)?;
    }
    ensure!(failures.is_empty(), "{} cases failed:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}

/// Compares the kept outputs of a case (`kernel.producer.maker.arch.launch`) as the corpus asks.
fn within_tolerance(folder: &Path, kernels: &BTreeMap<String, Kernel>, case: &str) -> Result<()> {
    let name = case.split('.').next().unwrap_or_default();
    let index: usize = case.rsplit('.').next().unwrap_or_default().parse().context("number of the launch")?;
    let kernel = kernels.get(name).with_context(|| format!("no kernel {name}"))?;
    let launch = kernel.launches.get(index).context("no such launch")?;
    let expected = kernel.reference(launch)?;
    let mut got: Args = expected.clone();
    for (i, arg) in got.0.iter_mut().enumerate() {
        // Outputs that were equal byte by byte were not kept.
        if let Ok(bytes) = fs::read(folder.join(format!("outputs/{case}.{i}.bin"))) {
            arg.bytes = bytes;
        }
    }
    got.compare(&expected)
}

/// Bytes of all files below a folder. No links are in it.
pub fn size(folder: &Path) -> Result<u64> {
    let (mut sum, mut open) = (0, vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            } else {
                sum += entry.metadata()?.len();
            }
        }
    }
    Ok(sum)
}
