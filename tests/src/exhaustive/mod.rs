//! Compares numeric operations of our machine code with references on whole ranges of operands, in
//! the simulator.
//!
//! Problem: an expansion of a division that is right on a million operands may be wrong on the
//! next. Strategy: a kernel computes its operands from its thread number (or loads them) and stores
//! the results of the operation. The host compares every result with a reference that shares no
//! code with compiler and simulator ([`mod@reference`]), under each error setting of the
//! multi-function unit ([`SETTINGS`]): correctly rounded operations must not depend on it. The
//! first part of every operation runs with all checks of the simulator; the rest runs without
//! hazards and races, with the warps of a block together ([`machine::run_lockstep`]), which gives the
//! same results (`tests/tests/exhaustive.rs`).
//!
//! Invariants: the operands of a result are determined by its position; a difference is reported
//! with operands, result and reference.

mod code_hash;
pub mod ops;
pub mod reference;

use crate::simulator;
use anyhow::{Context, Result, anyhow, ensure};
use raddle_cubin::model::Cubin;
use raddle_sim::failure::Failure;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::{AllocId, Memory, Segment};
use raddle_sim::mufu::{ErrorSetting, Mufu};
use raddle_sim::{hazard_check, machine};
use raddle_target::Isa;

use crate::compile::cubin_at;
use crate::level::Level;
use ops::Op;

/// Threads of a block.
const BLOCK: u64 = 256;
/// Operands of one thread.
const EACH: u64 = 16;
/// Operands of one block: ranges are a multiple of this.
pub const PIECE: u64 = BLOCK * EACH;

/// The settings of the multi-function unit under which operations that use it are tested.
pub const SETTINGS: [ErrorSetting; 3] = [ErrorSetting::Exact, ErrorSetting::Low, ErrorSetting::High];

/// The source of operands.
#[derive(Clone, Copy, Debug)]
pub enum Operands<'a> {
    /// `start`, `start + stride`, ..., `count` 32-bit words.
    Strided {
        /// The first word.
        start: u32,
        /// The difference between consecutive words.
        stride: u32,
        /// Their number, a multiple of [`PIECE`].
        count: u64,
    },
    /// One list for each operand of the operation, of equal lengths; padded to a multiple of
    /// [`PIECE`].
    Listed(&'a [Vec<u64>]),
}

/// Compiled kernels of an operation.
pub struct Compiled {
    strided: Option<Vec<u8>>,
    listed: Vec<u8>,
}

impl Compiled {
    /// Compiles the kernels of an operation for an architecture.
    ///
    /// # Errors
    /// Messages of the compiler.
    pub fn new(op: &Op, arch: &str, level: Level) -> Result<Compiled> {
        let compile = |text: String| cubin_at(&text, arch, level).with_context(|| op.name.clone());
        let strided = if op.input == 32 && op.operands == 1 { Some(compile(strided(op))?) } else { None };
        Ok(Compiled { strided, listed: compile(listed(op))? })
    }

    /// A hash of what the machine code computes (`meaning`).
    pub fn hash(&self) -> u64 {
        let words = |seed, file: &[u8]| {
            let cubin = Cubin::parse(file).ok();
            code_hash::mix(seed, cubin.as_ref().and_then(|c| c.kernel("k")).map_or(file, |k| k.code).iter().copied())
        };
        self.strided.iter().chain([&self.listed]).fold(code_hash::SEED, |seed, file| match self.straight(file) {
            Some(number) => code_hash::mix(seed, number.to_le_bytes()),
            None => words(seed, file),
        })
    }

    /// The instructions of the kernels without their operands, sorted.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn mnemonics(&self, isa: Isa) -> Result<Vec<String>> {
        let mut all = Vec::new();
        for file in self.strided.iter().chain([&self.listed]) {
            let cubin = Cubin::parse(file)?;
            let code = cubin.kernel("k").context("no kernel k")?.code;
            let code = hazard_check::instructions(isa, code).map_err(|at| anyhow!("no word at {at:#x}"))?;
            all.extend(code.iter().map(|i| i.to_string().split(' ').next().unwrap_or_default().to_owned()));
        }
        all.sort_unstable();
        Ok(all)
    }

    /// `code_hash::straight` of the kernel in a file. Arguments do not matter.
    fn straight(&self, file: &[u8]) -> Option<u64> {
        let cubin = Cubin::parse(file).ok()?;
        let mut launch = Launch::new("k");
        launch.args.extend(cubin.kernel("k")?.params.iter().map(|p| Arg::Value(vec![0; p.size as usize])));
        let image = machine::Image::load(file, &launch, &mut Memory::new()).ok()?;
        code_hash::straight(&image)
    }
}

/// A result that is not the reference's.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The operands.
    pub operands: Vec<u64>,
    /// The result of the machine code.
    pub got: u64,
    /// The reference.
    pub want: u64,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let operands: Vec<String> = self.operands.iter().map(|x| format!("{x:#x}")).collect();
        write!(f, "({}) gives {:#x}, not {:#x}", operands.join(", "), self.got, self.want)
    }
}

/// Operands of one run: their results should fit in the caches.
const RUN: u64 = 1 << 18;
/// Initial bytes of results before a run without checks.
const UNWRITTEN: u8 = 0xa5;

/// Computes the operation on all operands; returns the number of differences and the first few.
/// `checked` enables all checks of the simulator.
///
/// # Errors
/// A failed run.
pub fn judge(
    op: &Op,
    compiled: &Compiled,
    operands: Operands<'_>,
    setting: ErrorSetting,
    checked: bool,
) -> Result<(u64, Vec<Difference>)> {
    let mut out = (0, Vec::new());
    each_run(op, compiled, operands, setting, checked, |operands, bytes| compare(op, operands, bytes, &mut out))?;
    Ok(out)
}

/// The results of an operation's machine code for all operands, in order. `checked` enables all
/// checks of the simulator.
///
/// # Errors
/// A failed run.
pub fn results(
    op: &Op,
    compiled: &Compiled,
    operands: Operands<'_>,
    setting: ErrorSetting,
    checked: bool,
) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    each_run(op, compiled, operands, setting, checked, |_, bytes| out.extend_from_slice(bytes))?;
    Ok(out)
}

/// Runs the machine code on all operands, one part at a time in the same memory, and passes on each
/// part with its results.
fn each_run(
    op: &Op,
    compiled: &Compiled,
    operands: Operands<'_>,
    setting: ErrorSetting,
    checked: bool,
    mut take: impl FnMut(Operands<'_>, &[u8]),
) -> Result<()> {
    let mut memory = Memory::new();
    let count = match operands {
        Operands::Strided { count, .. } => count,
        Operands::Listed(lists) => lists.first().map_or(0, |l| l.len() as u64).next_multiple_of(PIECE),
    };
    ensure!(count > 0 && count.is_multiple_of(PIECE), "{count} operands are not whole blocks");
    let parts = match operands {
        Operands::Strided { .. } => count.div_ceil(RUN),
        Operands::Listed(_) => 1,
    };
    ensure!(count.is_multiple_of(parts * PIECE), "{count} operands are not whole runs");
    let count = count / parts;
    let size = (count * u64::from(op.output / 8)) as usize;
    // Without checks an unwritten result keeps its initial value, which is not a valid result.
    let room = if checked { Segment::undefined(size) } else { Segment::defined(vec![UNWRITTEN; size]) };
    let out = memory.add_segment("results", room, true);
    let failed = |e: Failure| anyhow::anyhow!("{}: {e}", op.name);
    for part in 0..parts {
        let mut launch = Launch::new("k");
        launch.grid = Dim3::new((count / PIECE) as u32, 1, 1);
        launch.block = Dim3::new(BLOCK as u32, 1, 1);
        launch.args.push(Arg::Buffer(out));
        let (code, operands) = match operands {
            Operands::Strided { start, stride, .. } => {
                let start = start.wrapping_add(((part * count) as u32).wrapping_mul(stride));
                launch.args.extend([start, stride].map(|v| Arg::Value(v.to_le_bytes().to_vec())));
                let code = compiled.strided.as_ref().context("no kernel for strided operands")?;
                (code, Operands::Strided { start, stride, count })
            }
            Operands::Listed(lists) => {
                for list in lists {
                    launch.args.push(Arg::Buffer(list_in(&mut memory, list, op.input / 8, count)));
                }
                (&compiled.listed, operands)
            }
        };
        if part > 0 {
            memory.alloc_mut(out).seg.fill(UNWRITTEN);
        }
        let mufu = Mufu { error: setting };
        if checked {
            let setup = machine::Setup { mufu, ..machine::Setup::default() };
            simulator::run_with(code, &launch, &mut memory, setup).map_err(failed)?;
        } else {
            let image = machine::Image::load(code, &launch, &mut memory);
            let image = image.map_err(|kind| failed(Failure::of_launch(&launch.kernel, kind)))?;
            machine::run_lockstep(&image, &launch, &mut memory, mufu).map_err(failed)?;
        }
        take(operands, memory.read_back(out).map_err(|e| anyhow::anyhow!("{}: {e}", op.name))?);
    }
    Ok(())
}

fn list_in(memory: &mut Memory, list: &[u64], size: u32, count: u64) -> AllocId {
    let last = list.last().copied().unwrap_or(0);
    let filled = list.iter().copied().chain(std::iter::repeat(last)).take(count as usize);
    let bytes = filled.flat_map(|x| x.to_le_bytes().into_iter().take(size as usize)).collect();
    memory.add("operands", bytes, false)
}

/// Results compared in one call.
const ROW: usize = 1024;

fn compare(op: &Op, operands: Operands<'_>, bytes: &[u8], (wrong, first): &mut (u64, Vec<Difference>)) {
    let size = op.output as usize / 8;
    let (mut x, mut y) = ([0; ROW], [0; ROW]);
    let (mut got, mut want) = ([0; ROW], [0; ROW]);
    for (row, bytes) in bytes.chunks(ROW * size).enumerate() {
        let count = bytes.len() / size;
        let at = row * ROW;
        match operands {
            Operands::Strided { start, stride, .. } => {
                let first = start.wrapping_add((at as u32).wrapping_mul(stride));
                (0..).zip(&mut x).for_each(|(n, x)| *x = u64::from(first.wrapping_add(stride.wrapping_mul(n))));
            }
            Operands::Listed(lists) => {
                for (list, to) in lists.iter().zip([&mut x, &mut y]) {
                    to.iter_mut().enumerate().for_each(|(n, v)| *v = list[(at + n).min(list.len() - 1)]);
                }
            }
        }
        if size == 4 {
            let words = bytes.as_chunks::<4>().0;
            got.iter_mut().zip(words).for_each(|(v, b)| *v = u64::from(u32::from_le_bytes(*b)));
        } else {
            let words = bytes.as_chunks::<8>().0;
            got.iter_mut().zip(words).for_each(|(v, b)| *v = u64::from_le_bytes(*b));
        }
        op.reference.row(&x[..count], &y[..count], &mut want[..count]);
        if got[..count] == want[..count] {
            continue;
        }
        for n in (0..count).filter(|&n| got[n] != want[n]) {
            *wrong += 1;
            if first.len() < 5 {
                let operands = [x[n], y[n]].into_iter().take(op.operands).collect();
                first.push(Difference { operands, got: got[n], want: want[n] });
            }
        }
    }
}

const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";
const REGISTERS: &str = ".reg .b16 %h<2>;\n.reg .b32 %r<9>, %x<2>, %y;\n.reg .b64 %rd<9>, %xd<2>, %yd;\n\
                         mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nshl.b32 %r1, %r1, 12;\nadd.u32 %r1, %r1, %r0;\n";

/// The store of result `k`: `%rd0` is the address of the first.
fn store(op: &Op, k: u64) -> String {
    let (size, register) = if op.output == 64 { (8, "%yd") } else { (4, "%y") };
    format!("st.global.b{} [%rd0+{}], {register};\n", op.output, k * BLOCK * size)
}

/// Operands computed from the thread number: results are stored block by block, in rows of 256.
fn strided(op: &Op) -> String {
    let mut text = format!(
        "{HEAD}.visible .entry k(.param .u64 out, .param .u32 start, .param .u32 stride)\n{{\n{REGISTERS}\
         ld.param.u64 %rd0, [out];\nmul.wide.u32 %rd1, %r1, {};\nadd.u64 %rd0, %rd0, %rd1;\nld.param.u32 %r2, [start];\n\
         ld.param.u32 %r3, [stride];\nmad.lo.u32 %x0, %r1, %r3, %r2;\nshl.b32 %r3, %r3, 8;\n",
        op.output / 8
    );
    for k in 0..EACH {
        text.push_str(&op.ptx);
        text.push('\n');
        text.push_str(&store(op, k));
        text.push_str("add.u32 %x0, %x0, %r3;\n");
    }
    text + "ret;\n}\n"
}

/// Operands from memory.
fn listed(op: &Op) -> String {
    let params: String = (0..op.operands).map(|n| format!(", .param .u64 in{n}")).collect();
    let mut text = format!(
        "{HEAD}.visible .entry k(.param .u64 out{params})\n{{\n{REGISTERS}\
         ld.param.u64 %rd0, [out];\nmul.wide.u32 %rd1, %r1, {};\nadd.u64 %rd0, %rd0, %rd1;\nmul.wide.u32 %rd1, %r1, {};\n",
        op.output / 8,
        op.input / 8
    );
    for n in 0..op.operands {
        text.push_str(&format!("ld.param.u64 %rd{0}, [in{n}];\nadd.u64 %rd{0}, %rd{0}, %rd1;\n", 2 + n));
    }
    for k in 0..EACH {
        for n in 0..op.operands {
            let register = if op.input == 64 { "%xd" } else { "%x" };
            let at = k * BLOCK * u64::from(op.input / 8);
            text.push_str(&format!("ld.global.b{} {register}{n}, [%rd{}+{at}];\n", op.input, 2 + n));
        }
        text.push_str(&op.ptx);
        text.push('\n');
        text.push_str(&store(op, k));
    }
    text + "ret;\n}\n"
}
