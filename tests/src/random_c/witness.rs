//! A third witness for programs of several translation units: clang, ptxas and nvlink.
//!
//! Problem: gcc on the host is the only reference of these programs, and their device code differs
//! from the host's in what only devices have. Strategy: clang compiles each unit to PTX, ptxas to a
//! relocatable object, nvlink links; the simulator runs the result. That tool chain fails in ways of
//! its own, which are counted by kind ([`Kind`]) and are no differences of our code.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, Selection};
use raddle_driver::request::Request;
use raddle_filetest::oracle::{Oracle, OracleError};
use raddle_sim::failure::{Failure, FailureKind};
use raddle_sim::machine::Setup;
use raddle_target::Target;

use super::make::run;
use super::tree::Program;
use super::units::sources;

/// The other tool chain.
#[derive(Clone, Debug)]
pub struct Witness {
    /// clang 19.
    pub clang: Oracle,
    /// ptxas.
    pub ptxas: Oracle,
    /// nvlink.
    pub nvlink: Oracle,
    /// The device library.
    pub libdevice: PathBuf,
}

/// What became of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Its results are those of the host.
    Agrees,
    /// clang refuses a unit.
    Clang,
    /// ptxas refuses a unit.
    Ptxas,
    /// A signal ended ptxas.
    PtxasCrash,
    /// nvlink refuses the objects.
    Nvlink,
    /// A signal ended nvlink.
    NvlinkCrash,
    /// The simulator does not have an instruction, or cannot load the cubin.
    Unsupported,
    /// The simulator calls a distance between instructions, or a value, unsafe.
    Unsafe,
    /// The simulator stops for another reason: a stray access, a race, a deadlock.
    Stopped,
    /// Its results are those of the host, if the lanes of a call come together where it returns: no
    /// instruction brings them together, and the code after the call assumes that they are.
    Parted,
    /// Its results are those of the host, if lanes that wait at a convergence barrier leave the
    /// regions inside its own, where others wait for them in vain: there is no `BREAK` on their way
    /// out, or it runs while others are in a function, which saves the barrier and restores it as it
    /// was.
    Unbroken,
    /// The results differ from the host's, and our code of the same PTX agrees with the host.
    Differs,
    /// The results differ from the host's, and our code of the same PTX gives other results, too:
    /// what clang makes of the program is in doubt.
    DiffersInPtx,
}

impl Kind {
    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Agrees => "agree",
            Kind::Clang => "clang refuses",
            Kind::Ptxas => "ptxas refuses",
            Kind::PtxasCrash => "ptxas crashes",
            Kind::Nvlink => "nvlink refuses",
            Kind::NvlinkCrash => "nvlink crashes",
            Kind::Unsupported => "not in the simulator",
            Kind::Unsafe => "unsafe for the simulator",
            Kind::Stopped => "stopped by the simulator",
            Kind::Parted => "agree only if calls converge",
            Kind::Unbroken => "agree only if lanes leave the regions that they are out of",
            Kind::Differs => "differ where our code of the same PTX agrees",
            Kind::DiffersInPtx => "differ as our code of the same PTX does",
        }
    }

    /// Whether it is a limit or a defect of ours until it is explained.
    pub fn is_unexplained(self) -> bool {
        matches!(self, Kind::Unsupported | Kind::Unsafe | Kind::Stopped)
    }
}

/// The verdict on one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The seed of the program.
    pub seed: u64,
    /// What became of it.
    pub kind: Kind,
    /// What a tool said; empty for agreement.
    pub what: String,
    /// The PTX of each unit, where the tools took it and the results do not agree.
    pub ptx: Vec<String>,
}

/// The numbers of verdicts of each kind, with the first text of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<Kind, (usize, String)>);

impl Counts {
    /// Counts a verdict.
    pub fn add(&mut self, verdict: &Verdict) {
        let first = || (0, format!("seed {}: {}", verdict.seed, verdict.what));
        self.0.entry(verdict.kind).or_insert_with(first).0 += 1;
    }

    /// How many are of a kind.
    pub fn of(&self, kind: Kind) -> usize {
        self.0.get(&kind).map_or(0, |(count, _)| *count)
    }

    /// The kinds that there are.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.0.keys().copied()
    }

    /// All numbers on one line, such as `40 agree, 2 ptxas refuses`.
    pub fn text(&self) -> String {
        let one = |(kind, (count, _)): (&Kind, &(usize, String))| format!("{count} {}", kind.name());
        self.0.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// The first text of each kind but agreement.
    pub fn examples(&self) -> Vec<String> {
        let failed = self.0.iter().filter(|(kind, _)| **kind != Kind::Agrees);
        failed.map(|(kind, (_, first))| format!("{}: {first}", kind.name())).collect()
    }
}

/// How a tool failed.
type Refusal = (Kind, String);

/// What the tools make.
struct Made {
    cubin: Vec<u8>,
    /// The PTX of each unit.
    ptx: Vec<String>,
}

/// What our compiler makes of the PTX of units.
fn ours(ptx: &[String], arch: &str) -> Result<Vec<u8>, String> {
    let input =
        |(n, text): (usize, &String)| Input { name: format!("unit{n}.ptx"), content: Content::Text(text.clone()) };
    let request = Request {
        inputs: ptx.iter().enumerate().map(input).collect(),
        selection: Selection { arch: Target::by_name(arch), ..Selection::default() },
        codegen: CodegenOptions { opt: OptLevel::O3, fmad: false, ..CodegenOptions::default() },
        ..Request::default()
    };
    let report = compile(request, &mut ());
    let first = report.diags.iter().find(|diagnostic| diagnostic.is_error());
    report.cubin.ok_or_else(|| first.map_or_else(|| "no output".to_owned(), |error| error.message.clone()))
}

impl Witness {
    /// Compiles programs as `units` translation units at -O3 for one architecture, runs them, and
    /// compares the results with those of the host.
    ///
    /// # Errors
    /// Trouble with files, or a tool that cannot be started.
    pub fn judge(&self, programs: &[Program], expected: &[Vec<u8>], units: usize, arch: &str) -> Result<Vec<Verdict>> {
        let made = self.make(programs, units, arch)?;
        let judge = |(program, output): (&Program, &Vec<u8>)| {
            let checked_if = |cubin: &[u8], (calls_converge, regions_are_left): (bool, bool)| {
                let run = run(program.seed, output.clone());
                let left = run.simulate_with(cubin, Setup { calls_converge, regions_are_left, ..Setup::default() });
                let left = left.map_err(|failure| (kind_of(&failure), failure.to_string()))?;
                let same = run.expected.as_ref().map_or(Ok(()), |expected| expected.check(&left));
                same.map_err(|error| (Kind::Differs, format!("{error:#}")))
            };
            let checked = |cubin: &[u8]| checked_if(cubin, (false, false));
            let (kind, what) = match &made {
                Err(refusal) => refusal.clone(),
                Ok(made) => match checked(&made.cubin) {
                    Ok(()) => (Kind::Agrees, String::new()),
                    Err((kind, what)) => {
                        let right_if = |how| kind != Kind::Unsupported && checked_if(&made.cubin, how).is_ok();
                        let ways = [
                            ((true, false), Kind::Parted),
                            ((false, true), Kind::Unbroken),
                            ((true, true), Kind::Unbroken),
                        ];
                        let way = ways.into_iter().find(|&(how, _)| right_if(how));
                        (way.map_or(kind, |(_, explained)| explained), what)
                    }
                },
            };
            let seed = program.seed;
            let Some(made) = made.as_ref().ok().filter(|_| kind != Kind::Agrees) else {
                return Verdict { seed, kind, what, ptx: Vec::new() };
            };
            if kind != Kind::Differs {
                return Verdict { seed, kind, what, ptx: made.ptx.clone() };
            }
            // Our code of the same PTX says whether it is the PTX.
            let ours = ours(&made.ptx, arch).and_then(|cubin| checked(&cubin).map_err(|(_, what)| what));
            let (kind, what) = match ours {
                Ok(()) => (kind, what),
                Err(other) => (Kind::DiffersInPtx, format!("{what}; ours: {other}")),
            };
            Verdict { seed, kind, what, ptx: made.ptx.clone() }
        };
        Ok(programs.iter().zip(expected).map(judge).collect())
    }

    fn make(&self, programs: &[Program], units: usize, arch: &str) -> Result<Result<Made, Refusal>> {
        let folder = tempfile::tempdir()?;
        let shown = |path: &Path| path.display().to_string();
        let libdevice = shown(&self.libdevice);
        let (mut ptx, mut objects) = (Vec::new(), Vec::new());
        for (n, text) in sources(programs, units).into_iter().enumerate() {
            let at = |end: &str| folder.path().join(format!("unit{n}.{end}"));
            // clang's evaluation of `__nvvm_reflect` makes an approximation of the function of
            // libdevice.
            fs::write(at("cu"), text.replace("#define sqrtf __nv_sqrtf\n", "#define sqrtf __nvvm_sqrt_rn_f\n"))?;
            let fixed = "-x cuda --cuda-device-only -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx78 \
                         -D__CUDACC__ -ffp-contract=off -fgpu-rdc -w -O3 -S -Xclang -mlink-builtin-bitcode -Xclang";
            let mut args: Vec<String> = fixed.split_whitespace().map(str::to_owned).collect();
            args.extend([libdevice.clone(), format!("--cuda-gpu-arch={arch}"), "-o".into()]);
            args.extend([shown(&at("ptx")), shown(&at("cu"))]);
            if let Some(refused) = refusal(&self.clang, &args, (Kind::Clang, Kind::Clang))? {
                return Ok(Err(refused));
            }
            let mut args: Vec<String> = ["-c", "-O3", "--fmad=false", "-o"].map(str::to_owned).to_vec();
            args.extend([shown(&at("o.cubin")), format!("-arch={arch}"), shown(&at("ptx"))]);
            if let Some(refused) = refusal(&self.ptxas, &args, (Kind::Ptxas, Kind::PtxasCrash))? {
                return Ok(Err(refused));
            }
            objects.push(shown(&at("o.cubin")));
            ptx.push(fs::read_to_string(at("ptx"))?);
        }
        let out = folder.path().join("out.cubin");
        let mut args = vec![format!("-arch={arch}"), "-o".into(), shown(&out)];
        args.extend(objects);
        if let Some(refused) = refusal(&self.nvlink, &args, (Kind::Nvlink, Kind::NvlinkCrash))? {
            return Ok(Err(refused));
        }
        Ok(Ok(Made { cubin: fs::read(out)?, ptx }))
    }
}

/// Runs a tool; what it says if it fails, with the kind for a refusal or a crash.
fn refusal(tool: &Oracle, args: &[String], (refuses, crashes): (Kind, Kind)) -> Result<Option<Refusal>> {
    match tool.run(args) {
        Ok(_) => Ok(None),
        Err(OracleError::Failed { status, stderr, .. }) => {
            let kind = if status.contains("signal") { crashes } else { refuses };
            let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
            let first = stderr.lines().find(|line| line.contains("error") || line.contains("fatal"));
            Ok(Some((kind, format!("{status}: {}", words(first.or(stderr.lines().next()).unwrap_or_default())))))
        }
        Err(error) => Err(error.into()),
    }
}

fn kind_of(failure: &Failure) -> Kind {
    match *failure.kind {
        FailureKind::Unsupported(_) | FailureKind::Load(_) => Kind::Unsupported,
        FailureKind::Hazard(_)
        | FailureKind::UndefinedAddress
        | FailureKind::UndefinedBranch
        | FailureKind::UndefinedGuard
        | FailureKind::UndefinedOutput { .. }
        | FailureKind::UndefinedOperand(_) => Kind::Unsafe,
        _ => Kind::Stopped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_counted_by_kind() {
        let mut counts = Counts::default();
        for (seed, kind, what) in [(1, Kind::Agrees, ""), (2, Kind::Ptxas, "first"), (3, Kind::Ptxas, "second")] {
            counts.add(&Verdict { seed, kind, what: what.to_owned(), ptx: Vec::new() });
        }
        assert_eq!(counts.text(), "1 agree, 2 ptxas refuses");
        assert_eq!((counts.of(Kind::Ptxas), counts.of(Kind::Differs)), (2, 0));
        assert_eq!(counts.examples(), ["ptxas refuses: seed 2: first"]);
    }
}
