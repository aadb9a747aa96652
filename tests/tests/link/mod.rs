//! The device linker over the corpus of programs: the same facts as nvlink, correct results when
//! run, the same output for any order and number of threads.

mod older;
mod textures;

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};
use raddle_entity::{Executor, Serial};
use raddle_filetest::oracle;
use raddle_link::objects::{Input, LinkOptions, Problem, link, strip};
use raddle_sim::launch::{Arg, Launch};
use raddle_sim::mem::Memory;
use raddle_tests::link::{
    ARCHES, Ours, Program, differences, facts_of, nvlink, nvlink_with, ours, programs, stored, stored_path,
};
use raddle_tests::simulator;

/// Programs that cannot be linked, with the required parts of the messages.
const WRONG: &[(&str, &[&str])] = &[
    ("duplicate", &["f is defined in 'a.cubin' and again in 'b.cubin'", "g is defined", "ka is defined"]),
    ("missing", &["undefined symbol _Z6nobodyi, used by _Z2kaPi in 'a.cubin'", "undefined symbol novar"]),
    ("registers-limit", &["kernel kbound is limited to 64 registers but calls heavy, which needs"]),
];

/// Intended differences from nvlink, by program and prefix of the line.
const DIFFERENT: &[(&str, &str)] = &[
    // Common symbols of one name: our linker uses the largest alignment, nvlink that of the first.
    ("common", "memory .nv.global"),
    // Variables in shared memory of one kernel with equal size and alignment: nvlink orders them by
    // an unstable sort. A kernel without shared memory: nvlink lists the reserved shared memory or
    // not, depending on functions that it does not call.
    ("shared", "memory .nv.shared.kc"),
    ("shared-many", "code g"),
    ("shared-many", "code k1"),
];

fn all() -> Result<Vec<Program>> {
    let mut out = Vec::new();
    for arch in ARCHES {
        out.extend(programs(arch)?);
    }
    ensure!(out.len() >= 40, "the corpus has only {} programs", out.len());
    Ok(out)
}

fn linked(program: &Program) -> Result<Ours> {
    ours(program).map_err(|problems| anyhow::anyhow!("{} {}: {problems:?}", program.name, program.arch))
}

fn is_wrong(program: &Program) -> Option<&'static [&'static str]> {
    WRONG.iter().find(|w| w.0 == program.name).map(|w| w.1)
}

#[test]
fn facts_are_those_of_nvlink() -> Result<()> {
    let mut bad = Vec::new();
    for program in all()?.iter().filter(|p| is_wrong(p).is_none()) {
        let ours = facts_of(&linked(program)?.bytes)?;
        let theirs = stored(program)?.with_context(|| format!("no facts of {} {}", program.name, program.arch))?;
        let known = |line: &String| DIFFERENT.iter().any(|d| d.0 == program.name && line[2..].starts_with(d.1));
        for line in differences(&ours, &theirs).into_iter().filter(|l| !known(l)) {
            bad.push(format!("{} {}: {line}", program.name, program.arch));
        }
    }
    ensure!(bad.is_empty(), "{}", bad.join("\n"));
    Ok(())
}

#[test]
fn stored_facts_are_what_nvlink_says_now() -> Result<()> {
    let Some(tool) = oracle::require("nvlink") else { return Ok(()) };
    for program in all()? {
        let wrong = is_wrong(&program);
        let order: Vec<String> = match ours(&program) {
            Ok(ours) => ours.order,
            Err(_) => program.objects.iter().map(|o| o.0.clone()).collect(),
        };
        match nvlink(&tool, &program, &order)? {
            Ok(bytes) => {
                ensure!(wrong.is_none(), "nvlink links {}", program.name);
                let facts = facts_of(&bytes)?;
                if std::env::var_os("UPDATE_CASES").is_some() {
                    std::fs::write(stored_path(&program), facts.join("\n") + "\n")?;
                }
                let kept = stored(&program)?.unwrap_or_default();
                ensure!(facts == kept, "{} {}: stored facts are old", program.name, program.arch);
            }
            Err(said) => ensure!(wrong.is_some(), "nvlink refuses {}: {said}", program.name),
        }
    }
    Ok(())
}

#[test]
fn problems_name_symbols_and_objects() -> Result<()> {
    for program in all()? {
        let Some(wanted) = is_wrong(&program) else { continue };
        let Err(problems) = ours(&program) else { anyhow::bail!("{} is linked", program.name) };
        let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
        for part in wanted {
            ensure!(text.iter().any(|t| t.contains(part)), "{}: no {part:?} in {text:?}", program.name);
        }
    }
    Ok(())
}

/// Runs pieces of work on several threads, the last first.
struct Disorder(usize);

impl Executor for Disorder {
    fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| {
                    while let Some(i) = n.checked_sub(1 + next.fetch_add(1, Ordering::Relaxed)) {
                        piece(i);
                    }
                });
            }
        });
    }
}

#[test]
fn neither_order_nor_threads_change_the_bytes() -> Result<()> {
    for program in all()?.iter().filter(|p| is_wrong(p).is_none()) {
        let wanted = linked(program)?.bytes;
        // The first of weak definitions counts, so their order must not change.
        let count = if program.name == "weak" { 1 } else { program.objects.len() };
        for turn in 0..count {
            let inputs: Vec<Input<'_>> = (0..program.objects.len())
                .map(|i| &program.objects[(i + turn) % program.objects.len()])
                .map(|(name, bytes)| Input { name, bytes, library: false })
                .collect();
            for threads in [1, 3] {
                let executor = Disorder(threads);
                let linked = link(&inputs, &LinkOptions::default(), &executor)
                    .map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
                ensure!(linked.bytes(&executor) == wanted, "{} turned by {turn}, {threads} threads", program.name);
            }
        }
    }
    Ok(())
}

/// A program, its kernel, and the value it stores for each thread.
type Run = (&'static str, &'static str, fn(u32) -> u32);

fn factorial_sum(x: u32) -> u32 {
    if x < 2 { x } else { x.wrapping_add(factorial_sum(x - 1)) }
}

/// Programs that are run: the kernel and the value that thread `x` of 32 stores.
const RUNS: &[Run] = &[
    ("weak", "ka", |x| x + 1 + 11),
    ("weak-strong", "ka", |x| 9 * x + 33),
    ("weak-strong", "kb", |x| 9 * x + 33),
    ("statics", "ka", |x| 3 * x * 5 + 2 + 2 + 1 + 1),
    ("recursion", "kself", factorial_sum),
    ("recursion", "kmutual", factorial_sum),
    ("unused", "ka", |x| x + 1),
    ("tables", "ka", |x| table(table(x))),
    ("common", "ka", |x| x + 3),
    ("registers", "klight", |x| x + 1),
    // Each function and kernel with a frame adds 5.
    ("frames", "ka", |x| x + 25),
    ("frames", "kb", |x| x + 5),
    ("pointer-types", "ka", |x| x + 5),
    ("pointer-types", "kb", |x| x + 15),
    ("pointer-types", "kc", |x| x + 5),
    // Multiplied by variables that are 0.
    ("registers", "kheavy", |_| 0),
    ("shared", "kc", |x| x + 5),
    ("syscalls", "ka", |x| x),
    ("marks", "kthird", |x| x),
    ("marks", "kplain", |x| x),
    ("launch", "near", |x| x + 1),
    ("launch", "far", |x| 3 * x),
    ("tables-many", "k1", |x| chain(1, chain(0, x))),
    ("tables-many", "k2", |x| chain(2, chain(1, chain(3, x)))),
    ("tables-many", "k3", |x| chain(2, x)),
    ("tables-many", "k4", |x| chain(4, x)),
];

/// Programs that are run with one thread: several would race on one location.
const SINGLE: &[(&str, &str, u32)] = &[
    // Its own 0 twice, times 3, plus 1; the table's 2; the counter's 7.
    ("calls", "k", 10),
    // The table's first function; the other waits at a barrier for threads that call the first.
    ("pointers", "ka", 100),
    ("common", "kb", 0),
    ("lines", "ka", 0),
    // 3, and the same again from each shared variable on the way.
    ("shared-dynamic", "k1", 6),
    ("shared-dynamic", "k2", 12),
    ("shared-dynamic", "k3", 24),
    ("shared-dynamic", "k4", 6),
    ("shared-dynamic", "k5", 24),
    ("shared-dynamic", "k6", 12),
    ("shared-dynamic", "k7", 24),
    // Seven variables in each but `h`, which has two.
    ("shared-many", "k1", 3 * 8 * 8 * 8),
    ("shared-many", "k2", 3 * 8 * 3),
    ("shared-many", "k3", 3 * 8),
    ("shared-overlap", "k1", 24),
    ("shared-overlap", "k2", 12),
    ("shared-overlap", "k3", 24),
    ("shared-overlap", "k4", 12),
    ("shared-overlap", "k5", 12),
    ("shared-overlap", "k6", 6),
    ("shared-visible", "k1", 12),
    ("shared-visible", "k2", 6),
];

/// Programs that are not run, with the reason.
const NOT_RUN: &[(&str, &str)] =
    &[("const", "stores the place of a constant: see `addresses_of_constants_are_their_places`")];

/// The results of the branches of `tables-many`: those of k1, f, g, k2 and k4, by number.
fn chain(number: usize, x: u32) -> u32 {
    const STEPS: [[(u32, u32); 4]; 5] = [
        [(5, 5), (12, 6), (19, 7), (26, 8)],
        [(2, 2), (9, 3), (16, 4), (23, 5)],
        [(7, 7), (14, 8), (21, 9), (28, 10)],
        [(50, 50), (57, 51), (64, 52), (71, 53)],
        [(9, 9), (16, 10), (23, 11), (30, 12)],
    ];
    let branch = (x & 3) as usize;
    let (factor, mask) = STEPS[number][branch];
    x.wrapping_mul(factor).wrapping_add([3, 4, 7, 12][branch]) ^ mask
}

/// The targets of a program's branch tables.
fn table(x: u32) -> u32 {
    match x & 3 {
        0 => x + 1,
        1 => x.wrapping_mul(77),
        2 => x ^ 99,
        _ => (x << 5).wrapping_add(3),
    }
}

/// The kernels of a program that are run, and the values that each thread stores.
fn runs(program: &Program) -> Vec<(&'static str, Vec<u32>)> {
    const THREADS: u32 = 32;
    let many = RUNS.iter().filter(|r| r.0 == program.name).map(|r| (r.1, (0..THREADS).map(r.2).collect()));
    let single = SINGLE.iter().filter(|r| r.0 == program.name).map(|r| (r.1, vec![r.2]));
    many.chain(single).collect()
}

#[test]
fn programs_run_right_without_the_variables_that_nothing_reaches() -> Result<()> {
    let mut removed = Vec::new();
    for program in all()?.iter().filter(|p| is_wrong(p).is_none()) {
        let inputs: Vec<Input<'_>> =
            program.objects.iter().map(|(name, bytes)| Input { name, bytes, library: false }).collect();
        let mut smaller = program.clone();
        let stripped = strip(&inputs, &LinkOptions::default(), &|_| false, &Disorder(2));
        for object in stripped.map_err(|problems| anyhow::anyhow!("{problems:?}"))? {
            smaller.objects[object.input].1 = object.bytes;
            removed.extend(object.removed);
        }
        let (cubin, before) = (linked(&smaller)?.bytes, linked(program)?.bytes);
        ensure!(cubin.len() <= before.len(), "{}: {} bytes, {} before", program.name, cubin.len(), before.len());
        for (kernel, want) in runs(program) {
            let got = run(&cubin, kernel, want.len() as u32);
            let got = got.with_context(|| format!("{} {} {kernel}", program.name, program.arch))?;
            ensure!(got == want, "{} {} {kernel}: {got:?}, not {want:?}", program.name, program.arch);
        }
    }
    ensure!(removed.contains(&"unused".to_owned()), "{removed:?}");
    Ok(())
}

#[test]
fn programs_run_right() -> Result<()> {
    for program in all()? {
        let ours = match ours(&program) {
            Ok(ours) => ours,
            Err(_) if is_wrong(&program).is_some() => continue,
            Err(problems) => anyhow::bail!("{} {}: {problems:?}", program.name, program.arch),
        };
        let runs = runs(&program);
        let reason = NOT_RUN.iter().find(|n| n.0 == program.name);
        ensure!(runs.is_empty() == reason.is_some(), "{} is neither run nor excused, or both", program.name);
        for (kernel, want) in runs {
            let got = run(&ours.bytes, kernel, want.len() as u32);
            let got = got.with_context(|| format!("{} {} {kernel}", program.name, program.arch))?;
            ensure!(got == want, "{} {} {kernel}: {got:?}, not {want:?}", program.name, program.arch);
        }
    }
    Ok(())
}

/// The values that `threads` threads of a kernel store.
fn run(cubin: &[u8], kernel: &str, threads: u32) -> Result<Vec<u32>> {
    let mut memory = Memory::new();
    let out = memory.add("out", vec![0; 4 * threads as usize], true);
    let mut launch = Launch::new(kernel);
    launch.block = threads.into();
    launch.args = vec![Arg::Buffer(out)];
    launch.max_steps = 1 << 20;
    launch.dyn_shared = 64;
    simulator::run(cubin, &launch, &mut memory).map_err(|e| anyhow::anyhow!("{e}"))?;
    let bytes = memory.read_back(out)?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

#[test]
fn addresses_of_constants_are_their_places() -> Result<()> {
    for program in all()?.iter().filter(|p| p.name == "const") {
        let ours = linked(program)?;
        let cubin = raddle_cubin::Cubin::parse(&ours.bytes)?;
        let tab = cubin.symbols.iter().find(|s| s.name == "tab").context("tab")?.value as u32;
        // The variable whose address is in the table, 8 of `mine`, 1 or 2 of `pad`, and the place
        // of the table.
        let want: Vec<u32> = (0..32)
            .map(|x| {
                let sum = [5, 6][x & 1] + 8;
                sum + [1, 2][sum as usize & 1] + tab
            })
            .collect();
        let got = run(&ours.bytes, "ka", 32).with_context(|| program.arch)?;
        ensure!(got == want, "{}: {got:?}, not {want:?}", program.arch);
    }
    Ok(())
}

/// Links some objects of a program to one object.
fn object(objects: &[(String, Vec<u8>)], name: &str) -> Result<(String, Vec<u8>)> {
    let inputs: Vec<Input<'_>> = objects.iter().map(|(name, bytes)| Input { name, bytes, library: false }).collect();
    let options = LinkOptions { relocatable: true, ..LinkOptions::default() };
    let linked = link(&inputs, &options, &Serial).map_err(|p| anyhow::anyhow!("{p:?}"))?;
    let bytes = linked.bytes(&Serial);
    let again = link(&inputs, &options, &Disorder(3)).map_err(|p| anyhow::anyhow!("{p:?}"))?;
    ensure!(again.bytes(&Disorder(3)) == bytes, "threads change an object");
    Ok((name.to_owned(), bytes))
}

/// The ways to link a program in two steps: all objects to one, and all but the last of three or
/// two.
fn in_two_steps(program: &Program) -> Result<Vec<Program>> {
    let mut out = vec![Program { objects: vec![object(&program.objects, "all.cubin")?], ..program.clone() }];
    if let [first @ .., last] = &program.objects[..]
        && !first.is_empty()
    {
        let objects = vec![object(first, "a.cubin")?, last.clone()];
        out.push(Program { objects, ..program.clone() });
        out.push(Program { objects: vec![object(&out[0].objects, "twice.cubin")?], ..program.clone() });
    }
    Ok(out)
}

#[test]
fn objects_made_of_objects_link_on() -> Result<()> {
    let tool = oracle::require("nvlink");
    let mut bad = Vec::new();
    for program in all()?.iter().filter(|p| p.name != "duplicate") {
        let wrong = is_wrong(program).is_some();
        for (way, again) in in_two_steps(program)?.iter().enumerate() {
            let place = format!("{} {} {way}", program.name, program.arch);
            // The order of objects may depend on their number, and with it the offsets of equal
            // variables in shared memory.
            let known = |l: &String| DIFFERENT.iter().any(|d| d.0 == program.name && l[2..].starts_with(d.1));
            let mut tell = |who: &str, bytes: &[u8]| -> Result<()> {
                let found = differences(&facts_of(bytes)?, &facts_of(&linked(program)?.bytes)?);
                bad.extend(found.into_iter().filter(|l| !known(l)).map(|line| format!("{place} by {who}: {line}")));
                Ok(())
            };
            let order = match ours(again) {
                Ok(ours) => {
                    tell("us", &ours.bytes)?;
                    ours.order
                }
                Err(problems) => {
                    ensure!(wrong, "{place}: {problems:?}");
                    again.objects.iter().map(|o| o.0.clone()).collect()
                }
            };
            let Some(tool) = &tool else { continue };
            match nvlink(tool, again, &order)? {
                Ok(bytes) => tell("nvlink", &bytes)?,
                Err(said) => ensure!(wrong, "{place}: nvlink refuses it: {said}"),
            }
        }
    }
    ensure!(bad.is_empty(), "{}", bad.join("\n"));
    Ok(())
}

#[test]
fn recursion_is_a_warning() -> Result<()> {
    for program in all()?.iter().filter(|p| p.name == "recursion") {
        let warnings = linked(program)?.warnings;
        ensure!(warnings.len() == 2, "{warnings:?}");
        ensure!(warnings[1].contains("kernel kself is unknown: fact is recursive"), "{warnings:?}");
    }
    Ok(())
}

#[test]
fn members_of_libraries_come_by_need() -> Result<()> {
    let program = programs("sm_90")?.into_iter().find(|p| p.name == "unused").context("program unused")?;
    let inputs: Vec<Input<'_>> =
        program.objects.iter().map(|(name, bytes)| Input { name, bytes, library: name != "a.cubin" }).collect();
    let linked = link(&inputs, &LinkOptions::default(), &Serial).map_err(|p| anyhow::anyhow!("{p:?}"))?;
    ensure!(linked.objects() == ["b.cubin", "a.cubin"], "{:?}", linked.objects());
    ensure!(linked.why_live("used")? == Some(vec!["used", "ka"]));
    ensure!(linked.why_live("nobody")?.is_none());
    ensure!(linked.trace("used")? == ["b.cubin: definition of used", "a.cubin: use of used"]);
    ensure!(linked.removed().contains(&("deep", "b.cubin")));
    Ok(())
}

#[test]
fn objects_of_nvlink_link_on_or_are_refused_by_name() -> Result<()> {
    let Some(tool) = oracle::require("nvlink") else { return Ok(()) };
    let (mut linked_on, mut refused) = (0, 0);
    for program in all()?.iter().filter(|p| is_wrong(p).is_none()) {
        let direct = linked(program)?;
        let object = nvlink_with(&tool, program, &direct.order, &["-r"])?;
        let object = object.map_err(|said| anyhow::anyhow!("{}: {said}", program.name))?;
        let again = Program { objects: vec![("r.cubin".into(), object)], ..program.clone() };
        match ours(&again) {
            Ok(ours) => {
                let found = differences(&facts_of(&ours.bytes)?, &facts_of(&direct.bytes)?);
                let known = |l: &&String| !DIFFERENT.iter().any(|d| d.0 == program.name && l[2..].starts_with(d.1));
                let found: Vec<_> = found.iter().filter(known).collect();
                ensure!(found.is_empty(), "{} {}: {found:?}", program.name, program.arch);
                linked_on += 1;
            }
            Err(problems) => {
                ensure!(matches!(&problems[..], [Problem::Placed { object }] if object == "r.cubin"), "{problems:?}");
                refused += 1;
            }
        }
    }
    ensure!(linked_on > 20 && refused > 5, "{linked_on} are linked on, {refused} are refused");
    Ok(())
}
