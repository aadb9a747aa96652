//! One launch by each way there is, and whether the results agree.

use anyhow::{Context, Result, ensure};
use raddle_sim::{interp, machine};

use crate::kernel::{Args, Kernel, Launch};
use crate::run;

/// The four architectures of the corpus.
pub const ARCHS: &[&str] = &["sm_80", "sm_86", "sm_89", "sm_90"];

/// Runs PTX text in the interpreter.
///
/// # Errors
/// A failure of the run, with instruction and place, and undefined bits in a buffer.
pub fn interpret(ptx: &str, entry: &str, launch: &Launch) -> Result<Args> {
    let mut setup = run::setup(entry, launch);
    interp::run(ptx, &setup.launch, &mut setup.memory).context("interpreter")?;
    setup.results(launch).context("interpreter")
}

/// Runs a cubin in the simulator; hazards, races and stray accesses are failures.
///
/// # Errors
/// As [`interpret`].
pub fn simulate(cubin: &[u8], entry: &str, launch: &Launch) -> Result<Args> {
    let mut setup = run::setup(entry, launch);
    machine::run(cubin, &setup.launch, &mut setup.memory).context("simulator")?;
    setup.results(launch).context("simulator")
}

/// Whether two runs left the same bits in every output.
///
/// # Errors
/// The first byte that differs.
pub fn same_bits(got: &Args, want: &Args) -> Result<()> {
    for (got, want) in got.0.iter().zip(&want.0).filter(|(_, want)| want.is_output()) {
        let size = want.ty.size();
        let first = got.bytes.chunks(size).zip(want.bytes.chunks(size)).position(|(g, w)| g != w);
        let Some(at) = first else { continue };
        let element = |bytes: &[u8]| format!("{:02x?}", &bytes[at * size..(at + 1) * size]);
        let count = got.bytes.chunks(size).zip(want.bytes.chunks(size)).filter(|(g, w)| g != w).count();
        let (g, w, name) = (element(&got.bytes), element(&want.bytes), &want.name);
        ensure!(false, "simulator and interpreter differ: {name}[{at}] is {g}, not {w}; {count} elements");
    }
    Ok(())
}

/// Runs a cubin on every launch of a kernel: the simulator gives the bits of the interpreter, and what the reference computes.
///
/// # Errors
/// The first launch that does not agree.
pub fn judge(kernel: &Kernel, ptx: &str, cubin: &[u8]) -> Result<()> {
    for launch in &kernel.launches {
        let name = || format!("launch \"{}\"", launch.name);
        let simulated = simulate(cubin, &kernel.entry, launch).with_context(name)?;
        let interpreted = interpret(ptx, &kernel.entry, launch).with_context(name)?;
        same_bits(&simulated, &interpreted).with_context(name)?;
        simulated.compare(&kernel.reference(launch)?).context("against the reference").with_context(name)?;
    }
    Ok(())
}
