//! `cargo xtask objects [STEP]`: what ptxas writes for the corpus, read into the model and written back, byte for byte.
//!
//! Every STEPth module of snippets and producers (1 unless given), for every target, executable, relocatable, with line
//! information, and without optimisation. Modules that ptxas refuses for a target are not counted.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_filetest::oracle;

use crate::coverage;
use crate::figures::{self, root};

const TARGETS: &[&str] = &["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"];
const MODES: &[&[&str]] = &[&[], &["-c"], &["-lineinfo"], &["-O0"]];

/// Runs the campaign and records `object.writeback`.
///
/// # Errors
/// No ptxas, and any file that does not come back as it was.
pub fn run(args: &[String]) -> Result<()> {
    let step: usize = args.first().map_or(Ok(1), |s| s.parse()).context("STEP")?;
    let ptxas = oracle::find("ptxas").context("ptxas is missing: make oracles")?;
    let folder = tempfile::tempdir()?;
    let (input, output) = (folder.path().join("in.ptx"), folder.path().join("out.cubin"));
    let (mut same, mut differing) = (0usize, Vec::new());
    for path in sources()?.iter().step_by(step.max(1)) {
        let text = fs::read_to_string(path)?;
        let Some(line) = text.lines().find(|l| l.starts_with(".target")) else { continue };
        for arch in TARGETS {
            fs::write(&input, text.replacen(line, &format!(".target {arch}"), 1))?;
            for mode in MODES {
                let mut command = ptxas.command();
                command.arg(format!("-arch={arch}")).args(*mode).arg(&input).arg("-o").arg(&output);
                if !command.output()?.status.success() {
                    continue;
                }
                let bytes = fs::read(&output)?;
                let place = format!("{} for {arch} {}", path.display(), mode.join(" "));
                match Cubin::parse(&bytes).map_err(|e| e.to_string()).and_then(|c| c.write().map_err(|e| e.to_string()))
                {
                    Ok(written) if written == bytes => same += 1,
                    Ok(_) => differing.push(format!("{place}: not the same bytes")),
                    Err(e) => differing.push(format!("{place}: {e}")),
                }
            }
        }
    }
    let total = same + differing.len();
    ensure!(total > 0, "ptxas accepted nothing");
    println!("{same} of {total} files of ptxas are written back byte for byte");
    let command = format!("cargo xtask objects {step}");
    figures::record(
        "object.writeback",
        100.0 * same as f64 / total as f64,
        &command,
        &format!("{same} of {total} files"),
    )?;
    ensure!(differing.is_empty(), "{}", differing.join("\n"));
    Ok(())
}

/// Every PTX file of the corpus' snippets and producers, sorted.
fn sources() -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for folder in ["producers", "snippets"] {
        coverage::files(&root().join("tests/corpus").join(folder), &mut out)?;
    }
    Ok(out)
}
