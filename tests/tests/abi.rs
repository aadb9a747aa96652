//! Calls between objects of our compiler and of ptxas, in both directions, linked by our linker and
//! by nvlink, run in the simulator.
//!
//! A program of `tests/corpus/abi` is two modules that call each other: `kernels.ptx` with a kernel
//! `k`, and `functions.ptx`. The results of 32 threads are in `want.hex`, from the interpreter's
//! run of both in one module. Each module is compiled by our compiler and by ptxas, and every pair
//! linked by either linker must give the same bytes, without hazards, and print the lines of
//! `printed.txt`. Without ptxas and nvlink only our own objects are tested. Programs of one module
//! with calls that are not inlined (`tests/corpus/calls`) must run as in the interpreter.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::view::Kernel;
use raddle_diag::{Diags, FileId};
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input as Text};
use raddle_driver::options::{CodegenOptions, RunOptions, Selection};
use raddle_driver::request::{Functions, Output, Request};
use raddle_filetest::oracle::{self, Oracle};
use raddle_link::objects::Problem;
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Launch};
use raddle_sim::mem::{AllocId, Memory};
use raddle_target::Target;
use raddle_tests::judge::ARCHS;
use raddle_tests::level::Level;
use raddle_tests::link::{self, Program};
use raddle_tests::simulator;

/// Threads of the launch.
const THREADS: u32 = 32;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/abi")
}

fn programs() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn read(program: &str, file: &str) -> String {
    fs::read_to_string(folder().join(program).join(file)).unwrap()
}

/// A declaration in a line of a module that another module defines: its name, and whether it is a
/// function.
fn declared(line: &str) -> Option<(&str, bool)> {
    let rest = line.strip_prefix(".extern ")?.trim_end_matches(';');
    let names = |word: &&str| word.starts_with(char::is_alphabetic);
    match rest.strip_prefix(".func ") {
        Some(rest) => {
            // Results precede the name.
            let rest = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest);
            Some((rest.split([' ', '(']).find(names)?, true))
        }
        None => Some((rest.split([' ', '[']).find(names)?, false)),
    }
}

/// Combines both modules of a program into one.
fn merged(program: &str) -> String {
    let [functions, kernels] = ["functions.ptx", "kernels.ptx"].map(|file| read(program, file));
    let head = ".version 8.0\n.target sm_80\n.address_size 64\n";
    let (mut front, mut bodies) = (String::new(), String::new());
    for (text, other) in [(&functions, &kernels), (&kernels, &functions)] {
        let text = text.split_once(".address_size 64\n").map_or("", |(_, text)| text);
        for line in text.lines() {
            let found = declared(line).filter(|(name, _)| {
                let lines = other.lines().filter(|line| !line.starts_with(".extern"));
                let mut named = lines.filter(|line| line.starts_with('.') && line.contains(&format!(" {name}")));
                named.next().is_some()
            });
            match found {
                Some((_, true)) => front += &(line.replacen(".extern", ".visible", 1) + "\n"),
                Some((_, false)) => front += &format!("{line}\n"),
                // Functions of the driver are declared once.
                None if line.starts_with(".extern") && bodies.contains(line) => {}
                None => bodies += &format!("{line}\n"),
            }
        }
    }
    format!("{head}{front}{bodies}")
}

/// Programs whose modules share private names, so that they cannot be combined.
const TWO_TEXTS: &[&str] = &["shared", "system"];

#[test]
fn what_is_wanted_is_what_the_interpreter_computes() -> Result<()> {
    for program in programs().into_iter().filter(|program| !TWO_TEXTS.contains(&&**program)) {
        let mut memory = Memory::new();
        let (launch, buffer) = launch(&mut memory);
        interp::run(&merged(&program), &launch, &mut memory).with_context(|| program.clone())?;
        let got = after(&memory, buffer)?;
        ensure!(got == read(&program, "want.hex").trim(), "{program}: {got}");
    }
    Ok(())
}

/// The contents of memory before the launch.
fn before() -> Vec<u8> {
    (0..THREADS).flat_map(|i| [7 * i + 3, 1000 - 13 * i]).flat_map(u32::to_le_bytes).collect()
}

fn launch(memory: &mut Memory) -> (Launch, AllocId) {
    let buffer = memory.add("out", before(), true);
    let mut launch = Launch::new("k");
    launch.block = THREADS.into();
    launch.args = vec![Arg::u64(memory.base(buffer))];
    launch.dyn_shared = 4 * THREADS;
    // For recursion; all other stack sizes are known.
    launch.stack = 1 << 14;
    (launch, buffer)
}

fn after(memory: &Memory, buffer: AllocId) -> Result<String> {
    let bytes = memory.read_back(buffer).map_err(|kind| anyhow!("{kind}"))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// The printed lines, sorted: the order of threads is unspecified.
fn lines(memory: &Memory) -> Vec<String> {
    let mut lines: Vec<String> = String::from_utf8_lossy(&memory.traces.printed).lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Runs an executable; returns the contents of memory and the printed lines. Hazards, races and
/// stray accesses are failures.
fn simulate(cubin: &[u8]) -> Result<(String, Vec<String>)> {
    let mut memory = Memory::new();
    let (launch, buffer) = launch(&mut memory);
    simulator::run(cubin, &launch, &mut memory).context("simulator")?;
    Ok((after(&memory, buffer)?, lines(&memory)))
}

/// Compiles a module to an object.
fn object(text: &str, arch: &str, options: CodegenOptions) -> Result<Vec<u8>> {
    made(&[text], arch, options, Output::Object(Functions::Exported))
}

fn compiled(text: &str, arch: &str, options: CodegenOptions) -> Result<Vec<u8>> {
    program(&[text], arch, options)
}

/// Compiles several modules to a program.
fn program(texts: &[&str], arch: &str, options: CodegenOptions) -> Result<Vec<u8>> {
    made(texts, arch, options, Output::Executable)
}

fn made(texts: &[&str], arch: &str, options: CodegenOptions, output: Output) -> Result<Vec<u8>> {
    let input = |(n, text): (usize, &&str)| {
        let name = format!("module{n}.ptx");
        Text { name, content: Content::Text((*text).to_owned()) }
    };
    let request = Request {
        inputs: texts.iter().enumerate().map(input).collect(),
        selection: Selection { arch: Target::by_name(arch), ..Selection::default() },
        codegen: options,
        output,
        run: RunOptions { jobs: 1, ..RunOptions::default() },
        ..Request::default()
    };
    let report = compile(request, &mut ());
    let errors: Vec<String> = report.diags.iter().filter(|d| d.is_error()).map(|d| d.message.to_string()).collect();
    ensure!(errors.is_empty(), "{}", errors.join("; "));
    report.cubin.context("no cubin")
}

/// Assembles an object with ptxas.
fn assembled(ptxas: &Oracle, text: &str, arch: &str) -> Result<Vec<u8>> {
    assemble(ptxas, text, arch, &["-c".into()])
}

/// Assembles a module with ptxas.
fn assemble(ptxas: &Oracle, text: &str, arch: &str, options: &[String]) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let (source, object) = (folder.path().join("m.ptx"), folder.path().join("m.o"));
    fs::write(&source, text.replace("sm_80", arch))?;
    let args = [format!("-arch={arch}"), source.display().to_string(), "-o".into(), object.display().to_string()];
    ptxas.run(&[options, &args[..]].concat()).context("ptxas")?;
    Ok(fs::read(object)?)
}

/// Links two objects with our linker, and with nvlink if available; returns the name of each linker
/// and its executable.
fn linked(program: &Program, nvlink: Option<&Oracle>) -> Vec<(&'static str, Result<Vec<u8>>)> {
    let problems =
        |list: Vec<Problem>| anyhow!("{}", list.iter().map(|p| p.to_string()).collect::<Vec<_>>().join("; "));
    let mut out = vec![("us", link::ours(program).map(|ours| ours.bytes).map_err(problems))];
    if let Some(oracle) = nvlink {
        let order: Vec<String> = program.objects.iter().map(|(name, _)| name.clone()).collect();
        let theirs = link::nvlink(oracle, program, &order).and_then(|linked| linked.map_err(|said| anyhow!("{said}")));
        out.push(("nvlink", theirs));
    }
    out
}

#[test]
fn objects_of_both_assemblers_call_each_other() {
    let (ptxas, nvlink) = (oracle::require("ptxas"), oracle::require("nvlink"));
    let mut wrong = Vec::new();
    for (case, program) in programs().iter().enumerate() {
        let printed = fs::read_to_string(folder().join(program).join("printed.txt")).unwrap_or_default();
        let want = (read(program, "want.hex").trim().to_owned(), printed.lines().map(str::to_owned).collect());
        let texts = [read(program, "kernels.ptx"), read(program, "functions.ptx")];
        for (row, &arch) in ARCHS.iter().enumerate() {
            let theirs: Option<Vec<Vec<u8>>> =
                ptxas.as_ref().map(|ptxas| texts.iter().map(|t| assembled(ptxas, t, arch).unwrap()).collect());
            for level in Level::some(case, row) {
                let what = format!("{program} {arch} {level}");
                let options = level.options();
                let ours: Result<Vec<Vec<u8>>> = texts.iter().map(|t| object(t, arch, options.clone())).collect();
                let ours = match ours {
                    Ok(ours) => ours,
                    Err(error) => {
                        wrong.push(format!("{what}: {error:#}"));
                        continue;
                    }
                };
                let mut pairs = vec![("both ours", [&ours[0], &ours[1]])];
                if let Some(theirs) = &theirs {
                    pairs.push(("our kernels", [&ours[0], &theirs[1]]));
                    pairs.push(("our functions", [&theirs[0], &ours[1]]));
                }
                for (pair, [a, b]) in pairs {
                    let objects = vec![("a.o".to_owned(), a.clone()), ("b.o".to_owned(), b.clone())];
                    let program = Program { name: what.clone(), arch, objects };
                    for (by, cubin) in linked(&program, nvlink.as_ref()) {
                        match cubin.and_then(|cubin| simulate(&cubin)) {
                            Ok(got) if got == want => {}
                            Ok(got) => wrong.push(format!("{what}, {pair}, linked by {by}: {got:?}")),
                            Err(error) => wrong.push(format!("{what}, {pair}, linked by {by}: {error:#}")),
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The end of a run: memory and lines, or the error.
type End = std::result::Result<(String, Vec<String>), String>;

/// Runs a cubin, or PTX in the interpreter, with this stack size.
fn end(cubin: Option<&[u8]>, text: &str, stack: u32) -> End {
    let mut memory = Memory::new();
    let (mut launch, buffer) = launch(&mut memory);
    launch.stack = stack;
    let result = match cubin {
        Some(cubin) => simulator::run(cubin, &launch, &mut memory).map(|_| ()),
        None => interp::run(text, &launch, &mut memory).map(|_| ()),
    };
    result.map_err(|failure| failure.kind.to_string())?;
    Ok((after(&memory, buffer).map_err(|error| error.to_string())?, lines(&memory)))
}

#[test]
fn programs_of_one_module_end_as_in_the_interpreter() {
    let ptxas = oracle::require("ptxas");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/calls");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 4);
    let mut wrong = Vec::new();
    for (case, file) in files.iter().enumerate() {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(file).unwrap();
        let want = end(None, &text, 1 << 14);
        assert_eq!(want.is_err(), name == "assert", "{name}: {want:?}");
        for (row, &arch) in ARCHS.iter().enumerate() {
            let mut cubins = Vec::new();
            if let Some(ptxas) = &ptxas {
                cubins.push(("ptxas".to_owned(), assemble(ptxas, &text, arch, &[]).unwrap()));
            }
            for level in Level::some(case, row) {
                cubins.push((format!("{level}"), compiled(&text, arch, level.options()).unwrap()));
            }
            for (by, cubin) in cubins {
                let got = end(Some(&cubin), &text, 1 << 14);
                if got != want {
                    wrong.push(format!("{name} {arch} {by}: {got:?}, not {want:?}"));
                }
                if name == "recursion" && end(Some(&cubin), &text, 128).is_ok() {
                    wrong.push(format!("{name} {arch} {by}: no end of a stack of 128 bytes"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs another kernel of a module with this number of threads.
fn run_kernel(cubin: Option<&[u8]>, text: &str, kernel: &str, threads: u32) -> Result<String> {
    let mut memory = Memory::new();
    let (mut launch, buffer) = launch(&mut memory);
    (launch.kernel, launch.block) = (kernel.to_owned(), threads.into());
    match cubin {
        Some(cubin) => simulator::run(cubin, &launch, &mut memory).map(|_| ())?,
        None => interp::run(text, &launch, &mut memory).map(|_| ())?,
    }
    after(&memory, buffer)
}

#[test]
fn kernels_beside_functions_are_those_of_an_executable_of_their_own() -> Result<()> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/calls/beside.ptx");
    let text = fs::read_to_string(file)?;
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(&text, FileId::FIRST, &mut diags);
    for (row, &arch) in ARCHS.iter().enumerate() {
        for level in Level::some(row, row) {
            let what = format!("{arch} {level}");
            let whole = compiled(&text, arch, level.options()).context(what.clone())?;
            for kernel in ["k", "other"] {
                let want = run_kernel(None, &text, kernel, THREADS)?;
                let got =
                    run_kernel(Some(&whole), &text, kernel, THREADS).with_context(|| format!("{what} {kernel}"))?;
                ensure!(got == want, "{what} {kernel}: {got}, not {want}");
            }
            // One takes addresses from constant bank 4, the other has them in its code.
            let places = ["where", "there"].map(|kernel| run_kernel(Some(&whole), &text, kernel, 1));
            let [a, b] = places;
            ensure!(a? == b?, "{what}: variables have two addresses");
            let whole = Cubin::parse(&whole)?;
            for kernel in ["other", "where"] {
                let id = outline.func(kernel).context("a kernel")?;
                let own = raddle_ptx::extract(&text, FileId::FIRST, &outline, id, &mut diags);
                let own = Cubin::parse(&compiled(&own, arch, level.options())?)?;
                ensure!(own.functions().iter().all(|f| f.is_entry), "{what}: {kernel} alone has functions");
                let (a, b) = (whole.kernel(kernel).context("whole")?, own.kernel(kernel).context("own")?);
                let facts = |k: &Kernel<'_>| (k.registers, k.barriers, k.frame_size, k.shared_size, k.params.clone());
                ensure!(facts(&a) == facts(&b), "{what} {kernel}: {a:?}, not {b:?}");
                // Slots of bank 4 and offsets of constants depend on everything that is linked:
                // here they are the same.
                ensure!(a.code == b.code, "{what} {kernel}: other code");
                let banks = |k: &Kernel<'_>, number: u8| {
                    k.const_banks.iter().filter(|bank| bank.bank == number).map(|bank| bank.bytes.to_vec()).next()
                };
                ensure!(banks(&a, 2) == banks(&b, 2), "{what} {kernel}: other tables");
            }
        }
    }
    Ok(())
}

#[test]
fn a_function_is_the_one_that_a_linker_takes() -> Result<()> {
    // `wf` is weak in the first two modules, and defined differently in the third.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/link/weak-strong");
    let texts = ["a.ptx", "b.ptx", "c.ptx"].map(|file| fs::read_to_string(folder.join(file)).unwrap());
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let run = |cubin: &[u8], kernel: &str| -> Result<Vec<u32>> {
        let bytes = run_kernel(Some(cubin), "", kernel, 16)?;
        let word = |n: usize| u32::from_str_radix(&bytes[8 * n..8 * n + 8], 16).map(u32::swap_bytes);
        Ok((0..16).map(word).collect::<Result<_, _>>()?)
    };
    let nvlink = oracle::require("nvlink");
    for (row, &arch) in ARCHS.iter().enumerate() {
        for level in Level::some(row, row) {
            let what = format!("{arch} {level}");
            let whole = program(&texts, arch, level.options()).with_context(|| what.clone())?;
            let options = level.options();
            let objects = texts
                .iter()
                .zip(["a.o", "b.o", "c.o"])
                .map(|(text, name)| Ok((name.to_owned(), object(text, arch, options.clone())?)));
            let program = Program { name: what.clone(), arch, objects: objects.collect::<Result<_>>()? };
            let mut cubins = vec![("whole", Ok(whole))];
            cubins.extend(linked(&program, nvlink.as_ref()));
            for (by, cubin) in cubins {
                let cubin = cubin?;
                for kernel in ["ka", "kb"] {
                    let got = run(&cubin, kernel).with_context(|| format!("{what}, {by}, {kernel}"))?;
                    let want: Vec<u32> = (0..16).map(|x| 9 * x + 33).collect();
                    ensure!(got == want, "{what}, {by}, {kernel}: {got:?}");
                }
            }
        }
    }
    // Alone it is inlined, as before.
    let alone = Cubin::parse(&compiled(texts[1], "sm_80", CodegenOptions::default())?)?;
    ensure!(alone.functions().iter().all(|f| f.is_entry), "a weak function of one module is inlined");
    Ok(())
}
