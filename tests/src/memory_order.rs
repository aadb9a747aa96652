//! Random straight-line kernels of loads, stores, atomics and fences of every order, and a check
//! that their machine code keeps the order.
//!
//! Problem: a reordering of two accesses shows in no run of one thread. Strategy: the machine code
//! is not run. Every access of a kernel has different bytes, so that the offset in its address
//! identifies it; the offsets in the machine code show their order. The required order is stated
//! here separately, from the manual (PTX ISA 9.0, 8), not taken from the compiler.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use raddle_cubin::Cubin;
use raddle_target::Target;

use crate::rng::Rng;

/// The memory order of a step of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Ordered only by its bytes.
    Weak,
    /// Volatile, relaxed, or cached like volatile accesses.
    Strong,
    /// Later accesses stay after it.
    Acquire,
    /// Earlier accesses stay before it.
    Release,
    /// Both.
    Both,
}

/// The memory of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Global memory.
    Global,
    /// Shared memory.
    Shared,
}

/// A step of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The access: space, offset, bytes; `None` for a fence or barrier.
    pub access: Option<(Space, u32, u32)>,
    /// Its order.
    pub order: Order,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Program {
    /// The PTX.
    pub text: String,
    /// Its steps, in order.
    pub steps: Vec<Step>,
}

/// Loads: spelling without space and type, order, whether they exist for shared memory.
pub(crate) const LOADS: &[(&str, Order, bool)] = &[
    ("ld.SPACE", Order::Weak, true),
    ("ld.weak.SPACE", Order::Weak, true),
    ("ld.volatile.SPACE", Order::Strong, true),
    ("ld.relaxed.cta.SPACE", Order::Strong, true),
    ("ld.relaxed.gpu.SPACE", Order::Strong, false),
    ("ld.relaxed.sys.SPACE", Order::Strong, false),
    ("ld.SPACE.cv", Order::Strong, false),
    ("ld.acquire.cta.SPACE", Order::Acquire, true),
    ("ld.acquire.gpu.SPACE", Order::Acquire, false),
    ("ld.acquire.sys.SPACE", Order::Acquire, false),
];

/// Stores.
pub(crate) const STORES: &[(&str, Order, bool)] = &[
    ("st.SPACE", Order::Weak, true),
    ("st.volatile.SPACE", Order::Strong, true),
    ("st.relaxed.cta.SPACE", Order::Strong, true),
    ("st.relaxed.gpu.SPACE", Order::Strong, false),
    ("st.SPACE.wt", Order::Strong, false),
    ("st.release.cta.SPACE", Order::Release, true),
    ("st.release.gpu.SPACE", Order::Release, false),
    ("st.release.sys.SPACE", Order::Release, false),
];

/// Atomics with a result, and their orders.
pub(crate) const ATOMICS: &[(&str, Order)] = &[
    ("atom.relaxed.gpu.SPACE.add", Order::Strong),
    ("atom.acquire.gpu.SPACE.exch", Order::Acquire),
    ("atom.release.cta.SPACE.max", Order::Release),
    ("atom.acq_rel.gpu.SPACE.or", Order::Both),
];

/// Fences and barriers.
const FENCES: &[&str] = &[
    "fence.acq_rel.cta",
    "fence.acq_rel.gpu",
    "fence.sc.gpu",
    "fence.acq_rel.sys",
    "membar.cta",
    "membar.gl",
    "bar.sync 0",
    "bar.warp.sync 0xffffffff",
];

/// A kernel with this seed.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed, 7);
    let mut steps = Vec::new();
    let mut body = String::new();
    let mut next = [0u32; 2];
    let count = 6 + rng.below(26);
    // Some kernels have only strong accesses, so that nothing else keeps them in order.
    let only_strong = rng.chance(1, 4);
    for n in 0..count {
        let space = *rng.pick(&[Space::Global, Space::Shared]);
        let name = if space == Space::Global { "global" } else { "shared" };
        let slot = &mut next[space as usize];
        // Neighbours may be combined if both are weak; others have a gap between them.
        let at = *slot;
        *slot += if rng.chance(1, 2) { 4 } else { 8 };
        let address = if space == Space::Global { format!("[%p+{at}]") } else { format!("[sm+{at}]") };
        let value = format!("%v{n}");
        let mut access = Some((space, at, 4));
        let shared = space == Space::Shared;
        let fits = |order: Order, both: bool| (both || !shared) && (!only_strong || order == Order::Strong);
        let order = match rng.below(if only_strong { 8 } else { 10 }) {
            0..4 => {
                let list: Vec<_> = LOADS.iter().filter(|l| fits(l.1, l.2)).collect();
                let (op, order, _) = **rng.pick(&list);
                let _ = writeln!(body, "\t{}.u32 {value}, {address};", op.replace("SPACE", name));
                // A strong load is kept even if its value is not read.
                if order == Order::Weak || rng.chance(3, 4) {
                    let _ = writeln!(body, "\txor.b32 %sum, %sum, {value};");
                }
                order
            }
            4..8 => {
                let list: Vec<_> = STORES.iter().filter(|l| fits(l.1, l.2)).collect();
                let (op, order, _) = **rng.pick(&list);
                // The stored value is known at once, or comes from the loads before.
                let stored = if rng.chance(1, 3) { "%sum" } else { "%t" };
                let _ = writeln!(body, "\t{}.u32 {address}, {stored};", op.replace("SPACE", name));
                order
            }
            8 => {
                let (op, order) = *rng.pick(ATOMICS);
                let ty = if op.ends_with("or") || op.ends_with("exch") { "b32" } else { "u32" };
                let _ = writeln!(body, "\t{}.{ty} {value}, {address}, %t;", op.replace("SPACE", name));
                let _ = writeln!(body, "\txor.b32 %sum, %sum, {value};");
                order
            }
            _ => {
                let _ = writeln!(body, "\t{};", rng.pick(FENCES));
                access = None;
                Order::Both
            }
        };
        steps.push(Step { access, order });
    }
    let text = format!(
        ".version 8.3\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{{\n\t.reg .b64 %p, %q; \
         .reg .b32 %sum, %t, %v<64>;\n\t.shared .align 16 .b8 sm[1024];\n\tld.param.u64 %p, [p];\n\tcvta.to.global.u64 %p, %p;\n\t\
         ld.param.u64 %q, [q];\n\tcvta.to.global.u64 %q, %q;\n\tmov.u32 %t, %tid.x;\n\tmov.u32 %sum, 0;\n{body}\t\
         st.global.u32 [%q+4096], %sum;\n\tret;\n}}\n"
    );
    Program { text, steps }
}

/// The memory effects of the machine code, instruction by instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// Accesses these bytes: space, offset, bytes.
    Access(Space, u32, u32, Way),
    /// Fences, or invalidates the first-level cache.
    Fence,
    /// Waits at a barrier of the block.
    Barrier,
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Loads them.
    Load,
    /// Stores them.
    Store,
    /// Updates them atomically.
    Update,
}

/// Reads the accesses and fences of the code of kernel `k`, in order.
///
/// # Errors
/// A cubin without it, words that cannot be decoded.
pub fn done(cubin: &[u8], arch: &str) -> Result<Vec<Done>> {
    Ok(by_instruction(cubin, arch)?.into_iter().flatten().collect())
}

/// What each instruction of kernel `k` does.
///
/// # Errors
/// Those of [`done`].
pub fn by_instruction(cubin: &[u8], arch: &str) -> Result<Vec<Option<Done>>> {
    let native = Target::by_name(arch).and_then(|t| t.native.as_ref()).context("a target with machine code")?;
    let cubin = Cubin::parse(cubin)?;
    let code = cubin.functions().into_iter().find(|f| f.name == "k").context("the kernel")?.code;
    let effect = |word: &[u8]| {
        let word = u128::from_le_bytes(word.try_into()?);
        let inst = raddle_sass::decode(native.isa, word).map_err(|e| anyhow::anyhow!("{e}"))?;
        effect(&raddle_sass::print(&inst, 0))
    };
    code.chunks_exact(16).map(effect).collect()
}

/// What an instruction with this text does.
fn effect(text: &str) -> Result<Option<Done>> {
    let mnemonic = text.split_whitespace().find(|word| !word.starts_with('@')).unwrap_or_default();
    let op = mnemonic.split('.').next().unwrap_or_default();
    let space = match op {
        "LDG" | "STG" | "ATOMG" | "ATOM" | "RED" | "REDG" => Space::Global,
        "LDS" | "STS" | "ATOMS" => Space::Shared,
        "BAR" => return Ok(Some(Done::Barrier)),
        "MEMBAR" | "WARPSYNC" | "CCTL" => return Ok(Some(Done::Fence)),
        _ => return Ok(None),
    };
    let bytes = match () {
        () if mnemonic.contains(".128") => 16,
        () if mnemonic.contains(".64") => 8,
        () => 4,
    };
    let address = text.rsplit('[').next().and_then(|t| t.split(']').next()).unwrap_or_default();
    let at = address.split(['+', '-']).next_back().and_then(|n| n.strip_prefix("0x"));
    let at = at.map_or(Ok(0), |n| u32::from_str_radix(n, 16))?;
    // The variable has 1 KiB, and so have the bytes before it, which are reserved for the system.
    let at = if space == Space::Shared { at & 0x3ff } else { at };
    let way = match op {
        "LDG" | "LDS" => Way::Load,
        "STG" | "STS" => Way::Store,
        _ => Way::Update,
    };
    Ok(Some(Done::Access(space, at, bytes, way)))
}

/// Checks that the code of a kernel keeps the order of its steps.
///
/// # Errors
/// The first two steps that were reordered, or a strong access that is missing or duplicated.
pub fn judge(program: &Program, cubin: &[u8], arch: &str) -> Result<()> {
    let done = done(cubin, arch)?;
    let places = |space: Space, at: u32, bytes: u32| {
        let covers =
            move |d: &Done| matches!(*d, Done::Access(s, a, n, _) if s == space && a <= at && at + bytes <= a + n);
        done.iter().enumerate().filter(move |(_, d)| covers(d)).map(|(n, _)| n)
    };
    let mut at: Vec<Option<usize>> = Vec::new();
    for (n, step) in program.steps.iter().enumerate() {
        let Some((space, offset, bytes)) = step.access else {
            at.push(None);
            continue;
        };
        let found: Vec<usize> = places(space, offset, bytes).collect();
        let [place] = found[..] else { bail!("step {n} is done {} times", found.len()) };
        if step.order != Order::Weak {
            let alone = matches!(done[place], Done::Access(s, a, n, _) if (s, a, n) == (space, offset, bytes));
            ensure!(alone, "step {n} is part of a wider access");
        }
        at.push(Some(place));
    }
    let fenced = |from: usize, to: usize| done[from..to].iter().any(|d| matches!(d, Done::Fence | Done::Barrier));
    for (m, second) in program.steps.iter().enumerate() {
        let Some(to) = at[m] else { continue };
        for (n, first) in program.steps[..m].iter().enumerate() {
            let Some(from) = at[n] else { continue };
            let strong = first.order != Order::Weak && second.order != Order::Weak;
            let acquired = matches!(first.order, Order::Acquire | Order::Both);
            let released = matches!(second.order, Order::Release | Order::Both);
            let between = program.steps[n + 1..m].iter().any(|s| s.access.is_none());
            if !(strong || acquired || released || between) {
                continue;
            }
            ensure!(from < to, "step {n} ({:?}) comes after step {m} ({:?})", first, second);
            if acquired || released || between {
                ensure!(fenced(from, to), "no fence between step {n} ({first:?}) and step {m} ({second:?})");
            }
        }
    }
    Ok(())
}
