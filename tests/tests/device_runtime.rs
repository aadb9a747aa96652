//! Programs whose kernels start kernels, linked with the device runtime of the toolkit
//! (`libcudadevrt.a`), compared with nvlink.
//!
//! `tests/corpus/runtime/launch.cu` is compiled by nvcc to PTX for the runtime since CUDA 12
//! (`cdp2.ptx`) and for the one before (`cdp1.ptx`, up to sm_89); ptxas and our compiler make
//! objects of it. The archive belongs to the toolkit and is not part of this repository.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::model::Kind;
use raddle_driver::input::Content;
use raddle_driver::link_inputs::{Files, load};
use raddle_driver::options::{CodegenOptions, OptLevel, Selection};
use raddle_driver::request::{Functions, Output, Request};
use raddle_entity::Serial;
use raddle_filetest::corpus::assemble;
use raddle_filetest::oracle::{self, Oracle};
use raddle_link::objects::{Input, LinkOptions, link};
use raddle_sim::launch::{Arg, Launch};
use raddle_sim::mem::Memory;
use raddle_target::Target;
use raddle_tests::compile::{How, cubin, object, with_fallback};
use raddle_tests::link::{differences, facts_of};
use raddle_tests::simulator;

/// Programs with the architectures they are linked for. The archive has separate machine code for
/// each architecture, except sm_90a, which uses that of sm_90.
const PROGRAMS: &[(&str, &[&str])] =
    &[("cdp2", &["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"]), ("cdp1", &["sm_80", "sm_89"])];

fn source(program: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/runtime").join(program).with_extension("ptx")
}

/// The archive of the toolkit of nvlink.
fn archive() -> Result<PathBuf> {
    let path = oracle::toolkit().context("no toolkit")?.join("lib/libcudadevrt.a");
    ensure!(path.is_file(), "{} is missing", path.display());
    Ok(path)
}

/// Links files with our linker.
fn ours(files: &[&Path], arch: &str, relocatable: bool) -> Result<Vec<u8>> {
    let target = Target::by_name(arch);
    let paths: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    let files = Files { paths: &paths, library_paths: &[], libraries: &[], wanted: target.into(), as_nvlink: false };
    let found = load(files, &Serial).map_err(|problems| anyhow!("{problems:?}"))?;
    ensure!(found.notices.is_empty(), "{:?}", found.notices);
    let inputs: Vec<Input<'_>> = found.inputs.iter().map(|file| file.input()).collect();
    let options = LinkOptions { target, relocatable, ..LinkOptions::default() };
    let linked = link(&inputs, &options, &Serial).map_err(|problems| anyhow!("{problems:?}"))?;
    Ok(linked.bytes(&Serial))
}

/// Links files with nvlink.
fn theirs(nvlink: &Oracle, files: &[&Path], arch: &str, out: &Path) -> Result<Vec<u8>> {
    let mut command = nvlink.command();
    let output = command.arg(format!("-arch={arch}")).args(files).arg("-o").arg(out).output()?;
    ensure!(output.status.success(), "nvlink: {}", String::from_utf8_lossy(&output.stderr));
    Ok(fs::read(out)?)
}

/// Links one object and the archive with both linkers: the facts must be the same.
fn check(nvlink: &Oracle, place: &str, file: &Path, arch: &str) -> Result<Vec<u8>> {
    let archive = archive()?;
    let bytes = ours(&[file, &archive], arch, false)?;
    let want = theirs(nvlink, &[file, &archive], arch, &file.with_extension("nvlink"))?;
    let found = differences(&facts_of(&bytes)?, &facts_of(&want)?);
    ensure!(found.is_empty(), "{place}: {}", found.join("\n"));
    // Through an object that also contains the runtime.
    let object = file.with_extension("joined.cubin");
    fs::write(&object, ours(&[file, &archive], arch, true)?)?;
    let twice = ours(&[&object], arch, false)?;
    let found = differences(&facts_of(&twice)?, &facts_of(&want)?);
    ensure!(found.is_empty(), "{place}, in two steps: {}", found.join("\n"));
    Ok(bytes)
}

#[test]
fn programs_with_the_device_runtime_are_those_of_nvlink() -> Result<()> {
    let (Some(ptxas), Some(nvlink)) = (oracle::require("ptxas"), oracle::require("nvlink")) else { return Ok(()) };
    for &(program, archs) in PROGRAMS {
        let text = fs::read_to_string(source(program))?;
        for &arch in archs {
            let scratch = tempfile::tempdir()?;
            let place = format!("{program} {arch}");
            let by_ptxas = assemble(&ptxas, scratch.path(), &source(program), arch, &["-c"]);
            let by_ptxas = by_ptxas.with_context(|| format!("{place}: ptxas refuses it"))?;
            let own = object(&text, How { arch, opt: OptLevel::O3, jobs: 1, chaos: None })?;
            for (maker, bytes) in [("ptxas", by_ptxas), ("us", own)] {
                let file = scratch.path().join(maker).with_extension("cubin");
                fs::write(&file, bytes)?;
                let place = format!("{place}, object by {maker}");
                let bytes = check(&nvlink, &place, &file, arch)?;
                ensure!(Cubin::parse(&bytes)?.header.kind == Kind::Executable, "{place}");
                started_kernels_run(&bytes).with_context(|| place.clone())?;
            }
        }
    }
    Ok(())
}

/// The child kernels run; a kernel that starts one calls the driver, which the simulator does not
/// have.
fn started_kernels_run(cubin: &[u8]) -> Result<()> {
    let plus: Vec<u32> = (0..32).map(|x| 7 + x).collect();
    let times: Vec<u32> = (0..32).map(|x| 7 * x).collect();
    ensure!(run(cubin, "_Z4plusPii")? == plus);
    ensure!(run(cubin, "_Z5timesPii")? == times);
    for kernel in ["starts_named", "starts_by_function", "starts_listed", "starts_itself"] {
        let Err(said) = run(cubin, kernel) else { anyhow::bail!("{kernel} runs") };
        ensure!(said.to_string().contains("GetParameterBufferV2"), "{kernel}: {said}");
    }
    Ok(())
}

fn run(cubin: &[u8], kernel: &str) -> Result<Vec<u32>> {
    let mut memory = Memory::new();
    let out = memory.add("out", vec![0; 128], true);
    let mut launch = Launch::new(kernel);
    launch.block = 32.into();
    launch.args = vec![Arg::Buffer(out), Arg::Value(7u32.to_le_bytes().to_vec())];
    launch.max_steps = 1 << 20;
    simulator::run(cubin, &launch, &mut memory).map_err(|e| anyhow!("{e}"))?;
    let bytes = memory.read_back(out)?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

/// The facts of an object about kernels whose addresses are taken: relocations for the driver's
/// descriptors, their symbols, the functions that take addresses.
fn descriptors(bytes: &[u8]) -> Result<Vec<String>> {
    let cubin = Cubin::parse(bytes)?;
    let name = |n: u32| cubin.symbols[n as usize].name.clone();
    let mut out = Vec::new();
    for (index, section) in cubin.sections.iter().enumerate() {
        // Offsets in code depend on the compiler, but not the number and kind of relocations.
        let found = cubin.relocations(index as u32).filter(|r| matches!(r.number, 34 | 35 | 61..=63 | 92..=99));
        out.extend(found.map(|r| format!("{} {} {}+{}", section.name, r.number, name(r.symbol), r.addend)));
    }
    for s in cubin.symbols.iter().filter(|s| s.kind == raddle_cubin::elf::st::FUNC) {
        out.push(format!("symbol {} {} {:?}", s.name, s.other, s.place == raddle_cubin::model::SymbolPlace::Undefined));
    }
    out.sort();
    out.dedup();
    Ok(out)
}

/// Modules with addresses of kernels in code and in variables, of kernels elsewhere, and of the
/// kernel itself.
const TAKERS: &str = "\
.version 8.0
.target sm_80
.address_size 64
.extern .entry far(.param .u64 p);
.visible .entry near(.param .u64 p) { .reg .b64 %d; ld.param.u64 %d, [p]; st.global.b32 [%d], 5; ret; }
.visible .global .align 8 .u64 list[2] = {near, far};
.visible .entry takes(.param .u64 p) { .reg .b64 %d, %e; ld.param.u64 %d, [p]; mov.u64 %e, near; st.global.b64 [%d], %e;
 mov.u64 %e, far; st.global.b64 [%d+8], %e; ret; }
.visible .entry itself(.param .u64 p) { .reg .b64 %d, %e; ld.param.u64 %d, [p]; mov.u64 %e, itself; st.global.b64 [%d], %e; ret; }
.visible .func (.param .b64 r) gives() { .reg .b64 %e; mov.u64 %e, near; st.param.b64 [r], %e; ret; }
";

#[test]
fn addresses_of_kernels_are_descriptors_as_with_ptxas() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let path = scratch.path().join("takers.ptx");
    fs::write(&path, TAKERS)?;
    let ptxas = oracle::require("ptxas");
    for arch in ["sm_80", "sm_90"] {
        let own = descriptors(&object(TAKERS, How { arch, opt: OptLevel::O3, jobs: 1, chaos: None })?)?;
        for want in
            [".text.takes 62 near+0", ".text.takes 63 far+0", ".text.itself 62 itself+0", ".text.gives 63 near+0"]
        {
            ensure!(own.iter().any(|line| line == want), "{arch}: no {want:?} in {own:?}");
        }
        ensure!(own.iter().any(|line| line == ".nv.global.init 35 far+0"), "{arch}: {own:?}");
        ensure!(own.iter().any(|line| line == "symbol far 16 true"), "{arch}: {own:?}");
        let Some(ptxas) = &ptxas else { continue };
        let theirs = assemble(ptxas, scratch.path(), &path, arch, &["-c"]).context("ptxas refuses it")?;
        let found = differences(&own, &descriptors(&theirs)?);
        ensure!(found.is_empty(), "{arch}: {}", found.join("\n"));
    }
    Ok(())
}

/// [`TAKERS`] without the undefined kernel.
fn whole() -> String {
    TAKERS.replace(".extern .entry far(.param .u64 p);\n", "").replace(", far}", ", near}").replace("far", "near")
}

#[test]
fn whole_programs_have_descriptors_too() -> Result<()> {
    let text = whole();
    for arch in ["sm_80", "sm_90"] {
        let bytes = cubin(&text, How { arch, opt: OptLevel::O3, jobs: 1, chaos: None })?;
        let found = descriptors(&bytes)?;
        for want in [".text.takes 62 near+0", ".text.itself 63 itself+0", ".nv.global.init 35 near+0"] {
            ensure!(found.iter().any(|line| line == want), "{arch}: no {want:?} in {found:?}");
        }
    }
    Ok(())
}

#[test]
fn addresses_of_kernels_cross_the_fallback() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    for arch in ["sm_80", "sm_90"] {
        let how = How { arch, opt: OptLevel::O3, jobs: 1, chaos: None };
        let own = descriptors(&object(TAKERS, how)?)?;
        let whole = whole();
        let placed = descriptors(&cubin(&whole, how)?)?;
        for name in ["near", "takes", "itself", "gives", "*"] {
            let at = || format!("{arch}, {name} by ptxas");
            let made = with_fallback(ptxas.path(), name, TAKERS, how, true).with_context(at)?;
            let found = differences(&descriptors(&made)?, &own);
            ensure!(found.is_empty(), "{}, an object: {}", at(), found.join("\n"));
            let made = with_fallback(ptxas.path(), name, &whole, how, false).with_context(at)?;
            let found = differences(&descriptors(&made)?, &placed);
            ensure!(found.is_empty(), "{}, whole: {}", at(), found.join("\n"));
        }
    }
    Ok(())
}

/// An object of the units of a split module.
fn in_units(text: &str, arch: &str) -> Result<Vec<u8>> {
    let request = Request {
        inputs: vec![raddle_driver::input::Input {
            name: "module.ptx".into(),
            content: Content::Text(text.to_owned()),
        }],
        selection: Selection { arch: Target::by_name(arch), ..Selection::default() },
        codegen: CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() },
        output: Output::Object(Functions::Exported),
        ..Request::default()
    };
    let report = raddle_driver::split::compile(request, &mut ());
    let errors: Vec<String> = report.diags.iter().filter(|d| d.is_error()).map(|d| d.message.to_string()).collect();
    ensure!(errors.is_empty(), "{}", errors.join("; "));
    report.cubin.context("no object")
}

#[test]
fn modules_whose_kernels_start_kernels_are_split() -> Result<()> {
    let text = fs::read_to_string(source("cdp2"))?;
    let nvlink = oracle::require("nvlink");
    let scratch = tempfile::tempdir()?;
    for arch in ["sm_80", "sm_90"] {
        let how = How { arch, opt: OptLevel::O3, jobs: 1, chaos: None };
        let found = differences(&descriptors(&in_units(TAKERS, arch)?)?, &descriptors(&object(TAKERS, how)?)?);
        ensure!(found.is_empty(), "{arch}: {}", found.join("\n"));
        let Some(nvlink) = &nvlink else { continue };
        let file = scratch.path().join("units.cubin");
        fs::write(&file, in_units(&text, arch)?)?;
        started_kernels_run(&check(nvlink, &format!("cdp2 {arch} in units"), &file, arch)?)?;
    }
    Ok(())
}

#[test]
fn kernels_by_the_fallback_start_kernels() -> Result<()> {
    let (Some(ptxas), Some(nvlink)) = (oracle::require("ptxas"), oracle::require("nvlink")) else { return Ok(()) };
    let text = fs::read_to_string(source("cdp2"))?;
    let scratch = tempfile::tempdir()?;
    for (arch, name) in ["sm_80", "sm_90"]
        .into_iter()
        .flat_map(|arch| ["_Z4plusPii", "starts_named", "starts_itself", "*"].map(|n| (arch, n)))
    {
        let place = format!("cdp2 {arch}, {name} by ptxas");
        let how = How { arch, opt: OptLevel::O3, jobs: 1, chaos: None };
        let made = with_fallback(ptxas.path(), name, &text, how, true).with_context(|| place.clone())?;
        let file = scratch.path().join("made.cubin");
        fs::write(&file, made)?;
        started_kernels_run(&check(&nvlink, &place, &file, arch)?).with_context(|| place.clone())?;
    }
    Ok(())
}
