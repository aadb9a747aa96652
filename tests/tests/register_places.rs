//! `-g`: the machine registers that a cubin names hold the values of PTX registers, at every
//! instruction, and linkers keep what it says (DRV-19).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::unit::RegisterRange;
use raddle_driver::options::OptLevel;
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::compile::{How, for_debugging, for_debugging_by};
use raddle_tests::kernel::{self, Arg, Args, Direction, Launch, Tolerance};
use raddle_tests::register_places::{Claims, Runs, Seen, claims};
use raddle_tests::scalar::Scalar;

const ARCHS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];

fn how(arch: &'static str) -> How {
    How { arch, opt: OptLevel::O0, jobs: 1, chaos: None }
}

fn module(name: &str) -> Result<String> {
    Ok(fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/debug").join(name))?)
}

fn claims_of(bytes: &[u8]) -> Result<Claims> {
    claims(&Cubin::parse(bytes)?)
}

#[test]
fn registers_of_the_corpus_hold_the_values_of_the_interpreter() -> Result<()> {
    let (mut seen, mut all, mut wrong) = (Seen::default(), 0, Vec::new());
    for (n, kernel) in kernel::all()?.iter().enumerate() {
        let arch = ARCHS[n % ARCHS.len()];
        let producer = &kernel.producers[n / ARCHS.len() % kernel.producers.len()];
        let ptx = kernel.ptx(producer)?;
        let mut judged = || -> Result<()> {
            let bytes = for_debugging(&[("m.ptx", &ptx)], how(arch), false)?;
            let claims = claims_of(&bytes)?;
            all += claims.values().map(Vec::len).sum::<usize>();
            let runs = Runs::of(&ptx, &bytes, &kernel.entry, &kernel.launches[0])?;
            ensure!(runs.share() > 0.75, "{:.2} of {} instructions have a step", runs.share(), runs.instructions);
            runs.compare(&claims, &mut seen)
        };
        if let Err(e) = judged().with_context(|| format!("{} of {producer} for {arch}", kernel.name)) {
            wrong.push(format!("{e:#}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Registers that only some paths define.
    assert!(100 * seen.undefined.len() < seen.ranges.len(), "{:?} have no values somewhere", seen.undefined);
    assert!(seen.values > 1_000_000, "{} values", seen.values);
    assert!(4 * seen.ranges.len() > 3 * all, "values in {} of {all} ranges", seen.ranges.len());
    Ok(())
}

/// A launch of `registers.ptx`.
fn launch() -> Launch {
    let buffer = |name: &str, direction, bytes| Arg {
        name: name.into(),
        ty: Scalar::U32,
        direction: Some(direction),
        bytes,
        tolerance: Tolerance::Exact,
    };
    let mut state = 7u32;
    let input = (0..128).flat_map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Small and large values alternate.
        (if state >> 31 == 0 { state >> 24 } else { state }).to_le_bytes()
    });
    let args = Args(vec![buffer("in", Direction::In, input.collect()), buffer("out", Direction::Out, vec![0; 512])]);
    Launch { name: "one warp".into(), grid: [1; 3], block: [32, 1, 1], shared: 0, args }
}

/// `registers.ptx`, its cubin and its runs.
fn own(arch: &'static str) -> Result<(Claims, Runs)> {
    let text = module("registers.ptx")?;
    let bytes = for_debugging(&[("m.ptx", &text)], how(arch), false)?;
    Ok((claims_of(&bytes)?, Runs::of(&text, &bytes, "own", &launch())?))
}

#[test]
fn spilled_values_calls_loops_and_all_types_are_right() -> Result<()> {
    for arch in ARCHS {
        let (claims, runs) = own(arch)?;
        let mut seen = Seen::default();
        runs.compare(&claims, &mut seen).context(arch)?;
        ensure!(seen.values > 10_000 && seen.ranges.len() > 100, "{arch}: {} {}", seen.values, seen.ranges.len());
        // Parameters in registers are loaded in the line of the first instruction.
        let unexplained: Vec<_> = seen.undefined.iter().filter(|(function, _)| function != "add_up").collect();
        ensure!(unexplained.is_empty(), "{arch}: {unexplained:?} have no values");
        let kinds: BTreeSet<u8> = seen.ranges.iter().map(|(_, range)| range.kind).collect();
        // .b16 .b32 .b64 .u8 .u32 .f16x2 .f64 .pred .b128, .f32 of two, .u32 of four.
        for kind in [1, 2, 3, 4, 6, 13, 15, 16, 17, 0x40 + 14, 0x80 + 6] {
            ensure!(kinds.contains(&kind), "{arch}: no value of type {kind}: {kinds:?}");
        }
    }
    Ok(())
}

/// Wrong claims of one kind: each with one range changed.
fn planted<'a>(
    claims: &'a Claims,
    seen: &'a Seen,
    change: impl Fn(&mut RegisterRange) + 'a,
) -> impl Iterator<Item = Claims> + 'a {
    seen.ranges.iter().map(move |(function, range)| {
        let mut wrong: Claims = BTreeMap::from([(function.clone(), vec![range.clone()])]);
        wrong.values_mut().flatten().for_each(&change);
        assert!(claims[function].contains(range));
        wrong
    })
}

#[test]
fn wrong_ranges_are_found() -> Result<()> {
    let (claims, runs) = own("sm_90")?;
    let mut seen = Seen::default();
    runs.compare(&claims, &mut seen)?;
    let missed = |change: fn(&mut RegisterRange)| {
        let wrong = planted(&claims, &seen, change);
        let found = wrong.filter(|wrong| {
            let mut seen = Seen::default();
            runs.compare(wrong, &mut seen).is_err() || seen.undefined.iter().any(|(function, _)| function != "add_up")
        });
        let found = found.count();
        (found, seen.ranges.len())
    };
    // A general register beside the right one, and the wrong half, hold another value almost always.
    let (found, all) = missed(|range| range.register ^= 1);
    ensure!(10 * found > 9 * all, "{found} of {all} wrong registers");
    // A range that begins an instruction early, or ends one late: not if values are equal by chance, or
    // if nothing is written there and the range ends for another reason.
    let (found, all) = missed(|range| range.from = range.from.saturating_sub(16));
    ensure!(3 * found > 2 * all, "{found} of {all} early beginnings");
    let (found, all) = missed(|range| range.to += 16);
    ensure!(2 * found > all, "{found} of {all} late ends");
    Ok(())
}

fn assembled(ptxas: &Oracle, text: &str, arch: &str) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let (source, out) = (folder.path().join("m.ptx"), folder.path().join("m.cubin"));
    fs::write(&source, text)?;
    let words = [format!("-arch={arch}"), "-g".into(), "-c".into(), source.display().to_string()];
    let words: Vec<String> = words.into_iter().chain(["-o".to_owned(), out.display().to_string()]).collect();
    ptxas.run(&words)?;
    Ok(fs::read(out)?)
}

/// Name, part and type of every register with a range, by function.
fn named(claims: &Claims) -> BTreeMap<&str, BTreeSet<(&str, u8, u8)>> {
    claims
        .iter()
        .map(|(function, ranges)| (&**function, ranges.iter().map(|r| (&*r.name, r.part, r.kind)).collect()))
        .collect()
}

#[test]
fn ptxas_names_the_same_registers() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    for (name, arch) in ["hand.ptx", "nvcc.ptx"].into_iter().flat_map(|name| ARCHS.map(|arch| (name, arch))) {
        let text = module(name)?;
        let theirs = claims_of(&assembled(&ptxas, &text, arch)?)?;
        let ours = claims_of(&for_debugging(&[("m.ptx", &text)], how(arch), true)?)?;
        assert_eq!(named(&ours), named(&theirs), "{name} {arch}");
    }
    // Ours has more: of vectors whose elements are not all read, of registers in pairs. ptxas has what
    // is spilled at once.
    for arch in ARCHS {
        let text = module("registers.ptx")?;
        let theirs = claims_of(&assembled(&ptxas, &text, arch)?)?;
        let ours = claims_of(&for_debugging(&[("m.ptx", &text)], how(arch), true)?)?;
        let (ours, theirs) = (named(&ours), named(&theirs));
        assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>(), "{arch}");
        for (function, registers) in &theirs {
            let missing: Vec<_> = registers.difference(&ours[function]).filter(|r| !r.0.starts_with("%p")).collect();
            ensure!(missing.is_empty(), "{arch} {function}: {missing:?}");
        }
    }
    Ok(())
}

#[test]
fn linkers_and_the_fallback_keep_the_ranges() -> Result<()> {
    let tools = ["nvlink", "ptxas"].map(oracle::require);
    let [Some(nvlink), Some(ptxas)] = tools else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    for arch in ["sm_80", "sm_90"] {
        let texts = [module("registers.ptx")?, module("nvcc.ptx")?];
        let mut all = Claims::new();
        let mut objects = Vec::new();
        for (n, text) in texts.iter().enumerate() {
            let bytes = for_debugging(&[("m.ptx", text)], how(arch), true)?;
            all.extend(claims_of(&bytes)?);
            fs::write(path(&format!("{n}.cubin")), &bytes)?;
            objects.push(bytes);
        }
        nvlink.run(&[&format!("-arch={arch}"), &path("0.cubin"), &path("1.cubin"), "-o", &path("linked.cubin")])?;
        assert_eq!(claims_of(&fs::read(path("linked.cubin"))?).context("nvlink")?, all, "{arch}: nvlink");
        assert_eq!(
            claims_of(&raddle_tests::dwarf::linked(&objects)?).context("our linker")?,
            all,
            "{arch}: our linker"
        );
        let modules = [("a.ptx", &*texts[0]), ("b.ptx", &*texts[1])];
        assert_eq!(
            claims_of(&for_debugging(&modules, how(arch), false)?).context("one program")?,
            all,
            "{arch}: one program"
        );
        // Code of ptxas has the ranges of ptxas, which allocates registers anew for a function alone.
        let theirs = claims_of(&assembled(&ptxas, &texts[1], arch)?)?;
        let mixed = claims_of(&for_debugging_by(ptxas.path(), "_Z4foldii", &[("b.ptx", &texts[1])], how(arch), true)?)?;
        assert_eq!(named(&mixed)["_Z4foldii"], named(&theirs)["_Z4foldii"], "{arch}");
        assert_eq!(mixed["first"], all["first"], "{arch}");
    }
    Ok(())
}
