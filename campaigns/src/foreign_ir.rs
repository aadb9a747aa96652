//! `cargo campaign foreign-ir --sources DIR [--sources DIR]...`: LLVM IR for NVIDIA's devices that other projects wrote: the tests
//! of LLVM's back end, and samples.
//!
//! Each file that mentions the target is compiled for one architecture with each LLVM library, as a relocatable object, so that functions
//! without a kernel count. Where our PTX exists, ptxas says what it makes of it; where LLVM refuses or ends, clang of the same version is
//! asked about the file itself. No file of a project is stored here: [`PINS`] names what was read, by a hash. A crash, an internal error, a
//! hang, and a refusal of what the others accept without a row in [`KNOWN`] is a fault.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use raddle_filetest::oracle::Oracle;
use raddle_filetest::{llvm, oracle};
use raddle_tests::suites::sources::Files;
use regex::Regex;
use xtask::figures::{self, root};

use crate::arguments::folder;

const COMMAND: &str = "cargo campaign foreign-ir --sources LLVM --sources SAMPLES";
const ARCH: &str = "sm_90";
/// No file takes a tenth of it.
const LIMIT: Duration = Duration::from_secs(120);
/// The folders of a checkout that are read.
const WANTED: [&str; 2] = ["/NVPTX/", "libNVVM/"];

/// A checkout whose files were read: project, commit, licence, hash of the files.
const PINS: [(&str, &str, &str, &str); 2] = [
    ("llvm/llvm-project", "llvmorg-19.1.7", "Apache-2.0 WITH LLVM-exception", "9a6a00742c8aafbe1793afb886649df9"),
    (
        "NVIDIA/cuda-samples",
        "c94ff366aed18c797b8a85dfaac7817b0228b420",
        "BSD-3-Clause",
        "8b46be87e81d022e92abf398227f730f",
    ),
];

/// The version of LLVM that clang has.
const CLANG: u32 = 19;

/// Refusals of ours that the others do not share: a part of the message, and why.
const KNOWN: [(&str, &str); 3] = [
    ("error[E0101]: expected a directive", "a file of comments alone is not known as LLVM IR"),
    ("error[E0033]: variable", "an address at an odd place of a packed variable is unsupported"),
    ("this LLVM has no intrinsic", "others make a call of a function that nothing defines"),
];

#[derive(clap::Args)]
pub struct Options {
    /// Checkout of a project, or a part of one
    #[arg(long, value_name = "DIR", value_parser = folder, required = true)]
    sources: Vec<PathBuf>,
    /// The raddle to run [default: the release build of this tree]
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Only files whose name contains this
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    /// Record the figures
    #[arg(long)]
    record: bool,
}

/// What became of a file with a library, for the counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    /// Compiled, and ptxas takes the PTX.
    Compiled,
    /// Compiled, and ptxas refuses the PTX, with this message.
    PtxasRefuses(String),
    /// LLVM refuses the file, or ends: clang, too.
    Llvm(String),
    /// Refused before LLVM runs, with this message: another target, or what device code cannot have.
    Input(String),
    /// LLVM's PTX is refused, by ptxas as well.
    Ptx(String),
    /// Refused, where the others accept.
    Alone(String),
    /// A crash, an internal error, or a hang.
    Fault(String),
}

/// Runs the command.
///
/// # Errors
/// Missing tools, and faults.
pub fn run(options: Options) -> Result<()> {
    let raddle = options.raddle.clone().unwrap_or_else(|| root().join("target/release/raddle"));
    let raddle = fs::canonicalize(&raddle).with_context(|| format!("{}: cargo build --release", raddle.display()))?;
    let libraries: Vec<(u32, PathBuf)> =
        llvm::VERSIONS.iter().filter_map(|&major| Some((major, llvm::find(major)?))).collect();
    ensure!(libraries.len() == llvm::VERSIONS.len(), "LLVM {:?} are needed", llvm::VERSIONS);
    let tools = Tools {
        raddle,
        clang: oracle::find("clang-19").context("clang-19 is missing")?,
        ptxas: oracle::find("ptxas").context("ptxas is missing: make oracles")?,
        libdevice: oracle::libdevice().context("libdevice is missing: make oracles")?,
        folder: tempfile::tempdir()?,
    };
    let begun = Instant::now();
    let (mut counts, mut projects, mut pinned, mut number) = (BTreeMap::new(), Vec::new(), true, 0);
    for checkout in &options.sources {
        let mut files = Files::read(checkout, |path| {
            path.ends_with(".ll") && WANTED.iter().any(|part| format!("/{path}").contains(part))
        })?;
        files.0.retain(|_, bytes| String::from_utf8_lossy(bytes).contains("nvptx"));
        let hash = files.hash();
        let pin = PINS.iter().find(|pin| pin.3 == hash);
        pinned &= pin.is_some();
        let name = pin.map_or_else(|| format!("other files, hash {hash}"), |pin| format!("{} {}", pin.0, pin.1));
        println!("{}: {} files of {name}", checkout.display(), files.0.len());
        projects.push(name);
        for (path, bytes) in &files.0 {
            if options.only.as_ref().is_some_and(|part| !path.contains(part)) {
                continue;
            }
            number += 1;
            for (major, library) in &libraries {
                let seen = tools.judge(bytes, *major, library).with_context(|| path.clone())?;
                if let Seen::Fault(what) | Seen::Alone(what) = &seen {
                    println!("{path}, LLVM {major}: {what}");
                }
                *counts.entry((seen, *major)).or_insert(0usize) += 1;
            }
        }
    }
    report(&counts, number, begun.elapsed());
    let of = |kind: fn(&Seen) -> bool| counts.iter().filter(|((seen, _), _)| kind(seen)).map(|(_, n)| n).sum::<usize>();
    let faults = of(|seen| matches!(seen, Seen::Fault(_) | Seen::Alone(_)));
    if options.record {
        ensure!(pinned && options.only.is_none(), "--record is for the files of the table");
        let note = format!(
            "with LLVM {:?} for {ARCH}: {} compiled, {} refused by LLVM or clang too, {} for another target or what \
             device code cannot have, {} whose PTX ptxas refuses too; {}",
            llvm::VERSIONS,
            of(|seen| matches!(seen, Seen::Compiled | Seen::PtxasRefuses(_))),
            of(|seen| matches!(seen, Seen::Llvm(_))),
            of(|seen| matches!(seen, Seen::Input(_))),
            of(|seen| matches!(seen, Seen::Ptx(_))),
            projects.join(", ")
        );
        figures::record("ir.foreign", number as f64, COMMAND, &note)?;
        figures::record("ir.foreign.faults", faults as f64, COMMAND, "")?;
    }
    if faults > 0 {
        bail!("{faults} faults");
    }
    Ok(())
}

fn report(counts: &BTreeMap<(Seen, u32), usize>, files: usize, took: Duration) {
    println!("{files} files in {:.0} s", took.as_secs_f64());
    for ((seen, major), count) in counts {
        let (kind, what) = match seen {
            Seen::Compiled => ("compiled, ptxas takes the PTX", ""),
            Seen::PtxasRefuses(what) => ("compiled, ptxas refuses the PTX", what.as_str()),
            Seen::Llvm(what) => ("LLVM refuses", what.as_str()),
            Seen::Input(what) => ("refused", what.as_str()),
            Seen::Ptx(what) => ("the PTX is refused, by ptxas too", what.as_str()),
            Seen::Alone(what) => ("REFUSED ALONE", what.as_str()),
            Seen::Fault(what) => ("FAULT", what.as_str()),
        };
        println!("{count:5}  LLVM {major}: {kind}{}{what}", if what.is_empty() { "" } else { ": " });
    }
}

struct Tools {
    raddle: PathBuf,
    clang: Oracle,
    ptxas: Oracle,
    libdevice: PathBuf,
    folder: tempfile::TempDir,
}

impl Tools {
    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Compiles a file with a library; what became of it.
    fn judge(&self, bytes: &[u8], major: u32, library: &Path) -> Result<Seen> {
        fs::write(self.path("k.ll"), bytes)?;
        let object = ["-c", "-o", &self.path("k.cubin")].map(str::to_owned);
        let ran = self.raddle(library, &object)?;
        let Some(ran) = ran else { return Ok(Seen::Fault("it does not end".to_owned())) };
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        let first = said.lines().find(|line| line.starts_with("error") || line.starts_with("fatal"));
        let message = general(first.unwrap_or("no message"));
        Ok(match ran.status.code() {
            Some(0) => match self.ptxas(library)? {
                Some(Err(what)) => Seen::PtxasRefuses(what),
                _ => Seen::Compiled,
            },
            // LLVM ended its process, or says why not.
            Some(1 | 4) if said.contains("error[E0093]") || said.contains("error[E0092]") => match self.clang()? {
                Err(_) => Seen::Llvm(message),
                Ok(()) if is_of_input(&message) => Seen::Input(message),
                // Another version of LLVM may end where this one does not.
                Ok(()) if said.contains("error[E0093]") && major != CLANG => Seen::Llvm(message),
                Ok(()) => excused(message),
            },
            Some(1 | 3) => match self.ptxas(library)? {
                Some(Err(what)) => Seen::Ptx(format!("{message}; ptxas: {what}")),
                _ => excused(message),
            },
            Some(_) | None => Seen::Fault(message),
        })
    }

    /// Runs `raddle compile`; `None` if it does not end.
    fn raddle(&self, library: &Path, more: &[String]) -> Result<Option<Output>> {
        let mut command = Command::new("timeout");
        command.arg(LIMIT.as_secs().to_string()).arg(&self.raddle).args([
            "compile",
            &self.path("k.ll"),
            "--arch",
            ARCH,
        ]);
        command
            .arg("--llvm")
            .arg(library)
            .arg("--libdevice")
            .arg(&self.libdevice)
            .args(["--history", "off"])
            .args(more);
        let output = command.output()?;
        Ok((output.status.code() != Some(124)).then_some(output))
    }

    /// The verdict of ptxas on the PTX of a library; `None` where there is no PTX.
    fn ptxas(&self, library: &Path) -> Result<Option<Result<(), String>>> {
        let ptx = ["-c", "--emit", "ptx", "-o", &self.path("k.ptx")].map(str::to_owned);
        let made = self.raddle(library, &ptx)?.is_some_and(|ran| ran.status.success());
        made.then(|| self.assembled("k.ptx")).transpose()
    }

    /// The verdict of ptxas on a file.
    fn assembled(&self, ptx: &str) -> Result<Result<(), String>> {
        let (arch, out) = (format!("-arch={ARCH}"), self.path("k.o"));
        let output = self.ptxas.output(&["-c", &arch, "-o", &out, &self.path(ptx)])?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let first = said.lines().find(|line| line.contains("error") || line.contains("fatal")).unwrap_or("no message");
        Ok(if output.status.success() { Ok(()) } else { Err(general(first)) })
    }

    /// The verdict of clang on the file: whether it makes PTX of it, and ptxas code of that.
    fn clang(&self) -> Result<Result<(), String>> {
        let (arch, out) = (format!("-march={ARCH}"), self.path("c.ptx"));
        let target = "--target=nvptx64-nvidia-cuda";
        let args = ["-x", "ir", target, &arch, "-O2", "-S", "-Wno-override-module", "-o", &out, &self.path("k.ll")];
        let output = self.clang.output(&args)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            self.assembled("c.ptx")
        } else {
            Ok(Err(general(said.lines().next().unwrap_or_default())))
        }
    }
}

/// A refusal that a row explains.
fn excused(message: String) -> Seen {
    match KNOWN.iter().find(|row| message.contains(row.0)) {
        Some(row) => Seen::Input(format!("{message} ({})", row.1)),
        None => Seen::Alone(message),
    }
}

/// Whether an input is refused for what it says about its target, or has what device code cannot have.
fn is_of_input(message: &str) -> bool {
    let words = ["its data layout is that of another machine", "32-bit device code", "device code has the triple"];
    words.iter().any(|word| message.contains(word)) || message.contains("constructors and destructors")
}

/// A message without names, paths and numbers of lines.
fn general(message: &str) -> String {
    let quoted = Regex::new(r"'[^']*'|`[^`]*`|(/[\w.+-]+)+(:\d+)*|, line \d+").expect("a pattern");
    let text = quoted.replace_all(message, "X").into_owned();
    text.chars().take(120).collect()
}
