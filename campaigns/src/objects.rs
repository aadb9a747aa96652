//! `cargo campaign objects [STEP]`: what ptxas and nvlink write for the corpus, read into the model and written back, byte for byte, and
//! listed as NVIDIA's disassembler lists it.
//!
//! Every STEPth module of snippets and producers (1 unless given), for every target, executable, relocatable, with line
//! information, and without optimisation. Modules that ptxas refuses for a target are not counted. nvlink gets every relocatable file
//! alone, for an executable and for an object, and the programs of `tests/corpus/link`. Every [`LISTED`]th file is listed: place and text of
//! every instruction have to be those of `cuobjdump -sass`, and no section may be opaque that is not in the model's list.
//!
//! `cargo campaign objects older [STEP]`: the same of what the assembler of CUDA 12 writes, which is the older container below sm_100.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::opaque::{UNLISTED, contents};
use raddle_filetest::corpus;
use raddle_filetest::oracle::{self, Oracle, PTXAS12};
use raddle_target::Target;
use raddle_tests::link;

use xtask::figures;

const TARGETS: &[&str] = &["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"];
const MODES: &[&[&str]] = &[&[], &["-c"], &["-lineinfo"], &["-O0"]];
/// Architectures in the older container, and some of those that CUDA 12 writes the newer one for.
const OLDER: &[&str] = &["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120"];
/// Of so many files one is listed: that costs a run of the tool.
const LISTED: usize = 4;

/// How many files are as they should be, and what is wrong with the others.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, place: &str, outcome: Result<()>) {
        match outcome {
            Ok(()) => self.right += 1,
            Err(why) => self.wrong.push(format!("{place}: {why:#}")),
        }
    }

    /// Records the share of files that are right.
    fn record(&self, id: &str, command: &str) -> Result<()> {
        let total = self.right + self.wrong.len();
        ensure!(total > 0, "{id}: the tools made nothing");
        let note = format!("{} of {total} files", self.right);
        println!("{id}: {note}");
        figures::record(id, 100.0 * self.right as f64 / total as f64, command, &note)
    }
}

#[derive(clap::Args)]
pub struct Options {
    /// `older`: what the assembler of CUDA 12 writes, the older container below sm_100
    #[arg(value_name = "WHICH", value_parser = ["older"])]
    which: Option<String>,
    /// Only every STEPth module
    #[arg(long, value_name = "STEP", default_value_t = 1)]
    step: usize,
}

/// Runs the campaign and records `object.writeback`, `object.writeback.nvlink` and `object.disasm`.
///
/// # Errors
/// Missing tools, and any file that does not come back as it was or is listed otherwise.
pub fn run(Options { which, step }: Options) -> Result<()> {
    if which.is_some() {
        return older(step);
    }
    let tool = |name| oracle::find(name).with_context(|| format!("{name} is missing: make oracles"));
    let (ptxas, nvlink, cuobjdump) = (tool("ptxas")?, tool("nvlink")?, tool("cuobjdump")?);
    let folder = tempfile::tempdir()?;
    let (input, output) = (folder.path().join("in.ptx"), folder.path().join("out.cubin"));
    let (mut written, mut linked, mut listed) = (Tally::default(), Tally::default(), Tally::default());
    let mut files = 0;
    for path in corpus::ptx(&["producers", "snippets"]).iter().step_by(step.max(1)) {
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
                written.add(&place, comes_back(&bytes));
                if files % LISTED == 0 {
                    listed.add(&place, is_listed(&cuobjdump, &output, arch));
                }
                files += 1;
                if mode.contains(&"-c") {
                    for relocatable in [false, true] {
                        if let Some(bytes) = link_alone(&nvlink, &output, arch, relocatable)? {
                            linked.add(&format!("nvlink: {place}"), comes_back(&bytes));
                        }
                    }
                }
            }
        }
    }
    for arch in link::ARCHES {
        for program in link::programs(arch)? {
            let order: Vec<String> = program.objects.iter().map(|o| o.0.clone()).collect();
            for options in [&[][..], &["-r"]] {
                if let Ok(bytes) = link::nvlink_with(&nvlink, &program, &order, options)? {
                    linked.add(&format!("{} for {arch} {options:?}", program.name), comes_back(&bytes));
                }
            }
        }
    }
    let command = format!("cargo campaign objects {step}");
    written.record("object.writeback", &command)?;
    linked.record("object.writeback.nvlink", &command)?;
    listed.record("object.disasm", &command)?;
    let wrong: Vec<String> = [written.wrong, linked.wrong, listed.wrong].concat();
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// The files of CUDA 12's assembler: records `object.writeback.older`.
fn older(step: usize) -> Result<()> {
    let ptxas = oracle::find(PTXAS12).context("ptxas of CUDA 12 is missing: make oracles")?;
    let cuobjdump = oracle::find("cuobjdump").context("cuobjdump is missing: make oracles")?;
    let folder = tempfile::tempdir()?;
    let (mut written, mut old) = (Tally::default(), 0);
    let sources = corpus::ptx(&["producers", "snippets", "kernels"]);
    for (number, path) in sources.iter().step_by(step.max(1)).enumerate() {
        for (turn, arch) in OLDER.iter().enumerate() {
            let has_tables = Target::by_name(arch).is_some_and(|t| t.native.is_some());
            for (place, mode) in MODES.iter().enumerate() {
                let Some(bytes) = corpus::assemble(&ptxas, folder.path(), path, arch, mode) else { continue };
                let outcome = comes_back(&bytes).and_then(|()| {
                    if has_tables && (number + turn + place).is_multiple_of(4 * LISTED) {
                        is_listed(&cuobjdump, &folder.path().join("out.cubin"), arch)
                    } else {
                        Ok(())
                    }
                });
                old += usize::from(bytes.get(8) == Some(&7));
                written.add(&format!("{} for {arch} {}", path.display(), mode.join(" ")), outcome);
            }
        }
    }
    ensure!(old > 0, "no file is in the older container");
    println!("{old} files in the older container");
    written.record("object.writeback.older", &format!("cargo campaign objects older {step}"))?;
    ensure!(written.wrong.is_empty(), "{}", written.wrong.join("\n"));
    Ok(())
}

/// Whether a file is written as it was read, without opaque parts that are not in the list.
fn comes_back(bytes: &[u8]) -> Result<()> {
    let cubin = Cubin::parse(bytes)?;
    ensure!(cubin.write()? == bytes, "not the same bytes");
    match cubin.sections.iter().find(|s| contents(s) == UNLISTED) {
        Some(s) => anyhow::bail!("section {} of type {:#x} is opaque", s.name, s.kind),
        None => Ok(()),
    }
}

/// What nvlink makes of one object, `None` if it cannot be linked alone.
fn link_alone(nvlink: &Oracle, object: &Path, arch: &str, relocatable: bool) -> Result<Option<Vec<u8>>> {
    let output = object.with_extension("linked");
    let mut command = nvlink.command();
    command.arg(format!("-arch={arch}")).args(relocatable.then_some("-r")).arg("-o").arg(&output).arg(object);
    Ok(if command.output()?.status.success() { Some(fs::read(output)?) } else { None })
}

/// Function, place and text of an instruction.
type Line = (String, u64, String);

/// Whether every instruction has the tool's text.
fn is_listed(cuobjdump: &Oracle, file: &Path, arch: &str) -> Result<()> {
    let text = String::from_utf8(cuobjdump.run(&["-sass".as_ref(), file.as_os_str()])?)?;
    let (mut theirs, mut function): (Vec<Line>, String) = (Vec::new(), String::new());
    for line in text.lines() {
        if let Some((_, name)) = line.split_once("Function : ") {
            name.trim().clone_into(&mut function);
        } else if let Some((place, rest)) = line.trim_start().strip_prefix("/*").and_then(|l| l.split_once("*/"))
            && let (Ok(place), Some((text, _))) = (u64::from_str_radix(place, 16), rest.split_once(';'))
        {
            theirs.push((function.clone(), place, text.trim().to_owned()));
        }
    }
    let isa = Target::by_name(arch).and_then(|t| t.native.as_ref()).context("an architecture with tables")?.isa;
    let cubin = Cubin::parse(&fs::read(file)?)?;
    let mut ours: Vec<Line> = Vec::new();
    for function in cubin.functions() {
        for (i, word) in function.code.chunks_exact(16).enumerate() {
            let pc = 16 * i as u64;
            let word = u128::from_le_bytes(word.try_into()?);
            let text = raddle_sass::decode(isa, word).map_or_else(|e| e.to_string(), |i| raddle_sass::print(&i, pc));
            // Blanks at the end were lost on their side, too.
            ours.push((function.name.to_owned(), pc, text.trim().to_owned()));
        }
    }
    theirs.sort();
    ours.sort();
    match ours.iter().zip(&theirs).find(|(a, b)| a != b) {
        Some((ours, theirs)) => anyhow::bail!("{ours:?} is {theirs:?}"),
        None => ensure!(ours.len() == theirs.len(), "{} instructions of {}", ours.len(), theirs.len()),
    }
    Ok(())
}
