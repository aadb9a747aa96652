//! Compiles programs with gcc and nvcc, and runs them.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle::Oracle;
use raddle_sim::launch::Dim3;

use super::cross::THREADS;
use super::text::{INPUTS, OUTPUTS, device, host};
use super::tree::Program;
use crate::rng::Rng;
use crate::suites::program::Program as Suite;
use crate::suites::program::{Expected, Run, Runs, Value};

/// The host's compiler and the device's.
#[derive(Clone, Debug)]
pub struct Compilers {
    nvcc: Oracle,
}

/// Values that inputs often have.
const SPECIAL: [u64; 8] = [
    0,
    u64::MAX,
    0x8000_0000_8000_0000,
    0x7fff_ffff_7fff_ffff,
    0x3f80_0000_3f80_0000,
    0x3ff0_0000_0000_0000,
    0x0000_0001_0000_0001,
    0x7f80_0000_ff80_0000,
];

/// The inputs of a program: a function of its seed.
pub fn inputs(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed, 72);
    let word = |_| {
        let value = if rng.chance(1, 4) { *rng.pick(&SPECIAL) } else { rng.next() };
        value >> *rng.pick(&[0, 0, 0, 16, 40, 60])
    };
    (0..THREADS as usize * INPUTS).map(word).flat_map(u64::to_le_bytes).collect()
}

impl Compilers {
    /// Creates it with this nvcc and the gcc of this machine; `None` if there is no gcc.
    pub fn with(nvcc: Oracle) -> Option<Self> {
        let gcc = Command::new("gcc").arg("--version").output().is_ok_and(|out| out.status.success());
        gcc.then_some(Self { nvcc })
    }

    /// Compiles programs for the host, runs them, compiles them to PTX.
    ///
    /// # Errors
    /// The errors of a compiler.
    pub fn make(&self, programs: &[Program]) -> Result<Suite> {
        let folder = tempfile::tempdir()?;
        let outputs = outputs(programs, folder.path())?;
        let text = self.ptx(programs, folder.path())?;
        let name = programs.first().map_or_else(String::new, Program::name);
        let runs = programs.iter().zip(outputs).map(|(p, output)| run(p.seed, output)).collect();
        Ok(Suite { name, text, runs: Runs::Specified(runs) })
    }

    fn ptx(&self, programs: &[Program], folder: &Path) -> Result<String> {
        let (source, out) = (folder.join("device.cu"), folder.join("device.ptx"));
        fs::write(&source, device(programs))?;
        let shown = |path: &Path| path.display().to_string();
        let args = ["-ptx", "-O3", "-fmad=false", "-arch=compute_80", "-w", "-o", &shown(&out), &shown(&source)];
        self.nvcc.run(&args).context("nvcc")?;
        let text = fs::read_to_string(out)?;
        Ok(text.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n") + "\n")
    }
}

/// The outputs of the host.
///
/// # Errors
/// Those of gcc and of the program.
pub fn outputs(programs: &[Program], folder: &Path) -> Result<Vec<Vec<u8>>> {
    let path = |name: &str| folder.join(name);
    fs::write(path("host.c"), host(programs))?;
    fs::write(path("in"), programs.iter().flat_map(|p| inputs(p.seed)).collect::<Vec<u8>>())?;
    let options = ["-std=gnu17", "-O1", "-ffp-contract=off", "-w", "-o", "host", "host.c", "-lm"];
    let done = |what: &mut Command| -> Result<()> {
        let output = what.current_dir(folder).output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(())
    };
    done(Command::new("gcc").args(options)).context("gcc")?;
    done(Command::new(path("host")).args(["in", "out"])).context("the program of the host")?;
    let all = fs::read(path("out"))?;
    let size = THREADS as usize * OUTPUTS * 8;
    ensure!(all.len() == size * programs.len(), "the program of the host wrote {} bytes", all.len());
    Ok(all.chunks(size).map(<[u8]>::to_vec).collect())
}

/// The launch of a program with the host's output.
pub fn run(seed: u64, output: Vec<u8>) -> Run {
    let values = vec![Value::Buffer(inputs(seed)), Value::Buffer(vec![0; THREADS as usize * OUTPUTS * 8])];
    let (name, kernel) = ("as on the host".to_owned(), format!("p{seed}"));
    let (grid, block) = (Dim3::from(1), Dim3::from(THREADS));
    Run {
        name,
        kernel,
        grid,
        block,
        shared: 0,
        values,
        expected: Some(Expected { buffer: 1, bytes: output, close: Vec::new() }),
    }
}
