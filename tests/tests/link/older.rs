//! Objects of CUDA 12's assembler, in the older container: linked alone, and with objects of CUDA
//! 13's assembler and of our compiler, compared with nvlink 13.0.88, and run.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use raddle_cubin::{Cubin, info};
use raddle_driver::options::OptLevel;
use raddle_filetest::corpus::assemble;
use raddle_filetest::oracle::{self, Oracle, PTXAS12};
use raddle_target::Target;
use raddle_tests::compile::{How, object};
use raddle_tests::link::{Program, differences, facts_of, folder, nvlink, nvlink_with, ours};

use super::{DIFFERENT, all, is_wrong, run, runs};

/// The object of CUDA 12's assembler for one of a program's sources.
fn older(ptxas: &Oracle, program: &Program, name: &str) -> Result<Vec<u8>> {
    let source = folder().join(&program.name).join(name).with_extension("ptx");
    let scratch = tempfile::tempdir()?;
    let options: &[&str] = if program.name == "lines" { &["-c", "-lineinfo"] } else { &["-c"] };
    let bytes = assemble(ptxas, scratch.path(), &source, program.arch, options);
    let bytes = bytes.with_context(|| format!("ptxas 12 refuses {}", source.display()))?;
    ensure!(Cubin::parse(&bytes)?.header.abi_version == 7, "{} is in the newer container", source.display());
    Ok(bytes)
}

/// Our object for the same source; `None` if it does not compile.
fn own(program: &Program, name: &str) -> Result<Option<Vec<u8>>> {
    let text = std::fs::read_to_string(folder().join(&program.name).join(name).with_extension("ptx"))?;
    Ok(object(&text, How { arch: program.arch, opt: OptLevel::O3, jobs: 1, chaos: None }).ok())
}

/// Intended differences from nvlink in addition to [`DIFFERENT`], for mixed containers: of weak
/// functions in both, nvlink for sm_90 chooses the one in the older; our linker chooses the first,
/// as nvlink does otherwise.
const DIFFERENT_OLDER: &[(&str, &str)] = &[("weak", "code wf"), ("weak", "attribute wf")];

/// A program with objects of one producer or of two: every second object from the other one,
/// starting with the first or the second.
fn mixtures(ptxas: &Oracle, program: &Program) -> Result<Vec<(&'static str, Program)>> {
    let mut old = program.clone();
    for (name, bytes) in &mut old.objects {
        *bytes = older(ptxas, program, name)?;
    }
    let mut out = vec![("old", old.clone())];
    if program.objects.len() > 1 {
        for (what, odd) in [("old and new", 1), ("new and old", 0)] {
            let mut both = old.clone();
            for (number, object) in both.objects.iter_mut().enumerate().filter(|(number, _)| number % 2 == odd) {
                object.1.clone_from(&program.objects[number].1);
            }
            out.push((what, both));
        }
        let mut ours = old;
        let mut made = 0;
        for object in ours.objects.iter_mut().skip(1).step_by(2) {
            if let Some(bytes) = own(program, &object.0)? {
                (object.1, made) = (bytes, made + 1);
            }
        }
        if made > 0 {
            out.push(("old and ours", ours));
        }
    }
    Ok(out)
}

#[test]
fn objects_of_cuda_12_link_as_nvlink_links_them_and_run() -> Result<()> {
    let (Some(ptxas), Some(tool)) = (oracle::require(PTXAS12), oracle::require("nvlink")) else { return Ok(()) };
    let (mut linked, mut ran, mut with_ours, mut bad) = (0, 0, 0, Vec::new());
    for program in all()? {
        let wrong = is_wrong(&program).is_some();
        for (what, program) in mixtures(&ptxas, &program)? {
            let place = format!("{} {}, {what}", program.name, program.arch);
            let ours = match ours(&program) {
                Ok(ours) if !wrong => ours,
                Ok(_) => anyhow::bail!("{place} is linked"),
                Err(problems) => {
                    ensure!(wrong, "{place}: {problems:?}");
                    continue;
                }
            };
            let header = Cubin::parse(&ours.bytes)?.header;
            ensure!((header.os_abi, header.abi_version) == (0x41, 8), "{place}: not in the container of CUDA 13");
            let theirs = nvlink(&tool, &program, &ours.order)?.map_err(|said| anyhow::anyhow!("{place}: {said}"))?;
            let rows = || DIFFERENT.iter().chain(DIFFERENT_OLDER.iter().filter(|_| what.contains("new")));
            let known = |line: &&String| rows().any(|d| d.0 == program.name && line[2..].starts_with(d.1));
            let found = differences(&facts_of(&ours.bytes)?, &facts_of(&theirs)?);
            bad.extend(found.iter().filter(|line| !known(line)).map(|line| format!("{place}: {line}")));
            let (mine, their) = (program_facts(&ours.bytes)?, program_facts(&theirs)?);
            if mine != their {
                bad.push(format!("{place}: {mine:?} is {their:?} in nvlink's"));
            }
            (linked, with_ours) = (linked + 1, with_ours + usize::from(what.ends_with("ours")));
            for (kernel, want) in runs(&program) {
                let got = run(&ours.bytes, kernel, want.len() as u32).with_context(|| format!("{place} {kernel}"))?;
                ensure!(got == want, "{place} {kernel}: {got:?}, not {want:?}");
                ran += 1;
            }
        }
    }
    ensure!(bad.is_empty(), "{}", bad.join("\n"));
    ensure!(
        linked > 140 && ran > 100 && with_ours > 10,
        "{linked} are linked, {with_ours} with ours, {ran} kernels are run"
    );
    Ok(())
}

/// Attributes of the program that do not matter to a loader: the architecture of its PTX, and
/// `.nv.compat`.
fn program_facts(bytes: &[u8]) -> Result<(Option<u16>, BTreeSet<Vec<u8>>)> {
    let cubin = Cubin::parse(bytes)?;
    let note = cubin.section(".note.nv.cuinfo").context("no note of the architecture")?.bytes();
    let compat = cubin.section(".nv.compat").map(|s| &s.payload);
    let compat = match compat {
        Some(raddle_cubin::model::Payload::Attributes(list)) => {
            list.iter().map(|a| info::write(std::slice::from_ref(a))).collect()
        }
        _ => BTreeSet::new(),
    };
    Ok((raddle_cubin::elf::u16_at(note, 26), compat))
}

#[test]
fn objects_of_cuda_12_link_to_objects_that_link_on() -> Result<()> {
    let (Some(ptxas), Some(tool)) = (oracle::require(PTXAS12), oracle::require("nvlink")) else { return Ok(()) };
    let mut count = 0;
    for program in all()?.into_iter().filter(|p| is_wrong(p).is_none() && p.name != "duplicate") {
        let (_, old) = mixtures(&ptxas, &program)?.swap_remove(0);
        let direct = ours(&old).map_err(|p| anyhow::anyhow!("{}: {p:?}", old.name))?;
        let mut objects = vec![("ours", super::object(&old.objects, "r.cubin")?.1)];
        if let Ok(bytes) = nvlink_with(&tool, &old, &direct.order, &["-r"])? {
            objects.push(("nvlink's", bytes));
        }
        for (who, bytes) in objects {
            let again = Program { objects: vec![("r.cubin".into(), bytes)], ..old.clone() };
            let place = format!("{} {} by {who}", old.name, old.arch);
            let linked = match ours(&again) {
                Ok(linked) => linked,
                // Their placed memory can no longer be separated.
                Err(problems) => {
                    let placed = matches!(&problems[..], [raddle_link::objects::Problem::Placed { .. }]);
                    ensure!(who != "ours" && placed, "{place}: {problems:?}");
                    continue;
                }
            };
            let found = differences(&facts_of(&linked.bytes)?, &facts_of(&direct.bytes)?);
            let known = |l: &&String| !DIFFERENT.iter().any(|d| d.0 == old.name && l[2..].starts_with(d.1));
            let found: Vec<_> = found.iter().filter(known).collect();
            ensure!(found.is_empty(), "{place}: {found:?}");
            count += 1;
        }
    }
    ensure!(count > 60, "only {count} are linked on");
    Ok(())
}

#[test]
fn code_for_one_machine_and_ptx_for_an_older_one_are_told() -> Result<()> {
    use raddle_entity::Serial;
    use raddle_link::objects::{Input, LinkOptions, link};
    let Some(ptxas) = oracle::require(PTXAS12) else { return Ok(()) };
    let scratch = tempfile::tempdir()?;
    let source = folder().join("calls/b.ptx");
    let main = folder().join("calls/a.ptx");
    let objects = |arch: &str, options: &[&str]| -> Result<Vec<Vec<u8>>> {
        let made = [&main, &source].map(|source| assemble(&ptxas, scratch.path(), source, arch, options));
        made.into_iter().map(|bytes| bytes.context(arch.to_owned())).collect()
    };
    let told = |objects: &[Vec<u8>], arch: Option<&str>| -> Result<(Option<u16>, BTreeSet<Vec<u8>>)> {
        let inputs: Vec<Input<'_>> =
            objects.iter().zip(["a", "b"]).map(|(bytes, name)| Input { name, bytes, library: false }).collect();
        let target = arch.and_then(Target::by_name);
        let linked = link(&inputs, &LinkOptions { target, ..LinkOptions::default() }, &Serial);
        program_facts(&linked.map_err(|p| anyhow::anyhow!("{p:?}"))?.bytes(&Serial))
    };
    let accelerated = |is: u8| BTreeSet::from([vec![2, info::compat::CUDA_ACCELERATOR_TARGET, is, 0]]);
    let specific = objects("sm_90a", &["-c"])?;
    ensure!(told(&specific, None)? == (Some(90), accelerated(1)));
    ensure!(told(&specific, Some("sm_90a"))? == (Some(90), accelerated(1)));
    ensure!(told(&objects("sm_90", &["-c"])?, None)? == (Some(90), accelerated(0)));
    // The text has sm_80: with the newer assembler's option it gives code for sm_90 from the older
    // text.
    let text = std::fs::read_to_string(&source)?.replace(".version 9.0", ".version 8.0");
    let input = scratch.path().join("old.ptx");
    std::fs::write(&input, text)?;
    let output = scratch.path().join("old.cubin");
    let mut command = ptxas.command();
    ensure!(command.args(["-arch=sm_90", "-c", "-o"]).arg(&output).arg(&input).status()?.success());
    let mut mixed = objects("sm_90", &["-c"])?;
    mixed[1] = std::fs::read(&output)?;
    ensure!(told(&mixed, None)? == (Some(80), accelerated(0)));
    Ok(())
}
