//! PTX that was once compiled wrongly or not at all, tested with interpreter and our code at every
//! level.
//!
//! A file of `corpus/regressions` has the launch in comments: `// launch: grid=1 block=32
//! shared=0`, and for every run a line `// args:` with one word for each parameter: `in:BYTES` and
//! `inout:BYTES` for a buffer of random bytes, `out:BYTES` for one of zeros, `data:BYTES` for a
//! random value of that size, else a value in the format of `raddle run`. `// races: off` allows
//! races between threads. `// expect:` lists the first 32-bit words of the first output of the
//! first run, for cases in which the interpreter had the same defect. Without a line of arguments,
//! a file is only compiled. `// ptxas: runs` requires that the code of ptxas gives the same in the
//! simulator, at every level and on every architecture; without ptxas, that is a counted skip.

use crate::simulator;
use anyhow::{Context, Result, anyhow, ensure};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch, OnFinding};
use raddle_sim::mem::{AllocId, Memory};

use crate::judge::{ARCHS, static_hazards};
use crate::kernel::corpus;
use crate::level::{Level, number, row};
use crate::ptxas::Assembler;
use crate::random::judge::compile;
use crate::rng::Rng;
use crate::simulate::retarget;

/// The most steps of a run.
const STEPS: u64 = 1 << 24;

/// A file of the corpus.
#[derive(Clone, Debug)]
pub struct Regression {
    /// Name of the file without its suffix.
    pub name: String,
    /// The module.
    pub text: String,
}

/// Returns all of them, in the order of their names.
///
/// # Errors
/// An unreadable corpus.
pub fn all() -> Result<Vec<Regression>> {
    of_folder("regressions")
}

/// The modules of a folder of the corpus, in the order of their names.
pub(crate) fn of_folder(folder: &str) -> Result<Vec<Regression>> {
    let files = std::fs::read_dir(corpus().join(folder))?.map(|file| file.map(|file| file.path()));
    let mut files: Vec<_> = files.collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|end| end == "ptx"));
    files.sort();
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str()).context("a file of the corpus has a name")?;
        Ok(Regression { name: name.to_owned(), text: std::fs::read_to_string(&path)? })
    };
    files.into_iter().map(read).collect()
}

impl Regression {
    /// The values after a keyword in the comments, line by line.
    pub(crate) fn lines(&self, word: &str) -> impl Iterator<Item = &str> {
        self.text
            .lines()
            .filter_map(move |l| l.strip_prefix("// ")?.strip_prefix(word)?.strip_prefix(':'))
            .map(str::trim)
    }

    /// Memory, launch and outputs of a run.
    fn prepare(&self, args: &str) -> Result<(Memory, Launch, Vec<AllocId>)> {
        let mut launch = Launch::new(&self.entry()?);
        for part in self.lines("launch").flat_map(str::split_whitespace) {
            let (key, value) = part.split_once('=').context("a launch is made of key=value")?;
            let n: Vec<u32> = value.split(',').map(str::parse).collect::<Result<_, _>>()?;
            let at = |i: usize| n.get(i).copied().unwrap_or(1);
            match key {
                "grid" => launch.grid = Dim3::new(at(0), at(1), at(2)),
                "block" => launch.block = Dim3::new(at(0), at(1), at(2)),
                "shared" => launch.dyn_shared = at(0),
                _ => return Err(anyhow!("{key} is not known of a launch")),
            }
        }
        if self.lines("races").any(|l| l == "off") {
            launch.races = OnFinding::Off;
        }
        launch.max_steps = STEPS;
        let (mut memory, mut outputs) = (Memory::new(), Vec::new());
        for (n, word) in args.split_whitespace().enumerate() {
            let (kind, size) = word.split_once(':').unwrap_or((word, ""));
            if !matches!(kind, "in" | "out" | "inout" | "data") {
                launch.args.push(Arg::parse(word)?);
                continue;
            }
            let mut rng = Rng::new(number(&self.name) as u64, n as u64);
            let byte = |_| if kind == "out" { 0 } else { rng.next() as u8 };
            let bytes = (0..size.parse::<usize>()?).map(byte).collect();
            if kind == "data" {
                launch.args.push(Arg::Value(bytes));
                continue;
            }
            let id = memory.add(format!("{n}"), bytes, true);
            if kind != "in" {
                outputs.push(id);
            }
            launch.args.push(Arg::Buffer(id));
        }
        Ok((memory, launch, outputs))
    }

    fn entry(&self) -> Result<String> {
        let at = self.text.find(".entry").context("no kernel")?;
        let name = self.text[at + 6..].trim_start();
        let end = name.find(|c: char| !(c.is_alphanumeric() || "_$%".contains(c))).unwrap_or(name.len());
        Ok(name[..end].to_owned())
    }

    /// Runs the module by `run` and returns its outputs.
    pub(crate) fn run<E: Into<anyhow::Error>>(
        &self,
        args: &str,
        run: impl FnOnce(&Launch, &mut Memory) -> Result<(), E>,
    ) -> Result<Vec<Vec<u8>>> {
        let (mut memory, launch, outputs) = self.prepare(args)?;
        run(&launch, &mut memory).map_err(Into::into)?;
        outputs.iter().map(|id| memory.read_back(*id).map(<[u8]>::to_vec).map_err(|e| anyhow!("{e}"))).collect()
    }

    /// Compares our code of each level with the interpreter, on all architectures of the module.
    ///
    /// # Errors
    /// The first difference, or an error of compiler, simulator or checker.
    pub fn judge(&self) -> Result<()> {
        self.judge_on(self.archs())
    }

    /// The architectures of the module.
    pub fn archs(&self) -> &'static [&'static str] {
        match self.text.split(".target ").nth(1) {
            Some(rest) if rest.starts_with("sm_90a") => &["sm_90a"],
            Some(rest) if rest.starts_with("sm_90") => &["sm_90"],
            _ => ARCHS,
        }
    }

    /// Whether the code of ptxas must give the same.
    pub fn is_for_ptxas(&self) -> bool {
        self.lines("ptxas").any(|line| line == "runs")
    }

    /// Compares the code of ptxas, run in the simulator, with the interpreter.
    ///
    /// # Errors
    /// The first difference, or an error of ptxas or the simulator.
    pub fn judge_ptxas(&self, ptxas: &Assembler<'_>) -> Result<()> {
        let runs: Vec<&str> = self.lines("args").collect();
        ensure!(!runs.is_empty(), "no line of arguments");
        let archs = self.archs();
        let expected = self.expected(&runs)?;
        for (arch, level) in archs.iter().flat_map(|arch| ["-O0", "-O1", "-O2", "-O3"].map(|level| (arch, level))) {
            let at = || format!("ptxas {arch} {level}");
            let cubin = ptxas.assemble_at(&retarget(&self.text, arch), arch, level).with_context(at)?;
            self.agree(&cubin, &runs, &expected).with_context(at)?;
        }
        Ok(())
    }

    /// The outputs of each run in the interpreter.
    fn expected(&self, runs: &[&str]) -> Result<Vec<Vec<Vec<u8>>>> {
        let interpret = |args: &&str| self.run(args, |l, m| interp::run(&self.text, l, m).map(drop));
        runs.iter().map(interpret).collect::<Result<_>>().context("interpreter")
    }

    /// Runs a cubin in the simulator and compares its outputs.
    fn agree(&self, cubin: &[u8], runs: &[&str], expected: &[Vec<Vec<u8>>]) -> Result<()> {
        for (args, want) in runs.iter().zip(expected) {
            let got = self.run(args, |l, m| simulator::run(cubin, l, m).map(drop))?;
            for (n, (got, want)) in got.iter().zip(want).enumerate() {
                let first = got.iter().zip(want).position(|(g, w)| g != w);
                let words = |of: &[u8], at: usize| of[at..of.len().min(at + 4)].to_vec();
                if let Some(at) = first.map(|at| at / 4 * 4) {
                    let (got, want) = (words(got, at), words(want, at));
                    return Err(anyhow!("byte {at} of output {n} is {got:02x?}, not {want:02x?}, with \"{args}\""));
                }
            }
        }
        Ok(())
    }

    /// The same on some of the architectures.
    ///
    /// # Errors
    /// As [`Self::judge`].
    pub fn judge_on(&self, archs: &[&str]) -> Result<()> {
        let runs: Vec<&str> = self.lines("args").collect();
        let expected = self.expected(&runs)?;
        ensure!(expected.iter().flatten().all(|out| out.iter().any(|byte| *byte != 0)), "an output is empty");
        for line in self.lines("expect") {
            let bytes = line.split_whitespace().map(|word| Ok(u32::from_str_radix(word, 16)?.to_le_bytes()));
            let bytes = bytes.collect::<Result<Vec<_>>>()?.concat();
            let out = expected.first().and_then(|outputs| outputs.first()).context("no output to expect")?;
            ensure!(out.get(..bytes.len()) == Some(&bytes[..]), "the interpreter computes {out:02x?}, not {line}");
        }
        for arch in archs {
            // With a single architecture all levels are tested; otherwise they alternate.
            let some = || Level::some(number(&self.name), row(arch)).to_vec();
            let levels = if archs.len() == 1 { Level::ALL.to_vec() } else { some() };
            for level in levels {
                let at = || format!("{arch} -{level}");
                let cubin = compile(&self.text, arch, level, 1, None);
                let cubin = cubin.map_err(|e| anyhow!("{e:?}")).with_context(at)?;
                static_hazards(&cubin, arch).with_context(at)?;
                self.agree(&cubin, &runs, &expected).with_context(at)?;
            }
        }
        Ok(())
    }
}
