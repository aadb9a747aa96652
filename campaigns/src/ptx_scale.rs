//! `ptx-scale`: user time and peak memory of the PTX front end, beside ptxas, up to 360 MB.
//!
//! Modules are made of the corpus' kernels under new names. A child process reads one file whole (outline, every body)
//! on one thread and prints what the kernel accounts to it.

use std::fmt::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use raddle_diag::{Diags, FileId};
use raddle_filetest::oracle;
use raddle_ptx::{Scratch, outline, parse_body_with};

use crate::peak;
use xtask::figures;

/// Sizes in bytes; ptxas judges the first.
const SIZES: [usize; 3] = [3_000_000, 36_000_000, 360_000_000];

#[derive(clap::Args)]
pub struct Options {
    /// Read this file whole and print time and peak memory: the process that is measured
    #[arg(long, value_name = "FILE", hide = true)]
    child: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// No ptxas, trouble with files.
pub fn run(options: Options) -> Result<()> {
    if let Some(file) = &options.child {
        return child(file);
    }
    let folder = std::env::temp_dir().join(format!("raddle-scale-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = measure(&folder);
    std::fs::remove_dir_all(&folder)?;
    result
}

fn measure(folder: &Path) -> Result<()> {
    let mut per_byte = Vec::new();
    let mut worst = 0f64;
    for size in SIZES {
        let path = folder.join("m.ptx");
        let bytes = write_module(&path, size)?;
        // The fastest of several runs is the one that other work disturbed least.
        let runs = if size < 100_000_000 { 5 } else { 2 };
        let mut best = (f64::INFINITY, 0f64);
        for _ in 0..runs {
            let output = Command::new(std::env::current_exe()?).args(["ptx-scale", "--child"]).arg(&path).output()?;
            let text = String::from_utf8(output.stdout)?;
            ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let mut parts = text.split_whitespace();
            let seconds: f64 = parts.next().context("a time")?.parse()?;
            let peak: f64 = parts.next().context("a peak")?.parse()?;
            best = (best.0.min(seconds), best.1.max(peak));
        }
        let factor = (best.1 - 16.0 * 1024.0 * 1024.0) / bytes as f64;
        worst = worst.max(factor);
        per_byte.push(best.0 / bytes as f64);
        println!("{bytes} bytes: {:.3} s user, {:.1} MB peak, factor {factor:.2}", best.0, best.1 / 1e6);
        if size == SIZES[0] {
            let theirs = ptxas_time(&path)?;
            println!("ptxas -arch=compute_90: {theirs:.3} s user");
            let ratio = (best.0 / theirs * 1000.0).round() / 1000.0;
            figures::record("ptx.time.ratio", ratio, "cargo campaign ptx-scale", "3 MB of nvcc's kernels")?;
        }
    }
    let linear = (per_byte[2] / per_byte[0] * 100.0).round() / 100.0;
    figures::record("ptx.time.linear", linear, "cargo campaign ptx-scale", "user time")?;
    figures::record(
        "ptx.memory.factor",
        (worst * 100.0).round() / 100.0,
        "cargo campaign ptx-scale",
        "worst of 3, 36, 360 MB",
    )
}

/// Reads a module whole and prints user seconds and peak bytes of this process.
fn child(path: &Path) -> Result<()> {
    let text = std::fs::read_to_string(path)?;
    let before = peak::seconds(14)?;
    let mut diags = Diags::new();
    let out = outline(&text, FileId::FIRST, &mut diags);
    let mut scratch = Scratch::new();
    let mut insts = 0;
    for id in out.funcs.keys() {
        insts += parse_body_with(&mut scratch, &text, FileId::FIRST, &out, id, &mut diags).insts.len();
    }
    ensure!(!diags.has_errors() && insts > 0, "the module is not clean: {:?}", diags.iter().next());
    let seconds = peak::seconds(14)? - before;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).context("a peak")?;
    let kilobytes: f64 = peak.trim().trim_end_matches(" kB").trim().parse()?;
    println!("{seconds} {}", kilobytes * 1024.0);
    Ok(())
}

fn ptxas_time(path: &Path) -> Result<f64> {
    let ptxas = oracle::find("ptxas").context("ptxas is not installed: run `make oracles`")?;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        // The user time of children that have been waited for.
        let before = peak::seconds(16)?;
        let status = ptxas.command().arg("-arch=compute_90").arg(path).args(["-o", "/dev/null"]).output()?.status;
        ensure!(status.success(), "ptxas does not take the module");
        best = best.min(peak::seconds(16)? - before);
    }
    Ok(best)
}

/// Writes a module of about this size; its exact size.
fn write_module(path: &Path, size: usize) -> Result<usize> {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/kernels");
    let mut sources = Vec::new();
    let mut folders: Vec<_> = std::fs::read_dir(kernels)?.collect::<Result<Vec<_>, _>>()?;
    folders.sort_by_key(std::fs::DirEntry::file_name);
    for folder in folders {
        let Ok(text) = std::fs::read_to_string(folder.path().join("nvcc.ptx")) else { continue };
        // Kernels without module-level variables can be written any number of times.
        let start = text.find(".visible .entry").or_else(|| text.find(".entry"));
        let Some(start) = start.filter(|&n| !text[..n].contains("\n.") || !text[..n].contains(".global")) else {
            continue;
        };
        let body = &text[start..];
        let name = body.split(".entry").nth(1).and_then(|s| s.trim_start().split(['(', '\n']).next());
        let Some(name) = name.map(str::trim) else { continue };
        let single = body.matches(".entry").count() == 1
            && !body.contains(".func")
            && !body.contains("call")
            && !text[..start].contains(".shared");
        if single && !text[..start].contains(".const") {
            sources.push((name.to_owned(), body.to_owned()));
        }
    }
    ensure!(!sources.is_empty(), "no kernels to make a module of");
    let file = std::fs::File::create(path)?;
    let mut out = std::io::BufWriter::new(file);
    let mut written = String::from(".version 9.0\n.target sm_90\n.address_size 64\n");
    let mut total = 0;
    let mut n = 0;
    while total < size {
        for (name, body) in &sources {
            written.push_str(&body.replace(name.as_str(), &format!("{name}{n}")));
            n += 1;
        }
        writeln!(written)?;
        total += written.len();
        std::io::Write::write_all(&mut out, written.as_bytes())?;
        written.clear();
    }
    Ok(total)
}
