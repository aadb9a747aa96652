//! `cargo campaign callers [KERNEL]...`: nvcc compiles the corpus kernels, and Triton its own, with Raddle in the place of NVIDIA's tools.
//!
//! Each object of nvcc has to hold, for each architecture, the cubin that `raddle compile` makes of nvcc's PTX, byte for byte; nothing is
//! passed on to another tool. The kernels of Triton are compared with numpy by `tests/callers/with_triton.py`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use raddle_fatbin::Kind;
use raddle_filetest::oracle;
use raddle_tests::parallel;

use xtask::figures::root;

/// Architectures of the objects.
const TARGETS: [u32; 2] = [80, 90];

#[derive(clap::Args)]
pub struct Options {
    /// Kernels of the corpus; all unless given
    kernels: Vec<String>,
    /// The raddle to run; target/release/raddle unless given
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
}

/// What the runs have in common.
struct Callers {
    raddle: PathBuf,
    nvcc: PathBuf,
    /// Links to raddle under the names of the tools.
    links: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, and kernels that are not ours or not right.
pub fn run(options: Options) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let raddle = options.raddle.unwrap_or_else(|| root().join("target/release/raddle"));
    let raddle = fs::canonicalize(&raddle).with_context(|| format!("{}: cargo build --release", raddle.display()))?;
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?.path().to_owned();
    let callers = Callers { raddle, nvcc, links: folder.path().join("links") };
    callers.succeeds(Command::new(&callers.raddle).arg("install").arg("--into").arg(&callers.links))?;
    let mut kernels = options.kernels;
    if kernels.is_empty() {
        for entry in fs::read_dir(root().join("tests/corpus/kernels"))? {
            let entry = entry?;
            // Some kernels are PTX alone.
            kernels.extend(entry.file_name().into_string().ok().filter(|_| entry.path().join("k.cu").is_file()));
        }
        kernels.sort();
    }
    let outcomes = parallel::map(&kernels, |kernel| callers.kernel(kernel, &folder.path().join(kernel)));
    let mut wrong = 0;
    for (kernel, outcome) in kernels.iter().zip(outcomes) {
        if let Err(why) = outcome {
            wrong += 1;
            println!("{kernel}: {why:#}");
        }
    }
    println!("nvcc: {} of {} kernels are ours for sm_{TARGETS:?}", kernels.len() - wrong, kernels.len());
    let python = oracle::find(oracle::TRITON).context("Triton is missing: make callers")?;
    let script = root().join("tests/callers/with_triton.py");
    let text = callers.succeeds(python.command().arg(script).arg(&callers.raddle).arg(&callers.links))?;
    print!("{text}");
    ensure!(wrong == 0, "{wrong} kernels are wrong");
    Ok(())
}

impl Callers {
    /// Runs a command that has to succeed; returns what it printed.
    fn succeeds(&self, command: &mut Command) -> Result<String> {
        for tool in ["PTXAS", "NVLINK", "FATBINARY"] {
            command.env(format!("RADDLE_{tool}"), "off");
        }
        let output = command.output().with_context(|| format!("{command:?}"))?;
        if !output.status.success() {
            bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Compiles one kernel of the corpus with nvcc and by itself.
    fn kernel(&self, kernel: &str, folder: &Path) -> Result<()> {
        fs::create_dir(folder)?;
        let source = root().join("tests/corpus/kernels").join(kernel).join("k.cu");
        let mut nvcc = Command::new("bash");
        nvcc.arg(root().join("tests/callers/nvcc.sh")).arg(&self.nvcc).arg(&self.links).current_dir(folder);
        nvcc.args(["-O3", "-c", "-o", "k.o"]).arg(&source);
        for sm in TARGETS {
            nvcc.args(["-gencode", &format!("arch=compute_{sm},code=sm_{sm}")]);
        }
        self.succeeds(&mut nvcc)?;
        let object = fs::read(folder.join("k.o"))?;
        let members = raddle_fatbin::members(&object)?;
        ensure!(members.len() == TARGETS.len(), "{} members", members.len());
        for sm in TARGETS {
            let member = members.iter().find(|member| member.sm == sm && member.kind == Kind::Cubin);
            let have = member.with_context(|| format!("no cubin for sm_{sm}"))?.contents()?;
            let mut nvcc = Command::new(&self.nvcc);
            nvcc.args(["-O3", "-ptx", "-o", "k.ptx"])
                .arg(format!("-arch=compute_{sm}"))
                .arg(&source)
                .current_dir(folder);
            self.succeeds(&mut nvcc)?;
            let mut ours = Command::new(&self.raddle);
            ours.args(["compile", "k.ptx", "-o", "k.cubin", "--history", "off", "--arch", &format!("sm_{sm}")]);
            self.succeeds(ours.current_dir(folder))?;
            let want = fs::read(folder.join("k.cubin"))?;
            // A member is padded to eight bytes.
            let padding =
                have.get(want.len()..).with_context(|| format!("the cubin for sm_{sm} is shorter than ours"))?;
            ensure!(have.starts_with(&want) && padding.len() < 8, "the cubin for sm_{sm} is not ours");
        }
        Ok(())
    }
}
