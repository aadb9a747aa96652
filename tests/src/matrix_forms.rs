//! A kernel for every spelling of a matrix instruction, with random fragments.
//!
//! Problem: matrix instructions have hundreds of spellings, and an error of one layout or rounding
//! shows in few results. Strategy: the spellings come from the PTX table; a kernel of one warp loads
//! the registers of every operand from memory, executes the instruction and stores its results; the
//! words loaded follow the type of the elements, with close exponents, subnormal numbers, zeros,
//! infinities and NaNs by turns.

use raddle_ptx::examples::{Example, OperandRequirement, Role, examples};
use raddle_ptx::{FormId, Op, Ty};
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::{AllocId, Memory};

use crate::simulator;
use anyhow::{Context, Result, ensure};
use raddle_sim::interp;

use crate::compile;
use crate::level::Level;
use crate::ptxas::Assembler;
use crate::rng::Rng;

/// The operations.
const OPS: [Op; 7] = [Op::Mma, Op::WmmaMma, Op::WmmaLoad, Op::WmmaStore, Op::Ldmatrix, Op::Stmatrix, Op::Movmatrix];

/// Bytes of the memory that matrices are loaded from and stored to: 32 rows of [`STRIDE`] elements.
const REGION: usize = 16384;
/// Elements between rows.
const STRIDE: usize = 128;

/// A spelling with its operands.
pub struct Form {
    /// The canonical spelling.
    pub dotted: String,
    op: Op,
    types: Vec<Ty>,
    needs: Vec<OperandRequirement>,
}

/// All spellings of matrix instructions of sm_80 to sm_90.
pub fn all() -> Vec<Form> {
    let form = |e: Example| Form {
        dotted: e.shape.dotted.to_string(),
        op: e.shape.op,
        types: e.shape.types.to_vec(),
        needs: e.needs,
    };
    let forms = FormId::all().filter(|id| OPS.contains(&id.op())).flat_map(examples).map(form);
    forms.filter(|form| !form.dotted.split('.').any(is_newer)).collect()
}

/// Whether a part of a spelling is that of a later architecture.
fn is_newer(part: &str) -> bool {
    part.starts_with("kind::") || matches!(part, "m16n16" | "m8n16" | "m16n8" | "b8" | "b8x16")
}

/// The registers of one operand.
struct Operand {
    names: Vec<String>,
    bits: u32,
    written: bool,
    /// Whether its registers come from memory.
    loaded: bool,
    element: Element,
}

/// What the bits of a register are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// Exponent and fraction bits.
    Float(u32, u32),
    /// Any bits.
    Integer,
    /// Metadata of a sparse matrix: which two of four, four bits each.
    TwoOfFour,
    /// Which one of two.
    OneOfTwo,
}

/// A kernel `k(in, out)` for one warp.
pub struct Kernel {
    /// The module.
    pub text: String,
    operands: Vec<Operand>,
    region: Element,
}

pub(crate) fn element(ty: Ty) -> Element {
    match ty {
        Ty::F16 | Ty::F16x2 => Element::Float(5, 10),
        Ty::Bf16 | Ty::Bf16x2 => Element::Float(8, 7),
        Ty::F32 | Ty::Tf32 => Element::Float(8, 23),
        Ty::F64 => Element::Float(11, 52),
        Ty::E4m3 => Element::Float(4, 3),
        Ty::E5m2 => Element::Float(5, 2),
        _ => Element::Integer,
    }
}

impl Form {
    fn has(&self, part: &str) -> bool {
        self.dotted.split('.').any(|p| p == part)
    }

    /// The number of matrices of a transfer.
    fn matrices(&self) -> u8 {
        [("x1", 1), ("x2", 2), ("x4", 4)].iter().find(|(part, _)| self.has(part)).map_or(1, |n| n.1)
    }

    /// Element type of vector operand `n` of a product: D, A, B, C.
    fn product_element(&self, n: usize) -> Element {
        if n == 4 {
            return if self.has("tf32") { Element::OneOfTwo } else { Element::TwoOfFour };
        }
        match self.types[..] {
            // `wmma.mma` of f16 names the types of D and C.
            [d, c] => element(if n == 0 {
                d
            } else if n == 3 {
                c
            } else {
                Ty::F16
            }),
            _ => self.types.get(n).map_or(Element::Integer, |&ty| element(ty)),
        }
    }

    /// A kernel for a target, with selector `selector` of a sparse matrix.
    pub fn kernel(&self, target: &str, selector: u32) -> Kernel {
        let mut operands: Vec<Operand> = Vec::new();
        let mut texts = Vec::new();
        for (n, need) in self.needs.iter().enumerate() {
            match need.role {
                Role::Addr => texts.push(format!("[{}]", self.address())),
                Role::Imm => texts.push(selector.to_string()),
                // The distance of rows.
                _ if need.vec == 0 && need.optional => texts.push(STRIDE.to_string()),
                _ => {
                    let bits = need.ty.map_or(32, Ty::bits).max(32);
                    let vec = if need.role == Role::Other { self.matrices() } else { need.vec };
                    let names: Vec<String> = (0..vec.max(1)).map(|r| format!("%x{}_{r}", operands.len())).collect();
                    texts.push(match vec {
                        0 => names[0].clone(),
                        _ => format!("{{{}}}", names.join(", ")),
                    });
                    let element = match self.op {
                        Op::Mma | Op::WmmaMma => self.product_element(n),
                        _ => self.types.last().map_or(Element::Integer, |&ty| element(ty)),
                    };
                    operands.push(Operand {
                        names,
                        bits,
                        written: need.role == Role::Def || self.op == Op::Ldmatrix,
                        loaded: true,
                        element,
                    });
                }
            }
        }
        let mut line = format!("{} {};", self.dotted, texts.join(", "));
        if self.op == Op::WmmaMma && self.types.len() == 2 {
            // Registers of A and B hold some elements twice: only loads make such fragments.
            line = format!("{} {line}", self.loads(&texts));
            operands[1].loaded = false;
            operands[2].loaded = false;
        }
        let region = match (self.op, self.types.last()) {
            (Op::WmmaMma, _) => element(Ty::F16),
            (_, ty) => ty.map_or(Element::Integer, |&ty| element(ty)),
        };
        Kernel { text: self.module(target, &operands, &line), operands, region }
    }

    /// Loads of the factors of a `wmma.mma` of f16.
    fn loads(&self, texts: &[String]) -> String {
        let parts: Vec<&str> = self.dotted.split('.').collect();
        let [layout_a, layout_b, shape] = [4, 5, 6].map(|n| parts[n]);
        let load = |operand: &str, layout: &str, registers: &str, at: usize| {
            format!(
                "wmma.load.{operand}.sync.aligned.{layout}.{shape}.global.f16 {registers}, [%region+{at}], {STRIDE};"
            )
        };
        load("a", layout_a, &texts[1], 0) + " " + &load("b", layout_b, &texts[2], REGION / 2)
    }

    /// The address operand.
    fn address(&self) -> &'static str {
        match self.op {
            // A row of 16 bytes for each lane, in an order of its own.
            Op::Ldmatrix | Op::Stmatrix if self.has("shared") || self.has("shared::cta") => "%row",
            Op::Ldmatrix | Op::Stmatrix => "%generic_row",
            _ if self.has("global") => "%region",
            _ if self.has("shared") || self.has("shared::cta") => "%s",
            _ => "%generic",
        }
    }

    /// Registers of all operands are in `in`, one after another, 32 lanes each; then the region.
    fn module(&self, target: &str, operands: &[Operand], line: &str) -> String {
        let (mut declared, mut loads, mut stores, mut at) = (String::new(), String::new(), String::new(), 0);
        for operand in operands {
            for name in &operand.names {
                let bits = operand.bits;
                declared += &format!(".reg .b{bits} {name};\n");
                let address = format!("mad.wide.u32 %a, %t, {}, ", bits / 8);
                if operand.written {
                    stores += &format!("{address}%out; st.global.b{bits} [%a+{at}], {name};\n");
                } else if operand.loaded {
                    loads += &format!("{address}%in; ld.global.b{bits} {name}, [%a+{at}];\n");
                }
                at += 32 * bits / 8;
            }
        }
        let copy = |from: &str, to: &str, first: &str, second: &str| {
            format!(
                "mov.u32 %i, 0;\n{from}: mad.lo.u32 %j, %i, 512, %l; cvt.u64.u32 %a, %j; add.u64 %b, %a, {first}; \
                 ld.{}.v4.b32 {{%w0, %w1, %w2, %w3}}, [%b]; add.u64 %b, %a, {second}; \
                 st.{to}.v4.b32 [%b], {{%w0, %w1, %w2, %w3}}; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, {}; \
                 @%p bra {from};\nbar.sync 0;\n",
                if to == "shared" { "global" } else { "shared" },
                REGION / 512
            )
        };
        // The region is shared memory unless the instruction names global memory.
        let moved = self.needs.iter().any(|need| need.role == Role::Addr);
        let (before, after) = match self.address() {
            _ if !moved => (String::new(), String::new()),
            "%region" => (String::new(), String::new()),
            _ => (copy("$fill", "shared", "%region", "%wide"), copy("$drain", "global", "%wide", "%left")),
        };
        let place = if self.op == Op::WmmaStore && self.address() == "%region" { "out" } else { "in" };
        format!(
            ".version 8.7\n.target {target}\n.address_size 64\n\
             .visible .entry k(.param .u64 in, .param .u64 out)\n{{\n.shared .align 128 .b8 s[{REGION}];\n\
             .reg .pred %p; .reg .b64 %in, %out, %a, %b, %region, %left, %wide, %generic, %generic_row; \
             .reg .b32 %t, %l, %i, %j, %s, %row, %w<4>;\n{declared}\
             ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; shl.b32 %l, %t, 4;\n\
             add.u64 %region, %{place}, {at}; add.u64 %left, %out, {at}; mov.u32 %s, s; cvt.u64.u32 %wide, %s; \
             cvta.shared.u64 %generic, %wide;\n{before}\
             mad.lo.u32 %row, %t, 5, 3; and.b32 %row, %row, 31; mad.wide.u32 %generic_row, %row, 48, %generic; \
             mad.lo.u32 %row, %row, 48, %s;\n\
             {loads}{line}\n{stores}{after}ret;\n}}\n"
        )
    }
}

/// A run of a [`Kernel`].
pub struct Run {
    /// Its memory.
    pub memory: Memory,
    /// Its launch.
    pub launch: Launch,
    out: AllocId,
}

impl Run {
    /// What the kernel has written.
    ///
    /// # Errors
    /// Undefined bits.
    pub fn results(&self) -> Result<Vec<u8>> {
        Ok(self.memory.read_back(self.out)?.to_vec())
    }
}

impl Kernel {
    /// Prepares a run.
    pub fn run(&self, seed: u64) -> Run {
        let mut rng = Rng::new(seed, 0);
        let mut bytes = Vec::new();
        for operand in &self.operands {
            let size = operand.bits as usize / 8;
            for _ in 0..32 * operand.names.len() {
                bytes.extend(&word(operand.element, operand.bits, &mut rng, seed).to_le_bytes()[..size]);
            }
        }
        for _ in 0..REGION / 8 {
            bytes.extend(word(self.region, 64, &mut rng, seed).to_le_bytes());
        }
        let mut memory = Memory::new();
        let zeros = vec![0; bytes.len()];
        let input = memory.add("in", bytes, false);
        let out = memory.add("out", zeros, true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(32);
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(out)];
        Run { memory, launch, out }
    }
}

/// A random register or part of memory: elements of one type. The seed decides which kinds of
/// numbers there are.
pub(crate) fn word(element: Element, bits: u32, rng: &mut Rng, seed: u64) -> u64 {
    let fill = |width: u32, mut one: Box<dyn FnMut() -> u64 + '_>| {
        (0..bits / width).fold(0, |word, i| word | one() << (i * width))
    };
    match element {
        Element::Integer => rng.next(),
        Element::TwoOfFour => fill(4, Box::new(|| [4, 8, 9, 12, 13, 14][rng.below(6)])),
        Element::OneOfTwo => fill(4, Box::new(|| [4, 14][rng.below(2)])),
        Element::Float(exponent, fraction) => {
            fill(1 + exponent + fraction, Box::new(|| float(exponent, fraction, rng, seed)))
        }
    }
}

/// A random float.
fn float(exponent: u32, fraction: u32, rng: &mut Rng, seed: u64) -> u64 {
    let top = (1u64 << exponent) - 1;
    let bias = top >> 1;
    let below = |rng: &mut Rng, n: u64| rng.below(n as usize) as u64;
    let near = bias - bias.min(6) + below(rng, 2 * bias.min(6) + 1);
    let field = match (seed % 4, rng.below(20)) {
        (0, _) => near,
        // Subnormal numbers and zeros among numbers of all sizes.
        (1, n) if n < 6 => 0,
        (1, _) => below(rng, top),
        (2, n) if n < 2 => top,
        (2, n) if n < 4 => 0,
        (2, _) => near,
        (_, n) if n < 10 => 0,
        _ => 1 + below(rng, 3.min(top - 1)),
    };
    let bits = rng.next() & ((1 << fraction) - 1);
    let bits = if rng.below(6) == 0 { 0 } else { bits };
    below(rng, 2) << (exponent + fraction) | field << fraction | bits
}

/// Seeds of random fragments: numbers of each kind.
const SEEDS: u64 = 4;

/// What was found of a spelling on an architecture.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Codes that ran: that of ptxas, and ours.
    pub ran: usize,
    /// Codes whose results are not those of the interpreter, or that did not run.
    pub wrong: Vec<String>,
}

impl Form {
    /// Runs the code of ptxas and ours at some levels in the simulator, and the text in the
    /// interpreter. `None` if ptxas refuses the form on this architecture.
    pub fn judge(&self, arch: &str, levels: &[Level], assembler: &Assembler, selector: u32) -> Option<Found> {
        let with = |selector| {
            let kernel = self.kernel(arch, selector);
            let cubin = assembler.assemble(&kernel.text, arch).ok()?;
            Some((kernel, cubin))
        };
        let (kernel, cubin) = with(selector).or_else(|| with(0))?;
        let mut found = Found { ran: 1, ..Found::default() };
        let name = |by: &str| format!("{arch} {by} {}", self.dotted);
        if let Err(why) = kernel.compare(&cubin) {
            found.wrong.push(format!("{}: {why:#}", name("ptxas")));
        }
        for level in levels {
            let name = name(&format!("-{level}"));
            let ours = compile::cubin_at(&kernel.text, arch, *level).and_then(|cubin| kernel.compare(&cubin));
            match ours {
                Ok(()) => found.ran += 1,
                Err(why) => found.wrong.push(format!("{name}: {why:#}")),
            }
        }
        Some(found)
    }
}

impl Kernel {
    /// Runs code of the kernel, and its text in the interpreter.
    fn compare(&self, cubin: &[u8]) -> Result<()> {
        for seed in 0..SEEDS {
            let mut wanted = self.run(seed);
            interp::run(&self.text, &wanted.launch, &mut wanted.memory).context("interpreter")?;
            let mut found = self.run(seed);
            simulator::run(cubin, &found.launch, &mut found.memory).context("simulator")?;
            let (wanted, found) = (wanted.results()?, found.results()?);
            let differ = wanted.chunks(4).zip(found.chunks(4)).enumerate().filter(|(_, (w, f))| w != f);
            let places: Vec<String> =
                differ.map(|(at, (w, f))| format!("word {at}: interpreter {w:02x?}, simulator {f:02x?}")).collect();
            ensure!(places.is_empty(), "seed {seed}: {} words differ, {}", places.len(), places[0]);
        }
        Ok(())
    }
}
