//! Numeric operations of our own machine code on whole ranges of operands, in the simulator, against references.
//!
//! Problem: an expansion of a division that is right on a million operands may be wrong on the next. Strategy: a kernel computes its
//! operands from its thread's number (or loads them) and stores what the operation makes of them; the host compares every result
//! with a reference that shares no code with compiler and simulator ([`mod@reference`]), under each setting of the multi-function unit's
//! error ([`SETTINGS`]): correctly rounded operations must not depend on it. A first piece of every operation runs with all checks
//! of the simulator; the rest may run without, as neither code nor control flow differ.
//!
//! Invariants: the operand of a result is known from its place alone; what differs is reported with operand, result and reference.

pub mod ops;
pub mod reference;

use anyhow::{Context, Result, ensure};
use raddle_driver::options::OptLevel;
use raddle_sim::launch::{Arg, Check, Dim3, Launch};
use raddle_sim::machine;
use raddle_sim::mem::{AllocId, Memory, Segment};
use raddle_sim::mufu::{ErrorSetting, Mufu};

use crate::compile::{How, cubin};
use ops::Op;

/// Threads of a block.
const BLOCK: u64 = 256;
/// Operands of one thread.
const EACH: u64 = 8;
/// Operands of one block: pieces are a multiple of this.
pub const PIECE: u64 = BLOCK * EACH;

/// The settings of the multi-function unit under which operations that use it are judged.
pub const SETTINGS: [ErrorSetting; 3] = [ErrorSetting::Exact, ErrorSetting::Low, ErrorSetting::High];

/// Where operands come from.
#[derive(Clone, Copy, Debug)]
pub enum Operands<'a> {
    /// `start`, `start + stride`, ..., so many 32-bit words.
    Strided {
        /// The first.
        start: u32,
        /// From one to the next.
        stride: u32,
        /// How many, a multiple of [`PIECE`].
        count: u64,
    },
    /// These: one list for each operand of the operation, of equal lengths; filled up to a multiple of [`PIECE`].
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
    pub fn new(op: &Op, arch: &'static str, opt: OptLevel) -> Result<Compiled> {
        let how = How { arch, opt, jobs: 1, chaos: None };
        let compile = |text: String| cubin(&text, how).with_context(|| op.name.clone());
        let strided = if op.input == 32 && op.operands == 1 { Some(compile(strided(op))?) } else { None };
        Ok(Compiled { strided, listed: compile(listed(op))? })
    }

    /// A number that changes with the machine code.
    pub fn hash(&self) -> u64 {
        let bytes = self.strided.iter().flatten().chain(&self.listed);
        bytes.fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
    }
}

/// A result that is not the reference's.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The operands.
    pub operands: Vec<u64>,
    /// What the machine code made of them.
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

/// Computes the operation on all operands; returns the number of differences and the first few. `checked`: with all checks of the
/// simulator.
///
/// # Errors
/// Failures of the run.
pub fn judge(
    op: &Op,
    compiled: &Compiled,
    operands: Operands<'_>,
    setting: ErrorSetting,
    checked: bool,
) -> Result<(u64, Vec<Difference>)> {
    let mut memory = Memory::new();
    let mut launch = Launch::new("k");
    let count = match operands {
        Operands::Strided { count, .. } => count,
        Operands::Listed(lists) => lists.first().map_or(0, |l| l.len() as u64).next_multiple_of(PIECE),
    };
    ensure!(count > 0 && count.is_multiple_of(PIECE), "{count} operands are not whole blocks");
    launch.grid = Dim3::new((count / PIECE) as u32, 1, 1);
    launch.block = Dim3::new(BLOCK as u32, 1, 1);
    if !checked {
        (launch.hazards, launch.races) = (Check::Off, Check::Off);
    }
    let size = op.output / 8;
    let out = memory.add_segment("results", Segment::undefined((count * u64::from(size)) as usize), true);
    launch.args.push(Arg::Buffer(out));
    let code = match operands {
        Operands::Strided { start, stride, .. } => {
            launch.args.extend([start, stride].map(|v| Arg::Value(v.to_le_bytes().to_vec())));
            compiled.strided.as_ref().context("no kernel for strided operands")?
        }
        Operands::Listed(lists) => {
            for list in lists {
                launch.args.push(Arg::Buffer(list_in(&mut memory, list, op.input / 8, count)));
            }
            &compiled.listed
        }
    };
    let setup = machine::Setup { mufu: Mufu { error: setting }, ..machine::Setup::default() };
    machine::run_with(code, &launch, &mut memory, setup).map_err(|e| anyhow::anyhow!("{}: {e}", op.name))?;
    let bytes = memory.read_back(out).map_err(|e| anyhow::anyhow!("{}: {e}", op.name))?;
    Ok(compare(op, operands, bytes))
}

fn list_in(memory: &mut Memory, list: &[u64], size: u32, count: u64) -> AllocId {
    let last = list.last().copied().unwrap_or(0);
    let filled = list.iter().copied().chain(std::iter::repeat(last)).take(count as usize);
    let bytes = filled.flat_map(|x| x.to_le_bytes().into_iter().take(size as usize)).collect();
    memory.add("operands", bytes, false)
}

fn compare(op: &Op, operands: Operands<'_>, bytes: &[u8]) -> (u64, Vec<Difference>) {
    let (mut wrong, mut first) = (0, Vec::new());
    let size = op.output as usize / 8;
    for (n, bytes) in bytes.chunks_exact(size).enumerate() {
        let got = bytes.iter().rev().fold(0u64, |v, &b| v << 8 | u64::from(b));
        let (x, y) = match operands {
            Operands::Strided { start, stride, .. } => {
                (u64::from(start.wrapping_add((n as u32).wrapping_mul(stride))), 0)
            }
            Operands::Listed(lists) => {
                let at = |k: usize| lists.get(k).map_or(0, |l: &Vec<u64>| l[n.min(l.len() - 1)]);
                (at(0), at(1))
            }
        };
        let want = (op.reference)(x, y);
        if got != want {
            wrong += 1;
            if first.len() < 5 {
                let operands = [x, y].into_iter().take(op.operands).collect();
                first.push(Difference { operands, got, want });
            }
        }
    }
    (wrong, first)
}

const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";
const REGISTERS: &str = ".reg .b16 %h<2>;\n.reg .b32 %r<9>, %x<2>, %y;\n.reg .b64 %rd<9>, %xd<2>, %yd;\n\
                         mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nshl.b32 %r1, %r1, 11;\nadd.u32 %r1, %r1, %r0;\n";

/// The store of result `k`: `%rd0` is the address of the first.
fn store(op: &Op, k: u64) -> String {
    let (size, register) = if op.output == 64 { (8, "%yd") } else { (4, "%y") };
    format!("st.global.b{} [%rd0+{}], {register};\n", op.output, k * BLOCK * size)
}

/// Operands from the thread's number: results lie block by block, eight rows of 256.
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
