//! A kernel for every spelling of `wgmma.mma_async`, with random matrices.
//!
//! Problem: the spellings differ in shape, types, sparsity and place of A, and each of them has
//! operands (descriptors, signs, majors) that change what is read. Strategy: as in
//! [`crate::matrix_forms`]: shared memory and registers are filled with random elements, one
//! warpgroup multiplies, the results are stored; which swizzle, offsets, signs, majors and
//! predicates a spelling gets follows from its number.

use crate::compile;
use crate::level::Level;
use crate::matrix_forms::{Element, element, word};
use crate::ptxas::Assembler;
use crate::rng::Rng;
use crate::simulator;
use anyhow::{Context, Result, ensure};
use raddle_ptx::examples::examples;
use raddle_ptx::{FormId, Op, Ty};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::{AllocId, Memory};
use std::fmt::Write as _;

/// The only architecture that has it.
const ARCH: &str = "sm_90a";

/// Bytes of shared memory of each matrix.
const REGION: usize = 40960;

/// A spelling.
pub struct Form {
    /// The canonical spelling.
    pub dotted: String,
    /// Whether A is in registers.
    pub registers: bool,
    types: Vec<Ty>,
    columns: usize,
}

/// All spellings.
pub fn all() -> Vec<Form> {
    let mut out = Vec::new();
    for example in FormId::all().filter(|id| id.op() == Op::WgmmaMmaAsync).flat_map(examples) {
        let dotted = example.shape.dotted.to_string();
        let shape = dotted.split('.').find_map(|part| part.strip_prefix("m64n")?.split('k').next()?.parse().ok());
        let registers = example.needs.get(1).is_some_and(|need| need.vec == 4);
        let types = example.shape.types.to_vec();
        out.extend(shape.map(|columns| Form { dotted, registers, types, columns }));
    }
    out
}

/// The operands that a spelling leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Bits 62 and 63 of the descriptors.
    mode: [u64; 2],
    /// Leading and stride offset of both, in units of 16 bytes.
    offsets: [[u64; 2]; 2],
    turned: [bool; 2],
    signs: [i32; 2],
    selector: u32,
    /// The predicate of D: from memory, or a constant.
    scale: Option<bool>,
    /// Products in the group.
    count: u64,
}

impl Variant {
    /// Chooses by a number.
    pub fn new(number: u64) -> Variant {
        let mut rng = Rng::new(number, 1);
        let mut pick = |n: usize| rng.below(n);
        let mut offsets = || [1 + pick(64) as u64, 8 * (1 + pick(8) as u64)];
        let offsets = [offsets(), offsets()];
        Variant {
            mode: [pick(4) as u64, pick(4) as u64],
            offsets,
            turned: [pick(3) == 0, pick(3) == 0],
            signs: [1 - 2 * i32::from(pick(4) == 0), 1 - 2 * i32::from(pick(4) == 0)],
            selector: pick(2) as u32,
            scale: [None, None, Some(true), Some(false)][pick(4)],
            count: 1 + pick(3) as u64,
        }
    }

    fn descriptor(&self, i: usize) -> u64 {
        let [leading, stride] = self.offsets[i];
        self.mode[i] << 62 | stride << 32 | leading << 16
    }
}

/// A kernel of one warpgroup.
pub struct Kernel {
    /// The module.
    pub text: String,
    types: [Ty; 3],
    sparse: bool,
    results: usize,
}

impl Form {
    fn has(&self, part: &str) -> bool {
        self.dotted.split('.').any(|p| p == part)
    }

    /// The kernel with some operands. Each thread has in memory: C, A, metadata and whether D is
    /// added to; the matrices are before all threads.
    pub fn kernel(&self, variant: &Variant) -> Kernel {
        let [d, a, b] = self.types[..] else { panic!("types of {}", self.dotted) };
        let count = self.columns / if d == Ty::F16 { 4 } else { 2 };
        let list = |name: &str, n: usize| (0..n).map(|i| format!("%{name}{i}")).collect::<Vec<_>>().join(",");
        let sparse = self.has("sp");
        let mut tail = String::new();
        if sparse {
            let selector = if a.bits() == 8 { 0 } else { variant.selector };
            write!(tail, ", %meta, {selector}").expect("text");
        }
        let scale = variant.scale.map_or("%scale".to_string(), |known| u32::from(known).to_string());
        write!(tail, ", {scale}").expect("text");
        if !matches!(a, Ty::S8 | Ty::U8 | Ty::B1) {
            write!(tail, ", {}, {}", variant.signs[0], variant.signs[1]).expect("text");
        }
        if a.bits() == 16 && a != Ty::Tf32 {
            let turned = variant.turned.map(u32::from);
            let first = if self.registers { String::new() } else { format!(", {}", turned[0]) };
            write!(tail, "{first}, {}", turned[1]).expect("text");
        }
        let left = if self.registers { format!("{{{}}}", list("a", 4)) } else { "%da".into() };
        let product = format!("{} {{{}}}, {left}, %db{tail};\n", self.dotted, list("d", count));
        let mut products = String::new();
        for n in 0..variant.count {
            products += &product;
            if n + 1 < variant.count {
                products += "add.u64 %da, %da, 2; add.u64 %db, %db, 4;\n";
            }
        }
        let mut loads = String::new();
        for i in 0..count + 4 {
            let name = if i < count { format!("%d{i}") } else { format!("%a{}", i - count) };
            writeln!(loads, "ld.global.b32 {name}, [%c+{}];", 4 * i).expect("text");
        }
        let stores: String = (0..count).map(|i| format!("st.global.b32 [%o+{}], %d{i};\n", 4 * i)).collect();
        let text = format!(
            ".version 8.7\n.target {ARCH}\n.address_size 64\n.extern .shared .align 1024 .b8 s[];\n\
             .visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
             .reg .pred %p, %scale; .reg .b64 %in, %out, %x, %c, %o, %da, %db, %w; .reg .b32 %t, %i, %j, %s, %v<4>, \
             %meta, %q; .reg .b32 %d<{count}>; .reg .b32 %a<4>;\n\
             ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %s, s;\n\
             shl.b32 %i, %t, 4;\n$L: cvt.u64.u32 %x, %i; add.u64 %x, %x, %in; \
             ld.global.v4.b32 {{%v0,%v1,%v2,%v3}}, [%x]; add.u32 %j, %i, %s; \
             st.shared.v4.b32 [%j], {{%v0,%v1,%v2,%v3}}; add.u32 %i, %i, 2048; setp.lt.u32 %p, %i, {all}; @%p bra $L;\n\
             mad.wide.u32 %c, %t, {each}, %in; add.u64 %c, %c, {all}; mad.wide.u32 %o, %t, {out}, %out;\n{loads}\
             ld.global.b32 %meta, [%c+{}]; ld.global.b32 %q, [%c+{}]; setp.ne.u32 %scale, %q, 0;\n\
             shr.u32 %j, %s, 4; cvt.u64.u32 %w, %j; or.b64 %da, %w, {}; add.u32 %j, %s, {REGION}; shr.u32 %j, %j, 4; \
             cvt.u64.u32 %w, %j; or.b64 %db, %w, {};\n\
             fence.proxy.async.shared::cta; bar.sync 0;\nwgmma.fence.sync.aligned;\n{products}\
             wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n{stores}ret;\n}}\n",
            4 * (count + 4),
            4 * (count + 5),
            variant.descriptor(0) as i64,
            variant.descriptor(1) as i64,
            all = 2 * REGION,
            each = 4 * (count + 6),
            out = 4 * count,
        );
        Kernel { text, types: [d, a, b], sparse, results: count }
    }

    /// Runs the code of ptxas at some levels in the simulator, and ours if `native`, and the text
    /// in the interpreter. Returns the codes that ran, and what is wrong.
    pub fn judge(&self, levels: &[Level], native: bool, assembler: &Assembler, number: u64) -> (usize, Vec<String>) {
        let variant = Variant::new(number);
        let kernel = self.kernel(&variant);
        let (mut ran, mut wrong) = (0, Vec::new());
        let mut judge = |by: String, cubin: Result<Vec<u8>>| {
            ran += 1;
            if let Err(why) = cubin.and_then(|cubin| kernel.compare(&cubin, number)) {
                wrong.push(format!("{by} {} {variant:?}: {why:#}", self.dotted));
            }
        };
        for level in levels {
            let flag = if *level == Level::Serial { "-O3".to_string() } else { format!("-{level}") };
            judge(format!("ptxas {flag}"), assembler.assemble_at(&kernel.text, ARCH, &flag));
            if native {
                judge(format!("-{level}"), compile::cubin_at(&kernel.text, ARCH, *level));
            }
        }
        (ran, wrong)
    }
}

impl Kernel {
    /// Memory and launch of a run.
    fn run(&self, seed: u64) -> (Memory, Launch, AllocId) {
        let mut rng = Rng::new(seed, 0);
        let mut bytes = Vec::new();
        let fill = |bytes: &mut Vec<u8>, element: Element, words: usize, rng: &mut Rng| {
            for _ in 0..words {
                bytes.extend(&word(element, 32, rng, seed).to_le_bytes()[..4]);
            }
        };
        let [d, a, b] = self.types;
        fill(&mut bytes, element(a), REGION / 4, &mut rng);
        fill(&mut bytes, element(b), REGION / 4, &mut rng);
        let metadata = if a == Ty::Tf32 { Element::OneOfTwo } else { Element::TwoOfFour };
        for _ in 0..128 {
            fill(&mut bytes, element(d), self.results, &mut rng);
            fill(&mut bytes, element(a), 4, &mut rng);
            fill(&mut bytes, if self.sparse { metadata } else { Element::Integer }, 1, &mut rng);
            bytes.extend((seed as u32 & 1 ^ 1).to_le_bytes());
        }
        let mut memory = Memory::new();
        let input = memory.add("in", bytes, false);
        let out = memory.add("out", vec![0; 128 * 4 * self.results], true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(128);
        launch.dyn_shared = 2 * REGION as u32;
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(out)];
        launch.seed = seed;
        (memory, launch, out)
    }

    /// Runs code of the kernel, and its text in the interpreter.
    pub fn compare(&self, cubin: &[u8], number: u64) -> Result<()> {
        for seed in [number % 4, 4 + (number + 1) % 4] {
            let (mut wanted, launch, out) = self.run(seed);
            interp::run(&self.text, &launch, &mut wanted).context("interpreter")?;
            let (mut found, launch, _) = self.run(seed);
            simulator::run(cubin, &launch, &mut found).context("simulator")?;
            let (wanted, found) = (wanted.read_back(out)?, found.read_back(out)?);
            let mut differ = wanted.chunks(4).zip(found.chunks(4)).enumerate().filter(|(_, (w, f))| w != f);
            let first =
                differ.next().map(|(at, (w, f))| format!("word {at}: interpreter {w:02x?}, simulator {f:02x?}"));
            ensure!(first.is_none(), "seed {seed}: {} words differ, {}", differ.count() + 1, first.unwrap_or_default());
        }
        Ok(())
    }
}
