//! A kernel loaded for one launch: predecoded code, constant banks, variables placed in memory.

use super::async_op::AsyncOp;
use super::handles;
use super::operands::Banks;
use super::places::Places;
use super::predecode::predecode;
use super::shape::{Shape, shape};
use super::stubs::REGISTERS;
use super::uop::{Kind as UopKind, Program};
use crate::failure::{FailureKind, Location};
use crate::launch::{Dim3, Launch, ParamSlot};
use crate::mem::{LOCAL_WINDOW_HI, Memory, SHARED_WINDOW_HI};
use raddle_cubin::model::{Cubin, Kind};
use raddle_cubin::view::Kernel;
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Inst, Isa, Kind as Operand, Op, RZ};
use raddle_target::{Native, TARGETS, Target, Variant};
use std::ops::Range;

/// First address above local memory: the initial stack pointer.
const LOCAL_TOP: u32 = 0x00ff_f000;
/// Bytes of constant bank 0 before the parameters; bytes beyond the fields of
/// [`raddle_target::DriverConstants`] read as zero.
const DRIVER_AREA: usize = 0x210;

/// A kernel ready to run.
#[derive(Clone, Debug)]
pub struct Image {
    /// Its name.
    pub kernel: String,
    /// The architecture.
    pub target: &'static Target,
    /// The code.
    pub program: Program,
    /// First instruction.
    pub entry: u32,
    /// General registers that the code names: one more than the highest.
    pub registers: usize,
    /// The register count of a warp at first.
    pub warp_registers: u16,
    /// Blocks.
    pub grid: Dim3,
    /// Blocks of a cluster.
    pub cluster: Dim3,
    /// Bytes of local memory of a thread.
    pub local_size: u32,
    /// Local address of its first byte.
    local_low: u32,
    /// Bytes of shared memory of a block, including the part reserved by the system at the start.
    pub shared_size: u32,
    /// Constant banks by number.
    pub banks: Vec<Vec<u8>>,
    insts: Vec<Result<Inst, String>>,
    /// Functions in the section, by first instruction.
    pub(super) functions: Vec<(u32, String)>,
    /// First instruction of the driver functions ([`super::system`]), if the file refers to any.
    pub(super) systems: Option<u32>,
    lines: super::lines::Lines,
}

fn load(why: impl Into<String>) -> FailureKind {
    FailureKind::Load(why.into())
}

impl Image {
    /// Loads the kernel of `launch`, places the module's variables in `mem` and lays out its
    /// arguments.
    pub fn load(file: &[u8], launch: &Launch, mem: &mut Memory) -> Result<Image, FailureKind> {
        let cubin = Cubin::parse(file).map_err(|e| load(e.to_string()))?;
        let (target, native) = architecture(&cubin)?;
        let kernel = cubin.kernel(&launch.kernel).ok_or_else(|| {
            let names: Vec<_> = cubin.kernels().iter().map(|k| k.name.to_string()).collect();
            load(format!("no kernel `{}`; the file has: {}", launch.kernel, names.join(", ")))
        })?;
        let mut places = Places::of(&cubin, kernel.section, mem)?;
        places.define(handles::symbols(&cubin, &kernel, launch, mem));

        let params: Vec<ParamSlot> =
            kernel.params.iter().map(|p| ParamSlot { offset: p.offset.into(), size: p.size.into() }).collect();
        let block = launch.pack(&params, mem).map_err(|e| FailureKind::Launch(e.to_string()))?;
        let shape = shape(kernel.attributes, launch, native.isa >= Isa::Sm90)?;
        check_shape(launch, &shape)?;
        let shared_size = shared_size(&kernel, native, launch)?;

        let mut banks = vec![Vec::new(); 18];
        for bank in &kernel.const_banks {
            banks[usize::from(bank.bank)] = places.relocated(&cubin, bank.section, bank.bytes)?;
        }
        // As the file says; a file without parameters does not.
        let first = Some(kernel.param_base as u16).filter(|&at| at > 0).unwrap_or(native.cbank.param_base);
        fill_bank0(&mut banks[0], native, (launch, &shape), first, &block);
        handles::add_tables(&mut banks[0], &cubin, native, mem);
        add_windows(&mut banks, native, u64::from(first)..u64::from(first) + block.len() as u64, mem);

        let code = places.code(&cubin)?;
        let isa = Isa::by_name(target.name).ok_or_else(|| load(format!("no tables for {target}")))?;
        let insts = decode(&code, isa);
        let program = predecode(&insts, isa, &Banks(&banks));
        let functions = places.functions(&cubin);
        let stack = stack_size(&kernel, launch, &functions, &insts)?;
        let (local_low, local_size) = match without_abi(&cubin, &launch.kernel) {
            Some(size) => (0, size),
            None => (LOCAL_TOP - stack, stack),
        };
        let entry = functions.iter().find(|f| f.1 == launch.kernel).map_or(0, |f| f.0);
        let lines = super::lines::Lines::read(&cubin, kernel.section);
        let systems = places.first_system();
        Ok(Image {
            registers: if systems.is_none() { program.registers() } else { program.registers().max(REGISTERS) },
            warp_registers: warp_registers(&program, kernel.registers),
            grid: shape.grid,
            cluster: shape.cluster,
            kernel: launch.kernel.clone(),
            target,
            program,
            entry,
            local_size,
            local_low,
            shared_size,
            banks,
            insts,
            functions,
            systems,
            lines,
        })
    }

    /// Creates an image of code without a file, for tests: one function, 1 KiB of shared memory, no
    /// parameters.
    #[cfg(test)]
    pub fn of_code(isa: Isa, code: &[Inst]) -> Image {
        let insts: Vec<_> = code.iter().cloned().map(Ok).collect();
        let banks = vec![Vec::new(); 18];
        let program = predecode(&insts, isa, &Banks(&banks));
        let target = TARGETS.iter().find(|t| t.name == isa.name()).expect("a target for each table");
        let shared_base = target.native.as_ref().map_or(0, |n| n.shared_base);
        Image {
            registers: program.registers(),
            warp_registers: u16::MAX,
            grid: Dim3::from(1),
            cluster: Dim3::from(1),
            kernel: "k".to_owned(),
            target,
            program,
            entry: 0,
            local_size: 0,
            local_low: LOCAL_TOP,
            shared_size: shared_base + 1024,
            banks,
            insts,
            functions: Vec::new(),
            systems: None,
            lines: super::lines::Lines::default(),
        }
    }

    /// Returns the address of the first byte of local memory.
    pub fn local_low(&self) -> u32 {
        self.local_low
    }

    /// Returns the decoded instructions; an error says why a word cannot be decoded.
    pub fn instructions(&self) -> &[Result<Inst, String>] {
        &self.insts
    }

    /// Returns the instruction as printed.
    pub fn text_at(&self, pc: u32) -> String {
        match self.insts.get(pc as usize) {
            Some(Ok(inst)) => raddle_sass::print(inst, u64::from(pc) * 16),
            Some(Err(why)) => format!("({why})"),
            None => String::new(),
        }
    }

    /// Returns the instruction as a failure's place.
    pub fn place(&self, pc: u32) -> Location {
        let function = self.functions.iter().rev().find(|f| f.0 <= pc);
        Location::Sass {
            function: function.map_or(String::new(), |f| f.1.clone()),
            pc: (pc - function.map_or(0, |f| f.0)) * 16,
            text: self.text_at(pc),
            source: self.lines.at(pc * 16),
        }
    }

    /// Replaces the numbers of instructions in a text by the instructions.
    pub fn name_all_places(&self, text: &str) -> String {
        const MARK: &str = "instruction ";
        let mut parts = text.split(MARK);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            match part[..digits].parse::<u32>() {
                Ok(pc) => out += &format!("{MARK}{:#06x} `{}`{}", pc * 16, self.text_at(pc), &part[digits..]),
                Err(_) => out = out + MARK + part,
            }
        }
        out
    }

    /// Replaces the trailing instruction number of a race's earlier access by the instruction.
    pub fn name_places(&self, text: &str) -> String {
        match text.rsplit_once("instruction ") {
            Some((head, n)) => match n.parse::<u32>() {
                Ok(pc) => format!("{head}{:#06x} `{}`", pc * 16, self.text_at(pc)),
                Err(_) => text.to_string(),
            },
            None => text.to_string(),
        }
    }
}

/// Returns the architecture of an executable, and its facts.
fn architecture(cubin: &Cubin) -> Result<(&'static Target, &'static Native), FailureKind> {
    if cubin.header.kind != Kind::Executable {
        return Err(load("the file is relocatable: link it first"));
    }
    let sm = cubin.header.sm();
    let found = target_of(sm).and_then(|target| Some((target, target.native.as_ref()?)));
    found.ok_or_else(|| load(format!("sm_{sm} is not simulated")))
}

/// Returns the row of an SM number: the architecture-specific variant if there is one, as it runs
/// all code of the base.
fn target_of(sm: u16) -> Option<&'static Target> {
    let rows = || TARGETS.iter().filter(|t| t.sm == sm && t.native.is_some());
    rows().find(|t| t.variant == Variant::Specific).or_else(|| rows().next())
}

fn check_shape(launch: &Launch, shape: &Shape) -> Result<(), FailureKind> {
    let threads = launch.block.count();
    if threads == 0 || threads > 1024 || launch.block.z > 64 {
        return Err(FailureKind::Launch(format!("a block of {} threads exceeds the limit", launch.block)));
    }
    if shape.grid.count() == 0 || shape.grid.count() > 1 << 22 {
        return Err(FailureKind::Launch(format!("grids of {} blocks are not supported", shape.grid)));
    }
    Ok(())
}

/// Returns the register count of a warp at first, by that in the file.
fn warp_registers(program: &Program, of_file: u32) -> u16 {
    let changes = program.code.iter().any(|u| matches!(u.kind, UopKind::Async(AsyncOp::Registers { .. })));
    // They are allocated in units of 8: ptxas 13.0.88 lets a warp of 255 ask for 256.
    if changes { (of_file as u16).next_multiple_of(8) } else { of_file as u16 }
}

/// Returns the bytes of shared memory of a block.
fn shared_size(kernel: &Kernel<'_>, native: &Native, launch: &Launch) -> Result<u32, FailureKind> {
    let fixed = (kernel.shared_size as u32).max(native.shared_base);
    let size = fixed.next_multiple_of(16).saturating_add(launch.dyn_shared);
    if size > native.limits.shared_per_cta + native.shared_base {
        return Err(FailureKind::Launch(format!("{size} bytes of shared memory are more than a block may have")));
    }
    Ok(size)
}

/// Decodes the words of code; an error says why a word cannot be decoded.
fn decode(code: &[u8], isa: Isa) -> Vec<Result<Inst, String>> {
    let words = code.chunks_exact(16).map(|w| w.iter().rev().fold(0u128, |v, &b| v << 8 | u128::from(b)));
    words.map(|word| raddle_sass::decode(isa, word).map_err(|e| e.to_string())).collect()
}

/// Returns the bytes of stack of a thread.
fn stack_size(
    kernel: &Kernel<'_>,
    launch: &Launch,
    functions: &[(u32, String)],
    insts: &[Result<Inst, String>],
) -> Result<u32, FailureKind> {
    // The stack depth is unknown with recursion (a linker says so, ptxas does not), and with
    // `alloca`, for which no size is given.
    let unknown = kernel.stack_size == u32::MAX
        || parts_call(functions, insts, &launch.kernel, kernel.code.len())
        || insts.iter().flatten().any(moves_stack_freely)
        || lowers_stack_by(insts.get(..kernel.code.len() / 16).unwrap_or_default()) > kernel.frame_size.into();
    let known = if kernel.stack_size == u32::MAX { 0 } else { kernel.stack_size };
    let stack = if unknown { known.max(launch.stack) } else { known };
    let size = kernel.frame_size.max(stack).checked_next_multiple_of(16).filter(|&s| s <= LOCAL_TOP);
    size.ok_or_else(|| load("the kernel wants more local memory than there is"))
}

/// The general register that points to the stack ("ptxas 13.0.88 output").
const STACK_POINTER: u8 = 1;

/// Whether another function in the kernel's section contains a call. In a whole program compiled by
/// ptxas, recursive functions follow the kernel in its section, and its stack size does not include
/// them (ptxas 13.0.88 output); so do slow paths of divisions, which call nothing.
fn parts_call(functions: &[(u32, String)], insts: &[Result<Inst, String>], kernel: &str, bytes: usize) -> bool {
    let parts = functions.iter().filter(|f| (f.0 as usize) < bytes / 16 && f.1 != kernel).map(|f| f.0 as usize);
    let Some(first) = parts.min() else { return false };
    let behind = insts.get(first..bytes / 16).unwrap_or_default();
    behind.iter().flatten().any(|inst| inst.op() == Op::Call)
}

/// Bytes of local memory of code without an ABI: it has no stack pointer, its variables begin at
/// local address 0, and an empty section gives their size (ptxas 13.0.88 output for functions with
/// several results).
fn without_abi(cubin: &Cubin, kernel: &str) -> Option<u32> {
    let name = format!(".nv.local.{kernel}");
    let section = cubin.sections.iter().find(|section| section.name == name)?;
    u32::try_from(section.size()).ok()?.checked_next_multiple_of(16).filter(|&size| size <= LOCAL_TOP)
}

/// Whether the instruction moves the stack pointer by a register. Functions that align their frames
/// do, too.
fn moves_stack_freely(inst: &Inst) -> bool {
    let general = || inst.accesses().into_iter().filter(|a| a.file == File::Gpr);
    general().any(|a| a.written && a.first == STACK_POINTER && a.count == 1)
        && general().any(|a| a.read && a.first != STACK_POINTER && a.first != RZ)
}

/// Bytes by which instructions lower the stack pointer: for the frame, and for `alloca` with
/// constant sizes.
fn lowers_stack_by(insts: &[Result<Inst, String>]) -> u64 {
    let one = |inst: &Inst| {
        let writes = inst.accesses().into_iter().any(|a| a.file == File::Gpr && a.written && a.first == STACK_POINTER);
        let sum = writes && matches!(inst.op(), Op::Iadd3 | Op::Viadd);
        let bytes = inst.slot(SlotRole::Rb).filter(|_| sum).map(|o| o.kind);
        // An immediate is stored as 32 bits.
        if let Some(Operand::Imm(n)) = bytes { (n as i32).min(0).unsigned_abs().into() } else { 0u64 }
    };
    insts.iter().flatten().map(one).sum()
}

/// Fills the driver's part of bank 0 and the parameters, which begin at `first`.
fn fill_bank0(bank: &mut Vec<u8>, native: &Native, (launch, shape): (&Launch, &Shape), first: u16, params: &[u8]) {
    let c = &native.cbank;
    let end = usize::from(first) + params.len();
    bank.resize(bank.len().max(end).max(DRIVER_AREA), 0);
    let mut put = |at: u16, bytes: &[u8]| bank[usize::from(at)..][..bytes.len()].copy_from_slice(bytes);
    for (at, d) in [(c.ntid, launch.block), (c.nctaid, shape.grid)] {
        for (i, v) in [d.x, d.y, d.z].into_iter().enumerate() {
            put(at + 4 * i as u16, &v.to_le_bytes());
        }
    }
    put(c.shared_window, &(u64::from(SHARED_WINDOW_HI) << 32).to_le_bytes());
    put(c.local_window, &(u64::from(LOCAL_WINDOW_HI) << 32).to_le_bytes());
    put(c.r1_init, &LOCAL_TOP.to_le_bytes());
    // At this offset for all targets in the table, below sm_90 too (ptxas 13.0.88 output for
    // `%dynamic_smem_size`).
    put(c.dynamic_shared.unwrap_or(0x2c), &launch.dyn_shared.to_le_bytes());
    // One multiprocessor (`%nsmid` in ptxas 13.0.88 output).
    put(0x10c, &1u32.to_le_bytes());
    // The part of shared memory reserved by the system (`%total_smem_size`).
    put(0x114, &native.shared_base.to_le_bytes());
    if native.isa >= Isa::Sm90 {
        // Without clusters each block is one (`%clusterid`, `%nclusterid`, `%cluster_nctaid`,
        // `%cluster_nctarank`, `%is_explicit_cluster`, `%aggr_smem_size` in ptxas 13.0.88 output).
        put(0x13c, &u32::MAX.to_le_bytes());
        // The end of the reserved part, and the start of its second part
        // (`%reserved_smem_offset_end`, `%reserved_smem_offset_1`).
        put(0x68, &native.shared_base.to_le_bytes());
        put(0x6c, &native.shared_base.to_le_bytes());
        put(0x140, &u32::from(shape.explicit).to_le_bytes());
        let (all, part) = (shape.grid, shape.cluster);
        for (i, (all, part)) in [(all.x, part.x), (all.y, part.y), (all.z, part.z)].into_iter().enumerate() {
            put(0x144 + 4 * i as u16, &part.to_le_bytes());
            put(0x150 + 4 * i as u16, &(1.0 / part as f32).to_le_bytes());
            put(0x15c + 4 * i as u16, &(all / part).to_le_bytes());
        }
        put(0x188, &(part.count() as u32).to_le_bytes());
    }
    put(first, params);
}

/// Makes memory of the banks that can be accessed by address, and tells the code where it is;
/// `params` are the offsets of parameters in bank 0.
fn add_windows(banks: &mut [Vec<u8>], native: &Native, params: Range<u64>, mem: &mut Memory) {
    // Without constants the window exists and is empty: no address is in it (`isspacep.const`).
    let window = mem.add("constant bank 3", banks[3].clone(), false);
    banks[0][usize::from(native.cbank.const_window)..][..8].copy_from_slice(&mem.base(window).to_le_bytes());
    // The window of bank 0, and the range of parameters in it (`cvta.param`, `isspacep.param` in
    // ptxas 13.0.88 output).
    let window = mem.add("constant bank 0", banks[0].clone(), false);
    let base = mem.base(window);
    let mut put = |at: usize, bytes: &[u8]| banks[0][at..][..bytes.len()].copy_from_slice(bytes);
    if native.isa >= Isa::Sm90 {
        put(0x198, &(base + params.start).to_le_bytes());
        put(0x1a0, &(base + params.end).to_le_bytes());
    } else {
        put(0x40, &base.to_le_bytes());
        put(0x12c, &(params.end as u32).to_le_bytes());
    }
}
