//! Runs a launch in interpreter and simulator, and compares the results with each other and with
//! the reference.

use crate::simulator;
use anyhow::{Context, Result, anyhow, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::info::{Attribute, Value, code};
use raddle_sim::{hazard_check, interp};
use raddle_target::Target;

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
    simulator::run(cubin, &setup.launch, &mut setup.memory).context("simulator")?;
    setup.results(launch).context("simulator")
}

/// Checks that two runs left the same bits in every output.
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

/// Runs the static checker on every function of a cubin: it shares no code with the simulator's
/// tracker and covers the paths that no launch takes.
///
/// # Errors
/// Everything that it reports.
pub fn static_hazards(cubin: &[u8], arch: &str) -> Result<()> {
    let isa = Target::by_name(arch).and_then(|t| t.native.as_ref()).context("a target with machine code")?.isa;
    let cubin = Cubin::parse(cubin)?;
    for function in cubin.functions() {
        let code = hazard_check::instructions(isa, function.code).map_err(|at| anyhow!("no word at {at:#x}"))?;
        let wrong = hazard_check::check_with(isa, &code, &jumps(cubin.attributes(function.name)));
        ensure!(wrong.is_empty(), "static check: {}", wrong.join("; "));
    }
    Ok(())
}

/// The targets of the indirect branches of a function, from its attributes: offset, zero, number of
/// targets, targets.
fn jumps(attributes: &[Attribute]) -> hazard_check::Jumps {
    let mut jumps = hazard_check::Jumps::new();
    for attribute in attributes.iter().filter(|a| a.code == code::INDIRECT_BRANCH_TARGETS) {
        let Value::Words(words) = &attribute.value else { continue };
        let mut rest = &words[..];
        while let [offset, _, count, tail @ ..] = rest {
            let (targets, next) = tail.split_at(tail.len().min(*count as usize));
            jumps.insert(*offset as usize / 16, targets.iter().map(|t| *t as usize / 16).collect());
            rest = next;
        }
    }
    jumps
}

/// The expected results of every launch of a kernel, by interpreter and reference: computed once,
/// for any number of cubins.
#[derive(Clone, Debug)]
pub struct Expected {
    /// For each launch, the results of the interpreter and of the reference.
    launches: Vec<(Args, Args)>,
}

impl Expected {
    /// Runs the text of a kernel in the interpreter, and the reference.
    ///
    /// # Errors
    /// A launch that fails.
    pub fn of(kernel: &Kernel, ptx: &str) -> Result<Self> {
        let of = |launch: &Launch| -> Result<(Args, Args)> {
            let interpreted = interpret(ptx, &kernel.entry, launch);
            let interpreted = interpreted.with_context(|| format!("launch \"{}\"", launch.name))?;
            Ok((interpreted, kernel.reference(launch)?))
        };
        Ok(Self { launches: kernel.launches.iter().map(of).collect::<Result<_>>()? })
    }

    /// Checks a cubin of our compiler: the static checker finds nothing, and [`Expected::run`]
    /// agrees.
    ///
    /// # Errors
    /// The findings of the checker, or the first launch that does not agree.
    pub fn judge(&self, kernel: &Kernel, cubin: &[u8], arch: &str) -> Result<()> {
        static_hazards(cubin, arch)?;
        self.run(kernel, cubin)
    }

    /// Checks a cubin of any compiler: on every launch the simulator gives the bits of the
    /// interpreter and the results of the reference, without a hazard.
    ///
    /// # Errors
    /// The first launch that does not agree.
    pub fn run(&self, kernel: &Kernel, cubin: &[u8]) -> Result<()> {
        for (launch, (interpreted, reference)) in kernel.launches.iter().zip(&self.launches) {
            let name = || format!("launch \"{}\"", launch.name);
            let simulated = simulate(cubin, &kernel.entry, launch).with_context(name)?;
            same_bits(&simulated, interpreted).with_context(name)?;
            simulated.compare(reference).context("against the reference").with_context(name)?;
        }
        Ok(())
    }
}
