//! `cargo campaign bench-link [KIND]`: our device linker beside nvlink, on made-up inputs of three kinds; records the figures.
//!
//! | kind | inputs | figures |
//! |---|---|---|
//! | `many` | 512 objects, each a kernel with functions of its neighbours | time over nvlink's, memory beyond the output |
//! | `large` | 200 MB of code in 32 objects | time and memory over nvlink's |
//! | `linear` | the objects of `large`, and five times as many: 1 GB | processor time per byte at 1 GB over that at 200 MB |
//! | `compute` | a million relocations, 100,000 symbols, chains of calls 1,000 deep | nvlink's time over ours on two threads |
//!
//! The objects are made from one that ptxas made: a function's code, attributes and relocations are copied under new names and
//! sizes, so that a bench needs no hour of ptxas. Times are the best of several runs, both linkers in turn: a machine that is
//! shared has slow runs, not fast ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use raddle_cubin::elf::{shf, sht, st};
use raddle_cubin::info::{Attribute, Value, code};
use raddle_cubin::model::{Cubin, Payload, Reloc, Section, Symbol, SymbolPlace};
use raddle_cubin::{Cubin as Model, SegmentStyle};
use raddle_filetest::oracle::{self, Oracle};

use crate::peak::{self, Run, finish};
use xtask::figures;

/// Runs of each linker.
const RUNS: usize = 7;
/// What the template is made from: a kernel, a function it calls, a variable.
const TEMPLATE: &str = include_str!("bench_link.ptx");

/// A shape of input.
struct Shape {
    name: &'static str,
    objects: usize,
    /// Functions of each object, in a chain of calls.
    functions: usize,
    /// Kernels among them at the end of the chain.
    kernels: usize,
    /// Relocations of each function beside its call.
    relocations: usize,
    /// Instructions of each function.
    words: usize,
}

const SHAPES: &[Shape] = &[
    Shape { name: "many", objects: 512, functions: 4, kernels: 1, relocations: 8, words: 64 },
    Shape { name: "large", objects: 32, functions: 64, kernels: 8, relocations: 16, words: 6400 },
    Shape { name: "compute", objects: 100, functions: 1000, kernels: 10, relocations: 9, words: 24 },
];

#[derive(clap::Args)]
pub struct Options {
    /// Only this kind of input
    #[arg(value_name = "KIND", value_parser = ["many", "large", "linear", "compute"])]
    kind: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, a missing release build, outputs that differ.
pub fn run(options: Options) -> Result<()> {
    let nvlink = oracle::find("nvlink").context("nvlink is needed: make oracles")?;
    let ptxas = oracle::find("ptxas").context("ptxas is needed: make oracles")?;
    let raddle = figures::root().join("target/release/raddle");
    ensure!(raddle.exists(), "cargo build --release first");
    let folder = tempfile::tempdir()?;
    let template = template(&ptxas, folder.path())?;
    let wanted = |kind: &str| options.kind.as_deref().is_none_or(|k| k == kind);
    if wanted("linear") {
        linear(&template, &nvlink, &raddle, folder.path())?;
    }
    for shape in SHAPES.iter().filter(|s| wanted(s.name)) {
        let paths = generate(shape, &template, folder.path())?;
        bench(shape, &paths, &nvlink, &raddle, folder.path())?;
        paths.iter().try_for_each(fs::remove_file)?;
    }
    Ok(())
}

fn template(ptxas: &Oracle, folder: &Path) -> Result<Cubin> {
    let (source, object) = (folder.join("t.ptx"), folder.join("t.cubin"));
    fs::write(&source, TEMPLATE)?;
    let shown = |path: &Path| path.display().to_string();
    ptxas.run(&["-arch=sm_90".to_owned(), "-c".into(), shown(&source), "-o".into(), shown(&object)])?;
    Ok(Model::parse(&fs::read(object)?)?)
}

/// Sections of the template that belong to one function, by the beginning of their names.
const OWNED: &[&str] = &[".nv.info.", ".text.", ".nv.constant0.", ".rela.text."];

/// Writes the objects of a shape.
fn generate(shape: &Shape, template: &Cubin, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for number in 0..shape.objects {
        let path = folder.join(format!("{}{number}.cubin", shape.name));
        fs::write(&path, object(shape, template, number)?)?;
        out.push(path);
    }
    Ok(out)
}

/// One object: functions `fO_I`, each calling the next, the last that of the next object; kernels call the first ones.
fn object(shape: &Shape, template: &Cubin, number: usize) -> Result<Vec<u8>> {
    let mut object = Builder::new(shape, template, number)?;
    object.declare();
    for i in 0..shape.functions + shape.kernels {
        object.function(i);
    }
    for i in shape.functions..shape.functions + shape.kernels {
        object.constant_bank(i);
    }
    object.call_graph();
    object.finish()
}

/// The symbols of an object that come before those of its functions.
mod symbol {
    /// Its own variable.
    pub const VARIABLE: u32 = 1;
    /// The variable of the next object.
    pub const FOREIGN: u32 = 2;
    /// The first function of the next object.
    pub const LAST: u32 = 3;
    /// The first function.
    pub const FIRST: u32 = 4;
}

/// An object that is being made.
struct Builder<'a> {
    shape: &'a Shape,
    template: &'a Cubin,
    /// Its number among the objects.
    number: usize,
    /// The object, at first with the sections of the template that do not belong to a function.
    cubin: Cubin,
    /// How many those are.
    kept: u32,
    /// Index of the symbol table.
    symtab: u32,
    /// Index of the variable's section.
    global: u32,
    symbols: Vec<Symbol>,
    info: Vec<Attribute>,
    /// Calls: symbols of caller and callee.
    edges: Vec<[u32; 2]>,
}

impl<'a> Builder<'a> {
    fn new(shape: &'a Shape, template: &'a Cubin, number: usize) -> Result<Self> {
        let mut cubin = template.clone();
        cubin.sections.retain(|s| !OWNED.iter().any(|o| s.name.starts_with(o)) && !s.name.contains("debug_frame"));
        cubin.sections.retain(|s| !matches!(s.kind, sht::CUDA_CALLGRAPH | sht::CUDA_PROTOTYPE));
        let kept = cubin.sections.len() as u32;
        let (symtab, global) = (index(&cubin, ".symtab")?, index(&cubin, ".nv.global.init")?);
        let (symbols, info, edges) = (vec![null()], Vec::new(), Vec::new());
        Ok(Builder { shape, template, number, cubin, kept, symtab, global, symbols, info, edges })
    }

    fn symbol(&mut self, name: String, kind: u8, other: u8, place: SymbolPlace, size: usize) {
        let size = size as u64;
        self.symbols.push(Symbol { name, binding: st::GLOBAL, kind, other, place, value: 0, size });
    }

    /// Adds all symbols, in the order of [`symbol`].
    fn declare(&mut self) {
        let (number, next) = (self.number, (self.number + 1) % self.shape.objects);
        let own = SymbolPlace::Section(self.global);
        self.symbol(format!("v{number}"), st::CUDA_OBJECT, st::OTHER_GLOBAL, own, 4);
        self.symbol(format!("v{next}"), st::CUDA_OBJECT, st::OTHER_GLOBAL, SymbolPlace::Undefined, 4);
        self.symbol(format!("f{next}_0"), st::FUNC, 0, SymbolPlace::Undefined, 0);
        for i in 0..self.shape.functions + self.shape.kernels {
            let (letter, other) = if self.is_kernel(i) { ('k', st::OTHER_ENTRY) } else { ('f', 0) };
            let place = SymbolPlace::Section(self.text(i));
            self.symbol(format!("{letter}{number}_{i}"), st::FUNC, other, place, 16 * self.shape.words);
        }
    }

    /// Whether a function is a kernel: those at the end are.
    fn is_kernel(&self, i: usize) -> bool {
        i >= self.shape.functions
    }

    /// The index of a function's code section.
    fn text(&self, i: usize) -> u32 {
        self.kept + 3 * i as u32
    }

    /// The symbol of a function.
    fn symbol_of(&self, i: usize) -> u32 {
        symbol::FIRST + i as u32
    }

    /// What a function calls: kernels the last function, each function the one before it, the second the first of the next
    /// object, which calls nobody.
    fn callee(&self, i: usize) -> Option<u32> {
        match i {
            _ if self.is_kernel(i) => Some(self.symbol_of(self.shape.functions - 1)),
            0 => None,
            1 => Some(symbol::LAST),
            i => Some(self.symbol_of(i - 1)),
        }
    }

    /// Adds a section that belongs to a function.
    fn add(&mut self, prefix: &str, i: usize, section: Section) {
        let name = format!("{prefix}{}", self.symbols[self.symbol_of(i) as usize].name);
        self.cubin.sections.push(Section { name, ..section });
    }

    /// Adds the code, the relocations and the attributes of a function.
    fn function(&mut self, i: usize) {
        let (shape, this, link, text) = (self.shape, self.symbol_of(i), self.symtab, self.text(i));
        let source = if self.is_kernel(i) { "k" } else { "f" };
        let code = self.template.section(&format!(".text.{source}")).map(Section::bytes).unwrap_or_default();
        let bytes = Payload::Bytes(code.iter().copied().cycle().take(16 * shape.words).collect());
        let (flags, info, align) = (shf::ALLOC | shf::EXEC, this, 128);
        self.add(".text.", i, Section { flags, link, info, align, ..blank(sht::PROGBITS, bytes) });
        let place = |n: usize| 16 * (n % shape.words) as u64;
        let mut relocations: Vec<Reloc> = (0..shape.relocations)
            .map(|n| {
                let symbol = [symbol::VARIABLE, symbol::FOREIGN][n % 2];
                Reloc { offset: place(n + 2), number: 56 + n as u32 % 2, symbol, addend: 0 }
            })
            .collect();
        if let Some(callee) = self.callee(i) {
            relocations.push(Reloc { offset: place(1), number: 75, symbol: callee, addend: 0 });
            self.edges.push([this, callee]);
        }
        let (flags, info, relocations) = (shf::INFO_LINK, text, Payload::Relocations(relocations));
        let rela = Section { flags, link, info, align: 8, entry_size: 24, ..blank(sht::RELA, relocations) };
        self.add(".rela.text.", i, rela);
        let attributes = self.template.attributes(source).iter();
        let attributes = attributes.filter(|a| !matches!(a.code, code::PARAM_CBANK | code::EXTERNS)).cloned();
        let attributes = Payload::Attributes(attributes.collect());
        self.add(".nv.info.", i, Section { flags, link, info, ..blank(sht::CUDA_INFO, attributes) });
        for (code, value) in [(code::REGCOUNT, 24), (code::MAX_STACK_SIZE, 0), (code::FRAME_SIZE, 16)] {
            self.info.push(Attribute { code, value: Value::SymbolWord { symbol: this, value } });
        }
    }

    /// Adds the constant bank of a kernel.
    fn constant_bank(&mut self, i: usize) {
        let bytes = self.template.section(".nv.constant0.k").map(Section::bytes).unwrap_or_default();
        let (flags, info, bytes) = (shf::ALLOC | shf::INFO_LINK, self.text(i), Payload::Bytes(bytes.to_vec()));
        self.add(".nv.constant0.", i, Section { flags, info, ..blank(sht::CUDA_CONSTANT_B0, bytes) });
    }

    /// Adds the table of calls.
    fn call_graph(&mut self) {
        let mut pairs = vec![[0, -1i32 as u32]];
        pairs.append(&mut self.edges);
        pairs.extend([[0, -2i32 as u32], [0, -3i32 as u32], [0, -4i32 as u32]]);
        let (name, link) = (".nv.callgraph".to_owned(), self.symtab);
        let table = blank(sht::CUDA_CALLGRAPH, Payload::Pairs(pairs));
        self.cubin.sections.push(Section { name, link, entry_size: 8, ..table });
    }

    /// Fills in the tables that all functions share, and writes the object.
    fn finish(mut self) -> Result<Vec<u8>> {
        let mut cubin = self.cubin;
        let strtab = index(&cubin, ".strtab")?;
        let compat = index(&cubin, ".nv.compat").unwrap_or(0);
        let info = index(&cubin, ".nv.info")? as usize;
        self.info.sort_by_key(|a| a.code);
        cubin.sections[info].payload = Payload::Attributes(self.info);
        cubin.sections[info].link = self.symtab;
        cubin.sections[self.symtab as usize].link = strtab;
        cubin.sections[self.symtab as usize].info = 1;
        for s in cubin.sections.iter_mut().filter(|s| s.name == ".note.nv.cuinfo") {
            s.info = compat;
        }
        cubin.sections[self.global as usize].payload = Payload::Bytes(vec![7, 0, 0, 0]);
        cubin.symbols = self.symbols;
        cubin.lay_out(SegmentStyle::AMPERE)?;
        let note = cubin.section_index(".note.nv.cuinfo").unwrap_or(0);
        cubin.header.flags = cubin.header.flags & 0x00ff_ffff | note << 24;
        Ok(cubin.write()?)
    }
}

/// The index of the template's section of this name.
fn index(cubin: &Cubin, name: &str) -> Result<u32> {
    cubin.section_index(name).with_context(|| format!("the template lacks {name}"))
}

/// A section without name and place.
fn blank(kind: u32, payload: Payload) -> Section {
    let name = String::new();
    let (flags, address, offset, link, info, align, entry_size) = (0, 0, 0, 0, 0, 4, 0);
    Section { name, kind, flags, address, offset, link, info, align, entry_size, payload }
}

fn null() -> Symbol {
    Symbol { name: String::new(), binding: 0, kind: 0, other: 0, place: SymbolPlace::Undefined, value: 0, size: 0 }
}

fn bench(shape: &Shape, paths: &[PathBuf], nvlink: &Oracle, raddle: &Path, folder: &Path) -> Result<()> {
    let (ours, theirs) = (folder.join("ours.cubin"), folder.join("theirs.cubin"));
    let our = |threads: &str| {
        let mut command = Command::new(raddle);
        command.args(["link", "--arch", "sm_90", "-w", "-j", threads, "-o"]).arg(&ours).args(paths);
        finish(&mut command)
    };
    let their = || finish(nvlink.command().args(["-arch=sm_90", "-w", "-o"]).arg(&theirs).args(paths));
    let (mut one, mut two, mut peer) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        one.push(our("1")?);
        two.push(our("2")?);
        peer.push(their()?);
    }
    let megabyte = f64::from(1 << 20);
    let input = paths.iter().map(|p| Ok(fs::metadata(p)?.len())).sum::<Result<u64>>()? as f64 / megabyte;
    let output = fs::metadata(&ours)?.len() as f64 / megabyte;
    let (one_best, two_best, peer_best) = (best(&one), best(&two), best(&peer));
    let peak = two.iter().chain(&one).map(|r| r.peak).fold(0.0, f64::max) / megabyte;
    let peer_peak = peer.iter().map(|r| r.peak).fold(0.0, f64::max) / megabyte;
    let note = format!(
        "{} objects, {input:.1} MiB in, {output:.1} MiB out; best of {RUNS}: ours {one_best:.3} s on one thread, {two_best:.3} s on \
         two, nvlink {peer_best:.3} s; peak {peak:.0} MiB, nvlink {peer_peak:.0} MiB",
        shape.objects
    );
    println!("{}: {note}", shape.name);
    let command = format!("cargo campaign bench-link {}", shape.name);
    match shape.name {
        "many" => {
            figures::record("link.many.time", round(two_best.min(one_best) / peer_best), &command, &note)?;
            figures::record("link.many.memory", round(peak - output), &command, &note)?;
        }
        "large" => {
            figures::record("link.large.time", round(two_best.min(one_best) / peer_best), &command, &note)?;
            figures::record("link.large.memory", round(peak / peer_peak), &command, &note)?;
        }
        _ => figures::record("link.compute.speed", round(peer_best / two_best), &command, &note)?,
    }
    Ok(())
}

/// Processor time per byte of inputs of 200 MB and of five times that; both linkers link both sizes in turn, each time to a new file.
///
/// Processor time, since on the clock a link of 1 GB is as fast as the machine writes files just then: the note has both.
fn linear(template: &Cubin, nvlink: &Oracle, raddle: &Path, folder: &Path) -> Result<()> {
    const TIMES: usize = 5;
    let small = &SHAPES[1];
    let large = Shape { name: "gigabyte", objects: TIMES * small.objects, ..*small };
    let paths = [generate(small, template, folder)?, generate(&large, template, folder)?];
    let output = folder.join("linear.cubin");
    let mut bytes = [0f64; 2];
    let (mut ours, mut theirs) = ([Sum::default(); 2], [Sum::default(); 2]);
    for _ in 0..RUNS {
        for (n, paths) in paths.iter().enumerate() {
            bytes[n] = paths.iter().map(|p| Ok(fs::metadata(p)?.len())).sum::<Result<u64>>()? as f64;
            let mut command = Command::new(raddle);
            command.args(["link", "--arch", "sm_90", "-w", "-j", "1", "-o"]).arg(&output).args(paths);
            ours[n].add(&mut command)?;
            fs::remove_file(&output)?;
            theirs[n].add(nvlink.command().args(["-arch=sm_90", "-w", "-o"]).arg(&output).args(paths))?;
            fs::remove_file(&output)?;
        }
    }
    paths.iter().flatten().try_for_each(fs::remove_file)?;
    let per_byte = |of: [f64; 2]| round(of[1] / bytes[1] / (of[0] / bytes[0]));
    let [ratio, peer_ratio] = [ours, theirs].map(|sums| per_byte(sums.map(|sum| sum.processor)));
    let [clock, peer_clock] = [ours, theirs].map(|sums| per_byte(sums.map(|sum| sum.best)));
    let gigabytes = bytes.map(|b| b / 1e9);
    let runs = RUNS as f64;
    let note = format!(
        "{:.3} GB in {:.3} s of one processor, {:.3} GB in {:.3} s (mean of {RUNS}, new files); nvlink {:.3} s and {:.3} s, ratio {peer_ratio}; \
         best on the clock {:.3} s and {:.3} s, ratio {clock}, nvlink {:.3} s and {:.3} s, ratio {peer_clock}; peak {:.2} of the larger input",
        gigabytes[0],
        ours[0].processor / runs,
        gigabytes[1],
        ours[1].processor / runs,
        theirs[0].processor / runs,
        theirs[1].processor / runs,
        ours[0].best,
        ours[1].best,
        theirs[0].best,
        theirs[1].best,
        ours[1].peak / bytes[1]
    );
    println!("linear: {ratio} {note}");
    figures::record("link.linear", ratio, "cargo campaign bench-link linear", &note)
}

/// Runs of one command.
#[derive(Clone, Copy, Debug)]
struct Sum {
    /// Processor seconds of all.
    processor: f64,
    /// Seconds of the fastest.
    best: f64,
    /// Peak resident bytes.
    peak: f64,
}

impl Default for Sum {
    fn default() -> Self {
        Sum { processor: 0.0, best: f64::INFINITY, peak: 0.0 }
    }
}

impl Sum {
    fn add(&mut self, command: &mut Command) -> Result<()> {
        let before = peak::processor_seconds_of_children()?;
        let run = finish(command)?;
        self.processor += peak::processor_seconds_of_children()? - before;
        self.best = self.best.min(run.seconds);
        self.peak = self.peak.max(run.peak);
        Ok(())
    }
}

fn best(runs: &[Run]) -> f64 {
    runs.iter().map(|r| r.seconds).fold(f64::INFINITY, f64::min)
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
